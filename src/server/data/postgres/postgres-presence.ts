// The processes that serve one PostgreSQL database: each holds an advisory lock, shared, on a connection of its own. Who gets
// it exclusively is alone. On the same connection one of them holds the lock of the leader. The server lets go of locks when the
// connection ends, whatever ends it.
import type pg from 'pg';
import { must } from '#core/assert.ts';
import type { Log } from '../log.ts';
import {
  type Entering,
  type Leadership,
  NodeRefusedError,
  NotPresentError,
  OtherDatabaseError,
  type Presence,
} from '../presence.ts';
import { SERVER_PATIENCE, WatchedClient } from './postgres-client.ts';
import { readIdentity } from './postgres-connection.ts';
import {
  activate,
  hasServers,
  readLeader,
  readOthers,
  SERVING_LOCK,
  takeNumber,
  tellNoMore,
  tellOthers,
  tryToLead,
} from './postgres-nodes.ts';

/** Held by one who comes, or comes back, while it looks who is there. */
const ENTERING_LOCK = 7_264_483;
const CONNECT_MS = 2_000;
/** How long one waits for another who comes. Opening a generation takes far less on a database that works. */
const ENTERING_MS = 30_000;
/** A connection that answers no more is given up before the server gives it up. */
const ASK_EVERY_MS = 5_000;
/** A process that stands still asks nothing: the database lets go of its locks, and another one can lead. */
const IDLE = "SET idle_session_timeout = '15s'";
const UNKNOWN_SETTING = '42704';
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

/** Versions before 14 do not know it: there a process that stands still leads until it goes on. */
async function limitIdleness(client: pg.Client): Promise<void> {
  try {
    await client.query(IDLE);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNKNOWN_SETTING) throw error;
  }
}

export interface PostgresPresencePorts {
  readonly url: string;
  readonly log: Log;
  /** Called when what is served is no longer what this process began with: only a restart can help. */
  onFailure(error: Error): void;
}

/** Whether this process leads, for everybody who wants to know at once. */
class Term implements Leadership {
  readonly #listeners = new Set<() => void>();
  #term: number | null = null;

  get term(): number | null {
    return this.#term;
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  set(term: number | null): void {
    if (term === this.#term) return;
    this.#term = term;
    for (const listener of this.#listeners) listener();
  }
}

/** This process among those of its database. */
export class PostgresPresence implements Presence {
  readonly leadership = new Term();
  readonly #ports: PostgresPresencePorts;
  /** Holds the lock. */
  #client: pg.Client | null = null;
  #entering: Entering | null = null;
  #place = '';
  /** Of the lock that stands for this server. */
  #number = 0;
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
        await this.#admit(client, entering);
        // Shared before exclusive, and kept after it: nobody finds the database unserved while this one is there.
        await client.query(`SELECT pg_advisory_lock_shared(${SERVING_LOCK})`);
        const isFirst = await isAlone(client);
        if (isFirst) {
          await entering.begin();
          await client.query(`SELECT pg_advisory_unlock(${SERVING_LOCK})`);
        }
        await this.#register(client, entering);
        return isFirst;
      });
      this.#place = await readPlace(client);
      if (this.#hasLeft) throw new Error('The database is closed.');
      this.#entering = entering;
      this.#hold(client);
      await this.#look(client);
      return isFirst ? 'first' : 'joined';
    } catch (error) {
      await drop(client);
      throw error;
    }
  }

  async isServed(): Promise<boolean> {
    const client = await this.#connect();
    try {
      return await hasServers(client);
    } finally {
      await drop(client);
    }
  }

