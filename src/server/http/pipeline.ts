// What happens around every handler, in this order: host, origin, who asks, may they, how often, body; then the answer
// gets its headers, its compression and its log line. A handler sees only requests that passed.
import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { must } from '#core/assert.ts';
import type { Clock } from '#sync/ports.ts';
import { loadActor, type ActorPorts, anonymous, type LoadedActor } from '../access/actor.ts';
import { authorise, type AccountActor, type Decision } from '../access/authorise.ts';
import type { Config } from '../config.ts';
import type { Limiter } from '../limits/rates.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { refusal } from './answer.ts';
import { readBody } from './body.ts';
import type { ClientAddress } from './client.ts';
import { compressed } from './compress.ts';
import type { SessionCookie } from './cookie.ts';
import { securityHeaders } from './headers.ts';
import { expectedOrigin, originProblem } from './origin.ts';
import type { Answer, CookieChange, Route, RouteCall } from './route.ts';

export interface PipelinePorts extends ActorPorts {
  readonly config: Config;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly cookie: SessionCookie;
  /** Reads the address of a connection. */
  readonly clientOf: (connection: string, forwarded: string | null) => ClientAddress;
}

/** What the Node adapter knows about a connection. */
export interface Connection {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string } };
}

interface Passed {
  readonly loaded: LoadedActor;
  readonly body: unknown;
}

