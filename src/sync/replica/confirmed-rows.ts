// The rows as last confirmed, with the digest of each scope kept beside them. Rows of types that this program does not know
// lie apart: what asks for rows does not meet them.
import type { Id } from '#core/ids.ts';
import { type Digest, DigestSum, emptyDigest } from '../rows/digest.ts';
import { isKnown, type OpaqueRow, type Row, type StoredRow } from '../rows/row.ts';

export class ConfirmedRows {
  readonly #rows = new Map<Id, Row>();
  readonly #opaque = new Map<Id, OpaqueRow>();
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

  /** Also of an unknown type. */
  stored(id: Id): StoredRow | undefined {
    return this.#rows.get(id) ?? this.#opaque.get(id);
  }

  /** All rows, also those of unknown types. */
  all(): readonly StoredRow[] {
    return [...this.#rows.values(), ...this.#opaque.values()];
  }

  [Symbol.iterator](): Iterator<readonly [Id, Row]> {
    return this.#rows[Symbol.iterator]();
  }

  set(row: StoredRow): void {
    if (this.stored(row.id)?.scope !== row.scope) this.delete(row.id);
    let sum = this.#sums.get(row.scope);
    if (sum === undefined) this.#sums.set(row.scope, (sum = new DigestSum()));
    sum.change(row.id, this.stored(row.id)?.version ?? null, row.version);
    if (isKnown(row)) this.#rows.set(row.id, row);
    else this.#opaque.set(row.id, row);
  }

  delete(id: Id): void {
    const row = this.stored(id);
    if (row === undefined) return;
    this.#sums.get(row.scope)?.remove(id, row.version);
    this.#rows.delete(id);
    this.#opaque.delete(id);
  }

  digestOf(scope: Id): Digest {
    return this.#sums.get(scope)?.value ?? emptyDigest;
  }
}
