// An additive sum over (id, version) of a scope's rows. Two copies with the same rows have the same sum, and a change
// updates it in constant time. A difference starts a fresh read; it never decides which copy is right.
import type { Id } from '#core/ids.ts';

/** 16 hex digits: two independent 32-bit lanes. */
export type Digest = string;

/** The digest of a scope without rows. */
export const emptyDigest: Digest = '0000000000000000';

const HIGH = 0x811c9dc5;
const LOW = 0x9e3779b1;

/** Mixes the version into the hash of an id, with Murmur3's finalizer. */
function finished(idHash: number, version: number): number {
  let hash = Math.imul(idHash ^ (version >>> 0), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ Math.floor(version / 0x1_0000_0000), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A digest that is updated row by row. */
export class DigestSum {
  #high: number;
  #low: number;

  constructor(from: Digest = emptyDigest) {
    this.#high = Number.parseInt(from.slice(0, 8), 16);
    this.#low = Number.parseInt(from.slice(8), 16);
  }

  add(id: Id, version: number): void {
    this.change(id, null, version);
  }

  remove(id: Id, version: number): void {
    this.change(id, version, null);
  }

  /**
   * A row got another version, was added (`before` is null) or removed (`after` is null). The id is hashed once, by
   * FNV-1a.
   */
  change(id: Id, before: number | null, after: number | null): void {
    let high = HIGH;
    let low = LOW;
    for (let index = 0; index < id.length; index += 1) {
      const code = id.charCodeAt(index);
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul(low ^ code, 0x01000193);
    }
    if (before !== null) {
      this.#high = (this.#high - finished(high, before)) >>> 0;
      this.#low = (this.#low - finished(low, before)) >>> 0;
    }
    if (after !== null) {
      this.#high = (this.#high + finished(high, after)) >>> 0;
      this.#low = (this.#low + finished(low, after)) >>> 0;
    }
  }

  get value(): Digest {
    return this.#high.toString(16).padStart(8, '0') + this.#low.toString(16).padStart(8, '0');
  }
}
