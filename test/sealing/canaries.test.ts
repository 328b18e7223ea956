// Texts of a person in every place that a server keeps them, before and after their scope is sealed: afterwards no file, log or answer of the
// server has one of them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { labelsRoot, listsRoot, mineId, settingId, type Id } from '#core/ids.ts';
import { type Database, openDatabase } from '#server/data/database.ts';
import { seedOf } from '#sync/notes/note.ts';
import { noteMerge } from '#sync/notes/note-merge.ts';
import { type PostgresInstance, startPostgres } from '../contracts/postgres-instance.ts';
import { openHousehold, type SentAction } from './server-world.ts';

const places = [
  'title',
  'note',
  'edited',
  'listname',
  'labelname',
  'setting',
  'metakey',
  'metavalue',
  'replaced',
  'trashed',
  'recorded',
  'filename',
  'macrorun',
  'waitingmail',
] as const;

/** A text that is nowhere else. */
const canary = (place: (typeof places)[number]): string => `canary${place}zq7`;

async function filesIn(folder: string): Promise<readonly Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
}

const foundIn = (contents: readonly Buffer[]): readonly string[] =>
  places.filter((place) => contents.some((content) => content.includes(canary(place))));

/** Every value of every table, as whoever has the database reads it. */
async function valuesIn({ db }: Database): Promise<readonly Buffer[]> {
  const tables = await db.introspection.getTables();
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
      return found.rows.flatMap((row) => Object.values(row));
    }),
  );
  return rows
    .flat()
    .map((value) =>
      value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(JSON.stringify(value) ?? ''),
    );
}

/** An edit of a note, as an editor makes it. */
function edited(id: Id, text: string, added: string): SentAction {
  const base = { state: null, text };
  const merged = noteMerge.carry(base, text, [{ at: text.length, remove: 0, insert: added }] as never);
  assert.ok(merged.type === 'ok');
  return { a: 'note', id, seed: seedOf(text), update: merged.state, text: `${text}${added}` };
}

/** Where whoever runs the server looks, besides what it has logged and the files beside the database. */
type Look = (database: Database) => Promise<readonly Buffer[]>;

/** Puts a text into every place, seals the scope, and looks for them before and after. */
async function sealsEveryPlace(open: () => Promise<Database>, lookInto: Look): Promise<void> {
  const { home, device, close } = await openHousehold(open, { MAIL_DOMAIN: 'mail.example.org' });
  const { server, scope } = home;
  const { db } = server.database;
  const made = (type: string, fields: Record<string, unknown>, parent: Id | null, id = randomUUID() as Id) =>
    ({ a: 'create', id, type, fields, ...(parent === null ? {} : { place: { parent } }) }) as SentAction;
  const daily = {
    value: 1,
    unit: 'days',
    metadata: null,
    from: 'due date',
    missed: 'skip',
    anchorDay: null,
  };
  const task = await device.task({
    title: canary('replaced'),
    notes: canary('note'),
    [`meta:${canary('metakey')}`]: canary('metavalue'),
  });
  const trashed = await device.task({ title: canary('trashed') });
  const repeating = await device.task({
    title: canary('recorded'),
    repeat: daily,
    due: { on: '2026-12-01' },
  });
  await device.push(
    { a: 'set', id: task, field: 'title', value: canary('title') },
    edited(task, canary('note'), canary('edited')),
    { a: 'delete', id: trashed },
    { a: 'complete', id: repeating, occ: 0, at: 5, next: { due: { on: '2026-12-02' }, start: null } },
    made('list', { listType: 'list', name: canary('listname') }, listsRoot(scope)),
    made('label', { name: canary('labelname') }, labelsRoot(scope)),
    made('setting', { key: 'k', value: { text: canary('setting') } }, null, settingId(scope, 'k')),
    made('mine', { of: task, snooze: { on: '2026-12-24' } }, null, mineId(scope, task)),
    made(
      'attachment',
      { name: canary('filename'), fileType: 'text/plain', sizeBytes: 1, hash: 'a'.repeat(64) },
      task,
    ),
  );
  await db
    .insertInto('macro_run')
    .values({
      account: home.account,
      id: randomUUID() as Id,
      macro: randomUUID() as Id,
      is_dry: 0,
      program: 'p',
      mark: 'm',
      content: canary('macrorun'),
      state: 'done',
      taken_by: null,
      outcome: null,
      created_at: 1,
      updated_at: 1,
    })
    .execute();
  const arrival = {
    id: randomUUID() as Id,
    scope,
    list: randomUUID() as Id,
    account: home.account,
    from: 'a@example.org',
    at: 1,
  };
  const incoming = await server.spool!.begin(arrival as never);
  await incoming.write(Buffer.from(`Subject: x\r\n\r\n${canary('waitingmail')}\r\n`));
  await incoming.keep();
  await server.spool!.putAside(arrival.id);
  const everything = async () => [
    ...(await lookInto(server.database)),
    ...(await filesIn(server.files)),
    Buffer.from(server.logged.join('\n')),
  ];
  assert.deepEqual(foundIn(await everything()), [...places], 'all of them are there before');
  await home.begin();
  device.state = home.state;
  await device.act({ a: 'set', id: trashed, field: 'title', value: `${canary('trashed')} again` });
  await home.walk();
  await home.finish();
  assert.deepEqual(foundIn(await everything()), []);
  const lingering = await db.selectFrom('sealing').select('lingers').execute();
  assert.deepEqual(lingering, [{ lingers: 0 }]);
  assert.deepEqual(await server.database.store.history(scope, { limit: 100 }), []);
  const { notes } = (await home.opened()).get(task) ?? {};
  assert.ok(String(notes).startsWith(canary('note')), 'who has the keys still reads it');
  await device.act({ a: 'set', id: task, field: 'title', value: canary('title') });
  assert.deepEqual(foundIn(await everything()), [], 'and nothing new comes');
  await close();
}

describe('canaries', () => {
  let postgres: PostgresInstance | undefined;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres?.stop());

  test('[SEAL-74] once a scope is sealed, nothing of before is in the files of the database, the spool, the logs, or the history', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthaste-canary-'));
    await sealsEveryPlace(
      () => openDatabase({ dataDir }),
      () => filesIn(dataDir),
    );
    await rm(dataDir, { recursive: true, force: true });
  });

  test('[SEAL-74] on PostgreSQL no row of any table has anything of before', async () => {
    const url = (await postgres?.createDatabase()) ?? '';
    await sealsEveryPlace(() => openDatabase({ url, dataDir: '' }), valuesIn);
  });

  test('[SEAL-75] a process that ends before the files are written anew has the next one do it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthaste-canary-'));
    const { home, device, close } = await openHousehold(() => openDatabase({ dataDir }));
    await device.task({ title: canary('title') });
    await home.begin();
    await home.walk();
    const { database } = home.server;
    const scrub = database.scrub.bind(database);
    // As if it had ended there.
    Object.assign(database, { scrub: () => Promise.reject(new Error('ended')) });
    await home.finish();
    assert.ok(foundIn(await filesIn(dataDir)).includes('title'));
    assert.ok(home.server.logged.some((line) => line.includes('sealing_unfinished')));
    Object.assign(database, { scrub });
    await home.server.services.sealedScopes.resume();
    assert.deepEqual(foundIn(await filesIn(dataDir)), []);
    await close();
    await rm(dataDir, { recursive: true, force: true });
  });
});
