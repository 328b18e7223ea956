// A simulated server whose database is put back, now and then, to what it was: everybody lives on, and what nobody
// removed has to come back. The reference model does not watch here: it knows one history, and there are several.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import { DigestSum } from '#sync/digest.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { tableNames } from '#server/data/tables.ts';
import { checkCopy, checkTree } from './checks.ts';
import type { SimulatedDevice } from './device.ts';
import { SeededRandom } from './random.ts';
import type { SimulatedServer } from './server.ts';
import type { Subject } from './subject.ts';
import { World } from './world.ts';

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
function goBackNowAndThen(
  world: World,
  random: SeededRandom,
  { times, count }: { readonly times: number; readonly count: () => void },
): void {
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
    count();
    // The same copy may be put back twice.
    if (random.chance(0.3)) later(goBack);
    else later(takeCopy);
  };
  later(takeCopy);
}

async function checkScope(world: World, scope: Id): Promise<void> {
  const rows = await world.server.rowsOf(scope);
  const head = await world.server.store.scope(scope);
  const digest = new DigestSum();
  for (const row of rows.values()) digest.add(row.id, row.version);
  assert.equal(head?.digest, digest.value, 'the digest of the scope is that of its rows');
  checkTree(scope, rows);
  for (const device of world.devices) {
    if (device.actor.personalScope !== scope) continue;
    checkCopy(device, rows);
    checkNothingMissing(device, rows);
  }
}

/** What somebody made is on the server, or its author was told that it was refused. */
function checkNothingMissing(device: SimulatedDevice, rows: ReadonlyMap<Id, unknown>): void {
  const kept = new Set([...device.contents.recovered.values()].map(({ operation }) => operation.id));
  for (const operation of device.disk.durable.values()) {
    if (operation.a !== 'create' || rows.has(operation.id) || kept.has(operation.id)) continue;
    assert.fail(`${operation.type} ${operation.id} of ${device.name} is missing`);
  }
}

function withoutWatch(server: SimulatedServer): void {
  server.oracle.committed = () => undefined;
  // What is removed for good may be missing.
  server.purge = () => Promise.resolve();
}

/** Lives through one seed in which the server goes back. Rejects with what is wrong. */
export async function runRestoredHistory(
  seed: number,
  subject: Subject,
): Promise<{ readonly restores: number }> {
  const shape = new SeededRandom(seed ^ 0x27d4eb2f);
  const world = new World(seed, subject, {
    devices: shape.between(2, 4),
    accounts: 1,
    faults: true,
    areAllNew: true,
  });
  withoutWatch(world.server);
  let restores = 0;
  try {
    await world.open();
    const level = shape.chance(0.3) ? 0 : shape.fraction();
    // A row that a damaged disk lost, and what was sent before its answer was read to the end, may be nowhere else.
    world.setFaults(level, { loses: 0, smallPages: 0 });
    goBackNowAndThen(world, shape, {
      times: shape.between(1, 4),
      count: () => {
        restores += 1;
      },
    });
    await world.live(shape.between(20, 60));
    await world.settle();
    for (const scope of world.server.oracle.scopes.keys()) await checkScope(world, scope);
    return { restores };
  } finally {
    await world.close();
  }
}
