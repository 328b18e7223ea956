// Questions to the web routes of our server whose failures a dialog says as they are: an answer that was checked, or why there is none, in words.
import type * as z from 'zod/mini';
import { failed, ok, type Result } from '#core/result.ts';
import { callServer, messageOf, type Call } from './http.ts';

/** No answer came. */
export const OFFLINE = 'Can’t reach the server. Try again when you’re online.';
/** What came isn't what was asked for: one of the two is of another version. */
export const NOT_UNDERSTOOD = 'Couldn’t read the server’s answer. Reload the app, then try again.';

/** Asks, and checks the answer against its schema. */
export async function askServer<T>(schema: z.ZodMiniType<T>, call: Call): Promise<Result<T, string>> {
  const reply = await callServer(call);
  if (reply.type === 'none') return failed(OFFLINE);
  if (reply.status < 200 || reply.status > 299)
    return failed(messageOf(reply.body) ?? 'The server didn’t accept this. Try again later.');
  const read = schema.safeParse(reply.body);
  return read.success ? ok(read.data) : failed(NOT_UNDERSTOOD);
}
