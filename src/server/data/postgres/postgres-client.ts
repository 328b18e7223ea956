// A client of PostgreSQL that ends by itself where nothing comes back: a link that lost its bytes and told nobody would hold up whoever asks
// for as long as the system waits, which is a quarter of an hour or for ever. And what the server is asked to do where the client is gone.
import { Socket } from 'node:net';
import pg from 'pg';

/**
 * Longer than the server lets a statement run, or leaves a transaction that nobody goes on with, and longer than an idle connection stays
 * in the pool.
 */
export const SILENT_MS = 12_000;

/** Options for the server: it lets go of a client whose machine or network is gone within half a minute. */
export const SERVER_PATIENCE =
  '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=30000';

/** What the system says of such a link where it notices. */
class SilentError extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The database does not answer.');
  }
}

/** Ends when for `silentMs` nothing came and nothing could be sent. */
export class WatchedClient extends pg.Client {
  readonly #line: Socket;
  readonly #silentMs: number;

  constructor({ silentMs = SILENT_MS, ...config }: pg.ClientConfig & { readonly silentMs?: number } = {}) {
    const line = new Socket();
    super({ ...config, keepAlive: true, stream: () => line });
    this.#line = line;
    this.#silentMs = silentMs;
    line.on('timeout', () => line.destroy(new SilentError()));
    this.expectAnswers();
  }

  /** From now on it waits for an answer as long as it takes. */
  waitForever(): void {
    this.#line.setTimeout(0);
  }

  expectAnswers(): void {
    this.#line.setTimeout(this.#silentMs);
  }
}
