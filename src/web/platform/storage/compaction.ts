// Folds runs and single rows into the compacted pages, a few at a time: each step is one transaction, may be
// the last one that is ever made, and changes nothing that can be read. Loaded when there is something to
// fold.
import type { Id } from '#core/ids.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import type { DeviceDb, DiskSeal, PageEntry, Put } from './device-database.ts';
import type { Changes as Stored } from './indexeddb.ts';
import { FRAME, isFrame, OTHER, pageOrder } from './page-order.ts';
import { decodePage, encodePage, type RowPage } from './row-page.ts';
import { isDeltaEntry, isPage, readOne, readStore } from './salvage.ts';

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
function mustBeWhole(page: unknown): RowPage {
  if (!isPage(page)) throw new Error('A stored page is damaged.');
  return page;
}

/** Rewrites one page with its changes, splitting it where it grew too large. */
async function mergePage({ db, seal }: CompactionPorts, page: number, changes: Changes): Promise<Stored> {
  const directory = ((await db.get('meta', 'pages')) ?? []) as readonly PageEntry[];
  const held = await readOne(db, 'pages', page, seal);
  const kept = held !== undefined ? decodePage(mustBeWhole(held), (id) => !changes.has(id)) : [];
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
  const pages = entries.map((entry): Put => ['pages', encodePage(entry.rows), entry.page]);
  return { puts: [...pages, ['meta', sorted, 'pages']] };
}

export interface CompactionPorts {
  readonly db: DeviceDb;
  readonly seal: DiskSeal | null;
  /** Makes what `changes` says after everything written before; rejects when this copy may not write any more. */
  step(changes: () => Stored | Promise<Stored>): Promise<void>;
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
async function collect({ db, seal, lastWrite }: CompactionPorts): Promise<Collected> {
  const runs = await db.getAllKeys('runs', null, RUNS_AT_ONCE);
  const changes: Changes = new Map();
  for (const key of runs) {
    const run = mustBeWhole(await readOne(db, 'runs', key, seal));
    for (const id of run.gone) changes.set(id, null);
    for (const row of decodePage(run)) changes.set(row.id, row);
  }
  if (runs.length > 0) return { changes, runs, delta: [] };
  // As of before they are read: one that is written meanwhile stays.
  const writes = new Map((await db.getAllKeys('delta')).map((id) => [id, lastWrite(id)]));
  const { entries, bad } = await readStore(db, 'delta', isDeltaEntry, seal);
  if (bad.length > 0) throw new Error('A stored row is damaged.');
  for (const [, { id, row }] of entries) changes.set(id, row);
  return { changes, runs, delta: entries.map(([, { id }]) => ({ id, write: writes.get(id) ?? -1 })) };
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
    await ports.step(() => mergePage(ports, page, now));
  }
  return rest;
}

/** One round. True when there is more to fold. */
export async function compact(ports: CompactionPorts): Promise<boolean> {
  const { changes, runs, delta } = await collect(ports);
  if (changes.size === 0 && runs.length === 0) return false;
  for (let rest: Changes = changes; rest.size > 0;) rest = await mergePages(ports, rest);
  const folded: Id[] = [];
  await ports.step(() => {
    const settled = delta.filter(({ id, write }) => ports.lastWrite(id) === write);
    folded.push(...settled.map(({ id }) => id));
    return {
      deletes: [...runs.map((key) => ['runs', key] as const), ...folded.map((id) => ['delta', id] as const)],
    };
  });
  ports.folded(folded);
  return runs.length > 0;
}
