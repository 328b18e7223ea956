// The recipes of the guide to phones: every request exactly as it is printed, sent to a server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { ApiTask } from '#wire/api/objects.ts';
import { enterApi, type ApiUser } from '../api/api-world.ts';
import { createTestServer } from '../api/harness.ts';

const ORIGIN = 'https://tasks.example';

interface Recipe {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

function recipesOf(guide: string): readonly Recipe[] {
  return [...guide.matchAll(/```http\n([\s\S]*?)```/g)].map(([, text = '']) => {
    const [head = '', ...rest] = text.trimEnd().split('\n\n');
    const [line = '', ...headers] = head.split('\n');
    const [method = '', url = '', ...more] = line.split(' ');
    assert.deepEqual(more, [], line);
    return {
      method,
      url,
      headers: Object.fromEntries(headers.map((header) => header.split(': ', 2))) as Record<string, string>,
      body: rest.length === 0 ? null : rest.join('\n\n'),
    };
  });
}

describe('recipes for phones', () => {
  let user: ApiUser;
  before(async () => {
    user = await enterApi(await createTestServer());
    await user.label({ name: 'Errands', color_hex_string: '#3366ff' });
  });
  after(() => user.server.close());

  test('[CLI-24] do what the guide says, one after the other', async () => {
    const guide = readFileSync(new URL('../../src/site/guides/mobile.md', import.meta.url), 'utf8');
    const recipes = recipesOf(guide.replaceAll('%ORIGIN%', ORIGIN).replaceAll('$TOKEN', user.token));
    const made: ApiTask[] = [];
    let heard: readonly ApiTask[] = [];
    for (const { method, url, headers, body } of recipes) {
      const path = url.replace('$TASK', heard[0]?.id ?? 'unknown').replace(ORIGIN, '');
      const response = await user.server.services.app.request(path, {
        method,
        headers,
        ...(body === null ? {} : { body }),
      });
      const answer = (await response.json()) as {
        success: boolean;
        warnings?: unknown;
        task?: ApiTask;
        todo_items?: ApiTask[];
        tasks?: ApiTask[];
      };
      assert.deepEqual(
        [response.status, answer.success, answer.warnings],
        [200, true, undefined],
        `${method} ${url}`,
      );
      if (method === 'POST') made.push(...(answer.todo_items ?? [answer.task!]));
      if (method === 'GET') heard = answer.tasks ?? [];
      // What is heard is due: the day of the recipes comes while they are read.
      if (made.length === 3) user.server.clock.setWall(Date.UTC(2026, 11, 1, 12));
      if (method === 'PATCH') assert.equal(answer.task?.is_complete, true);
    }
    assert.deepEqual(
      made.map(({ title }) => title),
      ['Buy milk', 'Return the books', 'Take the medicine', 'Bread', 'Butter', 'Jam'],
    );
    assert.deepEqual(
      [made[1]?.timeless_due_at, made[1]?.label_names, made[1]?.notes],
      ['2026-12-01', ['Errands'], 'Second floor'],
    );
    assert.deepEqual([made[2]?.due_at, made[2]?.repeat_unit], ['2026-12-01T07:00:00.000Z', 'days']);
    assert.deepEqual(heard.map(({ title }) => title).toSorted(), ['Return the books', 'Take the medicine']);
    const kinds = recipes.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
    assert.deepEqual(kinds, [
      'POST /api/tasks',
      'POST /api/tasks',
      'POST /api/tasks',
      'POST /api/todo_items/bulk_create',
      'GET /api/tasks',
      'PATCH /api/tasks/$TASK',
    ]);
  });

  test('[CLI-24] samples of the command line in the guides are commands there are', async () => {
    const { commands } = await import('#cli/registry.ts');
    const known = new Set(commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
    const pages = ['src/site/guides/api.md', 'src/site/guides/url-handlers.md', 'docs/cli.md'];
    for (const page of pages) {
      const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
      const named = [...text.matchAll(/(?:`|^|<\()posthaste ([a-z]+)/gm)].map(([, name = '']) => name);
      assert.ok(named.length > 0, page);
      assert.deepEqual(
        named.filter((name) => !known.has(name)),
        [],
        page,
      );
    }
  });
});
