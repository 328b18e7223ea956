// Planning a day by keys: gaps between events and blocks, moving on, estimates, undo and what is said at the end; and how full today is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Block, blocksIn } from '#core/calendar/blocks.ts';
import type { CalendarEvent } from '#core/calendar/events.ts';
import { mineId } from '#core/ids.ts';
import type { PlanDayView } from '#client/planning/plan-view.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { noAccount, noLive } from './no-server.ts';
import { createMemoryCalendars } from './memory-calendars.ts';

const event = (from: string, to: string, more: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid: `${from} ${to}`,
  occurrence: null,
  start: { type: 'floating', local: `2026-11-27T${from}` },
  end: { type: 'floating', local: `2026-11-27T${to}` },
  title: 'Meeting',
  place: '',
  description: '',
  link: null,
  isBusy: true,
  isTentative: false,
  ...more,
});

function task(desk: Desk, title: string): Row {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, `there is a task ${title}`);
  return row;
}

const mine = (desk: Desk, title: string) => desk.replica.row(mineId(SCOPE, task(desk, title).id));

function blocks(desk: Desk, title: string): readonly Block[] {
  const row = mine(desk, title);
  return row?.type === 'mine' ? blocksIn(row).map(({ block }) => block) : [];
}

/** "27T14:00 45" */
const said = (desk: Desk, title: string) =>
  blocks(desk, title).map(({ start, minutes }) => `${new Date(start).toISOString().slice(8, 16)} ${minutes}`);

function set(desk: Desk, title: string, field: string, value: unknown): void {
  desk.replica.issue([{ a: 'set', id: task(desk, title).id, field, value }]);
}

const due = (desk: Desk, title: string, on = '2026-11-27') => set(desk, title, 'due', { on });

/** Friday, 27 November 2026, 09:00 by the clock of UTC. */
async function ready(outline: string, events: readonly CalendarEvent[] = []): Promise<Desk> {
  const live = { ...noLive, calendars: () => createMemoryCalendars(events) };
  const desk = new Desk(outline, { account: { ...noAccount, live: () => Promise.resolve(live) } });
  desk.timers.advance(1_000);
  await desk.settle();
  return desk;
}

function shown(desk: Desk): PlanDayView {
  const view = desk.app.view.dialog.get();
  assert.equal(view?.type, 'planDay');
  return (view as Extract<typeof view, { readonly type: 'planDay' }>).plan;
}

async function open(desk: Desk): Promise<PlanDayView> {
  desk.within = ['dialog.planDay'];
  desk.app.run('day.plan');
  await desk.settle();
  return shown(desk);
}

