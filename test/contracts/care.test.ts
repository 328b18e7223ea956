// Runs the contracts of housekeeping, of erasing accounts, of mail, of notes, of restored servers and of those that may not write on every engine.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { openDatabase } from '#server/data/database.ts';
import { careContract } from './care-contract.ts';
import { erasureContract } from './erasure-contract.ts';
import { historyGroupsContract } from './history-groups-contract.ts';
import { mailContract } from './mail-contract.ts';
import { notesContract } from './notes-contract.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { readOnlyContract } from './read-only-contract.ts';
import { restoredServerContract } from './restored-server-contract.ts';
import { restoredSharingContract } from './restored-sharing-contract.ts';

erasureContract('SQLite', () => openDatabase({ dataDir: ':memory:' }));
careContract('SQLite', () => openDatabase({ dataDir: ':memory:' }));
mailContract('SQLite', () => openDatabase({ dataDir: ':memory:' }));
notesContract('SQLite', () => openDatabase({ dataDir: ':memory:' }));
restoredServerContract('SQLite', async () => null);
restoredSharingContract('SQLite', async () => null);
readOnlyContract('SQLite', async () => null);

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  const openPostgres = async () => {
    assert.ok(instance);
    return await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  };
  careContract('PostgreSQL', openPostgres);
  erasureContract('PostgreSQL', openPostgres);
  mailContract('PostgreSQL', openPostgres);
  notesContract('PostgreSQL', openPostgres);
  const readableUrl = async () => {
    assert.ok(instance);
    // A name for the host makes it a URL that everybody can read; the socket is what is used.
    return (await instance.createDatabase()).replace('@/', '@localhost/');
  };
  historyGroupsContract(readableUrl);
  restoredServerContract('PostgreSQL', readableUrl);
  restoredSharingContract('PostgreSQL', readableUrl);
  readOnlyContract('PostgreSQL', readableUrl);
});
