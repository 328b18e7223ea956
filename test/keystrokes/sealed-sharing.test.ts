// Sharing lists of an encrypted account by keys: what is said first, what the devices are told before the server is asked, how far it is, and
// how it is stopped.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { LinksView } from '#client/public-links/links-view.ts';
import type { ShareView } from '#client/sharing/sharing-view.ts';
import { SharingServer, tellShared } from './sharing-server.ts';
import { SealedOffice } from './sealed-office.ts';

/** An encrypted account with one list, open. */
async function encrypted() {
  const server = new SharingServer();
  const office = new SealedOffice(undefined, undefined, undefined, { port: server });
  await office.typeAgain(await office.code());
  await office.finishAndClose();
  const { desk } = office;
  desk.app.run('list.create', { name: 'Trip' });
  desk.press('Ctrl+Enter');
  desk.type('Book');
  desk.press('Escape');
  desk.confirm();
  const list = desk.lists().find((line) => line.name === 'Trip')?.id as Id;
  /** What the devices were told by the time the server was asked. */
  const told: unknown[] = [];
  server.onChange = (what) => void told.push([what, office.server.state.lists?.[list] ?? null]);
  const share = (): ShareView => {
    const dialog = desk.app.view.dialog.get();
    return must(dialog?.type === 'share' ? dialog.share : null, 'the share dialog');
  };
  const way = () => office.server.state.lists?.[list];
  return { office, server, desk, list, told, share, way };
}

describe('sharing a list of an encrypted account', () => {
  test('[SEAL-211] says that it is decrypted, has the devices told before the server, and shows how far it is', async () => {
    const { office, server, desk, list, told, share, way } = await encrypted();
    desk.press('Mod+S');
    await office.settled();
    assert.equal(share().offer?.decrypting, 'a few seconds');
    assert.equal(way(), undefined, 'nothing is told before it is asked for');
    server.onTheWay.push(
      { state: 'filling', moved: 0, total: 4, sealed: 4 },
      { state: 'filling', moved: 0, total: 4, sealed: 1 },
    );
    desk.app.answer('share', { action: 'share' });
    await office.settled();
    assert.deepEqual(told, [['share', 'open']]);
    assert.deepEqual([share().step, share().progress, share().isDecrypting], ['moving', 0, true]);
    desk.timers.advance(400);
    await office.settled();
    assert.equal(share().progress, 0.75);
    tellShared(desk, list);
    desk.timers.advance(400);
    await office.settled();
    assert.equal(share().step, 'sheet');
  });

  test('[SEAL-212] can be stopped while it is decrypted, and stays encrypted where the server refuses', async () => {
    const { office, server, desk, told, share, way } = await encrypted();
    desk.press('Mod+S');
    await office.settled();
    server.failure = { type: 'refused', message: 'This list is too large.' };
    desk.app.answer('share', { action: 'share' });
    await office.settled();
    assert.equal(share().problem, 'This list is too large.');
    assert.equal(way(), 'close');
    server.failure = null;
    server.onTheWay.push({ state: 'filling', moved: 0, total: 4, sealed: 4 });
    desk.app.answer('share', { action: 'share' });
    await office.settled();
    assert.equal(way(), 'open');
    server.state = 'private';
    desk.app.answer('share', { action: 'stop' });
    await office.settled();
    assert.equal(way(), 'close');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.message, '‘Trip’ stays encrypted, and isn’t shared.');
    assert.deepEqual(told.at(-1), ['read', 'close']);
  });

  test('[SEAL-213] a public link goes the same way, and without a connection nothing is asked of the server', async () => {
    const { office, server, desk, told, way } = await encrypted();
    const links = (): LinksView => {
      const dialog = desk.app.view.dialog.get();
      return must(dialog?.type === 'publicLinks' ? dialog.links : null, 'the dialog of public links');
    };
    desk.app.run('list.createPublicLink');
    await office.settled();
    assert.equal(links().decrypting, 'a few seconds');
    office.server.answers = 0;
    desk.app.answer('publicLinks', { action: 'create' });
    await office.settled();
    assert.deepEqual(told, []);
    assert.ok(links().problem !== null);
    office.server.answers = Infinity;
    server.onTheWay.push({ state: 'filling', moved: 0, total: 4, sealed: 2 });
    desk.app.answer('publicLinks', { action: 'create' });
    await office.settled();
    assert.deepEqual(told, [['create link', 'open']]);
    assert.deepEqual([links().step, links().progress, links().isDecrypting], ['moving', 0.5, true]);
    server.state = 'private';
    desk.app.answer('publicLinks', { action: 'stop' });
    await office.settled();
    assert.equal(way(), 'close');
    assert.equal(desk.app.view.dialog.get(), null);
  });
});
