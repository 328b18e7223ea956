// Applies pushed operations inside one write transaction: exactly once, in sequence order, each checked for permission,
// stamped by age, versioned under the scope's lock. The result is a batch to save and the verdicts.
import { assert } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { apply, type ApplyContext } from '#sync/rows/apply.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { isRefusal, type Operation, type Verdict } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import { anchorIds, touchedIds } from '#sync/rows/touched.ts';
import { operationSchema, type SyncErrorCode, type SyncRequest } from '#wire/sync.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type {
  DeviceRecord,
  HistoryEntry,
  ReadSet,
  ScopeRecord,
  StoredResult,
  WriteBatch,
  WriteTransaction,
} from '../data/store.ts';
import { authorOf, missingTarget, PARKED_MS, ParkingLot } from './parking.ts';
import { marksOf } from '../push/marks.ts';
import { isHealing } from './recovery.ts';
import { joined, ofScope, type Plan, type PlannedAction, type PlanView } from './planned.ts';
import { MissingRead, WorkingSet } from './working-set.ts';

/** Far more reads than the deepest tree and the most crowded gap need. */
const MOST_READS = 10_000;

/** A request is not on its way for longer. */
const LONGEST_WAY_MS = 60_000;

/** The first protocol whose devices bring back rows that a restored server has lost. */
export const HEALING_PROTOCOL = 2;

export interface Push {
  readonly actor: AccountActor;
  /** Instead of operations. */
  readonly plan?: Plan;
  readonly request: SyncRequest;
  /** When the request began to arrive, by the server's clock; absent: just now. */
  readonly arrivedAt?: number;
  /** In sequence order; null for a malformed operation. */
  readonly operations: readonly { readonly q: number; readonly operation: Operation | null }[];
}

/** What became of a push. */
export interface Pushed {
  readonly device: DeviceRecord;
  readonly results: readonly (readonly [number, Verdict])[];
  /** The device has seen more than the database holds: nothing was judged. */
  readonly isAhead?: boolean;
  /** For a plan: the reason of a refusal; none of it has any effect. */
  readonly refused?: { readonly verdict: Verdict; readonly index: number } | 'by plan';
}

/** Why replication refuses a request as a whole; the route turns the code into a status. */
export interface SyncProblem {
  readonly code: SyncErrorCode;
  readonly message: string;
}

export type PushOutcome = Result<Pushed, SyncProblem>;

/** A scope as this transaction leaves it. */
export interface WrittenScope {
  readonly before: ScopeRecord;
  readonly after: ScopeRecord;
  readonly set: WorkingSet;
}

/** Reads the operations of a request. Null: not even their numbering is readable. */
export function readOperations(raw: readonly unknown[]): Push['operations'] | null {
  const operations: { q: number; operation: Operation | null }[] = [];
  let last = 0;
  for (const value of raw) {
    const parsed = operationSchema.safeParse(value);
    const q = parsed.success ? parsed.data.q : (value as { q?: unknown } | null)?.q;
    if (typeof q !== 'number' || !Number.isSafeInteger(q) || q <= last) return null;
    last = q;
    operations.push({ q, operation: parsed.success ? (parsed.data as Operation) : null });
  }
  return operations;
}

interface OpenScope {
  readonly before: ScopeRecord;
  readonly set: WorkingSet;
  version: number;
  updatedClock: number;
  /** Transaction that owns the current version. */
  transaction: Id | undefined;
  /** Number of operations that have joined it. */
  joined: number;
  /** Null unless the scope is being healed. */
  readonly parking: ParkingLot | null;
}

/** What a restored database got back in one transaction. */
export interface Healed {
  readonly rows: number;
  readonly parked: number;
  readonly unparked: number;
}

/** The author and time of an operation, as the server sees them. */
interface Author {
  readonly actor: AccountActor;
  readonly device: number;
  readonly time: number;
}

/** Collects everything of one write transaction. */
export class PushTransaction {
  readonly #tx: WriteTransaction;
  readonly #now: number;
  readonly #generation: number;
  readonly #scopes = new Map<Id, OpenScope>();
  #devices: ReadonlyMap<Id, DeviceRecord> = new Map();
  readonly #savedDevices = new Map<Id, DeviceRecord>();
  readonly #results: StoredResult[] = [];
  readonly #forgetResults: WriteBatch['forgetResults'][number][] = [];
  readonly #history: HistoryEntry[] = [];
  #healedRows = 0;
  #parked = 0;
  #unparked = 0;

