// The rows in front of the person: the open place with its outline, cursor and selection, kept up to date with every
// change of rows. Commands on them are in commands/; the other views are in screen.ts.
import { inboxId, type Id } from '#core/ids.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Away } from '../outline/hidden-tasks.ts';
import { Children } from '../outline/children.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { Facts } from '../outline/row-index.ts';
import { FlatOutline } from '../outline/flat-outline.ts';
import { type Outline, TreeOutline } from '../outline/outline.ts';
import { placeKey, type Place, Visits } from './places.ts';
import type { Results } from '../search/results.ts';
import { Selection } from '../outline/selection.ts';
import { idsAbove, rowAndAbove } from '#sync/rows/ancestors.ts';

/** With more folds than this at once, the outline is rebuilt. */
const MANY_FOLDS = 50;

function isResorted({ before, after }: RowChange): boolean {
  return after?.type === 'list' && fieldOf(before, 'sort') !== after.fields.sort;
}

/**
 * Holds the open place and answers what commands act on. Changes of rows arrive through `apply`, already made in the
 * replica.
 */
export class Workspace {
  readonly replica: Replica;
  readonly facts: Facts;
  readonly children: Children;
  readonly away: Away;
  readonly visits: Visits;
  readonly inbox: Id;
  /** Makes the outline of a smart list; null if its query cannot be run yet. */
  smartOutline: (id: Id) => Outline | null = () => null;
  /** Makes the outline of a sorted list; null if it is not sorted, or the part is not loaded yet. */
  sortedOutline: (root: Id) => Outline | null = () => null;
  /**
   * The tasks that commands act on in place of the selected ones: those of a running macro, or those that the question on screen is about although they
   * left the outline (dialogs/asked-about.ts). Null: there are none.
   */
  held: readonly Id[] | null = null;
  #tree: Outline;
  #results: Results | null = null;
  #selection = new Selection();
  #resultSelection = new Selection();
  /** The last cursor of each place. */
  readonly #cursors = new Map<string, Id>();

  constructor(replica: Replica, first: Place | null, away: Away) {
    this.replica = replica;
    this.away = away;
    this.inbox = inboxId(replica.scope);
    this.facts = new Facts(replica);
    this.children = new Children(replica, (id) => away.conceals(id));
    const inbox: Place = { type: 'list', id: this.inbox };
    this.visits = new Visits(first !== null && this.exists(first) ? first : inbox);
    this.#tree = this.#outlineOf(this.place);
    this.#selection.settle(this.#tree);
  }

  get place(): Place {
    return this.visits.current;
  }

  /** The outline on screen: search results, else the open place. */
  get outline(): Outline {
    return this.#results ?? this.#tree;
  }

  get results(): Results | null {
    return this.#results;
  }

  get selection(): Selection {
    return this.#results ? this.#resultSelection : this.#selection;
  }

  get cursor(): Id | null {
    return this.selection.cursor;
  }

  get cursorRow(): Row | undefined {
    const id = this.held === null ? this.cursor : (this.targets()[0] ?? null);
    return id === null ? undefined : this.replica.row(id);
  }

  get cursorIndex(): number {
    return this.cursor === null ? -1 : this.outline.indexOf(this.cursor);
  }

  get isTrash(): boolean {
    return this.place.type === 'trash' && this.#results === null;
  }

  /** The parent of new top-level tasks in the open place; null where none can be created. */
  get root(): Id | null {
    const { place } = this;
    if (this.#results !== null || place.type === 'trash') return null;
    if (place.type === 'task') return place.id;
    const type = fieldOf(this.replica.row(place.id), 'listType');
    return type === 'folder' || type === 'smart' ? null : place.id;
  }

  exists(place: Place): boolean {
    if (place.type === 'trash') return true;
    if (place.type === 'list' && place.id === this.inbox) return true;
    return this.replica.row(place.id) !== undefined && !this.facts.isHidden(place.id);
  }

  /** Opens a place; the cursor goes to `cursor`, else to its last line there. */
  open(place: Place, cursor: Id | null = null): void {
    const isJump = this.#isJump(place, cursor);
    this.#rememberCursor();
    this.visits.visit(place, isJump);
    this.#enter(cursor);
  }

  /** Records a visit before the cursor moves far within this place, so that "back" returns here. */
  jumping(): void {
    if (this.#results !== null || this.#selection.cursor === null) return;
    this.#rememberCursor();
    this.visits.visit(this.place, true);
  }

  /** A move to another line of the same place, to which "back" returns. */
  #isJump(place: Place, cursor: Id | null): boolean {
    const from = this.#selection.cursor;
    return cursor !== null && from !== null && cursor !== from && placeKey(place) === placeKey(this.place);
  }

  /** Goes back or forward. False when there is nowhere to go. */
  step(by: 1 | -1): boolean {
    this.#rememberCursor();
    const here = placeKey(this.place);
    const at = this.#selection.cursor;
    const visit = this.visits.step(by, (place, cursor) => {
      if (placeKey(place) !== here) return this.exists(place);
      return cursor !== null && cursor !== at && this.#tree.has(cursor);
    });
    if (visit === null) return false;
    this.#enter(visit.cursor);
    return true;
  }

  #rememberCursor(): void {
    const { cursor } = this.#selection;
    this.visits.leave(cursor);
    if (cursor !== null) this.#cursors.set(placeKey(this.place), cursor);
  }

