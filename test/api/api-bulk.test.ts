// Several tasks made by one call of the public API, and the zone that times come with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiTask } from '#wire/api/objects.ts';
import { historyPageSchema } from '#wire/history.ts';
import { callsInEachAccount } from '../cli/each-account-contract.ts';
import { enterApi, type ApiUser } from './api-world.ts';

const [A, B, C] = [1, 2, 3].map((n) => `0190f5a2-7c1e-7d3a-9b21-00000000000${n}`) as [string, string, string];

const outline = (tasks: readonly ApiTask[]) =>
  tasks
    .toSorted((a, b) => a.order_index - b.order_index)
    .map(({ title, indent_level: level }) => '  '.repeat(level) + title);

const make = (user: ApiUser, bodies: readonly object[]) =>
  user.call('POST', '/todo_items/bulk_create', { create_bodies: bodies });

callsInEachAccount('several tasks in one call', ({ withApi }) => {
  test('[API-9] are all made or none, with what stands under them, and in their order', () =>
    withApi(async (user) => {
      await user.task({ title: 'there' });
      const bodies = [
        { id: A, title: 'a', location: 'start' },
        { id: B, title: 'a1', parent_id: A, timeless_due_at: '2026-12-01' },
        { id: C, title: 'b', location: 'start' },
      ];
      const wrong = await make(user, [...bodies, { title: 'late', parent_id: A, due_at: 'soon' }]);
      assert.deepEqual([wrong.status, wrong.body['field']], [422, 'create_bodies.3.due_at']);
      const twice = await make(user, [...bodies, { id: C, title: 'c' }]);
      assert.deepEqual([twice.status, twice.body['field']], [422, 'create_bodies.3.id']);
      const orphan = await make(user, [{ title: 'x', parent_id: C }, ...bodies]);
      assert.deepEqual([orphan.status, orphan.body['field']], [404, 'create_bodies.0.parent_id']);
      assert.deepEqual(outline(await user.tasks()), ['there']);
      const made = await make(user, bodies);
      assert.equal(made.status, 200);
      assert.deepEqual(
        (made.body['todo_items'] as ApiTask[]).map(({ id }) => id),
        [A, B, C],
      );
      assert.deepEqual(outline(await user.tasks()), ['a', '  a1', 'b', 'there']);
      // Sent again by who did not hear the answer.
      assert.equal((await make(user, bodies)).status, 200);
      assert.equal((await user.tasks()).length, 4);
      const page = await user.server.ask(`/app/api/history/${user.scope}?limit=3`, { cookie: user.cookie });
      const { entries } = historyPageSchema.parse(await page.json());
      assert.equal(new Set(entries.map(({ operation }) => operation['g'])).size, 1);
    }));

  test('[API-9] are at most 500', () =>
    withApi(async (user) => {
      const bodies = Array.from({ length: 500 }, (_, at) => ({ title: `task ${at}` }));
      assert.equal((await make(user, [...bodies, { title: 'x' }])).status, 422);
      assert.equal((await make(user, bodies)).status, 200);
      assert.equal((await user.tasks()).length, 250);
    }));

  test('[API-12] repeat at the hour of the zone they came with', () =>
    withApi(async (user) => {
      const daily = { repeat_value: 1, repeat_unit: 'days', repeat_from: 'due date' };
      // Nine in the morning in Paris; the clocks there go back on 25 October.
      const task = await user.task({
        title: 'x',
        due_at: '2026-10-24T07:00:00Z',
        time_zone: 'Europe/Paris',
        ...daily,
      });
      const done = { is_complete: true, completed_at: '2026-10-24T08:00:00Z' };
      assert.equal((await user.change(task.id, done)).due_at, '2026-10-25T08:00:00.000Z');
      const plain = await user.task({ title: 'y', due_at: '2026-10-24T07:00:00Z', ...daily });
      assert.equal((await user.change(plain.id, done)).due_at, '2026-10-25T07:00:00.000Z');
      const wrong = await user.call('POST', '/tasks', { title: 'z', time_zone: 'Mars' });
      assert.deepEqual([wrong.status, wrong.body['field']], [422, 'time_zone']);
    }));

  test('[API-9] numbers are about the order before the request, whatever changes places in it', () =>
    withApi(async (user) => {
      const made = await make(
        user,
        ['a', 'b', 'c', 'd', 'e'].map((title) => ({ title })),
      );
      const [a, b, c, d, e] = made.body['todo_items'] as ApiTask[] as [
        ApiTask,
        ApiTask,
        ApiTask,
        ApiTask,
        ApiTask,
      ];
      const change = async (bodies: readonly [ApiTask, object][]) => {
        const update_bodies = bodies.map(([{ id }, update_body]) => ({ todo_item_id: id, update_body }));
        const answer = await user.post('/todo_items/bulk_update', { update_bodies });
        return answer['warnings'];
      };
      const between = (at: number) => d.order_index + ((e.order_index - d.order_index) * at) / 4;
      await change([
        [c, { order_index: between(3) }],
        [a, { order_index: between(1) }],
        [b, { order_index: between(2) }],
      ]);
      assert.deepEqual(outline(await user.tasks()), ['d', 'a', 'b', 'c', 'e']);
      const now = new Map((await user.tasks()).map((task) => [task.title, task]));
      await change([
        [a, { ordinal: now.get('c')!.ordinal.replace(/^0/, '') }],
        [c, { ordinal: now.get('a')!.ordinal }],
        [b, { ordinal: now.get('b')!.ordinal }],
      ]);
      assert.deepEqual(outline(await user.tasks()), ['d', 'c', 'b', 'a', 'e']);
      // One and two below it to the end, as one block.
      await change([
        [d, { order_index: 1, indent_level: 0 }],
        [c, { order_index: 2, indent_level: 1 }],
        [b, { order_index: 3, indent_level: 2 }],
      ]);
      assert.deepEqual(outline(await user.tasks()), ['a', 'e', 'd', '  c', '    b']);
      // The other way round: what is below comes out, and what was above goes beneath it.
      await change([
        [d, { parent_id: b.id }],
        [c, { parent_id: null, location: 'start' }],
        [b, { parent_id: c.id }],
      ]);
      assert.deepEqual(outline(await user.tasks()), ['c', '  b', '    d', 'a', 'e']);
      const said = await change([
        [e, { parent_id: a.id, indent_level: 4, order_index: 1, location: 'start' }],
      ]);
      assert.equal((said as string[]).length, 2);
      const list = await user.list({ name: 'other' });
      await change([
        [a, { list_id: list.id }],
        [d, { list_id: list.id, parent_id: a.id }],
      ]);
      assert.deepEqual(outline(await user.tasks(`?list_id=${list.id}`)), ['a', '  e', '  d']);
    }));

  test('[API-9] go to the trash and come back, all or none, each with what is under it', () =>
    withApi(async (user) => {
      const made = await make(user, [
        { id: A, title: 'a' },
        { title: 'a1', parent_id: A },
        { id: B, title: 'b' },
      ]);
      assert.equal(made.status, 200);
      const eve = await enterApi(user.server, 'eve@example.org');
      const foreign = await eve.task({ title: 'secret' });
      const send = (what: 'delete' | 'restore', ids: readonly string[]) =>
        user.call('POST', `/todo_items/bulk_${what}`, { item_ids: ids });
      for (const no of [foreign.id, C, 'nope'])
        for (const what of ['delete', 'restore'] as const) {
          const refused = await send(what, [A, no]);
          assert.deepEqual([refused.status, refused.body['field']], [404, 'item_ids.1']);
        }
      assert.deepEqual(outline(await user.tasks()), ['a', '  a1', 'b']);
      assert.equal((await send('delete', [A, B, A])).status, 200);
      assert.deepEqual(await user.tasks(), []);
      assert.equal((await send('delete', [A])).status, 404, 'it is there no more');
      const back = await send('restore', [B, A]);
      assert.deepEqual((back.body['todo_items'] as ApiTask[]).map(({ title }) => title).toSorted(), [
        'a',
        'b',
      ]);
      assert.deepEqual(outline(await user.tasks()), ['a', '  a1', 'b']);
      assert.equal((await send('restore', [A])).status, 200, 'sent again');
      assert.equal((await send('delete', [])).status, 422);
      assert.deepEqual(
        (await eve.tasks()).map(({ title }) => title),
        ['secret'],
      );
    }));
});
