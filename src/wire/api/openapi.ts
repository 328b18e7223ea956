// The public API as an OpenAPI 3.1 document, made from the table of calls and the schemas that check them.
// docs/api/openapi.json is its text; the server answers it at /openapi.json.
import type * as z from 'zod/mini';
import { endpoints, type Endpoint } from './endpoints.ts';
import { type Json, jsonSchemaOf } from './json-schema.ts';
import { errorAnswerSchema } from './objects.ts';

const DEFS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/** Descriptions of refusals, by status. */
const REFUSALS: Readonly<Record<string, string>> = {
  401: 'The token is missing or no longer valid.',
  402: 'The trial or the plan of this account has ended, so nothing new can be added.',
  403: "The token isn't allowed to do this.",
  404: "It doesn't exist, or you can't see it.",
  409: 'The id is already taken.',
  413: 'The body is too large.',
  415: "The body isn't marked as JSON.",
  422: 'Something in the request is wrong. `field` says what.',
  429: 'Too many requests. `Retry-After` says how many seconds to wait.',
};

const LIMITS = {
  listing: '10 per minute and 200 per hour',
  reading: '60 per minute and 1,000 per hour',
  writing: '60 per minute and 1,000 per hour',
  macro_runs: '10 in ten seconds and 1,000 per hour',
} as const;

/** Components named by schemas, in the form of OpenAPI. */
class Components {
  readonly schemas: Record<string, Json> = {};

  /** The schema as a reference to a component, or the schema itself. */
  of(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs = {}, ...own } = jsonSchemaOf(schema, io);
    for (const [name, definition] of Object.entries($defs)) this.schemas[name] = pointed(definition) as Json;
    return pointed(own) as Json;
  }
}

/** Turns references to definitions into references to components. */
function pointed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? inner.replace(DEFS, COMPONENTS) : pointed(inner),
    ]),
  );
}

function parametersOf(endpoint: Endpoint, components: Components): Json[] {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }));
  if (endpoint.query === undefined) return inPath;
  const { properties = {}, required = [] } = components.of(endpoint.query, 'input') as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...inPath, ...inQuery];
}

function refusalsOf({ access, body, query, path, limit, isSite, adds }: Endpoint): readonly string[] {
  const isNamed = path.includes(':');
  const ofBody = body === undefined ? [] : ['413', '415', '422'];
  if (isSite)
    return [...(isNamed ? ['404'] : []), ...ofBody, ...(isNamed || body !== undefined ? ['429'] : [])];
  const isFound = isNamed || query !== undefined || body !== undefined;
  return [
    '401',
    ...(adds === true ? ['402'] : []),
    '403',
    ...(isFound && access !== null ? ['404'] : []),
    ...(body === undefined ? [] : ['409']),
    ...ofBody,
    ...(body === undefined && query !== undefined ? ['422'] : []),
    ...(limit === null && access !== null ? [] : ['429']),
  ];
}

/** The heading of a call. */
function headingOf({ path, isSite }: Endpoint): string {
  const [, first = ''] = path.split('/');
  if (first === 'sessions') return 'Sessions';
  if (isSite) return 'Public site';
  const headings = {
    lists: 'Lists',
    labels: 'Labels',
    macros: 'Macros',
    macro_runs: 'Macros',
    events: 'Calendars',
  };
  return headings[first as keyof typeof headings] ?? 'Tasks';
}

function operationOf(name: string, endpoint: Endpoint, components: Components): Json {
  const { summary, access, limit, body, isBodyOptional, answer, isLater } = endpoint;
  const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
  const error = components.of(errorAnswerSchema, 'output');
  const said = [
    summary,
    ...(limit === null ? [] : [`At most ${LIMITS[limit]}, unless the server is configured otherwise.`]),
    ...(access === 'write' ? ['Needs a token that can write.'] : []),
  ];
  return {
    operationId: name,
    tags: [headingOf(endpoint)],
    summary,
    description: said.join(' '),
    security: access === null ? [] : [{ token: [] }],
    parameters: parametersOf(endpoint, components),
    ...(body === undefined
      ? {}
      : { requestBody: { required: isBodyOptional !== true, ...json(components.of(body, 'input')) } }),
    responses: {
      [isLater === true ? 202 : 200]: {
        description: isLater === true ? 'Accepted.' : 'Done.',
        ...json(components.of(answer, 'output')),
      },
      ...Object.fromEntries(
        refusalsOf(endpoint).map((status) => [status, { description: REFUSALS[status], ...json(error) }]),
      ),
    },
  };
}

/** The code that only servers with billing answer. */
const OF_BILLING = 'payment_required';

/** Without what only servers with billing answer. */
const unbilled = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    Array.isArray(inner) ? inner.filter((entry) => entry !== OF_BILLING) : inner,
  ) as unknown;

/** The OpenAPI document of a server with or without billing. */
export function openApiDocument(hasBilling = false): Json {
  const document = wholeDocument(hasBilling);
  return hasBilling ? document : (unbilled(document) as Json);
}

function wholeDocument(hasBilling: boolean): Json {
  const components = new Components();
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operationOf(
        name,
        hasBilling ? endpoint : { ...endpoint, adds: undefined },
        components,
      ),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthaste',
      version: '1',
      description: 'Tasks, lists, and labels for programs. JSON over HTTP, with a bearer token.',
    },
    servers: [{ url: '/api' }, { url: '/' }],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}
