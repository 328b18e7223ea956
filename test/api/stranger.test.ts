// A program by somebody who has read the description of the API and nothing else: plain fetch over a real port, shapes
// written down by hand, no module of this repository. What it relies on has to go on working as it stands.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

type Json = Record<string, unknown>;

interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,}Z$/;

const isText = (value: unknown) => typeof value === 'string';
const isWhole = (value: unknown) => Number.isInteger(value);
const isNumber = (value: unknown) => typeof value === 'number';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isId = (value: unknown) => isText(value) && UUID.test(value as string);
const isTime = (value: unknown) => isText(value) && TIME.test(value as string);
const isDay = (value: unknown) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value as string);
const isOrdinal = (value: unknown) =>
  isText(value) && /^[0-9a-zA-Z]+(\.[0-9a-zA-Z]*)?$/.test(value as string);
const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isColor = (value: unknown) => isText(value) && /^#[0-9a-f]{6}$/i.test(value as string);

type Check = (value: unknown) => boolean;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const ATTACHMENT: Record<string, Check> = {
  id: isId,
  name: isText,
  todo_item_id: isId,
  file_type: isText,
  file_size_in_bytes: isWhole,
  encrypted: (value) => typeof value === 'boolean',
  url: isText,
  user_id: isWhole,
  order_index: isWhole,
  created_at: isTime,
  updated_at: isTime,
  todo_item_deleted_at: (value) => value === null,
};
const TASK: Record<string, Check> = {
  id: isId,
  title: isText,
  notes: isText,
  list_id: isId,
  parent_id: orNull(isId),
  user_id: isWhole,
  order_index: isNumber,
  ordinal: isOrdinal,
  indent_level: isWhole,
  label_ids: listOf(isId),
  label_names: listOf(isText),
  todo_item_attachments: listOf((value) => matches(value, ATTACHMENT)),
  snooze_count: isWhole,
  is_complete: isFlag,
  is_cleared: isFlag,
  completed_at: orNull(isTime),
  cleared_at: orNull(isTime),
  due_at: orNull(isTime),
  starts_at: orNull(isTime),
  snoozed_until: orNull(isTime),
  bookmarked_at: orNull(isTime),
  notified_at: orNull(isTime),
  timeless_due_at: orNull(isDay),
  timeless_starts_at: orNull(isDay),
  timeless_snoozed_until: orNull(isDay),
  is_due_at_timeless: isFlag,
  is_starts_at_timeless: isFlag,
  is_snoozed_until_timeless: isFlag,
  duration_minutes: orNull(isWhole),
  repeat_value: orNull(isWhole),
  repeat_unit: orNull(isText),
  repeat_unit_metadata: orNull(isMap),
  repeat_from: orNull(isText),
  metadata: isMap,
  encrypted: isFlag,
  created_at: isTime,
  updated_at: isTime,
};
const LIST: Record<string, Check> = {
  id: isId,
  user_id: isWhole,
  name: isText,
  list_type: (value) => ['list', 'folder', 'inbox', 'smart'].includes(value as string),
  indent_level: isWhole,
  parent_id: orNull(isId),
  order_index: isNumber,
  ordinal: isOrdinal,
  smart_list_query: orNull(isText),
  persistent_sort_field: orNull(isText),
  persistent_sort_order: orNull(isText),
  encrypted: isFlag,
  collaborator_user_ids: listOf(isWhole),
  is_shared: isFlag,
  email_address: isText,
  notes: isText,
  archived_at: orNull(isTime),
  created_at: isTime,
  updated_at: isTime,
};
const LABEL: Record<string, Check> = {
  id: isId,
  name: isText,
  color_hex_string: isColor,
  user_id: isWhole,
  label_group_id: orNull(isId),
  associated_shared_list_id: orNull(isId),
  encrypted: isFlag,
  created_at: isTime,
  updated_at: isTime,
  deleted_at: orNull(isTime),
};

function matches(value: unknown, shape: Record<string, Check>): boolean {
  assert.ok(isMap(value), JSON.stringify(value));
  for (const [key, check] of Object.entries(shape))
    assert.ok(check((value as Json)[key]), `${key} of ${JSON.stringify(value)}`);
  return true;
}

/** One program: where it calls, and with which token. */
class Program {
  readonly base: string;
  token = '';

