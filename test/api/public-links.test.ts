// Public links over the calls of the app and of a visitor: making and changing them, what visitors do and how it is told and taken back,
// how pages hear of it, and what ends a link.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { historyPageSchema } from '#wire/history.ts';
import { publicLinkAnswerSchema, publicLinksAnswerSchema } from '#wire/api/objects.ts';
import { mostPublicLinks } from '#wire/public-links.ts';
import { callLinks, everything, linkedList, makeLink, Visitor } from '../public-links.ts';
import { Person, confirmEmail, told } from '../sharing.ts';
import { createTestServer } from './harness.ts';

type World = Awaited<ReturnType<typeof linkedList>>;

const DAILY = { value: 1, unit: 'days', metadata: null, from: 'due date', missed: 'skip', anchorDay: null };

function describeWorld(name: string, tests: (world: () => World) => void): void {
  describe(name, () => {
    let world: World;
    before(async () => {
      world = await linkedList();
    });
    after(() => world.server.close());
    tests(() => world);
  });
}

describeWorld('the page of a public link', (world) => {
  test('[PUBLIC-1] shows the list to anyone, and goes on by itself', async () => {
    const { ann, list, tasks, visitor } = world();
    const page = await visitor.ask();
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Book a train/);
    const first = await visitor.shown();
    assert.deepEqual(first.tasks.map(({ title }) => title).toSorted(), ['Book a train', 'Pack']);
    const stream = await visitor.listen(first.at);
    const map = await ann.task('Buy a map', list);
    const { tasks: news } = await stream.next('news');
    assert.deepEqual(news, [await visitor.task('Buy a map')]);
    await ann.act({ a: 'delete', id: map, scope: (await ann.rows()).get(map)!.scope });
    assert.deepEqual((await stream.next('news')).gone, [news[0]!.id]);
    // Who comes back hears what was missed, and only that.
    const at = stream.at;
    await stream.leave();
    await ann.act({
      a: 'set',
      id: tasks[1],
      field: 'title',
      value: 'Pack all',
      scope: (await ann.rows()).get(tasks[1])!.scope,
    });
    await visitor.shown();
    const again = await visitor.listen(at);
    assert.deepEqual(
      (await again.next('news')).tasks.map(({ title }) => title),
      ['Pack all'],
    );
    await again.leave();
    const lost = await visitor.listen('somewhere.7');
    await lost.next('reload');
    await lost.leave();
  });

  test('[PUBLIC-8] is kept by nobody, found by no search engine, and tells no other site of itself', async () => {
    const { visitor } = world();
    for (const path of ['', '/tasks', '/stream']) {
      const { headers, body } = await visitor.ask(path, { cookie: 'posthaste-session=x' });
      assert.match(headers.get('x-robots-tag') ?? '', /noindex/);
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('set-cookie'), null);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      await body?.cancel();
    }
    const text = await (await visitor.ask()).text();
    assert.match(text, /<meta name="robots" content="noindex/);
    assert.doesNotMatch(text, /https?:\/\//);
  });

  test('[PUBLIC-9] what people write is text there, never markup', async () => {
    const { server, ann } = world();
    const list = await ann.list('<script>alert(1)</script>');
    await ann.task(`"><img src=x onerror='alert(1)'>`, list);
    const link = await makeLink(ann, list, { name: '<b>&</b>' });
    const text = await (await new Visitor(server, link).ask()).text();
    assert.doesNotMatch(text, /<img|<script>|<b>/);
    assert.match(text, /&lt;b&gt;&amp;&lt;\/b&gt;/);
  });
});

