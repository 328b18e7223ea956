// Reminders by keys: setting them in words, what happens when they ring, and what is done about it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mineId, type Id } from '#core/ids.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk, list } from './desk.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function task(desk: Desk, title = 'Plan'): Row {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, `there is a task ${title}`);
  return row;
}

const mine = (desk: Desk, title = 'Plan') =>
  registersOf(desk.replica.row(mineId(SCOPE, task(desk, title).id)));
const reminders = (desk: Desk, title = 'Plan') =>
  Object.keys(mine(desk, title)).filter((name) => name.startsWith('remind:'));
const hints = (desk: Desk) => (desk.app.view.palette.get()?.items ?? []).map(({ hint }) => hint);
const banner = (desk: Desk) => desk.app.view.reminder.get();

/** Presses the key, says the words, accepts. */
function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}

/** A desk that has been open long enough to watch for reminders; its first task is due today at noon. */
function dueAtNoon(): Desk {
  const desk = list();
  desk.timers.advance(1_000);
  say(desk, 'd', 'today 12:00');
  return desk;
}

describe('setting reminders', () => {
  test('[REM-10] what is usual is offered, the moment is shown, and digits are text', () => {
    const desk = dueAtNoon();
    desk.press('a');
    assert.deepEqual(desk.palette(), [
      'At the due time',
      '10 min before',
      '1 h before',
      '1 day before',
      'Sat 28 Nov 2026, 09:00',
    ]);
    assert.equal(hints(desk)[1], 'Fri 27 Nov 2026, 11:50 · in 2 h 50 min');
    for (const letter of '10m before') desk.type(letter);
    assert.deepEqual(desk.palette(), ['10 min before']);
    desk.press('Enter');
    assert.deepEqual(reminders(desk), ['remind:before-10']);
    assert.equal(desk.message, 'Reminder set for ‘Plan’: 10 min before, Fri 27 Nov 2026, 11:50.');
    desk.press('Mod+Z');
    assert.deepEqual(reminders(desk), []);
  });

  test('[REM-1] [REM-10] any length or moment by words, several for one task', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '15m before');
    say(desk, 'a', '2 days before');
    say(desk, 'a', 'tomorrow 8am');
    say(desk, 'a', 'at the due time');
    assert.deepEqual(reminders(desk).toSorted(), [
      `remind:at-${START + 23 * HOUR}`,
      'remind:before-0',
      'remind:before-15',
      'remind:before-2880',
    ]);
    desk.press('a');
    desk.type('1h');
    assert.deepEqual(desk.palette().slice(0, 2), ['1 h before', 'Fri 27 Nov 2026, 10:00']);
  });

  test('[REM-10] what is no reminder says so, what has passed cannot be chosen', () => {
    const desk = dueAtNoon();
    desk.press('a');
    desk.type('gibberish');
    assert.deepEqual(desk.palette(), ['Not a reminder yet. Keep typing.']);
    desk.press('Escape');
    desk.press('a');
    desk.type('yesterday 9am');
    assert.equal(
      desk.app.view.palette.get()?.items[0]?.unavailable,
      'That’s in the past. Pick a later time.',
    );
  });

  test('[REM-10] without a due date only moments can be chosen', () => {
    const desk = list();
    desk.press('a');
    assert.match(desk.app.view.palette.get()?.items[0]?.unavailable ?? '', /Set a due date first/);
    desk.type('tomorrow 9am');
    desk.press('Enter');
    assert.deepEqual(reminders(desk), [`remind:at-${START + DAY}`]);
  });

  test('[REM-10] those set are listed and removed there; none removes all', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '10m before');
    say(desk, 'a', '1 hour before');
    desk.press('a');
    const removing = desk.palette().indexOf('Remove: 10 min before');
    assert.ok(removing > 0);
    for (let step = 0; step < removing; step += 1) desk.press('Down');
    desk.press('Enter');
    assert.deepEqual(reminders(desk), ['remind:before-60']);
    assert.equal(desk.message, 'Removed the reminder of ‘Plan’: 10 min before.');
    say(desk, 'a', 'none');
    assert.deepEqual(reminders(desk), []);
    desk.press('Mod+Z');
    assert.deepEqual(reminders(desk), ['remind:before-60']);
  });

  test('[REM-10] it is about all chosen tasks, as one undo', () => {
    const desk = list();
    say(desk, 'a', 'tomorrow 9am');
    desk.press('Shift+Down');
    say(desk, 'd', 'tomorrow 12:00');
    desk.press('a');
    assert.match(desk.app.view.palette.get()?.note ?? '', /^Some have this/);
    desk.press('Escape');
    say(desk, 'a', '10m before');
    const holding = [...desk.replica.all()].filter((held) => fieldOf(held, 'remind:before-10') !== undefined);
    assert.equal(holding.length, 2);
    assert.equal(desk.message, 'Reminder set for 2 tasks: 10 min before.');
    desk.press('Mod+Z');
    assert.ok([...desk.replica.all()].every((held) => fieldOf(held, 'remind:before-10') === undefined));
  });
});

