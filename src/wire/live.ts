// Everything that the server says on the live socket: news of rows (sync.ts), of people in shared lists (presence.ts), of macros
// that wait for a device, and of calendars. Not all of it is needed at the start, so that the parts are apart.
import * as z from 'zod/mini';
import { planMessageSchema } from './billing.ts';
import { thereSchema } from './presence.ts';
import { newsMessageSchema } from './sync.ts';

/** A run of a macro waits for a device (macro-runs.ts). */
export const runsMessageSchema = z.object({ type: z.literal('runs') });

/** Calendars of the account, or their events, are others than before (calendars.ts). */
export const calendarsMessageSchema = z.object({ type: z.literal('calendars') });

export const liveMessageSchema = z.union([
  newsMessageSchema,
  thereSchema,
  runsMessageSchema,
  calendarsMessageSchema,
  planMessageSchema,
]);
/** Any message of the server on the live socket. It only shortens the delay: the client pulls anyway. */
export type LiveMessage = z.infer<typeof liveMessageSchema>;
