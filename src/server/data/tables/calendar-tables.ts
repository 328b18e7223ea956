// The tables of calendars of other programs: a part of tables.ts, whose rules hold here too.
import type { Id } from '#core/ids.ts';

/** An address from which an account reads a calendar. */
export interface CalendarSourceTable {
  id: Id;
  account: number;
  /** A file at an address, a calendar of a CalDAV server, or one of Google's. */
  kind: 'ics' | 'caldav' | 'google';
  /** Sealed, with the name and the password in it: it is enough to read the calendar. */
  address: Uint8Array;
  /** Of the address, to be shown. */
  host: string;
  name: string;
  /** `#rrggbb`. */
  color: string;
  /** 1: its events are not shown. */
  hidden: number;
  etag: string | null;
  last_modified: string | null;
  /** Why it was not read the last time (calendars/problems.ts); null: it was. */
  problem: string | null;
  /** Since it was last read. */
  failures: number;
  /** When it was last read, or found the same; null: never. */
  last_ok: number | null;
  /** When its whole file was last read; 0: never. */
  expanded_at: number;
  /** When it is asked next. A process moves it ahead before it asks, so that no other does. */
  next_poll: number;
  /** Grows with every change of its events. */
  revision: number;
  created_at: number;
  /** When it was removed; null: it was not. Its events wait a while with it. */
  trashed_at: number | null;
  /** Entries that could not be read. */
  unread: number;
  /** 1: there is more than the limits allow. */
  is_cut: number;
  /** Of a CalDAV server: since when it tells changes; null: it tells none. */
  sync_token: string | null;
}

/** The address at which other programs read the plan of an account (calendars/feed-store.ts). */
export interface CalendarFeedTable {
  account: number;
  /** Of the token in the address. */
  token_hash: Uint8Array;
  token_sealed: Uint8Array;
  /** 0 or 1, each: what is in it. */
  has_blocks: number;
  has_due: number;
  has_names: number;
  has_done: number;
  /** IANA zone of the device that chose last; null: from before, or it said none. */
  zone: string | null;
  created_at: number;
  /** About when it was last read; null: never. */
  read_at: number | null;
}

/** The connection of an account to Google (calendars/google/grants.ts). Tokens are sealed. */
export interface GoogleGrantTable {
  account: number;
  refresh: Uint8Array;
  access: Uint8Array;
  access_until: number;
  /** 1: Google has ended it. */
  is_over: number;
  created_at: number;
}

/** A connection to Google that is being made. */
export interface GoogleFlowTable {
  state_hash: Uint8Array;
  account: number;
  /** Of PKCE, sealed. */
  verifier: Uint8Array;
  redirect: string;
  created_at: number;
}

/** Where reading a calendar of Google's goes on. */
export interface GoogleSyncTable {
  source: Id;
  account: number;
  token: string;
}

/** An event of a calendar in the window around the present. */
export interface CalendarEventTable {
  source: Id;
  /** Of what it says: an event that changes is another one. */
  digest: string;
  account: number;
  /** Wall milliseconds, in UTC where it names no zone. */
  start_at: number;
  end_at: number;
  /** JSON (core/calendar/events.ts). */
  event: string;
  /** The resource of a CalDAV server that it is in; empty: a file is one. */
  part: string;
}

/** The tables by name. */
export interface CalendarTables {
  calendar_source: CalendarSourceTable;
  calendar_event: CalendarEventTable;
  calendar_feed: CalendarFeedTable;
  google_grant: GoogleGrantTable;
  google_flow: GoogleFlowTable;
  google_sync: GoogleSyncTable;
}

/** Their names, referenced ones first. */
export const calendarTableNames = [
  'calendar_source',
  'calendar_event',
  'calendar_feed',
  'google_grant',
  'google_flow',
  'google_sync',
] as const satisfies readonly (keyof CalendarTables)[];
