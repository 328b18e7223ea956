// The disk of an encrypted account: nothing that a person wrote can be read on it, whatever happens to it nothing is lost, and the disk of
// a plain account is what it was.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { Id } from '#core/ids.ts';
import type { DeviceMeta, JournalEntry, StorageBatch } from '#sync/replica/ports.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { asRow, type Row, type StoredRow } from '#sync/rows/row.ts';
import { databaseName } from '../account/profile.ts';
import { forget } from '../storage/adoption.ts';
import { contentWork } from '../storage/content-work.ts';
import { openFiles, storeContent } from '../storage/file-store.ts';
import { BrowserStorage, type StorageEvent } from '../storage/indexeddb.ts';
import { putChangesAside, quarantineText } from '../storage/quarantine.ts';
import { forgetSafetyCopies, safetyCopiesOf } from '../storage/safety-copies.ts';
import { forgetKey, readKey } from './disk-keys.ts';

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;
const scope = idOf(1);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

const rowOf = (n: number, title = `canary row ${n}`): Row =>
  asRow({
    id: idOf(n),
    type: n % 50 === 0 ? 'list' : 'task',
    scope,
    version: n,
    fields: {
      [n % 50 === 0 ? 'name' : 'title']: title,
      notes: `canary note ${n}`,
      place: { parent: scope, key: `a${n}` },
    },
    stamp: [n, 1, 2, 3],
    createdAt: n,
    updatedAt: n,
  });

const plainMeta: DeviceMeta = {
  device: idOf(900_001),
  deviceNumber: 1,
  scope,
  account: 7,
  seq: 9,
  acked: 0,
  cursors: { [scope]: { generation: 'g', version: 5 } },
  clockOffsetMs: 0,
};
const sealedMeta: DeviceMeta = { ...plainMeta, sealed: true, apart: true };

const operationOf = (q: number): Operation => ({
  q,
  u: idOf(q),
  scope,
  t: 1,
  b: 1,
  a: 'set',
  id: idOf(q),
  field: 'title',
  value: `canary operation ${q}`,
});

const entryOf = (q: number): JournalEntry => ({
  device: plainMeta.device,
  q,
  operations: [operationOf(q)],
  inverses: [{ a: 'set', id: idOf(q), field: 'title', value: `canary before ${q}` }],
});

const everything: StorageBatch = {
  outboxAdd: [operationOf(1), operationOf(2)],
  recoveredAdd: [{ operation: operationOf(3), verdict: 'gone', at: 5 }],
  journalPut: [entryOf(1), entryOf(2)],
};

interface Disk {
  readonly name: string;
  readonly events: StorageEvent[];
  memory: StorageBatch | null;
  open(): BrowserStorage;
}

function createDisk(): Disk {
  const disk: Disk = {
    name: `disk-seal-${crypto.randomUUID()}`,
    events: [],
    memory: null,
    open: () =>
      new BrowserStorage({
        name: disk.name,
        idle: () => {},
        now: () => 1_000,
        contents: () => disk.memory,
        identity: () => ({ ...plainMeta, device: idOf(900_002), seq: 0, cursors: {} }),
        onEvent: (event) => disk.events.push(event),
      }),
  };
  return disk;
}

