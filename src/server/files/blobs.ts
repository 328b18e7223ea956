// Content of attached files by its SHA-256: equal content is stored once. In a folder by default, in S3-compatible storage
// by configuration. Not here: who may read what (routes.ts), and deleting unneeded content (sweep.ts).
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { failed, ok, type Result } from '#core/result.ts';
import { syncPath } from '../data/new-file.ts';
import type { Range } from '../http/range.ts';
import { Bucket, type BucketLocation } from './bucket.ts';

/** `cut`: the sender disconnected. `mismatch`: the content does not match the hash. */
export type PutProblem = 'too_large' | 'mismatch' | 'cut';

/** Storage of file content by hash, in a folder or a bucket. */
export interface Blobs {
  /** Verifies the hash and stores the content. Resolves, with its size, when it survives a loss of power. */
  put(
    hash: string,
    content: AsyncIterable<Uint8Array>,
    mostBytes: number,
  ): Promise<Result<number, PutProblem>>;
  /** Bytes; null: no such content. */
  size(hash: string): Promise<number | null>;
  read(hash: string, range?: Range): Promise<ReadableStream<Uint8Array>>;
  remove(hash: string): Promise<void>;
  /** As `remove`, unless it was stored at or after `time`: its sender may not hold it yet. Resolves with whether it is gone. */
  removeOlder(hash: string, time: number): Promise<boolean>;
  /** Hashes of all content last stored before `time`; also deletes interrupted uploads from before. */
  older(time: number): AsyncIterable<string>;
}

const HASH = /^[0-9a-f]{64}$/;
const PARTIAL = 'partial';

interface Staged {
  readonly path: string;
  readonly size: number;
}

/** Receives content into a private file and checks its hash. The file is deleted unless all is well. */
async function stage(
  folder: string,
  hash: string,
  content: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Result<Staged, PutProblem>> {
  await mkdir(join(folder, PARTIAL), { recursive: true, mode: 0o700 });
  const path = join(folder, PARTIAL, randomUUID());
  const file = await open(path, 'wx', 0o600);
  const digest = createHash('sha256');
  let size = 0;
  let problem: PutProblem | null = null;
  try {
    for await (const part of content) {
      size += part.length;
      if (size > mostBytes) {
        problem = 'too_large';
        break;
      }
      digest.update(part);
      await file.writeFile(part);
    }
    problem ??= digest.digest('hex') === hash ? null : 'mismatch';
    if (problem === null) await file.sync();
  } catch (error) {
    // An error of our own disk is the server's; any other means the sender disconnected.
    if (error instanceof Error && 'syscall' in error) throw error;
    problem = 'cut';
  } finally {
    await file.close();
    if (problem !== null) await rm(path, { force: true });
  }
  return problem === null ? ok({ path, size }) : failed(problem);
}

async function* agedFiles(folder: string, time: number): AsyncIterable<{ name: string; path: string }> {
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (!entry.isFile()) continue;
    const { mtimeMs } = await stat(path);
    if (mtimeMs < time) yield { name: entry.name, path };
  }
}

async function forgetPartial(folder: string, time: number): Promise<void> {
  for await (const { path } of agedFiles(join(folder, PARTIAL), time)) await rm(path, { force: true });
}

class FolderBlobs implements Blobs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(
    hash: string,
    content: AsyncIterable<Uint8Array>,
    mostBytes: number,
  ): Promise<Result<number, PutProblem>> {
    const to = this.#path(hash);
    const staged = await stage(this.#folder, hash, content, mostBytes);
    if (!staged.ok) return staged;
    const shelf = join(this.#folder, hash.slice(0, 2));
    await mkdir(shelf, { recursive: true, mode: 0o700 });
    // The same content may already exist; this renews its age, so that it is not swept meanwhile.
    await rename(staged.value.path, to);
    syncPath(shelf);
    return ok(staged.value.size);
  }

  async size(hash: string): Promise<number | null> {
    try {
      return (await stat(this.#path(hash))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async read(hash: string, range?: Range): Promise<ReadableStream<Uint8Array>> {
    const path = this.#path(hash);
    const stream = createReadStream(path, range ? { start: range.from, end: range.to } : {});
    return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
  }

  async remove(hash: string): Promise<void> {
    await rm(this.#path(hash), { force: true });
  }

  async removeOlder(hash: string, time: number): Promise<boolean> {
    const { mtimeMs } = await stat(this.#path(hash)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return { mtimeMs: -Infinity };
      throw error;
    });
    if (mtimeMs < time) await this.remove(hash);
    return mtimeMs < time;
  }

  async *older(time: number): AsyncIterable<string> {
    await forgetPartial(this.#folder, time);
    for (let shelf = 0; shelf < 256; shelf += 1) {
      const folder = join(this.#folder, shelf.toString(16).padStart(2, '0'));
      for await (const { name } of agedFiles(folder, time)) if (HASH.test(name)) yield name;
    }
  }

  #path(hash: string): string {
    if (!HASH.test(hash)) throw new Error('Impossible: a blob is named by its SHA-256');
    return join(this.#folder, hash.slice(0, 2), hash);
  }
}

class BucketBlobs implements Blobs {
  readonly #bucket: Bucket;
  readonly #folder: string;

  constructor(location: BucketLocation, folder: string) {
    this.#bucket = new Bucket(location);
    this.#folder = folder;
  }

  async put(
    hash: string,
    content: AsyncIterable<Uint8Array>,
    mostBytes: number,
  ): Promise<Result<number, PutProblem>> {
    // Checked before it is passed on: the bucket must never hold content under a wrong hash.
    const staged = await stage(this.#folder, hash, content, mostBytes);
    if (!staged.ok) return staged;
    try {
      await this.#bucket.ask('PUT', hash, { body: new Uint8Array(await readFile(staged.value.path)) });
    } finally {
      await rm(staged.value.path, { force: true });
    }
    return ok(staged.value.size);
  }

  async size(hash: string): Promise<number | null> {
    const response = await this.#bucket.ask('HEAD', hash, {}, [404]);
    return response.status === 404 ? null : Number(response.headers.get('content-length'));
  }

  async read(hash: string, range?: Range): Promise<ReadableStream<Uint8Array>> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.from}-${range.to}` } : {};
    const { body } = await this.#bucket.ask('GET', hash, { headers });
    if (!body) throw new Error('The storage of files answered without content');
    return body;
  }

  async remove(hash: string): Promise<void> {
    await this.#bucket.ask('DELETE', hash, {}, [404]);
  }

  async removeOlder(hash: string, time: number): Promise<boolean> {
    const { status, headers } = await this.#bucket.ask('HEAD', hash, {}, [404]);
    const isOld = status === 404 || Date.parse(headers.get('last-modified') ?? '') < time;
    if (isOld) await this.remove(hash);
    return isOld;
  }

  async *older(time: number): AsyncIterable<string> {
    await forgetPartial(this.#folder, time);
    for await (const { key, at } of this.#bucket.list()) if (HASH.test(key) && at < time) yield key;
  }
}

/** `folder`: where content is stored, or where uploads to a bucket wait for the check of their hash. */
export function openBlobs(folder: string, bucket: BucketLocation | null): Blobs {
  return bucket ? new BucketBlobs(bucket, folder) : new FolderBlobs(folder);
}
