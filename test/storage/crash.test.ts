// The browser's disk and the tab that ends at any moment: whatever it confirmed is there at the next start, a batch is there
// as a whole or not at all, and folding rows into pages changes nothing that can be read. The copy in memory that the
// simulator uses is the measure.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openDB } from 'idb';
import type { Id } from '#core/ids.ts';
import { applyBatch, MemoryContents, stateOf } from '#sync/replica/memory-storage.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { DeviceMeta, StorageBatch } from '#sync/replica/ports.ts';
import { asRow, fieldOf, type StoredRow } from '#sync/rows/row.ts';
import { BrowserStorage } from '#web/platform/storage/indexeddb.ts';
import type { RowPage } from '#web/platform/storage/row-page.ts';
import { SeededRandom } from '../simulator/random.ts';
import { CrashPoint } from './crash-point.ts';

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;
const scope = idOf(1);

function rowOf(n: number, version: number): StoredRow {
  const fields = { title: `Task ${n} in version ${version}`, place: { parent: scope, key: `a${n}` } };
  const type = n % 40 === 0 ? 'list' : 'task';
  const stamp = [version, 1, 2, 3] as const;
  return asRow({ id: idOf(n), type, scope, version, fields, stamp, createdAt: n, updatedAt: n });
}

const metaOf = (version: number): DeviceMeta => ({
  device: idOf(900_001),
  deviceNumber: 1,
  scope,
  account: 7,
  seq: version,
  acked: 0,
  cursors: { [scope]: { generation: 'g', version } },
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

/** Every so many ends it is also seen that work goes on. */
const GOING_ON_EVERY = 5;
const TEAR_EVERY = 7;
/** So many that none comes near the time in which a test counts as hanging, however busy the machine is. */
const PARTS = 6;
const LIVES = 40;

type Step = StorageBatch | 'fold';

/** Every way in which rows get from a batch into pages: as a run, singly, over a page, split, removed. */
const script: readonly Step[] = [
  { meta: metaOf(1), rowsPut: range(10, 1_700).map((n) => rowOf(n, 1)), outboxAdd: [1, 2].map(operationOf) },
  { meta: metaOf(2), rowsPut: range(10, 30).map((n) => rowOf(n, 2)), outboxRemove: [1] },
  'fold',
  { meta: metaOf(3), rowsPut: range(20, 330).map((n) => rowOf(n, 3)), rowsRemove: [idOf(15), idOf(1_600)] },
  { meta: metaOf(4), outboxAdd: [operationOf(3)], rowsRemove: [idOf(20)] },
  { meta: metaOf(5), rowsPut: range(2_000, 2_250).map((n) => rowOf(n, 5)) },
  'fold',
  { meta: metaOf(6), rowsPut: [rowOf(15, 6), rowOf(40, 6)], outboxRemove: [2, 3] },
];

function drawScript(random: SeededRandom): readonly Step[] {
  return range(1, random.between(4, 9)).map((version): Step => {
    if (version > 1 && random.chance(0.35)) return 'fold';
    const from = random.between(10, 600);
    const count = random.chance(0.5) ? random.between(200, 500) : random.between(0, 30);
    return {
      meta: metaOf(version),
      rowsPut: range(from, from + count).map((n) => rowOf(n, version)),
      rowsRemove: range(0, random.between(0, 4)).map(() => idOf(random.between(1_200, 1_300))),
      outboxAdd: range(0, random.between(0, 3)).map((n) => operationOf(version * 10 + n)),
      outboxRemove: random.chance(0.4) ? [(version - 1) * 10] : [],
    };
  });
}

interface Seen {
  readonly state: unknown;
  readonly rows: readonly StoredRow[];
}

const byId = (rows: Iterable<StoredRow>): StoredRow[] => [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const seenIn = (contents: MemoryContents): Seen => ({
  state: stateOf(contents),
  rows: byId(contents.rows.values()),
});

async function read(storage: BrowserStorage): Promise<Seen> {
  const state = await storage.open();
  const rows: StoredRow[] = [];
  for await (const page of storage.rows()) rows.push(...page);
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'no row comes twice');
  assert.equal(storage.unreadable, 0, 'nothing is damaged');
  return { state, rows: byId(rows) };
}

interface Life {
  /** What was confirmed. */
  readonly confirmed: MemoryContents;
  /** The batch that was under way at the end. */
  readonly underWay: StorageBatch | null;
  readonly steps: number;
}

/** Lives through the steps until the tab ends, or to the end. */
async function live(name: string, steps: readonly Step[], at: number): Promise<Life> {
  const point = new CrashPoint(name, at);
  const confirmed = new MemoryContents();
  let underWay: StorageBatch | null = null;
  const storage = new BrowserStorage({ name, idle: () => {} });
  const living = async (): Promise<void> => {
    await read(storage);
    for (const step of steps) {
      if (step === 'fold') await storage.compacted();
      else {
        underWay = step;
        await storage.write(step);
        applyBatch(confirmed, step);
        underWay = null;
      }
    }
  };
  try {
    await Promise.race([living(), point.gone]);
    // A tab that is gone closes nothing; what it was about to do finds nobody there.
    if (point.isGone) await setImmediate();
    else storage.close();
  } finally {
    point.restore();
  }
  return { confirmed, underWay, steps: point.steps };
}

/** What the next tab finds. */
async function checkAfter(name: string, { confirmed, underWay }: Life): Promise<readonly StoredRow[]> {
  const storage = new BrowserStorage({ name, idle: () => {} });
  const found = await read(storage);
  const isBefore = isDeepStrictEqual(found, seenIn(confirmed));
  if (underWay !== null) applyBatch(confirmed, underWay);
  assert.ok(
    isBefore || isDeepStrictEqual(found, seenIn(confirmed)),
    'a batch is there as a whole or not at all, and nothing before it is missing',
  );
  storage.close();
  return found.rows;
}

/** It can write and fold, whatever was begun before. */
async function checkGoingOn(name: string, found: readonly StoredRow[]): Promise<void> {
  const next: StorageBatch = { meta: metaOf(99), rowsPut: range(25, 45).map((n) => rowOf(n, 99)) };
  const expected = new MemoryContents();
  for (const batch of [{ rowsPut: found }, next]) applyBatch(expected, batch);
  const storage = new BrowserStorage({ name, idle: () => {} });
  await read(storage);
  await storage.write(next);
  await storage.compacted();
  storage.close();
  const again = new BrowserStorage({ name, idle: () => {} });
  const { rows } = await read(again);
  assert.ok(isDeepStrictEqual(rows, seenIn(expected).rows), 'work goes on from what was found');
  again.close();
}

/** A letter of one stored page or run is another: what a torn write leaves. False: there is none. */
async function tear(name: string, random: SeededRandom): Promise<boolean> {
  const db = await openDB(name);
  const places: (readonly [store: string, key: IDBValidKey])[] = [];
  for (const store of ['pages', 'runs'])
    for (const key of await db.getAllKeys(store)) places.push([store, key]);
  const [store, key] = places.length === 0 ? ['pages', 0] : random.pick(places);
  const held = (await db.get(store, key)) as RowPage | undefined;
  const isTorn = held !== undefined && held.titles.includes('Task');
  if (isTorn) {
    const torn = { ...held, titles: held.titles.replace('Task', 'Tusk') };
    await db.put(store, torn, db.transaction(store).store.keyPath === null ? key : undefined);
  }
  db.close();
  return isTorn;
}

describe('a tab that ends while it writes', () => {
  const names = { count: 0 };
  const freshName = (): string => `crash-test-${(names.count += 1)}`;

  for (const part of range(1, PARTS + 1))
    it(`[SYNC-44] at every single request of a life with two foldings, ${part} of ${PARTS}`, async () => {
      const { steps } = await live(freshName(), script, Infinity);
      assert.ok(steps > 150, `${steps} requests`);
      for (let at = part; at <= steps; at += PARTS) {
        const name = freshName();
        const found = await checkAfter(name, await live(name, script, at));
        if (at % GOING_ON_EVERY === 0) await checkGoingOn(name, found);
      }
    });

  it('[SYNC-44] a page torn as the tab ends: told, never folded into good ones, the rest is read', async (t) => {
    t.mock.method(console, 'warn', () => undefined);
    const random = new SeededRandom(29);
    let torn = 0;
    let neighbours = 0;
    for (let at = 60; at <= 190; at += TEAR_EVERY) {
      const name = freshName();
      const { confirmed } = await live(name, script, at);
      if (!(await tear(name, random))) continue;
      torn += 1;
      const storage = new BrowserStorage({ name, idle: () => {} });
      await storage.open();
      const rows: StoredRow[] = [];
      for await (const page of storage.rows()) rows.push(...page);
      assert.ok(storage.unreadable > 0, `step ${at}: it is told`);
      if (rows.length > 0) neighbours += 1;
      for (const row of rows)
        assert.ok(
          isDeepStrictEqual(row, rowOf(Number(row.id.slice(-12)), row.version)),
          'no row was altered',
        );
      // What the server then gives again, and folding.
      await storage.write({ meta: metaOf(9), rowsPut: [...confirmed.rows.values()] });
      await storage.compacted();
      storage.close();
      const again = new BrowserStorage({ name, idle: () => {} });
      const held = new Map((await read(again)).rows.map((row) => [row.id, row]));
      for (const row of confirmed.rows.values()) assert.deepEqual(held.get(row.id), row);
      again.close();
    }
    assert.ok(torn >= 5 && neighbours >= 5, `${torn} pages were torn, ${neighbours} had neighbours`);
  });

  it('[SYNC-44] a page torn under the running app is not folded into a good one', async (t) => {
    t.mock.method(console, 'warn', () => undefined);
    const random = new SeededRandom(30);
    const name = freshName();
    await live(name, script.slice(0, 3), Infinity);
    const storage = new BrowserStorage({ name, idle: () => {} });
    await read(storage);
    assert.ok(await tear(name, random), 'there is a page');
    await storage.write({ meta: metaOf(8), rowsPut: range(10, 1_700).map((n) => rowOf(n, 1 + (n % 2) * 7)) });
    await storage.write({
      meta: metaOf(8),
      rowsRemove: range(10, 1_700).flatMap((n) => (n % 3 ? [] : idOf(n))),
    });
    await storage.compacted();
    storage.close();
    const again = new BrowserStorage({ name, idle: () => {} });
    await again.open();
    for await (const page of again.rows())
      for (const row of page) assert.ok(!String(fieldOf(row, 'title')).includes('Tusk'));
    assert.ok(again.unreadable > 0, 'it is told, not given a valid sum');
    again.close();
  });

  it('[SYNC-44] at a random request of random lives', async () => {
    for (let seed = 1; seed <= LIVES; seed += 1) {
      const random = new SeededRandom(seed);
      const steps = drawScript(random);
      const name = freshName();
      try {
        const life = await live(name, steps, random.between(10, 300));
        await checkGoingOn(name, await checkAfter(name, life));
      } catch (error) {
        throw new Error(`Seed ${seed}: ${String(error)}`, { cause: error });
      }
    }
  });
});
