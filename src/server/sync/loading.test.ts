// What pushes of several scopes need, read at once: each set knows what is its own, also of an id that two of them ask for.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { keyAt } from '#sync/rows/placement.ts';
import type { Row } from '#sync/rows/row.ts';
import { openDatabase } from '../data/database.ts';
import type { WriteTransaction } from '../data/store.ts';
import { Loading, loadForeseen } from './loading.ts';
import { WorkingSet } from './working-set.ts';
import { must } from '#core/assert.ts';
import { limits } from '#core/model.ts';

const idOf = (n: number): Id => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;
const scopes = [idOf(1), idOf(2), idOf(3)] as const;
const [one, two, three] = scopes;
const listOf = (scope: Id) => idOf(100 + Number(scope.slice(-3)));
const taskOf = (scope: Id, n: number) => idOf(1_000 + 100 * Number(scope.slice(-3)) + n);

/** In the second scope, removed for good. */
const purged = idOf(80);

function row(scope: Id, id: Id, place: { readonly parent: Id; readonly key: string }): Row {
  const [stamp, at] = [[1, 1, 1, 1] as const, { version: 1, createdAt: 1, updatedAt: 1 }];
  return id === listOf(scope)
    ? { id, scope, type: 'list', fields: { listType: 'list', name: 'A', place }, stamp, ...at }
    : { id, scope, type: 'task', fields: { title: 'A', place }, stamp, ...at };
}

/** Three scopes with a list of four tasks each. */
async function world() {
  const database = await openDatabase({ dataDir: ':memory:' });
  const { store } = database;
  for (const [at, id] of scopes.entries()) await store.createScope({ id, kind: 'list', owner: at + 1 });
  await store.write(async (tx) => {
    const heads = [...(await tx.lockScopes(scopes)).values()];
    const rows = scopes.flatMap((scope) => [
      row(scope, listOf(scope), { parent: idOf(90), key: 'a0' }),
      ...[0, 1, 2, 3].map((n) => row(scope, taskOf(scope, n), { parent: listOf(scope), key: `a${n}` })),
    ]);
    const nothing = { scopeGenerations: [], devices: [], results: [], forgetResults: [] };
    const tombstones = [{ scope: two, id: purged, version: 1 }];
    await tx.save({
      ...nothing,
      tombstones,
      scopes: heads.map((head) => ({ ...head, version: 1 })),
      rows,
      history: [],
    });
  });
  return database;
}

const head = (scope: Id) => ({ q: 1, u: idOf(7), scope, t: 1, b: 1 });
const placed = (scope: Id): Operation => ({
  ...head(scope),
  a: 'create',
  id: idOf(5_000 + Number(scope.slice(-3))),
  type: 'task',
  fields: { title: 'New' },
  place: { parent: listOf(scope), after: taskOf(scope, 1) },
});

