// A database with what keeps it in order, and people whose devices speak the protocol: for contracts of housekeeping.
import assert from 'node:assert/strict';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { createCare, type Care } from '#server/care/care.ts';
import { createDeviceWatch } from '#server/care/device-watch.ts';
import { openGenerations } from '#server/care/generations.ts';
import { createMemoryLedger, type Ledger } from '#server/care/ledger.ts';
import type { Database } from '#server/data/database.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { openBlobs } from '#server/files/blobs.ts';
import { createLimiter } from '#server/limits/rates.ts';
import { createLetters, type Letters } from '#server/mail/letters.ts';
import { createMemoryPost } from '#server/mail/post.ts';
import { createExchange, type Exchange, type Published } from '#server/sync/exchange.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { ScopeChanges, SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import { someAccount, someId } from './store-samples.ts';

export const DAY = 86_400_000;
export const START = Date.UTC(2026, 0, 1);

export interface House {
  readonly database: Database;
  readonly exchange: Exchange;
  readonly care: Care;
  readonly ledger: Ledger;
  readonly post: ReturnType<typeof createMemoryPost>;
  readonly letters: Letters;
  /** Notes of which something could not be read. */
  readonly damaged: readonly Id[];
  readonly published: readonly Published[];
  readonly generation: string;
  now: number;
}

/** A person with one device that speaks the protocol. */
export class Person {
  readonly scope = someId();
  readonly account = someAccount();
  readonly house: House;
  device = someId();
  seq = 0;
  cursors: Record<string, { generation: string; version: number }> = {};

  constructor(house: House) {
    this.house = house;
  }

  async settle(): Promise<this> {
    const { database, now } = this.house;
    await database.store.createScope({ id: this.scope, kind: 'personal', owner: this.account });
    const account = { id: this.account, email: `p${this.account}@example.org`, password_hash: 'x' };
    await database.db
      .insertInto('account')
      .values({ ...account, personal_scope: this.scope, created_at: now })
      .execute();
    const place = { parent: listsRoot(this.scope) };
    await this.act([
      { a: 'create', id: inboxId(this.scope), type: 'list', fields: { listType: 'inbox' }, place },
    ]);
    return this;
  }

  async sync(ops: readonly unknown[], device = this.device, cursors = this.cursors): Promise<SyncResponse> {
    const actor: AccountActor = {
      type: 'account',
      account: this.account,
      session: someId(),
      kind: 'web',
      personalScope: this.scope,
      roles: new Map([[this.scope, 'owner']]),
    };
    const head = { schema: protocolVersion, device, clientNow: this.house.now, ack: 0 };
    const result = await this.house.exchange.sync(actor, { ...head, ops, cursors });
    if (!result.ok) throw new Error(result.problem.message);
    return result.value;
  }

  /** Sends operations; all must be applied. */
  async act(actions: readonly Record<string, unknown>[]): Promise<void> {
    const ops = actions.map((action) => {
      this.seq += 1;
      return { q: this.seq, u: someId(), scope: this.scope, t: this.house.now, b: 0, ...action };
    });
    const { results } = await this.sync(ops);
    assert.deepEqual(
      results.map(([, verdict]) => verdict),
      ops.map(() => 'ok'),
    );
  }

  async task(parent: Id, title: string): Promise<Id> {
    const id = someId();
    await this.act([{ a: 'create', id, type: 'task', fields: { title }, place: { parent } }]);
    return id;
  }

  /** What the device is told since its cursor; moves the cursor on. */
  async pull(): Promise<ScopeChanges | undefined> {
    const [changes] = (await this.sync([])).changes;
    if (changes) this.cursors = { [this.scope]: { generation: changes.generation, version: changes.to } };
    return changes;
  }

  /** Ids of all rows, after checking that they add up to the digest. */
  async ids(): Promise<ReadonlySet<Id>> {
    const { store } = this.house.database;
    const rows = await store.snapshot(this.scope, null, 100_000);
    const sum = new DigestSum();
    for (const { id, version } of rows) sum.add(id, version);
    assert.equal((await store.scope(this.scope))?.digest, sum.value);
    return new Set(rows.map(({ id }) => id));
  }
}

/** `mostMoved`: rows that move to another scope at once at most, if not as many as usual. */
export async function openHouse(
  open: () => Promise<Database>,
  moving: { readonly mostMoved?: number } = {},
): Promise<House> {
  const database = await open();
  const clock = { now: () => house.now, monotonic: () => performance.now() };
  const devices = createDeviceWatch(database.db, clock);
  const published: Published[] = [];
  const damaged: Id[] = [];
  const generations = await openGenerations(database, { ...clock, now: () => START });
  const generation = generations.known.at(-1)?.nonce ?? '';
  const exchange = createExchange({
    store: database.store,
    clock,
    generations: generations.known,
    readGenerations: () => generations.read(),
    publish: (change) => void published.push(change),
    nextTurn: (work) => setImmediate(work),
    heard: (device) => devices.heard(device),
    ...moving,
    damagedNote: (note) => void damaged.push(note),
  });
  const ledger = createMemoryLedger();
  const post = createMemoryPost();
  const letters = createLetters({
    post,
    limiter: createLimiter({}, { now: () => START, monotonic: () => START }),
  });
  const care = createCare({
    db: database.db,
    clock,
    devices,
    ledger,
    letters,
    spool: null,
    blobs: openBlobs(`/nowhere/${generation}`, null),
    billing: null,
    older: database.older,
    onOlderError: (error) => assert.fail(String(error)),
    trashDays: 30,
    exchange,
    newId: () => crypto.randomUUID() as Id,
    nextTurn: (work) => setImmediate(work),
  });
  const house: House = {
    database,
    exchange,
    care,
    ledger,
    post,
    letters,
    published,
    damaged,
    generation,
    now: START,
  };
  return house;
}
