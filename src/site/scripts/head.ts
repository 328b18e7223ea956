// Runs before the first paint, as a classic script of its own: what would be seen or missed if it came later. The rest of the
// scripts is fetched after that paint: until then the page belongs to its text.
import { keepEarlyKeys } from './early-keys.ts';
import { answerGuideKeys, followGuideHash } from './guide-keys.ts';
import { afterFirstPaint } from './first-paint.ts';
import { countDownloads, takeReferral } from './referral.ts';
import { remembered, THEME } from './storage.ts';
import { leadDownloads, readSystem } from './system.ts';

const root = document.documentElement;
const { page, island } = document.currentScript?.dataset ?? {};
const system = readSystem();

/** Sets what the style sheet asks for. */
function markRoot(): void {
  root.dataset['script'] = '';
  root.dataset['os'] = system;
  const theme = remembered(THEME);
  if (theme === 'light' || theme === 'dark') root.dataset['phTheme'] = theme;
}

/** The title is the page's own while it is open, and the product's name once it is left. */
function resetTitle(): void {
  let own = '';
  addEventListener('pagehide', () => {
    own = document.title;
    document.title = 'Posthaste';
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) document.title = own;
  });
}

const load = (address: string | undefined): Promise<unknown> =>
  address === undefined ? Promise.resolve() : import(/* @vite-ignore */ address);

markRoot();
resetTitle();
takeReferral();
leadDownloads(system);
countDownloads();
document.addEventListener('DOMContentLoaded', followGuideHash, { once: true });
answerGuideKeys();
const earlyKeys = keepEarlyKeys();
afterFirstPaint(() => {
  void load(island);
  void load(page).then(earlyKeys.replay, earlyKeys.drop);
});
