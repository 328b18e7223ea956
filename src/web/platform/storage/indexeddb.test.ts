// The browser's disk against a copy in memory: whatever is written, folded and written again comes back.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openDB } from 'idb';
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { DeviceMeta, DeviceStorage } from '#sync/replica/ports.ts';
import { asRow, fieldOf, type Row, type StoredRow } from '#sync/rows/row.ts';
import { BrowserStorage } from './indexeddb.ts';

const scope = '01900000-0000-7000-8000-000000000000' as Id;

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;

const rowOf = (n: number, title = `Task ${n}`): Row =>
  asRow({
    id: idOf(n),
    // Some of a type that only a newer program knows.
    type: n % 50 === 0 ? 'list' : n % 50 === 1 ? ('habit' as EntityType) : 'task',
    scope,
    version: n,
    fields: { [n % 50 === 0 ? 'name' : 'title']: title, place: { parent: scope, key: `a${n}` } },
    stamp: [n, 1, 2, 3],
    createdAt: n,
    updatedAt: n,
  });

const meta: DeviceMeta = {
  device: idOf(900_001),
  deviceNumber: 1,
  scope,
  account: 7,
  seq: 0,
  acked: 0,
  cursors: {},
  clockOffsetMs: 0,
};

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

async function readAll(storage: DeviceStorage): Promise<ReadonlyMap<Id, StoredRow>> {
  const rows = new Map<Id, StoredRow>();
  for await (const page of storage.rows()) {
    for (const row of page) {
      assert.ok(!rows.has(row.id), `${row.id} came twice`);
      rows.set(row.id, row);
    }
  }
  return rows;
}

/** Opens a database of its own; `again` is the same one after a restart. */
async function fresh(): Promise<{
  name: string;
  storage: BrowserStorage;
  again: () => Promise<BrowserStorage>;
}> {
  const name = `storage-test-${crypto.randomUUID()}`;
  const open = async () => {
    const storage = new BrowserStorage({ name, idle: () => {} });
    await storage.open();
    return storage;
  };
  const storage = await open();
  const again = async () => {
    storage.close();
    return open();
  };
  return { name, storage, again };
}

