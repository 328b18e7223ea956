// Parses bodies and queries by their schemas. Unknown fields are ignored and named in warnings; an invalid one is refused
// with its name.
import * as z from 'zod';
import type * as mini from 'zod/mini';
import { unknownKeys } from '#wire/api/unknown-keys.ts';
import { invalid, isProblem, problem, type Problem } from './problem.ts';

export interface Parsed<T> {
  readonly value: T;
  readonly warnings: readonly string[];
}

// The small build of zod, which the schemas use, has no messages of its own.
z.config(z.locales.en());

/** Names in warnings and messages are cut to this: they come from outside. */
const LONGEST_NAME = 100;
const MOST_WARNINGS = 20;

export function limited(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= MOST_WARNINGS) return warnings;
  return [...warnings.slice(0, MOST_WARNINGS), `And ${warnings.length - MOST_WARNINGS} more.`];
}

function textOf(field: string, issue: z.core.$ZodIssue, isAbsent: boolean): string {
  if (isAbsent) return `"${field}" is required.`;
  const message = issue.message.replace(/^Invalid (?:input|option): /, 'is invalid: ').slice(0, 300);
  return `"${field}" ${/^(?:is|isn't|must|can't|has|contains|not)\b/.test(message) ? message : `is invalid: ${message}`}.`;
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
    return problem('invalid', 'The body must be a JSON object.', 'body');
  const read = schema.safeParse(raw);
  if (read.success) {
    const unknown = unknownKeys(schema, raw).map((name) => name.slice(0, LONGEST_NAME));
    return {
      value: read.data,
      warnings: unknown.map((name) => `"${name}" isn't a known field, so it was ignored.`),
    };
  }
  const [issue] = read.error.issues;
  const path = issue?.path ?? [];
  const field = path.join('.').slice(0, LONGEST_NAME) || 'body';
  if (issue === undefined) return invalid(field, 'The body is invalid.');
  return invalid(field, textOf(field, issue as z.core.$ZodIssue, valueAt(raw, path) === undefined));
}

/** An empty parameter counts as absent; of a repeated one the first counts, with a warning. */
export function parseQuery<T>(schema: mini.ZodMiniType<T>, url: URL): Parsed<T> | Problem {
  const raw = new Map<string, string>();
  const again = new Set<string>();
  for (const [name, value] of url.searchParams) {
    if (value === '') continue;
    if (raw.has(name) && raw.get(name) !== value) again.add(name.slice(0, LONGEST_NAME));
    if (!raw.has(name)) raw.set(name, value);
  }
  const parsed = parseBody(schema, Object.fromEntries(raw));
  if (isProblem(parsed)) return parsed;
  const warnings = [...again].map((name) => `"${name}" was given more than once. The first one was used.`);
  return { ...parsed, warnings: [...parsed.warnings, ...warnings] };
}

/** For a call without parameters: names every one that was given. */
export function unreadParameters(url: URL): readonly string[] {
  const names = new Set([...url.searchParams.keys()].map((name) => name.slice(0, LONGEST_NAME)));
  return [...names].map((name) => `"${name}" isn't a known field, so it was ignored.`);
}
