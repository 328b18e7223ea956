// The rows of a write transaction: the loaded ones, overlaid with the written ones. Gives `apply` its synchronous view; a
// read of a row not loaded throws MissingRead, and the caller loads it and applies the operation again. Every write is
// journaled, so that an operation or a whole push can be rolled back. A row may leave for another scope (transfer.ts).
import { registerChecks, type RegisterChecks } from '#wire/registers.ts';
import type { Id } from '#core/ids.ts';
import type { ApplyState } from '#sync/rows/apply.ts';
import { mergeNote } from '#sync/notes/note-merging.ts';
import type { MergeNote, NoteEpoch } from '#sync/notes/note.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { Sibling } from '#sync/rows/placement.ts';
import { applyReoffer } from '#sync/exchange/reoffer.ts';
import { withFields, type Row } from '#sync/rows/row.ts';
import { sealedChecks } from '#sync/sealing/sealed-checks.ts';
import { mergedAfterSealing, takeSealedNote } from '#sync/sealing/sealed-note.ts';
import { neverSealed, type ScopeSealing } from '#sync/sealing/scope-state.ts';
import { SiblingIndex } from '#sync/rows/sibling-index.ts';
import type {
  Departure,
  Lookup,
  NoteEpochRecord,
  ReadAnswer,
  ReadSet,
  SiblingQuery,
  WriteTransaction,
} from '../data/store.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { keyBetween } from '../data/order-keys.ts';
import type { CommentSeal } from '../access/comment-seal.ts';

/** Thrown by reads of rows not loaded. Never leaves this folder. */
export class MissingRead extends Error {
  /** Whose set lacks it. */
  readonly scope: Id;
  readonly want: ReadSet;

  constructor(scope: Id, want: ReadSet) {
    // Many are thrown, and caught a few calls away: collecting the stack would cost more than the read.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super('not loaded yet');
    Error.stackTraceLimit = stackTraceLimit;
    this.scope = scope;
    this.want = want;
  }
}

/** Stored siblings known to be contiguous from `from` on. */
interface Stretch {
  readonly query: SiblingQuery;
  items: Sibling[];
  /** Nothing is stored beyond the last item. */
  complete: boolean;
}

/** A row on its way to another scope; when it left is the transaction's. */
export type Leaving = Omit<Departure, 'at'>;

interface Undo {
  readonly id: Id;
  readonly before: Row | undefined;
  readonly away: Leaving | undefined;
  /** What else is to be taken back. */
  readonly undo?: () => void;
}

/** How many siblings are looked at first. */
export const FIRST_LOOK = 4;
const NEXT_LOOK = 64;

/** The rows of one scope in a write transaction. Reads of what is not loaded throw MissingRead. */
export class WorkingSet implements ApplyState {
  readonly scope: Id;
  readonly reoffer = applyReoffer;
  readonly mergeNote: MergeNote;
  readonly checks: RegisterChecks;
  /** Undefined: earlier texts are not kept. */
  readonly keepNoteEpoch: ((note: Id, epoch: NoteEpoch) => void) | undefined;
  /** By note and seed; null: there is none. */
  readonly #epochs = new Map<string, NoteEpoch | null>();
  readonly #kept = new Map<string, { readonly note: Id; readonly epoch: NoteEpoch }>();
  /** Notes with unreadable parts. */
  readonly damagedNotes = new Set<Id>();
  readonly #writers: Map<Id, WorkingSet>;
  readonly #records = new Map<Id, readonly Id[]>();
  readonly #loaded = new Map<Id, Lookup>();
  readonly #written = new Map<Id, Row>();
  readonly #placed = new SiblingIndex();
  readonly #stretches = new Map<string, Stretch[]>();
  readonly #away = new Map<Id, Leaving>();
  /** Of notes that came from another scope: where their earlier edits are stored. */
  readonly #noteScopes = new Map<Id, Id>();
  readonly #journal: Undo[] = [];
  /** The set of another scope. Throws when this transaction did not lock it. Absent: nothing is read of others. */
  setOf: ((scope: Id) => WorkingSet) | undefined;

  readonly #seal: CommentSeal | null;
  readonly #isPlain: boolean;

  /** `writers`: of the whole transaction, the set that wrote a row last. */
  constructor(
    scope: Id,
    writers = new Map<Id, WorkingSet>(),
    seal: CommentSeal | null = null,
    sealing: ScopeSealing = neverSealed,
  ) {
    this.scope = scope;
    this.#writers = writers;
    this.#seal = seal;
    this.#isPlain = sealing.phase === 'plain';
    this.checks = this.#isPlain ? registerChecks : sealedChecks;
    const merge = sealing.generation === 0 ? mergeNote : mergedAfterSealing(mergeNote);
    this.mergeNote = this.#isPlain ? merge : takeSealedNote;
    this.keepNoteEpoch = this.#isPlain ? (note, epoch) => this.#keepEpoch(note, epoch) : undefined;
  }

