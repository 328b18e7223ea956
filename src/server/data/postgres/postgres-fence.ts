// The fence on PostgreSQL: what is done as the leader's work checks, in its own transaction, that its leadership is the present one.
// Until that transaction ends nobody else begins to lead. And what not every server understands is not put to use.
import type pg from 'pg';
import { DeposedError, fencedTerm } from '../fence.ts';
import { NotActivatedError } from '../presence.ts';

const FENCE = 'SELECT term FROM leader WHERE id = 1 AND term = $1 FOR SHARE';
/** Every server that tells others of itself understands this protocol. */
export const KNOWN_TO_ALL = 8;
const ACTIVATED = 'SELECT 1 FROM leader WHERE id = 1 AND activated >= $1';
const READING = /^\s*select\b/i;
const BEGINNING = /^\s*(?:begin|start transaction)\b/i;
const ENDING = /^\s*(?:commit|rollback(?!\s+to))\b/i;

/** Inside a transaction: rejects when the running work is a leader's, and another server leads by now. */
export async function refuseIfDeposed(client: pg.ClientBase): Promise<void> {
  const term = fencedTerm();
  if (term === null) return;
  const { rowCount } = await client.query(FENCE, [term]);
  if (rowCount !== 1) throw new DeposedError();
}

/** Inside a transaction that puts a protocol to use: rejects while some server does not understand it. */
export async function refuseIfTooNew(client: pg.ClientBase, protocol: number): Promise<void> {
  if (protocol <= KNOWN_TO_ALL) return;
  const { rowCount } = await client.query(ACTIVATED, [protocol]);
  if (rowCount !== 1) throw new NotActivatedError();
}

/** A connection as it is used by Kysely, of work that is fenced. */
class FencedClient {
  readonly #client: pg.PoolClient;
  #isInside = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async query(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    if (BEGINNING.test(text)) return await this.#begin(text);
    if (!this.#isInside && !READING.test(text)) {
      await this.#begin('BEGIN');
      try {
        const result = await this.#client.query(text, [...values]);
        await this.query('COMMIT');
        return result;
      } catch (error) {
        await this.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    }
    if (ENDING.test(text)) this.#isInside = false;
    return await this.#client.query(text, [...values]);
  }

  release(error?: Error | boolean): void {
    this.#client.release(error);
  }

  async #begin(text: string): Promise<pg.QueryResult> {
    const begun = await this.#client.query(text);
    this.#isInside = true;
    try {
      await refuseIfDeposed(this.#client);
      return begun;
    } catch (error) {
      // Who asked to begin takes it for not begun.
      await this.query('ROLLBACK');
      throw error;
    }
  }
}

/**
 * The pool for statements that are made elsewhere. Within the leader's work each transaction begins with the fence, and a statement
 * that writes by itself becomes a transaction that does.
 */
export function fencedPool(pool: pg.Pool): {
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
  readonly options: pg.PoolOptions;
} {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const isFenced = fencedTerm() !== null;
      const client = await pool.connect();
      // Of a client Kysely uses what this one has, and no more.
      return isFenced ? (new FencedClient(client) as unknown as pg.PoolClient) : client;
    },
  };
}
