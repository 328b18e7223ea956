// What calendars of other programs require of a database: times, claims, changes, and that erasing takes them along.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CalendarEvent, ReadCalendar } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import { CalendarSources, type StoredSource } from '#server/calendars/sources.ts';
import type { Database } from '#server/data/database.ts';

const NOW = Date.UTC(2026, 10, 30, 9);
const HOUR = 3_600_000;

const event = (title: string, at: number): CalendarEvent => ({
  uid: title,
  occurrence: null,
  start: { type: 'moment', at },
  end: { type: 'moment', at: at + HOUR },
  title,
  place: '',
  description: '',
  link: null,
  isBusy: true,
  isTentative: false,
});

const reading = (...events: readonly CalendarEvent[]): ReadCalendar => ({
  name: 'Work',
  events,
  unread: 0,
  isCut: false,
});

const source = (account: number): StoredSource => ({
  id: crypto.randomUUID() as Id,
  account,
  kind: 'ics',
  address: new Uint8Array([1, 2, 3]),
  host: 'example.org',
  name: 'Work',
  color: '#7d6b99',
  hidden: 0,
  etag: null,
  last_modified: null,
  problem: null,
  failures: 0,
  last_ok: NOW,
  expanded_at: NOW,
  next_poll: NOW,
  revision: 1,
  created_at: NOW,
  trashed_at: null,
  unread: 0,
  is_cut: 0,
  sync_token: null,
});

export function calendarsContract(engine: string, open: () => Promise<Database>): void {
  describe(`calendars in ${engine}`, () => {
    let database: Database;
    let sources: CalendarSources;
    before(async () => {
      database = await open();
      sources = new CalendarSources(database.db);
    });
    after(() => database.close());

    const titles = async (account: number, from: number, to: number) =>
      (await sources.window(account, from, to)).flatMap(({ events }) => events.map(({ title }) => title));

    test('[CAL-8] events become those of the file, by start', async () => {
      const one = source(1);
      const many = Array.from({ length: 250 }, (_, at) => event(`Event ${at}`, NOW + at * HOUR));
      await sources.insert(one, reading(...many, many[0] as CalendarEvent));
      assert.equal((await titles(1, NOW, NOW + 300 * HOUR)).length, 250);
      assert.equal(await sources.finish(one, { last_ok: NOW }, reading(...many)), false);
      const mark = await sources.windowMark(1);
      assert.equal(await sources.finish(one, { last_ok: NOW }, reading(event('Only', NOW))), true);
      assert.notEqual(await sources.windowMark(1), mark);
      assert.deepEqual(await titles(1, NOW, NOW + HOUR), ['Only']);
      // More than a day before it.
      assert.deepEqual(await titles(1, NOW - 100 * HOUR, NOW - 50 * HOUR), []);
    });

    test('[CAL-10] only one of those who ask gets a calendar', async () => {
      const one = source(2);
      await sources.insert(one, reading());
      const claims = await Promise.all([1, 2, 3].map(() => sources.claim(one, NOW + HOUR)));
      assert.deepEqual(claims.filter(Boolean).length, 1);
      assert.ok((await sources.due(NOW, 10)).every(({ id }) => id !== one.id));
    });

    test('[CAL-30] of several that are added at once only as many are kept as there is room for', async () => {
      for (let count = 0; count < 19; count += 1)
        assert.equal(await sources.insert(source(4), reading()), true);
      const added = await Promise.all(
        [1, 2, 3].map(() => sources.insert(source(4), reading(event('New', NOW)))),
      );
      assert.equal(added.filter(Boolean).length, 1);
      assert.equal((await sources.list(4)).length, 20);
      assert.deepEqual(await titles(4, NOW, NOW + HOUR), ['New']);
    });

    test('[CAL-11] what was removed while it was read stays removed', async () => {
      const one = source(3);
      await sources.insert(one, reading(event('Gone', NOW)));
      await sources.remove(3, one.id, NOW);
      await sources.purge(NOW + 7 * 24 * HOUR);
      assert.equal(await sources.finish(one, { last_ok: NOW }, reading(event('Late', NOW))), false);
      assert.deepEqual(await sources.list(3), []);
      const left = await database.db
        .selectFrom('calendar_event')
        .selectAll()
        .where('account', '=', 3)
        .execute();
      assert.deepEqual(left, []);
    });
  });
}
