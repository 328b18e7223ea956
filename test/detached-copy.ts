// The safety copy as the app writes it and makes it again, without an app around it.
import type { Id } from '#core/ids.ts';
import { unsentActions } from '#client/sync-status/unsent-actions.ts';
import { writeUnsent } from '#client/sync-status/unsent-file.ts';
import { readUnsent } from '#client/sync-status/unsent-reading.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { DetachedChanges, Replica } from '#sync/replica/replica-types.ts';
import assert from 'node:assert/strict';

export function safetyText(scope: Id, { operations, at }: DetachedChanges): string {
  return writeUnsent({ scope, operations, recovered: [] }, { email: null, at });
}

export function readCopy(text: string, scope: Id): readonly Action[] {
  const read = readUnsent(text);
  assert.ok(read.ok);
  assert.equal(read.value.unreadable, 0);
  return unsentActions(read.value.changes, scope);
}

export function issueInOrder(replica: Replica, actions: readonly Action[]): void {
  for (const action of actions) replica.issue([action]);
}
