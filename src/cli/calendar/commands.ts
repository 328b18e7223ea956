// Commands about calendars: the events of some days, and the time that is planned for a task.
import { sayDuration } from '#core/dates/duration-words.ts';
import { english } from '#core/dates/vocabulary.ts';
import type { Block, Event } from '#wire/api/client.ts';
import type { Call, Command } from '../command.ts';
import { Failure, wrongUse } from '../failure.ts';
import { type Dates, datesFor, plainLine } from '../printing.ts';
import { shortId } from '../seen.ts';
import {
  type Agenda,
  blocksOf,
  type Days,
  daysIn,
  eventsOn,
  moveTime,
  type PlanningHands,
  planTime,
  removeTime,
} from './planning.ts';

function handsOf({ session, world }: Call): PlanningHands {
  return {
    ask: session.askPatiently.bind(session),
    newId: () => world.newId(),
    saying: () => ({ at: world.now(), zone: world.zone, locale: world.locale }),
  };
}

/** The day that an event stands under, and when it is on that day. */
interface Shown {
  readonly day: string;
  readonly clock: string;
  readonly event: Event;
}

function shownOf(event: Event, { from }: Days, dates: Dates): Shown {
  const { zone } = dates.context;
  const { starts_at: starts, ends_at: ends, timeless_starts_at: first, timeless_ends_at: last } = event;
  if (starts === null || ends === null) {
    const day = first === null || first < from ? from : first;
    const until = last === null || last <= day ? '' : ` until ${dates.show({ on: last }).text}`;
    return { day, clock: `all day${until}`, event };
  }
  const [start, end] = [starts, ends].map((at) => dates.show({ at: Date.parse(at), zone }));
  const [begun, over] = [start?.day ?? from, end?.day ?? from];
  const until = over === begun ? (end?.time ?? '') : (end?.text ?? '');
  const clock = starts === ends ? (start?.time ?? '') : `${start?.time ?? ''}–${until}`;
  // One that goes on from before is under the first day that is shown.
  return begun < from ? { day: from, clock: `until ${until}`, event } : { day: begun, clock, event };
}

function agendaText({ events: found, calendars }: Agenda, days: Days, dates: Dates): string {
  const names = new Map(calendars.map(({ id, name }) => [id, plainLine(name)]));
  const byDay = Map.groupBy(
    found.map((event) => shownOf(event, days, dates)),
    ({ day }) => day,
  );
  const parts = [...byDay]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, shown]) => {
      const width = Math.max(...shown.map(({ clock }) => clock.length));
      const whole = shown.filter(({ event }) => event.is_all_day);
      const timed = shown.filter(({ event }) => !event.is_all_day);
      const lines = [...whole, ...timed].map(({ clock, event }) => {
        const details = [names.get(event.calendar_id) ?? '', plainLine(event.location)].filter(Boolean);
        return `  ${clock.padEnd(width)}  ${plainLine(event.title) || 'Untitled'}  ${details.join(' · ')}`.trimEnd();
      });
      return [dates.show({ on: day }).text, ...lines].join('\n');
    });
  return parts.join('\n');
}

const events: Command = {
  name: 'events',
  usage: '[from] [to]',
  summary: 'Show the events of your calendars: a week from today on, or the days you name.',
  details: [
    'Days are words, as everywhere: today, next week, mon fri, “1 dec” “5 dec”. Calendars are added in the app, with “Calendars…”.',
  ],
  options: [],
  async run(call) {
    const hands = handsOf(call);
    const days = daysIn(call.words, hands.saying());
    const agenda = await eventsOn(days, hands);
    for (const { name, problem } of agenda.calendars)
      if (problem !== null) call.world.warn(`${plainLine(name)}: ${plainLine(problem)}`);
    const none =
      agenda.calendars.length === 0 ? 'No calendars. Add one in the app: “Calendars…”.' : 'No events.';
    call.show({ success: true, ...agenda }, agendaText(agenda, days, datesFor(call.world)) || none);
  },
};

