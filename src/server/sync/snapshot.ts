// Reads a scope from the start in parts, page by page, a few rows at a time so that the event loop stays free.
// data/shelf.ts explains why this needs no transaction.
import type { Id } from '#core/ids.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import {
  snapshotParts,
  type SnapshotPart,
  type SnapshotPlace,
  type WirePartPage,
  type WireRow,
} from '#wire/sync.ts';
import { boundsOf } from '../data/shelf.ts';
import type { Store } from '../data/store.ts';

const STEP_ROWS = 500;
/** Even a slow device handles a page between two frames. */
const PAGE_ROWS = 1_000;
/** The first open tasks are needed at once. */
const FIRST_PAGE_ROWS = 500;
/** Index entries, not rows. */
const COUNT_STEP = 50_000;
const TOKEN = /^[a-z0-9-]{1,100}$/;

export interface SnapshotPorts {
  readonly store: Store;
  readonly now: number;
  readonly generation: string;
  nextTurn(work: () => void): void;
}

/** The place in a request, or which of its two fields is invalid. */
export function readPlace(
  part: string | null,
  after: string | null,
): SnapshotPlace | { readonly wrong: 'part' | 'after' } {
  const name = snapshotParts.find((known) => known === part);
  if (name === undefined) return { wrong: 'part' };
  return after !== null && !TOKEN.test(after) ? { wrong: 'after' } : { part: name, after };
}

function following(part: SnapshotPart): SnapshotPart | null {
  return snapshotParts[snapshotParts.indexOf(part) + 1] ?? null;
}

export async function readPart(scope: Id, place: SnapshotPlace, ports: SnapshotPorts): Promise<WirePartPage> {
  const { store, now, generation } = ports;
  const turn = () => new Promise<void>((resolve) => ports.nextTurn(resolve));
  const { from, to } = boundsOf(place.part, now);
  const wanted = place.part === 'hot' && (place.after ?? '') < from ? FIRST_PAGE_ROWS : PAGE_ROWS;
  const rows: WireRow[] = [];
  let after = place.after ?? from;
  let isEnd = false;
  while (rows.length < wanted && !isEnd) {
    if (rows.length > 0) await turn();
    const step = await store.shelf(scope, { after, to, limit: STEP_ROWS });
    for (const { row } of step) rows.push(rowToWire(row));
    after = step.at(-1)?.place ?? after;
    isEnd = step.length < STEP_ROWS;
  }
  const nextPart = isEnd ? following(place.part) : place.part;
  // The next part begins where this one ended, not where the border is by then.
  const next = nextPart === null ? null : { part: nextPart, after };
  const isFirst = place.part === 'frame' && place.after === null;
  return { scope, rows, next, generation, ...(isFirst ? { total: await count(scope, ports) } : {}) };

  async function count(of: Id, { store: counted }: SnapshotPorts): Promise<number> {
    let total = 0;
    for (let last: string | null = ''; last !== null;) {
      const step: { count: number; last: string | null } = await counted.countShelf(of, last, COUNT_STEP);
      total += step.count;
      last = step.last;
      if (last !== null) await turn();
    }
    return total;
  }
}
