// What the API says where it does not do what was asked: which field, at which place, and never with half of the request done.
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { apiLimits } from '#wire/api/requests.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import { SeededRandom } from '../simulator/random.ts';
import { enterApi, withApi, type ApiUser } from './api-world.ts';
import { createTestServer } from './harness.ts';

const UNKNOWN = '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77';
const titles = (tasks: unknown) => (tasks as ApiTask[]).map(({ title }) => title);

/** The server of an account on a real port, for what a Request cannot say. */
async function withPort(work: (user: ApiUser, port: number) => Promise<void>): Promise<void> {
  await withApi(async (user) => {
    const listener = getRequestListener(user.server.services.app.fetch, { overrideGlobalObjects: false });
    const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await work(user, (server.address() as AddressInfo).port);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
}

interface Got {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

function getWithBody(
  port: number,
  path: string,
  sent: { body: string; type: string; bearer: string },
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${sent.bearer}`,
      'content-type': sent.type,
      'content-length': Buffer.byteLength(sent.body),
    };
    const asked = request({ port, path, method: 'GET', headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const body = JSON.parse(Buffer.concat(parts).toString()) as Got['body'];
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    asked.on('error', reject);
    asked.end(sent.body);
  });
}

describe('what the API refuses', () => {
  test('[API-2] notes are limited by their bytes, in the text of the refusal as in what is taken', () =>
    withApi(async (user) => {
      const most = 256 * 1024;
      const long = await user.task({ title: 'x', notes: 'é'.repeat(most / 2) });
      assert.equal(long.notes.length, most / 2);
      assert.equal((await user.task({ title: 'x', notes: '\r\n'.repeat(200_000) })).notes.length, 200_000);
      for (const notes of ['é'.repeat(most / 2 + 1), 'a'.repeat(most + 1), '🌱'.repeat(most / 4 + 1)])
        for (const [method, path] of [
          ['POST', '/tasks'],
          ['PATCH', `/tasks/${long.id}`],
        ] as const) {
          const { status, body } = await user.call(method, path, { title: 'x', notes });
          assert.deepEqual([status, body['field']], [422, 'notes']);
          assert.match(String(body['message']), /262144 bytes/);
        }
    }));

  test('[API-2] a time that cannot be kept is named, in every field and in each of several', () =>
    withApi(async (user) => {
      const { id } = await user.task({ title: 'x' });
      for (const field of ['due_at', 'starts_at', 'snoozed_until', 'bookmarked_at', 'completed_at'])
        for (const time of ['9999-12-31T17:00:00Z', '9999-12-31T00:00:01Z', '1900-01-01T00:00:00+01:00']) {
          const one = await user.call('PATCH', `/tasks/${id}`, { [field]: time });
          assert.deepEqual([one.status, one.body['field']], [422, field], time);
          assert.match(String(one.body['message']), /between 1900-01-01 and 9999-12-31/);
          const bodies = [{ todo_item_id: id, update_body: { [field]: time } }];
          const several = await user.call('POST', '/todo_items/bulk_update', { update_bodies: bodies });
          assert.deepEqual(
            [several.status, several.body['field']],
            [422, `update_bodies.0.update_body.${field}`],
          );
        }
      const kept = await user.change(id, { due_at: '9999-12-31T00:00:00Z' });
      assert.equal(kept.due_at, '9999-12-31T00:00:00.000Z');
      assert.deepEqual(titles(await user.tasks('?updated_before=9999-12-31T23:59:59Z')), ['x']);
    }));

  test('[API-2] what the storage refuses is named by the field that asked for it', () =>
    withApi(async (user) => {
      const a = await user.task({ title: 'a' });
      const b = await user.task({ title: 'b', parent_id: a.id });
      const cycle = await user.call('PATCH', `/tasks/${a.id}`, { parent_id: b.id });
      assert.deepEqual([cycle.status, cycle.body['field']], [422, 'parent_id']);
      const bodies = [
        { todo_item_id: b.id, update_body: { title: 'b' } },
        { todo_item_id: a.id, update_body: { parent_id: b.id } },
      ];
      const several = await user.call('POST', '/todo_items/bulk_update', { update_bodies: bodies });
      assert.deepEqual(
        [several.status, several.body['field']],
        [422, 'update_bodies.1.update_body.parent_id'],
      );
    }));

  test('[API-7] a text that is no id answers as an id that nothing has, wherever it stands', () =>
    withApi(async (user) => {
      const { id } = await user.task({ title: 'x' });
      const list = await user.list({ name: 'x' });
      const label = await user.label({ name: 'x' });
      const eve = await enterApi(user.server, 'eve@example.org');
      const foreign = await eve.task({ title: 'secret' });
      const foreignList = await eve.list({ name: 'secret' });
      const before = [await eve.tasks(), await eve.lists(), await user.tasks(), await user.lists()];
      const answers = async (no: string) => {
        const calls = [
          ['GET', `/tasks?list_id=${no}`],
          ['GET', `/tasks/${no}`],
          ['PATCH', `/tasks/${no}`, { title: 'y' }],
          ['DELETE', `/tasks/${no}`],
          ['POST', '/tasks', { title: 'y', list_id: no }],
          ['POST', '/tasks', { title: 'y', parent_id: no }],
          ['PATCH', `/tasks/${id}`, { list_id: no }],
          ['PATCH', `/tasks/${id}`, { parent_id: no }],
          ['PATCH', `/lists/${no}`, { name: 'y' }],
          ['DELETE', `/lists/${no}`],
          ['POST', `/lists/${no}/duplicate`, {}],
          ['PATCH', `/lists/${list.id}`, { parent_id: no }],
          ['POST', '/lists', { name: 'y', parent_id: no }],
          ['PATCH', `/labels/${no}`, { name: 'y' }],
          ['DELETE', `/labels/${no}`],
          ['PATCH', `/labels/${label.id}`, { label_group_id: no }],
          ['POST', '/labels', { name: 'y', label_group_id: no }],
          [
            'POST',
            '/todo_items/bulk_update',
            { update_bodies: [{ todo_item_id: no, update_body: { title: 'y' } }] },
          ],
          [
            'POST',
            '/todo_items/bulk_update',
            { update_bodies: [{ todo_item_id: id, update_body: { parent_id: no } }] },
          ],
          ['POST', '/todo_items/bulk_create', { create_bodies: [{ title: 'y', parent_id: no }] }],
        ] as const;
        const given = [];
        for (const [method, path, body] of calls) {
          const answer = await user.call(method, path, body);
          assert.equal(answer.status, 404, `${method} ${path} ${JSON.stringify(body)}`);
          given.push(answer.body);
        }
        const { todo_items: items, warnings } = await user.get(`/todo_items/with_ids?item_ids=${no},${id}`);
        const labelled = await user.call('PATCH', `/tasks/${id}`, { add_label_ids: [no], strict: true });
        given.push(titles(items), warnings, labelled.status);
        return JSON.stringify(given).replaceAll(no, '…');
      };
      const expected = await answers(UNKNOWN);
      for (const no of ['nope', foreign.id, foreign.list_id, foreignList.id, eve.scope])
        assert.equal(await answers(no), expected, no);
      assert.deepEqual(
        [await eve.tasks(), await eve.lists(), await user.tasks(), await user.lists()],
        before,
      );
    }));

  test('[API-11] a query that is not understood finds nothing and says where and what instead', () =>
    withApi(async (user) => {
      await user.task({ title: 'x', timeless_due_at: '2026-12-01' });
      for (const query of ['is:foo', 'titel:x', 'due:foo', 'x (', 'x OR', 'sort:nothing']) {
        const { status, body } = await user.call('GET', `/tasks?query=${encodeURIComponent(query)}`);
        assert.deepEqual([status, body['field'], body['tasks']], [422, 'query', undefined], query);
        assert.match(String(body['message']), /^At character \d+, /);
      }
      const { body } = await user.call('GET', '/tasks?query=has:due%20is:complte');
      assert.match(String(body['message']), /^At character 12, "complte": .* Try "complete"\.$/);
      const smart = { name: 'Odd', list_type: 'smart', smart_list_query: 'is:foo' };
      const made = await user.call('POST', '/lists', smart);
      assert.equal((made.body['warnings'] as string[]).length, 1);
      const { id } = made.body['list'] as { id: string };
      const odd = await user.get(`/tasks?list_id=${id}`);
      assert.deepEqual([odd['tasks'], (odd['warnings'] as string[]).length], [[], 1]);
      assert.equal((await user.call('POST', '/lists', { ...smart, strict: true })).status, 422);
    }));

  test('[API-2] nothing is left out in silence: parameters nobody reads, one given twice, a second label of a name', () =>
    withApi(async (user) => {
      const { id } = await user.task({ title: 'x' });
      const list = await user.list({ name: 'x' });
      const label = await user.label({ name: 'Work' });
      const calls = [
        ['GET', '/lists?status=complete'],
        ['GET', '/labels?page=2'],
        ['GET', '/tasks?page=2'],
        ['GET', `/tasks?list_id=${list.id}&list_id=${UNKNOWN}`],
        ['GET', `/tasks/${id}?fields=title`],
        ['PATCH', `/tasks/${id}?title=y`, {}],
        ['POST', '/labels', { name: 'Work' }],
        ['PATCH', `/labels/${(await user.label({ name: 'Home' })).id}`, { name: 'Work' }],
        ['DELETE', `/labels/${label.id}?force=true`],
        ['DELETE', `/tasks/${id}?force=true`],
      ] as const;
      for (const [method, path, body] of calls) {
        const answer = await user.call(method, path, body);
        assert.equal(answer.status, 200, path);
        assert.equal((answer.body['warnings'] as string[] | undefined)?.length, 1, path);
      }
      const strict = await user.call('POST', '/labels', { name: 'Work', strict: true });
      assert.equal(strict.status, 422);
    }));
});

describe('what arrives at the API', () => {
  test('[API-2] parameters in the body of a GET are read as those of the address, or refused', () =>
    withPort(async (user, port) => {
      const bearer = user.token;
      await user.task({ title: 'open' });
      await user.task({ title: 'done', is_complete: true });
      const form = 'application/x-www-form-urlencoded';
      const read = await getWithBody(port, '/tasks', { body: 'status=complete', type: form, bearer });
      assert.deepEqual(titles(read.body['tasks']), ['done']);
      const both = await getWithBody(port, '/api/tasks?status=incomplete', {
        body: 'limit=1',
        type: form,
        bearer,
      });
      assert.deepEqual(titles(both.body['tasks']), ['open']);
      const json = {
        body: '{"status":"incomplete","limit":5,"cursor":null}',
        type: 'application/json',
        bearer,
      };
      assert.deepEqual(titles((await getWithBody(port, '/tasks', json)).body['tasks']), ['open']);
      const wrong = await getWithBody(port, '/tasks', { body: 'status=nothing', type: form, bearer });
      assert.deepEqual([wrong.status, wrong.body['field']], [422, 'status']);
      for (const [body, type] of [
        ['--x\r\n', 'multipart/form-data; boundary=x'],
        ['{"status":["complete"]}', 'application/json'],
        ['{', 'application/json'],
        ['status=complete', 'text/plain'],
      ] as const)
        assert.equal((await getWithBody(port, '/tasks', { body, type, bearer })).status, 415, type);
      const large = { body: `query=${'x'.repeat(apiLimits.queryBytes)}`, type: form, bearer };
      assert.equal((await getWithBody(port, '/tasks', large)).status, 413);
    }));

  test('[API-7] a page elsewhere may read that there is nothing at an address', () =>
    withApi(async (user) => {
      for (const path of ['/api/task', '/api/tasks/x/y', '/api/']) {
        const asked = await user.server.ask(path, { bearer: user.token });
        assert.equal(asked.status, 404);
        assert.equal(asked.headers.get('access-control-allow-origin'), '*', path);
        assert.equal(((await asked.json()) as Got['body'])['code'], 'not_found');
        const before = await user.server.ask(path, { method: 'OPTIONS' });
        assert.deepEqual([before.status, before.headers.get('access-control-allow-origin')], [204, '*']);
      }
      const split = await createTestServer({ environment: { API_HOST: 'api.example.org' } });
      try {
        for (const path of ['/task', '/tasks/x/y']) {
          const there = await split.services.app.request(`http://api.example.org${path}`);
          assert.deepEqual(
            [there.status, there.headers.get('access-control-allow-origin')],
            [404, '*'],
            path,
          );
        }
      } finally {
        await split.close();
      }
    }));

  test('[API-16] bytes, headers and addresses that nobody would send are answered, and none is a failure of the server', () =>
    withPort(async (user, port) => {
      const random = new SeededRandom(20_261_123);
      const bytes = (length: number) => Buffer.from(Array.from({ length }, () => random.below(256)));
      const deep = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);
      const texts = [
        '{"title":"a","title":"b"}',
        '{"title":"\\ud800"}',
        '{"title":"a\\u0000b"}',
        '{"title":1e400,"order_index":1e400}',
        '{"title":"a","order_index":NaN}',
        '{"title":"a","order_index":"NaN"}',
        `{"title":"a","order_index":${'9'.repeat(400)}}`,
        `{"title":"a","metadata":${deep('{"a":', '}').replace(':}', ':1}')}}`,
        deep('[', ']'),
        `{"title":"a","ordinal":"${'Z'.repeat(140_000)}"}`,
        '\ufeff{"title":"a"}',
        '{"__proto__":{"title":"a"},"constructor":1}',
      ];
      const types = [
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'x',
        'application/json; charset=utf-16',
        '',
      ];
      const paths = [
        '/tasks',
        '/api/tasks',
        '/lists',
        '/labels',
        '/todo_items/bulk_update',
        '/todo_items/bulk_create',
        '/sessions/sign_in',
      ];
      const odd = [
        '%',
        '%00',
        '%ff',
        '%c0%af',
        '%E0%A4%A',
        '%ud800',
        '?%',
        '?status=%ff',
        '?query=%00',
        '?%00=1',
        '?item_ids=%',
        `/${'a'.repeat(3_000)}`,
        '/..%2f..%2fetc',
        '//x',
        '/\\x',
        '?a[]=1&a[__proto__]=1',
        `?query=${'('.repeat(1_500)}`,
        `?cursor=${'A'.repeat(390)}`,
      ];
      const statuses = new Set<number>();
      const send = async (
        method: string,
        path: string,
        more: { body?: Buffer | string; headers?: Record<string, string> },
      ) => {
        const head = {
          host: 'localhost',
          authorization: `Bearer ${user.token}`,
          connection: 'close',
          ...more.headers,
        };
        const body = Buffer.from(more.body ?? '');
        const lines = Object.entries({ ...head, 'content-length': String(body.length) }).map(
          ([name, value]) => `${name}: ${value}\r\n`,
        );
        const answer = await exchange(
          port,
          Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body]),
        );
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
        statuses.add(status);
        assert.ok(
          status >= 200 && status < 500,
          `${method} ${path.slice(0, 200)} ${JSON.stringify(more).slice(0, 300)} → ${answer.slice(0, 300)}`,
        );
      };
      for (const path of paths) {
        for (const text of texts)
          for (const type of types.slice(0, 3))
            await send('POST', path, { body: text, headers: { 'content-type': type } });
        for (let count = 0; count < 12; count += 1)
          await send(random.pick(['POST', 'PATCH', 'DELETE', 'GET']), path, {
            body: bytes(random.below(300)),
            headers: { 'content-type': random.pick(types) },
          });
      }
      for (const path of odd)
        for (const [method, start] of [
          ['GET', '/tasks'],
          ['PATCH', '/tasks/'],
          ['GET', '/todo_items/with_ids'],
          ['POST', '/lists/'],
          ['GET', '/api/'],
        ] as const)
          await send(method, start + path, { body: method === 'GET' ? '' : '{}' });
      for (const headers of [
        { authorization: `Bearer ${'x'.repeat(8_000)}` },
        { authorization: 'Bearer \xff\xfe' },
        { authorization: 'Basic eDp5' },
        { 'content-encoding': 'br' },
        { 'content-type': 'application/json\xff' },
        { accept: '*/*;q=nonsense', 'accept-encoding': 'gzip;q=-1, \x7f' },
        { 'x-forwarded-for': '::1, \xff, 999.1.1.1', 'user-agent': '\xff'.repeat(2_000) },
        { cookie: `a=${'b'.repeat(7_000)}; \xff=1` },
        { origin: 'null', host: 'x' },
      ] as Record<string, string>[]) {
        await send('GET', '/tasks?limit=1', { headers });
        await send('POST', '/tasks', { headers, body: '{"title":"x"}' });
      }
      await send('GET', '/tasks', { headers: { 'x-long': 'y'.repeat(40_000) } });
      assert.ok(statuses.has(200) && statuses.has(422) && statuses.has(404), [...statuses].join());
      assert.deepEqual(
        user.server.logged.filter((line) => line.includes('request_failed')),
        [],
      );
    }));
});

/** Sends exactly these bytes; whatever comes back until the other side has finished. */
function exchange(port: number, sent: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    socket.on('data', (part) => parts.push(Buffer.from(part)));
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // What is refused before all of it was read may be cut off.
      if (parts.length > 0 || error.code === 'ECONNRESET') resolve(Buffer.concat(parts).toString('latin1'));
      else reject(error);
    });
  });
}
