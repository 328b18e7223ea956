// The doors to reminders outside the app: what may be subscribed, whose it is, and waving a notice away.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inboxId, listsRoot, mineId, type Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import { createTestServer, type TestServer } from './harness.ts';
import { fieldOf } from '#sync/rows/row.ts';

const newId = () => crypto.randomUUID() as Id;

const subscription = (endpoint = `https://push.example.org/${newId()}`) => ({
  endpoint,
  p256dh: Buffer.alloc(65, 4).toString('base64url'),
  auth: Buffer.alloc(16, 1).toString('base64url'),
  zone: 'Europe/Berlin',
  titles: true,
});

describe('the doors of reminders', () => {
  let server: TestServer;
  before(async () => {
    server = await createTestServer();
  });
  after(() => server.close());

  const post = (cookie: string, body: unknown, path = '') =>
    server.ask(`/app/api/push${path}`, { method: 'POST', cookie, body });

  test('the key is made once, and only its public half is told', async () => {
    const { cookie } = await server.signUp('key@example.org');
    const keys = await Promise.all(
      [1, 2].map(async () => {
        const answer = await server.ask('/app/api/push', { cookie });
        return (await answer.json()) as Record<string, unknown>;
      }),
    );
    assert.deepEqual(keys[0], keys[1]);
    assert.deepEqual(Object.keys(keys[0] ?? {}).toSorted(), ['publicKey', 'success']);
    assert.equal(Buffer.from(String(keys[0]?.['publicKey']), 'base64url').length, 65);
    const stored = await server.database.db.selectFrom('push_key').selectAll().executeTakeFirstOrThrow();
    const { privateKey } = await server.services.push.keys();
    assert.ok(!Buffer.from(stored.private_key).includes(Buffer.from(privateKey)), 'it lies there sealed');
  });

  test('[REM-26] what is no subscription is refused by the field that is wrong', async () => {
    const { cookie } = await server.signUp('wrong@example.org');
    for (const [field, value] of [
      ['endpoint', 'https://169.254.169.254/latest'],
      ['endpoint', `https://push.example.org/${'x'.repeat(2_000)}`],
      ['p256dh', 'short'],
      ['auth', Buffer.alloc(15).toString('base64url')],
      ['zone', 'Europe/Nowhere'],
      ['titles', 'yes'],
    ] as const) {
      const answer = await post(cookie, { ...subscription(), [field]: value });
      assert.equal(answer.status, 422, field);
      assert.equal(((await answer.json()) as { field: string }).field, field);
    }
    assert.deepEqual(await server.database.db.selectFrom('push_subscription').selectAll().execute(), []);
  });

  test('[REM-27] an endpoint is one subscription, and nobody ends another’s', async () => {
    const [a, b] = [await server.signUp('a@example.org'), await server.signUp('b@example.org')];
    const mine = subscription();
    const ids: string[] = [];
    for (const titles of [true, false]) {
      const answer = await post(a.cookie, { ...mine, titles });
      ids.push(((await answer.json()) as { id: string }).id);
    }
    assert.equal(ids[0], ids[1]);
    const end = (cookie: string) => server.ask(`/app/api/push/${ids[0]}`, { method: 'DELETE', cookie });
    assert.equal((await end(b.cookie)).status, 404);
    assert.equal((await end(a.cookie)).status, 200);
    assert.equal((await end(a.cookie)).status, 404);
    // Whoever signs in on that browser next takes it over.
    await post(a.cookie, mine);
    await post(b.cookie, mine);
    assert.equal((await server.services.push.subscriptions.of(a.account)).length, 0);
    assert.equal((await server.services.push.subscriptions.of(b.account)).length, 1);
  });

  test('[REM-28] a notice waved away is a change like any other, and twice is once', async () => {
    const { cookie, personalScope } = await server.signUp('waved@example.org');
    const scope = personalScope as Id;
    const task = newId();
    const place = { parent: inboxId(scope) };
    const actions = [
      {
        a: 'create',
        id: inboxId(scope),
        type: 'list',
        fields: { listType: 'inbox' },
        place: { parent: listsRoot(scope) },
      },
      { a: 'create', id: task, type: 'task', fields: { title: 'Call' }, place },
      {
        a: 'create',
        id: mineId(scope, task),
        type: 'mine',
        fields: { of: task, 'remind:before-0': { before: 0 } },
      },
    ];
    const now = server.clock.now();
    const ops = actions.map((action, index) => ({
      q: index + 1,
      u: newId(),
      scope,
      t: now,
      b: 0,
      ...action,
    }));
    const head = { schema: protocolVersion, device: newId(), clientNow: now, ack: 0, cursors: {} };
    assert.equal(
      (await server.ask('/sync/v1', { method: 'POST', cookie, body: { ...head, ops } })).status,
      200,
    );
    const versionOf = async () => (await server.database.store.scope(scope))?.version ?? 0;
    const before = await versionOf();
    assert.equal((await post(cookie, { task }, '/dismiss')).status, 200);
    assert.equal((await post(cookie, { task }, '/dismiss')).status, 200);
    assert.equal(await versionOf(), before + 1);
    const rows = await server.database.store.snapshot(scope, null, 100);
    assert.equal(
      fieldOf(
        rows.find(({ id }) => id === mineId(scope, task)),
        'reminded',
      ),
      now,
    );
    assert.equal((await post(cookie, { task: newId() }, '/dismiss')).status, 404);
  });
});
