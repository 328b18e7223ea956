// An additive sum over (id, version) of a scope's rows. Two copies that hold the same rows have the same sum, and a
// change updates it in constant time. It raises an alarm and starts a fresh read; it never decides what is true.
import type { Id } from '#core/ids.ts';

/** 16 hex digits: two independent 32-bit lanes. */
export type Digest = string;

export const emptyDigest: Digest = '0000000000000000';

/** FNV-1a over the id, then the version, finished by Murmur3's mixer. */
function lane(id: Id, version: number, seed: number): number {
  let hash = seed;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (version >>> 0), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ Math.floor(version / 0x1_0000_0000), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A sum being kept up to date. */
export class DigestSum {
  private high: number;
  private low: number;

  constructor(from: Digest = emptyDigest) {
    this.high = Number.parseInt(from.slice(0, 8), 16);
    this.low = Number.parseInt(from.slice(8), 16);
  }

  add(id: Id, version: number): void {
    this.high = (this.high + lane(id, version, 0x811c9dc5)) >>> 0;
    this.low = (this.low + lane(id, version, 0x9e3779b1)) >>> 0;
  }

  remove(id: Id, version: number): void {
    this.high = (this.high - lane(id, version, 0x811c9dc5)) >>> 0;
    this.low = (this.low - lane(id, version, 0x9e3779b1)) >>> 0;
  }

  get value(): Digest {
    return this.high.toString(16).padStart(8, '0') + this.low.toString(16).padStart(8, '0');
  }
}
