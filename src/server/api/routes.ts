// Routes of the public API: every call of wire/api/endpoints.ts except those of sessions and of the public site, at the
// root and under /api, for bearer tokens with the right access.
import { apiLimits } from '#wire/api/requests.ts';
import { endpoints, type Endpoint, type EndpointName, type SiteCallName } from '#wire/api/endpoints.ts';
import { openApiDocument } from '#wire/api/openapi.ts';
import type { Route } from '../http/route.ts';
import { CommentHandlers } from './comments.ts';
import { ExportHandlers } from './exporting.ts';
import { createHandlerContext, type ApiPorts } from './handler-context.ts';
import { LabelHandlers } from './labels.ts';
import { ListHandlers } from './lists.ts';
import { MacroHandlers } from './macros.ts';
import { PublicLinkHandlers } from './public-links.ts';
import { TaskHandlers } from './tasks.ts';

type DataCall = Exclude<EndpointName, 'signIn' | 'signUp' | 'signOut' | SiteCallName>;

/** The routes of the public API, its OpenAPI document included. */
export function apiRoutes(ports: ApiPorts): readonly Route[] {
  const context = createHandlerContext(ports);
  const tasks = new TaskHandlers(context);
  const comments = new CommentHandlers(context);
  const lists = new ListHandlers(context);
  const labels = new LabelHandlers(context);
  const links = new PublicLinkHandlers(context);
  const macros = new MacroHandlers(context);
  const exports = new ExportHandlers(context);
  const handlers: Readonly<Record<DataCall, Route['handle']>> = {
    createTask: (call) => tasks.create(call),
    listTasks: (call) => tasks.list(call),
    getTask: (call) => tasks.get(call),
    updateTask: (call) => tasks.update(call),
    deleteTask: (call) => tasks.remove(call),
    listComments: (call) => comments.list(call),
    createComment: (call) => comments.create(call),
    updateComment: (call) => comments.update(call),
    deleteComment: (call) => comments.remove(call),
    listItems: (call) => tasks.withIds(call),
    createItems: (call) => tasks.bulkCreate(call),
    updateItems: (call) => tasks.bulkUpdate(call),
    deleteItems: (call) => tasks.bulkRemove(call),
    restoreItems: (call) => tasks.bulkRestore(call),
    listLists: (call) => lists.list(call),
    createList: (call) => lists.create(call),
    updateList: (call) => lists.update(call),
    deleteList: (call) => lists.remove(call),
    duplicateList: (call) => lists.duplicate(call),
    listPublicLinks: (call) => links.list(call),
    createPublicLink: (call) => links.create(call),
    updatePublicLink: (call) => links.update(call),
    deletePublicLink: (call) => links.remove(call),
    listMacros: (call) => macros.list(call),
    createMacroRun: (call) => macros.start(call),
    getMacroRun: (call) => macros.get(call),
    exportAccount: (call) => exports.read(call),
    listLabels: (call) => labels.list(call),
    createLabel: (call) => labels.create(call),
    updateLabel: (call) => labels.update(call),
    deleteLabel: (call) => labels.remove(call),
  };
  const data = Object.entries(handlers).flatMap(([name, handle]) => {
    const endpoint: Endpoint = endpoints[name as DataCall];
    return PREFIXES.map((prefix) => routeOf(endpoint, prefix, handle));
  });
  return [...data, ...PREFIXES.map(documentRoute)];
}

/** The API answers at the root of its host and under /api. */
const PREFIXES = ['', '/api'];

/** The OpenAPI document; it contains nothing secret. */
function documentRoute(prefix: string): Route {
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
      text ??= JSON.stringify(openApiDocument());
      return new Response(text, { headers: { 'content-type': 'application/json; charset=utf-8' } });
    },
  };
}

function routeOf(endpoint: Endpoint, prefix: string, handle: Route['handle']): Route {
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
    handle,
  };
}
