// Calendars of CalDAV servers, asked over real connections: finding them, reading them, hearing what changed, and servers that answer anything.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { FoundCalendars } from '#wire/calendars.ts';
import { type CaldavServer, type Dialect, PASSWORD, startCaldavServer, USER } from '../caldav-server.ts';
import { calendarFile } from '../calendar-server.ts';
import { calendarWorld, DAY, MINUTE, type CalendarWorld } from './calendar-world.ts';

const entry = (title: string, more: readonly string[] = []) =>
  calendarFile([{ uid: title, title, start: '20261125T090000Z', end: '20261125T100000Z', more }]);

const login = { user: USER, password: PASSWORD };

/** What the server asks while `work` is done. */
async function askedBy(far: CaldavServer, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before_ = far.asked.length;
  await work();
  return far.asked.slice(before_).map((line) => line.trim());
}

async function discover(world: CalendarWorld, cookie: string, address: string, with_ = login) {
  const answer = await world.server.ask('/app/api/calendars/discover', {
    method: 'POST',
    cookie,
    body: { address, login: with_ },
  });
  const body = (await answer.json()) as { readonly found?: FoundCalendars; readonly why?: string };
  return { status: answer.status, found: body.found ?? [], why: body.why };
}

for (const dialect of ['radicale', 'nextcloud', 'icloud'] satisfies Dialect[])
  describe(`calendars of a CalDAV server as ${dialect}`, () => {
    let far: CaldavServer;
    let world: CalendarWorld;
    before(async () => {
      far = await startCaldavServer(dialect);
      world = await calendarWorld(far.ca);
      far.work.put('a.ics', entry('Stand-up'));
      far.work.put('b &ü.ics', entry('Retreat', ['DESCRIPTION:Boots & <more>']));
    });
    after(async () => {
      await world.server.close();
      await far.close();
    });

    async function added(email: string): Promise<{ readonly cookie: string; readonly id: string }> {
      const { cookie } = await world.server.signUp(email);
      const { found } = await discover(world, cookie, far.origin);
      const { body } = await world.add(cookie, found[0]?.address ?? '', { login });
      return { cookie, id: body.made ?? '' };
    }

    test('[CAL-39] [CAL-40] its calendars are found from its address, and one that is chosen is read', async () => {
      const { cookie } = await world.server.signUp('found@example.org');
      const { status, found } = await discover(world, cookie, `${far.origin}/`);
      assert.equal(status, 200);
      assert.deepEqual(
        found.map(({ name, isAdded }) => [name, isAdded]),
        [
          ['Work & more', false],
          ['home', false],
        ],
      );
      assert.ok(!JSON.stringify(found).includes('%3A'));
      const { body } = await world.add(cookie, found[0]?.address ?? '', { login });
      assert.deepEqual(
        body.calendars.map(({ name, problem, hasPassword }) => [name, problem, hasPassword]),
        [['Work & more', null, true]],
      );
      assert.deepEqual((await world.titles(cookie)).toSorted(), ['Retreat', 'Stand-up']);
      assert.deepEqual(
        (await discover(world, cookie, found[0]?.address ?? '')).found.map(({ isAdded }) => isAdded),
        [true],
      );
      const row = await world.server.database.db
        .selectFrom('calendar_source')
        .selectAll()
        .executeTakeFirstOrThrow();
      assert.doesNotMatch(Buffer.from(row.address).toString('latin1'), /app-p|ann/);
      assert.doesNotMatch(JSON.stringify(body), /app-p/);
    });

    test('[CAL-41] nothing new costs one question, and changes come one by one', async () => {
      const { cookie } = await added('token@example.org');
      const quiet = await askedBy(far, () => world.poll());
      assert.deepEqual(
        quiet.filter((line) => line !== 'REPORT sync-collection 0'),
        [],
      );
      far.work.put('c.ics', entry('New'));
      far.work.put('a.ics', entry('Stand-up, later'));
      far.work.delete('b &ü.ics');
      await world.poll();
      assert.deepEqual((await world.titles(cookie)).toSorted(), ['New', 'Stand-up, later']);
      // With a token that is too old all of it is read, and what is gone is deleted.
      far.work.delete('c.ics');
      far.work.put('b &ü.ics', entry('Retreat'));
      far.forgetTokens();
      const anew = await askedBy(far, () => world.poll());
      assert.ok(anew.includes('REPORT calendar-query 1'));
      assert.deepEqual((await world.titles(cookie)).toSorted(), ['Retreat', 'Stand-up, later']);
    });

    for (const knows of ['ctags', 'nothing'] as const)
      test(`[CAL-41] a server that knows ${knows === 'ctags' ? 'no tokens' : 'neither tokens nor marks'} is asked whether anything changed`, async () => {
        far.knows(knows);
        far.work.put('a.ics', entry('Stand-up'));
        const { cookie, id } = await added(`${knows}@example.org`);
        const question = knows === 'ctags' ? 'PROPFIND propfind 0' : 'REPORT calendar-query 1';
        const asking = () => world.ask(cookie, 'POST', `/${id}/read`);
        assert.deepEqual(await askedBy(far, asking), [question]);
        far.work.put('a.ics', entry('Moved'));
        await asking();
        assert.ok((await world.titles(cookie)).includes('Moved'));
        far.work.delete('a.ics');
        await asking();
        assert.ok(!(await world.titles(cookie)).includes('Moved'));
        far.knows('tokens');
      });
  });

