// A server that stands in for Google: saying yes, tokens with PKCE, calendars and events in pages, what is new since a token, and everything that can
// be refused. What it has is said by the test.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event as Google sends it. */
export type SentEvent = Readonly<Record<string, unknown>> & { readonly id: string };

export interface GoogleServer {
  readonly origin: string;
  /** Calls of the calendar, in order: `GET /calendar/v3/…`. */
  readonly asked: URL[];
  /** Tokens that were ended by us. */
  readonly revoked: string[];
  /** How many access tokens were given out. */
  tokens: number;
  /** Events of a page. */
  perPage: number;
  /** Answers the next calls of the calendar instead, one each. */
  readonly instead: { readonly status: number; readonly reason?: string; readonly after?: number }[];
  /** Sets or adds an event; each change is news. */
  set(calendar: string, event: SentEvent): void;
  /** What is left of a deleted one in the news is its id. */
  cancel(calendar: string, id: string): void;
  /** Deletes without news: only a whole reading shows it. */
  lose(calendar: string, id: string): void;
  /** From now on it can't say what is new since any earlier token. */
  forgetNews(): void;
  /** All access tokens are over. */
  endAccess(): void;
  /** The person has ended the connection at Google. */
  endGrant(): void;
  /** Where Google sends the person back, who says yes. */
  sayYes(consent: string): string;
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly redirect: string;
}

class FakeGoogle {
  readonly asked: URL[] = [];
  readonly revoked: string[] = [];
  readonly instead: { readonly status: number; readonly reason?: string; readonly after?: number }[] = [];
  tokens = 0;
  perPage = 2;
  readonly #codes = new Map<string, Grant>();
  readonly #access = new Set<string>();
  #refresh: string | null = null;
  readonly #calendars = new Map<string, Map<string, { readonly event: SentEvent; readonly at: number }>>();
  #at = 1;
  #oldest = 0;

  constructor() {
    for (const id of ['ida@example.org', 'team', 'third']) this.#calendars.set(id, new Map());
  }

  set(calendar: string, event: SentEvent): void {
    this.#at += 1;
    this.#calendars.get(calendar)?.set(event.id, { event, at: this.#at });
  }

  cancel(calendar: string, id: string): void {
    this.set(calendar, { id, status: 'cancelled' });
  }

  lose(calendar: string, id: string): void {
    this.#calendars.get(calendar)?.delete(id);
  }

  forgetNews(): void {
    this.#at += 1;
    this.#oldest = this.#at;
  }

  endAccess(): void {
    this.#access.clear();
  }

  endGrant(): void {
    this.#access.clear();
    this.#refresh = null;
  }

  sayYes(consent: string): string {
    const { searchParams } = new URL(consent);
    const code = randomUUID();
    const redirect = searchParams.get('redirect_uri') ?? '';
    this.#codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', redirect });
    const back = new URL(redirect);
    back.searchParams.set('code', code);
    back.searchParams.set('state', searchParams.get('state') ?? '');
    return back.href;
  }

  async answer(request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
    const url = new URL(request.url ?? '', origin);
    // Whoever comes here by a browser says yes.
    if (url.pathname === '/o/oauth2/v2/auth')
      return void response.writeHead(302, { location: this.sayYes(url.href) }).end();
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    if (url.pathname === '/token') return send(...this.#token(form));
    if (url.pathname === '/revoke') {
      this.revoked.push(form.get('token') ?? '');
      this.endGrant();
      return send(200, {});
    }
    this.asked.push(url);
    const instead = this.instead.shift();
    if (instead !== undefined)
      return send(
        instead.status,
        { error: { code: instead.status, errors: [{ reason: instead.reason ?? '' }] } },
        instead.after === undefined ? {} : { 'retry-after': String(instead.after) },
      );
    const bearer = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (!this.#access.has(bearer)) return send(401, { error: { code: 401, errors: [] } });
    return send(...this.#calendar(url));
  }

  #token(form: URLSearchParams): [number, unknown] {
    if (form.get('client_id') !== 'our-id' || form.get('client_secret') !== 'our-secret')
      return [401, { error: 'invalid_client' }];
    if (form.get('grant_type') === 'refresh_token') {
      if (this.#refresh === null || form.get('refresh_token') !== this.#refresh)
        return [400, { error: 'invalid_grant' }];
      return [200, this.#newAccess()];
    }
    const code = form.get('code') ?? '';
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant === undefined || grant.challenge !== challenge || grant.redirect !== form.get('redirect_uri'))
      return [400, { error: 'invalid_grant' }];
    this.#refresh = `refresh-${randomUUID()}`;
    return [200, { ...this.#newAccess(), refresh_token: this.#refresh }];
  }

  #newAccess() {
    const access = `access-${randomUUID()}`;
    this.tokens += 1;
    this.#access.add(access);
    return { access_token: access, expires_in: 3_600, token_type: 'Bearer' };
  }

  #calendar({ pathname, searchParams }: URL): [number, unknown] {
    const from = Number(searchParams.get('pageToken') ?? '0');
    if (pathname.endsWith('/users/me/calendarList')) {
      const items = [...this.#calendars.keys()].map((id) => ({ id, summary: `Calendar ${id}` }));
      const next = from + this.perPage < items.length ? { nextPageToken: String(from + this.perPage) } : {};
      return [200, { items: items.slice(from, from + this.perPage), ...next }];
    }
    const [, name = ''] = /\/calendars\/([^/]+)\/events$/.exec(pathname) ?? [];
    const events = this.#calendars.get(decodeURIComponent(name));
    if (events === undefined) return [404, { error: { code: 404, errors: [] } }];
    const sync = searchParams.get('syncToken');
    // As Google: what is new can't be asked for within a window.
    if (sync !== null && (searchParams.has('timeMin') || searchParams.has('timeMax')))
      return [400, { error: { code: 400, errors: [{ reason: 'badRequest' }] } }];
    if (sync !== null && Number(sync) < this.#oldest) return [410, { error: { code: 410, errors: [] } }];
    const all = [...events.values()]
      .filter(({ at, event }) => (sync === null ? event['status'] !== 'cancelled' : at > Number(sync)))
      .map(({ event }) => event);
    const items = all.slice(from, from + this.perPage);
    const isLast = from + this.perPage >= all.length;
    return [
      200,
      {
        items,
        ...(isLast ? { nextSyncToken: String(this.#at) } : { nextPageToken: String(from + this.perPage) }),
      },
    ];
  }
}

export async function startGoogleServer(): Promise<GoogleServer> {
  const google = new FakeGoogle();
  let origin = '';
  const server = createServer((request, response) => void google.answer(request, response, origin));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(google, {
    origin,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  });
}
