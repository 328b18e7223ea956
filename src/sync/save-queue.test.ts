// Writing behind: what is promised about order, failures and who waits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { DeviceMeta, DeviceStorage, StorageBatch, Timers } from './ports.ts';
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
function createBench() {
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
  const queue = new SaveQueue({ storage, timers, meta: () => meta, onChange: () => undefined });
  return { queue, writes };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('save queue', () => {
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
