// Counting visits and downloads: the name of whoever referred the visitor, whether it is the first visit, nothing else.
// Never in the way of a click, and silent when it fails. Not done when the browser asks not to be tracked.
import { REFERRAL_COOKIE, REFERRAL_DAYS } from '../content/referral.ts';

const VISITED = 'posthaste.visited';
const DAY_SECONDS = 86_400;
const NAME = /^[\w.-]{1,64}$/;

const isRefused = () =>
  (navigator as { readonly globalPrivacyControl?: boolean }).globalPrivacyControl === true;

function storedReferral(): string | null {
  const found = document.cookie
    .split('; ')
    .find((part) => part.startsWith(`${REFERRAL_COOKIE}=`))
    ?.slice(REFERRAL_COOKIE.length + 1);
  return found !== undefined && NAME.test(found) ? found : null;
}

function storeReferral(name: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${REFERRAL_COOKIE}=${name}; Max-Age=${REFERRAL_DAYS * DAY_SECONDS}; Path=/; SameSite=Lax${secure}`;
}

function send(path: string, body: unknown): Promise<boolean> {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
    priority: 'low',
  }).then(
    async (response) => {
      // Read, although nothing is in it: until then the browser counts the request as under way.
      await response.text();
      return response.ok;
    },
    () => false,
  );
}

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
  const url = new URL(location.href);
  const asked = url.searchParams.get('ref');
  if (asked !== null) {
    url.searchParams.delete('ref');
    history.replaceState(history.state, '', url);
  }
  if (isRefused()) return;
  const named = asked !== null && NAME.test(asked) ? asked : null;
  if (named !== null) storeReferral(named);
  const isFirst = isFirstVisit();
  if (await send('/api/landing/pl', { ref: named ?? storedReferral(), is_first: isFirst })) rememberVisit();
}

export function trackVisits(): void {
  if (document.readyState === 'complete') void count();
  else addEventListener('load', () => void count(), { once: true });
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target.closest('[data-download]') : null;
    if (target && !isRefused()) void send('/api/landing/dl', { ref: storedReferral() });
  });
}
