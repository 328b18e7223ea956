// One PostgreSQL database: the pool with its timeouts, transactions that are retried when the server says so, and values
// parsed as the rest of the code expects them. Knows no table.
import pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { OtherDatabaseError } from '../presence.ts';
import { SERVER_PATIENCE, WatchedClient } from './postgres-client.ts';
import { inOnePiece, ReadLane } from './postgres-pipeline.ts';
import { refuseIfDeposed } from './postgres-fence.ts';
import { fencedTerm } from '../fence.ts';

const INT8 = 20;
const POOL_SIZE = 20;
const ATTEMPTS = 8;

const NO_TIMEOUTS = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';
const READ_ONLY = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** The transaction lost against another and had no effect: serialization failure, deadlock. */
const LOST = new Set(['40001', '40P01']);
/** The server is gone, or the way to it: shut down, crashed, not ready, out of reach. */
const GONE = /^(57P0[123]|08...|ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOST\w+|ENET\w+|EAI_AGAIN|ENOTFOUND)$/;
/** It only follows another one. */
const FOLLOWS = '55000';

/** A prepared statement; its rows are arrays. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Thrown inside a transaction to run it again. */
export class TryAgainError extends Error {
  readonly code = '40001';
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The connection was lost, so a commit under way may or may not have happened. */
export function isConnectionLoss(error: unknown): boolean {
  return (
    GONE.test(errorCode(error)) ||
    (error instanceof Error && error.message.startsWith('Connection terminated'))
  );
}

function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new Error(`The database holds the integer ${text}, which is too large.`);
  return value;
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? readInt8 : pg.types.getTypeParser(oid, format),
};

/** It is closed: this process ends, or opens it anew. */
export class ClosedError extends Error {
  constructor() {
    super('The database is closed.');
  }
}

/** How far a transaction got, to decide whether it may run again. */
interface Progress {
  isCommitting: boolean;
  isLost: boolean;
  /** The work does not wait for the beginning. */
  readonly isAtOnce: boolean;
}

const READING = /^\s*(?:select|with recursive)\b/i;

/**
 * One connection during a transaction. What is asked for without waiting for the answer before goes to the server together, and is carried
 * out in that order. After a failure all that follows fails as well.
 */
export class Session {
  readonly client: pg.PoolClient;
  /** Null: the transaction has begun. */
  #begun: Promise<unknown> | null;
  #isOver = false;

  /** `begun`: the server's answer to BEGIN, if it is still to come. */
  constructor(client: pg.PoolClient, begun: Promise<unknown> | null = null) {
    this.client = client;
    this.#begun = begun;
  }

