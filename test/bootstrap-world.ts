// A server with an account of a few hundred rows, and devices that read it in small pages over a network that stops,
// fails or lets go when the test says so. Production code on both ends; pages and answers are cut small in between.
import { registerChecks } from '#wire/registers.ts';
import { createIdSource, inboxId, listsRoot, parseId, type Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import type { PartPage, Random, Timers, Transport, TransportAnswer } from '#sync/replica/ports.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { protocolVersion } from '#wire/version.ts';
import type { SnapshotPlace } from '#wire/sync.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { type Database, openDatabase } from '#server/data/database.ts';
import { shelfOf } from '#server/data/shelf.ts';
import { createExchange, type Exchange } from '#server/sync/exchange.ts';

const ACCOUNT = 7;
const PAGE_ROWS = 25;
/** More than this and the server says that the scope has to be read in parts. */
const MOST_CHANGES = 20;
const DAY_MS = 86_400_000;

const random: Random = {
  fill: (bytes) => bytes.set(crypto.getRandomValues(new Uint8Array(bytes.length))),
  fraction: () => 0.5,
};
export const newId = createIdSource({ now: () => Date.now(), random: (bytes) => random.fill(bytes) });

/** Back-offs are over at once; what only looks from time to time never comes. */
const timers: Timers = {
  after(delayMs, work) {
    const timer = delayMs >= 30_000 ? undefined : setImmediate(work);
    return () => clearImmediate(timer);
  },
};

type Answer = TransportAnswer<PartPage>;

export interface Device {
  readonly engine: Engine;
  /** Places asked for, in order. */
  readonly asked: SnapshotPlace[];
  /** The version up to which its changes are known. */
  cursor(): number | undefined;
  /** Its disk as a crash would leave it now. */
  disk(): MemoryContents;
}

export interface DeviceOptions {
  readonly disk?: MemoryContents;
  /** Called before each page is read, with its number from 0; what it returns is answered instead. */
  readonly page?: (number: number, place: SnapshotPlace) => Promise<Answer | undefined> | Answer | undefined;
}

export class World {
  readonly scope = newId();
  readonly tasks: Id[] = [];
  readonly actor: AccountActor;
  private readonly roles = new Map<Id, 'owner'>([[this.scope, 'owner']]);
  private readonly database: Database;
  private readonly engines: Engine[] = [];
  private readonly writer = newId();
  private exchange: Exchange;
  private nonces: { readonly index: number; readonly nonce: string }[] = [];
  private seq = 0;

  private constructor(database: Database) {
    this.database = database;
    this.exchange = this.start();
    this.actor = {
      type: 'account',
      account: ACCOUNT,
      session: must(parseId('018f0000-0000-7000-8000-000000000001'), 'an id'),
      kind: 'web',
      personalScope: this.scope,
      roles: this.roles,
    };
  }

  static async create(count: number): Promise<World> {
    const world = new World(await openDatabase({ dataDir: ':memory:' }));
    await world.database.store.createScope({ id: world.scope, kind: 'personal', owner: ACCOUNT });
    await world.restart();
    const inbox = inboxId(world.scope);
    const place = { parent: listsRoot(world.scope), at: 'start' } as const;
    await world.write([{ a: 'create', id: inbox, type: 'list', fields: { listType: 'inbox' }, place }]);
    for (let at = 0; at < count; at += 1) world.tasks.push(newId());
    await world.write(
      world.tasks.map((id, at) => ({
        a: 'create',
        id,
        type: 'task',
        fields: {
          title: `task ${at}`,
          ...(at % 2 === 0 ? {} : { status: { done: Date.now() - at * 10 * DAY_MS } }),
        },
        place: { parent: inbox, at: 'end' },
      })),
    );
    return world;
  }

  private start(): Exchange {
    return createExchange({
      store: this.database.store,
      clock: { now: () => Date.now(), monotonic: () => performance.now() },
      generations: this.nonces,
      publish: () => undefined,
      nextTurn: (work) => setImmediate(work),
    });
  }

  /** The server ends and starts again: a new generation. */
  async restart(): Promise<void> {
    this.nonces = [...(await this.database.store.openGeneration(newId(), Date.now()))];
    this.exchange = this.start();
  }

  /** Another device of the account does this. */
  async write(actions: readonly Action[]): Promise<void> {
    const version = await this.version();
    const operations = actions.map((action): Operation => {
      this.seq += 1;
      return { ...action, q: this.seq, u: newId(), scope: this.scope, t: Date.now(), b: version };
    });
    const answer = await this.exchange.sync(this.actor, {
      schema: protocolVersion,
      device: this.writer,
      clientNow: Date.now(),
      ops: operations,
      ack: 0,
      cursors: { [this.scope]: { generation: this.nonces.at(-1)?.nonce, version } },
    });
    if (!answer.ok || answer.value.results.some(([, verdict]) => verdict !== 'ok'))
      throw new Error(`The other device was refused: ${JSON.stringify(answer)}`);
  }

  /** Trashes a task and removes it for good. */
  async purge(id: Id): Promise<void> {
    await this.write([{ a: 'delete', id }]);
    const gone = await this.exchange.purge({
      scope: this.scope,
      ids: [id],
      trashedBefore: Number.MAX_SAFE_INTEGER,
    });
    if (gone.length !== 1) throw new Error('The task was not purged.');
  }

  /** Tombstones up to now are forgotten: whoever was away since before has to read the scope again. */
  async raiseHorizon(): Promise<void> {
    await this.database.store.write(async (tx) => {
      const head = must((await tx.lockScopes([this.scope])).get(this.scope), 'the scope exists');
      const none = { scopeGenerations: [], rows: [], tombstones: [], devices: [], results: [] };
      const scopes = [{ ...head, horizon: head.version }];
      await tx.save({ ...none, scopes, forgetResults: [], history: [] });
    });
  }

  leave(): void {
    this.roles.clear();
  }

  async device({ disk = new MemoryContents(), page }: DeviceOptions = {}): Promise<Device> {
    const asked: SnapshotPlace[] = [];
    const engine = createEngine(
      {
        storage: createMemoryStorage(disk),
        transport: this.transport(asked, page),
        clock: { now: () => Date.now(), monotonic: () => performance.now() },
        timers,
        random,
        checks: registerChecks,
      },
      { scope: this.scope, account: ACCOUNT },
    );
    this.engines.push(engine);
    await engine.open();
    await engine.loaded();
    return {
      engine,
      asked,
      disk: () => copyOf(disk),
      cursor: () => engine.contents()?.meta?.cursors[this.scope]?.version,
    };
  }

  /** What the server holds, as `id version`, in id order. */
  async held(): Promise<readonly string[]> {
    const rows = await this.database.store.snapshot(this.scope, null, 100_000);
    return rows.map(({ id, version }) => `${id} ${version}`);
  }

  async version(): Promise<number> {
    return must(await this.database.store.scope(this.scope), 'the scope exists').version;
  }

  async close(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.close()));
    await this.exchange.idle();
    await this.database.close();
  }

  /** One page as the server answers it now. */
  async read(place: SnapshotPlace, scope = this.scope): Promise<Answer> {
    const answer = await this.exchange.part(this.actor, scope, place);
    // As the browser's transport reads "not found".
    if (!answer.ok) return { ok: false, problem: { type: 'busy', retryAfterMs: 1 } };
    return { ok: true, value: cut(partFromWire(structuredClone(answer.value)), place) };
  }

  private transport(asked: SnapshotPlace[], page: DeviceOptions['page']): Transport {
    return {
      sync: async (request) => {
        const answer = await this.exchange.sync(this.actor, { ...request, maxRows: MOST_CHANGES });
        if (answer.ok) return { ok: true, value: structuredClone(answer.value) };
        return {
          ok: false,
          problem: { type: 'refused', code: answer.problem.code, message: answer.problem.message },
        };
      },
      snapshot: async (scope, place) => {
        asked.push(place);
        const instead = await page?.(asked.length - 1, place);
        if (instead !== undefined) return instead;
        return this.read(place, scope);
      },
      listen: () => () => undefined,
    };
  }
}

function cut(page: PartPage, { part }: SnapshotPlace): PartPage {
  if (page.rows.length <= PAGE_ROWS) return page;
  const rows = page.rows.slice(0, PAGE_ROWS);
  return { ...page, rows, next: { part, after: shelfOf(must(rows.at(-1), 'a page has rows') as Row) } };
}

function copyOf(disk: MemoryContents): MemoryContents {
  const copy = new MemoryContents();
  copy.meta = disk.meta;
  for (const name of ['outbox', 'rows', 'recovered', 'journal'] as const)
    for (const [key, value] of disk[name]) (copy[name] as Map<unknown, unknown>).set(key, value);
  return copy;
}

/** What the device holds and has confirmed, as `id version`, in id order. */
export function heldBy({ engine }: Device): readonly string[] {
  const rows = must(engine.contents(), 'the copy is loaded').rowsPut ?? [];
  return rows.map(({ id, version }) => `${id} ${version}`).toSorted();
}

/** Resolves when this holds; looks again whenever there was time for something to happen. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 10_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export const synced = ({ engine }: Device): Promise<void> =>
  until(() => engine.state.get().type === 'synced', `synced, not ${JSON.stringify(engine.state.get())}`);
