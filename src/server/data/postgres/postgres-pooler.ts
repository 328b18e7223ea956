// Finds out whether a pooler stands before the database that hands one connection of it to several clients in turn (pgbouncer with
// pool_mode=transaction or statement). Nothing that a client keeps in its session works behind one: LISTEN, locks, settings.
import pg from 'pg';

const CONNECT_MS = 5_000;
/** A pooler that has nothing left to hand out answers late, or never. */
const ANSWER_MS = 5_000;

const REFUSAL =
  'DATABASE_URL leads to a pooler (pgbouncer) that shares sessions between clients, or refuses their settings. Posthaste keeps ' +
  'locks, settings and LISTEN in its sessions. Point DATABASE_URL to PostgreSQL itself.';
/** What a pooler says to a setting that PostgreSQL knows, and to a transaction where it shares even those. */
const SAID = /unsupported startup parameter|statement pooling mode/;

/** The start is refused: sessions are not kept. */
export class PoolerError extends Error {
  constructor() {
    super(REFUSAL);
    this.name = 'PoolerError';
  }
}

/** What a client says of the process of the database that it speaks to. */
export interface Asked {
  /** Inside a transaction that stays open. */
  begin(): Promise<number>;
  pid(): Promise<number>;
}

/** Whether two clients share a process, or one of them gets another one when somebody else has its own. */
export async function sharesSessions(one: Asked, other: Asked): Promise<boolean> {
  const first = await one.pid();
  // The pooler hands out what was used last: now it has to take another one for the first client.
  if ((await other.begin()) === first) return true;
  return (await one.pid()) !== first;
}

const PID = 'SELECT pg_backend_pid() AS pid';

function askedOf(client: pg.Client): Asked {
  const pid = async () => (await client.query<{ pid: number }>(PID)).rows[0]?.pid ?? 0;
  return {
    pid,
    async begin() {
      await client.query('BEGIN');
      return await pid();
    },
  };
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    statement_timeout: ANSWER_MS,
    application_name: 'posthaste-start',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Throws `PoolerError` where sessions are not kept; rejects where the database cannot be reached. */
export async function refusePooler(url: string): Promise<void> {
  const clients: pg.Client[] = [];
  try {
    for (let count = 0; count < 2; count += 1) clients.push(await open(url));
    const [one, other] = clients.map(askedOf);
    if (one && other && (await sharesSessions(one, other))) throw new PoolerError();
  } catch (error) {
    throw error instanceof Error && SAID.test(error.message) ? new PoolerError() : error;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}
