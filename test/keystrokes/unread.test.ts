// Marks for what others changed in shared lists since the person had them open.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mountId, type Id } from '#core/ids.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { SharedServer } from './shared-server.ts';

async function world(titles: readonly string[] = ['Book', 'Pack', 'Water']) {
  const server = new SharedServer();
  const desk = new Desk('> Own', { isConfirmed: true, account: server.account() });
  const trip = desk.holdShared('Trip', titles);
  await desk.settle();
  return { server, desk, trip, scope: desk.replica.row(trip)?.scope as Id };
}

function called(desk: Desk, title: string): Id {
  const row = [...desk.engine.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, title);
  return row.id;
}

const isMarked = (desk: Desk, list: Id) => desk.lists().find(({ id }) => id === list)?.unread;
const marks = (desk: Desk) => desk.rows().flatMap(({ title, unread }) => (unread ? [title] : []));
const seen = (desk: Desk, list: Id) => fieldOf(desk.replica.row(mountId(SCOPE, list)), 'seenVersion');

describe('unread marks', () => {
  test('[SHARE-190] stand at a list and at the tasks that others changed, and not at what the person did', async () => {
    const { server, desk, trip } = await world();
    server.own = [4];
    assert.equal(isMarked(desk, trip), false);
    server.write(desk, [[called(desk, 'Book'), { title: 'Books' }]], { account: 1, device: 4 });
    await desk.settle();
    assert.equal(isMarked(desk, trip), false, 'by another device of the person');
    server.write(desk, [[called(desk, 'Pack'), { title: 'Packs' }]]);
    await desk.settle();
    assert.equal(isMarked(desk, trip), true);
    desk.app.run('go.list', { list: trip });
    desk.press('Space');
    assert.deepEqual(marks(desk), ['Packs']);
  });

  test('[SHARE-319] wait until it is known whose device it was, which is kept', async () => {
    const server = new SharedServer();
    const preferences = new Map([['lesson', 'over']]);
    let isAway = true;
    const account = server.account();
    const devices: typeof account.devices = () =>
      isAway ? Promise.resolve({ type: 'offline', message: 'There is no server.' }) : account.devices();
    const desk = new Desk('> Own', { isConfirmed: true, account: { ...account, devices }, preferences });
    const trip = desk.holdShared('Trip', ['Book', 'Pack']);
    await desk.settle();
    server.own = [4];
    server.write(desk, [[called(desk, 'Book'), { title: 'Books' }]], { account: 1, device: 4 });
    server.write(desk, [[called(desk, 'Pack'), { title: 'Packs' }]]);
    await desk.settle();
    assert.equal(isMarked(desk, trip), false, 'nobody has said whose they are');
    isAway = false;
    desk.timers.advance(60_000);
    await desk.settle();
    desk.app.run('go.list', { list: trip });
    assert.deepEqual(marks(desk), ['Packs']);
    desk.press('g i');

    const [kept] = [preferences.get('deviceOwners')];
    assert.deepEqual(JSON.parse(kept ?? ''), { account: desk.replica.account, own: [1, 4], others: [9] });
    isAway = true;
    const next = new Desk('> Own', { isConfirmed: true, account: { ...account, devices }, preferences });
    const again = next.holdShared('Trip', ['Book', 'Pack']);
    await next.settle();
    server.write(next, [[called(next, 'Book'), { title: 'Books' }]], { account: 1, device: 4 });
    await next.settle();
    assert.equal(isMarked(next, again), false);
    server.write(next, [[called(next, 'Pack'), { title: 'Packs' }]]);
    await next.settle();
    assert.equal(isMarked(next, again), true, 'without a connection, too');
  });

  test('[SHARE-191] go with the cursor and with leaving, and what was seen is kept for all devices', async () => {
    const { server, desk, trip } = await world();
    server.write(desk, [[called(desk, 'Pack'), { title: 'Packs' }]]);
    server.write(desk, [[called(desk, 'Water'), { title: 'Waters' }]]);
    await desk.settle();
    desk.app.run('go.list', { list: trip });
    assert.equal(isMarked(desk, trip), false);
    assert.deepEqual(marks(desk), ['Packs', 'Waters']);
    desk.press('Down');
    assert.deepEqual(marks(desk), ['Waters']);
    assert.equal(seen(desk, trip), undefined, 'not in passing');
    server.write(desk, [[called(desk, 'Book'), { title: 'Books' }]]);
    await desk.settle();
    assert.deepEqual(marks(desk), ['Books', 'Waters'], 'what was read stays read when more comes');
    desk.timers.advance(2_500);
    assert.equal(seen(desk, trip), 4);
    assert.deepEqual(marks(desk), ['Books', 'Waters'], 'it stays as long as the list is open');
    desk.press('g i');
    desk.app.run('go.list', { list: trip });
    assert.deepEqual(marks(desk), []);
    assert.equal(desk.app.run('edit.undo').type, 'refused', 'seeing is nothing to undo');
  });

  test('[SHARE-191] are written down on leaving, and only grow', async () => {
    const { server, desk, trip } = await world();
    server.write(desk, [[called(desk, 'Pack'), { title: 'Packs' }]]);
    await desk.settle();
    desk.app.run('go.list', { list: trip });
    desk.press('g i');
    assert.equal(seen(desk, trip), 2);
    const operations = desk.replica.pending.length;
    desk.app.run('go.list', { list: trip });
    desk.timers.advance(60_000);
    desk.press('g i');
    assert.equal(desk.replica.pending.length, operations, 'nothing new, nothing written');
  });

  test('[SHARE-191] go when another device of the person has seen it', async () => {
    const { server, desk, trip } = await world();
    server.write(desk, [[called(desk, 'Pack'), { title: 'Packs' }]]);
    await desk.settle();
    assert.equal(isMarked(desk, trip), true);
    const mount = desk.replica.row(mountId(SCOPE, trip)) as Row;
    const fields = { ...mount.fields, seenVersion: 2 };
    receivePage(desk.replica, [{ ...mount, fields, version: mount.version + 1 } as Row]);
    desk.press('Down');
    assert.equal(isMarked(desk, trip), false);
  });

  test('[SHARE-192] are not there for a muted list', async () => {
    const { server, desk, trip } = await world();
    desk.app.run('go.list', { list: trip });
    desk.app.run('list.mute');
    assert.equal(desk.message, 'Muted ‘Trip’: no marks for what others change.');
    desk.press('g i');
    server.write(desk, [[called(desk, 'Pack'), { title: 'Packs' }]]);
    await desk.settle();
    assert.equal(isMarked(desk, trip), false);
    desk.app.run('go.list', { list: trip });
    assert.deepEqual(marks(desk), []);
    desk.press('g i', 'Mod+Z');
    server.write(desk, [[called(desk, 'Water'), { title: 'Waters' }]]);
    await desk.settle();
    assert.equal(isMarked(desk, trip), true);
    assert.equal(fieldOf(desk.replica.row(trip), 'name'), 'Trip');
  });
});
