// The calendar beside the outline by keys: the slot, what stands there, and blocks that are planned, moved, made longer and removed in it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { weekSignals } from '#client/week/signals.ts';
import { type Block, blocksIn } from '#core/calendar/blocks.ts';
import type { CalendarEvent, EventTime } from '#core/calendar/events.ts';
import { mineId } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk, outline } from './desk.ts';
import { noAccount, noLive } from './no-server.ts';
import { createMemoryCalendars } from './memory-calendars.ts';

const moment = (of: string): EventTime => ({ type: 'moment', at: Date.parse(of) });
const day = (of: string): EventTime => ({ type: 'day', day: of });

const event = (title: string, start: EventTime, end: EventTime, isBusy = true): CalendarEvent => ({
  uid: title,
  occurrence: null,
  start,
  end,
  title,
  place: 'Room 2',
  description: '',
  link: null,
  isBusy,
  isTentative: false,
});

const EVENTS = [
  event('Standup', moment('2026-11-27T09:00Z'), moment('2026-11-27T09:30Z')),
  event('Fair', day('2026-11-28'), day('2026-11-30')),
];

/** A desk on Friday, November 27, with its rows, parts and events, and the calendar open. */
async function opened(events: readonly CalendarEvent[] = EVENTS): Promise<Desk> {
  const live = { ...noLive, calendars: () => createMemoryCalendars(events) };
  const desk = new Desk(
    outline(`
      > Plan
        Call
    `),
    { account: { ...noAccount, email: 'ada@example.org', live: () => Promise.resolve(live) } },
  );
  desk.timers.advance(1_000);
  await desk.settle();
  desk.press('g w');
  await desk.settle();
  return desk;
}

const signals = (desk: Desk) => weekSignals(desk.engine);
const slot = (desk: Desk) => signals(desk).slot.get();
const label = (desk: Desk) => slot(desk)?.label ?? '';
const days = (desk: Desk) =>
  signals(desk)
    .view.get()
    ?.days.map((each) => each.day) ?? [];
const pane = (desk: Desk) => desk.app.view.focus.get().pane;