  constructor(tx: WriteTransaction, context: { readonly now: number; readonly generation: number }) {
    this.#tx = tx;
    this.#now = context.now;
    this.#generation = context.generation;
  }

  /** Locks the scopes, and loads in bulk what the pushes will need; the rest is loaded on demand. */
  async open(pushes: readonly Push[]): Promise<void> {
    const wanted = pushes.map(({ actor, request }) => ({ id: request.device, account: actor.account }));
    this.#devices = await this.#tx.devices(wanted);
    const operations = pushes.flatMap((push) => this.#freshOperations(push));
    const plans = pushes.flatMap(({ actor, plan }) => (plan === undefined ? [] : [{ actor, plan }]));
    const planned = plans.flatMap(({ actor, plan }) =>
      plan.scopes.filter((scope) => authorise(actor, { type: 'scope.write', scope }).allowed),
    );
    const scopes = new Set([...operations.map((operation) => operation.scope), ...planned]);
    for (const [id, before] of await this.#tx.lockScopes([...scopes].toSorted())) {
      this.#scopes.set(id, {
        before,
        set: new WorkingSet(id),
        version: before.version,
        updatedClock: before.updatedClock,
        transaction: undefined,
        joined: 0,
        parking: isHealing(before, this.#now) ? new ParkingLot(await this.#tx.parked(id)) : null,
      });
    }
    for (const [id, scope] of this.#scopes) {
      const own = operations.filter((operation) => operation.scope === id);
      const wants = plans.map(({ plan }) => ofScope(plan.want, id));
      await scope.set.load(this.#tx, joined([readSetOf(id, own), ...wants]));
    }
  }

  /** Operations not seen before, in scopes the author may write: others are refused without looking at the scope. */
  #freshOperations(push: Push): Operation[] {
    const lastSeq = this.#devices.get(push.request.device)?.lastSeq ?? 0;
    return push.operations.flatMap(({ q, operation }) => {
      if (q <= lastSeq || operation === null) return [];
      return authorise(push.actor, { type: 'scope.write', scope: operation.scope }).allowed
        ? [operation]
        : [];
    });
  }

