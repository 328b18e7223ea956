// The calendar of one's own plan over the web routes of our server.
import type { FeedPort } from '#client/calendar/feed-view.ts';
import { calendarFeedSchema } from '#wire/calendar-links.ts';
import { siteOrigin } from '../desktop/site-origin.ts';
import { zoneNow } from '../platform.ts';
import { askServer } from '../account/asking.ts';
import type { Call } from '../account/http.ts';

const TIMEOUT_MS = 20_000;
const PATH = '/app/api/calendar_feed';

const ask = (method: Call['method'], path: string, body?: unknown) =>
  askServer(calendarFeedSchema, { method, path, timeoutMs: TIMEOUT_MS, body });

/** Asks the server that this app is of. */
export const createFeedPort = (): FeedPort => ({
  addressOf: (token) => `${siteOrigin()}/calendar/${encodeURIComponent(token)}.ics`,
  read: () => ask('GET', PATH),
  choose: (choice) => ask('POST', PATH, { ...choice, zone: zoneNow() }),
  renew: () => ask('POST', `${PATH}/new`),
  end: () => ask('DELETE', PATH),
});
