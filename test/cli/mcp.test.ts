// The tools for agents, spoken to by the official client over a line in memory; as a process, test/process/cli.test.ts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { settingId, type Id } from '#core/ids.ts';
import { macroKey, programsRunMacros } from '#core/macros.ts';
import { historyPageSchema } from '#wire/history.ts';
import { takeAnswerSchema } from '#wire/macro-runs.ts';
import type { ApiUser } from '../api/api-world.ts';
import { Person } from '../sharing.ts';
import { type Agent, serveAgent } from './agent.ts';
import type { Desk } from './desk.ts';
import { commandsInEachAccount } from './each-account-contract.ts';

commandsInEachAccount('the server for agents', ({ open, isEncrypted }) => {
  let desk: Desk;
  let user: ApiUser;
  let onPause: () => Promise<void> = () => Promise.resolve();
  before(async () => {
    desk = await open();
    ({ user } = desk);
  });
  after(() => desk.close());

  async function tokenNamed(name: string, access: 'read' | 'write'): Promise<string> {
    const response = await user.server.ask('/app/api/tokens', {
      method: 'POST',
      cookie: user.cookie,
      body: { name, access },
    });
    return ((await response.json()) as { token: string }).token;
  }

  const withAgent = (
    { token, isReadOnly = false }: { token: string; isReadOnly?: boolean },
    work: (agent: Agent) => Promise<void>,
  ) => serveAgent({ desk, token, isReadOnly, onPause: () => onPause() }, work);

  test('[SHARE-283] agents read, write, change and delete comments', () =>
    withAgent({ token: user.token }, async ({ use, refused }) => {
      const { id } = await user.task({ title: 'Talk' });
      const { comment } = await use('add_comment', { task_id: id, text: 'Which one?' });
      const own = comment as { readonly id: string; readonly author: string };
      assert.equal(own.author, `person ${user.account}`);
      await use('update_comment', { id: own.id, text: 'This one' });
      const { comments } = await use('list_comments', { task_id: id });
      assert.deepEqual(
        (comments as readonly { readonly text: string }[]).map(({ text }) => text),
        ['This one'],
      );
      await use('delete_comment', { id: own.id });
      assert.match(await refused('delete_comment', { id: own.id }), /comment doesn't exist/);
      assert.match(await refused('add_comment', { task_id: id, text: ' ' }), /blank/);
    }));

  test('[CAL-94] agents read events, and plan, move and remove time', () =>
    withAgent({ token: user.token }, async ({ use, refused }) => {
      const { id } = await user.task({ title: 'Report' });
      const { block } = await use('add_block', { task_id: id, when: 'tomorrow 9-10:30' });
      const made = block as { readonly id: string };
      assert.deepEqual(block, {
        id: made.id,
        local_start: '2026-11-21T09:00',
        local_end: '2026-11-21T10:30',
        duration_minutes: 90,
      });
      const moved = await use('move_block', { task_id: id, id: made.id, when: '2026-11-23 14:00' });
      assert.deepEqual(moved['block'], {
        id: made.id,
        local_start: '2026-11-23T14:00',
        local_end: '2026-11-23T15:30',
        duration_minutes: 90,
      });
      assert.deepEqual((await use('list_blocks', { task_id: id }))['blocks'], [moved['block']]);
      assert.match(await refused('add_block', { task_id: id, when: 'tomorrow' }), /Add a time/);
      await use('delete_block', { task_id: id, id: made.id });
      assert.deepEqual((await use('list_blocks', { task_id: id }))['blocks'], []);
      assert.match(await refused('delete_block', { task_id: id, id: made.id }), /doesn't exist/);
      const events = await use('list_events', { from: 'mon', to: 'wed' });
      assert.deepEqual(events, {
        from: '2026-11-23',
        to: '2026-11-25',
        time_zone: 'Europe/Berlin',
        events: [],
      });
      assert.match(await refused('list_events', { from: 'whenever' }), /isn't a day/);
    }));

  test('[CLI-20] searches, reads, makes many, changes, completes and copies', () =>
    withAgent({ token: user.token }, async ({ client, use }) => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        [
          'search_tasks',
          'list_lists',
          'get_tasks',
          'add_task',
          'create_tasks',
          'update_tasks',
          'complete_tasks',
          'delete_tasks',
          'restore_tasks',
          'list_comments',
          'add_comment',
          'update_comment',
          'delete_comment',
          'list_events',
          'list_blocks',
          'add_block',
          'move_block',
          'delete_block',
          'create_list',
          'create_label',
          'duplicate_list',
          'list_macros',
          'run_macro',
        ],
      );
      for (const { name, description, inputSchema, annotations } of tools) {
        assert.ok((description ?? '').length > 20, name);
        assert.equal(inputSchema.type, 'object', name);
        assert.equal(annotations?.destructiveHint, /^delete_|^run_macro$/.test(name), name);
        assert.equal(inputSchema['additionalProperties'], false, name);
      }
      assert.match(client.getInstructions() ?? '', /never instructions/);
      await user.label({ name: 'phone', color_hex_string: '#3366ff' });
      const list = await user.list({ name: 'Trip' });
      const parent = crypto.randomUUID();
      const { tasks } = await use('create_tasks', {
        tasks: [
          { id: parent, title: 'Pack', list_id: list.id },
          { title: 'Shoes', parent_id: parent, notes: 'both', label_names: ['phone'] },
          { title: 'Ticket', list_id: list.id, timeless_due_at: '2026-11-21' },
        ],
      });
      assert.deepEqual(
        tasks.map(({ title }) => title),
        ['Pack', 'Shoes', 'Ticket'],
      );
      // What is empty, and what only programs that sync need, costs an agent nothing.
      const [, shoes] = tasks as unknown as Record<string, unknown>[];
      assert.deepEqual(Object.keys(shoes ?? {}).toSorted(), [
        'created_at',
        'id',
        'indent_level',
        'is_complete',
        'label_names',
        'list_id',
        'notes',
        'parent_id',
        'title',
        'updated_at',
      ]);
      const found = await use('search_tasks', { query: 'list:Trip has:due' });
      assert.deepEqual(
        found.tasks.map(({ title }) => title),
        ['Ticket'],
      );
      const page = await use('search_tasks', { list_id: list.id, limit: 2 });
      const rest = await use('search_tasks', { list_id: list.id, limit: 2, cursor: page['next_cursor'] });
      assert.equal(page.tasks.length + rest.tasks.length, 3);
      const lists = (await use('list_lists')) as unknown as { lists: { name: string }[]; labels: object[] };
      assert.deepEqual([lists.lists.map(({ name }) => name), lists.labels.length], [['Inbox', 'Trip'], 1]);
      const [ticket] = found.tasks;
      const changed = await use('update_tasks', {
        updates: [
          { id: parent, changes: { title: 'Pack light' } },
          { id: ticket?.id, changes: { due_at: '2026-11-21T09:00:00+01:00', time_zone: 'Europe/Paris' } },
        ],
      });
      assert.deepEqual(
        changed.tasks.map(({ title }) => title),
        ['Pack light', 'Ticket'],
      );
      const done = await use('complete_tasks', { ids: [parent, ticket?.id] });
      assert.ok(done.tasks.every((task) => task.is_complete));
      assert.equal(
        (await use('complete_tasks', { ids: [parent], is_complete: false })).tasks[0]?.is_complete,
        false,
      );
      const copy = (await use('duplicate_list', { list_id: list.id, name: 'Trip 2' })) as unknown as {
        list: { id: string; name: string };
      };
      assert.equal(copy.list.name, 'Trip 2');
      assert.equal((await use('get_tasks', { ids: [parent] })).tasks[0]?.title, 'Pack light');
    }));

  test('[CLI-20] [ENTRY-14] adds a task in the person’s words and says what it read; many stay as they are', () =>
    withAgent({ token: user.token }, async ({ use, refused }) => {
      await user.label({ name: 'call', color_hex_string: '#3366ff' });
      const list = await user.list({ name: 'Yard' });
      type Added = { task: Record<string, unknown>; read: readonly string[]; warnings?: readonly string[] };
      const add = async (input: object) => (await use('add_task', input)) as unknown as Added;
      const ann = await add({ words: 'Call Ann tomorrow 5pm for 45 min #call', notes: 'The tap' });
      assert.deepEqual(
        [ann.task['title'], ann.task['due_at'], ann.task['duration_minutes'], ann.task['notes']],
        ['Call Ann', '2026-11-21T16:00:00.000Z', 45, 'The tap'],
      );
      assert.deepEqual(ann.read, ['due Sat 21 Nov, 17:00, 45 min', '#call']);
      const diet = await add({ words: 'Hedge starting monday until 1 dec', list_id: list.id });
      assert.deepEqual(
        [diet.task['title'], diet.task['timeless_starts_at'], diet.task['timeless_due_at']],
        ['Hedge', '2026-11-23', '2026-12-01'],
      );
      assert.equal(diet.task['list_id'], list.id);
      const ben = await add({ words: 'Ask Ben until 5 dec' });
      assert.deepEqual([ben.task['title'], ben.task['timeless_snoozed_until']], ['Ask Ben', '2026-12-05']);
      const under = await add({ words: 'Shears @Inbox', parent_id: diet.task['id'] });
      assert.deepEqual([under.task['title'], under.task['parent_id']], ['Shears', diet.task['id']]);
      const kept = await add({ words: 'Read "tomorrow" tomorrow', literal: true });
      assert.deepEqual([kept.task['title'], kept.read], ['Read "tomorrow" tomorrow', []]);
      assert.deepEqual((await add({ words: 'Ask #nobody' })).warnings?.length, 1);
      assert.match(await refused('add_task', { words: ' ' }), /Type what to do/);
      const { tasks } = await use('create_tasks', { tasks: [{ title: 'Call Ben tomorrow' }] });
      assert.equal(tasks[0]?.title, 'Call Ben tomorrow');
    }));

  test('[CLI-20] moves tasks to the trash and back, all or none, and makes lists and labels', () =>
    withAgent({ token: user.token }, async ({ use, refused }) => {
      const { label } = (await use('create_label', {
        name: 'agent',
        color_hex_string: '#AA0000',
      })) as unknown as {
        label: { id: string; color_hex_string: string };
      };
      assert.equal(label.color_hex_string, '#aa0000');
      const again = await use('create_label', { name: 'agent' });
      assert.equal((again['warnings'] as string[]).length, 1);
      assert.match(await refused('create_label', { name: 'agent', strict: true }), new RegExp(label.id));
      const made = async (input: object) =>
        (await use('create_list', input))['list'] as { id: string; list_type: string };
      const folder = await made({ name: 'Agent', list_type: 'folder' });
      const list = await made({ name: 'Work', parent_id: folder.id, notes: 'here' });
      const smart = await made({ name: 'Soon', smart_list_query: 'has:due' });
      assert.deepEqual([folder.list_type, list.list_type, smart.list_type], ['folder', 'list', 'smart']);
      const parent = crypto.randomUUID();
      const { tasks } = await use('create_tasks', {
        tasks: [
          { id: parent, title: 'above', list_id: list.id, label_names: ['agent'] },
          { title: 'below', parent_id: parent },
          { title: 'beside', list_id: list.id },
        ],
      });
      const [above, below, beside] = tasks.map(({ id }) => id) as [string, string, string];
      const there = async () => (await use('search_tasks', { list_id: list.id })).tasks.length;
      assert.match(
        await refused('delete_tasks', { ids: [above, crypto.randomUUID()] }),
        /task doesn't exist/,
      );
      assert.equal(await there(), 3);
      await use('delete_tasks', { ids: [above, beside] });
      assert.equal(await there(), 0);
      assert.deepEqual((await use('get_tasks', { ids: [above, beside] }))['missing'], [above, beside]);
      assert.match(await refused('delete_tasks', { ids: [above] }), /task doesn't exist/);
      assert.match(
        await refused('restore_tasks', { ids: [above, crypto.randomUUID()] }),
        /task doesn't exist/,
      );
      assert.match(await refused('restore_tasks', { ids: [below] }), /task doesn't exist/);
      const back = await use('restore_tasks', { ids: [above, beside] });
      assert.deepEqual(
        back.tasks.map(({ title }) => title),
        ['above', 'beside'],
      );
      assert.equal(await there(), 3);
    }));

  test('[CLI-20] a key that is not known does nothing and is named, wherever it stands', () =>
    withAgent({ token: user.token }, async ({ use, refused }) => {
      const { tasks } = await use('create_tasks', { tasks: [{ title: 'there' }] });
      const before_ = await user.tasks();
      const id = tasks[0]?.id;
      for (const [name, input, named] of [
        ['create_tasks', { tasks: [{ title: 'a' }, { title: 'b', due: 'friday' }] }, 'tasks.1.due'],
        ['create_tasks', { tasks: [{ title: 'a', dueDate: 'friday' }], strict: true }, 'tasks.0.dueDate'],
        ['create_tasks', { tasks: [{ title: 'a' }], list: 'Work' }, 'list'],
        ['update_tasks', { updates: [{ id, changes: { due: 'friday' } }] }, 'updates.0.changes.due'],
        ['update_tasks', { updates: [{ id, changes: {}, title: 'x' }] }, 'updates.0.title'],
        ['complete_tasks', { ids: [id], done: false }, 'done'],
        ['delete_tasks', { ids: [id], force: true }, 'force'],
        ['search_tasks', { text: 'x' }, 'text'],
        ['list_lists', { archived: true }, 'archived'],
        ['get_tasks', { ids: [id], fields: ['title'] }, 'fields'],
        ['create_list', { name: 'x', color: 'red' }, 'color'],
        ['create_label', { name: 'x', color: 'red' }, 'color'],
      ] as const)
        assert.match(
          await refused(name, input),
          new RegExp(`"${named.replaceAll('.', '\\.')}".*Nothing was done`),
        );
      assert.deepEqual(await user.tasks(), before_);
    }));

  test('[CLI-20] a search that is not understood is an error, before anything is done with what it finds', () =>
    withAgent({ token: user.token }, async ({ refused }) => {
      assert.match(
        await refused('search_tasks', { query: 'is:complte' }),
        /At character 4, "complte": .* Try "complete"/,
      );
    }));

  test('[CLI-22] what it writes is in the history under its token, one call as one change', async () => {
    const token = await tokenNamed('Claude', 'write');
    // The Inbox is made with the first thing in it.
    await user.task({ title: 'there' });
    await withAgent({ token }, async ({ use }) => {
      const { tasks } = await use('create_tasks', {
        tasks: [{ title: 'a' }, { title: 'b' }, { title: 'c' }],
      });
      await use('complete_tasks', { ids: tasks.map(({ id }) => id) });
    });
    const ask = async (path: string) => (await user.server.ask(path, { cookie: user.cookie })).json();
    const { entries } = historyPageSchema.parse(await ask(`/app/api/history/${user.scope}?limit=6`));
    const groups = Map.groupBy(entries, ({ operation }) => operation['g']);
    assert.deepEqual(
      [...groups.values()].map((group) => group.map(({ operation }) => operation.a)),
      [Array(3).fill('complete'), Array(3).fill('create')],
    );
    const { devices } = (await ask('/app/api/devices')) as { devices: { number: number; name: string }[] };
    const authors = new Set(
      entries.map(({ device }) => devices.find(({ number }) => number === device)?.name),
    );
    assert.deepEqual([...authors], ['API: Claude']);
  });

  test('[CLI-21] for reading only it offers nothing else, and a token for reading changes nothing', async () => {
    const token = await tokenNamed('Reader', 'read');
    await withAgent({ token: user.token, isReadOnly: true }, async ({ client, use }) => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        [
          'search_tasks',
          'list_lists',
          'get_tasks',
          'list_comments',
          'list_events',
          'list_blocks',
          'list_macros',
        ],
      );
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
      await assert.rejects(use('create_tasks', { tasks: [{ title: 'x' }] }), /no tool create_tasks/);
      assert.ok((await use('search_tasks')).tasks.length > 0);
    });
    await withAgent({ token }, async ({ use, refused }) => {
      const before_ = (await user.tasks()).length;
      assert.match(await refused('create_tasks', { tasks: [{ title: 'x' }] }), /read/i);
      assert.equal((await user.tasks()).length, before_);
      assert.ok((await use('search_tasks')).tasks.length > 0);
    });
  });

  test('[CLI-20] what is wrong is named, and nothing of it is done', () =>
    withAgent({ token: user.token }, async ({ refused }) => {
      const before_ = (await user.tasks()).length;
      const title = await refused('create_tasks', { tasks: [{ title: 'fine' }, { title: ' ' }] });
      assert.match(title, /^tasks\.1\.title .*blank/);
      assert.match(await refused('create_tasks', { tasks: [] }), /^tasks/);
      assert.match(
        await refused('create_tasks', { tasks: [{ title: 'x', due_at: 'tomorrow' }] }),
        /ISO 8601/,
      );
      assert.match(
        await refused('update_tasks', { updates: [{ id: crypto.randomUUID(), changes: {} }] }),
        /doesn't exist/i,
      );
      assert.match(await refused('search_tasks', { limit: 251 }), /^limit/);
      assert.match(await refused('complete_tasks', { ids: ['x'] }), /isn't an id/);
      assert.equal((await user.tasks()).length, before_);
    }));

  test('[CLI-23] whatever is sent is answered with a result or a sentence', () =>
    withAgent({ token: user.token }, async ({ client, use }) => {
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name).filter((name) => name !== 'duplicate_list');
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...names),
          fc.dictionary(
            fc.constantFrom(
              'tasks',
              'updates',
              'ids',
              'query',
              'limit',
              'cursor',
              'list_id',
              'name',
              'notes',
            ),
            fc.jsonValue(),
          ),
          async (name, input) => {
            const { content } = await client.callTool({ name, arguments: input });
            const [part] = content as { type: string; text: string }[];
            assert.ok((part?.text ?? '').length > 0);
            assert.doesNotMatch(part?.text ?? '', /\bat .*\.ts:\d+/);
          },
        ),
        { numRuns: 200, seed: 5 },
      );
      assert.ok((await use('list_lists'))['lists']);
    }));

  test('[MACRO-42] tries a macro unless told to run it, and not at all for reading', async () => {
    if (isEncrypted) {
      await withAgent({ token: user.token }, async ({ use, refused }) => {
        assert.deepEqual((await use('list_macros'))['macros'], []);
        assert.equal(
          await refused('run_macro', { macro_id: crypto.randomUUID() }),
          'This account is encrypted, so programs can’t run its macros. Run them in the app.',
        );
      });
      return;
    }
    const { server, cookie, account, scope } = user;
    const person = new Person(server, { cookie, account, personalScope: scope });
    const id = crypto.randomUUID() as Id;
    const macro = JSON.stringify({ v: 1, name: 'Plan', steps: [], links: true });
    for (const [key, value] of [
      [programsRunMacros, true],
      [macroKey(id), macro],
    ] as const)
      await person.act({ a: 'create', id: settingId(scope, key), type: 'setting', fields: { key, value } });
    const tried: boolean[] = [];
    onPause = async () => {
      const taken = await server.ask('/app/api/macro-runs/take', { method: 'POST', cookie });
      const { run } = takeAnswerSchema.parse(await taken.json());
      if (run === null) return;
      tried.push(run.isDry);
      const body = { state: 'done', message: null, changed: 1, created: 0, deleted: 0, changes: [] };
      await server.ask(`/app/api/macro-runs/${run.id}/outcome`, { method: 'POST', cookie, body });
    };
    const token = await tokenNamed('Planner', 'write');
    await withAgent({ token }, async ({ use }) => {
      assert.deepEqual((await use('list_macros'))['macros'], [
        { id, name: 'Plan', variables: [], can_run: true },
      ]);
      const done = { state: 'done', changed: 1, created: 0, deleted: 0 };
      assert.deepEqual(await use('run_macro', { macro_id: id }), { ...done, dry_run: true });
      assert.deepEqual(await use('run_macro', { macro_id: id, dry_run: false }), { ...done, dry_run: false });
    });
    assert.deepEqual(tried, [true, false]);
    await withAgent({ token, isReadOnly: true }, async ({ client }) => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name).filter((name) => name.includes('macro')),
        ['list_macros'],
      );
    });
    onPause = () => Promise.resolve();
  });
});
