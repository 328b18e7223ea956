// The past outline at one moment, beside the present one: walks from moment to moment by their changes, and tracks the
// differences from now. Showing and choosing lines is in time-machine.ts.
import { labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { Past } from '#sync/replica/history-view.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import type { Row } from '#sync/rows/row.ts';
import { atLeisure, type IsOver } from '#sync/query/scan.ts';
import { Children } from '../outline/children.ts';
import { isCleared, isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { TreeOutline } from '../outline/outline.ts';
import { ChangedAt } from './changed-at.ts';
import { type Comparing, type Difference, differencesOf, isHidden, isLiving } from './differences.ts';
import type { Gesture } from './gestures.ts';
import { aboutOf, type Moment, Moments, type Root, stands } from './moments.ts';

/** Rows compared between two looks at the clock. */
const STRIDE = 32;

const none: readonly Id[] = [];

type Now = Pick<Replica, 'row' | 'children' | 'scope'>;

const SHOWN: ReadonlySet<string> = new Set(['task', 'list', 'label', 'labelGroup', 'attachment', 'comment']);

function isShown(row: Row | undefined): row is Row {
  return row !== undefined && SHOWN.has(row.type) && !isTrashed(row) && !isCleared(row);
}

function count(counts: Map<Id, number>, ids: ReadonlySet<Id>, by: 1 | -1): void {
  for (const id of ids) {
    const sum = (counts.get(id) ?? 0) + by;
    if (sum > 0) counts.set(id, sum);
    else counts.delete(id);
  }
}

const backwards = ({ id, before, after }: RowChange): RowChange => ({ id, before: after, after: before });

export class Travel {
  readonly root: Root;
  readonly comparing: Comparing;
  readonly #moments: Moments;
  readonly #changedAt = new ChangedAt();
  readonly #past: Past;
  /** What stood in what then. */
  readonly children: Children;
  readonly #outlines: readonly TreeOutline[];
  /** Rows that changed between then and now, with the number of moments that changed them. */
  readonly #touched = new Map<Id, number>();
  /** The personal rows of these tasks. */
  readonly #ownTouched = new Map<Id, number>();
  /** The differences of these rows, if any. */
  readonly #differences = new Map<Id, readonly Difference[]>();
  /** Rows that were elsewhere then, or did not exist. */
  readonly #elsewhere = new Set<Id>();
  /** Changed on the way here, and not yet compared with now. */
  readonly #uncompared = new Set<Id>();
  #position = 0;
  #seen: { later?: readonly Id[]; around?: readonly Id[] } = {};

  /** `now` must not change during use: then a new instance is needed. */
  constructor(root: Root, now: Now) {
    this.root = root;
    this.#moments = new Moments(root, now);
    this.#past = new Past(now);
    this.comparing = { past: this.#past, now, scope: now.scope };
    this.children = new Children(this.#past, undefined, isShown);
    const source = {
      replica: this.#past,
      children: this.children,
      isCollapsed: () => false,
      shows: isShown,
    };
    this.#outlines = this.roots.map((id) => new TreeOutline(source, id));
  }

  /** The ids under which everything stands. */
  get roots(): readonly Id[] {
    const { scope } = this.comparing;
    return this.root === null ? [listsRoot(scope), labelsRoot(scope)] : [this.root];
  }

  /** Newest first. */
  get moments(): readonly Moment[] {
    return this.#moments.list;
  }

  /** Number of moments between then and now. */
  get position(): number {
    return this.#position;
  }

  add(gestures: readonly Gesture[]): void {
    this.#moments.add(gestures);
    this.#changedAt.add(gestures);
  }

  /** When what differs became what it is now; null: that is not on record. */
  changedAt({ change }: Difference): number | null {
    return this.#changedAt.of(change);
  }

  /** Walks to the state before the newest `position` moments. Its differences are known after `compare`. */
  goTo(position: number): void {
    const { list } = this.#moments;
    const target = Math.max(0, Math.min(position, list.length));
    while (this.#position < target) {
      this.#walk((list[this.#position] as Moment).changes, 1);
      this.#position += 1;
    }
    while (this.#position > target) {
      this.#position -= 1;
      this.#walk((list[this.#position] as Moment).changes.toReversed().map(backwards), -1);
    }
  }

  #walk(changes: readonly RowChange[], by: 1 | -1): void {
    // A row may have changed more than once on the way.
    const first = new Map<Id, RowChange>();
    for (const change of changes) {
      const known = first.get(change.id);
      first.set(change.id, known ? { ...known, after: change.after } : change);
    }
    const whole = [...first.values()];
    this.#seen = {};
    this.#past.replay(whole);
    this.children.apply(whole);
    for (const outline of this.#outlines) outline.apply(whole);
    const about = new Set<Id>();
    const own = new Set<Id>();
    for (const { before, after } of whole) {
      const row = before ?? after;
      if (row === undefined) continue;
      about.add(aboutOf(row));
      if (row.type === 'mine') own.add(aboutOf(row));
    }
    count(this.#touched, about, by);
    count(this.#ownTouched, own, by);
    // Only changes on the way are considered, however much differs.
    for (const id of about) {
      this.#differences.delete(id);
      this.#elsewhere.delete(id);
      this.#uncompared.add(id);
    }
  }

  /** All differences are known. */
  get isCompared(): boolean {
    return this.#uncompared.size === 0;
  }

  /** Compares the changes on the way with now until the time is over. True when all are compared. */
  compare(isOver: IsOver = atLeisure): boolean {
    let left = STRIDE;
    for (const id of this.#uncompared) {
      this.#lookAt(id);
      left -= 1;
      if (left > 0) continue;
      if (isOver()) break;
      left = STRIDE;
    }
    return this.isCompared;
  }

  #lookAt(id: Id): void {
    this.#uncompared.delete(id);
    this.#seen = {};
    if (!this.#touched.has(id)) return;
    const found = differencesOf(id, this.comparing, { hasOwn: this.#ownTouched.has(id) });
    if (found.length > 0) this.#differences.set(id, found);
    const [was, is] = [this.#past.row(id), this.comparing.now.row(id)];
    if (is === undefined || !SHOWN.has(is.type) || id === this.root) return;
    // Its own parent is unchanged: if it came here since then, an ancestor moved.
    if (!isLiving(was) || placeOf(was)?.parent !== placeOf(is)?.parent) this.#elsewhere.add(id);
  }

  get length(): number {
    return this.#outlines.reduce((sum, outline) => sum + outline.length, 0);
  }

  at(index: number): { readonly id: Id; readonly level: number } | null {
    let rest = index;
    for (const outline of this.#outlines) {
      const id = outline.at(rest);
      if (id !== undefined) return { id, level: outline.levelAt(rest) };
      rest -= outline.length;
    }
    return null;
  }

  /** −1 if it did not exist. */
  indexOf(id: Id): number {
    let before = 0;
    for (const outline of this.#outlines) {
      const index = outline.indexOf(id);
      if (index >= 0) return before + index;
      before += outline.length;
    }
    return -1;
  }

  levelOf(id: Id): number {
    const index = this.indexOf(id);
    return index < 0 ? 0 : (this.at(index)?.level ?? 0);
  }

  /** Changes of a row since then. */
  differences(id: Id): readonly Difference[] {
    if (this.#uncompared.has(id)) this.#lookAt(id);
    return this.#differences.get(id) ?? [];
  }

  /** Number of differing lines, as far as compared. */
  get differingCount(): number {
    let count = 0;
    for (const id of this.#differences.keys())
      if (this.#outlines.some((outline) => outline.has(id))) count += 1;
    return count;
  }

  /** The topmost rows that are here now and were not then; none before everything is compared. */
  get later(): readonly Id[] {
    return this.isCompared ? (this.#seen.later ??= this.#findLater()) : none;
  }

  /** Differing lines with their ancestors, in order; none before everything is compared. */
  get around(): readonly Id[] {
    return this.isCompared ? (this.#seen.around ??= this.#findAround()) : none;
  }

  #findAround(): readonly Id[] {
    if (this.#differences.size === 0) return none;
    return this.#outlines.flatMap((outline) => this.#aroundIn(outline));
  }

  /** Backwards: the next line of a higher level is the parent of the one below it. */
  #aroundIn(outline: TreeOutline): readonly Id[] {
    const found: Id[] = [];
    let above = 0;
    for (let index = outline.length - 1; index >= 0; index -= 1) {
      const id = outline.at(index) as Id;
      const level = outline.levelAt(index);
      const hangsOn = level <= above;
      if (!hangsOn && !this.#differences.has(id)) continue;
      found.push(id);
      above = hangsOn ? level - 1 : Math.max(above, level - 1);
    }
    return found.toReversed();
  }

  #findLater(): readonly Id[] {
    const { now } = this.comparing;
    const isLater = (id: Id) => {
      const is = now.row(id);
      if (is === undefined || isHidden(is, now) || !stands(id, this.root, now)) return false;
      const was = this.#past.row(id);
      return !isLiving(was) || isHidden(was, this.#past) || !stands(id, this.root, this.#past);
    };
    const found = new Set([...this.#elsewhere].filter(isLater));
    const uppermost = [...found].filter((id) => {
      const parent = placeOf(now.row(id))?.parent;
      return parent === undefined || !found.has(parent);
    });
    // Ids sort by creation time.
    return uppermost.toSorted((a, b) => (a < b ? -1 : 1));
  }
}
