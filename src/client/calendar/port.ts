// What the app asks about calendars of other programs, and what this device keeps of them for reading without a network.
import type { Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { CalendarLogin, FoundCalendars } from '#wire/calendars.ts';
import type { ImportSource } from '../importing/port.ts';
import type { CalendarChange, CalendarsBody, CalendarSource, CalendarWindowBody } from '#wire/calendars.ts';

/** A calendar as this device knows it. `isHere`: it is a file on this device, which nothing is sent of. */
export type KeptSource = CalendarSource & { readonly isHere?: true };

/** Calendars with their events, as they were read. */
export interface KeptCalendars {
  /** Wall milliseconds. */
  readonly readAt: number;
  readonly sources: readonly KeptSource[];
  /** Of the shown ones, by start. */
  readonly events: CalendarWindowBody['calendars'];
  /** Those that can be brought back, the last removed first; absent: not known. */
  readonly removed?: RemovedCalendars;
}

/** Calendars that can be brought back. */
export type RemovedCalendars = NonNullable<CalendarsBody['removed']>;

/** The calendars of an account, without their events. */
export type CalendarList = Pick<KeptCalendars, 'sources' | 'removed'>;

/** The calendars after a call, or why there was none, in words. */
export type CalendarsAnswer = Result<CalendarList, string>;

/** Calendars of the account. */
export interface CalendarsPort {
  /** What this device keeps; null: nothing. Never rejects. */
  kept(): Promise<KeptCalendars | null>;
  /** Asks the server for everything, and keeps it. */
  read(): Promise<Result<KeptCalendars, string>>;
  /** With a login: a calendar of a CalDAV server, as `discover` named it. */
  add(address: string, login?: CalendarLogin): Promise<CalendarsAnswer>;
  /** The calendars that an address of a CalDAV server leads to. */
  discover(address: string, login: CalendarLogin): Promise<Result<FoundCalendars, string>>;
  change(id: Id, change: CalendarChange): Promise<CalendarsAnswer>;
  /** It can be brought back for some days. */
  remove(id: Id): Promise<CalendarsAnswer>;
  /** Brings back one that was removed. */
  restore(id: Id): Promise<CalendarsAnswer>;
  /** Reads a file on this device. `place`: the calendar of an older file that it replaces; null: it is a new one. */
  addFile(file: ImportSource, place: Id | null): Promise<CalendarsAnswer>;
  /** Has one that can't be read tried now. */
  again(id: Id): Promise<CalendarsAnswer>;
  /** Calls back whenever what this device keeps has changed: by a reading, in another tab, or because the server says so. Returns the unsubscription. */
  listen(changed: () => void): () => void;
}