  async living(): Promise<readonly string[]> {
    const { self } = this.#entering ?? {};
    if (this.#client === null || self === undefined) throw new NotPresentError();
    const others = await readOthers(this.#client, self.id);
    return [self.id, ...others.map(({ id }) => id)];
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#askTimer);
    const client = this.#client;
    this.#client = null;
    this.leadership.set(null);
    const { self } = this.#entering ?? {};
    if (client && self) await tellNoMore(client, self.id);
    if (client) await drop(client);
  }

  /** Rejects where this process does not go together with the others. */
  async #admit(client: pg.Client, entering: Entering): Promise<void> {
    const { self } = entering;
    if (self === undefined) return;
    const { activated } = await readLeader(client);
    await entering.admit?.(await readOthers(client, self.id), activated);
  }

  async #register(client: pg.Client, { self }: Entering): Promise<void> {
    if (self === undefined) return;
    this.#number = await takeNumber(client);
    await tellOthers(client, self, this.#number);
  }

  async #connect(): Promise<pg.Client> {
    const client = new WatchedClient({
      // While it comes it may wait for another one that does.
      silentMs: ENTERING_MS + CONNECT_MS,
      connectionString: this.#ports.url,
      application_name: 'posthaste-presence',
      connectionTimeoutMillis: CONNECT_MS,
      lock_timeout: ENTERING_MS,
      statement_timeout: 2 * ENTERING_MS,
      options: SERVER_PATIENCE,
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('The connection ended.')));
    await client.connect();
    try {
      await limitIdleness(client);
    } catch (error) {
      await drop(client);
      throw error;
    }
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
    this.#look(client).then(
      () => {
        if (this.#client !== client) return;
        clearTimeout(this.#askTimer);
        this.#askLater(client);
      },
      (error: Error) => this.#lose(client, error),
    );
  }

  /** Asks whether the connection is there, and on it who leads. */
  async #look(client: pg.Client): Promise<void> {
    const { self } = this.#entering ?? {};
    if (self === undefined) {
      await client.query('SELECT 1');
      return;
    }
    await tellOthers(client, self, this.#number);
    const { term, activated } = await readLeader(client);
    if (this.#client !== client) return;
    const own = this.leadership.term;
    if (own !== null && own !== term) throw new Error('Another server leads.');
    const next = own ?? (await tryToLead(client, self.id));
    // The connection may be lost by now, and the leadership with it.
    if (this.#client !== client) return;
    this.leadership.set(next);
    if (next !== null && activated < self.protocol) await this.#activate(client, self.protocol);
  }

  async #activate(client: pg.Client, protocol: number): Promise<void> {
    // Nobody comes while it is decided. Where somebody does just now, it is decided the next time.
    const { rows } = await client.query<{ is: boolean }>(
      `SELECT pg_try_advisory_lock(${ENTERING_LOCK}) AS is`,
    );
    if (rows[0]?.is !== true) return;
    await activate(client, protocol);
    await client.query(`SELECT pg_advisory_unlock(${ENTERING_LOCK})`);
  }

  #lose(client: pg.Client, error: Error): void {
    if (this.#client !== client) return;
    this.#client = null;
    // Before anything else: whoever works as the leader stops.
    this.leadership.set(null);
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
        const entering = must(this.#entering, 'who comes back was there');
        // Before it is there again: who comes next would take it for one whose run goes on, and join it.
        if (!(await this.#isSame(client))) return false;
        await client.query(`SELECT pg_advisory_lock_shared(${SERVING_LOCK})`);
        await this.#admit(client, entering);
        await this.#register(client, entering);
        return true;
      });
      if (isSame && !this.#hasLeft) {
        this.#hold(client);
        await this.#look(client);
        return;
      }
      await drop(client);
      if (!isSame) this.#ports.onFailure(new OtherDatabaseError(BEGAN_ANEW));
    } catch (error) {
      await drop(client);
      if (!(error instanceof NodeRefusedError)) throw error;
      this.#ports.onFailure(error);
    }
  }

  async #isSame(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query<{ nonce: string }>(NEWEST);
    return rows[0]?.nonce === this.#entering?.current() && (await readPlace(client)) === this.#place;
  }
}
