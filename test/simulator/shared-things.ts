// Labels and files of people who share lists (shared.ts): private labels, put on as the app does it, groups of which a task has
// one label, and files whose content is sent before or after their attachment. What the server commits is watched: nothing
// private comes into a list, at no moment.
import assert from 'node:assert/strict';
import { labelsRoot, type Id } from '#core/ids.ts';
import { keptPrivate } from '#client/labels/privacy.ts';
import { createFileLedger, type FileLedger } from '#server/files/ledger.ts';
import type { Database } from '#server/data/database.ts';
import type { HistoryEntry, WriteBatch } from '#server/data/store.ts';
import { labelOfRegister, labelRegister } from '#sync/rows/label-mapping.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { SimulatedDevice } from './device.ts';
import type { Hits } from './hits.ts';
import type { SeededRandom } from './random.ts';
import type { World } from './world.ts';

/** The name of a label that is private from the first. */
const SECRET = 'secret';
const MOST_SECRETS = 2;
const MOST_BYTES = 1_000_000_000;

const isOn = (row: Row | undefined, label: Id): boolean => registersOf(row)[labelRegister(label)] === true;

/** What a device shows, in an order of its own. */
class Sight {
  readonly replica: Replica;
  readonly #rows: readonly Row[];

  constructor(replica: Replica) {
    this.replica = replica;
    this.#rows = [...replica.all()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  of(type: Row['type']): readonly Row[] {
    return this.#rows.filter((row) => row.type === type);
  }

  groupOf(label: Row): Row | undefined {
    const group = this.replica.row(placeOf(label)?.parent as Id);
    return group?.type === 'labelGroup' ? group : undefined;
  }

  isPrivate(label: Row): boolean {
    return [label, this.groupOf(label)].some((row) => fieldOf(row, 'visibility') === 'private');
  }

  /** Writes as the app does: what is private goes into the person's own row. */
  issue(actions: readonly Action[]): void {
    const privates = new Set(this.of('label').flatMap((row) => (this.isPrivate(row) ? [row.id] : [])));
    this.replica.issue(keptPrivate(this.replica, privates, actions));
  }
}

const put = (task: Id, label: Id, value: true | null = true): Action => ({
  a: 'set',
  id: task,
  field: labelRegister(label),
  value,
});

/** One thing that a person does with labels that not everybody sees, or of which a task has one. */
export function labelThings({ engine, isReady }: SimulatedDevice, random: SeededRandom, hits: Hits): void {
  if (engine === null || !isReady) return;
  const sight = new Sight(engine.replica);
  const { replica } = sight;
  const tasks = sight.of('task');
  const own = sight.of('label').filter(({ scope }) => scope === replica.scope);
  const secrets = own.filter((row) => sight.isPrivate(row));
  const others = own.filter((row) => !sight.isPrivate(row));
  const what = random.fraction();
  if (secrets.length < MOST_SECRETS && what < 0.4) makeSecret(sight, random);
  else if (tasks.length === 0) return;
  else if (what < 0.5 && secrets.length > 0) {
    sight.issue([put(random.pick(tasks).id, random.pick(secrets).id, random.chance(0.8) ? true : null)]);
    hits.hit('private label put on or taken off');
  } else if (what < 0.6 && others.length > 0) {
    // Of one's own, before it is private: on the task itself.
    const mine = tasks.filter(({ scope }) => scope === replica.scope);
    if (mine.length > 0) sight.issue([put(random.pick(mine).id, random.pick(others).id)]);
  } else if (what < 0.68 && others.length > 0) {
    hide(sight, random.pick(others));
    hits.hit('label made private');
  } else chooseOne(sight, random.pick(tasks), { random, hits });
}

/** In a private group, or by itself. */
function makeSecret({ replica }: Sight, random: SeededRandom): void {
  const [root, group] = [labelsRoot(replica.scope), replica.newId()];
  const isGrouped = random.chance(0.3);
  const fields = { name: `${SECRET} ${random.below(100)}`, visibility: 'private' };
  const hidden = { name: `${SECRET}s`, visibility: 'private', exclusive: random.chance(0.5) };
  const above: Action = {
    a: 'create',
    id: group,
    type: 'labelGroup',
    fields: hidden,
    place: { parent: root },
  };
  const place = { parent: isGrouped ? group : root };
  const label: Action = { a: 'create', id: replica.newId(), type: 'label', fields, place };
  replica.issue(isGrouped ? [above, label] : [label]);
}

/** The label is private from now on, and goes from the tasks that carry it into the person's own rows of them. */
function hide(sight: Sight, label: Row): void {
  const carriers = sight.of('task').filter((row) => isOn(row, label.id));
  sight.replica.issue([{ a: 'set', id: label.id, field: 'visibility', value: 'private' }]);
  new Sight(sight.replica).issue(carriers.map(({ id }) => put(id, label.id)));
}

