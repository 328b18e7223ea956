// Programs and mail in shared lists: what the token of a member reaches, copies, and messages that wait while a list is shared.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { listsRoot, type Id } from '#core/ids.ts';
import type { ApiEntity, ApiLabel, ApiTask } from '#wire/api/objects.ts';
import { joinList, shareList, told, type Session } from '../sharing.ts';
import { type ApiUser, enterApi } from './api-world.ts';
import { createTestServer } from './harness.ts';
import { createMailWorld, type MailPerson } from './mail-world.ts';

const sessionOf = ({ cookie, account, scope }: ApiUser): Session => ({
  cookie,
  account,
  personalScope: scope,
});

/** Ann’s list Trip, with two tasks, one of them labeled, which Ben has joined. */
async function sharedByPrograms() {
  const server = await createTestServer();
  const [ann, ben] = [await enterApi(server, 'ann@example.org'), await enterApi(server, 'ben@example.org')];
  const { id } = await ann.list({ name: 'Trip' });
  const list = id as Id;
  await ann.label({ name: 'urgent' });
  const book = await ann.task({ title: 'Book', list_id: list, label_names: ['urgent'] });
  await ann.task({ title: 'Tickets', parent_id: book.id });
  const { scope, link } = await shareList(server, sessionOf(ann), list);
  await joinList(server, sessionOf(ben), link?.token);
  return { server, ann, ben, list, book, scope };
}

const inList = (user: ApiUser, list: string) => user.tasks(`?list_id=${list}`);

describe('a program of a member', () => {
  test('[IMPORT-224] reads everything: shared lists too, marked, where they stand for the member, with the names of people', async () => {
    const { server, ann, ben, list } = await sharedByPrograms();
    interface Read {
      readonly entities: readonly ApiEntity[];
      readonly people: readonly { readonly user_id: number }[];
      readonly next_cursor: string | null;
    }
    const read = async (user: ApiUser) => (await user.get('/export')) as unknown as Read;
    const own = await read(ann);
    const other = await read(ben);
    for (const { entities, people } of [own, other]) {
      const shared = entities.filter(({ is_shared: isShared }) => isShared === true);
      assert.deepEqual(
        shared.map(({ id }) => id),
        [list],
      );
      const titles = entities.flatMap(({ type, fields }) => (type === 'task' ? [fields['title']] : []));
      assert.deepEqual(new Set(titles), new Set(['Book', 'Tickets']));
      assert.equal(titles.length, 2);
      const accounts = people.map(({ user_id: account }) => account);
      assert.deepEqual(new Set(accounts), new Set([ann.account, ben.account]));
      assert.ok(!entities.some(({ type }) => type === 'mount' || type === 'member'));
    }
    const parentIn = ({ entities }: Read) => entities.find(({ id }) => id === list)?.parent_id;
    assert.equal(parentIn(own), listsRoot(ann.scope));
    assert.equal(parentIn(other), listsRoot(ben.scope));
    await ben.task({ title: 'Secret of Ben' });
    assert.ok(!JSON.stringify(await read(ann)).includes('Secret'));
    const left = await server.ask(`/app/api/sharing/lists/${list}/leave`, {
      method: 'POST',
      cookie: ben.cookie,
    });
    assert.equal(left.status, 200);
    assert.ok(!JSON.stringify(await read(ben)).includes('Tickets'));
  });

  test('[SHARE-214] names labels of the list, and sees it as long as the member does', async () => {
    const { server, ann, ben, list, book } = await sharedByPrograms();
    const own = await ben.label({ name: 'urgent' });
    const [carrier] = (await inList(ben, list)).filter(({ title }) => title === 'Book');
    const [ofList] = must(carrier, 'it is there').label_ids;
    assert.notEqual(ofList, own.id);
    const made = await ben.task({ title: 'Pack', list_id: list, label_names: ['urgent'] });
    assert.deepEqual([made.label_ids, made.label_names], [[ofList], ['urgent']]);
    const mine = await ben.task({ title: 'Mine', label_names: ['urgent'] });
    assert.deepEqual(mine.label_ids, [own.id]);
    const moved = await ben.change(mine.id, { list_id: list });
    assert.deepEqual([moved.label_ids, moved.label_names], [[ofList], ['urgent']]);
    const labels = (await ann.get('/labels'))['labels'] as ApiLabel[];
    assert.ok(!labels.some(({ id }) => id === own.id), 'nobody sees the labels of others');
    assert.equal((await inList(ann, list)).length, 4);
    const left = await server.ask(`/app/api/sharing/lists/${list}/leave`, {
      method: 'POST',
      cookie: ben.cookie,
    });
    assert.equal(left.status, 200);
    for (const [method, path, body] of [
      ['GET', `/tasks?list_id=${list}`, undefined],
      ['GET', `/tasks/${book.id}`, undefined],
      ['PATCH', `/tasks/${moved.id}`, { title: 'x' }],
      ['POST', '/tasks', { title: 'x', list_id: list }],
      ['POST', `/lists/${list}/duplicate`, {}],
      ['DELETE', `/tasks/${moved.id}`, undefined],
    ] as const)
      assert.equal((await ben.call(method, path, body)).status, 404, `${method} ${path}`);
    assert.deepEqual(await ben.tasks(), []);
    const after = (await ben.get('/labels'))['labels'] as ApiLabel[];
    assert.deepEqual(
      after.map(({ id }) => id),
      [own.id],
    );
    assert.equal((await inList(ann, list)).length, 4, 'what was written stays');
    await server.close();
  });

  test('[SHARE-215] copies a shared list into one of its own, without what is somebody else’s', async () => {
    const { server, ann, ben, list, book } = await sharedByPrograms();
    assert.equal(
      (await ann.change(book.id, { assignee_user_id: ann.account })).assignee_user_id,
      ann.account,
    );
    const copy = (await ben.post(`/lists/${list}/duplicate`, { name: 'Mine' }))['list'] as {
      readonly id: string;
    };
    const copied = await inList(ben, copy.id);
    assert.deepEqual(copied.map(({ title }) => title).toSorted(), ['Book', 'Tickets']);
    const again = must(
      copied.find(({ title }) => title === 'Book'),
      'it is there',
    );
    assert.deepEqual(again.label_names, ['urgent']);
    assert.equal(
      must(
        copied.find(({ title }) => title === 'Tickets'),
        'it is there',
      ).parent_id,
      again.id,
    );
    assert.deepEqual([again.todo_item_attachments, again.assignee_user_id], [[], null]);
    const { db } = server.database;
    const rows = await db
      .selectFrom('entity')
      .select(['id', 'scope'])
      .where(
        'id',
        'in',
        copied.map(({ id }) => id as Id),
      )
      .execute();
    assert.deepEqual(new Set(rows.map((row) => row.scope)), new Set([ben.scope]));
    const own = (await ben.get('/labels'))['labels'] as ApiLabel[];
    assert.equal(own.filter(({ id }) => again.label_ids.includes(id)).length, 1);
    await ben.change(again.id, { title: 'Book mine' });
    assert.deepEqual((await inList(ann, list)).map(({ title }) => title).toSorted(), ['Book', 'Tickets']);
    assert.equal((await ann.lists()).length, 2, 'nobody else has the copy');
    await server.close();
  });
});

