// The latency display of `?perf`: it measures real keys by the command that they ran, and its report can be copied.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectEventually, openApp, ready, serve, withBrowser } from './harness.ts';

describe('latency display', () => {
  const browser = withBrowser();

  test('[KEY-38] names the command of each key and how long its picture took', async (t) => {
    const { url } = await serve(t);
    const { context, page } = await openApp(t, browser(), url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    assert.equal(await page.locator('[data-ph=latency]').count(), 0, 'only when asked for');
    await page.goto(`${url}/app/?perf`);
    await ready(page);
    const display = page.locator('[data-ph=latency]');
    await display.getByText('Press a key').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Measure this');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    await expectEventually(
      async () => (await display.locator('output + span').textContent()) ?? '',
      'Complete task',
    );
    assert.match(await display.locator('output').innerText(), /^\d+\.\d ms$/);
    assert.match(await display.locator('caption').innerText(), /^15 keys, p95 \d+\.\d ms/);
    await display.getByRole('button', { name: 'Copy report' }).click();
    const read = () => page.evaluate(() => navigator.clipboard.readText());
    await expectEventually(async () => (await read()) !== '', true);
    const copied = await read();
    assert.match(copied, /^task\.complete +1 /m);
    assert.match(copied, /^typing +12 /m);
    assert.match(copied, /^all +15 /m);
  });
});
