// A device says once when it and a restored server are together again, whoever brought the server the rows back: what it holds of
// files is sent again then.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type Device, RestoredWorld } from './restored-world.ts';

describe('[SHARE-237] a device and a restored server', () => {
  let world: RestoredWorld;
  afterEach(() => world.close());

  /** How many rows the server had taken back, each time that the device said so. */
  const heardOn = ({ engine }: Device): readonly number[] => {
    const heard: number[] = [];
    engine.restored.subscribe(() => heard.push(engine.restored.get()));
    return heard;
  };

  it('are together again also where another device was faster', async () => {
    world = await RestoredWorld.make();
    const [a, b] = [await world.device(), await world.device()];
    await a.synced();
    await b.synced();
    const backup = await world.backup();
    a.task('lost');
    a.task('lost too');
    await a.synced();
    await b.synced();
    const heard = [heardOn(a), heardOn(b)];
    await world.restore(backup);
    await a.synced();
    await b.synced();
    await world.settle();
    assert.deepEqual(heard, [[2], [0]]);
  });

  it('are together again only when what waited has been judged', async () => {
    world = await RestoredWorld.make();
    const a = await world.device();
    const backup = await world.backup();
    a.task('lost');
    await a.synced();
    const before: boolean[] = [];
    await world.restore(backup);
    const made = a.task('made meanwhile');
    const isWaiting = () => a.engine.facts().pending.some(({ id }) => id === made);
    a.engine.restored.subscribe(() => before.push(isWaiting()));
    assert.equal(isWaiting(), true);
    await a.synced();
    assert.deepEqual(before, [false]);
  });

  it('say nothing where nothing was lost', async () => {
    world = await RestoredWorld.make();
    const a = await world.device();
    a.task('kept');
    await a.synced();
    const heard = heardOn(a);
    await world.restore(await world.backup());
    a.task('new');
    await world.settle();
    assert.deepEqual(heard, []);
  });
});
