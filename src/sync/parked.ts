// Operations that the server keeps until another device brings back what they name (verdict `parked`): when this copy may
// let go of its own of them.
import type { Id } from '#core/ids.ts';
import type { Operation } from './operation.ts';
import type { RecoveredItem } from './ports.ts';
import { registerStamp, type Row } from './row.ts';

interface Held {
  readonly confirmed: (id: Id) => Row | undefined;
  /** Server time minus this device's time. */
  readonly offsetMs: number;
}

/** What an operation leaves its time on. */
const REGISTERS = {
  place: ['place'],
  delete: ['del'],
  restore: ['del'],
  note: ['notes'],
  complete: ['status', 'occ'],
  reopen: ['status', 'occ'],
} as const;
/** By how much the time that the server gave it may differ from what is known of the server's clock now. */
const JITTER_MS = 1_000;

/** Whether the server has made it, or something later stands where it would have written. */
function isMade(operation: Operation, { confirmed, offsetMs }: Held): boolean {
  const row = confirmed(operation.id);
  if (row === undefined) return false;
  if (operation.a === 'create' || operation.a === 'reoffer') return true;
  if (operation.a === 'place' && confirmed(operation.place.parent) === undefined) return false;
  if (operation.a !== 'set')
    return REGISTERS[operation.a].some(
      (register) => registerStamp(row, register)[1] >= operation.t + offsetMs - JITTER_MS,
    );
  // Offered rows come with older times: a later one is that of this write, or of one that replaced it.
  const isHeld = JSON.stringify(row.fields[operation.field] ?? null) === JSON.stringify(operation.value);
  return isHeld || registerStamp(row, operation.field)[1] >= operation.t + offsetMs;
}

/** Numbers of parked operations that are made. */
export function madeOf(recovered: readonly RecoveredItem[], held: Held): readonly number[] {
  return recovered.flatMap(({ operation, verdict }) =>
    verdict === 'parked' && isMade(operation, held) ? [operation.q] : [],
  );
}
