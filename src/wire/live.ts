// Everything that the server says on the live socket: news of rows (sync.ts), of people in shared lists (presence.ts), and of macros
// that wait for a device. Not all of it is needed at the start, so that the parts are apart.
import * as z from 'zod/mini';
import { thereSchema } from './presence.ts';
import { newsMessageSchema } from './sync.ts';

/** A run of a macro waits for a device (macro-runs.ts). */
export const runsMessageSchema = z.object({ type: z.literal('runs') });

export const liveMessageSchema = z.union([newsMessageSchema, thereSchema, runsMessageSchema]);
/** Any message of the server on the live socket. It only shortens the delay: the client pulls anyway. */
export type LiveMessage = z.infer<typeof liveMessageSchema>;
