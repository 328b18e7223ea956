// What programs find of the time that a person planned in the app.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mineId, type Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import { enterApi } from './api-world.ts';
import { createTestServer } from './harness.ts';

describe('time blocks in the API', () => {
  test('[CAL-59] a query finds the tasks that are planned for a day, and a smart list does too', async () => {
    const server = await createTestServer();
    const user = await enterApi(server);
    const planned = await user.task({ title: 'planned' });
    await user.task({ title: 'open' });
    const now = server.clock.now();
    const start = Math.floor(now / 60_000) * 60_000;
    const block = { start, minutes: 45, zone: 'UTC', occ: 0 };
    const fields = { of: planned.id, [`block:${crypto.randomUUID()}`]: block };
    const create = { a: 'create', type: 'mine', id: mineId(user.scope, planned.id as Id), fields };
    const head = { q: 1, u: crypto.randomUUID(), scope: user.scope, t: now, b: 0 };
    const pushed = await server.ask('/sync/v1', {
      method: 'POST',
      cookie: user.cookie,
      body: {
        schema: protocolVersion,
        device: crypto.randomUUID(),
        clientNow: now,
        ops: [{ ...head, ...create }],
        ack: 0,
        cursors: {},
      },
    });
    const { results } = (await pushed.json()) as { readonly results: unknown };
    assert.deepEqual(results, [[1, 'ok']]);
    const found = async (query: string) =>
      (await user.tasks(`?query=${encodeURIComponent(query)}`)).map(({ title }) => title);
    assert.deepEqual(await found('has:block'), ['planned']);
    assert.deepEqual(await found('block:<=today'), ['planned']);
    assert.deepEqual(await found('block:>tomorrow'), []);
    assert.deepEqual(await found('-has:block'), ['open']);
    const smart = await user.list({ name: 'Planned', list_type: 'smart', smart_list_query: 'has:block' });
    const inIt = await user.tasks(`?list_id=${smart.id}`);
    assert.deepEqual(
      inIt.map(({ title }) => title),
      ['planned'],
    );
  });
});
