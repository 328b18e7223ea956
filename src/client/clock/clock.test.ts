// The clock over virtual time: it wakes exactly at the next date, in any zone, across sleep and changes of the clock.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { When } from '#core/when.ts';
import { asRow, type Fields, type Row } from '#sync/rows/row.ts';
import { Clock } from './clock.ts';

const HOUR_MS = 3_600_000;

function rowOf(id: string, fields: Fields, type: Row['type'] = 'task'): Row {
  const stamp = [0, 0, 0, 0] as const;
  return asRow({
    id: id as Id,
    type,
    scope: '' as Id,
    version: 0,
    fields,
    stamp,
    createdAt: 0,
    updatedAt: 0,
  });
}

class World {
  now: number;
  zone: string;
  readonly rows = new Map<Id, Row>();
  readonly log: string[] = [];
  wakes = 0;
  #timer: { readonly at: number; readonly work: () => void } | null = null;
  readonly clock: Clock;

  constructor(wall: string, zone = 'UTC', dayStart = 0) {
    this.zone = zone;
    this.now = this.at(wall);
    this.clock = new Clock({
      now: () => this.now,
      zone: () => this.zone,
      after: (delayMs, work) => {
        const timer = { at: this.now + delayMs, work };
        this.#timer = timer;
        return () => {
          if (this.#timer === timer) this.#timer = null;
        };
      },
      dayStart: () => dayStart,
      row: (id) => this.rows.get(id),
      rows: () => this.rows.values(),
      woke: (tasks, isNewDay) => this.log.push(`${this.wall} ${tasks.join(' ')}${isNewDay ? ' day' : ''}`),
    });
  }

  at(wall: string): number {
    return Temporal.PlainDateTime.from(wall).toZonedDateTime(this.zone).epochMilliseconds;
  }

  get wall(): string {
    const here = Temporal.Instant.fromEpochMilliseconds(this.now).toZonedDateTimeISO(this.zone);
    return here.toPlainDateTime().toString({ smallestUnit: 'minute' });
  }

  put(id: string, fields: Readonly<Record<string, unknown>>, type: Row['type'] = 'task'): void {
    const row = rowOf(id, fields, type);
    const before = this.rows.get(row.id);
    this.rows.set(row.id, row);
    this.clock.apply([{ id: row.id, before, after: row }]);
  }

  /** Runs timers as they fall due. */
  runTo(wall: string): void {
    const end = this.at(wall);
    for (let timer = this.#timer; timer && timer.at <= end; timer = this.#timer) {
      this.now = Math.max(this.now, timer.at);
      this.#timer = null;
      this.wakes += 1;
      timer.work();
    }
    this.now = end;
  }

  /** Time passes, no timer runs. */
  sleepTo(wall: string): void {
    this.now = this.at(wall);
  }
}

const timed = (world: World, wall: string): When => ({ at: world.at(wall), zone: world.zone });

describe('clock', () => {
  test('[TIME-20] wakes at the date itself, and otherwise only for the day and long waits', () => {
    const world = new World('2026-11-27T09:00');
    world.put('a', { due: timed(world, '2026-11-27T17:00') });
    world.put('b', { start: { on: '2026-11-29' } });
    world.put('c', { due: { local: '2026-11-27T11:30' } });
    world.runTo('2026-11-29T12:00');
    assert.deepEqual(world.log, [
      '2026-11-27T11:30 c',
      '2026-11-27T17:00 a',
      '2026-11-28T00:00  day',
      '2026-11-29T00:00 b day',
    ]);
    // Eleven at most: four for what came, the rest for waits that are too long for a timer.
    assert.ok(world.wakes <= 11, `${world.wakes} times`);
  });

  test('[TIME-20] a date that was moved or taken away wakes nobody', () => {
    const world = new World('2026-11-27T09:00');
    world.put('a', { due: timed(world, '2026-11-27T10:00') });
    world.put('a', { due: timed(world, '2026-11-27T12:00') });
    world.put('b', { due: timed(world, '2026-11-27T11:00') });
    world.put('b', {});
    world.runTo('2026-11-27T13:00');
    assert.deepEqual(world.log, ['2026-11-27T12:00 a']);
  });

  test('[TIME-20] a task with two dates ahead wakes for both', () => {
    const world = new World('2026-11-27T09:00');
    world.put('a', { start: timed(world, '2026-11-27T10:00'), due: timed(world, '2026-11-27T12:00') });
    world.runTo('2026-11-27T13:00');
    assert.deepEqual(world.log, ['2026-11-27T10:00 a', '2026-11-27T12:00 a']);
  });

  test('[TIME-20] a snooze wakes the task that it is about', () => {
    const world = new World('2026-11-27T09:00');
    world.put('task', {});
    world.put('mine', { of: 'task', snooze: timed(world, '2026-11-27T12:00') }, 'mine');
    world.runTo('2026-11-27T12:00');
    assert.deepEqual(world.log, ['2026-11-27T12:00 task']);
  });

  test('[TIME-21] after sleep everything that passed is told at once', () => {
    const world = new World('2026-11-27T09:00');
    world.put('a', { due: timed(world, '2026-11-27T17:00') });
    world.put('b', { start: { on: '2026-11-30' } });
    world.sleepTo('2026-12-01T08:00');
    world.clock.check();
    assert.deepEqual(world.log, ['2026-12-01T08:00 a b day']);
    world.clock.check();
    assert.equal(world.log.length, 1);
  });

  test('[TIME-21] in another zone days and floating times are other moments', () => {
    const world = new World('2026-11-27T20:00', 'America/New_York');
    world.put('day', { start: { on: '2026-11-28' } });
    world.put('floating', { due: { local: '2026-11-28T07:00' } });
    world.zone = 'Asia/Kathmandu';
    world.clock.check();
    assert.deepEqual(world.log, ['2026-11-28T06:45 day floating day']);
    world.runTo('2026-11-28T07:00');
    assert.equal(world.log[1], '2026-11-28T07:00 floating');
  });

  test('[TIME-21] a clock set back makes what had passed lie ahead again', () => {
    const world = new World('2026-11-27T09:00');
    world.put('a', { due: timed(world, '2026-11-27T10:00') });
    world.runTo('2026-11-27T11:00');
    world.sleepTo('2026-11-27T09:30');
    world.clock.check();
    world.runTo('2026-11-27T10:30');
    assert.deepEqual(world.log, ['2026-11-27T10:00 a', '2026-11-27T09:30 a day', '2026-11-27T10:00 a']);
  });

  test('[TIME-22] a day begins at the first moment that the zone has of it', () => {
    // In Santiago the clock goes from 24:00 to 1:00 on the night to 6 September 2026.
    const world = new World('2026-09-05T20:00', 'America/Santiago');
    world.put('a', { start: { on: '2026-09-06' } });
    world.runTo('2026-09-06T03:00');
    assert.deepEqual(world.log, ['2026-09-06T01:00 a day']);
  });

  test('[TIME-22] days of 23 and 25 hours roll over once', () => {
    for (const [from, to] of [
      ['2026-03-28T12:00', '2026-03-30T12:00'],
      ['2026-10-24T12:00', '2026-10-26T12:00'],
    ] as const) {
      const world = new World(from, 'Europe/Berlin');
      world.runTo(to);
      assert.equal(world.log.length, 2);
      assert.ok(world.log.every((line) => line.includes('T00:00')));
    }
  });

  test('[TIME-22] a day may begin at another hour', () => {
    const world = new World('2026-11-27T01:00', 'UTC', 4);
    world.put('a', { start: { on: '2026-11-27' } });
    world.runTo('2026-11-27T12:00');
    assert.deepEqual(world.log, ['2026-11-27T04:00 a day']);
  });

  test('[REM-11] wakes once for the moment that somebody else waits for, also after sleep', () => {
    const world = new World('2026-11-27T09:00');
    world.clock.wakeAt(world.at('2026-11-27T10:15'));
    world.runTo('2026-11-27T11:00');
    assert.deepEqual(world.log, ['2026-11-27T10:15 ']);
    world.clock.wakeAt(world.at('2026-11-27T12:00'));
    world.clock.wakeAt(null);
    world.runTo('2026-11-27T13:00');
    world.clock.wakeAt(world.at('2026-11-27T14:00'));
    world.sleepTo('2026-11-27T15:00');
    world.clock.check();
    world.clock.check();
    assert.deepEqual(world.log, ['2026-11-27T10:15 ', '2026-11-27T15:00 ']);
  });

  test('[TIME-20] a hundred thousand dates ahead cost a wait no more than one does', () => {
    const world = new World('2026-11-27T09:00');
    for (let index = 0; index < 100_000; index += 1)
      world.put(`t${index}`, { due: { at: world.now + (index + 1) * 10 * HOUR_MS, zone: 'UTC' } });
    world.runTo('2026-11-27T20:00');
    assert.deepEqual(world.log, ['2026-11-27T19:00 t0']);
    assert.ok(world.wakes <= 3, `${world.wakes} times`);
  });
});
