// Watches every commit of the server and holds it against the reference model: verdicts, rows, order, stamps, history,
// each operation applied once. What it finds wrong it reports; it never interferes.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { asRow, fieldOf, registerStamp, type Row } from '#sync/rows/row.ts';
import { authorise, type AccountActor } from '#server/access/authorise.ts';
import type { HistoryEntry, WriteBatch } from '#server/data/store.ts';
import { Model, type ModelContext, type ModelRow, type Touched } from '../model/reference.ts';
import type { Hits } from './hits.ts';
import { must } from '#core/assert.ts';

interface Arrival {
  readonly operation: Operation;
  readonly actor: AccountActor;
  /** When it was made, by every request that carried it: when that arrived, less the age it was said to have. */
  readonly times: Map<string, Arrived>;
}

interface Arrived {
  readonly at: number;
  readonly age: number;
}

interface ScopeWatch {
  readonly model: Model;
  readonly keys: Map<Id, string>;
  version: number;
  updatedAt: number;
  transaction: Id | undefined;
}

interface DeviceWatch {
  readonly id: Id;
  number: number;
  lastStamp: number;
}

export class Oracle {
  readonly scopes = new Map<Id, ScopeWatch>();
  /** Operations by their own id, as applied. */
  readonly applied = new Map<Id, Operation>();
  readonly verdicts = new Map<Id, string>();
  readonly problems: string[] = [];
  /**
   * Devices whose disk was copied, and operations that waited on it: what one of the copies sent under the old name, and
   * what both hold, may come once more under another.
   */
  private readonly copied = new Set<Id>();
  /** Operations applied twice for that reason. */
  readonly twice = new Set<Id>();
  private readonly appliedBy = new Map<Id, Id>();
  private readonly judged = new Set<string>();
  private readonly arrivals = new Map<Id, Arrival>();
  private readonly devices = new Map<Id, DeviceWatch>();
  private readonly hits: Hits;
  private latestNow = 0;

  constructor(hits: Hits) {
    this.hits = hits;
  }

  open(scope: Id): void {
    const elsewhere = (id: Id): boolean =>
      [...this.scopes].some(
        ([other, watch]) => other !== scope && (watch.model.rows.has(id) || watch.model.purged.has(id)),
      );
    this.scopes.set(scope, {
      model: new Model(scope, elsewhere),
      keys: new Map(),
      version: 0,
      updatedAt: 0,
      transaction: undefined,
    });
  }

  /** This device was copied or renamed with these operations waiting. */
  noteCopy(device: Id, waiting: Iterable<Operation>): void {
    this.copied.add(device);
    for (const { u } of waiting) this.copied.add(u);
  }

  /** Whether any request carried the operation. */
  hasArrived(operation: Id): boolean {
    return this.arrivals.has(operation);
  }

  /** A request arrived, `at` by the server's clock; the device says that it sent it `sentAt` by that clock. */
  arrived(
    actor: AccountActor,
    {
      clientNow,
      sentAt,
      at: door,
    }: { readonly clientNow: number; readonly sentAt?: number | undefined; readonly at: number },
    operations: readonly unknown[],
  ): void {
    // Rule SYNC-2: a request is on its way for a minute at most; a device that says more has lost the time.
    const at = sentAt !== undefined && door - sentAt < 60_000 ? Math.min(sentAt, door) : door;
    for (const operation of operations as Operation[]) {
      if (typeof operation?.u !== 'string') continue;
      const known = this.arrivals.get(operation.u);
      const age = Math.max(0, clientNow - operation.t);
      const times = known?.times ?? new Map<string, Arrived>();
      times.set(`${at} ${age}`, { at, age });
      if (known === undefined) this.arrivals.set(operation.u, { operation, actor, times });
    }
  }

