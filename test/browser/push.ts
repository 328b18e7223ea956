// Push messages in a test: handed to the page's service worker as the browser does it, without a push service.
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';

/** Delivers messages to the service worker of the page's origin. */
export async function pushTo(
  context: BrowserContext,
  page: Page,
): Promise<(message: unknown) => Promise<void>> {
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations;
      if (found) resolve(found.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return async (message) => {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

const TRIES = 10;
const SHOWN_MS = 500;

/**
 * Delivers a message until these notices are shown. Chromium stores a notice before it shows it, and asking for the
 * notices in between takes it away: so the test asks seldom, and delivers again.
 */
export async function pushUntil(
  page: Page,
  push: (message: unknown) => Promise<void>,
  message: unknown,
  expected: readonly string[],
): Promise<void> {
  let shown: readonly string[] = [];
  for (let left = TRIES; left > 0; left -= 1) {
    await push(message);
    await new Promise((resolve) => setTimeout(resolve, SHOWN_MS));
    shown = await noticesOf(page);
    if (shown.length === expected.length) break;
  }
  assert.deepEqual(shown, expected);
}

/** What is shown outside the app: "title: body". */
export function noticesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/app');
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map(({ title, body }) => `${title}: ${body}`);
  });
}
