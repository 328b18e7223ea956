// Runs the contract of the Store port on every engine, and what only one of them can show.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { openDatabase } from '#server/data/database.ts';
import { databaseContract } from './database-contract.ts';
import { lifecycleContract } from './lifecycle-contract.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { storeContract } from './store-contract.ts';

async function openFile() {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthaste-store-'));
  const database = await openDatabase({ dataDir });
  return {
    ...database,
    close: async () => {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const openMemory = () => openDatabase({ dataDir: ':memory:' });

storeContract('SQLite in a file', openFile);
databaseContract('SQLite in a file', openFile);
storeContract('SQLite in memory', openMemory);
databaseContract('SQLite in memory', openMemory);

describe('SQLite in a file', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'posthaste-life-'));
  });
  after(() => rm(root, { recursive: true }));
  lifecycleContract('SQLite in a file', async () => ({ dataDir: join(root, randomUUID()) }));
});

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

  storeContract('PostgreSQL', open);
  databaseContract('PostgreSQL', open);
  lifecycleContract('PostgreSQL', async () => {
    assert.ok(instance);
    return { url: await instance.createDatabase(), dataDir: '' };
  });
});