  /** A transaction was committed at `now` of the server's clock. */
  committed(batch: WriteBatch, numbers: ReadonlyMap<Id, number>, now: number): void {
    this.latestNow = Math.max(this.latestNow, now);
    try {
      if (batch.tombstones.length > 0) this.checkPurge(batch);
      else this.check(batch, numbers, now);
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error));
    }
  }

  private checkPurge({ tombstones, scopes }: WriteBatch): void {
    for (const { scope, id } of tombstones) {
      assert.ok(this.watch(scope).model.isTrash(id), `${id} was purged though nobody threw it away`);
    }
    for (const { scope, id, version } of tombstones) {
      const watch = this.watch(scope);
      watch.version = version;
      watch.model.purge(id);
      watch.keys.delete(id);
    }
    for (const { scope, id } of tombstones) {
      assert.deepEqual(
        this.watch(scope).model.children(id),
        [],
        `${id} was purged while something hung on it`,
      );
    }
    for (const { id, version } of scopes) {
      assert.equal(version, this.watch(id).version, 'the version of the scope');
    }
  }

  private watch(scope: Id): ScopeWatch {
    const watch = this.scopes.get(scope);
    assert.ok(watch, 'a scope that was never made was written');
    return watch;
  }

  private check(batch: WriteBatch, numbers: ReadonlyMap<Id, number>, now: number): void {
    const touched = new Map<Id, Map<Id, Touched>>();
    const entries = [...batch.history];
    for (const watch of this.scopes.values()) watch.transaction = undefined;
    for (const result of batch.results) {
      assert.ok(result.verdict !== 'parked', 'nothing is parked on a server that never went back');
      this.hits.hit(`verdict ${result.verdict}`);
      this.verdicts.set(result.operation, result.verdict);
      // A repeated request is answered from memory; it is never judged again.
      const judged = `${result.device} ${result.seq}`;
      assert.ok(!this.judged.has(judged), `operation ${result.operation} was judged twice`);
      this.judged.add(judged);
      if (result.operation === result.device) {
        assert.equal(result.verdict, 'invalid', 'an unreadable operation is invalid');
        continue;
      }
      const arrival = this.arrivals.get(result.operation);
      assert.ok(arrival, 'a verdict on an operation that nobody sent');
      const device = this.deviceOf(result.device, numbers.get(result.device) ?? 0);
      const entry = result.verdict === 'ok' ? entries.shift() : undefined;
      if (result.verdict === 'ok') assert.ok(entry, 'an applied operation is in the history');
      this.checkOne(arrival, { device, verdict: result.verdict, entry, now, touched });
    }
    assert.deepEqual(entries, [], 'history holds applied operations only');
    for (const [scope, rows] of touched) this.checkRows(scope, batch, rows);
    for (const row of batch.rows)
      assert.ok(touched.has(row.scope), 'a scope was written that no operation names');
  }

  private mayComeTwice(operation: Id): boolean {
    const by = this.appliedBy.get(operation);
    return this.copied.has(operation) || (by !== undefined && this.copied.has(by));
  }

  private deviceOf(id: Id, number: number): DeviceWatch {
    const known = this.devices.get(id);
    if (known !== undefined) return known;
    const device = { id, number, lastStamp: 0 };
    this.devices.set(id, device);
    return device;
  }

  private checkOne(
    { operation, actor, times: arrived }: Arrival,
    seen: {
      device: DeviceWatch;
      verdict: string;
      entry: HistoryEntry | undefined;
      now: number;
      touched: Map<Id, Map<Id, Touched>>;
    },
  ): void {
    const { device, verdict, entry, now } = seen;
    const where = `operation ${JSON.stringify(operation)}`;
    const watch = this.scopes.get(operation.scope);
    const isAllowed =
      watch !== undefined &&
      authorise(actor, { type: 'operation', operation, row: targetOf(watch.model, operation) }).allowed;
    if (!isAllowed) {
      assert.equal(verdict, 'forbidden', where);
      return;
    }
    const joins = operation.x !== undefined && operation.x === watch.transaction;
    const version = joins ? watch.version : watch.version + 1;
    // Rule SYNC-2: the time of sending less the age of the edit, never before the device's last one, never in the future.
    const times = [...arrived.values()].map(({ at, age }) =>
      Math.max(Math.min(at, now) - age, Math.min(device.lastStamp, now)),
    );
    if (entry !== undefined)
      assert.ok(times.includes(entry.at), `${where} has the time ${entry.at}, not one of ${times.join()}`);
    const context: ModelContext = {
      version,
      time: entry?.at ?? 0,
      device: device.number,
      seq: operation.q,
      // A base that is still to come says nothing: time decides.
      base: operation.b > watch.version ? 0 : operation.b,
      account: actor.account,
    };
    // A refusal does not say which of several requests it answered: one of them was refused like that.
    const candidates = entry === undefined ? times.toSorted((a, b) => a - b) : [entry.at];
    let found = watch.model.apply(operation, {
      ...context,
      time: must(candidates[0], 'an arrival has a time'),
    });
    for (const time of candidates.slice(1)) {
      if (found.verdict === verdict || found.verdict === 'ok') break;
      found = watch.model.apply(operation, { ...context, time });
    }
    if (found.verdict === 'superseded' && 'only' in operation && operation.only !== undefined)
      this.hits.hit('undo superseded');
    assert.equal(verdict, found.verdict, `${where}: the server says ${verdict}, the model ${found.verdict}`);
    if (verdict !== 'ok' || entry === undefined) return;
    assert.ok(!this.applied.has(operation.u) || this.mayComeTwice(operation.u), `${where} was applied twice`);
    if (this.applied.has(operation.u)) this.twice.add(operation.u);
    this.applied.set(operation.u, operation);
    this.appliedBy.set(operation.u, device.id);
    assert.deepEqual(
      {
        scope: entry.scope,
        version: entry.version,
        account: entry.account,
        device: entry.device,
        operation: { ...entry.operation, t: operation.t },
      },
      { scope: operation.scope, version, account: actor.account, device: device.number, operation },
      'a history entry says who did what',
    );
    watch.version = version;
    watch.transaction = operation.x;
    device.lastStamp = entry.at;
    this.noteTouched(seen.touched, operation.scope, found.touched);
    checkReplaced(watch.model, entry, found.touched);
    this.noteSpread(watch.model, entry, found.touched);
    this.countBranches(watch.model, operation, found.touched);
  }

  /** Siblings of a crowded gap get new keys: their rows count as changed, their stamps stay. */
  private noteSpread(model: Model, entry: HistoryEntry, touched: readonly Touched[]): void {
    for (const { id, fields } of entry.before) {
      if (touched.some((other) => other.id === id)) continue;
      const row = model.rows.get(id);
      assert.ok(row, `the history names ${id}, which does not exist`);
      assert.deepEqual(Object.keys(fields ?? {}), ['place'], `${id} was changed beyond its key`);
      assert.equal(
        (fields?.['place'] as { parent?: Id } | undefined)?.parent,
        row.parent,
        `${id} was moved by a neighbour`,
      );
      row.version = entry.version;
      this.hits.hit('spread of crowded keys');
    }
  }

  private noteTouched(all: Map<Id, Map<Id, Touched>>, scope: Id, touched: readonly Touched[]): void {
    let rows = all.get(scope);
    if (rows === undefined) all.set(scope, (rows = new Map()));
    for (const entry of touched) if (!rows.has(entry.id)) rows.set(entry.id, entry);
  }

  private countBranches(model: Model, operation: Operation, touched: readonly Touched[]): void {
    const row = model.rows.get(operation.id);
    const asked = operation.a === 'create' || operation.a === 'place' ? operation.place?.parent : undefined;
    if (asked !== undefined && row?.parent !== asked && row?.values.get('listType') !== 'inbox')
      this.hits.hit('child of a trashed parent moved to the living');
    if (operation.a === 'complete' && operation.next !== null) this.hits.hit('completion advanced');
    if (operation.a === 'reopen' && operation.previous !== null) this.hits.hit('completion taken back');
    if (operation.a !== 'set' || operation.value !== true) return;
    const before = touched.find(({ id }) => id === operation.id)?.before;
    const lost = [...(before?.values.keys() ?? [])].some(
      (name) => name.startsWith('label:') && name !== operation.field && !row?.values.has(name),
    );
    if (lost) this.hits.hit('exclusive label replaced');
  }

  private checkRows(scope: Id, batch: WriteBatch, touched: ReadonlyMap<Id, Touched>): void {
    const watch = this.watch(scope);
    const written = new Map(batch.rows.filter((row) => row.scope === scope).map((row) => [row.id, row]));
    const parents = new Set<Id>();
    for (const id of touched.keys()) assert.ok(written.has(id), `row ${id} was changed but not saved`);
    for (const [id, row] of written) {
      const expected = watch.model.rows.get(id);
      assert.ok(expected, `row ${id} was saved but the model has none`);
      assert.deepEqual(comparable(row), comparableModel(expected), `row ${id}`);
      assert.ok(row.version <= watch.version, `row ${id} is ahead of its scope`);
      assert.ok(row.updatedAt > 0, `row ${id} has no time of change`);
      checkStamps(row, this.latestNow + this.applied.size);
      const place = fieldOf(row, 'place');
      if (place === undefined) continue;
      assert.ok(place.key.length <= limits.keyCharacters, `key ${place.key} is too long`);
      watch.keys.set(id, place.key);
      parents.add(place.parent);
    }
    const times = [...written.values()].map((row) => row.updatedAt).toSorted((a, b) => a - b);
    assert.equal(new Set(times).size, times.length, 'no two rows changed at the same time');
    assert.ok((times[0] ?? Infinity) > watch.updatedAt, 'the time of change never runs back');
    watch.updatedAt = times.at(-1) ?? watch.updatedAt;
    for (const parent of parents) {
      const keys = watch.model.children(parent).map((id) => watch.keys.get(id) ?? '');
      keys.forEach((key, index) =>
        assert.ok(
          index === 0 || (keys[index - 1] as string) < key,
          `keys under ${parent} are out of order: ${keys.join(' ')}`,
        ),
      );
    }
    const head = batch.scopes.find(({ id }) => id === scope);
    assert.equal(head?.version, watch.version, 'the version of the scope');
  }
}

