// Clearing by keys and by itself: what is complete leaves its list automatically, what is open never does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk, shows } from './desk.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The app has come to rest: what looks after clearing runs. */
async function settled(outline: string): Promise<Desk> {
  const desk = new Desk(outline);
  desk.timers.advance(1_000);
  await desk.settle();
  return desk;
}

function task(desk: Desk, title: string): Row {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, `there is a task ${title}`);
  return row;
}

const status = (desk: Desk, title: string) => fieldOf(task(desk, title), 'status');

describe('clearing by hand', () => {
  test('[CLEAR-7] clears the chosen ones that are complete, and brings them back complete', () => {
    const desk = new Desk('  A ✓\n> B ✓\n  C');
    desk.app.run('task.clear');
    shows(desk, '  A ✓\n> C');
    assert.equal(desk.message, 'Cleared ‘B’.');
    desk.press('/');
    desk.type('is:cleared');
    assert.equal(desk.rows()[0]?.title, 'B');
    desk.press('Down');
    assert.equal(desk.app.run('task.clear').type, 'refused');
    desk.app.run('task.unclear');
    assert.equal(desk.message, '‘B’ is back in the list, still complete.');
    desk.press('Escape', 'Escape');
    assert.deepEqual(
      desk.rows().map(({ title, done }) => `${title} ${done}`),
      ['A true', 'B true', 'C false'],
    );
    assert.equal(desk.app.run('task.unclear').type, 'refused');
  });

  test('[CLEAR-2] [CLEAR-7] what is not complete, or has something open under it, is refused and stays', () => {
    const desk = new Desk('> A\n  B ✓\n    Under B');
    const before = desk.everything();
    desk.app.run('task.clear');
    assert.equal(desk.message, '‘A’ is not complete. You can only clear completed tasks.');
    desk.press('Down');
    desk.app.run('task.clear');
    assert.equal(desk.message, '‘B’ still has open subtasks. Complete or move them first.');
    assert.equal(desk.everything(), before);
  });
});

describe('automatic clearing', () => {
  test('[CLEAR-1] [CLEAR-2] after a day what is complete goes, and nothing that is open or holds something open', async () => {
    const desk = await settled('> A ✓\n  B ✓\n    Under B\n  C\n    Under C ✓');
    desk.timers.advance(DAY_MS - 2_000);
    assert.equal(desk.rows().length, 5);
    desk.timers.advance(2_000);
    shows(desk, '> B ✓\n    Under B\n  C');
    assert.equal(desk.message, 'Cleared 2 completed tasks.');
    desk.press('/');
    desk.type('is:uncleared');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['B'],
    );
    desk.press('Escape');
    desk.app.pressRow(task(desk, 'Under B').id, { shift: false, mod: false });
    desk.press('Space');
    desk.timers.advance(DAY_MS);
    shows(desk, '> C');
  });

  test('[CLEAR-1] the setting says after how long, and whether at all', async () => {
    const desk = await settled('> A ✓\n  B');
    desk.app.run('setting.autoClear', { value: '0' });
    desk.timers.advance(40 * DAY_MS);
    assert.equal(desk.rows().length, 2);
    desk.app.run('setting.autoClear', { value: '1' });
    desk.timers.advance(2_000);
    shows(desk, '> B');
    desk.press('Space');
    desk.timers.advance(HOUR_MS - 1);
    assert.equal(desk.rows().length, 1);
    desk.timers.advance(2_000);
    assert.equal(desk.rows().length, 0);
  });

  test('[CLEAR-3] completed subtasks of a repeating task stay, unless the setting says otherwise', async () => {
    const desk = await settled('> Water\n    Kitchen ✓\n    Hall');
    desk.press('r');
    desk.type('every week');
    desk.press('Enter');
    desk.timers.advance(2 * DAY_MS);
    assert.equal(desk.rows().length, 3);
    desk.app.run('setting.keepRepeatChildren');
    desk.timers.advance(2_000);
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Water', 'Hall'],
    );
  });

  test('[CLEAR-3] a task that repeats no more keeps nothing', async () => {
    const desk = await settled('> Water\n    Kitchen ✓\n    Hall');
    desk.press('r');
    desk.type('every week');
    desk.press('Enter');
    desk.timers.advance(2 * DAY_MS);
    desk.press('r');
    desk.type('none');
    desk.press('Enter');
    desk.timers.advance(2_000);
    assert.equal(desk.rows().length, 2);
  });

  test('[CLEAR-5] undoing brings it back, for as long again', async () => {
    const desk = await settled('> A ✓\n  B');
    desk.timers.advance(DAY_MS + 2_000);
    shows(desk, '> B');
    desk.press('Mod+Z');
    assert.equal(desk.rows().length, 2);
    desk.timers.advance(DAY_MS - 4_000);
    assert.equal(desk.rows().length, 2);
    desk.timers.advance(6_000);
    assert.equal(desk.rows().length, 1);
  });

  test('[CLEAR-6] nothing goes while a title is being typed', async () => {
    const desk = await settled('> A ✓\n  B');
    desk.press('Enter');
    desk.type('lpha');
    desk.timers.advance(2 * DAY_MS);
    assert.equal(desk.rows().length, 2);
    desk.press('Escape');
    desk.timers.advance(60_000);
    shows(desk, '> B');
    assert.equal(fieldOf(task(desk, 'Alpha'), 'title'), 'Alpha');
  });

  test('[CLEAR-4] two devices that clear the same completion write the same', async () => {
    const [one, other] = [await settled('> A ✓'), await settled('> A ✓')];
    one.timers.advance(DAY_MS + 5_000);
    other.timers.advance(9 * DAY_MS);
    assert.deepEqual(status(one, 'A'), status(other, 'A'));
  });

  test('[CLEAR-2] what is trashed stays as it is, also under something trashed', async () => {
    const desk = await settled('> A\n    Under A ✓\n  B');
    desk.press('Delete');
    desk.timers.advance(3 * DAY_MS);
    assert.deepEqual(Object.keys(status(desk, 'Under A') as object), ['done']);
    const inbox: Id = inboxId(SCOPE);
    assert.ok(desk.replica.row(inbox));
  });
});
