// Google Calendar over the web routes of our server.
import type * as z from 'zod/mini';
import { failed, ok, type Result } from '#core/result.ts';
import type { GooglePort } from '#client/calendar/google-view.ts';
import { googleConnectSchema, googleSchema } from '#wire/calendar-links.ts';
import { callServer, messageOf, type Call } from '../account/http.ts';

/** The server asks Google meanwhile. */
const TIMEOUT_MS = 60_000;
const PATH = '/app/api/google';

async function ask<T>(
  schema: z.ZodMiniType<T>,
  method: Call['method'],
  path: string,
  body?: unknown,
): Promise<Result<T, string>> {
  const sent = body === undefined ? {} : { body };
  const reply = await callServer({ method, path, timeoutMs: TIMEOUT_MS, ...sent });
  if (reply.type === 'none') return failed('Can’t reach the server. Try again when you’re online.');
  if (reply.status < 200 || reply.status > 299)
    return failed(messageOf(reply.body) ?? 'The server didn’t accept this. Try again later.');
  const read = schema.safeParse(reply.body);
  return read.success
    ? ok(read.data)
    : failed('Couldn’t read the server’s answer. Reload the app, then try again.');
}

/** Asks the server that this app is of. */
export const createGooglePort = (): GooglePort => ({
  read: () => ask(googleSchema, 'GET', PATH),
  async connect() {
    const answer = await ask(googleConnectSchema, 'POST', `${PATH}/connect`);
    return answer.ok ? ok(answer.value.address) : answer;
  },
  add: (calendar) => ask(googleSchema, 'POST', `${PATH}/calendars`, { calendar }),
  disconnect: () => ask(googleSchema, 'DELETE', PATH),
});