describe('CalDAV servers that answer anything', () => {
  let far: CaldavServer;
  let world: CalendarWorld;
  before(async () => {
    far = await startCaldavServer('radicale');
    world = await calendarWorld(far.ca, { fetchMs: 2_000 });
    far.work.put('a.ics', entry('Stand-up'));
  });
  after(async () => {
    await world.server.close();
    await far.close();
  });

  const xml = (response: ServerResponse, body: string) =>
    void response.writeHead(207, { 'content-type': 'application/xml' }).end(body);
  const multistatus = (content: string) => `<multistatus xmlns="DAV:">${content}</multistatus>`;
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 8 }, (_, at) => {
    const name = String.fromCodePoint(98 + at);
    const before_ = String.fromCodePoint(97 + at);
    return `<!ENTITY ${name} "${`&${before_};`.repeat(10)}">`;
  }).join('')}]>`;

  type Fault = readonly [why: string, answer: (response: ServerResponse) => void];
  const faults: Readonly<Record<string, Fault>> = {
    'a wrong password': ['password', (response) => void response.writeHead(401).end()],
    'not allowed': ['refused', (response) => void response.writeHead(403).end()],
    'nothing there': ['gone', (response) => void response.writeHead(404).end()],
    'too many questions': [
      'busy',
      (response) => void response.writeHead(429, { 'retry-after': '7200' }).end(),
    ],
    'out of room': ['busy', (response) => void response.writeHead(507).end()],
    'a page of a sign-in': [
      'not_dav',
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!doctype html><title>Sign in</title>'),
    ],
    'a page that says it is an answer': [
      'not_dav',
      (response) => xml(response, '<!doctype html><title>x</title>'),
    ],
    'half an answer': [
      'not_dav',
      (response) => xml(response, '<multistatus xmlns="DAV:"><response><href>/ann/'),
    ],
    'an answer that breaks off': [
      'unreachable',
      (response) => {
        response
          .writeHead(207, { 'content-length': '5000' })
          .write('<multistatus xmlns="DAV:">', () => response.destroy());
      },
    ],
    'nothing for a long time': ['too_slow', (response) => void response.writeHead(207).write('<')],
    'more than may be': ['too_large', (response) => xml(response, multistatus(' '.repeat(300_000)))],
    'entities that expand': [
      'not_dav',
      (response) => xml(response, `${bomb}${multistatus('<response><href>&i;</href></response>')}`),
    ],
    'an entity of a file': [
      'not_dav',
      (response) =>
        xml(response, `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${multistatus('&f;')}`),
    ],
    'no end of depth': [
      'not_dav',
      (response) => xml(response, `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`),
    ],
    'a redirect inside': [
      'private',
      (response) => void response.writeHead(302, { location: 'https://169.254.169.254/dav/' }).end(),
    ],
    'a redirect that isn’t HTTPS': [
      'not_https',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
    ],
    'a redirect to another site': [
      'elsewhere',
      (response) => void response.writeHead(302, { location: 'https://example.com/dav/' }).end(),
    ],
    'a redirect without end': [
      'redirects',
      (response) => void response.writeHead(302, { location: '/.well-known/caldav' }).end(),
    ],
  };

  test('[CAL-42] an answer that is none keeps the events, and its reason is said', async () => {
    const { cookie } = await world.server.signUp('kept@example.org');
    const added = await world.add(cookie, `${far.origin}/ann/work/`, { login });
    const id = added.body.made ?? '';
    for (const [name, [why, answer]] of Object.entries(faults)) {
      far.fault((response) => answer(response));
      const { body } = await world.ask(cookie, 'POST', `/${id}/read`);
      const { problem } = await world.server.database.db
        .selectFrom('calendar_source')
        .select('problem')
        .where('id', '=', id as never)
        .executeTakeFirstOrThrow();
      assert.equal(problem, why, name);
      assert.ok((body.calendars[0]?.problem ?? '').length > 20);
      assert.deepEqual(await world.titles(cookie), ['Stand-up'], name);
      far.fault();
      assert.equal((await world.ask(cookie, 'POST', `/${id}/read`)).body.calendars[0]?.problem, null, name);
    }
  });

  test('[CAL-42] adding one says the reason, and keeps nothing', async () => {
    const { cookie } = await world.server.signUp('refused-dav@example.org');
    for (const [name, [why, answer]] of Object.entries(faults)) {
      far.fault((response) => answer(response));
      const { status, body } = await world.add(cookie, `${far.origin}/ann/work/`, { login });
      assert.deepEqual([status, body.why], [422, why], name);
    }
    far.fault();
    for (const [address, why] of [
      ['http://93.184.216.34/dav', 'not_https'],
      ['https://10.0.0.1/dav', 'private'],
      ['https://[::1]/', 'private'],
      ['no address', 'address'],
      [`${far.origin}/nowhere/`, 'gone'],
    ] as const)
      assert.deepEqual((await world.add(cookie, address, { login })).body.why, why, address);
    assert.deepEqual(await world.list(cookie), []);
  });

  test('[CAL-42] hrefs that lead elsewhere are not followed, neither when looking nor when reading', async () => {
    const { cookie } = await world.server.signUp('hrefs@example.org');
    const principal = (href: string) =>
      multistatus(
        `<response><href>/</href><propstat><prop><current-user-principal><href>${href}</href></current-user-principal></prop><status>HTTP/1.1 200 OK</status></propstat></response>`,
      );
    for (const [href, why] of [
      ['https://example.com/ann/', 'elsewhere'],
      ['http://127.0.0.1/ann/', 'elsewhere'],
      ['file:///etc/passwd', 'elsewhere'],
      ['//169.254.169.254/x/', 'elsewhere'],
    ] as const) {
      far.fault((response) => xml(response, principal(href)));
      assert.deepEqual((await discover(world, cookie, far.origin)).why, why, href);
    }
    far.fault();
    assert.deepEqual(
      (await discover(world, cookie, far.origin, { ...login, password: 'wrong' })).why,
      'password',
    );
  });

  test('[CAL-43] a password that is wrong is asked for once a day, and a new one is tried at once', async () => {
    const { cookie } = await world.server.signUp('once@example.org');
    const { body } = await world.add(cookie, `${far.origin}/ann/work/`, { login });
    const id = body.made ?? '';
    far.password = 'another one';
    await world.poll();
    const [source] = await world.list(cookie);
    assert.match(source?.problem ?? '', /name and password/);
    assert.equal((source?.nextAt ?? 0) - world.server.clock.now(), DAY);
    const quiet = await askedBy(far, () => world.poll(23 * 60));
    assert.deepEqual(quiet, []);
    const changed = await world.ask(cookie, 'POST', `/${id}`, { password: 'another one' });
    assert.equal(changed.body.calendars[0]?.problem, null);
    assert.equal((changed.body.calendars[0]?.nextAt ?? 0) - world.server.clock.now(), 15 * MINUTE);
    far.password = PASSWORD;
  });

  test('[CAL-43] a server that names a time is asked again then', async () => {
    const { cookie } = await world.server.signUp('later@example.org');
    const { body } = await world.add(cookie, `${far.origin}/ann/work/`, { login });
    far.fault((response) => void response.writeHead(429, { 'retry-after': '7200' }).end());
    const later = await world.ask(cookie, 'POST', `/${body.made}/read`);
    assert.equal((later.body.calendars[0]?.nextAt ?? 0) - world.server.clock.now(), 120 * MINUTE);
    far.fault();
  });

  test('[CAL-42] a login is checked before anything is asked', async () => {
    const { cookie } = await world.server.signUp('login@example.org');
    const asked = await askedBy(far, async () => {
      for (const wrong of [
        { user: '', password: 'x' },
        { user: 'a:b', password: 'x' },
        { user: 'a', password: '' },
        { user: 'a', password: 'x\r\ny' },
        { user: 'a' },
      ]) {
        const one = await world.ask(cookie, 'POST', '/discover', { address: far.origin, login: wrong });
        const two = await world.ask(cookie, 'POST', '', { address: far.origin, login: wrong });
        assert.deepEqual([one.status, two.status], [422, 422], JSON.stringify(wrong));
      }
    });
    assert.deepEqual(asked, []);
  });
});
