// The index is read in portions while people write: what changes before it is read must be found, and in its own place.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId, inboxId, type Id } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { TaskIndex } from '#sync/query/task-index.ts';
import { createReplica, SCOPE } from '../keystrokes/desk-engine.ts';
import { Timers } from '../keystrokes/timers.ts';

const TITLES = ['Plan a trip', 'Pack a bag', 'Pay a bill'];

/** A copy with three tasks, and an index that follows it from the beginning. */
function begin() {
  const replica = createReplica(new Timers());
  const ids = TITLES.map((title) => deriveId('index test', title));
  replica.issue(
    ids.map((id, at) => ({
      a: 'create' as const,
      id,
      type: 'task' as const,
      fields: { title: TITLES[at] ?? '' },
      place: { parent: inboxId(SCOPE) },
    })),
  );
  const index = new TaskIndex(replica);
  replica.subscribe((changes) => index.apply(changes));
  const titleOf = (id: Id) => fieldOf(replica.row(id), 'title');
  const found = (query: string) => index.find(query, null).map(titleOf);
  return { replica, ids, index, found };
}

describe('tasks that change before the index has read them', () => {
  test('are found in the order of all tasks, with what they say now', () => {
    const { replica, ids, found } = begin();
    const last = ids.at(-1) as Id;
    replica.issue([{ a: 'set', id: last, field: 'title', value: 'Pay a big bill' }]);
    assert.deepEqual(found('a'), ['Plan a trip', 'Pack a bag', 'Pay a big bill']);
  });

  test('are found when they are made while it reads', () => {
    const { replica, index, found } = begin();
    index.readSome(2);
    const id = deriveId('index test', 'Call a cab');
    replica.issue([
      { a: 'create', id, type: 'task', fields: { title: 'Call a cab' }, place: { parent: inboxId(SCOPE) } },
    ]);
    assert.deepEqual(found('a'), [...TITLES, 'Call a cab']);
  });
});