describeWorld('what visitors do', (world) => {
  test('[PUBLIC-10] goes to the list at once, and its history says by which link and under which name', async () => {
    const { ann, list, link, visitor } = world();
    const key = crypto.randomUUID();
    const change = { do: 'add', key, title: 'Tent', notes: 'The green one', nick: '  Sam ' };
    const made = await visitor.do(change);
    // Sent again it adds nothing.
    assert.deepEqual(await visitor.do(change), made);
    assert.equal((await visitor.shown()).tasks.filter(({ title }) => title === 'Tent').length, 1);
    const inside = await visitor.do({ do: 'add', key: crypto.randomUUID(), title: 'Pegs', parent: made?.id });
    assert.equal(inside?.parent, made?.id);
    const rows = await ann.rows();
    const row = [...rows.values()].find(({ f }) => 'title' in f && f.title === 'Tent');
    assert.ok(row);
    const page = await ann.call(`GET history/${row.scope}?id=${row.id}`);
    const { entries } = historyPageSchema.parse(await page.json());
    assert.deepEqual(
      entries.map(({ account, operation: { a, via } }) => ({ account, a, via })),
      [{ account: ann.account, a: 'create', via: { link: link.id, name: 'Trip', nick: 'Sam' } }],
    );
    const { links } = await callLinks(ann, list, 'GET');
    assert.deepEqual([links[0]?.changes, links[0]?.visits], [3, 0]);
  });

  test('[PUBLIC-11] a repeating task that a visitor checks off is done and does not go on; unchecked it is open again', async () => {
    const { ann, list, visitor } = world();
    const id = crypto.randomUUID() as Id;
    const { scope } = (await ann.rows()).get(list)!;
    const fields = { title: 'Water the plants', due: { on: '2026-11-20' }, repeat: DAILY };
    await ann.act({ a: 'create', id, scope, type: 'task', fields, place: { parent: list } });
    const before = (await ann.rows()).get(id)!.f as Record<string, unknown>;
    const task = await visitor.task('Water the plants');
    assert.equal(task.repeats, true);
    assert.equal((await visitor.do({ do: 'complete', id: task.id }))?.isDone, true);
    const rows = await ann.rows();
    const { status, ...rest } = rows.get(id)!.f as Record<string, unknown>;
    assert.ok(status);
    assert.deepEqual(rest, before);
    assert.ok(![...rows.values()].some(({ type }) => type === 'completion'));
    assert.equal((await visitor.do({ do: 'reopen', id: task.id }))?.isDone, undefined);
    assert.deepEqual((await ann.rows()).get(id)!.f, before);
  });

  test('[PUBLIC-12] notes that two people edit at once keep what both wrote', async () => {
    const { ann, tasks, visitor } = world();
    const { scope } = (await ann.rows()).get(tasks[1])!;
    await ann.act({ a: 'set', id: tasks[1], scope, field: 'notes', value: 'Socks\nShirts\n' });
    const { id, notes: was } = await visitor.task('Pack');
    await ann.act({ a: 'set', id: tasks[1], scope, field: 'notes', value: 'Six socks\nShirts\n' });
    const body = { do: 'notes', id, was, notes: 'Socks\nShirts\nHat\n' };
    assert.equal((await visitor.do(body))?.notes, 'Six socks\nShirts\nHat\n');
    await visitor.do({ do: 'title', id, title: 'Pack everything' });
    assert.equal((await visitor.task('Pack everything')).id, id);
    await visitor.do({ do: 'title', id, title: 'Pack' });
  });

  test('[PUBLIC-13] the owner takes back a burst of it, as far as nobody has changed it since', async () => {
    const { ann, list, link, tasks, visitor } = world();
    const { scope } = (await ann.rows()).get(list)!;
    const [train, pack] = [await visitor.task('Book a train'), await visitor.task('Pack')];
    ann.server.clock.pass(3_600_000);
    await visitor.do({ do: 'title', id: train.id, title: 'Junk 1' });
    await visitor.do({ do: 'title', id: train.id, title: 'Junk 2' });
    await visitor.do({ do: 'complete', id: train.id });
    await visitor.do({ do: 'title', id: pack.id, title: 'Junk' });
    await visitor.do({ do: 'add', key: crypto.randomUUID(), title: 'Junk' });
    await ann.act({ a: 'set', id: tasks[1], scope, field: 'title', value: 'Pack well' });
    const { undone } = await callLinks(ann, list, `POST /${link.id}/undo`, { minutes: 30 });
    assert.equal(undone, 3);
    const { tasks: shown } = await visitor.shown();
    assert.deepEqual(
      shown.find(({ id }) => id === train.id),
      train,
    );
    assert.equal(shown.find(({ id }) => id === pack.id)?.title, 'Pack well');
    assert.ok(!shown.some(({ title }) => title.startsWith('Junk')));
    assert.equal((await callLinks(ann, list, `POST /${link.id}/undo`, { minutes: 30 })).undone, 0);
  });

  test('[PUBLIC-14] what is gone, or in the trash, or under it, takes no change', async () => {
    const { ann, list, visitor } = world();
    const { scope } = (await ann.rows()).get(list)!;
    const top = await visitor.do({ do: 'add', key: crypto.randomUUID(), title: 'Top' });
    const under = await visitor.do({ do: 'add', key: crypto.randomUUID(), title: 'Under', parent: top?.id });
    const row = [...(await ann.rows()).values()].find(({ f }) => 'title' in f && f.title === 'Top');
    await ann.act({ a: 'delete', id: row?.id, scope });
    for (const { id } of [top!, under!])
      for (const body of [
        { do: 'complete', id },
        { do: 'title', id, title: 'x' },
        { do: 'add', key: crypto.randomUUID(), title: 'x', parent: id },
      ])
        assert.equal((await visitor.change(body)).status, 409);
  });
});

