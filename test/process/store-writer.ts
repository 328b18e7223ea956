// A process that writes to a database until it is killed or refused, saying what it was promised; started by tests.
// Arguments: folder, scope, how many writes. Lines: `found <version> <rows>`, `kept <version>`, `refused <trouble>`, `done`.
import { once } from 'node:events';
import { join } from 'node:path';
import {
  DatabaseFailedError,
  SQLITE_FULL,
  SqliteConnection,
  isDiskFailure,
  sqliteCode,
} from '#server/data/sqlite/sqlite-connection.ts';
import { SqliteStore } from '#server/data/sqlite/sqlite-store.ts';
import type { Id } from '#core/ids.ts';
import { commit, rowOf } from '../contracts/store-samples.ts';

const [, , dataDir = '', scope = '', count = '0'] = process.argv;
// Without migrations and Kysely, which a start would spend most of its time on.
const store = new SqliteStore(new SqliteConnection(join(dataDir, 'posthaste.db'), () => undefined));

function troubleOf(error: unknown): string {
  if (sqliteCode(error) === SQLITE_FULL) return 'full';
  return isDiskFailure(error) || error instanceof DatabaseFailedError ? 'unavailable' : String(error);
}

const head = await store.scope(scope as Id);
const rows = await store.snapshot(scope as Id, null, 100_000);
console.log(`found ${head?.version} ${rows.length}`);
// Whoever wants a fault injected does it now.
await once(process.stdin, 'data');
for (let n = 0; n < Number(count); n += 1) {
  try {
    const fields = { notes: 'x'.repeat(9_000) };
    const version = await commit(store, scope as Id, (next) => ({
      rows: [rowOf(scope as Id, { version: next, fields })],
    }));
    console.log(`kept ${version}`);
  } catch (error) {
    console.log(`refused ${troubleOf(error)}`);
  }
}
await store.close();
console.log('done');
process.stdin.destroy();
