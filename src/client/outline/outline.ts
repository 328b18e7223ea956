// The visible outline of an open place: which task is on which line at which level. Updated with row changes, so that
// one change costs about the same in a list of 100,000 tasks as in one of ten. Flat lists are in flat-outline.ts.
import type { Id } from '#core/ids.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import type { Row } from '#sync/rows/row.ts';
import type { RowHeading } from '../app/view.ts';
import type { Children, Shows } from './children.ts';
import { isShown, placeOf } from '#sync/rows/row-reading.ts';
import { type Lines, noLines, RowSequence } from './row-sequence.ts';
import { parentOf, rowAndAbove } from '#sync/rows/ancestors.ts';

/**
 * The lines of a place, as cursor, selection and drawing need them. Implemented by trees, flat lists, search results,
 * smart and sorted lists; each applies changes of rows itself or leaves that to its owner.
 */
export interface Outline {
  readonly length: number;
  at(index: number): Id | undefined;
  levelAt(index: number): number;
  /** −1 when the row is not visible. */
  indexOf(id: Id): number;
  has(id: Id): boolean;
  /** Position among siblings, from 1. */
  positionOf(id: Id): { readonly index: number; readonly size: number };
  /** Whether lines of one level are siblings that may be moved; false for a flat result. */
  readonly isTree: boolean;
  /** It is sorted: nothing can be moved by hand. */
  readonly isSorted?: boolean;
  /** Whether lines may have children; as `isTree` if absent. */
  readonly showsNested?: boolean;
  /** For a task with several lines: the next `indexOf` means this one. */
  prefer?(index: number): void;
  /** Distinguishes a line from others of the same task; absent: its id. */
  lineAt?(index: number): string;
  /** The heading above a line; null: it stands under the one before it. Absent: there are none. */
  headingAt?(index: number): RowHeading | null;
  /** The day that its heading says, 2026-11-27; null: none. */
  dayAt?(index: number): string | null;
  /** Remembers a line and follows it through changes; `marked` is its current index. */
  mark(index: number): void;
  readonly marked: number;
  apply(changes: readonly RowChange[]): void;
  /** A row was collapsed or expanded. */
  fold?(id: Id): void;
  /** Any number of rows were collapsed or expanded. */
  refold?(): void;
  /** Lines that stayed only because they were being edited may go. */
  settle?(): void;
}

/** With more structural changes than this, and more than half the lines, the outline is rebuilt. */
const REBUILD = 1_000;

function isStructural(change: RowChange, shows: Shows): boolean {
  const was = shows(change.before);
  const is = shows(change.after);
  if (was !== is) return true;
  const a = placeOf(change.before);
  const b = placeOf(change.after);
  return is && (a?.parent !== b?.parent || a?.key !== b?.key);
}

/** The rows that a tree outline is made of. */
export interface OutlineSource {
  readonly replica: Pick<Replica, 'row'>;
  readonly children: Children;
  isCollapsed(id: Id): boolean;
  /** As given to `children`; absent: tasks. */
  readonly shows?: Shows;
}

/** The outline of a list or task: its shown descendants in order, without those under collapsed tasks. */
export class TreeOutline implements Outline {
  readonly isTree = true;
  readonly root: Id;
  readonly #source: OutlineSource;
  readonly #shows: Shows;
  readonly #lines = new RowSequence();
  #mark = 0;

  constructor(source: OutlineSource, root: Id) {
    this.#source = source;
    this.#shows = source.shows ?? isShown;
    this.root = root;
    this.#rebuild();
  }

  get length(): number {
    return this.#lines.length;
  }

  get marked(): number {
    return this.#mark;
  }

  mark(index: number): void {
    this.#mark = index;
  }

  at(index: number): Id | undefined {
    return this.#lines.at(index);
  }

  levelAt(index: number): number {
    return this.#lines.levelAt(index);
  }

  indexOf(id: Id): number {
    return this.#lines.indexOf(id);
  }

  has(id: Id): boolean {
    return this.#lines.has(id);
  }

  positionOf(id: Id): { readonly index: number; readonly size: number } {
    const row = this.#source.replica.row(id);
    const parent = placeOf(row)?.parent;
    if (!row || !parent) return { index: 1, size: 1 };
    return {
      index: this.#source.children.indexOf(row) + 1,
      size: this.#source.children.of(parent).items.length,
    };
  }