function sorted(rows: Iterable<StoredRow>): readonly StoredRow[] {
  return [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

describe('browser storage', () => {
  test('a fresh device holds nothing', async () => {
    const storage = new BrowserStorage({ name: 'storage-test-fresh', idle: () => {} });
    assert.equal(await storage.open(), null);
    assert.equal((await readAll(storage)).size, 0);
    storage.close();
  });

  test('gives back identity, queue and recovered items', async () => {
    const { storage, again } = await fresh();
    const item = { operation: operationOf(2), verdict: 'gone', at: 5 } as const;
    await storage.write({ meta, outboxAdd: [operationOf(1), operationOf(2), operationOf(3)] });
    await storage.write({ meta: { ...meta, acked: 1 }, outboxRemove: [1], recoveredAdd: [item] });
    storage.close();
    const restarted = await again();
    const stored = await restarted.open();
    assert.deepEqual(stored, {
      meta: { ...meta, acked: 1 },
      outbox: [operationOf(2), operationOf(3)],
      recovered: [item],
    });
    restarted.close();
  });

  test('gives back the journal, without what was removed', async () => {
    const { storage, again } = await fresh();
    const entry = (q: number) => ({ device: meta.device, q, operations: [operationOf(q)], inverses: [] });
    const undo = { label: 'deleted', cursor: null, replaced: [['a|place', 4] as const] };
    await storage.write({ meta, outboxAdd: [operationOf(1)], journalPut: [entry(1), entry(2), entry(3)] });
    await storage.write({ meta, journalPut: [{ ...entry(2), undo }], journalRemove: [[meta.device, 1]] });
    const restarted = await again();
    assert.deepEqual(await restarted.journal(), [{ ...entry(2), undo }, entry(3)]);
    restarted.close();
  });

  test('gives back an edit of a note as it was, waiting and in the journal', async () => {
    const { storage, again } = await fresh();
    const id = meta.scope;
    const note: Operation = {
      q: 1,
      u: id,
      scope: id,
      t: 1,
      b: 1,
      a: 'note',
      id,
      seed: id,
      update: '',
      text: 'Words',
    };
    const entry = { device: meta.device, q: 1, operations: [note], inverses: [] };
    await storage.write({ meta, outboxAdd: [note], journalPut: [entry] });
    const restarted = await again();
    const state = await restarted.open();
    assert.deepEqual([state?.outbox, await restarted.journal()], [[note], [entry]]);
    restarted.close();
  });

  test('a disk of the first version gets its journal and keeps what it holds', async () => {
    const name = `storage-test-${crypto.randomUUID()}`;
    const old = await openDB(name, 1, {
      upgrade(db) {
        for (const store of ['meta', 'pages']) db.createObjectStore(store);
        db.createObjectStore('outbox', { keyPath: 'q' });
        db.createObjectStore('recovered', { keyPath: 'operation.q' });
        db.createObjectStore('runs', { autoIncrement: true });
        db.createObjectStore('delta', { keyPath: 'id' });
      },
    });
    await old.put('meta', meta, 'device');
    await old.put('outbox', operationOf(1));
    old.close();
    const storage = new BrowserStorage({ name, idle: () => {} });
    assert.deepEqual((await storage.open())?.outbox, [operationOf(1)]);
    assert.deepEqual(await storage.journal(), []);
    storage.close();
  });

  test('single rows, runs and pages together are the latest state', async () => {
    const { storage, again } = await fresh();
    await readAll(storage);
    const expected = new Map<Id, Row>();
    const put = async (target: BrowserStorage, rows: readonly Row[], gone: readonly Id[] = []) => {
      for (const row of rows) expected.set(row.id, row);
      for (const id of gone) expected.delete(id);
      await target.write({ meta, rowsPut: rows, rowsRemove: gone });
    };
    await put(
      storage,
      range(0, 2_500).map((n) => rowOf(n)),
    );
    await put(storage, [rowOf(3, 'Changed before folding')], [idOf(4)]);
    await put(
      storage,
      range(2_000, 3_200).map((n) => rowOf(n, `Again ${n}`)),
    );
    await storage.compacted();
    await put(storage, [rowOf(5, 'Changed after folding'), rowOf(9_000)], [idOf(6), idOf(50)]);
    const restarted = await again();
    assert.deepEqual(sorted((await readAll(restarted)).values()), sorted(expected.values()));
    await restarted.compacted();
    await put(
      restarted,
      range(100, 400).map((n) => rowOf(n, `Third ${n}`)),
      [idOf(7)],
    );
    await restarted.compacted();
    restarted.close();
    const last = await again();
    assert.deepEqual(sorted((await readAll(last)).values()), sorted(expected.values()));
    last.close();
  });

  test('lists come with the first page', async () => {
    const { storage, again } = await fresh();
    await readAll(storage);
    await storage.write({ meta, rowsPut: range(0, 5_000).map((n) => rowOf(n)) });
    await storage.compacted();
    const restarted = await again();
    const first = await restarted.rows()[Symbol.asyncIterator]().next();
    assert.ok(first.done !== true);
    assert.equal(first.value.filter((row) => row.type === 'list').length, 100);
    assert.ok(first.value.length < 2_600, 'the first page is small');
    restarted.close();
  });

  test('rows written while the others load are not overwritten by older ones', async () => {
    const { storage, again } = await fresh();
    await readAll(storage);
    await storage.write({ meta, rowsPut: range(0, 4_000).map((n) => rowOf(n)) });
    await storage.compacted();
    const restarted = await again();
    const pages = restarted.rows()[Symbol.asyncIterator]();
    const seen: StoredRow[] = [];
    const first = await pages.next();
    assert.ok(first.done !== true);
    seen.push(...first.value);
    const early = range(0, 4_000).find((n) => !seen.some((row) => row.id === idOf(n)));
    assert.ok(early !== undefined);
    await restarted.write({ meta, rowsPut: [rowOf(early, 'Newer')] });
    for (let page = await pages.next(); page.done !== true; page = await pages.next())
      seen.push(...page.value);
    assert.ok(
      !seen.some((row) => row.id === idOf(early)),
      'an older copy was given after a newer one was written',
    );
    restarted.close();
  });

  test('a copy that was replaced cannot write any more', async () => {
    const { name, storage, again } = await fresh();
    await storage.write({ meta });
    const other = new BrowserStorage({ name, idle: () => {} });
    await other.open();
    await assert.rejects(storage.write({ meta, outboxAdd: [operationOf(1)] }), { name: 'StorageTaken' });
    await other.write({ meta, outboxAdd: [operationOf(2)] });
    other.close();
    const restarted = await again();
    assert.deepEqual((await restarted.open())?.outbox, [operationOf(2)]);
    restarted.close();
  });

  test('batches are stored in the order given', async () => {
    const { storage, again } = await fresh();
    await readAll(storage);
    await Promise.all(
      range(0, 40).map((n) =>
        storage.write({ meta: { ...meta, seq: n }, rowsPut: [rowOf(1, `Title ${n}`)] }),
      ),
    );
    const restarted = await again();
    assert.equal(fieldOf((await readAll(restarted)).get(idOf(1)), 'title'), 'Title 39');
    restarted.close();
  });

  test('clearing forgets everything', async () => {
    const { storage, again } = await fresh();
    await readAll(storage);
    await storage.write({ meta, outboxAdd: [operationOf(1)], rowsPut: range(0, 300).map((n) => rowOf(n)) });
    await storage.compacted();
    await storage.clear();
    const restarted = await again();
    assert.equal(await restarted.open(), null);
    assert.equal((await readAll(restarted)).size, 0);
    restarted.close();
  });
});
