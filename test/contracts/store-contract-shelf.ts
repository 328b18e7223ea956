// Contract of reading a scope from the start in parts: complete and without repetition, whatever is written meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { asRow, fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import type { SnapshotPart, SnapshotPlace } from '#wire/sync.ts';
import { SHELF_MS, shelfOf } from '#server/data/shelf.ts';
import type { Store } from '#server/data/store.ts';
import { readPart } from '#server/sync/snapshot.ts';
import { commit, newScope, rowOf, someId } from './store-samples.ts';

const NOW = Date.UTC(2026, 2, 1);
const DAY_MS = 86_400_000;

function portsOf(store: Store, now = NOW) {
  return { store, now, generation: 'a', nextTurn: (work: () => void) => void setImmediate(work) };
}

/** Tasks open and done over three years, with what hangs on them, and a few rows of the frame. */
function sample(scope: Id, count: number): Row[] {
  const frame = (['list', 'label', 'labelGroup', 'setting'] as const).map((type) =>
    rowOf(scope, { type, fields: { name: type } }),
  );
  const tasks = Array.from({ length: count }, (_, at) =>
    rowOf(scope, {
      fields: { title: `task ${at}`, ...(at % 3 === 0 ? {} : { status: { done: NOW - at * DAY_MS } }) },
    }),
  );
  const about = tasks.slice(0, 20).flatMap(({ id }, at) => [
    rowOf(scope, { type: 'mine', fields: { of: id, collapsed: true } }),
    rowOf(scope, {
      type: 'completion',
      fields: { task: id, occ: at, at: NOW - at * 30 * DAY_MS, title: 'x' },
    }),
    rowOf(scope, { type: 'attachment', fields: { place: { parent: id, key: 'a0' }, name: 'plan.pdf' } }),
  ]);
  return [...frame, ...tasks, ...about];
}

interface Read {
  readonly rows: readonly { readonly id: Id; readonly part: SnapshotPart }[];
  readonly total: number | undefined;
}

async function readAll(store: Store, scope: Id, between: () => Promise<void>): Promise<Read> {
  const rows: { id: Id; part: SnapshotPart }[] = [];
  let total: number | undefined;
  for (let place: SnapshotPlace | null = { part: 'frame', after: null }; place !== null;) {
    const { part }: SnapshotPlace = place;
    const page = await readPart(scope, place, portsOf(store));
    total ??= page.total;
    rows.push(...page.rows.map(({ id }) => ({ id: id as Id, part })));
    place = page.next;
    await between();
  }
  return { rows, total };
}

export function shelfTests(at: () => Store): void {
  test('the parts of a scope are complete, without repetition and in order', async () => {
    const scope = await newScope(at());
    const rows = sample(scope, 1_300);
    await commit(at(), scope, () => ({ rows }));
    const read = await readAll(at(), scope, () => Promise.resolve());
    assert.deepEqual(
      read.rows.map(({ id }) => id),
      rows.toSorted((a, b) => (shelfOf(a) < shelfOf(b) ? -1 : 1)).map(({ id }) => id),
    );
    assert.equal(read.total, rows.length);
    const partOf = new Map(read.rows.map(({ id, part }) => [id, part]));
    for (const row of rows) {
      const part = partOf.get(row.id);
      const done = fieldOf(row, 'status')?.done;
      if (row.type === 'task' && done === undefined) assert.equal(part, 'hot');
      else if (done !== undefined && done > NOW - 90 * DAY_MS) assert.equal(part, 'hot');
      else if (done !== undefined && done < NOW - 3 * SHELF_MS) assert.equal(part, 'cold');
      else if (row.type === 'mine' || row.type === 'attachment') assert.equal(part, 'hot');
      else if (row.type === 'list' || row.type === 'setting') assert.equal(part, 'frame');
    }
  });

  test('what was not written meanwhile is met exactly once, and the rest is newer than the beginning', async () => {
    const scope = await newScope(at());
    const rows = sample(scope, 2_600);
    await commit(at(), scope, () => ({ rows: rows.map((row) => ({ ...row, version: 1 })) }));
    const begun = (await at().scope(scope))!.version;
    const tasks = rows.filter(({ type }) => type === 'task');
    const touched = new Set<Id>();
    let turn = 0;
    // Between the pages tasks change sides both ways, are made and are purged.
    const read = await readAll(at(), scope, async () => {
      turn += 1;
      const some = tasks.filter((_, index) => index % 37 === turn);
      for (const { id } of some) touched.add(id);
      const [first] = some;
      await commit(at(), scope, (version) => ({
        rows: [
          ...some.slice(1).map((row) => {
            const { status, ...open } = registersOf(row);
            const fields = status === undefined ? { ...open, status: { done: NOW - 900 * DAY_MS } } : open;
            return asRow({ ...row, version, fields });
          }),
          rowOf(scope, { version }),
        ],
        tombstones: first === undefined ? [] : [{ scope, id: first.id, version }],
      }));
    });
    const times = new Map<Id, number>();
    for (const { id } of read.rows) times.set(id, (times.get(id) ?? 0) + 1);
    for (const { id } of rows) if (!touched.has(id)) assert.equal(times.get(id), 1, `${id} is met once`);
    const news = await at().changes(scope, begun, 100_000);
    const named = new Set([...news.rows.map(({ id }) => id), ...news.gone]);
    for (const id of touched) assert.ok(named.has(id), `${id} is newer than the beginning`);
  });

  test('a border that moves between two pages loses nothing, whichever way', async () => {
    const scope = await newScope(at());
    const rows = sample(scope, 900);
    await commit(at(), scope, () => ({ rows }));
    for (const drift of [-400 * DAY_MS, 400 * DAY_MS]) {
      const seen = new Set<string>();
      let now = NOW;
      for (let place: SnapshotPlace | null = { part: 'frame', after: null }; place !== null;) {
        const page = await readPart(scope, place, portsOf(at(), now));
        for (const { id } of page.rows) seen.add(id);
        place = page.next;
        now += drift;
      }
      assert.equal(seen.size, rows.length);
    }
  });

  test('a shelf is counted in steps', async () => {
    const scope = await newScope(at());
    await commit(at(), scope, () => ({ rows: Array.from({ length: 25 }, () => rowOf(scope)) }));
    let total = 0;
    let steps = 0;
    for (let last: string | null = ''; last !== null;) {
      const step: { count: number; last: string | null } = await at().countShelf(scope, last, 10);
      total += step.count;
      steps += 1;
      last = step.last;
    }
    assert.deepEqual([total, steps], [25, 3]);
    assert.deepEqual(await at().countShelf(someId(), '', 10), { count: 0, last: null });
  });
}
