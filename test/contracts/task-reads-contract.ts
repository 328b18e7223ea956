// Contract of reading tasks page by page (api/task-reads.ts), compared with a plain reading of all rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { labelsRoot, listsRoot, mineId, type Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Database } from '#server/data/database.ts';
import type { ReadRow, TaskMark, TaskRange } from '#api/task-reads.ts';
import { commit, newScope, placed, rowOf, someId } from './store-samples.ts';

const range: TaskRange = { status: null, after: null, changedAfter: null, limit: 1_000 };
const idsOf = (rows: readonly { readonly id: Id }[]) => rows.map(({ id }) => id);
const parentOf = (row: Row) => fieldOf(row, 'place')?.parent;
const byChange = (a: ReadRow, b: ReadRow) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1);

interface World {
  readonly scope: Id;
  readonly folder: Id;
  readonly list: Id;
  readonly rows: readonly Row[];
}

/** A folder with a list of tasks three levels deep, some done, some in the trash, and what stands beside them. */
async function makeWorld({ store }: Database): Promise<World> {
  const scope = await newScope(store);
  const [folder, list] = [someId(), someId()];
  const rows: Row[] = [
    placed(scope, listsRoot(scope), 'a0', { id: folder, type: 'list', fields: { listType: 'folder' } }),
    placed(scope, folder, 'a0', { id: list, type: 'list', fields: { listType: 'list' } }),
    placed(scope, labelsRoot(scope), 'a0', { type: 'label', fields: { name: 'Work' } }),
    rowOf(scope, { type: 'setting', fields: { key: 'x' } }),
  ];
  for (let at = 0; at < 60; at += 1) {
    const above = rows.filter(({ type }) => type === 'task').at(at % 7);
    const parent = at % 3 === 0 || above === undefined ? list : above.id;
    const fields = {
      title: `task ${at}`,
      ...(at % 4 === 0 ? { status: { done: 1 } } : {}),
      ...(at % 10 === 9 ? { del: { at: 1, by: 1 } } : {}),
    };
    rows.push(
      placed(scope, parent, `a${String(at).padStart(2, '0')}`, { version: 1 + ((at * 7) % 31), fields }),
    );
  }
  for (const { id } of rows.filter(({ type }) => type === 'task').slice(0, 20)) {
    rows.push(rowOf(scope, { id: mineId(scope, id), type: 'mine', fields: { of: id, collapsed: true } }));
    rows.push(placed(scope, id, 'b0', { type: 'attachment', fields: { name: 'plan.pdf' } }));
    rows.push(
      placed(scope, id, 'b1', { type: 'attachment', fields: { name: 'gone', del: { at: 1, by: 1 } } }),
    );
  }
  for (const { id } of rows.filter(({ type }) => type === 'task').slice(0, 2)) {
    for (const at of [1, 2, 3, 4])
      rows.push({
        ...placed(scope, id, `c${5 - at}`, { type: 'comment', fields: { text: `${at}`, author: 1 } }),
        createdAt: at > 2 ? 2 : at,
      });
    const gone = { text: 'gone', author: 1, del: { at: 1, by: 1 } };
    rows.push(placed(scope, id, 'c9', { type: 'comment', fields: gone }));
  }
  await commit(store, scope, () => ({ rows }));
  return { scope, folder, list, rows };
}

const isTrashed = (row: Row) => fieldOf(row, 'del') !== undefined;

/** Reachable from the root through nothing that is in the trash. */
function beneath({ rows }: World, root: Id): Row[] {
  const children = rows.filter(
    (row) => parentOf(row) === root && !isTrashed(row) && (row.type === 'task' || row.type === 'list'),
  );
  return children.flatMap((row) => [row, ...beneath({ rows } as World, row.id)]);
}

