// Clearing what is complete: a write of the status that says which completion it clears. It never closes what somebody opened
// again unseen, and never outdoes them: it counts as old as the completion itself.
import type { Status } from '#core/model.ts';
import { stampOver, type Writer } from './merge.ts';
import { registerStamp, type Row, type Stamp } from './row.ts';

/**
 * The stamp of a write of the status, null where it is superseded. An author who saw the task open and says that it is
 * complete and cleared is taken at their word.
 */
export function statusStamp(row: Row, value: Status, writer: Writer): Stamp | null {
  const current = registerStamp(row, 'status');
  const stamp = stampOver(current, writer);
  if (stamp === null || value?.cleared === undefined) return stamp;
  const isSeen = current[2] === writer.device || writer.base >= current[0];
  const status = (row.fields.status as Status | undefined) ?? null;
  if (status === null || status.done !== value.done) return isSeen ? stamp : null;
  return isSeen ? [stamp[0], current[1] + 1, stamp[2], stamp[3]] : stamp;
}
