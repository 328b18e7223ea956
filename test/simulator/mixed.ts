// Histories in which everything happens at once: people write notes, turn cloud sync off and on, and the server's database
// is put back to older states, with every fault of the plain ones (world.ts). The reference model does not watch here: it
// knows one history of the server, and nothing of merging. What must hold in the end does not need it.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { registerStamp, type Row } from '#sync/rows/row.ts';
import type { WriteBatch } from '#server/data/store.ts';
import { checkCopy, checkTree } from './checks.ts';
import { Detachments } from './detaching.ts';
import type { SimulatedDevice } from './device.ts';
import { SeededRandom } from './random.ts';
import { goBackNowAndThen } from './restores.ts';
import type { Subject } from './subject.ts';
import { World, type Outcome } from './world.ts';
import { unknownIn } from './unknown-types.ts';
import { Writers } from './writers.ts';

/** The device in the stamp of a note that holds what several wrote. */
const SEVERAL = -0x7fff_ffff;

interface Parts {
  readonly world: World;
  readonly random: SeededRandom;
  readonly writers: Writers;
  readonly detachments: Detachments;
  /** Rows that were removed for good. */
  readonly purged: Set<Id>;
}

/** Sees what the server commits, in place of the reference model. */
function watch({ world, writers, purged }: Parts): void {
  const { hits, server } = world;
  server.oracle.committed = ({ tombstones, history, rows }: WriteBatch) => {
    for (const { id } of tombstones) purged.add(id);
    for (const { operation, before } of history) {
      if (operation.a === 'set' && operation.field === 'notes') writers.replaced(operation.id);
      if (operation.a === 'reoffer') {
        hits.hit('given back by a device');
        // Both the text that was replaced and one that came too late to replace another.
        writers.keptInHistory(operation.fields['notes']);
        for (const { fields } of before) writers.keptInHistory(fields?.['notes']);
      }
      if (operation.a !== 'note') continue;
      hits.hit('note edited');
      const row = rows.find(({ id }) => id === operation.id);
      if (row !== undefined && registerStamp(row, 'notes')[2] === SEVERAL) hits.hit('note edits merged');
    }
  };
}

/** Beside what `World.live` lets people do. */
function alsoLive({ world, random, writers, detachments }: Parts): void {
  const { scheduler, server, devices } = world;
  const again = (low: number, high: number, work: () => void): void => {
    scheduler.after(random.between(low, high), () => {
      if (!world.isLiving) return;
      work();
      again(low, high, work);
    });
  };
  again(50, 2_500, () => writers.write(random.pick(devices)));
  const someScope = (): Id => random.pick([...server.oracle.scopes.keys()]);
  again(2_000, 30_000, () => void server.flatten(someScope(), random.pick([0, 5_000])));
  if (random.chance(0.6)) again(2_000, 20_000, () => detachments.turn(random.pick(devices)));
}

async function check({ world, writers, detachments, purged }: Parts): Promise<void> {
  world.assertSound();
  const { server, devices } = world;
  const all = new Map<Id, Row>();
  for (const scope of server.oracle.scopes.keys()) {
    const rows = await server.rowsOf(scope);
    const head = await server.store.scope(scope);
    const digest = new DigestSum();
    for (const row of rows.values()) digest.add(row.id, row.version);
    assert.equal(head?.digest, digest.value, 'the digest of the scope is that of its rows');
    checkTree(scope, rows);
    for (const device of devices) if (device.actor.personalScope === scope) checkCopy(device, rows);
    for (const [id, row] of rows) all.set(id, row);
  }
  for (const device of devices)
    checkNothingMissing(device, all, new Set([...purged, ...detachments.dropped]));
  detachments.check();
  writers.check({
    devices,
    rows: all,
    dropped: detachments.dropped,
    restores: world.hits.of('server put back'),
  });
}

/** What somebody made is on the server, or its author was told that it was refused. */
function checkNothingMissing(
  device: SimulatedDevice,
  rows: ReadonlyMap<Id, Row>,
  gone: ReadonlySet<Id>,
): void {
  const kept = new Set([...device.contents.recovered.values()].map(({ operation }) => operation.id));
  for (const operation of device.disk.durable.values()) {
    const { a, id, u } = operation;
    if (a !== 'create' || rows.has(id) || kept.has(id) || gone.has(id) || gone.has(u)) continue;
    assert.fail(`${operation.type} ${id} of ${device.name} is missing`);
  }
}

/** Lives through one seed. Rejects with what is wrong. */
export async function runMixedHistory(seed: number, subject: Subject): Promise<Outcome> {
  const shape = new SeededRandom(seed ^ 0x27d4eb2f);
  const world = new World(seed, subject, {
    devices: shape.between(2, 4),
    accounts: 1,
    faults: true,
    areAllNew: true,
    unknown: unknownIn(seed),
  });
  const { hits, server } = world;
  const detachments = new Detachments(world);
  const writers = new Writers(shape.fork(), hits);
  const parts = { world, random: shape.fork(), writers, detachments, purged: new Set<Id>() };
  watch(parts);
  try {
    await world.open();
    const level = shape.chance(0.3) ? 0 : shape.fraction();
    // A row that a damaged disk lost may be nowhere else.
    world.setFaults(level, { loses: 0 });
    const restores = shape.chance(0.6) ? shape.between(1, 4) : 0;
    // A purge that the server forgot would leave things missing for a good reason.
    if (restores > 0) server.purge = () => Promise.resolve();
    goBackNowAndThen(world, shape.fork(), restores);
    alsoLive(parts);
    await world.live(shape.between(20, 60));
    await world.settle(() => detachments.end());
    await check(parts);
    const rows: unknown[] = [];
    for (const scope of server.oracle.scopes.keys()) rows.push([...(await server.rowsOf(scope)).values()]);
    const { now, steps } = world.scheduler;
    return { hits, trace: JSON.stringify([now, steps, rows]), steps };
  } finally {
    await world.close();
  }
}
