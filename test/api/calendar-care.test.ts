// What becomes of calendars besides being read: tried again at once, removed and brought back, read in part, and told to devices.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BusMessage } from '#server/live/bus.ts';
import { calendarFile, startCalendarServer, type CalendarServer } from '../calendar-server.ts';
import { calendarWorld, DAY, MINUTE, type CalendarWorld } from './calendar-world.ts';

const standup = { uid: 'a', title: 'Stand-up', start: '20261121T090000Z', end: '20261121T091500Z' };
const retreat = { uid: 'b', title: 'Retreat', start: '20261123', end: '20261125' };

describe('care of calendars', () => {
  let far: CalendarServer;
  let world: CalendarWorld;
  before(async () => {
    far = await startCalendarServer();
    world = await calendarWorld(far.ca, { fileBytes: 2_000_000 });
  });
  after(async () => {
    await world.server.close();
    await far.close();
  });

  /** What devices are told while `work` is done, by account. */
  async function told(work: () => Promise<unknown>): Promise<readonly number[]> {
    const heard: BusMessage[] = [];
    const stop = world.server.bus.subscribe((message) => void heard.push(message));
    await work();
    stop();
    return heard.flatMap((message) => (message.type === 'calendars' ? [message.account] : []));
  }

  test('[CAL-31] a calendar that can’t be read is tried at once when somebody asks for it', async () => {
    const { cookie } = await world.server.signUp('again@example.org');
    const stranger = await world.server.signUp('stranger@example.org');
    const address = far.file('/again.ics', calendarFile([standup]));
    const { body } = await world.add(cookie, address);
    far.at('/again.ics', (response) => response.writeHead(500).end());
    for (const wait of [16, 31, 61]) await world.poll(wait);
    const [wrong] = await world.list(cookie);
    assert.match(wrong?.problem ?? '', /busy/);
    far.file('/again.ics', calendarFile([standup, retreat]));
    assert.equal((await world.ask(stranger.cookie, 'POST', `/${body.made}/read`)).status, 404);
    const again = await world.ask(cookie, 'POST', `/${body.made}/read`);
    assert.equal(again.status, 200);
    assert.equal(again.body.calendars[0]?.problem, null);
    assert.deepEqual(await world.titles(cookie), ['Stand-up', 'Retreat']);
    assert.equal(again.body.calendars[0]?.nextAt, world.server.clock.now() + 15 * MINUTE);
  });

  test('[CAL-32] a removed calendar is asked no more, and comes back with its events for a week', async () => {
    const { cookie, account } = await world.server.signUp('back@example.org');
    const { body } = await world.add(cookie, far.file('/back.ics', calendarFile([standup])));
    const path = `/${body.made}`;
    const removed = await world.ask(cookie, 'DELETE', path);
    assert.deepEqual(removed.body.calendars, []);
    assert.deepEqual(removed.body.removed, [
      { id: body.made, name: 'Work', at: Math.round(world.server.clock.now()) },
    ]);
    assert.deepEqual(await world.titles(cookie), []);
    const asked = far.asked.filter((each) => each === '/back.ics').length;
    await world.poll(6 * 24 * 60);
    assert.equal(far.asked.filter((each) => each === '/back.ics').length, asked);
    for (const [method, rest] of [
      ['POST', ''],
      ['POST', '/read'],
      ['DELETE', ''],
    ] as const)
      assert.equal(
        (await world.ask(cookie, method, path + rest, method === 'POST' ? {} : undefined)).status,
        404,
      );
    const stranger = await world.server.signUp('thief@example.org');
    assert.equal((await world.ask(stranger.cookie, 'POST', `${path}/restore`)).status, 404);
    far.file('/back.ics', calendarFile([standup, retreat]));
    const back = await world.ask(cookie, 'POST', `${path}/restore`);
    assert.deepEqual([back.status, back.body.calendars.length, back.body.removed], [200, 1, undefined]);
    assert.deepEqual(await world.titles(cookie), ['Stand-up', 'Retreat']);
    // Twice is once.
    assert.equal((await world.ask(cookie, 'POST', `${path}/restore`)).status, 200);
    await world.ask(cookie, 'DELETE', path);
    world.server.clock.pass(7 * DAY);
    await world.server.services.calendars.polling.round();
    assert.equal((await world.ask(cookie, 'POST', `${path}/restore`)).status, 404);
    const { db } = world.server.database;
    for (const table of ['calendar_source', 'calendar_event'] as const)
      assert.deepEqual(
        await db.selectFrom(table).select('account').where('account', '=', account).execute(),
        [],
      );
  });

  test('[CAL-32] it takes its room again, and of many removed ones only the last five wait', async () => {
    const { cookie, account } = await world.server.signUp('room@example.org');
    const address = far.file('/room.ics', calendarFile([]));
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const { body } = await world.add(cookie, address);
      ids.push(body.made ?? '');
      world.server.clock.pass(1_000);
      await world.ask(cookie, 'DELETE', `/${body.made}`);
    }
    const { body } = await world.ask(cookie, 'GET', '');
    assert.deepEqual(
      body.removed?.map(({ id }) => id),
      ids.slice(2).toReversed(),
    );
    const { db } = world.server.database;
    const rows = await db.selectFrom('calendar_source').select('id').where('account', '=', account).execute();
    assert.equal(rows.length, 5);
    for (let count = 0; count < 20; count += 1)
      await world.add(cookie, far.file(`/room-${count}.ics`, calendarFile([])));
    const full = await world.ask(cookie, 'POST', `/${ids.at(-1)}/restore`);
    assert.deepEqual([full.status, full.body.code], [413, 'quota_reached']);
  });

  test('[CAL-33] what was not read and what was cut is said', async () => {
    const { cookie } = await world.server.signUp('part@example.org');
    const broken = { uid: 'x', title: 'Broken', start: 'NEVER', end: '20261121T100000Z' };
    const { body } = await world.add(cookie, far.file('/part.ics', calendarFile([standup, broken])));
    assert.deepEqual([body.calendars[0]?.unread, body.calendars[0]?.isCut], [1, undefined]);
    const endless = { ...standup, more: ['RRULE:FREQ=HOURLY'] };
    far.file('/part.ics', calendarFile([endless]));
    await world.poll();
    const [cut] = await world.list(cookie);
    assert.deepEqual([cut?.unread, cut?.isCut], [undefined, true]);
    far.file('/part.ics', calendarFile([standup]));
    await world.poll();
    const [whole] = await world.list(cookie);
    assert.deepEqual([whole?.unread, whole?.isCut], [undefined, undefined]);
  });

  test('[CAL-34] devices hear of what changed, and of nothing else', async () => {
    const { cookie, account } = await world.server.signUp('news@example.org');
    const address = far.file('/news.ics', calendarFile([standup]), '"1"');
    let id = '';
    const adding = async () => {
      id = (await world.add(cookie, address)).body.made ?? '';
    };
    assert.deepEqual(await told(adding), [account]);
    const own = async (work: () => Promise<unknown>) => (await told(work)).filter((each) => each === account);
    assert.deepEqual(await own(() => world.poll()), []);
    far.file('/news.ics', calendarFile([retreat]), '"2"');
    assert.deepEqual(await own(() => world.poll()), [account]);
    far.at('/news.ics', (response) => response.writeHead(404).end());
    assert.deepEqual(await own(() => world.poll()), [account]);
    assert.deepEqual(await own(() => world.poll(60)), []);
    far.file('/news.ics', calendarFile([retreat]), '"2"');
    assert.deepEqual(await own(() => world.poll(120)), [account]);
    assert.deepEqual(await own(() => world.ask(cookie, 'POST', `/${id}`, { isHidden: true })), [account]);
    assert.deepEqual(await own(() => world.ask(cookie, 'DELETE', `/${id}`)), [account]);
    assert.deepEqual(await own(() => world.ask(cookie, 'POST', `/${id}/restore`)), [account]);
  });
});
