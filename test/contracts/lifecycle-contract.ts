// What holds over the life of a database on every engine: migrating, backing up, restoring.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFile,
  mkdtemp,
  open as openFile,
  readFile,
  readdir,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { restoreDatabase } from '#server/data/backup.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#server/data/database.ts';
import { migrations, newestVersion } from '#server/data/migrate.ts';
import type { Migration } from '#server/data/migration.ts';
import { commit, newScope, placed, rowOf, someAccount, someId, titleEntry } from './store-samples.ts';

type Place = Pick<DatabaseOptions, 'url' | 'dataDir'>;

const base = newestVersion();
const own = migrations.map(({ version }) => version);
const coming: Migration = {
  version: base + 1,
  name: 'coming',
  up: (target) => target.run("CREATE TABLE coming (id text); INSERT INTO coming VALUES ('x')"),
};
const broken: Migration = {
  version: base + 1,
  name: 'broken',
  async up(target) {
    await target.run('CREATE TABLE half (id text)');
    await target.run('DROP TABLE tombstone');
    await target.run('SELECT nonsense FROM nowhere');
  },
};

async function versions({ db }: Database): Promise<readonly number[]> {
  const found = await db.selectFrom('schema_version').select('version').orderBy('version').execute();
  return found.map(({ version }) => version);
}

/** Runs a script beside this file in a process of its own. */
async function run(script: string, place: Place): Promise<{ code: number | null; signal: string | null }> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, JSON.stringify(place)], { stdio: 'inherit' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { code, signal };
}

/** Fills a database with a little of everything that a backup must carry. */
async function fill({ store, db }: Database) {
  const scope = await newScope(store);
  const id = someAccount();
  await store.openGeneration(someId(), 5);
  const task = placed(scope, scope, 'a0', {
    fields: { title: 'Zürich 👩‍🌾 \u0000', notes: 'x'.repeat(100_000) },
  });
  const device = someId();
  await commit(store, scope, (version) => ({
    rows: [task, ...Array.from({ length: 1_200 }, () => rowOf(scope))],
    tombstones: [{ scope, id: someId(), version }],
    results: [{ device, seq: 1, operation: someId(), verdict: 'ok' }],
    history: [titleEntry(scope, version, task.id, [{ id: someId(), fields: null }])],
  }));
  const made = await store.write((tx) => tx.devices([{ id: device, account: id }]));
  const account = {
    id,
    email: `person${id}@example.com`,
    password_hash: 'x',
    personal_scope: scope,
    created_at: 1,
  };
  await db.insertInto('account').values(account).execute();
  const session = {
    id: someId(),
    account: id,
    kind: 'web' as const,
    name: '',
    user_agent: '',
    created_at: 1,
    last_used_at: 1,
  };
  await db
    .insertInto('session')
    .values({ ...session, token_hash: new Uint8Array([0, 200, 7]) })
    .execute();
  await db
    .insertInto('security_event')
    .values({ at: 1, account: id, type: 'sign-in', detail: '{}' })
    .execute();
  return { scope, task, device: made.get(device)! };
}