/** Puts a label of an exclusive group of the task's scope on it; makes the group if there is none. */
function chooseOne(
  sight: Sight,
  { id, scope }: Row,
  { random, hits }: { readonly random: SeededRandom; readonly hits: Hits },
): void {
  const { replica } = sight;
  const groups = sight
    .of('labelGroup')
    .filter((row) => row.scope === scope && fieldOf(row, 'exclusive') === true)
    .filter((row) => fieldOf(row, 'visibility') !== 'private');
  const labels = sight
    .of('label')
    .filter((row) => groups.some((group) => group.id === placeOf(row)?.parent) && !sight.isPrivate(row));
  if (labels.length > 0) {
    const label = random.pick(labels);
    const beside = replica.children(placeOf(label)?.parent as Id).filter((row) => row.id !== label.id);
    const rivals = beside.filter((row) => isOn(replica.row(id), row.id));
    hits.hit('label of an exclusive group chosen');
    if (rivals.length > 0) hits.hit('label of an exclusive group replaced');
    sight.issue([put(id, label.id)]);
    return;
  }
  const group = replica.newId();
  const fields = { name: 'one of', exclusive: true };
  const place = { parent: labelsRoot(scope) };
  replica.issue([
    { a: 'create', id: group, type: 'labelGroup', fields, place },
    ...['left', 'right', 'middle'].map((name): Action => {
      return { a: 'create', id: replica.newId(), type: 'label', fields: { name }, place: { parent: group } };
    }),
  ]);
}

/** Sees every commit: no list hears of what is private to somebody. */
export class PrivacyWatch {
  /** Labels that were put at another place at some time. */
  readonly moved = new Set<Id>();
  readonly #world: World;
  readonly #personal: ReadonlySet<Id>;
  /** What each person's own label, or group of labels, was when it was last written. */
  #own: ReadonlyMap<Id, Privacy> = new Map();
  /** The scopes that these are in. */
  readonly #homes = new Map<Id, Id>();
  /** The registers of labels that tasks have had where they are, and that were no secret when they got them. */
  readonly #seen = new Map<Id, { readonly scope: Id; readonly registers: ReadonlySet<string> }>();
  /** Whatever lists have heard of tasks at some time, by list and task: devices of their people may have it still. */
  readonly #heard = new Map<string, Set<string>>();

  constructor(world: World) {
    this.#world = world;
    this.#personal = new Set(world.devices.map(({ actor }) => actor.personalScope));
  }

  /**
   * The server was put back: tasks carry again what they carried then. What a list heard of one since, its people have, and bring back.
   */
  async putBack({ db }: Database): Promise<void> {
    const rows = await db
      .selectFrom('entity')
      .select(['id', 'scope', 'fields'])
      .where('type', '=', 'task')
      .execute();
    for (const { id, scope, fields } of rows) {
      const last = this.#seen.get(id as Id);
      const heard = last?.scope === scope ? last.registers : [];
      const registers = new Set([...labelsAmong(JSON.parse(fields)), ...heard]);
      this.#seen.set(id as Id, { scope: scope as Id, registers });
    }
  }

