// Time blocks in words.
import { type Block, whenOf } from '#core/calendar/blocks.ts';
import { counted } from '#core/counted.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import type { DateContext } from '../clock/dates.ts';
import { sayWhen } from '../pickers/saying.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { BlockBook } from './book.ts';
import type { TaskBlock } from './task-blocks.ts';

/** "Fri 27 Nov 2026, 14:00 for 45 min" */
export function sayBlock(block: Block, context: DateContext): string {
  return `${sayWhen(whenOf(block), context).text} for ${sayDuration(block.minutes)}`;
}

/** " It overlaps “Call Ada” at Fri 27 Nov, 14:30."; empty where it overlaps nothing. */
export function sayOverlap(program: Program, book: BlockBook, made: readonly TaskBlock[]): string {
  const zone = program.platform.zone();
  const others = new Map<string, TaskBlock>();
  for (const { block, register } of made)
    for (const other of book.conflicts(block, register, zone)) others.set(other.register, other);
  const [first, ...rest] = others.values();
  if (first === undefined) return '';
  const more = rest.length === 0 ? '' : ` and ${counted(rest.length, 'more block')}`;
  const at = sayWhen(whenOf(first.block), program.moment()).brief;
  return ` It overlaps “${nameOf(first.task) || 'Untitled'}” at ${at}${more}.`;
}
