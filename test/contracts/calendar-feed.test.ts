// A plan at a secret address on every engine: what it reads of tasks, and that erasing an account takes the address along.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mineId, type Id } from '#core/ids.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import type { CalendarFeed } from '#wire/calendar-links.ts';
import { createTestServer } from '../api/harness.ts';
import { Person } from '../sharing.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';

function contract(engine: string, open: () => Promise<Database>): void {
  test(`[CAL-64] [CAL-65] a plan is read, found the same, and ends, in ${engine}`, async () => {
    const server = await createTestServer({ open });
    const ann = await Person.come(server, 'ann@example.org');
    const list = await ann.list('Work');
    const task = await ann.task('Report', list);
    const start = server.clock.now();
    const block = { start, minutes: 45, zone: 'Europe/Berlin', occ: 0 };
    const id = mineId(ann.personalScope as Id, task);
    await ann.act(
      { a: 'create', type: 'mine', id, fields: { of: task, [`block:${crypto.randomUUID()}`]: block } },
      { a: 'set', id: task, field: 'due', value: { on: '2026-11-30' } },
    );
    const body = { hasBlocks: true, hasDue: true, hasNames: true, hasDone: false };
    const call = async (method: string, path = '') =>
      (await (
        await server.ask(`/app/api/calendar_feed${path}`, {
          method,
          cookie: ann.cookie,
          ...(method === 'POST' && path === '' ? { body } : {}),
        })
      ).json()) as CalendarFeed;
    const address = `/calendar/${(await call('POST')).feed?.token ?? ''}.ics`;
    const answer = await server.ask(address);
    const text = await answer.text();
    assert.match(text, /SUMMARY:Report\r\n[^]*SUMMARY:Due: Report\r\n/);
    assert.match(text, /DTSTART;TZID=Europe\/Berlin:20261120T1\d\d\d00\r\n/);
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
    assert.equal((await server.ask(address, { headers })).status, 304);
    assert.ok(((await call('GET')).feed?.readAt ?? 0) >= start);
    const renewed = `/calendar/${(await call('POST', '/new')).feed?.token ?? ''}.ics`;
    assert.deepEqual([(await server.ask(address)).status, (await server.ask(renewed)).status], [404, 200]);
    assert.equal((await call('DELETE')).feed, null);
    assert.equal((await server.ask(renewed)).status, 404);
    await server.close();
  });
}

describe('SQLite', () => contract('SQLite', () => openDatabase({ dataDir: ':memory:' })));

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  contract('PostgreSQL', async () => {
    assert.ok(instance);
    return await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  });
});