interface Stopped {
  readonly loaded: LoadedActor;
  readonly response: Response;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

export function bearerToken(header: string | null): string | null {
  return BEARER.exec(header ?? '')?.[1] ?? null;
}

function refuse(decision: Decision & { readonly allowed: false }, route: Pick<Route, 'access'>): Response {
  if (decision.as === 'hidden') return refusal('not_found', 'There is nothing here.');
  if (decision.as === 'forbidden') return refusal('forbidden', 'This is not allowed.');
  return route.access.carrier === 'bearer'
    ? refusal('unauthorized', 'The token is missing or not valid.', {
        headers: { 'www-authenticate': 'Bearer' },
      })
    : refusal('signed_out', 'Sign in first.');
}

function rateHeaders(taken: {
  limit: number;
  remaining: number;
  resetMs: number;
}): Readonly<Record<string, string>> {
  if (taken.limit === 0) return {};
  return {
    'ratelimit-limit': String(taken.limit),
    'ratelimit-remaining': String(taken.remaining),
    'ratelimit-reset': String(Math.ceil(taken.resetMs / 1_000)),
  };
}

export function createPipeline(ports: PipelinePorts) {
  const { config, clock, limiter, log, metrics, cookie } = ports;

  /** Whether this host answers this route at all. */
  function isHere(route: Route, host: string): boolean {
    if (route.site === 'any') return true;
    const isApi = host === config.apiHost;
    if (route.site === 'api') return isApi || config.apiHost === null;
    return !isApi && (config.appHost === null || host === config.appHost);
  }

  function tokenOf(request: Request, route: Route): string | null {
    if (route.access.carrier === 'cookie') return cookie.read(request.headers.get('cookie'));
    return route.access.carrier === 'bearer' ? bearerToken(request.headers.get('authorization')) : null;
  }

  async function whoAsks(request: Request, route: Route): Promise<LoadedActor> {
    const { carrier, rule } = route.access;
    if (carrier === 'none') return { actor: anonymous, found: null };
    const kind = rule.type === 'account' ? rule.kind : carrier === 'cookie' ? 'web' : 'api';
    return loadActor(ports, tokenOf(request, route), kind);
  }

  async function enter(request: Request, route: Route, client: ClientAddress): Promise<Passed | Stopped> {
    const nobody: LoadedActor = { actor: anonymous, found: null };
    const url = new URL(request.url);
    if (!isHere(route, url.host))
      return { loaded: nobody, response: refusal('not_found', 'There is nothing here.') };
    if (route.access.carrier === 'cookie') {
      const problem = originProblem(request, expectedOrigin(config.publicUrl, url));
      if (problem !== null) return { loaded: nobody, response: refusal('wrong_origin', problem) };
    }
    const loaded = await whoAsks(request, route);
    const { actor } = loaded;
    const decision = authorise(actor, {
      type: 'route',
      rule: route.access.rule,
      fromThisMachine: client.isThisMachine,
    });
    if (!decision.allowed) return { loaded, response: refuse(decision, route) };
    if (route.limit !== null) {
      const taken = limiter.take(route.limit, actor.type === 'account' ? String(actor.account) : client.key);
      if (!taken.allowed) {
        const headers = rateHeaders({ limit: taken.limit, remaining: 0, resetMs: taken.retryAfterMs });
        const message = 'Too many requests. Try again later.';
        return {
          loaded,
          response: refusal('rate_limited', message, { retryAfterMs: taken.retryAfterMs, headers }),
        };
      }
    }
    const read = await readBody(request, route.body);
    return read.ok ? { loaded, body: read.body } : { loaded, response: read.response };
  }

  async function answer(
    context: Context,
    route: Route,
    request: Request,
  ): Promise<{ answer: Answer; loaded: LoadedActor }> {
    const connection = (context.env as Connection | undefined)?.incoming?.socket.remoteAddress ?? '';
    const client = ports.clientOf(connection, request.headers.get('x-forwarded-for'));
    const entered = await enter(request, route, client);
    const { loaded } = entered;
    const replacement = loaded.found?.replacement ?? null;
    const change: CookieChange = replacement === null ? 'keep' : { token: replacement };
    if ('response' in entered) return { loaded, answer: { response: entered.response, cookie: change } };
    const call: RouteCall = {
      request,
      url: new URL(request.url),
      params: context.req.param() as Readonly<Record<string, string>>,
      body: entered.body,
      actor: loaded.actor,
      session: loaded.found,
      client: { ...client, userAgent: (request.headers.get('user-agent') ?? '').slice(0, 400) },
      account: (): AccountActor =>
        must(
          loaded.actor.type === 'account' ? loaded.actor : null,
          'a route that demands an account has one',
        ),
    };
    const handled = await route.handle(call);
    if (handled instanceof Response) return { loaded, answer: { response: handled, cookie: change } };
    return { loaded, answer: handled };
  }

  /** The answer as it leaves: with every header that is the same for all routes of its kind. */
  async function finish(
    request: Request,
    route: Route,
    { response, cookie: change }: Answer,
  ): Promise<Response> {
    const done = route.compress
      ? await compressed(response, request.headers.get('accept-encoding'))
      : response;
    const { headers } = done;
    const isFile =
      !(headers.get('content-type') ?? 'application/json').startsWith('application/json') &&
      route.site === 'app';
    const origin = expectedOrigin(config.publicUrl, new URL(request.url));
    for (const [name, value] of Object.entries(securityHeaders(isFile ? 'app' : 'data', origin)))
      headers.set(name, value);
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    if (route.site === 'api') headers.set('access-control-allow-origin', '*');
    if (route.access.carrier === 'cookie' && change !== 'keep')
      headers.append('set-cookie', cookie.write(change === 'remove' ? null : change.token));
    return done;
  }

  return async (context: Context, route: Route): Promise<Response> => {
    const startedAt = clock.monotonic();
    const id = randomBytes(8).toString('hex');
    const request = context.req.raw;
    let loaded: LoadedActor = { actor: anonymous, found: null };
    let response: Response;
    try {
      const answered = await answer(context, route, request);
      loaded = answered.loaded;
      response = await finish(request, route, answered.answer);
    } catch (error) {
      log.error('request_failed', { request: id, ...errorDetail(error) });
      const message = `Something went wrong on our side. Reference: ${id}`;
      response = await finish(request, route, { response: refusal('internal', message), cookie: 'keep' });
    }
    response.headers.set('x-request-id', id);
    const ms = clock.monotonic() - startedAt;
    const template = `${route.method} ${route.path}`;
    metrics.request(template, response.status, ms / 1_000);
    log.request({
      id,
      method: METHODS.has(request.method) ? request.method : 'OTHER',
      route: template,
      status: response.status,
      ms,
      account: loaded.actor.type === 'account' ? loaded.actor.account : null,
      bytes: Number(request.headers.get('content-length')) || null,
    });
    return response;
  };
}