/** `isOfOne`: what is read belongs to one person, who asks for one thing after the other. */
export function taskReadsContract(
  name: string,
  open: () => Promise<Database>,
  { isOfOne = false } = {},
): void {
  describe(`Reading tasks on ${name}`, () => {
    let database: Database;
    let world: World;
    before(async () => {
      database = await open();
      world = await makeWorld(database);
    });
    after(() => database.close());

    test('the latest changed come first, chosen by status and by the time of their change', async () => {
      const { scope, rows } = world;
      const tasks = rows.filter((row) => row.type === 'task' && !isTrashed(row)).toSorted(byChange);
      const isDone = (row: Row) => fieldOf(row, 'status') !== undefined;
      assert.deepEqual(await database.reads.recent(scope, range), tasks.map(shown));
      const done = await database.reads.recent(scope, { ...range, status: 'done' });
      assert.deepEqual(idsOf(done), idsOf(tasks.filter(isDone)));
      const open_ = await database.reads.recent(scope, { ...range, status: 'open' });
      assert.deepEqual(idsOf(open_), idsOf(tasks.filter((row) => !isDone(row))));
      const changedAfter = tasks[20]!.updatedAt;
      const late = await database.reads.recent(scope, { ...range, changedAfter });
      assert.deepEqual(idsOf(late), idsOf(tasks.filter((row) => row.updatedAt > changedAfter)));
    });

    test('pages of any size together are the whole, also where times are equal', async () => {
      const { scope, folder } = world;
      for (const limit of [1, 7, 50]) {
        for (const read of [
          (page: TaskRange) => database.reads.recent(scope, page),
          (page: TaskRange) => database.reads.beneath(scope, folder, page),
        ]) {
          const whole = idsOf(await read(range));
          const found: Id[] = [];
          for (let mark: TaskMark | null = null; ;) {
            const page: readonly ReadRow[] = await read({ ...range, after: mark, limit });
            found.push(...idsOf(page));
            const last = page.at(-1);
            if (!last || page.length < limit) break;
            mark = { updatedAt: last.updatedAt, id: last.id };
          }
          assert.deepEqual(found, whole);
        }
      }
    });

    test('what was read is read again as it is by then', async () => {
      const own = await newScope(database.store);
      const tasks = [1, 2, 3].map((n) =>
        placed(own, listsRoot(own), `a${n}`, { version: n, fields: { title: `${n}` } }),
      );
      await commit(database.store, own, () => ({ rows: tasks }));
      const titles = async () =>
        (await database.reads.recent(own, range)).map((row) => fieldOf(row as Row, 'title'));
      const before = await titles();
      assert.equal(before.length, 3);
      assert.deepEqual(await titles(), before);
      if (!isOfOne)
        assert.equal(await database.reads.recent(own, range), await database.reads.recent(own, range));
      const [task] = tasks;
      for (const title of ['changed', 'changed again']) {
        await commit(database.store, own, (version) => ({
          rows: [
            {
              ...task!,
              version,
              updatedAt: task!.updatedAt + 1_000 + version,
              fields: { ...task!.fields, title },
            } as Row,
          ],
        }));
        assert.deepEqual(await titles(), [title, ...before.filter((other) => other !== '1')]);
      }
    });

    test('[SHARE-280] the comments of a task, the oldest first, by pages of any size', async () => {
      const { scope, rows } = world;
      const [task] = rows.filter(({ type }) => type === 'task');
      const wanted = rows
        .filter((row) => row.type === 'comment' && parentOf(row) === task!.id && !isTrashed(row))
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
      assert.equal(wanted.length, 4);
      for (const limit of [1, 2, 3, 10]) {
        const found: ReadRow[] = [];
        for (let last: ReadRow | undefined; ;) {
          const page = await database.reads.comments(scope, task!.id, last ?? null, limit);
          found.push(...page);
          last = page.at(-1);
          if (page.length < limit) break;
        }
        assert.deepEqual(found, wanted.map(shown));
      }
      assert.deepEqual(await database.reads.comments(scope, world.list, null, 10), []);
    });

    test('what is beneath a folder, a list or a task, without what is or hangs in the trash', async () => {
      const { scope, folder, list } = world;
      const tasks = beneath(world, folder).filter(({ type }) => type === 'task');
      for (const root of [folder, list, tasks[0]!.id]) {
        const expected = beneath(world, root);
        const found = await database.reads.beneath(scope, root, range);
        assert.deepEqual(
          idsOf(found),
          idsOf(expected.filter(({ type }) => type === 'task').toSorted(byChange)),
        );
        const branches = await database.reads.branches(scope, root, 1_000);
        assert.deepEqual(idsOf(branches).toSorted(), idsOf(expected).toSorted());
        const known = new Set<Id>([root]);
        for (const { id, parent, isDone, key } of branches) {
          const row = world.rows.find((each) => each.id === id)!;
          assert.deepEqual({ parent, key }, fieldOf(row, 'place'));
          assert.equal(isDone, fieldOf(row, 'status') !== undefined);
          assert.ok(known.has(parent), 'parents come before children');
          known.add(id);
        }
      }
      assert.equal((await database.reads.branches(scope, folder, 5)).length, 5);
    });

    test('what surrounds tasks: those above, one’s own marks, attachments that are there', async () => {
      const { scope, rows } = world;
      const tasks = rows.filter(({ type }) => type === 'task');
      for (const asked of [tasks, tasks.slice(-3), []]) {
        const found = await database.reads.surroundings(scope, scope, asked);
        const wanted = new Set(idsOf(asked));
        for (const task of asked) {
          for (let id = parentOf(task); id !== undefined;) {
            const row = rows.find((each) => each.id === id);
            if (row?.type !== 'task') break;
            assert.deepEqual(shown(found.above.get(id) as Row), shown(row));
            id = parentOf(row);
          }
        }
        const mine = rows.filter((row) => row.type === 'mine' && wanted.has(row.fields['of'] as Id));
        assert.deepEqual([...found.mine.values()].toSorted(byId), mine.map(shown).toSorted(byId));
        const attached = rows.filter(
          (row) => row.type === 'attachment' && !isTrashed(row) && wanted.has(parentOf(row)!),
        );
        assert.deepEqual(
          [...found.attachments.values()].flat().toSorted(byId),
          attached.map(shown).toSorted(byId),
        );
      }
    });

    test('rows are found by id, in the order asked for, and only in the scopes named', async () => {
      const { scope, rows } = world;
      const ids = [rows[9]!.id, someId(), rows[3]!.id];
      assert.deepEqual(await database.reads.find([someId(), scope], ids), [rows[9], rows[3]]);
      assert.deepEqual(await database.reads.find([someId()], ids), []);
      assert.deepEqual(await database.reads.find([scope], []), []);
    });

    if (!isOfOne) {
      test('what several ask for at once each of them gets, and nothing that another one may see', async () => {
        const { reads, store } = database;
        const { scope, rows } = world;
        const other = await newScope(store);
        const task = rows.find((row) => row.type === 'mine')!.fields['of'] as Id;
        const [asked] = rows.filter(({ id }) => id === task);
        const theirs = rowOf(other, { type: 'mine', fields: { of: task, started: 1 } });
        await commit(store, other, () => ({ rows: [theirs] }));
        const [one, two, three, four] = await Promise.all([
          reads.find([scope], [task]),
          reads.find([other], [task, theirs.id]),
          reads.surroundings(scope, scope, [asked!]),
          reads.surroundings(scope, other, [asked!]),
        ]);
        assert.deepEqual(one, [asked]);
        assert.deepEqual(two, [theirs]);
        assert.equal(three.mine.get(task)?.scope, scope);
        assert.equal(four.mine.get(task)?.scope, other);
        assert.deepEqual(four.above, three.above);
      });
    }

    test('the frame is lists and labels, and its version moves with them alone', async () => {
      const { store, reads } = database;
      const scope = await newScope(store);
      assert.deepEqual(await reads.frame(scope), { version: 0, rows: [] });
      const list = placed(scope, listsRoot(scope), 'a0', {
        type: 'list',
        version: 3,
        fields: { listType: 'list' },
      });
      await commit(store, scope, () => ({ rows: [list, rowOf(scope, { version: 9 })] }));
      assert.deepEqual(await reads.frame(scope), { version: 3, rows: [list] });
      assert.equal(await reads.frameVersion(scope), 3);
      await commit(store, scope, () => ({ rows: [{ ...list, version: 12 }] }));
      assert.equal(await reads.frameVersion(scope), 12);
    });
  });
}

/** Without what merging needs. */
function shown({ stamp: _stamp, stamps: _stamps, ...row }: Row): ReadRow {
  return row;
}

function byId(a: ReadRow, b: ReadRow): number {
  return a.id < b.id ? -1 : 1;
}