  constructor(base: string) {
    this.base = base;
  }

  async send(method: string, path: string, body?: unknown, headers: Json = {}): Promise<Reply> {
    const response = await fetch(this.base + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(this.token === '' ? {} : { Authorization: `Bearer ${this.token}` }),
        ...(headers as Record<string, string>),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const read = (await response.json()) as Json;
    if (response.ok) assert.equal(read['success'], true, `${method} ${path}`);
    else {
      assert.equal(read['success'], false, `${method} ${path}`);
      assert.ok(isText(read['error']) && read['error'] !== '');
      assert.equal(read['message'], read['error']);
      assert.ok(isText(read['code']) && read['code'] !== '');
    }
    return { status: response.status, body: read, headers: response.headers };
  }

  async good(method: string, path: string, body?: unknown): Promise<Json> {
    const { status, body: read } = await this.send(method, path, body);
    assert.equal(status, 200, `${method} ${path}: ${JSON.stringify(read)}`);
    return read;
  }

  async task(method: string, path: string, body?: unknown): Promise<Json> {
    const read = await this.good(method, path, body);
    assert.deepEqual(read['todo_item'], read['task']);
    assert.ok(matches(read['task'], TASK));
    return read['task'] as Json;
  }

  async list(method: string, path: string, body?: unknown): Promise<Json> {
    const { list } = await this.good(method, path, body);
    assert.ok(matches(list, LIST));
    return list as Json;
  }

  async page(query = ''): Promise<{ tasks: Json[]; lists: Json[]; labels: Json[] }> {
    const { tasks, lists, labels } = (await this.good('GET', `/tasks${query}`)) as Record<string, Json[]>;
    for (const task of tasks!) matches(task, TASK);
    for (const list of lists!) matches(list, LIST);
    for (const label of labels!) matches(label, LABEL);
    return { tasks: tasks!, lists: lists!, labels: labels! };
  }

  async status(method: string, path: string, body?: unknown): Promise<number> {
    return (await this.send(method, path, body)).status;
  }
}

const titles = (tasks: readonly Json[]) => tasks.map(({ title }) => String(title));
const names = (things: readonly Json[]) => things.map(({ name }) => String(name)).toSorted();
const PASSWORD = 'a long and quiet evening';
/** More than all of this test lists, so that its last part can reach the end. */
const LISTINGS = 60;

describe('a program that knows only the description of the API', () => {
  let server: ChildProcess;
  let folder: string;
  let origin = '';
  let me: Program;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stranger-'));
    const main = new URL('../../src/server/main.ts', import.meta.url);
    server = spawn(process.execPath, [main.pathname], {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATA_DIR: folder,
        RATE_LIMITS: `listing=${LISTINGS}/1h,reading=900/1m,writing=900/1m`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    origin = await new Promise((resolve, reject) => {
      let said = '';
      server.stdout!.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const address = / ready at (http:\S+)/.exec(said)?.[1];
        if (address !== undefined) resolve(address);
      });
      server.once('exit', () => reject(new Error(said)));
    });
    me = new Program(`${origin}/api`);
    const { token, user } = await me.good('POST', '/sessions/sign_up', {
      email: 'me@example.org',
      password: PASSWORD,
    });
    assert.ok(matches(user, { id: isWhole, email: isText, created_at: isTime }));
    me.token = token as string;
  });

  after(async () => {
    const gone = once(server, 'exit');
    server.kill();
    await gone;
    await rm(folder, { recursive: true, force: true });
  });

  test('signs in, is refused like anybody else, and signs out', async () => {
    const other = new Program(`${origin}/api`);
    const credentials = { email: 'me@example.org', password: PASSWORD };
    const wrong = await other.send('POST', '/sessions/sign_in', { ...credentials, password: 'wrong' });
    const unknown = await other.send('POST', '/sessions/sign_in', {
      ...credentials,
      email: 'no@example.org',
    });
    assert.deepEqual([wrong.status, unknown.status], [401, 401]);
    assert.deepEqual(wrong.body, unknown.body);
    const taken = await other.send('POST', '/sessions/sign_up', credentials);
    assert.deepEqual([taken.status, taken.body['code']], [409, 'email_taken']);
    assert.equal(await other.status('GET', '/lists'), 401);
    const { token, user } = await other.good('POST', '/sessions/sign_in', credentials);
    assert.equal((user as Json)['email'], 'me@example.org');
    other.token = token as string;
    assert.equal(await other.status('GET', '/lists'), 200);
    await other.good('POST', '/sessions/sign_out');
    assert.equal(await other.status('GET', '/lists'), 401);
    assert.equal(
      await other.status('POST', '/sessions/request_password_reset', { email: 'no@example.org' }),
      200,
    );
    assert.equal(
      await other.status('POST', '/sessions/reset_password', { token: 'none', new_password: PASSWORD }),
      422,
    );
  });

