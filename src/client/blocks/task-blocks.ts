// The time blocks of one task: which are still ahead, which is the next one, and setting one.
import {
  type Block,
  blockLimits,
  type BlockRegister,
  blocksIn,
  endIn,
  type HeldBlock,
} from '#core/calendar/blocks.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isDone } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import type { Plan } from './plan.ts';
import { mineOf, setMine } from '../outline/personal-fields.ts';

/** A block of a task. */
export interface TaskBlock extends HeldBlock {
  readonly task: Row;
}

/** The blocks of a task, the earliest first. */
export function blocksOf({ replica }: Pick<Program, 'replica'>, task: Row): readonly TaskBlock[] {
  return blocksIn(mineOf(replica, task.id)).map((held) => ({ ...held, task }));
}

/** Whether what a block is for is still to be done: its task is open, and at the occurrence that it was planned for. */
export function isUndone({ task, block }: TaskBlock): boolean {
  return !isDone(task) && block.occ === (fieldOf(task, 'occ') ?? 0);
}

/** The block of a task that commands are about: the first undone one that is not over, else the last undone one, else the last. */
export function nextBlock(
  program: Pick<Program, 'replica'>,
  task: Row,
  now: number,
  zone: string,
): TaskBlock | undefined {
  const all = blocksOf(program, task);
  const undone = all.filter(isUndone);
  return undone.find(({ block }) => endIn(block, zone) > now) ?? undone.at(-1) ?? all.at(-1);
}

/** A block for the present occurrence of a task. `usual`: its minutes where the plan says none; absent: what the task takes. */
export function blockFor(task: Row, { start, minutes, zone }: Plan, usual?: number): Block {
  const length = minutes ?? usual ?? fieldOf(task, 'duration') ?? blockLimits.usualMinutes;
  return {
    start,
    minutes: Math.max(1, Math.min(length, blockLimits.minutes)),
    ...(zone === undefined ? {} : { zone }),
    occ: fieldOf(task, 'occ') ?? 0,
  };
}

/** Sets a block of a task; null removes it. */
export function setBlock(
  { replica }: Program,
  task: Row,
  register: BlockRegister,
  block: Block | null,
): readonly Action[] {
  return setMine(replica, task.id, { [register]: block });
}
