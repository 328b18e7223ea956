// Snoozing by keys: what is offered has digits, words are read, and what that does to the task.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mineId } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { SCOPE } from './desk-engine.ts';
import { type Desk, list } from './desk.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';

/** Friday 27 November 2026, 09:00. */
const FRIDAY = '2026-11-27';
const at = (wall: string) => Temporal.Instant.from(`${wall}:00Z`).epochMilliseconds;

const task = (desk: Desk) =>
  must(
    [...desk.replica.all()].find((held) => fieldOf(held, 'title') === 'Plan'),
    'there is a task Plan',
  );
const mine = (desk: Desk) => registersOf(desk.replica.row(mineId(SCOPE, task(desk).id)));
const view = (desk: Desk) => desk.app.view.palette.get();
const hints = (desk: Desk) => (view(desk)?.items ?? []).map(({ hint }) => hint);

function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}

describe('snooze', () => {
  test('[TIME-1] of what is offered for snoozing a digit and Enter choose', () => {
    const desk = list();
    desk.press('s');
    assert.deepEqual(
      view(desk)?.items.map(({ keys }) => keys.join(' ')),
      ['1 ↵', '2 ↵', '3 ↵', '4 ↵', '5 ↵', '6 ↵'],
    );
    desk.type('3');
    assert.deepEqual(desk.palette(), ['Tomorrow', 'Thu 3 Dec 2026']);
    assert.equal(view(desk)?.active, 0);
    desk.press('Enter');
    assert.equal(desk.message, 'Snoozed ‘Plan’ until Sat 28 Nov 2026.');
  });

  test('[TIME-1] what is offered says its day and hour in short, with the year where it is another', () => {
    const desk = list();
    desk.press('s');
    assert.deepEqual(hints(desk).slice(0, 3), [
      'Fri 27 Nov, 12:00',
      'Fri 27 Nov, 18:00',
      'Sat 28 Nov · all day',
    ]);
    desk.press('Escape', 'd');
    assert.equal(hints(desk)[4], 'Tue 1 Dec · all day');
    desk.press('Escape');
    desk.timers.advance(34 * 86_400_000);
    desk.press('s');
    assert.equal(hints(desk)[2], 'Fri 1 Jan 2027 · all day');
  });

  test('[TIME-1] what goes on behind the digit is words, and none of it is a command', () => {
    for (const [words, said] of [
      ['3 days', /until Mon 30 Nov 2026\./],
      ['2 weeks', /until Fri 11 Dec 2026\./],
      ['5pm', /until Fri 27 Nov 2026, 17:00\./],
      ['1/12', /until Tue 1 Dec 2026\./],
    ] as const) {
      const desk = list();
      const before = desk.screen();
      desk.press('s');
      for (const letter of words) desk.type(letter);
      assert.equal(view(desk)?.query, words);
      desk.press('Enter');
      assert.match(desk.message, said);
      desk.press('Mod+Z');
      assert.equal(desk.screen(), before);
    }
  });

  test('[TIME-1] “pick” leads into the month', () => {
    const desk = list();
    desk.press('s');
    desk.type('6');
    desk.press('Enter');
    assert.equal(view(desk)?.month?.isFocused, true);
    desk.press('Down', 'Enter');
    assert.equal(desk.message, 'Snoozed ‘Plan’ until Fri 4 Dec 2026.');
  });

  test('[TIME-7] digits say when it comes back, and it is counted', () => {
    const desk = list();
    desk.press('s');
    assert.deepEqual(desk.palette(), [
      'Later today',
      'This evening',
      'Tomorrow',
      'Weekend',
      'Next week',
      'Pick…',
    ]);
    desk.type('3');
    desk.press('Enter');
    assert.deepEqual(mine(desk).snooze, { on: '2026-11-28' });
    assert.equal(mine(desk).snoozeCount, 1);
    assert.equal(desk.message, 'Snoozed ‘Plan’ until Sat 28 Nov 2026.');
    desk.press('Mod+Z');
    assert.equal(mine(desk).snooze ?? null, null);
    assert.equal(mine(desk).snoozeCount ?? 0, 0);
  });

  test('[TIME-7] later today is three hours on, at a half hour', () => {
    const desk = list();
    desk.timers.advance(7 * 60_000);
    desk.press('s');
    desk.type('1');
    desk.press('Enter');
    assert.deepEqual(mine(desk).snooze, { at: at(`${FRIDAY}T12:30`), zone: 'UTC' });
  });

  test('[TIME-7] the evening that has passed is tomorrow’s', () => {
    const desk = list();
    desk.timers.advance(10 * 3_600_000);
    desk.press('s');
    assert.equal(desk.palette()[1], 'Tomorrow evening');
    desk.type('2');
    desk.press('Enter');
    assert.deepEqual(mine(desk).snooze, { at: at('2026-11-28T18:00'), zone: 'UTC' });
  });

  test('[TIME-7] on a weekend the next one is offered, for today is no snoozing', () => {
    const desk = list();
    desk.timers.advance(24 * 3_600_000);
    desk.press('s');
    assert.equal(desk.palette()[3], 'Next weekend');
    desk.type('4');
    desk.press('Enter');
    assert.deepEqual(mine(desk).snooze, { on: '2026-12-05' });
    assert.ok(!desk.rows().some(({ title }) => title === 'Plan'));
    desk.press('Mod+Z');
    desk.timers.advance(24 * 3_600_000);
    desk.press('s');
    desk.type('4');
    desk.press('Enter');
    assert.deepEqual(mine(desk).snooze, { on: '2026-12-05' }, 'on a Sunday it is in six days');
  });

  test('[TIME-7] what is tomorrow is not called later today', () => {
    const desk = list();
    desk.timers.advance(13 * 3_600_000);
    desk.press('s');
    assert.equal(desk.palette()[0], 'In three hours');
  });

  test('[TIME-8] a repeating task keeps its schedule, and that is said', () => {
    const desk = list();
    say(desk, 'r', 'every week');
    desk.press('s');
    assert.equal(view(desk)?.note, 'The repeat schedule doesn’t change.');
    desk.type('5');
    desk.press('Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: FRIDAY });
    assert.match(desk.message, /The repeat schedule doesn’t change\.$/);
  });

  test('[TIME-7] the past is refused', () => {
    const desk = list();
    say(desk, 's', 'yesterday');
    assert.equal(mine(desk).snooze ?? null, null);
    assert.equal(desk.message, 'That’s in the past. Pick a later time.');
  });
});