  test('makes, reads, changes and deletes a task', async () => {
    const { labels: none } = await me.page();
    assert.deepEqual(none, []);
    const made = await me.task('POST', '/tasks', { title: 'Water the plants' });
    assert.deepEqual(
      [
        made['notes'],
        made['metadata'],
        made['label_ids'],
        made['todo_item_attachments'],
        made['is_complete'],
      ],
      ['', {}, [], [], false],
    );
    const { lists } = (await me.good('GET', '/lists')) as { lists: Json[] };
    const inbox = lists.find((list) => list['list_type'] === 'inbox');
    assert.equal(made['list_id'], inbox?.['id']);
    const path = `/tasks/${String(made['id'])}`;
    assert.deepEqual(await me.task('GET', path), made);
    const changed = await me.task('PATCH', path, {
      title: 'Water all plants',
      notes: null,
      due_at: '2027-01-04T17:00:00',
      timeless_starts_at: '2027-01-02',
      duration_minutes: 30,
      metadata: { source: 'stranger' },
      not_a_field: 1,
    });
    assert.deepEqual(
      [changed['due_at'], changed['is_due_at_timeless'], changed['timeless_starts_at'], changed['starts_at']],
      ['2027-01-04T17:00:00.000Z', false, '2027-01-02', null],
    );
    assert.ok(String(changed['updated_at']) > String(made['updated_at']));
    const cleared = await me.task('PATCH', path, { due_at: null, timeless_starts_at: null });
    assert.deepEqual([cleared['due_at'], cleared['timeless_starts_at']], [null, null]);
    // The whole object, as it was read, is a fair thing to send back.
    assert.deepEqual(await me.task('PATCH', path, cleared), cleared);
    assert.equal(await me.status('PATCH', path, { is_cleared: true, title: 'no' }), 422);
    const done = await me.task('PATCH', path, { is_complete: true, is_cleared: true });
    assert.deepEqual(
      [done['is_complete'], done['is_cleared'], done['title']],
      [true, true, 'Water all plants'],
    );
    const gone = await me.send('DELETE', path);
    assert.deepEqual([gone.status, gone.body], [200, { success: true }]);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assert.equal(await me.status(method, path, method === 'PATCH' ? {} : undefined), 404);
  });

  test('keeps the edge rules of creating', async () => {
    for (const [wrong, field] of [
      [{}, 'title'],
      [{ title: 'x', location: 'middle' }, 'location'],
      [{ title: 'x', duration_minutes: 1.5 }, 'duration_minutes'],
      [{ title: 'x', due_at: '2027-01-01T10:00:00Z', timeless_due_at: '2027-01-01' }, 'due_at'],
      [{ title: 'x', metadata: { number: 1 } }, 'metadata'],
      [{ title: 'x', metadata: { text: 'y'.repeat(1_024) } }, 'metadata'],
    ] as const) {
      const { status, body } = await me.send('POST', '/tasks', wrong);
      assert.equal(status, 422, JSON.stringify(wrong));
      assert.match(String(body['error']), new RegExp(field));
    }
    assert.equal(await me.status('POST', '/tasks', { title: 'x', list_id: randomUUID() }), 404);
    const id = randomUUID();
    const first = await me.task('POST', '/tasks', { id, title: 'once' });
    assert.equal(first['id'], id);
    assert.deepEqual(await me.task('POST', '/tasks', { id, title: 'once' }), first);
    const { body } = await me.send('POST', '/tasks', {
      title: 'labelled',
      label_names: ['Nothing'],
      extra: 1,
    });
    assert.equal((body['warnings'] as string[]).length, 2);
    assert.equal(
      await me.status('POST', '/tasks', { title: 'strict', label_names: ['Nothing'], strict: true }),
      422,
    );
  });

