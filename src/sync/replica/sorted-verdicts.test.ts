// Which refused changes are kept for their person when an answer arrives.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { Operation } from '../rows/operation.ts';
import { judged } from './sorted-verdicts.ts';

const idOf = (last: number) => `00000000-0000-7000-8000-00000000000${last}` as Id;
const [task, other, first, second, scope] = [idOf(1), idOf(2), idOf(3), idOf(4), idOf(5)];

const headOf = (q: number) => ({ q, t: q, b: 0, u: idOf(6), scope });

const place = (q: number, id: Id, parent: Id): Operation => ({
  a: 'place',
  id,
  place: { parent },
  ...headOf(q),
});

const kept = (queue: readonly Operation[], refused: readonly number[]) =>
  judged(
    queue,
    queue.map(({ q }) => [q, refused.includes(q) ? 'forbidden' : 'ok'] as const),
    0,
  ).refused.map(({ operation }) => operation.q);

describe('verdicts of an answer', () => {
  it('[SYNC-174] a refused move that a later one overtook is not kept, the last one is', () => {
    const queue = [place(1, task, first), place(2, other, first), place(3, task, second)];
    assert.deepEqual(kept(queue, [1]), []);
    assert.deepEqual(kept(queue, [1, 3]), [3]);
    assert.deepEqual(kept(queue, [2]), [2]);
  });

  it('[SYNC-174] what was written is kept, whatever was written later', () => {
    const write = (q: number, value: string): Operation => ({
      a: 'set',
      id: task,
      field: 'title',
      value,
      ...headOf(q),
    });
    assert.deepEqual(kept([write(1, 'a'), write(2, 'b')], [1]), [1]);
  });
});