describe('what rings', () => {
  test('[REM-11] at the very moment, not before, and without taking the focus', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '10m before');
    desk.press('Enter');
    desk.timers.advance(2 * HOUR + 49 * MINUTE);
    assert.equal(banner(desk), null);
    desk.timers.advance(MINUTE);
    assert.equal(banner(desk)?.title, 'Plan');
    assert.equal(banner(desk)?.text, 'Due Fri 27 Nov 2026, 12:00 (in 10 min)');
    const focus = desk.app.view.focus.get();
    assert.ok(focus.pane === 'outline' && focus.edit !== null);
    assert.match(desk.app.view.announcement.get().text, /^Reminder: Plan/);
  });

  test('[REM-12] F8 and a letter answer it, also while typing', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '10m before');
    desk.timers.advance(3 * HOUR);
    desk.press('Enter');
    desk.press('F8');
    desk.timers.advance(400);
    assert.ok(desk.app.view.status.get().hints.some(({ title }) => title === 'Dismiss the reminder'));
    desk.press('d');
    assert.equal(banner(desk), null);
    assert.equal(desk.message, 'Dismissed the reminder of ‘Plan’.');
    assert.equal(mine(desk)['reminded'], desk.replica.now());
  });

  test('[REM-12] completing and opening deal with it', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '10m before');
    desk.timers.advance(3 * HOUR);
    desk.press('F8 Space');
    assert.equal(banner(desk), null);
    assert.ok(fieldOf(task(desk), 'status'));
    desk.press('Mod+Z');
    assert.equal(banner(desk)?.title, 'Plan');
    desk.press('End');
    desk.press('F8 Enter');
    assert.equal(banner(desk), null);
    assert.equal(desk.rows().find(({ cursor }) => cursor)?.title, 'Plan');
  });

  test('[REM-7] [REM-12] snoozed it rings again when the task wakes', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '10m before');
    desk.timers.advance(2 * HOUR + 55 * MINUTE);
    desk.press('F8 s');
    assert.equal(banner(desk), null);
    assert.match(desk.message, /^Snoozed ‘Plan’ until Fri 27 Nov 2026, 12:05/);
    desk.timers.advance(9 * MINUTE);
    assert.equal(banner(desk), null);
    desk.timers.advance(MINUTE);
    assert.equal(banner(desk)?.title, 'Plan');
    desk.press('F8 d');
    desk.timers.advance(DAY);
    assert.equal(banner(desk), null);
  });

  test('[REM-6] complete or deleted, with what is above it too, it is quiet', () => {
    const desk = new Desk('> Work\n    Plan\n  Other');
    desk.timers.advance(1_000);
    desk.press('Down');
    say(desk, 'd', 'today 12:00');
    say(desk, 'a', '1 hour before');
    desk.timers.advance(2 * HOUR);
    assert.equal(banner(desk)?.title, 'Plan');
    desk.press('Up', 'Delete');
    assert.equal(banner(desk), null);
    desk.press('Mod+Z');
    assert.equal(banner(desk)?.title, 'Plan');
    desk.press('F8 Space');
    assert.equal(banner(desk), null);
  });

  test('[REM-3] it follows the due date, and a repeat that advances', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '10m before');
    say(desk, 'd', 'today 15:00');
    desk.timers.advance(3 * HOUR);
    assert.equal(banner(desk), null);
    desk.timers.advance(2 * HOUR + 50 * MINUTE);
    assert.equal(banner(desk)?.title, 'Plan');
    say(desk, 'r', 'every day');
    desk.press('F8 Space');
    assert.equal(banner(desk), null);
    desk.timers.advance(DAY - MINUTE);
    assert.equal(banner(desk), null);
    desk.timers.advance(MINUTE);
    assert.equal(banner(desk)?.title, 'Plan');
  });

  test('[REM-8] a dismissal that arrives ends it here, and twice is once', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '10m before');
    desk.timers.advance(3 * HOUR);
    const id = mineId(SCOPE, task(desk).id);
    for (let times = 0; times < 2; times += 1) {
      desk.replica.issue([{ a: 'set', id, field: 'reminded', value: desk.replica.now() }]);
      assert.equal(banner(desk), null);
    }
  });

  test('[REM-12] of several the first is shown, and all can be dismissed', () => {
    const desk = list();
    desk.timers.advance(1_000);
    desk.press('Shift+Down');
    say(desk, 'd', 'today 12:00');
    say(desk, 'a', '10m before');
    desk.timers.advance(3 * HOUR);
    assert.equal(banner(desk)?.more, 1);
    desk.press('F8 d');
    assert.equal(banner(desk)?.more, 0);
    desk.press('Mod+Z', 'F8 a');
    assert.equal(banner(desk), null);
  });

  test('[REM-11] what rang while the app was closed shows for seven days', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '10m before');
    desk.timers.advance(6 * DAY);
    desk.app.tick();
    assert.equal(banner(desk)?.title, 'Plan');
    desk.timers.advance(2 * DAY);
    desk.app.tick();
    assert.equal(banner(desk), null);
  });
});

