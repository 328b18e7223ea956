// A week of tasks planned around the events of a calendar, without the mouse: from its address to a second device, and to another program that
// reads the plan.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import ICAL from 'ical.js';
import type { Page } from 'playwright-core';
import { calendarFile, type SampleEvent, startCalendarServer } from '../calendar-server.ts';
import {
  addTasks,
  command,
  endWith,
  expectEventually,
  openApp,
  serve,
  signIn,
  signUpPlain,
  synced,
  withBrowser,
} from './harness.ts';

/** Days of next week, from Monday to Friday: `2026-12-07`. */
const DAYS = Array.from({ length: 5 }, (_, at) => {
  const today = Temporal.Now.plainDateISO('UTC');
  return today.add({ days: 8 - today.dayOfWeek + at }).toString();
});
const stamp = (day: string, clock = '') =>
  `${day.replaceAll('-', '')}${clock === '' ? '' : `T${clock.replace(':', '')}00`}`;

/** Twelve: two on each day, one for a whole day, and one more. */
const EVENTS: readonly SampleEvent[] = [
  ...DAYS.flatMap((day, at) => [
    { uid: `a${at}`, title: `Standup ${at}`, start: stamp(day, '10:00'), end: stamp(day, '11:00') },
    { uid: `b${at}`, title: `Review ${at}`, start: stamp(day, '15:00'), end: stamp(day, '15:30') },
  ]),
  { uid: 'c', title: 'Retreat', start: stamp(DAYS[2] ?? ''), end: stamp(DAYS[3] ?? '') },
  { uid: 'd', title: 'Lunch', start: stamp(DAYS[1] ?? '', '12:00'), end: stamp(DAYS[1] ?? '', '13:00') },
];

/** When each of ten tasks is planned; the second meets an event. */
const PLAN = DAYS.flatMap((day, at) => [
  { title: `Task ${at}a`, day, clock: '09:00' },
  { title: `Task ${at}b`, day, clock: at === 0 ? '10:30' : '13:00' },
]);

/** So high that all hours are drawn, whatever the time is now. */
const WHOLE_DAY = { viewport: { width: 1_280, height: 1_500 } };

const hasKeys = (page: Page) => page.locator('#calendar-text:focus').waitFor();

async function goTo(page: Page, words: string): Promise<void> {
  await page.keyboard.press('m');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await hasKeys(page);
}

const count = (page: Page, what: string) => page.locator(`[data-ph=calendar] [data-ph=${what}]`).count();

/** The week is shown, with all that is in it. */
async function isWhole(page: Page): Promise<void> {
  await expectEventually(() => count(page, 'block'), PLAN.length);
  await expectEventually(() => count(page, 'calendar-event'), EVENTS.length - 1);
  await expectEventually(() => page.locator('[data-ph=calendar-top]').getByText('Retreat').count(), 1);
}

describe('a week that is planned', () => {
  const browser = withBrowser();

  test('[CAL-101] ten tasks around twelve events, by keys, on a second device and in another program', async (t) => {
    const far = await startCalendarServer();
    endWith(t, () => far.close());
    const address = far.file('/team.ics', calendarFile(EVENTS));
    const server = await serve(t, undefined, { CALENDAR_NETWORKS: '127.0.0.1/32' }, { pushCa: far.ca });
    const { page } = await openApp(t, browser(), server.url, WHOLE_DAY);
    await signUpPlain(page, 'ida@example.org');
    await synced(page);

    await command(page, 'Calendars…');
    await page.getByRole('button', { name: 'Add a calendar' }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Address of the calendar').waitFor();
    await page.keyboard.type(address);
    await page.keyboard.press('Enter');
    await page.getByText('Added. Its events are in the agenda.').waitFor();
    await page.keyboard.press('Escape');
    await addTasks(
      page,
      PLAN.map(({ title }) => title),
    );
    await page.keyboard.press('Home');
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await hasKeys(page);
    for (const { day, clock } of PLAN) {
      await goTo(page, `${day} ${clock}`);
      await page.keyboard.press('b');
      await page.keyboard.press('Tab');
      await page.locator('[data-row]:focus').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('F6');
      await hasKeys(page);
    }
    await isWhole(page);
    // What meets an event stands beside it.
    const met = page.locator('[data-ph=block]').filter({ hasText: 'Task 0b' });
    assert.equal(
      await met.evaluate((block) => (block as HTMLElement).style.getPropertyValue('--columns')),
      '2',
    );
    await page.keyboard.press('Escape');
    await synced(page);

    const { page: other } = await openApp(t, browser(), server.url, WHOLE_DAY);
    await signIn(other, 'ida@example.org');
    await synced(other);
    await command(other, 'Calendar: a week');
    await hasKeys(other);
    // By its first block: a day alone keeps the time of day, at which the mornings may be out of sight.
    await goTo(other, `${DAYS[0] ?? ''} 09:00`);
    await isWhole(other);

    await command(page, 'Your plan in other calendars…');
    await page.getByRole('button', { name: 'Make an address' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Made. Add the address to your calendar.').waitFor();
    const feed = (await page.locator('[data-ph=feed-address]').innerText()).trim();
    const calendar = new ICAL.Component(ICAL.parse(await (await fetch(feed)).text()));
    const read = calendar.getAllSubcomponents('vevent').map((entry) => {
      const { summary, startDate } = new ICAL.Event(entry);
      return `${startDate.toString().slice(0, 16)} ${summary}`;
    });
    assert.deepEqual(
      read.toSorted(),
      PLAN.map(({ title, day, clock }) => `${day}T${clock} ${title}`).toSorted(),
    );
  });
});
