// How long what the server said of an operation counts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { Operation } from '../rows/operation.ts';
import { Verdicts } from './verdicts.ts';

const scope = '0193b3a0-0000-7000-8000-000000000001' as Id;
const queue: readonly Operation[] = [
  { a: 'delete', id: scope, q: 1, u: scope, scope, t: 1, b: 0 },
  { a: 'delete', id: scope, q: 2, u: scope, scope, t: 1, b: 0 },
];
/** What it moves has moved to another scope meanwhile, and what it is put under is in a third. */
const [there, under] = [scope.replace('1', '2') as Id, scope.replace('1', '3') as Id];
const held = {
  row: (id: Id) => (id === under ? { scope: under } : undefined),
  scopeOf: ({ id }: Operation, otherwise: Id) => (id === there ? there : otherwise),
};
const page = (generation: string, more: boolean): ScopeChanges => {
  return { scope, generation, from: 1, to: 2, rows: [], gone: [], more };
};
const due = (verdicts: Verdicts) => verdicts.due(queue, 0, () => false);

describe('verdicts', () => {
  it('count once the rows that they made have come', () => {
    const verdicts = new Verdicts(held);
    verdicts.heard([[1, 'ok']], [page('one', true)]);
    assert.deepEqual(due(verdicts), []);
    verdicts.heard([], [page('one', false)]);
    assert.deepEqual(due(verdicts), [[1, 'ok']]);
  });

  for (const [where, behind, operation] of [
    ['to which its row has moved', there, { a: 'delete', id: there }],
    ['into which it puts its row', under, { a: 'place', id: scope, place: { parent: under } }],
  ] as const)
    it(`[SYNC-83] count once the rows of the scope ${where} have come`, () => {
      const verdicts = new Verdicts(held);
      const made = [{ ...operation, q: 1, u: scope, scope, t: 1, b: 0 }];
      verdicts.heard([[1, 'ok']], [page('one', false), { ...page('one', true), scope: behind }]);
      assert.deepEqual(
        verdicts.due(made, 0, () => false),
        [],
      );
      verdicts.heard([], [{ ...page('one', false), scope: behind }]);
      assert.deepEqual(
        verdicts.due(made, 0, () => false),
        [[1, 'ok']],
      );
    });

  it('[SYNC-83] count once the rows of the scope have come to which the same answer says that the row has moved', () => {
    const verdicts = new Verdicts(held);
    const [here, partly] = [page('one', false), { ...page('one', true), scope: there }];
    verdicts.heard([[1, 'ok']], [{ ...here, moved: [[scope, there, 1, 1, 1]] }, partly]);
    assert.deepEqual(due(verdicts), []);
    verdicts.heard([], [{ ...partly, more: false }]);
    assert.deepEqual(due(verdicts), [[1, 'ok']]);
  });

  it('[SYNC-154] let nothing be heard of one scope alone before the first answer, nor while one is partly read', () => {
    const verdicts = new Verdicts(held);
    assert.equal(verdicts.isBehind, true, 'the app may have ended between two pages of a scope');
    verdicts.heard([], [page('one', true)]);
    assert.equal(verdicts.isBehind, true);
    verdicts.heard([], [page('one', false)]);
    assert.equal(verdicts.isBehind, false);
    verdicts.tear();
    assert.equal(verdicts.isBehind, true, 'until the next answer');
  });

  it('[SYNC-29] count no longer where another start of the server brings the rows: it may have been put back', () => {
    const verdicts = new Verdicts(held);
    verdicts.heard([[1, 'ok']], [page('one', true)]);
    verdicts.heard([], [page('two', false)]);
    assert.deepEqual(due(verdicts), []);
    assert.equal(verdicts.isHeld(1), false, 'it is sent again');
    verdicts.heard([[1, 'ok']], [page('two', false)]);
    assert.deepEqual(due(verdicts), [[1, 'ok']]);
  });
});
