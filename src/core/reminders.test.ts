// Rules REM-… of docs/rules/reminders.md that are about moments.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  dayMinuteOf,
  type Reminder,
  type ReminderContext,
  reminderMoment,
  remindersIn,
  registerOf,
  ringsOf,
  type StampedRow,
  usualDayMinute,
} from './reminders.ts';
import type { When } from './when.ts';

const BERLIN = 'Europe/Berlin';
const ms = (local: string, zone = 'UTC') =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
const here = (zone = 'UTC', dayMinute = usualDayMinute): ReminderContext => ({
  zone,
  dayMinute,
  wakeMinute: 0,
});

/** Either of the two rows that are read. */
type Either = StampedRow<'task'> & StampedRow<'mine'>;

function row(fields: Readonly<Record<string, unknown>>, at = 0): Either {
  return { fields: fields as Either['fields'], stamp: [1, at, 1, 1] };
}

const held = (...reminders: readonly Reminder[]) =>
  Object.fromEntries(reminders.map((reminder) => [registerOf(reminder), reminder]));
const moments = (
  task: StampedRow<'task'>,
  mine: StampedRow<'mine'>,
  context = here(),
): readonly (readonly [number, number])[] =>
  ringsOf(task, mine, context).map(({ moment, at }) => [moment, at] as const);

describe('reminders', () => {
  test('[REM-4] a day rings at nine in the person’s zone, or at the time chosen', () => {
    const due: When = { on: '2026-11-27' };
    assert.equal(reminderMoment({ before: 0 }, due, here(BERLIN)), ms('2026-11-27T09:00', BERLIN));
    assert.equal(reminderMoment({ before: 0 }, due, here(BERLIN, 450)), ms('2026-11-27T07:30', BERLIN));
    assert.equal(reminderMoment({ before: 60 }, due, here(BERLIN)), ms('2026-11-27T08:00', BERLIN));
    assert.equal(reminderMoment({ when: due }, null, here('UTC')), ms('2026-11-27T09:00'));
    assert.equal(
      reminderMoment({ before: 0 }, { local: '2026-11-27T17:00' }, here(BERLIN)),
      ms('2026-11-27T17:00', BERLIN),
    );
  });

  test('[REM-4] whole days before keep the time of day across a change of the clock', () => {
    const due: When = { at: ms('2026-03-29T12:00', BERLIN), zone: BERLIN };
    assert.equal(reminderMoment({ before: 1_440 }, due, here()), ms('2026-03-28T12:00', BERLIN));
    assert.equal(reminderMoment({ before: 1_439 }, due, here()), due.at - 1_439 * 60_000);
  });

  test('[REM-4] what another version chose as the time does no harm', () => {
    for (const wrong of [undefined, null, -1, 1_440, 1.5, '9:00'])
      assert.equal(dayMinuteOf(wrong), usualDayMinute);
    assert.equal(dayMinuteOf(450), 450);
  });

  test('[REM-3] without a due date a relative one does not ring', () => {
    assert.equal(reminderMoment({ before: 10 }, null, here()), null);
    assert.deepEqual(moments(row({}), row(held({ before: 10 }))), []);
  });

  test('[REM-5] a moment that had passed when it was given does not ring', () => {
    const due = { at: 100_000_000, zone: 'UTC' };
    const reminder = { before: 10 };
    const moment = 100_000_000 - 600_000;
    const kept = moments(row({ due }, moment - 1), row(held(reminder), moment - 1));
    assert.deepEqual(kept, [[moment, moment]]);
    assert.deepEqual(moments(row({ due }, moment), row(held(reminder), 0)), []);
    assert.deepEqual(moments(row({ due }, 0), row(held(reminder), moment)), []);
    // That the title was changed later gives no date.
    const renamed = { ...row({ due }, 0), stamps: { title: [9, moment + 1, 1, 2] as const } };
    assert.equal(moments(renamed, row(held(reminder), 0)).length, 1);
  });

  test('[REM-6] complete or in the trash it never rings', () => {
    const mine = row(held({ when: { at: 1_000, zone: 'UTC' } }));
    assert.equal(moments(row({}), mine).length, 1);
    assert.deepEqual(moments(row({ status: { done: 1 } }), mine), []);
    assert.deepEqual(moments(row({ status: { done: 1, cleared: 2 } }), mine), []);
    assert.deepEqual(moments(row({ del: { at: 1, by: 1 } }), mine), []);
  });

  test('[REM-7] snoozed, what would have rung rings at the end of it', () => {
    const at = (moment: number) => ({ when: { at: moment, zone: 'UTC' } });
    const snooze = { at: 5_000, zone: 'UTC' };
    const mine = row({ ...held(at(1_000), at(9_000)), snooze });
    assert.deepEqual(moments(row({}), mine), [
      [1_000, 5_000],
      [9_000, 9_000],
    ]);
    const byDay = row({ ...held(at(ms('2026-11-26T12:00'))), snooze: { on: '2026-11-27' } });
    assert.deepEqual(moments(row({}), byDay), [[ms('2026-11-26T12:00'), ms('2026-11-27T00:00')]]);
    // What was dealt with before it was snoozed is over.
    assert.deepEqual(moments(row({}), row({ ...mine.fields, reminded: 1_000 })), [[9_000, 9_000]]);
  });

  test('[REM-2] a reminder has one name, and is listed nearest to the due date first', () => {
    const reminders: Reminder[] = [
      { when: { on: '2026-11-27' } },
      { before: 1_440 },
      { when: { at: 5, zone: 'UTC' } },
      { before: 0 },
      { when: { local: '2026-11-27T17:00' } },
    ];
    const names = remindersIn(row(held(...reminders))).map(({ register }) => register);
    assert.deepEqual(names, [
      'remind:before-0',
      'remind:before-1440',
      'remind:at-5',
      'remind:on-2026-11-27',
      'remind:local-2026-11-27T17:00',
    ]);
  });

  test('[REM-8] dealing with what rang is the same however often and in whatever order it is said', () => {
    const reminder = fc.oneof(
      fc.record({ before: fc.nat({ max: 5_000 }) }),
      fc.record({
        when: fc.record({ at: fc.integer({ min: 1, max: 10_000_000 }), zone: fc.constant('UTC') }),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(reminder, { maxLength: 8 }),
        fc.array(fc.nat({ max: 10_000_000 }), { minLength: 1, maxLength: 5 }),
        fc.nat({ max: 600_000_000 }),
        (reminders, said, due) => {
          const task = row({ due: { at: due, zone: 'UTC' } });
          const mine = held(...(reminders as Reminder[]));
          const all = ringsOf(task, row(mine), here());
          const reminded = Math.max(...said);
          const left = ringsOf(task, row({ ...mine, reminded }), here());
          assert.deepEqual(
            left,
            all.filter(({ moment }) => moment > reminded),
          );
          assert.deepEqual(
            all.map(({ at }) => at),
            all.map(({ at }) => at).toSorted((a, b) => a - b),
          );
        },
      ),
      { seed: 18 },
    );
  });
});