describe('the limits of a public link', () => {
  test('[PUBLIC-15] visitors are limited by address and by link, and are told so', async () => {
    const rates = 'public_write=3/1m,public_write_link=5/1m,public_add_link=2/24h,public_read=4/1m';
    const world = await linkedList({ environment: { RATE_LIMITS: rates } });
    const { server, link, visitor } = world;
    try {
      const add = (by: Visitor) => by.change({ do: 'add', key: crypto.randomUUID(), title: 'x' });
      const title = async (by: Visitor) => by.change({ do: 'title', id: 'A'.repeat(22), title: 'x' });
      assert.equal((await add(visitor)).status, 200);
      assert.equal((await add(visitor)).status, 200);
      const full = await told(add(visitor));
      assert.equal(full.status, 429);
      assert.match(String(full['message']), /before tomorrow/);
      const often = await visitor.change({ do: 'title', id: 'A'.repeat(22), title: 'x' });
      assert.equal(often.status, 429);
      assert.ok(Number(often.headers.get('retry-after')) > 0);
      const others = new Visitor(server, link, '198.51.100.8');
      assert.equal((await title(others)).status, 409);
      assert.equal((await title(others)).status, 409);
      assert.match(String((await told(title(others)))['message']), /Very much is being changed/);
      for (let at = 0; at < 4; at += 1) assert.equal((await visitor.ask('/tasks')).status, 200);
      assert.equal((await visitor.ask('/tasks')).status, 429);
      const page = await visitor.ask();
      assert.equal(page.status, 429);
      assert.match(await page.text(), /Wait a minute/);
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-16] a list has 50 public links at most, made at once or one by one', async () => {
    const { server, ann, list } = await linkedList();
    try {
      const calls = Array.from({ length: mostPublicLinks + 3 }, () =>
        ann.call(`POST sharing/lists/${list}/links`, {}),
      );
      const answers = await Promise.all(calls);
      const counts = Map.groupBy(answers, ({ status }) => status);
      assert.deepEqual([counts.get(200)?.length, counts.get(409)?.length], [mostPublicLinks - 1, 4]);
      assert.match(await answers.find(({ status }) => status === 409)!.text(), /50 public links/);
    } finally {
      await server.close();
    }
  });
});

describe('whose a public link is', () => {
  test('[PUBLIC-17] a private list becomes a scope of its own by its first link, and nobody is invited', async () => {
    const { server, ann, list, link } = await linkedList();
    try {
      const { scope, state } = await callLinks(ann, list, 'GET');
      assert.equal(state, 'open');
      assert.notEqual(scope, ann.personalScope);
      const shared = await told(ann.call(`GET sharing/lists/${list}`));
      assert.equal(shared['link'], null);
      assert.equal((await ann.rows(scope)).size > 2, true);
      assert.equal(link.isMine, true);
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-17] the Inbox, folders, smart lists, and lists in the trash have none; the address is confirmed first', async () => {
    const server = await createTestServer();
    try {
      const ann = await Person.come(server, 'ann@example.org');
      const folder = await ann.list('Folder', { listType: 'folder' });
      const smart = await ann.list('Smart', { listType: 'smart', query: 'due:today' });
      const trashed = await ann.list('Old');
      await ann.act({ a: 'delete', id: trashed });
      const inbox = [...(await ann.rows()).values()].find(
        ({ f }) => 'listType' in f && f.listType === 'inbox',
      );
      const plain = await ann.list('Trip');
      const make = (list: Id) => ann.call(`POST sharing/lists/${list}/links`, {});
      assert.equal((await make(plain)).status, 403);
      await confirmEmail(server, ann.account);
      for (const list of [folder, smart, trashed, inbox!.id]) {
        const { status } = await make(list as Id);
        assert.ok(status === 404 || status === 422 || status === 409, String(status));
      }
      assert.equal((await server.database.db.selectFrom('public_link').selectAll().execute()).length, 0);
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-18] members make and see links; each changes their own, and the owner all', async () => {
    const { server, ann, list, link } = await linkedList();
    try {
      const [ben, eve] = [
        await Person.come(server, 'ben@example.org'),
        await Person.come(server, 'eve@example.org'),
      ];
      const { link: invitation } = await ann.share(list);
      await ben.join(invitation?.token);
      const own = await makeLink(ben, list, { name: 'For Ben' });
      const seen = (await callLinks(ben, list, 'GET')).links;
      assert.deepEqual(
        seen.map(({ id, isMine }) => [id, isMine]),
        [
          [link.id, false],
          [own.id, true],
        ],
      );
      const calls = [
        ['POST', '', { isPaused: true }],
        ['DELETE', '', undefined],
        ['DELETE', '/logo', undefined],
        ['POST', '/undo', { minutes: 5 }],
      ] as const;
      for (const [method, path, body] of calls) {
        const at = (id: Id) => `${method} sharing/lists/${list}/links/${id}${path}`;
        assert.equal((await ben.call(at(link.id), body)).status, 403, path);
        assert.equal((await eve.call(at(link.id), body)).status, 404, path);
      }
      assert.equal(
        (await ben.call(`POST sharing/lists/${list}/links/${own.id}/undo`, { minutes: 5 })).status,
        403,
      );
      await callLinks(ann, list, `POST /${own.id}`, { name: null });
      await callLinks(ben, list, `POST /${own.id}`, { may: { add: true } });
      // A link of another list is none of this one.
      const other = await makeLink(ann, await ann.list('Diary'));
      assert.equal((await ann.call(`DELETE sharing/lists/${list}/links/${other.id}`)).status, 200);
      assert.equal((await new Visitor(server, other).ask()).status, 200);
    } finally {
      await server.close();
    }
  });

  test('[PUBLIC-19] the link of somebody who leaves is paused at once, and goes on when the owner takes it over', async () => {
    const { server, ann, list } = await linkedList();
    try {
      const ben = await Person.come(server, 'ben@example.org');
      const { link: invitation } = await ann.share(list);
      await ben.join(invitation?.token);
      const own = await makeLink(ben, list, { may: everything });
      const visitor = new Visitor(server, own);
      const stream = await visitor.listen((await visitor.shown()).at);
      await ann.call(`POST sharing/lists/${list}/members/${ben.account}/remove`);
      assert.equal((await stream.next('over')).why, 'paused');
      assert.equal((await visitor.ask()).status, 403);
      const { links } = await callLinks(ann, list, `POST /${own.id}`, { isPaused: false });
      const { isOrphan, account } = links.find(({ id }) => id === own.id)!;
      assert.deepEqual([isOrphan, account], [false, ann.account]);
      assert.equal((await visitor.ask()).status, 200);
    } finally {
      await server.close();
    }
  });
});

