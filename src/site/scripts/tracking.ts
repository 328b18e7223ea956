// Counting visits: the name of the person who referred the visitor (referral.ts), whether it is the first visit, nothing else. Silent
// when it fails.
import { isRefused, knownReferral, tell } from './referral.ts';
import { remember, remembered } from './storage.ts';

const VISITED = 'posthaste.visited';

async function count(): Promise<void> {
  if (isRefused()) return;
  // Where nothing is remembered every visit would look like the first: better none does.
  const isFirst = remembered(VISITED) === null;
  if (await tell('/api/landing/pl', { ref: knownReferral(), is_first: isFirst })) remember(VISITED, '1');
}

export function trackVisits(): void {
  if (document.readyState === 'complete') void count();
  else addEventListener('load', () => void count(), { once: true });
}
