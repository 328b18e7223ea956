// Lists that stay encrypted while people share them: whole server, real devices. The server reads nothing of them, and who is only its member neither.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { isEnvelope, openValue } from '#core/sealing/envelope.ts';
import { FIRST_LIST_GENERATION, type Keyring } from '#core/sealing/keys.ts';
import { fieldOf, isKnown, registersOf } from '#sync/rows/row.ts';
import { leftIn } from '#sync/sealing/reencoding.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { openDatabase } from '#server/data/database.ts';
import { startPostgres, type PostgresInstance } from '../contracts/postgres-instance.ts';
import { another, SECRET, settle, World } from './encrypted-list.ts';

/** Values of the list's scope that open with a ring. */
async function opened({ scope, ida }: World, ring: Keyring): Promise<number> {
  const rows = await ida.office.server.database.store.snapshot(scope, null, 1_000);
  const values = rows.flatMap((row) =>
    Object.entries(isKnown(row) ? registersOf(row) : {}).map(([register, value]) => ({
      row,
      register,
      value,
    })),
  );
  const sealed = values.filter(({ value }) => isEnvelope(value));
  return sealed.filter(
    ({ row: { id, type }, register, value }) => openValue(ring, { id, type, register }, value).ok,
  ).length;
}

describe('sharing a list that stays encrypted', () => {
  test('[SEAL-240] both read and write, and the server has no word of it', async () => {
    const world = await World.open();
    const { ida, list } = world;
    const task = ida.device.addTask(list, `${SECRET} tickets`);
    ida.device.write(task, `${SECRET} the early train`);
    ida.device.engine.replica.issue([
      { a: 'set', id: task, field: 'meta:seat', value: `${SECRET} window` },
      { a: 'set', id: task, field: 'due', value: { on: '2026-12-01' } },
    ] as never);
    await settle(ida);
    await world.share();
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: FIRST_LIST_GENERATION });
    assert.deepEqual(await world.left(), []);
    const ben = await world.joined('ben');
    assert.equal(ben.device.name(list), `${SECRET} trip`);
    assert.equal(ben.device.name(task), `${SECRET} tickets`);
    assert.equal(ben.device.notes(task), `${SECRET} the early train`);
    assert.equal(fieldOf(ben.device.row(task), 'meta:seat'), `${SECRET} window`);
    assert.deepEqual(fieldOf(ben.device.row(task), 'due'), { on: '2026-12-01' });
    const made = ben.device.addTask(list, `${SECRET} socks`);
    ben.device.rename(task, `${SECRET} two tickets`);
    await settle(ben, ida);
    assert.equal(ida.device.name(made), `${SECRET} socks`);
    assert.equal(ida.device.name(task), `${SECRET} two tickets`);
    assert.equal(lockedOf(ida.device.row(task)), undefined);
    const phone = await another(ben);
    await settle(phone);
    assert.equal(
      phone.device.name(made),
      `${SECRET} socks`,
      'another device of Ben’s, by the key of his account',
    );
    assert.equal(await world.has(SECRET), false);
    assert.equal(
      await world.has('Test device'),
      true,
      'the files that are looked through are the ones that are written',
    );
    await world.close(phone.device);
  });

  test('[SEAL-241] takes in what is written meanwhile, here and on a device that was away', async () => {
    const world = await World.open();
    const { ida, list } = world;
    const task = ida.device.addTask(list, `${SECRET} tickets`);
    // More rows than move at once.
    const many = Array.from({ length: 450 }, (_, index) => ida.device.addTask(list, `${SECRET} ${index}`));
    await settle(ida);
    const away = await another(ida);
    await settle(away);
    assert.equal(away.device.name(task), `${SECRET} tickets`);
    away.device.isOnline = false;
    away.device.rename(task, `${SECRET} two tickets`);
    away.device.write(many[0] as Id, `${SECRET} note`);
    const made = away.device.addTask(list, `${SECRET} made away`);
    const within = away.device.addTask(made, `${SECRET} within`);
    const founded = await ida.device.lists.found();
    assert.ok(founded.ok);
    world.scope = founded.value.scope;
    const shared = await world.call(ida, `POST sharing/lists/${list}/encrypted`, { ...founded.value });
    assert.equal(shared.status, 200, JSON.stringify(shared));
    const later = ida.device.addTask(list, `${SECRET} typed meanwhile`);
    await settle(ida, ida);
    away.device.isOnline = true;
    await settle(away, ida);
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: FIRST_LIST_GENERATION });
    assert.deepEqual(await world.left(), []);
    const ben = await world.joined('ben');
    for (const [id, title] of [
      [task, 'two tickets'],
      [made, 'made away'],
      [within, 'within'],
      [later, 'typed meanwhile'],
      [many[449] as Id, '449'],
    ] as const)
      for (const { device } of [ben, ida, away]) assert.equal(device.name(id), `${SECRET} ${title}`);
    assert.equal(ben.device.notes(many[0] as Id), `${SECRET} note`);
    for (const { device } of [ida, away]) assert.deepEqual(device.engine.recovered.get(), []);
    assert.equal(await world.has(SECRET), false);
    await world.close(away.device);
  });

  test('[SEAL-242] comes back sealed when it is made private again, with what others wrote', async () => {
    const world = await World.open();
    const { ida, list } = world;
    const task = ida.device.addTask(list, `${SECRET} tickets`);
    await settle(ida);
    await world.share();
    const ben = await world.joined('ben');
    const made = ben.device.addTask(list, `${SECRET} of Ben`);
    // More rows than move at once.
    const many = Array.from({ length: 450 }, (_, index) => ida.device.addTask(list, `${SECRET} ${index}`));
    await settle(ida);
    ben.device.engine.replica.issue([
      { a: 'set', id: task, field: 'meta:seat', value: `${SECRET} aisle` },
    ] as never);
    await settle(ben, ida);
    await ida.device.move(list, 'await');
    const back = await world.call(ida, `POST sharing/lists/${list}/private`);
    assert.equal(back.status, 200, JSON.stringify(back));
    await settle(ida, ida);
    const { office, device } = ida;
    assert.equal(device.row(list)?.scope, office.scope);
    assert.equal(device.name(made), `${SECRET} of Ben`);
    assert.equal(fieldOf(device.row(task), 'meta:seat'), `${SECRET} aisle`);
    const state = { phase: 'sealed', generation: 1 } as const;
    const { store } = office.server.database;
    assert.deepEqual((await store.scope(office.scope))?.sealing, state);
    const rows = await store.snapshot(office.scope, null, 1_000);
    const left = rows.filter((row) => isKnown(row) && leftIn(state, row) > 0);
    assert.deepEqual(left, [], 'with the key of the account');
    const phone = await another(ida);
    await settle(phone);
    assert.equal(phone.device.name(made), `${SECRET} of Ben`);
    assert.equal(phone.device.name(many[449] as Id), `${SECRET} 449`);
    await settle(ben);
    assert.equal(ben.device.row(made), undefined);
    assert.equal(await world.has(SECRET), false);
    await world.close(phone.device);
  });
});

