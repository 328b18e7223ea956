// A device's rows: the confirmed base, and its own pending operations applied over it. An answer of the server
// (exchange/taking-in.ts) changes the base and replays only the operations that touch changed rows. Synchronous and
// headless; disk and network are engine.ts.
import { createIdSource, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { readField } from '#core/model.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import { Ages } from '../rows/ages.ts';
import { seenOf } from '../rows/arrived.ts';
import { apply, type ApplyContext, type ApplyState, type Reoffering } from '../rows/apply.ts';
import { pointless } from './compaction.ts';
import { ConfirmedRows } from './confirmed-rows.ts';
import { switchedTo } from './detached.ts';
import { type Amendment, type Incoming, spreadDirt } from '../exchange/incoming.ts';
import { inverseOf, joinInverses } from '../rows/inverse.ts';
import { byOrder, HEALING_LANE, laneIn, laneOf, withLane, withSeq, writerNumber } from '../tabs/sequences.ts';
import { isRefusal, type Action, type Operation, type Verdict } from '../rows/operation.ts';
import type { MergeNote } from '../notes/note.ts';
import type { Clock, Cursor, Detached, DeviceMeta, Random, Reading, RecoveredItem } from './ports.ts';
import type { ChangeCause, Issued, Keeps, Replica, RowChange } from './replica-types.ts';
import { isKnown, isLater, PREDICTED, type Row, type StoredRow } from '../rows/row.ts';
import { SiblingIndex } from '../rows/sibling-index.ts';
import { positionBefore } from './position.ts';
import { idsAbove } from '../rows/ancestors.ts';
import { touchedIds } from '../rows/touched.ts';
import { extended, LOCAL } from './generation-history.ts';
import { PostponedMoves } from './postponed-moves.ts';
import { Unshown } from '../rows/unshown.ts';

type Listener = (changes: readonly RowChange[], cause: ChangeCause) => void;

/**
 * The replica of one device: confirmed rows, queue and predictions. Has no disk or network of its own; the caller
 * stores what `issue` returns.
 */
export class DeviceReplica implements Omit<Replica, 'members' | 'learnToPlace'> {
  readonly newId: () => Id;
  readonly #base = new ConfirmedRows();
  readonly #overlay = new Map<Id, Row>();
  readonly #siblings = new SiblingIndex();
  readonly #postponed = new PostponedMoves(
    () => this.#state,
    (row) => this.#show(row),
  );
  readonly #listeners = new Set<Listener>();
  readonly #clock: Clock;
  readonly #checks: RegisterChecks;
  #keeps?: Keeps;
  #queue: Operation[] = [];
  /** Rows first touched in the current step, as they were before it. */
  #step = new Map<Id, Row | undefined>();
  #current: DeviceMeta;
  /** After a start, only an answer shows whether the ages of waiting operations are right. */
  readonly ages: Ages;
  /** The lane in which this tab numbers its operations. */
  readonly lane: number;
  /** Highest number in the order of all lanes. */
  #latest: number;
  readonly #unshown = new Unshown();
  /** Another tab decides and confirms; operations made here wait for it, also without an account. */
  isFollower = false;

  constructor(
    meta: DeviceMeta,
    outbox: readonly Operation[],
    ports: { clock: Clock; random: Random; checks: RegisterChecks; lane?: number },
  ) {
    this.lane = ports.lane ?? 0;
    this.#current = outbox.reduce((known, { q }) => withSeq(known, q), meta);
    this.#queue = outbox.toSorted(byOrder);
    this.#latest = this.#queue.at(-1)?.n ?? 0;
    this.#clock = ports.clock;
    this.#checks = ports.checks;
    this.ages = new Ages(ports.clock, outbox);
    this.newId = createIdSource({ now: () => this.now(), random: (bytes) => ports.random.fill(bytes) });
  }

  get scope(): Id {
    return this.#current.scope;
  }

  get scopes(): readonly Id[] {
    return [...new Set([this.scope, ...(Object.keys(this.#current.cursors) as Id[])])];
  }

  get account(): number {
    return this.#current.account;
  }

  get meta(): DeviceMeta {
    return this.#current;
  }

  /** Nobody else decides: operations made here are final at once. */
  get #isAuthority(): boolean {
    return this.account === 0 && !this.isFollower;
  }

  /** Operations of all lanes, in the order to apply them. */
  get pending(): readonly Operation[] {
    return this.#queue;
  }

  get size(): number {
    return this.#base.size;
  }

  now(): number {
    return this.#clock.now();
  }

  /**
   * The scope that an action is for: that of its row, or of the task or parent that a new row is made for. `otherwise`: the
   * answer for personal rows, and where none of these is here.
   */
  scopeOf(action: Action, otherwise = this.scope): Id {
    const held = this.row(action.id);
    if (held !== undefined || action.a !== 'create') return held?.scope ?? otherwise;
    const near = action.type === 'completion' ? readField(action.fields, 'task') : action.place?.parent;
    const isRoot = (scope: Id) => near === listsRoot(scope) || near === labelsRoot(scope);
    return (
      (near && this.row(near)?.scope) ??
      (Object.keys(this.#current.cursors) as Id[]).find(isRoot) ??
      otherwise
    );
  }

  row(id: Id): Row | undefined {
    return this.#overlay.get(id) ?? this.#base.get(id);
  }

  /** The row as the server last confirmed it. */
  confirmed(id: Id): Row | undefined {
    return this.#base.get(id);
  }

  /** All confirmed rows, also those of unknown types. */
  stored(): readonly StoredRow[] {
    return this.#base.all();
  }

  /** The confirmed row, also of an unknown type. */
  storedRow(id: Id): StoredRow | undefined {
    return this.#base.stored(id);
  }

  children(parent: Id): readonly Row[] {
    return this.#siblings.of(parent);
  }

  *all(): Iterable<Row> {
    for (const [id, row] of this.#base) yield this.#overlay.get(id) ?? row;
    for (const [id, row] of this.#overlay) if (!this.#base.has(id)) yield row;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  issue(
    actions: readonly Action[],
    options: { readonly group?: Id; readonly atomic?: boolean } = {},
  ): Issued {
    this.#followClock();
    // All actions happen at one moment.
    const at = this.#clock.now();
    const transaction = options.atomic === true && actions.length > 1 ? this.newId() : undefined;
    const operations: Operation[] = [];
    const verdicts: Verdict[] = [];
    const inverses: Action[][] = [];
    const total = new Map<Id, Row | undefined>();
    for (const action of actions) {
      const position = positionBefore(action, this.row(action.id), this.#siblings) ?? {
        parent: this.scopeOf(action),
      };
      const operation = this.#unshown.apart(this.#stamped(action, at, { ...options, transaction }), this);
      const verdict =
        this.#staysApart(action) || this.#keeps?.(this.row(action.id), action, this)
          ? 'forbidden'
          : apply(this.#state, action, this.#contextOf(operation));
      verdicts.push(verdict);
      const changes = this.#endStep(total);
      if (verdict !== 'ok') continue;
      this.#note(operation);
      operations.push(operation);
      inverses.push(inverseOf(action, operation.q, changes, { positionOf: () => position }));
    }
    if (this.#isAuthority) {
      this.#confirmLocally(total);
      // A reader of the stored state knows that the rows contain it.
      this.#current = withLane(this.#current, this.lane, { acked: laneIn(this.#current, this.lane).seq });
    } else this.#queue.push(...operations);
    const changes = this.#changesOf(total);
    this.#tell(changes, 'local');
    return {
      operations,
      verdicts,
      changes,
      inverses: joinInverses(inverses.toReversed().flat(), (id) => [...idsAbove(id, (at) => this.row(at))]),
    };
  }

  /** Whether it would move a row into the person's own scope or out of it, while that is sealed and this device can't help. */
  #staysApart(action: Action): boolean {
    const { apart, bridge } = this.#current;
    if (apart !== true || bridge === true || action.a !== 'place') return false;
    const from = this.row(action.id)?.scope;
    const to = this.row(action.place.parent)?.scope ?? from;
    return from !== to && (from === this.scope || to === this.scope);
  }

  /** The operation for an action, numbered and dated but neither applied nor queued. */
  setAside(action: Action): Operation {
    const operation = this.#stamped(action, this.#clock.now());
    this.#note(operation);
    return operation;
  }

  /** Takes in rows from disk. Call `loaded` after the last page. */
  load(rows: readonly StoredRow[]): void {
    const total = new Map<Id, Row | undefined>();
    for (const row of rows) {
      const held = this.#base.stored(row.id);
      if (held !== undefined && !isLater(row, held)) continue;
      const before = held && this.#base.get(row.id);
      this.#base.set(row);
      // A pending operation already shows something here; the replay after the last page corrects it.
      if (!isKnown(row) || this.#overlay.has(row.id)) continue;
      if (before === undefined) this.#siblings.append(row);
      else this.#siblings.replace(before, row);
      total.set(row.id, before);
    }
    this.#postponed.settle(total);
    this.#tell(this.#changesOf(total), 'load');
  }

  /** Call when every stored row is here: pending operations now find their rows. */
  loaded(): void {
    this.#rebase(new Set(this.#queue.flatMap(touchedIds)), new Map(), 'load');
  }

  /**
   * Takes over what an answer or another tab says: the state of the copy, the queue, confirmed rows. `cause`: null calls
   * no listeners. Returns the possibly changed rows as they were.
   */
  amend(known: Amendment, cause: ChangeCause | null = 'remote'): Map<Id, Row | undefined> {
    const { meta = this.#current, queue = this.#queue, incoming = new Map() } = known;
    if (meta === this.#current && queue === this.#queue) return this.#rebase(new Set(), incoming, cause);
    const before = this.#current;
    this.#current = withSeq(meta, laneIn(before, this.lane).seq);
    const [held, stays] = [new Set(this.#queue), new Set(queue)];
    const isRenumbered = ({ q }: Operation) =>
      writerNumber(before, laneOf(q)) !== writerNumber(this.#current, laneOf(q));
    for (const { q, n = 0 } of stays) {
      this.#current = withSeq(this.#current, q);
      this.#latest = Math.max(this.#latest, n);
    }
    const changed = queue.filter((operation) => !held.has(operation) || isRenumbered(operation));
    const gone = this.#queue.filter((operation) => !stays.has(operation));
    const dirty = new Set([...changed, ...gone].flatMap(touchedIds));
    this.#queue = [...stays].toSorted(byOrder);
    return this.#rebase(dirty, incoming, cause);
  }

  /** Decides about operations of other tabs if nobody else does: without an account. */
  judge(operations: readonly Operation[]): {
    readonly rowsPut: readonly StoredRow[];
    readonly outboxRemove: readonly number[];
    readonly refused: readonly RecoveredItem[];
  } {
    // Listeners must not see the rows without the operations being decided: an editor of such a row would take it for
    // deleted.
    const total = this.amend({ queue: [] }, null);
    const refused: RecoveredItem[] = [];
    for (const operation of operations.toSorted(byOrder)) {
      this.#current = withSeq(this.#current, operation.q);
      const lane = laneOf(operation.q);
      if (operation.q <= laneIn(this.#current, lane).acked) continue;
      const verdict = apply(this.#state, operation, this.#contextOf(operation));
      this.#endStep(total);
      if (isRefusal(verdict)) refused.push({ operation, verdict, at: this.#clock.now() });
      this.#latest = Math.max(this.#latest, operation.n ?? 0);
      this.#current = withLane(this.#current, lane, { acked: operation.q });
    }
    this.#confirmLocally(total);
    this.#tell(this.#changesOf(total), 'remote');
    const rowsPut = [...total.keys()].flatMap((id) => this.#base.get(id) ?? []);
    return { rowsPut, outboxRemove: operations.map(({ q }) => q), refused };
  }

  /** The scope was read up to this cursor by other means than an answer. */
  setCursor(scope: Id, cursor: Cursor): void {
    const trails = { ...this.#current.trails, [scope]: extended(this.#current.trails?.[scope], cursor) };
    this.#current = { ...this.#current, cursors: { ...this.#current.cursors, [scope]: cursor }, trails };
  }

  /** Confirmed rows of a scope, also of unknown types, in no particular order. */
  confirmedOf(scope: Id): readonly StoredRow[] {
    return this.#base.all().filter((row) => row.scope === scope);
  }

  /** Operations that come before all waiting ones, in their own lane: numbered and dated, not queued. */
  inFront(actions: readonly { readonly action: Action; readonly scope: Id }[]): readonly Operation[] {
    const first =
      Math.min(this.#latest + 1, ...this.#queue.slice(0, 1).map(({ n = 0 }) => n)) - actions.length;
    return actions.map(({ action, scope }, index) => {
      const q = laneIn(this.#current, HEALING_LANE).seq + 1;
      this.#current = withLane(this.#current, HEALING_LANE, { seq: q });
      return { ...this.#stamped(action, this.#clock.now()), q, n: first + index, scope, b: 0 };
    });
  }

  /** Sets the progress of reading a scope; null: nothing is left to read. */
  setReading(scope: Id, reading: Reading | null): void {
    const { readings: { [scope]: _before, ...others } = {}, ...rest } = this.#current;
    const readings: Record<Id, Reading> = reading === null ? others : { ...others, [scope]: reading };
    this.#current = Object.keys(readings).length === 0 ? rest : { ...rest, readings };
  }

  /** Detaches this copy, or (null) attaches it to the server again. */
  setDetached(detached: Detached | null): void {
    this.#current = switchedTo(this.#current, detached);
  }

  /** Removes unsent operations as if they had never been issued. Their numbers are not used again. */
  withdraw(seqs: ReadonlySet<number>): void {
    // All remaining operations are applied again in order: one may depend on a later one's effect elsewhere.
    const touched = new Set(this.#queue.flatMap(touchedIds));
    this.#queue = this.#queue.filter(({ q }) => !seqs.has(q));
    this.#rebase(touched, new Map(), 'remote');
  }

  /** A separate replica of the same rows, without those operations. */
  without(seqs: ReadonlySet<number>): DeviceReplica {
    const queue = this.#queue.filter(({ q }) => !seqs.has(q));
    const random = { fill: () => undefined, fraction: () => 0 };
    const other = new DeviceReplica(this.#current, queue, {
      clock: this.#clock,
      random,
      checks: this.#checks,
      lane: this.lane,
    });
    if (this.#state.mergeNote) other.learnToMerge(this.#state.mergeNote);
    other.load(this.#base.all());
    other.loaded();
    return other;
  }

  /** Drops own operations after number `sent` that a later one makes pointless. Returns their sequence numbers. */
  compact(sent: number): readonly number[] {
    const dropped = pointless(this.#queue, { lane: this.lane, sent });
    const gone = new Set(dropped);
    if (gone.size > 0) this.#queue = this.#queue.filter((operation) => !gone.has(operation.q));
    return dropped;
  }

  /** Operations whose times were corrected since the last call, because the device's clock was set. */
  corrected(): readonly Operation[] {
    this.#followClock();
    return this.ages.takeMoved(this.#queue);
  }

  #followClock(): void {
    const jump = this.ages.jumped();
    if (jump === 0) return;
    this.#queue = this.ages.move(this.#queue, jump);
    if (!this.#isAuthority)
      this.#current = { ...this.#current, clockOffsetMs: this.#current.clockOffsetMs - jump };
  }

  /** `clockOffsetMs`: from the answer. */
  learnAges(clockOffsetMs: number): void {
    this.#followClock();
    const { cursors, scope, clockOffsetMs: before } = this.#current;
    const isFirst = (cursors[scope]?.generation ?? LOCAL) === LOCAL;
    this.#queue = this.ages.learn(this.#queue, isFirst ? null : before - clockOffsetMs);
  }

  digestOf(scope: Id): string {
    return this.#base.digestOf(scope);
  }

  /** Merges edits of notes from now on, waiting ones included. */
  learnToKeep(keeps: Keeps): void {
    this.#keeps = keeps;
  }

  learnToMerge(mergeNote: MergeNote): void {
    if (this.#state.mergeNote !== mergeNote) this.#learn({ mergeNote }, 'note');
  }

  /** Shows waiting offers to the server from now on. */
  learnToReoffer(reoffer: Reoffering): void {
    if (this.#state.reoffer !== reoffer) this.#learn({ reoffer }, 'reoffer');
  }

  /** Predicts waiting operations again that could not be applied without this ability. */
  #learn(ability: Pick<ApplyState, 'mergeNote' | 'reoffer'>, kind: Operation['a']): void {
    this.#state = { ...this.#state, ...ability };
    const about = this.#queue.flatMap((operation) => (operation.a === kind ? [operation.id] : []));
    this.#rebase(new Set(about), new Map(), 'remote');
  }

  #state: ApplyState = {
    areKeysProvisional: () => !this.#isAuthority,
    row: (id) => this.row(id),
    // The id of a row of an unknown type is taken.
    absence: (id) => (this.#base.stored(id) === undefined ? 'unknown' : 'elsewhere'),
    neighbour: (parent, from, direction, skip) => this.#siblings.neighbour(parent, from, direction, skip),
    put: (row) => this.#put(row),
    checks: {
      register: (...of) => this.#checks.register(...of),
      creation: (...of) => this.#checks.creation(...of),
    },
  };

  #stamped(
    action: Action,
    at: number,
    options: { group?: Id; transaction?: Id | undefined } = {},
  ): Operation {
    const { cursors, detached } = this.#current;
    const scope = this.scopeOf(action);
    const held = this.#base.stored(action.id);
    return {
      ...action,
      q: laneIn(this.#current, this.lane).seq + 1,
      n: this.#latest + 1,
      u: this.newId(),
      scope,
      t: Math.round(at),
      b: seenOf(held, cursors[scope]?.version ?? 0),
      ...(options.transaction === undefined ? {} : { x: options.transaction }),
      ...(options.group === undefined ? {} : { g: options.group }),
      ...(detached === undefined ? {} : { off: detached.at }),
    };
  }

  /** Takes its number and its place in the order. */
  #note(operation: Operation): void {
    this.#current = withLane(this.#current, this.lane, { seq: operation.q });
    this.#latest = operation.n ?? this.#latest;
  }

  #contextOf(operation: Operation): ApplyContext {
    const { account, clockOffsetMs, scope, cursors } = this.#current;
    const version = this.#isAuthority ? (cursors[scope]?.version ?? 0) + 1 : PREDICTED;
    const own = this.scopeOf(operation, operation.scope);
    // Each offered register has its own time.
    const at = operation.a === 'reoffer' ? this.#clock.now() : operation.t;
    return {
      version,
      time: Math.round(at + clockOffsetMs),
      device: writerNumber(this.#current, laneOf(operation.q)),
      seq: operation.q,
      // Versions of two scopes cannot be compared; what its author saw of the other one is the server's to say.
      base: own === operation.scope ? operation.b : PREDICTED,
      scope: own,
      account,
    };
  }

  #put(row: Row): void {
    if (!this.#step.has(row.id)) this.#step.set(row.id, this.row(row.id));
    this.#show(row);
  }

  #show(row: Row): void {
    this.#siblings.replace(this.row(row.id), row);
    this.#overlay.set(row.id, row);
  }

  /** Closes a step: returns its changes, and adds them to a running total. */
  #endStep(total: Map<Id, Row | undefined>): RowChange[] {
    const step = this.#step;
    this.#step = new Map();
    for (const [id, before] of step) if (!total.has(id)) total.set(id, before);
    return this.#changesOf(step);
  }

  #changesOf(before: ReadonlyMap<Id, Row | undefined>): RowChange[] {
    const changes: RowChange[] = [];
    for (const [id, was] of before) {
      const after = this.row(id);
      if (was !== after) changes.push({ id, before: was, after });
    }
    return changes;
  }

  #tell(changes: readonly RowChange[], cause: ChangeCause): void {
    if (changes.length === 0) return;
    for (const listener of this.#listeners) listener(changes, cause);
  }

  /** Without an account this device is the authority: predictions are confirmed at once. */
  #confirmLocally(total: ReadonlyMap<Id, Row | undefined>): void {
    if (total.size === 0) return;
    const { scope, cursors } = this.#current;
    const updatedAt = Math.round(this.#clock.now());
    for (const id of total.keys()) {
      const row = this.#overlay.get(id);
      if (row === undefined) continue;
      const confirmed = { ...row, updatedAt };
      this.#base.set(confirmed);
      this.#siblings.replace(row, confirmed);
      this.#overlay.delete(id);
    }
    const version = (cursors[scope]?.version ?? 0) + 1;
    this.#current = { ...this.#current, cursors: { ...cursors, [scope]: { generation: LOCAL, version } } };
  }

  /**
   * Puts the incoming rows into the base, applies the pending operations to them and to the dirty entities again, and
   * calls the listeners, unless `cause` is null. Returns the changed rows as they were.
   */
  #rebase(dirty: Set<Id>, incoming: Incoming, cause: ChangeCause | null): Map<Id, Row | undefined> {
    for (const id of incoming.keys()) dirty.add(id);
    for (const id of this.#postponed.ids) dirty.add(id);
    const total = new Map<Id, Row | undefined>();
    if (dirty.size === 0) return total;
    if (this.#queue.length > 0) spreadDirt(dirty, incoming, this);
    for (const id of dirty) total.set(id, this.row(id));
    for (const [id, row] of incoming) {
      if (row === null) this.#base.delete(id);
      else this.#base.set(row);
    }
    for (const [id, before] of total) {
      this.#overlay.delete(id);
      const after = this.#base.get(id);
      if (before !== after) this.#siblings.replace(before, after);
    }
    this.#postponed.forget();
    // Before the waiting operations: checking whether they close a cycle needs a tree.
    this.#postponed.settle(total);
    for (const operation of this.#queue) {
      if (!dirty.has(operation.id)) continue;
      this.#unshown.made(operation, apply(this.#state, operation, this.#contextOf(operation)));
      this.#endStep(total);
    }
    if (cause !== null) this.#tell(this.#changesOf(total), cause);
    return total;
  }
}
