// The rows of a copy as the calls of the API read them (api/task-reads.ts, api/ports.ts), in memory: the same answers as a server gives over its
// database, from rows that are open here. What doesn't open is marked as it is there.
import { listsRoot, type Id } from '#core/ids.ts';
import { inMemberOrder } from '#core/people.ts';
import type { ApiScope, ApiStore } from '#api/ports.ts';
import {
  besideOf,
  type Branch,
  type CommentMark,
  type ReadRow,
  type TaskRange,
  type TaskReads,
} from '#api/task-reads.ts';
import { rowsAbove } from '#sync/rows/ancestors.ts';
import { isTrashed, placeOf, statusOf } from '#sync/rows/row-reading.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { isKnown, type Row, type StoredRow } from '#sync/rows/row.ts';

const FRAME: ReadonlySet<Row['type']> = new Set(['list', 'label', 'labelGroup', 'mount']);
/** Of tasks, and what hangs on them. */
const OF_TASKS: ReadonlySet<Row['type']> = new Set(['task', 'completion', 'mine', 'attachment', 'comment']);

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byId = (a: ReadRow, b: ReadRow) => byText(a.id, b.id);
const byChange = (a: ReadRow, b: ReadRow) => b.updatedAt - a.updatedAt || byId(a, b);
const byCreation = (a: ReadRow, b: ReadRow) => a.createdAt - b.createdAt || byId(a, b);

function byPlace(a: Row, b: Row): number {
  const [one, other] = [placeOf(a), placeOf(b)];
  return byText(one?.parent ?? '', other?.parent ?? '') || byText(one?.key ?? '', other?.key ?? '');
}

/** What a row hangs on: its parent, or the task that it is about. */
function above(row: Row): Id | undefined {
  if (row.type === 'mine') return row.fields.of;
  if (row.type === 'completion') return row.fields.task;
  return placeOf(row)?.parent;
}

function isOfKind(row: Row, status: TaskRange['status']): boolean {
  if (row.type === 'completion') return status === 'done';
  if (row.type !== 'task') return false;
  return status === null || (statusOf(row) !== null) === (status === 'done');
}

function isInRange(row: Row, { status, after, changedAfter }: TaskRange): boolean {
  if (!isOfKind(row, status) || isTrashed(row)) return false;
  if (changedAfter !== null && row.updatedAt <= changedAfter) return false;
  if (after === null || row.updatedAt < after.updatedAt) return true;
  return row.updatedAt === after.updatedAt && row.id > after.id;
}

const pageOf = (rows: readonly Row[], range: TaskRange): readonly Row[] =>
  rows
    .filter((row) => isInRange(row, range))
    .toSorted(byChange)
    .slice(0, range.limit);

/** A row of which something doesn't open says so, as one does that a server reads. */
const marked = (row: Row): Row =>
  lockedOf(row) === undefined ? row : ({ ...row, isSealed: true } as unknown as Row);

/** Rows for reading, as they were taken last. */
export class CopyRows implements TaskReads, ApiStore {
  /** Another one for other rows. */
  #version = 0;
  readonly #rows = new Map<Id, Row>();
  #byScope: ReadonlyMap<Id, readonly Row[]> = new Map();
  #below: ReadonlyMap<Id | undefined, readonly Row[]> = new Map();

  /** Takes these in the place of those of before. */
  take(stored: Iterable<StoredRow>): void {
    this.#version += 1;
    this.#rows.clear();
    for (const row of stored) if (isKnown(row)) this.#rows.set(row.id, marked(row));
    this.#byScope = Map.groupBy(this.#rows.values(), ({ scope }) => scope);
    this.#below = Map.groupBy(this.#rows.values(), above);
  }

  /** Scopes of which a row doesn't open in full. */
  get lockedScopes(): readonly Id[] {
    const isLocked = (row: Row) => lockedOf(row) !== undefined;
    return [...this.#byScope].flatMap(([scope, rows]) => (rows.some(isLocked) ? [scope] : []));
  }

  get version(): number {
    return this.#version;
  }

  row(id: Id): Row | undefined {
    return this.#rows.get(id);
  }

  /** Rows of a scope, in no particular order. */
  ofScope(scope: Id): readonly Row[] {
    return this.#byScope.get(scope) ?? [];
  }

  #on(scope: Id, id: Id): readonly Row[] {
    return (this.#below.get(id) ?? []).filter((row) => row.scope === scope && !isTrashed(row));
  }

  /** Lists and tasks beneath a row, level by level. */
  #tree(scope: Id, root: Id): readonly Row[] {
    const found: Row[] = [];
    const met = new Set<Id>([root]);
    for (const id of met)
      for (const row of this.#on(scope, id)) {
        if ((row.type !== 'task' && row.type !== 'list') || met.has(row.id)) continue;
        met.add(row.id);
        found.push(row);
      }
    return found;
  }

  recent(scope: Id, range: TaskRange): Promise<readonly Row[]> {
    return Promise.resolve(pageOf(this.ofScope(scope), range));
  }

