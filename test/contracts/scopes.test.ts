// Runs the contract of several scopes on every engine.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { openDatabase } from '#server/data/database.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { edgesContract } from './edges-contract.ts';
import { labelsContract } from './labels-contract.ts';
import { privateLabelsContract } from './private-labels-contract.ts';
import { movingContract } from './moving-contract.ts';
import { largeMovesContract } from './large-moves-contract.ts';
import { movingRootsContract } from './moving-roots-contract.ts';
import { routingContract } from './routing-contract.ts';
import { scopesContract } from './scopes-contract.ts';

const openMemory = () => openDatabase({ dataDir: ':memory:' });

scopesContract('SQLite', openMemory);
routingContract('SQLite', openMemory);
movingContract('SQLite', openMemory);
largeMovesContract('SQLite', openMemory);
movingRootsContract('SQLite', openMemory);
edgesContract('SQLite', openMemory);
labelsContract('SQLite', openMemory);
privateLabelsContract('SQLite', openMemory);

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

  scopesContract('PostgreSQL', open);
  routingContract('PostgreSQL', open);
  movingContract('PostgreSQL', open);
  largeMovesContract('PostgreSQL', open);
  movingRootsContract('PostgreSQL', open);
  edgesContract('PostgreSQL', open);
  labelsContract('PostgreSQL', open);
  privateLabelsContract('PostgreSQL', open);
});