  async all(statement: Statement, ...values: readonly unknown[]): Promise<readonly unknown[][]> {
    // Outside a transaction, if it did not begin, a read does nothing.
    if (this.#begun !== null && !READING.test(statement.text)) await this.#begin();
    this.#prepare();
    const result = await this.client.query<unknown[]>({
      ...statement,
      values: [...values],
      rowMode: 'array',
    });
    return result.rows;
  }

  async get(statement: Statement, ...values: readonly unknown[]): Promise<readonly unknown[] | undefined> {
    return (await this.all(statement, ...values))[0];
  }

  async run(statement: Statement, ...values: readonly unknown[]): Promise<number> {
    if (this.#begun !== null) await this.#begin();
    this.#prepare();
    return (await this.client.query({ ...statement, values: [...values] })).rowCount ?? 0;
  }

  /** Until this transaction ends statements take as long as they need. */
  async takeTime(): Promise<void> {
    if (this.client instanceof WatchedClient) this.client.waitForever();
    await this.client.query(NO_TIMEOUTS);
  }

  /** The work has ended. What it began and did not wait for must not get into another transaction. */
  end(): void {
    this.#isOver = true;
  }

  async #begin(): Promise<void> {
    await this.#begun;
    this.#begun = null;
  }

  #prepare(): void {
    if (this.#isOver) throw new Error('This transaction has ended.');
    inOnePiece(this.client);
  }
}

/** What work in a transaction came to, after both have ended: what follows on the connection must be nothing of this work. */
async function workedOut<T>(begun: Promise<unknown>, working: Promise<T>): Promise<T> {
  const [began, worked] = await Promise.allSettled([begun, working]);
  if (began.status === 'rejected') throw began.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}

/** System and timeline of a database server: both survive a crash, and change with a restore or a failover. */
export async function readIdentity(client: pg.ClientBase): Promise<string | null> {
  try {
    const { rows } = await client.query<{ identity: string }>(
      "SELECT system_identifier::text || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS identity " +
        'FROM pg_control_system()',
    );
    return rows[0]?.identity ?? null;
  } catch (error) {
    if (errorCode(error) === '42501') return null;
    if (errorCode(error) === FOLLOWS) throw new FollowsError();
    throw error;
  }
}

/** At the address is a server that only follows another one. It may be about to take its place. */
class FollowsError extends Error {
  readonly code = '57P03';
  constructor() {
    super('The database server at DATABASE_URL only follows another one, and takes no writes.');
  }
}

/**
 * The pool of one PostgreSQL database. After another server or an older state of it appears at the address, nothing works
 * until a restart.
 */
export class PostgresConnection {
  readonly pool: pg.Pool;
  readonly #onFailure: (error: Error) => void;
  readonly #isHome: boolean;
  readonly #lane = new ReadLane(() => this.pool.connect());
  /** Of the first connection; null when this role may not ask. */
  #identity: string | null | undefined;
  #isClosed = false;

  /**
   * `onFailure` is called when another database server, or an older state of this one, answers at the address. `isHome`: whether
   * cursors and leaders are its; without them it may be another server tomorrow, and nothing is fenced there.
   */
  constructor(
    url: string,
    log: Log,
    onFailure: (error: Error) => void = () => undefined,
    { isHome = true, poolSize = POOL_SIZE } = {},
  ) {
    this.#onFailure = onFailure;
    this.#isHome = isHome;
    this.pool = new pg.Pool({
      Client: WatchedClient,
      connectionString: url,
      max: poolSize,
      types,
      // Statements that nobody waits for one by one go to the server together.
      pipeline: true,
      application_name: 'posthaste',
      connectionTimeoutMillis: 2_000,
      statement_timeout: 5_000,
      lock_timeout: 2_000,
      idle_in_transaction_session_timeout: 10_000,
      // A role or database could turn it off; then "saved" would not mean saved.
      options: `-c synchronous_commit=on ${SERVER_PATIENCE}`,
      verify: (client, done) => void this.#verifyFor(client, done),
    });
    // An idle connection that breaks is replaced; without a listener it would end the process.
    this.pool.on('error', (error) =>
      log('warn', 'An idle database connection broke.', { reason: error.message }),
    );
    // The pool only listens to idle connections. One that breaks in use rejects its work, and needs a listener too: Kysely
    // adds none, and none is there during `verify`.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** One statement outside a transaction: it sees a snapshot, and an error changes nothing. */
  async all(statement: Statement, ...values: readonly unknown[]): Promise<readonly unknown[][]> {
    this.#refuseIfClosed();
    const result = await this.pool.query<unknown[]>({ ...statement, values: [...values], rowMode: 'array' });
    return result.rows;
  }

  /** One statement that takes as long as it needs, and stands in no transaction. */
  async alone(text: string): Promise<void> {
    this.#refuseIfClosed();
    const client = await this.pool.connect();
    try {
      if (client instanceof WatchedClient) client.waitForever();
      await client.query('SET statement_timeout = 0');
      await client.query(text);
    } finally {
      // Its settings go with it.
      client.release(true);
    }
  }

  /** As `all`, for reads that take no time: they go together with others (postgres-pipeline.ts). */
  async short(statement: Statement, ...values: readonly unknown[]): Promise<readonly unknown[][]> {
    this.#refuseIfClosed();
    return await this.#lane.all(statement, values);
  }

  /** Runs `work` in a read-only snapshot. What it reads first goes to the server together with BEGIN. */
  async read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return await this.#transaction(READ_ONLY, work, true);
  }

