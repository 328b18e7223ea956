// Runs the contract of sealed scopes on every engine.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { openDatabase } from '#server/data/database.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { sealedFilesContract } from './sealed-files-contract.ts';
import { sealedOutsideContract } from './sealed-outside-contract.ts';
import { sealingContract } from './sealing-contract.ts';

const openMemory = () => openDatabase({ dataDir: ':memory:' });

sealingContract('SQLite', openMemory);
sealedOutsideContract('SQLite', openMemory);
sealedFilesContract('SQLite', openMemory);

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());

  const open = async () => {
    assert.ok(instance);
    return await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  };

  sealingContract('PostgreSQL', open);
  sealedOutsideContract('PostgreSQL', open);
  sealedFilesContract('PostgreSQL', open);
});
