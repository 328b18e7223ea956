// Histories of several scopes: two people, one with two devices, two lists that they share and one that only the first may
// read. Tasks go from scope to scope while devices are apart, answers get lost, come in small pages or one scope at a time,
// and apps end. The production replica and the production exchange without their clocks and disks: one history takes
// milliseconds. Faults of disks and networks are world.ts's.
import assert from 'node:assert/strict';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { registerChecks } from '#wire/registers.ts';
import type { ScopeChanges, SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import type { AccountActor, Role } from '#server/access/authorise.ts';
import { migrate, migrations } from '#server/data/migrate.ts';
import { SqliteConnection } from '#server/data/sqlite/sqlite-connection.ts';
import { sqliteMigratable } from '#server/data/sqlite/sqlite-schema.ts';
import { SqliteStore } from '#server/data/sqlite/sqlite-store.ts';
import type { Store } from '#server/data/store.ts';
import type { createExchange, Exchange } from '#server/sync/exchange.ts';
import type * as takingIn from '#sync/exchange/taking-in.ts';
import type { DeviceMeta } from '#sync/replica/ports.ts';
import type { DeviceReplica } from '#sync/replica/replica.ts';
import type { Verdicts } from '#sync/replica/verdicts.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { fieldOf, type Row, type StoredRow } from '#sync/rows/row.ts';
import { withoutOrder } from '#sync/tabs/sequences.ts';
import { Hits } from './hits.ts';
import { SeededRandom } from './random.ts';

const EPOCH_MS = Date.UTC(2026, 0, 1);
const MOST_ROUNDS = 60;

/** What is driven: the production code, or altered copies of it. */
export interface ScopesSubject {
  readonly DeviceReplica: typeof DeviceReplica;
  readonly takingIn: Pick<typeof takingIn, 'receive' | 'receivePage' | 'keepOnly'>;
  readonly Verdicts: typeof Verdicts;
  readonly createExchange: typeof createExchange;
}

const byId = (rows: Iterable<StoredRow>): StoredRow[] =>
  [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => ({ ...row, stamps: row.stamps ?? {} }));

interface Person {
  readonly account: number;
  readonly scope: Id;
  readonly roles: Map<Id, Role>;
}

/** One device: what it has in memory, and what its disk has. */
class Device {
  readonly person: Person;
  replica: DeviceReplica;
  verdicts: Verdicts;
  readonly rows = new Map<Id, StoredRow>();
  /** Messages of the live channel that are on their way. */
  readonly under: ScopeChanges[] = [];
  inverses: Action[][] = [];
  private readonly world: ScopesWorld;

  constructor(world: ScopesWorld, person: Person) {
    this.world = world;
    this.person = person;
    const { account, scope } = person;
    const meta = { device: world.newId(), deviceNumber: 0, scope, account, seq: 0, acked: 0, cursors: {} };
    this.replica = this.started({ ...meta, clockOffsetMs: 0 }, []);
    this.verdicts = new world.subject.Verdicts(this.replica);
  }

  /** The app ends and starts again with what is on the disk, which has everything. */
  restart(): void {
    this.world.hits.hit('app with several scopes ended');
    const { meta, pending } = this.replica;
    this.replica = this.started(meta, pending);
    this.verdicts = new this.world.subject.Verdicts(this.replica);
    this.inverses = [];
  }

  async push({ loses = 0, pageRows = 5_000 } = {}): Promise<boolean> {
    const { world, replica, person } = this;
    const open = replica.pending.filter(({ q }) => !this.verdicts.isHeld(q));
    const ops = open.slice(0, world.random.between(1, 20)).map(withoutOrder);
    const { device, acked, cursors } = replica.meta;
    const body = { schema: protocolVersion, device, clientNow: world.now, ops, ack: acked, cursors };
    const answer = await world.exchange.sync(world.actorOf(person), { ...body, maxRows: pageRows });
    assert.ok(answer.ok, answer.ok ? '' : answer.problem.message);
    if (world.random.chance(loses)) {
      world.hits.hit('answer with several scopes lost');
      return true;
    }
    return this.hear(answer.value);
  }

  /** Takes in an answer, as the loop does. Returns whether there was anything new. */
  private async hear({ results, changes, left, unknown = [], deviceNumber }: SyncResponse): Promise<boolean> {
    const { replica, world } = this;
    assert.deepEqual([left, unknown], [[], []]);
    const whole = changes.filter(({ bootstrap }) => bootstrap !== true);
    this.verdicts.heard(results, changes);
    const due = this.verdicts.due(replica.pending, 0, () => false);
    this.takeIn({ results: due, changes: whole, left, lane: 0, deviceNumber });
    for (const change of whole)
      if (change.resync === true) {
        const ids = new Set(change.rows.map(({ id }) => id));
        this.forget(world.subject.takingIn.keepOnly(replica, change.scope, ids));
      }
    for (const { scope, generation, to } of changes.filter(({ bootstrap }) => bootstrap === true)) {
      replica.setCursor(scope, { generation, version: to });
      const page = await world.store.snapshot(scope, null, 100_000);
      for (const row of world.subject.takingIn.receivePage(replica, page)) this.rows.set(row.id, row);
    }
    return changes.length > 0 || results.length > 0 || replica.pending.length > 0;
  }

  /** A message of the live channel about one scope, which may be delivered later. */
  async overhear(scope: Id): Promise<void> {
    const cursor = this.replica.meta.cursors[scope];
    if (cursor === undefined) return;
    const change = await this.world.exchange.changes(this.world.actorOf(this.person), scope, cursor);
    if (change !== null && change.to > cursor.version) this.under.push(change);
  }

  deliver(): void {
    const change = this.under.splice(this.world.random.below(this.under.length), 1)[0];
    const cursor = change && this.replica.meta.cursors[change.scope];
    if (cursor?.generation !== change?.generation || cursor?.version !== change?.from) return;
    if (change === undefined) return;
    this.world.hits.hit('one scope heard alone');
    this.takeIn({ results: [], changes: [change], left: [] });
  }

  private takeIn(answer: takingIn.Answer): void {
    const { world, replica, person } = this;
    const before = new Set(replica.stored().map(({ id }) => id));
    const received = world.subject.takingIn.receive(replica, answer);
    for (const row of received.rowsPut) this.rows.set(row.id, row);
    this.forget(received.rowsRemove);
    world.hits.hit('refused with several scopes', received.refused.length);
    assert.deepEqual(received.unequal, [], 'no scope has to be read again');
    // Who may read every scope never loses sight of anything.
    if (person !== world.people[0]) return;
    for (const { id } of replica.stored()) before.delete(id);
    assert.deepEqual([...before], [], 'what may be read stays');
  }

  private forget(ids: readonly Id[]): void {
    for (const id of ids) this.rows.delete(id);
  }

  private started(meta: DeviceMeta, queue: readonly Operation[]): DeviceReplica {
    const { world } = this;
    const clock = { now: () => world.now, monotonic: () => 0 };
    const replica = new world.subject.DeviceReplica(meta, queue, {
      checks: registerChecks,
      clock,
      random: world.random,
    });
    replica.load([...this.rows.values()]);
    replica.loaded();
    return replica;
  }
}

/** One history. */
export class ScopesWorld {
  readonly random: SeededRandom;
  readonly subject: ScopesSubject;
  readonly exchange: Exchange;
  readonly store: Store;
  readonly newId: () => Id;
  readonly people: readonly [Person, Person];
  readonly devices: Device[] = [];
  readonly hits = new Hits();
  private readonly clock: Bench['clock'];
  /** Those of both, and the one of the first person. */
  private readonly shared: readonly Id[];
  private readonly closed: Id;

  constructor(seed: number, { subject, exchange, store, clock }: Bench) {
    this.random = new SeededRandom(seed);
    this.subject = subject;
    this.exchange = exchange;
    this.store = store;
    this.clock = clock;
    clock.now = EPOCH_MS;
    this.newId = createIdSource({ now: () => this.now, random: (bytes) => this.random.fill(bytes) });
    const person = (account: number): Person => {
      const scope = this.newId();
      return { account, scope, roles: new Map([[scope, 'owner']]) };
    };
    this.people = [person(2 * seed + 1), person(2 * seed + 2)];
    this.shared = [this.newId(), this.newId()];
    this.closed = this.newId();
  }

  get now(): number {
    return this.clock.now;
  }

  actorOf({ account, scope: personalScope, roles }: Person): AccountActor {
    return { type: 'account', account, session: this.newId(), kind: 'web', personalScope, roles };
  }

  async open(): Promise<void> {
    const [first, second] = this.people;
    for (const { account, scope } of this.people)
      await this.store.createScope({ id: scope, kind: 'personal', owner: account });
    for (const scope of [...this.shared, this.closed]) {
      await this.store.createScope({ id: scope, kind: 'list', owner: first.account });
      first.roles.set(scope, 'owner');
    }
    for (const scope of this.shared) second.roles.set(scope, 'member');
    this.devices.push(new Device(this, first), new Device(this, first), new Device(this, second));
    for (const { replica, person } of [this.devices[0] as Device, this.devices[2] as Device]) {
      const { scope } = person;
      const inbox = { a: 'create', id: inboxId(scope), type: 'list', fields: { listType: 'inbox' } } as const;
      replica.issue([{ ...inbox, place: { parent: listsRoot(scope), at: 'start' } }]);
    }
    // What is shared has its cursor before its first list, so that the device knows the scope that it names.
    await this.round();
    const [{ replica }] = this.devices as [Device];
    for (const scope of [...this.shared, this.closed]) {
      replica.setCursor(scope, { generation: 'unread', version: 0 });
      const place = { parent: listsRoot(scope) };
      const fields = { listType: 'list', name: 'Shared' };
      replica.issue([{ a: 'create', id: this.newId(), type: 'list', fields, place }]);
    }
    await this.round();
    await this.round();
  }

  async live(steps: number): Promise<void> {
    const { random } = this;
    for (let step = 0; step < steps; step += 1) {
      this.clock.now += random.between(1, 60_000);
      const device = random.pick(this.devices);
      const what = random.fraction();
      if (what < 0.4) this.act(device);
      else if (what < 0.55) await device.push({ loses: 0.2, pageRows: random.pick([1, 3, 10, 5_000]) });
      else if (what < 0.7) {
        this.hits.hit('all heard at one moment');
        await Promise.all(this.devices.map((each) => each.push()));
      } else if (what < 0.85) {
        await device.overhear(random.pick([...device.person.roles.keys()]));
        if (random.chance(0.7)) device.deliver();
      } else if (what < 0.97) device.deliver();
      else device.restart();
    }
  }

  async settle(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      this.clock.now += 60_000;
      if (!(await this.round())) return;
    }
    assert.fail('the world does not come to rest');
  }

  /** What must hold when everybody has been heard. */
  async check(): Promise<void> {
    const scopes = new Map<Id, readonly Row[]>();
    for (const scope of [...this.people.map((person) => person.scope), ...this.shared, this.closed])
      scopes.set(scope, await this.store.snapshot(scope, null, 100_000));
    const all = [...scopes.values()].flat();
    const found = new Map(all.map((row) => [row.id, row]));
    assert.equal(found.size, all.length, 'no row is in two scopes');
    for (const row of all) {
      this.hits.hit('moved to another scope', row.hops ?? 0);
      const parent = fieldOf(row, 'place')?.parent;
      if (parent === undefined || parent === listsRoot(row.scope)) continue;
      assert.equal(found.get(parent)?.scope, row.scope, 'a row is where its parent is');
    }
    for (const id of this.made) assert.ok(found.has(id), 'no row is lost');
    for (const { replica, rows, person } of this.devices) {
      const readable = byId([...person.roles.keys()].flatMap((scope) => scopes.get(scope) ?? []));
      assert.deepEqual(byId(replica.stored()), readable, 'a device holds what its person may read');
      assert.deepEqual(byId(rows.values()), readable, 'and so does its disk');
      assert.deepEqual(byId(replica.all()), readable, 'and shows it');
      for (const scope of person.roles.keys())
        assert.equal(replica.digestOf(scope), (await this.store.scope(scope))?.digest);
    }
  }

  private readonly made = new Set<Id>();

  private async round(): Promise<boolean> {
    let isBusy = false;
    for (const device of this.devices) {
      device.under.length = 0;
      if (await device.push()) isBusy = true;
    }
    return isBusy;
  }

  private isShared(scope: Id | undefined): boolean {
    return this.shared.some((each) => each === scope);
  }

  private act(device: Device): void {
    const { random } = this;
    const { replica } = device;
    const tasks = [...replica.all()].filter(({ type }) => type === 'task').map(({ id }) => id);
    const lists = [...replica.all()].filter(({ type }) => type === 'list').map(({ id }) => id);
    const tell = (actions: readonly Action[]): void => {
      const issued = replica.issue(actions, { atomic: random.chance(0.3) });
      if (issued.inverses.length > 0) device.inverses.push([...issued.inverses]);
    };
    const parent = (): Id => random.pick(random.chance(0.5) ? lists : [...lists, ...tasks]);
    // The second person takes nothing away from the first.
    const there = (): Id => {
      const shared = [...lists, ...tasks].filter((id) => this.isShared(replica.row(id)?.scope));
      return device.person === this.people[0] || shared.length === 0 ? parent() : random.pick(shared);
    };
    if (lists.length === 0) return;
    const what = random.fraction();
    if (what < 0.25 || tasks.length === 0) {
      const id = this.newId();
      tell([{ a: 'create', id, type: 'task', fields: { title: 'new' }, place: { parent: parent() } }]);
      return;
    }
    const id = random.pick(tasks);
    const title: Action = { a: 'set', id, field: 'title', value: `title ${random.below(1_000)}` };
    if (what < 0.45) tell([title]);
    else if (what < 0.8)
      tell([{ a: 'place', id, place: { parent: there() } }, ...(what < 0.55 ? [title] : [])]);
    else if (what < 0.86) tell([{ a: 'delete', id }]);
    else if (what < 0.9) tell([{ a: 'restore', id }]);
    else if (what < 0.94) tell([{ a: 'complete', id, occ: 0, at: this.now, next: null }]);
    else tell((device.person === this.people[0] && device.inverses.pop()) || [title]);
  }
}

/** A server, for one history after the other. */
export interface Bench {
  readonly subject: ScopesSubject;
  readonly exchange: Exchange;
  readonly store: Store;
  /** Of server and devices alike: how clocks differ is world.ts's. */
  readonly clock: { now: number };
}

export async function openBench(subject: ScopesSubject): Promise<Bench> {
  const connection = new SqliteConnection(':memory:', () => undefined);
  await migrate(
    sqliteMigratable(connection, () => undefined),
    migrations,
  );
  const store = new SqliteStore(connection);
  const clock = { now: EPOCH_MS };
  const exchange = subject.createExchange({
    store,
    clock: { now: () => clock.now, monotonic: () => clock.now },
    generations: await store.openGeneration('scopes', EPOCH_MS),
    publish: () => undefined,
    nextTurn: (work) => queueMicrotask(work),
  });
  return { subject, exchange, store, clock };
}

/** Lives through one seed, once on a server. Rejects with what is wrong. */
export async function runScopes(seed: number, bench: Bench): Promise<ScopesWorld> {
  const world = new ScopesWorld(seed, bench);
  await world.open();
  await world.live(world.random.between(20, 80));
  await world.settle();
  await world.check();
  return world;
}
