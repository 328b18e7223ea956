// Tasks as searches read them: folded text per task, made when idle, and what each is and has as bits; a longer query
// narrows the previous hits. What operators mean is asking.ts; the search line of the app is client/finding.ts.
import type { Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import type { When } from '#core/when.ts';
import type { RowChange } from '../replica-types.ts';
import type { Row } from '../row.ts';
import type { RowSource } from './world.ts';
import { isCleared, isDone, isShown, isTrashed, placeOf, statusOf } from '../row-reading.ts';
import { IntegerColumn, NumberColumn, SlotSet } from './columns.ts';
import { codeOf } from './when-code.ts';

/** The words of a text as they are compared. */
export function tokensOf(query: string): readonly string[] {
  return fold(query)
    .split(/\s+/)
    .filter((token) => token !== '');
}

function textOf(row: Row): string {
  const title = (row.fields.title as string | undefined) ?? '';
  const notes = (row.fields.notes as string | undefined) ?? '';
  const line = title.includes('\n') ? title.replaceAll('\n', ' ') : title;
  return fold(notes === '' ? line : `${line}\n${notes}`);
}

const noLabels: readonly Id[] = [];
const noIds: readonly Id[] = [];

/** What a task is and has, as bits: most tasks are passed over without touching their rows. */
export const bits = {
  here: 1,
  shown: 1 << 1,
  done: 1 << 2,
  cleared: 1 << 3,
  due: 1 << 4,
  start: 1 << 5,
  snooze: 1 << 6,
  duration: 1 << 7,
  repeat: 1 << 8,
  notes: 1 << 9,
  label: 1 << 10,
  metadata: 1 << 11,
  bookmark: 1 << 12,
  origin: 1 << 13,
} as const;

/** Registers whose presence is a bit. */
const PRESENCE = [
  ['due', bits.due],
  ['start', bits.start],
  ['duration', bits.duration],
  ['repeat', bits.repeat],
  ['notes', bits.notes],
  ['origin', bits.origin],
] as const;

function bitsOf(row: Row, mine: Row | undefined, hasLabel: boolean): number {
  let found = isTrashed(row) ? 0 : bits.here;
  if (isShown(row)) found |= bits.shown;
  if (isDone(row)) found |= bits.done;
  if (isCleared(row)) found |= bits.cleared;
  if (hasLabel) found |= bits.label;
  const { fields } = row;
  for (const [register, bit] of PRESENCE) if ((fields[register] ?? '') !== '') found |= bit;
  for (const register in fields) if (register.startsWith('meta:')) found |= bits.metadata;
  return mine ? found | mineBits(mine) : found;
}

function mineBits(mine: Row): number {
  let found = (mine.fields.snooze ?? null) === null ? 0 : bits.snooze;
  if ((mine.fields.bookmarkedAt ?? null) !== null) found |= bits.bookmark;
  return labelsOf(mine).length > 0 ? found | bits.label : found;
}

function labelsOf(row: Row): readonly Id[] {
  let found: Id[] | null = null;
  for (const register in row.fields) {
    if (!register.startsWith('label:') || row.fields[register] !== true) continue;
    found ??= [];
    found.push(register.slice('label:'.length) as Id);
  }
  return found ?? noLabels;
}

/** A completed occurrence is found where completed tasks are asked for, and nowhere else. */
function bitsOfRecord(row: Row, hasLabel: boolean): number {
  if (isTrashed(row)) return 0;
  const has = (register: string) => (row.fields[register] ?? null) !== null;
  const dates = (has('due') ? bits.due : 0) | (has('start') ? bits.start : 0);
  return bits.here | bits.done | bits.repeat | dates | (hasLabel ? bits.label : 0);
}

const OTHERS: ReadonlySet<Row['type']> = new Set(['mine', 'list', 'label', 'labelGroup']);

export class TaskIndex {
  readonly #ids: Id[] = [];
  readonly #texts: string[] = [];
  readonly #bits = new IntegerColumn();
  /** The number of what a task stands directly under, and one; 0 for none. */
  readonly #parents = new IntegerColumn();
  /** By the number of a parent: how many tasks that show stand directly under it. */
  readonly #under = new IntegerColumn();
  /** Slots of tasks under which some stand that show. */
  readonly #parenting = new SlotSet();
  /** Dates as codes (when-code.ts), moments in milliseconds, lengths in minutes. */
  readonly due = new NumberColumn();
  readonly start = new NumberColumn();
  readonly snooze = new NumberColumn();
  readonly created = new NumberColumn();
  readonly done = new NumberColumn();
  readonly duration = new NumberColumn();
  readonly #numbers = new Map<Id, number>();
  readonly #numbered: Id[] = [];
  readonly #rows: Row[] = [];
  readonly #labels: (readonly Id[])[] = [];
  readonly #slots = new Map<Id, number>();
  /** What is one person's own about a task or list, by what it is about. */
  readonly #mine = new Map<Id, Row>();
  /** Lists, folders, labels and their groups: what has a name that queries know. */
  readonly #named = new Map<Id, Row>();
  /** Completed occurrences by the task they are of. */
  readonly #records = new Map<Id, Id[]>();
  readonly #source: Pick<RowSource, 'all' | 'row'>;
  /** Rows not read yet; null when all are in. */
  #unread: Iterator<Row> | null;
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

  /** Reads up to so many rows on; for idle moments. */
  readSome(count: number): void {
    for (let left = count; left > 0 && this.#unread; left -= 1) {
      const next = this.#unread.next();
      if (next.done === true) this.#unread = null;
      else this.#put(next.value);
    }
  }

  apply(changes: readonly RowChange[]): void {
    for (const { id, before, after } of changes) {
      const type = (after ?? before)?.type;
      if (type !== 'task' && type !== 'completion') {
        this.#takeOther(before, after);
        continue;
      }
      if (type === 'task') this.#followTask(id, after);
      const slot = this.#slots.get(id);
      const isSameText =
        before?.fields.title === after?.fields.title && before?.fields.notes === after?.fields.notes;
      if (slot !== undefined && (isSameText || !after)) this.#flag(slot, after);
      else if (after) {
        this.#put(after);
        this.#lastWords = [];
      }
    }
  }

  /** How many tasks were read; their slots are the numbers below. */
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

  /** Whether a task shows at all, as far as it decides itself. */
  showsAt(slot: number): boolean {
    return (this.#bits.at(slot) & bits.shown) !== 0;
  }

  /** A small number for what the task stands under, the same for all that stand there; −1 for none. */
  parentAt(slot: number): number {
    return this.#parents.at(slot) - 1;
  }

  /** Whether tasks that show stand directly under one. */
  hasChildrenAt(slot: number): boolean {
    return this.#parenting.has(slot);
  }

  parentId(number: number): Id | undefined {
    return this.#numbered[number];
  }

  rowAt(slot: number): Row | undefined {
    return this.#rows[slot];
  }

  /** Folded title, and after a line break the notes. */
  textAt(slot: number): string {
    return this.#texts[slot] ?? '';
  }

  labelsAt(slot: number): readonly Id[] {
    return this.#labels[slot] ?? noLabels;
  }

  /** Whether one of the labels that are the person's own there is among these. */
  hasOwnLabel(slot: number, ids: ReadonlySet<Id>): boolean {
    const id = this.#ids[slot];
    const mine = this.#mine.size === 0 || id === undefined ? undefined : this.#mine.get(id);
    return mine !== undefined && labelsOf(mine).some((label) => ids.has(label));
  }

  mineOf(id: Id): Row | undefined {
    return this.#mine.get(id);
  }

  /** Of the occurrences of a task that were completed, the records. */
  recordsOf(task: Id): readonly Id[] {
    return this.#records.get(task) ?? noIds;
  }

  /** What decides whether a slot is hidden: a task itself, of a completed occurrence the task. */
  taskAt(slot: number): Id {
    const row = this.#rows[slot];
    return (row?.type === 'completion' ? row.fields.task : this.#ids[slot]) as Id;
  }

  get named(): ReadonlyMap<Id, Row> {
    return this.#named;
  }

  /**
   * Tasks that contain every word of the query, open ones first; not more than `most`. `isHidden` excludes what lies
   * under the trash.
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

  /** Whether a task belongs among the results of a query. */
  matches(id: Id, query: string): boolean {
    const slot = this.#slots.get(id);
    if (slot === undefined || (this.bitsAt(slot) & bits.shown) === 0) return false;
    const text = this.#texts[slot] ?? '';
    return tokensOf(query).every((token) => text.includes(token));
  }

  /** Slots of the tasks whose text contains every one of some folded words; at least one. */
  slotsWith(words: readonly string[]): readonly number[] {
    this.readSome(Number.MAX_SAFE_INTEGER);
    // What contains the longer word contained the shorter one.
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
    if (row.type !== 'task' && row.type !== 'completion') {
      this.#takeOther(undefined, row);
      return;
    }
    if (row.type === 'task') this.#followTask(row.id, row);
    let slot = this.#slots.get(row.id);
    if (slot === undefined) {
      slot = this.#ids.length;
      this.#slots.set(row.id, slot);
      this.#ids.push(row.id);
      // Tasks under it may have come before it.
      const number = this.#numbers.get(row.id);
      if (number !== undefined) this.#setUnder(number, this.#under.at(number));
    }
    this.#texts[slot] = textOf(row);
    this.#flag(slot, row);
  }

  #flag(slot: number, row: Row | undefined): void {
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
    this.due.set(slot, codeOf(fields.due as When | null | undefined));
    this.start.set(slot, codeOf(fields.start as When | null | undefined));
    this.snooze.set(slot, codeOf(mine?.fields.snooze as When | null | undefined));
    this.created.set(slot, row.createdAt);
    this.done.set(slot, statusOf(row)?.done ?? Number.NaN);
    this.duration.set(slot, (fields.duration as number | null | undefined) ?? Number.NaN);
  }

  /** Where a completed occurrence stands, and its labels, are those of its task. */
  #flagRecord(slot: number, row: Row): void {
    const of = row.fields.task as Id;
    const records = this.#records.get(of);
    if (!records) this.#records.set(of, [row.id]);
    else if (!records.includes(row.id)) records.push(row.id);
    this.#rows[slot] = row;
    this.created.set(slot, row.createdAt);
    this.done.set(slot, row.fields.at as number);
    this.due.set(slot, codeOf(row.fields.due as When | null | undefined));
    this.start.set(slot, codeOf(row.fields.start as When | null | undefined));
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
    const key = row.type === 'mine' ? (row.fields.of as Id) : row.id;
    if (after) into.set(key, after);
    else into.delete(key);
    const slot = row.type === 'mine' ? this.#slots.get(key) : undefined;
    if (slot !== undefined && this.bitsAt(slot) !== 0) this.#flag(slot, this.#rows[slot]);
  }
}
