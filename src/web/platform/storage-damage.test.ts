// What browsers and accidents do to a device's disk: deleted and emptied under the running app, handles that die, records
// that are no longer what was written. Nothing that is in memory or readable is lost, and the rest is told in numbers.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { DeviceMeta, DeviceStorage, StorageBatch } from '#sync/replica/ports.ts';
import type { Row } from '#sync/rows/row.ts';
import { BrowserStorage, type StorageEvent } from './storage/indexeddb.ts';
import { expireQuarantine, putAside, quarantineText } from './storage/quarantine.ts';
import { encodePage, isWhole, type RowPage } from './storage/row-page.ts';

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;
const scope = idOf(1);

const rowOf = (n: number): Row => ({
  id: idOf(n),
  type: 'task',
  scope,
  version: n,
  fields: { title: `Task ${n}`, place: { parent: scope, key: `a${n}` } },
  stamp: [n, 1, 2, 3],
  createdAt: n,
  updatedAt: n,
});

const metaOf = (account: number): DeviceMeta => ({
  device: idOf(900_001),
  deviceNumber: 1,
  scope,
  account,
  seq: 9,
  acked: 0,
  cursors: { [scope]: { generation: 'g', version: 5 } },
  clockOffsetMs: 0,
});

const operationOf = (q: number): Operation => ({
  q,
  u: idOf(q),
  scope,
  t: 1,
  b: 1,
  a: 'delete',
  id: idOf(q),
});
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

async function readAll(storage: DeviceStorage): Promise<readonly Id[]> {
  const ids: Id[] = [];
  for await (const page of storage.rows()) ids.push(...page.map(({ id }) => id));
  return ids.toSorted();
}

interface Disk {
  readonly name: string;
  readonly events: StorageEvent[];
  /** What a running engine would hold. */
  memory: StorageBatch | null;
  open(): BrowserStorage;
  /** Opens the database beside the storage, as an accident would. */
  tamper(work: (db: IDBPDatabase) => Promise<unknown>): Promise<void>;
}

function createDisk(account = 7): Disk {
  const name = `damage-test-${crypto.randomUUID()}`;
  const disk: Disk = {
    name,
    events: [],
    memory: null,
    open: () =>
      new BrowserStorage({
        name,
        idle: () => {},
        now: () => 1_000,
        contents: () => disk.memory,
        identity: () => ({ ...metaOf(account), device: idOf(900_002), seq: 0, cursors: {} }),
        onEvent: (event) => disk.events.push(event),
      }),
    async tamper(work) {
      const db = await openDB(name);
      await work(db);
      db.close();
    },
  };
  return disk;
}

/** A storage that holds these rows folded into pages. */
async function filled(disk: Disk, batch: StorageBatch): Promise<BrowserStorage> {
  const storage = disk.open();
  await storage.open();
  await readAll(storage);
  await storage.write(batch);
  await storage.compacted();
  return storage;
}

const rows = range(10, 3_010).map(rowOf);
const ids = rows.map(({ id }) => id).toSorted();

