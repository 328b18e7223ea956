// The rows as last confirmed, with the digest of each scope kept beside them.
import type { Id } from '#core/ids.ts';
import { type Digest, DigestSum, emptyDigest } from '../rows/digest.ts';
import type { Row } from '../rows/row.ts';

export class ConfirmedRows {
  readonly #rows = new Map<Id, Row>();
  readonly #sums = new Map<Id, DigestSum>();

  get size(): number {
    return this.#rows.size;
  }

  get(id: Id): Row | undefined {
    return this.#rows.get(id);
  }

  has(id: Id): boolean {
    return this.#rows.has(id);
  }

  values(): Iterable<Row> {
    return this.#rows.values();
  }

  [Symbol.iterator](): Iterator<readonly [Id, Row]> {
    return this.#rows[Symbol.iterator]();
  }

  set(row: Row): void {
    let sum = this.#sums.get(row.scope);
    if (sum === undefined) this.#sums.set(row.scope, (sum = new DigestSum()));
    sum.change(row.id, this.#rows.get(row.id)?.version ?? null, row.version);
    this.#rows.set(row.id, row);
  }

  delete(id: Id): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#sums.get(row.scope)?.remove(id, row.version);
    this.#rows.delete(id);
  }

  digestOf(scope: Id): Digest {
    return this.#sums.get(scope)?.value ?? emptyDigest;
  }
}
