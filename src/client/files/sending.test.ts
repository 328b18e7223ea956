// Attached files that wait: where each is sent, and what becomes of those that cannot go.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId, type Id } from '#core/ids.ts';
import { FileSending, type Sent, type UnsentFile } from './sending.ts';

const [own, trip, home] = ['own', 'trip', 'home'].map((name) => deriveId('test', name)) as [Id, Id, Id];

/** A device with files that wait, and a server that takes what is for these scopes. */
function waiting(files: readonly [hash: string, scope: Id][]) {
  let queue: UnsentFile[] = files.map(([hash, scope]) => ({ hash, scope, refused: null }));
  const held = new Map<string, Id[]>();
  const taken: string[] = [];
  const open = new Set<Id>([own]);
  let isAway = false;
  let sealing: Id | null = null;
  const answer = (to: Id): Sent =>
    isAway ? { type: 'later' } : open.has(to) ? { type: 'sent' } : { type: 'noScope' };
  const without = (file: UnsentFile) => queue.filter((each) => each !== file);
  const sending = new FileSending({
    unsent: () => Promise.resolve(queue),
    isHeld: ({ sealed }, to) => to === sealing && sealed !== true,
    scopesOf: (hash) => held.get(hash) ?? [],
    send(file, to) {
      const sent = file.hash === 'lost' ? ({ type: 'gone' } as const) : answer(to);
      if (sent.type !== 'later')
        taken.push(`${file.hash} to ${to === own ? 'own' : to === trip ? 'trip' : 'home'}: ${sent.type}`);
      return Promise.resolve(sent);
    },
    drop: (file) => Promise.resolve(void (queue = without(file))),
    refuse: (file, message) =>
      Promise.resolve(void (queue = [...without(file), { ...file, refused: message }])),
  });
  return {
    sending,
    taken,
    held,
    open,
    setSealing: (scope: Id | null) => (sealing = scope),
    seal: (hash: string) =>
      (queue = queue.map((file) => (file.hash === hash ? { ...file, sealed: true } : file))),
    setAway: (away: boolean) => (isAway = away),
    waits: () => queue.map(({ hash }) => hash),
  };
}

describe('files that wait on a device', () => {
  test('[SHARE-234] one for a list that is gone keeps the others from nothing, and stays', async () => {
    const device = waiting([
      ['a', trip],
      ['lost', own],
      ['b', own],
    ]);
    assert.equal(await device.sending.run(), false);
    assert.deepEqual(device.taken, ['a to trip: noScope', 'lost to own: gone', 'b to own: sent']);
    assert.deepEqual(device.waits(), ['a']);
    await device.sending.run();
    assert.equal(device.taken.length, 3, 'nothing is sent in vain again and again');
    device.sending.forget();
    device.open.add(trip);
    assert.equal(await device.sending.run(), true);
    assert.deepEqual([device.taken.at(-1), device.waits()], ['a to trip: sent', []]);
  });

  test('[SHARE-234] they go to where their task is by now, such as one that was made again after its list was lost', async () => {
    const device = waiting([
      ['a', trip],
      ['b', trip],
    ]);
    device.open.add(home);
    device.held.set('b', [trip, home]);
    await device.sending.run();
    assert.deepEqual(device.waits(), ['a', 'b']);
    device.held.set('a', [own]);
    device.held.set('b', [home]);
    assert.equal(await device.sending.run(), true);
    assert.deepEqual(device.taken.slice(2), ['a to own: sent', 'b to home: sent']);
  });

  test('[SEAL-151] what is not sealed waits while its scope takes sealed files only, and holds up no other', async () => {
    const device = waiting([
      ['a', own],
      ['b', own],
      ['c', trip],
    ]);
    device.open.add(trip);
    device.setSealing(own);
    device.seal('b');
    assert.equal(await device.sending.run(), false);
    assert.deepEqual(device.taken, ['b to own: sent', 'c to trip: sent']);
    assert.deepEqual(device.waits(), ['a']);
    device.setSealing(null);
    assert.equal(await device.sending.run(), true);
    assert.equal(device.taken.at(-1), 'a to own: sent');
  });

  test('[SHARE-234] without a server all of them wait', async () => {
    const device = waiting([['a', own]]);
    device.setAway(true);
    assert.equal(await device.sending.run(), false);
    device.setAway(false);
    assert.equal(await device.sending.run(), true);
    assert.deepEqual(device.waits(), []);
  });
});
