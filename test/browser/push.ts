// Push messages in a test: handed to the page's service worker as the browser does it, without a push service.
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

/** What is shown outside the app: "title: body". */
export function noticesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/app');
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map(({ title, body }) => `${title}: ${body}`);
  });
}
