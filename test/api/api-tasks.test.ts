// The calls about tasks, as programs make them: shapes, edge rules, places, paging.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelsRoot } from '#core/ids.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import { callsInEachAccount } from '../cli/each-account-contract.ts';
import { enterApi } from './api-world.ts';
import { createTestServer } from './harness.ts';

const titles = (tasks: readonly ApiTask[]) => tasks.map(({ title }) => title);
const byOrder = (tasks: readonly ApiTask[]) =>
  titles(tasks.toSorted((a, b) => a.order_index - b.order_index));
const ID = '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77';

callsInEachAccount('tasks of the API', ({ withApi, isEncrypted }) => {
  test('[API-1] a new task goes to the end of the Inbox and has every key', () =>
    withApi(async (user) => {
      const first = await user.task({ title: 'first' });
      const [inbox] = await user.lists();
      assert.equal(inbox?.list_type, 'inbox');
      assert.equal(inbox.name, 'Inbox');
      assert.equal(first.list_id, inbox.id);
      assert.equal(first.parent_id, null);
      assert.equal(first.user_id, user.account);
      assert.deepEqual(first.metadata, {});
      assert.equal(first.notes, '');
      await user.task({ title: 'second' });
      await user.task({ title: 'before them', location: 'start' });
      assert.deepEqual(byOrder(await user.tasks()), ['before them', 'first', 'second']);
      const both = await user.get(`/api/tasks/${first.id}`);
      assert.deepEqual(both['task'], both['todo_item']);
      assert.deepEqual(both['task'], first);
    }));

  test('[API-2] a title is required, a wrong field is named, an unknown one is ignored and named', () =>
    withApi(async (user) => {
      for (const [body, field] of [
        [{}, 'title'],
        [{ title: '  ' }, 'title'],
        [{ title: 'x', location: 'middle' }, 'location'],
        [{ title: 'x', duration_minutes: 1.5 }, 'duration_minutes'],
        [{ title: 'x', due_at: 'tomorrow' }, 'due_at'],
        [{ title: 'x', due_at: '2026-11-27' }, 'due_at'],
        [{ title: 'x', timeless_due_at: '2026-02-30' }, 'timeless_due_at'],
        [{ title: 'x', metadata: { a: 1 } }, 'metadata'],
        [{ title: 'x', metadata: { a: 'x'.repeat(1_020) } }, 'metadata'],
        [{ title: 'x', id: 'no id' }, 'id'],
      ] as const) {
        const { status, body: answer } = await user.call('POST', '/tasks', body);
        assert.equal(status, 422, JSON.stringify(body));
        assert.equal(answer['code'], 'invalid');
        assert.equal(answer['field'], field, JSON.stringify(answer));
        assert.match(String(answer['message']), new RegExp(`"${field}"`));
        assert.equal(answer['error'], answer['message']);
      }
      const { warnings } = await user.post('/tasks', { title: 'x', colour: 'red', notes: null });
      assert.deepEqual(warnings, ['"colour" isn\'t a known field, so it was ignored.']);
      const strict = await user.call('POST', '/tasks', { title: 'y', colour: 'red', strict: true });
      assert.equal(strict.status, 422);
      assert.deepEqual(titles(await user.tasks()), ['x']);
    }));

  test('[API-3] a time without an offset is in UTC; a time and a day of the same date are refused together; null clears', () =>
    withApi(async (user) => {
      const task = await user.task({
        title: 'x',
        due_at: '2026-11-27T17:00:00',
        starts_at: '2026-11-27T17:00+02:00',
      });
      assert.equal(task.due_at, '2026-11-27T17:00:00.000Z');
      assert.equal(task.starts_at, '2026-11-27T15:00:00.000Z');
      assert.equal(task.is_due_at_timeless, false);
      for (const [at, day] of [
        ['due_at', 'timeless_due_at'],
        ['starts_at', 'timeless_starts_at'],
        ['snoozed_until', 'timeless_snoozed_until'],
      ]) {
        const both = { [at!]: '2026-11-27T17:00:00Z', [day!]: '2026-11-27' };
        assert.equal((await user.call('POST', '/tasks', { title: 'x', ...both })).status, 422);
        assert.equal((await user.call('PATCH', `/tasks/${task.id}`, both)).status, 422);
      }
      const day = await user.change(task.id, { due_at: null, timeless_due_at: '2026-12-01' });
      assert.deepEqual([day.due_at, day.timeless_due_at, day.is_due_at_timeless], [null, '2026-12-01', true]);
      assert.equal(day.starts_at, task.starts_at);
      const none = await user.change(task.id, { timeless_due_at: null, starts_at: null });
      assert.deepEqual([none.timeless_due_at, none.starts_at, none.is_due_at_timeless], [null, null, false]);
      const snoozed = await user.change(task.id, { timeless_snoozed_until: '2026-12-05' });
      assert.deepEqual([snoozed.timeless_snoozed_until, snoozed.snooze_count], ['2026-12-05', 1]);
      const again = await user.change(task.id, { snoozed_until: '2026-12-06T08:00:00Z' });
      assert.deepEqual(
        [again.snoozed_until, again.timeless_snoozed_until, again.snooze_count],
        ['2026-12-06T08:00:00.000Z', null, 2],
      );
    }));

  test('[API-3] a bound of updated_at may be a day, and the plus of an offset may have become a space', () =>
    withApi(async (user) => {
      await user.task({ title: 'x' });
      for (const [query, count] of [
        ['updated_after=2026-11-20', 1],
        ['updated_after=2026-11-21', 0],
        ['updated_before=2026-11-21', 1],
        ['updated_after=2026-11-20T13:00:00+01:30', 1],
        ['updated_after=2026-11-20T14:00:00%2B01:30', 0],
        ['updated_before=', 1],
      ] as const)
        assert.equal((await user.tasks(`?${query}`)).length, count, query);
      assert.equal((await user.call('GET', '/tasks?updated_after=yesterday')).status, 422);
    }));

  test('[API-2] JSON is read whatever the request calls it; what is none is refused with what to send', () =>
    withApi(async (user) => {
      const send = async (type: string | null, raw: string) => {
        const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
        const url = 'http://localhost/api/tasks';
        const init = { method: 'POST', headers: { authorization: `Bearer ${user.token}`, ...headers } };
        // A body of bytes has no type of its own.
        const body = Buffer.from(raw);
        return (await user.server.services.app.request(url, { ...init, body })).status;
      };
      for (const type of [
        null,
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/vnd.api+json',
      ])
        assert.equal(await send(type, '{"title": "x"}'), 200, String(type));
      assert.equal(await send('application/x-www-form-urlencoded', 'title=x'), 415);
      assert.equal(await send('application/json', 'title=x'), 422);
    }));

  test('[API-4] clearing an incomplete task is an error that changes nothing; completing and clearing at once works', () =>
    withApi(async (user) => {
      const task = await user.task({ title: 'x' });
      const refused = await user.call('PATCH', `/tasks/${task.id}`, { is_cleared: true, title: 'changed' });
      assert.equal(refused.status, 422);
      assert.equal(refused.body['field'], 'is_cleared');
      assert.deepEqual((await user.get(`/tasks/${task.id}`))['task'], task);
      assert.equal((await user.call('POST', '/tasks', { title: 'y', is_cleared: true })).status, 422);
      const both = await user.change(task.id, { is_complete: true, is_cleared: true });
      assert.deepEqual([both.is_complete, both.is_cleared], [true, true]);
      assert.ok(both.completed_at !== null && both.cleared_at !== null);
      const back = await user.change(task.id, { is_cleared: false });
      assert.deepEqual(
        [back.is_complete, back.is_cleared, back.completed_at],
        [true, false, both.completed_at],
      );
      const open = await user.change(task.id, { is_complete: false });
      assert.deepEqual([open.is_complete, open.completed_at], [false, null]);
      const made = await user.task({
        title: 'done',
        is_complete: true,
        completed_at: '2026-01-01T00:00:00Z',
      });
      assert.equal(made.completed_at, '2026-01-01T00:00:00.000Z');
    }));

  test('[API-5] ids of labels go before names; names match letter by letter, and what is unknown is named', () =>
    withApi(async (user) => {
      const work = await user.label({ name: 'Work', color_hex_string: '#3366FF' });
      const home = await user.label({ name: ' home ' });
      assert.equal(work.color_hex_string, '#3366ff');
      const body = await user.post('/tasks', { title: 'x', label_names: ['Work', 'work', 'home'] });
      const task = body['task'] as ApiTask;
      assert.deepEqual(task.label_ids, [work.id]);
      assert.deepEqual(body['warnings'], [
        'There\'s no label named "work".',
        'There\'s no label named "home".',
      ]);
      assert.equal(
        (await user.call('POST', '/tasks', { title: 'y', label_names: ['no'], strict: true })).status,
        422,
      );
      const ids = await user.change(task.id, { label_ids: [home.id], label_names: ['Work'] });
      assert.deepEqual(ids.label_names, [' home ']);
      const added = await user.change(task.id, {
        add_label_names: ['Work'],
        remove_label_ids: [home.id],
        remove_label_names: ['Work'],
      });
      assert.deepEqual(added.label_names, ['Work']);
      const mixed = await user.change(task.id, {
        add_label_ids: [home.id.toUpperCase()],
        add_label_names: ['nothing'],
      });
      assert.deepEqual(mixed.label_ids, [work.id, home.id]);
      assert.deepEqual((await user.change(task.id, { label_ids: [] })).label_ids, []);
      assert.equal((await user.call('DELETE', `/labels/${work.id}`)).status, 200);
      assert.deepEqual((await user.get('/labels'))['labels'], [home]);
    }));

  test('[API-6] a client may give the id; the same one again is the same task, anything else with it a conflict', () =>
    withApi(async (user) => {
      const task = await user.task({ id: ID.toUpperCase(), title: 'x' });
      assert.equal(task.id, ID);
      const again = await user.task({ id: ID, title: 'not this' });
      assert.deepEqual(again, task);
      const [one, other] = await Promise.all(
        ['a', 'b'].map((title) => user.task({ id: ID.replace('0', '1'), title })),
      );
      assert.equal(one?.title, other?.title);
      assert.equal((await user.call('POST', '/labels', { id: ID, name: 'x' })).status, 409);
      const stranger = await enterApi(user.server, 'eve@example.org');
      const stolen = await stranger.call('POST', '/tasks', { id: ID, title: 'mine now' });
      assert.deepEqual([stolen.status, stolen.body['code']], [409, 'conflict']);
      assert.equal((await user.call('DELETE', `/tasks/${ID}`)).status, 200);
      assert.equal((await user.call('POST', '/tasks', { id: ID, title: 'again' })).status, 409);
    }));

  test('[API-6] the id of what others are under, a list or the top of lists or labels, is a conflict wherever it would go', () =>
    withApi(async (user) => {
      const task = await user.task({ title: 'x' });
      const list = await user.list({ name: 'y' });
      const before = [await user.tasks(), await user.lists()];
      const places = [{}, { ordinal: '1' }, { order_index: 1 }, { indent_level: 1, ordinal: '1' }];
      for (const id of [user.scope, labelsRoot(user.scope), list.id, task.list_id])
        for (const place of places) {
          const item = { id, title: 'a', ...place };
          const calls: [path: string, body: object][] = [
            ['/tasks', item],
            ['/tasks', { ...item, list_id: list.id }],
            ['/todo_items/bulk_create', { create_bodies: [item] }],
            ['/labels', { id, name: 'a' }],
          ];
          // A list of this id is the same list again.
          if (id !== list.id && id !== task.list_id) calls.push(['/lists', { id, name: 'a', ...place }]);
          for (const [path, body] of calls) {
            const { status, body: said } = await user.call('POST', path, body);
            assert.deepEqual([status, said['code']], [409, 'conflict'], `${path} ${JSON.stringify(body)}`);
          }
        }
      assert.deepEqual([await user.tasks(), await user.lists()], before);
    }));

  test('[API-7] what is unknown, in the trash or somebody else’s answers 404, all alike', () =>
    withApi(async (user) => {
      const stranger = await enterApi(user.server, 'eve@example.org');
      const [foreign, gone] = [await stranger.task({ title: 'x' }), await user.task({ title: 'y' })];
      const child = await user.task({ title: 'z', parent_id: gone.id });
      await user.call('DELETE', `/tasks/${gone.id}`);
      const bodies: unknown[] = [];
      for (const id of [ID, foreign.id, gone.id, child.id, 'nonsense'])
        for (const [method, body] of [['GET'], ['PATCH', { title: 'mine' }], ['DELETE']] as const) {
          const answer = await user.call(method, `/tasks/${id}`, body);
          assert.equal(answer.status, 404, `${method} ${id}`);
          bodies.push(answer.body);
        }
      assert.equal(new Set(bodies.map((body) => JSON.stringify(body))).size, 1);
      assert.equal((await user.call('POST', '/tasks', { title: 'x', list_id: foreign.list_id })).status, 404);
      assert.equal((await user.call('POST', '/tasks', { title: 'x', parent_id: foreign.id })).status, 404);
      const items = await user.get(`/todo_items/with_ids?item_ids=${ID},${foreign.id},${gone.id}`);
      assert.deepEqual(items['todo_items'], []);
      assert.deepEqual(await user.tasks(), []);
    }));

  test('[API-8] tasks move by list, parent, number and level, and sending back what was given moves nothing', () =>
    withApi(async (user) => {
      const list = await user.list({ name: 'Plans' });
      const made: ApiTask[] = [];
      for (const title of ['a', 'b', 'c']) made.push(await user.task({ title, list_id: list.id }));
      const [a, b, c] = made as [ApiTask, ApiTask, ApiTask];
      const first = await user.change(c.id, { ordinal: '0.0' });
      assert.deepEqual(byOrder(await user.tasks(`?list_id=${list.id}`)), ['c', 'a', 'b']);
      assert.deepEqual(await user.change(c.id, { ...first }), first);
      const nested = await user.change(b.id, { indent_level: 1 });
      assert.deepEqual([nested.parent_id, nested.indent_level, nested.list_id], [a.id, 1, list.id]);
      assert.deepEqual(await user.change(b.id, { ...nested }), nested);
      const out = await user.change(b.id, { parent_id: null });
      assert.deepEqual([out.parent_id, out.indent_level], [null, 0]);
      const index = await user.change(b.id, { order_index: first.order_index });
      assert.deepEqual(
        byOrder(await user.tasks(`?list_id=${list.id}`)),
        ['c', 'b', 'a'],
        JSON.stringify(index),
      );
      assert.equal((await user.call('PATCH', `/tasks/${a.id}`, { parent_id: a.id })).status, 422);
      await user.change(b.id, { parent_id: a.id });
      assert.equal((await user.call('PATCH', `/tasks/${a.id}`, { parent_id: b.id })).status, 422);
      const folder = await user.list({ name: 'Folder', list_type: 'folder' });
      assert.equal((await user.call('PATCH', `/tasks/${a.id}`, { list_id: folder.id })).status, 422);
      const inbox = (await user.lists())[0]!;
      const moved = await user.change(a.id, { list_id: inbox.id });
      assert.equal(moved.list_id, inbox.id);
      assert.deepEqual(
        titles(await user.tasks(`?list_id=${inbox.id}`)).toSorted(),
        ['a', 'b'],
        'what hangs under it goes along',
      );
    }));

  test('[API-9] several changes are all made or none', () =>
    withApi(async (user) => {
      const list = await user.list({ name: 'Plans' });
      const made: ApiTask[] = [];
      for (const title of ['a', 'b', 'c']) made.push(await user.task({ title, list_id: list.id }));
      const bodies = (change: object) => made.map(({ id }) => ({ todo_item_id: id, update_body: change }));
      const wrong = [
        ...bodies({ title: 'x' }),
        { todo_item_id: made[0]!.id, update_body: { is_cleared: true } },
      ];
      const refused = await user.call('POST', '/todo_items/bulk_update', {
        client_id: 'c',
        update_bodies: wrong,
      });
      assert.equal(refused.status, 422);
      assert.equal(refused.body['field'], 'update_bodies.3.update_body.is_cleared');
      const unknown = [...bodies({ title: 'x' }), { todo_item_id: ID, update_body: {} }];
      assert.equal(
        (await user.call('POST', '/todo_items/bulk_update', { update_bodies: unknown })).status,
        404,
      );
      assert.deepEqual(titles(await user.tasks()).toSorted(), ['a', 'b', 'c']);
      const levels = made.map(({ id }, level) => ({
        todo_item_id: id,
        update_body: { indent_level: level, title: `${level}` },
      }));
      const body = await user.post('/todo_items/bulk_update', { client_id: 'c', update_bodies: levels });
      const tasks = body['updated_todo_items'] as ApiTask[];
      assert.deepEqual(
        tasks.map(({ title, indent_level: level, parent_id: parent }) => [title, level, parent]),
        [
          ['0', 0, null],
          ['1', 1, made[0]!.id],
          ['2', 2, made[1]!.id],
        ],
      );
      const done = await user.post('/todo_items/bulk_update', {
        update_bodies: bodies({ completed_at: '2026-11-20T12:00:00Z', cleared_at: '2026-11-20T12:00:00Z' }),
      });
      assert.ok(
        (done['updated_todo_items'] as ApiTask[]).every((task) => task.is_complete && task.is_cleared),
      );
    }));

  test('[API-10] pages go from the latest change on; what is written meanwhile makes nothing come twice or be left out', () =>
    withApi(async (user) => {
      const made: string[] = [];
      for (let at = 0; at < 57; at += 1) made.push((await user.task({ title: `task ${at}` })).id);
      const seen: string[] = [];
      const touched = new Set<string>();
      let path: string | null = '/tasks?limit=10';
      while (path !== null) {
        const page = await user.get(path);
        seen.push(...(page['tasks'] as ApiTask[]).map(({ id }) => id));
        const next = page['next_cursor'] as string | null;
        path = next === null ? null : `/tasks?limit=10&cursor=${next}`;
        // One that was read, one that was not: both come to the front, before the cursor.
        for (const id of [seen.at(-1)!, made[seen.length % made.length]!]) {
          await user.change(id, { title: `touched ${seen.length}` });
          touched.add(id);
        }
        await user.task({ title: 'new' });
      }
      assert.equal(new Set(seen).size, seen.length, 'nothing twice');
      const untouched = made.filter((id) => !touched.has(id));
      assert.deepEqual(
        untouched.filter((id) => !seen.includes(id)),
        [],
      );
      const all = await user.tasks();
      const times = all.map((task) => task.updated_at);
      assert.deepEqual(times, times.toSorted().toReversed());
      assert.equal(new Set(times).size, times.length, 'strictly');
      const middle = all[20]!;
      const [later, earlier] = [
        await user.tasks(`?updated_after=${middle.updated_at}`),
        await user.tasks(`?updated_before=${middle.updated_at}`),
      ];
      assert.deepEqual([...later, middle, ...earlier], all);
      assert.equal((await user.call('GET', '/tasks?cursor=abc')).status, 422);
      assert.equal((await user.call('GET', '/tasks?limit=251')).status, 422);
    }));

  test('[API-11] status and list choose; a folder’s tasks are those of its lists; a smart list’s are what it finds', () =>
    withApi(async (user) => {
      const folder = await user.list({ name: 'Folder', list_type: 'folder' });
      const list = await user.list({ name: 'Inside', parent_id: folder.id });
      const smart = await user.list({ name: 'Soon', list_type: 'smart', smart_list_query: 'has:due' });
      assert.deepEqual([smart.list_type, smart.smart_list_query], ['smart', 'has:due']);
      await user.task({ title: 'due', timeless_due_at: '2026-12-01' });
      await user.task({ title: 'inside', list_id: list.id, timeless_due_at: '2026-12-02' });
      const plain = await user.task({ title: 'plain', list_id: list.id });
      await user.change(plain.id, { is_complete: true });
      assert.deepEqual(titles(await user.tasks(`?list_id=${smart.id}`)), ['inside', 'due']);
      assert.deepEqual(titles(await user.tasks(`?list_id=${folder.id}`)), ['plain', 'inside']);
      assert.deepEqual(titles(await user.tasks(`?list_id=${folder.id}&status=incomplete`)), ['inside']);
      assert.deepEqual(titles(await user.tasks('?status=complete')), ['plain']);
      assert.deepEqual(titles(await user.tasks(`?query=${encodeURIComponent('in:Inside has:due')}`)), [
        'inside',
      ]);
      assert.deepEqual(
        titles(await user.tasks(`?query=${encodeURIComponent('sort:alphabetically has:due')}`)),
        ['due', 'inside'],
      );
      const odd = await user.call('GET', '/tasks?query=colour:red');
      assert.deepEqual([odd.status, odd.body['field']], [422, 'query']);
      await user.change(plain.id, { is_complete: false, timeless_due_at: '2026-12-03' });
      assert.equal((await user.tasks(`?list_id=${smart.id}`)).length, 3, 'what changed is found anew');
      assert.equal((await user.call('POST', '/tasks', { title: 'x', list_id: smart.id })).status, 422);
    }));

  test('[API-12] a repeating task that is completed comes again', () =>
    withApi(async (user) => {
      const task = await user.task({
        title: 'water',
        timeless_due_at: '2026-11-20',
        repeat_value: 1,
        repeat_unit: 'weeks',
        repeat_from: 'due date',
      });
      assert.deepEqual([task.repeat_value, task.repeat_unit, task.repeat_from], [1, 'weeks', 'due date']);
      const child = await user.task({ title: 'fill the can', parent_id: task.id, is_complete: true });
      const next = await user.change(task.id, { is_complete: true });
      assert.deepEqual([next.is_complete, next.timeless_due_at], [false, '2026-11-27']);
      assert.equal(((await user.get(`/tasks/${child.id}`))['task'] as ApiTask).is_complete, false);
      assert.equal((await user.change(task.id, { repeat_value: null, repeat_unit: null })).repeat_unit, null);
      assert.equal((await user.call('PATCH', `/tasks/${task.id}`, { repeat_value: 2 })).status, 422);
    }));

  test('[API-22] what was completed of a repeating task is listed as complete, with the dates it had', () =>
    withApi(async (user) => {
      const list = await user.list({ name: 'Home' });
      const task = await user.task({
        title: 'water',
        list_id: list.id,
        timeless_due_at: '2026-11-20',
        repeat_value: 1,
        repeat_unit: 'weeks',
        repeat_from: 'due date',
      });
      await user.change(task.id, { is_complete: true });
      await user.change(task.id, { title: 'water them', is_complete: true });
      const done = ['2026-11-27', '2026-11-20'];
      for (const query of [
        'status=complete',
        `status=complete&list_id=${list.id}`,
        `query=${encodeURIComponent('is:complete')}`,
      ]) {
        const found = await user.tasks(`?${query}`);
        assert.deepEqual(
          found.map((each) => each.timeless_due_at),
          done,
          query,
        );
        assert.ok(found.every((each) => each.is_complete && each.completed_at && each.list_id === list.id));
        assert.ok(found.every((each) => each.id !== task.id && each.repeat_unit === null));
      }
      assert.deepEqual(
        (await user.tasks('?status=complete')).map(({ title }) => title),
        ['water them', 'water'],
      );
      const [first] = await user.tasks('?status=complete&limit=1');
      const page = await user.get('/tasks?status=complete&limit=1');
      const rest = await user.get(`/tasks?status=complete&limit=1&cursor=${String(page['next_cursor'])}`);
      assert.notEqual((rest['tasks'] as ApiTask[])[0]?.id, first?.id);
      assert.deepEqual(
        (await user.tasks('?status=incomplete')).map(({ id }) => id),
        [task.id],
      );
      assert.deepEqual(
        (await user.tasks()).map(({ id }) => id),
        [task.id],
      );
      assert.equal((await user.call('PATCH', `/tasks/${first?.id}`, { title: 'x' })).status, 404);
      await user.call('DELETE', `/tasks/${task.id}`);
      assert.deepEqual(await user.tasks('?status=complete'), [], 'gone with their task');
    }));

  test('[API-13] metadata is replaced as a whole, with names that are only data', () =>
    withApi(async (user) => {
      const odd = JSON.parse('{"__proto__": "a", "constructor": "b"}') as object;
      const task = await user.task({ title: 'x', metadata: odd });
      assert.equal(JSON.stringify(task.metadata), JSON.stringify(odd));
      const longest = { a: 'x'.repeat(1_015) };
      assert.deepEqual((await user.change(task.id, { metadata: longest })).metadata, longest);
      assert.deepEqual((await user.change(task.id, { metadata: { b: 'y'.repeat(1_015) } })).metadata, {
        b: 'y'.repeat(1_015),
      });
      assert.deepEqual((await user.change(task.id, { metadata: null })).metadata, {});
    }));

  test('[API-14] what a program writes is in the history as the program’s, and reaches open apps', () =>
    withApi(async (user) => {
      const told: unknown[] = [];
      user.server.bus.subscribe((message) => void (message.type === 'changed' && told.push(message.scope)));
      const task = await user.task({ title: 'x', notes: 'a\r\nb' });
      await user.change(task.id, { title: 'y', notes: 'c' });
      assert.ok(told.includes(user.scope));
      const path = `/app/api/history/${user.scope}?id=${task.id}`;
      const history = (await (await user.server.ask(path, { cookie: user.cookie })).json()) as {
        entries: { device: number; version: number; operation: { a: string; g: string } }[];
      };
      assert.deepEqual(
        history.entries.map(({ operation }) => operation.a),
        // Where devices alone can merge notes, they are edited as devices do it.
        [isEncrypted ? 'note' : 'set', 'set', 'create'],
      );
      assert.equal(history.entries[0]?.version, history.entries[1]?.version, 'one change');
      const devices = (await (await user.server.ask('/app/api/devices', { cookie: user.cookie })).json()) as {
        devices: { number: number; name: string | null; kind: string }[];
      };
      const device = devices.devices.find(({ number }) => number === history.entries[0]?.device);
      assert.deepEqual([device?.kind, device?.name], ['api', 'API']);
    }));
});

describe('a token of the API', () => {
  test('[API-15] reading is not writing, and a cookie is no token', async () => {
    const server = await createTestServer();
    const user = await enterApi(server);
    const { token } = await server.services.sessions.open({
      account: user.account,
      kind: 'api',
      userAgent: '',
      access: 'read',
    });
    const task = await user.task({ title: 'x' });
    assert.equal((await user.call('GET', `/tasks/${task.id}`, undefined, { bearer: token })).status, 200);
    const refused = await user.call('PATCH', `/tasks/${task.id}`, { title: 'y' }, { bearer: token });
    assert.deepEqual([refused.status, refused.body['code']], [403, 'forbidden']);
    const withCookie = await server.ask('/tasks', { cookie: user.cookie });
    assert.equal(withCookie.status, 401);
    await server.close();
  });
});