async function readRows(storage: BrowserStorage): Promise<readonly StoredRow[]> {
  const rows: StoredRow[] = [];
  for await (const page of storage.rows()) rows.push(...page);
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Turns of the event loop, in each of which something may get onto the disk. */
async function passed(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A disk with rows in pages, in a run and single ones, and everything else. */
async function fill(storage: BrowserStorage, meta: DeviceMeta, inPages = 2_600): Promise<readonly Row[]> {
  const rows = range(100, inPages + 500).map((n) => rowOf(n));
  const [inRun, single] = [inPages, inPages + 300];
  await storage.open();
  await readRows(storage);
  await storage.write({ meta, rowsPut: rows.slice(0, inPages) });
  await storage.compacted();
  await storage.write({ meta, rowsPut: rows.slice(inRun, single) });
  for (const row of rows.slice(single)) await storage.write({ meta, rowsPut: [row] });
  await storage.write({ meta, ...everything });
  return rows;
}

async function onDisk(name: string): Promise<IDBPDatabase> {
  return openDB(name);
}

/** All that lies in a database, as text: strings as they are, bytes by their values and as text. */
async function rawText(name: string): Promise<string> {
  const db = await onDisk(name);
  const texts: string[] = [];
  const take = (value: unknown): void => {
    if (ArrayBuffer.isView(value))
      texts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1'));
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) take(each);
    else texts.push(String(value));
  };
  for (const store of db.objectStoreNames) for (const value of await db.getAll(store)) take(value);
  db.close();
  return texts.join('\n');
}

async function versionOf(name: string): Promise<number> {
  const db = await onDisk(name);
  db.close();
  return db.version;
}

/** What a device finds when it starts again. */
async function restarted(disk: Disk) {
  const storage = disk.open();
  const state = await storage.open();
  const rows = await readRows(storage);
  const journal = await storage.journal();
  return { storage, state, rows, journal };
}

function assertWhole(found: Awaited<ReturnType<typeof restarted>>, rows: readonly Row[]): void {
  assert.deepEqual(found.state?.outbox, everything.outboxAdd);
  assert.deepEqual(found.state?.recovered, everything.recoveredAdd);
  assert.deepEqual(found.journal, everything.journalPut);
  assert.deepEqual(found.rows, rows);
}

describe('the disk of an encrypted account', () => {
  test('[SEAL-330] holds nothing of what was written, and gives all of it back', async () => {
    const disk = createDisk();
    const storage = disk.open();
    const rows = await fill(storage, sealedMeta);
    storage.close();
    assert.doesNotMatch(await rawText(disk.name), /canary/);
    const found = await restarted(disk);
    assertWhole(found, rows);
    await found.storage.compacted();
    found.storage.close();
    assert.doesNotMatch(await rawText(disk.name), /canary/);
    const again = await restarted(disk);
    assertWhole(again, rows);
    again.storage.close();
    assert.deepEqual(disk.events, []);
  });

  test('[SEAL-342] the disk of a plain account is as it was, in the version of before', async () => {
    const disk = createDisk();
    const storage = disk.open();
    const rows = await fill(storage, plainMeta);
    storage.close();
    assert.match(await rawText(disk.name), /canary row 100/);
    const found = await restarted(disk);
    assertWhole(found, rows);
    found.storage.close();
    assert.equal(await versionOf(disk.name), 2);
  });

  test('[SEAL-333] a disk from before changes over at the next start, and back when encryption is off', async () => {
    const disk = createDisk();
    const storage = disk.open();
    const rows = await fill(storage, plainMeta);
    storage.close();
    // As an earlier app left it: encrypted, and open on the disk.
    const before = await onDisk(disk.name);
    await before.put('meta', sealedMeta, 'device');
    before.close();
    const found = await restarted(disk);
    assertWhole(found, rows);
    await found.storage.compacted();
    assert.doesNotMatch(await rawText(disk.name), /canary/);
    assert.equal(await versionOf(disk.name), 3);

    await found.storage.write({ meta: plainMeta });
    await found.storage.compacted();
    found.storage.close();
    assert.match(await rawText(disk.name), /canary row 100\b[\s\S]*canary/);
    assert.equal(await versionOf(disk.name), 4);
    const open = await restarted(disk);
    assertWhole(open, rows);
    open.storage.close();
    const plain = await onDisk(disk.name);
    for (const store of ['outbox', 'recovered', 'journal', 'delta', 'runs', 'pages'])
      for (const value of await plain.getAll(store)) assert.ok(!('sealed' in value), `${store} is open`);
    plain.close();
    assert.deepEqual(disk.events, []);
  });

  test('[SEAL-331] ended at any point while it changes over or back, nothing is lost, and the next start goes on', async () => {
    for (const [from, to] of [
      [plainMeta, sealedMeta],
      [sealedMeta, plainMeta],
    ] as const)
      for (const turns of [0, 2, 5, 9, 14, 20, 28, 40, 60]) {
        const disk = createDisk();
        const first = disk.open();
        const rows = await fill(first, from, 250);
        void first.write({ meta: to }).catch(() => undefined);
        const changing = first.compacted();
        await passed(turns);
        first.close();
        await changing;
        const found = await restarted(disk);
        assertWhole(found, rows);
        await found.storage.write({ meta: to });
        await found.storage.compacted();
        found.storage.close();
        const text = await rawText(disk.name);
        if (to === sealedMeta) assert.doesNotMatch(text, /canary/, `after ${turns} turns`);
        else assert.match(text, /canary row 100\b/, `after ${turns} turns`);
        const again = await restarted(disk);
        assertWhole(again, rows);
        again.storage.close();
        // But that the first one may not write any more.
        assert.deepEqual(
          disk.events.filter(({ type }) => type !== 'taken'),
          [],
        );
      }
  });

  test('[SEAL-332] what is written while it changes over has the new form, and the latest word stays', async () => {
    const disk = createDisk();
    const storage = disk.open();
    const rows = await fill(storage, plainMeta);
    const turned = storage.write({ meta: sealedMeta });
    const changing = storage.compacted();
    const changed = range(100, 400).map((n) => rowOf(n, `canary changed ${n}`));
    for (const [index, row] of changed.entries()) {
      await storage.write({ rowsPut: [row] });
      if (index % 100 === 0) await passed(3);
    }
    await storage.write({ outboxRemove: [1], outboxAdd: [operationOf(4)] });
    await Promise.all([turned, changing]);
    await storage.compacted();
    storage.close();
    assert.doesNotMatch(await rawText(disk.name), /canary/);
    const found = await restarted(disk);
    assert.deepEqual(found.state?.outbox, [operationOf(2), operationOf(4)]);
    assert.deepEqual(found.rows, [...changed, ...rows.slice(300)]);
    found.storage.close();
  });

  test('[SEAL-334] an app that knows no encrypted disks finds a newer version, and leaves it alone', async () => {
    const disk = createDisk();
    const storage = disk.open();
    await fill(storage, sealedMeta);
    storage.close();
    // What earlier apps ask for.
    await assert.rejects(openDB(disk.name, 2), { name: 'VersionError' });
    const found = await restarted(disk);
    assert.equal(found.state?.outbox.length, 2);
    found.storage.close();
  });

  test('[SEAL-335] another tab that is open writes in the new form from the same moment on', async () => {
    const disk = createDisk();
    const leader = disk.open();
    const rows = await fill(leader, plainMeta);
    const follower = disk.open();
    await follower.open('follower');
    await readRows(follower);
    await leader.write({ meta: sealedMeta });
    await follower.write({ seq: 5, outboxAdd: [operationOf(5)], journalPut: [entryOf(5)] });
    await leader.compacted();
    assert.doesNotMatch(await rawText(disk.name), /canary/);
    // It takes over.
    const state = await follower.open('leader');
    assert.deepEqual(
      state?.outbox.map(({ q }) => q),
      [1, 2, 5],
    );
    assert.deepEqual(await readRows(follower), rows);
    await assert.rejects(leader.write({ meta: sealedMeta }), { name: 'StorageTaken' });
    // Back in the open, too.
    await follower.write({ meta: plainMeta });
    await follower.compacted();
    follower.close();
    leader.close();
    const found = await restarted(disk);
    assert.deepEqual(found.rows, rows);
    assert.match(await rawText(disk.name), /canary row 100\b/);
    found.storage.close();
  });

  test('[SEAL-336] a record that doesn’t open goes aside as it is, and its neighbors are read', async () => {
    const disk = createDisk();
    const storage = disk.open();
    const rows = await fill(storage, sealedMeta);
    storage.close();
    const db = await onDisk(disk.name);
    const [first, second] = await db.getAllKeys('pages');
    const page = (await db.get('pages', first as IDBValidKey)) as { sealed: Uint8Array };
    page.sealed[100] = (page.sealed[100] ?? 0) ^ 1;
    await db.put('pages', page, first);
    // One record in the place of another is as bad as none.
    const operation = (await db.get('outbox', 2)) as { q: number; sealed: Uint8Array };
    await db.put('outbox', { ...operation, q: 1 });
    db.close();
    assert.notEqual(second, undefined);
    const found = await restarted(disk);
    assert.deepEqual(found.state?.outbox, [operationOf(2)]);
    assert.deepEqual(found.state.recovered, everything.recoveredAdd);
    assert.ok(found.rows.length > 1_000 && found.rows.length < rows.length);
    assert.deepEqual(disk.events, [
      { type: 'damaged', changes: 1, rows: 0 },
      { type: 'damaged', changes: 0, rows: rows.length - found.rows.length },
    ]);
    assert.ok((found.storage.unreadable ?? 0) > 0);
    found.storage.close();
    const aside = await openDB('posthaste-quarantine');
    const kept = (await aside.getAll('kept')).filter(({ from }) => String(from).startsWith(disk.name));
    aside.close();
    assert.deepEqual(
      kept.map(({ content }) => content.sealed instanceof Uint8Array),
      [true, true],
    );
  });

  test('[SEAL-337] where its key is gone the copy goes on: rows are missing, and unsent changes are told', async () => {
    const disk = createDisk();
    const storage = disk.open();
    const rows = await fill(storage, sealedMeta);
    storage.close();
    await forgetKey(disk.name);
    const found = await restarted(disk);
    assert.deepEqual(found.state?.outbox, []);
    assert.equal(found.state.meta.device, sealedMeta.device);
    assert.deepEqual(found.rows, []);
    assert.deepEqual(disk.events.slice(0, 2), [
      { type: 'damaged', changes: 3, rows: 0 },
      { type: 'damaged', changes: 0, rows: rows.length },
    ]);
    // Told, so that the engine asks the server for all rows.
    assert.ok((found.storage.unreadable ?? 0) > 0);
    await found.storage.write({ meta: sealedMeta, rowsPut: rows });
    await found.storage.compacted();
    found.storage.close();
    const again = await restarted(disk);
    assert.deepEqual(again.rows, rows);
    again.storage.close();
  });

  test('[SEAL-338] a disk that is deleted or emptied under the app is encrypted again before anything is written', async () => {
    const disk = createDisk();
    const storage = disk.open();
    const rows = await fill(storage, sealedMeta);
    disk.memory = { meta: sealedMeta, rowsPut: rows, ...everything };
    await deleteDB(disk.name);
    await storage.write({ meta: sealedMeta, outboxAdd: everything.outboxAdd ?? [] });
    assert.equal(await versionOf(disk.name), 3);
    assert.doesNotMatch(await rawText(disk.name), /canary/);
    storage.close();
    const found = await restarted(disk);
    assertWhole(found, rows);
    found.storage.close();
  });

  test('[SEAL-339] titles in any script, with broken surrogates, and rows that moved come back as they were', async () => {
    const disk = createDisk();
    const storage = disk.open();
    await storage.open();
    await readRows(storage);
    const titles = ['Žluťoučký kůň', '日本語', '👩‍👩‍👧', '\ud800 alone', '\ufeffmark', ''];
    const rows = range(100, 400).map((n) => ({
      ...rowOf(n === 100 ? 101_000 : n, titles[n % titles.length] ?? ''),
      id: idOf(n),
      ...(n % 7 === 0 ? { hops: n } : {}),
    }));
    await storage.write({ meta: sealedMeta, rowsPut: rows });
    await storage.compacted();
    storage.close();
    const found = await restarted(disk);
    const named = (row: StoredRow) => ({ ...row, fields: { name: '', title: '', ...row.fields } });
    assert.deepEqual(found.rows.map(named), rows.map(named));
    assert.deepEqual(disk.events, []);
    found.storage.close();
  });

  test('[SEAL-341] signing out erases the key with the copy', async () => {
    const id = crypto.randomUUID() as Id;
    const name = databaseName(id);
    const storage = new BrowserStorage({ name, idle: () => {} });
    await fill(storage, sealedMeta, 250);
    storage.close();
    assert.notEqual(await readKey(name), null);
    await forget({ id, binding: { account: 7, scope, email: '' } });
    assert.equal(await readKey(name), null);
    assert.equal(await versionOf(name), 1, 'a new one');
    await deleteDB(name);
  });

  test('[SEAL-344] contents of files are kept encrypted, and are as if they weren’t here without their key', async () => {
    const disk = createDisk();
    const storage = disk.open();
    const content = new TextEncoder().encode('canary in a file');
    const [before, after] = [`before ${disk.name}`, `after ${disk.name}`];
    await storeContent(before, content);
    await fill(storage, sealedMeta, 250);
    await storeContent(after, content);
    await storage.compacted();
    const raw = async (hash: string) => {
      const db = await openFiles();
      const kept = await db.get('content', hash);
      db.close();
      return kept?.blob.text();
    };
    for (const hash of [before, after]) {
      assert.doesNotMatch((await raw(hash)) ?? 'canary', /canary/);
      assert.deepEqual(await contentWork.kept(hash), content);
    }
    await storage.write({ meta: plainMeta });
    await storage.compacted();
    assert.equal(await raw(before), 'canary in a file');
    await storage.write({ meta: sealedMeta });
    await storage.compacted();
    storage.close();
    await forgetKey(disk.name);
    assert.equal(await contentWork.kept(before), null);
  });

  test('[SEAL-345] what is kept apart is encrypted, and read again', async () => {
    const id = crypto.randomUUID() as Id;
    const name = databaseName(id);
    const copies = safetyCopiesOf(id);
    const copyOf = (nth: string) => ({ id: nth, from: 1, until: 2, count: 1, text: `canary ${nth}` });
    await copies.keep(copyOf('before'));
    const storage = new BrowserStorage({ name, idle: () => {} });
    await fill(storage, sealedMeta, 250);
    await storage.compacted();
    await copies.keep(copyOf('after'));
    assert.doesNotMatch(await rawText('posthaste-safety'), /canary/);
    assert.deepEqual(
      (await copies.list()).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      [copyOf('after'), copyOf('before')],
    );
    // Another tab has signed out meanwhile.
    storage.close();
    await forgetKey(name);
    await putChangesAside(name, [operationOf(1)]);
    assert.doesNotMatch(await rawText('posthaste-quarantine'), /canary operation/);
    assert.match((await quarantineText()) ?? '', /canary operation 1"/);
    await forgetSafetyCopies(id);
  });

  test('[SEAL-346] where the key can’t be kept, everything goes on in the open, and the next word tries again', async (t) => {
    const disk = createDisk();
    const storage = disk.open();
    const rows = await fill(storage, plainMeta, 250);
    const full = t.mock.method(IDBObjectStore.prototype, 'add', () => {
      throw new DOMException('No room.', 'QuotaExceededError');
    });
    await storage.write({ meta: sealedMeta, outboxAdd: [operationOf(4)] });
    assert.ok(full.mock.callCount() > 0);
    full.mock.restore();
    assert.equal(await versionOf(disk.name), 2);
    await storage.write({ meta: sealedMeta });
    await storage.compacted();
    storage.close();
    assert.equal(await versionOf(disk.name), 3);
    assert.doesNotMatch(await rawText(disk.name), /canary/);
    const found = await restarted(disk);
    assert.deepEqual(found.rows, rows);
    assert.deepEqual(found.state?.outbox, [operationOf(1), operationOf(2), operationOf(4)]);
    found.storage.close();
  });
});
