// What commands do with time blocks: one undo each, and a message. A lazy part.
import { blockLimits, blockRegister, blocksIn, daysLater, startIn, whenOf } from '#core/calendar/blocks.ts';
import { noBlockReminder } from '#core/calendar/block-rings.ts';
import { counted } from '#core/counted.ts';
import { english } from '#core/dates/vocabulary.ts';
import { DAY_MS } from '#core/time.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { todayOf } from '../clock/dates.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import { mineOf } from '../outline/personal-fields.ts';
import { pickedRows } from '../pickers/picker.ts';
import { sayWhen } from '../pickers/saying.ts';
import { reminders } from '../reminders/part.ts';
import { blockReminder } from '../reminders/block-reminder.ts';
import type { Span } from '../planning/day.ts';
import { planning } from '../planning/part.ts';
import type { BlockBook } from './book.ts';
import { givenPlan } from './plan.ts';
import { blockFor, nextBlock, setBlock, type TaskBlock } from './task-blocks.ts';
import { sayBlock, sayOverlap } from './words.ts';

export { BlockBook } from './book.ts';
export { RowMarks } from './row-marks.ts';
export { saveBlocks } from './saving.ts';

const NO_BLOCK = 'Plan time for this task first.';
const MINUTE_MS = 60_000;
const QUARTER_MS = 900_000;

/** Plans time for the chosen tasks, or removes what was chosen. `value`: of the picker, or words. */
export function planTime(program: Program, book: BlockBook, value: string): CommandResult {
  const rows = pickedRows(program);
  if (english.none.includes(value.trim().toLowerCase())) return removeAll(program, rows);
  const given = givenPlan(program, value);
  if (given === null) return refused(`“${value}” isn’t a time, like “today 14:00 45m.”`);
  if ('remove' in given) return removeOne(program, rows, given.remove);
  if (rows.some(({ id }) => blocksIn(mineOf(program.replica, id)).length >= blockLimits.perTask))
    return refused(`A task can have ${blockLimits.perTask} time blocks. Remove one first.`);
  // One after the other: nobody does two things at once.
  let { start } = given.plan;
  const made = rows.map((task): TaskBlock => {
    const block = blockFor(task, { ...given.plan, start });
    start += block.minutes * MINUTE_MS;
    return { task, register: blockRegister(program.replica.newId()), block };
  });
  const [first] = made;
  if (first === undefined) return refused('Select a task first.');
  const name = program.describe(rows.map(({ id }) => id));
  const actions = made.flatMap(({ task, register, block }) => setBlock(program, task, register, block));
  inBatches(program, actions, `planned time for ${name}`);
  if (program.settings.get(blockReminder) !== noBlockReminder) program.part(reminders).offer();
  const said = sayBlock(first.block, program.moment());
  const lead =
    made.length === 1
      ? said
      : `one after the other from ${sayWhen(whenOf(first.block), program.moment()).text}`;
  return announced(`Planned ${name}: ${lead}.${sayOverlap(program, book, made)}`);
}

/** Moves the next block of each chosen task; its length stays unless one is said. */
export function moveBlock(program: Program, book: BlockBook, value: string): CommandResult {
  const given = givenPlan(program, value);
  if (given !== null && 'remove' in given) return removeOne(program, pickedRows(program), given.remove);
  if (given === null) return refused(`“${value}” isn’t a time, like “today 14:00 45m.”`);
  const moved = chosen(program).map((held): TaskBlock => ({
    ...held,
    block: blockFor(held.task, given.plan, held.block.minutes),
  }));
  return change(program, book, moved, { undo: 'moved the time block of', verb: 'Moved' });
}

/** Makes the next block of each chosen task longer or shorter by a quarter of an hour. */
export function stretchBlock(program: Program, book: BlockBook, by: 1 | -1): CommandResult {
  const held = chosen(program);
  const stretched = held.map((one): TaskBlock => {
    const minutes = one.block.minutes + by * blockLimits.stepMinutes;
    return { ...one, block: { ...one.block, minutes } };
  });
  const fits = stretched.filter(({ block: { minutes } }) => minutes > 0 && minutes <= blockLimits.minutes);
  if (held.length > 0 && fits.length === 0)
    return refused(
      by > 0 ? 'A time block can’t be longer than a week.' : 'It can’t be shorter than that.',
      'info',
    );
  return change(program, book, fits, { undo: 'changed the time block of', verb: 'Now planned' });
}

/** Removes the next block of each chosen task. */
export function removeBlock(program: Program): CommandResult {
  return remove(program, chosen(program));
}

function chosen(program: Program): readonly TaskBlock[] {
  const zone = program.platform.zone();
  const now = wallNow(program);
  return pickedRows(program).flatMap((task) => nextBlock(program, task, now, zone) ?? []);
}

function wallNow({ replica, platform }: Program): number {
  return startIn({ start: replica.now(), zone: 'UTC', minutes: 1, occ: 0 }, platform.zone());
}

