// Shared lists in the public API: where they stand, tasks in them and between them, pages over all of them, copies.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deriveId, listsRoot, mountId, parseId, type Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import type { ApiList, ApiTask } from '#wire/api/objects.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { Action } from '#sync/rows/operation.ts';
import { addMember, removeMember } from '#server/data/members.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { type Answer, enterApi, type ApiUser } from './api-world.ts';
import { createTestServer } from './harness.ts';

let made = 0;
const newId = (): Id => deriveId('shared list of a test', String((made += 1)));

/** Writes for somebody, to the scopes they may. */
async function write(user: ApiUser, steps: readonly (readonly [scope: Id, action: Action])[]): Promise<void> {
  const { store } = user.server.database;
  const roles = new Map((await store.scopesOf(user.account)).map(({ scope, role }) => [scope, role]));
  const actor: AccountActor = {
    type: 'account',
    account: user.account,
    session: user.scope,
    kind: 'web',
    personalScope: user.scope,
    roles,
    // The server makes the list of a shared scope.
    isServer: true,
  };
  const [x, g] = [newId(), newId()];
  const plan = {
    scopes: [...new Set(steps.map(([scope]) => scope))],
    want: { rows: [], ancestors: [], siblings: [] },
    decide: () => steps.map(([scope, action]) => ({ scope, action, u: newId(), x, g })),
  };
  const refused = await user.server.services.exchange.carryOut(actor, deriveId('device', user.scope), plan);
  assert.equal(refused, null);
}

/** A list of several people, the first of them its owner, nowhere mounted. */
async function share(
  name: string,
  ...users: readonly [ApiUser, ...ApiUser[]]
): Promise<{ scope: Id; list: Id }> {
  const [owner, ...others] = users;
  const [scope, list] = [newId(), newId()];
  const { store, db } = owner.server.database;
  await store.createScope({ id: scope, kind: 'list', owner: owner.account });
  for (const { account } of others) await addMember(db, { scope, account, role: 'member' });
  const fields = { listType: 'list', name };
  await write(owner, [
    [scope, { a: 'create', id: list, type: 'list', fields, place: { parent: listsRoot(scope) } }],
  ]);
  return { scope, list };
}

const mount = (user: ApiUser, list: Id, parent: Id): readonly [Id, Action] => [
  user.scope,
  { a: 'create', id: mountId(user.scope, list), type: 'mount', fields: { of: list }, place: { parent } },
];

async function withPeople(work: (ann: ApiUser, ben: ApiUser) => Promise<void>): Promise<void> {
  const server = await createTestServer();
  try {
    await work(await enterApi(server, 'ann@example.org'), await enterApi(server, 'ben@example.org'));
  } finally {
    await server.close();
  }
}

/** The names in the order of the sidebar, indented. */
const shown = (lists: readonly ApiList[]): readonly string[] =>
  lists.map(({ name, indent_level: level }) => '  '.repeat(level) + (name || 'Inbox'));
const titles = (tasks: readonly ApiTask[]): readonly string[] => tasks.map(({ title }) => title);
const idOf = ({ id }: { readonly id: string }): Id => must(parseId(id), 'an id');

