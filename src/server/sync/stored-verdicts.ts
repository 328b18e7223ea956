// The verdicts of operations that a device sends again.
import type { Id } from '#core/ids.ts';
import type { Verdict } from '#sync/rows/operation.ts';
import type { StoredResult, WriteTransaction } from '../data/store.ts';
import type { Push } from './push-types.ts';

/** What is asked again. */
export interface Again {
  readonly device: Id;
  readonly seen: Push['operations'];
  /** The device speaks the first protocol. */
  readonly isOld: boolean;
  /** Verdicts of this transaction. */
  readonly fresh: readonly StoredResult[];
}

/** Earlier verdicts; null: these are different operations under the same numbers. */
export async function verdictsOf(
  tx: Pick<WriteTransaction, 'results'>,
  { device, seen, isOld, fresh }: Again,
): Promise<[number, Verdict][] | null> {
  if (seen.length === 0) return [];
  const known = await tx.results(
    device,
    seen.map(({ q }) => q),
  );
  const bySeq = new Map(
    [...known, ...fresh.filter((result) => result.device === device)].map((result) => [result.seq, result]),
  );
  const verdicts: [number, Verdict][] = [];
  for (const { q, operation } of seen) {
    const result = bySeq.get(q);
    if (result === undefined || result.operation !== (operation?.u ?? device)) return null;
    // It does not know this verdict.
    verdicts.push([q, isOld && result.verdict === 'parked' ? 'gone' : result.verdict]);
  }
  return verdicts;
}
