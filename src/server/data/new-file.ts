// Creates files atomically: complete, durable and readable only by this user, or not at all.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Flushes a file, or the names in a folder, so that they survive a loss of power. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Adds a second name for a file. Never replaces one. */
export function giveName(path: string, name: string): void {
  if (existsSync(name)) throw new Error(`${name} already exists. Nothing was replaced.`);
  try {
    linkSync(path, name);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    // File systems of removable disks have no hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    renameSync(path, name);
  }
}

/** `fill` writes an empty private file, which gets the name `to` when it is complete. Rejects when `to` exists. */
export async function writeNewFile<T>(to: string, fill: (partial: string) => Promise<T>): Promise<T> {
  if (existsSync(to)) throw new Error(`${to} already exists. Nothing was replaced.`);
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const partial = `${to}.partial-${randomUUID()}`;
  closeSync(openSync(partial, 'wx', 0o600));
  try {
    const result = await fill(partial);
    syncPath(partial);
    giveName(partial, to);
    syncPath(dirname(to));
    return result;
  } finally {
    rmSync(partial, { force: true });
  }
}
