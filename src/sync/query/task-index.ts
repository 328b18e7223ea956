// Tasks as searches read them: folded text per task, made when idle, and their properties as bits; a longer query
// narrows the previous hits. The meaning of operators is asking.ts; the search line of the app is
// client/search/finding.ts.
import { blocksFor } from '#core/calendar/blocks.ts';
import type { Id } from '#core/ids.ts';
import { scalarNames } from '#core/model.ts';
import { eachScalar, rankOf } from '#core/task-fields.ts';
import { fold } from '#core/search/fold.ts';
import type { RowChange } from '../replica/replica-types.ts';
import { type TaskRow, type CompletionRow, registersOf, fieldOf, type Row } from '../rows/row.ts';
import type { RowSource } from './world.ts';
import { isCleared, isDone, isShown, isTrashed, placeOf, statusOf } from '../rows/row-reading.ts';
import { IntegerColumn, NumberColumn, SlotSet } from './columns.ts';
import { codeOf } from './when-code.ts';

/** The words of a text, folded for comparison. */
export function tokensOf(query: string): readonly string[] {
  return fold(query)
    .split(/\s+/)
    .filter((token) => token !== '');
}

function textOf(row: Row): string {
  const title = fieldOf(row, 'title') ?? '';
  const notes = fieldOf(row, 'notes') ?? '';
  const line = title.includes('\n') ? title.replaceAll('\n', ' ') : title;
  return fold(notes === '' ? line : `${line}\n${notes}`);
}

const noLabels: readonly Id[] = [];
const noIds: readonly Id[] = [];

/** The properties of a task, as bits: most tasks are skipped without touching their rows. */
export const bits = {
  here: 1,
  shown: 1 << 1,
  done: 1 << 2,
  cleared: 1 << 3,
  due: 1 << 4,
  start: 1 << 5,
  snooze: 1 << 6,
  block: 1 << 7,
  repeat: 1 << 8,
  notes: 1 << 9,
  label: 1 << 10,
  metadata: 1 << 11,
  bookmark: 1 << 12,
  origin: 1 << 13,
} as const;

/** The bit of each scalar field that is set. */
export const scalarBits = eachScalar((name) => 1 << (14 + scalarNames.indexOf(name)));

/** Registers whose presence is a bit. */
const PRESENCE = [
  ['due', bits.due],
  ['start', bits.start],
  ['repeat', bits.repeat],
  ['notes', bits.notes],
  ['origin', bits.origin],
  ...scalarNames.map((name) => [name, scalarBits[name]] as const),
] as const;

function bitsOf(row: Row, mine: Row | undefined, hasLabel: boolean): number {
  let found = isTrashed(row) ? 0 : bits.here;
  if (isShown(row)) found |= bits.shown;
  if (isDone(row)) found |= bits.done;
  if (isCleared(row)) found |= bits.cleared;
  if (hasLabel) found |= bits.label;
  const fields = registersOf(row);
  for (const [register, bit] of PRESENCE) if ((fields[register] ?? '') !== '') found |= bit;
  for (const register in fields) if (register.startsWith('meta:')) found |= bits.metadata;
  if (mine?.type !== 'mine') return found;
  if (!isDone(row) && blocksFor(mine, fieldOf(row, 'occ') ?? 0).length > 0) found |= bits.block;
  return found | mineBits(mine);
}

function mineBits(mine: Row): number {
  let found = (fieldOf(mine, 'snooze') ?? null) === null ? 0 : bits.snooze;
  if ((fieldOf(mine, 'bookmarkedAt') ?? null) !== null) found |= bits.bookmark;
  return labelsOf(mine).length > 0 ? found | bits.label : found;
}

function labelsOf(row: Row): readonly Id[] {
  let found: Id[] | null = null;
  for (const register in row.fields) {
    if (!register.startsWith('label:') || registersOf(row)[register] !== true) continue;
    found ??= [];
    found.push(register.slice('label:'.length) as Id);
  }
  return found ?? noLabels;
}

/** A completed occurrence matches only queries about completed tasks. */
function bitsOfRecord(row: Row, hasLabel: boolean): number {
  if (isTrashed(row)) return 0;
  const has = (register: string) => (registersOf(row)[register] ?? null) !== null;
  const dates = (has('due') ? bits.due : 0) | (has('start') ? bits.start : 0);
  return bits.here | bits.done | bits.repeat | dates | (hasLabel ? bits.label : 0);
}

