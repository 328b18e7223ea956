// Counting visits: the name of whoever referred the visitor (referral.ts), whether it is the first visit, nothing else. Silent
// when it fails.
import { isRefused, knownReferral, tell } from './referral.ts';

const VISITED = 'posthaste.visited';

function isFirstVisit(): boolean {
  try {
    return localStorage.getItem(VISITED) === null;
  } catch {
    // Nothing is remembered, so every visit would look like the first: better none does.
    return false;
  }
}

function rememberVisit(): void {
  try {
    localStorage.setItem(VISITED, '1');
  } catch {
    // As above.
  }
}

async function count(): Promise<void> {
  if (isRefused()) return;
  const isFirst = isFirstVisit();
  if (await tell('/api/landing/pl', { ref: knownReferral(), is_first: isFirst })) rememberVisit();
}

export function trackVisits(): void {
  if (document.readyState === 'complete') void count();
  else addEventListener('load', () => void count(), { once: true });
}
