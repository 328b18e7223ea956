// Writes the TypeScript client of the public API from its OpenAPI document: a type for every component and query, a method
// for every call. It needs nothing but the types of the platform it runs on: how requests are sent is handed in.
type Json = Readonly<Record<string, unknown>>;

const typeName = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);
const keyName = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));

/** Null may stand in a part and beside it; it is said once. */
const NULL = / \| (?=null$)/;

/** The type that a JSON schema describes. */
function typeOf(schema: Json, indent = ''): string {
  if (typeof schema['$ref'] === 'string') return typeName(schema['$ref']);
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  const any = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined;
  if (any) return [...new Set(any.flatMap((part) => typeOf(part, indent).split(NULL)))].join(' | ');
  const { type } = schema as { readonly type?: string | readonly string[] };
  if (Array.isArray(type))
    return type.map((each: string) => typeOf({ ...schema, type: each }, indent)).join(' | ');
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') {
    const item = typeOf(schema['items'] as Json, indent);
    return item.includes(' ') ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
  if (type === 'object') return objectOf(schema, indent);
  return 'unknown';
}

function objectOf(schema: Json, indent: string): string {
  const {
    properties,
    required = [],
    additionalProperties,
  } = schema as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: Json | boolean;
  };
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    const isOptional = !required.includes(name);
    const value = typeOf(property, inner);
    return `${inner}readonly ${keyName(name)}${isOptional ? '?' : ''}: ${value}${isOptional ? ' | undefined' : ''};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Json;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Json }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

const JSON_TYPE = 'application/json';
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function queryType({ operationId, parameters }: Operation): string | null {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return null;
  const lines = inQuery.map(
    ({ name, required, schema }) =>
      `  readonly ${name}${required ? '' : '?'}: ${typeOf(schema)}${required ? '' : ' | undefined'};`,
  );
  return `export interface ${capital(operationId)}Query {\n${lines.join('\n')}\n}\n`;
}

function methodOf(method: string, path: string, operation: Operation): string {
  const { operationId, summary, parameters, requestBody, responses } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const query = parameters.some((parameter) => parameter.in === 'query')
    ? `${capital(operationId)}Query`
    : null;
  const isQueryNeeded = parameters.some((parameter) => parameter.in === 'query' && parameter.required);
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const taken = [
    ...inPath.map((name) => `${name}: string`),
    ...(body ? [`body: ${typeOf(body)}${requestBody?.required === true ? '' : ' = {}'}`] : []),
    ...(query === null ? [] : [`query: ${query}${isQueryNeeded ? '' : ' = {}'}`]),
  ];
  const answer = typeOf(responses['200']?.content[JSON_TYPE]?.schema ?? {});
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${name})}`);
  const given = [
    `'${method.toUpperCase()}'`,
    inPath.length > 0 ? `\`${url}\`` : `'${url}'`,
    ...(body || query !== null
      ? [`{ ${[...(body ? ['body'] : []), ...(query === null ? [] : ['query'])].join(', ')} }`]
      : []),
  ];
  return [
    `  /** ${summary} */`,
    `  ${operationId}(${taken.join(', ')}): Promise<${answer}> {`,
    `    return this.#call(${given.join(', ')});`,
    '  }',
    '',
  ].join('\n');
}

const HEAD = `// The client of the public API, for programs that run anywhere. Written by scripts/api-files.ts from the OpenAPI document
// (docs/api/openapi.json); do not edit it.
`;

const CORE = `export interface ApiRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The part of a fetch answer that is looked at. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export interface ApiClientOptions {
  /** Where the API answers: \`https://host/api\`, or a host of its own. */
  readonly url: string;
  readonly token?: string | undefined;
  /** \`fetch\`, or what stands in for it. */
  readonly send: (url: string, request: ApiRequest) => Promise<ApiResponse>;
}

/** What the server refused, or an answer that was none of the API's. */
export class ApiError extends Error {
  readonly status: number;
  /** Of a closed list; empty when the answer was not the API's. */
  readonly code: string;
  readonly field: string | null;
  /** Seconds until it is worth trying again; null: the server does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, refusal: Partial<Refusal>, retryAfter: number | null) {
    super(refusal.message ?? \`The server answered \${status}.\`);
    this.name = 'ApiError';
    this.status = status;
    this.code = refusal.code ?? '';
    this.field = refusal.field ?? null;
    this.retryAfter = retryAfter;
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    // A page of some server in between: the status has to do.
    return {};
  }
}

`;

/** The whole file. */
export function printClient(document: Json): string {
  const { paths, components } = document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Json>> };
  };
  const types = Object.entries(components.schemas).map(([name, schema]) => {
    const type = typeOf(schema);
    const doc = typeof schema['description'] === 'string' ? `/** ${schema['description']} */\n` : '';
    return `${doc}${type.startsWith('{') ? `export interface ${name} ${type}` : `export type ${name} = ${type};`}\n`;
  });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const queries = operations.flatMap(({ operation }) => queryType(operation) ?? []);
  const methods = operations.map(({ path, method, operation }) => methodOf(method, path, operation));
  return [
    HEAD,
    ...types,
    ...queries,
    CORE,
    'export class ApiClient {',
    '  readonly #options: ApiClientOptions;',
    '',
    '  constructor(options: ApiClientOptions) {',
    '    this.#options = options;',
    '  }',
    '',
    `${methods.join('\n')}`,
    '  /** Rejects with an ApiError for whatever is no success, and with what `send` rejects with. */',
    '  async #call<T>(',
    '    method: string,',
    '    path: string,',
    '    { body, query = {} }: { readonly body?: object; readonly query?: object } = {},',
    '  ): Promise<T> {',
    '    const { url, token, send } = this.#options;',
    '    const asked = Object.entries(query)',
    "      .filter(([, value]) => value !== undefined && value !== null && value !== '')",
    '      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);',
    "    const suffix = asked.length === 0 ? '' : `?${asked.join('&')}`;",
    "    const response = await send(url.replace(/\\/$/, '') + path + suffix, {",
    '      method,',
    '      headers: {',
    "        accept: 'application/json',",
    '        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),',
    "        ...(body === undefined ? {} : { 'content-type': 'application/json' }),",
    '      },',
    '      ...(body === undefined ? {} : { body: JSON.stringify(body) }),',
    '    });',
    '    const answer = parsed(await response.text());',
    "    if (response.status < 300 && answer['success'] === true) return answer as T;",
    "    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);",
    '    throw new ApiError(response.status, answer, Number.isFinite(wait) ? wait : null);',
    '  }',
    '}',
    '',
  ].join('\n');
}
