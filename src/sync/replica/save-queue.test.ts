// Writing behind: what is promised about order, failures and who waits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { Operation } from '../rows/operation.ts';
import type { DeviceMeta, DeviceStorage, RecoveredItem, StorageBatch, Timers } from './ports.ts';
import { SaveQueue } from './save-queue.ts';

const meta: DeviceMeta = {
  device: 'a' as Id,
  deviceNumber: 0,
  scope: 'b' as Id,
  account: 1,
  seq: 0,
  acked: 0,
  cursors: {},
  clockOffsetMs: 0,
};

/** A disk whose writes end when the test says so, and timers that run at once. */
function createBench(known = meta) {
  const writes: { batch: StorageBatch; end: () => void; fail: () => void }[] = [];
  const storage = {
    write: (batch: StorageBatch) =>
      new Promise<void>((resolve, reject) => {
        writes.push({ batch, end: resolve, fail: () => reject(new Error('full')) });
      }),
  } as unknown as DeviceStorage;
  const timers: Timers = {
    after(_delayMs, work) {
      let isCancelled = false;
      queueMicrotask(() => {
        if (!isCancelled) work();
      });
      return () => {
        isCancelled = true;
      };
    },
  };
  const queue = new SaveQueue({ storage, timers, meta: () => known, onChange: () => undefined });
  return { queue, writes };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function refused(q: number): RecoveredItem {
  const scope = meta.scope;
  const operation: Operation = { a: 'delete', id: 'c' as Id, q, u: 'd' as Id, scope, t: 0, b: 0 };
  return { operation, verdict: 'gone', at: 0 };
}

const seqs = (items: readonly RecoveredItem[] = []) => items.map(({ operation }) => operation.q);

describe('save queue', () => {
  for (const [account, written] of [
    [0, [6]],
    [1, [5, 6]],
  ] as const)
    it(`[SYNC-61] writes what another leader is to judge again only where a server refused it, account ${account}`, async () => {
      const { queue, writes } = createBench({ ...meta, account });
      queue.add({ outboxRemove: [5], recoveredAdd: [refused(5), refused(6)] });
      queue.limit(true);
      await turn();
      assert.deepEqual(seqs(writes[0]?.batch.recoveredAdd), written);
      assert.deepEqual(writes[0]?.batch.outboxRemove, []);
    });

  it('knows what the disk will hold of refused operations while it writes', async () => {
    const { queue, writes } = createBench();
    queue.add({ recoveredAdd: [refused(1), refused(2)] });
    await turn();
    queue.add({ recoveredAdd: [refused(3)], recoveredRemove: [2, 7] });
    assert.deepEqual(seqs(queue.recoveredOver([refused(7), refused(8)])), [8, 1, 3]);
    writes[0]?.end();
    await turn();
    assert.deepEqual(seqs(queue.recoveredOver([refused(1), refused(2)])), [1, 3]);
  });

  it('tells who asks during the last write when that write has ended', async () => {
    const { queue, writes } = createBench();
    queue.add({ outboxRemove: [1] });
    await turn();
    let isFlushed = false;
    void queue.flushed().then(() => {
      isFlushed = true;
    });
    await turn();
    assert.equal(isFlushed, false);
    writes[0]?.end();
    await turn();
    assert.equal(isFlushed, true);
  });

  it('keeps what a refused write held and adds what came meanwhile', async () => {
    const { queue, writes } = createBench();
    queue.add({ outboxRemove: [1] });
    await turn();
    queue.add({ outboxRemove: [2] });
    writes[0]?.fail();
    await turn();
    assert.equal(queue.failing, true);
    assert.deepEqual(writes[1]?.batch.outboxRemove, [1, 2]);
    writes[1]?.end();
    await turn();
    assert.deepEqual({ idle: queue.idle, failing: queue.failing }, { idle: true, failing: false });
  });
});
