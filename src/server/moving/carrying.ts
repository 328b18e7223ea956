// One step of the move of a large tree (mover.ts), inside one write transaction: rows whose parents are in another scope by now
// follow them, parents first. Whether a row is left behind is decided here, under the locks of both scopes; who asks
// only proposes where to look.
import { mineId, type Id } from '#core/ids.ts';
import type { Place } from '#core/model.ts';
import { arrived } from '#sync/rows/arrived.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { asRow, withFields, type Row } from '#sync/rows/row.ts';
import type {
  Departure,
  HistoryEntry,
  LabelTwin,
  ParkedOperation,
  ScopeRecord,
  TransferRecord,
  WriteBatch,
  WriteTransaction,
} from '../data/store.ts';
import { marksOf } from '../push/marks.ts';
import { refuseLater } from '../sync/later-generation.ts';
import { ParkingLot, waitingIn } from '../sync/parking.ts';
import { SCOPES_PROTOCOL } from '../sync/readership.ts';
import { replacedByLeaving, replacedIn } from '../sync/recording.ts';
import { isHealing } from '../sync/recovery.ts';
import { moveLabels, withOwnLabels, type MovedLabels } from '../labels/moved-labels.ts';
import type { LabelScope } from '../labels/label-plan.ts';
import { freePlaces } from './free-places.ts';

/** How long a process has a move for itself without a word of it. */
export const HELD_MS = 10_000;

/** Parents that a step begins with at most, and that are looked beneath at once. */
const PARENTS_AT_ONCE = 100;
/** Rows that are held at once where nobody waits. */
const ROWS_AT_ONCE = 1_000;

/** What a step has to know of a move. */
type CarriedMove = Omit<TransferRecord, 'holder' | 'heldUntil' | 'heldIn'>;

/** What is asked of one step. */
export interface CarryRequest {
  readonly transfer: Id;
  /** The process that asks. */
  readonly holder: Id;
  /** Look beneath these. */
  readonly parents: readonly Id[];
  /** About how many rows may move. */
  readonly rows: number;
}

/** A scope as a step leaves it, for those who listen. */
export interface CarriedScope {
  readonly before: ScopeRecord;
  readonly after: ScopeRecord;
  readonly rows: readonly Row[];
  readonly departures: readonly Departure[];
}

/** What came of a step; `held`: another process carries it out, `over`: the move has ended. */
export type Carried =
  | { readonly type: 'held' }
  | { readonly type: 'over' }
  | {
      readonly type: 'carried';
      readonly moved: number;
      /** What is still to be looked beneath. */
      readonly parents: readonly Id[];
      readonly scopes: readonly CarriedScope[];
    };

/** A step, and for how long it held up others: from its turn to write until what it did is told. */
export type TimedCarried = Carried & { readonly tookMs: number };

/** When a step is made. */
export interface Moment {
  readonly now: number;
  /** Index of the current generation. */
  readonly generation: number;
}

/** A scope that rows arrive in, or that they leave. */
interface Side {
  readonly head: ScopeRecord;
  readonly version: number;
  readonly digest: DigestSum;
  readonly rows: Row[];
  updatedClock: number;
}

/** How a row moves. */
interface Way {
  readonly here: Side;
  readonly there: Side;
  readonly place: Place | undefined;
  readonly labels: MovedLabels;
}

const labelScopeOf = ({ head: { id, kind, sealing }, rows }: Side): LabelScope => ({
  id,
  kind,
  isSealed: sealing !== undefined && sealing.phase !== 'plain',
  written: () => rows,
});

/** The task of a record, or the parent of anything else. */
const above = (row: Row): Id | undefined =>
  row.type === 'completion' ? row.fields.task : placeOf(row)?.parent;

/** Whether another process may be at it. A process of an earlier run of the installation is gone. */
function isHeldByOther(
  transfer: TransferRecord,
  { holder }: Pick<CarryRequest, 'holder'>,
  moment: Moment,
): boolean {
  const { holder: held, heldUntil, heldIn } = transfer;
  return held !== null && held !== holder && heldIn === moment.generation && heldUntil > moment.now;
}

