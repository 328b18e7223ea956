// The outline as it was at one moment, beside the present one: walks from moment to moment by what each changed, and knows
// what differs from now. What of it is shown and chosen is time-machine.ts.
import { labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { Past } from '#sync/past.ts';
import type { Replica, RowChange } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import { atLeisure, type IsOver } from '#sync/query/scan.ts';
import { Children } from '../children.ts';
import { isCleared, isTrashed, placeOf } from '#sync/row-reading.ts';
import { TreeOutline } from '../outline.ts';
import { type Comparing, type Difference, differencesOf, isHidden, isLiving } from './differences.ts';
import type { Gesture } from './gestures.ts';
import { aboutOf, type Moment, Moments, type Root, stands } from './moments.ts';

/** So many rows are compared between two looks at the clock. */
const STRIDE = 32;

const none: readonly Id[] = [];

type Now = Pick<Replica, 'row' | 'children' | 'scope'>;

const SHOWN: ReadonlySet<string> = new Set(['task', 'list', 'label', 'labelGroup', 'attachment']);

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
  readonly #past: Past;
  readonly #children: Children;
  readonly #outlines: readonly TreeOutline[];
  /** What was changed between then and now, and by how many moments. */
  readonly #touched = new Map<Id, number>();
  /** Of these what is one's own about them. */
  readonly #ownTouched = new Map<Id, number>();
  /** Of these what happened to them, where anything did. */
  readonly #differences = new Map<Id, readonly Difference[]>();
  /** And those that stood elsewhere then, or not at all. */
  readonly #elsewhere = new Set<Id>();
  /** Changed on the way here, and not compared with now yet. */
  readonly #uncompared = new Set<Id>();
  #position = 0;
  #seen: { later?: readonly Id[]; around?: readonly Id[] } = {};

  /** `now` must not change while this is used: then another one is made. */
  constructor(root: Root, now: Now) {
    this.root = root;
    this.#moments = new Moments(root, now);
    this.#past = new Past(now);
    this.comparing = { past: this.#past, now, scope: now.scope };
    this.#children = new Children(this.#past, undefined, isShown);
    const source = {
      replica: this.#past,
      children: this.#children,
      isCollapsed: () => false,
      shows: isShown,
    };
    this.#outlines = this.roots.map((id) => new TreeOutline(source, id));
  }

  /** What everything hangs under. */
  get roots(): readonly Id[] {
    const { scope } = this.comparing;
    return this.root === null ? [listsRoot(scope), labelsRoot(scope)] : [this.root];
  }

  /** Newest first. */
  get moments(): readonly Moment[] {
    return this.#moments.list;
  }

  /** How many moments lie between then and now. */
  get position(): number {
    return this.#position;
  }

  add(gestures: readonly Gesture[]): void {
    this.#moments.add(gestures);
  }

  /** Walks to the state before the newest `position` moments. What differs there is known once it was compared. */
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
    // One row may have changed more than once on the way.
    const first = new Map<Id, RowChange>();
    for (const change of changes) {
      const known = first.get(change.id);
      first.set(change.id, known ? { ...known, after: change.after } : change);
    }
    const whole = [...first.values()];
    this.#seen = {};
    this.#past.replay(whole);
    this.#children.apply(whole);
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
    // Only what changes on the way is looked at, however much differs.
    for (const id of about) {
      this.#differences.delete(id);
      this.#elsewhere.delete(id);
      this.#uncompared.add(id);
    }
  }

  /** All that differs is known. */
  get isCompared(): boolean {
    return this.#uncompared.size === 0;
  }

  /** Compares what changed on the way with now, as far as the time reaches. True when all of it is. */
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
    // Where it stands by itself is the same: if it came here since, then with what it is in.
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

  /** −1 when it was not there. */
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

  /** What happened to a row since. */
  differences(id: Id): readonly Difference[] {
    if (this.#uncompared.has(id)) this.#lookAt(id);
    return this.#differences.get(id) ?? [];
  }

  /** How many lines differ, as far as they were compared. */
  get differingCount(): number {
    let count = 0;
    for (const id of this.#differences.keys())
      if (this.#outlines.some((outline) => outline.has(id))) count += 1;
    return count;
  }

  /** What stands here now and did not then, the uppermost of it; none before all was compared. */
  get later(): readonly Id[] {
    return this.isCompared ? (this.#seen.later ??= this.#findLater()) : none;
  }

  /** Lines that differ with what they hung under, in their order; none before all was compared. */
  get around(): readonly Id[] {
    return this.isCompared ? (this.#seen.around ??= this.#findAround()) : none;
  }

  #findAround(): readonly Id[] {
    if (this.#differences.size === 0) return none;
    return this.#outlines.flatMap((outline) => this.#aroundIn(outline));
  }

  /** From the end: the next line of a higher level is what the one below it hangs under. */
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
    // Ids are in the order in which things were made.
    return uppermost.toSorted((a, b) => (a < b ? -1 : 1));
  }
}
