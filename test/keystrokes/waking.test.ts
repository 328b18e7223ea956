// Reminders of an encrypted account: devices write down when they ring, where the person wants to be reminded while the app is closed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mineId } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { SCOPE, START } from './desk-engine.ts';
import { list, type Desk } from './desk.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}

/** A desk of an account that is encrypted, or isn't; its first task is due today at noon and rings ten minutes before. */
function reminded(isApart: boolean): Desk {
  const desk = list();
  const facts = desk.engine.facts.bind(desk.engine);
  desk.engine.facts = () => ({ ...facts(), isApart });
  desk.timers.advance(1_000);
  say(desk, 'd', 'today 12:00');
  say(desk, 'a', '10m before');
  desk.timers.advance(1_000);
  return desk;
}

function wake(desk: Desk): readonly number[] | null {
  const task = [...desk.replica.all()].find((row) => fieldOf(row, 'title') === 'Plan');
  assert.ok(task);
  const mine = desk.replica.row(mineId(SCOPE, task.id));
  return mine?.type === 'mine' ? (mine.fields.wake ?? null) : null;
}

const RINGS = START + 2 * HOUR + 50 * MINUTE;

describe('reminders of an encrypted account', () => {
  test('[SEAL-121] are told to the server only where that is wanted, follow what changes, and are taken back', () => {
    const desk = reminded(true);
    assert.equal(wake(desk), null);
    desk.app.run('setting.wakeClosed');
    desk.timers.advance(1_000);
    assert.deepEqual(wake(desk), [RINGS]);
    say(desk, 'd', 'today 13:00');
    desk.timers.advance(1_000);
    assert.deepEqual(wake(desk), [RINGS + HOUR]);
    desk.press('Mod+Z');
    desk.timers.advance(1_000);
    assert.deepEqual(wake(desk), [RINGS], 'undo takes back what the person did, and this follows');
    desk.app.run('setting.wakeClosed');
    desk.timers.advance(1_000);
    assert.equal(wake(desk), null);
  });

  test('[CAL-98] when planned time begins is told, too', async () => {
    const desk = reminded(true);
    desk.app.run('setting.wakeClosed');
    say(desk, 'b', 'today 11:00');
    await desk.until(() => {
      desk.timers.advance(1_000);
      return wake(desk)?.length === 2;
    });
    assert.deepEqual(wake(desk), [START + 2 * HOUR, RINGS]);
    desk.app.run('setting.blockReminder', { value: '30' });
    desk.timers.advance(1_000);
    assert.deepEqual(wake(desk), [START + 90 * MINUTE, RINGS]);
    desk.app.run('block.remove');
    desk.timers.advance(1_000);
    assert.deepEqual(wake(desk), [RINGS]);
  });

  test('[SEAL-121] of any other account are not written down', () => {
    const desk = reminded(false);
    desk.app.run('setting.wakeClosed');
    desk.timers.advance(1_000);
    assert.equal(wake(desk), null);
  });
});