function targetOf(model: Model, operation: Operation): Row | undefined {
  const row = model.rows.get(operation.id);
  if (row === undefined) return undefined;
  const place = row.parent === null ? {} : { place: { parent: row.parent, key: '' } };
  return asRow({
    id: operation.id,
    type: row.type,
    scope: model.scope,
    version: row.version,
    fields: { ...Object.fromEntries(row.values), ...place },
    stamp: row.creation,
    createdAt: 0,
    updatedAt: 0,
  });
}

function comparable(row: Row): unknown {
  const { place, ...fields } = row.fields as { place?: { parent: Id } };
  const registers = new Set(Object.keys(row.stamps ?? {}));
  const stamps = Object.fromEntries(
    [...registers].toSorted().map((name) => [name, registerStamp(row, name)]),
  );
  return {
    type: row.type,
    fields,
    parent: place?.parent ?? null,
    stamps,
    creation: row.stamp,
    version: row.version,
    createdAt: row.createdAt,
  };
}

function comparableModel(row: ModelRow): unknown {
  const stamps = Object.fromEntries([...row.stamps].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    type: row.type,
    fields: Object.fromEntries(row.values),
    parent: row.parent,
    stamps,
    creation: row.creation,
    version: row.version,
    createdAt: row.createdAt,
  };
}