  test('works with labels by id and by name', async () => {
    const make = async (name: string) => {
      const { label } = await me.good('POST', '/labels', { name, color_hex_string: '#3366ff' });
      assert.ok(matches(label, LABEL));
      return label as Json;
    };
    const [red, blue] = [await make('Red wine'), await make('Blue')];
    const task = await me.task('POST', '/tasks', { title: 'x', label_names: ['Red wine'] });
    assert.deepEqual(task['label_ids'], [red['id']]);
    const path = `/tasks/${String(task['id'])}`;
    const both = await me.task('PATCH', path, { add_label_ids: [blue['id']], add_label_names: ['Red wine'] });
    assert.deepEqual([...(both['label_names'] as string[])].toSorted(), ['Blue', 'Red wine']);
    const one = await me.task('PATCH', path, { remove_label_names: ['Red wine'] });
    assert.deepEqual(one['label_ids'], [blue['id']]);
    const renamed = await me.good('PATCH', `/labels/${String(blue['id'])}`, { name: 'Navy' });
    assert.equal((renamed['label'] as Json)['name'], 'Navy');
    const { labels } = (await me.good('GET', '/labels')) as { labels: Json[] };
    assert.deepEqual(names(labels), ['Navy', 'Red wine']);
    await me.good('DELETE', `/labels/${String(red['id'])}`);
    assert.equal(((await me.good('GET', '/labels'))['labels'] as Json[]).length, 1);
  });

  test('works with lists, folders and smart lists, and duplicates one', async () => {
    const folder_ = await me.list('POST', '/lists', { name: 'Home', list_type: 'folder' });
    const list = await me.list('POST', '/lists', { name: 'Packing', parent_id: folder_['id'] });
    assert.deepEqual(
      [list['list_type'], list['parent_id'], list['indent_level']],
      ['list', folder_['id'], 1],
    );
    const parent = await me.task('POST', '/tasks', {
      title: 'Bag',
      list_id: list['id'],
      notes: 'the red one',
    });
    const child = {
      title: 'Socks',
      list_id: list['id'],
      parent_id: parent['id'],
      timeless_due_at: '2027-02-01',
    };
    assert.equal((await me.task('POST', '/tasks', child))['indent_level'], 1);
    const copy = await me.list('POST', `/lists/${String(list['id'])}/duplicate`);
    assert.notEqual(copy['id'], list['id']);
    const { tasks } = await me.page(`?list_id=${String(copy['id'])}`);
    const [bag, socks] = ['Bag', 'Socks'].map((title) => tasks.find((task) => task['title'] === title));
    assert.deepEqual(
      [bag?.['notes'], socks?.['parent_id'], socks?.['timeless_due_at']],
      ['the red one', bag?.['id'], '2027-02-01'],
    );
    const named = await me.list('POST', `/lists/${String(list['id'])}/duplicate`, { name: 'For spring' });
    assert.equal(named['name'], 'For spring');
    const smart = await me.list('POST', '/lists', {
      name: 'Dated',
      list_type: 'smart',
      smart_list_query: 'has:due',
    });
    const found = await me.page(`?list_id=${String(smart['id'])}`);
    assert.ok(found.tasks.length >= 3 && found.tasks.every(({ title }) => title === 'Socks'));
    assert.deepEqual(titles((await me.page(`?query=${encodeURIComponent('in:Packing bag')}`)).tasks), [
      'Bag',
    ]);
    assert.equal((await me.list('PATCH', `/lists/${String(list['id'])}`, { name: 'Trip' }))['name'], 'Trip');
    await me.good('DELETE', `/lists/${String(copy['id'])}`);
    const { lists } = (await me.good('GET', '/lists')) as { lists: Json[] };
    for (const each of lists) matches(each, LIST);
    assert.deepEqual(names(lists), ['Dated', 'For spring', 'Home', 'Inbox', 'Trip']);
  });

