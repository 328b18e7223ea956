// Runs before the first paint, as a classic script of its own: what would be seen or missed if it came later. The rest of the
// scripts is fetched after that paint: until then the page belongs to its text.
import { createFetchAhead } from '#client/loading/fetch-ahead.ts';
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

const FOLDER = '/assets/';
const ahead = createFetchAhead({
  ask: (address) => fetch(address),
  folder: FOLDER,
  isRunning: () => false,
});

async function load(address: string): Promise<unknown> {
  await ahead.bring([address.slice(FOLDER.length)]);
  return import(/* @vite-ignore */ address);
}

/** A visitor who comes back to the page or does something with it, or a network that is there again. */
const AGAIN = ['online', 'pageshow', 'focusin', 'pointerdown', 'keydown'] as const;

/** Until it is there: one try at a time, each when there is a reason for it. Rejects when the first one fails. */
function insist(address: string | undefined): Promise<unknown> {
  if (address === undefined) return Promise.resolve();
  const loading = load(address);
  loading.catch(() => {
    const reasons = new AbortController();
    const again = () => {
      reasons.abort();
      void insist(address).catch(() => {});
    };
    for (const reason of AGAIN) addEventListener(reason, again, { signal: reasons.signal });
  });
  return loading;
}

markRoot();
resetTitle();
takeReferral();
leadDownloads(system);
countDownloads();
document.addEventListener('DOMContentLoaded', followGuideHash, { once: true });
answerGuideKeys();
const earlyKeys = keepEarlyKeys();
afterFirstPaint(() => {
  // What could not be had is tried again, and said by the browser.
  void insist(island).catch(() => {});
  void insist(page).then(earlyKeys.replay, earlyKeys.drop);
});
