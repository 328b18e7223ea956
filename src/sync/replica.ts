// A device's picture of the rows: the confirmed base, and over it what its own pending operations make of it. An
// answer of the server changes the base and replays only the operations that touch what changed. Synchronous and
// headless; disk and network are engine.ts.
import { createIdSource, type Id } from '#core/ids.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import { apply, type ApplyContext, type ApplyState, type Reoffering } from './apply.ts';
import { pointless } from './compaction.ts';
import { ConfirmedRows } from './confirmed-rows.ts';
import { switchedTo } from './detached.ts';
import { type Amendment, type Incoming, partsOf, spreadDirt } from './incoming.ts';
import { inverseOf, joinInverses } from './inverse.ts';
import { judged } from './judged.ts';
import { lostTexts } from './lost-text.ts';
import { byOrder, HEALING_LANE, laneIn, laneOf, withLane, withSeq, writerNumber } from './lanes.ts';
import { isRefusal, type Action, type Operation, type Verdict } from './operation.ts';
import { rowFromWire } from './codec.ts';
import type { MergeNote } from './note.ts';
import type { Clock, Cursor, Detached, DeviceMeta, Random, Reading, RecoveredItem } from './ports.ts';
import type { ChangeCause, Issued, Replica, RowChange } from './replica-types.ts';
import { PREDICTED, type Row } from './row.ts';
import { SiblingIndex } from './sibling-index.ts';
import { idsAbove, positionBefore } from './standing.ts';
import { touchedIds } from './touched.ts';
import { extended, type Trail } from './trail.ts';

/** What an answer changed, for the disk. */
export interface Received {
  readonly rowsPut: readonly Row[];
  readonly rowsRemove: readonly Id[];
  readonly outboxRemove: readonly number[];
  readonly refused: readonly RecoveredItem[];
  /** Scopes whose rows do not add up to the server's sum. */
  readonly unequal: readonly Id[];
}

type Listener = (changes: readonly RowChange[], cause: ChangeCause) => void;

export class DeviceReplica implements Replica {
  readonly newId: () => Id;
  private readonly base = new ConfirmedRows();
  private readonly overlay = new Map<Id, Row>();
  private readonly siblings = new SiblingIndex();
  private readonly listeners = new Set<Listener>();
  private readonly clock: Clock;
  private readonly checks: RegisterChecks;
  private queue: Operation[] = [];
  /** Rows first touched in the step under way, as they were before it. */
  private step = new Map<Id, Row | undefined>();
  private current: DeviceMeta;
  /** Wall time minus monotonic time when last looked at: a difference is a jump of the clock. */
  private wallAnchor: number;
  /** Made before this run, by a clock that nothing is known of. */
  private readonly earlier: ReadonlySet<number>;
  /** The lane in which this tab numbers its operations. */
  readonly lane: number;
  /** Latest place in the order of all lanes. */
  private latest: number;
  /** Another tab decides and confirms; without an account too, what is done here waits for it. */
  isFollower = false;

  constructor(
    meta: DeviceMeta,
    outbox: readonly Operation[],
    ports: { clock: Clock; random: Random; checks: RegisterChecks; lane?: number },
  ) {
    this.lane = ports.lane ?? 0;
    this.current = outbox.reduce((known, { q }) => withSeq(known, q), meta);
    this.queue = outbox.toSorted(byOrder);
    this.latest = this.queue.at(-1)?.n ?? 0;
    this.clock = ports.clock;
    this.checks = ports.checks;
    this.wallAnchor = ports.clock.now() - ports.clock.monotonic();
    this.earlier = new Set(outbox.map(({ q }) => q));
    this.newId = createIdSource({ now: () => this.clock.now(), random: (bytes) => ports.random.fill(bytes) });
  }

  get scope(): Id {
    return this.current.scope;
  }

  get account(): number {
    return this.current.account;
  }

  get meta(): DeviceMeta {
    return this.current;
  }

  /** Nobody else decides: what is done here is so at once. */
  private get isAuthority(): boolean {
    return this.account === 0 && !this.isFollower;
  }

  /** All lanes, in the order in which they are to be made. */
  get pending(): readonly Operation[] {
    return this.queue;
  }

