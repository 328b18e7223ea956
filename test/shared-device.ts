// A device of a person on a test server: the app's engine with a disk in memory and the server's own answers. It is online when
// the test says so; nothing waits for a clock.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import { readRecord } from '#core/json.ts';
import { failed, ok } from '#core/result.ts';
// What the engine loads when it needs it is here from the start.
import '#sync/exchange/bootstrap.ts';
import '#sync/exchange/healing.ts';
import '#sync/exchange/sync-loop.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { TransportAnswer } from '#sync/replica/ports.ts';
import type { Action } from '#sync/rows/operation.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { registerChecks } from '#wire/registers.ts';
import { partPageSchema, syncErrorCodes, type SyncResponse } from '#wire/sync.ts';
import type { Person } from './sharing.ts';

const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
const timers = {
  after(delayMs: number, work: () => void) {
    // Later tries are made by the test.
    const timer = delayMs === 0 ? setImmediate(work) : undefined;
    return () => clearImmediate(timer);
  },
};

/** Opens a device of this person, on an empty disk unless one is given. */
export async function openDevice(person: Person, contents = new MemoryContents()) {
  const { server } = person;
  const net = { isOnline: true, busy: 0 };
  const ask = async (path: string, body?: unknown): Promise<TransportAnswer<unknown>> => {
    if (!net.isOnline) return failed({ type: 'offline' });
    net.busy += 1;
    const method = body === undefined ? 'GET' : 'POST';
    const sent = body === undefined ? {} : { body };
    const answer = await server.ask(path, { method, cookie: person.cookie, ...sent });
    const text = await answer.text();
    net.busy -= 1;
    const said: unknown = JSON.parse(text);
    if (answer.status === 200) return ok(said);
    if (answer.status === 401) return failed({ type: 'signedOut' });
    const { code = '', message = '' } = readRecord(text) ?? {};
    const known = syncErrorCodes.find((each) => each === code);
    assert.ok(known !== undefined, text);
    return failed({ type: 'refused', code: known, message: String(message) });
  };
  const engine = createEngine(
    {
      checks: registerChecks,
      storage: createMemoryStorage(contents),
      transport: {
        sync: async (request) => (await ask('/sync/v1', request)) as TransportAnswer<SyncResponse>,
        async snapshot(scope, { part, after }) {
          const query = after === null ? `?part=${part}` : `?part=${part}&after=${after}`;
          const page = await ask(`/snapshot/v1/${scope}${query}`);
          return page.ok ? ok(partFromWire(partPageSchema.parse(page.value))) : page;
        },
        listen: () => () => undefined,
      },
      clock: server.clock,
      timers,
      random,
    },
    { scope: person.personalScope as Id, account: person.account },
  );
  await engine.open();
  await engine.loaded();

  /** Until nothing is asked and nothing is ready to happen. */
  async function rest(): Promise<void> {
    for (let turn = 0; turn < 30; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (net.busy > 0) turn = 0;
    }
  }

  const device = {
    engine,
    contents,
    get replica() {
      return engine.replica;
    },
    /** Talks to the server until there is nothing left to say. */
    sync: async (): Promise<void> => {
      net.isOnline = true;
      for (let round = 0; round < 3; round += 1) {
        server.clock.pass(60_000);
        engine.nudge();
        await rest();
      }
    },
    goOffline: () => void (net.isOnline = false),
    /** Makes changes, each a minute after the one before. */
    issue: async (...actions: readonly Action[]): Promise<void> => {
      for (const action of actions) {
        server.clock.pass(60_000);
        const { verdicts } = engine.replica.issue([action]);
        assert.deepEqual(verdicts, ['ok'], JSON.stringify(action));
      }
      await rest();
    },
    /** The titles beneath something, in order, as this device shows them; what is in the trash is left out. */
    titles: (parent: Id): readonly string[] =>
      engine.replica
        .children(parent)
        .filter((row) => fieldOf(row, 'del') === undefined)
        .map((row) => fieldOf(row, 'title') ?? fieldOf(row, 'name') ?? ''),
    parentOf: (id: Id) => placeOf(engine.replica.row(id))?.parent,
    close: () => engine.close(),
  };
  await device.sync();
  return device;
}

/** A device as `openDevice` gives it. */
export type SharedDevice = Awaited<ReturnType<typeof openDevice>>;
