// What a newer program writes into a server's database: a row of a type that this one does not know, in a scope that from
// then on asks its devices for a later protocol version.
import { randomFillSync } from 'node:crypto';
import { must } from '#core/assert.ts';
import { createIdSource, type Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { asRow, type OpaqueRow, type Row } from '#sync/rows/row.ts';
import type { Store } from '#server/data/store.ts';

const newId = createIdSource({ now: () => Date.now(), random: (bytes) => void randomFillSync(bytes) });

/** Writes one row and asks for that protocol version, in one transaction. Returns the row. */
export function writeNewer(store: Store, scope: Id, protocol: number): Promise<OpaqueRow> {
  return store.write(async (tx) => {
    const head = must((await tx.lockScopes([scope])).get(scope), 'the scope exists');
    const version = head.version + 1;
    const updatedAt = head.updatedClock + 1;
    const stamp = [version, updatedAt, 1, 1] as const;
    const type = 'habit' as OpaqueRow['type'];
    const fields = { name: 'Run', every: { days: 2 } };
    const row = asRow({
      id: newId(),
      type,
      scope,
      version,
      fields,
      stamp,
      createdAt: updatedAt,
      updatedAt,
    });
    const sum = new DigestSum(head.digest);
    sum.add(row.id, version);
    await tx.save({
      scopes: [{ ...head, version, updatedClock: updatedAt, digest: sum.value }],
      scopeGenerations: [],
      rows: [row as Row],
      tombstones: [],
      devices: [],
      results: [],
      forgetResults: [],
      history: [],
    });
    await tx.raiseMinSchema(scope, protocol);
    return row as OpaqueRow;
  });
}
