// The agenda by keys: blocks beside events, how full days are, and the way from a block to its task.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgendaView } from '#client/calendar/calendar-view.ts';
import type { CalendarEvent, EventTime } from '#core/calendar/events.ts';
import { Desk, outline } from './desk.ts';
import { noAccount, noLive } from './no-server.ts';
import { createMemoryCalendars } from './memory-calendars.ts';

const moment = (of: string): EventTime => ({ type: 'moment', at: Date.parse(of) });

const event = (title: string, from: string, to: string): CalendarEvent => ({
  uid: title,
  occurrence: null,
  start: moment(from),
  end: moment(to),
  title,
  place: '',
  description: '',
  link: null,
  isBusy: true,
  isTentative: false,
});

/** Friday, November 27, 9:00 by the clock of UTC, with two tasks and these events. */
async function ready(events: readonly CalendarEvent[]): Promise<Desk> {
  const live = { ...noLive, calendars: () => createMemoryCalendars(events) };
  const desk = new Desk(
    outline(`
      > Write
        Call
    `),
    { account: { ...noAccount, email: 'ada@example.org', live: () => Promise.resolve(live) } },
  );
  desk.timers.advance(1_000);
  await desk.settle();
  return desk;
}

function plan(desk: Desk, words: string): void {
  desk.app.run('task.planTime', { value: words });
}

async function agenda(desk: Desk): Promise<AgendaView> {
  desk.within = ['dialog.agenda'];
  desk.press('g e');
  await desk.settle();
  return shown(desk);
}

function shown(desk: Desk): AgendaView {
  const view = desk.app.view.dialog.get();
  assert.equal(view?.type, 'agenda');
  return (view as Extract<typeof view, { readonly type: 'agenda' }>).agenda;
}

const lines = ({ days }: AgendaView) =>
  days.flatMap(({ day, things }) =>
    things.map(({ title, time, isDone }) => `${day.slice(8)} ${time} ${title}${isDone ? ' done' : ''}`),
  );

describe('blocks in the agenda', () => {
  test('[CAL-100] they stand among the events by time, with how full their day is', async () => {
    const desk = await ready([event('Standup', '2026-11-27T11:00Z', '2026-11-27T12:00Z')]);
    plan(desk, 'today 14:00 45m');
    plan(desk, 'today 10:00 1h');
    plan(desk, 'mon 9-17');
    plan(desk, 'mon 19-20');
    const view = await agenda(desk);
    assert.deepEqual(lines(view), [
      '27 10:00–11:00 Write',
      '27 11:00–12:00 Standup',
      '27 14:00–14:45 Write',
      '30 09:00–17:00 Write',
      '30 19:00–20:00 Write',
    ]);
    const said = view.days.flatMap(({ things, planned, isFull }) =>
      things.length === 0 ? [] : [[planned, isFull]],
    );
    // Days on which nothing is yet are there to be planned into; a weekend has no working time.
    assert.deepEqual(
      view.days.slice(1, 5).map(({ things, planned }) => [things.length, planned]),
      [
        [0, ''],
        [0, ''],
        [2, '9 h planned of 9 h free'],
        [0, '8 h free'],
      ],
    );
    // From nine to five without the hour of the meeting; and eight hours beside an evening, which is no working time.
    assert.deepEqual(said, [
      ['1 h 45 min planned of 7 h free', false],
      ['9 h planned of 9 h free', false],
    ]);
  });

  test('[CAL-100] more than fits is said', async () => {
    const desk = await ready([event('Fair', '2026-11-30T09:00Z', '2026-11-30T16:00Z')]);
    plan(desk, 'mon 9-11');
    const view = await agenda(desk);
    const day = view.days.find((each) => each.day === '2026-11-30');
    assert.deepEqual([day?.planned, day?.isFull], ['2 h planned of 1 h free: 1 h too much', true]);
  });

  test('[CAL-100] one goes to its task, and that of a completed one is done', async () => {
    const desk = await ready([]);
    desk.press('Down');
    plan(desk, 'today 14:00 45m');
    desk.press('Space');
    desk.press('Home');
    const view = await agenda(desk);
    assert.deepEqual(lines(view), ['27 14:00–14:45 Call done']);
    const key = view.days[0]?.things[0]?.key ?? '';
    desk.app.answer('agenda', { action: 'open', key });
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.rows().find(({ cursor }) => cursor)?.title, 'Call');
  });

  test('[CAL-102] an event that is open stays open when its calendar has others before it', async () => {
    const events = [event('Standup', '2026-11-27T11:00Z', '2026-11-27T12:00Z')];
    let changed: () => void = () => assert.fail('nobody listens');
    const listen = (heard: () => void) => {
      changed = heard;
      return () => undefined;
    };
    const live = { ...noLive, calendars: () => createMemoryCalendars(events, () => false, listen) };
    const desk = new Desk('> Write', {
      account: { ...noAccount, email: 'ada@example.org', live: () => Promise.resolve(live) },
    });
    desk.timers.advance(1_000);
    await desk.settle();
    const key = (await agenda(desk)).days[0]?.things[0]?.key ?? '';
    desk.app.answer('agenda', { action: 'open', key });
    assert.equal(shown(desk).open?.title, 'Standup');
    events.unshift(event('Call', '2026-11-27T10:00Z', '2026-11-27T10:30Z'));
    changed();
    await desk.settle();
    assert.deepEqual(lines(shown(desk)), ['27 10:00–10:30 Call', '27 11:00–12:00 Standup']);
    assert.equal(shown(desk).open?.title, 'Standup');
    events.pop();
    changed();
    await desk.settle();
    assert.equal(shown(desk).open, null);
  });

  test('[CAL-100] they are there without an account', async () => {
    const desk = new Desk('> Write');
    desk.timers.advance(1_000);
    await desk.settle();
    plan(desk, 'today 14:00 45m');
    assert.deepEqual(lines(await agenda(desk)), ['27 14:00–14:45 Write']);
  });
});
