// A server that is killed before any step of what is done with shared lists: the next one goes on from what is there, and asking
// again leads where the first time would have led.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memberId, mountId, type Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { createSealing, createServerKey } from '#server/accounts/sealing.ts';
import { plainWrites } from '#server/care/room.ts';
import { createSharing, type Sharing } from '#server/sharing/sharing.ts';
import type { SharedLists } from '#server/sharing/shared-lists.ts';
import { startPostgres, type PostgresInstance } from '../contracts/postgres-instance.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { createTestServer, type TestServer } from './harness.ts';
import { actorOf, confirmEmail, Person } from '../sharing.ts';

const sealing = createSealing(createServerKey());
const newId = () => crypto.randomUUID() as Id;

/** The process is gone before its next step, and takes none from then on. */
class Killed extends Error {}

/** The object, with `step` before each call of these methods. */
function stepping<T extends object>(target: T, names: readonly string[], step: () => void): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (names.includes(String(name))) step();
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
}

/** Sharing in a process that is killed before its step with this number; never, without a number. */
function sharingOf(server: TestServer, killedBefore = Infinity): Sharing {
  let steps = 0;
  const step = () => {
    steps += 1;
    if (steps >= killedBefore) throw new Killed();
  };
  const { database, services, bus, clock, ledger } = server;
  return createSharing({
    db: stepping(database.db, ['insertInto', 'updateTable', 'deleteFrom', 'transaction'], step),
    store: stepping(database.store, ['createScope'], step),
    exchange: stepping(services.exchange, ['carryOut'], step),
    ledger: stepping(ledger, ['record'], step),
    bus,
    clock,
    sealing,
    room: plainWrites,
    mover: services.mover,
    publicLinks: services.publicLinks.links,
    newId,
    onError: (error) => assert.fail(String(error)),
  });
}

