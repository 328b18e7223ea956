// A file of changes that have not reached the server: written for a person who must leave them, read back through the
// ordinary way of changing things. Not here: where files come from, and exports of tasks (core/formats).
import { inboxId, isId, type Id, labelsRoot, listsRoot } from '#core/ids.ts';
import type { Action, Operation } from '#sync/operation.ts';
import type { RecoveredItem } from '#sync/ports.ts';
import { operationSchema } from '#wire/sync.ts';
import { actionOf } from './reapply.ts';

const FORMAT = 'posthaste-unsent';
const VERSION = 1;

export interface UnsentChanges {
  readonly scope: Id;
  readonly operations: readonly Operation[];
  readonly recovered: readonly RecoveredItem[];
}

export type ReadUnsent =
  | { readonly ok: true; readonly changes: UnsentChanges; readonly unreadable: number }
  | { readonly ok: false; readonly problem: string };

export function writeUnsent(changes: UnsentChanges, about: { email: string | null; at: number }): string {
  const { scope, operations, recovered } = changes;
  return JSON.stringify(
    { format: FORMAT, version: VERSION, ...about, scope, operations, recovered },
    null,
    1,
  );
}

export function isUnsentFile(text: string): boolean {
  return text.slice(0, 200).includes(`"${FORMAT}"`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function readRecovered(value: unknown): RecoveredItem | null {
  if (!isRecord(value)) return null;
  const read = operationSchema.safeParse(value['operation']);
  if (!read.success) return null;
  return { operation: read.data as Operation, verdict: 'invalid', at: 0 };
}

/** Changes that cannot be read are counted; the others are not held up by them. */
export function readUnsent(text: string): ReadUnsent {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'The file is damaged: it is no JSON.' };
  }
  if (!isRecord(json) || json['format'] !== FORMAT || !isId(json['scope']))
    return { ok: false, problem: 'This is no file of unsynced changes.' };
  if (json['version'] !== VERSION)
    return { ok: false, problem: 'A newer version of Posthaste wrote this file. Reload, then import it.' };
  const given = Array.isArray(json['operations']) ? (json['operations'] as unknown[]) : [];
  const refused = Array.isArray(json['recovered']) ? (json['recovered'] as unknown[]) : [];
  const operations = given.flatMap((value) => {
    const read = operationSchema.safeParse(value);
    return read.success ? [read.data as Operation] : [];
  });
  const recovered = refused.map(readRecovered).filter((item) => item !== null);
  const unreadable = given.length + refused.length - operations.length - recovered.length;
  return { ok: true, changes: { scope: json['scope'], operations, recovered }, unreadable };
}

/** What is derived from the scope (Inbox, roots) is another id in another account. */
function renaming(from: Id, to: Id): <T>(value: T) => T {
  const renamed = new Map<unknown, Id>([
    [inboxId(from), inboxId(to)],
    [listsRoot(from), listsRoot(to)],
    [labelsRoot(from), labelsRoot(to)],
  ]);
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return renamed.get(value) ?? value;
    if (Array.isArray(value)) return value.map(rename);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rename(inner)]));
  };
  return <T>(value: T) => rename(value) as T;
}

/** Actions that make the changes here, in their order. Doing it twice makes nothing twice: creations keep their ids. */
export function unsentActions({ scope, operations }: UnsentChanges, to: Id): readonly Action[] {
  const rename = scope === to ? <T>(value: T) => value : renaming(scope, to);
  return operations.map((operation) => rename(actionOf(operation)));
}
