// How statements get to PostgreSQL together: what is sent in one turn leaves in one piece, and short reads share a connection. The server
// carries out what is sent on one connection in its order.
import type pg from 'pg';
import type { Statement } from './postgres-connection.ts';

const held = new WeakSet<pg.PoolClient>();

/** What is sent on this connection in this turn leaves in one piece, at its end. */
export function inOnePiece(client: pg.PoolClient): void {
  if (held.has(client)) return;
  held.add(client);
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => {
    held.delete(client);
    stream.uncork();
  });
}

/** A connection for as long as something is under way on it. */
interface Shared {
  readonly client: Promise<pg.PoolClient>;
  underWay: number;
}

/**
 * Short reads of many callers on one connection, each a snapshot of its own: none waits for a connection, and what is asked for in the same
 * turn costs one way to the server and back. Not for reads that take long: those behind them would wait.
 */
export class ReadLane {
  readonly #connect: () => Promise<pg.PoolClient>;
  #shared: Shared | null = null;

  constructor(connect: () => Promise<pg.PoolClient>) {
    this.#connect = connect;
  }

  async all(statement: Statement, values: readonly unknown[]): Promise<readonly unknown[][]> {
    const shared = (this.#shared ??= { client: this.#connect(), underWay: 0 });
    shared.underWay += 1;
    try {
      const client = await shared.client;
      inOnePiece(client);
      const result = await client.query<unknown[]>({ ...statement, values: [...values], rowMode: 'array' });
      return result.rows;
    } finally {
      shared.underWay -= 1;
      if (shared.underWay === 0) this.#end(shared);
    }
  }

  #end(shared: Shared): void {
    if (this.#shared === shared) this.#shared = null;
    void shared.client.then(
      // When it breaks, all that is under way on it ends, and the pool takes no broken one back.
      (client) => client.release(),
      // It was never there: its callers have been told.
      () => undefined,
    );
  }
}
