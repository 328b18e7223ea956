// Notes which reminders have to be computed again, and who is to be told of a task, on SQLite.
import { NOTICE_PACE_MS } from '../notice-pace.ts';
import type { ReminderMarks } from '../store.ts';
import type { Connection } from './sqlite-connection.ts';

/** Returns how many have to be looked at. */
export function saveMarks(db: Connection, marks: ReminderMarks | undefined): number {
  if (marks === undefined) return 0;
  let marked = marks.held.length + marks.told.length;
  for (const { scope, task } of marks.held) {
    db.run(
      'INSERT INTO reminder_due (scope, task, next_at, revision) VALUES (?, ?, 0, 1) ' +
        'ON CONFLICT DO UPDATE SET next_at = 0, revision = revision + 1',
      scope,
      task,
    );
  }
  for (const task of marks.tasks)
    marked += db.run('UPDATE reminder_due SET next_at = 0, revision = revision + 1 WHERE task = ?', task);
  for (const scope of marks.scopes)
    marked += db.run('UPDATE reminder_due SET next_at = 0, revision = revision + 1 WHERE scope = ?', scope);
  for (const { account, task, kind, comment, author } of marks.told)
    db.run(
      'INSERT INTO push_notice (account, task, kind, comment, author, next_at, told_at) ' +
        'VALUES (?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO UPDATE SET kind = excluded.kind, ' +
        `comment = excluded.comment, author = excluded.author, next_at = told_at + ${NOTICE_PACE_MS}`,
      account,
      task,
      kind,
      comment,
      author,
    );
  return marked;
}
