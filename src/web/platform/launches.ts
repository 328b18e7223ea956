// Links that lead into the app: the address it was opened with. Those that an installed app is handed while it runs are in
// launch-queue.ts.
import type { App } from '#client/app/app.ts';
import { loadWhenIdle } from './world.ts';

const OPEN = /^\/app\/open(?:\/|$)/;

/** The app's own address. */
const HOME = '/app/';
/** Written by hand, and what it was before; without a network no server sends it on. */
const BARE = '/app';

/** Short forms of two links, for addresses that name the app alone: `?open=purchase`, `?invite=…`. */
function shortLink({ pathname, searchParams }: URL): string | null {
  if (pathname !== HOME && pathname !== BARE) return null;
  if (searchParams.get('open') === 'purchase') return '/app/open/purchase';
  const token = searchParams.get('invite');
  return token === null ? null : `/app/open/accept-list-invite/${encodeURIComponent(token)}`;
}

/** The link that an address of the app holds; null: none. */
export const linkIn = (url: URL) => (OPEN.test(url.pathname) ? url.pathname + url.search : shortLink(url));

/** The link that the page was opened with. */
export interface Opened {
  readonly link: string;
  /** It stood on another site. */
  readonly isForeign: boolean;
}

/**
 * Whether another site led here. Browsers tell the server so whatever that site withholds, and the server says it on (files.ts,
 * service-worker.ts); without a network only a referrer is left.
 */
function isFromElsewhere(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const said = navigation?.serverTiming?.find(({ name }) => name === 'from')?.description;
  if (said) return said === 'cross-site';
  return document.referrer !== '' && new URL(document.referrer).origin !== location.origin;
}

/** The link in the address bar, which is taken out of it: a reload must not do it twice. Null: there is none. */
export function takeAddress(): Opened | null {
  const url = new URL(location.href);
  const link = linkIn(url);
  const opened = link === null ? null : { link, isForeign: isFromElsewhere() };
  if (link !== null) history.replaceState(history.state, '', HOME);
  else if (url.pathname === BARE) history.replaceState(history.state, '', HOME + url.search + url.hash);
  return opened;
}

/** `first`: the link that the page was opened with. */
export function followLaunches(app: App, first: Opened | null): void {
  if (first !== null) app.follow(first.link, { hasOpened: true, isForeign: first.isForeign });
  // The system keeps launches until somebody asks for them.
  if (!('launchQueue' in window)) return;
  loadWhenIdle(
    () => import('./launch-queue.ts'),
    ({ followQueue }) => followQueue(app, first),
  );
}
