// Invitations to shared lists by their links, and the profile that others see, against a server in memory.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { InvitationView, ProfileView } from '#client/sharing/sharing-view.ts';
import type { Desk } from './desk.ts';
import { offline, sharingDesk, SharingServer } from './sharing-server.ts';

const LINK = '/app/open/accept-list-invite/tok-1';

function viewOf(desk: Desk): InvitationView | null {
  const dialog = desk.app.view.dialog.get();
  return dialog?.type === 'invitation' ? dialog.invitation : null;
}

const shown = (desk: Desk): InvitationView => must(viewOf(desk), 'the invitation is open');

async function follow(desk: Desk, link = LINK): Promise<InvitationView> {
  desk.app.follow(link);
  await desk.until(() => viewOf(desk)?.busy === null);
  return shown(desk);
}

describe('an invitation', () => {
  test('[SHARE-122] says which list from whom, joins when asked, and opens the list once it is here', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    const invitation = await follow(desk);
    assert.deepEqual(
      [invitation.list, invitation.inviter?.name, invitation.members, invitation.problem],
      ['Trip', 'Ann', 2, null],
    );
    assert.deepEqual(server.asked, ['invitation tok-1']);
    server.belongsTo = desk.replica.newId();
    desk.app.answer('invitation', { action: 'join' });
    desk.app.answer('invitation', { action: 'join' });
    await desk.until(() => viewOf(desk) === null);
    assert.deepEqual(server.asked, ['invitation tok-1', 'join tok-1']);
    assert.equal(desk.message, 'The list is on its way…');
    assert.equal(desk.app.view.header.get().title, 'Inbox');
    desk.holdShared('Trip', ['Book'], undefined, { list: server.belongsTo });
    assert.equal(desk.app.view.header.get().title, 'Trip');
    assert.equal(desk.screen(), '> Book');
    assert.match(desk.message, /^You’re in\./);
    desk.app.run('go.inbox');
    desk.holdShared('Other');
    assert.equal(desk.app.view.header.get().title, 'Inbox', 'it is opened once');
  });

  test('[SHARE-122] is closed without joining by Escape', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    await follow(desk);
    desk.press('Escape');
    assert.equal(viewOf(desk), null);
    assert.deepEqual(server.asked, ['invitation tok-1']);
  });

  test('[SHARE-123] without an account it waits in the tab, and is shown again after signing in', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server, '> A', { email: null });
    const invitation = await follow(desk);
    assert.deepEqual([invitation.way, server.asked], ['signIn', []]);
    assert.match(invitation.problem ?? '', /needs an account.*waits here/);
    desk.app.answer('invitation', { action: 'signUp' });
    await desk.settle();
    assert.equal(desk.app.view.dialog.get()?.type, 'signUp');
    assert.equal(server.kept, 'tok-1');
    const later = sharingDesk(server);
    later.timers.advance(0);
    await later.until(() => viewOf(later)?.busy === null);
    assert.equal(shown(later).list, 'Trip');
    assert.equal(server.kept, null, 'it is not shown a third time');
    server.belongsTo = later.holdShared('Trip');
    later.app.answer('invitation', { action: 'join' });
    await later.until(() => viewOf(later) === null);
  });

  test('[SHARE-124] opens the list for who belongs to it', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    server.belongsTo = desk.holdShared('Trip', ['Book']);
    desk.app.follow(LINK);
    await desk.until(() => desk.app.view.header.get().title === 'Trip');
    assert.equal(viewOf(desk), null);
    assert.equal(desk.message, 'You’re already in this list.');
    assert.deepEqual(server.asked, ['invitation tok-1']);
  });

  test('[SHARE-124] says that a link has ended or is incomplete, and tries again after a lost connection', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    server.failure = { type: 'gone', message: 'Invalid invitation link. Ask the sender for a new one.' };
    const ended = await follow(desk);
    assert.deepEqual(
      [ended.problem, ended.way],
      ['Invalid invitation link. Ask the sender for a new one.', null],
    );
    desk.press('Escape');
    server.failure = offline;
    assert.equal((await follow(desk)).way, 'again');
    server.failure = null;
    desk.app.answer('invitation', { action: 'again' });
    await desk.until(() => viewOf(desk)?.list === 'Trip');
    desk.press('Escape');
    for (const link of [
      '/app/open/accept-list-invite',
      '/app/open/accept-list-invite/a%2Fb',
      `${LINK}/more`,
    ]) {
      desk.app.follow(link);
      await desk.settle();
      assert.match(desk.message, /invitation link is incomplete/, link);
    }
    server.failure = { type: 'unconfirmed', message: 'Verify.' };
    assert.equal((await follow(desk)).way, 'account');
  });
});

function profileOf(desk: Desk): ProfileView {
  const dialog = desk.app.view.dialog.get();
  assert.ok(dialog?.type === 'profile');
  return dialog.profile;
}

describe('the profile', () => {
  const values = { name: 'Ben', initials: '', emoji: '', color: '#0063cf' };

  async function open(server: SharingServer): Promise<Desk> {
    const desk = sharingDesk(server);
    desk.app.run('account.profile');
    await desk.until(() => {
      const dialog = desk.app.view.dialog.get();
      return dialog?.type === 'profile' && !dialog.profile.busy;
    });
    return desk;
  }

  test('[SHARE-126] shows how name, initials, emoji and color look together, and saves them', async () => {
    const server = new SharingServer();
    const desk = await open(server);
    // Initials of the name follow it: the field is empty.
    assert.deepEqual(profileOf(desk).person, values);
    desk.app.answer('profile', { action: 'draft', values: { ...values, name: 'Ben Two' } });
    assert.equal(profileOf(desk).preview?.text, 'BT');
    const changed = { name: 'Ben Two', initials: 'b2', emoji: '🌵', color: '#c9352b' };
    desk.app.answer('profile', { action: 'draft', values: changed });
    assert.deepEqual([profileOf(desk).preview?.text, profileOf(desk).preview?.color], ['🌵', '#c9352b']);
    desk.app.answer('profile', { action: 'save', values: changed });
    await desk.until(() => desk.app.view.dialog.get() === null);
    assert.deepEqual(server.asked, ['profile', `profile ${JSON.stringify(changed)}`]);
    assert.match(desk.message, /^Saved\./);
  });

  test('[SHARE-126] names the field that cannot be saved', async () => {
    const server = new SharingServer();
    const desk = await open(server);
    const wrong = [
      [{ ...values, name: ' ' }, 'name'],
      [{ ...values, initials: 'abc' }, 'initials'],
      [{ ...values, emoji: '🌵🌵' }, 'emoji'],
    ] as const;
    for (const [tried, field] of wrong) {
      desk.app.answer('profile', { action: 'save', values: tried });
      assert.equal(profileOf(desk).field, field);
      assert.notEqual(profileOf(desk).problem, null);
    }
    assert.deepEqual(server.asked, ['profile']);
    server.failure = offline;
    desk.app.answer('profile', { action: 'save', values });
    await desk.until(() => !profileOf(desk).busy);
    assert.match(profileOf(desk).problem ?? '', /needs a connection/);
  });

  test('[SHARE-126] is found in the settings, and says what it needs', () => {
    const alone = sharingDesk(new SharingServer(), '> A', { email: null });
    alone.app.run('account.profile');
    assert.equal(alone.message, 'Sharing needs an account. Sign up or sign in first.');
    const desk = sharingDesk(new SharingServer());
    desk.app.run('settings.open');
    desk.app.answer('settings', { action: 'filter', text: 'your profile' });
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'settings');
    assert.match(JSON.stringify(dialog.settings), /account\.profile/);
  });
});