describe('a disk that goes away under the running app', () => {
  for (const [how, accident] of [
    ['deleted', (disk: Disk) => deleteDB(disk.name)],
    [
      'emptied',
      (disk: Disk) =>
        disk.tamper((db) => Promise.all([...db.objectStoreNames].map((store) => db.clear(store)))),
    ],
  ] as const) {
    test(`${how}: everything in memory is written again`, async () => {
      const disk = createDisk();
      const storage = await filled(disk, { meta: metaOf(7), rowsPut: rows, outboxAdd: [operationOf(1)] });
      await accident(disk);
      const meta = { ...metaOf(7), seq: 12 };
      disk.memory = { meta, rowsPut: rows, outboxAdd: [1, 12].map(operationOf) };
      await storage.write({ meta, outboxAdd: [operationOf(12)] });
      assert.deepEqual(disk.events, [{ type: 'rewritten' }]);
      await storage.write({ meta, outboxRemove: [1] });
      await storage.compacted();
      storage.close();
      const again = disk.open();
      assert.deepEqual((await again.open())?.outbox, [operationOf(12)]);
      assert.deepEqual(await readAll(again), ids);
      again.close();
    });
  }

  test('noticed by looking, before anything is written', async () => {
    const disk = createDisk();
    const storage = await filled(disk, { meta: metaOf(7), rowsPut: rows });
    disk.memory = { meta: metaOf(7), rowsPut: rows };
    await deleteDB(disk.name);
    await storage.probe();
    assert.deepEqual(disk.events.at(0), { type: 'rewritten' });
    storage.close();
  });

  test('while stored rows are not all in memory, nothing is taken for everything', async () => {
    const disk = createDisk();
    const storage = await filled(disk, { meta: metaOf(7), rowsPut: rows });
    await deleteDB(disk.name);
    await assert.rejects(storage.write({ meta: metaOf(7), outboxAdd: [operationOf(1)] }), {
      name: 'StorageVanished',
    });
    storage.close();
  });

  test('one that another tab has begun anew belongs to that tab', async () => {
    const disk = createDisk();
    const storage = await filled(disk, { meta: metaOf(7), rowsPut: rows });
    await deleteDB(disk.name);
    await storage.probe();
    const taker = new BrowserStorage({ name: disk.name, idle: () => {}, now: () => 2_000 });
    await taker.open();
    disk.memory = { meta: metaOf(7), rowsPut: rows };
    await assert.rejects(storage.write({ meta: metaOf(7) }), { name: 'StorageTaken' });
    assert.deepEqual(disk.events.at(-1), { type: 'taken', isNewer: false });
    taker.close();
    storage.close();
  });

  test('a journal damaged in part keeps the rest, and the rows are not touched', async () => {
    const disk = createDisk();
    const entry = (q: number) => ({
      device: metaOf(7).device,
      q,
      operations: [operationOf(q)],
      inverses: [],
    });
    const journalPut = [entry(1), entry(2)];
    const storage = await filled(disk, { meta: metaOf(7), rowsPut: rows, journalPut });
    await disk.tamper((db) => db.put('journal', { ...entry(1), operations: 'spoilt' }));
    assert.deepEqual(await storage.journal(), [entry(2)]);
    assert.deepEqual(disk.events, [{ type: 'forgot' }]);
    assert.match((await quarantineText()) ?? '', /spoilt/);
    assert.deepEqual(await storage.journal(), [entry(2)]);
    assert.equal(disk.events.length, 1);
    storage.close();
  });

  test('one that a newer version of the app has changed is left alone', async () => {
    const disk = createDisk();
    const storage = await filled(disk, { meta: metaOf(7), rowsPut: rows });
    (await openDB(disk.name, 1_000)).close();
    await assert.rejects(storage.write({ meta: metaOf(7) }), { name: 'StorageTaken' });
    assert.deepEqual(disk.events.at(-1), { type: 'taken', isNewer: true });
    storage.close();
  });
});

/** Changes the first stored page that holds rows. */
function spoilPage(change: (page: RowPage) => unknown): (db: IDBPDatabase) => Promise<unknown> {
  return async (db) => {
    for (const key of await db.getAllKeys('pages')) {
      const page = (await db.get('pages', key)) as RowPage;
      if (page.count === 0) continue;
      return db.put('pages', change(page), key);
    }
    return assert.fail('there is no page');
  };
}

