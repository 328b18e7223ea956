// Calendars at the command line: events of days, and time that is planned, moved and removed in the words of the app.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { CalendarEvent, EventTime } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import type { Block } from '#wire/api/client.ts';
import type { Desk } from './desk.ts';
import { commandsInEachAccount } from './each-account-contract.ts';

/** The clock of the desk stands on Friday, 20 November 2026, in Paris. */
const at = (text: string): EventTime => ({ type: 'moment', at: Date.parse(text) });

const event = (title: string, start: EventTime, end: EventTime): CalendarEvent => ({
  uid: title,
  occurrence: null,
  start,
  end,
  title,
  place: title === 'Stand-up' ? 'Room 4' : '',
  description: '',
  link: null,
  isBusy: true,
  isTentative: false,
});

/** A calendar of the desk’s account, as if it had been read. */
async function keep(
  { user }: Desk,
  more: { readonly problem?: string; readonly events: readonly CalendarEvent[] },
) {
  const now = Math.round(user.server.clock.now());
  const source = {
    id: randomUUID() as Id,
    account: user.account,
    kind: 'ics',
    address: Buffer.alloc(0),
    host: 'calendar.example',
    name: more.problem === undefined ? 'Work' : 'Home',
    color: '#3366ff',
    hidden: 0,
    etag: null,
    last_modified: null,
    problem: more.problem ?? null,
    failures: 0,
    last_ok: now,
    expanded_at: now,
    next_poll: now + 900_000,
    revision: 1,
    created_at: now,
    trashed_at: null,
    unread: 0,
    is_cut: 0,
    sync_token: null,
  } as const;
  const read = { name: 'Work', events: more.events, unread: 0, isCut: false };
  assert.equal(await user.server.services.calendars.sources.insert(source, read), true);
}

