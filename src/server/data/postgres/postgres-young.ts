// A young database: PostgreSQL looks at how large its tables are once a minute. Until it has, it plans as for empty ones, and takes an index that
// finds all rows of an account where one finds the row. Somebody who brings 100,000 tasks along would wait for that minute.
import type { PostgresConnection } from './postgres-connection.ts';

const LOOK_MS = 2_000;
/** With so many rows it matters how they are found. */
const ROWS = 1_000;

const STATE = {
  name: 'young-state',
  text:
    `SELECT c.reltuples >= ${ROWS}, (SELECT count(*) FROM (SELECT 1 FROM entity LIMIT ${ROWS}) e) >= ${ROWS} ` +
    "FROM pg_class c WHERE c.oid = 'entity'::regclass",
};
const ANALYZE = {
  name: '',
  text: 'ANALYZE entity, directory, device, op_result, history, history_entity, tombstone',
};

/** Has the tables analyzed when there are rows to count, unless they were. Returns how to stop it. */
export function analyzeWhileYoung(connection: PostgresConnection): () => void {
  let isLooking = false;
  const look = async (): Promise<void> => {
    const [[isKnown, isDue] = []] = await connection.all(STATE);
    if (isKnown === true) stop();
    else if (isDue === true) await connection.all(ANALYZE);
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // What fails is tried again: the database may be out of reach for a while.
    look()
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  }, LOOK_MS);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  return stop;
}
