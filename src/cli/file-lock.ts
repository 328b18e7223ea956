// Lets one run at a time into a folder. The lock is a file that names its process; one whose process is gone is taken over.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import { Failure, fileFailure } from './failure.ts';

const holderSchema = z.object({ process: z.int(), host: z.string(), at: z.number() });

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

function isAlive(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function holderOf(text: string): z.infer<typeof holderSchema> | null {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // Written halfway by a process that was killed.
    return null;
  }
}

/** Moves a lock out of the way whose holder is gone; puts it back if it is another one by now. */
function takeAway(path: string, seen: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    if (readText(aside) !== seen) linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function tryLock(path: string, own: string): boolean {
  // Appears with its content or not at all.
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, own, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A disk without links.
    if (!/^(?:EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(codeOf(error))) throw error;
    return tryPlainLock(path, own);
  } finally {
    rmSync(draft, { force: true });
  }
}

function tryPlainLock(path: string, own: string): boolean {
  try {
    writeFileSync(path, own, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes the lock with this path; the returned function gives it back. Throws a Failure if somebody has it: `running` says what
 * they do, "Another backup into this folder is running". `now`: milliseconds since the epoch.
 */
export function takeLock(path: string, running: string, now: number): () => void {
  const own = JSON.stringify({ process: process.pid, host: hostname(), at: now });
  try {
    for (let turn = 0; turn < 2; turn += 1) {
      if (tryLock(path, own)) return () => giveBack(path, own);
      const text = readText(path);
      if (text === null) continue;
      const holder = holderOf(text);
      const isGone = holder === null || (holder.host === hostname() && !isAlive(holder.process));
      if (!isGone) throw busy(path, running, holder);
      takeAway(path, text);
    }
  } catch (error) {
    throw fileFailure(error, path);
  }
  throw busy(path, running, null);
}

function busy(path: string, running: string, holder: z.infer<typeof holderSchema> | null): Failure {
  const who =
    holder === null
      ? ''
      : ` (process ${holder.process} on ${holder.host}, since ${new Date(holder.at).toISOString().slice(0, 19)}Z)`;
  return new Failure('busy', `${running}${who}. If not, delete ${path}.`);
}

function giveBack(path: string, own: string): void {
  if (readText(path) === own) rmSync(path, { force: true });
}
