// Links that lead into the app: the address it was opened with, and those that an installed app is handed while it runs.
import type { App } from '#client/app.ts';

interface LaunchQueue {
  setConsumer(consumer: (params: { readonly targetURL?: string }) => void): void;
}

const OPEN = /^\/app\/open(?:\/|$)/;

const addressOf = (url: URL) => url.pathname + url.search;

/** The link in the address bar, which is taken out of it: a reload must not do it twice. Null: there is none. */
export function takeAddress(): string | null {
  const url = new URL(location.href);
  if (!OPEN.test(url.pathname)) return null;
  history.replaceState(history.state, '', '/app');
  return addressOf(url);
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
    if (url.origin !== location.origin || !OPEN.test(url.pathname)) return;
    // The launch that opened the page is told here as well.
    if (!wasFirst || addressOf(url) !== first) app.follow(addressOf(url));
  });
}
