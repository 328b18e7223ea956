// What the servers of one PostgreSQL database know of each other, in SQL, on the connection that holds their locks. A server is
// there while it holds the lock of its number; one of them leads while it holds the lock of the leader.
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { NodeSelf } from '../presence.ts';
import { KNOWN_TO_ALL } from './postgres-fence.ts';
import { takesNoWrites } from '../storage-trouble.ts';

/** Held, shared, by everybody who is there. */
export const SERVING_LOCK = 7_264_482;
/** With a number: held by the server of this number. */
const NODE_LOCK = 7_264_484;
const LEADER_LOCK = 7_264_485;
const LARGEST_NUMBER = 2_147_483_647;

const HERE =
  "locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
/** The numbers of the servers that are there. */
const NUMBERS = `SELECT objid::bigint AS number FROM pg_locks WHERE ${HERE} AND classid = ${NODE_LOCK} AND objsubid = 2`;
const SERVERS =
  `SELECT count(*) FROM pg_locks WHERE ${HERE} AND classid = 0 AND objid = ${SERVING_LOCK} ` +
  "AND objsubid = 1 AND mode = 'ShareLock'";
/** Milliseconds by the clock of the database: the clocks of the servers may differ. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const SQL = {
  others: `SELECT id, build, protocol, key_fingerprint, bucket FROM node WHERE number IN (${NUMBERS}) AND id <> $1`,
  enter:
    'INSERT INTO node (id, number, started_at, seen_at, build, protocol, key_fingerprint, bucket) ' +
    `VALUES ($1, $2, ${NOW}, ${NOW}, $3, $4, $5, $6) ` +
    'ON CONFLICT (id) DO UPDATE SET number = excluded.number, seen_at = excluded.seen_at',
  leave: 'DELETE FROM node WHERE id = $1',
  forget: `DELETE FROM node WHERE number NOT IN (${NUMBERS})`,
  begin:
    'INSERT INTO leader (id, term, node, since, activated) ' +
    `VALUES (1, 0, NULL, 0, ${KNOWN_TO_ALL}) ON CONFLICT (id) DO NOTHING`,
  leader: 'SELECT term, activated FROM leader WHERE id = 1',
  // Not while work of the leader before is under way: then at the next try.
  lead:
    'WITH free AS (SELECT id FROM leader WHERE id = 1 FOR UPDATE SKIP LOCKED) ' +
    `UPDATE leader SET term = term + 1, node = $1, since = ${NOW} FROM free WHERE leader.id = free.id RETURNING term`,
  // Only when each server that is there has said what it understands, and that it understands this.
  activate:
    'UPDATE leader SET activated = $1 WHERE id = 1 AND activated < $1 AND ' +
    `(${SERVERS}) = (SELECT count(*) FROM node WHERE number IN (${NUMBERS}) AND protocol >= $1)`,
} as const;

interface OtherRow {
  readonly id: string;
  readonly build: string;
  readonly protocol: string;
  readonly key_fingerprint: string;
  readonly bucket: string | null;
}

/** The other servers that are there. */
export async function readOthers(client: pg.ClientBase, id: string): Promise<readonly NodeSelf[]> {
  const { rows } = await client.query<OtherRow>(SQL.others, [id]);
  return rows.map(({ key_fingerprint: keyFingerprint, protocol, ...other }) => ({
    ...other,
    keyFingerprint,
    protocol: Number(protocol),
  }));
}

/** Whether any server is there. */
export async function hasServers(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ count: string }>(SERVERS);
  return Number(rows[0]?.count ?? 0) > 0;
}

/** Takes the lock of a number that nobody has. The connection holds it from then on. */
export async function takeNumber(client: pg.ClientBase): Promise<number> {
  for (;;) {
    const number = randomInt(1, LARGEST_NUMBER);
    const { rows } = await client.query<{ is: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS is', [
      NODE_LOCK,
      number,
    ]);
    if (rows[0]?.is === true) return number;
  }
}

/** Writes down that this server is there. Where nothing can be written it is there all the same. */
export async function tellOthers(client: pg.ClientBase, self: NodeSelf, number: number): Promise<void> {
  const { id, build, protocol, keyFingerprint, bucket } = self;
  try {
    await client.query(SQL.enter, [id, number, build, protocol, keyFingerprint, bucket]);
  } catch (error) {
    if (!takesNoWrites(error)) throw error;
  }
}

/** Removes what this server said of itself; nothing depends on it. */
export async function tellNoMore(client: pg.ClientBase, id: string): Promise<void> {
  await client.query(SQL.leave, [id]).catch(() => undefined);
}

/** The leadership that is the present one or was the last, and the newest protocol in use. */
export async function readLeader(
  client: pg.ClientBase,
): Promise<{ readonly term: number; readonly activated: number }> {
  const { rows } = await client.query<{ term: string; activated: string }>(SQL.leader);
  return { term: Number(rows[0]?.term ?? 0), activated: Number(rows[0]?.activated ?? KNOWN_TO_ALL) };
}

/** Leads, if nobody does. Resolves with the number of the leadership, or null. */
export async function tryToLead(client: pg.ClientBase, id: string): Promise<number | null> {
  const { rows } = await client.query<{ is: boolean }>(`SELECT pg_try_advisory_lock(${LEADER_LOCK}) AS is`);
  if (rows[0]?.is !== true) return null;
  let term: number | null = null;
  try {
    await client.query(SQL.begin);
    const led = await client.query<{ term: string }>(SQL.lead, [id]);
    if (led.rows[0]) term = Number(led.rows[0].term);
    if (term !== null) await client.query(SQL.forget);
  } catch (error) {
    if (!takesNoWrites(error)) throw error;
  }
  if (term === null) await client.query(`SELECT pg_advisory_unlock(${LEADER_LOCK})`);
  return term;
}

/** Puts a protocol to use as soon as every server understands it. Nobody may come meanwhile. */
export async function activate(client: pg.ClientBase, protocol: number): Promise<void> {
  try {
    await client.query(SQL.activate, [protocol]);
  } catch (error) {
    if (!takesNoWrites(error)) throw error;
  }
}
