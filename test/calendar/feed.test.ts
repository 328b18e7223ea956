// The calendar of a person's own plan, read again: by ical.js alone, with the zones that the file describes, and by our own reader, with those of IANA.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import ICAL from 'ical.js';
import type { Block } from '#core/calendar/blocks.ts';
import { type FeedChoice, type FeedTask, feedLimits, writeFeed } from '#core/calendar/feed.ts';
import { type CalendarEvent } from '#core/calendar/events.ts';
import { readCalendar } from '#core/calendar/read-calendar.ts';
import { blockRegister, wallOf } from '#core/calendar/blocks.ts';
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const ALL: FeedChoice = { hasBlocks: true, hasDue: true, hasNames: true, hasDone: false };
const HOUR = 3_600_000;

const wall = (local: string): number => Date.parse(`${local}:00Z`);
const block = (local: string, minutes: number, more: Partial<Block> = {}): Block => ({
  start: wall(local),
  minutes,
  occ: 0,
  ...more,
});

function task(
  more: Partial<Omit<FeedTask, 'blocks'>> & { readonly blocks?: readonly Block[] } = {},
): FeedTask {
  const { blocks = [], ...rest } = more;
  return {
    id: '00000000-0000-4000-8000-000000000001' as Id,
    title: 'Write',
    due: null,
    duration: null,
    occ: 0,
    isDone: false,
    changedAt: NOW,
    ...rest,
    blocks: blocks.map((each, at) => ({ register: blockRegister(`${rest.id ?? 'a'}b${at}`), block: each })),
  };
}

const written = (tasks: readonly FeedTask[], choice: Partial<FeedChoice> = {}) =>
  writeFeed(tasks, { ...ALL, ...choice }, { name: 'Plan', now: NOW, zone: null });

function events(text: string): readonly CalendarEvent[] {
  const read = readCalendar(text, { from: NOW - 400 * DAY_MS, to: NOW + 400 * DAY_MS, zone: 'UTC' });
  assert.ok(read.ok);
  assert.equal(read.value.unread, 0);
  return read.value.events;
}

/** `2026-11-27T14:00/2026-11-27T14:45 Write` by ical.js, moments in UTC by the zones of the file itself. */
function byIcal(text: string): readonly string[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const zones = new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .map((zone) => [String(zone.getFirstPropertyValue('tzid')), zone]),
  );
  const said = (event: ICAL.Component, name: string): string => {
    const property = event.getFirstProperty(name);
    const time = property?.getFirstValue();
    if (!(time instanceof ICAL.Time)) return '';
    const tzid = property?.getParameter('tzid');
    if (typeof tzid !== 'string') return String(time);
    const description = zones.get(tzid);
    assert.ok(description, `${tzid} is described`);
    time.zone = new ICAL.Timezone(description);
    return new Date(time.toUnixTime() * 1_000).toISOString().slice(0, 19) + 'Z';
  };
  return calendar
    .getAllSubcomponents('vevent')
    .map(
      (event) =>
        `${said(event, 'dtstart')}/${said(event, 'dtend')} ${String(event.getFirstPropertyValue('summary'))}`,
    );
}

