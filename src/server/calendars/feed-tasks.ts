// What a person's plan has now, read from the database: tasks with time blocks, and tasks that are due, of every scope that the person is still in.
// Reads nothing of a task where no scope has changed (`mark`).
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type FeedChoice, type FeedTask, feedBeginning, writeFeed } from '#core/calendar/feed.ts';
import type { Id } from '#core/ids.ts';
import { isPartlySealed } from '#api/sealed-reads.ts';
import type { TaskReads } from '#api/task-reads.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { parentOf, rowAndAbove } from '#sync/rows/ancestors.ts';
import { feedTask } from '#core/calendar/feed-task.ts';
import { isArchived, isTrashed } from '#sync/rows/row-reading.ts';
import type { MineRow, Row, TaskRow } from '#sync/rows/row.ts';
import type { Store } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import type { OpenFeed } from './feed-store.ts';

/** What reading a plan needs. */
export interface PlanPorts {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'scopesOf' | 'scopes'>;
  readonly reads: Pick<TaskReads, 'find'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** A plan as it stands: its mark changes whenever its text may. */
export interface Plan {
  readonly mark: string;
  text(): Promise<string>;
}

const STEP = 500;
/** Far deeper than tasks nest. */
const DEEPEST = 2_000;
/** Changes with the writer, so that no program keeps what an earlier one wrote. */
const WRITER = 1;
const NAME = 'Posthaste';

/** The plan behind an address; null: its account is encrypted, and nobody here can read when something is planned. */
export async function planOf(
  ports: PlanPorts,
  { personal, account, choice, zone }: OpenFeed,
): Promise<Plan | null> {
  const { store, clock } = ports;
  const ids = (await store.scopesOf(account)).map(({ scope }) => scope).toSorted();
  const scopes = await store.scopes(ids);
  if ((scopes.get(personal)?.sealing?.phase ?? 'plain') !== 'plain') return null;
  const now = Math.round(clock.now());
  const heads = ids.map((id) => {
    const head = scopes.get(id);
    return `${id} ${head?.version ?? 0} ${head?.digest ?? ''}`;
  });
  const said = JSON.stringify([WRITER, personal, choice, zone, feedBeginning(now), heads]);
  return {
    mark: createHash('sha256').update(said).digest('base64url'),
    async text() {
      const tasks = await new Reading(ports, ids, personal).tasks(choice, now);
      return writeFeed(tasks, choice, { name: NAME, now, zone });
    },
  };
}

/** One reading: rows that were read stand for the rest of it. */
class Reading {
  readonly #ports: PlanPorts;
  readonly #scopes: readonly Id[];
  readonly #personal: Id;
  readonly #rows = new Map<Id, Row>();
  readonly #asked = new Set<Id>();

  constructor(ports: PlanPorts, scopes: readonly Id[], personal: Id) {
    this.#ports = ports;
    this.#scopes = scopes;
    this.#personal = personal;
  }

  async tasks(choice: FeedChoice, now: number): Promise<readonly FeedTask[]> {
    const mine = await this.#mine(choice);
    const due = new Set(choice.hasDue ? await this.#due(choice) : []);
    await this.#read([...new Set([...mine.keys(), ...due])]);
    await this.#readAbove();
    return [...new Set([...mine.keys(), ...due])].flatMap((id) => {
      const task = this.#rows.get(id);
      if (task?.type !== 'task' || this.#isTrashed(task)) return [];
      const read = feedTask(task, mine.get(id), now);
      const isDue = due.has(id) && !this.#isArchived(task);
      const title = read.title === '' && isPartlySealed(task) ? 'Encrypted task' : read.title;
      return { ...read, title, due: isDue ? read.due : null };
    });
  }

  /** The person's own rows of tasks with blocks, by task. */
  async #mine({ hasBlocks }: FeedChoice): Promise<ReadonlyMap<Id, MineRow>> {
    if (!hasBlocks) return new Map();
    const found = await this.#ports.db
      .selectFrom('entity')
      .select('id')
      .where('scope', '=', this.#personal)
      .where('type', '=', 'mine')
      .where('fields', 'like', '%"block:%')
      .execute();
    const rows = await this.#find(
      [this.#personal],
      found.map(({ id }) => id),
    );
    return new Map(rows.flatMap((row) => (row.type === 'mine' ? [[row.fields.of, row] as const] : [])));
  }

  async #due({ hasDone }: FeedChoice): Promise<readonly Id[]> {
    const found = await this.#ports.db
      .selectFrom('entity')
      .select('id')
      .where('scope', 'in', this.#scopes)
      .where('type', '=', 'task')
      .where('deleted', 'is', null)
      .where('fields', 'like', '%"due":{%')
      .$if(!hasDone, (query) => query.where('status', 'is', null))
      .execute();
    return found.map(({ id }) => id);
  }

  async #find(scopes: readonly Id[], ids: readonly Id[]): Promise<readonly Row[]> {
    const found: Row[] = [];
    for (let at = 0; at < ids.length; at += STEP)
      found.push(...(await this.#ports.reads.find(scopes, ids.slice(at, at + STEP))));
    return found;
  }

  async #read(ids: readonly Id[]): Promise<void> {
    for (const id of ids) this.#asked.add(id);
    for (const row of await this.#find(this.#scopes, ids)) this.#rows.set(row.id, row);
  }

  /** What the rows hang on, level by level. */
  async #readAbove(): Promise<void> {
    let level: readonly Row[] = [...this.#rows.values()];
    for (let depth = 0; depth < DEEPEST && level.length > 0; depth += 1) {
      const above = new Set(level.flatMap((row) => parentOf(row) ?? []));
      const wanted = [...above].filter((id) => !this.#asked.has(id));
      await this.#read(wanted);
      level = wanted.flatMap((id) => this.#rows.get(id) ?? []);
    }
  }

  *#withAbove(task: TaskRow): Generator<Row> {
    yield* rowAndAbove<Row>(task, (id) => this.#rows.get(id));
  }

  #isTrashed(task: TaskRow): boolean {
    for (const row of this.#withAbove(task)) if (isTrashed(row)) return true;
    return false;
  }

  #isArchived(task: TaskRow): boolean {
    for (const row of this.#withAbove(task)) if (isArchived(row)) return true;
    return false;
  }
}