/** Moves one block by minutes on the clock on the wall; for one of its zone, on the clock there. */
export function shiftOne(
  program: Program,
  book: BlockBook,
  held: TaskBlock,
  byMinutes: number,
): CommandResult {
  const block = { ...held.block, start: held.block.start + byMinutes * MINUTE_MS };
  return change(program, book, [{ ...held, block }], { undo: 'moved the time block of', verb: 'Moved' });
}

/** Makes one block longer, or shorter where minutes are negative. */
export function stretchOne(
  program: Program,
  book: BlockBook,
  held: TaskBlock,
  byMinutes: number,
): CommandResult {
  const minutes = held.block.minutes + byMinutes;
  if (minutes <= 0) return refused('It can’t be shorter than that.', 'info');
  if (minutes > blockLimits.minutes) return refused('A time block can’t be longer than a week.', 'info');
  const block = { ...held.block, minutes };
  return change(program, book, [{ ...held, block }], {
    undo: 'changed the time block of',
    verb: 'Now planned',
  });
}

/** Removes one block. */
export function removeHeld(program: Program, held: TaskBlock): CommandResult {
  return remove(program, [held]);
}

function change(
  program: Program,
  book: BlockBook,
  blocks: readonly TaskBlock[],
  { undo, verb }: { readonly undo: string; readonly verb: string },
): CommandResult {
  const [first] = blocks;
  if (first === undefined) return refused(NO_BLOCK);
  const name = program.describe(blocks.map(({ task }) => task.id));
  const actions = blocks.flatMap(({ task, register, block }) => setBlock(program, task, register, block));
  inBatches(program, actions, `${undo} ${name}`);
  const said = blocks.length === 1 ? `: ${sayBlock(first.block, program.moment())}` : '';
  return announced(`${verb} ${name}${said}.${sayOverlap(program, book, blocks)}`);
}

function remove(program: Program, blocks: readonly TaskBlock[]): CommandResult {
  const [first] = blocks;
  if (first === undefined) return refused(NO_BLOCK, 'info');
  const name = program.describe([...new Set(blocks.map(({ task }) => task.id))]);
  const actions = blocks.flatMap(({ task, register }): readonly Action[] =>
    setBlock(program, task, register, null),
  );
  const [noun, of] = blocks.length === 1 ? ['the time block', 'block'] : ['the time blocks', 'blocks'];
  inBatches(program, actions, `removed ${noun} of ${name}`);
  const said = blocks.length === 1 ? `: ${sayBlock(first.block, program.moment())}` : '';
  return announced(`Removed the time ${of} of ${name}${said}.`);
}

function heldBy(program: Program, rows: readonly Row[]): readonly TaskBlock[] {
  return rows.flatMap((task) =>
    blocksIn(mineOf(program.replica, task.id)).map((held) => ({ ...held, task })),
  );
}

function removeOne(program: Program, rows: readonly Row[], register: string): CommandResult {
  const found = heldBy(program, rows).filter((held) => held.register === register);
  return found.length === 0 ? refused('That time block is already gone.', 'info') : remove(program, found);
}

function removeAll(program: Program, rows: readonly Row[]): CommandResult {
  return remove(program, heldBy(program, rows));
}

/** The next full quarter of an hour; minutes of the day, as `sinceMidnight` has milliseconds. */
const soon = (sinceMidnight: number) => Math.ceil(sinceMidnight / QUARTER_MS) * (QUARTER_MS / MINUTE_MS);

/** Moves every undone block of days before today to today: at its time of day if that is ahead, else into the next gap. */
export function rollForward(program: Program, book: BlockBook): CommandResult {
  const zone = program.platform.zone();
  const today = todayOf(program.moment()).toZonedDateTime('UTC').epochMilliseconds;
  const missed = book.missed(today, zone);
  if (missed.length === 0) return refused('No undone time blocks are left from the days before.', 'info');
  const now = wallNow(program);
  const taken: Span[] = [];
  const moved = missed.map((held): TaskBlock => {
    const days = Math.ceil((today - startIn(held.block, zone)) / DAY_MS);
    const sameTime = daysLater(held.block, days);
    const start = startIn(sameTime, zone);
    const isAhead = start >= now;
    const { minutes, occ } = sameTime;
    const from = isAhead
      ? (start - today) / MINUTE_MS
      : (program.part(planning).gap(minutes, taken) ?? soon(now - today));
    taken.push({ from, to: from + minutes });
    return { ...held, block: isAhead ? sameTime : { start: today + from * MINUTE_MS, minutes, occ } };
  });
  const actions = moved.flatMap(({ task, register, block }) => setBlock(program, task, register, block));
  inBatches(program, actions, 'moved undone time blocks to today');
  return announced(
    `Moved ${counted(moved.length, 'undone time block')} to today.${sayOverlap(program, book, moved)}`,
  );
}
