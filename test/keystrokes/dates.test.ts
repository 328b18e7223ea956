// Keys about time: due, start, repeat and duration, by words and by what is offered. Snoozing is snoozing.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { START } from './desk-engine.ts';
import { at, hints, say, task } from './dated.ts';
import { Desk, list, outline } from './desk.ts';

/** Friday 27 November 2026, 09:00. */
const FRIDAY = '2026-11-27';

const note = (desk: Desk) => desk.app.view.palette.get()?.note;

describe('due and start', () => {
  test('[TIME-1] d asks for the due date and previews what was typed', () => {
    const desk = list();
    desk.press('d');
    assert.equal(desk.app.view.focus.get().pane, 'palette');
    desk.type('next fri 5pm');
    assert.deepEqual(desk.palette(), ['Fri 4 Dec 2026, 17:00', 'Fri 11 Dec 2026, 17:00']);
    assert.deepEqual(hints(desk), ['in 7 days · timed', 'in 14 days · timed']);
    desk.press('Down', 'Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { at: at('2026-12-11T17:00'), zone: 'UTC' });
    assert.equal(desk.message, '‘Plan’ is due Fri 11 Dec 2026, 17:00.');
    assert.equal(desk.app.view.focus.get().pane, 'outline');
    desk.press('Mod+Z');
    assert.equal(fieldOf(task(desk), 'due') ?? null, null);
  });

  test('[TIME-1] a day without a time is all day, one that has passed is marked', () => {
    const desk = list();
    desk.press('d');
    desk.type('25 nov 2026');
    assert.deepEqual(desk.palette(), ['Wed 25 Nov 2026']);
    assert.deepEqual(hints(desk), ['2 days ago · all day · has passed']);
    desk.press('Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-25' });
    assert.deepEqual(desk.rows()[0]?.due, { text: 'Wed 25 Nov', overdue: true });
  });

  test('[TIME-1] what begins with a digit is typed into a date like anything else', () => {
    const desk = list();
    const typed = (key: string, words: string) => {
      desk.press(key);
      for (const letter of words) desk.type(letter);
      assert.equal(desk.app.view.palette.get()?.query, words);
      desk.press('Enter');
    };
    desk.press('d');
    assert.deepEqual(desk.palette().slice(0, 3), ['Today', 'Tomorrow', 'Next weekend']);
    desk.press('Escape');
    typed('d', '3d');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-30' });
    typed('d', '29/11');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-29' });
    typed('t', '28');
    assert.deepEqual(fieldOf(task(desk), 'start'), { on: '2026-11-28' });
    typed('Shift+D', '1h30');
    assert.equal(fieldOf(task(desk), 'duration'), 90);
    // Both readings, the one of the person's language first.
    desk.press('d');
    for (const letter of '3/4/2027') desk.type(letter);
    assert.deepEqual(desk.palette(), ['Sat 3 Apr 2027', 'Thu 4 Mar 2027']);
  });

  test('[TIME-18] Mod+Enter takes what is chosen, and the picker stays', () => {
    const desk = list();
    desk.press('d');
    desk.type('29 nov');
    desk.press('Mod+Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-29' });
    assert.equal(desk.message, '‘Plan’ is due Sun 29 Nov 2026.');
    assert.equal(note(desk), 'Now Sun 29 Nov 2026.');
    desk.type('gibberish');
    desk.press('Mod+Enter');
    assert.equal(desk.app.view.palette.get()?.query, 'gibberish');
    desk.press('Escape');
    // What is snoozed leaves the outline: it is asked about on, the next task is not.
    const plan = task(desk).id;
    const isThere = () => desk.rows().some(({ id }) => id === plan);
    assert.equal(isThere(), true);
    desk.press('s');
    desk.type('tomorrow');
    desk.press('Mod+Enter');
    assert.equal(isThere(), false);
    assert.notEqual(note(desk), null);
    desk.type('3 dec');
    desk.press('Enter');
    assert.match(desk.message, /^Snoozed ‘Plan’ until Thu 3 Dec/);
    desk.press('Mod+K');
    desk.type('theme');
    desk.press('Mod+Enter');
    assert.equal(desk.app.view.palette.get()?.query, 'theme');
  });

  test('[TIME-18] how several tasks repeat, and that they differ, is said beside the next dates', () => {
    const desk = list();
    say(desk, 'r', 'every day');
    desk.press('r');
    assert.match(note(desk) ?? '', /^Now every day\. Next: /);
    desk.press('Escape', 'Down');
    say(desk, 'r', 'every week');
    desk.press('Shift+Up', 'r');
    assert.match(note(desk) ?? '', /^They differ\. Your choice replaces all of them\. Next: /);
    desk.type('every 2 days');
    desk.press('Enter');
    const rules = [...desk.replica.all()].flatMap((held) =>
      fieldOf(held, 'repeat') ? [fieldOf(held, 'repeat')] : [],
    );
    assert.equal(rules.length, 2);
    assert.deepEqual(rules[0], rules[1]);
  });

  test('[TIME-19] Tab writes a repeat, a length or a reminder into the field, and it reads back', () => {
    const desk = list();
    say(desk, 'd', 'tomorrow 12:00');
    for (const [key, words] of [
      ['r', ''],
      ['r', 'every other tue'],
      ['r', 'last business day'],
      ['r', 'after 3 days'],
      ['r', 'monthly on the 1st and 15th'],
      ['Shift+D', ''],
      ['Shift+D', '1h30'],
      ['a', ''],
      ['a', '10m'],
      ['a', 'fri 17:00'],
    ] as const) {
      desk.press(key);
      if (words !== '') desk.type(words);
      const [offered] = desk.palette();
      desk.press('Tab');
      const { query, items } = desk.app.view.palette.get() ?? {};
      assert.notEqual(query, words, `${key} ${words}`);
      assert.equal(items?.[0]?.title, offered, `${key} ${words}: “${query}”`);
      assert.equal(items?.[0]?.unavailable, null);
      desk.press('Escape', 'Escape');
    }
  });

  test('[TIME-2] “none” clears, Escape leaves everything as it is', () => {
    const desk = list();
    say(desk, 'd', 'tomorrow');
    desk.press('d');
    assert.equal(note(desk), 'Now Sat 28 Nov 2026.');
    desk.type('fri');
    desk.press('Escape');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-28' });
    say(desk, 'd', 'none');
    assert.equal(fieldOf(task(desk), 'due') ?? null, null);
    assert.equal(desk.message, '‘Plan’ has no due date now.');
  });

  test('[TIME-2] what is no date says so, and Enter changes nothing', () => {
    const desk = list();
    say(desk, 'd', 'paprika');
    assert.deepEqual(desk.palette(), ['Not a date yet. Keep typing.']);
    assert.equal(desk.message, 'Try “fri 5pm”, “in 3 days”, “27 nov” or “none”.');
    assert.equal(fieldOf(task(desk), 'due') ?? null, null);
  });

  test('[TIME-3] many tasks get it at once, as one undo', () => {
    const desk = list();
    desk.press('x', 'Down', 'x');
    say(desk, 'd', 'tomorrow');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-28' });
    assert.deepEqual(fieldOf(task(desk, 'Write'), 'due'), { on: '2026-11-28' });
    assert.equal(desk.message, '2 tasks are due Sat 28 Nov 2026.');
    desk.press('Mod+Z');
    assert.equal(fieldOf(task(desk), 'due') ?? null, null);
    assert.equal(fieldOf(task(desk, 'Write'), 'due') ?? null, null);
  });

  test('[TIME-4] “+1d” counts from the date it holds, a length said with it is kept', () => {
    const desk = list();
    say(desk, 'd', '1 dec 3-5pm');
    assert.deepEqual(fieldOf(task(desk), 'due'), { at: at('2026-12-01T15:00'), zone: 'UTC' });
    assert.equal(fieldOf(task(desk), 'duration'), 120);
    say(desk, 'd', '+1d');
    assert.deepEqual(fieldOf(task(desk), 'due'), { at: at('2026-12-02T15:00'), zone: 'UTC' });
  });

  test('[TIME-4] another day of the calendar keeps the time of day and the length', () => {
    const desk = list();
    say(desk, 'd', '1 dec 3-5pm');
    desk.press('d');
    desk.app.pressDay('2026-12-04');
    assert.deepEqual(fieldOf(task(desk), 'due'), { at: at('2026-12-04T15:00'), zone: 'UTC' });
    assert.equal(fieldOf(task(desk), 'duration'), 120);
    desk.press('d');
    desk.app.run('month.nextDay');
    desk.press('Enter');
    assert.deepEqual(
      fieldOf(task(desk), 'due'),
      { at: at('2026-12-05T15:00'), zone: 'UTC' },
      'after the day set',
    );
    say(desk, 't', 'mon');
    desk.press('t');
    desk.app.pressDay('2026-12-02');
    assert.deepEqual(fieldOf(task(desk), 'start'), { on: '2026-12-02' });
  });

  test('[TIME-5] t sets the start; until then the row says when', () => {
    const desk = list();
    say(desk, 't', 'mon');
    assert.deepEqual(fieldOf(task(desk), 'start'), { on: '2026-11-30' });
    assert.equal(desk.rows()[0]?.start, 'starts Mon 30 Nov');
    desk.timers.advance(3 * 86_400_000);
    desk.app.tick();
    assert.equal(desk.rows()[0]?.start, null);
  });

  test('the habits of the language decide what 3/4 means', () => {
    const desk = list();
    desk.press('d');
    desk.type('3/4/2027');
    assert.equal(desk.palette()[0], 'Sat 3 Apr 2027');
  });
});

