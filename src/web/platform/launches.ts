// Links that lead into the app: the address it was opened with, and those that an installed app is handed while it runs.
import type { App } from '#client/app.ts';
import { readText } from './files.ts';

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

/** The link in the address bar, which is taken out of it: a reload must not do it twice. Null: there is none. */
export function takeAddress(): string | null {
  const url = new URL(location.href);
  const link = linkIn(url);
  if (link !== null) history.replaceState(history.state, '', HOME);
  else if (url.pathname === BARE) history.replaceState(history.state, '', HOME + url.search + url.hash);
  return link;
}

/** What cannot be read any more is left out. */
async function readAll(files: NonNullable<LaunchParams['files']>): Promise<Parameters<App['openFiles']>[0]> {
  const read = await Promise.allSettled(
    files.slice(0, MOST_FILES).map(async (handle) => {
      const file = await handle.getFile();
      return { name: file.name, text: await readText(file) };
    }),
  );
  return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** `first`: the link that the page was opened with. */
export function followLaunches(app: App, first: string | null): void {
  if (first !== null) app.follow(first, true);
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
    if (link !== null && (!wasFirst || link !== first)) app.follow(link);
  });
}
