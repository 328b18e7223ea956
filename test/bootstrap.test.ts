// A scope read from the start, page by page, with everything that can come between two pages.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import type { PartPage, TransportAnswer } from '#sync/replica/ports.ts';
import { type Device, heldBy, newId, synced, until, World } from './bootstrap-world.ts';
import { fieldOf } from '#sync/rows/row.ts';

const TASKS = 150;
const offline: TransportAnswer<PartPage> = { ok: false, problem: { type: 'offline' } };

async function worldOf(t: TestContext, count = TASKS): Promise<World> {
  const world = await World.create(count);
  t.after(() => world.close());
  return world;
}

/** At the end both hold the same, and nothing had to be read again to come there. */
async function agree(world: World, device: Device, readings = 1): Promise<void> {
  await synced(device);
  await device.engine.flushed();
  assert.deepEqual(heldBy(device), [...(await world.held())].toSorted());
  assert.equal(device.disk().meta?.readings, undefined);
  const begun = device.asked.filter(({ part, after }) => part === 'frame' && after === null);
  assert.ok(begun.length <= readings, `begun ${begun.length} times`);
  assert.equal(device.engine.facts().digest !== 'different', true);
  assert.equal(device.disk().rows.size, heldBy(device).length, 'the disk holds what is shown');
}

/** A page that is never answered: what comes after it does not happen. */
const never = new Promise<never>(() => undefined);

/** Opens a device that stops before its page `number`; resolves when everything before it is on its disk. */
async function stoppedAt(world: World, number: number, disk?: Device): Promise<Device> {
  let reached = false;
  const device = await world.device({
    ...(disk === undefined ? {} : { disk: disk.disk() }),
    page: (at) => {
      if (at < number) return undefined;
      reached = true;
      return never;
    },
  });
  await until(() => reached, `page ${number} is asked for`);
  await device.engine.flushed();
  return device;
}

async function pagesOf(world: World): Promise<number> {
  const device = await world.device();
  await synced(device);
  return device.asked.length;
}

/** A device whose every page is read before `write` and delivered after the news of it. */
async function lateIn(
  world: World,
  { write, disk }: { readonly write: () => Promise<void>; readonly disk?: Device },
): Promise<Device> {
  let written: Promise<void> | undefined;
  const device = await world.device({
    ...(disk === undefined ? {} : { disk: disk.disk() }),
    async page(at, place) {
      if (at === 0) return undefined;
      const page = await world.read(place);
      await (written ??= write());
      device.engine.nudge();
      const version = await world.version();
      await until(() => (device.cursor() ?? 0) >= version, 'the news came first');
      return page;
    },
  });
  return device;
}

const readingOf = (device: Device, world: World) => device.disk().meta?.readings?.[world.scope];

