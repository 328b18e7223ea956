// Counters that the processes of one PostgreSQL share, each call one statement: the lock on the counter's row lets one process
// after the other decide. Time is the database's. The tables are not in its log, so a crash of the database forgets them.
import type { Counted, Counters, Seats } from '../../limits/counters.ts';
import { freeTries, guessSpanMs, guessWaitMs, longestGuessWaitMs } from '../../limits/guesses.ts';
import { judge, type Measured, type Refused, type Taken, type Window } from '../../limits/window.ts';
import type { PostgresConnection, Statement } from './postgres-connection.ts';

/** How far statements that waited for a row may be behind the one they waited for. */
const WAITED_MS = 10_000;
/** Of a process that ended without a word. */
const SEATS_LAST_MS = 24 * 3_600_000;

const WALL = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint';
/** The present; never before what was counted just now. A clock that was set back puts nothing into the future. */
const nowFor = (times: string) =>
  `CASE WHEN ${times}[cardinality(${times})] BETWEEN ${WALL} AND ${WALL} + ${WAITED_MS}
   THEN ${times}[cardinality(${times})] ELSE ${WALL} END`;
/** What was counted, read out of the row once, without times in the future. */
const PAST = `CASE WHEN c.times[cardinality(c.times)] > n
  THEN ARRAY(SELECT least(t, n) FROM unnest(c.times) WITH ORDINALITY AS u(t, i) ORDER BY i) ELSE c.times[:] END`;

/** $1 rate, $2 key, $3 counts and $4 spans of the windows, $5 the longest span, $6 the largest count. */
const TAKE: Statement = {
  name: 'limit_take',
  text: `
INSERT INTO limit_count AS c (rate, key, times, is_taken, until)
SELECT $1, $2, ARRAY[${WALL}], true, ${WALL} + $5::bigint
ON CONFLICT (rate, key) DO UPDATE SET (times, is_taken, until) = (
  SELECT
    CASE WHEN is_free
      THEN past[greatest(cardinality(past) - $6::int + 2, width_bucket(n - $5::bigint, past) + 1):] || n
      ELSE past END,
    is_free,
    CASE WHEN is_free THEN n + $5::bigint ELSE c.until END
  FROM (
    SELECT n, past, NOT EXISTS (
      SELECT FROM unnest($3::int[], $4::bigint[]) AS w(most, ms) WHERE past[cardinality(past) - most + 1] > n - ms
    ) AS is_free
    FROM (SELECT n, ${PAST} AS past FROM (SELECT ${nowFor('c.times')} AS n OFFSET 0) AS clock OFFSET 0) AS counted
    OFFSET 0
  ) AS decided)
RETURNING is_taken, ${nowFor('times')}, (
  SELECT json_agg(json_build_array(
    cardinality(times) - width_bucket(n - ms, times),
    times[width_bucket(n - ms, times) + 1],
    CASE WHEN times[cardinality(times) - most + 1] > n - ms THEN times[cardinality(times) - most + 1] END
  ) ORDER BY i)
  FROM unnest($3::int[], $4::bigint[]) WITH ORDINALITY AS w(most, ms, i),
    (SELECT ${nowFor('times')} AS n OFFSET 0) AS clock)`,
};

const GIVE_BACK: Statement = {
  name: 'limit_give_back',
  text: 'UPDATE limit_count SET times = times[:cardinality(times) - 1] WHERE rate = $1 AND key = $2',
};

/** $1 rate, $2 key. */
const GUESS: Statement = {
  name: 'limit_guess',
  text: `
INSERT INTO limit_count AS c (rate, key, times, is_taken, until)
SELECT $1, $2, ARRAY[${WALL}], true, ${WALL} + ${guessSpanMs}
ON CONFLICT (rate, key) DO UPDATE SET (times, is_taken, until) = (
  SELECT CASE WHEN is_free THEN recent || n ELSE recent END, is_free, n + ${guessSpanMs}
  FROM (
    SELECT n, recent, cardinality(recent) < ${freeTries} OR recent[cardinality(recent)]
      + least(${longestGuessWaitMs}, 1000 * 2 ^ least(cardinality(recent) - ${freeTries}, 16)) <= n AS is_free
    FROM (
      SELECT n, past[width_bucket(n - ${guessSpanMs}, past) + 1:] AS recent
      FROM (SELECT n, ${PAST} AS past FROM (SELECT ${nowFor('c.times')} AS n) AS clock) AS counted
    ) AS lately
  ) AS decided)
RETURNING is_taken, cardinality(times), ${nowFor('times')} - times[cardinality(times)]`,
};