describe('who belongs to a list that stays encrypted', () => {
  test('[SEAL-245] somebody who was removed opens nothing that comes later, and the others go on', async () => {
    const world = await World.open();
    const { ida, list } = world;
    const before = ida.device.addTask(list, `${SECRET} before`);
    await settle(ida);
    await world.share();
    const ben = await world.joined('ben');
    const cyn = await world.joined('cyn');
    assert.equal(ben.device.name(before), `${SECRET} before`);
    const key = ben.device.disk.lists.get(world.scope)?.kept;
    const { ring } = await ben.device.listKeys(world.scope);
    assert.ok(key && ring);
    assert.ok((await opened(world, ring)) > 1, 'before, everything opens');
    const removed = await world.call(ida, `POST sharing/lists/${list}/members/${ben.office.account}/remove`);
    assert.equal(removed.status, 200);
    await settle(ida, cyn);
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: FIRST_LIST_GENERATION + 1 });
    assert.deepEqual(await world.left(), [], 'everything is sealed with the new key');
    const after = ida.device.addTask(list, `${SECRET} after`);
    await settle(ida, cyn);
    assert.equal(cyn.device.name(after), `${SECRET} after`);
    assert.equal(cyn.device.name(before), `${SECRET} before`);
    const made = cyn.device.addTask(list, `${SECRET} of Cyn`);
    await settle(cyn, ida);
    assert.equal(ida.device.name(made), `${SECRET} of Cyn`);
    assert.equal(await opened(world, ring), 0, 'with everything that Ben has and the server has');
    const said = await ida.office.listServer(world.scope).read();
    assert.ok(said.ok && said.value.directory !== null);
    assert.equal(ben.device.keys.opens(key.key, said.value.directory), false);
    assert.equal(await world.has(SECRET), false);
    await world.close();
  });
});

