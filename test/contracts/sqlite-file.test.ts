// What only SQLite in a file can show: modes of files, damaged files, a failing disk, a busy lock. And what a later one in memory
// begins as.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { openDatabase } from '#server/data/database.ts';
import { migrations, newestVersion } from '#server/data/migrate.ts';
import { refuseSqliteVersion } from '#server/data/sqlite/sqlite-connection.ts';
import { commit, newScope, rowOf, type someId } from './store-samples.ts';

describe('SQLite in a file', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'posthaste-sqlite-'));
  });
  after(() => rm(root, { recursive: true }));

  const mode = async (path: string) => (await stat(path)).mode & 0o777;

  test('nobody else can read the folder or any file in it', async () => {
    const dataDir = join(root, 'new', 'data');
    const database = await openDatabase({ dataDir });
    await newScope(database.store);
    assert.equal(await mode(dataDir), 0o700);
    const files = await readdir(dataDir);
    assert.deepEqual(files.toSorted(), ['posthaste.db', 'posthaste.db-shm', 'posthaste.db-wal']);
    for (const file of files) assert.equal(await mode(join(dataDir, file)), 0o600, file);
    await database.close();
    assert.deepEqual(await readdir(dataDir), ['posthaste.db'], 'closing leaves one file');
  });

  test('a file that others could read is closed to them, a folder that is open is reported', async () => {
    const dataDir = join(root, 'open');
    await mkdir(dataDir);
    await chmod(dataDir, 0o755);
    await (await openDatabase({ dataDir })).close();
    await chmod(join(dataDir, 'posthaste.db'), 0o644);
    const lines: string[] = [];
    const database = await openDatabase({
      dataDir,
      log: (level, message) => lines.push(`${level} ${message}`),
    });
    assert.equal(await mode(join(dataDir, 'posthaste.db')), 0o600);
    assert.equal(await mode(dataDir), 0o755);
    assert.match(lines.join('\n'), /^warn .*chmod 700/);
    await database.close();
  });

  test('the settings that durability rests on are in force', async () => {
    const database = await openDatabase({ dataDir: join(root, 'settings') });
    const { db } = database;
    const expected = {
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      trusted_schema: 0,
      cell_size_check: 1,
      journal_size_limit: 67_108_864,
    };
    for (const [name, value] of Object.entries(expected)) {
      const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db);
      assert.deepEqual(Object.values(rows[0]!), [value], name);
    }
    const tables = await sql<{ name: string; strict: number }>`
      SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'`.execute(
      db,
    );
    assert.deepEqual(
      tables.rows.filter(({ strict }) => strict !== 1),
      [],
    );
    assert.ok(tables.rows.length > 10);
    // Defensive: SQL cannot write into the file's own structures.
    await sql`PRAGMA writable_schema = ON`.execute(db);
    await assert.rejects(sql`UPDATE sqlite_schema SET sql = 'x'`.execute(db), /may not be modified/);
    await database.close();
  });

  test('SQLite versions that lose data are refused', () => {
    for (const version of ['3.40.1', '3.51.2', '3.52.0', '2.8.17'])
      assert.match(refuseSqliteVersion(version)!, /SQLite/);
    for (const version of ['3.51.3', '3.52.1', '3.53.4', '4.0.0'])
      assert.equal(refuseSqliteVersion(version), null);
  });

  test('a file that is no database, or is damaged, is refused and left alone', async () => {
    const dataDir = join(root, 'damaged');
    await (await openDatabase({ dataDir })).close();
    const path = join(dataDir, 'posthaste.db');
    const { size } = await stat(path);
    const damages = [
      'not a database at all, but long enough to look at'.repeat(20),
      Buffer.alloc(size, 0xa5),
    ];
    for (const damage of damages) {
      await writeFile(path, damage);
      await assert.rejects(openDatabase({ dataDir }), /damaged.*Restore/);
      assert.equal((await stat(path)).size, damage.length);
    }
  });

  test('an upgrade keeps a verified copy of the database before it', async () => {
    const dataDir = join(root, 'upgrade');
    const first = await openDatabase({ dataDir });
    const scope = await newScope(first.store);
    await first.close();
    const next = { version: newestVersion() + 1, name: 'next', up: async () => undefined };
    await (await openDatabase({ dataDir, migrations: [...migrations, next] })).close();
    const prefix = `before-upgrade-${newestVersion()}-to-${next.version}-`;
    const copies = (await readdir(dataDir)).filter((name) => name.startsWith(prefix));
    assert.equal(copies.length, 1);
    assert.equal(await mode(join(dataDir, copies[0]!)), 0o600);
    const copyDir = join(root, 'copy');
    await mkdir(copyDir, { mode: 0o700 });
    await writeFile(join(copyDir, 'posthaste.db'), await readFile(join(dataDir, copies[0]!)));
    const copy = await openDatabase({ dataDir: copyDir });
    assert.equal((await copy.store.scope(scope))?.id, scope);
    await copy.close();
  });

  test('a full database refuses the write, keeps what it has and works again when there is room', async () => {
    const database = await openDatabase({ dataDir: join(root, 'full') });
    const { store, db } = database;
    const scope = await newScope(store);
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db);
    await sql`PRAGMA max_page_count = ${sql.lit(rows[0]!.page_count + 2)}`.execute(db);
    const large = rowOf(scope, { fields: { notes: 'x'.repeat(200_000) } });
    await assert.rejects(
      commit(store, scope, () => ({ rows: [large] })),
      /full/,
    );
    assert.equal((await store.scope(scope))?.version, 0);
    await sql`PRAGMA max_page_count = 1000000`.execute(db);
    assert.equal(await commit(store, scope, () => ({ rows: [large] })), 1);
    await database.close();
  });

  test('after an input or output error every call is refused, and a new start finds all that was saved', async () => {
    const dataDir = join(root, 'failing');
    const script = fileURLToPath(new URL('./failing-disk.ts', import.meta.url));
    // The shell limits the size of files the process can write: the same error as a disk that refuses.
    const command = 'ulimit -f 3000; exec "$0" "$@"';
    const child = spawn('sh', ['-c', command, process.execPath, script, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const report = JSON.parse(await text(child.stdout)) as {
      saved: number;
      scope: string;
      refused: string[];
    };
    assert.ok(report.saved > 0);
    assert.equal(report.refused.length, 4);
    for (const message of report.refused) assert.match(message, /database failed.*started again/);
    const database = await openDatabase({ dataDir });
    const head = await database.store.scope(report.scope as ReturnType<typeof someId>);
    assert.equal(head?.version, report.saved);
    await database.close();
  });

  test('opening a new file waits for another process that writes to it', async () => {
    const dataDir = join(root, 'shared');
    await mkdir(dataDir, { mode: 0o700 });
    const holder = new DatabaseSync(join(dataDir, 'posthaste.db'));
    holder.exec('BEGIN IMMEDIATE');
    const script = fileURLToPath(new URL('./open-database.ts', import.meta.url));
    const child = spawn(process.execPath, [script, JSON.stringify({ dataDir })], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const ended = once(child, 'exit');
    // It is waiting once its own files are loaded; more than that nobody outside can see.
    await Promise.race([setTimeout(1_500), ended]);
    holder.exec('ROLLBACK');
    holder.close();
    assert.deepEqual(await ended, [0, null]);
  });

  test('the log does not grow without end', async () => {
    const dataDir = join(root, 'log');
    const database = await openDatabase({ dataDir });
    const { store } = database;
    const scope = await newScope(store);
    const row = rowOf(scope, { fields: { notes: 'x'.repeat(100_000) } });
    for (let n = 0; n < 150; n += 1) await commit(store, scope, () => ({ rows: [row] }));
    // 150 commits of 100 KB are 15 MB of log if nobody moves it into the file.
    assert.ok((await stat(join(dataDir, 'posthaste.db-wal'))).size < 10_000_000);
    await database.close();
  });

  test('another address than PostgreSQL’s is refused', async () => {
    await assert.rejects(
      openDatabase({ url: 'mysql://localhost/x', dataDir: join(root, 'url') }),
      /postgres:\/\//,
    );
  });
});

describe('SQLite in memory', () => {
  test('is in a later database what it is in a file, and empty', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthaste-sqlite-'));
    const first = await openDatabase({ dataDir: ':memory:' });
    await newScope(first.store);
    const later = await openDatabase({ dataDir: ':memory:' });
    const file = await openDatabase({ dataDir });
    const parts = async ({ db }: typeof file) => {
      const schema = sql`SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name`;
      const applied = await db
        .selectFrom('schema_version')
        .select(['version', 'name'])
        .orderBy('version')
        .execute();
      const keys = await sql`PRAGMA foreign_keys`.execute(db);
      return [(await schema.execute(db)).rows, applied, keys.rows];
    };
    assert.deepEqual(await parts(later), await parts(file));
    const scopes = ({ db }: typeof file) => db.selectFrom('scope').select('id').execute();
    assert.equal((await scopes(first)).length, 1);
    assert.deepEqual(await scopes(later), []);
    await newScope(later.store);
    assert.equal((await scopes(later)).length, 1);
    assert.equal((await scopes(first)).length, 1, 'they share nothing');
    for (const database of [first, later, file]) await database.close();
    await rm(dataDir, { recursive: true });
  });
});
