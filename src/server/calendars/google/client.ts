// Asks Google: for tokens, for the calendars of a person, and for events, one page at a time. Addresses come from the operator's configuration. Not
// here: what is kept (grants.ts), and what the pages mean (sync.ts).
import * as z from 'zod';
import { failed, ok, type Result } from '#core/result.ts';

const DEADLINE_MS = 20_000;
const MOST_BYTES = 20 * 1_048_576;
/** Reading alone. */
const SCOPE = 'https://www.googleapis.com/auth/calendar.readonly';

/** This server's id at Google. */
export interface GoogleConfig {
  readonly id: string;
  readonly secret: string;
  /** Instead of Google's own addresses, for a server that stands in for it; null: Google's. */
  readonly base: string | null;
}

/**
 * Why Google did not give what was asked. `again`: the connection has ended, and its person has to connect anew. `token`: the access token is
 * over. `expired`: what is new can't be told, only everything.
 */
export type GoogleProblem = 'again' | 'token' | 'expired' | 'busy' | 'gone' | 'refused' | 'unreachable';

/** A problem, with the earliest time of the next question, milliseconds from now; 0: Google said none. */
export interface GoogleFailure {
  readonly problem: GoogleProblem;
  readonly afterMs: number;
}

/** An answer of Google's. */
export type GoogleAnswer<T> = Result<T, GoogleFailure>;

const tokensSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().min(0),
  refresh_token: z.string().min(1).optional(),
});
/** Tokens as Google gives them; `expires_in` in seconds. */
export type GoogleTokens = z.infer<typeof tokensSchema>;

