// Puts the person's own CSS on the page, as a constructed style sheet behind all others and outside of the layers, so that
// it wins. Such a sheet ignores @import, and the page's security policy stops addresses of other origins in it.
// public/theme-boot.js puts it there before the first paint; this takes over from it.
import type { App } from '#client/app/app.ts';
import { customCss, customCssOn } from '#client/custom-css/settings.ts';

/** Tells the sheet from the others, as theme-boot.js makes it. */
const MEDIA = 'all';

/** Whether this is the sheet of custom CSS. */
export const isOwnSheet = ({ media }: CSSStyleSheet): boolean => media.mediaText === MEDIA;

function wear(css: string): void {
  let sheet = document.adoptedStyleSheets.find(isOwnSheet);
  if (sheet === undefined) {
    if (css === '') return;
    sheet = new CSSStyleSheet({ media: MEDIA });
    document.adoptedStyleSheets.push(sheet);
  }
  sheet.replaceSync(css);
}

/** Follows the settings and the dialog from now on; returns what stops it. */
export function followCustomCss(app: App): () => void {
  const isOn = app.setting(customCssOn);
  const kept = app.setting(customCss);
  const { dialog } = app.view;
  const saved = (): string => (app.platform.isSafe || !isOn.get() ? '' : kept.get());
  // What theme-boot.js has shown.
  let worn = saved();
  const put = (css: string): void => {
    if (css === worn) return;
    worn = css;
    wear(css);
  };
  const apply = (): void => {
    const open = dialog.get();
    put(open?.type === 'customCss' && !app.platform.isSafe ? open.customCss.preview : saved());
  };
  const stops = [isOn, kept, dialog].map((signal) => signal.subscribe(apply));
  apply();
  return () => {
    for (const stop of stops) stop();
    put(saved());
  };
}
