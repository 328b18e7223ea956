// Sharing a list by keys, against a server in memory: the offer, the link, the people, leaving.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { ShareView } from '#client/sharing/sharing-view.ts';
import { createSignal } from '#client/app/signal.ts';
import type { SendState } from '#client/files/port.ts';
import { must } from '#core/assert.ts';
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

const yes = (desk: Desk) => desk.app.answer('share', { action: 'yes' });

describe('sharing a list', () => {
  test('[SHARE-112] says what becomes visible, and shares nothing before Enter', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    ownList(desk, 'Trip', ['Book', 'Pack', 'Go']);
    desk.press('Tab', 'Space');
    desk.app.run('label.create', { name: 'Errand' });
    desk.app.run('label.create', { name: 'Secret' });
    const label = (name: string) =>
      [...desk.engine.replica.all()].find((row) => row.type === 'label' && row.fields.name === name)?.id ??
      '';
    desk.app.run('label.toggle', { label: label('Errand') });
    desk.replica.issue([{ a: 'set', id: label('Secret') as Id, field: 'visibility', value: 'private' }]);
    desk.app.run('label.toggle', { label: label('Secret') });
    const offer = await open(desk);
    assert.equal(offer.step, 'offer');
    assert.equal(offer.list, 'Trip');
    assert.deepEqual(offer.offer, {
      tasks: 3,
      labels: ['Errand'],
      privateLabels: ['Secret'],
      decrypting: null,
    });
    desk.press('Escape');
    assert.equal(viewOf(desk), null);
    assert.deepEqual(server.asked, []);
  });

  test('[SHARE-113] shows how far the tasks are, also over a lost connection, then link and people', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    const list = ownList(desk, 'Trip', ['Book', 'Pack']);
    server.onTheWay.push(
      { state: 'filling', moved: 100, total: 400 },
      { state: 'filling', moved: 300, total: 400 },
    );
    await open(desk);
    desk.app.answer('share', { action: 'share' });
    assert.equal(shown(desk).busy, 'Sharing…');
    desk.app.answer('share', { action: 'share' });
    await desk.until(() => shown(desk).step === 'moving');
    assert.deepEqual([shown(desk).progress, server.asked], [0.25, ['share']]);
    server.failure = offline;
    desk.timers.advance(400);
    await desk.settle();
    assert.equal(shown(desk).step, 'moving');
    server.failure = null;
    desk.timers.advance(400);
    await desk.until(() => shown(desk).progress === 0.75);
    tellShared(desk, list);
    desk.timers.advance(400);
    await desk.until(() => shown(desk).step === 'sheet');
    const sheet = shown(desk);
    assert.equal(sheet.link?.address, 'https://example.org/invite?token=tok-1&v=3');
    assert.deepEqual(
      sheet.people.map(({ name, isMe, isOwner }) => [name, isMe, isOwner]),
      [['Ben', true, true]],
    );
    assert.match(sheet.said?.text ?? '', /^Shared\./);
    assert.ok(desk.engine.nudges > 0, 'what the server has is fetched');
    desk.press('Escape');
    assert.equal(desk.app.view.people.get()?.words, 'you');
    assert.equal(desk.app.view.header.get().title, 'Trip');
  });

  test('[SHARE-113] goes on where the dialog was closed meanwhile', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    ownList(desk, 'Trip', ['Book']);
    server.onTheWay.push({ state: 'filling', moved: 0, total: 1 });
    await open(desk);
    desk.app.answer('share', { action: 'share' });
    await desk.until(() => shown(desk).step === 'moving');
    desk.press('Escape');
    assert.equal(viewOf(desk), null);
    desk.timers.advance(4_000);
    await desk.settle();
    assert.equal(viewOf(desk), null);
    assert.deepEqual(
      server.asked.filter((what) => what !== 'profile'),
      ['share'],
    );
  });

  test('[SHARE-114] copies the link by a key, now and later, and says where the browser refuses', async () => {
    const { desk } = anns();
    await open(desk);
    desk.press('c');
    await desk.settle();
    assert.equal(desk.clipboard, 'https://example.org/invite?token=tok-1&v=3');
    assert.match(shown(desk).said?.text ?? '', /^Copied the link/);
    desk.clipboard = null;
    desk.press('Escape');
    await open(desk);
    desk.press('Mod+C');
    await desk.settle();
    assert.equal(desk.clipboard, 'https://example.org/invite?token=tok-1&v=3');
    desk.refusesCopies = true;
    desk.press('c');
    await desk.settle();
    assert.equal(shown(desk).said?.isError, true);
  });

  test('[SHARE-115] a new link asks for how long, and ends the old one; ending it asks first', async () => {
    const { desk, server } = anns();
    const sheet = await open(desk);
    assert.equal(sheet.link?.text, 'Works until 27 Dec 2026. Nobody has joined by it yet.');
    desk.press('n');
    assert.equal(shown(desk).step, 'days');
    desk.press('Escape');
    assert.equal(shown(desk).step, 'sheet');
    desk.press('n');
    desk.app.answer('share', { action: 'newLink', days: null });
    await desk.until(() => shown(desk).busy === null);
    assert.equal(shown(desk).link?.address, 'https://example.org/invite?token=tok-2&v=3');
    assert.equal(shown(desk).link?.text, 'Works until you end it. Nobody has joined by it yet.');
    assert.match(shown(desk).said?.text ?? '', /old one no longer works/);
    desk.press('e');
    assert.match(shown(desk).question?.lines.join(' ') ?? '', /not even people you’ve sent it to/);
    desk.press('Escape', 'e');
    assert.ok(!server.asked.includes('end link'));
    yes(desk);
    await desk.until(() => shown(desk).busy === null);
    assert.equal(shown(desk).link, null);
    desk.press('e', 'c');
    assert.match(shown(desk).said?.text ?? '', /no link/);
    assert.deepEqual(server.asked, ['read', 'new link null', 'end link']);
  });

  test('[SHARE-116] the owner removes, hands over and makes private, each after a question', async () => {
    const { desk, server } = bens();
    const sheet = await open(desk);
    assert.deepEqual(
      sheet.people.map(({ name, isOwner }) => [name, isOwner]),
      [
        ['Ben', true],
        ['Ann', false],
      ],
    );
    desk.press('Delete');
    assert.equal(shown(desk).step, 'sheet', 'nobody has the focus');
    desk.outside.option = '2';
    desk.press('Delete');
    assert.equal(shown(desk).question?.title, 'Remove Ann from “Trip”?');
    desk.app.answer('share', { action: 'back' });
    assert.deepEqual(server.asked, ['read']);
    desk.press('Backspace');
    yes(desk);
    await desk.until(() => shown(desk).busy === null);
    assert.match(shown(desk).said?.text ?? '', /^Removed Ann\./);
    desk.press('p');
    assert.deepEqual(shown(desk).question?.lines[0], 'Ann loses the list.');
    desk.press('Escape', 'o');
    assert.equal(shown(desk).question?.title, 'Make Ann the owner of “Trip”?');
    yes(desk);
    await desk.until(() => shown(desk).busy === null);
    assert.equal(shown(desk).isOwner, false);
    assert.deepEqual(server.asked, ['read', 'remove 2', 'hand over 2']);
  });

  test('[SHARE-315] who removes somebody is told of the address that they may know', async () => {
    const { desk, server } = bens();
    server.hasMail = true;
    await open(desk);
    desk.outside.option = '2';
    desk.press('Delete');
    yes(desk);
    await desk.until(() => shown(desk).busy === null);
    assert.match(
      shown(desk).said?.text ?? '',
      /may know its email address.*“Show this list’s email address”/,
    );
  });

  test('[SHARE-116] private again, it says so once its tasks are back', async () => {
    const { desk, server } = bens();
    await open(desk);
    server.onTheWay.push({ state: 'emptying', moved: 1, total: 2 });
    server.state = 'private';
    desk.press('p');
    yes(desk);
    await desk.until(() => shown(desk).step === 'moving');
    desk.timers.advance(400);
    await desk.until(() => viewOf(desk) === null);
    assert.equal(desk.message, '‘Trip’ is yours alone again.');
  });

  test('[SHARE-117] a member and a leaving owner are told what can be done instead', async () => {
    const member = anns();
    await open(member.desk);
    member.desk.press('p');
    assert.equal(shown(member.desk).question?.verb, null);
    assert.match(shown(member.desk).question?.lines.join(' ') ?? '', /You can leave it/);
    yes(member.desk);
    member.desk.press('Escape');
    member.desk.outside.option = '2';
    member.desk.press('Delete');
    assert.match(shown(member.desk).question?.lines.join(' ') ?? '', /Only the owner/);
    assert.deepEqual(member.server.asked, ['read']);
    const owner = bens();
    await open(owner.desk);
    owner.desk.press('l');
    assert.equal(shown(owner.desk).question?.verb, null);
    assert.match(shown(owner.desk).question?.lines.join(' ') ?? '', /somebody else its owner first/);
    yes(owner.desk);
    assert.deepEqual(owner.server.asked, ['read']);
  });

  test('[SHARE-358] Escape in a question goes back to the sheet it was asked from, and closes the dialog that began with it', async () => {
    const { desk, server } = bens();
    await open(desk);
    for (const key of ['n', 'e', 'p', 'l']) {
      desk.press(key);
      assert.notEqual(shown(desk).step, 'sheet', key);
      desk.press('Escape');
      assert.equal(shown(desk).step, 'sheet', key);
    }
    desk.press('Escape');
    assert.equal(viewOf(desk), null);
    desk.app.run('list.leave');
    await desk.until(() => viewOf(desk)?.busy === null);
    assert.equal(shown(desk).step, 'question');
    desk.press('Escape');
    assert.equal(viewOf(desk), null);
    assert.ok(server.asked.every((what) => what === 'read' || what === 'profile'));
  });

  test('[SHARE-118] leaving says what stays and goes, and sends what is unsent first', async () => {
    const { desk, server, list } = anns();
    desk.press('Ctrl+Enter');
    desk.type('Late');
    desk.press('Escape');
    desk.app.run('list.leave');
    await desk.until(() => shown(desk).busy === null);
    const question = must(shown(desk).question, 'it asks');
    assert.match(question.lines.join(' '), /stays for the others.*snoozes.*new invitation link/);
    yes(desk);
    assert.match(shown(desk).busy ?? '', /^Sending \d changes? first…$/);
    desk.timers.advance(400);
    assert.ok(!server.asked.includes(`leave ${list}`));
    desk.confirm();
    desk.timers.advance(400);
    await desk.until(() => viewOf(desk) === null);
    assert.ok(server.asked.includes(`leave ${list}`));
  });

  test('[SHARE-118] offline, or where a change cannot be sent, the person stays', async () => {
    const { desk, server } = anns();
    await open(desk);
    desk.press('l');
    desk.engine.setSync({ type: 'onDevice', waiting: 0, online: false });
    yes(desk);
    assert.match(shown(desk).said?.text ?? '', /needs a connection.*Leave when connected/);
    desk.engine.setSync({ type: 'synced' });
    desk.press('Escape', 'Escape', 'Ctrl+Enter');
    desk.type('Late');
    desk.press('Escape');
    await open(desk);
    desk.press('l');
    yes(desk);
    desk.timers.advance(20_000);
    assert.match(shown(desk).said?.text ?? '', /didn’t get to the server yet\. Leave when connected/);
    assert.ok(!server.asked.some((what) => what.startsWith('leave')));
  });

  test('[SHARE-355] what is pressed while the server is asked how the list is shared is done after its answer', async () => {
    const { desk, server, list } = anns();
    desk.app.run('list.leave');
    await desk.until(() => viewOf(desk) !== null);
    assert.equal(shown(desk).busy, 'Asking the server…');
    yes(desk);
    await desk.until(() => viewOf(desk) === null);
    assert.deepEqual(server.asked, ['read', `leave ${list}`]);
    // Escape takes it back; a request that fails lets nothing follow.
    const owner = bens();
    owner.desk.press('Mod+S', 'l', 'Escape', 'Escape');
    assert.equal(viewOf(owner.desk), null);
    owner.server.failure = { type: 'refused', message: 'Not now.' };
    owner.desk.press('Mod+S', 'n');
    await owner.desk.until(() => viewOf(owner.desk)?.busy === null);
    assert.equal(shown(owner.desk).step, 'sheet');
    assert.equal(shown(owner.desk).problem, 'Not now.');
  });

  test('[SHARE-235] leaving waits for the files of the list, too, and not for those that are refused', async () => {
    const unsent = createSignal<ReadonlyMap<string, SendState>>(new Map());
    const none = () => Promise.reject(new Error('Nothing is asked for here.'));
    const follow = () => undefined;
    const attached = {
      pick: none,
      clipboard: none,
      keep: none,
      unsent,
      follow,
      sendAgain: follow,
      retry: follow,
      picture: none,
      save: none,
    };
    const server = new SharingServer();
    server.role = 'member';
    const desk = sharingDesk(server, '> A', { attached });
    const list = desk.holdShared('Trip', ['Book']);
    await desk.settle();
    const attach = (task: Id, hash: string) =>
      desk.replica.issue([
        {
          a: 'create',
          id: desk.replica.newId(),
          type: 'attachment',
          fields: { name: 'a.txt', hash, sizeBytes: 1 },
          place: { parent: task },
        },
      ]);
    const [inList, elsewhere] = ['a'.repeat(64), 'b'.repeat(64)];
    attach(must(desk.replica.children(list)[0], 'a task').id, inList);
    attach(must(desk.rows()[0], 'a task').id, elsewhere);
    desk.confirm();
    unsent.set(
      new Map([
        [inList, { type: 'waiting' }],
        [elsewhere, { type: 'waiting' }],
      ]),
    );
    desk.app.run('go.list', { list });
    await open(desk);
    desk.press('l');
    yes(desk);
    assert.equal(shown(desk).busy, 'Sending 1 file first…');
    desk.timers.advance(20_000);
    assert.equal(shown(desk).said?.text, '1 file didn’t get to the server yet. Leave when connected.');
    unsent.set(new Map([[inList, { type: 'refused', message: 'No room.' }]]));
    yes(desk);
    await desk.until(() => viewOf(desk) === null);
    assert.ok(server.asked.includes(`leave ${list}`));
  });

  test('[SHARE-119] who has left stands in the Inbox, without undo of the list and with all other undo', async () => {
    const { desk, list } = anns();
    desk.app.run('go.inbox');
    desk.press('Space');
    desk.app.run('go.list', { list });
    desk.press('Space');
    desk.confirm();
    await open(desk);
    desk.press('l');
    yes(desk);
    await desk.until(() => viewOf(desk) === null);
    assert.equal(desk.app.view.header.get().title, 'Inbox');
    desk.letGo(list);
    assert.equal(desk.sidebar().replaceAll(/^../gm, ''), 'Inbox');
    assert.match(desk.message, /^You left ‘Trip’.*1 change in it can’t be undone anymore\.$/);
    desk.press('Mod+Z');
    assert.match(desk.message, /^Undone: completed ‘A’/);
    desk.press('Mod+Z');
    assert.doesNotMatch(desk.message, /Book/);
  });

  test('[SHARE-119] who is removed is told, and typing goes on in the Inbox', async () => {
    const { desk, list } = anns();
    await open(desk);
    desk.letGo(list);
    assert.equal(viewOf(desk), null);
    assert.equal(desk.message, 'You’re no longer in ‘Trip’.');
    assert.equal(desk.app.view.header.get().title, 'Inbox');
    assert.equal(desk.app.view.people.get(), null);
  });

  test('[SHARE-120] says why a list cannot be shared, and what to do', () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    const said = () => {
      desk.app.run('list.share');
      return desk.message;
    };
    assert.match(said(), /can’t share the Inbox\. Move its tasks to a list first/);
    desk.app.run('folder.create', { name: 'Home' });
    desk.press('F6', 'End');
    assert.match(said(), /can’t share a folder\. Share its lists one by one/);
    desk.app.run('go.today');
    assert.match(said(), /Smart lists are yours alone/);
    desk.app.run('list.create', { name: 'Trip' });
    desk.engine.setSync({ type: 'onDevice', waiting: 1, online: false });
    assert.equal(said(), 'Sharing needs a connection. Try again when you’re online.');
    desk.engine.detach();
    assert.equal(said(), 'Cloud sync is off. Enable it first.');
    const alone = sharingDesk(server, '> A', { email: null });
    alone.app.run('list.create', { name: 'Trip' });
    alone.app.run('list.share');
    assert.equal(alone.message, 'Sharing needs an account. Sign up or sign in first.');
    alone.app.run('list.leave');
    assert.match(alone.message, /^Open a shared list first/);
    assert.deepEqual(server.asked, []);
  });

  test('[SHARE-120] leads to the account where the address is not verified', async () => {
    const server = new SharingServer();
    server.failure = { type: 'unconfirmed', message: 'Verify.' };
    const desk = sharingDesk(server);
    ownList(desk, 'Trip', ['Book']);
    await open(desk);
    desk.app.answer('share', { action: 'share' });
    await desk.until(() => shown(desk).busy === null);
    assert.deepEqual([shown(desk).step, shown(desk).endsInAccount], ['offer', true]);
    assert.match(shown(desk).problem ?? '', /“Verify” in “Account.”/);
    desk.app.answer('share', { action: 'account' });
    await desk.until(() => desk.app.view.dialog.get()?.type === 'safety');
  });

  test('[SHARE-121] without a connection the people are there, and a key tries again', async () => {
    const { desk, server } = anns();
    server.failure = offline;
    const sheet = await open(desk);
    assert.deepEqual(
      [sheet.problem, sheet.isKnown],
      ['The link needs a connection. Go online and try again.', false],
    );
    assert.deepEqual(
      sheet.people.map(({ name }) => name),
      ['Ann', 'Ben'],
    );
    server.failure = null;
    desk.press('r');
    await desk.until(() => shown(desk).isKnown);
    assert.equal(shown(desk).problem, null);
    desk.press('Escape');
    desk.engine.setSync({ type: 'onDevice', waiting: 0, online: false });
    desk.press('Mod+S');
    assert.equal(shown(desk).problem, 'The link needs a connection. Go online and try again.');
    assert.equal(server.asked.length, 2, 'the server was not asked in vain');
  });

  test('[SHARE-127] opens and acts with the keys of Vim and Emacs, and with changed ones', async () => {
    for (const preset of ['vim', 'emacs']) {
      const { desk } = anns();
      desk.app.run('keys.preset', { value: preset });
      await desk.settle();
      assert.ok(desk.app.keysOf('list.share').length > 0, preset);
      desk.app.run('list.share');
      await desk.until(() => viewOf(desk)?.busy === null);
      desk.within = IN_SHEET;
      desk.press('c');
      await desk.settle();
      assert.equal(desk.clipboard, 'https://example.org/invite?token=tok-1&v=3', preset);
      desk.press('l');
      assert.equal(shown(desk).question?.about, 'leave', preset);
    }
  });
});
