// Google Calendar as the web app sees it: whether this server is set up for it, the connection of an account, and the calendars to choose from.
import * as z from 'zod/mini';
import { idSchema } from './values.ts';

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