  /**
   * The server is about to start, after it has read its ledger: what that took into a list came there by no commit. It is judged by
   * what the database says of labels, which is all that the server can know.
   */
  async started({ db }: Database): Promise<void> {
    const types = ['task', 'label', 'labelGroup'] as const;
    const found = await db
      .selectFrom('entity')
      .select(['id', 'scope', 'type', 'fields'])
      .where('type', 'in', types)
      .execute();
    const rows = found.map(({ id, scope, type, fields }) => {
      return { id: id as Id, scope: scope as Id, type, fields: JSON.parse(fields) as StoredFields };
    });
    const labels = rows.filter(({ type, scope }) => type !== 'task' && this.#personal.has(scope));
    const own = new Map(labels.map(({ id, fields }) => [id, privacyIn(fields)]));
    for (const { id, scope, type, fields } of rows) {
      if (type !== 'task' || this.#personal.has(scope)) continue;
      const registers = labelsAmong(fields);
      for (const register of registers) {
        const isRight = !this.#isNew({ id, scope }, register) || !isPrivateIn(own, register);
        this.#expect(isRight, `a list that was shared hears of ${register} on ${id}`);
      }
      // What its people heard before the server was put back they have all the same.
      const last = this.#seen.get(id);
      const heard = last?.scope === scope ? last.registers : [];
      this.#sees({ id, scope }, new Set([...registers, ...heard]));
    }
  }

  committed(batch: WriteBatch): void {
    const { rows, history } = batch;
    for (const entry of history) if (isMove(entry)) this.moved.add(entry.operation.id);
    const before = this.#own;
    const own = new Map(before);
    for (const row of rows)
      if (this.#personal.has(row.scope) && (row.type === 'label' || row.type === 'labelGroup')) {
        own.set(row.id, privacyOf(row));
        this.#homes.set(row.id, row.scope);
      }
    this.#own = own;
    for (const row of rows) {
      if (row.type === 'label' && !this.#personal.has(row.scope))
        this.#expect(!fieldOf(row, 'name')?.startsWith(SECRET), `the private label ${row.id} is in a list`);
      if (row.type !== 'task') continue;
      const registers = labelsAmong(row.fields);
      if (!this.#personal.has(row.scope))
        for (const register of registers) {
          const isHidden = this.#isNew(row, register) && isPrivateIn(own, register);
          const isRight =
            !isHidden ||
            wasNoSecretThen(batch, row, { register, before }) ||
            this.#isBroughtBack(batch, row, register);
          this.#expect(isRight, `a list hears of ${register} on ${row.id}`);
        }
      this.#sees(row, registers);
    }
  }

  /**
   * Whether a device brought it back to the list that it has it from. The restored server may have the task elsewhere or nowhere,
   * and another device may have brought it back without: by now its person keeps the label in their own row. It counts only for what
   * a device offers, and only in the very list: whatever else puts such a label on the task is news to that list.
   */
  #isBroughtBack({ history }: WriteBatch, { id, scope }: Row, register: string): boolean {
    const isKnown = this.#heard.get(`${scope} ${id}`)?.has(register) === true;
    const isOffer = ({ operation, scope: of }: HistoryEntry): boolean =>
      operation.a === 'reoffer' && operation.id === id && of === scope && register in operation.fields;
    return isKnown && history.some(isOffer);
  }

  #sees({ id, scope }: Pick<Row, 'id' | 'scope'>, registers: ReadonlySet<string>): void {
    this.#seen.set(id, { scope, registers });
    if (this.#personal.has(scope)) return;
    const key = `${scope} ${id}`;
    this.#heard.set(key, new Set([...(this.#heard.get(key) ?? []), ...registers]));
  }

  /**
   * What one list has heard, another may hear of the same task: the id of a label that was no secret then. So may it by way of
   * another person's own tasks. From those of the label's person it is heard anew.
   */
  #isNew({ id, scope }: Pick<Row, 'id' | 'scope'>, register: string): boolean {
    const before = this.#seen.get(id);
    const home = this.#homes.get(labelOfRegister(register) as Id);
    return before?.registers.has(register) !== true || (before.scope !== scope && before.scope === home);
  }

  #expect(isRight: boolean, problem: string): void {
    if (!isRight) this.#world.server.oracle.problems.push(problem);
  }
}

/** Whether something was put at another place: by somebody, or by a device that brings back where a restored server had it not. */
function isMove({ operation, before }: HistoryEntry): boolean {
  if (operation.a === 'place') return true;
  const was = before.find(({ id }) => id === operation.id)?.fields;
  return operation.a === 'reoffer' && was?.['place'] !== undefined;
}

/** The registers of labels among those of a task. */
function labelsAmong(fields: object): ReadonlySet<string> {
  return new Set(Object.keys(fields).filter((name) => labelOfRegister(name) !== undefined));
}

/** What decides whether a label, or a group of labels, is private. */
interface Privacy {
  readonly visibility: unknown;
  readonly parent: Id | undefined;
}

const privacyOf = (row: Row): Privacy => ({
  visibility: fieldOf(row, 'visibility'),
  parent: placeOf(row)?.parent,
});

/** The fields of a row as the database has them, as far as they decide that. */
interface StoredFields {
  readonly visibility?: unknown;
  readonly place?: { readonly parent?: Id };
}

const privacyIn = ({ visibility, place }: StoredFields): Privacy => ({ visibility, parent: place?.parent });

function isPrivateIn(own: ReadonlyMap<Id, Privacy>, register: string): boolean {
  const label = own.get(labelOfRegister(register) as Id);
  const group = label?.parent === undefined ? undefined : own.get(label.parent);
  return [label, group].some((each) => each?.visibility === 'private');
}

/** What an operation leaves of it. */
function privacyAfter(operation: HistoryEntry['operation'], before: Privacy | undefined): Privacy {
  const known = before ?? { visibility: undefined, parent: undefined };
  const { a } = operation;
  if (a === 'set' && operation.field === 'visibility') return { ...known, visibility: operation.value };
  if (a === 'place') return { ...known, parent: operation.place.parent };
  if (a !== 'create' && a !== 'reoffer') return known;
  const { fields, place } = operation;
  const visibility = a === 'create' || 'visibility' in fields ? fields['visibility'] : known.visibility;
  return { visibility, parent: place?.parent ?? known.parent };
}

/** Whether a label was put on a task, or came along with it, while it was no secret, among what was committed together. */
function wasNoSecretThen(
  { history }: WriteBatch,
  { id, scope }: Row,
  { register, before }: { readonly register: string; readonly before: ReadonlyMap<Id, Privacy> },
): boolean {
  const own = new Map(before);
  for (const entry of history) {
    const { operation } = entry;
    const put = entry.before.find((each) => each.id === id && entry.scope === scope)?.fields;
    if ((put === null || put?.[register] === null) && !isPrivateIn(own, register)) return true;
    own.set(operation.id, privacyAfter(operation, own.get(operation.id)));
  }
  return false;
}

/** Of an exclusive group of its scope a task has one label at most. `moved`: labels that may have come into it with their tasks. */
export function checkExclusive(rows: ReadonlyMap<Id, Row>, moved: ReadonlySet<Id>): void {
  for (const row of rows.values()) {
    if (row.type !== 'task' && row.type !== 'mine') continue;
    const groups = new Map<Id, Id>();
    for (const register of Object.keys(row.fields)) {
      const label = labelOfRegister(register);
      const group = label === undefined ? undefined : placeOf(rows.get(label))?.parent;
      if (label === undefined || group === undefined || moved.has(label)) continue;
      if (rows.get(label)?.scope !== row.scope) continue;
      if (fieldOf(rows.get(group), 'exclusive') !== true) continue;
      const other = groups.get(group);
      assert.equal(other, undefined, `${row.type} ${row.id} has ${label} and ${other ?? ''} of one group`);
      groups.set(group, label);
    }
  }
}

interface Content {
  readonly attachment: Id;
  readonly hash: string;
}

/** The files that people attach. Each device keeps the content of its own, and sends it until the server has it. */
export class Files {
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #made = new Map<SimulatedDevice, Content[]>();
  readonly #unsent = new Set<Content>();

