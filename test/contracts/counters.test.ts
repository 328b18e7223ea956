// Shared counters on every engine that has them.
import { after, before, describe } from 'node:test';
import { must } from '#core/assert.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { countersContract } from './counters-contract.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';

describe('counters in PostgreSQL', () => {
  let postgres: PostgresInstance | undefined;
  const databases: Database[] = [];
  const countersOf = (at: number) => must(databases[at]?.counters ?? null, 'PostgreSQL has counters');
  before(async () => {
    postgres = await startPostgres();
    const url = await postgres.createDatabase();
    for (let at = 0; at < 3; at += 1) databases.push(await openDatabase({ url, dataDir: '' }));
  });
  after(async () => {
    for (const database of databases) await database.close();
    await postgres?.stop();
  });

  countersContract(() => [countersOf(0), countersOf(1), countersOf(2)]);
});
