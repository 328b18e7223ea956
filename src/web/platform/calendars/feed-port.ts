// The calendar of one's own plan over the web routes of our server.
import { failed, ok } from '#core/result.ts';
import type { FeedAnswer, FeedPort } from '#client/calendar/feed-view.ts';
import { calendarFeedSchema } from '#wire/calendar-links.ts';
import { siteOrigin } from '../desktop/site-origin.ts';
import { zoneNow } from '../platform.ts';
import { callServer, messageOf, type Call } from '../account/http.ts';

const TIMEOUT_MS = 20_000;
const PATH = '/app/api/calendar_feed';

async function ask(method: Call['method'], path: string, body?: unknown): Promise<FeedAnswer> {
  const reply = await callServer({
    method,
    path,
    timeoutMs: TIMEOUT_MS,
    ...(body === undefined ? {} : { body }),
  });
  if (reply.type === 'none') return failed('Can’t reach the server. Try again when you’re online.');
  if (reply.status < 200 || reply.status > 299)
    return failed(messageOf(reply.body) ?? 'The server didn’t accept this. Try again later.');
  const read = calendarFeedSchema.safeParse(reply.body);
  return read.success
    ? ok(read.data)
    : failed('Couldn’t read the server’s answer. Reload the app, then try again.');
}

/** Asks the server that this app is of. */
export const createFeedPort = (): FeedPort => ({
  addressOf: (token) => `${siteOrigin()}/calendar/${encodeURIComponent(token)}.ics`,
  read: () => ask('GET', PATH),
  choose: (choice) => ask('POST', PATH, { ...choice, zone: zoneNow() }),
  renew: () => ask('POST', `${PATH}/new`),
  end: () => ask('DELETE', PATH),
});
