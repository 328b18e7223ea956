// Brings a script that a page needs after its first paint, however often that takes: what could not be had is tried again, and said by
// the browser.
import { createFetchAhead } from '#client/loading/fetch-ahead.ts';

const FOLDER = '/assets/';
const ahead = createFetchAhead({
  ask: (address) => fetch(address),
  folder: FOLDER,
  isRunning: () => false,
});

async function load(address: string, imports: readonly string[]): Promise<unknown> {
  await ahead.bring([address, ...imports].map((each) => each.slice(FOLDER.length)));
  return import(/* @vite-ignore */ address);
}

/** A visitor who comes back to the page or does something with it, or a network that is there again. */
const AGAIN = ['online', 'pageshow', 'focusin', 'pointerdown', 'keydown'] as const;

/**
 * Runs the script. `imports`: what it is known to import, asked for at the same time. Rejects when it cannot be had at first; until it is
 * there one try follows the other, each when there is a reason for it.
 */
export function insist(address: string | undefined, imports: readonly string[] = []): Promise<unknown> {
  if (address === undefined) return Promise.resolve();
  const loading = load(address, imports);
  loading.catch(() => {
    const reasons = new AbortController();
    const again = () => {
      reasons.abort();
      void insist(address, imports).catch(() => {});
    };
    for (const reason of AGAIN) addEventListener(reason, again, { signal: reasons.signal });
  });
  return loading;
}
