// Installing in a real browser: nothing keeps Chromium from it, its question is asked when the person wants it, and an iPhone
// has its steps shown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { command, openApp, serve, withBrowser } from './harness.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';

describe('installing', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[INST-1] [INST-3] Chromium finds nothing wrong, and asks when it is wanted', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url);
    const session = await context.newCDPSession(page);
    const { errors, url } = await session.send('Page.getAppManifest');
    assert.equal(url, `${server.url}/app/manifest.webmanifest`);
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // A browser profile of a test is one without a trace.
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
      [],
    );
    const { status } = await page.request
      .get(`${server.url}/app/screenshots/app-light.png`)
      .then((answer) => ({
        status: answer.status(),
      }));
    assert.equal(status, 200);
    await page.evaluate(() => {
      const question = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: () => {
          document.title = 'asked';
          return Promise.resolve({ outcome: 'accepted' });
        },
      });
      window.dispatchEvent(question);
    });
    await command(page, 'Install Posthaste');
    await page.locator('[data-ph=message]').filter({ hasText: 'Posthaste is installed.' }).waitFor();
    assert.equal(await page.evaluate(() => document.title), 'asked');
  });

  test('[INST-1] [INST-2] an iPhone is offered it after two days, and shown the way', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      userAgent: IPHONE,
      before: () => {
        // A page that was not led anywhere yet has no storage.
        if (location.protocol === 'about:') return;
        Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' });
        if (!localStorage.getItem('posthaste.first-opened'))
          localStorage.setItem('posthaste.first-opened', String(Date.now() - 3 * 86_400_000));
      },
    });
    const offer = page.locator('[data-ph=alarm]');
    await offer.getByRole('button', { name: 'Install' }).tap();
    await page.getByRole('heading', { name: 'Install the app' }).waitFor();
    await page.getByText('Add to Home Screen').waitFor();
    await offer.waitFor({ state: 'detached' });
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Close' }).tap();
    await page.reload();
    await page.locator('[data-ph=app]').waitFor();
    assert.equal(await page.locator('[data-ph=alarm]').count(), 0);
  });
});