  beneath(scope: Id, root: Id, range: TaskRange): Promise<readonly Row[]> {
    const tree = this.#tree(scope, root);
    const about = [root, ...tree.map(({ id }) => id)];
    const occurrences = range.status === 'done' ? about.flatMap((id) => this.#on(scope, id)) : [];
    const done = occurrences.filter(({ type }) => type === 'completion');
    return Promise.resolve(pageOf([...tree, ...done], range));
  }

  branches(scope: Id, root: Id, limit: number): Promise<readonly Branch[]> {
    const rows = this.#tree(scope, root).slice(0, limit);
    return Promise.resolve(
      rows.flatMap((row): Branch[] => {
        const place = placeOf(row);
        return place === undefined ? [] : [{ id: row.id, ...place, isDone: statusOf(row) !== null }];
      }),
    );
  }

  find(scopes: readonly Id[], ids: readonly Id[]): Promise<readonly Row[]> {
    const found = ids.flatMap((id) => this.#rows.get(id) ?? []);
    return Promise.resolve(found.filter(({ scope }) => scopes.includes(scope)));
  }

  comments(scope: Id, task: Id, after: CommentMark | null, limit: number): Promise<readonly Row[]> {
    const isAfter = ({ createdAt, id }: Row) =>
      after === null || createdAt > after.createdAt || (createdAt === after.createdAt && id > after.id);
    const all = this.#on(scope, task).filter((row) => row.type === 'comment' && isAfter(row));
    return Promise.resolve(all.toSorted(byCreation).slice(0, limit));
  }

  surroundings(scope: Id, personal: Id, tasks: readonly ReadRow[]) {
    const ancestors = new Map<Id, ReadRow>();
    const rowOf = (id: Id): ReadRow | undefined => {
      const row = this.#rows.get(id);
      return row?.type === 'task' && row.scope === scope ? row : undefined;
    };
    for (const task of tasks)
      for (const row of rowsAbove(task, rowOf)) {
        if (ancestors.has(row.id)) break;
        ancestors.set(row.id, row);
      }
    const scopes = [...new Set([scope, personal])];
    const beside = tasks.flatMap(({ id }) => scopes.flatMap((each) => this.#on(each, id)));
    const kept = beside.filter(({ type }) => type === 'mine' || type === 'attachment' || type === 'comment');
    return Promise.resolve(besideOf(kept.toSorted(byId), ancestors));
  }

  settings(scope: Id): Promise<readonly Row[]> {
    const rows = this.ofScope(scope).filter(({ type }) => type === 'setting');
    return Promise.resolve(rows.toSorted(byId));
  }

  frame(scope: Id): Promise<{ readonly version: number; readonly rows: readonly Row[] }> {
    const rows = this.ofScope(scope).filter(({ type }) => FRAME.has(type));
    return Promise.resolve({ version: this.#frameVersion(scope), rows: rows.toSorted(byPlace) });
  }

  frameVersion(scope: Id): Promise<number> {
    return Promise.resolve(this.#frameVersion(scope));
  }

  #frameVersion(scope: Id): number {
    const rows = this.ofScope(scope).filter(({ type }) => !OF_TASKS.has(type));
    return rows.reduce((latest, { version }) => Math.max(latest, version), 0);
  }

  membersOf(scope: Id): Promise<readonly number[]> {
    const members = this.ofScope(scope).flatMap((row) => (row.type === 'member' ? [row.fields] : []));
    const there = members.filter(({ leftAt }) => (leftAt ?? null) === null);
    return Promise.resolve(there.toSorted(inMemberOrder).map(({ account }) => account));
  }

  scope(id: Id): Promise<ApiScope | null> {
    return Promise.resolve(this.#byScope.has(id) ? { version: this.#version } : null);
  }

  scopes(ids: readonly Id[]): Promise<ReadonlyMap<Id, Pick<ApiScope, 'version'>>> {
    return Promise.resolve(new Map(ids.map((id) => [id, { version: this.#version }])));
  }

  shelf(
    scope: Id,
    { after, to, limit }: { readonly after: string; readonly to: string; readonly limit: number },
  ) {
    const rows = this.ofScope(scope).filter(({ id }) => id > after && id < to);
    return Promise.resolve(
      rows
        .toSorted(byId)
        .slice(0, limit)
        .map((row) => ({ row, place: row.id as string })),
    );
  }

  /** The account's own scope and those of shared lists, with what it is in each. */
  rolesOf(personal: Id, account: number): ReadonlyMap<Id, 'owner' | 'member'> {
    const roles = new Map<Id, 'owner' | 'member'>([[personal, 'owner']]);
    for (const [scope, rows] of this.#byScope) {
      if (
        scope === personal ||
        !rows.some((row) => row.type === 'list' && placeOf(row)?.parent === listsRoot(scope))
      )
        continue;
      const isOwner = rows.some(
        (row) => row.type === 'member' && row.fields.account === account && row.fields.role === 'owner',
      );
      roles.set(scope, isOwner ? 'owner' : 'member');
    }
    return roles;
  }
}
