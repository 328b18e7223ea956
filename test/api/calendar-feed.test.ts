// A person's plan as a calendar at a secret address: what is in it for whom, what it costs when nothing changed, and how an address ends.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mineId, type Id } from '#core/ids.ts';
import { readCalendar } from '#core/calendar/read-calendar.ts';
import { DAY_MS } from '#core/time.ts';
import { replayLedger } from '#server/care/ledger-replay.ts';
import type { CalendarFeed } from '#wire/calendar-links.ts';
import { startCalendarServer, type CalendarServer } from '../calendar-server.ts';
import { Household } from '../sealing/server-world.ts';
import { Person, shareWithBen } from '../sharing.ts';
import { createTestServer, type TestServer } from './harness.ts';

const ALL = { hasBlocks: true, hasDue: true, hasNames: true, hasDone: false };
const PATH = '/app/api/calendar_feed';

type Called = Pick<Person, 'cookie' | 'server'>;

async function choose({ server, cookie }: Called, choice: object = ALL): Promise<CalendarFeed> {
  const answer = await server.ask(PATH, { method: 'POST', cookie, body: choice });
  assert.equal(answer.status, 200);
  return (await answer.json()) as CalendarFeed;
}

const addressOf = ({ feed }: CalendarFeed): string => `/calendar/${feed?.token ?? ''}.ics`;

async function titles(server: TestServer, address: string): Promise<readonly string[]> {
  const answer = await server.ask(address);
  assert.equal(answer.status, 200);
  const now = server.clock.now();
  const read = readCalendar(await answer.text(), {
    from: now - 100 * DAY_MS,
    to: now + 400 * DAY_MS,
    zone: 'UTC',
  });
  assert.ok(read.ok);
  return read.value.events.map(({ title }) => title);
}

async function plan(person: Person, task: Id, days = 1): Promise<void> {
  const scope = person.personalScope as Id;
  const now = person.server.clock.now();
  const start = now - (now % DAY_MS) + days * DAY_MS + 9 * 3_600_000;
  const fields = { of: task, [`block:${crypto.randomUUID()}`]: { start, minutes: 45, occ: 0 } };
  await person.act({ a: 'create', type: 'mine', id: mineId(scope, task), fields });
}

const set = (id: Id, field: string, value: unknown) => ({ a: 'set', id, field, value });