/** "27 09:15" */
function at(desk: Desk): string {
  const { day: index, minute } = slot(desk) ?? assert.fail('the calendar is open');
  const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${(days(desk)[index] ?? '').slice(8)} ${clock}`;
}

function blocks(desk: Desk, title = 'Plan'): readonly string[] {
  const task = [...desk.replica.all()].find((row) => fieldOf(row, 'title') === title);
  assert.ok(task);
  const mine = desk.replica.row(mineId(SCOPE, task.id));
  const found: readonly Block[] = mine?.type === 'mine' ? blocksIn(mine).map(({ block }) => block) : [];
  return found.map(({ start, minutes }) => `${new Date(start).toISOString().slice(8, 16)} ${minutes}`);
}

/** The slot goes to nine o'clock of today, where the first event is. */
function toNine(desk: Desk): void {
  desk.press('t');
  for (let step = 0; step < 96 && at(desk) !== '27 09:00'; step += 1)
    desk.press(at(desk) > '27 09:00' ? 'Up' : 'Down');
  assert.equal(at(desk), '27 09:00');
}

describe('the calendar beside the outline', () => {
  test('[CAL-16] one key opens it with the keys in it, and closes it', async () => {
    const desk = await opened();
    assert.equal(pane(desk), 'calendar');
    assert.deepEqual(days(desk).length, 7);
    assert.ok(days(desk).includes('2026-11-27'));
    assert.equal(desk.app.view.status.get().mode, 'NAV');
    // From the outline it goes there; from there it closes.
    desk.press('Tab');
    assert.equal(pane(desk), 'outline');
    desk.press('g w');
    assert.equal(pane(desk), 'calendar');
    desk.press('g w');
    assert.equal(signals(desk).view.get(), null);
    assert.equal(pane(desk), 'outline');
  });

  test('[CAL-17] it goes to a day, or a time of it, in words', async () => {
    const desk = await opened();
    toNine(desk);
    const goTo = (words: string) => {
      desk.press('m');
      desk.type(words);
      desk.press('Enter');
    };
    goTo('dec 24');
    assert.equal(at(desk), '24 09:00');
    assert.ok(days(desk).includes('2026-12-24'));
    goTo('tomorrow 14:20');
    assert.equal(at(desk), '28 14:15');
    goTo('never ever');
    assert.match(desk.message, /isn’t a day/);
    assert.equal(at(desk), '28 14:15');
  });

  test('[CAL-16] what is shown is kept on the device', async () => {
    const desk = await opened();
    desk.press('3');
    assert.equal(desk.preferences.get('calendar.days'), '3');
    const again = new Desk(outline('> Plan'), { preferences: desk.preferences });
    again.timers.advance(1_000);
    await again.settle();
    await again.until(() => signals(again).view.get() !== null);
    assert.equal(days(again).length, 3);
    assert.equal(pane(again), 'outline');
    again.press('g w g w');
    assert.equal(again.preferences.get('calendar'), 'hidden');
  });

  test('[CAL-16] without room for it the agenda comes', async () => {
    const desk = await opened();
    desk.press('g w');
    desk.app.layoutChanged(true);
    desk.press('g w');
    await desk.settle();
    assert.equal(desk.app.view.dialog.get()?.type, 'agenda');
    assert.equal(signals(desk).view.get(), null);
  });

  test('[CAL-17] arrows and letters move the slot, by quarters of an hour and by days', async () => {
    const desk = await opened();
    desk.press('t');
    const start = at(desk);
    desk.press('Down', 'j');
    const [, hour = 0, minute = 0] = /\d+ (\d+):(\d+)/.exec(start)?.map(Number) ?? [];
    const later = hour * 60 + minute + 30;
    assert.equal(slot(desk)?.minute, later);
    desk.press('k', 'Up');
    assert.equal(at(desk), start);
    desk.press('Right');
    assert.match(at(desk), /^28 /);
    desk.press('h');
    desk.press('Left', 'l');
    assert.equal(at(desk), start);
    desk.press('PageDown');
    assert.match(at(desk), /^04 /);
    assert.ok(days(desk).includes('2026-12-04'));
    desk.press('PageUp');
    assert.equal(at(desk), start);
    desk.press('PageDown', 'PageDown', 't');
    assert.equal(at(desk), start);
  });

  test('[CAL-17] a day, three days and a week keep the slot, which takes the days along', async () => {
    const desk = await opened();
    desk.press('1');
    assert.deepEqual(days(desk), ['2026-11-27']);
    desk.press('Right');
    assert.deepEqual(days(desk), ['2026-11-28']);
    desk.press('3');
    assert.deepEqual(days(desk), ['2026-11-28', '2026-11-29', '2026-11-30']);
    desk.press('Left');
    assert.deepEqual(days(desk), ['2026-11-27', '2026-11-28', '2026-11-29']);
    desk.press('7');
    assert.equal(days(desk).length, 7);
  });

  test('[CAL-17] over midnight the slot goes on in the next day', async () => {
    const desk = await opened();
    const steps = 96 - (slot(desk)?.minute ?? 0) / 15;
    for (let step = 0; step < steps; step += 1) desk.press('Down');
    assert.equal(at(desk), '28 00:00');
    desk.press('Up');
    assert.equal(at(desk), '27 23:45');
  });

  test('[CAL-17] Escape and Tab go back to the outline, F6 goes on to the calendar', async () => {
    const desk = await opened();
    for (const key of ['Escape', 'Tab']) {
      desk.press(key);
      assert.equal(pane(desk), 'outline', key);
      desk.press('F6');
      assert.equal(pane(desk), 'calendar', key);
    }
    assert.ok(signals(desk).view.get());
  });

  test('[CAL-21] what stands at the slot is said, and next and previous go from one to the other', async () => {
    const desk = await opened();
    toNine(desk);
    assert.match(label(desk), /Friday.*27.*09:00: Standup until 09:30/);
    desk.press('Down', 'Down');
    assert.match(label(desk), /09:30: free/);
    desk.press('p');
    assert.equal(at(desk), '27 09:00');
    desk.press('Right');
    assert.match(label(desk), /free; all day Fair/);
  });

  test('[CAL-22] B plans time for the task at the cursor of the outline, with one undo', async () => {
    const desk = await opened();
    desk.press('Escape', 'Down', 'F6');
    desk.press('1', 'Right');
    const [when = '', time = ''] = at(desk).split(' ');
    desk.press('b');
    assert.deepEqual(blocks(desk, 'Call'), [`${when}T${time} 30`]);
    assert.match(desk.message, /Planned ‘Call’/);
    assert.match(label(desk), /: Call until/);
    assert.equal(pane(desk), 'calendar');
    desk.press('Mod+Z');
    assert.deepEqual(blocks(desk, 'Call'), []);
    desk.press('Mod+Shift+Z');
    assert.equal(blocks(desk, 'Call').length, 1);
  });

  test('[CAL-23] a block is made longer and shorter, each with one undo', async () => {
    const desk = await opened();
    desk.press('Right', 'b');
    for (const [key, length] of [
      ['+', 45],
      ['=', 60],
      ['Shift+Down', 75],
      ['-', 60],
      ['Shift+Up', 45],
    ] as const) {
      desk.press(key);
      assert.match(blocks(desk)[0] ?? '', new RegExp(` ${length}$`), key);
    }
    desk.press('Mod+Z');
    assert.match(blocks(desk)[0] ?? '', / 60$/);
    desk.press('-', '-', '-', '-');
    assert.match(blocks(desk)[0] ?? '', / 15$/);
    assert.match(desk.message, /can’t be shorter/);
  });

  test('[CAL-23] a block is moved, and the slot goes with it', async () => {
    const desk = await opened();
    desk.press('1', 'Right', 'b');
    const before = at(desk);
    desk.press('Alt+Down');
    assert.notEqual(at(desk), before);
    assert.equal(blocks(desk)[0], `${at(desk).replace(' ', 'T')} 30`);
    desk.press('Alt+Up');
    assert.equal(at(desk), before);
    desk.press('Alt+Right');
    assert.match(blocks(desk)[0] ?? '', /^29T/);
    assert.match(at(desk), /^29 /);
    desk.press('Alt+Left');
    assert.equal(blocks(desk)[0], `${before.replace(' ', 'T')} 30`);
    desk.press('Mod+Z');
    assert.match(blocks(desk)[0] ?? '', /^29T/);
  });

  test('[CAL-23] Delete removes the block and not its task, and can be undone', async () => {
    const desk = await opened();
    for (const key of ['Delete', 'Backspace']) {
      desk.press('b');
      assert.equal(blocks(desk).length, 1);
      desk.press(key);
      assert.deepEqual(blocks(desk), [], key);
    }
    desk.press('Mod+Z');
    assert.equal(blocks(desk).length, 1);
    desk.press('Mod+Z');
    assert.equal(blocks(desk).length, 0);
    assert.equal(desk.rows().length, 2);
  });

  test('[CAL-23] an event is not mine: keys of blocks leave it alone', async () => {
    const desk = await opened();
    toNine(desk);
    for (const key of ['Delete', '+', '-', 'Alt+Down']) {
      desk.press(key);
      assert.match(desk.message, /That’s an event/, key);
    }
  });

  test('[CAL-24] Enter goes to the task of a block, and opens an event in the agenda', async () => {
    const desk = await opened();
    desk.press('Right', 'b');
    desk.press('Escape', 'Down', 'F6', 'Enter');
    assert.equal(pane(desk), 'outline');
    assert.equal(desk.rows().find(({ cursor }) => cursor)?.title, 'Plan');
    desk.press('F6');
    toNine(desk);
    desk.press('Enter');
    await desk.until(() => {
      const shown = desk.app.view.dialog.get();
      return shown?.type === 'agenda' && shown.agenda.open?.title === 'Standup';
    });
    desk.app.closeDialog();
    desk.app.closeDialog();
    assert.equal(pane(desk), 'calendar');
  });

  test('[CAL-24] O goes through what stands at the same time, and keys are about what it chose', async () => {
    const desk = await opened();
    desk.press('Escape', 'F6');
    toNine(desk);
    desk.press('o');
    assert.match(desk.message, /Nothing else/);
    desk.press('b', 'Escape', 'Down', 'F6', 'b');
    const { length } = ['Plan', 'Call'].flatMap((title) => blocks(desk, title));
    assert.equal(length, 2);
    const chosen = new Set<string | null | undefined>();
    for (let n = 0; n < 3; n += 1) {
      desk.press('o');
      chosen.add(slot(desk)?.key);
    }
    assert.equal(chosen.size, 3, 'two blocks and the event');
    // Whichever it is about, it moves that one alone.
    desk.press('o');
    desk.press('Alt+Right');
    const moved = ['Plan', 'Call']
      .flatMap((title) => blocks(desk, title))
      .filter((said) => said.startsWith('28'));
    assert.equal(moved.length, 1);
  });

  test('[CAL-105] Space and the box of a block complete its task and reopen it, but no later occurrence', async () => {
    const desk = await opened([]);
    desk.press('Space');
    assert.match(desk.message, /No time block is here/);
    desk.press('b');
    const isDone = () => {
      const placed = signals(desk)
        .view.get()
        ?.days.flatMap((each) => each.placed);
      return placed?.map((thing) => thing.isDone);
    };
    desk.press('Space');
    assert.match(desk.message, /Completed/);
    assert.deepEqual(isDone(), [true]);
    desk.press('Space');
    assert.deepEqual(isDone(), [false]);
    const key = slot(desk)?.key ?? assert.fail('the slot is at the block');
    signals(desk).pointer?.check(key);
    assert.deepEqual(isDone(), [true]);
    desk.press('Mod+Z');
    assert.deepEqual(isDone(), [false]);
    assert.equal(desk.rows().filter(({ done }) => done).length, 0);

    desk.app.run('task.repeat', { value: 'every day' });
    desk.press('Space');
    const due = () => desk.rows().find(({ title }) => title === 'Plan')?.due?.text;
    const next = due();
    assert.deepEqual(isDone(), [true]);
    desk.press('Space');
    assert.match(desk.message, /at a later date now/);
    assert.equal(due(), next);
  });

  test('[CAL-111] what goes over several days is one bar, in the same row on each', async () => {
    const desk = await opened([
      event('Ends first', day('2026-11-24'), day('2026-11-25')),
      event('Trip', day('2026-11-24'), day('2026-11-27')),
      event('Fair', day('2026-11-25'), day('2026-11-26')),
      event('Later', day('2026-11-26'), day('2026-12-09')),
    ]);
    const bars = signals(desk)
      .view.get()
      ?.days.map((each) =>
        each.allDay
          .map(({ title, lane, begins, ends }) => `${begins ? '' : '…'}${title}${ends ? '' : '…'} ${lane}`)
          .toSorted(),
      );
    const at24 = days(desk).indexOf('2026-11-24');
    assert.deepEqual(bars?.slice(at24, at24 + 4), [
      ['Ends first 0', 'Trip… 1'],
      ['Fair 0', '…Trip… 1'],
      ['Later… 0', '…Trip 1'],
      ['…Later… 0'],
    ]);
  });

  test('[CAL-110] where there is no room for a week, three days or one are shown, and all again where there is', async () => {
    const desk = await opened();
    const { pointer } = signals(desk);
    pointer?.fits(3);
    assert.equal(days(desk).length, 3);
    const first = days(desk)[0];
    desk.press('PageDown');
    assert.notEqual(days(desk)[0], first);
    pointer?.fits(1);
    assert.equal(days(desk).length, 1);
    pointer?.fits(7);
    assert.equal(days(desk).length, 7);
    desk.press('3');
    pointer?.fits(1);
    pointer?.fits(7);
    assert.equal(days(desk).length, 3);
  });

  test('[CAL-112] a second press opens what is chosen, and one above the hours opens it at once', async () => {
    const desk = await opened();
    const pointer = signals(desk).pointer ?? assert.fail('the calendar is open');
    const today = days(desk).indexOf('2026-11-27');
    const standup = signals(desk)
      .view.get()
      ?.days[today]?.placed.find(({ title }) => title === 'Standup')?.key;
    pointer.follow(today, standup ?? '');
    await desk.until(() => {
      const shown = desk.app.view.dialog.get();
      return shown?.type === 'agenda' && shown.agenda.open?.title === 'Standup';
    });
    // It shows that one event, and closes with it.
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(pane(desk), 'calendar');
    desk.press('b');
    const block = slot(desk)?.key ?? '';
    pointer.follow(today, block);
    assert.equal(pane(desk), 'outline');
  });

  test('[CAL-113] n and p choose what begins there, and the hint names the task that b plans', async () => {
    const long = event('Long', moment('2026-11-27T09:00Z'), moment('2026-11-27T12:00Z'));
    const inside = event('Inside', moment('2026-11-27T10:00Z'), moment('2026-11-27T10:30Z'));
    const desk = await opened([long, inside]);
    toNine(desk);
    desk.press('n');
    const chosen = signals(desk)
      .view.get()
      ?.days.flatMap((each) => each.placed)
      .find(({ key }) => key === slot(desk)?.key);
    assert.equal(chosen?.title, 'Inside');
    assert.equal(signals(desk).target.get(), '‘Plan’');
    desk.press('Tab', 'Down');
    assert.equal(signals(desk).target.get(), '‘Call’');
  });

  test('[CAL-25] a block of a completed task is there, and gray', async () => {
    const desk = await opened([]);
    desk.press('b', 'Escape', 'Space', 'F6');
    const placed =
      signals(desk)
        .view.get()
        ?.days.flatMap((each) => each.placed) ?? [];
    assert.deepEqual(
      placed.map(({ title, isDone }) => [title, isDone]),
      [['Plan', true]],
    );
    assert.match(label(desk), /Plan, completed/);
    desk.press('Escape', 'Delete');
    assert.deepEqual(
      signals(desk)
        .view.get()
        ?.days.flatMap((each) => each.placed),
      [],
    );
  });

  test('[CAL-26] a pointer puts the slot, drags a block, and its edge', async () => {
    const desk = await opened([]);
    desk.press('1', 'b');
    const { pointer } = signals(desk);
    const key = slot(desk)?.key;
    assert.ok(pointer && key);
    pointer.press(0, 607, null);
    assert.equal(at(desk), '27 10:00');
    const before = blocks(desk)[0] ?? '';
    pointer.move(key, 1, -15);
    assert.match(blocks(desk)[0] ?? '', /^28T/);
    pointer.stretch(key, 45);
    assert.match(blocks(desk)[0] ?? '', / 75$/);
    desk.press('Mod+Z', 'Mod+Z');
    assert.equal(blocks(desk)[0], before);
  });

  test('[CAL-27] a key makes no days again, with 5,000 events', async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => {
      const start = Date.parse('2026-11-01T00:00Z') + n * 600_000;
      return event(`E${n}`, { type: 'moment', at: start }, { type: 'moment', at: start + 900_000 });
    });
    const desk = await opened(many);
    const before = signals(desk).view.get();
    assert.ok(before && before.days.every(({ placed }) => placed.length >= 144));
    const started = process.threadCpuUsage();
    for (let n = 0; n < 100; n += 1) desk.press(n % 2 === 0 ? 'Down' : 'Right', n % 2 === 0 ? 'Up' : 'Left');
    const used = process.threadCpuUsage(started);
    assert.equal(signals(desk).view.get(), before, 'the same days');
    const each = (used.user + used.system) / 200_000;
    assert.ok(each < 8, `a key took ${each.toFixed(1)} ms`);
  });
});
