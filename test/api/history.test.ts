// The history of operations as the web app reads it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inboxId, listsRoot, mineId, type Id } from '#core/ids.ts';
import { historyPageSchema, type HistoryPage } from '#wire/history.ts';
import { protocolVersion } from '#wire/version.ts';
import { Person } from '../sharing.ts';
import { createTestServer, type TestServer } from './harness.ts';

const newId = () => crypto.randomUUID() as Id;

describe('history', () => {
  let server: TestServer;
  let person: Awaited<ReturnType<TestServer['signUp']>>;
  const task = newId();
  const device = newId();
  before(async () => {
    server = await createTestServer();
    person = await server.signUp('person@example.org');
    const scope = person.personalScope as Id;
    const inbox = { a: 'create', id: inboxId(scope), type: 'list', fields: { listType: 'inbox' } };
    const place = { parent: inboxId(scope) };
    const actions = [
      { ...inbox, place: { parent: listsRoot(scope) } },
      { a: 'create', id: task, type: 'task', fields: { title: 'Call Ada' }, place },
      { a: 'set', id: task, field: 'title', value: 'Call Ada Lovelace' },
      { a: 'create', id: newId(), type: 'task', fields: { title: 'Other' }, place },
      { a: 'delete', id: task },
    ];
    const ops = actions.map((action, at) => ({ q: at + 1, u: newId(), scope, t: 5, b: 0, ...action }));
    const head = { schema: protocolVersion, device, clientNow: 5, ack: 0, cursors: {} };
    const { cookie } = person;
    const response = await server.ask('/sync/v1', { method: 'POST', cookie, body: { ...head, ops } });
    const { results } = (await response.json()) as { results: [number, string][] };
    assert.deepEqual(
      results.map(([, verdict]) => verdict),
      Array(5).fill('ok'),
    );
  });
  after(() => server.close());

  async function read(query: string): Promise<HistoryPage> {
    const response = await server.ask(`/app/api/history/${person.personalScope}${query}`, {
      cookie: person.cookie,
    });
    assert.equal(response.status, 200);
    return historyPageSchema.parse(await response.json());
  }

  test('of a scope comes newest first, page by page, and ends', async () => {
    const found: number[] = [];
    let next: number | null | undefined;
    for (let pages = 0; next !== null; pages += 1) {
      const page = await read(`?limit=2${next === undefined ? '' : `&before=${next}`}`);
      found.push(...page.entries.map(({ operation }) => operation.q));
      next = page.next;
      assert.ok(pages < 4);
    }
    assert.deepEqual(found, [5, 4, 3, 2, 1]);
  });

  test('of one entity says what each operation replaced, by whom and where', async () => {
    const { entries, next } = await read(`?id=${task}`);
    assert.equal(next, null);
    assert.deepEqual(
      entries.map(({ operation }) => operation.a),
      ['delete', 'set', 'create'],
    );
    assert.deepEqual(entries[1]?.before, [{ id: task, fields: { title: 'Call Ada' } }]);
    assert.deepEqual(entries[2]?.before, [{ id: task, fields: null }]);
    assert.ok(entries.every(({ account }) => account === person.account));
    assert.equal(new Set(entries.map(({ device: number }) => number)).size, 1);
  });

  test('of a list is that of everything beneath it', async () => {
    const scope = person.personalScope as Id;
    const inbox = inboxId(scope);
    const all = await read(`?under=${inbox}`);
    assert.deepEqual(
      all.entries.map(({ operation }) => operation.q),
      [5, 4, 3, 2, 1],
    );
    const first = await read(`?under=${inbox}&limit=2`);
    assert.equal(first.entries.length, 2);
    const rest = await read(`?under=${inbox}&before=${first.next}`);
    assert.deepEqual(
      rest.entries.map(({ operation }) => operation.q),
      [3, 2, 1],
    );
    assert.equal((await read(`?under=${task}`)).entries.length, 3);
    assert.deepEqual((await read(`?under=${newId()}`)).entries, []);
  });

  test('of somebody else’s scope does not exist, and odd questions are named', async () => {
    const stranger = await server.signUp('stranger@example.org');
    const path = `/app/api/history/${person.personalScope}`;
    assert.equal((await server.ask(path, { cookie: stranger.cookie })).status, 404);
    assert.equal((await server.ask('/app/api/history/nonsense', { cookie: person.cookie })).status, 404);
    for (const query of ['id=x', 'under=x', 'before=-1', 'before=1e3', 'limit=0', 'limit=x']) {
      const response = await server.ask(`${path}?${query}`, { cookie: person.cookie });
      assert.equal(response.status, 422, query);
      const { message } = (await response.json()) as { message: string };
      assert.ok(message.includes(`"${query.split('=')[0]}"`), message);
    }
  });

  test('[HIST-14] of a task tells what is one’s own about it and its files, that of a list what left it', async () => {
    const other = await server.signUp('other@example.org');
    const scope = other.personalScope as Id;
    const [list, moved, file] = [newId(), newId(), newId()];
    const own = mineId(scope, moved);
    const actions = [
      {
        a: 'create',
        id: inboxId(scope),
        type: 'list',
        fields: { listType: 'inbox' },
        place: { parent: scope },
      },
      {
        a: 'create',
        id: list,
        type: 'list',
        fields: { listType: 'list', name: 'Work' },
        place: { parent: scope },
      },
      { a: 'create', id: moved, type: 'task', fields: {}, place: { parent: inboxId(scope) } },
      { a: 'create', id: own, type: 'mine', fields: { of: moved, bookmarkedAt: 3 } },
      { a: 'set', id: own, field: 'bookmarkedAt', value: null },
      {
        a: 'create',
        id: file,
        type: 'attachment',
        fields: { name: 'a.txt', hash: 'ab'.repeat(32), sizeBytes: 3, fileType: '' },
        place: { parent: moved },
      },
      { a: 'place', id: moved, place: { parent: list } },
      { a: 'place', id: moved, place: { parent: list, at: 'start' } },
    ];
    const ops = actions.map((action, at) => ({ q: at + 1, u: newId(), scope, t: 5, b: 0, ...action }));
    const head = { schema: protocolVersion, device: newId(), clientNow: 5, ack: 0, cursors: {} };
    const { cookie } = other;
    await server.ask('/sync/v1', { method: 'POST', cookie, body: { ...head, ops } });
    const numbers = async (query: string) => {
      const response = await server.ask(`/app/api/history/${scope}${query}`, { cookie });
      const { entries } = historyPageSchema.parse(await response.json());
      return entries.map(({ operation }) => operation.q);
    };
    assert.deepEqual(await numbers(`?id=${moved}`), [8, 7, 6, 5, 4, 3]);
    assert.deepEqual(await numbers(`?under=${inboxId(scope)}`), [7, 1]);
    assert.deepEqual(await numbers(`?under=${list}`), [8, 7, 6, 5, 4, 3, 2]);
  });
});