  /** Whether an operation brings back a comment exactly as this server has had it. */
  isProven(operation: Operation): boolean {
    return this.#seal?.isProven(operation, this.row(operation.id)) ?? false;
  }

  row(id: Id): Row | undefined {
    const written = this.#written.get(id);
    if (written !== undefined || this.#away.has(id)) return written;
    const lookup = this.#lookup(id);
    return lookup.type === 'row' ? lookup.row : undefined;
  }

  /** What is known of the id at this point of the transaction. */
  lookup(id: Id): Lookup {
    const row = this.#written.get(id);
    if (row !== undefined) return { type: 'row', row };
    const away = this.#away.get(id);
    if (away !== undefined) return { type: 'elsewhere', scope: away.to };
    const lookup = this.#lookup(id);
    if (lookup.type !== 'unknown') return lookup;
    // Another operation of the transaction may have made it in another scope.
    const writer = this.#writers.get(id);
    return writer !== undefined && writer.#written.has(id)
      ? { type: 'elsewhere', scope: writer.scope }
      : lookup;
  }

  absence(id: Id): 'unknown' | 'purged' | 'elsewhere' {
    const lookup = this.lookup(id);
    if (lookup.type === 'tombstone') return 'purged';
    return lookup.type === 'elsewhere' ? 'elsewhere' : 'unknown';
  }

  beyond(id: Id): Row | undefined {
    const lookup = this.lookup(id);
    return lookup.type === 'elsewhere' && lookup.scope !== this.scope
      ? this.setOf?.(lookup.scope).row(id)
      : undefined;
  }

  put(given: Row): void {
    const row = this.#isPlain ? given : withoutEmptyTitle(given);
    this.#change(row.id, this.#seal?.sealed(row) ?? row, undefined);
  }

  /** The row leaves for another scope. */
  release(away: Leaving): void {
    this.#change(away.id, undefined, away);
  }

  /** How the row left, in this transaction; undefined: it did not. */
  departure(id: Id): Leaving | undefined {
    return this.#away.get(id);
  }

  departures(): readonly Leaving[] {
    return [...this.#away.values()];
  }

  #change(id: Id, row: Row | undefined, away: Leaving | undefined): void {
    this.#journal.push({ id, before: this.#written.get(id), away: this.#away.get(id) });
    this.#set(id, row, away);
  }

  #set(id: Id, row: Row | undefined, away: Leaving | undefined): void {
    this.#placed.replace(this.#written.get(id), row);
    if (row === undefined) this.#written.delete(id);
    else {
      this.#written.set(id, row);
      this.#writers.set(id, this);
    }
    if (away === undefined) this.#away.delete(id);
    else this.#away.set(id, away);
  }