describe('reading a scope from the start', () => {
  it('[SYNC-50] brings everything, what frames it first and what was done long ago last', async (t) => {
    const world = await worldOf(t);
    const device = await world.device();
    await agree(world, device);
    const parts = device.asked.map(({ part }) => part);
    assert.deepEqual([...new Set(parts)], ['frame', 'hot', 'cold']);
    assert.deepEqual(
      parts,
      parts.toSorted((a, b) => ['frame', 'hot', 'cold'].indexOf(a) - ['frame', 'hot', 'cold'].indexOf(b)),
    );
  });

  it('says how far it has come', async (t) => {
    const world = await worldOf(t);
    const device = await stoppedAt(world, 4);
    const state = device.engine.state.get();
    assert.ok(state.type === 'loading' && state.progress !== undefined);
    assert.equal(state.progress.total, TASKS + 1);
    assert.ok(state.progress.read > 25 && state.progress.read < TASKS);
  });

  it('[SYNC-51] goes on where it was after a crash before any page', async (t) => {
    const world = await worldOf(t);
    const pages = await pagesOf(world);
    assert.ok(pages > 6);
    for (let number = 1; number < pages; number += 1) {
      const stopped = await stoppedAt(world, number);
      const stored = readingOf(stopped, world);
      assert.ok(stored?.next, 'it is known where to go on');
      const again = await world.device({ disk: stopped.disk() });
      assert.deepEqual(again.asked[0] ?? stored.next, stored.next);
      await agree(world, again);
      assert.deepEqual(again.asked[0], stored.next, 'nothing is read twice');
      assert.ok(again.asked.length < pages);
    }
  });

  it('goes on after the network was away before any page', async (t) => {
    const world = await worldOf(t);
    const pages = await pagesOf(world);
    for (let number = 0; number < pages; number += 1) {
      const device = await world.device({ page: (at) => (at === number ? offline : undefined) });
      await agree(world, device, number === 0 ? 2 : 1);
    }
  });

  it('ends when the scope may not be read any more', async (t) => {
    const world = await worldOf(t);
    const device = await world.device({
      page(at) {
        if (at === 3) world.leave();
        return undefined;
      },
    });
    await until(() => heldBy(device).length === 0, 'the rows went');
    const asked = device.asked.length;
    await until(() => device.disk().meta?.readings === undefined, 'the reading has ended');
    assert.ok(device.asked.length <= asked + 2, 'it is not asked for any more');
  });

  it('takes in what is written, moved between parts and purged meanwhile, before any page', async (t) => {
    const world = await worldOf(t);
    const pages = await pagesOf(world);
    for (let number = 0; number < pages; number += 1) {
      const [purged, reopened, closed] = world.tasks.splice(0, 3) as [Id, Id, Id];
      const device = await world.device({
        async page(at) {
          if (at === number) {
            await world.purge(purged);
            await world.write([
              { a: 'set', id: reopened, field: 'status', value: null },
              { a: 'set', id: closed, field: 'status', value: { done: 1_000 } },
              {
                a: 'create',
                id: newId(),
                type: 'task',
                fields: { title: 'new' },
                place: { parent: inboxId(world.scope) },
              },
            ]);
            device.engine.nudge();
          }
          return undefined;
        },
      });
      await agree(world, device);
    }
  });

  it('does not bring back what was purged while the page with it was on its way', async (t) => {
    const world = await worldOf(t);
    const [purged] = world.tasks as [Id];
    const slow = await lateIn(world, { write: () => world.purge(purged) });
    await agree(world, slow);
    assert.equal(slow.engine.replica.row(purged), undefined);
  });

  it('goes on when the server starts again with a new generation, before any page', async (t) => {
    const world = await worldOf(t);
    const pages = await pagesOf(world);
    for (let number = 1; number < pages; number += 1) {
      const device = await world.device({
        async page(at) {
          if (at === number) await world.restart();
          return undefined;
        },
      });
      await agree(world, device);
    }
  });

  it('starts again from the first page when the server does not know the place', async (t) => {
    const world = await worldOf(t);
    const refused = { ok: false, problem: { type: 'refused', code: 'invalid', message: '' } } as const;
    const device = await world.device({ page: (at) => (at === 4 ? refused : undefined) });
    await agree(world, device, 2);
  });

  it('[SYNC-52] sends what is done meanwhile at once, and shows it all the time', async (t) => {
    const world = await worldOf(t);
    const device = await stoppedAt(world, 3);
    const { replica } = device.engine;
    const id = replica.newId();
    const held = world.tasks.find((task) => replica.row(task) !== undefined) as Id;
    replica.issue([
      {
        a: 'create',
        id,
        type: 'task',
        fields: { title: 'meanwhile' },
        place: { parent: inboxId(world.scope) },
      },
      { a: 'set', id: held, field: 'title', value: 'changed meanwhile' },
    ]);
    const shown = new Set<unknown>();
    replica.subscribe(() => shown.add(fieldOf(replica.row(held), 'title')));
    await until(() => device.engine.facts().pending.length === 0, 'it is on the server');
    assert.ok(readingOf(device, world)?.next, 'and the pages have not come any further');
    shown.add(fieldOf(replica.row(held), 'title'));
    assert.deepEqual([...shown], ['changed meanwhile']);
    const again = await world.device({ disk: device.disk() });
    await agree(world, again);
    assert.equal(fieldOf(again.engine.replica.row(id), 'title'), 'meanwhile');
    assert.equal(fieldOf(again.engine.replica.row(held), 'title'), 'changed meanwhile');
  });
});

describe('a device that was away for too long', () => {
  /** A device with everything, offline since; meanwhile something was purged and forgotten. */
  async function away(t: TestContext) {
    const world = await worldOf(t);
    const device = await world.device();
    await synced(device);
    await device.engine.flushed();
    await device.engine.close();
    const purged = world.tasks.splice(10, 5);
    for (const id of purged) await world.purge(id);
    await world.write([
      { a: 'set', id: world.tasks[0] as Id, field: 'title', value: 'changed while it was away' },
    ]);
    await world.raiseHorizon();
    return { world, device, purged };
  }

  it('[SYNC-53] keeps its queue and every row that the server still has, and loses the others', async (t) => {
    const { world, device, purged } = await away(t);
    const disk = device.disk();
    const kept = world.tasks[1] as Id;
    const seqs = { q: (disk.meta?.seq ?? 0) + 1, u: newId(), scope: world.scope, t: Date.now(), b: 1 };
    disk.outbox.set(seqs.q, { ...seqs, a: 'set', id: kept, field: 'title', value: 'done on the way' });
    const again = await world.device({ disk });
    const least = again.engine.replica.size - purged.length;
    again.engine.replica.subscribe(() => assert.ok(again.engine.replica.size >= least, 'never empty'));
    await agree(world, again);
    for (const id of purged) assert.equal(again.engine.replica.row(id), undefined);
    assert.equal(fieldOf(again.engine.replica.row(kept), 'title'), 'done on the way');
  });

  it('keeps what is newer than a page that was on its way', async (t) => {
    const { world, device } = await away(t);
    const [id] = world.tasks as [Id];
    const write = () => world.write([{ a: 'set', id, field: 'title', value: 'the newest' }]);
    const late = await lateIn(world, { write, disk: device });
    await agree(world, late);
    assert.equal(fieldOf(late.engine.replica.row(id), 'title'), 'the newest');
  });

  it('comes to the same when it is ended before any page', async (t) => {
    const { world, device, purged } = await away(t);
    const whole = await world.device({ disk: device.disk() });
    await agree(world, whole);
    for (let number = 1; number < whole.asked.length; number += 1) {
      const stopped = await stoppedAt(world, number, device);
      assert.ok(stopped.engine.replica.size >= world.tasks.length, 'everything is in view meanwhile');
      const again = await world.device({ disk: stopped.disk() });
      await agree(world, again);
      for (const id of purged) assert.equal(again.engine.replica.row(id), undefined);
    }
  });
});
