// Thousands of tasks of three programs come in by the command line (test/import/thousands.ts): what the server then has is compared with
// what was made, field by field, and one undo takes it back.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import type { ApiTask } from '#wire/api/objects.ts';
import { thousands, type Made } from '../import/thousands.ts';
import { createDesk, type Desk } from './desk.ts';

/** What is chosen: a file, or the folder of several. */
function written(desk: Desk, { files }: Made): string {
  for (const [name, content] of files) {
    mkdirSync(dirname(join(desk.folder, name)), { recursive: true });
    writeFileSync(join(desk.folder, name), content);
  }
  const [[first] = ['']] = files;
  return files.length > 1 ? dirname(first) : first;
}

/** Of all pages. */
async function allTasks({ user }: Desk): Promise<readonly ApiTask[]> {
  const found: ApiTask[] = [];
  let more = '';
  do {
    const page = await user.get(`/tasks?limit=250${more}`);
    found.push(...(page['tasks'] as ApiTask[]));
    const next = page['next_cursor'] as string | null;
    more = next === null ? '' : `&cursor=${next}`;
  } while (more !== '');
  return found;
}

async function compare(desk: Desk, { wanted }: Made): Promise<void> {
  const tasks = await allTasks(desk);
  assert.equal(tasks.length, wanted.length, 'as many tasks as were made');
  const lists = new Map((await desk.user.lists()).map(({ id, name }) => [id, name]));
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const byTitle = new Map(tasks.map((task) => [task.title, task]));
  for (const each of wanted) {
    const task = byTitle.get(each.title);
    assert.ok(task, each.title);
    const said = {
      under: task.parent_id === null ? lists.get(task.list_id) : titles.get(task.parent_id),
      due: task.timeless_due_at,
      isDone: task.is_complete,
      labels: task.label_names.toSorted(),
    };
    const { under, due, isDone, labels } = each;
    assert.deepEqual(said, { under, due, isDone, labels: labels.toSorted() }, each.title);
    if (each.notes === null) assert.equal(task.notes, '', each.title);
    else assert.match(task.notes, each.notes, each.title);
  }
}

describe('files of strangers by the command line', () => {
  for (const [name, make] of Object.entries(thousands))
    test(`[IMPORT-118] ${name} with thousands of tasks comes as it was made, and leaves by one undo`, async (t) => {
      const desk = await createDesk();
      t.after(() => desk.close());
      const made = make();
      const chosen = written(desk, made);
      const dry = await desk.good('import', chosen, '--dry-run');
      assert.match(dry, new RegExp(`${made.wanted.length.toLocaleString('en-US')} new tasks\\.`));
      assert.deepEqual(await allTasks(desk), []);
      const { undo } = await desk.json<{ readonly undo: string | null }>('import', chosen);
      await compare(desk, made);
      await desk.good('import', '--undo', undo ?? '');
      assert.deepEqual(await allTasks(desk), []);
    });
});