describe('habits', () => {
  test('[DATE-7] hours, the day’s beginning and “next week” are as the settings say', () => {
    const desk = list();
    const reading = (words: string) => {
      desk.press('d');
      desk.type(words);
      const [said] = desk.palette();
      desk.press('Escape');
      return said;
    };
    assert.equal(reading('tomorrow morning'), 'Sat 28 Nov 2026, 09:00');
    assert.equal(reading('tonight'), 'Fri 27 Nov 2026, 20:00');
    assert.equal(reading('next week'), 'Mon 30 Nov 2026');
    desk.app.run('setting.hourMorning', { value: '6' });
    desk.app.run('setting.hourNight', { value: '22' });
    desk.app.run('setting.nextWeek', { value: 'same weekday' });
    assert.equal(reading('tomorrow morning'), 'Sat 28 Nov 2026, 06:00');
    assert.equal(reading('tonight'), 'Fri 27 Nov 2026, 22:00');
    assert.equal(reading('next week'), 'Fri 4 Dec 2026');
    desk.app.run('setting.dayStart', { value: '5' });
    desk.timers.advance(17 * 3_600_000);
    assert.equal(reading('today'), 'Fri 27 Nov 2026', 'it is two at night');
    assert.equal(reading('eod'), 'Fri 27 Nov 2026');
    desk.timers.advance(4 * 3_600_000);
    assert.equal(reading('today'), 'Sat 28 Nov 2026');
  });
});