function checkStamps(row: Row, latest: number): void {
  for (const stamp of [row.stamp, ...Object.values(row.stamps ?? {})]) {
    assert.ok(stamp[1] <= latest, `row ${row.id} carries a stamp from the future`);
  }
}

/** The history must hold what each row was before, so that it can be shown and taken back. */
function checkReplaced(model: Model, entry: HistoryEntry, touched: readonly Touched[]): void {
  for (const { id, before } of touched) {
    const replaced = entry.before.find((part) => part.id === id);
    assert.ok(replaced, `the history of ${id} lacks an entry`);
    if (before === undefined) {
      assert.equal(replaced.fields, null, `the history of ${id} says it was new`);
      continue;
    }
    const after = model.rows.get(id);
    for (const name of new Set([...before.values.keys(), ...(after?.values.keys() ?? [])])) {
      const was: unknown = before.values.get(name) ?? null;
      if (was === (after?.values.get(name) ?? null)) continue;
      assert.ok(replaced.fields !== null && name in replaced.fields, `the history of ${id} lacks ${name}`);
      assert.deepEqual(replaced.fields[name], was, `the history of ${id} has the old ${name}`);
    }
    if (before.parent !== after?.parent) {
      assert.equal(
        (replaced.fields?.['place'] as { parent?: Id } | undefined)?.parent ?? null,
        before.parent,
        `the history of ${id} has the old place`,
      );
    }
  }
}
