// A server is put back to an older state while a device is still reading, or before it has read its own changes back.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import { type Device, RestoredWorld } from './restored-world.ts';
import { fieldOf } from '#sync/rows/row.ts';

describe('[SYNC-29] a server restored while a device reads', () => {
  let world: RestoredWorld;
  let a: Device;
  let b: Device;
  afterEach(() => world.close());
  const begin = async () => {
    world = await RestoredWorld.make();
    a = await world.device();
    b = await world.device();
    await a.synced();
    await b.synced();
  };
  const title = async (id: Id) => fieldOf((await world.rows()).get(id), 'title');

  for (const at of [0, 1, 2, 3, 4])
    it(`gets back what the device held before page ${at}`, async () => {
      await begin();
      const tasks = Array.from({ length: 10 }, (_, index) => a.task(`task ${index}`));
      await a.synced();
      const backup = await world.backup();
      for (const id of tasks) a.issue({ a: 'set', id, field: 'title', value: 'lost' });
      const created = Array.from({ length: 10 }, (_, index) => a.task(`created ${index}`));
      await a.synced();
      await a.stop();
      for (let n = 0; n < 5; n += 1) b.task(`of b ${n}`);
      await b.synced();
      await b.stop();
      world.devices.splice(1);
      await world.raiseHorizon();
      a.maxRows = 3;
      a.pageRows = 4;
      a.beforePage = async (page) => {
        if (page !== at) return;
        await world.restore(backup);
        a.setOnline(true);
      };
      await a.start();
      await a.synced();
      await world.settle();
      for (const id of tasks) assert.equal(await title(id), 'lost');
      for (const [index, id] of created.entries()) assert.equal(await title(id), `created ${index}`);
    });

  for (const isReused of [false, true])
    it(`[SYNC-156] gets back what a page had ahead of the cursor${isReused ? ', also where its version was given out again' : ''}`, async () => {
      await begin();
      b.setOnline(false);
      for (let n = 0; n < 10; n += 1) a.task(`of a ${n}`);
      await a.synced();
      await world.raiseHorizon();
      const backup = await world.backup();
      let late: Id | undefined;
      b.maxRows = 3;
      // Of the three pages, the second one has it.
      b.beforePage = async (page) => {
        if (page === 1) {
          late = a.task('late');
          await a.synced();
        }
        if (page !== 2) return;
        while (late === undefined || b.title(late) === undefined)
          await new Promise((resolve) => setImmediate(resolve));
        b.setOnline(false);
      };
      b.setOnline(true);
      while (b.isOnline) await new Promise((resolve) => setImmediate(resolve));
      b.beforePage = () => Promise.resolve();
      await b.stop();
      await a.stop();
      world.devices.splice(0);
      await world.restore(backup);
      const c = await world.device();
      if (isReused) {
        c.task('with the version of the one that is lost');
        await c.synced();
      }
      await b.start();
      world.devices.push(b);
      await world.settle([b, c]);
      assert.ok(late !== undefined);
      assert.equal(await title(late), 'late');
    });

  it('[SYNC-158] gets back what a device was about to bring back when the server was put back once more', async () => {
    await begin();
    const kept = a.task('kept');
    await a.synced();
    await b.synced();
    const early = await world.backup();
    const lost = a.task('lost');
    a.issue({ a: 'set', id: kept, field: 'title', value: 'renamed' });
    await a.synced();
    await world.restore(early);
    // Of the restored server, before any device has come.
    const late = await world.backup();
    a.beforeOffer = async () => {
      await world.restore(late);
      a.setOnline(true);
    };
    await a.synced();
    assert.equal(a.beforeOffer, null, 'it was put back between the news and the offers');
    await world.settle();
    assert.deepEqual([await title(lost), await title(kept)], ['lost', 'renamed']);
    assert.deepEqual([...a.contents.recovered.values()], []);
  });

  it('gets back what was sent by a device that was far behind', async () => {
    await begin();
    const backup = await world.backup();
    b.setOnline(false);
    for (let n = 0; n < 10; n += 1) a.task(`of a ${n}`);
    await a.synced();
    const sent = b.task('sent while far behind');
    b.maxRows = 2;
    let isSeen = true;
    b.engine.replica.subscribe(() => {
      isSeen &&= b.title(sent) !== undefined;
    });
    b.setOnline(true);
    while ((await title(sent)) === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    b.setOnline(false);
    assert.ok(isSeen, 'it shows all the time');
    assert.equal(b.title(sent), 'sent while far behind');
    await b.stop();
    await world.restore(backup);
    await b.start();
    await world.settle([b, a]);
    assert.equal(await title(sent), 'sent while far behind');
  });

  it('gets back what was sent by a device that was then told to read everything', async () => {
    await begin();
    const backup = await world.backup();
    b.setOnline(false);
    for (let n = 0; n < 10; n += 1) a.task(`of a ${n}`);
    await a.synced();
    await world.raiseHorizon();
    const sent = b.task('sent before reading');
    b.maxRows = 3;
    b.pageRows = 3;
    b.beforePage = () => {
      b.setOnline(false);
      return Promise.resolve();
    };
    b.setOnline(true);
    while (b.isOnline) await new Promise((resolve) => setTimeout(resolve, 1));
    b.beforePage = () => Promise.resolve();
    assert.equal(await title(sent), 'sent before reading');
    assert.equal(b.title(sent), 'sent before reading');
    const during = b.task('sent while reading', sent);
    b.setOnline(true);
    while ((await title(during)) === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    b.setOnline(false);
    await b.stop();
    await world.restore(backup);
    await b.start();
    await world.settle([b, a]);
    assert.deepEqual([await title(sent), await title(during)], ['sent before reading', 'sent while reading']);
    assert.deepEqual(b.engine.recovered.get(), []);
  });

  it('is offered what a first restore lost also when a second one comes before the offers were sent', async () => {
    await begin();
    const early = await world.backup();
    const first = a.task('first');
    await a.synced();
    const late = await world.backup();
    const second = a.task('second', first);
    const third = a.task('third', second);
    await a.synced();
    await b.stop();
    world.devices.splice(1);
    await world.restore(late);
    a.setOnline(true);
    while (![...a.contents.outbox.values()].some((operation) => operation.a === 'reoffer'))
      await new Promise((resolve) => setTimeout(resolve, 0));
    a.setOnline(false);
    await a.stop();
    await world.restore(early);
    await a.start();
    const { device } = a.contents.meta?.lanes?.[8_191] ?? assert.fail();
    await world.settle();
    assert.equal(a.contents.meta?.lanes?.[8_191]?.device, device, 'nobody took it for a copy');
    assert.deepEqual(
      [await title(first), await title(second), await title(third)],
      ['first', 'second', 'third'],
    );
    assert.deepEqual(a.engine.recovered.get(), []);
  });

  for (const reads of ['before', 'after'] as const)
    it(`[SYNC-158] takes offers also where the second backup was made after the first restore, ${reads} a device was told of that`, async () => {
      await begin();
      const early = await world.backup();
      const lost = a.task('lost');
      await a.synced();
      await b.stop();
      world.devices.splice(1);
      await world.restore(early);
      const before = await world.backup();
      a.setOnline(true);
      while (![...a.contents.outbox.values()].some((operation) => operation.a === 'reoffer'))
        await new Promise((resolve) => setTimeout(resolve, 0));
      a.setOnline(false);
      await a.stop();
      await world.restore(reads === 'before' ? before : await world.backup());
      const { wentBack } = world.healed;
      // Its place is known there, so that nothing but the offers says that the window is lost.
      await a.start();
      await world.settle();
      assert.equal(await title(lost), 'lost');
      assert.deepEqual(a.engine.recovered.get(), []);
      assert.equal(world.healed.wentBack - wentBack, reads === 'before' ? 1 : 0);
    });
});
