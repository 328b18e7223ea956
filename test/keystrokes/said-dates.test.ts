// What date pickers make of ranges, misspelled words and repeats, and what they offer before anything is typed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findDate } from '#core/titles/dates.ts';
import { plainContext } from '#core/dates/plain-context.ts';
import { english } from '#core/dates/vocabulary.ts';
import { daysOf } from '#core/search/days.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { START } from './desk-engine.ts';
import { type Desk, list } from './desk.ts';

/** It is Friday 27 November 2026, 09:00. */
function task(desk: Desk, title = 'Plan'): Row {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, `there is a task ${title}`);
  return row;
}

const hints = (desk: Desk) => (desk.app.view.palette.get()?.items ?? []).map(({ hint }) => hint);

/** Presses the key, says the words, accepts. */
function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}

describe('dates said otherwise', () => {
  test('[TIME-23] a range of days sets the start and the due date, as one undo', () => {
    const desk = list();
    desk.press('d');
    desk.type('3-10 dec');
    assert.deepEqual(desk.palette(), ['Thu 3 Dec – Thu 10 Dec 2026']);
    assert.deepEqual(hints(desk), ['starts and is due · in 13 days · all day']);
    desk.press('Enter');
    assert.equal(desk.message, '‘Plan’ starts Thu 3 Dec 2026 and is due Thu 10 Dec 2026.');
    assert.deepEqual(fieldOf(task(desk), 'start'), { on: '2026-12-03' });
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-10' });
    desk.press('Mod+Z');
    assert.equal(fieldOf(task(desk), 'start') ?? null, null);
    assert.equal(fieldOf(task(desk), 'due') ?? null, null);
    assert.equal(desk.app.run('task.due', { value: 'mon to fri' }).type, 'done');
    assert.deepEqual(fieldOf(task(desk), 'start'), { on: '2026-11-30' });
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
  });

  test('[TIME-23] for a start or a snooze a range of days is its first one', () => {
    const desk = list();
    desk.press('t');
    desk.type('from dec 3 until dec 10');
    assert.deepEqual(desk.palette(), ['Thu 3 Dec 2026']);
    desk.press('Enter');
    assert.deepEqual(fieldOf(task(desk), 'start'), { on: '2026-12-03' });
    assert.equal(fieldOf(task(desk), 'due') ?? null, null);
    assert.equal(desk.app.run('task.start', { value: '5-7 dec' }).type, 'done');
    assert.deepEqual(fieldOf(task(desk), 'start'), { on: '2026-12-05' });
    say(desk, 's', '3-10 dec');
    assert.equal(desk.message, 'Snoozed ‘Plan’ until Thu 3 Dec 2026.');
  });

  test('[TIME-24] a misspelled day or month is a guess, and says so', () => {
    const desk = list();
    for (const [words, title, right] of [
      ['tomorow', 'Guess: Sat 28 Nov 2026', 'tomorrow'],
      ['Tommorow', 'Guess: Sat 28 Nov 2026', 'tomorrow'],
      ['next wendesday 5pm', 'Guess: Wed 2 Dec 2026, 17:00', 'next wednesday 5pm'],
      ['thrusday', 'Guess: Thu 3 Dec 2026', 'thursday'],
      ['teusday', 'Guess: Tue 1 Dec 2026', 'tuesday'],
      ['3 febuary', 'Guess: Wed 3 Feb 2027', '3 february'],
      ['5 novmber 2027', 'Guess: Fri 5 Nov 2027', '5 november 2027'],
    ] as const) {
      desk.press('d');
      desk.type(words);
      assert.equal(desk.palette()[0], title, words);
      assert.match(hints(desk)[0] ?? '', new RegExp(`^as “${right}” · `), words);
      desk.press('Escape');
    }
    say(desk, 'd', 'tomorow');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-28' });
    desk.press('r');
    desk.type('every wendesday');
    assert.equal(desk.palette()[0], 'Guess: Every Wednesday');
    desk.press('Escape');
    // Two letters, a short name, another word.
    for (const words of ['tmorw', 'mya', 'monitor', 'paprika', 'mark']) {
      desk.press('d');
      desk.type(words);
      assert.deepEqual(desk.palette(), ['Not a date yet. Keep typing.'], words);
      desk.press('Escape');
    }
  });

  test('[TIME-24] titles, links and searches know no guesses', () => {
    const desk = list();
    assert.equal(desk.app.run('task.due', { value: 'tomorow' }).type, 'refused');
    const context = plainContext(START, 'UTC');
    assert.equal(findDate('Call Ann tomorow', context, { vocabulary: english }), null);
    assert.equal(daysOf('tomorow', context), null);
  });

  test('[TIME-25] what is offered differs, on every day of the year and whatever a week is', () => {
    for (const nextWeek of ['first day', 'same weekday'])
      for (const weekStart of ['monday', 'saturday', 'sunday']) {
        const desk = list();
        desk.app.run('setting.nextWeek', { value: nextWeek });
        desk.app.run('setting.weekStart', { value: weekStart });
        for (let day = 0; day < 45; day += 1) {
          desk.press('d');
          const days = (desk.app.view.palette.get()?.items ?? []).map(({ hint }) => hint);
          assert.equal(days.length, 5);
          assert.equal(new Set(days).size, 5, days.join(', '));
          desk.press('Escape');
          desk.timers.advance(86_400_000);
        }
      }
  });

  test('[TIME-25] on a weekend the next one is offered, and next week is not tomorrow', () => {
    const desk = list();
    desk.timers.advance(24 * 3_600_000);
    desk.press('d');
    assert.equal(desk.palette()[2], 'Next weekend');
    assert.equal(hints(desk)[2], 'Sat 5 Dec · all day');
    desk.press('Escape');
    desk.timers.advance(24 * 3_600_000);
    desk.press('d');
    assert.deepEqual(desk.palette().slice(0, 4), ['Today', 'Tomorrow', 'Next weekend', 'In a week']);
    assert.deepEqual(hints(desk).slice(1, 4), [
      'Mon 30 Nov · all day',
      'Sat 5 Dec · all day',
      'Sun 6 Dec · all day',
    ]);
  });

  test('[TIME-26] a repeat where a date is asked for, and a date where a repeat is', () => {
    const desk = list();
    desk.press('d');
    desk.type('every other tuesday');
    assert.deepEqual(desk.palette(), ['Repeat every 2 weeks on Tue…']);
    assert.deepEqual(desk.app.view.palette.get()?.items[0]?.keys, ['r']);
    desk.press('Enter');
    assert.equal(desk.app.view.palette.get()?.query, 'every other tuesday');
    assert.equal(desk.palette()[0], 'Every 2 weeks on Tue');
    desk.press('Enter');
    assert.equal(desk.rows()[0]?.repeats, 'every 2 weeks on Tue');
    desk.press('Down', 'r');
    desk.type('tomorrow');
    assert.deepEqual(desk.palette(), ['Due Sat 28 Nov 2026…']);
    desk.press('Enter', 'Enter');
    assert.deepEqual(fieldOf(task(desk, 'Write'), 'due'), { on: '2026-11-28' });
    desk.press('r');
    desk.type('tuesday');
    assert.equal(desk.palette()[0], 'Every Tuesday');
    desk.press('Escape');
    // A snooze does not repeat.
    desk.press('s');
    desk.type('every tuesday');
    assert.deepEqual(desk.palette(), ['Not a date yet. Keep typing.']);
  });

  test('[TIME-27] [DATE-16] now has not passed, and tonight is still ahead', () => {
    const desk = list();
    desk.timers.advance(13.5 * 3_600_000 + 45_000);
    const offered = (key: string, words: string) => {
      desk.press(key);
      desk.type(words);
      const said = [desk.palette()[0], hints(desk)[0]];
      desk.press('Escape');
      return said;
    };
    assert.deepEqual(offered('d', 'now'), ['Fri 27 Nov 2026, 22:30', 'now · timed']);
    assert.deepEqual(offered('d', 'tonight'), ['Fri 27 Nov 2026, 23:45', 'in 1 h 14 min · timed']);
    assert.deepEqual(offered('s', 'tonight'), ['Sat 28 Nov 2026, 20:00', 'tomorrow · timed']);
  });

  test('[TIME-16] [TIME-23] of one occurrence a range sets both dates, and no repeat is offered', () => {
    const desk = list();
    say(desk, 'r', 'every friday');
    say(desk, 'Shift+O', '3-10 dec');
    assert.deepEqual(fieldOf(task(desk), 'start'), { on: '2026-12-03' });
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-10' });
    desk.press('Shift+O');
    desk.type('every tuesday');
    assert.deepEqual(desk.palette(), ['Not a date yet. Keep typing.']);
    desk.press('Escape', 'Space');
    assert.equal(fieldOf(task(desk), 'start') ?? null, null);
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
  });
});