describe('public links in the API', () => {
  test('[PUBLIC-28] programs list, make, change and delete them; a token that only reads is shown no address', async () => {
    const { server, ann, list, link } = await linkedList();
    try {
      const bearerOf = async (access: 'read' | 'write') =>
        (await server.services.sessions.open({ account: ann.account, kind: 'api', userAgent: '', access }))
          .token;
      const [writing, reading] = [await bearerOf('write'), await bearerOf('read')];
      const call = async (method: string, path: string, body?: unknown, bearer = writing) => {
        const answer = await server.ask(`/api/lists/${path}`, {
          method,
          bearer,
          ...(body === undefined ? {} : { body }),
        });
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      };
      const seen = await call('GET', `${list}/public_links`);
      const [first] = publicLinksAnswerSchema.parse(seen.body).public_links;
      assert.equal(first?.url, `http://localhost/p/${link.token}`);
      assert.deepEqual(first.permissions.length, 5);
      const bare = await call('GET', `${list}/public_links`, undefined, reading);
      assert.equal(publicLinksAnswerSchema.parse(bare.body).public_links[0]?.url, null);
      const body = { name: 'For all', permissions: ['add_tasks', 'edit_notes'] };
      const made = publicLinkAnswerSchema.parse(
        (await call('POST', `${list}/public_links`, body)).body,
      ).public_link;
      assert.deepEqual(
        [made.name, made.permissions, made.is_paused],
        ['For all', ['add_tasks', 'edit_notes'], false],
      );
      const visitor = new Visitor(server, { token: made.url?.split('/p/')[1] ?? '' });
      assert.equal((await visitor.shown()).name, 'For all');
      const change = { permissions: ['view_labels'], is_paused: true };
      const changed = publicLinkAnswerSchema.parse(
        (await call('PATCH', `${list}/public_links/${made.id}`, change)).body,
      );
      assert.deepEqual(
        [changed.public_link.permissions, changed.public_link.is_paused],
        [['view_labels'], true],
      );
      assert.equal((await visitor.ask()).status, 403);
      assert.equal((await call('POST', `${list}/public_links`, { permissions: ['delete'] })).status, 422);
      assert.equal((await call('POST', `${list}/public_links`, {}, reading)).status, 403);
      assert.equal((await call('DELETE', `${list}/public_links/${made.id}`)).status, 200);
      assert.equal((await visitor.ask()).status, 404);
    } finally {
      await server.close();
    }
  });
});
