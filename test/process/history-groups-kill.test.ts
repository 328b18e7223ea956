// Processes that carry history into other databases, killed again and again while it is read and written.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { type DatabaseOptions, openDatabase } from '#server/data/database.ts';
import type { HistoryEntry, Store } from '#server/data/store.ts';
import { startPostgres } from '../contracts/postgres-instance.ts';
import { commit, someAccount, someId, titleEntry } from '../contracts/store-samples.ts';

const CARRIER = fileURLToPath(new URL('history-carrier.ts', import.meta.url));
const START = Date.UTC(2026, 0, 1);
const ENTRIES = 1_200;
/** Steps after which a process is killed: in the middle of copying, of moving and of removing. */
const KILLS = [1, 4, 9, 16];

/** Resolves after so many steps, or rejects with what the process said when it ended by itself. */
async function stepsOf(child: ChildProcess, steps: number): Promise<void> {
  let [seen, said] = [0, ''];
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', () => {
      seen += 1;
      if (seen === steps) resolve();
    });
    child.on('exit', () => reject(new Error(`It ended after ${seen} steps. ${said}`)));
  });
}

async function fill(store: Store): Promise<{ readonly scope: Id; readonly entries: HistoryEntry[] }> {
  const scope = someId();
  await store.createScope({ id: scope, kind: 'personal', owner: someAccount() });
  const entries: HistoryEntry[] = [];
  for (let at = 0; at < ENTRIES; at += 100)
    await commit(store, scope, (version) => {
      const history = Array.from({ length: 100 }, () => ({
        ...titleEntry(scope, version, someId()),
        at: START,
      }));
      entries.push(...history);
      return { history };
    });
  return { scope, entries };
}

describe('a process that is killed while it carries history to other databases', () => {
  it('[NODE-87] leaves nothing lost and nothing twice, and whoever comes next ends its work', async () => {
    const instance = await startPostgres();
    const address = async () => (await instance.createDatabase()).replace('@/', '@localhost/');
    const historyGroups = [
      { name: 'east', url: await address() },
      { name: 'west', url: await address() },
    ];
    const options: DatabaseOptions = { url: await address(), dataDir: '', historyGroups };
    const database = await openDatabase(options);
    try {
      const { store, older } = database;
      assert.ok(older);
      const filled = [await fill(store), await fill(store)];
      const scopes = filled.map(({ scope }) => scope);
      const whole = async () => {
        for (const { scope, entries } of filled) {
          const found = await store.history(scope, { limit: 10_000 });
          assert.deepEqual(
            found.map(({ operation }) => operation.id).toReversed(),
            entries.map(({ operation }) => operation.id),
          );
        }
      };
      let now = START + 31 * DAY_MS;
      for (const steps of KILLS) {
        const work = JSON.stringify({ options, scopes, now });
        const child = spawn(process.execPath, [CARRIER, work], { stdio: ['ignore', 'pipe', 'pipe'] });
        const exited = once(child, 'exit');
        await stepsOf(child, steps);
        // While it is in the middle of the step.
        await whole();
        child.kill('SIGKILL');
        await exited;
        await whole();
        for (const { scope, entries } of filled)
          await commit(store, scope, (version) => {
            entries.push({ ...titleEntry(scope, version, someId()), at: now });
            return { history: entries.slice(-1) };
          });
        now += 60 * DAY_MS;
      }
      const rest = () => Promise.resolve();
      for (let round = 0; round < 3; round += 1) {
        now += 31 * DAY_MS;
        await older.run({ now, rest, onError: (error) => assert.fail(String(error)) });
      }
      await whole();
      assert.equal((await database.db.selectFrom('history').select('version').execute()).length, 0);
      const { isEmpty } = await older.drain('east', rest);
      assert.ok(isEmpty);
      await whole();
      assert.deepEqual(
        await (await older.tables('east')).selectFrom('history').select('version').execute(),
        [],
      );
    } finally {
      await database.close();
      await instance.stop();
    }
  });
});
