// How large the steps of a move are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { TransferRecord } from '../data/store.ts';
import { createMover } from './mover.ts';

const transfer: TransferRecord = {
  id: 'transfer' as Id,
  root: 'root' as Id,
  from: 'scope' as Id,
  author: 1,
  device: 1,
  startedAt: 0,
  holder: null,
  heldUntil: 0,
  heldIn: 0,
};

/** The rows that are asked for in each step of a move of so many. */
async function stepsOf(total: number, msOf: (rows: number, step: number) => number, stepMs?: number) {
  const asked: number[] = [];
  let left = total;
  const mover = createMover({
    store: {
      transfers: async () => (left > 0 ? [transfer] : []),
      leftBehind: async () => ({ parents: [], last: null }),
    },
    async carry({ rows }) {
      const moved = Math.min(rows, left);
      left -= moved;
      asked.push(rows);
      const parents = left > 0 ? [transfer.root] : [];
      return { type: 'carried', moved, parents, scopes: [], tookMs: msOf(moved, asked.length) };
    },
    end: () => Promise.resolve(),
    id: 'here' as Id,
    rows: 100,
    ...(stepMs === undefined ? {} : { stepMs }),
    rest: () => Promise.resolve(),
    onError: (error) => assert.fail(String(error)),
  });
  await mover.run();
  assert.equal(left, 0);
  return asked;
}

test('[SYNC-151] steps grow while they are quick, and shrink at once where they take too long', async () => {
  const quick = await stepsOf(3_000, () => 1, 9);
  assert.ok((quick[0] ?? 100) < 50, String(quick));
  assert.equal(quick.at(-1), 100);
  assert.equal(Math.max(...quick), 100);
  const slow = await stepsOf(3_000, (rows) => rows / 5, 9);
  assert.ok(Math.max(...slow) <= 45, String(slow));
  const halting = await stepsOf(3_000, (_, step) => (step === 20 ? 90 : 1), 9);
  assert.ok((halting[20] ?? 100) <= 25, String(halting));
  assert.equal(halting.at(-1), 100);
});

test('[SYNC-140] without a time all steps are as large as they may be', async () => {
  assert.deepEqual(new Set(await stepsOf(1_000, () => 60_000)), new Set([100]));
});
