// Purging: rows that have been in the trash long enough are removed for good inside one write transaction, under the
// scope's lock. What may go is decided here, from what is stored at that moment; the caller only proposes.
// Not here: finding what is due, and when (care/).
import type { Id } from '#core/ids.ts';
import type { Deletion } from '#core/model.ts';
import { DigestSum } from '#sync/digest.ts';
import type { Row } from '#sync/row.ts';
import { placeOf } from '#sync/row-reading.ts';
import type { ReadAnswer, ReadSet, ScopeRecord, WriteTransaction } from '../data/store.ts';

export interface PurgeRequest {
  readonly scope: Id;
  /** Together with what hangs below them, or after it: a row that something else still hangs on stays. */
  readonly ids: readonly Id[];
  /** Only what was put into the trash before this goes, milliseconds. */
  readonly trashedBefore: number;
  /** Scope of what the rows are about, when it is another one: `mine` rows of tasks in a shared list. */
  readonly aboutScope?: Id;
}

export interface Purged {
  readonly before: ScopeRecord;
  readonly after: ScopeRecord;
  readonly gone: readonly Id[];
}

interface Moment {
  readonly now: number;
  /** Index of the current generation. */
  readonly generation: number;
}

function aboutOf(row: Row): Id | undefined {
  if (row.type === 'completion') return row.fields['task'] as Id | undefined;
  return row.type === 'mine' ? (row.fields['of'] as Id | undefined) : undefined;
}

/** What is stored, as far as it was read. */
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

  /** Whether the row, or something it hangs below, has been in the trash long enough. */
  isDue(id: Id): boolean {
    const walked = new Set<Id>();
    for (let row = this.row(id); row !== undefined && !walked.has(row.id);) {
      walked.add(row.id);
      const deletion = row.fields['del'] as Deletion | null | undefined;
      if (deletion && deletion.at < this.#trashedBefore) return true;
      const parent = placeOf(row)?.parent;
      row = parent === undefined ? undefined : this.row(parent);
    }
    return false;
  }

  /** A record of something goes with it; that it was taken back does not make it trash. */
  mayGo(row: Row): boolean {
    const about = aboutOf(row);
    if (about === undefined) return this.isDue(row.id);
    return this.#answer.rows.get(about)?.type === 'tombstone' || this.isDue(about);
  }
}

/** Candidates without those that something outside of them hangs on. */
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
  return withoutHolders(due, children);
}

/** Null when nothing of it may go (any more), or the scope is gone itself. */
export async function purgeRows(
  tx: WriteTransaction,
  request: PurgeRequest,
  { now, generation }: Moment,
): Promise<Purged | null> {
  const { scope, aboutScope = scope } = request;
  const before = (await tx.lockScopes([...new Set([scope, aboutScope])])).get(scope);
  if (before === undefined) return null;
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
