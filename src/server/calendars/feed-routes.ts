// A person's plan as a calendar for other programs, at a secret address, and the app's calls that make, change and end that address. The token in
// the address is all there is: no cookie is read or set, and it is looked up at every request.
import { isZone } from '#core/when.ts';
import { feedChoiceSchema, type CalendarFeed } from '#wire/calendar-links.ts';
import { refusal, success } from '../http/answer.ts';
import { isHeld } from '../http/etag.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Limiter } from '../limits/rates.ts';
import { choiceOf, type FeedStore } from './feed-store.ts';
import { planOf, type PlanPorts } from './feed-tasks.ts';
import { ownCalendars } from './routes.ts';

/** What the calls need. */
export interface FeedRoutePorts extends PlanPorts {
  readonly calendars: { readonly feeds: FeedStore };
  readonly limiter: Limiter;
}

const BODY_BYTES = 1_024;

/** Search engines leave it out, nobody learns its address from it, and only who asked keeps it. */
const HEADERS = {
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
} as const;

function marked(answer: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) answer.headers.set(name, value);
  return answer;
}

const MISSING = () =>
  marked(refusal('not_found', 'There’s no calendar at this address. Its owner may have made a new address.'));

class FeedCalls {
  readonly #ports: FeedRoutePorts;

  constructor(ports: FeedRoutePorts) {
    this.#ports = ports;
  }

  async read({ request, params, client }: RouteCall): Promise<Response> {
    const {
      limiter,
      calendars: { feeds },
    } = this.#ports;
    const token = (params['file'] ?? '').replace(/\.ics$/, '');
    // Counted by address and token, whether or not there is such a calendar.
    const taken = await limiter.take('calendar_feed', `${client.key} ${token.slice(0, 12)}`);
    if (!taken.allowed)
      return marked(
        refusal('rate_limited', 'That was very often. Wait a minute, then try again.', {
          retryAfterMs: taken.retryAfterMs,
        }),
      );
    const feed = await feeds.find(token);
    const plan = feed === null ? null : await planOf(this.#ports, feed);
    if (feed === null || plan === null) return MISSING();
    await feeds.wasRead(feed);
    const etag = `"${plan.mark}"`;
    const headers = { ...HEADERS, etag };
    if (isHeld(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers });
    return new Response(await plan.text(), {
      headers: {
        ...headers,
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="posthaste.ics"',
      },
    });
  }

  async show(call: RouteCall): Promise<Response> {
    const {
      store,
      calendars: { feeds },
    } = this.#ports;
    const { account, personalScope } = call.account();
    const row = await feeds.of(account);
    const scope = (await store.scopes([personalScope])).get(personalScope);
    const feed =
      row === undefined ? null : { token: feeds.tokenOf(row), choice: choiceOf(row), readAt: row.read_at };
    const isEncrypted = (scope?.sealing?.phase ?? 'plain') !== 'plain';
    return success({ feed, isEncrypted } satisfies CalendarFeed, { 'cache-control': 'no-store' });
  }

  async choose(call: RouteCall): Promise<Response> {
    const {
      store,
      calendars: { feeds },
    } = this.#ports;
    const read = feedChoiceSchema.safeParse(call.body ?? {});
    if (!read.success) {
      const field = String(read.error.issues[0]?.path[0] ?? 'body');
      return refusal('invalid', `"${field}" can't be used.`, { field });
    }
    const { zone = null, ...choice } = read.data;
    if (zone !== null && !isZone(zone))
      return refusal('invalid', '"zone" isn’t a time zone.', { field: 'zone' });
    if (!choice.hasBlocks && !choice.hasDue)
      return refusal('invalid', 'Choose time blocks, due tasks, or both.', { field: 'hasBlocks' });
    const { account, personalScope } = call.account();
    const scope = (await store.scopes([personalScope])).get(personalScope);
    if ((scope?.sealing?.phase ?? 'plain') !== 'plain')
      return refusal(
        'conflict',
        'Your account is end-to-end encrypted, so the server can’t read your plan. Save time blocks as a calendar file instead.',
      );
    await feeds.choose(account, choice, zone);
    return await this.show(call);
  }

  async renew(call: RouteCall): Promise<Response> {
    const isThere = await this.#ports.calendars.feeds.renew(call.account().account);
    return isThere
      ? await this.show(call)
      : refusal('not_found', 'There’s no address to replace. Make one first.');
  }

  async end(call: RouteCall): Promise<Response> {
    await this.#ports.calendars.feeds.end(call.account().account);
    return await this.show(call);
  }
}

/** Routes about a person's plan as a calendar. */
export function feedRoutes(ports: FeedRoutePorts): readonly Route[] {
  const calls = new FeedCalls(ports);
  const path = '/app/api/calendar_feed';
  return [
    {
      method: 'GET',
      path: '/calendar/:file',
      access: { carrier: 'none', rule: { type: 'anybody' } },
      site: 'public',
      limit: null,
      body: { type: 'none' },
      compress: true,
      handle: (call) => calls.read(call),
    },
    { ...ownCalendars, method: 'GET', path, handle: (call) => calls.show(call) },
    {
      ...ownCalendars,
      method: 'POST',
      path,
      body: { type: 'json', maxBytes: BODY_BYTES },
      handle: (call) => calls.choose(call),
    },
    { ...ownCalendars, method: 'POST', path: `${path}/new`, handle: (call) => calls.renew(call) },
    { ...ownCalendars, method: 'DELETE', path, handle: (call) => calls.end(call) },
  ];
}
