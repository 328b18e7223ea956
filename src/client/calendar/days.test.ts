// Events by day: whole days, midnight, zones and times of wherever one is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CalendarEvent, EventTime } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { daysOf } from './days.ts';
import { EventBook } from './things.ts';

const event = (title: string, start: EventTime, end: EventTime): CalendarEvent => ({
  uid: title,
  occurrence: null,
  start,
  end,
  title,
  place: '',
  description: '',
  link: null,
  isBusy: true,
  isTentative: false,
});

const day = (of: string): EventTime => ({ type: 'day', day: of });
const local = (of: string): EventTime => ({ type: 'floating', local: of });
const moment = (of: string): EventTime => ({ type: 'moment', at: Date.parse(of) });

function shown(zone: string, ...events: readonly CalendarEvent[]): readonly string[] {
  const id = '00000000-0000-7000-8000-000000000001' as Id;
  const first = Date.parse('2026-11-30');
  const book = new EventBook([{ id, events: [...events] }]);
  const days = daysOf(book.between(first, first + 3 * DAY_MS, zone), { first, count: 3 });
  return days.flatMap((each) =>
    each.things.map(({ thing, from, to }) => `${each.day.slice(8)} ${thing.event.title} ${from} ${to}`),
  );
}

describe('days of the agenda', () => {
  test('[CAL-13] whole days come first, and end before their last day', () => {
    const retreat = event('Retreat', day('2026-11-30'), day('2026-12-02'));
    const call = event('Call', moment('2026-11-30T09:00Z'), moment('2026-11-30T09:30Z'));
    for (const zone of ['UTC', 'Pacific/Honolulu', 'Pacific/Kiritimati'])
      assert.deepEqual(shown(zone, retreat), ['30 Retreat null null', '01 Retreat null null'], zone);
    assert.deepEqual(shown('UTC', call, retreat).slice(0, 2), ['30 Retreat null null', '30 Call 540 570']);
  });

  test('[CAL-13] an event is on the day that it has where one is', () => {
    const late = event('Late', moment('2026-11-30T23:30Z'), moment('2026-12-01T00:30Z'));
    assert.deepEqual(shown('UTC', late), ['30 Late 1410 null', '01 Late 0 30']);
    assert.deepEqual(shown('Europe/Berlin', late), ['01 Late 30 90']);
    const lunch = event('Lunch', local('2026-12-01T12:00'), local('2026-12-01T13:00'));
    for (const zone of ['UTC', 'Asia/Tokyo']) assert.deepEqual(shown(zone, lunch), ['01 Lunch 720 780']);
  });

  test('[CAL-13] until midnight is no event of the next day, and no length is one of its own', () => {
    const evening = event('Evening', moment('2026-11-30T22:00Z'), moment('2026-12-01T00:00Z'));
    assert.deepEqual(shown('UTC', evening), ['30 Evening 1320 1440']);
    const point = event('Point', moment('2026-12-01T00:00Z'), moment('2026-12-01T00:00Z'));
    assert.deepEqual(shown('UTC', point), ['01 Point 0 0']);
  });
});
