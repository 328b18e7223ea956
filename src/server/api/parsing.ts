// Reads bodies and queries by their schemas. What is unknown is ignored and named in warnings; what is wrong is refused
// with the name of its field.
import * as z from 'zod';
import type * as mini from 'zod/mini';
import { invalid, problem, type Problem } from './problem.ts';

export interface Parsed<T> {
  readonly value: T;
  readonly warnings: readonly string[];
}

// The small build of zod, which the schemas are made with, has no words of its own.
z.config(z.locales.en());

/** Names in warnings and messages are cut here: they came from outside. */
const LONGEST_NAME = 100;
const MOST_WARNINGS = 20;

function shapeOf(schema: mini.ZodMiniType): Readonly<Record<string, mini.ZodMiniType>> | null {
  const { def } = schema._zod;
  return def.type === 'object' && 'shape' in def ? (def.shape as Record<string, mini.ZodMiniType>) : null;
}

function unknownIn(schema: mini.ZodMiniType, value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const { def } = schema._zod;
    const element = def.type === 'array' && 'element' in def ? (def.element as mini.ZodMiniType) : null;
    return element === null ? [] : value.flatMap((item, at) => unknownIn(element, item, `${path}${at}.`));
  }
  const shape = shapeOf(schema);
  if (shape === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (known === undefined) return [`${path}${key}`.slice(0, LONGEST_NAME)];
    return unknownIn(known, inner, `${path}${key}.`);
  });
}

export function limited(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= MOST_WARNINGS) return warnings;
  return [...warnings.slice(0, MOST_WARNINGS), `And ${warnings.length - MOST_WARNINGS} more.`];
}

function textOf(field: string, issue: z.core.$ZodIssue, isAbsent: boolean): string {
  if (isAbsent) return `"${field}" is required.`;
  const message = issue.message.replace(/^Invalid (?:input|option): /, 'is not right: ').slice(0, 300);
  return `"${field}" ${/^(?:is|must|has|contains|not)\b/.test(message) ? message : `is not right: ${message}`}.`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path)
    at = typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined;
  return at;
}

/** An empty body counts as `{}`. */
export function parseBody<T>(schema: mini.ZodMiniType<T>, body: unknown): Parsed<T> | Problem {
  const raw = body === undefined || body === null ? {} : body;
  if (typeof raw !== 'object' || Array.isArray(raw))
    return problem('invalid', 'The body has to be a JSON object.', 'body');
  const read = schema.safeParse(raw);
  if (read.success) {
    const unknown = unknownIn(schema, raw, '');
    return {
      value: read.data,
      warnings: unknown.map((name) => `"${name}" is not known here and was ignored.`),
    };
  }
  const [issue] = read.error.issues;
  const path = issue?.path ?? [];
  const field = path.join('.').slice(0, LONGEST_NAME) || 'body';
  if (issue === undefined) return invalid(field, 'The body is not right.');
  return invalid(field, textOf(field, issue as z.core.$ZodIssue, valueAt(raw, path) === undefined));
}

/** An empty parameter counts as absent; of one given twice the first counts. */
export function parseQuery<T>(schema: mini.ZodMiniType<T>, url: URL): Parsed<T> | Problem {
  const raw: Record<string, string> = {};
  for (const [name, value] of url.searchParams)
    if (value !== '' && !Object.hasOwn(raw, name)) raw[name] = value;
  return parseBody(schema, raw);
}
