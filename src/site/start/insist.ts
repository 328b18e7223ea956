// Brings a script that a page needs after its first paint, however often that takes: what could not be had is tried again, and said by
// the browser.
import { createFetchAhead } from '#client/loading/fetch-ahead.ts';

const bring = createFetchAhead((address) => fetch(address));

/** A visitor who comes back to the page or does something with it, or a network that is there again. */
const AGAIN = ['online', 'pageshow', 'focusin', 'pointerdown', 'keydown'] as const;

/**
 * Runs a script. `addresses`: its own and those of all that it imports, with spaces between, as the page has them. Rejects when it cannot
 * be had at first; until it is there one try follows the other, each when there is a reason for it.
 */
export function insist(addresses: string | undefined): Promise<unknown> {
  if (addresses === undefined) return Promise.resolve();
  const all = addresses.split(' ');
  const loading = bring(all).then(() => import(/* @vite-ignore */ all[0] ?? ''));
  loading.catch(() => {
    const reasons = new AbortController();
    const again = () => {
      reasons.abort();
      void insist(addresses).catch(() => {});
    };
    for (const reason of AGAIN) addEventListener(reason, again, { signal: reasons.signal });
  });
  return loading;
}
