// Devices of people who share lists: the engine as it runs in the app, with a disk in memory, before a test server over a
// network that is there when the test says so.
import assert from 'node:assert/strict';
import { createIdSource, type Id } from '#core/ids.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { Random, Timers, Transport, TransportAnswer } from '#sync/replica/ports.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { registerChecks } from '#wire/registers.ts';
import { partPageSchema, syncErrorCodes, syncResponseSchema } from '#wire/sync.ts';
import type { Person } from './sharing.ts';
// What the engine loads when it needs it is here from the start.
import '#sync/exchange/healing.ts';

const random: Random = {
  fill: (bytes) => bytes.set(crypto.getRandomValues(new Uint8Array(bytes.length))),
  fraction: () => 0.5,
};
const TURNS = 2_000;

/** Back-offs are over at once; what only looks from time to time never comes. */
const timers: Timers = {
  after(delayMs, work) {
    const timer = delayMs >= 30_000 ? undefined : setImmediate(work);
    return () => clearImmediate(timer);
  },
};

/** One device of a person. It is offline except while it meets the server. */
export class Device {
  readonly engine: Engine;
  readonly newId: () => Id;
  readonly #person: Person;
  #isOnline = false;
  #answers = 0;
  #asking = 0;

  private constructor(person: Person, disk: MemoryContents) {
    const { clock } = person.server;
    this.#person = person;
    this.newId = createIdSource({ now: () => clock.now(), random: (bytes) => random.fill(bytes) });
    const ports = { storage: createMemoryStorage(disk), clock, timers, random, checks: registerChecks };
    const transport = this.#transport();
    const { account, personalScope } = person;
    this.engine = createEngine({ ...ports, transport }, { scope: personalScope as Id, account });
  }

  /** A device that has read all that its person may read. */
  static async of(person: Person, disk = new MemoryContents()): Promise<Device> {
    const device = new Device(person, disk);
    await device.engine.open();
    await device.engine.loaded();
    await device.meet();
    return device;
  }

  /** Sends what waits and hears what there is. */
  async meet(): Promise<void> {
    const { engine } = this;
    this.#person.server.clock.pass(60_000);
    await engine.flushed();
    this.#isOnline = true;
    this.#answers = 0;
    const isDone = () =>
      this.#answers >= 2 &&
      this.#asking === 0 &&
      engine.facts().pending.length === 0 &&
      engine.state.get().type === 'synced';
    for (let turn = 0; turn < TURNS && !isDone(); turn += 1) {
      if (this.#asking === 0) engine.nudge();
      await new Promise((resolve) => void setImmediate(resolve));
    }
    assert.ok(isDone(), `it has met the server: ${JSON.stringify(engine.state.get())}`);
    this.#isOnline = false;
  }

  /** Does this, a minute after what was done before, on this device alone. */
  do(...actions: readonly Action[]): readonly string[] {
    this.#person.server.clock.pass(60_000);
    return this.engine.replica.issue(actions).verdicts;
  }

  /** Makes a task at the end of a list or a task. */
  add(title: string, parent: Id): Id {
    const id = this.newId();
    const made = this.do({ a: 'create', id, type: 'task', fields: { title }, place: { parent } });
    assert.deepEqual(made, ['ok']);
    return id;
  }

  row(id: Id): Row | undefined {
    return this.engine.replica.row(id);
  }

  /** Titles and names beneath something, with what is in each in brackets. */
  outline(parent: Id): string {
    const { replica } = this.engine;
    return replica
      .children(parent)
      .filter((row) => (row.type === 'task' || row.type === 'list') && fieldOf(row, 'del') === undefined)
      .map((row) => {
        const inside = this.outline(row.id);
        const name = String(fieldOf(row, 'title') ?? fieldOf(row, 'name') ?? 'Inbox');
        return inside === '' ? name : `${name} (${inside})`;
      })
      .join(', ');
  }

  /** What waits in Recovered: what was refused, in words of the operation. */
  recovered(): readonly string[] {
    return this.engine.recovered.get().map(({ operation, verdict }) => {
      const text =
        operation.a === 'set'
          ? operation.value
          : operation.a === 'create'
            ? operation.fields['title']
            : undefined;
      return `${verdict}: ${operation.a}${typeof text === 'string' ? ` ${text}` : ''}`;
    });
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  #transport(): Transport {
    const { server, cookie } = this.#person;
    const offline = { ok: false, problem: { type: 'offline' } } as const;
    const ask = async <T>(
      call: () => Promise<Response>,
      read: (body: unknown) => T,
    ): Promise<TransportAnswer<T>> => {
      if (!this.#isOnline) return offline;
      this.#asking += 1;
      try {
        const answer = await call();
        const body: unknown = await answer.json();
        if (answer.status === 200) return { ok: true, value: read(body) };
        const { code, message } = body as { code?: string; message?: string };
        const known = syncErrorCodes.find((each) => each === code);
        if (known === undefined) return { ok: false, problem: { type: 'busy', retryAfterMs: 1 } };
        return { ok: false, problem: { type: 'refused', code: known, message: message ?? '' } };
      } finally {
        this.#asking -= 1;
        this.#answers += 1;
      }
    };
    return {
      sync: (request) =>
        ask(
          () => server.ask('/sync/v1', { method: 'POST', cookie, body: request }),
          (body) => syncResponseSchema.parse(body),
        ),
      snapshot: (scope, { part, after }) =>
        ask(
          () =>
            server.ask(`/snapshot/v1/${scope}?part=${part}${after === null ? '' : `&after=${after}`}`, {
              cookie,
            }),
          (body) => partFromWire(partPageSchema.parse(body)),
        ),
      listen: () => () => undefined,
    };
  }
}
