// The public API in the table of routes: every call of wire/api/endpoints.ts but those of sessions and of the public site, at
// the root and under /api, for bearer tokens that are good for it.
import { apiLimits } from '#wire/api/requests.ts';
import { endpoints, type Endpoint, type EndpointName, type SiteCallName } from '#wire/api/endpoints.ts';
import { openApiDocument } from '#wire/api/openapi.ts';
import type { Route } from '../http/route.ts';
import { createDoors, type ApiPorts } from './doors.ts';
import { LabelDoors } from './labels.ts';
import { ListDoors } from './lists.ts';
import { TaskDoors } from './tasks.ts';

type DataCall = Exclude<EndpointName, 'signIn' | 'signUp' | 'signOut' | SiteCallName>;

export function apiRoutes(ports: ApiPorts): readonly Route[] {
  const doors = createDoors(ports);
  const tasks = new TaskDoors(doors);
  const lists = new ListDoors(doors);
  const labels = new LabelDoors(doors);
  const handlers: Readonly<Record<DataCall, Route['handle']>> = {
    createTask: (call) => tasks.create(call),
    listTasks: (call) => tasks.list(call),
    getTask: (call) => tasks.get(call),
    updateTask: (call) => tasks.update(call),
    deleteTask: (call) => tasks.remove(call),
    listItems: (call) => tasks.withIds(call),
    createItems: (call) => tasks.bulkCreate(call),
    updateItems: (call) => tasks.bulkUpdate(call),
    listLists: (call) => lists.list(call),
    createList: (call) => lists.create(call),
    updateList: (call) => lists.update(call),
    deleteList: (call) => lists.remove(call),
    duplicateList: (call) => lists.duplicate(call),
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

/** What the API is, for programs; nothing secret stands in it. */
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
  const { method, path, access, limit, body } = endpoint;
  return {
    method,
    path: `${prefix}${path}`,
    access: { carrier: 'bearer', rule: { type: 'account', kind: 'api', access: access ?? 'write' } },
    site: 'api',
    limit,
    body:
      body === undefined
        ? { type: 'none' }
        : { type: 'json', maxBytes: apiLimits.bodyBytes, isNamedAnyhow: true },
    compress: false,
    handle,
  };
}
