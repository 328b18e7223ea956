// Time blocks by keys: planning in words, moving, stretching and removing them, what rows and details say, and what is searched.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Block, blocksIn } from '#core/calendar/blocks.ts';
import { mineId } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { SCOPE } from './desk-engine.ts';
import { type Desk, list } from './desk.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

function task(desk: Desk, title = 'Plan'): Row {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, `there is a task ${title}`);
  return row;
}

function blocks(desk: Desk, title = 'Plan'): readonly Block[] {
  const row = desk.replica.row(mineId(SCOPE, task(desk, title).id));
  return row?.type === 'mine' ? blocksIn(row).map(({ block }) => block) : [];
}

/** "2026-11-27T14:00 45" */
const said = (desk: Desk, title = 'Plan') =>
  blocks(desk, title).map(({ start, minutes }) => `${new Date(start).toISOString().slice(0, 16)} ${minutes}`);

/** Presses the key, says the words, accepts. */
function say(desk: Desk, words: string): void {
  desk.press('b');
  desk.type(words);
  desk.press('Enter');
}

/** A desk whose rows and parts are all there. */
async function ready(): Promise<Desk> {
  const desk = list();
  desk.timers.advance(1_000);
  await desk.settle();
  return desk;
}

const shown = (desk: Desk, title = 'Plan') => desk.rows().find((row) => row.title === title)?.planned ?? null;

