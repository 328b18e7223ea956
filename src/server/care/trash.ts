// Empties the trash: finds rows that have been in it long enough, with everything beneath and about them, and purges them
// in small steps, leaves first, so that the rest is consistent at any moment.
// Not here: whether a row may really go; that is decided under the lock of its scope (sync/purge.ts).
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Tables } from '../data/tables.ts';
import type { PurgeRequest } from '../sync/purge.ts';
import type { Pace } from './pace.ts';

/** Rows per transaction: a few milliseconds of work. A tree of at most this size goes at once. */
const ROWS_AT_ONCE = 64;
/** Trashed items read at a time. */
const ROOTS_AT_ONCE = 200;
const IDS_PER_QUERY = 500;

export interface TrashPorts {
  readonly db: Kysely<Tables>;
  readonly pace: Pace;
  readonly purge: (request: PurgeRequest) => Promise<readonly Id[]>;
}

interface Root {
  readonly scope: Id;
  readonly id: Id;
  readonly deleted: number;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

class Trash {
  readonly #ports: TrashPorts;
  readonly #trashedBefore: number;

  constructor(ports: TrashPorts, trashedBefore: number) {
    this.#ports = ports;
    this.#trashedBefore = trashedBefore;
  }

  /** Resolves with the number of rows removed. */
  async empty(): Promise<number> {
    let removed = 0;
    let after: Root | null = null;
    for (;;) {
      const roots = await this.#roots(after);
      for (const root of roots) removed += await this.remove(root);
      after = roots.at(-1) ?? null;
      if (after === null || roots.length < ROOTS_AT_ONCE) return removed;
    }
  }

  /** Items trashed on their own, oldest first. Undone completions stay with their task. */
  async #roots(after: Root | null): Promise<readonly Root[]> {
    await this.#ports.pace.rest();
    const found = await this.#ports.db
      .selectFrom('entity')
      .select(['scope', 'id', 'deleted'])
      .where('deleted', '<', this.#trashedBefore)
      .where('type', '<>', 'completion')
      .$if(after !== null, (query) =>
        query.where((where) =>
          where.or([
            where('deleted', '>', after?.deleted ?? 0),
            where.and([
              where('deleted', '=', after?.deleted ?? 0),
              where('id', '>', after?.id ?? ('' as Id)),
            ]),
          ]),
        ),
      )
      .orderBy('deleted')
      .orderBy('id')
      .limit(ROOTS_AT_ONCE)
      .execute();
    return found.map(({ scope, id, deleted }) => ({ scope, id, deleted: deleted ?? 0 }));
  }

  /** With everything beneath and about it. */
  async remove({ scope, id }: Pick<Root, 'scope' | 'id'>): Promise<number> {
    const levels = await this.#below(scope, id);
    const placed = levels.toReversed().flat();
    let removed = 0;
    for (const ids of chunks(placed, IDS_PER_QUERY)) removed += await this.#removeAbout(scope, ids);
    for (const ids of chunks(placed, ROWS_AT_ONCE)) removed += await this.#purge({ scope, ids });
    return removed;
  }

  /** The row and its descendants, level by level. */
  async #below(scope: Id, root: Id): Promise<readonly (readonly Id[])[]> {
    const seen = new Set([root]);
    const levels: Id[][] = [[root]];
    for (;;) {
      const level: Id[] = [];
      for (const parents of chunks(levels.at(-1) ?? [], IDS_PER_QUERY))
        for await (const ids of this.#children(scope, parents))
          level.push(...ids.filter((id) => !seen.has(id)));
      if (level.length === 0) return levels;
      for (const id of level) seen.add(id);
      levels.push(level);
    }
  }

  /** In pages: one list may have very many. */
  async *#children(scope: Id, parents: readonly Id[]): AsyncGenerator<readonly Id[]> {
    let after = { parent: '' as Id, key: '' };
    for (;;) {
      await this.#ports.pace.rest();
      const { parent, key } = after;
      const found = await this.#ports.db
        .selectFrom('entity')
        .select(['id', 'parent', 'key'])
        .where('scope', '=', scope)
        .where('parent', 'in', parents)
        // A mount stays: its list is still there, and stands elsewhere then.
        .where('type', '<>', 'mount')
        .where((where) =>
          where.or([
            where('parent', '>', parent),
            where.and([where('parent', '=', parent), where('key', '>', key)]),
          ]),
        )
        .orderBy('parent')
        .orderBy('key')
        .limit(IDS_PER_QUERY)
        .execute();
      yield found.map(({ id }) => id);
      const last = found.at(-1);
      if (found.length < IDS_PER_QUERY || last === undefined) return;
      after = { parent: last.parent ?? parent, key: last.key ?? key };
    }
  }

  /** Completions in the same scope, and members' personal rows about these in their own scopes. */
  async #removeAbout(scope: Id, ids: readonly Id[]): Promise<number> {
    await this.#ports.pace.rest();
    const members = await this.#ports.db
      .selectFrom('member')
      .innerJoin('account', 'account.id', 'member.account')
      .select('account.personal_scope')
      .where('member.scope', '=', scope)
      .execute();
    let removed = 0;
    for (const holder of new Set([scope, ...members.map((member) => member.personal_scope)])) {
      await this.#ports.pace.rest();
      const about = await this.#ports.db
        .selectFrom('entity')
        .select('id')
        .where('scope', '=', holder)
        .where('about', 'in', ids)
        .execute();
      for (const part of chunks(about, ROWS_AT_ONCE))
        removed += await this.#purge({
          scope: holder,
          ids: part.map(({ id }) => id),
          ...(holder === scope ? {} : { aboutScope: scope }),
        });
    }
    return removed;
  }

  async #purge(request: Omit<PurgeRequest, 'trashedBefore'>): Promise<number> {
    await this.#ports.pace.rest();
    return (await this.#ports.purge({ ...request, trashedBefore: this.#trashedBefore })).length;
  }
}

/** Removes for good what was trashed before a time. Resolves with the number of rows. */
export function emptyTrash(ports: TrashPorts, trashedBefore: number): Promise<number> {
  return new Trash(ports, trashedBefore).empty();
}

/** Items of some scopes that a person wants gone now, each with the time it was trashed. */
export interface Unwanted {
  readonly scopes: readonly Id[];
  readonly items: readonly { readonly id: Id; readonly at: number }[];
  /** Asked before each further item. */
  readonly isLate: () => boolean;
}

/**
 * Removes the named items for good, unless they left the trash or were trashed again since. `removed`: the items gone;
 * `looked`: how many there was time for, from the start of the list.
 */
export async function removeFromTrash(
  ports: TrashPorts,
  { scopes, items, isLate }: Unwanted,
): Promise<{ readonly removed: number; readonly looked: number }> {
  const storedOf = (id: Id) =>
    ports.db
      .selectFrom('entity')
      .select(['scope', 'deleted'])
      .where('scope', 'in', scopes)
      .where('id', '=', id)
      .executeTakeFirst();
  let removed = 0;
  for (const [looked, { id, at }] of items.entries()) {
    if (looked > 0 && isLate()) return { removed, looked };
    const stored = await storedOf(id);
    if (stored?.deleted !== at) continue;
    await new Trash(ports, at + 1).remove({ scope: stored.scope, id });
    if ((await storedOf(id)) === undefined) removed += 1;
  }
  return { removed, looked: items.length };
}