describe('loading for several scopes at once', () => {
  it('brings each its rows, their ancestors and the siblings beside which something is placed', async () => {
    const database = await world();
    await database.store.write(async (tx) => {
      const sets = scopes.map((scope) => new WorkingSet(scope));
      const operations = new Map(scopes.map((scope): [Id, Operation[]] => [scope, [placed(scope)]]));
      await loadForeseen(tx, Promise.resolve(sets), { operations, plans: [] });
      for (const set of sets) {
        const { scope } = set;
        assert.equal(set.row(listOf(scope))?.scope, scope);
        assert.equal(set.row(taskOf(scope, 1))?.scope, scope);
        assert.equal(set.absence(idOf(90)), 'unknown');
        assert.equal(set.absence(placed(scope).id), 'unknown');
        const next = set.neighbour(listOf(scope), 'a1', 'ascending', placed(scope).id);
        assert.equal(next?.id, taskOf(scope, 2));
        // What nobody asked for of another scope is not known here.
        assert.equal(set.isLoaded(listOf(scope === one ? two : one)), false);
      }
    });
    await database.close();
  });

  it('tells apart what two of them ask of the same id', async () => {
    const database = await world();
    await database.store.write(async (tx) => {
      const sets = scopes.map((scope) => new WorkingSet(scope));
      const title = (scope: Id, id: Id): Operation => ({
        ...head(scope),
        a: 'set',
        id,
        field: 'title',
        value: 'B',
      });
      const operations = new Map([
        [one, [title(one, taskOf(two, 0)), title(one, purged)]],
        [two, [title(two, taskOf(two, 0)), title(two, purged)]],
        [three, [placed(three)]],
      ]);
      await loadForeseen(tx, Promise.resolve(sets), { operations, plans: [] });
      const [a, b, c] = sets;
      assert.deepEqual(a?.lookup(taskOf(two, 0)), { type: 'elsewhere', scope: two });
      assert.equal(b?.row(taskOf(two, 0))?.scope, two);
      assert.deepEqual(a.lookup(purged), { type: 'elsewhere', scope: two });
      assert.deepEqual(b.lookup(purged), { type: 'tombstone' });
      assert.equal(c?.row(taskOf(three, 1))?.scope, three);
    });
    await database.close();
  });

  it('lets plans decide beforehand, and reads what they come to', async () => {
    const database = await world();
    await database.store.write(async (tx) => {
      const sets = scopes.map((scope) => new WorkingSet(scope));
      const plans = [one, two].map((scope) => ({
        scopes: [scope],
        want: { rows: [], ancestors: [], siblings: [] },
        decide: () => [{ scope, u: idOf(7), x: idOf(8), g: idOf(9), action: actionOf(placed(scope)) }],
      }));
      await loadForeseen(tx, Promise.resolve(sets), {
        operations: new Map(scopes.map((scope) => [scope, []])),
        plans,
      });
      for (const set of sets.slice(0, 2)) assert.equal(set.row(listOf(set.scope))?.type, 'list');
    });
    await database.close();
  });
});

/** A list in whose middle so many keys are so long that hundreds of neighbors get new ones. */
function crowded(): { readonly keys: readonly string[]; readonly at: number } {
  const keys = ['a0', 'a1', ...generateNKeysBetween('a1', `a1${'0'.repeat(27)}1`, 700), 'a2', 'a3'];
  const at = 350;
  for (;;) {
    const key = generateKeyBetween(keys[at] ?? null, keys[at + 1] ?? null);
    if (key.length > limits.keyCharacters) return { keys, at };
    keys.splice(at + 1, 0, key);
  }
}

describe('a crowded gap', () => {
  it('[SYNC-176] is read in few reads, however many neighbors get new keys', async () => {
    const database = await openDatabase({ dataDir: ':memory:' });
    const { store } = database;
    await store.createScope({ id: one, kind: 'list', owner: 1 });
    const { keys, at } = crowded();
    const parent = listOf(one);
    const rows = keys.map((key, n) => row(one, idOf(10_000 + n), { parent, key }));
    const nothing = { scopeGenerations: [], tombstones: [], devices: [], results: [], forgetResults: [] };
    await store.write(async (tx) => {
      const heads = [...(await tx.lockScopes([one])).values()].map((head) => ({ ...head, version: 1 }));
      await tx.save({ ...nothing, scopes: heads, rows, history: [] });
    });
    await store.write(async (tx) => {
      let reads = 0;
      const load: WriteTransaction['load'] = (want) => {
        reads += 1;
        return tx.load(want);
      };
      const set = new WorkingSet(one);
      const loading = new Loading({ load } as WriteTransaction, () => set);
      const after = must(rows[at], 'it stands there').id;
      const placed = await loading.run(() => keyAt(set, idOf(9), { parent, after }), [set]);
      assert.ok(placed.rekeyed.length > 250, `${placed.rekeyed.length} neighbors`);
      // The neighbor it goes after, some looks to each side, and all the rows.
      assert.ok(reads <= 12, `${reads} reads`);
    });
    await database.close();
  });
});

function actionOf({ q: _q, u: _u, scope: _scope, t: _t, b: _b, ...action }: Operation) {
  return action;
}
