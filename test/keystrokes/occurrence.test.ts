// One occurrence changed alone, and the month beside a date picker, by keys.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mineId } from '#core/ids.ts';
import { stepFrom } from '#client/pickers/month.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import { SCOPE } from './desk-engine.ts';
import { type Desk, list } from './desk.ts';

/** Friday 27 November 2026, 09:00. */
const FRIDAY = '2026-11-27';
const at = (wall: string) => Temporal.Instant.from(`${wall}:00Z`).epochMilliseconds;

function task(desk: Desk, title = 'Plan'): Row {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, `there is a task ${title}`);
  return row;
}

const mine = (desk: Desk) => registersOf(desk.replica.row(mineId(SCOPE, task(desk).id)));
const note = (desk: Desk) => desk.app.view.palette.get()?.note;

/** Presses the key, says the words, accepts. */
function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}

describe('one occurrence', () => {
  const weekly = () => {
    const desk = list();
    say(desk, 'r', 'every friday');
    return desk;
  };

  test('[REP-20] [TIME-16] Shift+O moves this one and leaves the schedule', () => {
    const desk = weekly();
    say(desk, 'Shift+O', 'mon');
    assert.equal(desk.message, '‘Plan’: Mon 30 Nov 2026, only this time. The series doesn’t change.');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-30' });
    assert.equal(desk.rows()[0]?.repeats, 'every Friday, this one differs');
    desk.press('Shift+O');
    assert.equal(note(desk), 'In the series, it’s Fri 27 Nov 2026. That continues after this occurrence.');
    desk.press('Escape');
    // Moved once more, by the ordinary key: still this one alone.
    say(desk, 'd', 'tue');
    assert.match(desk.message, /This occurrence only\.$/);
    desk.press('Space');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
    assert.equal(desk.rows()[0]?.repeats, 'every Friday');
    const record = [...desk.replica.all()].find(({ type }) => type === 'completion');
    assert.deepEqual(fieldOf(record, 'due'), { on: '2026-12-01' });
    desk.press('Mod+Z');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-01' });
    assert.equal(desk.rows()[0]?.repeats, 'every Friday, this one differs');
    desk.press('Mod+Z', 'Mod+Z');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: FRIDAY });
    assert.equal(desk.rows()[0]?.repeats, 'every Friday');
  });

  test('[REP-20] a title and notes of its own go with it, and come back by undo', () => {
    const desk = weekly();
    desk.press('Shift+O');
    while (!desk.palette()[desk.app.view.palette.get()?.active ?? 0]?.startsWith('Title')) desk.press('Down');
    desk.press('Enter');
    desk.type(' with guests');
    desk.press('Escape', 'n');
    desk.app.draftNotes(task(desk, 'Plan with guests').id, 'Invite them');
    desk.press('Escape', 'Space');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
    assert.equal(fieldOf(task(desk), 'notes'), undefined);
    desk.press('Mod+Z');
    assert.equal(fieldOf(task(desk, 'Plan with guests'), 'notes'), 'Invite them');
    desk.press('Shift+R');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
    assert.equal(fieldOf(task(desk), 'series'), undefined);
  });

  test('[REP-20] [REP-21] it can be as in the series again, or become the series; another rule ends it', () => {
    const desk = weekly();
    const choose = (words: string) => {
      desk.press('Shift+O');
      while (!desk.palette()[desk.app.view.palette.get()?.active ?? 0]?.startsWith(words)) desk.press('Down');
      desk.press('Enter');
    };
    say(desk, 'Shift+O', 'mon');
    choose('Same as the series');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: FRIDAY });
    assert.equal(fieldOf(task(desk), 'series'), undefined);
    say(desk, 'Shift+O', '2 dec');
    choose('Keep it');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-02' });
    assert.equal(desk.rows()[0]?.repeats, 'every Friday');
    say(desk, 'Shift+O', '3 dec');
    say(desk, 'r', 'every 3 days');
    desk.press('Space');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-06' });
    desk.press('Down', 'Shift+O');
    assert.equal(desk.message, 'Select a repeating task first.');
  });

  test('[REP-19] repeats obey the hour at which the day begins', () => {
    const desk = list();
    desk.app.run('setting.dayStart', { value: '5' });
    desk.timers.advance(17 * 3_600_000);
    say(desk, 'r', 'every day');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: FRIDAY });
    desk.press('Space');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-28' });
  });
});

