// The contract of reading tasks, on the rows of a copy that the command line holds: they are read as a server reads its database.
import type { Id } from '#core/ids.ts';
import type { ReadRow, TaskReads } from '#api/task-reads.ts';
import { CopyRows } from '#cli/copy/rows.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { taskReadsContract } from './task-reads-contract.ts';

/** A row for display: its stamps aren't promised, and are there. */
function shown(row: ReadRow): ReadRow {
  const {
    stamp: _stamp,
    stamps: _stamps,
    ...others
  } = row as ReadRow & { stamp?: unknown; stamps?: unknown };
  return others as ReadRow;
}

const each = <T>(rows: ReadonlyMap<Id, T>, show: (row: T) => T) =>
  new Map([...rows].map(([id, row]) => [id, show(row)] as const));

/** A database whose tasks are read from a copy of its rows. */
async function openCopied(): Promise<Database> {
  const database = await openDatabase({ dataDir: ':memory:' });
  const rows = new CopyRows();
  const of = async (...scopes: readonly Id[]): Promise<CopyRows> => {
    const all = await Promise.all(scopes.map((scope) => database.store.snapshot(scope, null, 100_000)));
    rows.take(all.flat());
    return rows;
  };
  const reads: TaskReads = {
    recent: async (scope, ...more) => (await (await of(scope)).recent(scope, ...more)).map(shown),
    beneath: async (scope, ...more) => (await (await of(scope)).beneath(scope, ...more)).map(shown),
    branches: async (scope, ...more) => (await of(scope)).branches(scope, ...more),
    find: async (scopes, ids) => (await of(...scopes)).find(scopes, ids),
    comments: async (scope, ...more) => (await (await of(scope)).comments(scope, ...more)).map(shown),
    async surroundings(scope, personal, tasks) {
      const read = await of(...new Set([scope, personal]));
      const { above, mine, attachments, comments } = await read.surroundings(scope, personal, tasks);
      return {
        above: each(above, shown),
        mine: each(mine, shown),
        attachments: each(attachments, (found) => found.map(shown)),
        comments,
      };
    },
    settings: async (scope) => (await of(scope)).settings(scope),
    frame: async (scope) => (await of(scope)).frame(scope),
    frameVersion: async (scope) => (await of(scope)).frameVersion(scope),
  };
  return { ...database, reads, close: () => database.close() };
}

taskReadsContract('[SEAL-283] a copy of the command line', openCopied, { isOfOne: true });