describe('a plan at a secret address', () => {
  let far: CalendarServer;
  let server: TestServer;
  before(async () => {
    far = await startCalendarServer();
    server = await createTestServer({
      environment: { CALENDAR_NETWORKS: '127.0.0.1/32' },
      pushCa: far.ca,
    });
  });
  after(async () => {
    await server.close();
    await far.close();
  });

  test('[CAL-64] an address shows blocks and due tasks, without what is trashed or archived; a browser, a proxy and a search engine keep nothing', async () => {
    const ann = await Person.come(server, 'ann@example.org');
    const list = await ann.list('Work');
    const [report, call, gone] = [
      await ann.task('Report', list),
      await ann.task('Call', list),
      await ann.task('Gone', list),
    ];
    const old = await ann.list('Old');
    const archived = await ann.task('Archived', old);
    await plan(ann, report);
    await plan(ann, gone, 2);
    for (const id of [call, gone, archived]) await ann.act(set(id, 'due', { on: '2026-11-30' }));
    await ann.act(set(old, 'archivedAt', 1), { a: 'delete', id: gone });
    const none = (await (await server.ask(PATH, { cookie: ann.cookie })).json()) as CalendarFeed;
    assert.deepEqual([none.feed, none.isEncrypted], [null, false]);
    const address = addressOf(await choose(ann));
    assert.match(address, /^\/calendar\/[\w-]{43}\.ics$/);
    assert.deepEqual(await titles(server, address), ['Report', 'Due: Call']);
    const answer = await server.ask(address);
    assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
    assert.match(answer.headers.get('cache-control') ?? '', /private/);
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.match(answer.headers.get('x-robots-tag') ?? '', /noindex/);
    const head = await server.ask(address, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    const token = address.slice(10, 53);
    assert.ok(!server.logged.join('\n').includes(token));
    const row = await server.database.db.selectFrom('calendar_feed').selectAll().executeTakeFirstOrThrow();
    assert.ok(
      !JSON.stringify(Object.values(row).map((each) => Buffer.from(String(each)).toString())).includes(token),
    );
  });

  test('[CAL-62] the choice counts from the next request on, and one of nothing is refused', async () => {
    const ann = await Person.come(server, 'choice@example.org');
    const task = await ann.task('Report', await ann.list('Work'));
    await plan(ann, task);
    await ann.act(set(task, 'due', { on: '2026-11-30' }));
    const first = await choose(ann);
    const address = addressOf(first);
    assert.equal(addressOf(await choose(ann, { ...ALL, hasBlocks: false })), address);
    assert.deepEqual(await titles(server, address), ['Report']);
    await choose(ann, { ...ALL, hasNames: false });
    assert.deepEqual(await titles(server, address), ['Busy', 'Busy']);
    for (const body of [{ ...ALL, hasBlocks: false, hasDue: false }, { ...ALL, hasDue: 'yes' }, {}])
      assert.equal((await server.ask(PATH, { method: 'POST', cookie: ann.cookie, body })).status, 422);
    assert.deepEqual(await titles(server, address), ['Busy', 'Busy']);
  });

  test('[CAL-115] the zone of the device is said, for programs that take a time without one for UTC', async () => {
    const ida = await Person.come(server, 'zone@example.org');
    await plan(ida, await ida.task('Report', await ida.list('Work')));
    const lines = async (made: CalendarFeed) =>
      (await (await server.ask(addressOf(made))).text()).split('\r\n');
    const plain = await lines(await choose(ida));
    assert.ok(!plain.some((line) => line.startsWith('X-WR-TIMEZONE')));
    const made = await choose(ida, { ...ALL, zone: 'Asia/Kolkata' });
    assert.ok((await lines(made)).includes('X-WR-TIMEZONE:Asia/Kolkata'));
    // The block itself stays on the clock on the wall.
    assert.ok((await lines(made)).some((line) => /^DTSTART:\d{8}T090000$/.test(line)));
    const bad = await server.ask(PATH, {
      method: 'POST',
      cookie: ida.cookie,
      body: { ...ALL, zone: 'Nowhere/Land' },
    });
    assert.deepEqual([bad.status, ((await bad.json()) as { field?: string }).field], [422, 'zone']);
    const renewed = await server.ask(`${PATH}/new`, { method: 'POST', cookie: ida.cookie });
    assert.ok((await lines((await renewed.json()) as CalendarFeed)).includes('X-WR-TIMEZONE:Asia/Kolkata'));
  });

  test('[CAL-65] while nothing changed the answer is 304, and no task is read', async () => {
    const ann = await Person.come(server, 'same@example.org');
    const task = await ann.task('Report', await ann.list('Work'));
    await plan(ann, task);
    const address = addressOf(await choose(ann));
    const first = await server.ask(address);
    const etag = first.headers.get('etag') ?? '';
    const again = () => server.ask(address, { headers: { 'if-none-match': `W/${etag}, "x"` } });
    assert.match(await first.text(), /SUMMARY:Report/);
    // What can't be read shows that nothing was.
    const { db } = server.database;
    const kept = await db.selectFrom('entity').selectAll().where('id', '=', task).executeTakeFirstOrThrow();
    await db.updateTable('entity').set({ fields: '"due":{ "block:' }).where('id', '=', task).execute();
    assert.equal((await server.ask(address)).status, 500);
    const same = await again();
    await db.updateTable('entity').set({ fields: kept.fields }).where('id', '=', task).execute();
    assert.deepEqual([same.status, await same.text(), same.headers.get('etag')], [304, '', etag]);
    await ann.act(set(task, 'title', 'Report, again'));
    const changed = await again();
    assert.equal(changed.status, 200);
    assert.match(await changed.text(), /SUMMARY:Report\\, again/);
    const newer = changed.headers.get('etag') ?? '';
    await choose(ann, { ...ALL, hasNames: false });
    const busy = await server.ask(address, { headers: { 'if-none-match': newer } });
    assert.equal(busy.status, 200);
    server.clock.pass(100 * DAY_MS);
    assert.ok(!(await (await server.ask(address)).text()).includes('VEVENT'));
  });

  test('[CAL-66] a new address ends the old one at once, and a removed one ends too, also after a restore', async () => {
    const ann = await Person.come(server, 'ends@example.org');
    const missing = async (address: string) => {
      const answer = await server.ask(address);
      const { message } = (await answer.json()) as { readonly message: string };
      return [answer.status, message];
    };
    const nowhere = await missing(`/calendar/${'x'.repeat(43)}.ics`);
    assert.equal(nowhere[0], 404);
    assert.deepEqual(await missing('/calendar/short.ics'), nowhere);
    assert.equal((await server.ask(`${PATH}/new`, { method: 'POST', cookie: ann.cookie })).status, 404);
    const old = addressOf(await choose(ann, { ...ALL, hasNames: false }));
    const before_ = await server.database.db
      .selectFrom('calendar_feed')
      .selectAll()
      .where('account', '=', ann.account)
      .executeTakeFirstOrThrow();
    const renewed = (await (
      await server.ask(`${PATH}/new`, { method: 'POST', cookie: ann.cookie })
    ).json()) as CalendarFeed;
    assert.notEqual(addressOf(renewed), old);
    assert.equal(renewed.feed?.choice.hasNames, false);
    assert.deepEqual(await missing(old), nowhere);
    assert.deepEqual(await titles(server, addressOf(renewed)), []);
    // An older database comes back.
    await server.database.db
      .updateTable('calendar_feed')
      .set(before_)
      .where('account', '=', ann.account)
      .execute();
    assert.deepEqual(await titles(server, old), []);
    await replayLedger(server.database, server.ledger, server.clock.now());
    assert.deepEqual(await missing(old), nowhere);
    const last = addressOf(await choose(ann));
    const ended = await server.ask(PATH, { method: 'DELETE', cookie: ann.cookie });
    assert.equal(((await ended.json()) as CalendarFeed).feed, null);
    assert.deepEqual(await missing(last), nowhere);
  });

  test('[CAL-66] the address of an account that is turned off shows nothing', async () => {
    const ann = await Person.come(server, 'off@example.org');
    const address = addressOf(await choose(ann));
    await server.database.db
      .updateTable('account')
      .set({ disabled_at: 1 })
      .where('id', '=', ann.account)
      .execute();
    assert.equal((await server.ask(address)).status, 404);
  });

  test('[CAL-67] tasks of shared lists are in it as long as its person belongs to them; blocks are one’s own', async () => {
    const world = await shareWithBen();
    const { ann, ben, tasks, scope } = world;
    await ann.act({ ...set(tasks[0], 'due', { on: '2026-11-30' }), scope });
    await plan(ben, tasks[1]);
    const [anns, bens] = [addressOf(await choose(ann)), addressOf(await choose(ben))];
    assert.deepEqual(await titles(world.server, anns), ['Due: Book a train']);
    assert.deepEqual((await titles(world.server, bens)).toSorted(), ['Due: Book a train', 'Pack']);
    const etag = (await world.server.ask(bens)).headers.get('etag') ?? '';
    const left = await ann.call(`POST sharing/lists/${world.list}/members/${ben.account}/remove`);
    assert.equal(left.status, 200, await left.text());
    const after_ = await world.server.ask(bens, { headers: { 'if-none-match': etag } });
    assert.equal(after_.status, 200);
    assert.ok(!(await after_.text()).includes('VEVENT'));
    await world.server.close();
  });

  test('[CAL-68] an encrypted account gets no address, and one from before shows nothing', async () => {
    const person = await Person.come(server, 'sealed@example.org');
    const address = addressOf(await choose(person));
    assert.equal((await server.ask(address)).status, 200);
    const house = new Household(server, person);
    await house.begin();
    assert.equal((await server.ask(address)).status, 404);
    const told = (await (await server.ask(PATH, { cookie: person.cookie })).json()) as CalendarFeed;
    assert.equal(told.isEncrypted, true);
    const refused = await server.ask(PATH, { method: 'POST', cookie: person.cookie, body: ALL });
    assert.equal(refused.status, 409);
    assert.match(await refused.text(), /Save time blocks as a calendar file/);
  });

  test('[CAL-69] one program asks at most thirty times a minute', async () => {
    const strict = await createTestServer({ environment: { RATE_LIMITS: 'default' } });
    const ann = await Person.come(strict, 'often@example.org');
    const address = addressOf(await choose(ann));
    for (let count = 0; count < 30; count += 1) assert.equal((await strict.ask(address)).status, 200);
    const over = await strict.ask(address);
    assert.equal(over.status, 429);
    assert.ok(Number(over.headers.get('retry-after')) > 0);
    assert.equal((await strict.ask(address, { address: '203.0.113.9' })).status, 200);
    await strict.close();
  });

  test('[CAL-70] an address is a calendar that another account reads', async () => {
    const [ann, bob] = [
      await Person.come(server, 'from@example.org'),
      await Person.come(server, 'to@example.org'),
    ];
    const task = await ann.task('Report', await ann.list('Work'));
    await plan(ann, task, 2);
    const address = addressOf(await choose(ann));
    // The certificate of the server of calendars stands for ours.
    const given = far.at(address, (response, headers) => {
      const tag = headers['if-none-match'];
      void server
        .ask(address, tag === undefined ? {} : { headers: { 'if-none-match': tag } })
        .then(async (answer) =>
          response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text()),
        );
    });
    const add = await server.ask('/app/api/calendars', {
      method: 'POST',
      cookie: bob.cookie,
      body: { address: given },
    });
    assert.equal(add.status, 200, await add.text());
    const window = async () => {
      const now = server.clock.now();
      const path = `/app/api/calendars/window?from=${now}&to=${now + 30 * DAY_MS}`;
      return await (await server.ask(path, { cookie: bob.cookie })).text();
    };
    assert.match(await window(), /"title":"Report"/);
    await ann.act(set(task, 'title', 'Letter'));
    server.clock.pass(16 * 60_000);
    await server.services.calendars.polling.round();
    assert.match(await window(), /"title":"Letter"/);
  });
});
