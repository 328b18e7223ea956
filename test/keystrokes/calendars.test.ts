// The dialog of calendars by keys: where it goes on after a step, what Escape leads back to, and what is said of what went on without it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CalendarsView } from '#client/calendar/calendar-view.ts';
import { Desk } from './desk.ts';
import { noAccount, noLive } from './no-server.ts';
import { createMemoryCalendars } from './memory-calendars.ts';

async function opened(email: string | null = 'ida@example.org'): Promise<Desk> {
  const port = createMemoryCalendars();
  const desk = new Desk('> Plan', {
    account: { ...noAccount, email, live: () => Promise.resolve({ ...noLive, calendars: () => port }) },
  });
  desk.timers.advance(1_000);
  await desk.settle();
  desk.app.run('calendar.sources');
  await desk.settle();
  return desk;
}

function view(desk: Desk): CalendarsView {
  const shown = desk.app.view.dialog.get();
  assert.ok(shown?.type === 'calendars', `not ${shown?.type}`);
  return shown.calendars;
}

async function act(
  desk: Desk,
  action: Parameters<typeof desk.app.answer<'calendars'>>[1],
): Promise<CalendarsView> {
  desk.app.answer('calendars', action);
  await desk.settle();
  return view(desk);
}

const type = (desk: Desk) => desk.app.view.dialog.get()?.type ?? null;

describe('the dialog of calendars', () => {
  test('[CAL-106] goes on at the calendar that a step was about, at a new one, and at what took the place of a removed one', async () => {
    const desk = await opened();
    const [first, second] = view(desk).calendars ?? [];
    assert.ok(first && second);
    assert.equal(view(desk).calendar, null);
    await act(desk, { action: 'rename', calendar: second.id });
    desk.press('Escape');
    assert.equal(view(desk).calendar?.id, second.id);
    await act(desk, { action: 'rename', calendar: second.id });
    assert.equal((await act(desk, { action: 'save', text: 'Ours' })).calendar?.name, 'Ours');
    await act(desk, { action: 'add' });
    const added = await act(desk, { action: 'send', text: 'https://new.example.org/a.ics' });
    assert.equal(added.calendar?.name, 'new.example.org');
    assert.equal(
      (await act(desk, { action: 'remove', calendar: second.id })).calendar?.name,
      'new.example.org',
    );
    assert.equal((await act(desk, { action: 'restore' })).calendar?.name, 'Ours');
    assert.equal(
      (await act(desk, { action: 'remove', calendar: second.id })).calendar?.name,
      'new.example.org',
    );
  });

  test('[CAL-106] what is done to one by buttons stays at it, until it is saved or removed', async () => {
    const desk = await opened();
    const [, home] = view(desk).calendars ?? [];
    assert.ok(home);
    await act(desk, { action: 'rename', calendar: home.id });
    const hidden = await act(desk, { action: 'hide', calendar: home.id });
    assert.deepEqual([hidden.step, hidden.calendar?.isHidden], ['rename', true]);
    const colored = await act(desk, { action: 'color', calendar: home.id });
    assert.equal(colored.step, 'rename');
    assert.notEqual(colored.calendar?.color, home.color);
    assert.equal((await act(desk, { action: 'remove', calendar: home.id })).step, 'list');
  });

  test('[CAL-107] Escape leads from what it opened back to it, and closes what was opened by itself', async () => {
    const desk = await opened();
    for (const action of ['server', 'google', 'feed'] as const) {
      desk.app.answer('calendars', { action });
      await desk.settle();
      assert.notEqual(type(desk), 'calendars');
      desk.press('Escape');
      await desk.settle();
      assert.equal(type(desk), 'calendars', action);
    }
    desk.press('Escape');
    assert.equal(type(desk), null);
    desk.app.run('calendar.feed');
    await desk.settle();
    desk.press('Escape');
    assert.equal(type(desk), null);
    desk.app.run('calendar.agenda');
    await desk.settle();
    desk.app.answer('agenda', { action: 'calendars' });
    await desk.settle();
    assert.equal(type(desk), 'calendars');
    desk.press('Escape');
    await desk.settle();
    assert.equal(type(desk), 'agenda');
    desk.press('Escape');
    assert.equal(type(desk), null);
  });

  test('[CAL-108] what was asked before it was closed is said all the same', async () => {
    const desk = await opened();
    await act(desk, { action: 'add' });
    desk.app.answer('calendars', { action: 'send', text: 'https://slow.example.org/a.ics' });
    desk.press('Escape', 'Escape');
    assert.equal(type(desk), null);
    await desk.settle();
    assert.equal(desk.message, 'Added. Its events are in the agenda.');
  });

  test('[CAL-108] so is a calendar of a server that was added meanwhile', async () => {
    const desk = await opened();
    desk.app.answer('calendars', { action: 'server' });
    await desk.settle();
    const login = { address: 'dav.example.org', user: 'ida', password: 'secret' };
    desk.app.answer('calendarServer', { action: 'look', ...login });
    await desk.settle();
    desk.app.answer('calendarServer', { action: 'add', address: 'https://dav.example.org/a/' });
    desk.app.closeDialog();
    await desk.settle();
    assert.equal(desk.message, 'Added. Its events are in the agenda.');
  });

  test('[CAL-104] without an account it offers files and signing in, and says so where an address is wanted', async () => {
    const desk = await opened(null);
    assert.equal(view(desk).isSignedOut, true);
    const wanted = await act(desk, { action: 'add' });
    assert.deepEqual([wanted.step, wanted.said?.isError], ['list', false]);
    assert.match(wanted.said?.text ?? '', /Sign in first/);
    desk.app.answer('calendars', { action: 'signIn' });
    assert.equal(type(desk), 'signIn');
  });
});
