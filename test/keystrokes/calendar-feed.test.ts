// The dialog of one's own plan in other calendars, by keys and its buttons: making an address, what is in it, ending it, and the file instead.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { GoogleAction, GoogleView } from '#client/calendar/google-view.ts';
import type { FeedView } from '#client/calendar/feed-view.ts';
import { Desk } from './desk.ts';
import { noAccount, noLive } from './no-server.ts';
import { createMemoryFeed, createMemoryGoogle } from './memory-calendars.ts';

async function open(isEncrypted = false, email: string | null = 'ida@example.org'): Promise<Desk> {
  const feed = createMemoryFeed(isEncrypted);
  const live = () => Promise.resolve({ ...noLive, calendarFeed: () => feed });
  const desk = new Desk('> Plan', { account: { ...noAccount, email, live } });
  desk.timers.advance(1_000);
  await desk.settle();
  desk.app.run('calendar.feed');
  await desk.settle();
  return desk;
}

function view(desk: Desk): FeedView {
  const shown = desk.app.view.dialog.get();
  assert.ok(shown?.type === 'calendarFeed');
  return shown.feed;
}

async function act(desk: Desk, action: Parameters<typeof desk.app.answer<'calendarFeed'>>[1]) {
  desk.app.answer('calendarFeed', action);
  await desk.settle();
  return view(desk);
}

describe('one’s own plan in other calendars', () => {
  test('[CAL-71] an address is made with what was chosen, copied, made anew after a question, and removed', async () => {
    const desk = await open();
    assert.equal(view(desk).state, 'unmade');
    assert.deepEqual((await act(desk, { action: 'choose', what: 'hasDue' })).choice, {
      hasBlocks: true,
      hasDue: true,
      hasNames: true,
      hasDone: false,
    });
    const made = await act(desk, { action: 'make' });
    assert.deepEqual([made.state, made.choice.hasDue], ['made', true]);
    assert.equal(made.address, 'https://posthaste.example.org/calendar/t1.ics');
    assert.match(made.read, /No calendar has read it yet/);
    assert.equal((await act(desk, { action: 'copy' })).said?.text, 'Copied.');
    assert.equal(desk.clipboard, made.address);
    assert.equal((await act(desk, { action: 'renew' })).step, 'renew');
    desk.press('Escape');
    assert.equal(view(desk).step, 'plan');
    assert.equal(view(desk).address, made.address);
    await act(desk, { action: 'renew' });
    assert.equal(
      (await act(desk, { action: 'yes' })).address,
      'https://posthaste.example.org/calendar/t2.ics',
    );
    await act(desk, { action: 'remove' });
    const removed = await act(desk, { action: 'yes' });
    assert.deepEqual([removed.state, removed.address], ['unmade', null]);
  });

  test('[CAL-71] nothing can’t be chosen: that is said, and what was chosen stays', async () => {
    const desk = await open();
    await act(desk, { action: 'make' });
    const refused = await act(desk, { action: 'choose', what: 'hasBlocks' });
    assert.deepEqual([refused.said?.isError, refused.choice.hasBlocks], [true, true]);
    await act(desk, { action: 'choose', what: 'hasDue' });
    assert.equal((await act(desk, { action: 'choose', what: 'hasBlocks' })).choice.hasBlocks, false);
  });

  test('[CAL-68] [CAL-63] an encrypted account, and nobody’s, are offered the file alone', async () => {
    const desk = await open(true);
    assert.equal(view(desk).state, 'encrypted');
    // One from before can be removed.
    assert.notEqual(view(desk).address, null);
    await act(desk, { action: 'remove' });
    assert.equal((await act(desk, { action: 'yes' })).address, null);
    const nobody = await open(false, null);
    assert.equal(view(nobody).state, 'signedOut');
    nobody.app.run('task.planTime', { value: 'today 14:00' });
    await act(nobody, { action: 'save' });
    assert.equal(nobody.files[0]?.type, 'text/calendar');
  });

  test('[CAL-71] the dialog of calendars leads to it by a key', async () => {
    const desk = await open();
    desk.press('Escape');
    desk.app.run('calendar.sources');
    await desk.settle();
    desk.within = ['list', 'dialog.calendars'];
    desk.press('o');
    await desk.settle();
    assert.equal(view(desk).state, 'unmade');
  });
});

async function openGoogle(
  isSetUp: boolean,
  email: string | null = 'ida@example.org',
): Promise<{ readonly desk: Desk; readonly view: () => GoogleView }> {
  const google = createMemoryGoogle(isSetUp);
  const live = () => Promise.resolve({ ...noLive, google: () => google });
  const desk = new Desk('> Plan', { account: { ...noAccount, email, live } });
  desk.timers.advance(1_000);
  desk.app.run('calendar.google');
  await desk.settle();
  return {
    desk,
    view() {
      const shown = desk.app.view.dialog.get();
      assert.ok(shown?.type === 'google');
      return shown.google;
    },
  };
}

describe('Google’s calendars', () => {
  test('[CAL-72] [CAL-73] [CAL-78] the person goes to Google, comes back, chooses, and disconnects after a question', async () => {
    const { desk, view: shown } = await openGoogle(true);
    const answer = async (action: GoogleAction) => {
      desk.app.answer('google', action);
      await desk.settle();
      return shown();
    };
    assert.equal(shown().state, 'unconnected');
    assert.equal((await answer({ action: 'connect' })).state, 'leaving');
    await answer({ action: 'open' });
    assert.deepEqual(desk.links, ['https://accounts.google.com/consent']);
    const connected = await answer({ action: 'read' });
    assert.deepEqual(
      [connected.state, connected.calendars.map(({ name, id }) => [name, id])],
      [
        'connected',
        [
          ['Own', null],
          ['Team', null],
        ],
      ],
    );
    const added = await answer({ action: 'add', calendar: 'Team' });
    assert.notEqual(added.calendars[1]?.id, null);
    assert.match(added.said?.text ?? '', /in the agenda/);
    await answer({ action: 'disconnect' });
    desk.press('Escape');
    assert.deepEqual([shown().step, shown().state], ['show', 'connected']);
    await answer({ action: 'disconnect' });
    assert.equal((await answer({ action: 'yes' })).state, 'unconnected');
  });

  test('[CAL-79] where the server has no id at Google, the way by address is named', async () => {
    const { desk, view: shown } = await openGoogle(false);
    assert.equal(shown().state, 'missing');
    desk.app.answer('google', { action: 'calendars' });
    await desk.settle();
    assert.equal(desk.app.view.dialog.get()?.type, 'calendars');
  });

  test('[CAL-104] without an account it and one’s own plan lead to signing in, and say it as no error', async () => {
    const { desk, view: shown } = await openGoogle(true, null);
    assert.deepEqual([shown().state, shown().said], ['signedOut', null]);
    desk.app.answer('google', { action: 'signIn' });
    assert.equal(desk.app.view.dialog.get()?.type, 'signIn');
    const own = await open(false, null);
    assert.deepEqual([view(own).state, view(own).said], ['signedOut', null]);
    own.app.answer('calendarFeed', { action: 'signIn' });
    assert.equal(own.app.view.dialog.get()?.type, 'signIn');
  });
});
