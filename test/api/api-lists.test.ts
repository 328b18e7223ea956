// The calls about lists, as programs make them: folders, order, what a copy takes along.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveId, listsRoot } from '#core/ids.ts';
import type { ApiList } from '#wire/api/objects.ts';
import { callsInEachAccount } from '../cli/each-account-contract.ts';
import { type ApiUser, enterApi } from './api-world.ts';

const outlineOf = (lists: readonly ApiList[]) =>
  lists.map(({ name, indent_level: level }) => `${'  '.repeat(level)}${name}`);

async function listsWithoutInbox(
  { server, account, scope }: ApiUser,
  names: readonly string[],
): Promise<void> {
  const roles = new Map([[scope, 'owner' as const]]);
  const actor = {
    type: 'account',
    account,
    session: scope,
    kind: 'api',
    personalScope: scope,
    roles,
  } as const;
  const place = { parent: listsRoot(scope) };
  const planned = names.map((name) => {
    const id = deriveId('test', scope, name);
    const fields = { listType: 'list', name };
    return {
      scope,
      action: { a: 'create' as const, id, type: 'list' as const, fields, place },
      u: id,
      x: id,
      g: id,
    };
  });
  const want = { rows: [], ancestors: [], siblings: [] };
  const plan = { scopes: [scope], want, decide: () => planned };
  assert.equal(await server.services.exchange.carryOut(actor, deriveId('test', scope), plan), null);
}

