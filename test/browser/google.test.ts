// Google's calendars from end to end, with a server that stands in for Google: a person says yes in a new tab, comes back, chooses, and sees the events.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { startGoogleServer } from '../google-server.ts';
import {
  command,
  endWith,
  expectEventually,
  openApp,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

describe('Google’s calendars', () => {
  const browser = withBrowser({ hasWorkers: true, isWhole: true });

  test('[CAL-72] [CAL-73] [CAL-78] somebody connects, chooses and disconnects', async (t) => {
    const google = await startGoogleServer();
    endWith(t, () => google.close());
    const time = new Date(Date.now() + 86_400_000).toISOString();
    const end = new Date(Date.parse(time) + 3_600_000).toISOString();
    google.set('team', {
      id: 'a',
      summary: 'Stand-up <b>',
      start: { dateTime: time },
      end: { dateTime: end },
    });
    const server = await serve(t, undefined, {
      GOOGLE_CLIENT_ID: 'our-id',
      GOOGLE_CLIENT_SECRET: 'our-secret',
      GOOGLE_URL: google.origin,
    });
    const { page, context } = await openApp(t, browser(), server.url, {});
    await signUp(page, 'ida@example.org');
    await synced(page);
    await command(page, 'Calendars…');
    await page.getByRole('button', { name: 'Add a calendar' }).waitFor();
    await page.keyboard.press('g');
    await page.getByRole('button', { name: 'Connect' }).waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Open Google' }).waitFor();
    const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
    await tab.getByRole('heading', { name: 'Google is connected' }).waitFor();
    await tab.close();
    await page.getByRole('button', { name: 'Choose calendars' }).click();
    const team = page.getByRole('button', { name: 'Calendar team' });
    await team.waitFor();
    assert.equal(await team.getAttribute('aria-pressed'), 'false');
    assert.deepEqual(await violations(page), []);
    await team.click();
    await page.getByText('Added. Its events are in the agenda.').waitFor();
    assert.equal(await team.getAttribute('aria-pressed'), 'true');
    // Back to the calendars that led here, and out.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a calendar' }).waitFor();
    await page.keyboard.press('Escape');
    await command(page, 'Agenda');
    await expectEventually(() => page.locator('[data-ph=event]').count(), 1);
    assert.match(await page.locator('[data-ph=event]').innerText(), /Stand-up <b>/);
    await page.keyboard.press('Escape');
    await command(page, 'Google calendars…');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Disconnected. Google’s calendars are removed.').waitFor();
    assert.equal(google.revoked.length, 1);
  });
});
