// Turning cloud sync off and on at the desk: what is asked, what is listed, and that a copy comes before anything goes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId } from '#core/ids.ts';
import type { AccountPort } from '#client/app/app.ts';
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';
import { fieldOf } from '#sync/rows/row.ts';

const account: AccountPort = { ...noAccount, email: 'ida@example.org' };

/** A desk with an account, all of whose tasks the server has. */
function deskWithAccount(outline: string): Desk {
  return new Desk(outline, { account, sync: { type: 'synced' }, isConfirmed: true });
}

async function dialogOf<T extends DialogView['type']>(
  desk: Desk,
  type: T,
): Promise<Extract<DialogView, { readonly type: T }>> {
  await desk.until(() => desk.app.view.dialog.get()?.type === type);
  return desk.app.view.dialog.get() as Extract<DialogView, { readonly type: T }>;
}

async function disable(desk: Desk): Promise<void> {
  desk.app.run('sync.disable');
  await dialogOf(desk, 'disableSync');
  desk.app.answer('disableSync', { action: 'now' });
  await desk.until(() => desk.app.view.dialog.get() === null);
}

describe('cloud sync', () => {
  test('[SYNC-43] says what it means, then stays off; offline and online are no news', async () => {
    const desk = deskWithAccount('> A');
    desk.app.run('sync.disable');
    assert.deepEqual(await dialogOf(desk, 'disableSync'), {
      type: 'disableSync',
      waiting: 0,
      sending: false,
      error: null,
    });
    desk.app.answer('disableSync', { action: 'now' });
    await desk.until(() => desk.app.view.dialog.get() === null);
    assert.equal(desk.message, 'Cloud sync is off. Nothing leaves this device until you enable it.');
    assert.equal(desk.app.view.status.get().sync.type, 'detached');
    assert.equal(desk.app.view.alarm.get(), null);
    desk.app.run('application.sync');
    assert.equal(desk.message, 'Cloud sync is off. Enable it first.');
    desk.app.run('sync.disable');
    assert.equal(desk.message, 'Cloud sync is already off.');
  });

  test('[SYNC-42] lists what goes, keeps a copy, drops exactly that, and makes it again', async () => {
    const desk = deskWithAccount('> A\n  B\n  C');
    await disable(desk);
    desk.press('Space');
    desk.press('End', 'Delete', 'Home');
    desk.app.run('task.createBelow');
    desk.type('New one');
    desk.press('Escape');
    const shown = desk.screen();
    desk.app.run('sync.enable');
    const { lost } = await dialogOf(desk, 'enableSync');
    assert.deepEqual(
      lost.parts.map(({ name, count, items }) => [name, count, items]),
      [
        ['Created', 1, ['New one']],
        ['Changed', 1, ['A']],
        ['Deleted', 1, ['C']],
      ],
    );
    assert.deepEqual(lost.lists, [{ name: 'Inbox', count: 3 }]);
    desk.app.answer('enableSync', { action: 'download' });
    await desk.until(() => desk.files.length === 1);
    desk.app.answer('enableSync', { action: 'enable' });
    await desk.until(() => desk.app.view.dialog.get() === null);
    assert.match(
      desk.message ?? '',
      /^Cloud sync is on\. A copy of the \d+ changes made while it was off is kept for 30 days/,
    );
    assert.deepEqual(
      desk.replica
        .children(inboxId(SCOPE))
        .map((held) => [fieldOf(held, 'title'), fieldOf(held, 'status'), fieldOf(held, 'del')]),
      [
        ['A', undefined, undefined],
        ['B', undefined, undefined],
        ['C', undefined, undefined],
      ],
    );
    assert.equal(desk.replica.pending.length, 0);
    desk.app.run('edit.undo');
    assert.equal(desk.replica.pending.length, 0, 'what was dropped cannot be undone');
    assert.equal(desk.safetyCopies.length, 1);
    assert.equal(desk.files[0]?.text, desk.safetyCopies[0]?.text);
    desk.app.run('sync.safetyCopies');
    const { copies } = await dialogOf(desk, 'safetyCopies');
    assert.deepEqual(
      copies.map(({ daysLeft }) => daysLeft),
      [30],
    );
    desk.app.answer('safetyCopies', { action: 'restore', copy: copies[0]?.id ?? '' });
    await desk.until(() => desk.replica.pending.length > 0);
    assert.deepEqual(desk.screen().replace('>', ' '), shown.replace('>', ' '));
    desk.app.run('sync.safetyCopies');
    await dialogOf(desk, 'safetyCopies');
    desk.app.answer('safetyCopies', { action: 'drop', copy: copies[0]?.id ?? '' });
    await desk.until(() => desk.safetyCopies.length === 0);
  });

  test('[SYNC-42] without a place for the copy nothing is dropped', async () => {
    const desk = deskWithAccount('> A');
    await disable(desk);
    desk.press('Space');
    desk.safety.keep = () => Promise.reject(new Error('the disk is full'));
    desk.app.run('sync.enable');
    await dialogOf(desk, 'enableSync');
    desk.app.answer('enableSync', { action: 'enable' });
    await desk.until(() => {
      const dialog = desk.app.view.dialog.get();
      return dialog?.type === 'enableSync' && dialog.error !== null;
    });
    const { error } = await dialogOf(desk, 'enableSync');
    assert.equal(
      error,
      'Couldn’t keep a copy on this device (the disk is full). Cloud sync is still off, and nothing was removed.',
    );
    assert.equal(desk.app.view.status.get().sync.type, 'detached');
    assert.equal(desk.replica.pending.length, 1);
  });

  test('[SYNC-42] what is written while the copy is being kept is in the copy', async () => {
    const desk = deskWithAccount('> A');
    await disable(desk);
    desk.press('Space');
    const keep = desk.safety.keep.bind(desk.safety);
    let writes = 0;
    desk.safety.keep = async (copy) => {
      writes += 1;
      if (writes === 1)
        desk.replica.issue([
          {
            a: 'create',
            id: desk.replica.newId(),
            type: 'task',
            fields: {},
            place: { parent: inboxId(SCOPE) },
          },
        ]);
      await keep(copy);
    };
    desk.app.run('sync.enable');
    await dialogOf(desk, 'enableSync');
    desk.app.answer('enableSync', { action: 'enable' });
    await desk.until(() => desk.app.view.dialog.get() === null);
    assert.equal(writes, 2);
    assert.deepEqual(
      desk.safetyCopies.map(({ count }) => count),
      [2],
    );
    assert.equal(desk.replica.pending.length, 0);
  });

  test('[SYNC-41] what waits is sent first when that is asked for, and says so when it cannot be', async () => {
    const desk = deskWithAccount('> A');
    desk.press('Space');
    desk.engine.setSync({ type: 'onDevice', waiting: 1, online: false });
    desk.app.run('sync.disable');
    assert.equal((await dialogOf(desk, 'disableSync')).waiting, 1);
    desk.app.answer('disableSync', { action: 'send' });
    const said = () => {
      const dialog = desk.app.view.dialog.get();
      return dialog?.type === 'disableSync' ? dialog.error : null;
    };
    await desk.until(() => said() !== null);
    assert.equal(said(), 'Can’t reach the server. Try again when you’re online.');
    desk.engine.setSync({ type: 'onDevice', waiting: 1, online: true });
    desk.app.answer('disableSync', { action: 'send' });
    await desk.until(() => desk.engine.nudges === 2);
    assert.equal(desk.engine.facts().detached, null);
    desk.confirm();
    desk.engine.setSync({ type: 'synced' });
    await desk.until(() => desk.app.view.dialog.get() === null);
    assert.notEqual(desk.engine.facts().detached, null);
  });

  test('[SYNC-42] signing out with safety copies asks first', async () => {
    const desk = deskWithAccount('> A');
    desk.safetyCopies = [{ id: '1', from: 1, until: 2, count: 3, text: '' }];
    desk.app.run('account.signOut');
    assert.deepEqual(await dialogOf(desk, 'signOut'), { type: 'signOut', waiting: 0, copies: 1 });
  });

  test('[SYNC-43] what cannot be turned off or on says why', () => {
    const local = new Desk('> A');
    local.app.run('sync.disable');
    assert.equal(local.message, 'Without an account, nothing syncs. Sign in first.');
    const desk = deskWithAccount('> A');
    desk.app.run('sync.enable');
    assert.equal(desk.message, 'Cloud sync is already on.');
    desk.engine.known = { isWhole: false };
    desk.app.run('sync.disable');
    assert.equal(desk.message, 'Your tasks are still loading. Try again.');
    desk.engine.setSync({
      type: 'volatile',
      waiting: 0,
      account: true,
      online: true,
      signedOut: false,
      detached: false,
    });
    desk.app.run('sync.disable');
    assert.equal(desk.message, 'Only the server has your tasks now. Keep cloud sync on.');
  });
});
