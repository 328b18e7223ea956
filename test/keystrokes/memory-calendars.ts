// Calendars as a server would have them, in memory: two of them, one with events from November 2026 on.
import { failed, ok } from '#core/result.ts';
import type { CalendarsPort, KeptSource } from '#client/calendar/port.ts';
import type { FeedPort } from '#client/calendar/feed-view.ts';
import type { GooglePort } from '#client/calendar/google-view.ts';
import type { CalendarFeed, GoogleCalendars } from '#wire/calendar-links.ts';
import type { CalendarEvent } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import type { CalendarSource } from '#wire/calendars.ts';

const idOf = (n: number) => `00000000-0000-7000-8000-00000000010${n}` as Id;

const source = (n: number, name: string): CalendarSource => ({
  id: idOf(n),
  name,
  host: 'calendar.example.org',
  color: n === 0 ? '#7d6b99' : '#008a5e',
  isHidden: false,
  problem: null,
  readAt: 0,
  nextAt: 900_000,
  ...(n === 0 ? { hasPassword: true } : {}),
});

/** What a calendar that is added has, and the first from the beginning. */
export const memoryEvents: readonly CalendarEvent[] = [];

/** `isAway`: the server can't be reached. */
export function createMemoryCalendars(
  events: readonly CalendarEvent[] = memoryEvents,
  isAway: () => boolean = () => false,
  listen: CalendarsPort['listen'] = () => () => undefined,
): CalendarsPort {
  let sources: readonly KeptSource[] = [source(0, 'Work'), source(1, 'Home')];
  const away = () => failed('Can’t reach the server. Try again when you’re online.');
  let removed: readonly CalendarSource[] = [source(9, 'Old')];
  const answer = () => (isAway() ? away() : ok({ sources, removed: [...removed] }));
  const all = () => ({
    readAt: 0,
    sources,
    removed: [...removed],
    events: [{ id: idOf(0), events: [...events] }],
  });
  return {
    kept: () => Promise.resolve(all()),
    read: () => Promise.resolve(isAway() ? away() : ok(all())),
    add(address) {
      if (!address.startsWith('https://'))
        return Promise.resolve(failed('That isn’t an address of a calendar.'));
      sources = [...sources, source(sources.length, new URL(address).hostname)];
      return Promise.resolve(answer());
    },
    change(id, { name, color, isHidden }) {
      sources = sources.map((each) =>
        each.id === id
          ? {
              ...each,
              name: name ?? each.name,
              color: color ?? each.color,
              isHidden: isHidden ?? each.isHidden,
            }
          : each,
      );
      return Promise.resolve(answer());
    },
    remove(id) {
      removed = [...sources.filter((each) => each.id === id), ...removed];
      sources = sources.filter((each) => each.id !== id);
      return Promise.resolve(answer());
    },
    restore(id) {
      sources = [...sources, ...removed.filter((each) => each.id === id)];
      removed = removed.filter((each) => each.id !== id);
      return Promise.resolve(answer());
    },
    discover: () =>
      Promise.resolve(ok([{ address: 'https://dav.example.org/a/', name: 'A', isAdded: false }])),
    addFile({ name }, place) {
      const here = { ...source(sources.length, name), isHere: true as const };
      sources =
        place === null
          ? [...sources, here]
          : sources.map((each) => (each.id === place ? { ...each, host: name } : each));
      return Promise.resolve(ok({ sources, removed: [...removed] }));
    },
    again(id) {
      sources = sources.map((each) => (each.id === id ? { ...each, problem: null } : each));
      return Promise.resolve(answer());
    },
    listen,
  };
}

/** One's own plan as a server would give it out, in memory. */
export function createMemoryFeed(isEncrypted = false): FeedPort {
  const choice = { hasBlocks: true, hasDue: false, hasNames: true, hasDone: false };
  // Of an encrypted account there may be one from before.
  let feed: CalendarFeed['feed'] = isEncrypted ? { token: 't0', choice, readAt: null } : null;
  let made = 0;
  const answer = () => Promise.resolve(ok({ feed, isEncrypted }));
  return {
    addressOf: (token) => `https://posthaste.example.org/calendar/${token}.ics`,
    read: answer,
    choose(chosen) {
      feed = { token: feed?.token ?? `t${(made += 1)}`, choice: chosen, readAt: feed?.readAt ?? null };
      return answer();
    },
    renew() {
      if (feed !== null) feed = { ...feed, token: `t${(made += 1)}`, readAt: null };
      return answer();
    },
    end() {
      feed = null;
      return answer();
    },
  };
}

/** Google's calendars as a server would have them, in memory: connected as soon as the person was asked. */
export function createMemoryGoogle(isSetUp = true): GooglePort {
  let isConnected = false;
  let calendars: GoogleCalendars['calendars'] = ['Own', 'Team'].map((name) => ({
    calendar: name,
    name,
    id: null,
  }));
  const answer = () =>
    Promise.resolve(ok({ isSetUp, isConnected, problem: null, calendars: isConnected ? calendars : [] }));
  return {
    read: answer,
    connect() {
      isConnected = true;
      return Promise.resolve(ok('https://accounts.google.com/consent'));
    },
    add(calendar) {
      calendars = calendars.map((each) => (each.calendar === calendar ? { ...each, id: idOf(9) } : each));
      return answer();
    },
    disconnect() {
      isConnected = false;
      return answer();
    },
  };
}
