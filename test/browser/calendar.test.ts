// Calendars by address from end to end: one is added from a server of calendars, its events are in the agenda, and stay there without a network.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { calendarFile, startCalendarServer } from '../calendar-server.ts';
import {
  command,
  endWith,
  expectEventually,
  installed,
  ready,
  openApp,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

const events = (page: Page) =>
  page.locator('[data-ph=event]').evaluateAll((all) => all.map((each) => (each as HTMLElement).innerText));

/** `20261130`, so many days from today. */
const day = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

describe('calendars', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[CAL-13] [CAL-14] [CAL-15] an address becomes an agenda, by keys, that is read offline', async (t) => {
    const far = await startCalendarServer();
    endWith(t, () => far.close());
    const address = far.file(
      '/team.ics',
      calendarFile([
        {
          uid: 'a',
          title: 'Retreat <b>',
          start: day(1),
          end: day(3),
          more: ['LOCATION:By the lake', 'DESCRIPTION:Bring <i>boots</i>.', 'URL:javascript:alert(1)'],
        },
        { uid: 'b', title: 'Lunch', start: `${day(2)}T120000Z`, end: `${day(2)}T130000Z` },
      ]),
    );
    const server = await serve(t, undefined, { CALENDAR_NETWORKS: '127.0.0.1/32' }, { pushCa: far.ca });
    const { page, context } = await openApp(t, browser(), server.url, { expected: /422|ERR_INTERNET/ });
    await signUp(page, 'ida@example.org');
    await synced(page);
    await command(page, 'Calendars…');
    await page.getByRole('button', { name: 'Add a calendar' }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Address of the calendar').fill('https://10.0.0.1/x.ics');
    await page.keyboard.press('Enter');
    await page.getByText('inside a private network').waitFor();
    await page.getByLabel('Address of the calendar').fill(address);
    await page.keyboard.press('Enter');
    await page.getByText('Added. Its events are in the agenda.').waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');

    await page.keyboard.press('g');
    await page.keyboard.press('e');
    const titles = async () => (await events(page)).map((text) => text.replaceAll(/\s+/g, ' '));
    await expectEventually(async () => (await titles()).length, 3);
    const shown = await titles();
    assert.match(shown[0] ?? '', /All day Retreat <b> By the lake/);
    assert.match(shown[2] ?? '', /Lunch/);
    await expectEventually(() => page.getByText(/^Read /).count(), 1);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByText('Bring boots.', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^(Open|Join)/ }).count(), 0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('l');
    await page.keyboard.press('l');
    await expectEventually(async () => (await titles()).length, 2);
    await page.keyboard.press('t');
    await expectEventually(async () => (await titles()).length, 3);

    await installed(page);
    await context.setOffline(true);
    await page.reload();
    await ready(page);
    await command(page, 'Agenda');
    await expectEventually(async () => (await titles()).length, 3);
    await page.getByText(/Can’t reach the server.*Read /).waitFor();
  });
});
