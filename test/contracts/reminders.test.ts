// Runs the contract of reminders outside the app on every engine.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { openDatabase } from '#server/data/database.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { remindersContract } from './reminders-contract.ts';

remindersContract('SQLite', () => openDatabase({ dataDir: ':memory:' }));

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  remindersContract('PostgreSQL', async () => {
    assert.ok(instance);
    return await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  });
});
