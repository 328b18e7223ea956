// Backups in a folder: each is a folder of its own, which appears whole or not at all. It is written under a name that nothing takes
// for a backup, read again and compared, and then renamed. Only what was written here, and is unchanged, is ever removed.
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { Failure, fileFailure } from '../failure.ts';

/** Describes a backup, and lies in it. */
export const MANIFEST = 'backup.json';
const NAME = /^posthaste-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d{1,3})?$/;
const PARTIAL = /^\.posthaste-[\dTZ-]+\.partial$/;

const manifestSchema = z.object({
  program: z.literal('posthaste backup'),
  version: z.literal(1),
  account: z.string(),
  at: z.number(),
  entities: z.int(),
  isOfOneMoment: z.boolean(),
  files: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A file to write. */
export interface BackupFile {
  readonly name: string;
  readonly text: string;
  /** Reads it from its text again: how many entities it has; null: its digest is all that can be said. */
  readonly count: ((text: string) => number | null) | null;
}

export interface NewBackup {
  /** Whose it is: backups of other accounts in the same folder are left alone. */
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly entities: number;
  readonly isOfOneMoment: boolean;
  readonly files: readonly BackupFile[];
}

/** A finished backup of the folder. */
export interface Kept {
  readonly name: string;
  readonly manifest: Manifest;
}

/** Called before each step, so that tests can stop in the middle. */
export type OnStep = (step: string) => void;

const digestOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What is in a folder is on the disk once its folder is. Windows has nothing of the kind. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function writeDurably(path: string, text: string): void {
  const content = Buffer.from(text);
  const file = openSync(path, 'wx', 0o600);
  try {
    // A call may write a part only.
    for (let from = 0; from < content.length;) from += writeSync(file, content, from);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The folder for backups. Its parent has to be there, so that a disk that is not mounted is noticed. */
export function openFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw fileFailure(error, folder);
    if (!lstatSync(folder).isDirectory() && !isDirectory(folder))
      throw new Failure('files', `Can't write ${folder}: it isn't a folder.`);
  }
}

function isDirectory(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return false;
    throw fileFailure(error, path);
  }
}

function readManifest(folder: string): Manifest | null {
  try {
    const read = manifestSchema.safeParse(JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')));
    return read.data ?? null;
  } catch {
    // None, or not ours: then it is no backup.
    return null;
  }
}

/** The backups of an account in a folder, the oldest first. */
export function backupsIn(folder: string, account: string): readonly Kept[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .flatMap((name) => {
      const manifest = readManifest(join(folder, name));
      return manifest !== null && manifest.account === account ? [{ name, manifest }] : [];
    })
    .toSorted((a, b) => a.manifest.at - b.manifest.at || (a.name < b.name ? -1 : 1));
}

function nameOf(folder: string, at: number): string {
  const base = `posthaste-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const taken = new Set(readdirSync(folder));
  for (let again = 1; ; again += 1) {
    const name = again === 1 ? base : `${base}-${again}`;
    if (!taken.has(name)) return name;
  }
}

/** Reads the files again, from the disk, and compares them with what was meant. */
function verify(folder: string, { entities, files }: NewBackup, manifest: Manifest): void {
  const damaged = (name: string) =>
    new Failure('files', `${join(folder, name)} isn't what was written. The disk may be damaged.`);
  for (const [index, { name, count }] of files.entries()) {
    const content = readFileSync(join(folder, name));
    const said = manifest.files[index];
    if (said === undefined || content.length !== said.bytes || digestOf(content) !== said.sha256)
      throw damaged(name);
    const found = count?.(content.toString('utf8')) ?? null;
    if (count !== null && found !== entities)
      throw new Failure(
        'unexpected',
        `${name} has ${found ?? 'no'} entries of ${entities}. It can't be restored.`,
      );
  }
  const read = readManifest(folder);
  if (JSON.stringify(read) !== JSON.stringify(manifest)) throw damaged(MANIFEST);
}

/** Removes what an earlier run left half done: only files with names of ours. For the holder of the lock. */
function removePartials(folder: string): void {
  for (const name of readdirSync(folder)) if (PARTIAL.test(name)) removeOwn(join(folder, name));
}

const OWN_FILE =
  /^(?:posthaste\.(?:json|md|csv|opml|ics|org|txt)|attachments-not-included\.txt|backup\.json)$/;

function removeOwn(partial: string): void {
  for (const name of readdirSync(partial)) if (OWN_FILE.test(name)) rmSync(join(partial, name));
  removeEmpty(partial);
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Somebody put something into it, which stays.
    if (!/^(?:ENOTEMPTY|EEXIST)$/.test(codeOf(error))) throw error;
  }
}

/** Writes a backup and returns its name. The lock has to be held. */
export function writeBackup(folder: string, backup: NewBackup, onStep: OnStep = () => undefined): string {
  const { account, at, entities, isOfOneMoment, files } = backup;
  try {
    onStep('clean');
    removePartials(folder);
    const name = nameOf(folder, at);
    const partial = join(folder, `.${name}.partial`);
    const manifest: Manifest = {
      program: 'posthaste backup',
      version: 1,
      account,
      at,
      entities,
      isOfOneMoment,
      files: files.map(({ name: own, text }) => ({
        name: own,
        bytes: Buffer.byteLength(text),
        sha256: digestOf(text),
      })),
    };
    onStep('folder');
    mkdirSync(partial, { mode: 0o700 });
    try {
      for (const file of files) {
        onStep(`write ${file.name}`);
        writeDurably(join(partial, file.name), file.text);
      }
      onStep('manifest');
      writeDurably(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
      syncFolder(partial);
      onStep('verify');
      verify(partial, backup, manifest);
      onStep('rename');
      renameSync(partial, join(folder, name));
    } catch (error) {
      tidy(partial);
      throw error;
    }
    onStep('sync');
    syncFolder(folder);
    return name;
  } catch (error) {
    throw fileFailure(error, folder);
  }
}

/** The room of a half-written backup is given back at once, if the disk lets it. */
function tidy(partial: string): void {
  try {
    removeOwn(partial);
  } catch {
    // The next run does it. What went wrong before is what is told.
  }
}

/** Whether a backup holds what was written, and nothing else. */
function isUntouched(path: string, { files }: Manifest): boolean {
  const known = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  return readdirSync(path).every((name) => {
    if (name === MANIFEST) return true;
    const own = join(path, name);
    const digest = OWN_FILE.test(name) ? known.get(name) : undefined;
    return digest !== undefined && lstatSync(own).isFile() && digestOf(readFileSync(own)) === digest;
  });
}

/** Removes a backup; at once, for anyone who looks. False: something else is in it, and all of it stays. */
function removeBackup(folder: string, { name, manifest }: Kept): boolean {
  const path = join(folder, name);
  if (!isUntouched(path, manifest)) return false;
  const partial = join(folder, `.${name}.partial`);
  renameSync(path, partial);
  removeOwn(partial);
  return true;
}

/** What became of old backups. */
export interface Pruned {
  readonly removed: readonly string[];
  /** Those in which somebody put or changed something. */
  readonly left: readonly string[];
  /** The new one is much smaller than the one before: nothing was removed. */
  readonly isHeld: boolean;
}

/** Fewer than this part of the entities of the last backup looks like a loss. */
const LEAST_PART = 0.5;

/** Removes the oldest backups of the account until `keep` are left; the named one, which is the newest, is never removed. */
export function prune(
  folder: string,
  { account, name, keep }: { readonly account: string; readonly name: string; readonly keep: number },
  onStep: OnStep = () => undefined,
): Pruned {
  try {
    const all = backupsIn(folder, account);
    const own = all.find((one) => one.name === name);
    const others = all.filter((one) => one.name !== name);
    const last = others.at(-1);
    if (own && last && own.manifest.entities < last.manifest.entities * LEAST_PART)
      return { removed: [], left: [], isHeld: others.length >= keep };
    const removed: string[] = [];
    const left: string[] = [];
    for (const old of others.slice(0, Math.max(0, others.length - (keep - 1)))) {
      onStep(`remove ${old.name}`);
      (removeBackup(folder, old) ? removed : left).push(old.name);
    }
    return { removed, left, isHeld: false };
  } catch (error) {
    throw fileFailure(error, folder);
  }
}