  /** A device that saw versions the database has lost must not be judged by what it had seen. */
  #isAhead({ request }: Push, device: DeviceRecord): boolean {
    if (request.schema < HEALING_PROTOCOL) return false;
    if (request.ack > device.lastSeq) return true;
    return [...this.#scopes.values()].some(
      ({ before }) => (request.cursors[before.id]?.version ?? 0) > before.version,
    );
  }

  async run(push: Push): Promise<PushOutcome> {
    const id = push.request.device;
    const device = this.#savedDevices.get(id) ?? this.#devices.get(id);
    if (device === undefined || device.account !== push.actor.account) {
      return failed({ code: 'device_conflict', message: 'This device belongs to another account.' });
    }
    if (push.plan !== undefined) return this.#runPlan(push.actor, push.plan, device);
    if (this.#isAhead(push, device)) return ok({ device, results: [], isAhead: true });
    const seen = push.operations.filter(({ q }) => q <= device.lastSeq);
    const stored = await this.#verdictsOf(device, seen, push.request.schema);
    if (stored === null)
      return failed({
        code: 'device_conflict',
        message: 'This device was copied, so it needs its own identity.',
      });
    const results: [number, Verdict][] = [...stored];
    let state = device;
    for (const scope of this.#scopes.values()) scope.transaction = undefined;
    for (const { q, operation } of push.operations.slice(seen.length)) {
      // An offer after a restore carries the times of its writes; its own age says nothing about them.
      const isOffer = operation?.a === 'reoffer';
      const madeAt = operation === null ? state.lastStamp : this.#effectiveTime(push, operation, state);
      const time = isOffer ? this.#now : madeAt;
      const verdict =
        operation === null
          ? 'invalid'
          : await this.#judge(operation, push, { actor: push.actor, device: device.number, time });
      state = { ...state, lastSeq: q, lastStamp: verdict === 'ok' && !isOffer ? time : state.lastStamp };
      results.push([q, verdict]);
      const uuid = operation?.u ?? id;
      this.#results.push({ device: id, seq: q, operation: uuid, verdict });
    }
    if (push.request.ack > state.ackedSeq) {
      const ackedSeq = Math.min(push.request.ack, state.lastSeq);
      this.#forgetResults.push({ device: id, upToSeq: ackedSeq });
      state = { ...state, ackedSeq };
    }
    if (state !== device) this.#savedDevices.set(id, state);
    return ok({ device: state, results });
  }

  /** All of a plan or nothing. Its operations need no stored verdicts: nobody sends them twice. */
  async #runPlan(actor: AccountActor, plan: Plan, device: DeviceRecord): Promise<PushOutcome> {
    const before = [...this.#scopes.values()].map((scope) => ({
      scope,
      at: { ...scope },
      mark: scope.set.mark(),
    }));
    const historyBefore = this.#history.length;
    for (const scope of this.#scopes.values()) scope.transaction = undefined;
    const actions = await this.#decide(plan);
    if (actions === null) return ok({ device, results: [], refused: 'by plan' });
    const time = Math.max(this.#now, Math.min(device.lastStamp, this.#now));
    let q = device.lastSeq;
    for (const [index, { scope: id, action, u, x, g }] of actions.entries()) {
      q += 1;
      const scope = this.#scopes.get(id);
      const operation: Operation = { ...action, q, u, x, g, scope: id, t: time, b: scope?.version ?? 0 };
      const by = { actor, device: device.number, time };
      const verdict = scope === undefined ? 'forbidden' : await this.#applyOne(scope, operation, by);
      if (!isRefusal(verdict)) continue;
      for (const { scope: open, at, mark } of before) {
        open.set.rollback(mark);
        const { version, updatedClock, transaction, joined: count } = at;
        Object.assign(open, { version, updatedClock, transaction, joined: count });
      }
      this.#history.length = historyBefore;
      return ok({ device, results: [], refused: { verdict, index } });
    }
    const state = { ...device, lastSeq: q, lastStamp: time };
    this.#savedDevices.set(device.id, state);
    return ok({ device: state, results: [] });
  }

  async #decide(plan: Plan): Promise<readonly PlannedAction[] | null> {
    const setOf = (id: Id) => this.#scopes.get(id)?.set;
    const view: PlanView = {
      row: (scope, id) => setOf(scope)?.row(id),
      absence: (scope, id) => setOf(scope)?.absence(id) ?? 'unknown',
    };
    for (let reads = 0; ; reads += 1) {
      assert(reads < MOST_READS, 'a plan asks for what it was given');
      try {
        return plan.decide(view);
      } catch (error) {
        if (!(error instanceof MissingRead)) throw error;
        const scope = error.want.rows[0]?.scope;
        const set = scope === undefined ? undefined : setOf(scope);
        assert(set !== undefined, 'a plan reads the scopes it named');
        await set.load(this.#tx, error.want);
      }
    }
  }

  /** The result of the transaction. */
  finish(): {
    readonly batch: WriteBatch;
    readonly written: readonly WrittenScope[];
    readonly healed: Healed;
    /** Notes with unreadable parts. */
    readonly damaged: readonly Id[];
  } {
    const written: WrittenScope[] = [];
    const scopeGenerations: WriteBatch['scopeGenerations'][number][] = [];
    for (const scope of this.#scopes.values()) {
      if (scope.version === scope.before.version) continue;
      const digest = new DigestSum(scope.before.digest);
      for (const { stored, row } of scope.set.writes()) {
        if (stored !== undefined) digest.remove(row.id, stored.version);
        digest.add(row.id, row.version);
      }
      const { version, updatedClock } = scope;
      const after = {
        ...scope.before,
        version,
        updatedClock,
        digest: digest.value,
        generation: this.#generation,
      };
      if (scope.before.generation !== this.#generation) {
        const { id, generation, version: maxVersion } = scope.before;
        scopeGenerations.push({ scope: id, generation, maxVersion });
      }
      written.push({ before: scope.before, after, set: scope.set });
    }
    const reminding = marksOf(written.flatMap(({ set }) => [...set.writes()]));
    const batch: WriteBatch = {
      scopes: written.map((scope) => scope.after),
      scopeGenerations,
      rows: written.flatMap((scope) => [...scope.set.writes()].map(({ row }) => row)),
      tombstones: [],
      devices: [...this.#savedDevices.values()],
      results: this.#results,
      forgetResults: this.#forgetResults,
      history: this.#history,
      noteEpochs: written.flatMap(({ set }) => set.keptEpochs(this.#now)),
      ...this.#parkingChanges(),
      ...(reminding === undefined ? {} : { reminding }),
    };
    const rows = this.#healedRows;
    const parked = this.#parked;
    const unparked = this.#unparked;
    const damaged = [...this.#scopes.values()].flatMap(({ set }) => [...set.damagedNotes]);
    return { batch, written, healed: { rows, parked, unparked }, damaged };
  }

  #parkingChanges(): Pick<WriteBatch, 'parked' | 'unparked'> {
    const changes = [...this.#scopes.values()].flatMap(({ parking }) => parking?.changes ?? []);
    if (changes.length === 0) return {};
    return {
      parked: changes.flatMap(({ parked }) => parked),
      unparked: changes.flatMap(({ unparked }) => unparked),
    };
  }

  /** Earlier verdicts; null: these are different operations under the same numbers. */
  async #verdictsOf(
    device: DeviceRecord,
    seen: Push['operations'],
    schema: number,
  ): Promise<[number, Verdict][] | null> {
    if (seen.length === 0) return [];
    const known = await this.#tx.results(
      device.id,
      seen.map(({ q }) => q),
    );
    const bySeq = new Map(
      [...known, ...this.#results.filter((result) => result.device === device.id)].map((r) => [r.seq, r]),
    );
    const verdicts: [number, Verdict][] = [];
    for (const { q, operation } of seen) {
      const result = bySeq.get(q);
      if (result === undefined || result.operation !== (operation?.u ?? device.id)) return null;
      // A device with the first protocol does not know this verdict.
      const isKnown = schema >= HEALING_PROTOCOL || result.verdict !== 'parked';
      verdicts.push([q, isKnown ? result.verdict : 'gone']);
    }
    return verdicts;
  }

  /**
   * When the request was sent minus the operation's age, which was measured on sending, so that neither a slow network
   * nor a slow upload makes an edit younger. A device's stamps never run backwards, and never into the future.
   */
  #effectiveTime(push: Push, operation: Operation, device: DeviceRecord): number {
    const age = Math.max(0, push.request.clientNow - operation.t);
    return Math.max(this.#sentAt(push) - age, Math.min(device.lastStamp, this.#now));
  }

  /**
   * Never later than the request arrived. The device's own word counts if it is near that: farther away, its clock was
   * set since the server told it the time.
   */
  #sentAt({ arrivedAt = this.#now, request: { sentAt = arrivedAt } }: Push): number {
    const latest = Math.min(arrivedAt, this.#now);
    return latest - sentAt < LONGEST_WAY_MS ? Math.min(latest, sentAt) : latest;
  }

  async #judge(operation: Operation, { request }: Push, by: Author): Promise<Verdict> {
    const scope = this.#scopes.get(operation.scope);
    if (scope === undefined) return 'forbidden';
    const verdict = await this.#applyOne(scope, operation, by);
    if (request.schema < HEALING_PROTOCOL || scope.parking?.hasRoomFor(operation) !== true) return verdict;
    return this.#park(scope, operation, { by, verdict }) ? 'parked' : verdict;
  }

  /** Parks an operation that failed for lack of a row that may yet come back. */
  #park(scope: OpenScope, operation: Operation, refused: { by: Author; verdict: Verdict }): boolean {
    const target = missingTarget(scope.set, operation, refused.verdict);
    if (target === null || scope.parking === null) return false;
    const { actor, device, time } = refused.by;
    scope.parking.park({
      scope: scope.before.id,
      target,
      account: actor.account,
      role: actor.roles.get(scope.before.id) ?? null,
      device,
      at: time,
      until: this.#now + PARKED_MS,
      operation,
    });
    this.#parked += 1;
    return true;
  }

  /** Applies operations that waited for a row that these pushes brought back. Called after the last of them. */
  async applyParked(): Promise<void> {
    for (const scope of this.#scopes.values()) {
      scope.transaction = undefined;
      const { parking, set } = scope;
      for (let parked = parking?.next(set) ?? null; parked !== null; parked = parking?.next(set) ?? null) {
        const actor = authorOf(parked, scope.before);
        if (actor === null) continue;
        const by = { actor, device: parked.device, time: parked.at };
        const { x: _x, ...operation } = parked.operation;
        const verdict = await this.#applyOne(scope, operation, by);
        if (!this.#park(scope, operation, { by, verdict })) this.#unparked += 1;
      }
    }
  }

  async #applyOne(scope: OpenScope, operation: Operation, by: Author): Promise<Verdict> {
    const { set } = scope;
    if (operation.a === 'reoffer' && scope.parking === null) return 'forbidden';
    if (!set.isLoaded(operation.id))
      await set.load(this.#tx, {
        rows: [{ scope: operation.scope, id: operation.id }],
        ancestors: [],
        siblings: [],
      });
    if (!authorise(by.actor, { type: 'operation', operation, row: set.row(operation.id) }).allowed)
      return 'forbidden';
    const joins = operation.x !== undefined && operation.x === scope.transaction;
    // A transaction is one version, and a page of changes never splits a version.
    if (joins && scope.joined >= limits.transactionOperations) return 'limit';
    const version = joins ? scope.version : scope.version + 1;
    const context: ApplyContext = {
      version,
      time: by.time,
      device: by.device,
      seq: operation.q,
      // Nobody has seen future versions: such a base is from another history, or invented, and time decides.
      base: operation.b > scope.version ? 0 : operation.b,
      scope: operation.scope,
      account: by.actor.account,
    };
    const mark = set.mark();
    const verdict = await this.#applyLoading(set, operation, context);
    if (verdict === 'ok') {
      scope.version = version;
      scope.transaction = operation.x;
      scope.joined = joins ? scope.joined + 1 : 1;
      if (operation.a === 'reoffer') this.#healedRows += 1;
      this.#record(scope, operation, { context, mark });
    }
    return verdict;
  }

  async #applyLoading(set: WorkingSet, operation: Operation, context: ApplyContext): Promise<Verdict> {
    const mark = set.mark();
    for (let reads = 0; ; reads += 1) {
      assert(reads < MOST_READS, 'an operation asks for what it was given');
      try {
        return apply(set, operation, context);
      } catch (error) {
        set.rollback(mark);
        if (!(error instanceof MissingRead)) throw error;
        await set.load(this.#tx, error.want);
      }
    }
  }

  #record(
    scope: OpenScope,
    operation: Operation,
    done: { readonly context: ApplyContext; readonly mark: number },
  ): void {
    const changes = scope.set.changesSince(done.mark);
    for (const { after } of changes) {
      scope.updatedClock = Math.max(this.#now, scope.updatedClock + 1);
      scope.set.finish({ ...after, updatedAt: scope.updatedClock });
    }
    this.#history.push({
      scope: scope.before.id,
      version: done.context.version,
      account: done.context.account,
      device: done.context.device,
      at: done.context.time,
      operation: recordOf(operation),
      before: changes.map(({ before, after }) => ({
        id: after.id,
        fields: before === undefined ? null : replaced(before.fields, after.fields),
        ...belonging(after),
      })),
    });
  }
}

