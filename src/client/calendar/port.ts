// What the app asks about calendars of other programs, and what this device keeps of them for reading without a network.
import type { Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { CalendarChange, CalendarSource, CalendarWindowBody } from '#wire/calendars.ts';

/** Calendars with their events, as they were read. */
export interface KeptCalendars {
  /** Wall milliseconds. */
  readonly readAt: number;
  readonly sources: readonly CalendarSource[];
  /** Of the shown ones, by start. */
  readonly events: CalendarWindowBody['calendars'];
}

/** The calendars after a call, or why there was none, in words. */
export type CalendarsAnswer = Result<readonly CalendarSource[], string>;

/** Calendars of the account. */
export interface CalendarsPort {
  /** What this device keeps; null: nothing. Never rejects. */
  kept(): Promise<KeptCalendars | null>;
  /** Asks the server for everything, and keeps it. */
  read(): Promise<Result<KeptCalendars, string>>;
  add(address: string): Promise<CalendarsAnswer>;
  change(id: Id, change: CalendarChange): Promise<CalendarsAnswer>;
  remove(id: Id): Promise<CalendarsAnswer>;
}