callsInEachAccount('lists of the API', ({ withApi }) => {
  test('[API-24] a copy of a folder has its lists, and their tasks with nesting, notes, labels and every date', () =>
    withApi(async (user) => {
      const label = await user.label({ name: 'Red' });
      const folder = await user.list({ name: 'Travel', list_type: 'folder', notes: 'a\nb' });
      const list = await user.list({ name: 'Packing', parent_id: folder.id });
      const bag = await user.task({
        title: 'Bag',
        list_id: list.id,
        notes: 'the big one',
        label_ids: [label.id],
        due_at: '2026-12-01T08:00:00Z',
        timeless_starts_at: '2026-11-30',
        timeless_snoozed_until: '2026-11-25',
        duration_minutes: 15,
        metadata: { source: 'crm' },
        repeat_value: 1,
        repeat_unit: 'years',
        repeat_from: 'due date',
      });
      const socks = { title: 'Socks', list_id: list.id, parent_id: bag.id, is_complete: true };
      await user.task(socks);
      const copied = (await user.post(`/lists/${folder.id}/duplicate`, { name: 'Travel again' }))[
        'list'
      ] as ApiList;
      const lists = await user.lists();
      assert.deepEqual(outlineOf(lists), ['Inbox', 'Travel', '  Packing', 'Travel again', '  Packing']);
      assert.equal(copied.notes, 'a\nb');
      const of = lists.find(({ parent_id: parent }) => parent === copied.id)!;
      const tasks = await user.tasks(`?list_id=${of.id}`);
      const again = tasks.find(({ title }) => title === 'Bag')!;
      const child = tasks.find(({ title }) => title === 'Socks')!;
      const { id, list_id, created_at, updated_at, ordinal, order_index, ...rest } = bag;
      assert.deepEqual({ ...again, id, list_id, created_at, updated_at, ordinal, order_index }, bag);
      assert.deepEqual([rest.snooze_count, again.timeless_snoozed_until], [1, '2026-11-25']);
      assert.deepEqual([child.parent_id, child.is_complete], [again.id, true]);
      assert.equal((await user.tasks(`?list_id=${list.id}`)).length, 2, 'the original is as it was');
    }));

  test('[API-8] lists move by folder, number and level; a list is put into a folder only', () =>
    withApi(async (user) => {
      const [a, b] = [await user.list({ name: 'a' }), await user.list({ name: 'b' })];
      const folder = await user.list({ name: 'folder', list_type: 'folder' });
      const change = async (id: string, body: object) =>
        (await user.patch(`/lists/${id}`, body))['list'] as ApiList;
      assert.equal((await change(b.id, { parent_id: folder.id })).indent_level, 1);
      assert.deepEqual(outlineOf(await user.lists()), ['Inbox', 'a', 'folder', '  b']);
      await change(a.id, { order_index: 10_000_000 });
      assert.deepEqual(outlineOf(await user.lists()).slice(1), ['folder', '  b', 'a']);
      assert.equal((await change(a.id, { indent_level: 1 })).parent_id, folder.id);
      assert.equal((await change(a.id, { parent_id: null })).indent_level, 0);
      assert.equal((await user.call('PATCH', `/lists/${a.id}`, { parent_id: b.id })).status, 422);
      assert.equal((await user.call('PATCH', `/lists/${folder.id}`, { parent_id: folder.id })).status, 422);
      assert.equal((await user.call('DELETE', `/lists/${folder.id}`)).status, 200);
      assert.deepEqual(outlineOf(await user.lists()), ['Inbox', 'a']);
    }));

  test('[API-8] lists are put into an order in an account that no app has opened, and the Inbox stays as it was', () =>
    withApi(async (user) => {
      const [before] = await user.lists();
      for (const [name, index] of Object.entries({
        a: 5,
        b: 7,
        c: 8,
        d: 10,
        e: 0.9,
        f: 0,
        g: -1e308,
        h: 1e308,
      }))
        assert.equal((await user.list({ name, order_index: index })).name, name);
      const lists = await user.lists();
      assert.deepEqual(outlineOf(lists), ['g', 'f', 'Inbox', 'a', 'b', 'c', 'd', 'e', 'h']);
      const ordinals = lists.map(({ ordinal }) => ordinal);
      assert.equal(new Set(ordinals).size, ordinals.length);
      const moved = await user.patch(`/lists/${lists[8]!.id}`, {
        ordinal: `${lists[3]!.ordinal.replace(/^0/, '')}V`,
      });
      assert.ok(moved);
      assert.deepEqual(outlineOf(await user.lists()), ['g', 'f', 'Inbox', 'a', 'h', 'b', 'c', 'd', 'e']);
      const place = ({ ordinal, order_index, created_at }: ApiList) => ({ ordinal, order_index, created_at });
      assert.deepEqual(place((await user.lists())[2]!), place(before!));
    }));

  test('[API-8] the Inbox is the same before and after the first task, also where lists were there before it', () =>
    withApi(async (user) => {
      const place = ({ ordinal, order_index, created_at }: ApiList) => ({ ordinal, order_index, created_at });
      const before = place((await user.lists())[0]!);
      user.server.clock.pass(60_000);
      await user.task({ title: 'x' });
      assert.deepEqual(place((await user.lists())[0]!), before);
      // As earlier versions left it: lists, and no Inbox.
      const other = await enterApi(user.server, 'eve@example.org');
      await listsWithoutInbox(other, ['first', 'second']);
      const lists = await other.lists();
      assert.deepEqual(outlineOf(lists), ['Inbox', 'first', 'second']);
      assert.equal(new Set(lists.map(({ ordinal }) => ordinal)).size, 3);
      await other.task({ title: 'x' });
      assert.deepEqual((await other.lists()).map(place), lists.map(place));
    }));

  test('[API-2] sorting, archiving and queries are written and taken back; the Inbox stays', () =>
    withApi(async (user) => {
      const list = await user.list({ name: 'x', persistent_sort_field: 'due-date' });
      assert.deepEqual([list.persistent_sort_field, list.persistent_sort_order], ['due-date', 'asc']);
      const change = async (body: object) => (await user.patch(`/lists/${list.id}`, body))['list'] as ApiList;
      assert.equal((await change({ persistent_sort_order: 'desc' })).persistent_sort_order, 'desc');
      assert.equal((await change({ persistent_sort_field: null })).persistent_sort_order, null);
      assert.equal(
        (await change({ archived_at: '2026-11-01T00:00:00Z' })).archived_at,
        '2026-11-01T00:00:00.000Z',
      );
      assert.ok(
        (await user.lists()).some(({ id }) => id === list.id),
        'archived ones are listed',
      );
      assert.equal((await change({ archived_at: null })).archived_at, null);
      assert.equal((await user.call('PATCH', `/lists/${list.id}`, { smart_list_query: 'x' })).status, 422);
      assert.equal((await user.call('POST', '/lists', { name: 'x', list_type: 'inbox' })).status, 422);
      const [inbox] = await user.lists();
      assert.equal((await user.call('DELETE', `/lists/${inbox!.id}`)).status, 403);
      const same = await user.list({ id: list.id, name: 'not this' });
      assert.deepEqual(same, await change({}));
    }));
});
