// Calendars elsewhere, as the web app sees them: that of a person's own plan, which other programs subscribe to, and those of Google's to choose from.
import * as z from 'zod/mini';
import { idSchema } from './values.ts';

/** Body of `POST /app/api/calendar_feed`: makes the address, or changes what is in it. */
export const feedChoiceSchema = z.strictObject({
  hasBlocks: z.boolean(),
  hasDue: z.boolean(),
  hasNames: z.boolean(),
  hasDone: z.boolean(),
  /** IANA zone of the device, for programs that take a time without a zone for UTC. */
  zone: z.optional(z.string().check(z.maxLength(64))),
});

/** Answer of every call about the feed of an account. */
export const calendarFeedSchema = z.object({
  /** Null: there is none. */
  feed: z.nullable(
    z.object({
      /** The last part of the address `/calendar/{token}.ics`; null: this server can't read it anymore, and a new one has to be made. */
      token: z.nullable(z.string()),
      choice: z.object({
        hasBlocks: z.boolean(),
        hasDue: z.boolean(),
        hasNames: z.boolean(),
        hasDone: z.boolean(),
      }),
      /** About when another program last asked, wall milliseconds; null: none has. */
      readAt: z.nullable(z.int()),
    }),
  ),
  /** The account is end-to-end encrypted, so that the server can't write one. */
  isEncrypted: z.boolean(),
});
/** The feed of an account. */
export type CalendarFeed = z.infer<typeof calendarFeedSchema>;

/** Body of `POST /app/api/google/calendars`: one of those that Google has. */
export const googleChoiceSchema = z.strictObject({
  calendar: z.string().check(z.minLength(1), z.maxLength(1_000)),
});

/** Answer of `POST /app/api/google/connect`: where the person says yes. */
export const googleConnectSchema = z.object({ address: z.string() });

/** Answer of the other calls about Google Calendar. */
export const googleSchema = z.object({
  /** The operator has given this server an id at Google. */
  isSetUp: z.boolean(),
  isConnected: z.boolean(),
  /** Why the calendars can't be listed, in words; null: they are. */
  problem: z.nullable(z.string()),
  calendars: z.array(
    z.object({
      /** Google's name of it. */
      calendar: z.string(),
      name: z.string(),
      /** The calendar here that shows it; null: it isn't shown. */
      id: z.nullable(idSchema),
    }),
  ),
});
/** Google Calendar for one account. */
export type GoogleCalendars = z.infer<typeof googleSchema>;