  get size(): number {
    return this.base.size;
  }

  now(): number {
    return this.clock.now();
  }

  row(id: Id): Row | undefined {
    return this.overlay.get(id) ?? this.base.get(id);
  }

  /** The row as the server last confirmed it. */
  confirmed(id: Id): Row | undefined {
    return this.base.get(id);
  }

  children(parent: Id): readonly Row[] {
    return this.siblings.of(parent);
  }

  *all(): Iterable<Row> {
    for (const [id, row] of this.base) yield this.overlay.get(id) ?? row;
    for (const [id, row] of this.overlay) if (!this.base.has(id)) yield row;
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  issue(
    actions: readonly Action[],
    options: { readonly group?: Id; readonly atomic?: boolean } = {},
  ): Issued {
    this.correctClock();
    // All of it is done at one moment.
    const at = this.clock.now();
    const transaction = options.atomic === true && actions.length > 1 ? this.newId() : undefined;
    const operations: Operation[] = [];
    const verdicts: Verdict[] = [];
    const inverses: Action[][] = [];
    const total = new Map<Id, Row | undefined>();
    for (const action of actions) {
      const position = positionBefore(action, this.row(action.id), this.siblings) ?? { parent: this.scope };
      const operation = this.stamped(action, at, { ...options, transaction });
      const verdict = apply(this.state, action, this.contextOf(operation));
      verdicts.push(verdict);
      const changes = this.endStep(total);
      if (verdict !== 'ok') continue;
      this.note(operation);
      operations.push(operation);
      inverses.push(inverseOf(action, operation.q, changes, { positionOf: () => position }));
    }
    if (this.isAuthority) {
      this.confirmLocally(total);
      // Whoever reads this from the disk knows that it is in the rows.
      this.current = withLane(this.current, this.lane, { acked: laneIn(this.current, this.lane).seq });
    } else this.queue.push(...operations);
    const changes = this.changesOf(total);
    this.tell(changes, 'local');
    return {
      operations,
      verdicts,
      changes,
      inverses: joinInverses(inverses.toReversed().flat(), (id) => idsAbove(id, (at) => this.row(at))),
    };
  }

  /** The operation that an action would be, numbered and dated but neither made nor queued. */
  setAside(action: Action): Operation {
    const operation = this.stamped(action, this.clock.now());
    this.note(operation);
    return operation;
  }

  /** Rows from disk. Call `loaded` after the last page. */
  load(rows: readonly Row[]): void {
    const total = new Map<Id, Row | undefined>();
    for (const row of rows) {
      const before = this.base.get(row.id);
      if (before !== undefined && before.version >= row.version) continue;
      this.base.set(row);
      // A pending operation already shows something here; the replay after the last page sets it right.
      if (this.overlay.has(row.id)) continue;
      if (before === undefined) this.siblings.append(row);
      else this.siblings.replace(before, row);
      total.set(row.id, before);
    }
    this.tell(this.changesOf(total), 'load');
  }

  /** Every stored row is here: pending operations find what they name. */
  loaded(): void {
    this.rebase(new Set(this.queue.flatMap(touchedIds)), new Map(), 'load');
  }

  /** Takes in the verdicts and rows of an answer. */
  receive(answer: {
    readonly results: readonly (readonly [number, Verdict])[];
    readonly changes: readonly ScopeChanges[];
    readonly left: readonly Id[];
    /** Whose operations were judged, and the server's number for it; absent: nobody's. */
    readonly lane?: number;
    readonly deviceNumber?: number;
    readonly clockOffsetMs?: number;
    /** Whether a row counts whatever version is held. */
    readonly replaces?: (row: Row) => boolean;
    /** The verdicts are this copy's own: the server has not seen the operations. */
    readonly isOwn?: boolean;
  }): Received {
    const { waiting, dirty, refused, replaced, settled, outboxRemove } = judged(
      this.queue,
      answer.results,
      this.clock.now(),
    );
    this.queue = waiting;
    const incoming: Incoming = new Map();
    const cursors: Record<Id, Cursor> = { ...this.current.cursors };
    const trails: Record<Id, Trail> = { ...this.current.trails };
    for (const change of answer.changes) {
      for (const wire of change.rows) {
        const row = rowFromWire(wire, change.scope);
        this.offer(row, incoming, change.resync === true || answer.replaces?.(row) === true);
      }
      for (const id of change.gone) incoming.set(id, null);
      cursors[change.scope] = { generation: change.generation, version: change.to };
      trails[change.scope] = extended(trails[change.scope], cursors[change.scope] as Cursor);
    }
    for (const scope of answer.left) {
      delete cursors[scope];
      for (const row of this.base.values()) if (row.scope === scope) incoming.set(row.id, null);
    }
    const { lane = 0, clockOffsetMs = this.current.clockOffsetMs } = answer;
    const known = laneIn(this.current, lane);
    const deviceNumber = answer.deviceNumber ?? known.deviceNumber;
    const heard = answer.isOwn === true ? [] : answer.results.slice(-1).map(([seq]) => seq);
    const acked = Math.max(known.acked, ...heard);
    this.current = withLane({ ...this.current, cursors, trails, clockOffsetMs }, lane, {
      deviceNumber,
      acked,
    });
    // What is shown of this lane's operations was made under another number.
    if (deviceNumber !== known.deviceNumber)
      for (const operation of this.queue)
        if (laneOf(operation.q) === lane) for (const id of touchedIds(operation)) dirty.add(id);
    this.rebase(dirty, incoming, 'remote');
    const unequal = answer.changes.filter(
      (change) => change.digest !== undefined && change.digest !== this.digestOf(change.scope),
    );
    const around = { standing: [...settled, ...this.queue], row: (id: Id) => this.row(id) };
    const kept = replaced.length === 0 ? refused : [...refused, ...lostTexts(replaced, around)];
    return {
      ...partsOf(incoming),
      outboxRemove,
      refused: kept,
      unequal: unequal.map((change) => change.scope),
    };
  }

  /** Puts in place what another tab knows better: what the copy is, what waits, confirmed rows. */
  amend(known: Amendment): void {
    const { meta = this.current, queue = this.queue, incoming = new Map() } = known;
    const before = this.current;
    this.current = withSeq(meta, laneIn(before, this.lane).seq);
    const [held, stays] = [new Set(this.queue), new Set(queue)];
    const isRenumbered = ({ q }: Operation) =>
      writerNumber(before, laneOf(q)) !== writerNumber(this.current, laneOf(q));
    for (const { q, n = 0 } of stays) {
      this.current = withSeq(this.current, q);
      this.latest = Math.max(this.latest, n);
    }
    const changed = queue.filter((operation) => !held.has(operation) || isRenumbered(operation));
    const gone = this.queue.filter((operation) => !stays.has(operation));
    const dirty = new Set([...changed, ...gone].flatMap(touchedIds));
    this.queue = [...stays].toSorted(byOrder);
    this.rebase(dirty, incoming, 'remote');
  }

  /** Decides about what was done in other tabs, where nobody else does: without an account. */
  judge(operations: readonly Operation[]): Pick<Received, 'rowsPut' | 'outboxRemove' | 'refused'> {
    this.amend({ queue: [] });
    const total = new Map<Id, Row | undefined>();
    const refused: RecoveredItem[] = [];
    for (const operation of operations.toSorted(byOrder)) {
      this.current = withSeq(this.current, operation.q);
      const lane = laneOf(operation.q);
      if (operation.q <= laneIn(this.current, lane).acked) continue;
      const verdict = apply(this.state, operation, this.contextOf(operation));
      this.endStep(total);
      if (isRefusal(verdict)) refused.push({ operation, verdict, at: this.clock.now() });
      this.latest = Math.max(this.latest, operation.n ?? 0);
      this.current = withLane(this.current, lane, { acked: operation.q });
    }
    this.confirmLocally(total);
    this.tell(this.changesOf(total), 'remote');
    const rowsPut = [...total.keys()].flatMap((id) => this.base.get(id) ?? []);
    return { rowsPut, outboxRemove: operations.map(({ q }) => q), refused };
  }

  /** Rows of a scope that is being read. Returns those that were news. */
  receivePage(
    rows: readonly Row[],
    replaces: (row: Row) => boolean = () => false,
    cause: ChangeCause = 'remote',
  ): readonly Row[] {
    const incoming: Incoming = new Map();
    for (const row of rows) this.offer(row, incoming, replaces(row));
    this.rebase(new Set(), incoming, cause);
    return partsOf(incoming).rowsPut;
  }

  /** Forgets confirmed rows of a scope that a fresh read did not name; pending operations stay. */
  keepOnly(scope: Id, ids: ReadonlySet<Id>): readonly Id[] {
    const incoming: Incoming = new Map();
    for (const row of this.base.values())
      if (row.scope === scope && !ids.has(row.id)) incoming.set(row.id, null);
    this.rebase(new Set(), incoming, 'remote');
    return partsOf(incoming).rowsRemove;
  }

  /** The scope was read to this point by other means than an answer. */
  setCursor(scope: Id, cursor: Cursor): void {
    const trails = { ...this.current.trails, [scope]: extended(this.current.trails?.[scope], cursor) };
    this.current = { ...this.current, cursors: { ...this.current.cursors, [scope]: cursor }, trails };
  }

  /** Confirmed rows of a scope, in no particular order. */
  confirmedOf(scope: Id): readonly Row[] {
    return [...this.base.values()].filter((row) => row.scope === scope);
  }

  /** Operations that come before all that waits, in a lane of their own: numbered and dated, not queued. */
  inFront(actions: readonly { readonly action: Action; readonly scope: Id }[]): readonly Operation[] {
    const first = Math.min(this.latest + 1, ...this.queue.slice(0, 1).map(({ n = 0 }) => n)) - actions.length;
    return actions.map(({ action, scope }, index) => {
      const q = laneIn(this.current, HEALING_LANE).seq + 1;
      this.current = withLane(this.current, HEALING_LANE, { seq: q });
      return { ...this.stamped(action, this.clock.now()), q, n: first + index, scope, b: 0 };
    });
  }

  /**
   * Puts what a scope holds in another history, and what of the queue makes sense there, in place of the present.
   * Rows up to version `common` are the same in both.
   */
  rewrite(to: {
    readonly scope: Id;
    readonly rows: readonly Row[];
    readonly common: number;
    readonly queue: readonly Operation[];
    readonly meta: DeviceMeta;
  }): { readonly rowsPut: readonly Row[]; readonly rowsRemove: readonly Id[] } {
    const incoming: Incoming = new Map();
    for (const { id } of this.confirmedOf(to.scope)) incoming.set(id, null);
    for (const row of to.rows) {
      const isSame = row.version <= to.common && this.base.get(row.id)?.version === row.version;
      if (isSame) incoming.delete(row.id);
      else incoming.set(row.id, row);
    }
    const dirty = new Set([...this.queue, ...to.queue].flatMap(touchedIds));
    this.queue = [...to.queue];
    this.current = to.meta;
    this.rebase(dirty, incoming, 'remote');
    return partsOf(incoming);
  }

  /** How far the pages of a scope have come; null: there is nothing left to read. */
  setReading(scope: Id, reading: Reading | null): void {
    const { readings: { [scope]: _before, ...others } = {}, ...rest } = this.current;
    const readings: Record<Id, Reading> = reading === null ? others : { ...others, [scope]: reading };
    this.current = Object.keys(readings).length === 0 ? rest : { ...rest, readings };
  }

  /** Puts this copy on its own, or (null) back to the server. */
  setDetached(detached: Detached | null): void {
    this.current = switchedTo(this.current, detached);
  }

  /** Takes back unsent operations as if they had never been issued. Their numbers are not given out again. */
  withdraw(seqs: ReadonlySet<number>): void {
    // All that stays is made anew in its order: what one does may rest on what a later one did elsewhere.
    const touched = new Set(this.queue.flatMap(touchedIds));
    this.queue = this.queue.filter(({ q }) => !seqs.has(q));
    this.rebase(touched, new Map(), 'remote');
  }

  /** Another picture of the same rows, without those operations. */
  without(seqs: ReadonlySet<number>): DeviceReplica {
    const queue = this.queue.filter(({ q }) => !seqs.has(q));
    const random = { fill: () => undefined, fraction: () => 0 };
    const other = new DeviceReplica(this.current, queue, {
      clock: this.clock,
      random,
      checks: this.checks,
      lane: this.lane,
    });
    if (this.state.mergeNote) other.learnToMerge(this.state.mergeNote);
    other.load([...this.base.values()]);
    other.loaded();
    return other;
  }

  /**
   * A new identity for a lane: its storage turned out to be a clone. Sequence numbers go on, so what is kept by number
   * (Recovered, undo) stays apart. Returns the numbers of dropped undos: what they would take back was written under
   * the old identity and is no longer ours. A lane that had no identity yet only gets its first.
   */
  becomeDevice(device: Id, lane = 0): readonly number[] {
    const isFirst = laneIn(this.current, lane).device === undefined;
    this.current = withLane(this.current, lane, { device, deviceNumber: 0, acked: 0 });
    if (isFirst) return [];
    const waiting = new Set(this.queue.map((operation) => operation.q));
    const isOrphan = (operation: Operation): boolean =>
      laneOf(operation.q) === lane &&
      'only' in operation &&
      operation.only !== undefined &&
      !waiting.has(operation.only);
    const touched = new Set(this.queue.flatMap(touchedIds));
    const dropped = this.queue.filter(isOrphan).map((operation) => operation.q);
    this.queue = this.queue.filter((operation) => !isOrphan(operation));
    this.rebase(touched, new Map(), 'remote');
    return dropped;
  }

  /** Drops own operations after number `sent` that a later one makes pointless. Returns their sequence numbers. */
  compact(sent: number): readonly number[] {
    const dropped = pointless(this.queue, { lane: this.lane, sent });
    const gone = new Set(dropped);
    if (gone.size > 0) this.queue = this.queue.filter((operation) => !gone.has(operation.q));
    return dropped;
  }

  /** After a jump of the wall clock, the ages of operations made before it stay right. Returns those corrected. */
  correctClock(): readonly Operation[] {
    const anchor = this.clock.now() - this.clock.monotonic();
    const jump = anchor - this.wallAnchor;
    if (Math.abs(jump) <= 2_000) return [];
    this.wallAnchor = anchor;
    const corrected: Operation[] = [];
    this.queue = this.queue.map((operation) => {
      if (this.earlier.has(operation.q)) return operation;
      const moved = { ...operation, t: Math.round(operation.t + jump) };
      corrected.push(moved);
      return moved;
    });
    return corrected;
  }

  digestOf(scope: Id): string {
    return this.base.digestOf(scope);
  }

  /** From now on edits of notes are merged; those that wait are again. */
  learnToMerge(merge: MergeNote): void {
    if (this.state.mergeNote === merge) return;
    this.state = { ...this.state, mergeNote: merge };
    const edited = this.queue.flatMap((operation) => (operation.a === 'note' ? [operation.id] : []));
    this.rebase(new Set(edited), new Map(), 'remote');
  }

  /** From now on what waits to be brought back to the server shows. */
  learnToReoffer(reoffer: Reoffering): void {
    if (this.state.reoffer === reoffer) return;
    this.state = { ...this.state, reoffer };
    const offered = this.queue.flatMap((operation) => (operation.a === 'reoffer' ? [operation.id] : []));
    this.rebase(new Set(offered), new Map(), 'remote');
  }

  private state: ApplyState = {
    areKeysProvisional: () => !this.isAuthority,
    row: (id) => this.row(id),
    absence: () => 'unknown',
    neighbour: (parent, from, direction, skip) => this.siblings.neighbour(parent, from, direction, skip),
    put: (row) => this.put(row),
    checks: {
      register: (...of) => this.checks.register(...of),
      creation: (...of) => this.checks.creation(...of),
    },
  };

  private stamped(
    action: Action,
    at: number,
    options: { group?: Id; transaction?: Id | undefined } = {},
  ): Operation {
    const { scope, cursors, detached } = this.current;
    return {
      ...action,
      q: laneIn(this.current, this.lane).seq + 1,
      n: this.latest + 1,
      u: this.newId(),
      scope,
      t: Math.round(at),
      b: cursors[scope]?.version ?? 0,
      ...(options.transaction === undefined ? {} : { x: options.transaction }),
      ...(options.group === undefined ? {} : { g: options.group }),
      ...(detached === undefined ? {} : { off: detached.at }),
    };
  }

  /** Its number and place in the order are taken. */
  private note(operation: Operation): void {
    this.current = withLane(this.current, this.lane, { seq: operation.q });
    this.latest = operation.n ?? this.latest;
  }

  private contextOf(operation: Operation): ApplyContext {
    const { account, clockOffsetMs, scope, cursors } = this.current;
    const version = this.isAuthority ? (cursors[scope]?.version ?? 0) + 1 : PREDICTED;
    const time = Math.round(operation.t + clockOffsetMs);
    return {
      version,
      time,
      device: writerNumber(this.current, laneOf(operation.q)),
      seq: operation.q,
      base: operation.b,
      scope: operation.scope,
      account,
    };
  }

  private put(row: Row): void {
    const before = this.row(row.id);
    if (!this.step.has(row.id)) this.step.set(row.id, before);
    this.overlay.set(row.id, row);
    this.siblings.replace(before, row);
  }

  /** Closes a step: its changes, also added to a running total. */
  private endStep(total: Map<Id, Row | undefined>): RowChange[] {
    const step = this.step;
    this.step = new Map();
    for (const [id, before] of step) if (!total.has(id)) total.set(id, before);
    return this.changesOf(step);
  }

  private changesOf(before: ReadonlyMap<Id, Row | undefined>): RowChange[] {
    const changes: RowChange[] = [];
    for (const [id, was] of before) {
      const after = this.row(id);
      if (was !== after) changes.push({ id, before: was, after });
    }
    return changes;
  }

  private tell(changes: readonly RowChange[], cause: ChangeCause): void {
    if (changes.length === 0) return;
    for (const listener of this.listeners) listener(changes, cause);
  }

  /** Takes a confirmed row unless a newer one is held; after a fresh start of the scope whatever the server says counts. */
  private offer(row: Row, incoming: Incoming, replaces: boolean): void {
    const held = incoming.get(row.id) ?? this.base.get(row.id);
    if (replaces || held === undefined || held.version < row.version) incoming.set(row.id, row);
  }

  /** Without an account this device is the authority: predictions are the truth. */
  private confirmLocally(total: ReadonlyMap<Id, Row | undefined>): void {
    if (total.size === 0) return;
    const { scope, cursors } = this.current;
    const updatedAt = Math.round(this.clock.now());
    for (const id of total.keys()) {
      const row = this.overlay.get(id);
      if (row === undefined) continue;
      const confirmed = { ...row, updatedAt };
      this.base.set(confirmed);
      this.siblings.replace(row, confirmed);
      this.overlay.delete(id);
    }
    const version = (cursors[scope]?.version ?? 0) + 1;
    this.current = { ...this.current, cursors: { ...cursors, [scope]: { generation: 'local', version } } };
  }

  /**
   * Puts the incoming rows into the base, shows for them and the dirty entities what base and pending operations
   * make of them, and tells the listeners.
   */
  private rebase(dirty: Set<Id>, incoming: Incoming, cause: ChangeCause): void {
    for (const id of incoming.keys()) dirty.add(id);
    if (dirty.size === 0) return;
    if (this.queue.length > 0) spreadDirt(dirty, incoming, this);
    const total = new Map<Id, Row | undefined>();
    for (const id of dirty) total.set(id, this.row(id));
    for (const [id, row] of incoming) {
      if (row === null) this.base.delete(id);
      else this.base.set(row);
    }
    for (const [id, before] of total) {
      this.overlay.delete(id);
      const after = this.base.get(id);
      if (before !== after) this.siblings.replace(before, after);
    }
    for (const operation of this.queue) {
      if (!dirty.has(operation.id)) continue;
      apply(this.state, operation, this.contextOf(operation));
      this.endStep(total);
    }
    this.tell(this.changesOf(total), cause);
  }
}
