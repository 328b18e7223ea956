// How much room the disk under the data folder has, so that writes are refused while there is still enough left to read,
// to check-point and to stop cleanly.
import { statfsSync } from 'node:fs';
import type { Clock } from '#sync/ports.ts';

const LOOK_EVERY_MS = 1_000;
const FULL_SHARE = 0.02;
const LOW_SHARE = 0.1;

export interface DiskWatch {
  /** Free share of the file system, 0 to 1, at most a second old. */
  freeShare(): number;
  freeBytes(): number;
  /** Less than a tenth is free. */
  isLow(): boolean;
  /** Less than a fiftieth is free: nothing new is accepted. */
  isFull(): boolean;
}

/** `look` answers free and total bytes; absent: asked of the system. */
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
  const share = () => {
    const { free, total } = now();
    // A file system that does not say how large it is.
    return total === 0 ? 1 : free / total;
  };
  return {
    freeShare: share,
    freeBytes: () => now().free,
    isLow: () => share() < LOW_SHARE,
    isFull: () => share() < FULL_SHARE,
  };
}
