// The history over several databases: whatever becomes of it on its way there, between them and while parts are put back, it reads
// the same as the history of a database that keeps all of it.
import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { type Database, openDatabase } from '#server/data/database.ts';
import { groupsCommand } from '#server/data/history-groups/admin.ts';
import type { OlderHistory, OlderReport } from '#server/data/history-groups/older-history.ts';
import type { HistoryEntry, HistoryRange, Store, WriteBatch } from '#server/data/store.ts';
import { SeededRandom } from '../simulator/random.ts';
import { START } from './house.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { commit, placed, someAccount, someId, titleEntry } from './store-samples.ts';

const NAMES = ['east', 'west'];

/** A database whose older history lies in groups, and beside it one that keeps all of its own. */
interface World {
  readonly split: Database;
  readonly whole: Database;
  readonly older: OlderHistory;
  readonly home: pg.Client;
  readonly groups: ReadonlyMap<string, pg.Client>;
  readonly urls: ReadonlyMap<string, string>;
  readonly homeUrl: string;
  now: number;
}

describe('the history over several databases', () => {
  let instance: PostgresInstance | undefined;
  /** One for all tests: scopes have names of their own. */
  let whole: Database | undefined;
  before(async () => {
    instance = await startPostgres();
    whole = await openDatabase({ url: await createDatabase(), dataDir: '' });
  });
  after(async () => {
    await whole?.close();
    await instance?.stop();
  });
  const createDatabase = async () => {
    assert.ok(instance);
    return (await instance.createDatabase()).replace('@/', '@localhost/');
  };

  async function clientOf(context: TestContext, url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    context.after(() => client.end());
    return client;
  }

  async function createWorld(context: TestContext): Promise<World> {
    const homeUrl = await createDatabase();
    const urls = new Map<string, string>();
    for (const name of NAMES) urls.set(name, await createDatabase());
    const historyGroups = [...urls].map(([name, url]) => ({ name, url }));
    const split = await openDatabase({ url: homeUrl, dataDir: '', historyGroups });
    context.after(() => split.close());
    assert.ok(whole);
    const groups = new Map<string, pg.Client>();
    for (const [name, url] of urls) groups.set(name, await clientOf(context, url));
    const home = await clientOf(context, homeUrl);
    assert.ok(split.older);
    return { split, whole, older: split.older, home, groups, urls, homeUrl, now: START };
  }

  /** The leader's work, now. Nothing may fail unless `onError` is given. */
  function run(world: World, onError = (error: unknown): void => assert.fail(String(error))) {
    return world.older.run({ now: world.now, rest: () => Promise.resolve(), onError });
  }

  /** Ages everything that is there until it lies in a group, and is gone beside the rows. */
  async function ageAll(world: World): Promise<OlderReport[]> {
    const reports: OlderReport[] = [];
    for (const days of [31, 8, 8]) {
      world.now += days * DAY_MS;
      reports.push(await run(world));
    }
    return reports;
  }

  const both = async (world: World, work: (store: Store) => Promise<unknown>) => {
    await work(world.split.store);
    await work(world.whole.store);
  };

  async function createScope(world: World): Promise<Id> {
    const id = someId();
    const owner = someAccount();
    await both(world, (store) => store.createScope({ id, kind: 'personal', owner }));
    return id;
  }

  const write = (world: World, scope: Id, make: (version: number) => Partial<WriteBatch>) => {
    // The same objects in both.
    const made = new Map<number, Partial<WriteBatch>>();
    const once = (version: number) => {
      const known = made.get(version) ?? make(version);
      made.set(version, known);
      return known;
    };
    return both(world, (store) => commit(store, scope, once));
  };

  /** An entry of now about the first of these, which changed the others too. */
  const entry = (
    world: World,
    scope: Id,
    version: number,
    [id, ...beside]: readonly [Id, ...Id[]],
  ): HistoryEntry => ({
    ...titleEntry(
      scope,
      version,
      id,
      [id, ...beside].map((each) => ({ id: each, fields: { title: 'Before' } })),
    ),
    at: world.now,
  });

  /** Every way of reading says the same in both. */
  async function same(
    world: World,
    scope: Id,
    tasks: readonly Id[],
    { random = new SeededRandom(1), rounds = 4 } = {},
  ) {
    const ranges: HistoryRange[] = [{ limit: 1_000 }, { limit: 3 }];
    const newest = (await world.whole.store.scope(scope))?.version ?? 0;
    for (let at = 0; at < rounds; at += 1) {
      const before = random.chance(0.5) ? { before: random.between(0, newest + 2) } : {};
      const id = random.pick(tasks);
      const limit = random.between(1, 12);
      ranges.push({ limit, ...before }, { limit, id, ...before }, { limit, id, isTree: true, ...before });
    }
    for (const range of ranges)
      assert.deepEqual(
        await world.split.store.history(scope, range),
        await world.whole.store.history(scope, range),
        JSON.stringify(range),
      );
  }

  const countHome = async ({ home }: World, scope: Id) =>
    Number((await home.query('SELECT count(*) AS n FROM history WHERE scope = $1', [scope])).rows[0].n);
  const placeOf = async ({ home }: World, scope: Id) =>
    (await home.query('SELECT * FROM history_place WHERE scope = $1', [scope])).rows[0] as
      | { place: string; target: string | null; leaving: string | null; copied: string; freed: string }
      | undefined;
  const inGroup = async (world: World, name: string, scope: Id, table = 'history') =>
    Number(
      (await world.groups.get(name)?.query(`SELECT count(*) AS n FROM ${table} WHERE scope = $1`, [scope]))
        ?.rows[0].n,
    );

  test('[NODE-81] [NODE-82] what is a month old goes to a group, stays beside the rows for a week more, and reads as before', async (t) => {
    const world = await createWorld(t);
    const scope = await createScope(world);
    const [task, other] = [someId(), someId()];
    for (let at = 0; at < 5; at += 1)
      await write(world, scope, (v) => ({
        history: [entry(world, scope, v, at === 2 ? [task, other] : [task])],
      }));
    world.now += 31 * DAY_MS;
    assert.equal((await run(world)).placed, 1);
    assert.equal(await countHome(world, scope), 5);
    await write(world, scope, (v) => ({ history: [entry(world, scope, v, [task])] }));
    world.now += 8 * DAY_MS;
    assert.equal((await run(world)).copied, 5);
    assert.equal(await countHome(world, scope), 6, 'copied, and still beside the rows');
    await same(world, scope, [task, other]);
    world.now += 6 * DAY_MS;
    await run(world);
    assert.equal(await countHome(world, scope), 6, 'a week is not over');
    world.now += 2 * DAY_MS;
    assert.equal((await run(world)).freed, 5);
    assert.equal(await countHome(world, scope), 1, 'what is recent stays');
    assert.deepEqual((await world.home.query('SELECT * FROM history_entity')).rows, []);
    await same(world, scope, [task, other]);
    // Nothing asks a group while what is beside the rows is enough.
    const { place = '' } = (await placeOf(world, scope)) ?? {};
    await world.groups.get(place)?.query('ALTER TABLE history RENAME TO gone');
    assert.equal((await world.split.store.history(scope, { limit: 1 })).length, 1);
    assert.equal((await world.split.store.history(scope, { limit: 5, isRecent: true })).length, 1);
    await assert.rejects(world.split.store.history(scope, { limit: 2 }));
  });

  test('[NODE-83] scopes go where the least is; a node without that group does not start, nor one with the group of somebody else', async (t) => {
    const world = await createWorld(t);
    const scopes: Id[] = [];
    for (let at = 0; at < 10; at += 1) {
      const scope = await createScope(world);
      await write(world, scope, (v) => ({ history: [entry(world, scope, v, [someId()])] }));
      scopes.push(scope);
    }
    world.now += 31 * DAY_MS;
    await run(world);
    const places: (string | undefined)[] = [];
    for (const scope of scopes) places.push((await placeOf(world, scope))?.place);
    assert.equal(places.filter((place) => place === 'east').length, 5);
    const [east = '', west = ''] = [...world.urls.values()];
    const open = (url: string, historyGroups: readonly { name: string; url: string }[]) =>
      openDatabase({ url, dataDir: '', historyGroups }).then((opened) => opened.close());
    const refused = async (opening: Promise<void>, said: RegExp) => assert.rejects(opening, said);
    await refused(open(world.homeUrl, []), /doesn't name east and west/);
    await refused(open(world.homeUrl, [{ name: 'east', url: east }]), /doesn't name west/);
    const swapped = [
      { name: 'east', url: west },
      { name: 'west', url: east },
    ];
    await refused(open(world.homeUrl, swapped), /east leads to the database of the group west/);
    await refused(open(await createDatabase(), [{ name: 'east', url: east }]), /of another installation/);
    await refused(open(await createDatabase(), [{ name: 'a', url: world.homeUrl }]), /with other data/);
    const emptied = [
      { name: 'east', url: await createDatabase() },
      { name: 'west', url: west },
    ];
    await refused(open(world.homeUrl, emptied), /older history lies in east/);
    await open(
      world.homeUrl,
      [...world.urls].map(([name, url]) => ({ name, url })),
    );
  });

  test('[NODE-84] what is removed for good is not shown from then on, and is gone from the group with the next run', async (t) => {
    const world = await createWorld(t);
    const scope = await createScope(world);
    const [task, other] = [someId(), someId()];
    await write(world, scope, (v) => ({ history: [entry(world, scope, v, [task, other])] }));
    await write(world, scope, (v) => ({ history: [entry(world, scope, v, [other, task])] }));
    await ageAll(world);
    const { place = '' } = (await placeOf(world, scope)) ?? {};
    assert.equal(await inGroup(world, place, scope), 2);
    await write(world, scope, (version) => ({ tombstones: [{ scope, id: other, version }] }));
    await same(world, scope, [task, other]);
    const [left] = await world.split.store.history(scope, { limit: 5 });
    assert.deepEqual(
      left?.before.map(({ id }) => id),
      [task],
    );
    assert.equal((await run(world)).erased, 1);
    assert.equal(await inGroup(world, place, scope), 1);
    const kept = await world.groups.get(place)?.query('SELECT replaced FROM history');
    assert.doesNotMatch(JSON.stringify(kept?.rows), new RegExp(other));
    await same(world, scope, [task, other]);
    // A group that is put back has it again.
    const putBack = { ...titleEntry(scope, 2, other), at: START };
    await world.groups
      .get(place)
      ?.query('INSERT INTO history VALUES ($1, 2, 0, $2, 1, 1, $3, $4, $5)', [
        scope,
        other,
        START,
        JSON.stringify(putBack.operation),
        JSON.stringify(putBack.before),
      ]);
    await same(world, scope, [task, other]);
    world.now += 9 * DAY_MS;
    assert.equal((await run(world)).erased, 1);
    assert.equal(await inGroup(world, place, scope), 1);
    assert.equal((await run(world)).erased, 0);
    // While it can't be erased nothing is copied: the id may be in use again, and what comes now is not to be erased.
    await write(world, scope, (version) => ({ tombstones: [{ scope, id: task, version }] }));
    await write(world, scope, (v) => ({ history: [entry(world, scope, v, [task])] }));
    const group = world.groups.get(place);
    await group?.query('ALTER TABLE history_entity RENAME TO away');
    world.now += 40 * DAY_MS;
    assert.equal((await run(world, () => undefined)).copied, 0);
    await group?.query('ALTER TABLE away RENAME TO history_entity');
    await ageAll(world);
    assert.equal((await world.split.store.history(scope, { limit: 5 })).length, 1);
    await same(world, scope, [task, other]);
    // A scope that is sealed forgets everything.
    await both(world, (store) =>
      store.write(async (tx) => {
        await tx.lockScopes([scope]);
        await tx.forgetBefore(scope);
      }),
    );
    assert.deepEqual(await world.split.store.history(scope, { limit: 5 }), []);
    await world.split.scrub();
    for (const name of NAMES) assert.equal(await inGroup(world, name, scope), 0);
    await write(world, scope, (v) => ({ history: [entry(world, scope, v, [task])] }));
    await ageAll(world);
    await same(world, scope, [task, other]);
    await world.older.eraseScope(scope, () => Promise.resolve());
    for (const name of NAMES)
      for (const table of ['held', 'history', 'history_entity'])
        assert.equal(await inGroup(world, name, scope, table), 0, `${name} ${table}`);
    assert.equal(await placeOf(world, scope), undefined);
  });

  test('[NODE-85] a group is emptied while its scopes are read, and is no group any more', async (t) => {
    const world = await createWorld(t);
    const scopes: Id[] = [];
    const task = someId();
    for (let at = 0; at < 4; at += 1) {
      const scope = await createScope(world);
      for (let n = 0; n < 3; n += 1)
        await write(world, scope, (v) => ({ history: [entry(world, scope, v, [task])] }));
      scopes.push(scope);
    }
    await ageAll(world);
    let isOver = false;
    const reading = (async () => {
      while (!isOver)
        for (const scope of scopes)
          assert.equal((await world.split.store.history(scope, { limit: 10 })).length, 3);
    })();
    const lines: string[] = [];
    const admin = {
      older: world.older,
      scopeOf: async () => scopes[0] as Id,
      print: (line: string) => void lines.push(line),
    };
    for (const group of ['east', 'west', 'east'])
      assert.equal(await groupsCommand(['history', 'move', 'a@example.org', group], admin), null);
    assert.equal(await groupsCommand(['history', 'drain', 'east'], admin), null);
    isOver = true;
    await reading;
    assert.match(lines.at(-1) ?? '', /Nothing lies in east/);
    for (const scope of scopes) {
      assert.equal((await placeOf(world, scope))?.place, 'west');
      assert.equal(await inGroup(world, 'east', scope), 0);
      await same(world, scope, [task]);
    }
    // What a group does not hold any more is no part of the history, whatever is left of it there.
    const left = (await world.older.tables('east')).insertInto('history');
    const rows = await (
      await world.older.tables('west')
    )
      .selectFrom('history')
      .selectAll()
      .limit(1)
      .execute();
    await left.values(rows).execute();
    await world.home.query("INSERT INTO history_group VALUES ('east', 'mark', 0)");
    await world.home.query("UPDATE history_place SET place = 'east' WHERE scope = $1", [rows[0]?.scope]);
    assert.deepEqual(await world.split.store.history(rows[0]?.scope as Id, { limit: 5 }), []);
    await world.home.query("UPDATE history_place SET place = 'west'");
    await world.home.query("DELETE FROM history_group WHERE name = 'east'");
    assert.equal(await groupsCommand(['history', 'groups'], admin), null);
    assert.match(lines.at(-1) ?? '', /^west .* 4 scopes$/);
    const historyGroups = [{ name: 'west', url: world.urls.get('west') ?? '' }];
    await (await openDatabase({ url: world.homeUrl, dataDir: '', historyGroups })).close();
  });

  test('[NODE-86] a group that is away keeps its own scopes waiting and no other; nothing is lost', async (t) => {
    const world = await createWorld(t);
    const task = someId();
    const scopes = [await createScope(world), await createScope(world)];
    for (const scope of scopes)
      await write(world, scope, (v) => ({ history: [entry(world, scope, v, [task])] }));
    world.now += 31 * DAY_MS;
    await run(world);
    const east = world.groups.get('east');
    await east?.query('ALTER TABLE held RENAME TO away');
    world.now += 8 * DAY_MS;
    const failures: unknown[] = [];
    const report = await run(world, (error) => void failures.push(error));
    assert.equal(report.copied, 1);
    assert.equal(failures.length, 1);
    world.now += 8 * DAY_MS;
    await run(world, () => undefined);
    for (const scope of scopes) {
      const { place } = (await placeOf(world, scope)) ?? {};
      assert.equal(await countHome(world, scope), place === 'east' ? 1 : 0);
      await same(world, scope, [task]);
    }
    await east?.query('ALTER TABLE away RENAME TO held');
    await ageAll(world);
    for (const scope of scopes) {
      assert.equal(await countHome(world, scope), 0);
      await same(world, scope, [task]);
    }
    // One that doesn't answer at all is asked once, however much lies in it.
    for (let at = 0; at < 6; at += 1) {
      const scope = await createScope(world);
      await write(world, scope, (v) => ({ history: [entry(world, scope, v, [task])] }));
    }
    world.now += 31 * DAY_MS;
    assert.equal((await run(world)).placed, 6);
    const name = (await east?.query('SELECT current_database() AS name'))?.rows[0].name as string;
    const allow = (isAllowed: boolean) =>
      world.home.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${isAllowed}`);
    await allow(false);
    await world.home.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> $2',
      [name, await east?.query('SELECT pg_backend_pid() AS pid').then(({ rows }) => rows[0].pid as number)],
    );
    failures.length = 0;
    world.now += 8 * DAY_MS;
    assert.equal((await run(world, (error) => void failures.push(error))).copied, 3);
    assert.equal(failures.length, 1);
    await allow(true);
    assert.equal((await run(world)).copied, 3);
  });

  test('[NODE-87] a group that is put back gets once more what it lacks, and loses what home does not know of', async (t) => {
    const world = await createWorld(t);
    const scope = await createScope(world);
    const task = someId();
    for (let at = 0; at < 6; at += 1)
      await write(world, scope, (v) => ({ history: [entry(world, scope, v, [task])] }));
    for (const days of [31, 8]) {
      world.now += days * DAY_MS;
      await run(world);
    }
    const group = world.groups.get((await placeOf(world, scope))?.place ?? '');
    await group?.query('DELETE FROM history WHERE version > 2');
    await group?.query('UPDATE held SET upto = 2');
    world.now += 8 * DAY_MS;
    assert.deepEqual(await run(world), { erased: 0, moved: 0, placed: 0, freed: 0, copied: 4 });
    assert.equal(await countHome(world, scope), 6, 'nothing is removed that is nowhere else');
    // A process that was killed between the two commits.
    await world.home.query('UPDATE history_place SET copied = 3');
    world.now += 8 * DAY_MS;
    assert.deepEqual(await run(world), { erased: 0, moved: 0, placed: 0, freed: 3, copied: 3 });
    await same(world, scope, [task]);
    await ageAll(world);
    assert.equal(await countHome(world, scope), 0);
    await same(world, scope, [task]);
  });

  const SEEDS = Number(process.env['HISTORY_SEEDS'] ?? 1);
  for (let seed = 3; seed < 3 + SEEDS; seed += 1)
    test(`[NODE-81] [NODE-87] a random life with interruptions, moves and states put back reads the same (seed ${seed})`, async (t) => {
      const world = await createWorld(t);
      await live(world, new SeededRandom(seed));
    });

  /** What may happen to the history of a few scopes within some years. */
  async function live(world: World, random: SeededRandom): Promise<void> {
    const scopes: { readonly scope: Id; readonly tasks: Id[] }[] = [];
    for (let at = 0; at < 2; at += 1) scopes.push({ scope: await createScope(world), tasks: [someId()] });
    const query = (client: pg.Client | undefined, text: string, values: readonly unknown[]) =>
      client?.query(text, [...values]);
    for (let step = 0; step < 90; step += 1) {
      const { scope, tasks } = random.pick(scopes);
      const place = await placeOf(world, scope);
      const what = random.between(0, 11);
      if (what <= 3) {
        const [id, parent] = [someId(), random.pick(tasks)];
        const beside = random.chance(0.5) ? [random.pick(tasks)].filter((each) => each !== id) : [];
        tasks.push(id);
        const [target, key] = [random.pick(tasks), `a${step}`];
        // Work of a device that was away is older than what is there.
        const at = world.now - random.between(0, 1) * random.between(0, 60) * DAY_MS;
        await write(world, scope, (version) => ({
          rows: [placed(scope, parent, key, { id, version })],
          history: [
            { ...entry(world, scope, version, [id, ...beside]), at },
            {
              ...entry(world, scope, version, [target, ...beside.filter((each) => each !== target)]),
              at,
            },
          ],
        }));
      } else if (what <= 6) {
        world.now += random.between(1, 12) * DAY_MS;
        // Killed somewhere: each step stands by itself.
        let left = random.chance(0.5) ? random.between(1, 25) : Infinity;
        const rest = async () => {
          left -= 1;
          if (left <= 0) throw new Error('interrupted');
        };
        await world.older
          .run({ now: world.now, rest, onError: () => undefined })
          .catch((error: unknown) => assert.equal(String(error), 'Error: interrupted'));
      } else if (what === 7) {
        let left = random.between(1, 8);
        const rest = async () => {
          left -= 1;
          if (left <= 0) throw new Error('interrupted');
        };
        await world.older.move(scope, random.pick(NAMES), rest).catch(() => undefined);
      } else if (what === 8) {
        const id = random.pick(tasks);
        await write(world, scope, (version) => ({ tombstones: [{ scope, id, version }] }));
      } else if (what === 9 && place !== undefined && place.target === null && place.leaving === null) {
        // The group is put back to a state of the last week.
        const held = random.between(Number(place.freed), Number(place.copied));
        const group = world.groups.get(place.place);
        await query(group, 'DELETE FROM history WHERE scope = $1 AND version > $2', [scope, held]);
        await query(group, 'DELETE FROM history_entity WHERE scope = $1 AND version > $2', [scope, held]);
        await query(group, 'UPDATE held SET upto = $2 WHERE scope = $1', [scope, held]);
      } else if (what === 10 && place !== undefined && place.target === null && place.leaving === null) {
        // The group committed, and home did not.
        const copied = random.between(Number(place.freed), Number(place.copied));
        await query(world.home, 'UPDATE history_place SET copied = $2 WHERE scope = $1', [scope, copied]);
      } else if (what === 11 && random.chance(0.2)) {
        await both(world, (store) =>
          store.write(async (tx) => {
            await tx.lockScopes([scope]);
            await tx.forgetBefore(scope);
          }),
        );
      }
      await same(world, scope, tasks, { random, rounds: 1 });
    }
    await ageAll(world);
    await ageAll(world);
    for (const { scope, tasks } of scopes) {
      assert.equal(await countHome(world, scope), 0);
      await same(world, scope, tasks, { random });
      const { place } = (await placeOf(world, scope)) ?? {};
      for (const name of NAMES.filter((each) => each !== place))
        for (const table of ['held', 'history', 'history_entity'])
          assert.equal(await inGroup(world, name, scope, table), 0, `${name} ${table}`);
    }
  }
});
