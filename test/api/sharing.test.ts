// Sharing a list, joining, leaving and what belongs to it, by the calls of the app.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listsRoot, memberId, mountId, type Id } from '#core/ids.ts';
import { createTestServer, type TestServer } from './harness.ts';
import { Person } from '../sharing.ts';

const newId = () => crypto.randomUUID() as Id;

function placeIn(row: { readonly f: object } | undefined) {
  assert.ok(row);
  return (row.f as { readonly place: { readonly parent: Id; readonly key: string } }).place;
}

async function told(answer: Response | Promise<Response>) {
  const response = await answer;
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, ...body } as Record<string, unknown> & { readonly status: number };
}

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
});