function suite(open: () => Promise<Database>): void {
  let server: TestServer;
  let ann: Person;
  let ben: Person;
  before(async () => {
    server = await createTestServer({ open });
    ann = await Person.come(server, 'ann@example.org');
    ben = await Person.come(server, 'ben@example.org');
    await confirmEmail(server, ann.account);
    await confirmEmail(server, ben.account);
  });
  after(() => server.close());

  const rowsOf = async (scope: Id) =>
    new Map((await server.database.store.snapshot(scope, null, 1_000)).map((row) => [row.id, row]));

  /** Whether rows, roles and records say the same. */
  async function check(list: Id): Promise<string> {
    const { db, store } = server.database;
    const records = await db.selectFrom('shared_list').selectAll().where('list', '=', list).execute();
    for (const { wanted, settled } of records) assert.equal(settled, wanted);
    const open = records.find(({ closed_at: closedAt }) => closedAt === null);
    if (open !== undefined) await checkLedger(open.scope);
    const people = [ann, ben].map((person) => ({ person, personal: person.personalScope as Id }));
    for (const { personal } of people) await checkSum(personal);
    const isOwn = (await rowsOf(ann.personalScope as Id)).has(list);
    assert.equal(isOwn, open === undefined);
    for (const { scope } of records.filter(({ state }) => state === 'closed'))
      assert.ok((await store.membersOf(scope)).every((account) => account === ann.account));
    if (open === undefined) return 'private';
    assert.equal(open.state, 'open');
    const rows = await checkSum(open.scope);
    assert.ok(rows.has(list));
    const members = await db.selectFrom('member').selectAll().where('scope', '=', open.scope).execute();
    const owners = members.filter(({ role }) => role === 'owner').map(({ account }) => account);
    assert.deepEqual(owners, [(await store.scope(open.scope))?.owner]);
    for (const { person, personal } of people) {
      const row = rows.get(memberId(open.scope, person.account));
      const member = members.find(({ account }) => account === person.account);
      if (member === undefined) {
        assert.ok(row === undefined || fieldOf(row, 'leftAt') !== undefined);
        continue;
      }
      assert.equal(fieldOf(row, 'role'), member.role);
      assert.equal(fieldOf(row, 'leftAt'), undefined);
      const mount = (await rowsOf(personal)).get(mountId(personal, list));
      assert.equal(fieldOf(mount, 'joinedAt'), member.joined_at);
    }
    return members
      .map(({ account, role }) => `${account === ann.account ? 'Ann' : 'Ben'} ${role}`)
      .toSorted()
      .join(', ');
  }

  /** Whether the ledger says of members and owner what the database says, so that a backup that is put back is set right. */
  async function checkLedger(scope: Id): Promise<void> {
    const { db, store } = server.database;
    const { entries } = await server.ledger.read();
    const of = entries.filter((entry) => 'scope' in entry && entry.scope === scope);
    const last = new Map<number, string>();
    let owner: number | undefined;
    for (const entry of of) {
      if (entry.type === 'membership_joined' || entry.type === 'membership_left')
        last.set(entry.account, entry.type);
      if (entry.type === 'scope_created') owner = entry.owner;
      if (entry.type === 'scope_handed') owner = entry.account;
    }
    assert.equal(owner, (await store.scope(scope))?.owner, 'the owner in the ledger');
    const former = await db
      .selectFrom('former_member')
      .select('account')
      .where('scope', '=', scope)
      .execute();
    for (const account of await store.membersOf(scope))
      assert.notEqual(last.get(account), 'membership_left', 'a member in the ledger');
    for (const account of (await store.membersOf(scope)).filter((each) => each !== ann.account))
      assert.equal(last.get(account), 'membership_joined', 'a member in the ledger');
    for (const { account } of former)
      assert.equal(last.get(account), 'membership_left', 'a former member in the ledger');
  }

  async function checkSum(scope: Id) {
    const rows = await rowsOf(scope);
    const sum = new DigestSum();
    for (const { id, version } of rows.values()) sum.add(id, version);
    assert.equal((await server.database.store.scope(scope))?.digest, sum.value);
    return rows;
  }

  /** Kills it before each of its steps in turn; answers how many there were. */
  async function killing(
    act: (lists: SharedLists, actor: AccountActor) => Promise<{ readonly ok: boolean }>,
    by: Person,
    around: {
      /** Makes it as it is before; answers the list. */
      readonly begin: () => Promise<Id>;
      readonly before: string;
      readonly after: string;
    },
  ): Promise<number> {
    for (let steps = 1; ; steps += 1) {
      const list = await around.begin();
      server.clock.pass(1_000);
      assert.equal(await check(list), around.before);
      const killed = await act(sharingOf(server, steps).lists, await actorOf(server, by)).then(
        () => false,
        (error: unknown) => error instanceof Killed,
      );
      const next = sharingOf(server);
      await next.run();
      const between = await check(list);
      assert.ok([around.before, around.after].includes(between), `${between} after step ${steps}`);
      const again = await act(next.lists, await actorOf(server, by));
      assert.ok(again.ok, `${JSON.stringify(again)} after step ${steps}`);
      assert.equal(await check(list), around.after);
      if (!killed) return steps - 1;
    }
  }

  async function shared(isJoined: boolean): Promise<Id> {
    const list = await ann.list('Trip');
    await ann.task('Pack', list);
    const { link } = await ann.share(list);
    if (isJoined) await ben.join(link?.token);
    return list;
  }

  const both = 'Ann owner, Ben member';

  test('[SHARE-10] sharing a list', async () => {
    let list: Id;
    const begin = async () => {
      list = await ann.list('Trip');
      await ann.task('Pack', list);
      return list;
    };
    const steps = await killing((lists, actor) => lists.share(actor, list), ann, {
      begin,
      before: 'private',
      after: 'Ann owner',
    });
    assert.ok(steps >= 8, `${steps} steps`);
  });

  test('[SHARE-10] [SHARE-310] joining it', async () => {
    let token = '';
    const begin = async () => {
      const list = await shared(false);
      const { link } = await ann.share(list);
      token = link?.token ?? '';
      return list;
    };
    const steps = await killing((lists, actor) => lists.join(actor, token), ben, {
      begin,
      before: 'Ann owner',
      after: both,
    });
    assert.ok(steps >= 5, `${steps} steps`);
  });

  test('[SHARE-10] [SHARE-310] leaving it', async () => {
    let list: Id;
    const begin = async () => (list = await shared(true));
    const steps = await killing((lists, actor) => lists.leave(actor, list), ben, {
      begin,
      before: both,
      after: 'Ann owner',
    });
    assert.ok(steps >= 4, `${steps} steps`);
  });

  test('[SHARE-10] [SHARE-310] handing it over', async () => {
    let list: Id;
    const begin = async () => (list = await shared(true));
    const steps = await killing((lists, actor) => lists.handOver(actor, list, ben.account), ann, {
      begin,
      before: both,
      after: 'Ann member, Ben owner',
    });
    assert.ok(steps >= 3, `${steps} steps`);
  });

  test('[SHARE-10] making it private again', async () => {
    let list: Id;
    const begin = async () => (list = await shared(true));
    const steps = await killing((lists, actor) => lists.makePrivate(actor, list), ann, {
      begin,
      before: both,
      after: 'private',
    });
    assert.ok(steps >= 6, `${steps} steps`);
  });
}

describe('a server that is killed before any step', () => suite(() => openDatabase({ dataDir: ':memory:' })));

describe('a server that is killed before any step, on PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  suite(async () => {
    assert.ok(instance);
    return await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  });
});