  neighbour(
    parent: Id,
    from: string | null,
    direction: 'ascending' | 'descending',
    skip: Id,
  ): Sibling | undefined {
    const stored = this.#storedNeighbour(
      { scope: this.scope, parent, from, direction, limit: FIRST_LOOK },
      skip,
    );
    const own = this.#placed.neighbour(parent, from, direction, skip);
    if (stored === undefined || own === undefined) return stored ?? own;
    const ownFirst = direction === 'ascending' ? own.key < stored.key : own.key > stored.key;
    return ownFirst ? own : stored;
  }

  keyBetween(low: Sibling | undefined, high: Sibling | undefined): string {
    const placed = (at: Sibling | undefined) => at && { key: at.key, version: this.#versionOf(at) };
    return keyBetween(placed(low), placed(high));
  }

  #versionOf({ id, version }: Sibling): number {
    return (this.#written.get(id) ?? this.stored(id))?.version ?? version ?? 0;
  }

  expect(ids: readonly Id[]): void {
    const rows = ids.filter((id) => !this.isLoaded(id)).map((id) => ({ scope: this.scope, id }));
    if (rows.length > 0) throw new MissingRead(this.scope, { rows, ancestors: [], siblings: [] });
  }

  noteEpoch(note: Id, seed: Id): NoteEpoch | undefined {
    const key = `${note} ${seed}`;
    const epoch = this.#kept.get(key)?.epoch ?? this.#epochs.get(key);
    if (epoch === undefined)
      throw new MissingRead(this.scope, {
        rows: [],
        ancestors: [],
        siblings: [],
        noteEpochs: [{ scope: this.#noteScopes.get(note) ?? this.scope, note, seed }],
      });
    return epoch ?? undefined;
  }

  noteDamaged(note: Id): void {
    this.damagedNotes.add(note);
  }

  #keepEpoch(note: Id, epoch: NoteEpoch): void {
    const key = `${note} ${epoch.seed}`;
    const before = this.#kept.get(key)?.epoch ?? this.#epochs.get(key);
    const isKnown = epoch.state === null && before?.state !== null && before !== undefined && before !== null;
    const { state, text } = isKnown ? before : epoch;
    this.#kept.set(key, { note, epoch: { ...epoch, state, text } });
  }

  /** Takes over the edits of notes that come from another scope. */
  adoptNotes(from: WorkingSet, notes: Iterable<Id>): void {
    for (const note of notes) {
      const known = this.#noteScopes.get(note);
      const kept = [...from.#kept].filter(([, epoch]) => epoch.note === note);
      this.#noteScopes.set(note, from.#noteScopes.get(note) ?? from.scope);
      for (const [key, epoch] of kept) {
        from.#kept.delete(key);
        this.#kept.set(key, epoch);
      }
      const undo = () => {
        if (known === undefined) this.#noteScopes.delete(note);
        else this.#noteScopes.set(note, known);
        for (const [key, epoch] of kept) {
          this.#kept.delete(key);
          from.#kept.set(key, epoch);
        }
      };
      this.#journal.push({ id: note, before: this.#written.get(note), away: this.#away.get(note), undo });
    }
  }

  /** The epochs to be saved. */
  keptEpochs(now: number): NoteEpochRecord[] {
    return [...this.#kept.values()].map(({ note, epoch: { seed, state, text, isOpen } }) => {
      const at = isOpen === true ? 0 : now;
      return { scope: this.scope, note, seed, state, text, at };
    });
  }

  /** A point to return to by `rollback`. */
  mark(): number {
    return this.#journal.length;
  }

  rollback(mark: number): void {
    while (this.#journal.length > mark) {
      const entry = this.#journal.pop();
      if (entry === undefined) break;
      this.#set(entry.id, entry.before, entry.away);
      entry.undo?.();
    }
  }

  /** Rows written since the mark, each with its earlier state; without those that left. */
  changesSince(mark: number): { readonly before: Row | undefined; readonly after: Row }[] {
    const changes: { readonly before: Row | undefined; readonly after: Row }[] = [];
    const seen = this.#journal.length - mark > 1 ? new Set<Id>() : null;
    for (let index = mark; index < this.#journal.length; index += 1) {
      const entry = this.#journal[index];
      if (entry === undefined || seen?.has(entry.id) === true) continue;
      seen?.add(entry.id);
      const after = this.#written.get(entry.id);
      const before = entry.before ?? (entry.away ? undefined : this.stored(entry.id));
      if (after !== undefined) changes.push({ before, after });
    }
    return changes;
  }

  /** Rows that left since the mark, as they were. */
  releasedSince(mark: number): readonly Row[] {
    return this.#journal
      .slice(mark)
      .filter(({ id }) => this.#away.has(id))
      .map(({ id, before }) => before ?? this.stored(id))
      .filter((row) => row !== undefined);
  }

  /** The finished form of a row already written (its final `updatedAt`). Not journaled. */
  finish(row: Row): void {
    this.#placed.replace(this.#written.get(row.id), row);
    this.#written.set(row.id, row);
  }

  /** All rows written, with their stored state. */
  *writes(): Iterable<{ readonly stored: Row | undefined; readonly row: Row }> {
    for (const [id, row] of this.#written) yield { stored: this.stored(id), row };
  }

  async load(tx: WriteTransaction, want: ReadSet): Promise<void> {
    this.take(want, await tx.load(want));
  }

  /** Takes in what was read. */
  take(want: ReadSet, answer: ReadAnswer): void {
    for (const [id, lookup] of answer.rows) this.#loaded.set(id, lookup);
    for (const { note, seed } of want.noteEpochs ?? []) this.#epochs.set(`${note} ${seed}`, null);
    for (const epoch of answer.noteEpochs ?? []) this.#epochs.set(`${epoch.note} ${epoch.seed}`, epoch);
    want.siblings.forEach((query, index) => this.#learn(query, answer.siblings[index] ?? []));
  }

  /** Records of a task that no id of this scope leads to. */
  learnRecords(
    task: Id,
    { stored, written }: { readonly stored: readonly Row[]; readonly written: readonly Row[] },
  ): void {
    for (const row of stored) if (!this.isLoaded(row.id)) this.#loaded.set(row.id, { type: 'row', row });
    this.#records.set(
      task,
      [...stored, ...written].map(({ id }) => id),
    );
  }

  records(task: Id): Iterable<Id> {
    return this.#records.get(task) ?? [];
  }

  /** Takes in a whole stored tree, so that going through it reads nothing more. */
  learnTree(rows: readonly Row[]): void {
    const children = Map.groupBy(rows, (row) => placeOf(row)?.parent);
    for (const row of rows) {
      this.#loaded.set(row.id, { type: 'row', row });
      const items = (children.get(row.id) ?? [])
        .map((child) => ({ id: child.id, key: placeOf(child)?.key ?? '' }))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1));
      const { scope } = this;
      const query = {
        scope,
        parent: row.id,
        from: null,
        direction: 'ascending',
        limit: items.length + 1,
      } as const;
      this.#learn(query, items);
    }
  }

  isLoaded(id: Id): boolean {
    return this.#loaded.has(id) || this.#written.has(id) || this.#away.has(id);
  }

  /** The row as it was before this transaction. */
  stored(id: Id): Row | undefined {
    const lookup = this.#loaded.get(id);
    return lookup?.type === 'row' ? lookup.row : undefined;
  }

  #lookup(id: Id): Lookup {
    const lookup = this.#loaded.get(id);
    if (lookup === undefined)
      throw new MissingRead(this.scope, { rows: [{ scope: this.scope, id }], ancestors: [], siblings: [] });
    return lookup;
  }

  #storedNeighbour(query: SiblingQuery, skip: Id): Sibling | undefined {
    for (const stretch of this.#stretches.get(slotOf(query)) ?? []) {
      if (!covers(stretch, query)) continue;
      const { items } = stretch;
      let at = firstBeyond(items, query);
      while (at < items.length && this.#isPassedOver(items[at]?.id, skip)) at += 1;
      const found = items[at];
      if (found !== undefined) return found;
      if (stretch.complete) return undefined;
      // As many again as are known: who goes through many reads few times.
      const limit = Math.max(NEXT_LOOK, items.length);
      throw missing({ ...query, from: items.at(-1)?.key ?? query.from, limit });
    }
    throw missing(query);
  }

  /** Whether a stored sibling is not looked for, or stands elsewhere by now. */
  #isPassedOver(id: Id | undefined, skip: Id): boolean {
    return id === undefined || id === skip || this.#written.has(id) || this.#away.has(id);
  }

  #learn(query: SiblingQuery, items: readonly Sibling[]): void {
    const slot = slotOf(query);
    const known = this.#stretches.get(slot) ?? [];
    const complete = items.length < query.limit;
    // Several stretches may end at the same sibling; the new items continue each of them.
    const extended = known.filter(
      (stretch) => stretch.items.length > 0 && stretch.items.at(-1)?.key === query.from,
    );
    if (extended.length === 0) known.push({ query, items: [...items], complete });
    for (const stretch of extended) {
      stretch.items.push(...items);
      stretch.complete = complete;
    }
    this.#stretches.set(slot, known);
  }
}

