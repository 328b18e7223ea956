// Time blocks in words.
import { type Block, startIn, whenOf } from '#core/calendar/blocks.ts';
import type { Id } from '#core/ids.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import type { DateContext } from '../clock/dates.ts';
import { sayWhen } from '../pickers/saying.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { BlockBook } from './book.ts';
import type { TaskBlock } from './task-blocks.ts';

/** What a block overlaps. `start`: on the clock on the wall. */
interface Meeting {
  readonly title: string;
  readonly start: number;
  /** Of a block; null: it is an event. */
  readonly task: Id | null;
}

/** "Fri 27 Nov 2026, 14:00 for 45 min" */
export function sayBlock(block: Block, context: DateContext): string {
  return `${sayWhen(whenOf(block), context).text} for ${sayDuration(block.minutes)}`;
}

/** What some blocks overlap, by start: other blocks, and events that take time. */
function meetingsOf(program: Program, book: BlockBook, made: readonly TaskBlock[]): readonly Meeting[] {
  const zone = program.platform.zone();
  const others = new Map<string, Meeting>();
  for (const { block, register } of made) {
    for (const { task, ...other } of book.conflicts(block, register, zone))
      others.set(other.register, { title: nameOf(task), start: startIn(other.block, zone), task: task.id });
    for (const { key, event, start } of book.meetings(block, zone))
      others.set(key, { title: event.title, start, task: null });
  }
  return [...others.values()].toSorted((a, b) => a.start - b.start);
}

const quoted = ({ title }: Meeting) => `“${title || 'Untitled'}”`;

/** " It overlaps “Call Ada” at Fri 27 Nov, 14:30 and 2 more."; empty where it overlaps no block and no event. */
export function sayOverlap(program: Program, book: BlockBook, made: readonly TaskBlock[]): string {
  const [first, ...rest] = meetingsOf(program, book, made);
  if (first === undefined) return '';
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`;
  const at = sayWhen(whenOf({ start: first.start, minutes: 1, occ: 0 }), program.moment()).brief;
  return ` It overlaps ${quoted(first)} at ${at}${more}.`;
}

/** "overlaps “Call Ada”": of another task, or an event; empty where there is none. */
export function sayClash(program: Program, book: BlockBook, planned: TaskBlock): string {
  const others = meetingsOf(program, book, [planned]).filter(({ task }) => task !== planned.task.id);
  return others[0] === undefined ? '' : `overlaps ${quoted(others[0])}`;
}