const calendarsSchema = z.object({
  items: z
    .array(
      z.object({
        id: z.string().min(1),
        summary: z.string().optional(),
        summaryOverride: z.string().optional(),
        deleted: z.boolean().optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});

/** A page of the calendars of a person. */
export type GoogleCalendarsPage = z.infer<typeof calendarsSchema>;

const timeSchema = z.object({ date: z.string().optional(), dateTime: z.string().optional() });

const eventSchema = z.object({
  id: z.string().min(1),
  status: z.string().optional(),
  recurringEventId: z.string().optional(),
  originalStartTime: timeSchema.optional(),
  summary: z.string().optional(),
  location: z.string().optional(),
  description: z.string().optional(),
  htmlLink: z.string().optional(),
  start: timeSchema.optional(),
  end: timeSchema.optional(),
  transparency: z.string().optional(),
  visibility: z.string().optional(),
  eventType: z.string().optional(),
  attendees: z
    .array(z.object({ self: z.boolean().optional(), responseStatus: z.string().optional() }))
    .optional(),
});
/** An event as Google has it; of a canceled one there may be the id alone. */
export type GoogleEvent = z.infer<typeof eventSchema>;

const pageSchema = z.object({
  items: z.array(z.unknown()).default([]),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
});

/** A page of events. `unread`: how many could not be read. */
export interface GooglePage {
  readonly events: readonly GoogleEvent[];
  readonly unread: number;
  readonly next: string | null;
  /** On the last page alone. */
  readonly syncToken: string | null;
}

const errorSchema = z.object({
  error: z.union([
    z.string(),
    z.object({ errors: z.array(z.object({ reason: z.string().optional() })).default([]) }),
  ]),
});

const failure = (problem: GoogleProblem, afterMs = 0) => failed<GoogleFailure>({ problem, afterMs });

const BUSY_REASONS: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
]);

function problemOf(status: number, body: unknown): GoogleProblem {
  const read = errorSchema.safeParse(body);
  const error = read.success ? read.data.error : null;
  if (error === 'invalid_grant' || error === 'unauthorized_client') return 'again';
  if (status === 401) return 'token';
  if (status === 410) return 'expired';
  if (status === 404) return 'gone';
  if (status === 429 || status >= 500) return 'busy';
  const reasons = error === null || typeof error === 'string' ? [] : error.errors;
  return reasons.some(({ reason = '' }) => BUSY_REASONS.has(reason)) ? 'busy' : 'refused';
}

function afterMs(answer: Response): number {
  const seconds = Number(answer.headers.get('retry-after') ?? '');
  return Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : 0;
}

/** At most so much of an answer; null: there is more. */
async function textOf(answer: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (answer.body === null) return '';
  for await (const part of answer.body) {
    size += part.length;
    if (size > MOST_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Asks Google, or who stands in for it. */
export class GoogleClient {
  readonly #config: GoogleConfig;

  constructor(config: GoogleConfig) {
    this.#config = config;
  }

  /** Where the person says yes. `challenge`: of PKCE, S256. */
  consent(of: { readonly state: string; readonly challenge: string; readonly redirect: string }): string {
    const address = new URL(`${this.#base('https://accounts.google.com')}/o/oauth2/v2/auth`);
    const said = {
      client_id: this.#config.id,
      redirect_uri: of.redirect,
      response_type: 'code',
      scope: SCOPE,
      state: of.state,
      code_challenge: of.challenge,
      code_challenge_method: 'S256',
      // A connection that lasts, also where the person has said yes before.
      access_type: 'offline',
      prompt: 'consent',
    };
    for (const [name, value] of Object.entries(said)) address.searchParams.set(name, value);
    return address.href;
  }

  async exchange(of: {
    readonly code: string;
    readonly verifier: string;
    readonly redirect: string;
  }): Promise<GoogleAnswer<GoogleTokens>> {
    return await this.#tokens({
      grant_type: 'authorization_code',
      code: of.code,
      code_verifier: of.verifier,
      redirect_uri: of.redirect,
    });
  }

  async refresh(token: string): Promise<GoogleAnswer<GoogleTokens>> {
    return await this.#tokens({ grant_type: 'refresh_token', refresh_token: token });
  }

  /** Ends a connection at Google too. One that can't be ended there has ended here. */
  async revoke(token: string): Promise<void> {
    await this.#ask(`${this.#base('https://oauth2.googleapis.com')}/revoke`, {
      body: new URLSearchParams({ token }),
    });
  }

  /** `page`: where to go on; null: the first. */
  async calendars(access: string, page: string | null): Promise<GoogleAnswer<GoogleCalendarsPage>> {
    const query = new URLSearchParams({ maxResults: '250', ...(page === null ? {} : { pageToken: page }) });
    const answer = await this.#ask(`${this.#api}/users/me/calendarList?${query.toString()}`, { access });
    if (!answer.ok) return answer;
    const read = calendarsSchema.safeParse(answer.value);
    return read.success ? ok(read.data) : failure('refused');
  }

  /** `asked`: the parameters of the first page, the same for all pages. */
  async events(
    access: string,
    calendar: string,
    asked: Readonly<Record<string, string>>,
  ): Promise<GoogleAnswer<GooglePage>> {
    const query = new URLSearchParams(asked);
    const path = `${this.#api}/calendars/${encodeURIComponent(calendar)}/events?${query.toString()}`;
    const answer = await this.#ask(path, { access });
    if (!answer.ok) return answer;
    const read = pageSchema.safeParse(answer.value);
    if (!read.success) return failure('refused');
    const { items, nextPageToken: next = null, nextSyncToken: syncToken = null } = read.data;
    const events = items.flatMap((item) => {
      const event = eventSchema.safeParse(item);
      return event.success ? [event.data] : [];
    });
    return ok({ events, unread: items.length - events.length, next, syncToken });
  }

  get #api(): string {
    return `${this.#base('https://www.googleapis.com')}/calendar/v3`;
  }

  #base(google: string): string {
    return this.#config.base ?? google;
  }

  async #tokens(more: Readonly<Record<string, string>>): Promise<GoogleAnswer<GoogleTokens>> {
    const { id, secret } = this.#config;
    const body = new URLSearchParams({ client_id: id, client_secret: secret, ...more });
    const answer = await this.#ask(`${this.#base('https://oauth2.googleapis.com')}/token`, { body });
    if (!answer.ok) return answer;
    const read = tokensSchema.safeParse(answer.value);
    return read.success ? ok(read.data) : failure('refused');
  }

  /** With a body: POST. Never rejects. */
  async #ask(
    address: string,
    { access, body }: { readonly access?: string; readonly body?: URLSearchParams },
  ): Promise<GoogleAnswer<unknown>> {
    try {
      const answer = await fetch(address, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
        },
        ...(body === undefined ? {} : { body }),
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const text = await textOf(answer);
      if (text === null) return failure('refused');
      const read = jsonIn(text);
      return answer.ok ? ok(read) : failure(problemOf(answer.status, read), afterMs(answer));
    } catch {
      // No answer, or half of one.
      return failure('unreachable');
    }
  }
}

/** Undefined: it is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A page of a proxy, or an empty answer.
    return undefined;
  }
}
