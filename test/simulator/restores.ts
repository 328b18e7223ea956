// A server whose database is put back, now and then, to what it was, while everybody lives on.
import { openDatabase, type Database } from '#server/data/database.ts';
import { tableNames } from '#server/data/tables.ts';
import type { SeededRandom } from './random.ts';
import type { World } from './world.ts';

type Table = Exclude<(typeof tableNames)[number], 'schema_version' | 'probe'>;
type Contents = ReadonlyMap<Table, readonly Record<string, unknown>[]>;

const TABLES = tableNames.filter((name): name is Table => name !== 'schema_version' && name !== 'probe');
const CHUNK = 50;

/** All that a database holds at one moment. */
function contentsOf({ db }: Database): Promise<Contents> {
  return db.transaction().execute(async (tx) => {
    const contents = new Map<Table, readonly Record<string, unknown>[]>();
    for (const table of TABLES) contents.set(table, await tx.selectFrom(table).selectAll().execute());
    return contents;
  });
}

async function databaseWith(contents: Contents): Promise<Database> {
  const database = await openDatabase({ dataDir: ':memory:' });
  for (const [table, rows] of contents) {
    for (let start = 0; start < rows.length; start += CHUNK)
      await database.db
        .insertInto(table)
        .values(rows.slice(start, start + CHUNK) as never)
        .execute();
  }
  return database;
}

/** Takes copies and puts one back, `times` times, while the world lives. */
export function goBackNowAndThen(world: World, random: SeededRandom, times: number): void {
  const { scheduler, server } = world;
  let copy: Contents | null = null;
  let left = times;
  const later = (work: () => Promise<void>): void => {
    scheduler.after(random.between(2_000, 40_000), () => void work());
  };
  const takeCopy = async (): Promise<void> => {
    copy = await contentsOf(server.present);
    later(goBack);
  };
  const goBack = async (): Promise<void> => {
    if (copy === null || left === 0) return;
    left -= 1;
    server.putBack(await databaseWith(copy));
    world.hits.hit('server put back');
    // The same copy may be put back twice.
    if (random.chance(0.3)) later(goBack);
    else later(takeCopy);
  };
  later(takeCopy);
}
