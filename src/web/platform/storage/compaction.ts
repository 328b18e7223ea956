// Folds runs and single rows into the compacted pages, a few at a time: each step is one transaction, may be
// the last one that is ever made, and changes nothing that can be read. Loaded when there is something to
// fold.
import type { Id } from '#core/ids.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import {
  type DeviceDb,
  type DeviceTransaction,
  type PageEntry,
  readMeta,
  STORES,
} from './device-database.ts';
import { FRAME, isFrame, OTHER, pageOrder } from './page-order.ts';
import { decodePage, encodePage, isWhole, type RowPage } from './row-page.ts';

const PAGE_ROWS = 1_000;
const LARGEST_PAGE_ROWS = 1_500;
const RUNS_AT_ONCE = 4;
const MERGED_AT_ONCE = 1_000;

function pageFor(pages: readonly PageEntry[], order: string): PageEntry | undefined {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pages[middle]?.from ?? '') <= order) low = middle + 1;
    else high = middle;
  }
  return pages[low - 1];
}

type Changes = Map<Id, StoredRow | null>;

/** The changes of each page; a removed row may lie on either side of the frame. */
function byPage(pages: readonly PageEntry[], changes: Changes): Map<number, Changes> {
  const grouped = new Map<number, Changes>();
  for (const [id, row] of changes) {
    const orders = row ? [pageOrder(row)] : [FRAME + id, OTHER + id];
    for (const page of new Set(orders.map((order) => pageFor(pages, order)?.page ?? 0))) {
      const group = grouped.get(page) ?? new Map<Id, StoredRow | null>();
      grouped.set(page, group.set(id, row));
    }
  }
  return grouped;
}

function chunks(rows: readonly StoredRow[]): StoredRow[][] {
  const frame = rows.filter(isFrame);
  const other = rows.filter((row) => !isFrame(row));
  // Frame and other rows do not share a page once either is large.
  const parts =
    rows.length <= LARGEST_PAGE_ROWS && (frame.length === 0 || other.length === 0)
      ? [[...rows]]
      : [frame, other];
  return parts.flatMap((part) => {
    if (part.length <= LARGEST_PAGE_ROWS) return part.length === 0 ? [] : [part];
    return Array.from({ length: Math.ceil(part.length / PAGE_ROWS) }, (_, at) =>
      part.slice(at * PAGE_ROWS, (at + 1) * PAGE_ROWS),
    );
  });
}

/** Folding would give damage a valid sum: it stops instead, and the next start finds and reports it. */
function mustBeWhole(page: RowPage): RowPage {
  if (!isWhole(page)) throw new Error('A stored page is damaged.');
  return page;
}

/** Rewrites one page with its changes, splitting it where it grew too large. */
async function mergePage(tx: DeviceTransaction, page: number, changes: Changes): Promise<void> {
  const directory = (await readMeta(tx, 'pages')) ?? [];
  const held = await tx.objectStore('pages').get(page);
  const kept = held ? decodePage(mustBeWhole(held), (id) => !changes.has(id)) : [];
  const added = [...changes.values()].filter((row) => row !== null);
  const ordered = [...kept, ...added].map((row) => ({ row, order: pageOrder(row) }));
  ordered.sort((a, b) => (a.order < b.order ? -1 : 1));
  const parts = chunks(ordered.map(({ row }) => row));
  let next = Math.max(0, ...directory.map((entry) => entry.page)) + 1;
  const from = directory.find((entry) => entry.page === page)?.from ?? '';
  const entries = parts.map((rows, index): PageEntry & { readonly rows: StoredRow[] } => {
    const first = rows[0];
    if (index === 0) return { page, from, rows };
    return { page: next++, from: first ? pageOrder(first) : from, rows };
  });
  if (entries.length === 0) entries.push({ page, from, rows: [] });
  const others = directory.filter((entry) => entry.page !== page);
  const sorted = [...others, ...entries.map((entry) => ({ page: entry.page, from: entry.from }))];
  sorted.sort((a, b) => (a.from < b.from ? -1 : 1));
  await Promise.all([
    ...entries.map((entry) => tx.objectStore('pages').put(encodePage(entry.rows), entry.page)),
    tx.objectStore('meta').put(sorted, 'pages'),
  ]);
}

export interface CompactionPorts {
  readonly db: DeviceDb;
  /** Runs one transaction after everything written before; rejects when this copy may not write any more. */
  step(work: (tx: DeviceTransaction) => Promise<void>): Promise<void>;
  /** Number of the last write of a single row; 0 when there was none since the start. */
  readonly lastWrite: (id: Id) => number;
  /** These single rows now lie in pages. */
  folded(ids: readonly Id[]): void;
}

interface Collected {
  readonly changes: Changes;
  readonly runs: readonly number[];
  readonly delta: readonly { readonly id: Id; readonly write: number }[];
}

/** The oldest runs; when there are none, the single rows. */
async function collect({ db, lastWrite }: CompactionPorts): Promise<Collected> {
  const tx = db.transaction(STORES);
  const runs = await tx.objectStore('runs').getAllKeys(null, RUNS_AT_ONCE);
  const changes: Changes = new Map();
  for (const key of runs) {
    const run = await tx.objectStore('runs').get(key);
    if (!run) continue;
    mustBeWhole(run);
    for (const id of run.gone) changes.set(id, null);
    for (const row of decodePage(run)) changes.set(row.id, row);
  }
  if (runs.length > 0) return { changes, runs, delta: [] };
  const delta = await tx.objectStore('delta').getAll();
  for (const { id, row } of delta) changes.set(id, row);
  return { changes, runs, delta: delta.map(({ id }) => ({ id, write: lastWrite(id) })) };
}

/** Merges into every page as much as keys and frames can wait for. Returns what is left: where it goes is looked up again. */
async function mergePages(ports: CompactionPorts, changes: Changes): Promise<Changes> {
  const pages = (await ports.db.get('meta', 'pages')) as readonly PageEntry[] | undefined;
  const rest: Changes = new Map();
  // Page numbers of the directory as read stay valid: only this function changes it, one round at a time.
  for (const [page, group] of byPage(pages ?? [], changes)) {
    const all = [...group];
    const now = new Map(all.slice(0, MERGED_AT_ONCE));
    for (const [id, row] of all.slice(MERGED_AT_ONCE)) rest.set(id, row);
    await ports.step((tx) => mergePage(tx, page, now));
  }
  return rest;
}

/** One round. True when there is more to fold. */
export async function compact(ports: CompactionPorts): Promise<boolean> {
  const { changes, runs, delta } = await collect(ports);
  if (changes.size === 0 && runs.length === 0) return false;
  for (let rest: Changes = changes; rest.size > 0;) rest = await mergePages(ports, rest);
  const folded: Id[] = [];
  await ports.step(async (tx) => {
    const settled = delta.filter(({ id, write }) => ports.lastWrite(id) === write);
    folded.push(...settled.map(({ id }) => id));
    await Promise.all([
      ...runs.map((key) => tx.objectStore('runs').delete(key)),
      ...folded.map((id) => tx.objectStore('delta').delete(id)),
    ]);
  });
  ports.folded(folded);
  return runs.length > 0;
}
