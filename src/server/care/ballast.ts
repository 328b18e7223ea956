// A file that occupies space on the disk while there is plenty, and is given up when there is none. Not here: when
// (room.ts).
import { randomBytes } from 'node:crypto';
import { statSync, truncateSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskWatch } from './disk-watch.ts';

/** Name of the ballast file in the data folder. */
export const BALLAST_FILE = 'ballast';
const CHUNK_BYTES = 1_048_576;
/** Keeps it smaller on a small disk. */
const LARGEST_SHARE = 0.05;
/** Must stay free besides a new ballast. */
const SPARE_SHARE = 0.05;
/** It is given up when less than this part of it is free. */
const LOW_PART = 8;

/** The ballast file of a data folder. Once given up, its space stays reserved in the DiskWatch. */
export class Ballast {
  readonly #path: string;
  readonly #wanted: number;
  readonly #disk: DiskWatch;

  /** `bytes`: maximum size; 0: no ballast. */
  constructor(folder: string, bytes: number, disk: DiskWatch) {
    this.#path = join(folder, BALLAST_FILE);
    this.#wanted = bytes;
    this.#disk = disk;
    // An empty file means that it was given up before this start.
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === 0) disk.setReserved(this.#bytes());
  }

  get isKept(): boolean {
    return (statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  }

  /** Hardly any space is free besides it, or in its place. */
  get isShort(): boolean {
    const { free, total } = this.#disk.space();
    return total > 0 && free < this.#bytes() / LOW_PART;
  }

  /** Resolves with its size; 0: no room for it. Rejects, leaving nothing behind, when it cannot be written. */
  async make(): Promise<number> {
    const bytes = this.#bytes();
    const { free, total } = this.#disk.space();
    if (bytes === 0 || free - bytes < total * SPARE_SHARE) return 0;
    const part = `${this.#path}.part`;
    try {
      await writeBytes(part, bytes);
      await rename(part, this.#path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    this.#disk.setReserved(0);
    return bytes;
  }

  /** The freed space stays reserved: it is not for new content. */
  giveUp(): void {
    truncateSync(this.#path, 0);
    this.#disk.setReserved(this.#bytes());
  }

  #bytes(): number {
    return Math.floor(Math.min(this.#wanted, this.#disk.space().total * LARGEST_SHARE));
  }
}

/** Random bytes, which no file system can compress. */
async function writeBytes(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    for (let left = bytes; left > 0; left -= CHUNK_BYTES)
      await file.writeFile(randomBytes(Math.min(left, CHUNK_BYTES)));
    await file.sync();
  } finally {
    await file.close();
  }
}
