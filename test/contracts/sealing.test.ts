// Runs the contract of sealed scopes on every engine.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { openDatabase } from '#server/data/database.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { sealingContract } from './sealing-contract.ts';

sealingContract('SQLite', () => openDatabase({ dataDir: ':memory:' }));

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());

  sealingContract('PostgreSQL', async () => {
    assert.ok(instance);
    return await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  });
});
