// Accepted mail waiting to become tasks: a folder of files, each complete and on disk before the sender is told that it was
// accepted. A file begins with one line about its recipient; after that comes the message as it was sent.
import { mkdir, open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Id } from '#core/ids.ts';
import { idSchema } from '#wire/values.ts';

/** Name of the spool in the data folder. */
export const SPOOL_FOLDER = 'mail';
const PARTIAL = 'partial';
const WAITING = 'waiting';
/** Messages that could not become tasks; for the operator. */
const ASIDE = 'aside';
const ENDING = '.eml';
const LONGEST_HEAD = 4_096;

const headSchema = z.object({
  v: z.literal(1),
  id: idSchema,
  scope: idSchema,
  list: idSchema,
  account: z.int(),
  from: z.string(),
  at: z.int(),
});

/** The recipient of a message, decided on acceptance: later changes of the address do not matter. */
export interface Arrival {
  readonly id: Id;
  readonly scope: Id;
  readonly list: Id;
  /** Owner of the scope at that time, whose limits count. */
  readonly account: number;
  /** The sender of the envelope. */
  readonly from: string;
  readonly at: number;
}

export interface Spooled extends Arrival {
  /** Of the message. */
  readonly bytes: number;
}

export interface Incoming {
  write(part: Uint8Array): Promise<void>;
  /** Resolves when the message survives a loss of power. Rejects when writing failed; then nothing is stored. */
  keep(): Promise<Spooled>;
  drop(): Promise<void>;
}

/** Durable storage of accepted messages until they are delivered. */
export interface Spool {
  begin(arrival: Arrival): Promise<Incoming>;
  /** All complete messages, oldest first; incomplete ones are deleted. Called once, at the start. */
  recover(): Promise<readonly Spooled[]>;
  /** Takes messages of servers that are gone, oldest first. Absent: nobody else's are here. */
  abandoned?(): Promise<readonly Spooled[]>;
  /** Whether any server has a message for an account. Absent: what waits here is all there is. */
  waitsAnywhere?(account: number): Promise<boolean>;
  /** The message as it was sent; null: it is gone. */
  read(id: Id): Promise<Uint8Array<ArrayBuffer> | null>;
  done(id: Id): Promise<void>;
  putAside(id: Id): Promise<void>;
  /** Deletes all messages for an account. */
  forget(account: number): Promise<void>;
  /** Deletes all messages for lists of a scope. */
  forgetScope(scope: Id): Promise<void>;
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

class PartialFile implements Incoming {
  readonly #file: FileHandle;
  readonly #arrival: Arrival;
  readonly #from: string;
  readonly #folder: string;
  #bytes = 0;

  constructor(file: FileHandle, arrival: Arrival, of: { readonly path: string; readonly folder: string }) {
    this.#file = file;
    this.#arrival = arrival;
    this.#from = of.path;
    this.#folder = of.folder;
  }

  async write(part: Uint8Array): Promise<void> {
    this.#bytes += part.length;
    await this.#file.writeFile(part);
  }

  async keep(): Promise<Spooled> {
    const to = join(this.#folder, `${this.#arrival.id}${ENDING}`);
    try {
      await this.#file.sync();
      await this.#file.close();
      await rename(this.#from, to);
      await syncFolder(this.#folder);
    } catch (error) {
      await this.#file.close().catch(() => undefined);
      await rm(this.#from, { force: true });
      await rm(to, { force: true });
      throw error;
    }
    return { ...this.#arrival, bytes: this.#bytes };
  }

  async drop(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#from, { force: true });
  }
}

class FolderSpool implements Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open(): Promise<void> {
    for (const name of [PARTIAL, WAITING, ASIDE])
      await mkdir(join(this.#folder, name), { recursive: true, mode: 0o700 });
    // A file in a folder survives a loss of power only if the folder is synced too.
    for (const path of [this.#folder, dirname(this.#folder)]) await syncFolder(path);
  }

  async begin(arrival: Arrival): Promise<Incoming> {
    const path = join(this.#folder, PARTIAL, arrival.id);
    const file = await open(path, 'wx', 0o600);
    const incoming = new PartialFile(file, arrival, { path, folder: join(this.#folder, WAITING) });
    const { id, scope, list, account, from, at } = arrival;
    const head = { v: 1, id, scope, list, account, from: from.slice(0, 320).toWellFormed(), at };
    try {
      await file.writeFile(`${JSON.stringify(head)}\n`);
    } catch (error) {
      await incoming.drop();
      throw error;
    }
    return incoming;
  }

  async recover(): Promise<readonly Spooled[]> {
    for (const name of await readdir(join(this.#folder, PARTIAL)))
      await rm(join(this.#folder, PARTIAL, name), { force: true });
    const found: Spooled[] = [];
    // Ids are created in the order of arrival.
    for (const id of await this.#waiting()) {
      const spooled = await this.#headOf(id);
      if (spooled === null) await this.putAside(id as Id);
      else found.push(spooled);
    }
    return found;
  }

  async read(id: Id): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const content = await readFile(this.#path(id));
      return new Uint8Array(content.subarray(content.indexOf(10) + 1));
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  async done(id: Id): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  async putAside(id: Id): Promise<void> {
    await rename(this.#path(id), join(this.#folder, ASIDE, `${id}${ENDING}`));
  }

  forget(account: number): Promise<void> {
    return this.#forget((head) => head.account === account);
  }

  forgetScope(scope: Id): Promise<void> {
    return this.#forget((head) => head.scope === scope);
  }

  async #forget(isMeant: (head: Spooled) => boolean): Promise<void> {
    for (const folder of [WAITING, ASIDE])
      for (const id of await this.#waiting(folder)) {
        const head = await this.#headOf(id, folder);
        if (head !== null && isMeant(head))
          await rm(join(this.#folder, folder, `${id}${ENDING}`), { force: true });
      }
  }

  #path(id: string, folder = WAITING): string {
    return join(this.#folder, folder, `${id}${ENDING}`);
  }

  async #waiting(folder = WAITING): Promise<readonly string[]> {
    const names = await readdir(join(this.#folder, folder));
    return names
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .toSorted();
  }

  /** Null: not a file of ours, or gone. */
  async #headOf(id: string, folder = WAITING): Promise<Spooled | null> {
    const path = this.#path(id, folder);
    try {
      const file = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_HEAD), 0, LONGEST_HEAD, 0);
        const end = buffer.subarray(0, bytesRead).indexOf(10);
        const read = headSchema.safeParse(JSON.parse(buffer.toString('utf8', 0, Math.max(0, end))));
        if (!read.success || read.data.id !== id) return null;
        const { v: _v, ...arrival } = read.data;
        return { ...arrival, bytes: (await stat(path)).size - end - 1 };
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isGone(error) || error instanceof SyntaxError) return null;
      throw error;
    }
  }
}

/** Opens the spool, creating its folders if necessary. */
export async function openSpool(folder: string): Promise<Spool> {
  const spool = new FolderSpool(folder);
  await spool.open();
  return spool;
}
