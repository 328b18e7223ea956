// What the system hands an installed app while it runs: links and files.
import type { App } from '#client/app/app.ts';
import { readGiven } from './files.ts';
import { linkIn, type Opened } from './launches.ts';

interface LaunchQueue {
  setConsumer(consumer: (params: LaunchParams) => void): void;
}

interface LaunchParams {
  readonly targetURL?: string;
  /** What the system opened with the app. */
  readonly files?: readonly { getFile(): Promise<File> }[];
}

const MOST_FILES = 20;
/** What cannot be read any more is left out. */
async function readAll(files: NonNullable<LaunchParams['files']>): Promise<Parameters<App['openFiles']>[0]> {
  const read = await Promise.allSettled(
    files.slice(0, MOST_FILES).map(async (handle) => {
      return await readGiven(await handle.getFile());
    }),
  );
  return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** `first`: the link that the page was opened with, which the queue tells once more. */
export function followQueue(app: App, first: Opened | null): void {
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
    if (link !== null && (!wasFirst || link !== first?.link)) app.follow(link);
  });
}