export function lifecycleContract(name: string, makePlace: () => Promise<Place>): void {
  // Every test has a database of its own and mostly waits for processes and disks.
  describe(`Life of a database on ${name}`, { concurrency: 4 }, () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'posthaste-backups-'));
    });
    after(() => rm(folder, { recursive: true }));

    test('a fresh database gets the newest schema, a second start changes nothing', async () => {
      const place = await makePlace();
      const first = await openDatabase(place);
      const scope = await newScope(first.store);
      const applied = await first.db.selectFrom('schema_version').selectAll().execute();
      await first.close();
      const second = await openDatabase(place);
      assert.deepEqual(await second.db.selectFrom('schema_version').selectAll().execute(), applied);
      assert.deepEqual(
        applied.map(({ version }) => version),
        migrations.map(({ version }) => version),
      );
      assert.equal((await second.store.scope(scope))?.id, scope);
      await second.close();
    });

    test('two servers that start at once on an empty database both open it', async () => {
      const place = await makePlace();
      const started = [1, 2].map(() => run('open-database.ts', place));
      for (const child of started) assert.deepEqual(await child, { code: 0, signal: null });
      const database = await openDatabase(place);
      assert.deepEqual(await versions(database), own);
      await database.close();
    });

    test('a newer schema is refused with a clear error and not touched', async () => {
      const place = await makePlace();
      await (await openDatabase({ ...place, migrations: [...migrations, coming] })).close();
      await assert.rejects(
        openDatabase(place),
        new RegExp(`schema version ${base + 1}.*newer Posthaste`, 's'),
      );
      const again = await openDatabase({ ...place, migrations: [...migrations, coming] });
      assert.deepEqual(await versions(again), [...own, base + 1]);
      await again.close();
    });

    test('a migration that fails leaves schema and data as they were', async () => {
      const place = await makePlace();
      const first = await openDatabase(place);
      const scope = await newScope(first.store);
      await first.close();
      await assert.rejects(
        openDatabase({ ...place, migrations: [...migrations, broken] }),
        /nowhere|no such table/,
      );
      const again = await openDatabase(place);
      assert.deepEqual(await versions(again), own);
      assert.deepEqual((await again.store.changes(scope, 0, 5)).gone, []);
      await again.close();
      const upgraded = await openDatabase({ ...place, migrations: [...migrations, coming] });
      assert.deepEqual(await versions(upgraded), [...own, base + 1]);
      await upgraded.close();
    });

    test('a process killed in the middle of a migration leaves schema and data as they were', async () => {
      const place = await makePlace();
      const first = await openDatabase(place);
      const { scope, task } = await fill(first);
      await first.close();
      const { signal } = await run('interrupted-migration.ts', place);
      assert.equal(signal, 'SIGKILL');
      const again = await openDatabase(place);
      assert.deepEqual(await versions(again), own);
      const changes = await again.store.changes(scope, 0, 5_000);
      assert.deepEqual([changes.gone.length, changes.head.digest], [1, '0000000000000000']);
      assert.deepEqual(
        changes.rows.find(({ id }) => id === task.id),
        task,
      );
      await again.close();
      const upgraded = await openDatabase({ ...place, migrations: [...migrations, coming] });
      assert.deepEqual(await versions(upgraded), [...own, base + 1]);
      await upgraded.close();
    });

    test('a backup taken at work restores everything, and the data it replaces is kept', async () => {
      const place = await makePlace();
      const first = await openDatabase(place);
      const { scope, task, device } = await fill(first);
      const file = join(folder, someId());
      const [report] = await Promise.all([
        first.backup(file),
        Promise.all(
          Array.from({ length: 20 }, () => commit(first.store, scope, () => ({ rows: [rowOf(scope)] }))),
        ),
      ]);
      const before = await first.store.changes(scope, 0, 5_000);
      assert.equal(report.schemaVersion, base);
      assert.equal(report.sizeBytes, (await stat(file)).size);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.ok(report.rows.entity >= 1_201 && report.rows.entity <= before.rows.length);
      assert.deepEqual([report.rows.session, report.rows.tombstone, report.rows.history_entity], [1, 1, 1]);
      const later = await newScope(first.store);
      await first.close();

      const restored = await restoreDatabase({ ...place, from: file });
      assert.deepEqual(restored.rows, report.rows);
      assert.notEqual(restored.previous, null);
      const again = await openDatabase(place);
      assert.equal(await again.store.scope(later), null);
      const changes = await again.store.changes(scope, 0, 5_000);
      assert.equal(changes.rows.length, report.rows.entity);
      assert.deepEqual(
        changes.rows.find(({ id }) => id === task.id),
        task,
      );
      assert.equal((await again.store.history(scope, { limit: 5 })).length, 1);
      const session = await again.db.selectFrom('session').select('token_hash').executeTakeFirstOrThrow();
      assert.deepEqual(new Uint8Array(session.token_hash), new Uint8Array([0, 200, 7]));
      const other = someId();
      const devices = await again.store.write((tx) =>
        tx.devices([device.id, other].map((id) => ({ id, account: device.account }))),
      );
      assert.deepEqual(devices.get(device.id), device);
      assert.ok(devices.get(other)!.number > device.number, 'numbers go on after the restored ones');
      await again.db.insertInto('security_event').values({ at: 2, type: 'restored', detail: '{}' }).execute();
      await again.close();
    });

    test('a backup goes into an empty place as well', async () => {
      const [from, to] = [await makePlace(), await makePlace()];
      const first = await openDatabase(from);
      const { scope } = await fill(first);
      const file = join(folder, someId());
      const report = await first.backup(file);
      await first.close();
      assert.deepEqual(await restoreDatabase({ ...to, from: file }), { rows: report.rows, previous: null });
      const copy = await openDatabase(to);
      assert.equal((await copy.store.scope(scope))?.version, 1);
      await copy.close();
    });

    test('a backup never replaces a file and leaves no half-written one', async () => {
      const database = await openDatabase(await makePlace());
      const within = await mkdtemp(join(folder, 'taken-'));
      const file = join(within, 'backup');
      await writeFile(file, 'precious');
      await assert.rejects(database.backup(file), /already exists/);
      assert.equal(await readFile(file, 'utf8'), 'precious');
      assert.deepEqual(await readdir(within), ['backup']);
      await database.close();
    });

    test('a damaged, foreign or newer backup is refused and changes nothing', async () => {
      const place = await makePlace();
      const first = await openDatabase(place);
      const { scope } = await fill(first);
      const [short, changed, foreign, newer] = [1, 2, 3, 4].map(() => join(folder, someId())) as [
        string,
        string,
        string,
        string,
      ];
      const { sizeBytes } = await first.backup(short);
      await copyFile(short, changed);
      await truncate(short, Math.floor(sizeBytes / 2));
      const handle = await openFile(changed, 'r+');
      // Whole pages, so that SQLite's structure is hit and not only a value.
      await handle.write(Buffer.alloc(16_384, 0xa5), 0, 16_384, Math.floor(sizeBytes / 2));
      await handle.close();
      await writeFile(foreign, 'To be or not to be');
      await first.close();
      const future = await openDatabase({ ...(await makePlace()), migrations: [...migrations, coming] });
      await future.backup(newer);
      await future.close();
      await assert.rejects(restoreDatabase({ ...place, from: short }), /damaged/);
      await assert.rejects(restoreDatabase({ ...place, from: changed }), /damaged|malformed/);
      await assert.rejects(restoreDatabase({ ...place, from: foreign }), /damaged|not a backup/);
      await assert.rejects(restoreDatabase({ ...place, from: newer }), /newer Posthaste/);
      await assert.rejects(restoreDatabase({ ...place, from: join(folder, 'nowhere') }), /no file/);
      const again = await openDatabase(place);
      assert.equal((await again.store.changes(scope, 0, 5_000)).rows.length, 1_201);
      await again.close();
    });

    test('a running server’s database is not replaced under it', async () => {
      const place = await makePlace();
      const running = await openDatabase(place);
      const scope = await newScope(running.store);
      const file = join(folder, someId());
      await running.backup(file);
      await assert.rejects(restoreDatabase({ ...place, from: file }), /in use/);
      assert.equal(await commit(running.store, scope, () => ({ rows: [rowOf(scope)] })), 1);
      await running.close();
    });
  });
}
