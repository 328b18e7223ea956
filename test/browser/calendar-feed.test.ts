// A plan in another calendar, from end to end: a block is planned in the app, its address is made, and a second account that subscribes to it sees
// the event.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { readCalendar } from '#core/calendar/read-calendar.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { startCalendarServer } from '../calendar-server.ts';
import {
  command,
  endWith,
  expectEventually,
  openApp,
  serve,
  signUp,
  signUpPlain,
  synced,
  withBrowser,
} from './harness.ts';

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

describe('a plan in other calendars', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[CAL-63] [CAL-70] [CAL-71] a block that is planned here is an event there', async (t) => {
    const far = await startCalendarServer();
    endWith(t, () => far.close());
    const server = await serve(t, undefined, { CALENDAR_NETWORKS: '127.0.0.1/32' }, { pushCa: far.ca });
    const { page } = await openApp(t, browser(), server.url, {});
    await signUpPlain(page, 'ida@example.org');
    await synced(page);
    await page.keyboard.press('Enter');
    await page.keyboard.type('Write the report');
    await page.keyboard.press('Escape');
    await page.keyboard.press('b');
    await page.keyboard.type('tomorrow 14:00 45m');
    await page.keyboard.press('Enter');
    await expectEventually(() => page.getByText(/Planned .*Write the report/).count(), 1);
    await synced(page);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      command(page, 'Save time blocks as a calendar file'),
    ]);
    assert.match(download.suggestedFilename(), /^Time blocks .*\.ics$/);
    const saved = await readFile(await download.path(), 'utf8');

    await command(page, 'Calendars…');
    await page.getByRole('button', { name: 'Add a calendar' }).waitFor();
    await page.keyboard.press('o');
    await page.getByRole('button', { name: 'Make an address' }).waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    await page.getByText('Made. Add the address to your calendar.').waitFor();
    assert.deepEqual(await violations(page), []);
    const address = (await page.locator('[data-ph=feed-address]').innerText()).trim();
    assert.ok(address.startsWith(`${server.url}/calendar/`), address);
    const answer = await fetch(address);
    assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
    const text = await answer.text();
    const start = `DTSTART:${tomorrow().replaceAll('-', '')}T140000\r\n`;
    for (const each of [saved, text]) {
      assert.ok(each.includes(start), each);
      const window = { from: Date.now() - 86_400_000, to: Date.now() + 9 * 86_400_000, zone: 'UTC' };
      const read = readCalendar(each, window);
      assert.ok(read.ok);
      assert.deepEqual(
        read.value.events.map(({ title }) => title),
        ['Write the report'],
      );
    }

    // Calendars are read over HTTPS alone: this server stands before ours.
    const path = new URL(address).pathname;
    const given = far.at(path, (response, headers) => {
      const tag = headers['if-none-match'];
      void fetch(address, { headers: tag === undefined ? {} : { 'if-none-match': tag } }).then(
        async (reply) =>
          response
            .writeHead(reply.status, {
              'content-type': 'text/calendar',
              etag: reply.headers.get('etag') ?? '',
            })
            .end(await reply.text()),
      );
    });
    const { page: other } = await openApp(t, browser(), server.url, {});
    await signUp(other, 'bob@example.org');
    await synced(other);
    await command(other, 'Calendars…');
    await other.getByRole('button', { name: 'Add a calendar' }).waitFor();
    await other.keyboard.press('n');
    await other.getByLabel('Address of the calendar').fill(given);
    await other.keyboard.press('Enter');
    await other.getByText('Added. Its events are in the agenda.').waitFor();
    await other.keyboard.press('Escape');
    await command(other, 'Agenda');
    await expectEventually(() => other.locator('[data-ph=event]').count(), 1);
    const [event = ''] = await other.locator('[data-ph=event]').allInnerTexts();
    assert.match(event, /Write the report/);
    assert.match(event, /2:00|14:00/);

    await page.getByRole('button', { name: 'Remove address' }).click();
    await page.getByRole('button', { name: 'Remove address' }).click();
    await page.getByText('Removed. The address has ended.').waitFor();
    assert.equal((await fetch(address)).status, 404);
  });
});
