// The spool of several servers on one database: a message is on the disk of the server that took it before its sender hears so, and
// goes on into the database, from which another server takes it when this one is gone. While the database takes nothing it
// waits on the disk, as it does where there is one server.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Tables } from '../data/tables.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Arrival, Incoming, Spool, Spooled } from './spool.ts';

/** What is shared by servers, and who of them is there. */
export interface SharedMailPorts {
  readonly db: Kysely<Tables>;
  /** This server. */
  readonly node: string;
  /** The servers that are there, this one among them; rejects while that is unknown. */
  readonly living: () => Promise<readonly string[]>;
  readonly log: Logger;
}

const COLUMNS = ['id', 'scope', 'list', 'account', 'sender', 'at', 'bytes'] as const;

class SharedSpool implements Spool {
  readonly #local: Spool;
  readonly #ports: SharedMailPorts;

  constructor(local: Spool, ports: SharedMailPorts) {
    this.#local = local;
    this.#ports = ports;
  }

  async begin(arrival: Arrival): Promise<Incoming> {
    const incoming = await this.#local.begin(arrival);
    return {
      write: (part) => incoming.write(part),
      drop: () => incoming.drop(),
      keep: async () => {
        const spooled = await incoming.keep();
        await this.#share(spooled);
        return spooled;
      },
    };
  }

  async recover(): Promise<readonly Spooled[]> {
    const own = await this.#local.recover();
    for (const spooled of own) await this.#share(spooled);
    const ids = new Set(own.map(({ id }) => id));
    const left = await this.abandoned().catch((error: unknown) => {
      this.#ports.log.error('mail_not_shared', errorDetail(error));
      return [];
    });
    return [...own, ...left.filter(({ id }) => !ids.has(id))];
  }

  /** One server gets each of them: who comes second finds that its holder is there. */
  async abandoned(): Promise<readonly Spooled[]> {
    const { db, node, living } = this.#ports;
    const taken = await db
      .updateTable('mail_waiting')
      .set({ holder: node })
      .where('holder', 'not in', await living())
      .returning(COLUMNS)
      .execute();
    return taken
      .map(({ sender: from, ...arrival }) => ({ ...arrival, from }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async waitsAnywhere(account: number): Promise<boolean> {
    const waiting = this.#ports.db.selectFrom('mail_waiting').select('id').where('account', '=', account);
    return (await waiting.limit(1).executeTakeFirst()) !== undefined;
  }

  async read(id: Id): Promise<Uint8Array<ArrayBuffer> | null> {
    const own = await this.#local.read(id);
    if (own !== null) return own;
    const row = await this.#row(id);
    return row === undefined ? null : new Uint8Array(row.raw);
  }

  async done(id: Id): Promise<void> {
    await this.#local.done(id);
    await this.#ports.db.deleteFrom('mail_waiting').where('id', '=', id).execute();
  }

  /** On the disk of this server, for its operator. */
  async putAside(id: Id): Promise<void> {
    const row = await this.#row(id);
    if (row === undefined) return this.#local.putAside(id);
    const { scope, list, account, sender: from, at } = row;
    await this.#local.done(id);
    const incoming = await this.#local.begin({ id, scope, list, account, from, at });
    await incoming.write(row.raw);
    await incoming.keep();
    await this.#local.putAside(id);
    await this.#ports.db.deleteFrom('mail_waiting').where('id', '=', id).execute();
  }

  async forget(account: number): Promise<void> {
    await this.#local.forget(account);
    await this.#ports.db.deleteFrom('mail_waiting').where('account', '=', account).execute();
  }

  async forgetScope(scope: Id): Promise<void> {
    await this.#local.forgetScope(scope);
    await this.#ports.db.deleteFrom('mail_waiting').where('scope', '=', scope).execute();
  }

  #row(id: Id) {
    return this.#ports.db.selectFrom('mail_waiting').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** What fails here stays on the disk, and is a task all the same once the database is there. */
  async #share({ from: sender, ...spooled }: Spooled): Promise<void> {
    const { db, node, log } = this.#ports;
    try {
      const raw = await this.#local.read(spooled.id);
      if (raw === null) return;
      await db
        .insertInto('mail_waiting')
        .values({ ...spooled, sender: sender.slice(0, 320).toWellFormed(), holder: node, raw })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await this.#local.done(spooled.id);
    } catch (error) {
      log.error('mail_not_shared', errorDetail(error));
    }
  }
}

/** `local`: the spool in the data folder of this server. */
export function createSharedSpool(local: Spool, ports: SharedMailPorts): Spool {
  return new SharedSpool(local, ports);
}