/** "tomorrow, 09:00 for 1 h 30 min" */
function sayBlock(
  { local_start: local, time_zone: zone, duration_minutes: minutes }: Block,
  dates: Dates,
): string {
  const when =
    zone === null
      ? { local }
      : {
          at: Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds,
          zone: dates.context.zone,
        };
  return `${dates.show(when).text} for ${sayDuration(minutes)}`;
}

function blockLine(block: Block, dates: Dates): string {
  return `${shortId(block.id)}  ${sayBlock(block, dates)}${block.is_done ? '  done' : ''}`;
}

const blocks: Command = {
  name: 'blocks',
  usage: '<task>',
  summary: 'Show the time that you planned for a task, earliest first.',
  options: [],
  sendsOutbox: true,
  async run(call) {
    const [text, ...more] = call.words;
    if (text === undefined || more.length > 0) throw wrongUse('Which task? Type the end of its id.');
    const found = await blocksOf(call.seen.task(text), handsOf(call));
    call.seen.add(found);
    const dates = datesFor(call.world);
    const lines = found.map((each) => blockLine(each, dates));
    call.show({ success: true, blocks: found }, lines.join('\n') || 'No time is planned.');
  },
};

function blockNamed(call: Call, text: string): string {
  const id = call.seen.find(text);
  if (id !== null) return id;
  throw new Failure('missing', `“${text}” isn't planned time you've seen. See: posthaste blocks <task>`);
}

async function removeAll(call: Call, task: string): Promise<void> {
  const hands = handsOf(call);
  const found = await blocksOf(task, hands);
  for (const { id } of found) await removeTime({ task, block: id }, hands);
  const said = found.length === 0 ? 'No time was planned.' : 'Removed all planned time.';
  call.show({ success: true, removed: found.map(({ id }) => id) }, said);
}

const block: Command = {
  name: 'block',
  usage: '<task> <when…> | none',
  summary: 'Plan time for a task: today 14:00 45m, tomorrow 9-10:30.',
  details: [
    'Without a length it takes what the task takes, or 30 minutes. “none” removes all planned time. To move or remove one of several,',
    'name it by the end of its id, as `posthaste blocks` shows it.',
  ],
  options: [
    { name: 'move', value: 'block', summary: 'move this planned time, instead of planning more' },
    { name: 'remove', value: 'block', summary: 'remove this planned time' },
  ],
  sendsOutbox: true,
  async run(call) {
    const [text, ...rest] = call.words;
    if (text === undefined) throw wrongUse('Which task? Type the end of its id, and then when.');
    const task = call.seen.task(text);
    const [removed, moved] = [call.option('remove'), call.option('move')];
    const words = rest.join(' ');
    const hands = handsOf(call);
    if (removed !== undefined) {
      if (moved !== undefined || words !== '') throw wrongUse('--remove takes the task alone.');
      const id = blockNamed(call, removed);
      await removeTime({ task, block: id }, hands);
      call.show({ success: true, removed: [id] }, 'Removed the planned time.');
      return;
    }
    if (words === '') throw wrongUse('When? Try “today 14:00 45m” or “tomorrow 9-10:30”.');
    if (moved === undefined && english.none.includes(words.toLowerCase())) {
      await removeAll(call, task);
      return;
    }
    const made =
      moved === undefined
        ? await planTime(task, words, hands)
        : await moveTime({ task, block: blockNamed(call, moved) }, words, hands);
    call.seen.add([made]);
    const said = `${moved === undefined ? 'Planned' : 'Moved to'} ${sayBlock(made, datesFor(call.world))}.`;
    call.show({ success: true, block: made }, `${said}  ${shortId(made.id)}`);
  },
};

/** The commands events, blocks and block. */
export const calendarCommands: readonly Command[] = [events, blocks, block];
