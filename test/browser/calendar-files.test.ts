// Calendars beside being added by an address: files on this device, which the server never sees, removed ones that come back, and events
// that change while the agenda is open.
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
  openApp,
  ready,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

const titles = (page: Page) =>
  page
    .locator('[data-ph=event]')
    .evaluateAll((all) => all.map((each) => (each as HTMLElement).innerText.replaceAll(/\s+/g, ' ')));

/** `20261130`, so many days from today. */
const day = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

const entry = (title: string, days: number) => ({ uid: title, title, start: day(days), end: day(days + 1) });

const asFile = (name: string, text: string) => ({
  name,
  mimeType: 'text/calendar',
  buffer: Buffer.from(text),
});

describe('calendars of files', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[CAL-35] [CAL-36] [CAL-38] a file is a calendar of this device alone: chosen, dropped, replaced, removed and brought back', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url, { expected: /ERR_INTERNET/ });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await signUp(page, 'files@example.org');
    await synced(page);
    await command(page, 'Calendars…');
    await page.getByText('There’s no calendar yet.').waitFor();
    const choose = async (key: string, name: string, text: string) => {
      const chooser = page.waitForEvent('filechooser');
      await page.keyboard.press(key);
      await (await chooser).setFiles(asFile(name, text));
    };
    await choose('f', 'page.ics', '<!doctype html><title>Sign in</title>');
    await page.getByText('“page.ics”: This is no calendar.').waitFor();
    await choose('f', 'trip.ics', calendarFile([entry('Ferry', 1), entry('Museum', 2)], 'Trip'));
    await page.getByText('Added. Nothing of a file is sent to the server.').waitFor();
    await page.getByText(/Only on this device\. Read /).waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);

    // Dropped onto the dialog.
    const dropped = await page.evaluateHandle(
      (text) => {
        const given = new DataTransfer();
        given.items.add(new File([text], 'school.ics', { type: 'text/calendar' }));
        return given;
      },
      calendarFile([entry('Zoology', 3)], 'School'),
    );
    await page.locator('[data-ph=calendars]').dispatchEvent('drop', { dataTransfer: dropped });
    await expectEventually(() => page.locator('[data-ph=calendar]').count(), 2);

    await page.locator('[data-ph=calendar]').first().focus();
    await choose('r', 'trip-2.ics', calendarFile([entry('Late ferry', 1)], 'Trip again'));
    await page.getByText('The newer file is read.').waitFor();
    await page.getByRole('button', { name: 'Agenda' }).click();
    await expectEventually(async () => (await titles(page)).length, 2);
    assert.match((await titles(page)).join(), /Late ferry.*Zoology/);

    await installed(page);
    await context.setOffline(true);
    await page.reload();
    await ready(page);
    await command(page, 'Agenda');
    await expectEventually(async () => (await titles(page)).length, 2);
    await context.setOffline(false);
    await page.keyboard.press('Escape');

    await command(page, 'Calendars…');
    await page.locator('[data-ph=calendar]').first().focus();
    await page.keyboard.press('Delete');
    await page.getByText('Removed “Trip” with its events.').waitFor();
    await expectEventually(() => page.locator('[data-ph=calendar]').count(), 1);
    await page.keyboard.press('u');
    await page.getByText('“Trip” is back.').waitFor();
    await expectEventually(() => page.locator('[data-ph=calendar]').count(), 2);
    await page.keyboard.press('Escape');
    await synced(page);
    assert.deepEqual(
      sent.filter((each) => /ferry|zoology|trip|school/i.test(each)),
      [],
    );
  });

  test('[CAL-31] [CAL-32] [CAL-34] an open agenda shows what changed; a calendar is tried again, removed and brought back', async (t) => {
    const far = await startCalendarServer();
    endWith(t, () => far.close());
    const address = far.file('/team.ics', calendarFile([entry('First', 1)]));
    const server = await serve(t, undefined, { CALENDAR_NETWORKS: '127.0.0.1/32' }, { pushCa: far.ca });
    const { page } = await openApp(t, browser(), server.url);
    await signUp(page, 'news@example.org');
    await synced(page);
    await command(page, 'Agenda');
    await page.getByText('There’s no calendar yet.').waitFor();

    // Another device of the same account: with the same cookie, from outside of this page.
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await page.request.fetch(`${server.url}/app/api/calendars${path}`, {
        method,
        headers: { origin: server.url, 'sec-fetch-site': 'same-origin' },
        ...(body === undefined ? {} : { data: body }),
      });
      return (await answer.json()) as { readonly made?: string };
    };
    const { made } = await call('POST', '', { address });
    await expectEventually(async () => (await titles(page)).length, 1);
    far.file('/team.ics', calendarFile([entry('First', 1), entry('Second', 2)]));
    await call('POST', `/${made}/read`);
    await expectEventually(async () => (await titles(page)).length, 2);

    far.at('/team.ics', (response) => response.writeHead(404).end());
    await call('POST', `/${made}/read`);
    await page.getByText('Couldn’t read “Work”').waitFor();
    await page.getByRole('button', { name: 'Calendars…' }).click();
    far.file('/team.ics', calendarFile([entry('Third', 1)]));
    await page.getByRole('button', { name: 'Try again now' }).click();
    await expectEventually(() => page.getByRole('button', { name: 'Try again now' }).count(), 0);
    await page.locator('[data-ph=calendar]').focus();
    await page.keyboard.press('Delete');
    await page.getByText('Removed “Work” with its events.').waitFor();
    await page.getByRole('button', { name: 'Bring back “Work”' }).click();
    await page.getByText('“Work” is back.').waitFor();
    await page.getByRole('button', { name: 'Agenda' }).click();
    await expectEventually(async () => (await titles(page)).join().includes('Third'), true);
  });
});
