// What the server says about its disk and its backups, and what it still does when the disk is full.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDiskWatch } from '#server/care/disk-watch.ts';
import { protocolVersion } from '#wire/version.ts';
import { createTestServer } from './harness.ts';

describe('room on the disk', () => {
  test('a full disk refuses what is new with 507 and answers everything else', async () => {
    const state = { free: 50, at: 0 };
    const look = () => ({ free: state.free, total: 100 });
    const disk = createDiskWatch('/', { monotonic: () => (state.at += 1_000) }, look);
    const server = await createTestServer({ disk });
    const { cookie, personalScope } = await server.signUp('person@example.org');
    const device = crypto.randomUUID();
    const push = (ops: readonly unknown[]) =>
      server.ask('/sync/v1', {
        method: 'POST',
        cookie,
        body: { schema: protocolVersion, device, clientNow: 1, ops, ack: 0, cursors: {} },
      });
    const operation = { q: 1, u: crypto.randomUUID(), scope: personalScope, t: 1, b: 0, a: 'delete' };
    const ops = [{ ...operation, id: crypto.randomUUID() }];
    const ready = async () => {
      const lines = (await (await server.ask('/readyz')).text()).trimEnd().split('\n');
      assert.match(lines.pop() ?? '', /^not set up: public-url, outgoing-mail, [a-z-, ]*payments$/);
      return lines;
    };
    assert.deepEqual(await ready(), ['ready']);
    state.free = 9;
    assert.deepEqual(await ready(), ['ready', 'disk low']);
    state.free = 1;
    assert.deepEqual(await ready(), ['read only', 'disk full']);
    const refused = await push(ops);
    assert.equal(refused.status, 507);
    assert.equal(((await refused.json()) as { code: string }).code, 'storage_full');
    assert.equal(refused.headers.get('retry-after'), '10');
    assert.equal((await push([])).status, 200);
    assert.equal((await server.ask(`/snapshot/v1/${personalScope}`, { cookie })).status, 200);
    assert.match(server.services.metrics.text(), /^posthaste_disk_free_share 0\.01$/m);
    state.free = 3;
    const taken = await push(ops);
    assert.deepEqual(((await taken.json()) as { results: unknown }).results, [[1, 'gone']]);
    await server.close();
  });

  test('an overdue backup is said, and the server stays in service', async () => {
    const backups = {
      run: () => Promise.resolve({ type: 'unchanged' } as const),
      ageMs: () => 9_000_000,
      isOverdue: () => true,
      idle: () => Promise.resolve(),
    };
    const server = await createTestServer({ backups });
    const response = await server.ask('/readyz');
    assert.equal(response.status, 200);
    assert.match(await response.text(), /^ready\nbackup overdue\n/);
    assert.match(server.services.metrics.text(), /^posthaste_backup_age_seconds 9000$/m);
    assert.match(server.services.metrics.text(), /^posthaste_backup_overdue 1$/m);
    await server.close();
  });
});
