// Reads a file of changes that had not reached the server. Loaded when such a file is opened; not here: making them.
import { isRecord, readJson } from '#core/json.ts';
import { isId } from '#core/ids.ts';
import type { Action, Operation } from '#sync/operation.ts';
import type { RecoveredItem } from '#sync/ports.ts';
import type { Replica } from '#sync/replica-types.ts';
import { operationSchema } from '#wire/sync.ts';
import { reapplyAction } from './reapply.ts';
import { unsentActions } from './unsent-actions.ts';
import { FORMAT, type UnsentChanges, VERSION } from './unsent-file.ts';

export type ReadUnsent =
  | { readonly ok: true; readonly changes: UnsentChanges; readonly unreadable: number }
  | { readonly ok: false; readonly problem: string };

function readRecovered(value: unknown): RecoveredItem | null {
  if (!isRecord(value)) return null;
  const read = operationSchema.safeParse(value['operation']);
  if (!read.success) return null;
  return { operation: read.data as Operation, verdict: 'invalid', at: 0 };
}

/** Changes that cannot be read are counted; the others are not held up by them. */
export function readUnsent(text: string): ReadUnsent {
  const json = readJson(text);
  if (json === undefined) return { ok: false, problem: 'The file is damaged: it is no JSON.' };
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

export interface ReadAgain {
  readonly read: ReadUnsent;
  /** What had been waiting to be sent. */
  readonly sent: readonly Action[];
  /** What had been refused, as it can be made here. */
  readonly again: readonly Action[];
}

export function readAgain(text: string, replica: Replica): ReadAgain {
  const read = readUnsent(text);
  const recovered = read.ok ? read.changes.recovered : [];
  const again = recovered.flatMap((item) => reapplyAction(replica, item, replica.newId()) ?? []);
  return { read, sent: read.ok ? unsentActions(read.changes, replica.scope) : [], again };
}
