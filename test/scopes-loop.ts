// The engine with several scopes on a disk in memory, before a server that answers when the test says so.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { createIdSource, type Id } from '#core/ids.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, type MemoryContents } from '#sync/replica/memory-storage.ts';
import type { LiveListener, TransportAnswer } from '#sync/replica/ports.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { registerChecks } from '#wire/registers.ts';
import type { SyncRequest, SyncResponse } from '#wire/sync.ts';

const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
export const newId = createIdSource({ now: () => 1_000, random: random.fill });

/** Everything that is ready to happen has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A device and a server that answers when the test says so. */
export async function openLoop(contents: MemoryContents, scope: Id) {
  const sent: { request: SyncRequest; answer(said: TransportAnswer<SyncResponse>): void }[] = [];
  const live: { on?: LiveListener } = {};
  const engine = createEngine(
    {
      checks: registerChecks,
      storage: createMemoryStorage(contents),
      transport: {
        sync: (request) => new Promise((answer) => void sent.push({ request, answer })),
        snapshot: () => Promise.resolve({ ok: false, problem: { type: 'offline' } }),
        listen(on) {
          live.on = on;
          return () => undefined;
        },
      },
      clock: { now: () => 1_000, monotonic: () => 0 },
      timers: {
        after(delayMs, work) {
          const timer = delayMs === 0 ? setImmediate(work) : undefined;
          return () => clearImmediate(timer);
        },
      },
      random,
    },
    { scope, account: 7 },
  );
  await engine.open();
  await engine.loaded();
  await settled();
  /** Answers what was asked last: with a verdict for each operation, and this besides. */
  const answer = async (said: Partial<SyncResponse> = {}, verdict = 'ok'): Promise<void> => {
    const last = sent.at(-1);
    assert.ok(last);
    const results = (last.request.ops as Operation[]).map(({ q }): [number, string] => [q, verdict]);
    const head = { serverNow: 1_000, deviceNumber: 3, account: 7, personalScope: scope, minSchema: 1 };
    last.answer({ ok: true, value: { ...head, results, changes: [], left: [], ...said } });
    await settled();
  };
  const issue = async (...actions: Action[]): Promise<void> => {
    engine.replica.issue(actions);
    await settled();
  };
  return { engine, live, sent, answer, issue };
}