/** Takes one step of a move. What it writes is saved when the transaction commits. */
export async function carryOn(tx: WriteTransaction, request: CarryRequest, moment: Moment): Promise<Carried> {
  const transfer = await tx.transfer(request.transfer);
  if (transfer === null) return { type: 'over' };
  if (isHeldByOther(transfer, request, moment)) return { type: 'held' };
  const step = new Step(tx, transfer, moment);
  const [first, later] = [request.parents.slice(0, PARENTS_AT_ONCE), request.parents.slice(PARENTS_AT_ONCE)];
  if (!(await step.open(first))) {
    await tx.endTransfer(transfer.id);
    return { type: 'over' };
  }
  const parents = [...(await step.carry(first, request.rows)), ...later];
  const { holder } = request;
  const held = { ...transfer, holder, heldUntil: moment.now + HELD_MS, heldIn: moment.generation };
  const { batch, scopes } = await step.finish();
  await tx.save({ ...batch, transfers: [held] });
  return { type: 'carried', moved: step.moved, parents, scopes };
}

/** Takes along all that is beneath the root of a move that is nobody's: for a server that does nothing else yet. */
export async function carryAll(tx: WriteTransaction, transfer: CarriedMove, moment: Moment): Promise<void> {
  for (let parents: readonly Id[] = [transfer.root]; parents.length > 0;) {
    const step = new Step(tx, transfer, moment);
    const [first, later] = [parents.slice(0, PARENTS_AT_ONCE), parents.slice(PARENTS_AT_ONCE)];
    if (!(await step.open(first))) return;
    parents = [...(await step.carry(first, ROWS_AT_ONCE)), ...later];
    await tx.save((await step.finish()).batch);
  }
}

/** The move is over: nothing is left behind. */
export async function endCarrying(
  tx: WriteTransaction,
  request: Omit<CarryRequest, 'parents' | 'rows'>,
  moment: Moment,
): Promise<void> {
  const transfer = await tx.transfer(request.transfer);
  if (transfer === null || isHeldByOther(transfer, request, moment)) return;
  await tx.endTransfer(transfer.id);
}

class Step {
  readonly #tx: WriteTransaction;
  readonly #transfer: CarriedMove;
  readonly #moment: Moment;
  readonly #sides = new Map<Id, Side>();
  /** Where the parents are, and what moved in this step. */
  readonly #where = new Map<Id, Id>();
  readonly #departures: Departure[] = [];
  /** As they were. */
  readonly #left: Row[] = [];
  readonly #twins: LabelTwin[] = [];
  /** Personal rows of the mover as they were, and labels that were made: what is written beside the rows that move. */
  readonly #beside: { readonly side: Side; readonly before: Row | undefined; readonly after: Row }[] = [];

  constructor(tx: WriteTransaction, transfer: CarriedMove, moment: Moment) {
    this.#tx = tx;
    this.#transfer = transfer;
    this.#moment = moment;
  }

  get moved(): number {
    return this.#left.length;
  }

