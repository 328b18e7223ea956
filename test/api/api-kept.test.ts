// Lists that are asked for again and again: whatever a task shows changes with what it is made of, also what is kept of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiTask } from '#wire/api/objects.ts';
import { withApi } from './api-world.ts';

describe('a list that is asked for again', () => {
  test('shows each task as it is by then', () =>
    withApi(async (user) => {
      const label = await user.label({ name: 'Work' });
      const list = await user.list({ name: 'Garden' });
      const parent = await user.task({ title: 'Beds', list_id: list.id });
      const task = await user.task({ title: 'Seeds', parent_id: parent.id, label_names: ['Work'] });
      const shown = async (): Promise<ApiTask | undefined> => {
        const listed = (await user.tasks()).find(({ id }) => id === task.id);
        const again = (await user.tasks()).find(({ id }) => id === task.id);
        assert.deepEqual(again, listed);
        const alone = await user.call('GET', `/tasks/${task.id}`);
        assert.deepEqual(listed, alone.status === 404 ? undefined : alone.body['task']);
        return listed;
      };
      assert.equal((await shown())?.title, 'Seeds');
      await user.change(task.id, { title: 'Bulbs' });
      assert.equal((await shown())?.title, 'Bulbs');
      await user.change(task.id, { timeless_snoozed_until: '2030-01-01' });
      assert.equal((await shown())?.timeless_snoozed_until, '2030-01-01');
      await user.post(`/tasks/${task.id}/comments`, { text: 'Which?' });
      assert.equal((await shown())?.comment_count, 1);
      await user.patch(`/labels/${label.id}`, { name: 'Spring' });
      assert.deepEqual((await shown())?.label_names, ['Spring']);
      const before = (await shown())?.ordinal;
      await user.change(parent.id, { parent_id: (await user.task({ title: 'Above', list_id: list.id })).id });
      const moved = await shown();
      assert.equal(moved?.indent_level, 2);
      assert.notEqual(moved.ordinal, before);
      await user.call('DELETE', `/tasks/${parent.id}`);
      assert.equal(await shown(), undefined);
    }));
});