commandsInEachAccount('calendars', ({ open }) => {
  let desk: Desk;
  before(async () => {
    desk = await open();
  });
  after(() => desk.close());

  const lines = (text: string) => text.split('\n').map((line) => line.replace(/^[0-9a-f]{6} {2}/, ''));
  const seenTask = async (title: string, more: object = {}) => {
    const { id } = await desk.user.task({ title, ...more });
    await desk.good('list');
    return id;
  };

  test('[CAL-92] events are shown by day: what takes the whole day first, then by time', async () => {
    assert.equal(await desk.good('events'), 'No calendars. Add one in the app: “Calendars…”.');
    await keep(desk, {
      events: [
        event('Stand-up', at('2026-11-23T08:00:00Z'), at('2026-11-23T08:15:00Z')),
        event('Retreat', { type: 'day', day: '2026-11-23' }, { type: 'day', day: '2026-11-25' }),
        event('Night', at('2026-11-21T22:30:00Z'), at('2026-11-22T01:00:00Z')),
        event(
          'Tea',
          { type: 'floating', local: '2026-11-20T16:00' },
          { type: 'floating', local: '2026-11-20T16:00' },
        ),
        event('Much later', at('2026-12-23T08:00:00Z'), at('2026-12-23T08:15:00Z')),
        event('Ghost\u001b[2J', at('2026-12-24T08:00:00Z'), at('2026-12-24T08:15:00Z')),
      ],
    });
    assert.deepEqual((await desk.good('events')).split('\n'), [
      'today',
      '  16:00  Tea  Work',
      'tomorrow',
      '  23:30–Sun 22 Nov, 02:00  Night  Work',
      'Mon 23 Nov',
      '  all day until Tue 24 Nov  Retreat  Work',
      '  09:00–09:15               Stand-up  Work · Room 4',
    ]);
    const titles = async (...words: string[]) =>
      (await desk.json<{ events: readonly { title: string }[] }>('events', ...words)).events.map(
        ({ title }) => title,
      );
    assert.deepEqual(await titles('today'), ['Tea']);
    assert.deepEqual(await titles('tomorrow'), ['Night']);
    assert.deepEqual(await titles('sun', 'mon'), ['Night', 'Retreat', 'Stand-up']);
    assert.deepEqual(await titles('next', 'week'), ['Retreat', 'Stand-up']);
    assert.deepEqual(await titles('23', 'dec', '24', 'dec'), ['Much later', 'Ghost\u001b[2J']);
    assert.equal(await desk.good('events', '2027-01-05'), 'No events.');
    assert.ok(!(await desk.good('events', '24 dec')).includes('\u001b'));
    const [whenever, back] = [
      await desk.run('events', 'whenever'),
      await desk.run('events', 'mon', '22 nov'),
    ];
    assert.deepEqual([whenever.code, back.code], [2, 2]);
    assert.match(whenever.err, /“whenever” isn't a day/);
    assert.match(back.err, /“22 nov” is before 2026-11-23/);
  });

  test('[CAL-92] a calendar that can’t be read is named beside what there is', async () => {
    await keep(desk, { problem: 'gone', events: [] });
    const { code, err } = await desk.run('events', 'today');
    assert.equal(code, 0);
    assert.match(err, /^Home: /);
  });

  test('[CAL-93] time is planned, listed, moved and removed in the words of the app', async () => {
    const task = await seenTask('Report', { duration_minutes: 20 });
    const end = task.slice(-6);
    assert.deepEqual(lines(await desk.good('blocks', end)), ['No time is planned.']);
    assert.match(
      await desk.good('block', end, 'tomorrow', '9-10:30'),
      /^Planned tomorrow, 09:00 for 1 h 30 min\. {2}[0-9a-f]{6}$/,
    );
    assert.match(await desk.good('block', end, 'tomorrow 14:00'), /^Planned tomorrow, 14:00 for 20 min\./);
    const { block } = await desk.json<{ block: Block }>('block', end, 'mon', '16:00', '45m');
    assert.deepEqual(
      [block.local_start, block.duration_minutes, block.time_zone],
      ['2026-11-23T16:00', 45, null],
    );
    const moved = await desk.good('block', end, 'tue', '8:00', '--move', block.id.slice(-6));
    assert.match(moved, /^Moved to Tue 24 Nov, 08:00 for 45 min\./);
    assert.deepEqual(lines(await desk.good('blocks', end)), [
      'tomorrow, 09:00 for 1 h 30 min',
      'tomorrow, 14:00 for 20 min',
      'Tue 24 Nov, 08:00 for 45 min',
    ]);
    assert.equal(await desk.good('block', end, '--remove', block.id.slice(-6)), 'Removed the planned time.');
    assert.equal((await desk.run('block', end, '--remove', block.id)).code, 4);
    await desk.user.change(task, { is_complete: true });
    assert.deepEqual(lines(await desk.good('blocks', end)), [
      'tomorrow, 09:00 for 1 h 30 min  done',
      'tomorrow, 14:00 for 20 min  done',
    ]);
    const late = await desk.run('block', end, 'tomorrow 18:00');
    assert.deepEqual([late.code, /Reopen it/.test(late.err)], [5, true]);
    assert.equal(await desk.good('block', end, 'none'), 'Removed all planned time.');
    assert.equal(await desk.good('block', end, 'none'), 'No time was planned.');
    assert.deepEqual(lines(await desk.good('blocks', end)), ['No time is planned.']);
  });

  test('[CAL-93] what is no time is refused with an example', async () => {
    const end = (await seenTask('Call')).slice(-6);
    const day = await desk.run('block', end, 'tomorrow');
    assert.deepEqual([day.code, /Add a time/.test(day.err)], [2, true]);
    const wrong = await desk.run('block', end, 'whenever');
    assert.deepEqual([wrong.code, /Try “today 14:00 45m”/.test(wrong.err)], [2, true]);
    const unseen = await desk.run('block', end, 'mon 9:00', '--move', 'abcdef');
    assert.deepEqual([unseen.code, /posthaste blocks/.test(unseen.err)], [4, true]);
    for (const words of [
      ['block'],
      ['block', end],
      ['blocks'],
      ['block', end, 'mon 9:00', '--remove', 'abcdef'],
    ])
      assert.equal((await desk.run(...words)).code, 2, words.join(' '));
    assert.equal((await desk.run('blocks', randomUUID())).code, 4);
  });
});
