// A task as a calendar of one's plan has it (core/calendar/feed.ts), from its rows.
import { blocksIn } from '#core/calendar/blocks.ts';
import type { FeedTask } from '#core/calendar/feed.ts';
import type { MineRow, TaskRow } from './row.ts';
import { isDone } from './row-reading.ts';

type Task = Pick<TaskRow, 'id' | 'type' | 'fields' | 'updatedAt'>;
type Mine = Pick<MineRow, 'fields' | 'updatedAt'>;

/** `mine`: the person's own row of it. `now`: milliseconds, for what is not sent yet. */
export function feedTask(task: Task, mine: Mine | undefined, now: number): FeedTask {
  const { title = '', due = null, duration = null, occ = 0 } = task.fields;
  const isSent = task.updatedAt > 0 && mine?.updatedAt !== 0;
  return {
    id: task.id,
    title,
    due,
    duration,
    occ,
    isDone: isDone(task as TaskRow),
    blocks: blocksIn(mine),
    changedAt: isSent ? Math.max(task.updatedAt, mine?.updatedAt ?? 0) : now,
  };
}