const FORGET: Statement = {
  name: 'limit_forget',
  text: 'DELETE FROM limit_count WHERE rate = $1 AND key = $2',
};

/** $1 account, $2 process, $3 its places, $4 the most of all, $5 the processes that are there. */
const SIT: Statement = {
  name: 'limit_sit',
  text: `
INSERT INTO limit_seat AS s (account, seats, is_taken, until)
SELECT $1, jsonb_build_object($2::text, $3::int), $3::int <= $4::int, ${WALL} + ${SEATS_LAST_MS}
ON CONFLICT (account) DO UPDATE SET (seats, is_taken, until) = (
  SELECT
    CASE WHEN $3::int = 0 THEN others WHEN total + $3::int <= $4::int
      THEN others || jsonb_build_object($2::text, $3::int) ELSE s.seats END,
    total + $3::int <= $4::int,
    ${WALL} + ${SEATS_LAST_MS}
  FROM (
    SELECT
      coalesce(jsonb_object_agg(node, count), '{}') AS others, coalesce(sum(count::int), 0) AS total
    FROM jsonb_each(s.seats) AS each(node, count)
    WHERE node <> $2::text AND node = ANY($5::text[])
  ) AS here)
RETURNING is_taken`,
};

const SWEEPS: readonly Statement[] = [
  { name: 'limit_sweep', text: `DELETE FROM limit_count WHERE until < ${WALL} OR cardinality(times) = 0` },
  {
    name: 'limit_sweep_seats',
    text: `DELETE FROM limit_seat WHERE until < ${WALL} OR seats = '{}'`,
  },
];

/** One call is in what was measured if it was taken. */
function before(measured: readonly (readonly [number, number | null, number | null])[], isTaken: boolean) {
  return measured.map(([used, oldest, blocking]): Measured => ({
    used: isTaken ? used - 1 : used,
    oldest,
    blocking: isTaken ? null : blocking,
  }));
}

/** The counters in a PostgreSQL database. */
export class PostgresCounters implements Counters {
  readonly #connection: Pick<PostgresConnection, 'all'>;

  constructor(connection: Pick<PostgresConnection, 'all'>) {
    this.#connection = connection;
  }

  async take({ rate, key }: Counted, windows: readonly Window[]): Promise<Taken | Refused> {
    const counts = windows.map(({ count }) => count);
    const spans = windows.map(({ windowMs }) => windowMs);
    const values = [rate, key, counts, spans, Math.max(...spans), Math.max(...counts)];
    const [row] = await this.#connection.all(TAKE, ...values);
    const [isTaken, now, measured] = row as [boolean, number, Parameters<typeof before>[0]];
    return judge(windows, before(measured, isTaken), now);
  }

  async giveBack({ rate, key }: Counted): Promise<void> {
    await this.#connection.all(GIVE_BACK, rate, key);
  }

  async guess({ rate, key }: Counted): Promise<number> {
    const [row] = await this.#connection.all(GUESS, rate, key);
    const [isTaken, tries, agoMs] = row as [boolean, number, number];
    // A wait that is over as it is told.
    return isTaken ? 0 : Math.max(1, guessWaitMs(tries, agoMs));
  }

  async forget({ rate, key }: Counted): Promise<void> {
    await this.#connection.all(FORGET, rate, key);
  }

  async sit({ account, node, count, most, nodes }: Seats): Promise<boolean> {
    const [row] = await this.#connection.all(SIT, account, node, count, most, nodes);
    return row?.[0] === true;
  }

  async sweep(): Promise<void> {
    for (const statement of SWEEPS) await this.#connection.all(statement);
  }
}
