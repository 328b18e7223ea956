// Purging: rows that have been in the trash long enough are removed for good inside one write transaction, under the
// scope's lock. Whether a row may go is decided here, from its state at that moment; the caller only proposes.
// Not here: finding due rows, and when (care/).
import type { Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { ReadAnswer, ReadSet, ScopeRecord, WriteTransaction } from '../data/store.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { rowAndAbove } from '#sync/rows/ancestors.ts';
import { refuseLater } from './later-generation.ts';

/** Rows of one scope proposed for permanent removal. */
export interface PurgeRequest {
  readonly scope: Id;
  /** With their descendants, or after them: a row with a remaining child stays, unless that is a mount. */
  readonly ids: readonly Id[];
  /** Only rows trashed before this, milliseconds. */
  readonly trashedBefore: number;
  /** Scope of the rows these are about, if another one: `mine` rows of tasks in a shared list. */
  readonly aboutScope?: Id;
}

export interface Purged {
  readonly before: ScopeRecord;
  readonly after: ScopeRecord;
  readonly gone: readonly Id[];
}

/** Rows that are on their way to what is proposed: more than a few of them are not told apart. */
const MOST_COMING = 1_000;

interface Moment {
  readonly now: number;
  /** Index of the current generation. */
  readonly generation: number;
}

function aboutOf(row: Row): Id | undefined {
  if (row.type === 'completion') return row.fields['task'];
  return row.type === 'mine' ? row.fields['of'] : undefined;
}

/** Stored rows, as far as they were read. */
class Stored {
  readonly #answer: ReadAnswer;
  readonly #trashedBefore: number;

  constructor(answer: ReadAnswer, trashedBefore: number) {
    this.#answer = answer;
    this.#trashedBefore = trashedBefore;
  }

  row(id: Id): Row | undefined {
    const lookup = this.#answer.rows.get(id);
    return lookup?.type === 'row' ? lookup.row : undefined;
  }

  /** Whether the row, or an ancestor, has been in the trash long enough. */
  isDue(id: Id): boolean {
    for (const row of rowAndAbove(this.row(id), (at) => this.row(at))) {
      const deletion = fieldOf(row, 'del');
      if (deletion && deletion.at < this.#trashedBefore) return true;
    }
    return false;
  }

  /** A record about a row goes with that row; having been undone does not make it trash. */
  mayGo(row: Row): boolean {
    const about = aboutOf(row);
    if (about === undefined) return this.isDue(row.id);
    return this.#answer.rows.get(about)?.type === 'tombstone' || this.isDue(about);
  }
}

/** Candidates without ancestors of rows that stay. */
function withoutHolders(
  candidates: ReadonlyMap<Id, Row>,
  children: ReadonlyMap<Id, readonly Id[]>,
): ReadonlyMap<Id, Row> {
  const going = new Map(candidates);
  for (let size = -1; size !== going.size;) {
    size = going.size;
    for (const id of going.keys())
      if ((children.get(id) ?? []).some((child) => !going.has(child))) going.delete(id);
  }
  return going;
}

/** The mounts of shared lists hold nothing: without their folder the lists stand elsewhere. */
async function withoutMounts(
  tx: WriteTransaction,
  { scope, ids }: { readonly scope: Id; readonly ids: readonly Id[] },
  children: Map<Id, Id[]>,
): Promise<void> {
  const going = new Set(ids);
  const staying = [...children.values()].flat().filter((id) => !going.has(id));
  if (staying.length === 0) return;
  const { rows } = await tx.load({ rows: staying.map((id) => ({ scope, id })), ancestors: [], siblings: [] });
  const isMount = (id: Id): boolean => {
    const found = rows.get(id);
    return found?.type === 'row' && found.row.type === 'mount';
  };
  for (const [parent, found] of children)
    children.set(
      parent,
      found.filter((id) => !isMount(id)),
    );
}

async function readCandidates(tx: WriteTransaction, request: PurgeRequest): Promise<ReadonlyMap<Id, Row>> {
  const { scope, trashedBefore, aboutScope = scope } = request;
  const ids = [...new Set(request.ids)];
  const own: ReadSet = {
    rows: [],
    ancestors: ids.map((id) => ({ scope, id })),
    siblings: ids.map((parent) => ({
      scope,
      parent,
      from: null,
      direction: 'ascending',
      // One more than could go along with it.
      limit: ids.length + 1,
    })),
  };
  const answer = await tx.load(own);
  const found = new Map<Id, Row>();
  for (const id of ids) {
    const lookup = answer.rows.get(id);
    if (lookup?.type === 'row') found.set(id, lookup.row);
  }
  const about = [...found.values()].flatMap((row) => aboutOf(row) ?? []);
  const subjects = await tx.load({
    rows: [],
    ancestors: about.map((id) => ({ scope: aboutScope, id })),
    siblings: [],
  });
  const stored = new Stored(
    { rows: new Map([...answer.rows, ...subjects.rows]), siblings: [] },
    trashedBefore,
  );
  const due = new Map([...found].filter(([, row]) => stored.mayGo(row)));
  const children = new Map(ids.map((id, at) => [id, (answer.siblings[at] ?? []).map((child) => child.id)]));
  await withoutMounts(tx, { scope, ids }, children);
  // What is still on its way here stays with what it hangs under.
  for (const { from } of await tx.transfers()) {
    if (from === scope) continue;
    for (const row of await tx.beneath(from, ids, MOST_COMING)) {
      const parent = placeOf(row)?.parent;
      if (parent !== undefined) children.get(parent)?.push(row.id);
    }
  }
  return withoutHolders(due, children);
}

/** Null: nothing may go (any more), or the scope itself is gone. */
export async function purgeRows(
  tx: WriteTransaction,
  request: PurgeRequest,
  { now, generation }: Moment,
): Promise<Purged | null> {
  const { scope, aboutScope = scope } = request;
  const before = (await tx.lockScopes([...new Set([scope, aboutScope])])).get(scope);
  if (before === undefined) return null;
  refuseLater(before, generation);
  const going = await readCandidates(tx, request);
  if (going.size === 0) return null;
  const digest = new DigestSum(before.digest);
  for (const row of going.values()) digest.remove(row.id, row.version);
  const version = before.version + 1;
  const after = { ...before, version, digest: digest.value, generation };
  const ended = { scope, generation: before.generation, maxVersion: before.version };
  await tx.save({
    scopes: [after],
    scopeGenerations: before.generation === generation ? [] : [ended],
    rows: [],
    tombstones: [...going.keys()].map((id) => ({ scope, id, version, at: now })),
    devices: [],
    results: [],
    forgetResults: [],
    history: [],
  });
  return { before, after, gone: [...going.keys()] };
}