  test('changes several at once, or none', async () => {
    const made: Json[] = [];
    for (const title of ['a', 'b']) made.push(await me.task('POST', '/tasks', { title }));
    const ids = made.map(({ id }) => String(id));
    const bodies = (...changes: readonly Json[]) =>
      ids.map((id, at) => ({ todo_item_id: id, update_body: changes[at] }));
    const sent = { client_id: 'stranger', update_bodies: bodies({ title: 'A' }, { is_cleared: true }) };
    assert.equal(await me.status('POST', '/todo_items/bulk_update', sent), 422);
    const read = async () =>
      (await me.good('GET', `/todo_items/with_ids?item_ids=${ids.join(',')}`))['todo_items'] as Json[];
    assert.deepEqual(titles(await read()).toSorted(), ['a', 'b']);
    const { updated_todo_items: updated } = (await me.good('POST', '/todo_items/bulk_update', {
      client_id: 'stranger',
      update_bodies: bodies({ title: 'A' }, { indent_level: 1, completed_at: '2027-01-01T00:00:00Z' }),
    })) as { updated_todo_items: Json[] };
    for (const task of updated) matches(task, TASK);
    assert.deepEqual(
      updated.map((task) => [task['title'], task['indent_level'], task['completed_at']]),
      [
        ['A', 0, null],
        ['b', 1, '2027-01-01T00:00:00.000Z'],
      ],
    );
  });

  test('pages by time through everything: nothing twice, nothing left out', async () => {
    const { id } = await me.list('POST', '/lists', { name: 'Many' });
    const wanted = new Set<string>();
    for (let at = 0; at < 255; at += 1) {
      wanted.add(`task ${at}`);
      await me.task('POST', '/tasks', { title: `task ${at}`, list_id: id });
    }
    const seen: Json[] = [];
    for (let until = ''; ;) {
      const { tasks } = await me.page(`?list_id=${String(id)}${until && `&updated_before=${until}`}`);
      assert.ok(tasks.length <= 250);
      if (tasks.length === 0) break;
      seen.push(...tasks);
      until = encodeURIComponent(String(tasks.at(-1)!['updated_at']));
    }
    assert.equal(seen.length, wanted.size);
    assert.deepEqual(new Set(titles(seen)), wanted);
    const times = seen.map((task) => String(task['updated_at']));
    assert.deepEqual(times, times.toSorted().toReversed());
    const newest = await me.page(`?updated_after=${encodeURIComponent(times[3]!)}&list_id=${String(id)}`);
    assert.deepEqual(newest.tasks, seen.slice(0, 3));
    assert.deepEqual((await me.page(`?status=complete&list_id=${String(id)}`)).tasks, []);
  });

  test('finds the calls without a token, and answers at the root as well', async () => {
    const anyone = new Program(origin);
    assert.ok(Array.isArray((await anyone.good('GET', '/app_releases'))['app_releases']));
    assert.match(String((await anyone.good('GET', '/update-check/latest'))['name']), /^v\d+\.\d+\.\d+/);
    assert.equal(await anyone.status('GET', '/affiliate_promo_codes/NONE'), 404);
    assert.equal(await anyone.status('GET', '/list_invitations/none'), 404);
    for (const path of ['/affiliate_sign_ups', '/newsletter_signups'])
      await anyone.good('POST', path, { email: 'reader@example.org' });
    await anyone.good('POST', '/landing/pl', { ref: null, is_first: true });
    await anyone.good('POST', '/landing/dl', { ref: null });
    const rooted = new Program(origin);
    rooted.token = me.token;
    assert.ok(Array.isArray((await rooted.good('GET', '/lists'))['lists']));
    const openApi = (await (await fetch(`${origin}/openapi.json`)).json()) as Json;
    assert.match(String(openApi['openapi']), /^3\.1\./);
    const nonsense = await fetch(`${origin}/api/tasks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${me.token}` },
      body: '{"title": ',
    });
    assert.equal(nonsense.status, 422);
    const large = await me.status('POST', '/tasks', { title: 'x', notes: 'y'.repeat(2_000_000) });
    assert.equal(large, 413);
  });

  test('is told where it stands, and when to come again', async () => {
    let last = await me.send('GET', '/labels');
    assert.equal(last.headers.get('ratelimit-limit'), String(LISTINGS));
    while (last.status === 200) last = await me.send('GET', '/labels');
    assert.equal(last.status, 429);
    assert.equal(last.headers.get('ratelimit-remaining'), '0');
    const wait = Number(last.headers.get('retry-after'));
    assert.ok(Number.isInteger(wait) && wait > 0 && wait <= 3_600);
    assert.ok(Number(last.headers.get('ratelimit-reset')) > 0);
    assert.equal(await me.status('POST', '/tasks', { title: 'writing goes on' }), 200);
  });
});
