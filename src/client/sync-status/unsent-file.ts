// A file of changes that the server does not have, for a person who must leave them behind. Reading it is in
// unsent-reading.ts, replaying it in unsent-actions.ts, exports of tasks in core/formats.
import type { ExportedEntity } from '#core/formats/exported.ts';
import type { Id } from '#core/ids.ts';
import { withoutOrder } from '#sync/tabs/sequences.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';

/** What such a file says it is. */
export const FORMAT = 'posthaste-unsent';
export const VERSION = 1;

export interface UnsentChanges {
  readonly scope: Id;
  readonly operations: readonly Operation[];
  readonly recovered: readonly RecoveredItem[];
}

/** `changed`: the resulting entities, for people and other programs; not read back. */
export function writeUnsent(
  changes: UnsentChanges & { readonly changed?: readonly ExportedEntity[] },
  about: { readonly email: string | null; readonly at: number },
): string {
  const { scope, changed } = changes;
  const operations = changes.operations.map(withoutOrder);
  const recovered = changes.recovered.map((item) => ({ ...item, operation: withoutOrder(item.operation) }));
  return JSON.stringify(
    { format: FORMAT, version: VERSION, ...about, scope, operations, recovered, changed },
    null,
    1,
  );
}

/** Whether a text looks like such a file, by its beginning alone. */
export function isUnsentFile(text: string): boolean {
  return text.slice(0, 200).includes(`"${FORMAT}"`);
}