describe('a plan as a calendar', () => {
  test('[CAL-60] blocks and due tasks are events; days end before the next one; a due time without a duration takes no time', () => {
    const text = written([
      task({
        due: { on: '2026-11-30' },
        blocks: [block('2026-11-27T14:00', 45), block('2026-11-27T23:30', 60)],
      }),
      task({ id: 'x' as Id, title: 'Call', due: { local: '2026-11-28T09:00' }, duration: 20 }),
      task({ id: 'y' as Id, title: 'Send', due: { at: Date.UTC(2026, 10, 29, 8), zone: 'UTC' } }),
    ]);
    assert.deepEqual(byIcal(text), [
      '2026-11-27T14:00:00/2026-11-27T14:45:00 Write',
      '2026-11-27T23:30:00/2026-11-28T00:30:00 Write',
      '2026-11-28T09:00:00/2026-11-28T09:20:00 Due: Call',
      '2026-11-29T08:00:00Z/ Due: Send',
      '2026-11-30/2026-12-01 Due: Write',
    ]);
    assert.deepEqual(
      events(text).map(({ title, isBusy, start }) => [title, isBusy, start.type]),
      [
        ['Write', true, 'floating'],
        ['Write', true, 'floating'],
        ['Due: Call', true, 'floating'],
        ['Due: Send', false, 'moment'],
        ['Due: Write', false, 'day'],
      ],
    );
  });

  for (const [zone, days] of [
    ['Europe/Berlin', ['2026-10-24', '2026-10-25', '2026-10-26']],
    ['America/New_York', ['2026-10-31', '2026-11-01', '2026-11-02']],
    ['Australia/Lord_Howe', ['2026-10-03', '2026-10-04', '2026-10-05']],
    ['America/St_Johns', ['2026-10-31', '2026-11-01', '2026-11-02']],
    ['Pacific/Auckland', ['2026-09-26', '2026-09-27', '2026-09-28']],
    ['Asia/Kathmandu', ['2026-10-24', '2026-10-25', '2026-10-26']],
  ] as const)
    test(`[CAL-61] in ${zone} each hour around a change of clocks is where it was planned`, () => {
      const starts = days.flatMap((day) =>
        Array.from({ length: 48 }, (_, half) => {
          const time = `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`;
          return `${day}T${time}`;
        }),
      );
      const text = written([task({ blocks: starts.map((start) => block(start, 90, { zone })) })]);
      const expected = starts
        .map((start) => Temporal.PlainDateTime.from(start).toZonedDateTime(zone).epochMilliseconds)
        .toSorted((a, b) => a - b);
      const read = events(text).map(({ start, end }) => {
        assert.ok(start.type === 'moment' && end.type === 'moment');
        assert.equal(end.at - start.at, 1.5 * HOUR);
        return start.at;
      });
      assert.deepEqual(
        read.toSorted((a, b) => a - b),
        expected,
      );
      const alone = byIcal(text).map((line) => {
        const [from = '', to = ''] = line
          .slice(0, line.indexOf(' '))
          .split('/')
          .map((each) => Date.parse(each));
        assert.equal(Number(to) - Number(from), 1.5 * HOUR, line);
        return Number(from);
      });
      assert.deepEqual(
        alone.toSorted((a, b) => a - b),
        expected,
      );
      assert.ok(wallOf(expected[0] ?? 0, zone) > 0);
    });

  test('[CAL-61] a block on the clock on the wall names no zone, whatever happens to the clocks that day', () => {
    const text = written([task({ blocks: [block('2026-10-25T02:30', 60)] })]);
    assert.match(text, /DTSTART:20261025T023000\r\nDTEND:20261025T033000\r\n/);
    assert.ok(!text.includes('VTIMEZONE'));
  });

  test('[CAL-60] lines have at most 75 octets, texts are escaped, and everything comes back', () => {
    const title = `a;b,c\\d\ne ${'ä€🎉'.repeat(40)} END:VEVENT`;
    const text = written([task({ title, blocks: [block('2026-11-27T14:00', 45)] })]);
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.ok(text.endsWith('END:VCALENDAR\r\n'));
    assert.ok(!/[^\r]\n/.test(text));
    assert.equal(events(text)[0]?.title.replaceAll('\n', ' '), title.replaceAll('\n', ' '));
    const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
    assert.equal(calendar.getFirstSubcomponent('vevent')?.getFirstPropertyValue('summary'), title);
    assert.equal(String(calendar.getFirstPropertyValue('refresh-interval')), 'PT15M');
  });

  test('[CAL-60] an event keeps its name when its time and its title change, and the same tasks give the same text', () => {
    const uids = (text: string) => [...text.matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid);
    const before = written([task({ due: { on: '2026-11-30' }, blocks: [block('2026-11-27T14:00', 45)] })]);
    const later = written([
      task({ title: 'Other', due: { on: '2026-11-30' }, blocks: [block('2026-11-28T10:00', 15)] }),
    ]);
    assert.deepEqual(uids(before), uids(later));
    assert.equal(new Set(uids(before)).size, 2);
    assert.equal(
      before,
      written([task({ due: { on: '2026-11-30' }, blocks: [block('2026-11-27T14:00', 45)] })]),
    );
  });

  test('[CAL-62] it has what was chosen: blocks, due tasks or both, names or “Busy”, done ones or not', () => {
    const tasks = [
      task({ due: { on: '2026-11-30' }, blocks: [block('2026-11-27T14:00', 45)] }),
      task({ id: 'z' as Id, title: 'Old', isDone: true, blocks: [block('2026-11-26T14:00', 45)] }),
      task({ id: 'r' as Id, title: 'Again', occ: 3, blocks: [block('2026-11-25T08:00', 15, { occ: 2 })] }),
    ];
    const titles = (choice: Partial<FeedChoice>) => events(written(tasks, choice)).map(({ title }) => title);
    assert.deepEqual(titles({}), ['Write', 'Due: Write']);
    assert.deepEqual(titles({ hasDue: false }), ['Write']);
    assert.deepEqual(titles({ hasBlocks: false }), ['Write']);
    assert.deepEqual(titles({ hasDue: false, hasDone: true }), ['✓ Again', '✓ Old', 'Write']);
    const busy = written(tasks, { hasNames: false, hasDone: true });
    assert.ok(!/Write|Old|Again/.test(busy));
    assert.deepEqual(new Set(events(busy).map(({ title }) => title)), new Set(['Busy']));
  });

  test('[CAL-60] what ended three months ago is left out, and of very many the earliest stay', () => {
    const old = block('2026-08-01T09:00', 30);
    const many = Array.from({ length: feedLimits.events + 5 }, (_, at) => ({
      ...block('2026-11-27T09:00', 15),
      start: wall('2026-11-27T09:00') + at * 900_000,
    }));
    const text = written([task({ blocks: [old, ...many] })]);
    assert.equal(text.match(/BEGIN:VEVENT/g)?.length, feedLimits.events);
    assert.ok(!text.includes('20260801'));
  });

  test('[CAL-60] the last days that there are', () => {
    const text = written([
      task({ due: { on: '9999-12-31' }, blocks: [block('9999-12-31T23:00', 120)] }),
      task({ id: 'f' as Id, due: { on: '2026-12-31' }, isDone: false }),
    ]);
    assert.match(text, /DTSTART;VALUE=DATE:99991231\r\nSUMMARY/);
    assert.ok(!text.includes('+0'));
  });
});
