// Runs the contract of calendars of other programs on every engine.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { openDatabase } from '#server/data/database.ts';
import { calendarsContract } from './calendars-contract.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';

calendarsContract('SQLite', () => openDatabase({ dataDir: ':memory:' }));

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  calendarsContract('PostgreSQL', async () => {
    assert.ok(instance);
    return await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  });
});
