// Routes of the public API: every call of wire/api/endpoints.ts except those of sessions and of the public site, at the
// root and under /api, for bearer tokens with the right access.
import { apiLimits } from '#wire/api/requests.ts';
import { endpoints, type Endpoint, type EndpointName, type SiteCallName } from '#wire/api/endpoints.ts';
import { openApiDocument } from '#wire/api/openapi.ts';
import type { Route, RouteCall } from '../http/route.ts';
import { apiCalls } from '#api/calls.ts';
import { createHandlerContext } from '#api/handler-context.ts';
import type { ApiAnswer, ApiPlan, PlanOffice } from '#api/ports.ts';
import { isProblem } from '#api/problem.ts';
import { createSearching } from '#api/searching.ts';
import type { AccountActor } from '../access/authorise.ts';
import { refusal, quickSuccess } from '../http/answer.ts';
import type { Exchange } from '../sync/exchange.ts';
import { EventHandlers } from './events.ts';
import { MacroHandlers } from './macros.ts';
import { PublicLinkHandlers } from './public-links.ts';
import type { ServerApiPorts } from './server-context.ts';
import type { TextAnswer } from '../http/text-answer.ts';

type DataCall = Exclude<EndpointName, 'signIn' | 'signUp' | 'signOut' | SiteCallName>;

interface Writes {
  readonly exchange: Pick<Exchange, 'carryOut'>;
}

type Given = Omit<ServerApiPorts, 'plans' | 'searching'> & Writes & Parameters<typeof createSearching>[0];

/** Writes of calls, on the one write path. */
const officeOf = (exchange: Writes['exchange']): PlanOffice => ({
  carryOut: (actor: AccountActor, device, { scopes, rows, decide }: ApiPlan) =>
    exchange.carryOut(actor, device, {
      scopes,
      want: { rows, ancestors: [], siblings: [] },
      decide,
    }),
});

function responseOf(answered: ApiAnswer): Response | TextAnswer {
  if (!isProblem(answered)) return quickSuccess(answered.body, answered.status);
  const { problem: code, message, field } = answered;
  return refusal(code, message, field === undefined ? {} : { field });
}

/** The routes of the public API, its OpenAPI document included. */
export function apiRoutes(ports: Given): readonly Route[] {
  const searching = createSearching(ports);
  const server = { ...ports, searching, plans: officeOf(ports.exchange) };
  const context = { ...server, ...createHandlerContext(server) };
  const links = new PublicLinkHandlers(context);
  const macros = new MacroHandlers(context);
  const events = new EventHandlers(context);
  const handlers: Readonly<Record<DataCall, (call: RouteCall) => Promise<ApiAnswer>>> = {
    ...apiCalls(context),
    listPublicLinks: (call) => links.list(call),
    createPublicLink: (call) => links.create(call),
    updatePublicLink: (call) => links.update(call),
    deletePublicLink: (call) => links.remove(call),
    listEvents: (call) => events.list(call),
    createMacroRun: (call) => macros.start(call),
    getMacroRun: (call) => macros.get(call),
  };
  const data = Object.entries(handlers).flatMap(([name, handle]) => {
    const endpoint: Endpoint = endpoints[name as DataCall];
    return PREFIXES.map((prefix) =>
      routeOf(endpoint, prefix, {
        handle: async (call) => responseOf(await handle(call)),
        ...(endpoint.adds === true ? { adds: true } : {}),
      }),
    );
  });
  return [...data, ...PREFIXES.map((prefix) => documentRoute(prefix, ports.config.billing !== null))];
}

/** The API answers at the root of its host and under /api. */
const PREFIXES = ['', '/api'];

/** The OpenAPI document; it contains nothing secret. */
function documentRoute(prefix: string, hasBilling: boolean): Route {
  let text: string | undefined;
  return {
    method: 'GET',
    path: `${prefix}/openapi.json`,
    access: { carrier: 'none', rule: { type: 'anybody' } },
    site: 'api',
    limit: null,
    body: { type: 'none' },
    compress: true,
    handle: () => {
      text ??= JSON.stringify(openApiDocument(hasBilling));
      return new Response(text, { headers: { 'content-type': 'application/json; charset=utf-8' } });
    },
  };
}

function routeOf(endpoint: Endpoint, prefix: string, given: Pick<Route, 'handle' | 'adds'>): Route {
  const { method, path, access, limit, query, body } = endpoint;
  return {
    method,
    path: `${prefix}${path}`,
    access: { carrier: 'bearer', rule: { type: 'account', kind: 'api', access: access ?? 'write' } },
    site: 'api',
    limit,
    body:
      body === undefined
        ? query === undefined
          ? { type: 'none' }
          : { type: 'parameters', maxBytes: apiLimits.queryBytes }
        : { type: 'json', maxBytes: apiLimits.bodyBytes, isNamedAnyhow: true },
    compress: false,
    ...given,
  };
}
