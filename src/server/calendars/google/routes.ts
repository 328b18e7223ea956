// The app's calls about Google Calendar, and the page to which Google sends a person back. Who comes back has to be the browser that began: it has the
// state in a cookie as well.
import { expectedOrigin } from '../../http/origin.ts';
import { refusal, success } from '../../http/answer.ts';
import type { Route, RouteCall } from '../../http/route.ts';
import type { Config } from '../../config.ts';
import type { Limiter } from '../../limits/rates.ts';
import { calendarSourceLimits } from '#wire/calendars.ts';
import { type GoogleCalendars, googleChoiceSchema } from '#wire/calendar-links.ts';
import { ownCalendars } from '../routes.ts';
import { type GoogleDesk, googleWords } from './desk.ts';

/** What the calls need. */
export interface GoogleRoutePorts {
  readonly config: Pick<Config, 'publicUrl' | 'appHost'>;
  /** Null: this server has no id at Google. */
  readonly calendars: { readonly google: GoogleDesk | null };
  readonly limiter: Limiter;
}

const PATH = '/app/api/google';
const BACK = `${PATH}/back`;
const COOKIE = 'posthaste-google';
const COOKIE_SECONDS = 900;
const BODY_BYTES = 4_096;

const NOT_SET_UP =
  'This server isn’t set up for Google. Add the calendar by its secret address in iCal format instead: Google shows it in the settings of the calendar.';
const FULL = `You have ${calendarSourceLimits.sources} calendars, and that’s the limit. Remove one first.`;

const NOTHING: GoogleCalendars = { isSetUp: false, isConnected: false, problem: null, calendars: [] };

/** A page of words alone: it has no style, no script and no link. */
function page(status: number, title: string, text: string): Response {
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">' +
    `<title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>\n`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'set-cookie': cookie('', 0, false),
    },
  });
}

const cookie = (value: string, seconds: number, isSecure: boolean): string =>
  `${COOKIE}=${value}; Path=${BACK}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

function cookieIn(header: string | null): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === COOKIE) return part.slice(at + 1).trim();
  }
  return null;
}

const NOT_CONNECTED = 'Google is not connected';
const STRANGER =
  'This answer doesn’t belong to anything that this browser began in the last fifteen minutes. Go back to Posthaste, and connect Google again from there, in this browser.';

class GoogleCalls {
  readonly #ports: GoogleRoutePorts;

  constructor(ports: GoogleRoutePorts) {
    this.#ports = ports;
  }

  async show(call: RouteCall): Promise<Response> {
    const { google } = this.#ports.calendars;
    return success(google === null ? NOTHING : await google.show(call.account().account));
  }

  async connect(call: RouteCall): Promise<Response> {
    const { google } = this.#ports.calendars;
    if (google === null) return refusal('forbidden', NOT_SET_UP);
    const { account } = call.account();
    const taken = await this.#ports.limiter.take('calendar_add', String(account));
    if (!taken.allowed)
      return refusal('rate_limited', 'You have tried many times. Wait a while, then try again.', {
        retryAfterMs: taken.retryAfterMs,
      });
    const origin = this.#origin(call.url);
    const { address, state } = await google.grants.begin(account, `${origin}${BACK}`);
    return success(
      { address },
      {
        'cache-control': 'no-store',
        'set-cookie': cookie(state, COOKIE_SECONDS, origin.startsWith('https:')),
      },
    );
  }

  async back(call: RouteCall): Promise<Response> {
    const { google } = this.#ports.calendars;
    const { searchParams } = call.url;
    const state = searchParams.get('state') ?? '';
    const taken = await this.#ports.limiter.take('calendar_feed', call.client.key);
    if (!taken.allowed)
      return page(429, NOT_CONNECTED, 'That was very often. Wait a minute, then try again.');
    if (google === null || state === '' || cookieIn(call.request.headers.get('cookie')) !== state)
      return page(400, NOT_CONNECTED, STRANGER);
    const code = searchParams.get('code');
    if (code === null)
      return page(
        200,
        NOT_CONNECTED,
        'You said no, and nothing was changed. Close this page, and go back to Posthaste.',
      );
    const done = await google.grants.complete(state, code);
    if (done === null) return page(400, NOT_CONNECTED, STRANGER);
    if (!done.ok)
      return page(502, NOT_CONNECTED, `${googleWords(done.problem.problem)} Nothing was changed.`);
    await google.connected(done.value);
    return page(
      200,
      'Google is connected',
      'Close this page, go back to Posthaste, and choose the calendars to show.',
    );
  }

  async add(call: RouteCall): Promise<Response> {
    const { google } = this.#ports.calendars;
    if (google === null) return refusal('forbidden', NOT_SET_UP);
    const read = googleChoiceSchema.safeParse(call.body ?? {});
    if (!read.success) return refusal('invalid', '"calendar" can\'t be used.', { field: 'calendar' });
    const { account } = call.account();
    const added = await google.add(account, read.data.calendar);
    if (added.ok) return await this.show(call);
    if (added.problem === 'full') return refusal('quota_reached', FULL);
    return refusal('conflict', googleWords(added.problem));
  }

  async disconnect(call: RouteCall): Promise<Response> {
    await this.#ports.calendars.google?.disconnect(call.account().account);
    return await this.show(call);
  }

  #origin(url: URL): string {
    const { publicUrl, appHost } = this.#ports.config;
    const origin = expectedOrigin(publicUrl, url);
    return appHost === null ? origin : `${new URL(origin).protocol}//${appHost}`;
  }
}

/** Routes about Google Calendar. */
export function googleRoutes(ports: GoogleRoutePorts): readonly Route[] {
  const calls = new GoogleCalls(ports);
  return [
    { ...ownCalendars, method: 'GET', path: PATH, handle: (call) => calls.show(call) },
    { ...ownCalendars, method: 'POST', path: `${PATH}/connect`, handle: (call) => calls.connect(call) },
    {
      ...ownCalendars,
      method: 'GET',
      path: BACK,
      access: { carrier: 'none', rule: { type: 'anybody' } },
      limit: null,
      handle: (call) => calls.back(call),
    },
    {
      ...ownCalendars,
      method: 'POST',
      path: `${PATH}/calendars`,
      body: { type: 'json', maxBytes: BODY_BYTES },
      handle: (call) => calls.add(call),
    },
    { ...ownCalendars, method: 'DELETE', path: PATH, handle: (call) => calls.disconnect(call) },
  ];
}
