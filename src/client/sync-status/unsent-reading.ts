// Reads a file of changes that the server did not have. Loaded when such a file is opened; replaying is elsewhere.
import { isRecord, readJson } from '#core/json.ts';
import { isId } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { operationSchema } from '#wire/sync.ts';
import { atHome, reapplyTogether } from './recovered-replay.ts';
import { unsentActions } from './unsent-actions.ts';
import { FORMAT, type UnsentChanges, VERSION } from './unsent-file.ts';

/** The changes of a file and how many more could not be read, or a sentence about why it cannot be read. */
type ReadUnsent = Result<{ readonly changes: UnsentChanges; readonly unreadable: number }, string>;

function readRecovered(value: unknown): RecoveredItem | null {
  if (!isRecord(value)) return null;
  const read = operationSchema.safeParse(value['operation']);
  if (!read.success) return null;
  return { operation: read.data as Operation, verdict: 'invalid', at: 0 };
}

/** Unreadable changes are counted; they do not block the others. */
export function readUnsent(text: string): ReadUnsent {
  const json = readJson(text);
  if (json === undefined) return failed('The file is damaged. It isn’t JSON.');
  if (!isRecord(json) || json['format'] !== FORMAT || !isId(json['scope']))
    return failed('This isn’t a file of unsynced changes.');
  if (json['version'] !== VERSION)
    return failed('A newer version of Posthaste made this file. Reload, then import it.');
  const given = Array.isArray(json['operations']) ? (json['operations'] as unknown[]) : [];
  const refused = Array.isArray(json['recovered']) ? (json['recovered'] as unknown[]) : [];
  const operations = given.flatMap((value) => {
    const read = operationSchema.safeParse(value);
    return read.success ? [read.data as Operation] : [];
  });
  const recovered = refused.map(readRecovered).filter((item) => item !== null);
  const unreadable = given.length + refused.length - operations.length - recovered.length;
  return ok({ changes: { scope: json['scope'], operations, recovered }, unreadable });
}

/** The contents of such a file, as actions for this copy. */
export interface ReadAgain {
  readonly read: ReadUnsent;
  /** Changes that were waiting to be sent. */
  readonly sent: readonly Action[];
  /** Changes that had been refused, as far as they can be replayed here. */
  readonly again: readonly Action[];
}

export function readAgain(text: string, replica: Replica): ReadAgain {
  const read = readUnsent(text);
  const recovered = read.ok ? read.value.changes.recovered : [];
  const again = reapplyTogether(replica, recovered, () => replica.newId()).filter(
    (action) => action !== null,
  );
  const sent = read.ok ? unsentActions(read.value.changes, replica.scope) : [];
  return { read, sent: atHome(replica, sent), again };
}