  /** As `read`, but `work` runs only once. */
  async readOnce<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return await this.#attempt(READ_ONLY, work, { isCommitting: false, isLost: false, isAtOnce: false });
  }

  /**
   * Runs `work` in one transaction, durable when the promise resolves. `work` runs again from the start when the server
   * aborted its transaction, or the connection broke before COMMIT was sent; the earlier run had no effect.
   */
  async write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return await this.#transaction('BEGIN', work);
  }

  /** As `write`; what `work` reads first goes to the server together with BEGIN. It uses nothing of the session but its methods. */
  async writeAtOnce<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return await this.#transaction('BEGIN', work, true);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.pool.end();
  }

  /** In the callback style of the pool. */
  async #verifyFor(client: pg.PoolClient, done: (error?: Error) => void): Promise<void> {
    let problem: Error | undefined;
    try {
      await this.#verify(client);
    } catch (error) {
      problem = error instanceof Error ? error : new Error(String(error));
    }
    done(problem);
  }

  /** Cursors are valid for one history: a promoted or restored server behind the same address has another. */
  async #verify(client: pg.PoolClient): Promise<void> {
    if (!this.#isHome) return;
    const identity = await readIdentity(client);
    if (this.#identity === undefined) this.#identity = identity;
    if (this.#identity === identity) return;
    const error = new OtherDatabaseError(
      'DATABASE_URL now leads to another database server, or an older state of it. Restart the server to use it.',
    );
    this.#onFailure(error);
    throw error;
  }

  #refuseIfClosed(): void {
    if (this.#isClosed) throw new ClosedError();
  }

  async #transaction<T>(begin: string, work: (session: Session) => Promise<T>, isAtOnce = false): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const progress: Progress = { isCommitting: false, isLost: false, isAtOnce };
      try {
        return await this.#attempt(begin, work, progress);
      } catch (error) {
        const mayRepeat = LOST.has(errorCode(error)) || (!progress.isCommitting && progress.isLost);
        if (!mayRepeat || attempt >= ATTEMPTS || this.#isClosed) throw error;
        // Jitter keeps two transactions from meeting again and again.
        await delay(2 ** attempt * (0.5 + Math.random()));
      }
    }
  }

  async #attempt<T>(begin: string, work: (session: Session) => Promise<T>, progress: Progress): Promise<T> {
    this.#refuseIfClosed();
    const client = await this.pool.connect().catch((error: unknown) => {
      progress.isLost = isConnectionLoss(error);
      throw error;
    });
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      inOnePiece(client);
      const begun = client.query(begin);
      const isFenced = begin !== READ_ONLY && this.#isHome && fencedTerm() !== null;
      const isAtOnce = progress.isAtOnce && !isFenced;
      if (!isAtOnce) await begun;
      if (isFenced) await refuseIfDeposed(client);
      const session = new Session(client, isAtOnce ? begun : null);
      const result = await workedOut(begun, work(session)).finally(() => session.end());
      progress.isCommitting = true;
      const { command } = await client.query('COMMIT');
      // COMMIT after a failed statement rolls back, without an error.
      if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back because one of its statements failed.');
      return result;
    } catch (error) {
      if (isConnectionLoss(error)) broken ??= error as Error;
      // After the connection broke, later failures are consequences.
      progress.isLost = broken !== undefined;
      if (!broken) await client.query('ROLLBACK').catch((reason: Error) => (broken = reason));
      throw error;
    } finally {
      client.removeListener('error', onError);
      if (client instanceof WatchedClient) client.expectAnswers();
      // A broken connection leaves the pool.
      client.release(broken);
    }
  }
}