describe('the history of a shared list', () => {
  let server: TestServer;
  before(async () => {
    server = await createTestServer();
  });
  after(() => server.close());

  async function titles(person: Person, scope: string, query = ''): Promise<unknown[]> {
    const response = await server.ask(`/app/api/history/${scope}${query}`, { cookie: person.cookie });
    if (response.status !== 200) return [response.status];
    const { entries } = historyPageSchema.parse(await response.json());
    return entries.flatMap(({ operation, account }) => {
      const { title } = (operation['fields'] ?? {}) as { readonly title?: string };
      return title === undefined ? [] : [[title, account]];
    });
  }

  test('[SHARE-182] [SHARE-183] is read since joining, by who shared it from the start, and by who left not at all', async () => {
    const ann = await Person.come(server, 'ann@example.org');
    const ben = await Person.come(server, 'ben@example.org');
    const list = await ann.list('Trip');
    await ann.task('Before sharing', list);
    const shared = await ann.share(list);
    const scope = shared.scope as string;
    const add = (person: Person, title: string) =>
      person.act({
        a: 'create',
        id: newId(),
        type: 'task',
        fields: { title },
        place: { parent: list },
        scope,
      });
    await add(ann, 'Before Ben');
    assert.deepEqual(await titles(ben, scope), [404], 'not before joining');
    await ben.join(shared.link?.token);
    await add(ben, 'By Ben');
    await add(ann, 'By Ann');
    assert.deepEqual(await titles(ben, scope), [
      ['By Ann', ann.account],
      ['By Ben', ben.account],
    ]);
    assert.deepEqual(await titles(ben, scope, `?under=${list}&limit=1`), [['By Ann', ann.account]]);
    assert.deepEqual(await titles(ann, scope), [
      ['By Ann', ann.account],
      ['By Ben', ben.account],
      ['Before Ben', ann.account],
    ]);
    await ben.call(`POST sharing/lists/${list}/leave`);
    assert.deepEqual(await titles(ben, scope), [404]);
    assert.deepEqual(await titles(ben, scope, `?id=${list}`), [404]);
  });
});