  constructor(world: World, random: SeededRandom) {
    this.#world = world;
    this.#random = random;
  }

  /** Attaches a file to a task. Its content is sent at once, before its attachment is, or later. */
  async attach(device: SimulatedDevice): Promise<void> {
    const { engine, isReady } = device;
    if (engine === null || !isReady) return;
    const { replica } = engine;
    const tasks = new Sight(replica).of('task');
    if (tasks.length === 0) return;
    const task = this.#random.pick(tasks);
    const hash = Array.from({ length: 64 }, () => this.#random.below(16).toString(16)).join('');
    const id = replica.newId();
    const fields = { name: 'file.txt', sizeBytes: 1, hash };
    replica.issue([{ a: 'create', id, type: 'attachment', fields, place: { parent: task.id } }]);
    const content = { attachment: id, hash };
    this.#made.set(device, [...(this.#made.get(device) ?? []), content]);
    this.#unsent.add(content);
    this.#world.hits.hit('file attached');
    if (this.#random.chance(0.5)) await this.send(device);
  }

  /** Sends what waits, to the scope in which the device believes it. */
  async send(device: SimulatedDevice): Promise<void> {
    const { engine, isReady, isOnline, actor } = device;
    const { server, hits } = this.#world;
    if (engine === null || !isReady || !isOnline || server.exchange === null) return;
    for (const content of this.#made.get(device) ?? []) {
      const row = engine.replica.row(content.attachment);
      if (!this.#unsent.has(content) || row === undefined) continue;
      const { roles } = server.actorNow(actor);
      if (!roles.has(row.scope)) continue;
      const sender = { account: actor.account, scopes: [...roles.keys()] };
      const file = { scope: row.scope, hash: content.hash, bytes: 1 };
      const isTaken = await this.#ledger().add(file, MOST_BYTES, sender);
      assert.ok(isTaken, 'there is room for a file');
      this.#unsent.delete(content);
      hits.hit('content of a file sent');
    }
  }

  /** The server was put back, so that content is lost. Devices may send theirs again at once. */
  lost(): void {
    for (const contents of this.#made.values()) for (const content of contents) this.#unsent.add(content);
  }

  /** A device and a restored server are together again: it sends what it holds. */
  sendAgain(device: SimulatedDevice): void {
    for (const content of this.#made.get(device) ?? []) this.#unsent.add(content);
  }

  /** Content that its device could send is where its attachment is. */
  async check(rows: ReadonlyMap<Id, Row>): Promise<void> {
    const { hits } = this.#world;
    for (const contents of this.#made.values())
      for (const content of contents) {
        const row = rows.get(content.attachment);
        if (row === undefined || this.#unsent.has(content)) continue;
        const isHeld = await this.#ledger().holds(row.scope, content.hash);
        assert.ok(isHeld, `the content of ${row.id} is not in the scope of its task`);
        if ((row.hops ?? 0) > 0) hits.hit('file found after a move');
      }
  }

  #ledger(): FileLedger {
    const { server } = this.#world;
    const now = (): number => Math.round(server.now());
    return createFileLedger(server.present, { now, monotonic: now });
  }
}
