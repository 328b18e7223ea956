// People and the lists that they share: profiles, erased accounts, a server that went back to a backup, limits. On both engines.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memberId, type Id } from '#core/ids.ts';
import { replayLedger } from '#server/care/ledger-replay.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import type { InviteLink as Link } from '#wire/sharing.ts';
import { startPostgres, type PostgresInstance } from '../contracts/postgres-instance.ts';
import { Person, shareWithBen, told } from '../sharing.ts';

function suite(open: () => Promise<Database>): void {
  describe('profiles', () => {
    let world: Awaited<ReturnType<typeof shareWithBen>>;
    before(async () => {
      world = await shareWithBen({ open });
    });
    after(() => world.server.close());

    const change = (body: unknown) => told(world.ben.call('POST profile', body));

    test('[SHARE-19] begin with the name in the e-mail address, its initials and a color', async () => {
      const { server } = world;
      const dora = await Person.come(server, 'dora.de-vries+lists@example.org');
      const own = await told(dora.call('GET profile'));
      assert.deepEqual([own['name'], own['initials'], own['emoji']], ['Dora De Vries', 'DV', null]);
      assert.match(String(own['color']), /^#[0-9a-f]{6}$/);
    });

    test('[SHARE-19] have initials of one or two characters, and one emoji or none', async () => {
      for (const body of [
        { name: '' },
        { name: '  ' },
        { initials: 'ABC' },
        { initials: 'A ' },
        { emoji: 'x' },
        { emoji: '🐙🐙' },
        { emoji: '' },
        { color: 'red' },
        { other: 1 },
      ]) {
        const refused = await change(body);
        assert.equal(refused.status, 422, JSON.stringify(body));
        assert.ok(String(refused['message']).length > 10);
      }
      const family = '👩‍👩‍👧‍👦';
      const set = await change({ name: ' Ben  Bell ', initials: 'n̈ß', emoji: family });
      assert.deepEqual([set['name'], set['initials'], set['emoji']], ['Ben Bell', 'n̈ß', family]);
      const back = await change({ initials: '', emoji: null });
      assert.deepEqual([back['initials'], back['emoji']], ['BB', null]);
    });

    test('[SHARE-20] a change is in all lists of the person', async () => {
      const { ann, ben, scope } = world;
      await change({ name: 'Benjamin', color: '#00ff00' });
      const row = (await ann.rows()).get(memberId(scope, ben.account));
      assert.deepEqual([row?.f['name'], row?.f['initials'], row?.f['color']], ['Benjamin', 'BE', '#00ff00']);
    });
  });

  describe('an account that is erased', () => {
    test('[SHARE-21] passes its lists on to who joined first, and leaves no name', async () => {
      const { server, ann, ben, list, scope } = await shareWithBen({ open });
      const cara = await Person.come(server, 'cara@example.org');
      const later = (await told(ann.call(`GET sharing/lists/${list}`)))['link'] as Link;
      server.clock.pass(1_000);
      await cara.join(later.token);
      const alone = await ann.list('Alone');
      const { scope: empty } = await ann.share(alone);
      const { db, store } = server.database;
      await db
        .updateTable('account')
        .set({ erase_at: server.clock.now() })
        .where('id', '=', ann.account)
        .execute();
      await server.services.care.run();
      await server.services.sharing.run();
      assert.equal((await store.scope(scope))?.owner, ben.account);
      assert.equal(await store.scope(empty as Id), null);
      const rows = await cara.rows();
      const gone = rows.get(memberId(scope, ann.account));
      assert.deepEqual(
        [gone?.f['name'], gone?.f['initials'], gone?.f['color']],
        [undefined, undefined, undefined],
      );
      assert.equal(typeof gone?.f['leftAt'], 'number');
      assert.equal(rows.get(memberId(scope, ben.account))?.f['role'], 'owner');
      assert.equal((await told(ben.call(`GET sharing/lists/${list}`)))['role'], 'owner');
      await server.close();
    });
  });

  describe('a server that went back to a backup', () => {
    test('[SHARE-25] revives no member, no link and no owner, and closes what was closed', async () => {
      const { server, ann, ben, list, scope, token } = await shareWithBen({ open });
      const cara = await Person.come(server, 'cara@example.org');
      await cara.join(token);
      const closed = await ann.list('Closed later');
      const { scope: over } = await ann.share(closed);
      const { db } = server.database;
      const kept = ['shared_list', 'list_invitation', 'member', 'former_member'] as const;
      const backup = await Promise.all(kept.map((table) => db.selectFrom(table).selectAll().execute()));
      await told(ann.call(`POST sharing/lists/${list}/members/${cara.account}/remove`));
      await told(ann.call(`POST sharing/lists/${list}/link`));
      await told(ann.call(`POST sharing/lists/${list}/members/${ben.account}/owner`));
      await told(ann.call(`POST sharing/lists/${closed}/private`));
      for (const [at, table] of kept.entries()) {
        await db.deleteFrom(table).execute();
        const rows = backup[at] ?? [];
        if (rows.length > 0)
          await db
            .insertInto(table)
            .values(rows as never)
            .execute();
      }
      await db.updateTable('scope').set({ owner: ann.account }).where('id', '=', scope).execute();
      const replayed = await replayLedger(server.database, server.ledger, server.clock.now());
      assert.deepEqual([replayed.memberships, replayed.sharing], [1, 4]);
      await server.services.sharing.run();
      assert.equal((await told(cara.call(`GET sharing/lists/${list}`))).status, 404);
      assert.equal((await told(cara.call(`GET sharing/invitations/${token}`))).status, 404);
      assert.equal((await told(ben.call(`GET sharing/lists/${list}`)))['role'], 'owner');
      assert.equal((await told(ann.call(`GET sharing/lists/${closed}`)))['state'], 'private');
      const record = await db
        .selectFrom('shared_list')
        .select('state')
        .where('scope', '=', over as Id)
        .executeTakeFirst();
      assert.equal(record?.state, 'closed');
      const again = await replayLedger(server.database, server.ledger, server.clock.now());
      assert.deepEqual([again.memberships, again.sharing], [0, 0]);
      await server.close();
    });
  });

  describe('limits of sharing', () => {
    test('[SHARE-26] links are made, and used, so often and no more', async () => {
      const { server, ann, ben, list, token } = await shareWithBen({
        open,
        environment: { RATE_LIMITS: 'share_link=2/24h,join_link=2/1h,sign_up_ip=100/1h' },
      });
      const link = async () => (await told(ann.call(`POST sharing/lists/${list}/link`))).status;
      // One person has joined by it before.
      const join = async () => told(ben.call(`POST sharing/invitations/${token}`));
      assert.equal((await join()).status, 200);
      const often = await join();
      assert.deepEqual([often.status, often['code']], [429, 'rate_limited']);
      assert.deepEqual([await link(), await link(), await link()], [200, 200, 429]);
      await server.close();
    });
  });
}

describe('shared lists on SQLite', () => suite(() => openDatabase({ dataDir: ':memory:' })));

describe('shared lists on PostgreSQL', () => {
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
