// How often a program may call: exact windows per account, said in every answer, kept over a restart, an operator's to change.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { enterApi } from './api-world.ts';
import { createTestServer } from './harness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

async function enterLimited() {
  const server = await createTestServer({ environment: { RATE_LIMITS: 'default' } });
  return { server, user: await enterApi(server) };
}

describe('limits of the API', () => {
  test('[API-18] ten listings a minute, whatever is listed and by which token; the eleventh is told when to come again', async () => {
    const { server, user } = await enterLimited();
    const other = await server.services.sessions.open({ account: user.account, kind: 'api', userAgent: '' });
    const paths = ['/tasks', '/lists', '/labels', '/todo_items/with_ids?item_ids=x', '/api/tasks'];
    for (let call = 0; call < 10; call += 1) {
      const ask = call % 2 === 0 ? {} : { bearer: other.token };
      const { status, headers } = await user.call('GET', paths[call % 5]!, undefined, ask);
      assert.equal(status, 200);
      assert.deepEqual(
        ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`)),
        ['10', String(9 - call), call === 0 ? '60' : headers.get('ratelimit-reset')],
      );
      server.clock.pass(SECOND);
    }
    const refused = await user.call('GET', '/tasks');
    assert.deepEqual([refused.status, refused.body['code']], [429, 'rate_limited']);
    assert.equal(refused.body['error'], refused.body['message']);
    assert.deepEqual(
      [refused.headers.get('retry-after'), refused.headers.get('ratelimit-remaining')],
      ['50', '0'],
    );
    // Setting the wall clock changes nothing.
    server.clock.setWall(server.clock.now() - 5 * 60 * MINUTE);
    server.clock.pass(50 * SECOND - 1);
    assert.equal((await user.call('GET', '/tasks')).status, 429);
    server.clock.pass(1);
    assert.equal((await user.call('GET', '/tasks')).status, 200);
    assert.equal((await user.call('GET', '/tasks')).status, 429);
    assert.equal(
      (await enterApi(server, 'eve@example.org').then((eve) => eve.call('GET', '/tasks'))).status,
      200,
    );
    await server.close();
  });

  test('[API-18] sixty writes a minute, deleting and duplicating among them; reading one thing has its own sixty', async () => {
    const { server, user } = await enterLimited();
    const list = await user.list({ name: 'Plans' });
    const { id } = await user.task({ title: 'x' });
    for (let call = 2; call < 58; call += 1) await user.change(id, { title: `${call}` });
    assert.equal((await user.call('POST', `/lists/${list.id}/duplicate`)).status, 200);
    const last = await user.call('DELETE', `/tasks/${id}`);
    assert.deepEqual([last.status, last.headers.get('ratelimit-remaining')], [200, '0']);
    assert.equal((await user.call('POST', '/tasks', { title: 'one too many' })).status, 429);
    for (let call = 0; call < 60; call += 1)
      assert.equal((await user.call('GET', `/tasks/${id}`)).status, 404);
    assert.equal((await user.call('GET', `/tasks/${id}`)).status, 429);
    await server.close();
  });

  test('[API-18] a hundred calls at once: exactly ten pass', async () => {
    const { server, user } = await enterLimited();
    const answers = await Promise.all(Array.from({ length: 100 }, () => user.call('GET', '/lists')));
    assert.equal(answers.filter(({ status }) => status === 200).length, 10);
    await server.close();
  });

  test('[API-19] an operator can give an account limits of its own, and take them away', async () => {
    const { server, user } = await enterLimited();
    const set = (rates: string | null) =>
      server.database.db.updateTable('account').set({ rates }).where('id', '=', user.account).execute();
    const accepted = async (calls: number) => {
      server.clock.pass(2 * SECOND);
      const answers = await Promise.all(Array.from({ length: calls }, () => user.call('GET', '/lists')));
      return answers.filter(({ status }) => status === 200).length;
    };
    await set('listing=25/1m');
    assert.equal(await accepted(40), 25);
    await set('off');
    assert.equal(await accepted(40), 40);
    await set('nonsense');
    assert.equal(await accepted(40), 0, 'what cannot be read is as if it were not there');
    await set(null);
    server.clock.pass(MINUTE);
    assert.equal(await accepted(40), 10);
    await server.close();
  });
});
