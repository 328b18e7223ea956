// The databases of the older history, by name: their connections, opened when they are first needed, and whose they are. One that
// can't be reached ends nothing; one that belongs to somebody else is refused.
import { randomUUID } from 'node:crypto';
import { must } from '#core/assert.ts';
import { Kysely, PostgresDialect } from 'kysely';
import type { Log } from '../log.ts';
import { migrate } from '../migrate.ts';
import { PostgresConnection, type Session, type Statement } from '../postgres/postgres-connection.ts';
import { postgresMigratable } from '../postgres/postgres-schema.ts';
import { storageTrouble } from '../storage-trouble.ts';
import type { HistoryTables } from '../tables/history-tables.ts';
import type { GroupLocation } from './location.ts';
import { groupMigrations } from './schema.ts';

/** Few read older history at once. How much of it a server holds that takes over, the database itself says. */
const GROUP = { isHome: false, poolSize: 5 } as const;

const SQL = {
  known: { name: 'groups-known', text: 'SELECT name, mark FROM history_group ORDER BY name' },
  join: {
    name: 'group-join',
    text:
      'INSERT INTO history_group (name, mark, joined_at) VALUES ($1, $2, $3) ' +
      'ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING mark',
  },
  isUsed: {
    name: 'group-used',
    text: 'SELECT 1 FROM history_place WHERE place = $1 OR target = $1 LIMIT 1',
  },
  isForeign: {
    name: 'group-foreign',
    text: "SELECT to_regclass('account') IS NOT NULL OR (to_regclass('history') IS NOT NULL AND to_regclass('held') IS NULL)",
  },
  identity: { name: 'group-identity', text: 'SELECT name, mark FROM group_identity WHERE id = 1' },
  claim: {
    name: 'group-claim',
    text: 'INSERT INTO group_identity (id, name, mark) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING',
  },
  bytes: { name: 'group-bytes', text: 'SELECT pg_database_size(current_database())' },
} as const satisfies Record<string, Statement>;

/** The setting and the databases don't go together: only an operator can help. */
export class GroupRefusedError extends Error {
  constructor(message: string) {
    super(`HISTORY_GROUPS: ${message}`);
    this.name = 'GroupRefusedError';
  }
}

/** Older history lies in a group that this server was not told of. */
export class UnknownGroupError extends Error {
  constructor(name: string) {
    super(`HISTORY_GROUPS of this server doesn't name the group ${name}, which older history lies in.`);
    this.name = 'UnknownGroupError';
  }
}

/** The history in a group, for Kysely. */
export type GroupTables = Pick<HistoryTables, 'history' | 'history_entity'>;

interface Group {
  readonly connection: PostgresConnection;
  /** Resolves once it was seen whose it is; tried again after a failure. */
  isReady: Promise<void> | null;
}

/** The groups of one installation. */
export class HistoryGroups {
  readonly names: readonly string[];
  readonly #home: PostgresConnection;
  readonly #groups: ReadonlyMap<string, Group>;

  constructor(home: PostgresConnection, locations: readonly GroupLocation[], log: Log) {
    this.#home = home;
    this.names = locations.map(({ name }) => name);
    this.#groups = new Map(
      locations.map(({ name, url }) => [
        name,
        { connection: new PostgresConnection(url, log, undefined, GROUP), isReady: null },
      ]),
    );
  }

  /**
   * Looks at all of them, which they are and that none is missing. Rejects with a sentence for the operator; a group that can't be
   * reached is looked at when it is first needed.
   */
  async check(log: Log): Promise<void> {
    const known = await this.#home.all(SQL.known);
    const missing = known.map(([name]) => name as string).filter((name) => !this.#groups.has(name));
    if (missing.length > 0)
      throw new GroupRefusedError(
        `it doesn't name ${missing.join(' and ')}, which older history lies in. ` +
          'Give every server all groups, or empty a group with `npm run admin -- history drain` first.',
      );
    for (const name of this.names) {
      try {
        await this.#ready(name);
      } catch (error) {
        if (storageTrouble(error) !== 'unavailable') throw error;
        log('warn', 'A group of the history can’t be reached.', { group: name });
      }
    }
  }

  /** The connection to a group. Rejects if it isn't there, isn't known, or isn't ours. */
  async open(name: string): Promise<PostgresConnection> {
    await this.#ready(name);
    return must(this.#groups.get(name), 'a group that is ready is known').connection;
  }

  /** The same, for statements that are made elsewhere. */
  async tables(name: string): Promise<Kysely<GroupTables>> {
    return new Kysely({ dialect: new PostgresDialect({ pool: (await this.open(name)).pool }) });
  }

  /** How large a group is on its disk. */
  async bytes(name: string): Promise<number> {
    const [cells] = await (await this.open(name)).all(SQL.bytes);
    return Number(cells?.[0] ?? 0);
  }

  /** Takes as long as it needs. */
  async vacuum(name: string): Promise<void> {
    const client = await (await this.open(name)).pool.connect();
    try {
      await client.query('SET statement_timeout = 0');
      await client.query('VACUUM history, history_entity');
    } finally {
      // The setting goes with the connection.
      client.release(true);
    }
  }

  async close(): Promise<void> {
    for (const { connection } of this.#groups.values()) await connection.close();
  }

  async #ready(name: string): Promise<void> {
    const group = this.#groups.get(name);
    if (group === undefined) throw new UnknownGroupError(name);
    group.isReady ??= this.#look(name, group.connection).catch((error: unknown) => {
      group.isReady = null;
      throw error;
    });
    await group.isReady;
  }

  async #look(name: string, connection: PostgresConnection): Promise<void> {
    const [foreign] = await connection.all(SQL.isForeign);
    if (foreign?.[0] === true)
      throw new GroupRefusedError(
        `${name} leads to a database with other data. A group needs one of its own.`,
      );
    await migrate(postgresMigratable(connection), groupMigrations);
    const mark = await this.#home.write((session) => joined(session, name));
    const isUsed = (await this.#home.all(SQL.isUsed, name)).length > 0;
    const [own] = await connection.all(SQL.identity);
    if (own === undefined && isUsed)
      throw new GroupRefusedError(
        `${name} leads to an empty database, but older history lies in ${name}. Put its backup back, or correct the URL.`,
      );
    if (own === undefined) await connection.write((session) => session.run(SQL.claim, name, mark));
    const [[foundName, foundMark] = []] = await connection.all(SQL.identity);
    if (foundMark !== mark || foundName !== name)
      throw new GroupRefusedError(
        foundMark === mark || (await this.#isOurs(foundMark))
          ? `${name} leads to the database of the group ${String(foundName)}.`
          : `${name} leads to a database of another installation.`,
      );
  }

  async #isOurs(mark: unknown): Promise<boolean> {
    return (await this.#home.all(SQL.known)).some(([, known]) => known === mark);
  }
}

async function joined(session: Session, name: string): Promise<string> {
  const cells = await session.get(SQL.join, name, randomUUID(), Date.now());
  return must(cells, 'the statement returns what is there')[0] as string;
}
