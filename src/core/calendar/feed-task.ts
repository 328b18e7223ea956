// A task as a calendar of one's plan has it (feed.ts), from its registers and those of the person's own row of it.
import type { FieldsOf } from '../model.ts';
import { blocksIn } from './blocks.ts';
import type { FeedTask } from './feed.ts';

interface RowOf<T extends 'task' | 'mine'> {
  readonly fields: FieldsOf<T>;
  /** 0 while only predicted. */
  readonly updatedAt: number;
}

/** `mine`: the person's own row of it. `now`: milliseconds, for what is not sent yet. */
export function feedTask(
  task: RowOf<'task'> & Pick<FeedTask, 'id'>,
  mine: RowOf<'mine'> | undefined,
  now: number,
): FeedTask {
  const { title = '', due = null, duration = null, occ = 0, status = null } = task.fields;
  const isSent = task.updatedAt > 0 && mine?.updatedAt !== 0;
  return {
    id: task.id,
    title,
    due,
    duration,
    occ,
    isDone: status !== null,
    blocks: blocksIn(mine),
    changedAt: isSent ? Math.max(task.updatedAt, mine?.updatedAt ?? 0) : now,
  };
}
