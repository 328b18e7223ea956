// What the server says about its disk and its backups, and what it still does when the disk is full.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDiskWatch } from '#server/care/disk-watch.ts';
import { NoRoomError } from '#server/data/storage-trouble.ts';
import { protocolVersion } from '#wire/version.ts';
import { createTestServer } from './harness.ts';

const NEW_PASSWORD = 'seven lamps by the harbour';

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
      assert.match(lines.pop() ?? '', /^not set up: public-url, outgoing-mail, [a-z-, ]*community$/);
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

  for (const [what, path] of [
    ['a new password', '/app/api/password'],
    ['the link of a letter', '/sessions/reset_password'],
  ] as const)
    test(`[ACC-24] ${what} that found no room is said to be done in part, and works when there is room`, async () => {
      const server = await createTestServer();
      const email = 'person@example.org';
      const { cookie } = await server.signUp(email);
      await server.ask('/api/sessions/request_password_reset', { method: 'POST', body: { email } });
      await server.services.desk.background.idle();
      const token = server.letters.flatMap(({ text }) => /token=([\w-]{43})/.exec(text)?.[1] ?? []).at(-1);
      const ask = () => {
        const body = { token, password: NEW_PASSWORD, new_password: NEW_PASSWORD };
        return server.ask(path, { method: 'POST', cookie, body });
      };
      const record = server.ledger.record.bind(server.ledger);
      server.ledger.record = () => Promise.reject(new NoRoomError());
      const refused = await ask();
      assert.equal(refused.status, 507);
      const text = await refused.text();
      assert.match(text, /only part of what you asked/);
      assert.doesNotMatch(text, /Nothing was changed/);
      server.ledger.record = record;
      assert.equal((await ask()).status, 200);
      const body = { email, password: NEW_PASSWORD };
      assert.equal((await server.ask('/app/api/sign_in', { method: 'POST', body })).status, 200);
      await server.close();
    });

  test('[ACC-24] nobody is told that a letter is on its way which a full disk may never let be written', async () => {
    const state = { at: 0, free: 1 };
    const look = () => ({ free: state.free, total: 100 });
    const disk = createDiskWatch('/', { monotonic: () => (state.at += 1_000) }, look);
    const server = await createTestServer({ disk });
    for (const email of ['person@example.org', 'nobody@example.org']) {
      const ask = () =>
        server.ask('/api/sessions/request_password_reset', { method: 'POST', body: { email } });
      state.free = 1;
      assert.equal((await ask()).status, 507);
      state.free = 50;
      assert.equal((await ask()).status, 200);
    }
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
