// Tokens of the public API from the app's side: made with a name and a scope, shown once, listed, ended at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tokenListSchema } from '#wire/security.ts';
import { createTestServer, GOOD_PASSWORD } from './harness.ts';

const DAY = 86_400_000;

async function enter() {
  const server = await createTestServer();
  const { cookie, account } = await server.signUp('ada@example.org');
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await server.ask(`/app/api${path}`, {
      method,
      cookie,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const list = async () => tokenListSchema.parse((await ask('GET', '/tokens')).body).tokens;
  const use = async (token: unknown, method = 'GET', path = '/lists') =>
    (
      await server.ask(path, {
        method,
        bearer: String(token),
        ...(method === 'POST' ? { body: { title: 'x' } } : {}),
      })
    ).status;
  return { server, account, ask, list, use };
}

describe('tokens of the API', () => {
  test('[API-20] are named, scoped, listed with their last use, and end at once', async () => {
    const { server, ask, list, use } = await enter();
    assert.deepEqual(await list(), []);
    const { body: read } = await ask('POST', '/tokens', { name: ' Backup script ', access: 'read' });
    const { body: write } = await ask('POST', '/tokens', { name: 'Phone', access: 'write' });
    assert.match(String(read['token']), /^ph_/);
    assert.deepEqual([await use(read['token']), await use(read['token'], 'POST', '/tasks')], [200, 403]);
    assert.deepEqual([await use(write['token']), await use(write['token'], 'POST', '/tasks')], [200, 200]);
    const listed = (await list()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    assert.deepEqual(
      listed.map(({ name, access, lastUsedAt }) => [name, access, lastUsedAt]),
      [
        ['Backup script', 'read', null],
        ['Phone', 'write', null],
      ],
    );
    server.clock.pass(DAY);
    const { cookie } = await server.signUp('eve@example.org');
    await use(write['token']);
    const [first] = await list();
    assert.deepEqual([first?.name, first?.lastUsedAt], ['Phone', server.clock.now()]);
    const foreign = await server.ask(`/app/api/sessions/${String(write['id'])}`, {
      method: 'DELETE',
      cookie,
    });
    assert.equal(foreign.status, 404);
    assert.equal((await ask('DELETE', `/sessions/${String(write['id'])}`)).status, 200);
    assert.equal(await use(write['token']), 401);
    assert.deepEqual(
      (await list()).map(({ name }) => name),
      ['Backup script'],
    );
    await server.close();
  });

  test('[API-20] of signing in are kept as far as they were used last; those with a name stay', async () => {
    const { server, ask, list, use } = await enter();
    await ask('POST', '/tokens', { name: 'Yearly report', access: 'read' });
    const signIn = async () => {
      server.clock.pass(1_000);
      const body = { email: 'ada@example.org', password: GOOD_PASSWORD };
      const answer = await server.ask('/sessions/sign_in', { method: 'POST', body });
      return ((await answer.json()) as { token: string }).token;
    };
    const [first, second] = [await signIn(), await signIn()];
    for (let more = 2; more < 26; more += 1) await signIn();
    assert.deepEqual([await use(first), await use(second)], [401, 200]);
    const names = (await list()).map(({ name }) => name);
    assert.deepEqual([names.length, names.includes('Yearly report')], [26, true]);
    await server.close();
  });

  test('[API-20] are kept as digests only, need a name and a fresh proof, and are not without number', async () => {
    const { server, ask } = await enter();
    const { body } = await ask('POST', '/tokens', { name: 'x', access: 'write' });
    const kept = JSON.stringify(await server.database.db.selectFrom('session').selectAll().execute());
    assert.ok(!kept.includes(String(body['token'])));
    for (const wrong of [
      {},
      { name: ' ', access: 'read' },
      { name: 'x', access: 'all' },
      { name: 'x'.repeat(101), access: 'read' },
    ])
      assert.equal((await ask('POST', '/tokens', wrong)).status, 422);
    for (let more = 1; more < 50; more += 1) await ask('POST', '/tokens', { name: 'x', access: 'read' });
    assert.equal((await ask('POST', '/tokens', { name: 'x', access: 'read' })).status, 422);
    server.clock.pass(11 * 60_000);
    const late = await ask('POST', '/tokens', { name: 'x', access: 'read' });
    assert.deepEqual([late.status, late.body['code']], [403, 'confirm_first']);
    await server.close();
  });
});