describe('damaged records', () => {
  for (const [what, change] of [
    ['a changed letter', (page: RowPage) => ({ ...page, titles: page.titles.replace('Task', 'Tusk') })],
    [
      'a changed number',
      (page: RowPage) => ({ ...page, numbers: page.numbers.map((n, at) => (at === 3 ? n + 1 : n)) }),
    ],
    ['a column cut short', (page: RowPage) => ({ ...page, ids: page.ids.slice(0, 90) })],
    ['no page at all', () => 'nonsense'],
  ] as const) {
    test(`${what}: the page goes aside, its neighbours are read`, async () => {
      const disk = createDisk();
      (await filled(disk, { meta: metaOf(7), rowsPut: rows, outboxAdd: [operationOf(3)] })).close();
      await disk.tamper(spoilPage(change));
      const storage = disk.open();
      const state = await storage.open();
      assert.deepEqual(state?.outbox, [operationOf(3)]);
      const read = await readAll(storage);
      assert.ok(read.length > 0 && read.length < ids.length, `${read.length} rows were read`);
      assert.ok(storage.unreadable > 0);
      const [event] = disk.events;
      assert.ok(event?.type === 'damaged' && event.rows === storage.unreadable);
      assert.ok((await quarantineText())?.includes(disk.name));
      storage.close();
      const again = disk.open();
      await again.open();
      assert.deepEqual(await readAll(again), read);
      assert.equal(again.unreadable, 0, 'it is told once');
      again.close();
    });
  }

  test('without an account whatever can still be read stays', async () => {
    const disk = createDisk(0);
    (await filled(disk, { meta: metaOf(0), rowsPut: rows })).close();
    await disk.tamper(spoilPage((page) => ({ ...page, titles: page.titles.replace('Task', 'Tusk') })));
    for (const damaged of [1, 0]) {
      const storage = disk.open();
      await storage.open();
      assert.deepEqual(await readAll(storage), ids);
      assert.equal(storage.unreadable, damaged);
      storage.close();
    }
  });

  test('a page that is gone is noticed', async () => {
    const disk = createDisk();
    (await filled(disk, { meta: metaOf(7), rowsPut: rows })).close();
    await disk.tamper(async (db) => db.delete('pages', (await db.getAllKeys('pages'))[0] ?? 0));
    const storage = disk.open();
    await storage.open();
    await readAll(storage);
    assert.ok(storage.unreadable > 0);
    storage.close();
  });

  test('a bad operation does not hide the others', async () => {
    const disk = createDisk();
    (await filled(disk, { meta: metaOf(7), outboxAdd: [1, 2, 3].map(operationOf) })).close();
    await disk.tamper((db) => db.put('outbox', { q: 2, a: 'nothing known' }));
    const storage = disk.open();
    assert.deepEqual((await storage.open())?.outbox, [1, 3].map(operationOf));
    assert.deepEqual(disk.events, [{ type: 'damaged', changes: 1, rows: 0 }]);
    assert.ok((await quarantineText())?.includes('nothing known'));
    storage.close();
  });

  test('without its own record the copy gets a new identity and keeps its queue', async () => {
    const disk = createDisk();
    (await filled(disk, { meta: metaOf(7), rowsPut: rows, outboxAdd: [operationOf(12)] })).close();
    await disk.tamper((db) => db.delete('meta', 'device'));
    const storage = disk.open();
    const state = await storage.open();
    assert.equal(state?.meta.device, idOf(900_002));
    assert.equal(state.meta.seq, 12, 'no number is given out twice');
    assert.deepEqual(state.outbox, [operationOf(12)]);
    assert.deepEqual(await readAll(storage), ids);
    storage.close();
  });

  test('pages are read without their directory, and folded again', async () => {
    const disk = createDisk();
    (await filled(disk, { meta: metaOf(7), rowsPut: rows })).close();
    await disk.tamper((db) => db.delete('meta', 'pages'));
    const storage = disk.open();
    await storage.open();
    assert.deepEqual(await readAll(storage), ids);
    await storage.write({ meta: metaOf(7), rowsPut: range(4_000, 4_400).map(rowOf) });
    await storage.compacted();
    storage.close();
    const again = disk.open();
    await again.open();
    assert.equal((await readAll(again)).length, ids.length + 400);
    again.close();
  });

  test('a store that is missing is made again, the others keep what they hold', async () => {
    const name = `damage-test-${crypto.randomUUID()}`;
    const db = await openDB(name, 1, {
      upgrade(made) {
        made.createObjectStore('meta');
        made.createObjectStore('outbox', { keyPath: 'q' });
      },
    });
    await db.put('meta', metaOf(7), 'device');
    await db.put('outbox', operationOf(4));
    db.close();
    const storage = new BrowserStorage({ name, idle: () => {} });
    assert.deepEqual((await storage.open())?.outbox, [operationOf(4)]);
    assert.deepEqual(await readAll(storage), []);
    await storage.write({ meta: metaOf(7), rowsPut: [rowOf(1)] });
    storage.close();
  });

  test('a page of the first format has no sum and is believed while its columns fit', () => {
    const { sum, ...content } = encodePage(rows.slice(0, 10));
    assert.equal(typeof sum, 'number');
    assert.ok(isWhole({ ...content, format: 1 }));
    assert.ok(!isWhole({ ...content, format: 1, count: 11 }));
    assert.ok(!isWhole({ ...content, format: 2 }));
  });

  test('what was put aside goes after a week', async () => {
    const day = 24 * 60 * 60 * 1_000;
    await putAside([{ from: 'old', key: 1, content: 'old content' }], 10 * day);
    await putAside([{ from: 'new', key: 1, content: 'new content' }], 16 * day);
    await expireQuarantine(18 * day);
    const text = await quarantineText();
    assert.ok(text?.includes('new content') && !text.includes('old content'));
  });
});