  /** Call it after `children` has applied the changes. */
  apply(changes: readonly RowChange[]): void {
    const moved = new Set<Id>();
    for (const change of changes) if (isStructural(change, this.#shows)) moved.add(change.id);
    if (moved.size === 0) return;
    if (moved.size > REBUILD && moved.size > this.#lines.length / 2) {
      this.#rebuild();
      return;
    }
    for (const id of moved) this.#removeFrom(id, moved);
    this.#insertAll(moved);
  }

  /** A row was collapsed or expanded. */
  fold(id: Id): void {
    const index = this.#lines.indexOf(id);
    if (index < 0) return;
    const end = this.#lines.subtreeEnd(index);
    this.#replace(index + 1, end - index - 1, this.#linesUnder(id, this.#lines.levelAt(index)));
  }

  /** Any number of rows were collapsed or expanded. */
  refold(): void {
    this.#rebuild();
  }

  #rebuild(): void {
    this.#lines.replaceAll(this.#linesUnder(this.root, 0));
    this.#mark = Math.min(this.#mark, Math.max(0, this.#lines.length - 1));
  }

  #replace(start: number, deleteCount: number, lines: Lines): void {
    this.#lines.splice(start, deleteCount, lines);
    if (this.#mark >= start + deleteCount) this.#mark += lines.ids.length - deleteCount;
    else if (this.#mark >= start && deleteCount > 0) this.#mark = start;
  }

  /** Removes a row with its subtree, and adjacent moved rows after it: usually that is all of them. */
  #removeFrom(id: Id, moved: ReadonlySet<Id>): void {
    const index = this.#lines.indexOf(id);
    if (index < 0) return;
    let end = this.#lines.subtreeEnd(index);
    for (let next = this.#lines.at(end); next !== undefined && moved.has(next); next = this.#lines.at(end))
      end = this.#lines.subtreeEnd(end);
    this.#replace(index, end - index, noLines);
  }

  #insertAll(moved: ReadonlySet<Id>): void {
    const byParent = new Map<Id, Row[]>();
    for (const id of moved) {
      const row = this.#source.replica.row(id);
      const parent = placeOf(row)?.parent;
      if (!this.#shows(row) || !parent || !this.#isOpen(parent)) continue;
      if (this.#source.children.conceals(id)) continue;
      const group = byParent.get(parent);
      if (group) group.push(row);
      else byParent.set(parent, [row]);
    }
    // Upper levels first, and each group from its end: the line to insert before then exists already.
    const groups = [...byParent].map(([parent, rows]) => ({ rows, level: this.#lines.levelOf(parent) }));
    groups.sort((a, b) => a.level - b.level);
    for (const { rows, level } of groups) this.#insertGroup(rows, level + 1);
  }

  #insertGroup(rows: readonly Row[], level: number): void {
    const { children } = this.#source;
    const placed = rows.map((row) => ({ row, index: children.indexOf(row) }));
    placed.sort((a, b) => b.index - a.index);
    for (let first = 0; first < placed.length;) {
      // Neighbors are inserted together.
      let last = first;
      while (placed[last + 1] && placed[last + 1]?.index === (placed[last]?.index ?? 0) - 1) last += 1;
      const run = placed.slice(first, last + 1).toReversed();
      const tail = run.at(-1)?.row;
      const fresh = run.filter(({ row }) => !this.#lines.has(row.id));
      if (tail && fresh.length > 0) {
        const at = this.#indexAfter(tail);
        const lines = { ids: [] as Id[], levels: [] as number[] };
        for (const { row } of fresh) this.#collect(row.id, level, lines);
        this.#replace(at, 0, lines);
      }
      first = last + 1;
    }
  }

  /** The index for a new row: before the line that follows its subtree. */
  #indexAfter(row: Row): number {
    for (const at of rowAndAbove(row, (id) => this.#source.replica.row(id))) {
      const next = this.#source.children.neighbour(at, 1);
      if (next !== undefined) {
        const index = this.#lines.indexOf(next);
        if (index >= 0) return index;
      }
      if (parentOf(at) === this.root) break;
    }
    return this.#lines.length;
  }

  #isOpen(parent: Id): boolean {
    return parent === this.root || (this.#lines.has(parent) && !this.#source.isCollapsed(parent));
  }

  #linesUnder(parent: Id, level: number): { ids: Id[]; levels: number[] } {
    const lines = { ids: [] as Id[], levels: [] as number[] };
    if (parent !== this.root && this.#source.isCollapsed(parent)) return lines;
    for (const { id } of this.#source.children.of(parent).items) this.#collect(id, level + 1, lines);
    return lines;
  }

  /** Appends a row and its visible descendants; a loop, because nesting may be 1,000 deep. */
  #collect(start: Id, startLevel: number, into: { ids: Id[]; levels: number[] }): void {
    const stack: { id: Id; level: number }[] = [{ id: start, level: startLevel }];
    for (let line = stack.pop(); line; line = stack.pop()) {
      into.ids.push(line.id);
      into.levels.push(line.level);
      if (this.#source.isCollapsed(line.id)) continue;
      const { items } = this.#source.children.of(line.id);
      for (let index = items.length - 1; index >= 0; index -= 1) {
        const child = items[index];
        if (child) stack.push({ id: child.id, level: line.level + 1 });
      }
    }
  }
}
