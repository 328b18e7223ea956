// Runs before the first paint, as a classic script of its own: what would be seen or missed if it came later. The rest of the
// scripts is fetched after that paint: until then the page belongs to its text.
import { type EarlyWays, keepEarlyKeys } from '../start/early-keys.ts';
import { afterFirstPaint } from '../start/first-paint.ts';
import { insist } from '../start/insist.ts';
import { answerGuideKeys, followGuideHash } from './guide-keys.ts';
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

const isEarly = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-early]') !== null;

/** What the demonstration and the finder of the guides answer (`data-early`). What the browser would do with these (scroll, search) is not meant. */
const EARLY: EarlyWays = {
  isMeant({ key, target, ctrlKey, metaKey, altKey }) {
    const isTyping = target instanceof HTMLInputElement && key !== 'Enter';
    if (!isEarly(target) || isTyping || ctrlKey || metaKey || altKey) return false;
    return /^(?:.|Arrow(?:Up|Down)|Enter|Escape)$/u.test(key);
  },
  press: 'pointerdown',
  placeOf: (target) => (isEarly(target) ? () => target : null),
};

markRoot();
resetTitle();
takeReferral();
leadDownloads(system);
countDownloads();
document.addEventListener('DOMContentLoaded', followGuideHash, { once: true });
answerGuideKeys();
const earlyKeys = keepEarlyKeys(EARLY);
/** The poster of a film may be the largest thing to be seen: what is fetched together with it makes it late. */
function afterPoster(work: () => void): void {
  if (document.querySelector('video[poster]') && document.readyState !== 'complete')
    addEventListener('load', work, { once: true });
  else work();
}

afterFirstPaint(() => {
  afterPoster(() => void insist(island).catch(() => {}));
  void insist(page).then(earlyKeys.replay, earlyKeys.drop);
});
