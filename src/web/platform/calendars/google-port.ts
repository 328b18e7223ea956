// Google Calendar over the web routes of our server.
import type * as z from 'zod/mini';
import { ok } from '#core/result.ts';
import type { GooglePort } from '#client/calendar/google-view.ts';
import { googleConnectSchema, googleSchema } from '#wire/calendar-links.ts';
import { askServer } from '../account/asking.ts';
import type { Call } from '../account/http.ts';

/** The server asks Google meanwhile. */
const TIMEOUT_MS = 60_000;
const PATH = '/app/api/google';

const ask = <T>(schema: z.ZodMiniType<T>, method: Call['method'], path: string, body?: unknown) =>
  askServer(schema, { method, path, timeoutMs: TIMEOUT_MS, body });

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
