// Places for rows that arrive among siblings who were placed without knowing of them: keys are unique among siblings, and
// while a tree moves in steps its rows and those of its new scope are numbered apart.
import { generateKeyBetween } from 'fractional-indexing';
import type { Id } from '#core/ids.ts';
import type { Place } from '#core/model.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import type { WriteTransaction } from '../data/store.ts';

/** The lower of two keys; null: none. */
const lower = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a;

/**
 * The places of those of these rows whose own is taken in the scope they arrive in: right after who has it. A new key is no
 * edit. `written`: what else this transaction has written in that scope, which is not stored yet.
 */
export async function freePlaces(
  tx: Pick<WriteTransaction, 'taken' | 'load'>,
  scope: Id,
  rows: readonly Row[],
  written: Iterable<Row> = [],
): Promise<ReadonlyMap<Id, Place>> {
  const placed = rows.flatMap(({ id, ...row }) => {
    const place = placeOf(row as Row);
    return place === undefined ? [] : [{ id, place }];
  });
  const taken = await tx.taken(
    scope,
    placed.map(({ place }) => place),
  );
  const arriving = new Set(placed.map(({ id }) => id));
  const others = [...written].flatMap((row) => (arriving.has(row.id) ? [] : (placeOf(row) ?? [])));
  const isTaken = new Set([...taken, ...others].map(({ parent, key }) => `${parent}${key}`));
  const free = new Map<Id, Place>();
  const among = (parent: Id) => placed.filter(({ place }) => place.parent === parent);
  for (const { id, place } of placed) {
    if (!isTaken.has(`${place.parent}${place.key}`)) continue;
    const { parent, key } = place;
    const query = { scope, parent, from: key, direction: 'ascending', limit: 1 } as const;
    const [[stored] = []] = (await tx.load({ rows: [], ancestors: [], siblings: [query] })).siblings;
    const beside = others.filter((place) => place.parent === parent).map((place) => place.key);
    const coming = [
      ...beside,
      ...among(parent).map((sibling) => free.get(sibling.id)?.key ?? sibling.place.key),
    ];
    const next = coming.reduce<string | null>(
      (least, each) => (each > key ? lower(least, each) : least),
      stored?.key ?? null,
    );
    free.set(id, { parent, key: generateKeyBetween(key, next) });
  }
  return free;
}
