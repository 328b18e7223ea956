// Time blocks in words.
import { type Block, whenOf } from '#core/calendar/blocks.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import type { DateContext } from '../clock/dates.ts';
import { sayWhen } from '../pickers/saying.ts';

/** "Fri 27 Nov 2026, 14:00 for 45 min" */
export function sayBlock(block: Block, context: DateContext): string {
  return `${sayWhen(whenOf(block), context).text} for ${sayDuration(block.minutes)}`;
}
