// The web app's calls about calendars of other programs (wire/calendars.ts). Each is about the account's own.
import { createHash } from 'node:crypto';
import { type Id, parseId } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import {
  calendarChangeSchema,
  calendarServerSchema,
  calendarSourceLimits,
  type CalendarsBody,
  newCalendarSchema,
} from '#wire/calendars.ts';
import { authorise } from '../access/authorise.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Limiter } from '../limits/rates.ts';
import type { Calendars } from './calendars.ts';
import { addingWords, problemWords } from './problems.ts';

/** What the calls need. */
export interface CalendarRoutePorts {
  readonly calendars: Calendars;
  readonly limiter: Limiter;
}

const BODY_BYTES = 8_192;

const GONE = () => refusal('not_found', 'That calendar was removed.');

const FULL = `You have ${calendarSourceLimits.sources} calendars, and that’s the limit. Remove one first.`;

/** A whole number of wall milliseconds; null: it is none. */
const momentIn = (text: string | null): number | null =>
  text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;

class CalendarCalls {
  readonly #ports: CalendarRoutePorts;

  constructor(ports: CalendarRoutePorts) {
    this.#ports = ports;
  }

  async list(call: RouteCall, more: { readonly made?: Id } = {}): Promise<Response> {
    const { sources } = this.#ports.calendars;
    const { account } = call.account();
    const [calendars, removed] = [[...(await sources.list(account))], [...(await sources.removed(account))]];
    return success({
      calendars,
      ...(removed.length === 0 ? {} : { removed }),
      ...more,
    } satisfies CalendarsBody);
  }

  async add(call: RouteCall): Promise<Response> {
    const read = newCalendarSchema.safeParse(call.body ?? {});
    if (!read.success) {
      const field = String(read.error.issues[0]?.path[0] ?? 'body');
      return refusal('invalid', field === 'address' ? problemWords('address') : `"${field}" can't be used.`, {
        field,
      });
    }
    const { account } = call.account();
    const taken = await this.#ports.limiter.take('calendar_add', String(account));
    if (!taken.allowed)
      return refusal('rate_limited', 'You have tried many addresses. Wait a while, then try again.', {
        retryAfterMs: taken.retryAfterMs,
      });
    const { address, ...more } = read.data;
    const added = await this.#ports.calendars.add(account, address, more);
    if (added.ok) return await this.list(call, { made: added.value });
    if (added.problem === 'full') return refusal('quota_reached', FULL);
    return refusal('invalid', addingWords(added.problem), {
      field: 'address',
      more: { why: added.problem },
    });
  }

  async discover(call: RouteCall): Promise<Response> {
    const read = calendarServerSchema.safeParse(call.body ?? {});
    if (!read.success) {
      const field = String(read.error.issues[0]?.path.at(-1) ?? 'body');
      return refusal('invalid', field === 'address' ? problemWords('address') : `"${field}" can't be used.`, {
        field,
      });
    }
    const { account } = call.account();
    const taken = await this.#ports.limiter.take('calendar_add', String(account));
    if (!taken.allowed)
      return refusal('rate_limited', 'You have tried many addresses. Wait a while, then try again.', {
        retryAfterMs: taken.retryAfterMs,
      });
    const { address, login } = read.data;
    const found = await this.#ports.calendars.discover(account, address, login);
    if (found.ok) return success({ found: found.value });
    return refusal('invalid', addingWords(found.problem), {
      field: 'address',
      more: { why: found.problem },
    });
  }

  async change(call: RouteCall): Promise<Response> {
    const read = calendarChangeSchema.safeParse(call.body ?? {});
    if (!read.success) {
      const field = String(read.error.issues[0]?.path[0] ?? 'body');
      return refusal('invalid', `"${field}" can't be used.`, { field });
    }
    const id = await this.#own(call);
    if (id === null) return GONE();
    await this.#ports.calendars.change(call.account().account, id, read.data);
    return await this.list(call);
  }

