// A file of changes that have not reached the server: written for a person who must leave them. Not here:
// reading such a file (unsent-reading.ts), making what it holds (unsent-actions.ts), and exports of tasks (core/formats).
import type { ExportedEntity } from '#core/formats/exported.ts';
import type { Id } from '#core/ids.ts';
import { withoutOrder } from '#sync/lanes.ts';
import type { Operation } from '#sync/operation.ts';
import type { RecoveredItem } from '#sync/ports.ts';

export const FORMAT = 'posthaste-unsent';
export const VERSION = 1;

export interface UnsentChanges {
  readonly scope: Id;
  readonly operations: readonly Operation[];
  readonly recovered: readonly RecoveredItem[];
}

/** `changed`: what came of the operations, for people and other programs; it is not read again. */
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

export function isUnsentFile(text: string): boolean {
  return text.slice(0, 200).includes(`"${FORMAT}"`);
}