describe('shared lists in the API', () => {
  it('[SHARE-90] stand where the account has them, those without a mount at the end', async () => {
    await withPeople(async (ann, ben) => {
      const { list } = await share('Trip', ann, ben);
      const other = await share('Garden', ann, ben);
      const folder = await ben.list({ name: 'Home', list_type: 'folder' });
      await write(ben, [mount(ben, list, idOf(folder))]);
      await ben.list({ name: 'Own' });
      assert.deepEqual(shown(await ben.lists()), ['Inbox', 'Home', '  Trip', 'Own', 'Garden']);
      assert.deepEqual(shown(await ann.lists()).toSorted(), ['Garden', 'Inbox', 'Trip']);
      const trip = (await ben.lists()).find(({ id }) => id === list);
      assert.deepEqual(
        [trip?.is_shared, trip?.parent_id, trip?.collaborator_user_ids],
        [true, folder.id, [ann.account]],
      );
      const moved = (await ben.patch(`/lists/${other.list}`, { parent_id: folder.id }))['list'] as ApiList;
      assert.equal(moved.parent_id, folder.id);
      assert.deepEqual(shown(await ben.lists()), ['Inbox', 'Home', '  Trip', '  Garden', 'Own']);
      await ben.patch(`/lists/${other.list}`, { order_index: 0, parent_id: folder.id });
      assert.equal((await ann.lists()).find(({ id }) => id === other.list)?.parent_id, null, 'hers stays');
    });
  });

  it('[SHARE-86] are left behind by a folder that is deleted', async () => {
    await withPeople(async (ann, ben) => {
      const { list } = await share('Trip', ann, ben);
      const folder = await ben.list({ name: 'Home', list_type: 'folder' });
      await write(ben, [mount(ben, list, idOf(folder))]);
      assert.equal((await ben.call('DELETE', `/lists/${folder.id}`)).status, 200);
      assert.deepEqual(shown(await ben.lists()), ['Inbox', 'Trip']);
      const refused = await ben.call('DELETE', `/lists/${list}`);
      assert.equal(refused.status, 403);
      assert.match(JSON.stringify(refused.body), /Only the owner of a shared list can delete it/);
    });
  });

  it('[SHARE-91] take tasks, also from own lists and back, by the list alone', async () => {
    await withPeople(async (ann, ben) => {
      const { list, scope } = await share('Trip', ann, ben);
      const booked = await ben.task({ title: 'Book', list_id: list });
      assert.deepEqual(titles(await ann.tasks(`?list_id=${list}`)), ['Book']);
      const own = await ann.task({ title: 'Own' });
      const under = await ann.task({ title: 'Under', parent_id: own.id });
      const moved = await ann.change(own.id, { list_id: list, title: 'No longer own' });
      assert.deepEqual([moved.list_id, moved.title], [list, 'No longer own']);
      assert.deepEqual(titles(await ben.tasks(`?list_id=${list}`)).toSorted(), [
        'Book',
        'No longer own',
        'Under',
      ]);
      assert.equal((await ben.tasks()).find(({ id }) => id === under.id)?.parent_id, own.id);
      await ben.post('/tasks', { title: 'Beneath', parent_id: booked.id });
      const back = await ben.change(booked.id, { list_id: (await ben.lists())[0]?.id });
      assert.notEqual(back.list_id, list);
      assert.deepEqual(titles(await ann.tasks(`?list_id=${list}`)).toSorted(), ['No longer own', 'Under']);
      assert.equal((await ann.call('GET', `/tasks/${booked.id}`)).status, 404);
      assert.equal((await ben.tasks()).length, 4);
      await removeMember(ann.server.database.db, { scope, account: ben.account, at: 1 });
      for (const path of [`/tasks/${own.id}`, `/tasks?list_id=${list}`])
        assert.equal((await ben.call('GET', path)).status, 404, path);
      assert.equal((await ben.call('PATCH', `/tasks/${own.id}`, { title: 'x' })).status, 404);
      assert.equal((await ben.call('POST', '/tasks', { title: 'x', list_id: list })).status, 404);
      assert.deepEqual(shown(await ben.lists()), ['Inbox']);
    });
  });

  it('[SHARE-92] are read in pages over all scopes, in one order, each task once', async () => {
    await withPeople(async (ann, ben) => {
      const first = await share('Trip', ann, ben);
      const second = await share('Garden', ann, ben);
      for (let at = 0; at < 9; at += 1) {
        const list = [undefined, first.list, second.list][at % 3];
        await ann.task({ title: `t${at}`, ...(list === undefined ? {} : { list_id: list }) });
        if (at % 2 === 0) ann.server.clock.pass(1);
      }
      const all = await ann.tasks();
      const ordered = all.toSorted((a, b) =>
        a.updated_at === b.updated_at ? (a.id < b.id ? -1 : 1) : a.updated_at > b.updated_at ? -1 : 1,
      );
      assert.deepEqual(titles(all), titles(ordered));
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Answer['body'] = await ann.get(
          `/tasks?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        );
        seen.push(...titles(page['tasks'] as ApiTask[]));
        cursor = page['next_cursor'] as string | null;
      }
      assert.deepEqual(seen, titles(all));
      const read: string[] = [];
      for (let until = ''; ;) {
        const page = await ann.tasks(
          `?limit=4${until === '' ? '' : `&updated_before=${encodeURIComponent(until)}`}`,
        );
        if (page.length === 0) break;
        read.push(...titles(page));
        until = page.at(-1)?.updated_at ?? '';
      }
      assert.deepEqual(read, titles(all));
      const since = all[4]?.updated_at ?? '';
      const later = await ann.tasks(`?updated_after=${encodeURIComponent(since)}&limit=2`);
      assert.deepEqual(titles(later), titles(all.filter((task) => task.updated_at > since)).slice(0, 2));
    });
  });

  it('[SHARE-93] are copied into a list of one’s own, with own labels of the same names', async () => {
    await withPeople(async (ann, ben) => {
      const { list, scope } = await share('Trip', ann, ben);
      const label = newId();
      const parent = deriveId('labels', scope);
      await write(ann, [
        [scope, { a: 'create', id: label, type: 'label', fields: { name: 'urgent' }, place: { parent } }],
      ]);
      const task = await ben.task({ title: 'Book', list_id: list });
      await ben.task({ title: 'Tickets', parent_id: task.id });
      await write(ben, [[scope, { a: 'set', id: idOf(task), field: `label:${label}`, value: true }]]);
      const copy = (await ben.post(`/lists/${list}/duplicate`, {}))['list'] as ApiList;
      assert.deepEqual([copy.is_shared, copy.name], [false, 'Trip copy']);
      const copied = await ben.tasks(`?list_id=${copy.id}`);
      assert.deepEqual(titles(copied).toSorted(), ['Book', 'Tickets']);
      const carrier = copied.find(({ title }) => title === 'Book');
      assert.deepEqual(carrier?.label_names, ['urgent']);
      assert.notDeepEqual(carrier?.label_ids, [label]);
      assert.deepEqual(shown(await ann.lists()), ['Inbox', 'Trip'], 'nobody else sees it');
      const folder = await ben.list({ name: 'Home', list_type: 'folder' });
      await ben.patch(`/lists/${list}`, { parent_id: folder.id });
      const { warnings } = await ben.post(`/lists/${folder.id}/duplicate`, {});
      assert.deepEqual(warnings, ['Shared lists in this folder were not copied. You can copy each of them.']);
    });
  });

  it('[SHARE-98] leave their trash to their owner', async () => {
    await withPeople(async (ann, ben) => {
      const { list, scope } = await share('Trip', ann, ben);
      const task = await ben.task({ title: 'Book', list_id: list });
      await ben.call('DELETE', `/tasks/${task.id}`);
      const { store } = ann.server.database;
      const [row] = (await store.changes(scope, 0, 100)).rows.filter(({ id }) => id === task.id);
      const items = [{ id: task.id, at: must(fieldOf(row, 'del'), 'it is in the trash').at }];
      const empty = async ({ cookie }: ApiUser): Promise<unknown> => {
        const answer = await ann.server.ask('/app/api/trash', { method: 'POST', cookie, body: { items } });
        return ((await answer.json()) as Answer['body'])['removed'];
      };
      assert.deepEqual([await empty(ben), await empty(ann)], [0, 1]);
    });
  });

  it('[SHARE-94] are found by the folder that they stand in', async () => {
    await withPeople(async (ann, ben) => {
      const { list } = await share('Trip', ann, ben);
      const folder = await ben.list({ name: 'Home', list_type: 'folder' });
      await write(ben, [mount(ben, list, idOf(folder))]);
      await ben.task({ title: 'Book', list_id: list });
      assert.deepEqual(titles(await ben.tasks('?query=in:Home')), ['Book']);
      assert.deepEqual(titles(await ben.tasks('?query=in:Home/Trip')), ['Book']);
      assert.deepEqual(titles(await ann.tasks('?query=in:Trip')), ['Book']);
      await ben.patch(`/lists/${list}`, { parent_id: null });
      assert.deepEqual(titles(await ben.tasks('?query=in:Home')), []);
    });
  });
});
