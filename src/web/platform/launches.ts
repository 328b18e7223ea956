// Links that lead into the app: the address it was opened with, and those that an installed app is handed while it runs.
import type { App } from '#client/app.ts';

interface LaunchQueue {
  setConsumer(consumer: (params: { readonly targetURL?: string }) => void): void;
}

const OPEN = /^\/app\/open(?:\/|$)/;

/** Short forms of two links, for addresses that name the app alone: `?open=purchase`, `?invite=…`. */
function shortLink({ pathname, searchParams }: URL): string | null {
  if (pathname !== '/app') return null;
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
  if (link !== null) history.replaceState(history.state, '', '/app');
  return link;
}

/** `first`: the link that the page was opened with. */
export function followLaunches(app: App, first: string | null): void {
  if (first !== null) app.follow(first);
  const { launchQueue } = window as { readonly launchQueue?: LaunchQueue };
  let isFirst = true;
  launchQueue?.setConsumer(({ targetURL }) => {
    const wasFirst = isFirst;
    isFirst = false;
    if (targetURL === undefined) return;
    const url = new URL(targetURL);
    const link = url.origin === location.origin ? linkIn(url) : null;
    // The launch that opened the page is told here as well.
    if (link !== null && (!wasFirst || link !== first)) app.follow(link);
  });
}
