// Histories of several scopes: two people, one with two devices, two lists that they share and one that only the first may
// read. Tasks go from scope to scope while devices are apart, answers get lost, come in small pages or one scope at a time,
// commits fail, memberships end and apps end. The production replica and the production exchange without their clocks and
// disks: one history takes milliseconds. Faults of disks and networks are world.ts's.
import assert from 'node:assert/strict';
import { createIdSource, inboxId, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { registerChecks } from '#wire/registers.ts';
import type { ScopeChanges, SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import type { AccountActor, Role } from '#server/access/authorise.ts';
import type { Store } from '#server/data/store.ts';
import type { Exchange } from '#server/sync/exchange.ts';
import type * as takingIn from '#sync/exchange/taking-in.ts';
import type { DeviceMeta, StorageBatch } from '#sync/replica/ports.ts';
import type { DeviceReplica } from '#sync/replica/replica.ts';
import type { Verdicts } from '#sync/replica/verdicts.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { fieldOf, type Row, type StoredRow } from '#sync/rows/row.ts';
import { withoutOrder } from '#sync/tabs/sequences.ts';
import { Hits } from './hits.ts';
import { SeededRandom } from './random.ts';
import { EPOCH_MS, StorageFault, type Bench, type ScopesSubject } from './scope-bench.ts';
import { ScopeMover } from './scope-mover.ts';
import { crossLabels, LEAST_STEP_MS, newLabel, shownBy } from './scope-labels.ts';
import { ScopeOracle } from './scope-oracle.ts';

const MOST_ROUNDS = 60;
/** Rows that have moved whose history is asked for in the end. */
const ASKED_BY_ROW = 1;

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
  /** Numbers that were passed over because the server does not know their scope. */
  private withheld: ReadonlySet<number> = new Set();
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
    this.under.length = 0;
    const { meta, pending } = this.replica;
    this.replica = this.started(meta, pending);
    this.verdicts = new this.world.subject.Verdicts(this.replica);
    this.inverses = [];
  }

  async push({ loses = 0, pageRows = 5_000 } = {}): Promise<boolean> {
    const { world, replica, person } = this;
    this.release();
    const open = replica.pending.filter(({ q }) => !this.verdicts.isHeld(q) && !this.withheld.has(q));
    const ops = open.slice(0, world.random.between(1, 20)).map(withoutOrder);
    const { device, acked, cursors } = replica.meta;
    const body = { schema: protocolVersion, device, clientNow: world.now, ops, ack: acked, cursors };
    const asked = world.exchange.sync(world.actorOf(person), { ...body, maxRows: pageRows });
    const answer = await asked.catch((error: unknown) => {
      if (error instanceof StorageFault) return null;
      throw error;
    });
    if (answer === null) {
      world.hits.hit('commit for several scopes failed');
      return true;
    }
    assert.ok(answer.ok, answer.ok ? '' : answer.problem.message);
    world.oracle.judged(device, answer.value.results);
    if (world.random.chance(loses)) {
      world.hits.hit('answer with several scopes lost');
      return true;
    }
    const isBusy = await this.hear(answer.value);
    const { unknown = [] } = replica.meta;
    for (const { scope } of replica.stored())
      assert.ok(person.roles.has(scope) || unknown.includes(scope), 'nobody holds what they may not read');
    return isBusy;
  }

  /** Takes in an answer, as the loop does. Returns whether there was anything new. */
  private async hear({ results, changes, left, unknown = [], deviceNumber }: SyncResponse): Promise<boolean> {
    const { replica, world } = this;
    for (const scope of left) assert.ok(world.left.has(scope), 'left is only what its person has left');
    world.hits.hit('scope left', left.length);
    for (const scope of unknown)
      assert.ok(world.forgotten.has(scope), 'unknown is only what the server does not know');
    const { learnUnknown, withheld } = world.subject.unknownScopes;
    this.renumbered(learnUnknown(replica, unknown));
    const held = withheld(replica);
    world.hits.hit('withheld for a scope that the server does not know', held.size);
    const whole = changes.filter(({ bootstrap }) => bootstrap !== true);
    const isHeld = new Set([...held].map(({ q }) => q));
    this.verdicts.heard(
      results.filter(([q]) => !isHeld.has(q)),
      changes,
    );
    const sent = replica.pending.filter((operation) => !held.has(operation));
    const due = this.verdicts.due(sent, 0, () => false);
    const { unequal } = this.takeIn({ results: due, changes: whole, left, lane: 0, deviceNumber });
    for (const scope of unequal) await this.readAgain(scope);
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

  async deliver(): Promise<void> {
    const change = this.under.splice(this.world.random.below(this.under.length), 1)[0];
    if (change === undefined) return;
    if (!this.world.subject.takingIn.follows(this.replica, change, this.verdicts.isBehind)) return;
    this.world.hits.hit('one scope heard alone');
    const { isTorn, unequal } = this.takeIn({ results: [], changes: [change], left: [] });
    if (isTorn) this.verdicts.tear();
    for (const each of unequal) await this.readAgain(each);
    this.release();
  }

  /** Gives new numbers to what is not withheld any more, as the loop does. */
  private release(): void {
    const { released, withheld } = this.world.subject.unknownScopes;
    this.renumbered(released(this.replica, this.withheld));
    this.withheld = new Set([...withheld(this.replica)].map(({ q }) => q));
  }

  private renumbered(anew: Pick<StorageBatch, 'outboxAdd' | 'outboxRemove'> | null): void {
    const { outboxAdd = [], outboxRemove = [] } = anew ?? {};
    if (outboxAdd.length > 0) this.world.hits.hit('sent anew with several scopes', outboxAdd.length);
    this.world.oracle.renumbered(this.replica.meta.device, outboxRemove, outboxAdd);
  }

  /**
   * As the loop does where the sum of a scope is not the server's: because of rows that moved on and are still held, and for
   * no other reason.
   */
  private async readAgain(scope: Id): Promise<void> {
    const { world, replica } = this;
    world.hits.hit('scope read again');
    const [head, page] = [await world.store.scope(scope), await world.store.snapshot(scope, null, 100_000)];
    const { generation = '', version = 0 } = replica.meta.cursors[scope] ?? {};
    for (const row of page)
      if (row.version <= version)
        assert.equal(replica.storedRow(row.id)?.version, row.version, 'no scope has to be read again');
    for (const row of world.subject.takingIn.receivePage(replica, page, () => true))
      this.rows.set(row.id, row);
    this.forget(world.subject.takingIn.keepOnly(replica, scope, new Set(page.map(({ id }) => id))));
    replica.setCursor(scope, { generation, version: head?.version ?? 0 });
  }

  private takeIn(answer: takingIn.Answer): takingIn.Received {
    const { world, replica, person } = this;
    const before = replica.stored();
    const received = world.subject.takingIn.receive(replica, answer);
    for (const row of received.rowsPut) this.rows.set(row.id, row);
    this.forget(received.rowsRemove);
    world.hits.hit('refused with several scopes', received.refused.length);
    // A row that went on to where a person may not read is gone in a page that comes before it is told to have arrived: then, and
    // only then, its scope is read again.
    if (person === world.people[0]) assert.deepEqual(received.unequal, [], 'no scope has to be read again');
    // Who may read every scope never loses sight of anything, and nobody of what is in a scope that the server forgot.
    const isReader = person === world.people[0];
    for (const { id, scope } of before) {
      const stays = replica.storedRow(id) !== undefined;
      if (isReader) assert.ok(stays, 'what may be read stays');
      if (replica.meta.unknown?.includes(scope) === true)
        assert.ok(stays, 'what the server does not know stays');
    }
    return received;
  }

  private forget(ids: readonly Id[]): void {
    for (const id of ids) this.rows.delete(id);
  }

  private started(meta: DeviceMeta, queue: readonly Operation[]): DeviceReplica {
    const { world } = this;
    const clock = { now: () => world.now, monotonic: () => world.now };
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
  readonly oracle = new ScopeOracle();
  /** Scopes of which the server does not know, for a while, that the second person belongs to them. */
  readonly forgotten = new Set<Id>();
  /** Scopes that the second person has left, maybe for a while. */
  readonly left = new Set<Id>();
  /** Takes along what large trees leave behind. */
  readonly mover: ScopeMover;
  private readonly clock: Bench['clock'];
  private readonly noteMember: Bench['noteMember'];
  private stage: 'founding' | 'living' | 'settling' = 'founding';
  /** Those of both, and the one of the first person. */
  private readonly shared: readonly Id[];
  private readonly closed: Id;

  constructor(seed: number, { subject, exchange, store, clock, faults, noteMember }: Bench) {
    this.random = new SeededRandom(seed);
    faults.next = () => {
      if (this.stage !== 'living' || !this.random.chance(0.05)) return null;
      return this.random.pick(['rolled back', 'unanswered']);
    };
    faults.isEarly = () => {
      const isEarly = this.random.chance(0.5);
      if (isEarly) this.hits.hit('moved between look and lock');
      return isEarly;
    };
    this.subject = subject;
    this.exchange = exchange;
    this.store = store;
    this.clock = clock;
    this.noteMember = noteMember;
    clock.now = EPOCH_MS;
    this.newId = createIdSource({ now: () => this.now, random: (bytes) => this.random.fill(bytes) });
    const person = (account: number): Person => {
      const scope = this.newId();
      return { account, scope, roles: new Map([[scope, 'owner']]) };
    };
    this.people = [person(2 * seed + 1), person(2 * seed + 2)];
    this.shared = [this.newId(), this.newId()];
    this.closed = this.newId();
    const { newId } = this;
    const stepped = (): void => this.hits.hit('step of a large move');
    const isExpected = (error: unknown): boolean => error instanceof StorageFault;
    const { createMover } = subject;
    this.mover = new ScopeMover({ createMover, exchange, store, newId, stepped, isExpected });
  }

  get now(): number {
    return this.clock.now;
  }

  actorOf({ account, scope: personalScope, roles }: Person): AccountActor {
    const session = this.newId();
    const actor = { type: 'account', account, session, kind: 'web', personalScope, roles } as const;
    // The list of a shared scope comes there by the server alone.
    return this.stage === 'founding' ? { ...actor, isServer: true } : actor;
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
    this.makeLabels();
    await this.round();
    await this.round();
  }

  /** Labels of both people and of the lists, some of the same name. */
  private makeLabels(): void {
    const [first, , third] = this.devices as [Device, Device, Device];
    const [list, other] = this.shared as [Id, Id];
    const make = (device: Device, scope: Id, names: readonly string[]): void => {
      for (const name of names) this.tell(device, [newLabel(this.newId(), scope, name)]);
      // Nobody takes back that they exist: one in the trash would stay where it is.
      device.inverses = [];
    };
    make(first, first.person.scope, ['red', 'blue', 'green']);
    make(first, list, ['red', 'black']);
    make(first, other, ['blue']);
    make(third, third.person.scope, ['red', 'white']);
  }

  /** Puts labels on a task, or takes one off; of any scope, whatever the task's is. */
  private labeling(device: Device, task: Id): Action[] {
    const labels = shownBy(device, 'label');
    const { random } = this;
    if (labels.length === 0) return [];
    const isOn = random.chance(0.6);
    this.hits.hit(isOn ? 'label put on' : 'label taken off');
    const label = random.pick(labels);
    if (device.replica.row(label)?.scope !== device.replica.row(task)?.scope)
      this.hits.hit('label of another scope named');
    return [{ a: 'set', id: task, field: `label:${label}`, value: isOn ? true : null }];
  }

  async live(steps: number): Promise<void> {
    const { random } = this;
    this.stage = 'living';
    for (let step = 0; step < steps; step += 1) {
      this.clock.now += random.between(LEAST_STEP_MS, 60_000);
      if (random.chance(0.06)) this.plant();
      if (random.chance(0.4)) await this.mover.step();
      if (random.chance(0.05) && this.mover.kill())
        this.hits.hit('server ended in the middle of a large move');
      const device = random.pick(this.devices);
      const what = random.fraction();
      if (what < 0.39) this.act(device);
      else if (what < 0.54) await device.push({ loses: 0.2, pageRows: random.pick([1, 3, 10, 5_000]) });
      else if (what < 0.552) await this.changeMembership();
      else if (what < 0.582) await this.cross();
      else if (what < 0.595) await this.crossLabels();
      else if (what < 0.7) {
        this.hits.hit('all heard at one moment');
        await Promise.all(this.devices.map((each) => each.push()));
      } else if (what < 0.85) {
        await device.overhear(random.pick([...device.person.roles.keys()]));
        if (random.chance(0.7)) await device.deliver();
      } else if (what < 0.97) await device.deliver();
      else device.restart();
    }
  }

  /**
   * The second person leaves a scope, or the server forgets that they belong to it, as one that was put back does; or what
   * was so ends.
   */
  private async changeMembership(): Promise<void> {
    const scope = this.random.pick(this.shared);
    const { account, roles } = this.people[1];
    if (this.forgotten.delete(scope)) roles.set(scope, 'member');
    else if (this.left.delete(scope)) {
      this.hits.hit('scope entered again');
      await this.noteMember(account, scope, false);
      roles.set(scope, 'member');
    } else {
      const leaves = this.random.chance(0.3);
      (leaves ? this.left : this.forgotten).add(scope);
      roles.delete(scope);
      if (leaves) await this.noteMember(account, scope, true);
    }
  }

  async settle(): Promise<void> {
    this.stage = 'settling';
    for (const scope of this.forgotten) this.people[1].roles.set(scope, 'member');
    this.forgotten.clear();
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      this.clock.now += 60_000;
      const isAtRest = await this.mover.finish();
      if (!(await this.round()) && isAtRest) return;
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
    const whereabouts = await this.store.write((tx) => tx.whereabouts([...found.keys()]));
    assert.equal(found.size, all.length, 'no row is in two scopes');
    for (const row of all) {
      this.hits.hit('moved to another scope', row.hops ?? 0);
      assert.equal(whereabouts.get(row.id), row.scope, 'the directory says where a row is');
      for (const [version] of [row.stamp, ...Object.values(row.stamps ?? {})])
        assert.ok(version <= row.version, 'a write has a version of the scope of its row');
      const parent = fieldOf(row, 'place')?.parent;
      if (parent === undefined || parent === listsRoot(row.scope) || parent === labelsRoot(row.scope))
        continue;
      assert.equal(found.get(parent)?.scope, row.scope, 'a row is where its parent is');
    }
    const history = [];
    for (const scope of scopes.keys()) history.push(...(await this.store.history(scope, { limit: 100_000 })));
    this.oracle.check(found, history);
    for (const row of all.filter(({ hops = 0 }) => hops > 0).slice(0, ASKED_BY_ROW)) {
      const told = [];
      for (const scope of scopes.keys())
        told.push(...(await this.store.history(scope, { id: row.id, limit: 1_000 })));
      this.oracle.checkHistoryOf(row, told);
      this.hits.hit('history asked by row after a move');
    }
    for (const { replica, rows, person } of this.devices) {
      const readable = byId([...person.roles.keys()].flatMap((scope) => scopes.get(scope) ?? []));
      assert.deepEqual(byId(replica.stored()), readable, 'a device holds what its person may read');
      assert.deepEqual(byId(rows.values()), readable, 'and so does its disk');
      assert.deepEqual(byId(replica.all()), readable, 'and shows it');
      for (const scope of person.roles.keys())
        assert.equal(replica.digestOf(scope), (await this.store.scope(scope))?.digest);
    }
  }

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

  private tell(device: Device, actions: readonly Action[], atomic = false): void {
    const { replica, person, inverses } = device;
    const issued = replica.issue(actions, { atomic });
    this.oracle.issued(replica.meta.device, issued.operations, person === this.people[0]);
    if (issued.inverses.length > 0) inverses.push([...issued.inverses]);
  }

  /** The first person makes a tree that is too large to move at once, beneath something, and moves something. */
  private plant(): void {
    const { random } = this;
    const device = random.pick(this.devices.slice(0, 2));
    const [lists, tasks] = [shownBy(device, 'list'), shownBy(device, 'task')];
    if (lists.length === 0) return;
    const ids = Array.from({ length: random.between(5, 12) }, () => this.newId());
    const root = random.pick(random.chance(0.7) ? lists : [...lists, ...tasks]);
    this.tell(
      device,
      ids.map((id, at) => {
        const place = { parent: at === 0 ? root : random.pick(ids.slice(0, at)) };
        return { a: 'create', id, type: 'task', fields: { title: 'new' }, place };
      }),
    );
    const moved = random.pick(random.chance(0.8) ? ids.slice(0, 1) : [...ids, ...tasks]);
    this.tell(device, [{ a: 'place', id: moved, place: { parent: random.pick(lists) } }]);
  }

  private titled(id: Id): Action {
    return { a: 'set', id, field: 'title', value: `title ${this.random.below(1_000_000)}` };
  }

  /**
   * One device writes to a task and another takes it elsewhere, in one change with what it writes itself: the one undoes
   * what it wrote, or is heard after the other although it wrote before. Sometimes the other one takes the move back.
   */
  private async cross(): Promise<void> {
    const { random } = this;
    const [writer, mover] = [random.pick(this.devices), random.pick(this.devices.slice(0, 2))];
    const both = shownBy(mover, 'task').filter((id) => writer.replica.row(id)?.type === 'task');
    const lists = shownBy(mover, 'list');
    if (writer === mover || both.length === 0 || lists.length === 0) return;
    const id = random.pick(both);
    const later = (): void => void (this.clock.now += random.between(LEAST_STEP_MS, 60_000));
    this.tell(writer, [this.titled(id)]);
    const undoes = writer.person === this.people[0] && random.chance(0.75);
    const move: Action = { a: 'place', id, place: { parent: random.pick(lists) } };
    if (undoes) for (const device of [writer, mover]) await device.push();
    later();
    this.tell(mover, undoes ? [move] : [move, this.titled(id)], true);
    await mover.push();
    if (random.chance(0.3)) {
      this.hits.hit('move undone');
      later();
      this.tell(mover, mover.inverses.pop() ?? []);
    }
    if (undoes) this.tell(writer, writer.inverses.pop() ?? []);
    later();
    await writer.push();
    this.hits.hit(undoes ? 'undone after a move' : 'written before a move and heard after it');
  }

  private crossLabels(): Promise<void> {
    const { random, devices, hits } = this;
    const wait = (ms: number): void => void (this.clock.now += ms);
    return crossLabels({ random, devices, hits, wait, tell: (...said) => this.tell(...said) });
  }

  /** What undoes something that the device did, often not the last. */
  private undoing({ inverses }: Device): Action[] | undefined {
    const [undoing] = inverses.splice(this.random.below(inverses.length), 1);
    if (undoing !== undefined) this.hits.hit('undone with several scopes');
    return undoing;
  }

  private act(device: Device): void {
    const { random } = this;
    const { replica } = device;
    const [tasks, lists] = [shownBy(device, 'task'), shownBy(device, 'list')];
    const tell = (actions: readonly Action[]): void => this.tell(device, actions, random.chance(0.3));
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
      const labels = random.chance(0.3) ? [random.pick(shownBy(device, 'label'))] : [];
      const marks = Object.fromEntries(labels.map((label) => [`label:${label}`, true]));
      const fields = { title: 'new', ...marks };
      tell([{ a: 'create', id, type: 'task', fields, place: { parent: parent() } }]);
      return;
    }
    const id = random.pick(tasks);
    const title = this.titled(id);
    if (what < 0.36) tell([title]);
    else if (what < 0.45) tell(this.labeling(device, id));
    else if (what < 0.8)
      tell([{ a: 'place', id, place: { parent: there() } }, ...(what < 0.55 ? [title] : [])]);
    else if (what < 0.86) tell([{ a: 'delete', id }]);
    else if (what < 0.9) tell([{ a: 'restore', id }]);
    else if (what < 0.94) tell([{ a: 'complete', id, occ: 0, at: this.now, next: null }]);
    else tell((device.person === this.people[0] && this.undoing(device)) || [title]);
  }
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