/** The rows that are searched. */
type Indexed = TaskRow | CompletionRow;

function isIndexed(row: Row | undefined): row is Indexed {
  return row?.type === 'task' || row?.type === 'completion';
}

const OTHERS: ReadonlySet<Row['type']> = new Set(['mine', 'list', 'label', 'labelGroup']);

/**
 * The search index over a copy's tasks and completed occurrences, by slot. Fill it with `readSome` when idle; a query
 * before that reads the rest at once.
 */
export class TaskIndex {
  readonly #ids: Id[] = [];
  readonly #texts: string[] = [];
  readonly #bits = new IntegerColumn();
  /** Parent number plus one; 0 for none. */
  readonly #parents = new IntegerColumn();
  /** By parent number: how many shown tasks are directly under it. */
  readonly #under = new IntegerColumn();
  /** Slots of tasks with shown children. */
  readonly #parenting = new SlotSet();
  /** Dates as codes (when-code.ts), moments in milliseconds. */
  readonly due = new NumberColumn();
  readonly start = new NumberColumn();
  readonly snooze = new NumberColumn();
  readonly created = new NumberColumn();
  readonly done = new NumberColumn();
  /** Ranks (core/task-fields.ts). */
  readonly scalars = eachScalar(() => new NumberColumn());
  readonly #numbers = new Map<Id, number>();
  readonly #numbered: Id[] = [];
  readonly #rows: Indexed[] = [];
  readonly #labels: (readonly Id[])[] = [];
  readonly #slots = new Map<Id, number>();
  /** Personal rows, by the task or list they belong to. */
  readonly #mine = new Map<Id, Row>();
  /** Lists, folders, labels and their groups: everything with a name that queries can use. */
  readonly #named = new Map<Id, Row>();
  /** Completed occurrences by their task. */
  readonly #records = new Map<Id, Id[]>();
  readonly #source: Pick<RowSource, 'all' | 'row'>;
  /** Rows not read yet; null when all are read. */
  #unread: Iterator<Row> | null;
  /** Rows that changed before they were read; reading finds them in their own place, or adds them at its end. */
  readonly #early = new Set<Id>();
  #lastWords: readonly string[] = [];
  #lastSlots: readonly number[] = [];

  constructor(rows: Pick<RowSource, 'all' | 'row'>) {
    this.#source = rows;
    this.#unread = rows.all()[Symbol.iterator]();
  }

  get isReady(): boolean {
    return this.#unread === null;
  }

  get isStarted(): boolean {
    return this.#ids.length > 0;
  }

  isShown(id: Id): boolean {
    const slot = this.#slots.get(id);
    return slot !== undefined && this.showsAt(slot);
  }

  /** Reads up to `count` more rows; for idle moments. */
  readSome(count: number): void {
    for (let left = count; left > 0 && this.#unread; left -= 1) {
      const next = this.#unread.next();
      if (next.done === true) this.#finishReading();
      else this.#put(next.value);
    }
  }

