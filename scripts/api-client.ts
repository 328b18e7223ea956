// Writes the TypeScript client of the public API from its OpenAPI document: a type for every component and query, a method
// for every call. What all calls have in common is written by hand (src/wire/api/client-core.ts).
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

/** Members of an object type by name, each as its line. */
function membersOf(schema: Json, indent = ''): ReadonlyMap<string, string> {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  const inner = `${indent}  `;
  return new Map(
    Object.entries(properties).map(([name, property]) => {
      const isOptional = !required.includes(name);
      const value = typeOf(property, inner);
      const line = `${inner}readonly ${keyName(name)}${isOptional ? '?' : ''}: ${value}${isOptional ? ' | undefined' : ''};`;
      return [name, line];
    }),
  );
}

function objectOf(schema: Json, indent: string): string {
  const { properties, additionalProperties } = schema as {
    readonly properties?: object;
    readonly additionalProperties?: Json | boolean;
  };
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  return `{\n${[...membersOf(schema, indent).values()].join('\n')}\n${indent}}`;
}

type Members = ReadonlyMap<string, string>;

/** So many members in common are worth a name. */
const WORTH_SHARING = 8;

/** The largest type that another has most of, and what of it the other has not or has otherwise. */
function baseOf(members: Members, plain: ReadonlyMap<string, Members>) {
  const shared = (base: Members) => [...base].filter(([name, line]) => members.get(name) === line).length;
  const [best] = [...plain].toSorted(([, a], [, b]) => shared(b) - shared(a));
  if (best === undefined || shared(best[1]) < WORTH_SHARING) return null;
  const [name, base] = best;
  const left = [...base].flatMap(([key, line]) => (members.get(key) === line ? [] : [key]));
  return left.length * 2 > base.size ? null : { name, base, left };
}

/** Interfaces of all components that are objects; one that has most of a larger one extends it. */
function interfacesOf(schemas: Readonly<Record<string, Json>>): ReadonlyMap<string, string> {
  const objects = Object.entries(schemas).filter(([, schema]) => schema['properties'] !== undefined);
  const members = new Map(objects.map(([name, schema]) => [name, membersOf(schema)]));
  const plain = new Map<string, Members>();
  const printed = new Map<string, string>();
  for (const [name, own] of [...members].toSorted(([, a], [, b]) => b.size - a.size)) {
    const found = baseOf(own, plain);
    if (found === null) plain.set(name, own);
    const rest = [...own].filter(([key, line]) => found?.base.get(key) !== line);
    const left = found?.left.map((key) => `'${key}'`).join(' | ') ?? '';
    const base = left === '' ? (found?.name ?? '') : `Omit<${found?.name ?? ''}, ${left}>`;
    const body = rest.length === 0 ? '{}' : `{\n${rest.map(([, line]) => line).join('\n')}\n}`;
    printed.set(
      name,
      found !== null && rest.length === 0
        ? `export type ${name} = ${base};`
        : `export interface ${name} ${found === null ? '' : `extends ${base} `}${body}`,
    );
  }
  return printed;
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
  return `/** Parameters of \`${operationId}\`. */
export interface ${capital(operationId)}Query {\n${lines.join('\n')}\n}\n`;
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
  const answer = typeOf((responses['200'] ?? responses['202'])?.content[JSON_TYPE]?.schema ?? {});
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
    `    return this.call(${given.join(', ')});`,
    '  }',
    '',
  ].join('\n');
}

const HEAD = `// The client of the public API, for programs that run anywhere. Written by scripts/api-files.ts from the OpenAPI document
// (docs/api/openapi.json); do not edit it.
import { ApiCaller } from './client-core.ts';
`;

/** The whole file. */
export function printClient(document: Json): string {
  const { paths, components } = document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Json>> };
  };
  const interfaces = interfacesOf(components.schemas);
  const types = Object.entries(components.schemas).map(([name, schema]) => {
    const doc = typeof schema['description'] === 'string' ? `/** ${schema['description']} */\n` : '';
    return `${doc}${interfaces.get(name) ?? `export type ${name} = ${typeOf(schema)};`}\n`;
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
    `/** A method for each call; each rejects as \`ApiCaller\` says. */
export class ApiClient extends ApiCaller {\n${methods.join('\n')}}\n`,
  ].join('\n');
}
