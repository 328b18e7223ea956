// Calendars by address, asked over a real connection: adding one, asking again, what is refused, and whose it is.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import type { CalendarSource, CalendarWindowBody } from '#wire/calendars.ts';
import { calendarFile, startCalendarServer, type CalendarServer } from '../calendar-server.ts';
import { createTestServer, type TestServer } from './harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const standup = { uid: 'a', title: 'Stand-up', start: '20261121T090000Z', end: '20261121T091500Z' };
const retreat = { uid: 'b', title: 'Retreat', start: '20261123', end: '20261125' };

interface Body {
  readonly calendars: readonly CalendarSource[];
  readonly made?: string;
  readonly code?: string;
  readonly message?: string;
  readonly why?: string;
}

describe('calendars by address', () => {
  let far: CalendarServer;
  let server: TestServer;
  before(async () => {
    far = await startCalendarServer();
    server = await createTestServer({
      environment: { CALENDAR_NETWORKS: '127.0.0.1/32' },
      pushCa: far.ca,
      calendarPatience: { fetchMs: 2_000, fileBytes: 200_000 },
    });
  });
  after(async () => {
    await server.close();
    await far.close();
  });

  async function add(cookie: string, address: string, name?: string) {
    const body = { address, ...(name === undefined ? {} : { name }) };
    const answer = await server.ask('/app/api/calendars', { method: 'POST', cookie, body });
    return { status: answer.status, body: (await answer.json()) as Body };
  }

  async function list(cookie: string): Promise<readonly CalendarSource[]> {
    return ((await (await server.ask('/app/api/calendars', { cookie })).json()) as Body).calendars;
  }

  function windowPath() {
    const now = server.clock.now();
    return `/app/api/calendars/window?from=${now - 30 * DAY}&to=${now + 100 * DAY}`;
  }

  async function titles(cookie: string): Promise<readonly string[]> {
    const answer = await server.ask(windowPath(), { cookie });
    const { calendars } = (await answer.json()) as CalendarWindowBody;
    return calendars.flatMap(({ events }) => events.map(({ title }) => title));
  }

  /** Lets the time of the next question come, and asks. */
  async function poll(minutes = 16): Promise<number> {
    server.clock.pass(minutes * MINUTE);
    return await server.services.calendars.polling.round();
  }

  test('[CAL-6] an address is read at once; webcal: is HTTPS, and its name and password are sealed with it', async () => {
    const { cookie } = await server.signUp('add@example.org');
    const seen: (string | undefined)[] = [];
    const address = far.at('/own.ics', (response, headers) => {
      seen.push(headers.authorization);
      response
        .writeHead(200, { 'content-type': 'text/calendar', 'content-encoding': 'gzip' })
        .end(gzipSync(calendarFile([standup, retreat])));
    });
    const given = address.replace('https://', 'webcal://ann:secret@');
    const { status, body } = await add(cookie, given);
    assert.equal(status, 200);
    assert.equal(body.calendars.length, 1);
    assert.equal(body.calendars[0]?.name, 'Work');
    assert.equal(body.calendars[0]?.problem, null);
    assert.equal(body.made, body.calendars[0]?.id);
    assert.deepEqual(seen, [`Basic ${Buffer.from('ann:secret').toString('base64')}`]);
    assert.deepEqual(await titles(cookie), ['Stand-up', 'Retreat']);
    const row = await server.database.db.selectFrom('calendar_source').selectAll().executeTakeFirstOrThrow();
    assert.ok(!Buffer.from(row.address).toString('latin1').includes('secret'));
    assert.ok(!JSON.stringify(body).includes('secret'));
  });

  test('[CAL-7] what can’t be read is refused with the reason, and nothing is kept of it', async () => {
    const { cookie } = await server.signUp('refused@example.org');
    const page = far.at('/page', (response) => response.end('<!doctype html><title>Sign in</title>'));
    const huge = far.at('/huge', (response) => response.end('x'.repeat(300_000)));
    const bomb = far.at('/bomb', (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000))),
    );
    const slow = far.at('/slow', (response) => void response.write('BEGIN:VCALENDAR\r\n'));
    const locked = far.at('/locked', (response) => response.writeHead(401).end());
    const broken = far.at('/broken', (response) => response.writeHead(500).end());
    const around = far.at('/around', (response) => response.writeHead(302, { location: '/around' }).end());
    const inside = far.at('/inside', (response) =>
      response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
    );
    const plain = far.at('/plain', (response) =>
      response.writeHead(302, { location: 'http://127.0.0.1/x.ics' }).end(),
    );
    const cases: readonly (readonly [address: string, why: string])[] = [
      ['not an address', 'address'],
      ['http://93.184.216.34/x.ics', 'not_https'],
      ['http://10.0.0.1/x.ics', 'not_https'],
      ['file:///etc/passwd', 'address'],
      ['https://10.0.0.1/x.ics', 'private'],
      ['https://[::1]/x.ics', 'private'],
      [page, 'not_calendar'],
      [huge, 'too_large'],
      [bomb, 'too_large'],
      [slow, 'too_slow'],
      [locked, 'sign_in'],
      [broken, 'busy'],
      [`${far.origin}/missing`, 'gone'],
      [around, 'redirects'],
      [inside, 'private'],
      [plain, 'not_https'],
    ];
    for (const [address, why] of cases) {
      const { status, body } = await add(cookie, address);
      assert.deepEqual([status, body.why], [422, why], address);
      assert.ok((body.message ?? '').length > 20);
    }
    assert.deepEqual(await list(cookie), []);
  });

  test('[CAL-109] an address is added once; calendars without a name are told apart by a number', async () => {
    const { cookie } = await server.signUp('twice@example.org');
    const nameless = (path: string) =>
      far.at(path, (response) =>
        response
          .writeHead(200, { 'content-type': 'text/calendar' })
          .end(calendarFile([standup]).replace(/X-WR-CALNAME.*\r\n/, '')),
      );
    const [one, two] = [nameless('/one.ics'), nameless('/two.ics')];
    await add(cookie, one);
    const again = await add(cookie, ` ${one.replace('https:', 'webcal:')}`);
    assert.deepEqual([again.status, again.body.why], [422, 'twice']);
    await add(cookie, two);
    const names = (await list(cookie)).map(({ name }) => name);
    assert.deepEqual(names, ['127.0.0.1', '127.0.0.1 2']);
  });

  test('[CAL-75] what the person declined is not shown, whoever else did', async () => {
    const { cookie } = await server.signUp('Says-No@example.org');
    const declined = (who: string) => `ATTENDEE;CN=x;PARTSTAT=DECLINED:MAILTO:${who}`;
    const address = far.file(
      '/declined.ics',
      calendarFile([
        { ...standup, uid: 'mine', title: 'Mine', more: [declined('says-no@EXAMPLE.org')] },
        { ...standup, uid: 'theirs', title: 'Theirs', more: [declined('other@example.org')] },
      ]),
    );
    await add(cookie, address);
    assert.deepEqual(await titles(cookie), ['Theirs']);
  });

  test('[CAL-116] inside the networks of the operator a calendar is read without encryption, and nowhere else', async () => {
    const { cookie } = await server.signUp('inside@example.org');
    const plain = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendarFile([standup]));
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    try {
      assert.equal((await add(cookie, `http://127.0.0.1:${port}/a.ics`)).status, 200);
      assert.deepEqual(await titles(cookie), ['Stand-up']);
      const other = await createTestServer();
      const ben = await other.signUp('ben@example.org');
      const refused = await other.ask('/app/api/calendars', {
        method: 'POST',
        cookie: ben.cookie,
        body: { address: `http://127.0.0.1:${port}/a.ics` },
      });
      assert.equal(((await refused.json()) as { why?: string }).why, 'not_https');
      await other.close();
    } finally {
      await new Promise((resolve) => plain.close(resolve));
    }
  });

  test('[CAL-8] what changed is taken over, what is gone is deleted, and what is the same writes nothing but its time', async () => {
    const { cookie } = await server.signUp('poll@example.org');
    const address = far.file('/poll.ics', calendarFile([standup, retreat]), '"1"');
    await add(cookie, address);
    const first = await server.ask(windowPath(), { cookie });
    const etag = first.headers.get('etag') ?? '';
    const path = windowPath();
    const tag = (await server.ask(path, { cookie })).headers.get('etag') ?? '';
    await poll();
    const same = await server.ask(path, { cookie, headers: { 'if-none-match': tag } });
    assert.equal(same.status, 304);
    assert.equal((await list(cookie))[0]?.readAt, server.clock.now());
    // The same file without a tag that is known writes no event either.
    far.file('/poll.ics', calendarFile([standup, retreat]), '"2"');
    await poll();
    assert.equal((await server.ask(path, { cookie, headers: { 'if-none-match': tag } })).status, 304);
    far.file('/poll.ics', calendarFile([{ ...standup, title: 'Stand-up, moved' }]), '"3"');
    await poll();
    const changed = await server.ask(path, { cookie, headers: { 'if-none-match': tag } });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get('etag'), etag);
    assert.deepEqual(await titles(cookie), ['Stand-up, moved']);
  });

  test('[CAL-9] an error keeps the events, is said with the next try, and is asked about less and less often', async () => {
    const { cookie } = await server.signUp('errors@example.org');
    const address = far.file('/errors.ics', calendarFile([standup]));
    await add(cookie, address);
    far.at('/errors.ics', (response) => response.writeHead(401).end());
    const waits: number[] = [];
    for (let tries = 0; tries < 4; tries += 1) {
      const [source] = await list(cookie);
      server.clock.pass(Math.max(0, (source?.nextAt ?? 0) - server.clock.now()));
      await server.services.calendars.polling.round();
      const [after_] = await list(cookie);
      assert.match(after_?.problem ?? '', /asks for a password/);
      waits.push(Math.round(((after_?.nextAt ?? 0) - server.clock.now()) / MINUTE));
    }
    assert.deepEqual(waits, [15, 30, 60, 120]);
    assert.deepEqual(await titles(cookie), ['Stand-up']);
    far.file('/errors.ics', calendarFile([retreat]));
    await poll(121);
    assert.equal((await list(cookie))[0]?.problem, null);
    assert.deepEqual(await titles(cookie), ['Retreat']);
  });

  test('[CAL-10] a calendar is asked by one process at a time', async () => {
    const { cookie } = await server.signUp('claim@example.org');
    await add(cookie, far.file('/claim.ics', calendarFile([standup])));
    server.clock.pass(16 * MINUTE);
    const before_ = far.asked.filter((path) => path === '/claim.ics').length;
    const { polling } = server.services.calendars;
    await Promise.all([polling.round(), polling.round(), polling.round()]);
    assert.equal(far.asked.filter((path) => path === '/claim.ics').length, before_ + 1);
  });

  test('[CAL-11] names, colors and hiding are the account’s own; so is removing', async () => {
    const [ann, bob] = [await server.signUp('ann@example.org'), await server.signUp('bob@example.org')];
    const { body } = await add(ann.cookie, far.file('/change.ics', calendarFile([standup])), 'Mine');
    const id = body.made ?? '';
    const change = async (cookie: string, of: unknown) =>
      await server.ask(`/app/api/calendars/${id}`, { method: 'POST', cookie, body: of });
    assert.equal((await change(bob.cookie, { name: 'Bob’s' })).status, 404);
    assert.equal((await change(ann.cookie, { color: 'url(x)' })).status, 422);
    assert.equal((await change(ann.cookie, { name: 'Team', color: '#00808a', isHidden: true })).status, 200);
    const [source] = await list(ann.cookie);
    assert.deepEqual([source?.name, source?.color, source?.isHidden], ['Team', '#00808a', true]);
    assert.deepEqual(await titles(ann.cookie), []);
    const remove = (cookie: string) => server.ask(`/app/api/calendars/${id}`, { method: 'DELETE', cookie });
    assert.equal((await remove(bob.cookie)).status, 404);
    assert.equal((await remove(ann.cookie)).status, 200);
    assert.equal((await remove(ann.cookie)).status, 404);
    await poll(8 * 24 * 60);
    const left = await server.database.db
      .selectFrom('calendar_event')
      .select('digest')
      .where('account', '=', ann.account)
      .execute();
    assert.deepEqual(left, []);
  });

  test('[CAL-12] an account has at most twenty, and a window at most 400 days', async () => {
    const { cookie } = await server.signUp('many@example.org');
    const address = far.file('/many.ics', calendarFile([]));
    for (let count = 0; count < 20; count += 1)
      assert.equal((await add(cookie, far.file(`/many-${count}.ics`, calendarFile([])))).status, 200);
    const { status, body } = await add(cookie, address);
    assert.deepEqual([status, body.code], [413, 'quota_reached']);
    for (const query of ['', '?from=0', '?from=0&to=0', `?from=0&to=${401 * DAY}`, '?from=x&to=1'])
      assert.equal((await server.ask(`/app/api/calendars/window${query}`, { cookie })).status, 422, query);
    assert.equal(
      (await server.ask(`/app/api/calendars/window?from=0&to=${400 * DAY}`, { cookie })).status,
      200,
    );
  });
});
