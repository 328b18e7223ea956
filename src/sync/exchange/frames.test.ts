// How many frames there are between a key and its request: the one that shows the key, and no other.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createIdSource, listsRoot } from '#core/ids.ts';
import { registerChecks } from '#wire/registers.ts';
import { createEngine } from './engine.ts';
import { createMemoryStorage } from '../replica/memory-storage.ts';
import type { Operation } from '../rows/operation.ts';
import type { Timers } from '../replica/ports.ts';

const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
const newId = createIdSource({ now: () => 1_000, random: random.fill });

/** Everything that may happen before the next frame has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** An engine whose frames are made when the test says so, with a disk and a network that answer at once. */
async function createBench() {
  const scope = newId();
  const sent: (readonly Operation[])[] = [];
  let due: (() => void)[] = [];
  const timers: Timers = {
    after(delayMs, work) {
      if (delayMs === 0) due.push(work);
      return () => void (due = due.filter((other) => other !== work));
    },
    soon: (work) => void setImmediate(work),
  };
  const frame = async (): Promise<void> => {
    for (const work of due.splice(0)) work();
    await settled();
  };
  const engine = createEngine(
    {
      checks: registerChecks,
      storage: createMemoryStorage(),
      transport: {
        sync(request) {
          const operations = request.ops as Operation[];
          sent.push(operations);
          const value = {
            serverNow: 1_000,
            deviceNumber: 1,
            account: 7,
            personalScope: scope,
            results: operations.map(({ q }): [number, 'ok'] => [q, 'ok']),
            changes: [],
            left: [],
            minSchema: 1,
          };
          return Promise.resolve({ ok: true, value });
        },
        snapshot: () => Promise.resolve({ ok: false, problem: { type: 'offline' } }),
        listen: () => () => undefined,
      },
      clock: { now: () => 1_000, monotonic: () => 0 },
      timers,
      random,
    },
    { scope, account: 7 },
  );
  const opened = engine.open();
  for (let frames = 0; frames < 5; frames += 1) {
    await settled();
    await frame();
  }
  await opened;
  const makeList = (): void => {
    const place = { parent: listsRoot(scope) };
    const fields = { name: 'A', listType: 'list' };
    engine.replica.issue([{ a: 'create', id: newId(), type: 'list', fields, place }]);
  };
  return { engine, sent, frame, makeList };
}

describe('frames between a key and its request', () => {
  it('there is one, before the disk: what the disk has is sent without waiting for another', async () => {
    const bench = await createBench();
    const { sent, makeList } = bench;
    const before = sent.length;
    makeList();
    await settled();
    assert.equal(sent.length, before, 'before the frame nothing is saved, and nothing sent');
    await bench.frame();
    assert.deepEqual(
      sent.slice(before).map((operations) => operations.length),
      [1],
    );
    const closed = bench.engine.close();
    await bench.frame();
    await closed;
  });
});
