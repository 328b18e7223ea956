// Remembers who sent a visitor, and counts downloads with that name. Runs in the head: a click may come
// before the scripts of the page. Never in the way of that click, and silent when it fails. Not done when the
// browser asks not to be tracked.
import { REFERRAL_COOKIE, REFERRAL_DAYS } from '../content/referral.ts';

const DAY_SECONDS = 86_400;
const NAME = /^[\w.-]{1,64}$/;

export const isRefused = () =>
  (navigator as { readonly globalPrivacyControl?: boolean }).globalPrivacyControl === true;

/** Takes the name out of the address, where there is one, and remembers it. */
export function takeReferral(): void {
  const asked = new URLSearchParams(location.search).get('ref');
  if (asked === null) return;
  // As text: the rest of the query stays as it was written.
  const rest = location.search
    .slice(1)
    .split('&')
    .filter((part) => !/^ref(?:=|$)/.test(part))
    .join('&');
  history.replaceState(history.state, '', location.pathname + (rest && `?${rest}`) + location.hash);
  if (isRefused() || !NAME.test(asked)) return;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${REFERRAL_COOKIE}=${asked}; Max-Age=${REFERRAL_DAYS * DAY_SECONDS}; Path=/; SameSite=Lax${secure}`;
}

export function knownReferral(): string | null {
  const found = document.cookie
    .split('; ')
    .find((part) => part.startsWith(`${REFERRAL_COOKIE}=`))
    ?.slice(REFERRAL_COOKIE.length + 1);
  return found !== undefined && NAME.test(found) ? found : null;
}

/** Whether it was heard. */
export function tell(path: string, body: unknown): Promise<boolean> {
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

export function countDownloads(): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('[data-download]') : null;
    if (link && !isRefused()) void tell('/api/landing/dl', { ref: knownReferral() });
  });
}
