// The rows of a replica as its person sees them: a shared list stands where its mount says, and mounts and members are listed
// nowhere. What is not about lists passes as it is. Where lists stand is standing.ts.
import { listsRoot, type Id } from '#core/ids.ts';
import type { ChangeCause, MemberRow, RowChange } from '../replica/replica-types.ts';
import { placeOf } from '../rows/row-reading.ts';
import type { Row } from '../rows/row.ts';
import { composeLists, inOrder, isSharedList, type ListRow, type StoredTree } from './standing.ts';

type Listener = (changes: readonly RowChange[], cause: ChangeCause) => void;

/** Rows as they are stored, with their changes. */
export interface StoredRows extends StoredTree {
  readonly scope: Id;
  all(): Iterable<Row>;
  subscribe(listener: Listener): () => void;
}

/** Rows of tasks as the person orders them (own-order.ts). */
export interface OrderLayer {
  /** The row itself, or one with a place of the person's own. */
  of(row: Row): Row;
  /** Of these, in the order of the person. */
  children(parent: Id, rows: readonly Row[]): readonly Row[];
  /** Follows changes of rows as they are stored; returns those that the person sees. */
  seen(changes: readonly RowChange[]): readonly RowChange[];
}

/** Made before anybody else listens to the replica: what others read then is of the present. */
export class Composition {
  readonly #inner: StoredRows;
  readonly #scope: Id;
  /** Shared lists, mounts and members that are here. */
  readonly #noted = { list: new Set<Id>(), mount: new Set<Id>(), member: new Set<Id>() };
  readonly #listeners = new Set<Listener>();
  /** The shared lists as they are seen, and what stands under every parent that has one or a mount. */
  #rows: ReadonlyMap<Id, ListRow> = new Map();
  readonly #children = new Map<Id, readonly Row[]>();
  #layer: OrderLayer | null = null;
  /** Gets the next changes as they are seen, before any listener. */
  #next: ((changes: readonly RowChange[]) => void) | null = null;

  constructor(inner: StoredRows) {
    this.#inner = inner;
    this.#scope = inner.scope;
    for (const row of inner.all()) this.#note(row.id, row);
    this.#arrange();
    inner.subscribe((changes, cause) => {
      const told = this.#seen(this.#layer?.seen(changes) ?? changes);
      this.#next?.(told);
      this.#next = null;
      if (told.length > 0) for (const listener of this.#listeners) listener(told, cause);
    });
  }

  row(id: Id): Row | undefined {
    const row = this.#inner.row(id);
    return row === undefined || row.scope === this.#scope ? row : this.#seenRow(row);
  }

  #seenRow(row: Row): Row {
    return this.#rows.get(row.id) ?? this.#layer?.of(row) ?? row;
  }

  children(parent: Id): readonly Row[] {
    const rows = (this.#children.size > 0 && this.#children.get(parent)) || this.#inner.children(parent);
    return this.#layer?.children(parent, rows) ?? rows;
  }

  /** Orders tasks by it from now on, and tells of those that stand elsewhere by that. */
  order(layer: OrderLayer): void {
    const changes = layer.seen([]);
    this.#layer = layer;
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes, 'load');
  }

  *all(): Iterable<Row> {
    for (const row of this.#inner.all())
      if (row.type !== 'mount' && row.type !== 'member') yield this.#seenRow(row);
  }

  members(scope: Id): readonly MemberRow[] {
    return [...this.#noted.member].flatMap((id) => {
      const row = this.#inner.row(id);
      return row?.type === 'member' && row.scope === scope ? [row] : [];
    });
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls it, and returns with its result what its own changes are as they are seen. */
  during<T>(issue: () => T): readonly [T, readonly RowChange[]] {
    let told: readonly RowChange[] = [];
    // A listener may issue in its turn.
    this.#next = (changes) => {
      told = changes;
    };
    const issued = issue();
    this.#next = null;
    return [issued, told];
  }

  /** Returns whether it matters for where lists stand. */
  #note(id: Id, row: Row | undefined, type = row?.type): boolean {
    if (type !== 'list' && type !== 'mount' && type !== 'member') return false;
    const ids = this.#noted[type];
    if (type === 'list' ? isSharedList(row, this.#scope) : row !== undefined) ids.add(id);
    else ids.delete(id);
    return type !== 'member';
  }

  #seen(changes: readonly RowChange[]): readonly RowChange[] {
    const had = this.#children.size > 0;
    const about = changes.filter(({ id, before, after }) => this.#note(id, after, (after ?? before)?.type));
    if (about.length === 0 || (!had && this.#noted.list.size + this.#noted.mount.size === 0)) return changes;
    const was = this.#rows;
    this.#arrange();
    const ids = new Set([...was.keys(), ...this.#rows.keys(), ...about.map(({ id }) => id)]);
    const raw = new Map(about.map((change) => [change.id, change]));
    const lists = [...ids].flatMap((id): RowChange[] => {
      const change = raw.get(id);
      if ((change?.after ?? change?.before)?.type === 'mount') return [];
      const before = was.get(id) ?? change?.before;
      const after = this.#rows.get(id) ?? change?.after;
      return before === after ? [] : [{ id, before, after }];
    });
    return [...lists, ...changes.filter(({ id }) => !raw.has(id))];
  }

  #arrange(): void {
    const [inner, top] = [this.#inner, listsRoot(this.#scope)];
    const rowsOf = (ids: Iterable<Id>) => [...ids].flatMap((id) => inner.row(id) ?? []);
    const lists = rowsOf(this.#noted.list).filter((row) => isSharedList(row, this.#scope));
    this.#rows = composeLists(inner, top, lists);
    const seen = Map.groupBy(this.#rows.values(), (row) => row.fields.place.parent);
    const parents = [...seen.keys(), ...rowsOf(this.#noted.mount).map((row) => placeOf(row)?.parent ?? top)];
    this.#children.clear();
    for (const parent of parents) {
      const own = inner.children(parent).filter(({ type }) => type !== 'mount');
      this.#children.set(parent, [...own, ...(seen.get(parent) ?? [])].sort(inOrder));
    }
    for (const { scope } of lists)
      this.#children.set(
        scope,
        inner.children(scope).map(({ id }) => this.#rows.get(id) ?? (inner.row(id) as Row)),
      );
  }
}