  #enter(cursor: Id | null): void {
    this.#results = null;
    this.#tree = this.#outlineOf(this.place);
    this.#selection = new Selection();
    const wanted = cursor ?? this.#cursors.get(placeKey(this.place)) ?? null;
    if (wanted !== null && this.#tree.has(wanted)) this.#selection.put(this.#tree, wanted);
    this.#selection.settle(this.#tree);
  }

  showResults(results: Results): void {
    this.#results = results;
    this.#resultSelection = new Selection();
    this.#resultSelection.settle(this.#results);
  }

  /** Returns to the open place as it was left. */
  hideResults(): void {
    this.#results = null;
  }

  #outlineOf(place: Place): Outline {
    if (place.type === 'trash') return new FlatOutline(this.trashed());
    if (this.#isSmart(place)) return this.smartOutline(place.id) ?? new FlatOutline([]);
    const source = {
      replica: this.replica,
      children: this.children,
      isCollapsed: (id: Id) => this.facts.isCollapsed(id),
    };
    return this.sortedOutline(place.id) ?? new TreeOutline(source, place.id);
  }

  /** Trashed rows, newest first. Omits tasks that never had a title or subtasks: they are not worth restoring. */
  trashed(): Id[] {
    const rows = [...this.facts.trashed].flatMap((id) => this.replica.row(id) ?? []);
    const worth = rows.filter((row) => this.#isWorthRestoring(row));
    const deletedAt = (row: Row) => fieldOf(row, 'del')?.at ?? 0;
    worth.sort((a, b) => deletedAt(b) - deletedAt(a) || (a.id < b.id ? -1 : 1));
    return worth.map(({ id }) => id);
  }

  #isWorthRestoring(row: Row): boolean {
    if (row.type !== 'task') return true;
    const { title, notes } = row.fields;
    return (title ?? '') !== '' || (notes ?? '') !== '' || this.replica.children(row.id).length > 0;
  }

  /** Follows changes that the replica has made. Returns them as the outline sees them. */
  apply(changes: readonly RowChange[]): readonly RowChange[] {
    const folded = this.facts.apply(changes);
    const seen = this.away.apply(changes);
    this.children.apply(seen);
    this.#tree.apply(seen);
    if (changes.some(isResorted)) this.reopen();
    else if (this.#tree.isTree) {
      if (folded.length > MANY_FOLDS) this.#tree.refold?.();
      else for (const id of folded) this.#tree.fold?.(id);
    } else if (
      this.#tree instanceof FlatOutline &&
      this.place.type === 'trash' &&
      changes.some(({ before, after }) => isTrashed(before) !== isTrashed(after))
    ) {
      this.#tree.replace(this.trashed());
    }
    this.#settle();
    return seen;
  }

  /** Hides or shows tasks whose own rows did not change. */
  applySeen(seen: readonly RowChange[]): void {
    this.children.apply(seen);
    if (this.#tree.isTree) this.#tree.apply(seen);
    this.#settle();
  }

  #settle(): void {
    this.#selection.settle(this.#tree);
    if (this.#results) this.#resultSelection.settle(this.#results);
  }

  /** Rebuilds the outline of the open place, which stays open. */
  reopen(): void {
    this.#tree = this.#outlineOf(this.place);
    const wanted = this.#cursors.get(placeKey(this.place));
    if (wanted !== undefined && this.#selection.cursor === null && this.#tree.has(wanted))
      this.#selection.put(this.#tree, wanted);
    this.#selection.settle(this.#tree);
  }

  /** A title was left: a line that kept its position for it moves to its sorted place. */
  settleOrder(): void {
    if (this.#tree.settle === undefined) return;
    this.#tree.settle();
    this.#selection.settle(this.#tree);
  }

  /** To be called after the owner of the open outline changed its lines. */
  settleTree(): void {
    this.#selection.settle(this.#tree);
  }

  #isSmart(place: Place): place is Place & { readonly type: 'list' } {
    return place.type === 'list' && fieldOf(this.replica.row(place.id), 'listType') === 'smart';
  }

  /** To be called after the owner of the results changed them. */
  settleResults(): void {
    if (this.#results) this.#resultSelection.settle(this.#results);
  }

  /** The tasks a command is about: the selected ones, else the cursor's. */
  targets(): readonly Id[] {
    const held = this.held?.filter((id) => this.replica.row(id));
    const targets = held ?? this.selection.targets(this.outline);
    // A completed occurrence is a record: commands do not change it.
    const isRecord = (id: Id) => this.replica.row(id)?.type === 'completion';
    return targets.some(isRecord) ? targets.filter((id) => !isRecord(id)) : targets;
  }

  /** As `targets`, without those whose parent or further ancestor is a target as well. */
  targetRoots(): readonly Id[] {
    const targets = this.targets();
    if (targets.length < 2) return targets;
    const chosen = new Set(targets);
    return targets.filter((id) => !this.hasAncestorIn(id, chosen));
  }

  hasAncestorIn(id: Id, among: ReadonlySet<Id>): boolean {
    for (const above of this.idsAbove(id)) if (among.has(above)) return true;
    return false;
  }

  parentOf(id: Id): Id | undefined {
    return placeOf(this.replica.row(id))?.parent;
  }

  /** The ids above a row, nearest first, up to the root of all lists. */
  idsAbove(id: Id): Iterable<Id> {
    return idsAbove(id, (at) => this.replica.row(at));
  }

  /** The list a task is in; undefined while its ancestors are not here. */
  listOf(id: Id): Row | undefined {
    for (const row of rowAndAbove(this.replica.row(id), (at) => this.replica.row(at)))
      if (row.type !== 'task') return row.type === 'list' ? row : undefined;
    return undefined;
  }
}
