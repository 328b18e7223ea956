// Google Calendar against a server that stands in for Google: connecting, choosing, reading what is new, and everything that ends it.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { CalendarSource, CalendarWindowBody } from '#wire/calendars.ts';
import type { GoogleCalendars } from '#wire/calendar-links.ts';
import { type GoogleServer, startGoogleServer } from '../google-server.ts';
import { createTestServer, type TestServer } from './harness.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const ID = 'ida@example.org';

const at = (time: string) => ({ dateTime: `2026-11-${time}:00Z` });
const lunch = { id: 'lunch', summary: 'Lunch', start: at('21T12:00'), end: at('21T13:00') };
const fair = { id: 'fair', summary: 'Fair', start: { date: '2026-11-23' }, end: { date: '2026-11-25' } };
const review = {
  id: 'series_20261124T090000Z',
  summary: 'Review',
  start: at('24T09:00'),
  end: at('24T10:00'),
};

type Told = GoogleCalendars & { readonly message?: string };

describe('Google Calendar', () => {
  let google: GoogleServer;
  let server: TestServer;
  let cookie = '';
  beforeEach(async () => {
    google = await startGoogleServer();
    server = await createTestServer({
      environment: {
        GOOGLE_CLIENT_ID: 'our-id',
        GOOGLE_CLIENT_SECRET: 'our-secret',
        GOOGLE_URL: google.origin,
      },
    });
    ({ cookie } = await server.signUp(ID));
  });
  afterEach(async () => {
    await server.close();
    await google.close();
  });

  async function call(method: string, path = '', body?: unknown, as = cookie) {
    const answer = await server.ask(`/app/api/google${path}`, {
      method,
      cookie: as,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, body: (await answer.json()) as Told, answer };
  }

  /** Begins a connection: where the person says yes, and the cookie of the browser. */
  async function begin() {
    const { answer, body } = await call('POST', '/connect');
    const { address } = body as unknown as { readonly address: string };
    const set = answer.headers.getSetCookie().find((each) => each.startsWith('posthaste-google=')) ?? '';
    return { address, set, own: set.split(';')[0] ?? '' };
  }

  async function comeBack(to: string, own: string) {
    const { pathname, search } = new URL(to);
    const answer = await server.ask(`${pathname}${search}`, {
      cookie: own,
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  }

  async function connect(): Promise<void> {
    const { address, own } = await begin();
    const back = await comeBack(google.sayYes(address), own);
    assert.equal(back.status, 200, back.text);
    assert.match(back.text, /Google is connected/);
  }

  const add = (calendar = ID) => call('POST', '/calendars', { calendar });

  async function list(): Promise<readonly CalendarSource[]> {
    const answer = await server.ask('/app/api/calendars', { cookie });
    return ((await answer.json()) as { readonly calendars: readonly CalendarSource[] }).calendars;
  }

  async function events() {
    const now = server.clock.now();
    const path = `/app/api/calendars/window?from=${now - 30 * DAY}&to=${now + 100 * DAY}`;
    const { calendars } = (await (await server.ask(path, { cookie })).json()) as CalendarWindowBody;
    return calendars.flatMap((each) => each.events);
  }

  const titles = async () => (await events()).map(({ title }) => title);

  async function poll(minutes = 16): Promise<void> {
    server.clock.pass(minutes * MINUTE);
    await server.services.calendars.polling.round();
  }

  test('[CAL-72] a person says yes at Google, in the browser that began, and once', async () => {
    const { address, set, own } = await begin();
    const asked = new URL(address).searchParams;
    assert.equal(asked.get('scope'), 'https://www.googleapis.com/auth/calendar.readonly');
    assert.deepEqual([asked.get('code_challenge_method'), asked.get('access_type')], ['S256', 'offline']);
    assert.match(set, /HttpOnly; SameSite=Lax/);
    const back = google.sayYes(address);
    // Somebody else’s browser, or one that began nothing.
    for (const wrong of ['', 'posthaste-google=x', cookie]) {
      const refused = await comeBack(back, wrong);
      assert.deepEqual([refused.status, (await call('GET')).body.isConnected], [400, false]);
    }
    const done = await comeBack(back, own);
    assert.equal(done.status, 200);
    assert.equal(done.headers.get('referrer-policy'), 'no-referrer');
    assert.equal((await call('GET')).body.isConnected, true);
    assert.equal((await comeBack(back, own)).status, 400);
    const rows = await server.database.db.selectFrom('google_grant').selectAll().execute();
    assert.ok(
      !JSON.stringify(rows.map(({ refresh }) => Buffer.from(refresh).toString('latin1'))).includes(
        'refresh-',
      ),
    );
    assert.ok(!server.logged.join('\n').includes(asked.get('state') ?? '?'));
  });

  test('[CAL-72] a no, and an answer after fifteen minutes, connect nothing', async () => {
    const { address, own } = await begin();
    const state = new URL(address).searchParams.get('state') ?? '';
    const no = await comeBack(`http://localhost/app/api/google/back?error=access_denied&state=${state}`, own);
    assert.match(no.text, /You said no/);
    server.clock.pass(16 * MINUTE);
    assert.equal((await comeBack(google.sayYes(address), own)).status, 400);
    assert.equal((await call('GET')).body.isConnected, false);
  });

  test('[CAL-73] calendars are listed over pages, and one that is chosen is there with its events', async () => {
    for (const event of [lunch, fair, review]) google.set(ID, event);
    await connect();
    const { body } = await call('GET');
    assert.deepEqual(
      body.calendars.map(({ name, id }) => [name, id]),
      [
        [`Calendar ${ID}`, null],
        ['Calendar team', null],
        ['Calendar third', null],
      ],
    );
    const added = await add();
    assert.equal(added.status, 200);
    const [source] = await list();
    assert.deepEqual([source?.name, source?.host], [`Calendar ${ID}`, 'Google']);
    assert.equal(added.body.calendars[0]?.id, source?.id);
    assert.deepEqual(await titles(), ['Lunch', 'Fair', 'Review']);
    const first = google.asked.find(({ pathname }) => pathname.endsWith('/events'));
    assert.equal(first?.searchParams.get('singleEvents'), 'true');
    await add();
    assert.equal((await list()).length, 1);
    assert.equal((await add('nobody')).status, 409);
  });

  test('[CAL-74] what is new is asked for by the token of the last page; what is canceled goes, with its series', async () => {
    for (const event of [lunch, fair, review]) google.set(ID, event);
    await connect();
    await add();
    google.asked.length = 0;
    google.set(ID, { ...lunch, summary: 'Late lunch' });
    google.set(ID, { id: 'new', summary: 'New', start: at('26T09:00'), end: at('26T10:00') });
    google.cancel(ID, 'fair');
    google.cancel(ID, 'series');
    await poll();
    assert.deepEqual(await titles(), ['Late lunch', 'New']);
    assert.equal(google.asked.length, 2);
    for (const { searchParams } of google.asked) {
      assert.equal(searchParams.has('syncToken'), true);
      assert.equal(searchParams.has('timeMin'), false);
    }
    const [{ readAt } = { readAt: 0 }] = await list();
    assert.equal(readAt, server.clock.now());
    google.asked.length = 0;
    await poll();
    assert.deepEqual([google.asked.length, await titles()], [1, ['Late lunch', 'New']]);
  });

  test('[CAL-74] when Google has forgotten what is new, everything is read, and what is gone goes', async () => {
    for (const event of [lunch, fair]) google.set(ID, event);
    await connect();
    await add();
    google.lose(ID, 'lunch');
    google.forgetNews();
    await poll();
    assert.deepEqual(await titles(), ['Fair']);
    assert.equal((await list())[0]?.problem, null);
    google.set(ID, lunch);
    await poll();
    assert.deepEqual(await titles(), ['Lunch', 'Fair']);
  });

  test('[CAL-75] declined ones are not shown, private ones are “Busy”, and nobody who is invited is kept', async () => {
    const me = { self: true, email: ID, responseStatus: 'declined' };
    const boss = { email: 'boss@example.org', responseStatus: 'declined' };
    google.set(ID, {
      ...lunch,
      attendees: [boss, { ...me, responseStatus: 'accepted' }],
      transparency: 'transparent',
    });
    google.set(ID, { ...fair, attendees: [me] });
    google.set(ID, { ...review, visibility: 'private', location: 'Room', description: 'Secret' });
    google.set(ID, { id: 'home', eventType: 'workingLocation', start: lunch.start, end: lunch.end });
    google.set(ID, { id: 'odd', start: { date: '2026-02-30' }, end: { date: '2026-02-31' } });
    google.set(ID, { id: 'maybe', status: 'tentative', start: at('27T09:00'), end: at('27T10:00') });
    await connect();
    await add();
    assert.deepEqual(
      (await events()).map(({ title, isBusy, isTentative, place }) => [title, isBusy, isTentative, place]),
      [
        ['Lunch', false, false, ''],
        ['Busy', true, false, ''],
        ['Busy', true, true, ''],
      ],
    );
    const rows = await server.database.db.selectFrom('calendar_event').select('event').execute();
    assert.ok(!/boss|Secret|Room/.test(JSON.stringify(rows)));
    // An answer that changes shows it after all.
    google.set(ID, { ...fair, attendees: [{ ...me, responseStatus: 'accepted' }] });
    google.set(ID, { ...lunch, attendees: [me] });
    await poll();
    assert.deepEqual(await titles(), ['Fair', 'Busy', 'Busy']);
  });

  test('[CAL-76] a token that is over is renewed; a connection that has ended is said once, and mended by connecting again', async () => {
    google.set(ID, lunch);
    await connect();
    await add();
    const before = google.tokens;
    server.clock.pass(2 * 60 * MINUTE);
    await poll();
    assert.equal(google.tokens, before + 1);
    google.endAccess();
    await poll();
    assert.deepEqual([google.tokens, (await list())[0]?.problem], [before + 2, null]);
    google.endGrant();
    await poll();
    assert.match((await list())[0]?.problem ?? '', /connect again/);
    assert.deepEqual(await titles(), ['Lunch']);
    const { body } = await call('GET');
    assert.deepEqual([body.isConnected, body.calendars], [true, []]);
    assert.match(body.problem ?? '', /connect again/);
    google.asked.length = 0;
    for (let hour = 0; hour < 30; hour += 1) await poll(60);
    assert.equal(google.asked.length, 0);
    google.set(ID, { ...lunch, summary: 'Supper' });
    await connect();
    await poll(0);
    assert.deepEqual([await titles(), (await list())[0]?.problem], [['Supper'], null]);
  });

  test('[CAL-77] a busy Google is asked less and less often, and not before it says', async () => {
    google.set(ID, lunch);
    await connect();
    await add();
    const waits: number[] = [];
    for (const instead of [
      { status: 403, reason: 'rateLimitExceeded' },
      { status: 429 },
      { status: 503 },
      { status: 429, after: 4 * 3_600 },
    ]) {
      google.instead.push(instead);
      const [source] = await list();
      server.clock.pass(Math.max(0, (source?.nextAt ?? 0) - server.clock.now()));
      await server.services.calendars.polling.round();
      const [told] = await list();
      assert.match(told?.problem ?? '', /busy/);
      waits.push(Math.round(((told?.nextAt ?? 0) - server.clock.now()) / MINUTE));
    }
    assert.deepEqual(waits, [15, 30, 60, 240]);
    assert.deepEqual(await titles(), ['Lunch']);
    await poll(241);
    assert.equal((await list())[0]?.problem, null);
  });

  test('[CAL-78] disconnecting removes the calendars with their events, and ends the connection at Google', async () => {
    google.set(ID, lunch);
    await connect();
    await add();
    await add('team');
    const { body } = await call('DELETE');
    assert.deepEqual([body.isConnected, await list(), await titles()], [false, [], []]);
    assert.equal(google.revoked.length, 1);
    assert.match(google.revoked[0] ?? '', /^refresh-/);
    for (const table of ['google_grant', 'google_sync', 'calendar_event'] as const)
      assert.deepEqual(await server.database.db.selectFrom(table).selectAll().execute(), []);
  });

  test('[CAL-78] a calendar that Google doesn’t have anymore says so; another account has none of it', async () => {
    google.set('team', lunch);
    await connect();
    await add('team');
    const other = await server.signUp('bob@example.org');
    const { body } = await call('GET', '', undefined, other.cookie);
    assert.deepEqual([body.isSetUp, body.isConnected, body.calendars], [true, false, []]);
    assert.equal((await call('POST', '/calendars', { calendar: 'team' }, other.cookie)).status, 409);
    google.instead.push({ status: 404 });
    await poll();
    assert.match((await list())[0]?.problem ?? '', /no calendar|anymore/);
  });

  test('[CAL-79] a server without an id at Google says so, and names the way by address', async () => {
    const plain = await createTestServer();
    const ann = await plain.signUp('ann@example.org');
    const shown = (await (await plain.ask('/app/api/google', { cookie: ann.cookie })).json()) as Told;
    assert.deepEqual([shown.isSetUp, shown.isConnected], [false, false]);
    const refused = await plain.ask('/app/api/google/connect', { method: 'POST', cookie: ann.cookie });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /secret address in iCal format/);
    await plain.close();
  });

  test('[CAL-79] a server that has its id no more says so at the calendars that were chosen; their events stay', async () => {
    google.set(ID, lunch);
    await connect();
    await add();
    const shared = { ...server.database, close: () => Promise.resolve() };
    const plain = await createTestServer({ open: () => Promise.resolve(shared) });
    plain.clock.pass(16 * MINUTE);
    assert.equal(await plain.services.calendars.polling.round(), 1);
    assert.match((await list())[0]?.problem ?? '', /isn’t set up for Google anymore/);
    assert.ok((await titles()).length > 0);
    await plain.close();
    await poll(1_440);
    assert.equal((await list())[0]?.problem, null);
  });
});