describe('planning a day', () => {
  test('[CAL-80] tasks go into the gaps between events and blocks, one after the other', async () => {
    const desk = await ready('> One\n  Two\n  Three\n  Not today', [
      event('09:30', '10:00'),
      event('10:10', '11:00'),
      event('11:00', '12:00', { isBusy: false, title: 'Lunch if free' }),
    ]);
    for (const title of ['One', 'Two', 'Three']) due(desk, title);
    set(desk, 'One', 'duration', 30);
    set(desk, 'Two', 'duration', 45);
    const first = await open(desk);
    assert.equal(first.position, '1 of 3');
    assert.deepEqual(first.task, {
      title: 'One',
      note: '',
      facts: 'Inbox · due today · 30 min',
      gap: 'Next free: 09:00–09:30',
    });
    assert.deepEqual(
      first.times.map(({ time, title }) => `${time} ${title}`),
      ['09:30–10:00 Meeting', '10:10–11:00 Meeting', '11:00–12:00 Lunch if free'],
    );
    assert.deepEqual(first.capacity, { text: '1 h 15 min planned of 6 h 40 min free', isOver: false });
    desk.press('b');
    assert.equal(shown(desk).said?.text, 'Planned ‘One’: Fri 27 Nov 2026, 09:00 for 30 min.');
    desk.press('Enter', 'b');
    assert.deepEqual(
      ['One', 'Two', 'Three', 'Not today'].map((title) => said(desk, title)),
      [['27T09:00 30'], ['27T11:00 45'], ['27T11:45 30'], []],
    );
    assert.equal(shown(desk).step, 'end');
    assert.equal(shown(desk).summary, '3 tasks planned for 1 h 45 min.');
    assert.equal(shown(desk).capacity.text, '1 h 45 min planned of 6 h 40 min free');
  });

  test('[CAL-80] a time that is typed counts, and what is no time is said', async () => {
    const desk = await ready('> One');
    due(desk, 'One');
    await open(desk);
    desk.press('a');
    assert.equal(shown(desk).step, 'at');
    desk.app.answer('planDay', { action: 'send', text: 'soon' });
    assert.deepEqual(shown(desk).said, { text: '“soon” isn’t a time, like “14:00 45m.”', isError: true });
    assert.deepEqual(said(desk, 'One'), []);
    desk.app.answer('planDay', { action: 'send', text: '14:00 20m' });
    assert.deepEqual(said(desk, 'One'), ['27T14:00 20']);
  });

  test('[CAL-52] [CAL-80] of a time that is typed it is said what it overlaps', async () => {
    const desk = await ready('> One\n  Two');
    for (const title of ['One', 'Two']) due(desk, title);
    await open(desk);
    for (const text of ['14:00 20m', '14:10']) {
      desk.press('a');
      desk.app.answer('planDay', { action: 'send', text });
    }
    assert.equal(
      shown(desk).said?.text,
      'Planned ‘Two’: Fri 27 Nov 2026, 14:10 for 30 min. It overlaps “One” at Fri 27 Nov, 14:00.',
    );
  });

  test('[CAL-52] of a time that an event takes it is said, too, wherever it is planned', async () => {
    const events = [
      event('10:00', '11:00', { title: 'Standup' }),
      event('10:15', '10:45', { title: 'Not taken', isBusy: false }),
      event('10:30', '11:00', { title: '' }),
    ];
    const desk = await ready('> One', events);
    const plan = (value: string) => {
      desk.app.run('task.planTime', { value });
      return desk.message ?? '';
    };
    const offered = (words: string) => {
      desk.press('b');
      desk.type(words);
      const { title, hint } = desk.app.view.palette.get()?.items[0] ?? assert.fail('a time is offered');
      desk.press('Escape');
      return `${title} | ${hint}`;
    };
    // How long it takes, and what it overlaps, is said before it is planned.
    assert.match(offered('today 10:30'), /10:30 for 30 min \| in 1 h 30 min · overlaps “Standup”$/);
    assert.match(offered('today 9:30'), /9:30 for 30 min \| in 30 min$|09:30 for 30 min \| in 30 min$/);
    assert.match(plan('today 9:30 30m'), /30 min\.$/);
    assert.match(plan('today 10:30 15m'), /It overlaps “Standup” at Fri 27 Nov, 10:00 and 1 more\.$/);
    assert.match(plan('today 11:00 15m'), /15 min\.$/);
    desk.app.run('block.remove');
    assert.match(plan('today 10:50 15m'), /It overlaps “Standup” at/);
  });

  test('[CAL-82] a task that got a time, and is put off after all, leaves it', async () => {
    const desk = await ready('> One');
    due(desk, 'One');
    await open(desk);
    desk.press('Enter');
    assert.deepEqual(said(desk, 'One'), ['27T09:00 30']);
    desk.press('Left', 't');
    assert.deepEqual(said(desk, 'One'), []);
    desk.press('Mod+Z');
    assert.deepEqual(said(desk, 'One'), ['27T09:00 30']);
  });

  test('[CAL-54] undone blocks whose time of day is over go into the next gaps of today', async () => {
    const desk = await ready('> One\n  Two\n  Three');
    for (const [title, time] of [
      ['One', 'today 9:30 30m'],
      ['Two', 'today 10:00 45m'],
      ['Three', 'today 16:00 30m'],
    ] as const) {
      desk.app.run('go.task', { task: task(desk, title).id });
      desk.app.run('task.planTime', { value: time });
    }
    // Monday, a few minutes past noon.
    desk.timers.advance(3 * 86_400_000 + 3 * 3_600_000 + 120_000);
    desk.press('Shift+B');
    assert.deepEqual(
      ['One', 'Two', 'Three'].map((title) => said(desk, title)),
      [['30T12:05 30'], ['30T12:35 45'], ['30T16:00 30']],
    );
  });

  test('[CAL-81] overdue, due, started and left undone: each is asked about once, and what is planned is not', async () => {
    const desk = await ready('> Late\n  Due\n  Started\n  Missed\n  Planned\n  Later\n  Asleep\n  Done');
    due(desk, 'Late', '2026-11-25');
    due(desk, 'Due');
    set(desk, 'Started', 'start', { on: '2026-11-26' });
    desk.app.pressRow(task(desk, 'Missed').id, { shift: false, mod: false });
    desk.app.run('task.planTime', { value: 'yesterday 10:00 45m' });
    desk.app.pressRow(task(desk, 'Planned').id, { shift: false, mod: false });
    desk.app.run('task.planTime', { value: 'today 16:00 45m' });
    due(desk, 'Planned');
    due(desk, 'Later', '2026-11-30');
    due(desk, 'Asleep');
    desk.app.pressRow(task(desk, 'Asleep').id, { shift: false, mod: false });
    desk.app.run('task.snooze', { value: 'monday' });
    due(desk, 'Done');
    set(desk, 'Done', 'status', { done: desk.replica.now() });
    const titles: (string | undefined)[] = [];
    for (let view = await open(desk); view.step === 'task'; view = shown(desk)) {
      titles.push(view.task?.title);
      desk.press('Right');
    }
    assert.deepEqual(titles, ['Late', 'Due', 'Started', 'Missed']);
    assert.match(shown(desk).summary, /^Nothing was changed\. 4 left as they were\./);
    desk.press('Left');
    assert.equal(shown(desk).task?.title, 'Missed');
    desk.press('b');
    assert.deepEqual(said(desk, 'Missed'), ['27T09:00 30'], 'the block of yesterday was moved');
  });

  test('[CAL-82] tomorrow, later, done and how long: one undo each, which leads back to the task', async () => {
    const desk = await ready('> A\n  B\n  C\n  D');
    for (const title of ['A', 'B', 'C', 'D']) due(desk, title);
    await open(desk);
    desk.press('t', 's');
    assert.equal(shown(desk).step, 'later');
    desk.app.answer('planDay', { action: 'send', text: 'yesterday' });
    assert.equal(shown(desk).said?.text, 'That’s in the past. Pick a later time.');
    desk.app.answer('planDay', { action: 'send', text: 'monday' });
    desk.press('Space', 'e');
    desk.app.answer('planDay', { action: 'send', text: '1h30' });
    assert.equal(shown(desk).task?.facts, 'Inbox · due today · 1 h 30 min');
    assert.deepEqual(fieldOf(mine(desk, 'A'), 'snooze'), { on: '2026-11-28' });
    assert.deepEqual(fieldOf(mine(desk, 'B'), 'snooze'), { on: '2026-11-30' });
    assert.ok(fieldOf(task(desk, 'C'), 'status'));
    desk.press('b');
    assert.deepEqual(said(desk, 'D'), ['27T09:00 90']);
    assert.equal(
      shown(desk).summary,
      '1 task planned for 1 h 30 min, 1 moved to tomorrow, 1 moved to later, 1 completed.',
    );
    desk.press('Mod+Z');
    assert.equal(shown(desk).task?.title, 'D');
    assert.deepEqual(said(desk, 'D'), []);
    desk.press('Mod+Z', 'Mod+Z');
    assert.equal(shown(desk).task?.title, 'C');
    assert.equal(fieldOf(task(desk, 'C'), 'status') ?? null, null);
    assert.equal(fieldOf(task(desk, 'D'), 'duration') ?? null, null);
    desk.press('Mod+Z', 'Mod+Z');
    assert.equal(shown(desk).task?.title, 'A');
    assert.equal(fieldOf(mine(desk, 'A'), 'snooze') ?? null, null);
    desk.press('Mod+Z');
    assert.equal(shown(desk).said?.text, 'There’s nothing to undo here.');
    assert.deepEqual(fieldOf(task(desk, 'A'), 'due'), { on: '2026-11-27' }, 'what was before stays');
  });

  test('[CAL-83] Escape ends a step, then the pass with what was done, then the dialog', async () => {
    const desk = await ready('> A\n  B');
    for (const title of ['A', 'B']) due(desk, title);
    await open(desk);
    desk.press('b', 'e', 'Escape');
    assert.equal(shown(desk).step, 'task');
    desk.press('Escape');
    assert.match(shown(desk).summary, /^1 task planned for 30 min\. 1 left as it was\./);
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    set(desk, 'B', 'due', null);
    desk.app.run('day.plan');
    await desk.settle();
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.message, 'Nothing is left to plan today.');
  });

  test('[CAL-83] where nothing fits it is said, and nothing is planned', async () => {
    const desk = await ready('> A', [event('09:00', '16:50')]);
    due(desk, 'A');
    const view = await open(desk);
    assert.equal(view.task?.gap, 'No gap of 30 min is left in today’s working time.');
    desk.press('b');
    assert.equal(shown(desk).said?.isError, true);
    assert.deepEqual(said(desk, 'A'), []);
  });

  test('[CAL-84] Today says how much is planned of how much time, and that it is too much', async () => {
    const desk = await ready('> A\n  B', [event('10:00', '16:00')]);
    for (const title of ['A', 'B']) due(desk, title);
    desk.press('g', 't');
    await desk.settle();
    const date = () => desk.app.view.header.get().date;
    assert.equal(date(), 'Friday 27 November · 2 h free');
    set(desk, 'A', 'duration', 90);
    assert.equal(date(), 'Friday 27 November · 1 h 30 min planned of 2 h free');
    set(desk, 'B', 'duration', 60);
    assert.equal(date(), 'Friday 27 November · 2 h 30 min planned of 2 h free: 30 min too much');
    const view = await open(desk);
    assert.deepEqual(view.capacity, {
      text: '2 h 30 min planned of 2 h free: 30 min too much',
      isOver: true,
    });
    desk.press('Escape');
    // A block is counted instead of the duration.
    desk.app.pressRow(task(desk, 'B').id, { shift: false, mod: false });
    desk.app.run('task.planTime', { value: 'today 16:00 30m' });
    assert.equal(date(), 'Friday 27 November · 2 h planned of 2 h free');
    desk.app.run('day.capacity');
    assert.equal(desk.message, 'Today: 2 h planned of 2 h free.');
  });

  test('[CAL-84] working hours are settings, and a day without them has none', async () => {
    const desk = await ready('> A');
    due(desk, 'A');
    desk.press('g', 't');
    await desk.settle();
    const date = () => desk.app.view.header.get().date;
    assert.equal(date(), 'Friday 27 November · 8 h free');
    desk.app.run('setting.workTo', { value: '12' });
    assert.equal(date(), 'Friday 27 November · 3 h free');
    desk.app.run('setting.workFrom', { value: '13' });
    assert.equal(date(), 'Friday 27 November');
    desk.app.run('setting.workFrom', { value: '9' });
    desk.app.run('setting.workDays', { value: 'sun-thu' });
    set(desk, 'A', 'duration', 20);
    assert.equal(date(), 'Friday 27 November · 20 min planned, no working time left');
  });
});
