// The lines of an opened smart list: its matches, each with its subtasks. A task that matches by itself and is also
// under a match appears twice, so lines are identified by number, and the cursor by its line. Lines are slots of the
// index: a change of one match moves only its lines, among a hundred thousand.
import type { Id } from '#core/ids.ts';
import { SlotList } from '#sync/query/columns.ts';
import type { TaskIndex } from '#sync/query/task-index.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { isShown, placeOf } from '#sync/rows/row-reading.ts';
import type { Outline, OutlineSource } from '../outline/outline.ts';
import type { RowHeading } from '../app/view.ts';
import type { DayGroup, DayHeadings } from './day-headings.ts';
import type { LiveList } from './live-list.ts';
import type { Touched } from './smart-lists.ts';
import { walkUp } from '#core/walk-up.ts';
import { parentOf } from '#sync/rows/ancestors.ts';

export interface SmartSource extends OutlineSource {
  readonly index: TaskIndex;
  readonly list: Id;
  /** As far as it is known; null when the list is gone. */
  live(): LiveList | null;
  /** The setting; a directive in the query overrides it. */
  nested(): boolean;
  duplicates(): boolean;
  /** The task whose title is being edited: it stays until it is left. */
  held(): Id | null;
  /** Headings of the present day. */
  days(): DayHeadings;
}

/** With more changed matches than this at once, all lines are rebuilt. */
const MANY = 100;
/** Of more under one heading, the number is not counted. */
const MOST_COUNTED = 999;

interface Block {
  readonly slots: readonly number[];
  readonly levels: readonly number[];
}

const noBlock: Block = { slots: [], levels: [] };

export class SmartOutline implements Outline {
  readonly isTree = false;
  readonly list: Id;
  readonly #source: SmartSource;
  readonly #slots = new SlotList();
  readonly #levels = new SlotList();
  /** The match above each line. */
  readonly #owners = new SlotList();
  /** Number of matches. */
  #roots = 0;
  /** The preferred line of an id that has several. */
  #near = 0;
  #mark = 0;
  /** The task that stays although it no longer matches. */
  #kept: Id | null = null;
  /** Matches under the heading of a line. */
  readonly #counts = new Map<number, string>();
  #days: DayHeadings | null = null;

  constructor(source: SmartSource) {
    this.#source = source;
    this.list = source.list;
    this.#arrange();
  }

  get length(): number {
    return this.#slots.length;
  }

  get marked(): number {
    return this.#mark;
  }

  get showsNested(): boolean {
    return this.#source.live()?.asked.query.directives.nested ?? this.#source.nested();
  }

