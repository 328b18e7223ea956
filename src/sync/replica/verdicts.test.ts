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
const page = (generation: string, more: boolean): ScopeChanges => {
  return { scope, generation, from: 1, to: 2, rows: [], gone: [], more };
};
const due = (verdicts: Verdicts) => verdicts.due(queue, 0, () => false);

describe('verdicts', () => {
  it('count once the rows that they made have come', () => {
    const verdicts = new Verdicts();
    verdicts.heard([[1, 'ok']], [page('one', true)]);
    assert.deepEqual(due(verdicts), []);
    verdicts.heard([], [page('one', false)]);
    assert.deepEqual(due(verdicts), [[1, 'ok']]);
  });

  it('[SYNC-29] count no longer where another start of the server brings the rows: it may have been put back', () => {
    const verdicts = new Verdicts();
    verdicts.heard([[1, 'ok']], [page('one', true)]);
    verdicts.heard([], [page('two', false)]);
    assert.deepEqual(due(verdicts), []);
    assert.equal(verdicts.isHeld(1), false, 'it is sent again');
    verdicts.heard([[1, 'ok']], [page('two', false)]);
    assert.deepEqual(due(verdicts), [[1, 'ok']]);
  });
});