  #finishReading(): void {
    this.#unread = null;
    for (const id of this.#early) {
      const row = this.#slots.has(id) ? undefined : this.#source.row(id);
      if (row) this.#put(row);
    }
    this.#early.clear();
  }

  apply(changes: readonly RowChange[]): void {
    for (const { id, before, after } of changes) {
      if (!isIndexed(after ?? before) || (after && !isIndexed(after))) {
        this.#takeOther(before, after);
        continue;
      }
      if ((after ?? before)?.type === 'task') this.#followTask(id, after);
      const slot = this.#slots.get(id);
      const isSameText =
        fieldOf(before, 'title') === fieldOf(after, 'title') &&
        fieldOf(before, 'notes') === fieldOf(after, 'notes');
      if (slot !== undefined && (isSameText || !after)) this.#flag(slot, after);
      else if (slot === undefined && this.#unread !== null) this.#early.add(id);
      else if (after) {
        this.#put(after);
        this.#lastWords = [];
      }
    }
  }

  /** Number of tasks read; their slots are the numbers below. */
  get size(): number {
    return this.#ids.length;
  }

  slotOf(id: Id): number | undefined {
    return this.#slots.get(id);
  }

  idAt(slot: number): Id | undefined {
    return this.#ids[slot];
  }

  bitsAt(slot: number): number {
    return this.#bits.at(slot);
  }

  /** Whether a task is shown, as far as its own row decides. */
  showsAt(slot: number): boolean {
    return (this.#bits.at(slot) & bits.shown) !== 0;
  }

  /** A small number for the parent of a task, the same for all its children; −1 for none. */
  parentAt(slot: number): number {
    return this.#parents.at(slot) - 1;
  }

  /** Whether a task has shown children. */
  hasChildrenAt(slot: number): boolean {
    return this.#parenting.has(slot);
  }

  parentId(number: number): Id | undefined {
    return this.#numbered[number];
  }

  rowAt(slot: number): Indexed | undefined {
    return this.#rows[slot];
  }

  /** Folded title, then a line break and the notes. */
  textAt(slot: number): string {
    return this.#texts[slot] ?? '';
  }

  labelsAt(slot: number): readonly Id[] {
    return this.#labels[slot] ?? noLabels;
  }

  /** Whether one of the person's own labels of the task is among these. */
  hasOwnLabel(slot: number, ids: ReadonlySet<Id>): boolean {
    const id = this.#ids[slot];
    const mine = this.#mine.size === 0 || id === undefined ? undefined : this.#mine.get(id);
    return mine !== undefined && labelsOf(mine).some((label) => ids.has(label));
  }

  mineOf(id: Id): Row | undefined {
    return this.#mine.get(id);
  }

  /** Records of the completed occurrences of a task. */
  recordsOf(task: Id): readonly Id[] {
    return this.#records.get(task) ?? noIds;
  }

  /** The task that decides whether a slot is hidden: for a completed occurrence, its task. */
  taskAt(slot: number): Id {
    const row = this.#rows[slot];
    return (row?.type === 'completion' ? row.fields.task : this.#ids[slot]) as Id;
  }

  get named(): ReadonlyMap<Id, Row> {
    return this.#named;
  }

  /**
   * Tasks that contain every word of the query, open ones first; at most `most`. `isHidden` excludes tasks in the
   * trash.
   */
  find(query: string, isHidden: ((id: Id) => boolean) | null, most = Number.POSITIVE_INFINITY): Id[] {
    const words = tokensOf(query);
    const open: Id[] = [];
    const done: Id[] = [];
    for (const slot of words.length === 0 ? [] : this.slotsWith(words)) {
      if (open.length >= most) break;
      const id = this.#ids[slot];
      if (id === undefined || (this.bitsAt(slot) & bits.shown) === 0 || isHidden?.(id) === true) continue;
      if ((this.bitsAt(slot) & bits.done) !== 0) done.push(id);
      else open.push(id);
    }
    const found = open.concat(done);
    return found.length > most ? found.slice(0, most) : found;
  }

  /** Whether a task is a result of the query. */
  matches(id: Id, query: string): boolean {
    const slot = this.#slots.get(id);
    if (slot === undefined || (this.bitsAt(slot) & bits.shown) === 0) return false;
    const text = this.#texts[slot] ?? '';
    return tokensOf(query).every((token) => text.includes(token));
  }

  /** Slots of the tasks whose text contains every one of some folded words; there must be at least one word. */
  slotsWith(words: readonly string[]): readonly number[] {
    this.readSome(Number.MAX_SAFE_INTEGER);
    // A text with the longer word also has the shorter one.
    const last = this.#lastWords;
    const narrows = last.length > 0 && last.every((word) => words.some((longer) => longer.includes(word)));
    const found: number[] = [];
    const [first = '', ...others] = words;
    const take = (slot: number) => {
      const text = this.#texts[slot] ?? '';
      if (text.includes(first) && others.every((word) => text.includes(word))) found.push(slot);
    };
    if (narrows) for (const slot of this.#lastSlots) take(slot);
    else for (let slot = 0; slot < this.#texts.length; slot += 1) take(slot);
    this.#lastWords = words;
    this.#lastSlots = found;
    return found;
  }

  #put(row: Row): void {
    if (!isIndexed(row)) {
      this.#takeOther(undefined, row);
      return;
    }
    if (row.type === 'task') this.#followTask(row.id, row);
    let slot = this.#slots.get(row.id);
    if (slot === undefined) {
      slot = this.#ids.length;
      this.#slots.set(row.id, slot);
      this.#ids.push(row.id);
      // Its children may have been read before it.
      const number = this.#numbers.get(row.id);
      if (number !== undefined) this.#setUnder(number, this.#under.at(number));
    }
    this.#texts[slot] = textOf(row);
    this.#flag(slot, row);
  }

  #flag(slot: number, row: Indexed | undefined): void {
    this.#countUnder(slot, -1);
    if (!row) {
      this.#bits.set(slot, 0);
      return;
    }
    if (row.type === 'completion') {
      this.#flagRecord(slot, row);
      return;
    }
    const labels = labelsOf(row);
    const mine = this.#mine.size === 0 ? undefined : this.#mine.get(row.id);
    this.#rows[slot] = row;
    this.#labels[slot] = labels;
    this.#bits.set(slot, bitsOf(row, mine, labels.length > 0));
    this.#parents.set(slot, this.#numberOf(placeOf(row)?.parent) + 1);
    this.#countUnder(slot, 1);
    const { fields } = row;
    this.due.set(slot, codeOf(fields.due));
    this.start.set(slot, codeOf(fields.start));
    this.snooze.set(slot, codeOf(fieldOf(mine, 'snooze')));
    this.created.set(slot, row.createdAt);
    this.done.set(slot, statusOf(row)?.done ?? Number.NaN);
    for (const name of scalarNames) this.scalars[name].set(slot, rankOf(fields, name));
  }

  /** A completed occurrence has the parent and the labels of its task. */
  #flagRecord(slot: number, row: CompletionRow): void {
    const of = row.fields.task;
    const records = this.#records.get(of);
    if (!records) this.#records.set(of, [row.id]);
    else if (!records.includes(row.id)) records.push(row.id);
    this.#rows[slot] = row;
    this.created.set(slot, row.createdAt);
    this.done.set(slot, row.fields.at);
    this.due.set(slot, codeOf(row.fields.due));
    this.start.set(slot, codeOf(row.fields.start));
    this.#place(slot, row, this.#source.row(of));
  }

  #place(slot: number, record: Row, task: Row | undefined): void {
    const labels = task === undefined ? noLabels : labelsOf(task);
    this.#labels[slot] = labels;
    this.#bits.set(slot, bitsOfRecord(record, labels.length > 0));
    this.#parents.set(slot, this.#numberOf(placeOf(task)?.parent) + 1);
  }

  #followTask(id: Id, task: Row | undefined): void {
    for (const record of this.recordsOf(id)) {
      const slot = this.#slots.get(record);
      const row = slot === undefined ? undefined : this.#rows[slot];
      if (slot !== undefined && row) this.#place(slot, row, task);
    }
  }

  #countUnder(slot: number, step: 1 | -1): void {
    const parent = this.#parents.at(slot) - 1;
    if (parent >= 0 && (this.#bits.at(slot) & bits.shown) !== 0)
      this.#setUnder(parent, this.#under.at(parent) + step);
  }

  #setUnder(parent: number, count: number): void {
    this.#under.set(parent, count);
    const slot = this.#slots.get(this.#numbered[parent] as Id);
    if (slot === undefined) return;
    if (count > 0) this.#parenting.add(slot);
    else this.#parenting.delete(slot);
  }

  #numberOf(id: Id | undefined): number {
    if (id === undefined) return -1;
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#numbered.length;
      this.#numbers.set(id, number);
      this.#numbered.push(id);
    }
    return number;
  }

  #takeOther(before: Row | undefined, after: Row | undefined): void {
    const row = after ?? before;
    if (!row || !OTHERS.has(row.type)) return;
    const into = row.type === 'mine' ? this.#mine : this.#named;
    const key = row.type === 'mine' ? row.fields.of : row.id;
    if (after) into.set(key, after);
    else into.delete(key);
    const slot = row.type === 'mine' ? this.#slots.get(key) : undefined;
    if (slot !== undefined && this.bitsAt(slot) !== 0) this.#flag(slot, this.#rows[slot]);
  }
}