describe('outside the app', () => {
  test('[REM-14] notices are offered after a reminder was set, and asked for by a key', async () => {
    const desk = dueAtNoon();
    desk.outside.permission = 'ask';
    assert.equal(banner(desk), null);
    say(desk, 'a', '10m before');
    assert.equal(banner(desk)?.kind, 'offer');
    assert.equal(desk.outside.asked, 0);
    desk.press('F8 n');
    assert.equal(desk.outside.asked, 1);
    await desk.until(() => desk.outside.subscribed === 1);
    await desk.until(() => desk.message.startsWith('Notifications are on while Posthaste is open in a tab.'));
    assert.equal(banner(desk), null);
  });

  test('[REM-14] “not now” is remembered, blocked is explained', () => {
    const desk = dueAtNoon();
    desk.outside.permission = 'ask';
    say(desk, 'a', '10m before');
    desk.press('F8 x');
    assert.equal(banner(desk), null);
    say(desk, 'a', '20m before');
    assert.equal(banner(desk), null);
    desk.outside.permission = 'denied';
    say(desk, 'a', '30m before');
    assert.match(banner(desk)?.text ?? '', /blocked for this site/);
    desk.app.run('reminder.notNow');
    assert.equal(banner(desk), null);
    desk.press('F8 n');
    assert.match(desk.message, /blocked for this site.*browser’s settings/);
  });

  test('[REM-15] a notice is shown when it rings and goes when it was dealt with', () => {
    const desk = dueAtNoon();
    desk.outside.permission = 'granted';
    say(desk, 'a', '10m before');
    desk.timers.advance(3 * HOUR);
    const { id } = task(desk);
    assert.deepEqual([...desk.outside.shown.keys()], [id]);
    desk.press('F8 d');
    assert.equal(desk.outside.shown.size, 0);
  });

  test('[REM-12] what was done about a notice is done in the app', () => {
    const desk = dueAtNoon();
    say(desk, 'a', '10m before');
    desk.timers.advance(3 * HOUR);
    const id: Id = task(desk).id;
    desk.app.run('reminder.answer', { task: id, answer: 'complete' });
    assert.ok(fieldOf(task(desk), 'status'));
    desk.app.run('reminder.answer', { task: id, answer: 'complete' });
    assert.ok(fieldOf(task(desk), 'status'));
  });

  test('[REM-13] the number on the icon counts what is due, and goes with it', async () => {
    const desk = dueAtNoon();
    desk.timers.advance(5_000);
    await desk.until(() => desk.outside.badge === 1);
    desk.press('Space');
    assert.equal(desk.outside.badge, 0);
    desk.press('Space');
    desk.app.run('setting.iconNumber', { value: 'off' });
    assert.equal(desk.outside.badge, 0);
    desk.app.run('setting.iconNumber', { value: 'inbox' });
    const inInbox = desk.app.view.header.get().count;
    assert.equal(desk.outside.badge, inInbox);
    desk.press('Ctrl+Enter');
    desk.type('Another');
    desk.press('Escape');
    assert.equal(desk.outside.badge, (inInbox ?? 0) + 1);
  });
});
