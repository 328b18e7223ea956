// Sharing a list, joining, leaving and what belongs to it, by the calls of the app.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inboxId, listsRoot, memberId, mountId, type Id } from '#core/ids.ts';
import { mostMembers, mostSharedLists, type InviteLink as Link } from '#wire/sharing.ts';
import type { LiveMessage } from '#wire/live.ts';
import { createTestServer, type TestServer } from './harness.ts';
import { actorOf, confirmEmail, Person, placeIn, told } from '../sharing.ts';

const DAY = 86_400_000;

const newId = () => crypto.randomUUID() as Id;

describe('sharing a list', () => {
  let server: TestServer;
  let ann: Person;
  let ben: Person;
  before(async () => {
    server = await createTestServer();
    ann = await Person.come(server, 'ann.smith@example.org');
    ben = await Person.come(server, 'ben@example.org');
  });
  after(() => server.close());

  test('[SHARE-1] a list goes into a scope of its own, and stands where it stood', async () => {
    const folder = await ann.list('Travel', { listType: 'folder' });
    const before = await ann.list('Before', {}, folder);
    const list = await ann.list('Trip', {}, folder);
    const behind = await ann.list('Behind', {}, folder);
    const task = await ann.task('Book a train', list);
    const shared = await ann.share(list);
    assert.equal(shared.state, 'open');
    assert.equal(shared.role, 'owner');
    const rows = await ann.rows();
    for (const id of [list, task]) assert.equal(rows.get(id)?.scope, shared.scope);
    assert.equal(placeIn(rows.get(list)).parent, shared.scope);
    const mount = rows.get(mountId(ann.personalScope as Id, list));
    assert.equal(mount?.f['of'], list);
    const key = placeIn(mount).key;
    assert.equal(placeIn(mount).parent, folder);
    assert.ok(placeIn(rows.get(before)).key < key && key < placeIn(rows.get(behind)).key);
    const member = rows.get(memberId(shared.scope as Id, ann.account));
    assert.deepEqual(
      [member?.f['name'], member?.f['initials'], member?.f['role']],
      ['Ann Smith', 'AS', 'owner'],
    );
  });

  test('[SHARE-2] who joins by the link has the list at the end of the top level, with everybody in it', async () => {
    const list = await ann.list('Party');
    const { scope, link } = await ann.share(list);
    const seen = await told(ben.call(`GET sharing/invitations/${link?.token}`));
    assert.deepEqual([seen['listName'], seen['members'], seen['list']], ['Party', 1, null]);
    assert.deepEqual(await ben.join(link?.token), { success: true, list, scope });
    const rows = await ben.rows();
    assert.equal(rows.get(list)?.scope, scope);
    const mount = rows.get(mountId(ben.personalScope as Id, list));
    assert.equal(placeIn(mount).parent, listsRoot(ben.personalScope as Id));
    const names = [ann, ben].map(({ account }) => rows.get(memberId(scope as Id, account))?.f['name']);
    assert.deepEqual(names, ['Ann Smith', 'Ben']);
    const task = newId();
    const by = { a: 'create', id: task, type: 'task', fields: { title: 'Cake' }, place: { parent: list } };
    await ben.act({ ...by, scope });
    assert.equal((await ann.rows()).get(task)?.scope, scope);
  });

  test('[SHARE-3] who leaves reads and writes it no longer, and keeps the mount', async () => {
    const list = await ann.list('Garden');
    const { scope, link } = await ann.share(list);
    await ben.join(link?.token);
    const left = await told(ben.call(`POST sharing/lists/${list}/leave`));
    assert.equal(left.status, 200);
    const rows = await ben.rows();
    assert.equal(rows.get(list), undefined);
    assert.equal(rows.get(mountId(ben.personalScope as Id, list))?.f['of'], list);
    assert.deepEqual(await ben.verdicts({ a: 'set', scope, id: list, field: 'name', value: 'Mine' }), [
      'forbidden',
    ]);
    const member = (await ann.rows()).get(memberId(scope as Id, ben.account));
    assert.equal(typeof member?.f['leftAt'], 'number');
    assert.equal((await told(ben.call(`GET sharing/lists/${list}`))).status, 404);
  });

  test('[SHARE-8] what cannot be shared is refused, in words that say what to do', async () => {
    const cara = await Person.come(server, 'cara@example.org');
    const list = await cara.list('Trip');
    const share = (id: string) => told(cara.call(`POST sharing/lists/${id}`));
    const unconfirmed = await share(list);
    assert.deepEqual([unconfirmed.status, unconfirmed['code']], [403, 'email_unconfirmed']);
    assert.match(String(unconfirmed['message']), /Confirm your email address first/);
    await confirmEmail(server, cara.account);
    const folder = await cara.list('Folder', { listType: 'folder' });
    const smart = await cara.list('Smart', { listType: 'smart', query: 'is:open' });
    for (const id of [folder, smart, inboxId(cara.personalScope as Id)]) {
      const refused = await share(id);
      assert.equal(refused.status, 422);
      assert.match(String(refused['message']), /Only lists with tasks of their own/);
    }
    const inside = await cara.list('Inside', {}, folder);
    await cara.act({ a: 'delete', id: folder });
    for (const id of [list, inside]) {
      if (id === list) await cara.act({ a: 'delete', id });
      const refused = await share(id);
      assert.deepEqual([refused.status, refused['code']], [409, 'conflict']);
      assert.match(String(refused['message']), /in the trash. Restore it first/);
    }
    for (const id of [newId(), cara.personalScope, await ann.list('Hers'), 'nothing'])
      assert.equal((await share(id)).status, 404);
    assert.deepEqual(
      await server.database.db
        .selectFrom('shared_list')
        .selectAll()
        .where('author', '=', cara.account)
        .execute(),
      [],
    );
  });

  test('[SHARE-8] nor is a list that has the id of a scope', async () => {
    const list = await ann.list('Trap');
    await server.database.store.createScope({ id: list, kind: 'list', owner: ben.account });
    assert.equal((await told(ann.call(`POST sharing/lists/${list}`))).status, 404);
    assert.equal((await ann.rows()).get(list)?.scope, ann.personalScope);
  });

  test('[SHARE-9] two devices that share it at once share it once', async () => {
    const list = await ann.list('At once');
    await ann.task('Pack', list);
    const [one, other] = await Promise.all([ann.share(list), ann.share(list)]);
    assert.equal(one.scope, other.scope);
    const after = await ann.share(list);
    assert.deepEqual([after.scope, after.link?.token], [one.scope, one.link?.token ?? other.link?.token]);
    const mounts = [...(await ann.rows()).values()].filter(({ f }) => f['of'] === list);
    assert.equal(mounts.length, 1);
  });

  test('[SHARE-11] a large list is on its way for a while, and is joined when it has arrived', async () => {
    const list = await ann.list('Large');
    const create = (_: unknown, at: number) => ({
      a: 'create',
      id: newId(),
      type: 'task',
      fields: { title: `Task ${at}` },
      place: { parent: list },
    });
    for (let from = 0; from < 1_200; from += 400) await ann.act(...Array.from({ length: 400 }, create));
    const first = await ann.share(list);
    assert.equal(first.state, 'filling');
    assert.ok((first.total ?? 0) >= 1_200 && (first.moved ?? 0) < 1_201, JSON.stringify(first));
    const early = await told(ben.call(`POST sharing/invitations/${first.link?.token}`));
    assert.deepEqual([early.status, early['code']], [409, 'conflict']);
    assert.equal((await server.ask(`/list_invitations/${first.link?.token}`)).status, 404);
    await server.services.mover.run();
    const after = await told(ann.call(`GET sharing/lists/${list}`));
    assert.equal(after['state'], 'open');
    await ben.join(first.link?.token);
    const there = [...(await ben.rows()).values()].filter(({ scope }) => scope === first.scope);
    assert.equal(there.filter(({ type }) => type === 'task').length, 1_200);
  });

  test('[SHARE-12] there is one link; a new one ends it, and it expires', async () => {
    const list = await ann.list('Links');
    const { link: first } = await ann.share(list);
    assert.equal((first?.expiresAt ?? 0) - (first?.createdAt ?? 0), 30 * DAY);
    const again = await told(ann.call(`GET sharing/lists/${list}`));
    assert.equal((again['link'] as { token: string }).token, first?.token, 'copied once more');
    const second = (await told(ann.call(`POST sharing/lists/${list}/link`, { days: 2 })))['link'] as Link;
    const look = async (token: string | null | undefined) =>
      (await told(ben.call(`GET sharing/invitations/${token}`))).status;
    assert.deepEqual([await look(first?.token), await look(second.token)], [404, 200]);
    server.clock.pass(2 * DAY);
    assert.equal(await look(second.token), 404);
    assert.equal((await told(ann.call(`GET sharing/lists/${list}`)))['link'], null);
    const lasting = (await told(ann.call(`POST sharing/lists/${list}/link`, { days: null })))['link'] as Link;
    server.clock.pass(400 * DAY);
    await ann.signIn();
    await ben.signIn();
    assert.equal(await look(lasting.token), 200);
    assert.equal((await told(ann.call(`DELETE sharing/lists/${list}/link`)))['link'], null);
    assert.equal(await look(lasting.token), 404);
    for (const days of [0, 366, 1.5, '3'])
      assert.equal((await told(ann.call(`POST sharing/lists/${list}/link`, { days }))).status, 422);
  });

  test('[SHARE-13] looking at an invitation joins nobody, however often', async () => {
    const list = await ann.list('Looked at');
    const { scope, link } = await ann.share(list);
    for (let times = 0; times < 3; times += 1) {
      const seen = await told(ben.call(`GET sharing/invitations/${link?.token}`));
      assert.deepEqual([seen.status, seen['listName'], seen['members']], [200, 'Looked at', 1]);
      await server.ask(`/list_invitations/${link?.token}`);
    }
    assert.deepEqual(await server.database.store.membersOf(scope as Id), [ann.account]);
    const state = await told(ann.call(`GET sharing/lists/${list}`));
    assert.equal((state['link'] as { uses: number }).uses, 0);
  });

  test('[SHARE-14] who left, or was removed, comes in again only by a link that was made later', async () => {
    for (const how of ['left', 'removed']) {
      const list = await ann.list(`Rejoined after ${how}`);
      const { scope, link } = await ann.share(list);
      await ben.join(link?.token);
      const mine = mountId(ben.personalScope as Id, list);
      const folder = await ben.list('Folder', { listType: 'folder' });
      await ben.act({ a: 'place', id: mine, place: { parent: folder } });
      await ben.act({ a: 'set', id: mine, field: 'hiddenAt', value: 5 });
      // A link that the person saw but did not use counts as well.
      const second = (await told(ann.call(`POST sharing/lists/${list}/link`)))['link'] as Link;
      const over =
        how === 'left'
          ? ben.call(`POST sharing/lists/${list}/leave`)
          : ann.call(`POST sharing/lists/${list}/members/${ben.account}/remove`);
      assert.equal((await told(over)).status, 200);
      for (const method of ['GET', 'POST']) {
        const refused = await told(ben.call(`${method} sharing/invitations/${second.token}`));
        assert.equal(refused.status, 404);
        assert.match(String(refused['message']), /Ask for a new one/);
      }
      const third = (await told(ann.call(`POST sharing/lists/${list}/link`)))['link'] as Link;
      assert.equal((await ben.join(third.token)).scope, scope);
      const rows = await ben.rows();
      assert.equal(placeIn(rows.get(mine)).parent, folder, 'the list is where it was');
      assert.equal(rows.get(mine)?.f['hiddenAt'], undefined, 'and is shown');
      assert.equal(rows.get(memberId(scope as Id, ben.account))?.f['leftAt'], undefined);
    }
  });

  test('[SHARE-16] the owner removes others, and leaves only after handing the list over', async () => {
    const list = await ann.list('Owned');
    const { link } = await ann.share(list);
    await ben.join(link?.token);
    const stays = await told(ann.call(`POST sharing/lists/${list}/leave`));
    assert.deepEqual([stays.status, stays['code']], [409, 'conflict']);
    assert.match(String(stays['message']), /Hand it over to a member first, or make it private/);
    const self = await told(ann.call(`POST sharing/lists/${list}/members/${ann.account}/remove`));
    assert.equal(self.status, 422);
    const nobody = await told(ann.call(`POST sharing/lists/${list}/members/99/owner`));
    assert.equal(nobody.status, 404);
    for (let times = 0; times < 2; times += 1)
      assert.equal(
        (await told(ann.call(`POST sharing/lists/${list}/members/${ben.account}/owner`)))['role'],
        'member',
      );
    assert.equal((await told(ben.call(`GET sharing/lists/${list}`)))['role'], 'owner');
    for (let times = 0; times < 2; times += 1)
      assert.equal((await told(ann.call(`POST sharing/lists/${list}/leave`))).status, 200);
    const { scope } = (await told(ben.call(`GET sharing/lists/${list}`))) as unknown as { scope: Id };
    const rows = await ben.rows();
    assert.equal(rows.get(memberId(scope, ben.account))?.f['role'], 'owner');
    assert.equal(rows.get(memberId(scope, ann.account))?.f['role'], 'member');
    assert.deepEqual(await ben.verdicts({ a: 'delete', scope, id: list }), ['ok']);
  });

  test('[SHARE-17] made private again it is back where its mount is, and nobody else has it', async () => {
    const list = await ann.list('Back');
    const task = await ann.task('Pack', list);
    const { scope, link } = await ann.share(list);
    await ben.join(link?.token);
    const added = newId();
    const creation = {
      a: 'create',
      id: added,
      type: 'task',
      fields: { title: 'Cake' },
      place: { parent: list },
    };
    await ben.act({ ...creation, scope });
    const folder = await ann.list('Folder', { listType: 'folder' });
    const mount = mountId(ann.personalScope as Id, list);
    await ann.act({ a: 'place', id: mount, place: { parent: folder } });
    await ann.act({ a: 'set', id: mount, field: 'hiddenAt', value: 5 });
    const refused = await told(ben.call(`POST sharing/lists/${list}/private`));
    assert.deepEqual([refused.status, refused['code']], [403, 'forbidden']);
    for (let times = 0; times < 2; times += 1) {
      const done = await told(ann.call(`POST sharing/lists/${list}/private`));
      assert.deepEqual([done['state'], done['scope']], ['private', ann.personalScope]);
    }
    const rows = await ann.rows();
    for (const id of [list, task, added]) assert.equal(rows.get(id)?.scope, ann.personalScope);
    assert.equal(placeIn(rows.get(list)).parent, folder);
    assert.equal(rows.get(list)?.f['archivedAt'], 5, 'archived by its owner alone');
    assert.equal((await ben.rows()).get(list), undefined);
    assert.equal((await told(ben.call(`GET sharing/invitations/${link?.token}`))).status, 404);
    assert.deepEqual(await server.database.store.membersOf(scope as Id), [ann.account]);
    // It can be shared again, in another scope, and its old links stay ended.
    const anew = await ann.share(list);
    assert.notEqual(anew.scope, scope);
    assert.equal((await told(ben.call(`GET sharing/invitations/${link?.token}`))).status, 404);
    assert.equal((await ann.rows()).get(task)?.scope, anew.scope);
    // A device that held what moved back has a month to hear of it.
    await server.services.sharing.prune();
    assert.deepEqual(await server.database.store.membersOf(scope as Id), [ann.account]);
    server.clock.pass(31 * DAY);
    await server.services.sharing.prune();
    assert.deepEqual(await server.database.store.membersOf(scope as Id), []);
    await ann.signIn();
    await ben.signIn();
  });

  test('[SHARE-6] [SHARE-18] what a device did before it heard of the sharing', async () => {
    const list = await ann.list('Behind');
    const other = await ann.list('Other');
    const folder = await ann.list('Folder', { listType: 'folder' });
    const task = await ann.task('Pack', list);
    const { scope } = await ann.share(list);
    const fields = { title: 'Later' };
    const late = { a: 'create', id: newId(), type: 'task', fields, place: { parent: list } };
    assert.deepEqual(
      await ann.verdicts(
        { a: 'delete', id: list },
        { a: 'place', id: list, place: { parent: folder } },
        { a: 'set', id: list, field: 'name', value: 'Renamed' },
        { a: 'set', id: task, field: 'title', value: 'Pack it' },
        { a: 'place', id: list, place: { parent: other } },
        late,
      ),
      ['forbidden', 'ok', 'ok', 'ok', 'badparent', 'ok'],
    );
    const rows = await ann.rows();
    assert.equal(placeIn(rows.get(list)).parent, scope);
    assert.equal(placeIn(rows.get(mountId(ann.personalScope as Id, list))).parent, folder);
    assert.equal(rows.get(list)?.f['name'], 'Renamed');
    assert.equal(rows.get(late.id)?.scope, scope);
  });

  test('[SHARE-23] who may not read it anymore is told at once, and who may from now on', async () => {
    const list = await ann.list('Live');
    const { scope, link } = await ann.share(list);
    const heard: LiveMessage[] = [];
    const listener = {
      send: (text: string) => void heard.push(JSON.parse(text) as LiveMessage),
      end: () => undefined,
    };
    const handle = server.services.hub.add(await actorOf(server, ben), listener);
    const until = async (isThere: (message: LiveMessage) => boolean) => {
      for (let turn = 0; turn < 200 && !heard.some(isThere); turn += 1)
        await new Promise((resolve) => void setImmediate(resolve));
      assert.ok(heard.some(isThere), JSON.stringify(heard));
    };
    await ben.join(link?.token);
    await until((message) => message.type === 'poke' && message.scope === scope);
    await told(ann.call(`POST sharing/lists/${list}/members/${ben.account}/remove`));
    await until((message) => message.type === 'left' && message.scope === scope);
    handle.remove();
  });

  test('[SHARE-24] a list has a hundred members at most, and an account two hundred lists', async () => {
    const { db } = server.database;
    const list = await ann.list('Crowded');
    const { scope, link } = await ann.share(list);
    const crowd = Array.from({ length: mostMembers - 1 }, (_, at) => ({
      scope: scope as Id,
      account: 5_000_000 + at,
      role: 'member' as const,
    }));
    await db.insertInto('member').values(crowd).execute();
    const full = await told(ben.call(`POST sharing/invitations/${link?.token}`));
    assert.deepEqual([full.status, full['code']], [409, 'conflict']);
    assert.match(String(full['message']), /100 members/);
    await db
      .deleteFrom('member')
      .where('scope', '=', scope as Id)
      .where('role', '=', 'member')
      .execute();
    const ids = Array.from({ length: mostSharedLists }, newId);
    const counts = { total: 0, wanted: 0, settled: 0, created_at: 1, closed_at: null };
    for (const id of ids) await server.database.store.createScope({ id, kind: 'list', owner: ben.account });
    await db
      .insertInto('shared_list')
      .values(ids.map((id) => ({ scope: id, list: id, author: 1, state: 'open' as const, ...counts })))
      .execute();
    await confirmEmail(server, ben.account);
    const own = await ben.list('One more');
    for (const call of [`POST sharing/invitations/${link?.token}`, `POST sharing/lists/${own}`]) {
      const many = await told(ben.call(call));
      assert.deepEqual([many.status, many['code']], [409, 'conflict']);
      assert.match(String(many['message']), /200 shared lists/);
    }
    await db.deleteFrom('member').where('scope', 'in', ids).execute();
    await db.deleteFrom('shared_list').where('scope', 'in', ids).execute();
    await db.deleteFrom('scope').where('id', 'in', ids).execute();
  });

  test('[SHARE-22] the page of an invitation shows list and inviter as they are now', async () => {
    const list = await ann.list('Old name');
    const { scope, link } = await ann.share(list);
    await ann.act({ a: 'set', scope, id: list, field: 'name', value: 'New name' });
    await told(ann.call('POST profile', { emoji: '🐙', color: '#123456' }));
    const page = () => told(server.ask(`/list_invitations/${link?.token}`));
    assert.deepEqual(await page(), {
      status: 200,
      success: true,
      list_name: 'New name',
      inviting_user_avatar_initials: '🐙',
      inviting_user_avatar_color_hex_string: '#123456',
    });
    await told(ann.call('POST profile', { emoji: null }));
    await ann.act({ a: 'delete', scope, id: list });
    assert.equal((await page()).status, 404, 'in the trash');
    assert.equal((await told(ben.call(`POST sharing/invitations/${link?.token}`))).status, 404);
    await ann.act({ a: 'restore', scope, id: list });
    assert.equal((await page()).status, 200);
    await told(ann.call(`POST sharing/lists/${list}/private`));
    assert.equal((await page()).status, 404);
  });
});
