// Reads tasks for the public API: one, several, or a page, the latest changed first.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import type { ReadRow, TaskMark, TaskRange, TaskReads } from './task-reads.ts';
import type { Frame } from './frame.ts';
import { occurrenceJson, taskJson, type Viewer } from './objects.ts';

/** Sorts after every id. */
const LAST_ID = '~';

export interface Page {
  readonly tasks: readonly ApiTask[];
  /** Where the next page starts; null: the end. */
  readonly next: TaskMark | null;
}

/** Which page of tasks is asked for. */
export interface PageWish {
  readonly status: TaskRange['status'];
  /** Only tasks beneath this list. */
  readonly list: Id | null;
  readonly after: TaskMark | null;
  readonly changedAfter: number | null;
  readonly limit: number;
}

interface Shown<R extends ReadRow = ReadRow> {
  readonly row: R;
  readonly task: ApiTask;
}

export class TaskReading {
  readonly #reads: TaskReads;

  constructor(reads: TaskReads) {
    this.#reads = reads;
  }

  /** In the order of the rows; trashed ones are left out. */
  async show<R extends ReadRow>(
    viewer: Viewer,
    frame: Frame,
    rows: readonly R[],
  ): Promise<readonly Shown<R>[]> {
    const shown = new Map<Id, Shown<R>>();
    const repeating = await this.#tasksOf(frame, rows);
    for (const [scope, own] of Map.groupBy(rows, (row) => row.scope)) {
      const tasks = own.map((row): ReadRow | undefined => taskBehind(row, repeating));
      const known = tasks.filter((task) => task !== undefined);
      const around = await this.#reads.surroundings(scope, frame.personal, known);
      for (const [at, row] of own.entries()) {
        const behind = tasks[at];
        const task = behind ? taskJson(behind, { frame, around, viewer }) : null;
        if (task)
          shown.set(row.id, { row, task: row.type === 'completion' ? occurrenceJson(row, task) : task });
      }
    }
    return rows.flatMap((row) => shown.get(row.id) ?? []);
  }

  /** The repeating tasks of completed occurrences among the rows. */
  async #tasksOf(frame: Frame, rows: readonly ReadRow[]): Promise<ReadonlyMap<Id, Row>> {
    const ids = rows.flatMap((row) => (row.type === 'completion' ? [row.fields.task] : []));
    return ids.length === 0 ? new Map() : new Map((await this.rows(frame, ids)).map((row) => [row.id, row]));
  }

  async byIds(viewer: Viewer, frame: Frame, ids: readonly Id[]): Promise<readonly ApiTask[]> {
    const rows = await this.rows(frame, ids);
    return (await this.show(viewer, frame, rows)).map(({ task }) => task);
  }

  /** Tasks with these ids, trashed ones included. */
  async rows(frame: Frame, ids: readonly Id[]): Promise<readonly Row[]> {
    return (await this.#reads.find(frame.scopes, [...new Set(ids)])).filter(({ type }) => type === 'task');
  }

  async page(viewer: Viewer, frame: Frame, wish: PageWish): Promise<Page> {
    const list = wish.list === null ? undefined : frame.list(wish.list);
    const scopes = list ? [list.row.scope] : frame.scopes;
    const found: Shown[] = [];
    for (const scope of scopes) found.push(...(await this.#some(viewer, frame, { ...wish, scope })));
    if (scopes.length > 1) found.sort(byChange);
    const shown = wholeMoments(found, wish.limit);
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    return {
      tasks: shown.map(({ task }) => task),
      next: last === undefined ? null : { updatedAt: last.row.updatedAt, id: last.row.id },
    };
  }

  /** The page plus one more, from one scope. */
  async #some(viewer: Viewer, frame: Frame, wish: PageWish & { readonly scope: Id }): Promise<Shown[]> {
    const { scope, list, status, changedAfter } = wish;
    const wanted = wish.limit + 1;
    const shown: Shown[] = [];
    for (let after = wish.after; ;) {
      const limit = wanted - shown.length + (shown.length === 0 ? 0 : wanted);
      const range: TaskRange = { status, after, changedAfter, limit };
      const rows =
        list === null
          ? await this.#reads.recent(scope, range)
          : await this.#reads.beneath(scope, list, range);
      shown.push(...(await this.show(viewer, frame, rows)));
      const last = rows.at(-1);
      // Tasks beneath a trashed one are skipped, so a page may take several reads.
      if (shown.length >= wanted || last === undefined || rows.length < limit) return shown.slice(0, wanted);
      after = { updatedAt: last.updatedAt, id: last.id };
    }
  }
}

/** The row that decides the position: the task itself, or the repeating task of a completed occurrence. */
function taskBehind(row: ReadRow, repeating: ReadonlyMap<Id, Row>): ReadRow | undefined {
  return row.type === 'completion' ? repeating.get(row.fields.task) : row;
}

/**
 * A page that ends between two moments: tasks of two scopes may have changed at the same one, and who asks for what changed before
 * the last one that was seen would miss the other.
 */
function wholeMoments(found: readonly Shown[], limit: number): readonly Shown[] {
  const at = (index: number) => found[index]?.row.updatedAt;
  let end = Math.min(limit, found.length);
  while (end > 0 && end < found.length && at(end) === at(end - 1)) end -= 1;
  return found.slice(0, end === 0 ? limit : end);
}

function byChange(a: Shown, b: Shown): number {
  return b.row.updatedAt - a.row.updatedAt || (a.row.id < b.row.id ? -1 : 1);
}

/** The mark before everything changed at this time or later. */
export function before(ms: number): TaskMark {
  return { updatedAt: ms, id: LAST_ID };
}

/** A place among tasks, as answers name it. */
export function printCursor({ updatedAt, id }: TaskMark): string {
  return Buffer.from(`${updatedAt} ${id}`).toString('base64url');
}

/** Null: not one of our cursors. */
export function parseCursor(text: string): TaskMark | null {
  const [, at = '', id = ''] =
    /^(-?\d{1,16}) ([0-9a-f-]{36})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const updatedAt = Number(at);
  return at !== '' && Number.isSafeInteger(updatedAt) ? { updatedAt, id } : null;
}
