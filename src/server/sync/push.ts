// Applies pushed operations inside one write transaction: exactly once, in sequence order, each checked for permission,
// stamped by age, versioned under the scope's lock. The result is a batch to save and the verdicts. Which scope an operation
// belongs to is routing.ts, a row's way to another one transfer.ts.
import type { Id } from '#core/ids.ts';
import { failed, ok } from '#core/result.ts';
import type { ApplyContext } from '#sync/rows/apply.ts';
import {
  isRefusal,
  type ActionOf,
  type Operation,
  type OperationHead,
  type Reoffer,
  type Verdict,
} from '#sync/rows/operation.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import { Inboxes } from '../sealing/inbox.ts';
import { formedRows } from '../sealing/rows-along.ts';
import { formProblemIn, hasToBeMadeAnew, isApart, isForKeysOnly } from '../sealing/pushed-form.ts';
import type {
  DeviceRecord,
  HistoryEntry,
  ScopeRecord,
  StoredResult,
  TransferRecord,
  WriteBatch,
  WriteTransaction,
} from '../data/store.ts';
import { refuseLater } from './later-generation.ts';
import { crossingRefusal, mostCrossing } from '../sealing/opened-lists.ts';
import { authorOf, missingTarget, PARKED_MS, parkingChanges, ParkingLot, takeAlong } from './parking.ts';
import type { CommentSeal } from '../access/comment-seal.ts';
import { verdictsOf } from './stored-verdicts.ts';
import { marksIn } from '../push/told.ts';
import { isAhead, operationsOf } from './incoming.ts';
import { effectiveTime } from './effective-time.ts';
import { isHealing } from './recovery.ts';
import { HEALING_PROTOCOL } from './readership.ts';
import { decided, type Plan } from './planned.ts';
import {
  advance,
  departuresOf,
  headAfter,
  lookUp,
  lookUpRecord,
  openScope,
  uncounted,
  undoing,
  versionIn,
  type OpenScope,
} from './open-scope.ts';
import { registerStamp } from '#sync/rows/row.ts';
import { movedAway, recordOf, replacedByLeaving, replacedIn } from './recording.ts';
import type { Author, Healed, Judgement, Moving, Push, PushOutcome } from './push-types.ts';
import { writerOf } from './push-types.ts';
import { asMounted, isRouted, MissingLock, Router, type Way } from './routing.ts';
import { applyTransfer, begun, readTree, rowsBelow, rowsOfTree, type Transfer } from './transfer.ts';
import { freePlaces } from '../moving/free-places.ts';
import { applyNamed, ownWrite, TransactionLabels, type Named } from '../labels/transaction-labels.ts';
import { loadForeseen, Loading } from './loading.ts';
import type { WorkingSet } from './working-set.ts';

/** A scope as this transaction leaves it. */
export interface WrittenScope {
  readonly before: ScopeRecord;
  readonly after: ScopeRecord;
  readonly set: WorkingSet;
}

/** What a transaction works with. */
export interface PushContext {
  readonly now: number;
  readonly generation: number;
  /** Rows that move to another scope at once at most. */
  readonly mostMoved: number;
  /** Null: comments are not signed. */
  readonly seal: CommentSeal | null;
  /** To be locked in any case: an earlier run lacked them. */
  readonly alsoLock?: ReadonlySet<Id>;
}

/** Collects everything of one write transaction. */
export class PushTransaction {
  readonly #tx: WriteTransaction;
  readonly #now: number;
  readonly #generation: number;
  readonly #alsoLock: ReadonlySet<Id>;
  readonly #scopes = new Map<Id, OpenScope>();
  readonly #writers = new Map<Id, WorkingSet>();
  readonly #router: Router;
  readonly #loading: Loading;
  readonly #labels: TransactionLabels;
  readonly #inboxes: Inboxes;
  #devices: ReadonlyMap<Id, DeviceRecord> = new Map();
  readonly #savedDevices = new Map<Id, DeviceRecord>();
  readonly #results: StoredResult[] = [];
  readonly #forgetResults: WriteBatch['forgetResults'][number][] = [];
  readonly #history: HistoryEntry[] = [];
  readonly #transfers: TransferRecord[] = [];
  /** Operations that took rows out of a sealed scope, or into one. */
  readonly #crossed = new Set<Operation['u']>();
  readonly #context: PushContext;
  readonly #healed = { rows: 0, parked: 0, unparked: 0 };