describe('mail to a shared list', () => {
  const mail = (subject: string) =>
    `Subject: ${subject}\r\nMessage-ID: <${subject}@example.net>\r\n\r\nHello\r\n`;

  test('[SHARE-216] arrives in it also if it waited while the list was shared, or made private again', async () => {
    const world = await createMailWorld();
    const { server, mailIn } = world;
    const [ann, ben] = [await world.person('ann@example.org'), await world.person('ben@example.org')];
    const list = (await ann.list({ name: 'Trip' })).id as Id;
    const address = await ann.address(list);
    /** A message that was taken and lies in the spool. */
    const wait = async (scope: Id, subject: string) => {
      const spool = must(server.spool, 'a spool');
      const at = server.clock.now();
      const id = crypto.randomUUID() as Id;
      const incoming = await spool.begin({
        id,
        scope,
        list,
        account: ann.account,
        from: 'x@example.net',
        at,
      });
      await incoming.write(Buffer.from(mail(subject)));
      await incoming.keep();
    };
    const titles = async (user: MailPerson) => {
      const tasks: readonly ApiTask[] = await user.arrived();
      return tasks
        .filter(({ list_id: where }) => where === list)
        .map(({ title }) => title)
        .toSorted();
    };
    await wait(ann.scope, 'Before');
    const { scope, link } = await shareList(server, sessionOf(ann), list);
    await joinList(server, sessionOf(ben), link?.token);
    await mailIn.start();
    assert.deepEqual(await titles(ann), ['Before']);
    assert.deepEqual(await titles(ben), ['Before']);
    assert.equal((await world.send(address, mail('Shared'))).code, 250, 'the address stays');
    assert.deepEqual(await titles(ben), ['Before', 'Shared']);
    const ask = (user: MailPerson, path: string) =>
      told(server.ask(path, { method: 'POST', cookie: user.cookie, body: { scope, list } }));
    assert.equal((await ask(ben, '/app/api/mail_address'))['address'], address);
    await server.ask(`/app/api/sharing/lists/${list}/leave`, { method: 'POST', cookie: ben.cookie });
    assert.equal((await ask(ben, '/app/api/mail_address')).status, 404);
    const renewed = String((await ask(ann, '/app/api/mail_address/new'))['address']);
    assert.equal((await world.send(address, mail('Old address'))).code, 550, 'who knew it sends no more');
    await wait(scope as Id, 'On its way back');
    await server.ask(`/app/api/sharing/lists/${list}/private`, { method: 'POST', cookie: ann.cookie });
    await mailIn.start();
    assert.equal((await world.send(renewed, mail('Private'))).code, 250);
    assert.deepEqual(await titles(ann), ['Before', 'On its way back', 'Private', 'Shared']);
    assert.deepEqual(await titles(ben), []);
    await world.close();
  });
});
