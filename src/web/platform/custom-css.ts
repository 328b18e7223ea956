// Puts the person's own CSS on the page, as a constructed style sheet behind all others and outside of the layers, so that
// it wins. Such a sheet ignores @import, and the page's security policy stops addresses of other origins in it.
// public/theme-boot.js puts it there before the first paint; this takes over from it.
import type { App } from '#client/app/app.ts';
import { customCss, customCssOn } from '#client/custom-css/settings.ts';

/** Tells the sheet from the others, as theme-boot.js makes it. */
const MEDIA = 'all';

/** Id of the field in which it is written. */
export const CSS_FIELD = 'custom-css-text';

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

/** Whether the field is drawn, and can be seen by what style sheets usually hide things with. */
function isFieldHidden(): boolean {
  const field = document.getElementById(CSS_FIELD);
  return field?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) === false;
}

/** Follows the settings and the dialog from now on; returns what stops it. */
export function followCustomCss(app: App): () => void {
  const isOn = app.setting(customCssOn);
  const kept = app.setting(customCss);
  const { dialog } = app.view;
  const saved = (): string => (app.platform.isSafe || !isOn.get() ? '' : kept.get());
  // What theme-boot.js put there may be of before a key that was pressed meanwhile: it is put there anew.
  let worn = document.adoptedStyleSheets.some(isOwnSheet) ? null : '';
  const put = (css: string): void => {
    if (css === worn) return;
    worn = css;
    wear(css);
  };
  const apply = (): void => {
    const open = dialog.get();
    if (open?.type !== 'customCss' || app.platform.isSafe) {
      put(saved());
      return;
    }
    put(open.customCss.preview);
    // The person could neither go on writing nor correct it.
    if (worn === '' || !isFieldHidden()) return;
    put('');
    queueMicrotask(() => app.answer('customCss', { action: 'hides' }));
  };
  const stops = [isOn, kept, dialog].map((signal) => signal.subscribe(apply));
  apply();
  return () => {
    for (const stop of stops) stop();
    put(saved());
  };
}