/** An edit of a note is recorded as its text. */
function recordOf(operation: Operation): Operation {
  return operation.a === 'note' ? { ...operation, update: '' } : operation;
}

/** The task whose history this belongs to as well. */
function belonging(row: Row): { readonly of?: Id } {
  if (row.type === 'mine') return { of: row.fields['of'] };
  const place = row.type === 'attachment' ? placeOf(row) : undefined;
  return place === undefined ? {} : { of: place.parent };
}

/** The changed registers with their earlier values; null stands for the default. */
function replaced(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const register of new Set([...Object.keys(before), ...Object.keys(after)])) {
    // The merge state of a note is not a value that anybody set.
    if (register !== 'notesDoc' && before[register] !== after[register])
      values[register] = before[register] ?? null;
  }
  return values;
}

function readSetOf(scope: Id, operations: readonly Operation[]): ReadSet {
  const rows = new Set<Id>();
  const parents = new Set<Id>();
  for (const operation of operations) {
    rows.add(operation.id);
    for (const id of [...anchorIds(operation), ...touchedIds(operation)]) rows.add(id);
    if ('place' in operation && operation.place !== undefined) parents.add(operation.place.parent);
    if (operation.a === 'set' && operation.field.startsWith('label:'))
      rows.add(operation.field.slice('label:'.length) as Id);
  }
  return {
    rows: [...rows].map((id) => ({ scope, id })),
    ancestors: [...parents].map((id) => ({ scope, id })),
    siblings: [...parents].map((parent) => ({
      scope,
      parent,
      from: null,
      direction: 'descending' as const,
      limit: 4,
    })),
  };
}