  constructor(tx: WriteTransaction, context: PushContext) {
    this.#tx = tx;
    this.#now = context.now;
    this.#generation = context.generation;
    this.#context = context;
    this.#alsoLock = context.alsoLock ?? new Set();
    this.#router = new Router(tx, this.#scopes, this.#alsoLock);
    this.#loading = new Loading(tx, (scope) => this.#setOf(scope));
    this.#labels = new TransactionLabels(tx, this.#scopes);
    this.#inboxes = new Inboxes(tx);
  }

  /** The scopes that it may write. */
  get locked(): Iterable<Id> {
    return this.#scopes.keys();
  }

  /**
   * Locks the scopes, and loads in bulk what the pushes will need; the rest is loaded on demand. What does not depend on an answer is asked for
   * without waiting: all of it reaches the database at once.
   */
  async open(pushes: readonly Push[]): Promise<void> {
    const wanted = pushes.map(({ actor, request }) => ({ id: request.device, account: actor.account }));
    [this.#devices] = await Promise.all([this.#tx.devices(wanted), this.#openScopes(pushes)]);
  }

  async #openScopes(pushes: readonly Push[]): Promise<void> {
    const routed = await this.#router.routed(pushes.flatMap(operationsOf));
    const plans = pushes.flatMap(({ actor, plan }) => (plan === undefined ? [] : [{ actor, plan }]));
    const planned = plans.flatMap(({ actor, plan }) =>
      plan.scopes.filter((scope) => authorise(actor, { type: 'scope.write', scope }).allowed),
    );
    const scopes = new Set([...routed.flatMap((way) => way.scopes), ...planned, ...this.#alsoLock]);
    const operations = new Map([...scopes].map((id): [Id, Operation[]] => [id, []]));
    for (const { operation, scopes: of } of routed) for (const id of of) operations.get(id)?.push(operation);
    const work = { operations, plans: plans.map(({ plan }) => plan) };
    await loadForeseen(this.#tx, this.#lock([...scopes].toSorted()), work);
  }

  async #lock(ids: readonly Id[]): Promise<readonly WorkingSet[]> {
    for (const [id, before] of await this.#tx.lockScopes(ids)) {
      refuseLater(before, this.#generation);
      const parking = isHealing(before, this.#now) ? new ParkingLot(await this.#tx.parked(id)) : null;
      const scope = openScope(before, parking, { writers: this.#writers, seal: this.#context.seal });
      scope.set.setOf = (other) => this.#setOf(other);
      this.#scopes.set(id, scope);
    }
    return [...this.#scopes.values()].map(({ set }) => set);
  }

  #setOf(scope: Id): WorkingSet {
    const open = this.#scopes.get(scope);
    if (open === undefined) throw new MissingLock([scope]);
    return open.set;
  }

  async run(push: Push): Promise<PushOutcome> {
    const id = push.request.device;
    const device = this.#savedDevices.get(id) ?? this.#devices.get(id);
    if (device === undefined || device.account !== push.actor.account) {
      return failed({ code: 'device_conflict', message: 'This device belongs to another account.' });
    }
    if (push.plan !== undefined) return this.#runPlan(push.actor, push.plan, device);
    if (isAhead(push, device, this.#scopes)) return ok({ device, results: [], isAhead: true });
    const seen = push.operations.filter(({ q }) => q <= device.lastSeq);
    const isOld = push.request.schema < HEALING_PROTOCOL;
    const stored = await verdictsOf(this.#tx, { device: id, seen, isOld, fresh: this.#results });
    if (stored === null)
      return failed({
        code: 'device_conflict',
        message: 'This device was copied, so it needs its own identity.',
      });
    const fresh = push.operations.slice(seen.length).map(({ operation }) => operation);
    const homes = await this.#router.homesOf(fresh, push.actor);
    const said = { operations: fresh, request: push.request, device: device.number, homes };
    if (hasToBeMadeAnew(said, this.#scopes)) return ok({ device, results: [], reseal: true });
    const results: [number, Verdict][] = [...stored];
    let state = device;
    for (const scope of this.#scopes.values()) scope.transaction = undefined;
    for (const { q, operation } of push.operations.slice(seen.length)) {
      // An offer after a restore carries the times of its writes; its own age says nothing about them.
      const isOffer = operation?.a === 'reoffer';
      const madeAt =
        operation === null
          ? state.lastStamp
          : effectiveTime(push, operation, { now: this.#now, lastStamp: state.lastStamp });
      const time = isOffer ? this.#now : madeAt;
      const verdict =
        operation === null
          ? 'invalid'
          : await this.#judge(operation, push, writerOf(push, operation, { device: device.number, time }));
      if (verdict === 'reseal') break;
      state = { ...state, lastSeq: q, lastStamp: verdict === 'ok' && !isOffer ? time : state.lastStamp };
      results.push([q, verdict]);
      const uuid = operation?.u ?? id;
      this.#results.push({ device: id, seq: q, operation: uuid, verdict });
      // What comes after it was made for the scope that its rows have left.
      if (this.#crossed.has(uuid)) break;
    }
    if (push.request.ack > state.ackedSeq) {
      const ackedSeq = Math.min(push.request.ack, state.lastSeq);
      this.#forgetResults.push({ device: id, afterSeq: state.ackedSeq, upToSeq: ackedSeq });
      state = { ...state, ackedSeq };
    }
    if (state !== device) this.#savedDevices.set(id, state);
    const isWhole = results.length === stored.length + fresh.length;
    return ok({ device: state, results, ...(isWhole ? {} : { reseal: true }) });
  }

  /** All of a plan or nothing. Its operations need no stored verdicts: nobody sends them twice. */
  async #runPlan(actor: AccountActor, plan: Plan, device: DeviceRecord): Promise<PushOutcome> {
    const undo = undoing(this.#scopes.values());
    const [historyBefore, twinsBefore] = [this.#history.length, this.#labels.twins.length];
    for (const scope of this.#scopes.values()) scope.transaction = undefined;
    const actions = await decided(this.#tx, plan, (scope) => this.#scopes.get(scope)?.set);
    if (actions === null) return ok({ device, results: [], refused: 'by plan' });
    const time = Math.max(this.#now, Math.min(device.lastStamp, this.#now));
    let q = device.lastSeq;
    for (const [index, { scope: id, action, u, x, g, via, at: writtenAt = time }] of actions.entries()) {
      q += 1;
      const b = this.#scopes.get(id)?.version ?? 0;
      const t = Math.min(writtenAt, time);
      const mark = via === undefined ? {} : { via };
      const operation: Operation = { ...action, q, u, x, g, scope: id, t, b, ...mark };
      const by = { actor, device: device.number, time: t, isProgram: true } as const;
      const judged = isRouted(actor)
        ? (await this.#route(operation, by)).verdict
        : await this.#applyStated(operation, by);
      const verdict = judged === 'reseal' ? 'forbidden' : judged;
      if (!isRefusal(verdict)) continue;
      undo();
      this.#history.length = historyBefore;
      this.#labels.forget(twinsBefore);
      const isByKeys = isForKeysOnly(this.#scopes.get(operation.scope), operation, verdict);
      const why = judged === 'reseal' || isByKeys ? 'encrypted' : verdict;
      return ok({ device, results: [], refused: { verdict: why, index } });
    }
    const state = { ...device, lastSeq: q, lastStamp: time };
    this.#savedDevices.set(device.id, state);
    return ok({ device: state, results: [] });
  }

  /** The result of the transaction. */
  finish(): {
    readonly batch: WriteBatch;
    readonly written: readonly WrittenScope[];
    /** Of all scopes that it locked. */
    readonly heads: ReadonlyMap<Id, ScopeRecord>;
    readonly healed: Healed;
    /** Notes with unreadable parts. */
    readonly damaged: readonly Id[];
  } {
    const written: WrittenScope[] = [];
    const scopeGenerations: WriteBatch['scopeGenerations'][number][] = [];
    const heads = new Map<Id, ScopeRecord>();
    for (const [id, scope] of this.#scopes) {
      heads.set(id, scope.before);
      if (scope.version === scope.before.version) continue;
      const after = headAfter(scope, this.#generation);
      heads.set(id, after);
      if (scope.before.generation !== this.#generation) {
        const { generation, version: maxVersion } = scope.before;
        scopeGenerations.push({ scope: id, generation, maxVersion });
      }
      written.push({ before: scope.before, after, set: scope.set });
    }
    const writes = written.flatMap(({ set }) => [...set.writes()]);
    const reminding = marksIn(writes, written, this.#history);
    const batch: WriteBatch = {
      scopes: written.map((scope) => scope.after),
      scopeGenerations,
      rows: writes.map(({ row }) => row),
      tombstones: [],
      ...departuresOf(this.#scopes.values(), this.#now),
      devices: [...this.#savedDevices.values()],
      results: this.#results,
      forgetResults: this.#forgetResults,
      history: this.#history,
      transfers: this.#transfers,
      labelTwins: this.#labels.twins,
      noteEpochs: written.flatMap(({ set }) => set.keptEpochs(this.#now)),
      ...parkingChanges(this.#scopes.values()),
      ...(reminding === undefined ? {} : { reminding }),
    };
    const damaged = [...this.#scopes.values()].flatMap(({ set }) => [...set.damagedNotes]);
    return { batch, written, heads, healed: { ...this.#healed }, damaged };
  }

  async #judge(operation: Operation, { request }: Push, by: Author): Promise<Judgement> {
    // Most people have one scope: there is nothing to find out.
    const { verdict, scope, routed } = isRouted(by.actor)
      ? await this.#route(operation, by)
      : {
          verdict: await this.#applyStated(operation, by),
          scope: this.#scopes.get(operation.scope),
          routed: operation,
        };
    if (request.schema < HEALING_PROTOCOL || verdict === 'reseal') return verdict;
    if (scope?.parking?.hasRoomFor(routed) !== true) return verdict;
    return this.#park(scope, routed, { by, verdict }) ? 'parked' : verdict;
  }

  /** Applies an operation in the scope that it names. */
  #applyStated(operation: Operation, by: Author): Promise<Verdict> | Verdict {
    const scope = this.#scopes.get(operation.scope);
    return scope === undefined ? 'forbidden' : this.#applyOne(scope, operation, by);
  }

  /** Applies an operation where it belongs. `routed`: the operation as it is there. */
  async #route(
    operation: Operation,
    by: Author,
  ): Promise<{
    readonly verdict: Judgement;
    readonly scope: OpenScope | undefined;
    readonly routed: Operation;
  }> {
    const way =
      operation.a === 'reoffer'
        ? await this.#broughtBack(operation, by)
        : await this.#router.wayOf(operation, by.actor);
    const scope = this.#scopes.get(way.home);
    if (scope === undefined) return { verdict: 'forbidden', scope, routed: operation };
    const meant = asMounted(operation, by.actor, scope.before.root);
    if (meant !== operation) return await this.#route(meant, by);
    const isStated = way.home === operation.scope;
    const b = isStated ? operation.b : await this.#router.baseIn(scope, operation);
    const routed = isStated ? operation : { ...operation, scope: way.home, b };
    const to = this.#scopes.get(way.target);
    const verdict =
      to === undefined || to === scope || routed.a !== 'place'
        ? await this.#applyOne(scope, routed, by, operation.scope)
        : await this.#transfer(routed, { from: scope, to, by });
    if (verdict === 'ok' && routed.a === 'create') this.#router.note([routed.id], way.home);
    if (verdict === 'ok' && operation.a === 'complete')
      for (const each of await this.#router.begunElsewhere(operation, scope, by.actor))
        await uncounted(each.scope, () => this.#applyOne(each.scope, each.operation, by, routed.scope));
    return { verdict, scope, routed };
  }

  /**
   * Where a row is merged that a device brings back: where what it hangs under is now. The restored server may hold it in
   * another scope: then it goes there, if it was placed later than the server knows, and else what is offered goes to where
   * it is.
   */
  async #broughtBack(offer: OperationHead & Reoffer, by: Author): Promise<Way> {
    const home = await this.#router.belonging(offer, by.actor);
    const stated = { home, target: home };
    const [held, to] = [await this.#router.standing(offer, by.actor), this.#scopes.get(home)];
    const from = held === undefined ? undefined : this.#scopes.get(held);
    const { a: _a, type: _type, fields: _fields, createdAt: _created, at, times, place, ...head } = offer;
    if (from === undefined || from === to || to === undefined || to.parking === null) return stated;
    const time = Math.min(times['place'] ?? at, by.time);
    const move = { ...head, a: 'place', scope: from.before.id, b: 0 } as const;
    await lookUp(this.#tx, from, offer.id);
    const row = from.set.row(offer.id);
    // Of two writes around a restore the later one stands, no matter who made it.
    if (row !== undefined && place !== undefined && registerStamp(row, 'place')[1] < time) {
      const verdict = await this.#transfer({ ...move, place }, { from, to, by: { ...by, time } });
      if (verdict === 'ok') return stated;
    }
    return from.parking === null ? stated : { home: from.before.id, target: from.before.id };
  }

  /** Takes a row with everything beneath it to another scope. */
  async #transfer(
    operation: OperationHead & ActionOf<'place'>,
    { from, to, by }: Moving,
  ): Promise<Judgement> {
    await lookUp(this.#tx, from, operation.id);
    // What has waited for something that moves now is made to it first, as its author could read it here.
    await this.#applyParkedIn(from);
    const row = from.set.row(operation.id);
    if (row === undefined) return 'gone';
    if (!authorise(by.actor, { type: 'operation', operation, row }).allowed) return 'forbidden';
    const refusal = crossingRefusal({ from, to, by }, operation.id);
    if (refusal !== null) return refusal;
    const [left, entered] = [versionIn(from, operation), versionIn(to, operation)];
    if (left === null || entered === null) return 'limit';
    const { account } = by.actor;
    const base = operation.b > from.version ? 0 : operation.b;
    const writer = { version: entered, time: by.time, device: by.device, seq: operation.q, base };
    const asIs: Transfer = {
      action: operation,
      writer,
      from: from.set,
      left,
      to: to.set,
      most: mostCrossing({ from, to, by }) ?? this.#context.mostMoved,
      mergesNotes: by.along === undefined || !isApart(to),
      mayBeList: by.actor.isServer === true,
    };
    const reading = <T>(work: () => T) => this.#loading.run(work, [from.set, to.set]);
    const tree = await readTree(this.#tx, asIs, reading);
    const made = [...to.set.writes()].map(({ row: each }) => each);
    const moving = await reading(() => rowsOfTree(asIs, tree));
    const anew = await formedRows(this.#tx, { from, to }, { tree, moving, along: by.along });
    if (typeof anew === 'string') return anew;
    const transfer: Transfer = { ...asIs, anew };
    const free = await freePlaces(this.#tx, to.before.id, rowsBelow(transfer, moving), made);
    const labels = await this.#labels.moved(moving, { account, from, to });
    const [markFrom, markTo] = [from.set.mark(), to.set.mark()];
    const verdict = await reading(() => applyTransfer(transfer, tree, { free, labels }));
    if (verdict !== 'ok') return verdict;
    if (isApart(from) || isApart(to)) this.#crossed.add(operation.u);
    this.#labels.keep(labels.plan);
    const gone = from.set.releasedSince(markFrom);
    const ids = new Set(gone.map(({ id }) => id));
    this.#router.note(ids, to.before.id);
    advance(from, operation, left);
    advance(to, operation, entered);
    if (!tree.isWhole) this.#transfers.push(begun(transfer, operation, by));
    const context = { ...writer, scope: to.before.id, account };
    this.#record(to, { ...operation, scope: to.before.id }, { context, mark: markTo });
    this.#history.push({
      scope: from.before.id,
      version: left,
      account,
      device: by.device,
      at: by.time,
      operation: movedAway(operation),
      before: [...replacedByLeaving(gone, operation.id), ...replacedIn(this.#finished(from, markFrom))],
    });
    await takeAlong(this.#tx, { from, to, ids });
    return 'ok';
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
    this.#healed.parked += 1;
    return true;
  }

  /** Applies operations that waited for a row that these pushes brought back. Called after the last of them. */
  async applyParked(): Promise<void> {
    for (const scope of this.#scopes.values()) {
      scope.transaction = undefined;
      await this.#applyParkedIn(scope);
    }
  }

  async #applyParkedIn(scope: OpenScope): Promise<void> {
    const { parking, set } = scope;
    for (let parked = parking?.next(set) ?? null; parked !== null; parked = parking?.next(set) ?? null) {
      const actor = authorOf(parked, scope.before);
      if (actor === null) continue;
      const by = { actor, device: parked.device, time: parked.at, isParked: true } as const;
      const { x: _x, ...operation } = parked.operation;
      const verdict = await this.#applyOne(scope, operation, by);
      if (!this.#park(scope, operation, { by, verdict })) this.#healed.unparked += 1;
    }
  }

  /** `stated`: the scope that its device believed it to belong to. */
  async #applyOne(scope: OpenScope, said: Operation, by: Author, stated: Id = said.scope): Promise<Verdict> {
    const { set } = scope;
    const { root } = scope.before;
    if (said.a === 'reoffer' && scope.parking === null) return 'forbidden';
    if (!set.isLoaded(said.id)) await lookUp(this.#tx, scope, said.id);
    const sealed = by.isProgram ? await this.#inboxes.sealed(scope, said, by.device) : ok(said);
    if (!sealed.ok) return sealed.problem;
    const operation = sealed.value;
    const plain = { type: 'operation', operation, row: set.row(operation.id), stated } as const;
    const ask = operation.a === 'reoffer' ? { ...plain, isProven: set.isProven(operation) } : plain;
    if (!authorise(by.actor, root === undefined ? ask : { ...ask, root }).allowed) return 'forbidden';
    const form = formProblemIn(scope, operation, { by, stated });
    if (form !== null) return form;
    const version = versionIn(scope, operation);
    if (version === null) return 'limit';
    if (operation.a === 'reopen') await lookUpRecord(this.#tx, scope, operation);
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
    const naming = this.#labels.named(scope, operation, { by, writer: context });
    const named = naming === null ? null : await naming;
    if (typeof named === 'string') return named;
    const mark = set.mark();
    const asked = named === null ? operation : named.operation;
    let verdict: Verdict | null = null;
    if (asked !== null) {
      verdict = await this.#loading.run(() => applyNamed(set, asked, { context, named }), [set]);
      // What a device brings back may be news to its person's own row alone.
      const isKnown = operation.a === 'reoffer' && (verdict === 'already' || verdict === 'superseded');
      if (verdict !== 'ok' && !isKnown) return verdict;
    }
    if (asked !== null && verdict === 'ok') {
      if (named !== null) this.#labels.keep(named.plan);
      advance(scope, operation, version);
      if (operation.a === 'reoffer') this.#healed.rows += 1;
      this.#record(scope, asked, { context, mark });
    }
    return named === null ? (verdict ?? 'ok') : await this.#writeOwn(operation, named, { by, verdict });
  }

  /** Writes private labels into their person's own row of a task. `verdict`: of the rest of the operation, if there is any. */
  async #writeOwn(
    { a: _a, ...head }: Operation,
    { own, personalScope: scope }: Named,
    { by, verdict }: { readonly by: Author; readonly verdict: Verdict | null },
  ): Promise<Verdict> {
    let all = verdict;
    const roles = new Map([...by.actor.roles, [scope, 'owner'] as const]);
    const author = { ...by, actor: { ...by.actor, personalScope: scope, roles } };
    for (const { action, at } of own) {
      const open = this.#scopes.get(scope);
      const { operation, back } = ownWrite(head, { scope, action, time: at && Math.min(at, by.time) });
      const writer = { ...author, ...back };
      const written = open === undefined ? 'forbidden' : await this.#applyOne(open, operation, writer);
      // The row is there and holds something later.
      all ??= written === 'exists' ? 'superseded' : written;
    }
    return all ?? 'ok';
  }

  /** The rows written since, each with its time of change. What left is none of them. */
  #finished(scope: OpenScope, mark: number): ReturnType<WorkingSet['changesSince']> {
    const changes = scope.set.changesSince(mark);
    for (const { after } of changes) {
      scope.updatedClock = Math.max(this.#now, scope.updatedClock + 1, after.updatedAt + 1);
      scope.set.finish({ ...after, updatedAt: scope.updatedClock });
    }
    return changes;
  }

  #record(
    scope: OpenScope,
    operation: Operation,
    done: { readonly context: ApplyContext; readonly mark: number },
  ): void {
    const changes = this.#finished(scope, done.mark);
    this.#history.push({
      scope: scope.before.id,
      version: done.context.version,
      account: done.context.account,
      device: done.context.device,
      at: done.context.time,
      operation: recordOf(operation),
      before: replacedIn(changes),
    });
  }
}
