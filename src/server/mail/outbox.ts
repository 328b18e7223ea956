// Where letters wait for the mail server: in a folder, or, where several servers share a database, in it, from which another server
// takes those of one that is gone. In the database they are sealed: a letter may hold a link that signs somebody in.
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sealing } from '../accounts/sealing.ts';
import { errorDetail } from '../observe/log.ts';
import type { SharedMailPorts } from './shared-spool.ts';

/** Name of the folder of letters in the data folder. */
export const OUTBOX_FOLDER = 'outbox';
/** Of the name of a letter, which begins with its time in milliseconds. */
export const LETTER_ENDING = '.eml';
const REFUSED = 'refused';

/** Durable storage of letters until they are sent. */
export interface Outbox {
  /** Names of the letters that this process has to send, oldest first. Includes those of other processes: the operator's commands. */
  written(): Promise<string[]>;
  /** Durably, or not at all. */
  write(name: string, content: Buffer): Promise<void>;
  /** Null: it is gone. */
  read(name: string): Promise<Buffer | null>;
  remove(name: string): Promise<void>;
  /** Keeps a letter that nobody takes, for the operator. */
  putAside(name: string): Promise<void>;
}

async function writePart(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

class FolderOutbox implements Outbox {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async written(): Promise<string[]> {
    const names = await readdir(this.#folder);
    return names.filter((name) => name.endsWith(LETTER_ENDING)).toSorted();
  }

  async write(name: string, content: Buffer): Promise<void> {
    const path = join(this.#folder, name);
    // Complete and on disk under another name first: the folder never contains half a letter.
    await writePart(`${path}.part`, content);
    await rename(`${path}.part`, path);
  }

  async read(name: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.#folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  async putAside(name: string): Promise<void> {
    await rename(join(this.#folder, name), join(this.#folder, REFUSED, name));
  }
}

/** Creates the folder if necessary. */
export async function openFolderOutbox(folder: string): Promise<Outbox> {
  await mkdir(join(folder, REFUSED), { recursive: true, mode: 0o700 });
  return new FolderOutbox(folder);
}

const about = (name: string) => `letter ${name}`;

class SharedOutbox implements Outbox {
  readonly #local: Outbox;
  readonly #ports: SharedOutboxPorts;

  constructor(local: Outbox, ports: SharedOutboxPorts) {
    this.#local = local;
    this.#ports = ports;
  }

  async written(): Promise<string[]> {
    const { db, node, log } = this.#ports;
    try {
      await this.#gather();
    } catch (error) {
      // What is not taken now is taken the next time.
      log.error('mail_not_shared', errorDetail(error));
    }
    const own = await db
      .selectFrom('letter')
      .select('name')
      .where('holder', '=', node)
      .orderBy('name')
      .execute();
    return own.map(({ name }) => name);
  }

  /** Takes what lies in the folder, from before or by the operator's commands, and what servers left that are gone. */
  async #gather(): Promise<void> {
    const { db, node, living } = this.#ports;
    for (const name of await this.#local.written()) {
      const content = await this.#local.read(name);
      if (content !== null) await this.write(name, content);
      await this.#local.remove(name);
    }
    await db
      .updateTable('letter')
      .set({ holder: node })
      .where('holder', 'not in', await living())
      .execute();
  }

  async write(name: string, content: Buffer): Promise<void> {
    const { db, node, sealing } = this.#ports;
    await db
      .insertInto('letter')
      .values({ name, holder: node, sealed: sealing.seal(content, about(name)) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async read(name: string): Promise<Buffer | null> {
    const { db, node, sealing } = this.#ports;
    const row = await db
      .selectFrom('letter')
      .select('sealed')
      .where('name', '=', name)
      .where('holder', '=', node)
      .executeTakeFirst();
    if (row === undefined) return null;
    const opened = sealing.open(row.sealed, about(name));
    if (opened === null) throw new Error('A letter was sealed with another key of the server.');
    return Buffer.from(opened);
  }

  async remove(name: string): Promise<void> {
    await this.#ports.db.deleteFrom('letter').where('name', '=', name).execute();
  }

  /** On the disk of this server. */
  async putAside(name: string): Promise<void> {
    const content = await this.read(name);
    if (content === null) return;
    await this.#local.write(name, content);
    await this.#local.putAside(name);
    await this.remove(name);
  }
}

/** What the outbox of several servers needs. */
export type SharedOutboxPorts = SharedMailPorts & { readonly sealing: Pick<Sealing, 'seal' | 'open'> };

/** `local`: the outbox in the data folder of this server. */
export function createSharedOutbox(local: Outbox, ports: SharedOutboxPorts): Outbox {
  return new SharedOutbox(local, ports);
}
