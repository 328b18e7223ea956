// Links that lead into the app: the address it was opened with, and those that an installed app is handed while it runs.
import type { App } from '#client/app/app.ts';
import { readGiven } from './files.ts';

interface LaunchQueue {
  setConsumer(consumer: (params: LaunchParams) => void): void;
}

interface LaunchParams {
  readonly targetURL?: string;
  /** What the system opened with the app. */
  readonly files?: readonly { getFile(): Promise<File> }[];
}

const MOST_FILES = 20;
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
const linkIn = (url: URL) => (OPEN.test(url.pathname) ? url.pathname + url.search : shortLink(url));

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

/** What cannot be read any more is left out. */
async function readAll(files: NonNullable<LaunchParams['files']>): Promise<Parameters<App['openFiles']>[0]> {
  const read = await Promise.allSettled(
    files.slice(0, MOST_FILES).map(async (handle) => {
      return await readGiven(await handle.getFile());
    }),
  );
  return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** `first`: the link that the page was opened with. */
export function followLaunches(app: App, first: Opened | null): void {
  if (first !== null) app.follow(first.link, { hasOpened: true, isForeign: first.isForeign });
  const { launchQueue } = window as { readonly launchQueue?: LaunchQueue };
  let isFirst = true;
  launchQueue?.setConsumer(({ targetURL, files = [] }) => {
    const wasFirst = isFirst;
    isFirst = false;
    if (files.length > 0) {
      void readAll(files).then((read) => app.openFiles(read));
      return;
    }
    if (targetURL === undefined) return;
    const url = new URL(targetURL);
    const link = url.origin === location.origin ? linkIn(url) : null;
    // The launch that opened the page is told here as well.
    if (link !== null && (!wasFirst || link !== first?.link)) app.follow(link);
  });
}
