// The tables of calendars of other programs: a part of tables.ts, whose rules hold here too.
import type { Id } from '#core/ids.ts';

/** An address from which an account reads a calendar. */
export interface CalendarSourceTable {
  id: Id;
  account: number;
  /** A file at an address, or a calendar of a CalDAV server. */
  kind: 'ics' | 'caldav';
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
