// Planned time reminds: when it begins or before, what it says, and what is done about it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noBlockReminder } from '#core/calendar/block-rings.ts';
import { blocksIn } from '#core/calendar/blocks.ts';
import { mineId } from '#core/ids.ts';
import { fieldOf, type MineRow, type Row } from '#sync/rows/row.ts';
import { SCOPE } from './desk-engine.ts';
import { type Desk, list } from './desk.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function task(desk: Desk, title = 'Plan'): Row {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, `there is a task ${title}`);
  return row;
}

const mine = (desk: Desk) => desk.replica.row(mineId(SCOPE, task(desk).id)) as MineRow;
const banner = (desk: Desk) => desk.app.view.reminder.get();

/** Presses the key, says the words, accepts. */
function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}

/** It is Friday, nine o’clock; the first task is planned for noon. */
async function plannedAtNoon(settings: Readonly<Record<string, string>> = {}): Promise<Desk> {
  const desk = list();
  desk.timers.advance(1_000);
  for (const [id, value] of Object.entries(settings)) desk.app.run(id, { value });
  say(desk, 'b', 'today 12:00 45m');
  await desk.until(() => blocksIn(mine(desk)).length === 1);
  return desk;
}

describe('planned time reminds', () => {
  test('[CAL-95] [CAL-97] when it begins, not before, and says when it is; it is dismissed as a reminder is', async () => {
    const desk = await plannedAtNoon();
    desk.outside.permission = 'granted';
    desk.timers.advance(2 * HOUR + 59 * MINUTE - 1_000);
    assert.equal(banner(desk), null);
    desk.timers.advance(MINUTE);
    assert.equal(banner(desk)?.title, 'Plan');
    assert.equal(banner(desk)?.text, 'Planned for Fri 27 Nov 2026, 12:00 for 45 min (now)');
    assert.deepEqual([...desk.outside.shown.keys()], [task(desk).id]);
    desk.press('F8 d');
    assert.equal(banner(desk), null);
    assert.equal(desk.outside.shown.size, 0);
    desk.timers.advance(DAY);
    assert.equal(banner(desk), null);
  });

  test('[CAL-97] when its time is over it rings no more', async () => {
    const desk = await plannedAtNoon();
    desk.outside.permission = 'granted';
    desk.timers.advance(3 * HOUR + 44 * MINUTE);
    assert.equal(banner(desk)?.title, 'Plan');
    desk.timers.advance(MINUTE);
    assert.equal(banner(desk), null);
    assert.equal(desk.outside.shown.size, 0);
  });

  test('[CAL-95] moved, it rings at its new time; completed or removed, not at all', async () => {
    const desk = await plannedAtNoon();
    desk.app.run('block.move', { value: 'today 15:00' });
    desk.timers.advance(4 * HOUR);
    assert.equal(banner(desk), null);
    desk.timers.advance(2 * HOUR);
    assert.equal(banner(desk)?.title, 'Plan');
    desk.press('F8 Space');
    assert.equal(banner(desk), null);
    desk.press('Mod+Z');
    assert.equal(banner(desk)?.title, 'Plan');
    desk.app.run('block.remove');
    assert.equal(banner(desk), null);
  });

  test('[CAL-95] with a reminder of the same moment it is one alert', async () => {
    const desk = await plannedAtNoon();
    desk.outside.permission = 'granted';
    say(desk, 'a', 'today 12:00');
    desk.timers.advance(3 * HOUR);
    assert.deepEqual([banner(desk)?.title, banner(desk)?.more], ['Plan', 0]);
    assert.equal(desk.outside.shown.size, 1);
  });

  test('[CAL-95] a block of an earlier occurrence doesn’t ring', async () => {
    const desk = list();
    desk.timers.advance(1_000);
    say(desk, 'd', 'today');
    say(desk, 'r', 'every day');
    say(desk, 'b', 'today 12:00');
    await desk.until(() => blocksIn(mine(desk)).length === 1);
    desk.press('Space');
    desk.timers.advance(4 * HOUR);
    assert.equal(banner(desk), null);
  });

  test('[CAL-96] before it begins, or never, as the setting says', async () => {
    const before = await plannedAtNoon({ 'setting.blockReminder': '15' });
    before.timers.advance(2 * HOUR + 44 * MINUTE - 1_000);
    assert.equal(banner(before), null);
    before.timers.advance(MINUTE);
    assert.equal(banner(before)?.text, 'Planned for Fri 27 Nov 2026, 12:00 for 45 min (in 15 min)');
    before.app.run('setting.blockReminder', { value: '30' });
    assert.equal(banner(before), null, 'what had passed when it was set');
    const off = await plannedAtNoon({ 'setting.blockReminder': String(noBlockReminder) });
    off.timers.advance(4 * HOUR);
    assert.equal(banner(off), null);
  });

  test('[CAL-96] what is planned too late doesn’t ring', async () => {
    const desk = list();
    desk.timers.advance(1_000);
    say(desk, 'b', 'today 8:00');
    await desk.until(() => blocksIn(mine(desk)).length === 1);
    desk.timers.advance(HOUR);
    assert.equal(banner(desk), null);
  });

  test('[CAL-97] snoozed it rings when the task wakes, unless its time is over by then', async () => {
    const desk = await plannedAtNoon();
    desk.timers.advance(3 * HOUR);
    desk.press('F8 s');
    assert.equal(banner(desk), null);
    desk.timers.advance(10 * MINUTE);
    assert.equal(banner(desk)?.title, 'Plan');
    desk.app.run('reminder.snoozeHour');
    assert.equal(banner(desk), null);
    desk.timers.advance(3 * HOUR);
    assert.equal(banner(desk), null);
  });

  test('[CAL-98] notices are offered where time is planned, unless blocks don’t remind', async () => {
    const desk = list();
    desk.timers.advance(1_000);
    desk.outside.permission = 'ask';
    desk.app.run('setting.blockReminder', { value: String(noBlockReminder) });
    say(desk, 'b', 'today 12:00');
    await desk.until(() => blocksIn(mine(desk)).length === 1);
    assert.equal(banner(desk), null);
    desk.app.run('setting.blockReminder', { value: '0' });
    say(desk, 'b', 'today 14:00');
    await desk.until(() => blocksIn(mine(desk)).length === 2);
    assert.equal(banner(desk)?.kind, 'offer');
  });
});
