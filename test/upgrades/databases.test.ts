// The server's databases of every schema there has been, opened by today's program: nothing in them is lost, sessions go
// on, and a device that was away meanwhile synchronises as if nothing had happened.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { newestVersion } from '#server/data/migrate.ts';
import { type PostgresInstance, startPostgres } from '../contracts/postgres-instance.ts';
import { memberId, mountId, type Id } from '#core/ids.ts';
import { sharedListSchema } from '#wire/sharing.ts';
import { comparable, dataFixtures, readableRows, upgradeServer, type UpgradedServer } from './fixtures.ts';
import { call, createNetwork, enter, exchanged, openDevice } from './headless.ts';
import { client } from './protocol-client.ts';
import { type DeviceText, PASSWORD, type WorldText } from './story.ts';

/** The first fixture with a shared list. */
const SHARED_SCHEMA = 19;

const byId = (rows: Iterable<Row>) => [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const rowsOf = async ({ server }: UpgradedServer, scope: Id) =>
  byId(await server.database.store.snapshot(scope, null, 10_000));

function diskOf({ meta, outbox, recovered, rows }: DeviceText) {
  const contents = new client.MemoryContents();
  contents.meta = meta;
  for (const operation of outbox) contents.outbox.set(operation.q, operation);
  for (const item of recovered) contents.recovered.set(item.operation.q, item);
  for (const row of rows) contents.rows.set(row.id, row);
  return contents;
}

/** Wakes the device that was offline, and lets it exchange everything. */
async function wake({ server, world }: UpgradedServer) {
  const [owner] = world.accounts;
  assert.ok(owner);
  const { account, personalScope: scope, sessions } = owner;
  const network = createNetwork({ url: server.url, cookie: sessions[1] ?? '' }, client);
  const contents = diskOf(world.sleeper);
  const storage = client.createMemoryStorage(contents);
  const engine = await openDevice({ client, storage, transport: network.transport, scope, account });
  await exchanged(engine);
  await engine.flushed();
  assert.deepEqual(network.unreadable, []);
  assert.deepEqual(network.refusals, []);
  const held = { rows: comparable(engine.replica.all(), world), pending: engine.facts().pending.length };
  await engine.close();
  return { ...held, contents, digest: engine.facts().digest };
}

type Account = WorldText['accounts'][number];

function suite(upgraded: () => UpgradedServer): void {
  const accounts = () => upgraded().world.accounts;
  const each = async (check: (account: Account) => Promise<void>) => {
    for (const account of accounts()) await check(account);
  };

  test('every row, version, sum and line of history is there', () =>
    each(async ({ personalScope, version, digest, rows, history }) => {
      const { store } = upgraded().server.database;
      assert.deepEqual(await rowsOf(upgraded(), personalScope), rows);
      const scope = await store.scope(personalScope);
      assert.deepEqual([scope?.version, scope?.digest], [version, digest]);
      const sum = new DigestSum();
      for (const row of rows) sum.add(row.id, row.version);
      assert.equal(sum.value, digest);
      const entries = await store.history(personalScope, { limit: 10_000 });
      assert.deepEqual(
        entries.map((entry) => ({ version: entry.version, operation: entry.operation })),
        history,
      );
    }));

  test('sessions go on, ended ones stay ended, and passwords still open', () =>
    each(async ({ email, account, sessions, endedSessions }) => {
      const { url } = upgraded().server;
      for (const cookie of sessions) assert.equal((await call({ url, cookie }, '/app/api/me')).status, 200);
      for (const cookie of endedSessions)
        assert.equal((await call({ url, cookie }, '/app/api/me')).status, 401);
      assert.equal((await enter(url, 'sign_in', { email, password: PASSWORD })).account, account);
    }));

  test('housekeeping finds its way and takes nothing that is wanted', async () => {
    const before = await rowsOf(upgraded(), upgraded().world.sleeper.meta.scope);
    await upgraded().server.services.care.run();
    assert.deepEqual(await rowsOf(upgraded(), upgraded().world.sleeper.meta.scope), before);
  });

  test('a device that was away goes on from its cursor, and its queue is taken once', async () => {
    const { world } = upgraded();
    const scope = world.sleeper.meta.scope;
    const before = await rowsOf(upgraded(), scope);
    const first = await wake(upgraded());
    const after = await rowsOf(upgraded(), scope);
    const whole = comparable(await readableRows(upgraded()), world);
    assert.equal(first.pending, 0);
    assert.deepEqual(first.contents.outbox.size, 0);
    assert.deepEqual([...first.contents.recovered.values()], world.sleeper.recovered);
    assert.deepEqual(first.rows, whole);
    assert.equal(after.length, before.length + 1);
    assert.ok(after.some((held) => fieldOf(held, 'title') === 'Made offline on the phone'));
    assert.ok(
      after.some((held) => fieldOf(held, 'title') === 'Dig all the beds'),
      'what others did meanwhile',
    );
    assert.ok(after.some((held) => fieldOf(held, 'notes') === 'Written on the phone'));
    // The same disk once more, as if the answer had been lost.
    const second = await wake(upgraded());
    assert.deepEqual(second.rows, whole);
    assert.equal(second.digest, 'equal');
  });
}

/** Of worlds in which lists are shared. Before `suite`, and once more after it. */
function sharedSuite(upgraded: () => UpgradedServer, isAwake: boolean): void {
  test(`[SHARE-264] a shared list has its tasks, its people, its link and its places${isAwake ? ', and what was said offline, once' : ''}`, async () => {
    const { server, world } = upgraded();
    const { shared, accounts } = world;
    assert.ok(shared);
    const { scope, list } = shared;
    const rows = await rowsOf(upgraded(), scope);
    if (!isAwake) {
      assert.deepEqual(rows, shared.rows);
      assert.equal((await server.database.store.scope(scope))?.digest, shared.digest);
    }
    const titles = rows.flatMap((row) => (row.type === 'task' ? [String(fieldOf(row, 'title'))] : []));
    const said = rows.filter((row) => row.type === 'comment');
    assert.equal(new Set(titles).size, isAwake ? 4 : 3);
    assert.equal(titles.length, new Set(titles).size);
    const [first, second] = accounts;
    assert.deepEqual(
      new Map(said.map((row) => [fieldOf(row, 'text'), fieldOf(row, 'author')])),
      new Map([
        ['For two', second?.account],
        ...(isAwake ? ([['Said on the phone', first?.account]] as const) : []),
      ]),
    );
    assert.equal(
      fieldOf(
        rows.find(({ id }) => id === shared.task),
        'assignee',
      ),
      second?.account,
    );
    for (const [at, { account, personalScope, sessions }] of accounts.entries()) {
      const role = at === 0 ? 'owner' : 'member';
      const answer = await call(
        { url: server.url, cookie: sessions[0] ?? '' },
        `/app/api/sharing/lists/${list}`,
      );
      const state = sharedListSchema.parse(await answer.json());
      assert.deepEqual([state.state, state.role, state.link?.token], ['open', role, shared.token]);
      assert.equal(
        fieldOf(
          rows.find(({ id }) => id === memberId(scope, account)),
          'role',
        ),
        role,
      );
      const own = await rowsOf(upgraded(), personalScope);
      assert.ok(own.some(({ id }) => id === mountId(personalScope, list)));
    }
  });
}

describe('databases of earlier schemas', () => {
  let postgres: PostgresInstance | undefined;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres?.stop());

  for (const fixture of dataFixtures)
    for (const kind of ['sqlite', 'postgres'] as const) {
      describe(`${fixture.name} on ${kind}`, () => {
        let upgraded: UpgradedServer | undefined;
        before(async () => {
          const url = kind === 'postgres' ? await postgres?.createDatabase() : undefined;
          upgraded = await upgradeServer(fixture, url === undefined ? {} : { postgres: url });
        });
        after(() => upgraded?.close());
        const current = () => {
          assert.ok(upgraded);
          return upgraded;
        };
        const isShared = fixture.schema >= SHARED_SCHEMA;
        if (isShared) sharedSuite(current, false);
        suite(current);
        if (isShared) sharedSuite(current, true);
        if (kind === 'sqlite')
          test('a copy of what was there is kept beside it', () => {
            const copies = readdirSync(current().dataDir).filter((name) =>
              name.startsWith('before-upgrade-'),
            );
            assert.equal(copies.length, fixture.schema < newestVersion() ? 1 : 0);
          });
      });
    }
});
