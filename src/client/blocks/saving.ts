// Time blocks as a file for other calendars: written on the device, so that an encrypted account has it too. A part of the lazy one.
import { writeFeed } from '#core/calendar/feed.ts';
import { counted } from '#core/counted.ts';
import { feedTask } from '#core/calendar/feed-task.ts';
import type { Program } from '../app/program.ts';
import { todayOf } from '../clock/dates.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { mineOf } from '../outline/personal-fields.ts';
import type { BlockBook } from './book.ts';

const CHOICE = { hasBlocks: true, hasDue: false, hasNames: true, hasDone: true } as const;

/** Offers the time blocks of the last three months and of those to come as a calendar file. */
export function saveBlocks(program: Program, book: BlockBook): CommandResult {
  const { replica, platform } = program;
  const now = replica.now();
  const tasks = book.tasks().map((task) => feedTask(task, mineOf(replica, task.id), now));
  const count = tasks.reduce((sum, { blocks }) => sum + blocks.length, 0);
  if (count === 0) return refused('Plan time for a task first: there are no time blocks.', 'info');
  const name = `Time blocks ${todayOf(program.moment()).toString()}.ics`;
  platform.saveFile(
    name,
    'text/calendar',
    writeFeed(tasks, CHOICE, { name: 'Time blocks', now, zone: platform.zone() }),
  );
  return announced(`Saved ${counted(count, 'time block')} as ${name}.`);
}
