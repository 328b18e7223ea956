// Content for attachments where they are saved: the same for both engines. Who made an attachment has sent its content to a
// scope of their own choice, maybe before anybody knew where the attachment belongs.
import type { Id } from '#core/ids.ts';
import { registerStamp, type Row } from '#sync/rows/row.ts';

/** Of several writers of one content each sees on PostgreSQL what the one before has written: the class of that lock. */
export const CONTENT_LOCK = 1_885_759_588;

/** An attachment whose scope holds its content from now on, if any scope of its author does, or its author sent it lately. */
export interface FileClaim {
  readonly scope: Id;
  readonly hash: string;
  /** Number of the device that named the content. */
  readonly device: number;
  readonly at: number;
}

/** Of all attachments among the rows. */
export function claimsOf(rows: readonly Row[]): readonly FileClaim[] {
  return rows.flatMap((row) => {
    const hash = row.type === 'attachment' ? row.fields.hash : undefined;
    if (typeof hash !== 'string') return [];
    const [, , device] = registerStamp(row, 'hash');
    return [{ scope: row.scope, hash, device, at: row.updatedAt }];
  });
}
