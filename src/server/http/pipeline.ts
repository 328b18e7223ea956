// The steps around every handler, in this order: host, origin, actor, permission, rate limit, body; then the answer gets
// its headers, its compression and its log line. A handler sees only requests that passed.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { must } from '#core/assert.ts';
import type { Clock } from '#sync/replica/ports.ts';
import {
  actorOf,
  type ActorPorts,
  anonymous,
  beforeRoles,
  loadActor,
  type LoadedActor,
} from '../access/actor.ts';
import { authorise, type AccountActor, type Decision } from '../access/authorise.ts';
import { type Lapse, refuseNew } from '../billing/lapse.ts';
import type { Config } from '../config.ts';
import { NoRoomError, storageTrouble } from '../data/storage-trouble.ts';
import type { Limiter } from '../limits/rates.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { refusal } from './answer.ts';
import { readBody, readParameters } from './body.ts';
import type { ClientAddress } from './client.ts';
import type { AskedPlainly, KeptAnswers } from './kept-answers.ts';
import { compressed, compressText } from './compress.ts';
import type { SessionCookie } from './cookie.ts';
import { securityHeaders } from './headers.ts';
import { expectedOrigin, isLoopbackName, originProblem } from './origin.ts';
import { type Arriving, isBrokenOff, type Patience } from './patience.ts';
import type { Answer, CookieChange, Route, RouteCall } from './route.ts';
import { TextAnswer } from './text-answer.ts';

/** What the pipeline needs around handlers. */
export interface PipelinePorts extends ActorPorts {
  readonly config: Config;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly cookie: SessionCookie;
  /** Null: no plan ever lapses. */
  readonly billing: Lapse | null;
  readonly kept: KeptAnswers;
  readonly patience: Pick<Patience, 'allowUpload'>;
  /** Called when a request failed because the disk is full. */
  readonly foundNoRoom: () => void;
  /** Determines the client of a connection. */
  readonly clientOf: (connection: string, forwarded: string | null) => ClientAddress;
}

/** The connection's details from the Node adapter. */
export interface Connection {
  readonly incoming?: Pick<IncomingMessage, 'socket'> &
    Partial<AskedPlainly> &
    Partial<AsyncIterable<Uint8Array>> &
    Arriving;
  readonly outgoing?: ServerResponse;
}

interface Entering {
  readonly request: Request;
  readonly url: URL;
  readonly route: Route;
  readonly client: ClientAddress;
  readonly incoming: Connection['incoming'];
  /** On the monotonic clock. */
  readonly startedAt: number;
}

/** The bytes of a request as they arrive. A reader that stops early does not abort the request: an answer follows. */
function iterableOf(incoming: Connection['incoming']): AsyncIterable<Uint8Array> | undefined {
  return incoming instanceof Readable ? incoming.iterator({ destroyOnReturn: false }) : undefined;
}

