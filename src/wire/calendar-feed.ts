// The calendar of a person's own plan that other programs subscribe to, as the web app sees it: its address and what is in it.
import * as z from 'zod/mini';

/** Body of `POST /app/api/calendar_feed`: makes the address, or changes what is in it. */
export const feedChoiceSchema = z.strictObject({
  hasBlocks: z.boolean(),
  hasDue: z.boolean(),
  hasNames: z.boolean(),
  hasDone: z.boolean(),
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