  /** Locks what is left and where the parents are. False: what is left is no more. */
  async open(parents: readonly Id[]): Promise<boolean> {
    const { from } = this.#transfer;
    const expected = await this.#tx.whereabouts(parents);
    const scopes = [...new Set([from, ...expected.values()])];
    for (const head of (await this.#tx.lockScopes(scopes.toSorted())).values()) {
      refuseLater(head, this.#moment.generation);
      const { version, digest, updatedClock } = head;
      const side = { head, version: version + 1, digest: new DigestSum(digest), rows: [], updatedClock };
      this.#sides.set(head.id, side);
    }
    // Looked up again under the lock: they may have moved since.
    for (const [id, scope] of await this.#tx.living(parents)) this.#where.set(id, scope);
    return this.#sides.has(from);
  }

  /** Moves what is beneath, level by level. Returns what is still to be looked beneath. */
  async carry(parents: readonly Id[], most: number): Promise<readonly Id[]> {
    const { from } = this.#transfer;
    // Those that have come back have nothing to be followed, and those that moved on this moment are found again.
    let queue = parents.filter((id) => this.#target(id) !== undefined);
    while (queue.length > 0 && this.moved < most) {
      const heads = queue.slice(0, PARENTS_AT_ONCE);
      const room = most - this.moved;
      // One more tells that there are more. What stays was not taken by this step: the tree itself is written at its end.
      const found = await this.#tx.beneath(from, heads, room + 1);
      const rows = found.slice(0, room);
      await this.#take(rows);
      const isAll = found.length <= room;
      // Most rows are leaves, and nobody has to look beneath those again. What comes beneath one meanwhile, the last look finds.
      const parentsOfMore = await this.#tx.parentsAmong(
        from,
        rows.map(({ id }) => id),
      );
      queue = [...(isAll ? queue.slice(heads.length) : queue), ...parentsOfMore];
      if (!isAll) break;
    }
    return queue;
  }

  /** Where what is beneath an id goes; undefined: nowhere from here. */
  #target(id: Id): Side | undefined {
    const scope = this.#where.get(id);
    return scope === undefined || scope === this.#transfer.from ? undefined : this.#sides.get(scope);
  }

  async #take(rows: readonly Row[]): Promise<void> {
    const here = this.#sides.get(this.#transfer.from);
    const byTarget = Map.groupBy(rows, (row) => this.#target(above(row) ?? row.id));
    for (const [there, all] of byTarget) {
      if (here === undefined || there === undefined) continue;
      const free = await freePlaces(this.#tx, there.head.id, all, there.rows);
      const labels = await this.#labelsOf(all, here, there);
      for (const row of all) this.#move(row, { here, there, place: free.get(row.id), labels });
    }
  }

  /** Plans what becomes of the labels of these rows, and writes what is written beside the rows: labels, and personal rows. */
  async #labelsOf(rows: readonly Row[], here: Side, there: Side): Promise<MovedLabels> {
    const { author: account, device, startedAt } = this.#transfer;
    const scopes = { from: labelScopeOf(here), to: labelScopeOf(there) };
    const labels = await moveLabels(this.#tx, rows, { account, ...scopes, noted: this.#twins });
    const stampIn = ({ version }: Side) => [version, startedAt, device, 0] as const;
    for (const made of labels.plan.made({ version: there.version, stamp: stampIn(there) }))
      this.#write(there, undefined, made);
    this.#twins.push(...labels.plan.twins);
    for (const [task, of] of labels.own) {
      const { id: scope } = here.head;
      const id = mineId(scope, task);
      const rows = [{ scope, id }];
      const lookup = (await this.#tx.load({ rows, ancestors: [], siblings: [] })).rows.get(id);
      const held = lookup?.type === 'row' ? lookup.row : undefined;
      const mine = withOwnLabels(
        held,
        { scope, task, labels: of },
        { version: here.version, stamp: stampIn(here) },
      );
      if (mine !== undefined) this.#write(here, held, mine);
    }
    return labels;
  }

  #write(side: Side, before: Row | undefined, after: Row): void {
    side.updatedClock = Math.max(this.#moment.now, side.updatedClock + 1, (before?.updatedAt ?? 0) + 1);
    const row = asRow({ ...after, updatedAt: side.updatedClock });
    if (before !== undefined) side.digest.remove(row.id, before.version);
    side.digest.add(row.id, row.version);
    side.rows.push(row);
    this.#beside.push({ side, before, after: row });
  }

  #move(row: Row, { here, there, place, labels }: Way): void {
    const { version, head } = there;
    const hops = (row.hops ?? 0) + 1;
    const moved = arrived(labels.there(row), { scope: head.id, version, hops });
    const placed = place === undefined ? moved : withFields(moved, { ...moved.fields, place });
    // By the time of change a device knows the row from what it took along with the news that it moved.
    there.updatedClock = Math.max(this.#moment.now, there.updatedClock + 1, row.updatedAt + 1);
    there.rows.push(asRow({ ...placed, updatedAt: there.updatedClock }));
    there.digest.add(row.id, version);
    here.digest.remove(row.id, row.version);
    this.#where.set(row.id, head.id);
    this.#left.push(row);
    const hash = row.type === 'attachment' ? row.fields.hash : undefined;
    const way = { scope: here.head.id, to: head.id, left: here.version, at: this.#moment.now, version };
    const departure = { ...way, id: row.id, hops, was: row.version };
    this.#departures.push(hash === undefined ? departure : { ...departure, hash });
  }

  /** Who acts in the histories of both scopes is the author of the move. */
  #history(side: Side, before: HistoryEntry['before'], id: Id): HistoryEntry {
    const { id: u, author: account, device, startedAt: at } = this.#transfer;
    const { id: scope } = side.head;
    const operation = { a: 'moved', q: 0, u, scope, t: at, b: 0, id } as const;
    return { scope, version: side.version, account, device, at, operation, before };
  }

  async finish(): Promise<{ readonly batch: WriteBatch; readonly scopes: readonly CarriedScope[] }> {
    const { now, generation } = this.#moment;
    const written = [...this.#sides.values()].filter(
      ({ head, rows }) => rows.length > 0 || (this.moved > 0 && head.id === this.#transfer.from),
    );
    const scopes = written.map((side): CarriedScope => {
      const { head, version, digest, updatedClock, rows } = side;
      const after = { ...head, version, digest: digest.value, updatedClock, generation };
      const departures = this.#departures.filter(({ scope }) => scope === head.id);
      return { before: head, after, rows, departures };
    });
    const rows = written.flatMap((side) => side.rows);
    const history = written.map((side) => {
      const beside = this.#beside.filter((each) => each.side === side);
      const own = new Set(beside.map(({ after }) => after.id));
      const came = side.rows.filter(({ id }) => !own.has(id));
      const [first] = came.length > 0 ? came : this.#left;
      const before =
        came.length > 0
          ? replacedIn(came.map((after) => ({ before: undefined, after })))
          : replacedByLeaving(this.#left, side.head.id);
      return this.#history(side, [...before, ...replacedIn(beside)], first?.id ?? this.#transfer.root);
    });
    for (const { before } of scopes) await this.#tx.raiseMinSchema(before.id, SCOPES_PROTOCOL);
    // What moves is marked as it leaves.
    const reminding = marksOf(this.#beside.map(({ before: stored, after: row }) => ({ stored, row })));
    const ended = scopes.filter(({ before }) => before.generation !== generation);
    const batch: WriteBatch = {
      scopes: scopes.map(({ after }) => after),
      scopeGenerations: ended.map(({ before: { id, generation: last, version } }) => ({
        scope: id,
        generation: last,
        maxVersion: version,
      })),
      rows,
      tombstones: [],
      departures: this.#departures,
      devices: [],
      results: [],
      forgetResults: [],
      history,
      labelTwins: this.#twins,
      ...(await this.#parked(now)),
      ...(reminding === undefined ? {} : { reminding }),
    };
    return { batch, scopes };
  }

  /** What waits for something that a restore had lost, and names a row that moves, goes along. */
  async #parked(now: number): Promise<Pick<WriteBatch, 'parked' | 'unparked'>> {
    const from = this.#sides.get(this.#transfer.from);
    if (from === undefined || !isHealing(from.head, now)) return {};
    const lot = new ParkingLot(await this.#tx.parked(from.head.id));
    const parked: ParkedOperation[] = [];
    for (const [to, departures] of Map.groupBy(this.#departures, (departure) => departure.to)) {
      const side = this.#sides.get(to);
      if (side === undefined || !isHealing(side.head, now)) continue;
      for (const each of lot.take(new Set(departures.map(({ id }) => id))))
        parked.push(await waitingIn(this.#tx, to, each));
    }
    return { parked, unparked: lot.changes.unparked };
  }
}