describe('who comes back to a list that stays encrypted', () => {
  async function removed() {
    const world = await World.open();
    const { ida, list } = world;
    const task = ida.device.addTask(list, `${SECRET} before`);
    await settle(ida);
    await world.share();
    const ben = await world.joined('ben');
    await world.call(ida, `POST sharing/lists/${list}/members/${ben.office.account}/remove`);
    await settle(ida, ben);
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: FIRST_LIST_GENERATION + 1 });
    const { link } = await world.call(ida, `POST sharing/lists/${list}/link`, { days: 30 });
    return { world, ben, task, token: (link as { token: string }).token };
  }

  test('[SEAL-392] by a new link everything opens, although the device has a key of before', async () => {
    const { world, ben, task, token } = await removed();
    const { ida, list } = world;
    const secret = await ida.device.lists.secretOf(world.scope, true);
    assert.ok(secret.ok);
    const done = await world.joins(ben, { token, secret: secret.value });
    assert.ok(done?.ok, JSON.stringify(done));
    assert.equal(ben.device.name(task), `${SECRET} before`);
    const made = ben.device.addTask(list, `${SECRET} of Ben`);
    await settle(ben, ida);
    assert.equal(ida.device.name(made), `${SECRET} of Ben`);
    await world.close();
  });

  test('[SEAL-393] once somebody has let them in, everything opens with the next answer', async () => {
    const { world, ben, task, token } = await removed();
    const { ida } = world;
    await world.joins(ben, { token, secret: null });
    assert.equal(lockedOf(ben.device.engine.replica.row(task))?.['title'] !== undefined, true);
    const people = await ida.device.lists.people(world.scope);
    assert.ok(people.ok);
    const { words } = people.value.find(({ account }) => account === ben.office.account) ?? {};
    assert.ok(words);
    const let_ = await ida.device.lists.letIn(world.scope, ben.office.account, words);
    assert.ok(let_.ok, JSON.stringify(let_));
    await settle(ben);
    assert.equal(ben.device.name(task), `${SECRET} before`);
    await world.close();
  });
});

describe('an encrypted list on PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());

  test('[SEAL-240] [SEAL-245] is shared, gets a new key and comes back as on SQLite', async () => {
    const started = instance;
    assert.ok(started);
    const world = await World.open(async () =>
      openDatabase({ url: await started.createDatabase(), dataDir: '' }),
    );
    const { ida, list } = world;
    const task = ida.device.addTask(list, `${SECRET} tickets`);
    await settle(ida);
    /** An answer of this database takes longer than a turn of the loop. */
    const until = async (is: () => Promise<boolean>) => {
      for (let round = 0; round < 40 && !(await is()); round += 1) await settle(ida);
      assert.ok(await is());
    };
    const isSealedIn = (generation: number) => async () => {
      const state = await world.state();
      return state?.phase === 'sealed' && state.generation === generation;
    };
    await world.share();
    await until(isSealedIn(FIRST_LIST_GENERATION));
    const ben = await world.joined('ben');
    await until(async () => {
      await settle(ben);
      return ben.device.name(task) === `${SECRET} tickets`;
    });
    const people = await ida.device.lists.people(world.scope);
    assert.deepEqual(people.ok && people.value.map(({ standing }) => standing), ['member', 'member']);
    await world.call(ida, `POST sharing/lists/${list}/members/${ben.office.account}/remove`);
    await until(isSealedIn(FIRST_LIST_GENERATION + 1));
    const fields = await ida.office.server.database.db.selectFrom('entity').select('fields').execute();
    assert.equal(JSON.stringify(fields).includes(SECRET), false);
    await ida.device.move(list, 'await');
    await world.call(ida, `POST sharing/lists/${list}/private`);
    await until(() => Promise.resolve(ida.device.row(list)?.scope === ida.office.scope));
    assert.equal(ida.device.name(task), `${SECRET} tickets`);
    // No request is on its way when the server ends.
    for (const { device } of [ida, ben])
      await until(async () => {
        await settle(device);
        return device.engine.state.get().type === 'synced';
      });
    await world.close();
  });
});
