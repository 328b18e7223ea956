// What is said of a list that is being shared once its dialog is closed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { ShareView } from '#client/sharing/sharing-view.ts';
import { must } from '#core/assert.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import type { Desk } from './desk.ts';
import { anns, bens, offline, sharingDesk, SharingServer, tellShared } from './sharing-server.ts';

const IN_SHEET = ['dialog.share', 'list'] as const;

function viewOf(desk: Desk): ShareView | null {
  const dialog = desk.app.view.dialog.get();
  return dialog?.type === 'share' ? dialog.share : null;
}

const shown = (desk: Desk): ShareView => must(viewOf(desk), 'the share dialog is open');

/** Opens the dialog by its key and waits until the server has answered. */
async function open(desk: Desk): Promise<ShareView> {
  desk.press('Mod+S');
  await desk.until(() => viewOf(desk)?.busy === null);
  desk.within = IN_SHEET;
  return shown(desk);
}

/** A private list with these tasks, open. */
function ownList(desk: Desk, name: string, titles: readonly string[]): Id {
  desk.app.run('list.create', { name });
  for (const title of titles) {
    desk.press('Ctrl+Enter');
    desk.type(title);
    desk.press('Escape');
  }
  desk.confirm();
  return desk.lists().find((line) => line.name === name)?.id as Id;
}

describe('what ends when somebody goes', () => {
  const lines = (desk: Desk) => shown(desk).question?.lines.join(' ') ?? '';

  test('[SHARE-360] the question before somebody is removed, or leaves, names the links that end with the key', async () => {
    const { desk, server } = bens();
    server.encrypted = desk.replica.newId();
    await server.links.create(server.encrypted, {});
    await open(desk);
    desk.outside.option = '2';
    desk.press('Delete');
    assert.match(lines(desk), /The list gets a new key\. That ends its invitation link and 1 public link:/);
    server.links.outdate();
    desk.press('Escape', 'Escape');
    await open(desk);
    desk.press('Delete');
    assert.match(lines(desk), /That ends its invitation link: the old addresses/);
    const member = anns();
    member.server.encrypted = member.desk.replica.newId();
    await member.server.links.create(member.server.encrypted, {});
    await member.server.links.create(member.server.encrypted, {});
    await open(member.desk);
    member.desk.press('l');
    assert.match(lines(member.desk), /That ends its invitation link and 2 public links:/);
  });

  test('[SHARE-360] a list that isn’t encrypted keeps its links then, and ends them where it becomes private', async () => {
    const { desk, server } = bens();
    await server.links.create(desk.replica.newId(), {});
    await open(desk);
    desk.outside.option = '2';
    desk.press('Delete');
    assert.doesNotMatch(lines(desk), /key|public/);
    desk.press('Escape', 'p');
    assert.match(lines(desk), /The invitation link ends, and so does its public link\./);
  });
});

describe('sharing whose dialog was closed', () => {
  test('[SHARE-357] a message says that the list is shared where the dialog was closed before', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    const list = ownList(desk, 'Trip', ['Book']);
    server.onTheWay.push({ state: 'filling', moved: 0, total: 1 });
    await open(desk);
    desk.app.answer('share', { action: 'share' });
    await desk.until(() => shown(desk).step === 'moving');
    desk.press('Escape');
    assert.doesNotMatch(desk.message, /shared/);
    tellShared(desk, list);
    assert.equal(desk.message, '‘Trip’ is shared now. Press ⌘S in it for its link.');
    const other = ownList(desk, 'Other', ['Pack']);
    tellShared(desk, other);
    assert.doesNotMatch(desk.message, /Other/, 'of one that was shared elsewhere nothing is said');
  });

  test('[SHARE-357] the dialog says it itself while it is open, and nothing is said again when it is closed', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    const list = ownList(desk, 'Trip', ['Book']);
    server.onTheWay.push({ state: 'filling', moved: 0, total: 1 });
    await open(desk);
    desk.app.answer('share', { action: 'share' });
    await desk.until(() => shown(desk).step === 'moving');
    tellShared(desk, list);
    assert.doesNotMatch(desk.message, /shared now/);
    desk.timers.advance(400);
    await desk.until(() => shown(desk).step === 'sheet');
    desk.press('Escape');
    desk.timers.advance(0);
    assert.doesNotMatch(desk.message, /shared now/);
  });

  test('[SHARE-357] closed after its rows have come and before it has heard of it, a message says it', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    const list = ownList(desk, 'Trip', ['Book']);
    server.onTheWay.push({ state: 'filling', moved: 0, total: 1 });
    await open(desk);
    desk.app.answer('share', { action: 'share' });
    await desk.until(() => shown(desk).step === 'moving');
    tellShared(desk, list);
    desk.press('Escape');
    desk.timers.advance(0);
    assert.match(desk.message, /‘Trip’ is shared now\./);
  });

  test('[SHARE-357] after a new start it is said as well, or that the server had not heard of it', async () => {
    for (const isHeard of [true, false]) {
      const server = new SharingServer();
      server.state = isHeard ? 'filling' : 'private';
      const before = sharingDesk(server);
      const list = ownList(before, 'Trip', ['Book']);
      const preferences = new Map([
        ['lesson', 'over'],
        ['sharing.begun', list],
      ]);
      const desk = sharingDesk(server, '> A', { preferences });
      receivePage(desk.replica, [must(before.replica.row(list), 'the list')]);
      await desk.settle();
      desk.timers.advance(10_000);
      await desk.settle();
      if (isHeard) {
        assert.doesNotMatch(desk.message, /Trip/);
        tellShared(desk, list);
        assert.match(desk.message, /^‘Trip’ is shared now\./);
      } else
        assert.equal(desk.message, '‘Trip’ wasn’t shared. The app was closed too early. Share it once more.');
      assert.equal(preferences.get('sharing.begun'), '');
    }
  });

  test('[SHARE-357] that it was not shared is said, too', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    ownList(desk, 'Trip', ['Book']);
    await open(desk);
    server.failure = offline;
    desk.app.answer('share', { action: 'share' });
    desk.press('Escape');
    await desk.settle();
    assert.match(desk.message, /^‘Trip’ wasn’t shared\./);
  });
});
