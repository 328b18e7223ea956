// The processes that serve one PostgreSQL database: each holds an advisory lock, shared, on a connection of its own. Who gets
// it exclusively is alone. The server lets go of it when the connection ends, whatever ends it.
import pg from 'pg';
import type { Log } from '../log.ts';
import type { Entering, Presence } from '../presence.ts';
import { readIdentity } from './postgres-connection.ts';

/** Held, shared, by everybody who is there. */
const SERVING_LOCK = 7_264_482;
/** Held by one who comes, or comes back, while it looks who is there. */
const ENTERING_LOCK = 7_264_483;
const CONNECT_MS = 2_000;
/** How long one waits for another who comes. Opening a generation takes far less on a database that works. */
const ENTERING_MS = 30_000;
/** A connection that answers no more is given up before the server gives it up. */
const ASK_EVERY_MS = 5_000;
const SERVER_PATIENCE = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';
const BEGAN_ANEW =
  'While this server was cut off from its database, another one began anew. Restart the server to use it.';
const FIRST_RETRY_MS = 20;
const LONGEST_RETRY_MS = 5_000;

/** Which tables these are: other ones after they were dropped, or their database, and put back. */
const PLACE =
  "SELECT (SELECT oid FROM pg_database WHERE datname = current_database())::text || '/' || " +
  "'generation'::regclass::oid::text AS place";
const NEWEST = 'SELECT nonce FROM generation ORDER BY idx DESC LIMIT 1';

async function readPlace(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ place: string }>(PLACE);
  return `${(await readIdentity(client)) ?? ''}/${rows[0]?.place ?? ''}`;
}

/** Runs `work` while nobody else comes. If it fails, the connection has to be ended: it may hold locks. */
async function oneByOne<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(`SELECT pg_advisory_lock(${ENTERING_LOCK})`);
  const result = await work();
  await client.query(`SELECT pg_advisory_unlock(${ENTERING_LOCK})`);
  return result;
}

async function isAlone(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`SELECT pg_try_advisory_lock(${SERVING_LOCK}) AS is`);
  return rows[0]?.is === true;
}

/** Ends a connection that may be broken already. */
async function drop(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}

export interface PostgresPresencePorts {
  readonly url: string;
  readonly log: Log;
  /** Called when what is served is no longer what this process began with: only a restart can help. */
  onFailure(error: Error): void;
}

/** This process among those of its database. */
export class PostgresPresence implements Presence {
  readonly #ports: PostgresPresencePorts;
  /** Holds the lock. */
  #client: pg.Client | null = null;
  #entering: Entering | null = null;
  #place = '';
  #hasLeft = false;
  #retryMs = FIRST_RETRY_MS;
  #retryTimer: NodeJS.Timeout | undefined;
  #askTimer: NodeJS.Timeout | undefined;

  constructor(ports: PostgresPresencePorts) {
    this.#ports = ports;
  }

  get isLost(): boolean {
    return this.#entering !== null && this.#client === null;
  }

  async enter(entering: Entering): Promise<'first' | 'joined'> {
    const client = await this.#connect();
    try {
      const isFirst = await oneByOne(client, async () => {
        // Shared before exclusive, and kept after it: nobody finds the database unserved while this one is there.
        await client.query(`SELECT pg_advisory_lock_shared(${SERVING_LOCK})`);
        if (!(await isAlone(client))) return false;
        await entering.begin();
        await client.query(`SELECT pg_advisory_unlock(${SERVING_LOCK})`);
        return true;
      });
      this.#place = await readPlace(client);
      if (this.#hasLeft) throw new Error('The database is closed.');
      this.#entering = entering;
      this.#hold(client);
      return isFirst ? 'first' : 'joined';
    } catch (error) {
      await drop(client);
      throw error;
    }
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#askTimer);
    const client = this.#client;
    this.#client = null;
    if (client) await drop(client);
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#ports.url,
      application_name: 'posthaste-presence',
      connectionTimeoutMillis: CONNECT_MS,
      lock_timeout: ENTERING_MS,
      statement_timeout: 2 * ENTERING_MS,
      keepAlive: true,
      options: SERVER_PATIENCE,
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('The connection ended.')));
    await client.connect();
    return client;
  }

  #hold(client: pg.Client): void {
    this.#client = client;
    this.#retryMs = FIRST_RETRY_MS;
    this.#askLater(client);
  }

  #askLater(client: pg.Client): void {
    this.#askTimer = setTimeout(() => this.#ask(client), ASK_EVERY_MS);
    this.#askTimer.unref();
  }

  #ask(client: pg.Client): void {
    const silent = () => this.#lose(client, new Error('The database does not answer.'));
    this.#askTimer = setTimeout(silent, ASK_EVERY_MS);
    this.#askTimer.unref();
    client.query('SELECT 1').then(
      () => {
        if (this.#client !== client) return;
        clearTimeout(this.#askTimer);
        this.#askLater(client);
      },
      (error: Error) => this.#lose(client, error),
    );
  }

  #lose(client: pg.Client, error: Error): void {
    if (this.#client !== client) return;
    this.#client = null;
    clearTimeout(this.#askTimer);
    this.#ports.log('warn', 'The lock on the database was lost.', { reason: error.message });
    void drop(client);
    this.#returnLater();
  }

  #returnLater(): void {
    if (this.#hasLeft) return;
    this.#retryTimer = setTimeout(() => {
      this.#return().catch((error: Error) => {
        this.#ports.log('warn', 'The lock on the database is not held.', { reason: error.message });
        this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
        this.#returnLater();
      });
    }, this.#retryMs);
  }

  /** Comes back to the run in which this process was, or ends for good: there is another one. */
  async #return(): Promise<void> {
    const client = await this.#connect();
    try {
      const isSame = await oneByOne(client, async () => {
        await client.query(`SELECT pg_advisory_lock_shared(${SERVING_LOCK})`);
        return await this.#isSame(client);
      });
      if (isSame && !this.#hasLeft) {
        this.#hold(client);
        return;
      }
      await drop(client);
      if (!isSame) this.#ports.onFailure(new Error(BEGAN_ANEW));
    } catch (error) {
      await drop(client);
      throw error;
    }
  }

  async #isSame(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query<{ nonce: string }>(NEWEST);
    return rows[0]?.nonce === this.#entering?.current() && (await readPlace(client)) === this.#place;
  }
}