describe('duration', () => {
  test('[TIME-6] Shift+D takes words, and the row shows it', () => {
    const desk = list();
    say(desk, 'Shift+D', '1h30');
    assert.equal(fieldOf(task(desk), 'duration'), 90);
    assert.equal(desk.rows()[0]?.duration, '1 h 30 min');
    assert.equal(desk.message, '‘Plan’ takes 1 h 30 min.');
    say(desk, 'Shift+D', 'none');
    assert.equal(desk.rows()[0]?.duration, null);
  });
});

describe('repeat', () => {
  test('[TIME-9] r reads words and shows the rule and the next five dates', () => {
    const desk = list();
    desk.press('r');
    desk.type('every 2 weeks on mon thu');
    assert.equal(desk.palette()[0], 'Every 2 weeks on Mon and Thu');
    assert.equal(
      note(desk),
      'Next: Mon 30 Nov 2026 · Thu 3 Dec 2026 · Mon 14 Dec 2026 · Thu 17 Dec 2026 · Mon 28 Dec 2026',
    );
    desk.press('Enter');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-30' });
    assert.equal(desk.rows()[0]?.repeats, 'every 2 weeks on Mon and Thu');
    assert.equal(desk.message, '‘Plan’ repeats every 2 weeks on Mon and Thu, first Mon 30 Nov 2026.');
    desk.press('Mod+Z');
    assert.equal(fieldOf(task(desk), 'due') ?? null, null);
    assert.equal(desk.rows()[0]?.repeats, null);
  });

  test('[TIME-9] a date that the task has stays, and “every” need not be said', () => {
    const desk = list();
    say(desk, 'd', '15 dec');
    say(desk, 'r', 'last business day');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-15' });
    assert.equal(desk.rows()[0]?.repeats, 'every last business day of the month');
    say(desk, 'r', 'none');
    assert.equal(desk.rows()[0]?.repeats, null);
  });

  test('[TIME-9] a day or a time that the words say goes before the date of the task', () => {
    const desk = list();
    const due = (words: string, repeat: string) => {
      say(desk, 'd', 'none');
      say(desk, 'd', words);
      say(desk, 'r', repeat);
      return fieldOf(task(desk), 'due');
    };
    assert.deepEqual(due('1 dec', 'every jan 1'), { on: '2027-01-01' });
    assert.equal(desk.rows()[0]?.repeats, 'every year');
    assert.match(desk.message ?? '', /repeats every year, first Fri 1 Jan 2027\.$/);
    assert.deepEqual(due('1 jan 2028', 'every jan 1'), { on: '2028-01-01' });
    assert.deepEqual(due('1 dec 2028', 'every jan 1'), { on: '2029-01-01' });
    assert.deepEqual(due('1 dec', 'every month starting dec 5'), { on: '2026-12-05' });
    const at = (moment: string) => ({ at: Date.parse(moment), zone: 'UTC' });
    assert.deepEqual(due('1 dec', 'every day at 9'), at('2026-12-01T09:00Z'));
    assert.deepEqual(due('1 dec 10:00', 'every jan 1'), at('2027-01-01T10:00Z'));
    assert.deepEqual(due('1 dec 10:00', 'every jan 1 at 09:00'), at('2027-01-01T09:00Z'));
    // The rule holds it: the date stays.
    assert.deepEqual(due('1 dec', 'every friday'), { on: '2026-12-01' });
    say(desk, 't', '28 nov');
    assert.deepEqual(due('1 dec', 'every jan 1'), { on: '2027-01-01' });
    assert.deepEqual(fieldOf(task(desk), 'start'), { on: '2026-12-29' });
    desk.press('r');
    desk.type('every feb 1');
    assert.match(note(desk) ?? '', /Next: Mon 1 Feb 2027 · Tue 1 Feb 2028/);
  });

  test('[TIME-9] an end is named as what a repeat does not have, and the words stay to be changed', () => {
    const desk = list();
    for (const [words, title] of [
      ['every 6 months until 2028', 'Repeats can’t have an end. Leave out “until 2028”.'],
      ['every day 5 times', 'Repeats can’t have an end. Leave out “5 times”.'],
      ['every week for 3 months', 'Repeats can’t have an end. Leave out “for 3 months”.'],
      ['every paprika until 2028', 'Not a repeat yet. Keep typing.'],
    ] as const) {
      desk.press('r');
      desk.type(words);
      assert.equal(desk.palette()[0], title);
      desk.press('Enter');
      assert.equal(desk.app.view.palette.get()?.query, words);
      assert.equal(fieldOf(task(desk), 'repeat') ?? null, null);
      desk.press('Escape');
    }
    const byCode = desk.app.run('task.repeat', { value: 'every day until friday' });
    assert.deepEqual(byCode, {
      type: 'refused',
      reason: 'Repeats can’t have an end. Leave out “until friday”.',
    });
  });

  test('[TIME-10] switches stay open and change the rule', () => {
    const desk = list();
    desk.press('r');
    desk.type('every 3 days');
    desk.press('Down', 'Enter');
    assert.equal(desk.palette()[0], 'Every 3 days after completion');
    assert.equal(desk.app.view.palette.get()?.active, 1);
    desk.press('Down', 'Enter', 'Up', 'Up', 'Enter');
    const rule = fieldOf(task(desk), 'repeat');
    assert.equal(rule?.from, 'completion');
    assert.equal(rule?.missed, 'every');
  });

  test('[TIME-10] the switch turns round what the words say', () => {
    const desk = list();
    desk.press('r');
    desk.type('every! 3 days');
    assert.deepEqual(desk.palette().slice(0, 2), [
      'Every 3 days after completion',
      'Count from the due date instead',
    ]);
    desk.press('Down', 'Enter');
    assert.deepEqual(desk.palette().slice(0, 2), ['Every 3 days', 'Count from completion instead']);
  });

  test('[TIME-11] skipping goes to the next date and leaves no record', () => {
    const desk = list();
    say(desk, 'r', 'every friday');
    desk.press('Shift+R');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
    assert.equal(desk.message, 'Skipped to Fri 4 Dec 2026: ‘Plan’.');
    assert.ok(![...desk.replica.all()].some(({ type }) => type === 'completion'));
    desk.press('Mod+Z');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: FRIDAY });
    desk.press('Down', 'Shift+R');
    assert.equal(desk.message, 'Select a repeating task first.');
  });

  test('[TIME-12] what is complete beneath begins anew, and undo takes it back', () => {
    const desk = new Desk(
      outline(`
      > Plan
          Write ✓
            Draft ✓
          Send`),
    );
    say(desk, 'r', 'every week');
    desk.press('Space');
    const done = (title: string) => (fieldOf(task(desk, title), 'status') ?? null) !== null;
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
    assert.deepEqual(['Write', 'Draft', 'Send'].map(done), [false, false, false]);
    desk.press('Mod+Z');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: FRIDAY });
    assert.deepEqual(['Write', 'Draft', 'Send'].map(done), [true, true, false]);
    desk.press('Mod+Shift+Z');
    assert.deepEqual(['Write', 'Draft', 'Send'].map(done), [false, false, false]);
  });

  test('[TIME-12] a setting leaves complete what is complete beneath', () => {
    const desk = new Desk(
      outline(`
      > Plan
          Write ✓`),
    );
    say(desk, 'r', 'every week');
    desk.app.run('setting.repeatChildren');
    desk.press('Space');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
    assert.notEqual(fieldOf(task(desk, 'Write'), 'status') ?? null, null);
  });

  test('[TIME-12] what is completed together with the task above it begins anew too', () => {
    const desk = new Desk(
      outline(`
      > Plan
          Write`),
    );
    say(desk, 'r', 'every week');
    desk.press('Mod+A', 'Space');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
    assert.equal(fieldOf(task(desk, 'Write'), 'status') ?? null, null);
    desk.press('Mod+Z');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: FRIDAY });
    assert.equal(fieldOf(task(desk, 'Write'), 'status') ?? null, null);
  });

  test('[TIME-10] missed dates are kept where the settings say so', () => {
    const desk = list();
    desk.app.run('setting.missedRepeats', { value: 'every' });
    say(desk, 'r', 'every day');
    assert.equal(fieldOf(task(desk), 'repeat')?.missed, 'every');
  });

  test('[TIME-11] several are skipped at once, each to its own date, as one undo', () => {
    const desk = list();
    say(desk, 'r', 'every friday');
    desk.press('Down');
    say(desk, 'r', 'every day');
    desk.press('x', 'Up', 'x', 'Shift+R');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-12-04' });
    assert.deepEqual(fieldOf(task(desk, 'Write'), 'due'), { on: '2026-11-28' });
    assert.equal(desk.message, 'Skipped one occurrence of 2 tasks.');
    desk.press('Mod+Z');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: FRIDAY });
    assert.deepEqual(fieldOf(task(desk, 'Write'), 'due'), { on: FRIDAY });
  });

  test('[TIME-9] [TIME-10] every way to count shows its rule and its next five dates', () => {
    const desk = list();
    const shown = (words: string) => {
      desk.press('r');
      desk.type(words);
      const said = [desk.palette()[0], note(desk)];
      desk.press('Escape');
      return said;
    };
    const dates = 'Fri 27 Nov 2026 · Mon 30 Nov 2026 · Thu 3 Dec 2026 · Sun 6 Dec 2026 · Wed 9 Dec 2026';
    assert.deepEqual(shown('every 3 days'), ['Every 3 days', `Next: ${dates}`]);
    for (const words of ['every! 3 days', 'after 3 days'])
      assert.deepEqual(shown(words), [
        'Every 3 days after completion',
        `Next if completed on the day: ${dates}`,
      ]);
    assert.deepEqual(shown('every year on feb 29'), [
      'Every year',
      'Next: Tue 29 Feb 2028 · Wed 28 Feb 2029 · Thu 28 Feb 2030 · Fri 28 Feb 2031 · Sun 29 Feb 2032',
    ]);
  });
});

describe('by code', () => {
  test('a value said in words by code or a link is read as if typed', () => {
    const desk = list();
    assert.equal(desk.app.run('task.due', { value: 'tomorrow' }).type, 'done');
    assert.deepEqual(fieldOf(task(desk), 'due'), { on: '2026-11-28' });
    assert.equal(desk.app.run('task.due', { value: 'paprika' }).type, 'refused');
    assert.equal(desk.replica.now(), START);
    assert.equal((task(desk).id as Id).length > 0, true);
  });
});
