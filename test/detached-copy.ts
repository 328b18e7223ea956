// The safety copy as the app writes it and makes it again, without an app around it.
import type { Id } from '#core/ids.ts';
import { unsentActions } from '#client/unsent-actions.ts';
import { writeUnsent } from '#client/unsent-file.ts';
import { readUnsent } from '#client/unsent-reading.ts';
import type { Action } from '#sync/operation.ts';
import type { DetachedChanges, Replica } from '#sync/replica-types.ts';
import assert from 'node:assert/strict';

export function safetyText(scope: Id, { operations, at }: DetachedChanges): string {
  return writeUnsent({ scope, operations, recovered: [] }, { email: null, at });
}

export function readCopy(text: string, scope: Id): readonly Action[] {
  const read = readUnsent(text);
  assert.ok(read.ok);
  assert.equal(read.unreadable, 0);
  return unsentActions(read.changes, scope);
}

export function issueInOrder(replica: Replica, actions: readonly Action[]): void {
  for (const action of actions) replica.issue([action]);
}
