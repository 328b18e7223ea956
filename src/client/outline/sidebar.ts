// The sidebar: Today, Upcoming and the Inbox first, then bookmarks, then lists and folders in their order, then labels, with its own
// cursor. Counts come from list-counts.ts.
import { listsRoot, type Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isArchived, isTrashed } from '#sync/rows/row-reading.ts';
import type { ListCounts } from './list-counts.ts';
import { nameOf } from './row-facts.ts';
import { type BuiltIn, builtInOf, lateId, missingBuiltIns } from '../search/built-in.ts';
import { createSignal, type Signal } from '../app/signal.ts';
import type { SidebarRowView, SidebarView } from '../app/view.ts';
import type { Workspace } from '../app/workspace.ts';

type Line = Pick<SidebarRowView, 'id' | 'level' | 'posInSet' | 'setSize'> & { readonly row: Row };

/** What stands above all bookmarks and lists. */
const FIRST = ['today', 'upcoming', 'inbox'];

/** Steps of progress. */
const PARTS = 16;

function sameLine(a: SidebarRowView, b: SidebarRowView | undefined): boolean {
  if (b === undefined) return false;
  return (Object.keys(a) as (keyof SidebarRowView)[]).every((key) => a[key] === b[key]);
}

export interface SidebarState {
  /** The open list; null in the trash. */
  readonly open: Id | null;
  readonly renaming: Id | null;
}

/** The lines of the sidebar and its cursor. Call `invalidate` when lists change, and `sync` to derive the view. */
export class Sidebar implements SidebarView {
  readonly #workspace: Workspace;
  readonly #counts: Pick<ListCounts, 'countOfSmart' | 'doneOf' | 'ofList'>;
  readonly #rows = createSignal<readonly SidebarRowView[]>([]);
  readonly #visible = createSignal(true);
  #isDocked = true;
  #isDrawer = false;
  #lines: readonly Line[] | null = null;
  #cursor: Id | null = null;
  #showsArchived = false;
  /** What stands last. Set by the part that knows the labels (labels/beside-lists.ts). */
  labels: () => readonly Row[] = () => [];
  /** The label whose tasks a query asks for, and nothing else. Set by the same part. */
  labelOf: (query: string) => Row | null = () => null;
  /** How many people have a list. Set by the part that knows them (sharing/part.ts). */
  peopleIn: (row: Row) => number = () => 0;

  /** Others changed something in it since the person saw it. Set by the part that knows it (unread/part.ts). */
  isUnread: (row: Row) => boolean = () => false;

  constructor(workspace: Workspace, counts: Pick<ListCounts, 'countOfSmart' | 'doneOf' | 'ofList'>) {
    this.#workspace = workspace;
    this.#counts = counts;
  }

  get rows(): Signal<readonly SidebarRowView[]> {
    return this.#rows;
  }

  get visible(): Signal<boolean> {
    return this.#visible;
  }

  get cursor(): Id | null {
    return this.#cursor;
  }

  set cursor(id: Id | null) {
    this.#cursor = id;
  }

  get showsArchived(): boolean {
    return this.#showsArchived;
  }

  set showsArchived(value: boolean) {
    this.#showsArchived = value;
    this.#lines = null;
  }

  /**
   * In a narrow window the sidebar is a drawer over the outline while in use; whether it is docked is kept separately.
   */
  get isDrawer(): boolean {
    return this.#isDrawer;
  }

