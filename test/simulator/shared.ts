// Histories of people who share lists, with all that happens to one scope: the production engine on disks that fail, apps
// that crash at any await, a network that loses things, and a server that is put back to an older state and then reads its
// ledger. Lists are shared and members come and go while tasks go from scope to scope. What a title says is scopes.ts's,
// what labels and files do is shared-things.ts.
import assert from 'node:assert/strict';
import { createIdSource, listsRoot, type Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { AccountActor, Role } from '#server/access/authorise.ts';
import { createMemoryLedger } from '#server/care/ledger.ts';
import { replayLedger } from '#server/care/ledger-replay.ts';
import { addMember, removeMember } from '#server/data/members.ts';
import type { Database } from '#server/data/database.ts';
import type { WriteBatch } from '#server/data/store.ts';
import { checkCopy, checkTree } from './checks.ts';
import type { SimulatedDevice } from './device.ts';
import { arrangeLists, checkMounts } from './mounts.ts';
import type { Hits } from './hits.ts';
import { SeededRandom } from './random.ts';
import { goBackNowAndThen } from './restores.ts';
import { EPOCH_MS, type SimulatedServer } from './server.ts';
import { checkExclusive, Files, labelThings, PrivacyWatch } from './shared-things.ts';
import type { Subject } from './subject.ts';
import { World, type Outcome } from './world.ts';
import { Writers } from './writers.ts';

const MOST_LISTS = 3;

/** Who shares what. */
class Sharing {
  /** The scopes of shared lists. */
  readonly scopes: Id[] = [];
  /** Accounts that were removed from a list at some time. */
  readonly removed = new Set<number>();
  /** What was on no device when the server was put back: who takes a task elsewhere takes along what they have not heard of. */
  readonly onNoDevice = new Set<Id>();
  /**
   * What a restored server lacks and only devices of people hold who have left the list that it is in: these read nothing of it
   * and bring nothing back (SHARE-267). Somebody else may have made it, and heard only that it was taken out of the list before.
   */
  readonly outOfReach = new Set<Id>();
  /** What is to be looked at before the server starts from an older state. */
  beforeStart: ((database: Database) => Promise<void>) | null = null;
  /** What is to be looked at each time that the server has read its ledger, and before it answers. */
  afterReplay: (database: Database) => Promise<void> = () => Promise.resolve();
  private readonly world: World;
  private readonly writers: Writers;
  private readonly random: SeededRandom;
  private readonly newId: () => Id;
  private readonly ledger = createMemoryLedger();
  private roles = new Map<number, ReadonlyMap<Id, Role>>();

  constructor(world: World, random: SeededRandom, writers: Writers) {
    this.world = world;
    this.writers = writers;
    this.random = random;
    this.newId = createIdSource({ now: () => EPOCH_MS, random: (bytes) => random.fill(bytes) });
  }

  get people(): readonly AccountActor[] {
    const actors = this.world.devices.map(({ actor }) => actor);
    return actors.filter((actor, at) => actors.indexOf(actor) === at);
  }

  async begin(): Promise<void> {
    const { server } = this.world;
    for (const { account: id, personalScope } of this.people) {
      const more = { email: `p${id}@example.org`, password_hash: 'x', created_at: 1 };
      await server.present.db
        .insertInto('account')
        .values({ id, personal_scope: personalScope, ...more })
        .execute();
    }
    server.actorNow = (actor) => ({ ...actor, roles: this.roles.get(actor.account) ?? actor.roles });
    server.beforeStart = async (database) => {
      const { beforeStart } = this;
      this.beforeStart = null;
      await beforeStart?.(database);
      await replayLedger(database, this.ledger, Math.round(server.now()));
      await this.afterReplay(database);
      await this.learnRoles();
      await this.lookForLost();
    };
    await this.learnRoles();
  }

  /** The server shares a list when it starts: so it does after every restore, and the first time too. */
  async share(): Promise<void> {
    const { random, world, newId } = this;
    const owner = random.pick(this.people);
    if (this.scopes.length === MOST_LISTS || world.server.exchange === null) return;
    const rows = await world.server.rowsOf(owner.personalScope);
    const lists = [...rows.values()].filter((row) => fieldOf(row, 'listType') === 'list');
    if (lists.length === 0) return;
    const { id: root, hops = 0 } = random.pick(lists);
    const scope = newId();
    const at = Math.round(world.server.now());
    this.scopes.push(scope);
    world.server.oracle.open(scope);
    const joins = this.people.filter((person) => person !== owner && random.chance(0.8));
    await this.ledger.record([
      { type: 'scope_created', at, scope, owner: owner.account, root },
      { type: 'moved', at, root, from: owner.personalScope, to: scope, hops: hops + 1 },
      ...joins.map(({ account }) => ({ type: 'membership_joined', at, scope, account }) as const),
    ]);
    world.hits.hit('list shared');
    world.server.crash();
  }

  async changeMembership(): Promise<void> {
    const { random, world } = this;
    const { server, hits } = world;
    if (this.scopes.length === 0 || server.exchange === null) return;
    const scope = random.pick(this.scopes);
    const { account } = random.pick(this.people);
    const role = this.roles.get(account)?.get(scope);
    if (role === 'owner') return;
    const at = Math.round(server.now());
    const { db } = server.present;
    const type = role === undefined ? 'membership_joined' : 'membership_left';
    await this.ledger.record([{ type, at, scope, account }]);
    if (type === 'membership_joined') await addMember(db, { scope, account, role: 'member' });
    else {
      await removeMember(db, { scope, account, at });
      this.removed.add(account);
    }
    hits.hit(type === 'membership_joined' ? 'member joined' : 'member left');
    await this.learnRoles();
    await this.lookForLost();
  }

  /** Called when the server is put back. */
  lookAround(): void {
    const { devices } = this.world;
    const isHeld = (id: Id): boolean =>
      devices.some(
        ({ contents, engine, isReady }) =>
          contents.rows.has(id) || (isReady && engine?.replica.row(id) !== undefined),
      );
    for (const { disk } of devices)
      for (const { a, id } of disk.durable.values())
        if (a === 'create' && !isHeld(id)) this.onNoDevice.add(id);
  }

  /** What is out of reach of everybody, as things stand after somebody joined or left, or after a restore. */
  private async lookForLost(): Promise<void> {
    const { db } = this.world.server.present;
    const rows = await db.selectFrom('entity').select(['id', 'fields']).execute();
    const stored = new Set<string>(rows.map(({ id }) => id));
    const { devices } = this.world;
    const mayRead = ({ actor }: SimulatedDevice, scope: Id) =>
      this.roles.get(actor.account)?.has(scope) === true;
    this.writers.lookForLost(devices, mayRead, rows.map(({ fields }) => fields).join());
    for (const { disk } of devices)
      for (const { a, id } of disk.durable.values()) {
        if (a !== 'create') continue;
        const held = devices.flatMap((device) =>
          scopesOnDevice(device, id).map((scope) => mayRead(device, scope)),
        );
        // Who no longer holds it has heard that they left; who joins again before that brings it back.
        if (stored.has(id) || held.includes(true)) this.outOfReach.delete(id);
        else if (held.length > 0) this.outOfReach.add(id);
      }
  }

  private async learnRoles(): Promise<void> {
    for (const { account } of this.people) {
      const found = await this.world.server.store.scopesOf(account);
      this.roles.set(account, new Map(found.map(({ scope, role }) => [scope, role])));
    }
  }
}

/** Where a device holds a row, on its disk, in memory or as a change that waits. */
function scopesOnDevice({ contents, engine, isReady }: SimulatedDevice, id: Id): readonly Id[] {
  const waiting = [...contents.outbox.values()].filter((operation) => operation.id === id);
  const shown = isReady ? engine?.replica.row(id) : undefined;
  return [contents.rows.get(id), shown, ...waiting].flatMap((each) => each?.scope ?? []);
}

interface Doings {
  readonly sharing: Sharing;
  readonly writers: Writers;
  readonly files: Files;
}

function alsoLive(world: World, { sharing, writers, files }: Doings): void {
  const { scheduler, random } = world;
  const again = (low: number, high: number, work: () => Promise<void>): void => {
    scheduler.after(random.between(low, high), () => {
      if (!world.isLiving) return;
      void work();
      again(low, high, work);
    });
  };
  again(1_000, 15_000, () => sharing.share());
  again(5_000, 60_000, () => sharing.changeMembership());
  const somebody = (): SimulatedDevice => random.pick(world.devices);
  again(200, 4_000, () => Promise.resolve(writers.write(somebody())));
  again(100, 5_000, () => Promise.resolve(makeList(somebody())));
  again(100, 4_000, () => Promise.resolve(takeElsewhere(somebody(), random)));
  again(100, 3_000, () => Promise.resolve(workTogether(somebody(), random, world.hits)));
  again(100, 3_000, () => Promise.resolve(arrangeLists(somebody(), random, world.hits)));
  again(100, 2_000, () => Promise.resolve(labelThings(somebody(), random, world.hits)));
  again(500, 8_000, () => files.attach(somebody()));
  again(500, 8_000, () => files.send(somebody()));
}

function makeList({ engine, isReady, actor }: SimulatedDevice): void {
  if (engine === null || !isReady) return;
  const { replica } = engine;
  const isOne = (row: Row): boolean =>
    row.scope === actor.personalScope && fieldOf(row, 'listType') === 'list';
  if ([...replica.all()].some(isOne)) return;
  const place = { parent: listsRoot(actor.personalScope) };
  const fields = { listType: 'list', name: 'to be shared' };
  replica.issue([{ a: 'create', id: replica.newId(), type: 'list', fields, place }]);
}

/** Puts a task into a list or under a task of another scope, sometimes in one change with a new title. */
function takeElsewhere({ engine, isReady }: SimulatedDevice, random: SeededRandom): void {
  if (engine === null || !isReady) return;
  const { replica } = engine;
  const rows = [...replica.all()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const tasks = rows.filter(({ type }) => type === 'task');
  if (tasks.length === 0) return;
  const { id, scope } = random.pick(tasks);
  const there = rows.filter(
    (row) => row.scope !== scope && (row.type === 'task' || fieldOf(row, 'listType') === 'list'),
  );
  if (there.length === 0) return;
  const title: Action = { a: 'set', id, field: 'title', value: `taken ${random.below(1_000)}` };
  const move: Action = { a: 'place', id, place: { parent: random.pick(there).id } };
  replica.issue(random.chance(0.4) ? [move, title] : [move], { atomic: random.chance(0.5) });
}

/** Comments on a task, changes or removes a comment, also one that only its author may change, or gives a task to somebody. */
function workTogether({ engine, isReady }: SimulatedDevice, random: SeededRandom, hits: Hits): void {
  if (engine === null || !isReady) return;
  const { replica } = engine;
  const rows = [...replica.all()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const [tasks, comments] = ['task', 'comment'].map((type) => rows.filter((row) => row.type === type));
  if (tasks === undefined || comments === undefined || tasks.length === 0) return;
  const { id } = random.pick(tasks);
  const what = random.below(10);
  if (what < 4 || comments.length === 0) {
    const text = `said ${random.below(1_000)}`;
    replica.issue([
      { a: 'create', id: replica.newId(), type: 'comment', fields: { text }, place: { parent: id } },
    ]);
    hits.hit('commented');
  } else if (what < 7) {
    const value = random.chance(0.3) ? null : 1 + random.below(3);
    replica.issue([{ a: 'set', id, field: 'assignee', value }]);
    hits.hit('assigned');
  } else {
    const comment = random.pick(comments);
    if (fieldOf(comment, 'author') !== replica.account) hits.hit('comment of another changed');
    const value = `changed by ${replica.account}`;
    const set: Action = { a: 'set', id: comment.id, field: 'text', value };
    replica.issue([what === 9 ? { a: 'delete', id: comment.id } : set]);
  }
}

/** Who wrote a comment is who made it, and nobody else has changed what it says. */
function checkComments(devices: readonly SimulatedDevice[], rows: ReadonlyMap<Id, Row>): void {
  const authors = new Map<Id, number>();
  for (const { disk, actor } of devices)
    for (const { a, id } of disk.durable.values()) if (a === 'create') authors.set(id, actor.account);
  for (const row of rows.values()) {
    if (row.type !== 'comment') continue;
    const { author, text = '', place } = row.fields;
    const made = authors.get(row.id);
    if (made !== undefined) assert.equal(author, made, 'the author of a comment is who made it');
    const by = /^changed by (\d+)$/.exec(text)?.[1];
    if (by !== undefined) assert.equal(Number(by), author, 'a comment was changed by its author');
    const task = rows.get(place.parent);
    assert.equal(task?.scope, row.scope, 'a comment is where its task is');
  }
}

async function allRows(server: SimulatedServer): Promise<ReadonlyMap<Id, Row>> {
  const all = new Map<Id, Row>();
  for (const scope of server.oracle.scopes.keys())
    for (const [id, row] of await server.rowsOf(scope)) all.set(id, row);
  return all;
}

async function check(world: World, sharing: Sharing, privacy: PrivacyWatch): Promise<void> {
  world.assertSound();
  const { server, devices, hits } = world;
  const scopes = new Map<Id, ReadonlyMap<Id, Row>>();
  const all = new Map<Id, Row>();
  for (const scope of server.oracle.scopes.keys()) {
    const rows = await server.rowsOf(scope);
    const head = await server.store.scope(scope);
    const digest = new DigestSum();
    for (const row of rows.values()) digest.add(row.id, row.version);
    assert.equal(head?.digest, digest.value, 'the digest of the scope is that of its rows');
    checkTree(scope, rows);
    scopes.set(scope, rows);
    for (const [id, row] of rows) {
      assert.ok(!all.has(id), 'no row is in two scopes');
      all.set(id, row);
      hits.hit('moved to another scope', row.hops ?? 0);
    }
  }
  checkComments(devices, all);
  checkExclusive(all, privacy.moved);
  const whereabouts = await server.store.write((tx) => tx.whereabouts([...all.keys()]));
  for (const { id, scope } of all.values())
    assert.equal(whereabouts.get(id), scope, 'the directory says where a row is');
  const gone = new Set([...sharing.onNoDevice, ...sharing.outOfReach]);
  for (const device of devices) {
    const readable = [...server.actorNow(device.actor).roles.keys()];
    const held = new Map(readable.flatMap((scope) => [...(scopes.get(scope) ?? [])]));
    checkCopy(device, held);
    checkMounts(device, held, hits);
    if (!sharing.removed.has(device.actor.account)) checkNothingMissing(device, { devices, rows: all, gone });
  }
}

/** What somebody made is on the server, or its author was told that it was refused. */
function checkNothingMissing(
  device: SimulatedDevice,
  {
    devices,
    rows,
    gone,
  }: {
    readonly devices: readonly SimulatedDevice[];
    readonly rows: ReadonlyMap<Id, Row>;
    readonly gone: ReadonlySet<Id>;
  },
): void {
  const keptOn = ({ contents }: SimulatedDevice) =>
    [...contents.recovered.values()].map(({ operation }) => operation.id);
  const kept = new Set(keptOn(device));
  // A comment and a file have no place without their task: where that is out of reach now, they are with whoever wanted to
  // bring them back.
  const keptByAny = new Set(devices.flatMap(keptOn));
  for (const operation of device.disk.durable.values()) {
    const { a, id } = operation;
    if (a !== 'create' || rows.has(id) || kept.has(id) || gone.has(id)) continue;
    if ((operation.type === 'comment' || operation.type === 'attachment') && keptByAny.has(id)) continue;
    assert.fail(`${operation.type} ${id} of ${device.name} is missing`);
  }
}

/** Sees what the server commits, in place of the reference model. */
function watch(world: World, writers: Writers): PrivacyWatch {
  const { hits, server } = world;
  const privacy = new PrivacyWatch(world);
  server.oracle.committed = (batch: WriteBatch) => {
    const { history, rows } = batch;
    privacy.committed(batch);
    for (const { operation, before } of history) {
      if (operation.a === 'set' && operation.field === 'notes') writers.replaced(operation.id);
      if (operation.a === 'reoffer') {
        hits.hit('given back by a device');
        writers.keptInHistory(operation.fields['notes']);
        for (const { fields } of before) writers.keptInHistory(fields?.['notes']);
      }
      if (operation.a !== 'note') continue;
      const { hops = 0 } = rows.find(({ id }) => id === operation.id) ?? {};
      hits.hit(hops > 0 ? 'note edited after a move' : 'note edited');
    }
  };
  return privacy;
}

/** Lives through one seed. Rejects with what is wrong. */
export async function runSharedHistory(seed: number, subject: Subject): Promise<Outcome> {
  const shape = new SeededRandom(seed ^ 0x165667b1);
  const world = new World(seed, subject, {
    devices: shape.between(2, 4),
    accounts: 2,
    faults: true,
    areAllNew: true,
  });
  const { hits, server } = world;
  const writers = new Writers(shape.fork(), hits);
  const sharing = new Sharing(world, shape.fork(), writers);
  const files = new Files(world, shape.fork());
  try {
    await world.open();
    const privacy = watch(world, writers);
    sharing.afterReplay = (database) => privacy.started(database);
    await sharing.begin();
    const level = shape.chance(0.3) ? 0 : shape.fraction();
    // A row that a damaged disk lost may be nowhere else.
    world.setFaults(level, { loses: 0 });
    // A purge that the server forgot would leave things missing for a good reason.
    server.purge = () => Promise.resolve();
    const putBack = server.putBack.bind(server);
    server.putBack = (database) => {
      sharing.lookAround();
      files.lost();
      writers.lookAround(world.devices, server.incarnation);
      sharing.beforeStart = (there) => privacy.putBack(there);
      putBack(database);
    };
    world.network.heardLate = (...heard) => writers.letGo(...heard);
    for (const device of world.devices) device.togetherAgain = () => files.sendAgain(device);
    goBackNowAndThen(world, shape.fork(), shape.chance(0.7) ? shape.between(1, 4) : 0);
    alsoLive(world, { sharing, writers, files });
    await world.live(shape.between(20, 60));
    await world.settle();
    for (const device of world.devices) await files.send(device);
    await check(world, sharing, privacy);
    const rows = await allRows(server);
    await files.check(rows);
    const restores = hits.of('server put back');
    writers.check({ devices: world.devices, rows, dropped: new Set(), restores, removed: sharing.removed });
    const { now, steps } = world.scheduler;
    return { hits, trace: JSON.stringify([now, steps, [...rows]]), steps };
  } finally {
    await world.close();
  }
}