  get #showsDuplicates(): boolean {
    return this.#source.live()?.asked.query.directives.duplicates ?? this.#source.duplicates();
  }

  mark(index: number): void {
    this.#mark = index;
  }

  prefer(index: number): void {
    this.#near = index;
  }

  at(index: number): Id | undefined {
    return this.#source.index.idAt(this.#slots.at(index));
  }

  levelAt(index: number): number {
    return Math.max(1, this.#levels.at(index));
  }

  /** Distinguishes this line from others of the same task. */
  lineAt(index: number): string {
    const id = this.at(index) ?? '';
    const owner = this.#owners.at(index);
    return owner === this.#slots.at(index) ? id : `${this.#source.index.idAt(owner) ?? id}.${id}`;
  }

  /** Lists that are sorted by due date are divided by days. */
  headingAt(index: number): RowHeading | null {
    const group = this.#groupAt(index);
    if (group === null || (index > 0 && this.#groupAt(index - 1)?.key === group.key)) return null;
    let count = this.#counts.get(index);
    if (count === undefined) {
      count = this.#countFrom(index, group);
      this.#counts.set(index, count);
    }
    return { ...group.heading, count };
  }

  dayAt(index: number): string | null {
    return this.#groupAt(index)?.day ?? null;
  }

  /** By the date of the match above the line. */
  #groupAt(index: number): DayGroup | null {
    const list = this.#source.live();
    if (list?.sort?.field !== 'due-date') return null;
    const days = this.#source.days();
    if (days !== this.#days) this.#counts.clear();
    this.#days = days;
    return days.groupOf(list.dateAt(this.#owners.at(index)));
  }

  #countFrom(index: number, { key }: DayGroup): string {
    let count = 0;
    for (let at = index; at < this.#slots.length && count <= MOST_COUNTED; at += 1) {
      if (this.#levels.at(at) > 1) continue;
      if (this.#groupAt(at)?.key !== key) break;
      count += 1;
    }
    return count > MOST_COUNTED ? `${MOST_COUNTED}+` : String(count);
  }

  indexOf(id: Id): number {
    const slot = this.#source.index.slotOf(id);
    if (slot === undefined) return -1;
    return this.#slots.at(this.#near) === slot ? this.#near : this.#slots.indexOf(slot);
  }

  has(id: Id): boolean {
    return this.indexOf(id) >= 0;
  }

  positionOf(id: Id): { readonly index: number; readonly size: number } {
    const at = this.indexOf(id);
    if (this.levelAt(at) === 1) return { index: this.#rankOf(at), size: this.#roots };
    const row = this.#source.replica.row(id);
    const parent = placeOf(row)?.parent;
    if (!row || parent === undefined) return { index: 1, size: 1 };
    const { children } = this.#source;
    return { index: children.indexOf(row) + 1, size: children.of(parent).items.length };
  }

  /** The number of the match on a line, from 1. */
  #rankOf(line: number): number {
    const rank = this.#source.live()?.rankOf(this.#slots.at(line)) ?? -1;
    if (rank >= 0 && this.#isPlain) return rank + 1;
    let count = 0;
    for (let at = 0; at <= line; at += 1) if (this.#levels.at(at) === 1) count += 1;
    return count;
  }

  /** The outline's top level and the matches correspond one to one. */
  get #isPlain(): boolean {
    return this.#kept === null && (this.#showsDuplicates || !this.showsNested);
  }

  apply(): void {
    // `update` changes the lines, once the lists have checked.
  }

  /** The lists have checked the changes. `touched`: matches of this list that may have changed or moved. */
  update(changes: readonly RowChange[], touched: Touched | undefined): void {
    const list = this.#source.live();
    const held = this.#source.held();
    const isHeld = this.#kept !== null || (held !== null && list?.has(held) !== true);
    const slots = this.#changedUnder(changes);
    if (
      touched === null ||
      (isHeld && (touched !== undefined || slots.size > 0 || (this.#kept !== null && this.#kept !== held)))
    ) {
      this.#arrange();
      return;
    }
    for (const slot of touched ?? []) slots.add(slot);
    if (slots.size === 0) return;
    const isLimited = list?.asked.query.directives.limit !== null;
    if (!list || isLimited || !this.#isPlain || slots.size > MANY || list.needsWork) this.#arrange();
    else this.#replace(list, [...slots]);
  }

  /** Matches under which tasks came, went or moved. */
  #changedUnder(changes: readonly RowChange[]): Set<number> {
    const found = new Set<number>();
    for (const { before, after } of changes) {
      const row = after ?? before;
      if (row?.type === 'mine') this.#addAbove(row.fields.of, found);
      if (row?.type !== 'task' || !differs(before, after)) continue;
      for (const parent of new Set([placeOf(before)?.parent, placeOf(after)?.parent]))
        if (parent !== undefined) this.#addAbove(parent, found);
      this.#addAbove(row.id, found);
    }
    return found;
  }

  /** A task and its ancestors, as far as they are shown. */
  #addAbove(start: Id, into: Set<number>): void {
    for (const id of this.#walkUp(start)) {
      const slot = this.#source.index.slotOf(id);
      if (slot !== undefined && this.#slots.indexOf(slot) >= 0) into.add(slot);
    }
  }

  /** Moves the lines of some matches to their new positions. */
  #replace(list: LiveList, slots: readonly number[]): void {
    this.#counts.clear();
    const cursor = this.#slots.at(this.#near);
    for (const slot of slots) {
      const at = this.#owners.indexOf(slot);
      if (at < 0) continue;
      let end = at + 1;
      while (end < this.#owners.length && this.#owners.at(end) === slot) end += 1;
      this.#splice(at, end - at, slot, null);
      this.#roots -= 1;
    }
    const came = slots
      .map((slot) => ({ slot, rank: list.rankOf(slot) }))
      .filter(({ rank }) => rank >= 0)
      .toSorted((a, b) => b.rank - a.rank);
    const all = list.slots;
    // Backwards: the lines behind each one are in place already.
    for (const { slot, rank } of came) {
      const next = all[rank + 1];
      const at = next === undefined ? this.#slots.length : this.#owners.indexOf(next);
      this.#splice(at, 0, slot, this.#blockOf(slot));
      this.#roots += 1;
    }
    this.#near = this.#nearest(cursor);
  }

  #splice(at: number, count: number, owner: number, block: Block | null): void {
    const isIn = block !== null;
    const lines = isIn ? block.slots.length + 1 : 0;
    this.#slots.splice(at, count, isIn ? [owner, ...block.slots] : []);
    this.#levels.splice(at, count, isIn ? [1, ...block.levels] : []);
    this.#owners.splice(at, count, new Int32Array(lines).fill(owner));
  }

  /** Any number of tasks were collapsed or expanded. */
  refold(): void {
    this.#arrange();
  }

  #arrange(): void {
    this.#counts.clear();
    const cursor = this.#slots.at(this.#near);
    const roots = this.#wanted();
    for (const lines of [this.#slots, this.#levels, this.#owners]) lines.splice(0, lines.length, []);
    this.#roots = roots.length;
    const { index } = this.#source;
    const nested = this.showsNested;
    for (const root of roots) {
      this.#push(root, 1, root);
      if (!nested || !index.hasChildrenAt(root)) continue;
      const block = this.#blockOf(root);
      for (let at = 0; at < block.slots.length; at += 1)
        this.#push(block.slots[at] as number, block.levels[at] ?? 2, root);
    }
    this.#near = this.#nearest(cursor);
  }

  #push(slot: number, level: number, owner: number): void {
    this.#slots.push(slot);
    this.#levels.push(level);
    this.#owners.push(owner);
  }

  /** The line of a task nearest to its previous one. */
  #nearest(slot: number): number {
    const old = this.#near;
    if (slot < 0 || this.#slots.at(old) === slot) return old;
    for (let away = 1; away < this.#slots.length + old; away += 1) {
      if (this.#slots.at(old - away) === slot) return old - away;
      if (this.#slots.at(old + away) === slot) return old + away;
    }
    return old;
  }

  #wanted(): ArrayLike<number> & Iterable<number> {
    const list = this.#source.live();
    this.#kept = null;
    if (!list) return [];
    let { slots } = list;
    const held = this.#source.held();
    const heldSlot = held === null ? undefined : this.#source.index.slotOf(held);
    if (held !== null && heldSlot !== undefined && !list.has(held)) {
      const at = this.#owners.indexOf(heldSlot);
      if (at >= 0 && isShown(this.#source.replica.row(held))) {
        const matches = new SlotList(slots.slice());
        matches.splice(Math.min(this.#rankOf(at) - 1, matches.length), 0, [heldSlot]);
        slots = matches.view;
        this.#kept = held;
      }
    }
    if (this.#showsDuplicates || !this.showsNested) return slots;
    const all = new Set(slots);
    return slots.filter((slot) => !this.#hasAbove(slot, all));
  }

  #hasAbove(slot: number, among: ReadonlySet<number>): boolean {
    const { index } = this.#source;
    for (const id of this.#walkUp(index.parentId(index.parentAt(slot)))) {
      const above = index.slotOf(id);
      if (above === undefined) return false;
      if (among.has(above)) return true;
    }
    return false;
  }

  #walkUp(start: Id | undefined): Iterable<Id> {
    return walkUp(start, (id) => parentOf(this.#source.replica.row(id)));
  }

  #blockOf(root: number): Block {
    const { index, children } = this.#source;
    const start = index.idAt(root);
    if (start === undefined || !this.showsNested || !index.hasChildrenAt(root)) return noBlock;
    const slots: number[] = [];
    const levels: number[] = [];
    const stack: { id: Id; level: number }[] = [];
    const open = (id: Id, level: number) => {
      if (this.#source.isCollapsed(id)) return;
      const { items } = children.of(id);
      for (let at = items.length - 1; at >= 0; at -= 1)
        stack.push({ id: (items[at] as { id: Id }).id, level });
    };
    open(start, 2);
    for (let line = stack.pop(); line; line = stack.pop()) {
      const slot = index.slotOf(line.id);
      if (slot === undefined) continue;
      slots.push(slot);
      levels.push(line.level);
      open(line.id, line.level + 1);
    }
    return { slots, levels };
  }
}

function differs(before: RowChange['before'], after: RowChange['after']): boolean {
  const [a, b] = [placeOf(before), placeOf(after)];
  return isShown(before) !== isShown(after) || a?.parent !== b?.parent || a?.key !== b?.key;
}
