// Several tasks made by one call of the public API, and the zone that times come with.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiTask } from '#wire/api/objects.ts';
import { historyPageSchema } from '#wire/history.ts';
import { withApi, type ApiUser } from './api-world.ts';

const [A, B, C] = [1, 2, 3].map((n) => `0190f5a2-7c1e-7d3a-9b21-00000000000${n}`) as [string, string, string];

const outline = (tasks: readonly ApiTask[]) =>
  tasks
    .toSorted((a, b) => a.order_index - b.order_index)
    .map(({ title, indent_level: level }) => '  '.repeat(level) + title);

const make = (user: ApiUser, bodies: readonly object[]) =>
  user.call('POST', '/todo_items/bulk_create', { create_bodies: bodies });

describe('several tasks in one call', () => {
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
});