interface Passed {
  readonly loaded: LoadedActor;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

interface Stopped {
  readonly loaded: LoadedActor;
  readonly response: Response;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const JSON_TYPE = 'application/json';
/** Headers that a program in a browser may read. */
const EXPOSED = 'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id';

/** Sixteen random hexadecimal digits. A UUID is cut from random bytes kept in store, which costs a tenth of asking for them. */
function requestId(): string {
  const uuid = randomUUID();
  return uuid.slice(0, 8) + uuid.slice(-8);
}

const nobody: LoadedActor = { actor: anonymous, found: null };
const nothingHere = () => refusal('not_found', "There's nothing at this address.");

const STORAGE_RETRY_MS = 5_000;

/** The answer to a failure of ours: the storage, which may recover, or a defect. */
function failureAnswer(error: unknown, reference: string, { steps }: Pick<Route, 'steps'>): Response {
  const trouble = storageTrouble(error);
  const changed = steps ?? 'Nothing was changed.';
  if (trouble === 'full')
    return refusal('storage_full', `The server's disk is full. ${changed}`, {
      retryAfterMs: STORAGE_RETRY_MS,
    });
  if (trouble === 'read_only')
    return refusal('busy', `The server is read-only right now. ${changed} Try again later.`, {
      retryAfterMs: STORAGE_RETRY_MS,
    });
  if (trouble === 'unavailable')
    return refusal('busy', "The server can't reach its data right now. Try again.", {
      retryAfterMs: STORAGE_RETRY_MS,
    });
  return refusal('internal', `Something went wrong on our side. Reference: ${reference}`);
}

/** Status for requests whose client hung up, as proxies use it; only the log and the metrics see it. */
const HUNG_UP = 499;
const hungUp = () => new Response(null, { status: HUNG_UP });

/** A body that takes longer may outlive a session that ends on another server. */
const HELD_MS = 100;

/** A foreign page, under its own host name, can reach this machine from a browser on it. */
const ruleOf = (route: Route, client: ClientAddress, url: URL) =>
  ({
    type: 'route',
    rule: route.access.rule,
    fromThisMachine: client.isThisMachine && isLoopbackName(url.hostname),
  }) as const;

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

function bearerToken(header: string | null): string | null {
  return BEARER.exec(header ?? '')?.[1] ?? null;
}

function refuse(decision: Decision & { readonly allowed: false }, route: Pick<Route, 'access'>): Response {
  if (decision.as === 'hidden') return nothingHere();
  if (decision.as === 'unconfirmed') return refusal('confirm_first', "Confirm it's you first.");
  if (decision.as === 'forbidden') return refusal('forbidden', "You're not allowed to do that.");
  return route.access.carrier === 'bearer'
    ? refusal('unauthorized', 'The token is missing or invalid.', {
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

/** Whether this host serves this route. */
function isHere({ site }: Route, host: string, { apiHost, appHost, filesHost }: Config): boolean {
  if (site === 'any') return true;
  if (site === 'public') return host !== apiHost && host !== filesHost;
  if (site === 'api') return apiHost === null || host === apiHost;
  return host !== apiHost && (appHost === null || host === appHost);
}

/** Replaces a refusal by a page: a person without scripts can do nothing with JSON. */
function shownAs(request: Request, { shown }: Route, answer: Answer): Answer {
  const page = answer.response.status >= 400 ? shown?.(request) : null;
  return page ? { ...answer, response: page } : answer;
}

async function compressedFor(
  request: Request,
  response: Response | TextAnswer,
): Promise<Response | TextAnswer> {
  const accepted = request.headers.get('accept-encoding');
  if (response instanceof Response) return await compressed(response, accepted);
  await compressText(response, accepted);
  return response;
}

class Pipeline {
  readonly #ports: PipelinePorts;

  constructor(ports: PipelinePorts) {
    this.#ports = ports;
  }

  async run(context: Context, route: Route): Promise<Response> {
    const { clock } = this.#ports;
    const startedAt = clock.monotonic();
    const { incoming, outgoing } = (context.env ?? {}) as Connection;
    if (route.body.type === 'stream' && incoming) this.#ports.patience.allowUpload(incoming);
    const id = requestId();
    const request = context.req.raw;
    const url = new URL(request.url);
    let loaded = nobody;
    let response: Response | TextAnswer;
    try {
      const answered = await this.#answer(context, route, { request, url, startedAt });
      loaded = answered.loaded;
      // The result of half a request is meaningless.
      const answer: Answer = isBrokenOff(incoming) ? { response: hungUp(), cookie: 'keep' } : answered.answer;
      response = await this.#finish(request, url, route, shownAs(request, route, answer));
    } catch (error) {
      const failed = isBrokenOff(incoming) ? hungUp() : this.#failed(error, id, route);
      const answer: Answer = { response: failed, cookie: 'keep' };
      response = await this.#finish(request, url, route, shownAs(request, route, answer));
    }
    if (route.isKept && incoming?.headers && response instanceof Response)
      response = await this.#ports.kept.keep(
        { method: incoming.method, url: incoming.url, headers: incoming.headers },
        `${route.method} ${route.path}`,
        response,
      );
    response.headers.set('x-request-id', id);
    this.#record(request, route, { id, loaded, status: response.status, ms: clock.monotonic() - startedAt });
    if (response instanceof Response) return response;
    if (outgoing === undefined) return response.toResponse();
    response.sendTo(outgoing);
    return RESPONSE_ALREADY_SENT;
  }

  #failed(error: unknown, id: string, route: Route): Response {
    const { log, foundNoRoom } = this.#ports;
    log.error('request_failed', { request: id, ...errorDetail(error) });
    // A write refused in advance does not justify giving up the ballast.
    if (storageTrouble(error) === 'full' && !(error instanceof NoRoomError)) foundNoRoom();
    return failureAnswer(error, id, route);
  }

  async #answer(
    context: Context,
    route: Route,
    {
      request,
      url: asked,
      startedAt,
    }: { readonly request: Request; readonly url: URL; readonly startedAt: number },
  ): Promise<{ answer: Answer; loaded: LoadedActor }> {
    const { incoming } = (context.env ?? {}) as Connection;
    const connection = incoming?.socket.remoteAddress ?? '';
    const client = this.#ports.clientOf(connection, request.headers.get('x-forwarded-for'));
    const entered = await this.#enter({ request, url: asked, route, client, incoming, startedAt });
    const { loaded } = entered;
    const replacement = loaded.found?.replacement ?? null;
    const cookie: CookieChange = replacement === null ? 'keep' : { token: replacement };
    if ('response' in entered) return { loaded, answer: { response: entered.response, cookie } };
    const isInAddress = entered.body instanceof URLSearchParams;
    const url = isInAddress ? new URL(asked) : asked;
    if (entered.body instanceof URLSearchParams)
      for (const [name, value] of entered.body) url.searchParams.append(name, value);
    const call: RouteCall = {
      request,
      url,
      params: context.req.param() as Readonly<Record<string, string>>,
      body: isInAddress ? undefined : entered.body,
      actor: loaded.actor,
      session: loaded.found,
      waitedMs: () => this.#ports.clock.monotonic() - startedAt,
      refusedNow: async () => {
        const permission = authorise(
          (await this.#askAgain(request, route, loaded)).actor,
          ruleOf(route, client, url),
        );
        return permission.allowed ? null : refuse(permission, route);
      },
      client: { ...client, userAgent: (request.headers.get('user-agent') ?? '').slice(0, 400) },
      account: (): AccountActor =>
        must(
          loaded.actor.type === 'account' ? loaded.actor : null,
          'a route that demands an account has one',
        ),
    };
    const handled = await route.handle(call);
    const isAlone = handled instanceof Response || handled instanceof TextAnswer;
    const answer = isAlone ? { response: handled, cookie } : handled;
    for (const [name, value] of Object.entries(entered.headers)) answer.response.headers.set(name, value);
    return { loaded, answer };
  }

  async #enter({ request, url, route, client, incoming, startedAt }: Entering): Promise<Passed | Stopped> {
    const { config } = this.#ports;
    if (!isHere(route, url.host, config)) return { loaded: nobody, response: nothingHere() };
    if (route.access.carrier === 'cookie') {
      const problem = originProblem(request, expectedOrigin(config.publicUrl, url));
      if (problem !== null) return { loaded: nobody, response: refusal('wrong_origin', problem) };
    }
    const rule = ruleOf(route, client, url);
    const hasBody = route.body.type !== 'none';
    const loaded = await this.#whoAsks(request, route, hasBody ? 'identity' : 'all');
    const decision = authorise(loaded.actor, rule);
    if (!decision.allowed) return { loaded, response: refuse(decision, route) };
    const limited = await this.#limited(route, loaded, client);
    if (limited instanceof Response) return { loaded, response: limited };
    const lapsed = await this.#lapsed(route, loaded);
    if (lapsed !== null) return { loaded, response: lapsed };
    const read =
      route.body.type === 'parameters' && request.method === 'GET'
        ? await readParameters(iterableOf(incoming), request, route.body.maxBytes)
        : await readBody(request, route.body);
    if (!read.ok) return { loaded, response: read.problem };
    if (loaded.found === null || !hasBody) return { loaded, body: read.value, headers: limited };
    // A body takes as long as its sender likes. What ended meanwhile, a session or a permission, does not get in.
    const isHeld = this.#ports.clock.monotonic() - startedAt >= HELD_MS;
    const now = await (isHeld
      ? this.#askAgain(request, route, loaded)
      : this.#withRoles(request, route, loaded));
    const { replacement } = loaded.found;
    const still = now.found && replacement !== null ? { ...now, found: { ...now.found, replacement } } : now;
    const permission = authorise(still.actor, rule);
    return permission.allowed
      ? { loaded: still, body: read.value, headers: limited }
      : { loaded: still, response: refuse(permission, route) };
  }

  /** After permission: who may not do it at all is told that. */
  async #lapsed({ adds }: Route, { actor }: LoadedActor): Promise<Response | null> {
    if (adds !== true || actor.type !== 'account') return null;
    return refuseNew(this.#ports.billing, actor.account);
  }

  /** From the database: another server may have ended the session, and its word takes a moment. */
  #askAgain(request: Request, route: Route, { found }: LoadedActor): Promise<LoadedActor> {
    if (found !== null) this.#ports.sessions.forget([found.session.id]);
    return this.#whoAsks(request, route);
  }

  /** Of somebody known: the session is looked at once more, and roles are read for the first time. */
  async #withRoles(request: Request, route: Route, { found }: LoadedActor): Promise<LoadedActor> {
    if (found === null || !this.#ports.sessions.stillHolds(found.session))
      return this.#whoAsks(request, route);
    return { actor: await actorOf(this.#ports, found), found };
  }

  /** `identity`: without roles, for questions that none of them decides. */
  async #whoAsks(request: Request, route: Route, what: 'all' | 'identity' = 'all'): Promise<LoadedActor> {
    const { carrier, rule } = route.access;
    if (carrier === 'none') return nobody;
    const kind = rule.type === 'account' ? rule.kind : carrier === 'cookie' ? 'web' : 'api';
    const token =
      carrier === 'cookie'
        ? this.#ports.cookie.read(request.headers.get('cookie'))
        : bearerToken(request.headers.get('authorization'));
    if (what === 'all') return loadActor(this.#ports, token, kind);
    const found = token === null ? null : await this.#ports.sessions.find(token, kind);
    return found === null ? nobody : { actor: beforeRoles(found, this.#ports.clock.now()), found };
  }

  /** The refusal when over the limit, or headers about the remaining calls. */
  async #limited(
    route: Route,
    { actor, found }: LoadedActor,
    client: ClientAddress,
  ): Promise<Response | Readonly<Record<string, string>>> {
    if (route.limit === null) return {};
    const taken = await this.#ports.limiter.take(
      route.limit,
      actor.type === 'account' ? String(actor.account) : client.key,
      found?.account.rates,
    );
    if (taken.allowed) return rateHeaders(taken);
    const { limit, retryAfterMs } = taken;
    const headers = rateHeaders({ limit, remaining: 0, resetMs: retryAfterMs });
    return refusal('rate_limited', 'Too many requests. Try again later.', { retryAfterMs, headers });
  }

  /** Adds every header that all routes of this kind share. */
  async #finish(
    request: Request,
    url: URL,
    route: Route,
    { response, cookie, inline, headers: own }: Answer,
  ): Promise<Response | TextAnswer> {
    const done = route.compress ? await compressedFor(request, response) : response;
    const { headers } = done;
    const isJson = (headers.get('content-type') ?? JSON_TYPE).startsWith(JSON_TYPE);
    const origin = expectedOrigin(this.#ports.config.publicUrl, url);
    const isForPeople = route.site === 'app' || route.site === 'public';
    // Uploaded content may do nothing, wherever it is opened.
    const isDownload = headers.has('content-disposition');
    const kind = own ?? (isForPeople && !isJson && !isDownload ? 'app' : 'data');
    // The app reads the picture of a device that gets the key.
    const needs = { inline, hasCamera: kind === 'app' && route.site === 'app' };
    for (const [name, value] of Object.entries(securityHeaders(kind, origin, needs)))
      if (name !== 'referrer-policy' || !headers.has(name)) headers.set(name, value);
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    const { apiHost } = this.#ports.config;
    if (route.site === 'api' || (apiHost !== null && url.host === apiHost)) {
      headers.set('access-control-allow-origin', '*');
      headers.set('access-control-expose-headers', EXPOSED);
    }
    if (route.access.carrier === 'cookie' && cookie !== 'keep')
      headers.append('set-cookie', this.#ports.cookie.write(cookie === 'remove' ? null : cookie.token));
    return done;
  }

  #record(
    request: Request,
    route: Route,
    { id, loaded, status, ms }: { id: string; loaded: LoadedActor; status: number; ms: number },
  ): void {
    const template = `${route.method} ${route.path}`;
    this.#ports.metrics.request(template, status, ms / 1_000);
    this.#ports.log.request({
      id,
      method: METHODS.has(request.method) ? request.method : 'OTHER',
      route: template,
      status,
      ms,
      account: loaded.actor.type === 'account' ? loaded.actor.account : null,
      bytes: Number(request.headers.get('content-length')) || null,
    });
  }
}

export type RunRoute = (context: Context, route: Route) => Promise<Response>;

/** Runs a route with all steps around its handler. */
export function createPipeline(ports: PipelinePorts): RunRoute {
  const pipeline = new Pipeline(ports);
  return (context, route) => pipeline.run(context, route);
}
