// Every call about a shared list, as everybody who may come with it: who owns it, who belongs to it, who once did, who has only been
// invited, and somebody who knows nothing of it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memberId, type Id } from '#core/ids.ts';
import { createTestServer, type TestServer } from './harness.ts';
import { confirmEmail, Person } from '../sharing.ts';

const actors = ['owner', 'member', 'former member', 'invited', 'stranger'] as const;
type ActorName = (typeof actors)[number];

/** Statuses in the order of the actors. `:member` is the member's account, and `:token` the present link. */
const expected: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  'GET sharing/lists/:list': [200, 200, 404, 404, 404],
  'POST sharing/lists/:list': [200, 200, 404, 404, 404],
  'POST sharing/lists/:list/link': [200, 200, 404, 404, 404],
  'DELETE sharing/lists/:list/link': [200, 200, 404, 404, 404],
  // Who has left has left.
  'POST sharing/lists/:list/leave': [409, 200, 200, 404, 404],
  'POST sharing/lists/:list/private': [200, 403, 404, 404, 404],
  'POST sharing/lists/:list/members/:member/remove': [200, 403, 404, 404, 404],
  'POST sharing/lists/:list/members/:member/owner': [200, 403, 404, 404, 404],
  // Whoever has the link, but for who knew it before they left.
  'GET sharing/invitations/:token': [200, 200, 404, 200, 200],
  'POST sharing/invitations/:token': [200, 200, 404, 200, 200],
};

/** What becomes of operations, in the order of the actors. */
const operations: Readonly<Record<string, readonly string[]>> = {
  'set list': ['ok', 'ok', 'forbidden', 'forbidden', 'forbidden'],
  'create task': ['ok', 'ok', 'forbidden', 'forbidden', 'forbidden'],
  'create list': ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  'create folder': ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  'create member': ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  'set member': ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  'place list': ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  'delete list': ['ok', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  'delete task': ['ok', 'ok', 'forbidden', 'forbidden', 'forbidden'],
};

describe('the matrix of shared lists', () => {
  let server: TestServer;
  let people: Readonly<Record<ActorName, Person>>;
  before(async () => {
    server = await createTestServer();
    const come = (name: string) => Person.come(server, `${name}@example.org`);
    people = {
      owner: await come('owner'),
      member: await come('member'),
      'former member': await come('former'),
      invited: await come('invited'),
      stranger: await come('stranger'),
    };
    for (const { account } of Object.values(people)) await confirmEmail(server, account);
  });
  after(() => server.close());

  /** A list that is shared anew. */
  async function stage() {
    const { owner, member } = people;
    const list = await owner.list('Trip');
    const task = await owner.task('Pack', list);
    const { scope, link } = await owner.share(list);
    await member.join(link?.token);
    await people['former member'].join(link?.token);
    await people['former member'].call(`POST sharing/lists/${list}/leave`);
    return { list, task, scope, token: link?.token ?? '' };
  }

  for (const [call, statuses] of Object.entries(expected))
    test(`[SHARE-15] ${call}`, async () => {
      const found: number[] = [];
      for (const actor of actors) {
        const { list, token } = await stage();
        const path = call
          .replace(':list', list)
          .replace(':member', String(people.member.account))
          .replace(':token', token);
        const answer = await people[actor].call(path);
        found.push(answer.status);
        const { message = '' } = (await answer.json()) as { message?: string };
        if (answer.status >= 400) assert.ok(message.length > 20, `${actor}: ${message}`);
        if (answer.status === 404) assert.doesNotMatch(message, /Trip/);
      }
      assert.deepEqual(found, statuses);
    });

  test('[SHARE-15] operations', async () => {
    for (const [what, verdicts] of Object.entries(operations)) {
      const found: string[] = [];
      for (const actor of actors) {
        const { list, task, scope } = await stage();
        const [action = '', type = ''] = what.split(' ');
        found.push(
          ...(await people[actor].verdicts({ scope, ...said(action, type, { list, task, scope }) })),
        );
      }
      assert.deepEqual(found, verdicts, what);
    }
  });

  function said(action: string, type: string, at: { list: Id; task: Id; scope: string }) {
    const id = crypto.randomUUID();
    const { account } = people.member;
    const member = memberId(at.scope as Id, account);
    if (action === 'set' && type === 'member') return { a: 'set', id: member, field: 'role', value: 'owner' };
    if (action === 'set') return { a: 'set', id: at.list, field: 'name', value: 'Renamed' };
    if (action === 'place') return { a: 'place', id: at.list, place: { parent: at.scope } };
    if (action === 'delete') return { a: 'delete', id: type === 'list' ? at.list : at.task };
    const made = {
      task: { type: 'task', fields: { title: 'Cake' }, place: { parent: at.list } },
      list: { type: 'list', fields: { listType: 'list' }, place: { parent: at.scope } },
      folder: { type: 'list', fields: { listType: 'folder' }, place: { parent: at.scope } },
      member: { type: 'member', fields: { account: people.stranger.account } },
    }[type];
    const theirs = memberId(at.scope as Id, people.stranger.account);
    return { a: 'create', id: type === 'member' ? theirs : id, ...made };
  }
});
