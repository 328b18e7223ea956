// Calendars of other programs, as the web app sees them: the sources of an account, and their events in a window.
import * as z from 'zod/mini';
import { personColors } from '#core/people.ts';
import { idSchema } from './values.ts';

/** Limits of the calendars of an account. */
export const calendarSourceLimits = {
  /** Of one account. */
  sources: 20,
  addressCharacters: 2_000,
  nameCharacters: 100,
  /** Bytes of a file. */
  fileBytes: 20 * 1_048_576,
  /** Between two questions for what is new. */
  pollMs: 15 * 60_000,
  /** Of a window that is asked for. */
  windowDays: 400,
  /** For so long a calendar that was removed can be brought back. */
  trashDays: 7,
} as const;

const nameSchema = z.string().check(z.trim(), z.maxLength(calendarSourceLimits.nameCharacters));
const colorSchema = z.enum(personColors);

/** How somebody signs in at a CalDAV server: mostly with an app password. */
export const calendarLoginSchema = z.strictObject({
  user: z.string().check(z.trim(), z.minLength(1), z.maxLength(200), z.regex(/^[^:\p{Cc}]*$/u)),
  password: z.string().check(z.minLength(1), z.maxLength(500), z.regex(/^\P{Cc}*$/u)),
});
/** How somebody signs in at a CalDAV server. */
export type CalendarLogin = z.infer<typeof calendarLoginSchema>;

/** Body of `POST /app/api/calendars/discover`: a CalDAV server, or any address there. */
export const calendarServerSchema = z.strictObject({
  address: z.string().check(z.trim(), z.minLength(1), z.maxLength(calendarSourceLimits.addressCharacters)),
  login: calendarLoginSchema,
});

/** Its answer: the calendars there, to choose from. The address is what `POST /app/api/calendars` takes. */
export const foundCalendarsSchema = z.object({
  found: z.array(z.object({ address: z.string(), name: z.string(), isAdded: z.boolean() })),
});
/** Calendars of a CalDAV server. */
export type FoundCalendars = z.infer<typeof foundCalendarsSchema>['found'];

/** Body of `POST /app/api/calendars`. An empty name: that of the calendar. With `login`: a calendar of a CalDAV server. */
export const newCalendarSchema = z.strictObject({
  address: z.string().check(z.trim(), z.minLength(1), z.maxLength(calendarSourceLimits.addressCharacters)),
  name: z.optional(nameSchema),
  login: z.optional(calendarLoginSchema),
});

/** Body of `POST /app/api/calendars/:calendar`: what is absent stays. */
export const calendarChangeSchema = z.strictObject({
  name: z.optional(nameSchema.check(z.minLength(1))),
  color: z.optional(colorSchema),
  isHidden: z.optional(z.boolean()),
  /** A new one, for a calendar of a CalDAV server; it is read with it at once. */
  password: z.optional(calendarLoginSchema.shape.password),
});
/** What may be changed of a calendar. */
export type CalendarChange = z.infer<typeof calendarChangeSchema>;

/** A calendar as its account sees it. The address stays with the server: its host is shown. */
export const calendarSourceSchema = z.object({
  id: idSchema,
  name: z.string(),
  host: z.string(),
  color: z.string(),
  isHidden: z.boolean(),
  /** Why it could not be read the last time, in words; null: it was read. */
  problem: z.nullable(z.string()),
  /** When it was last read, wall milliseconds; null: never. */
  readAt: z.nullable(z.int()),
  /** When it is asked next, wall milliseconds. */
  nextAt: z.int(),
  /** Entries that could not be read; absent: none. */
  unread: z.optional(z.int()),
  /** It is a calendar of a CalDAV server: a password belongs to it. */
  hasPassword: z.optional(z.boolean()),
  /** There are more events than are shown (core/calendar/events.ts). */
  isCut: z.optional(z.boolean()),
});
/** A calendar as its account sees it. */
export type CalendarSource = z.infer<typeof calendarSourceSchema>;

/** Answer of `GET /app/api/calendars`, and of every call that changes one. */
export const calendarsSchema = z.object({
  calendars: z.array(calendarSourceSchema),
  /** The calendar that was just added. */
  made: z.optional(idSchema),
  /** Those that can be brought back, the last removed first; absent: none. `at`: when, wall milliseconds; an older server says nothing of it. */
  removed: z.optional(z.array(z.object({ id: idSchema, name: z.string(), at: z.optional(z.number()) }))),
});
/** The calendars of an account. */
export type CalendarsBody = z.infer<typeof calendarsSchema>;

const timeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('moment'), at: z.number() }),
  z.object({ type: z.literal('day'), day: z.string() }),
  z.object({ type: z.literal('floating'), local: z.string() }),
]);

/** An event of a calendar (core/calendar/events.ts). */
export const calendarEventSchema = z.object({
  uid: z.string(),
  occurrence: z.nullable(z.string()),
  start: timeSchema,
  end: timeSchema,
  title: z.string(),
  place: z.string(),
  description: z.string(),
  link: z.nullable(z.string()),
  isBusy: z.boolean(),
  isTentative: z.boolean(),
});

/** Answer of `GET /app/api/calendars/window`: the events of each shown calendar, by start. */
export const calendarWindowSchema = z.object({
  calendars: z.array(z.object({ id: idSchema, events: z.array(calendarEventSchema) })),
});
/** The events of each shown calendar. */
export type CalendarWindowBody = z.infer<typeof calendarWindowSchema>;