  set isDrawer(isDrawer: boolean) {
    if (isDrawer === this.#isDrawer) return;
    this.#isDrawer = isDrawer;
    this.#visible.set(!isDrawer && this.#isDocked);
  }

  show(isVisible: boolean): void {
    if (!this.#isDrawer) this.#isDocked = isVisible;
    this.#visible.set(isVisible);
  }

  /** Lists changed: the lines are rebuilt on next use. */
  invalidate(): void {
    this.#lines = null;
  }

  get lines(): readonly Line[] {
    this.#lines ??= this.#collect();
    return this.#lines;
  }

  /** Every list and folder that is stored and can be opened, in order, including archived ones. */
  everything(): readonly Row[] {
    const found: Row[] = [];
    this.#walk({ withArchived: true, withCollapsed: true }, (line) => found.push(line.row));
    return found;
  }

  /** The line `step` lines from the cursor. */
  neighbour(step: number): Id | null {
    const { lines } = this;
    const at = lines.findIndex(({ id }) => id === this.#cursor);
    return lines[Math.max(0, Math.min(lines.length - 1, at + step))]?.id ?? null;
  }

  sync({ open, renaming }: SidebarState): void {
    const { lines } = this;
    if (this.#cursor === null || !lines.some(({ id }) => id === this.#cursor)) {
      this.#cursor = lines.find(({ id }) => id === open)?.id ?? lines[0]?.id ?? null;
    }
    const before = this.#rows.get();
    let differs = before.length !== lines.length;
    const rows = lines.map(({ row, ...line }, index) => {
      const isFolder = fieldOf(row, 'listType') === 'folder';
      // Only lists, labels and tasks have lines.
      const kind =
        row.type === 'task'
          ? 'bookmark'
          : (this.#builtInOf(row) ?? fieldOf(row, 'listType') ?? (row.type as 'list' | 'label'));
      const view: SidebarRowView = {
        ...line,
        name: nameOf(row),
        kind,
        bookmarked: this.#workspace.facts.bookmarks.has(row.id),
        cursor: row.id === this.#cursor,
        open: row.id === open,
        archived: isArchived(row),
        expanded: isFolder ? !this.#workspace.facts.isCollapsed(row.id) : null,
        openCount: isFolder ? 0 : this.#countOf(row),
        color: fieldOf(row, 'color'),
        lateCount: kind === 'today' ? (this.#counts.countOfSmart(lateId) ?? 0) : 0,
        progress: fieldOf(row, 'listType') === 'list' ? this.#progressOf(row) : 0,
        people: this.peopleIn(row),
        unread: this.isUnread(row),
        renaming: row.id === renaming,
      };
      if (sameLine(view, before[index])) return before[index] ?? view;
      differs = true;
      return view;
    });
    if (differs) this.#rows.set(rows);
  }

  #countOf(row: Row): number | null {
    if (row.type === 'list') return this.#counts.ofList(row);
    const { items, done } = this.#workspace.children.of(row.id);
    return items.length - done;
  }

  /** A ring on the screen has no more steps than that, and seldom changes. */
  #progressOf(row: Row): number {
    const done = this.#counts.doneOf(row.id);
    const all = done + (this.#counts.ofList(row) ?? 0);
    return all === 0 ? 0 : Math.floor((done * PARTS) / all) / PARTS;
  }

  /** Today, Upcoming and the Inbox stand first, the other lists in their own order. */
  #rank(row: Row): number {
    const rank = FIRST.indexOf(this.#builtInOf(row) ?? fieldOf(row, 'listType') ?? '');
    return rank < 0 ? FIRST.length : rank;
  }

  #builtInOf({ id }: Row): BuiltIn | null {
    return builtInOf(this.#workspace.replica.scope, id);
  }

  /** In the order of bookmarking. */
  bookmarkedTasks(): readonly Row[] {
    const { replica, facts } = this.#workspace;
    return [...facts.bookmarks]
      .toSorted(([a, at], [b, bt]) => at - bt || (a < b ? -1 : 1))
      .flatMap(([id]) => replica.row(id) ?? [])
      .filter(({ id, type }) => type === 'task' && !facts.isHidden(id));
  }

  #collect(): readonly Line[] {
    const first: Line[] = [];
    const lists: Line[] = [];
    this.#walk({ withArchived: this.#showsArchived, withMissing: true }, (line) =>
      (line.level === 1 && this.#rank(line.row) < FIRST.length ? first : lists).push(line),
    );
    const flat = (rows: readonly Row[]) =>
      rows.map((row, at): Line => ({ id: row.id, level: 1, row, posInSet: at + 1, setSize: rows.length }));
    return [...first, ...flat(this.bookmarkedTasks()), ...lists, ...flat(this.labels())];
  }

  #walk(
    { withArchived = false, withCollapsed = false, withMissing = false },
    take: (line: Line) => void,
  ): void {
    const { replica, facts } = this.#workspace;
    const membersOf = (parent: Id): readonly Row[] => {
      const rows = replica.children(parent).filter((row) => row.type === 'list' && !isTrashed(row));
      const shown = withArchived ? rows : rows.filter((row) => !isArchived(row));
      if (parent !== listsRoot(replica.scope)) return shown;
      const missing = withMissing ? missingBuiltIns(replica) : [];
      return [...missing, ...shown].toSorted((a, b) => this.#rank(a) - this.#rank(b));
    };
    const visit = (parent: Id, level: number) => {
      const rows = membersOf(parent);
      rows.forEach((row, index) => {
        take({ id: row.id, level, row, posInSet: index + 1, setSize: rows.length });
        if (fieldOf(row, 'listType') !== 'folder') return;
        if (withCollapsed || !facts.isCollapsed(row.id)) visit(row.id, level + 1);
      });
    };
    visit(listsRoot(replica.scope), 1);
  }
}
