// Clears completed tasks: a write of the status that names the completion it clears. It never closes a task that
// somebody has reopened since, and never beats that edit: it counts as old as the completion itself.
import type { Status } from '#core/model.ts';
import { stampOver, type Writer } from './merge.ts';
import { fieldOf, registerStamp, type Row, type Stamp } from './row.ts';

/**
 * The stamp of a write of the status; null when it is superseded. If the author saw the task open and still says that
 * it is complete and cleared, the write counts.
 */
export function statusStamp(row: Row, value: Status, writer: Writer): Stamp | null {
  const current = registerStamp(row, 'status');
  const stamp = stampOver(current, writer);
  if (stamp === null || value?.cleared === undefined) return stamp;
  const isSeen = current[2] === writer.device || writer.base >= current[0];
  const status = fieldOf(row, 'status') ?? null;
  if (status === null || status.done !== value.done) return isSeen ? stamp : null;
  return isSeen ? [stamp[0], current[1] + 1, stamp[2], stamp[3]] : stamp;
}
