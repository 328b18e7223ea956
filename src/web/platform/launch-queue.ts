// What the system hands an installed app while it runs: links and files.
import type { App } from '#client/app/app.ts';
import { linkIn, type Opened } from './launches.ts';

interface LaunchQueue {
  setConsumer(consumer: (params: LaunchParams) => void): void;
}

interface LaunchParams {
  readonly targetURL?: string;
  /** What the system opened with the app. */
  readonly files?: readonly { getFile(): Promise<File> }[];
}

/** `first`: the link that the page was opened with, which the queue tells once more. */
export function followQueue(app: App, first: Opened | null): void {
  const { launchQueue } = window as { readonly launchQueue?: LaunchQueue };
  let isFirst = true;
  launchQueue?.setConsumer(({ targetURL, files = [] }) => {
    const wasFirst = isFirst;
    isFirst = false;
    if (files.length > 0) {
      void import('./importing/picking.ts').then(async ({ openedSources }) =>
        app.openFiles(await openedSources(files)),
      );
      return;
    }
    if (targetURL === undefined) return;
    const url = new URL(targetURL);
    const link = url.origin === location.origin ? linkIn(url) : null;
    if (link !== null && (!wasFirst || link !== first?.link)) app.follow(link);
  });
}