describe('the month', () => {
  const month = (desk: Desk) => {
    const shown = desk.app.view.palette.get()?.month;
    assert.ok(shown, 'a month is shown');
    return shown;
  };
  const query = (desk: Desk) => desk.app.view.palette.get()?.query;

  test('[TIME-17] shows the day that is meant, and Tab goes into it and back', () => {
    const desk = list();
    desk.press('d');
    assert.equal(month(desk).title, 'November 2026');
    assert.equal(month(desk).day, FRIDAY);
    desk.press('Down');
    assert.equal(month(desk).day, '2026-11-28', 'the preset at hand');
    desk.type('15 jan 5pm');
    assert.equal(month(desk).title, 'January 2027');
    assert.equal(month(desk).isFocused, false);
    desk.press('Tab');
    assert.deepEqual(desk.app.view.focus.get(), { pane: 'palette', day: '2027-01-15' });
    desk.press('Escape');
    assert.deepEqual(desk.app.view.focus.get(), { pane: 'palette' });
    desk.press('Escape');
    assert.equal(desk.app.view.palette.get(), null);
  });

  test('[TIME-17] keys move the day in the field, which keeps its time', () => {
    const desk = list();
    desk.press('d');
    desk.type('15 jan 5pm');
    desk.press('Tab');
    const after = (key: string) => {
      desk.press(key);
      return query(desk);
    };
    assert.deepEqual(
      ['Right', 'Down', 'Left', 'Up', 'PageDown', 'PageUp', 'Shift+PageDown', 'Home', 'End'].map(after),
      [
        '2027-01-16 17:00',
        '2027-01-23 17:00',
        '2027-01-22 17:00',
        '2027-01-15 17:00',
        '2027-02-15 17:00',
        '2027-01-15 17:00',
        '2028-01-15 17:00',
        '2028-01-10 17:00',
        '2028-01-16 17:00',
      ],
    );
    desk.press('Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { at: at('2028-01-16T17:00'), zone: 'UTC' });
  });

  test('[TIME-17] a pressed day is taken, also after a preset with an hour of its own', () => {
    const desk = list();
    desk.press('d');
    desk.app.pressDay('2026-12-24');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-24' });
    desk.press('r');
    assert.equal(desk.app.view.palette.get()?.month, null);
    desk.press('Tab');
    assert.deepEqual(desk.app.view.focus.get(), { pane: 'palette' });
    desk.press('Escape', 's');
    desk.app.pressDay('2026-12-24');
    assert.deepEqual(mine(desk).snooze, { on: '2026-12-24' });
  });

  test('[TIME-17] weeks begin as the settings say, else as the language does', () => {
    const desk = list();
    const first = () => {
      desk.press('d');
      const [day] = month(desk).weekdays;
      desk.press('Escape');
      return day?.long;
    };
    assert.equal(first(), 'Monday');
    desk.app.run('setting.weekStart', { value: 'sunday' });
    assert.equal(first(), 'Sunday');
    desk.press('d', 'Tab', 'Home');
    assert.equal(query(desk), '2026-11-22');
    const days = month(desk).weeks.flat();
    assert.equal(days.length, 42);
    assert.equal(days.filter(({ isOutside }) => !isOutside).length, 30);
    assert.equal(days.find(({ isToday }) => isToday)?.label, 'Friday, 27 November 2026');
  });

  test('[TIME-17] the ends of the calendar hold, and the last days of months too', () => {
    assert.equal(stepFrom('2026-01-31', { months: 1 }, 1), '2026-02-28');
    assert.equal(stepFrom('1900-01-01', { days: -1 }, 1), '1900-01-01');
    assert.equal(stepFrom('9998-12-31', { days: 1 }, 1), '9998-12-31');
    assert.equal(stepFrom('2026-11-22', { to: 'end of week' }, 1), '2026-11-22');
    assert.equal(stepFrom('2026-11-22', { to: 'start of week' }, 6), '2026-11-21');
  });
});