describe('time blocks', () => {
  test('[CAL-50] a block is planned in words, with or without a length', async () => {
    const desk = await ready();
    say(desk, 'today 14:00 45m');
    assert.deepEqual(said(desk), ['2026-11-27T14:00 45']);
    assert.equal(desk.message, 'Planned ‘Plan’: Fri 27 Nov 2026, 14:00 for 45 min.');
    say(desk, 'tomorrow 9-10:30');
    say(desk, 'mon 8am');
    assert.deepEqual(said(desk), ['2026-11-27T14:00 45', '2026-11-28T09:00 90', '2026-11-30T08:00 30']);
    assert.deepEqual(
      blocks(desk).map(({ zone, occ }) => ({ zone, occ })),
      Array(3).fill({ zone: undefined, occ: 0 }),
    );
    desk.press('Mod+Z');
    assert.equal(said(desk).length, 2);
    desk.press('Mod+Shift+Z');
    assert.equal(said(desk).length, 3);
  });

  test('[CAL-50] without a length it is as long as the task takes', async () => {
    const desk = await ready();
    desk.app.run('task.duration', { value: '2h' });
    say(desk, 'today 15:00');
    assert.deepEqual(said(desk), ['2026-11-27T15:00 120']);
  });

  test('[CAL-51] what is no time says so, and a day alone asks for one', async () => {
    const desk = await ready();
    const reason = () => desk.app.view.palette.get()?.items[0]?.unavailable;
    desk.press('b');
    desk.type('gibberish');
    assert.match(reason() ?? '', /today 14:00 45m/);
    desk.press('Escape', 'b');
    desk.type('tomorrow');
    assert.match(reason() ?? '', /Add a time/);
    desk.press('Escape');
    assert.deepEqual(said(desk), []);
    desk.app.run('task.planTime', { value: 'gibberish' });
    assert.equal(desk.message, '“gibberish” isn’t a time, like “today 14:00 45m.”');
  });

  test('[CAL-52] what a new block overlaps is said, not what it only touches', async () => {
    const desk = await ready();
    say(desk, 'today 14:00 45m');
    desk.press('Down');
    const other = desk.rows().find(({ cursor }) => cursor)?.title ?? '';
    say(desk, 'today 14:30 30m');
    assert.match(desk.message ?? '', /It overlaps “Plan” at Fri 27 Nov, 14:00\.$/);
    desk.app.run('block.move', { value: 'today 14:45' });
    assert.deepEqual(said(desk, other), ['2026-11-27T14:45 30']);
    assert.doesNotMatch(desk.message ?? '', /overlaps/);
  });

  test('[CAL-53] the next block is moved, made longer, shorter, and removed; each is one undo', async () => {
    const desk = await ready();
    say(desk, 'today 14:00 30m');
    say(desk, 'tomorrow 14:00 30m');
    desk.app.run('block.move', { value: 'today 16:00' });
    assert.deepEqual(said(desk), ['2026-11-27T16:00 30', '2026-11-28T14:00 30']);
    desk.app.run('block.longer');
    assert.equal(said(desk)[0], '2026-11-27T16:00 45');
    desk.app.run('block.shorter');
    desk.app.run('block.shorter');
    assert.equal(said(desk)[0], '2026-11-27T16:00 15');
    desk.app.run('block.shorter');
    assert.equal(said(desk)[0], '2026-11-27T16:00 15');
    desk.app.run('block.remove');
    assert.deepEqual(said(desk), ['2026-11-28T14:00 30']);
    desk.press('Mod+Z');
    assert.equal(said(desk)[0], '2026-11-27T16:00 15');
    desk.press('b');
    assert.deepEqual(desk.palette().slice(-3), [
      'Remove: Fri 27 Nov 2026, 16:00 for 15 min',
      'Remove: Sat 28 Nov 2026, 14:00 for 30 min',
      'No time blocks',
    ]);
    desk.press('Escape');
    say(desk, 'none');
    assert.deepEqual(said(desk), []);
    desk.press('Mod+Z');
    assert.equal(said(desk).length, 2);
  });

  test('[CAL-54] undone blocks of earlier days move to today at their time of day, with one undo', async () => {
    const desk = await ready();
    say(desk, 'today 9:30 30m');
    desk.press('Down');
    const other = desk.rows().find(({ cursor }) => cursor)?.title ?? '';
    say(desk, 'today 11:00 1h');
    say(desk, 'in 9 days 11:00 1h');
    desk.timers.advance(2 * DAY);
    desk.press('Shift+B');
    assert.deepEqual(said(desk), ['2026-11-29T09:30 30']);
    assert.deepEqual(said(desk, other), ['2026-11-29T11:00 60', '2026-12-06T11:00 60']);
    assert.equal(desk.message, 'Moved 2 undone time blocks to today.');
    desk.press('Mod+Z');
    assert.deepEqual(said(desk), ['2026-11-27T09:30 30']);
    assert.deepEqual(said(desk, other)[0], '2026-11-27T11:00 60');
    desk.press('Space', 'Shift+B');
    assert.equal(said(desk, other)[0], '2026-11-27T11:00 60', 'what is done stays where it was');
    desk.press('Shift+B');
    assert.match(desk.message ?? '', /No undone time blocks/);
  });

  test('[CAL-55] rows and details say the plan, also when it is done', async () => {
    const desk = await ready();
    say(desk, 'today 14:00 45m');
    assert.equal(shown(desk), 'planned 14:00');
    desk.press('i');
    const facts = () => {
      const dialog = desk.app.view.dialog.get();
      return dialog?.type === 'details' ? dialog.details.facts : [];
    };
    assert.equal(facts().find(({ name }) => name === 'Planned')?.text, 'Fri 27 Nov 2026, 14:00 for 45 min');
    desk.press('Escape', 'Space');
    assert.deepEqual(said(desk), ['2026-11-27T14:00 45'], 'completing keeps it');
    assert.equal(shown(desk), 'was planned 14:00');
    desk.press('Space');
    desk.timers.advance(6 * 60 * MINUTE);
    desk.press('Down');
    assert.equal(shown(desk), 'was planned 14:00');
  });

  test('[CAL-56] a deleted task has no blocks to move, and its undo brings them back', async () => {
    const desk = await ready();
    say(desk, 'today 9:30 30m');
    desk.press('Delete');
    desk.timers.advance(DAY);
    desk.press('Shift+B');
    assert.match(desk.message ?? '', /No undone time blocks/);
    desk.press('Mod+Z', 'Shift+B');
    assert.deepEqual(said(desk), ['2026-11-28T09:30 30']);
  });

  test('[CAL-57] a block is for the occurrence that it was planned for', async () => {
    const desk = await ready();
    desk.app.run('task.due', { value: 'today' });
    desk.app.run('task.repeat', { value: 'every day' });
    say(desk, 'today 9:30 30m');
    desk.press('Space');
    desk.timers.advance(DAY);
    desk.press('Shift+B');
    assert.match(desk.message ?? '', /No undone time blocks/);
    say(desk, 'today 10:00 30m');
    assert.deepEqual(
      blocks(desk).map(({ occ }) => occ),
      [0, 1],
    );
  });

  test('[CAL-63] time blocks are saved as a calendar file by the device alone', async () => {
    const desk = await ready();
    desk.app.run('block.save');
    await desk.settle();
    assert.match(desk.message, /no time blocks/);
    say(desk, 'today 14:00 45m');
    desk.app.run('block.save');
    await desk.settle();
    assert.equal(desk.message, 'Saved 1 time block as Time blocks 2026-11-27.ics.');
    const [file] = desk.files;
    assert.deepEqual([file?.name, file?.type], ['Time blocks 2026-11-27.ics', 'text/calendar']);
    assert.match(file?.text ?? '', /DTSTART:20261127T140000\r\nDTEND:20261127T144500\r\nSUMMARY:Plan\r\n/);
  });
});
