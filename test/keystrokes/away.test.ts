// Tasks that are not shown for now: snoozed ones until they wake, and where a list hides them those that have not started.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, settingId } from '#core/ids.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk, list, outline, shows } from './desk.ts';
import { fieldOf } from '#sync/rows/row.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const away = (desk: Desk) => desk.app.view.header.get().away;
const count = (desk: Desk) => desk.lists()[0]?.openCount;

/** Presses the key, says the words, accepts. */
function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}

describe('snoozed tasks', () => {
  test('[TIME-13] leave with what is under them, and are counted', () => {
    const desk = list();
    say(desk, 's', 'in 3h');
    shows(desk, '> Ship\n    Pack\n      Label\n  Rest');
    assert.deepEqual(away(desk), { snoozed: 1, unstarted: 0, showsSnoozed: false });
    assert.equal(count(desk), 4);
    desk.press('Mod+Z');
    shows(desk, '> Plan\n    Write\n    Send\n  Ship\n    Pack\n      Label\n  Rest');
    assert.equal(count(desk), 7);
    assert.deepEqual(away(desk), { snoozed: 0, unstarted: 0, showsSnoozed: false });
  });

  test('[TIME-13] come back at their moment, without a key', () => {
    const desk = list();
    say(desk, 's', 'in 3h');
    desk.timers.advance(3 * HOUR_MS - 1_000);
    assert.equal(desk.rows().length, 4);
    desk.timers.advance(1_000);
    shows(desk, '  Plan\n    Write\n    Send\n> Ship\n    Pack\n      Label\n  Rest');
    assert.equal(count(desk), 7);
  });

  test('[TIME-14] Shift+S shows them greyed with when they wake, and hides them again', () => {
    const desk = list();
    say(desk, 's', 'tomorrow');
    desk.press('Shift+S');
    assert.equal(desk.rows()[0]?.title, 'Plan');
    assert.equal(desk.rows()[0]?.snoozed, 'snoozed until tomorrow');
    assert.deepEqual(away(desk), { snoozed: 0, unstarted: 0, showsSnoozed: true });
    desk.press('Shift+S');
    assert.deepEqual(away(desk), { snoozed: 1, unstarted: 0, showsSnoozed: false });
    assert.equal(desk.rows()[0]?.title, 'Ship');
  });

  test('[TIME-14] a shown one is woken by “none”', () => {
    const desk = list();
    say(desk, 's', 'tomorrow');
    desk.press('Shift+S', 'Home');
    say(desk, 's', 'none');
    assert.equal(desk.message, '‘Plan’ is back.');
    desk.press('Shift+S');
    assert.equal(desk.rows()[0]?.title, 'Plan');
  });

  test('[TIME-14] a list of which everything sleeps says so', () => {
    const desk = new Desk(outline('> Only one'));
    say(desk, 's', 'tomorrow');
    assert.deepEqual(desk.app.view.empty.get(), {
      drawing: 'moon',
      heading: 'Everything here is snoozed for now',
      text: 'Each task comes back when its snooze is over.',
      command: 'view.snoozed',
      title: 'Show snoozed tasks',
      others: [{ command: 'task.createBelow', title: 'New task' }],
    });
  });

  test('[TIME-13] one nested in another is back when both are awake', () => {
    const desk = list();
    desk.press('Down');
    say(desk, 's', 'in 2h');
    desk.press('Home');
    say(desk, 's', 'in 1h');
    desk.timers.advance(HOUR_MS);
    shows(desk, '  Plan\n    Send\n> Ship\n    Pack\n      Label\n  Rest');
    desk.timers.advance(HOUR_MS);
    shows(desk, '  Plan\n    Write\n    Send\n> Ship\n    Pack\n      Label\n  Rest');
    assert.equal(count(desk), 7);
  });

  test('[TIME-13] edits of a sleeping task from elsewhere do not bring it back', () => {
    const desk = list();
    const id = desk.rows()[0]?.id;
    assert.ok(id);
    say(desk, 's', 'tomorrow');
    desk.replica.issue([{ a: 'set', id, field: 'title', value: 'Plan again' }]);
    assert.equal(desk.rows()[0]?.title, 'Ship');
    desk.timers.advance(DAY_MS);
    assert.equal(desk.rows()[0]?.title, 'Plan again');
  });
});

describe('tasks that have not started', () => {
  test('[TIME-15] Shift+T hides them in this list until they start, on every device', () => {
    const desk = list();
    say(desk, 't', 'tomorrow');
    desk.press('Shift+T');
    assert.equal(desk.rows()[0]?.title, 'Ship');
    assert.deepEqual(away(desk), { snoozed: 0, unstarted: 1, showsSnoozed: false });
    const key = `hideUnstarted.${inboxId(SCOPE)}`;
    assert.equal(fieldOf(desk.replica.row(settingId(SCOPE, key)), 'value'), true);
    desk.press('Shift+T');
    assert.equal(desk.rows()[0]?.title, 'Plan');
    assert.equal(desk.app.run('edit.undo').type, 'done', 'how it is looked at is no content to undo');
    assert.equal(desk.rows()[0]?.start, null);
    say(desk, 't', 'tomorrow');
    desk.press('Shift+T');
    assert.equal(desk.rows()[0]?.title, 'Ship');
    desk.timers.advance(15 * HOUR_MS);
    assert.equal(desk.rows()[0]?.title, 'Plan');
    assert.equal(desk.rows()[0]?.start, null);
  });
});

describe('the passing of time', () => {
  test('[TIME-20] a row turns overdue at its minute', () => {
    const desk = list();
    say(desk, 'd', '10:30');
    assert.equal(desk.rows()[0]?.due?.overdue, false);
    desk.timers.advance(1.5 * HOUR_MS - 1);
    assert.equal(desk.rows()[0]?.due?.overdue, false);
    desk.timers.advance(1);
    assert.equal(desk.rows()[0]?.due?.overdue, true);
  });

  test('[TIME-20] at midnight today becomes yesterday', () => {
    const desk = list();
    say(desk, 'd', 'today');
    desk.timers.advance(15 * HOUR_MS - 1);
    assert.deepEqual(desk.rows()[0]?.due, { text: 'today', overdue: false });
    desk.timers.advance(1);
    assert.deepEqual(desk.rows()[0]?.due, { text: 'yesterday', overdue: true });
  });
});
