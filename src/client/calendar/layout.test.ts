// The grid of days: columns of what overlaps, midnight, days that are longer than a day's grid, and changes of clocks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CalendarEvent, EventTime } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import { clockChangeOf, dayOf, weekOf } from './clock.ts';
import { layOut, type Spanning } from './layout.ts';
import { EventBook } from './things.ts';

interface Named extends Spanning {
  readonly name: string;
}

const at = (local: string) => Date.parse(`${local}Z`);
const thing = (name: string, start: string, end: string, more: Partial<Spanning> = {}): Named => ({
  name,
  start: at(start),
  end: at(end),
  isAllDay: false,
  isOverChange: false,
  ...more,
});

/** "Lunch 720-780 0/1", with marks where it goes on before or after the day. */
function shown(day: string, things: readonly Named[], zone = 'UTC'): readonly string[] {
  const { allDay, placed } = layOut(things, at(`${day}T00:00`), clockChangeOf(day, zone));
  return [
    ...allDay.map(({ name }) => `${name} all day`),
    ...placed.map(
      ({ thing: { name }, from, to, column, columns, begins, ends }) =>
        `${begins ? '' : '…'}${name} ${from}-${to} ${column}/${columns}${ends ? '' : '…'}`,
    ),
  ];
}

describe('the grid of days', () => {
  test('[CAL-18] what overlaps shares the width, and each takes the first column that is free', () => {
    const day = '2026-11-24';
    const things = [
      thing('A', `${day}T09:00`, `${day}T11:00`),
      thing('B', `${day}T09:00`, `${day}T09:30`),
      thing('C', `${day}T09:30`, `${day}T10:00`),
      thing('D', `${day}T10:30`, `${day}T12:00`),
      thing('E', `${day}T12:00`, `${day}T13:00`),
    ];
    assert.deepEqual(shown(day, things), [
      'A 540-660 0/2',
      'B 540-570 1/2',
      'C 570-600 1/2',
      'D 630-720 1/2',
      'E 720-780 0/1',
    ]);
  });

  test('[CAL-18] what is shorter than a row of the grid is as tall as one', () => {
    const day = '2026-11-24';
    const things = [
      thing('Point', `${day}T09:00`, `${day}T09:00`),
      thing('Next', `${day}T09:05`, `${day}T09:10`),
      thing('Later', `${day}T09:20`, `${day}T10:00`),
    ];
    assert.deepEqual(shown(day, things), ['Point 540-540 0/2', 'Next 545-550 1/2', 'Later 560-600 0/1']);
  });

  test('[CAL-18] 300 things at once each have a column, and no two of a column share time', () => {
    const day = '2026-11-24';
    const start = at(`${day}T00:00`);
    const things = Array.from({ length: 300 }, (_, n): Named => {
      const from = start + ((n * 37) % 1_300) * 60_000;
      return { ...thing(String(n), day, day), start: from, end: from + (1 + ((n * 53) % 120)) * 60_000 };
    });
    const { placed } = layOut(things, start, clockChangeOf(day, 'UTC'));
    assert.equal(placed.length, 300);
    for (const one of placed) {
      assert.ok(one.column < one.columns);
      const clash = placed.find(
        (other) =>
          other !== one &&
          other.from < one.to &&
          one.from < other.to &&
          (other.column === one.column || other.columns !== one.columns),
      );
      assert.equal(clash, undefined, one.thing.name);
    }
  });

  test('[CAL-19] over midnight it stands in both days, and until midnight in one', () => {
    const late = [
      thing('Night', '2026-11-24T23:00', '2026-11-25T01:30'),
      thing('Eve', '2026-11-24T22:00', '2026-11-25T00:00'),
    ];
    assert.deepEqual(shown('2026-11-24', late), ['Eve 1320-1440 0/2', 'Night 1380-1440 1/2…']);
    assert.deepEqual(shown('2026-11-25', late), ['…Night 0-90 0/1']);
    assert.deepEqual(shown('2026-11-26', late), []);
  });

  test('[CAL-19] a block of more than a day takes all of the days between', () => {
    const long = [thing('Trip', '2026-11-24T20:00', '2026-11-27T08:00')];
    assert.deepEqual(
      ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'].flatMap((day) => shown(day, long)),
      ['Trip 1200-1440 0/1…', 'Trip all day', 'Trip all day', '…Trip 0-480 0/1'],
    );
    const day = [thing('Day', '2026-11-24T00:00', '2026-11-25T00:00')];
    assert.deepEqual(shown('2026-11-24', day), ['Day all day']);
    assert.deepEqual(shown('2026-11-25', day), []);
  });

  test('[CAL-20] a day says which times the clocks skip, and which are there twice', () => {
    const none = { skipped: null, twice: null };
    assert.deepEqual(clockChangeOf('2026-03-29', 'Europe/Berlin'), {
      ...none,
      skipped: { from: 120, to: 180 },
    });
    assert.deepEqual(clockChangeOf('2026-10-25', 'Europe/Berlin'), {
      ...none,
      twice: { from: 120, to: 180 },
    });
    assert.deepEqual(clockChangeOf('2026-04-05', 'Australia/Lord_Howe'), {
      ...none,
      twice: { from: 90, to: 120 },
    });
    // Midnight itself is skipped here, and there twice.
    assert.deepEqual(clockChangeOf('2026-03-29', 'Asia/Beirut'), { ...none, skipped: { from: 0, to: 60 } });
    assert.deepEqual(clockChangeOf('2026-10-24', 'Asia/Beirut'), {
      ...none,
      twice: { from: 1_380, to: 1_440 },
    });
    assert.deepEqual(clockChangeOf('2026-11-24', 'Europe/Berlin'), none);
    assert.deepEqual(clockChangeOf('2026-03-29', 'UTC'), none);
  });

  test('[CAL-20] an event over a change of clocks covers the hour that is there twice', () => {
    const moment = (of: string): EventTime => ({ type: 'moment', at: Date.parse(of) });
    const event = (title: string, start: EventTime, end: EventTime): CalendarEvent => ({
      uid: title,
      occurrence: null,
      start,
      end,
      title,
      place: '',
      description: '',
      link: null,
      isBusy: true,
      isTentative: false,
    });
    const book = new EventBook([
      {
        id: '00000000-0000-7000-8000-000000000001' as Id,
        events: [
          // 2:45 the first time until 2:15 the second: half an hour.
          event('Back', moment('2026-10-25T00:45Z'), moment('2026-10-25T01:15Z')),
          event('Second', moment('2026-10-25T01:30Z'), moment('2026-10-25T01:45Z')),
          event('Whole', { type: 'day', day: '2026-10-25' }, { type: 'day', day: '2026-10-26' }),
        ],
      },
    ]);
    const from = at('2026-10-25T00:00');
    const found = book.between(from, from + 86_400_000, 'Europe/Berlin');
    const named = found.map((each): Named => ({ ...each, name: each.event.title }));
    assert.deepEqual(shown('2026-10-25', named, 'Europe/Berlin'), [
      'Whole all day',
      'Back 120-180 0/2',
      'Second 150-165 1/2',
    ]);
  });

  test('[CAL-16] weeks begin on the day of the person', () => {
    const tuesday = at('2026-11-24T15:00');
    assert.deepEqual(
      [1, 6, 7].map((start) => dayOf(weekOf(tuesday, start))),
      ['2026-11-23', '2026-11-21', '2026-11-22'],
    );
  });
});
