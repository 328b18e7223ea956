// A date that is said anew keeps what was not said of it: another day its time of day, a time its day.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldOf } from '#sync/rows/row.ts';
import { at, hints, say, task } from './dated.ts';
import { type Desk, list } from './desk.ts';

/** Friday 27 November 2026, 09:00. */
const FRIDAY = '2026-11-27';

/** What is offered for the words. */
function offered(desk: Desk, words: string): readonly string[] {
  desk.press('d');
  desk.type(words);
  const titles = desk.palette();
  desk.press('Escape');
  return titles;
}

describe('a date that is said anew', () => {
  test('[TIME-28] another day keeps the time of day; the day alone is offered below it', () => {
    const desk = list();
    say(desk, 'd', 'mon 10am');
    desk.press('d');
    desk.type('tue');
    assert.deepEqual(desk.palette(), ['Tue 1 Dec 2026, 10:00', 'Tue 1 Dec 2026']);
    assert.deepEqual(hints(desk), ['in 4 days · timed', 'in 4 days · all day']);
    desk.press('Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { at: at('2026-12-01T10:00'), zone: 'UTC' });
    assert.equal(desk.message, '‘Plan’ is due Tue 1 Dec 2026, 10:00.');
    desk.press('d');
    desk.type('wed');
    desk.press('Down', 'Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-02' });
  });

  test('[TIME-28] a preset keeps it too; a time that has passed on the day is left behind', () => {
    const desk = list();
    say(desk, 'd', 'mon 8am');
    desk.press('d');
    assert.deepEqual(hints(desk).slice(0, 2), ['Fri 27 Nov · all day', 'Sat 28 Nov, 08:00']);
    desk.press('Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: FRIDAY });
    say(desk, 't', 'sat 18:00');
    say(desk, 't', 'sun');
    assert.deepEqual(fieldOf(task(desk), 'start'), { at: at('2026-11-29T18:00'), zone: 'UTC' });
  });

  test('[TIME-29] the month begins with the day that is set, and follows what is chosen', () => {
    const desk = list();
    say(desk, 'd', '18 jan 2027');
    desk.press('d');
    const month = () => desk.app.view.palette.get()?.month;
    assert.deepEqual([month()?.title, month()?.held], ['January 2027', '2027-01-18']);
    desk.press('Down');
    assert.equal(month()?.title, 'November 2026');
    desk.press('Up');
    desk.type('20 dec');
    assert.equal(month()?.title, 'December 2026');
  });

  test('[TIME-28] a time without a day is first offered on the day that the task has, while that is ahead', () => {
    const desk = list();
    say(desk, 'd', 'mon');
    desk.press('d');
    desk.type('5pm');
    assert.deepEqual(desk.palette(), ['Mon 30 Nov 2026, 17:00', 'Fri 27 Nov 2026, 17:00']);
    desk.press('Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { at: at('2026-11-30T17:00'), zone: 'UTC' });
    for (const words of ['tue 6pm', 'in 3h', '2'])
      assert.ok(!offered(desk, words).some((title) => title.startsWith('Mon 30 Nov')), words);
    say(desk, 'd', '25 nov 2026');
    assert.deepEqual(offered(desk, '5pm'), ['Fri 27 Nov 2026, 17:00']);
  });

  test('[TIME-28] of several tasks each keeps its own time', () => {
    const desk = list();
    say(desk, 'd', 'mon 10am');
    desk.press('Down');
    say(desk, 'd', 'mon 11:30');
    desk.press('Up', 'Shift+Down', 'Shift+Down', 'd');
    desk.type('tue');
    assert.deepEqual(desk.palette(), ['Tue 1 Dec 2026', 'Tue 1 Dec 2026']);
    assert.deepEqual(hints(desk), ['in 4 days · each keeps its time', 'in 4 days · all day']);
    desk.press('Enter');
    const dues = ['Plan', 'Write', 'Send'].map((title) => fieldOf(task(desk, title), 'due'));
    assert.deepEqual(dues, [
      { at: at('2026-12-01T10:00'), zone: 'UTC' },
      { at: at('2026-12-01T11:30'), zone: 'UTC' },
      { on: '2026-12-01' },
    ]);
  });

  test('[TIME-28] one occurrence that moves keeps its time', () => {
    const desk = list();
    say(desk, 'r', 'every monday at 10am');
    desk.app.run('task.once', { value: 'tue' });
    assert.deepEqual(fieldOf(task(desk), 'due'), { at: at('2026-12-01T10:00'), zone: 'UTC' });
  });
});