  async remove(call: RouteCall): Promise<Response> {
    const id = await this.#own(call);
    if (id === null) return GONE();
    await this.#ports.calendars.remove(call.account().account, id);
    return await this.list(call);
  }

  async again(call: RouteCall): Promise<Response> {
    const id = await this.#own(call);
    if (id === null) return GONE();
    const { account } = call.account();
    const taken = await this.#ports.limiter.take('calendar_add', String(account));
    if (!taken.allowed)
      return refusal('rate_limited', 'You have tried many times. Wait a while, then try again.', {
        retryAfterMs: taken.retryAfterMs,
      });
    await this.#ports.calendars.again(id);
    return await this.list(call);
  }

  async restore(call: RouteCall): Promise<Response> {
    const id = await this.#own(call, 'removed');
    const problem = id === null ? 'gone' : await this.#ports.calendars.restore(call.account().account, id);
    if (problem === 'full') return refusal('quota_reached', FULL);
    return problem === 'gone' ? GONE() : await this.list(call);
  }

  async window(call: RouteCall): Promise<Response> {
    const from = momentIn(call.url.searchParams.get('from'));
    const to = momentIn(call.url.searchParams.get('to'));
    if (from === null)
      return refusal('invalid', '"from" has to be a time in milliseconds.', { field: 'from' });
    if (to === null || to <= from || to - from > calendarSourceLimits.windowDays * DAY_MS)
      return refusal(
        'invalid',
        `"to" has to be at most ${calendarSourceLimits.windowDays} days after "from".`,
        {
          field: 'to',
        },
      );
    const { account } = call.account();
    const { sources } = this.#ports.calendars;
    const mark = await sources.windowMark(account);
    const etag = `"${createHash('sha256').update(`${account} ${from} ${to} ${mark}`).digest('base64url')}"`;
    const headers = { etag, 'cache-control': 'private, no-cache' };
    if (call.request.headers.get('if-none-match') === etag)
      return new Response(null, { status: 304, headers });
    return success({ calendars: await sources.window(account, from, to) }, headers);
  }

  /** The calendar in the path, if it is the account's own, and as it is asked for. */
  async #own(call: RouteCall, wanted: 'present' | 'removed' = 'present') {
    const id = parseId(call.params['calendar'] ?? '');
    const source = id === null ? undefined : await this.#ports.calendars.sources.find(id);
    const isOwn = authorise(call.account(), { type: 'calendar', owner: source?.account }).allowed;
    const isPresent = source?.trashed_at === null;
    return isOwn && (isPresent || wanted === 'removed') ? id : null;
  }
}

/** What the app's calls about one's own calendars have in common. */
export const ownCalendars = {
  access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
  site: 'app',
  limit: 'calendars',
  compress: false,
  body: { type: 'none' },
} as const;

/** Routes about calendars. */
export function calendarRoutes(ports: CalendarRoutePorts): readonly Route[] {
  const calls = new CalendarCalls(ports);
  const plain = ownCalendars;
  const json = { ...plain, body: { type: 'json', maxBytes: BODY_BYTES } } as const;
  const path = '/app/api/calendars';
  const one = `${path}/:calendar`;
  return [
    { ...plain, method: 'GET', path, handle: (call) => calls.list(call) },
    { ...json, method: 'POST', path, handle: (call) => calls.add(call) },
    { ...json, method: 'POST', path: `${path}/discover`, handle: (call) => calls.discover(call) },
    { ...plain, method: 'GET', path: `${path}/window`, compress: true, handle: (call) => calls.window(call) },
    { ...json, method: 'POST', path: one, handle: (call) => calls.change(call) },
    { ...plain, method: 'POST', path: `${one}/read`, handle: (call) => calls.again(call) },
    { ...plain, method: 'POST', path: `${one}/restore`, handle: (call) => calls.restore(call) },
    { ...plain, method: 'DELETE', path: one, handle: (call) => calls.remove(call) },
  ];
}
