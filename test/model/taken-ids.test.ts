// Ids that a scope derives can be taken in another one by somebody who knows the scope's own. What then cannot be stored is
// refused, so that its content goes to Recovered, and is not passed over.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { completionIds, mineId, type Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { apply, type ApplyContext } from '#sync/rows/apply.ts';
import { type Action, isRefusal } from '#sync/rows/operation.ts';
import { inbox, scope } from './actions.ts';
import { Table } from './table.ts';

class Taken extends Table {
  readonly taken: ReadonlySet<Id>;

  constructor(taken: readonly Id[]) {
    super();
    this.taken = new Set(taken);
  }

  override absence(id: Id): 'unknown' | 'purged' | 'elsewhere' {
    return this.taken.has(id) ? 'elsewhere' : super.absence(id);
  }
}

const task = '0193b3a0-0000-7000-8000-0000000000aa' as Id;
const context = (version: number): ApplyContext => ({
  version,
  time: version,
  device: 1,
  seq: version,
  base: version - 1,
  scope,
  account: 7,
});

function opened(taken: readonly Id[]): Taken {
  const table = new Taken(taken);
  const made: readonly Action[] = [
    {
      a: 'create',
      id: inbox,
      type: 'list',
      fields: { name: 'Inbox', listType: 'inbox' },
      place: { parent: scope },
    },
    { a: 'create', id: task, type: 'task', fields: { title: 'Water' }, place: { parent: inbox } },
  ];
  for (const [at, action] of made.entries()) assert.equal(apply(table, action, context(at + 1)), 'ok');
  return table;
}

describe('an id of the scope that is taken elsewhere', () => {
  test('a completion is refused once all its ids are, and takes a spare one before', () => {
    const ids = completionIds(scope, task, 0);
    const complete: Action = {
      a: 'complete',
      id: task,
      occ: 0,
      at: 5,
      next: { due: { on: '2026-12-01' }, start: null },
    };
    for (let taken = 0; taken < ids.length; taken += 1) {
      const table = opened(ids.slice(0, taken));
      assert.equal(apply(table, complete, context(3)), 'ok');
      assert.ok(table.rows.has(must(ids[taken], 'there is a spare one')));
    }
    const table = opened(ids);
    const before = new Map(table.rows);
    const verdict = apply(table, complete, context(3));
    assert.ok(isRefusal(verdict), verdict);
    assert.deepEqual(table.rows, before);
  });

  test('the own fields of a task are refused, and not left out in silence', () => {
    const id = mineId(scope, task);
    const create: Action = { a: 'create', id, type: 'mine', fields: { of: task, collapsed: true } };
    assert.equal(apply(opened([]), create, context(3)), 'ok');
    const verdict = apply(opened([id]), create, context(3));
    assert.ok(isRefusal(verdict), verdict);
  });
});
