// Free space on the disk of the data folder, so that writes are refused while enough is left to read, to checkpoint and to
// stop cleanly.
import { statfsSync } from 'node:fs';
import type { Clock } from '#sync/replica/ports.ts';

const LOOK_EVERY_MS = 1_000;
const FULL_SHARE = 0.02;
const LOW_SHARE = 0.1;

/** The free space of one disk, for everything that decides whether to accept more. */
export interface DiskWatch {
  /** As the system reports it. */
  space(): { readonly free: number; readonly total: number };
  /** Free share of the file system, 0 to 1, at most a second old. */
  freeShare(): number;
  freeBytes(): number;
  /** Excludes so many bytes from the free space: they are kept for essential writes. */
  setReserved(bytes: number): void;
  /** Less than a tenth is free. */
  isLow(): boolean;
  /** Less than a fiftieth is free: nothing new is accepted. */
  isFull(): boolean;
}

/** `look` returns free and total bytes; absent: asks the system. */
export function createDiskWatch(
  folder: string,
  clock: Pick<Clock, 'monotonic'>,
  look = (path: string): { readonly free: number; readonly total: number } => {
    const { bavail, blocks, bsize } = statfsSync(path);
    return { free: bavail * bsize, total: blocks * bsize };
  },
): DiskWatch {
  let lookedAt = -Infinity;
  let last = { free: 0, total: 0 };
  const now = () => {
    if (clock.monotonic() - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = clock.monotonic();
      last = look(folder);
    }
    return last;
  };
  let reserved = 0;
  const freeBytes = () => Math.max(0, now().free - reserved);
  const share = () => {
    const { total } = now();
    // A file system that does not report its size.
    return total === 0 ? 1 : freeBytes() / total;
  };
  return {
    space: now,
    freeShare: share,
    freeBytes,
    setReserved(bytes) {
      reserved = bytes;
    },
    isLow: () => share() < LOW_SHARE,
    isFull: () => share() < FULL_SHARE,
  };
}