/** The record of a task without a title: `''` would be a plain value where there is none. */
function withoutEmptyTitle(row: Row): Row {
  if (row.type !== 'completion' || row.fields.title !== '') return row;
  const { title: _title, ...fields } = row.fields;
  return withFields(row, fields);
}

function missing(query: SiblingQuery): MissingRead {
  return new MissingRead(query.scope, { rows: [], ancestors: [], siblings: [query] });
}

function slotOf(query: SiblingQuery): string {
  return `${query.direction} ${query.parent}`;
}

function isBeyond(key: string, query: SiblingQuery): boolean {
  if (query.from === null) return true;
  return query.direction === 'ascending' ? key > query.from : key < query.from;
}

/** Where among siblings in the query's direction the first one beyond its key stands. */
function firstBeyond(items: readonly Sibling[], query: SiblingQuery): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBeyond(items[middle]?.key ?? '', query)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether the stretch contains the answer beyond the query's key, or what it ends with is followed by it. */
function covers(stretch: Stretch, query: SiblingQuery): boolean {
  const from = stretch.query.from;
  if (query.from === null) return from === null;
  const startsBefore =
    from === null || (query.direction === 'ascending' ? from <= query.from : from >= query.from);
  if (!startsBefore) return false;
  const last = stretch.items.at(-1);
  return stretch.complete || (last !== undefined && (last.key === query.from || isBeyond(last.key, query)));
}
