// How PostgreSQL carries out the statements that it prepares: by index, whatever it knows of the size of a table. A plan is made once for a
// connection; one that reads whole tables makes every push cost more the more there is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#server/data/database.ts';
import { PostgresConnection, type Statement } from '#server/data/postgres/postgres-connection.ts';
import { SQL } from '#server/data/postgres/postgres-statements.ts';
import { postgresTaskReads } from '#server/data/postgres/postgres-task-reads.ts';
import { someId } from './store-samples.ts';

/** So many that reading all of them looks cheap beside some hundred looks into an index. */
const ROWS = 12_000;
const FILL = [
  'INSERT INTO entity (scope, id, type, version, parent, key, created_at, updated_at, fields, stamp, shelf, hops) ' +
    "SELECT 's' || n % 16, 'e' || n, 'task', n, 'p' || n % 16, 'a' || n, n, n, repeat('x', 200), '[1,1,1,1]', 'a' || n, 0 " +
    `FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO directory (id, scope) SELECT 'e' || n, 's' || n % 16 FROM generate_series(1, ${ROWS}) n`,
  "INSERT INTO op_result (device, seq, operation, verdict) SELECT 'd' || n % 16, n, 'o' || n, 'ok' " +
    `FROM generate_series(1, ${ROWS}) n`,
  'INSERT INTO history (scope, version, seq, entity, account, device, at, operation, replaced) ' +
    `SELECT 's' || n % 16, n, 1, 'e' || n, 1, 1, n, '{}', '[]' FROM generate_series(1, ${ROWS}) n`,
  "INSERT INTO history_entity (scope, entity, version, seq) SELECT 's' || n % 16, 'e' || n, n, 1 " +
    `FROM generate_series(1, ${ROWS}) n`,
  "INSERT INTO tombstone (scope, id, version, at) SELECT 's' || n % 16, 'g' || n, n, n " +
    `FROM generate_series(1, ${ROWS}) n`,
];
const LOOK_MS = 100;
const LONGEST_MS = 20_000;
const WHOLE = /Seq Scan on (?:entity|directory|history|history_entity|op_result|tombstone)\b/;

/** The statements by which tasks are read. */
async function readStatements(connection: PostgresConnection): Promise<readonly Statement[]> {
  const found = new Map<string, Statement>();
  const seen = new Proxy(connection, {
    get: (of, name: 'all' | 'short') =>
      name === 'all' || name === 'short'
        ? (statement: Statement) => {
            found.set(statement.name, statement);
            return Promise.resolve([]);
          }
        : Reflect.get(of, name),
  });
  const reads = postgresTaskReads(seen);
  const [scope, id] = [someId(), someId()];
  const range = { status: 'open', after: null, changedAfter: null, limit: 1 } as const;
  await reads.recent(scope, range);
  await reads.beneath(scope, id, range);
  await reads.branches(scope, id, 1);
  await reads.find([scope], [id]);
  await reads.comments(scope, id, null, 1);
  await reads.settings(scope);
  await reads.frameVersion(scope);
  assert.ok(found.size > 6, 'what reads tasks was not seen');
  return [...found.values()];
}

export function plansContract(createDatabase: () => Promise<string>): void {
  test('[NODE-88] what is written and read of tasks is found by index, before the tables were ever analyzed and after', async () => {
    const url = await createDatabase();
    const database = await openDatabase({ url, dataDir: '' });
    const connection = new PostgresConnection(url, () => undefined);
    try {
      // A tree is as large as it is: it may be joined as a whole.
      const { tree: _tree, ...looks } = SQL;
      const statements = [...Object.values(looks), ...(await readStatements(connection))];
      for (const text of [...FILL, 'SELECT 1', 'ANALYZE']) {
        await connection.all({ name: '', text });
        if (!/^(?:SELECT|ANALYZE)/.test(text)) continue;
        for (const statement of statements) {
          const plan = await connection.all({
            name: '',
            text: `EXPLAIN (GENERIC_PLAN) ${statement.text}`,
          });
          const whole = plan.flat().filter((line) => WHOLE.test(String(line)));
          assert.deepEqual(whole, [], `${statement.name} reads a whole table, ${text}`);
        }
      }
    } finally {
      await connection.close();
      await database.close();
    }
  });

  test('[NODE-89] the tables of a young database are analyzed as soon as there are rows', async () => {
    const url = await createDatabase();
    const database = await openDatabase({ url, dataDir: '' });
    const connection = new PostgresConnection(url, () => undefined);
    const text = "SELECT reltuples FROM pg_class WHERE oid = 'entity'::regclass";
    const known = async () => Number((await connection.all({ name: '', text }))[0]?.[0]);
    try {
      assert.ok((await known()) <= 0, 'nothing is known of an empty table');
      for (const fill of FILL) await connection.all({ name: '', text: fill });
      for (let waited = 0; (await known()) < ROWS; waited += LOOK_MS) {
        // Autovacuum looks once a minute.
        assert.ok(waited < LONGEST_MS, 'the tables were not analyzed');
        await delay(LOOK_MS);
      }
    } finally {
      await connection.close();
      await database.close();
    }
  });
}
