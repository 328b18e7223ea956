// Operations that the server keeps until another device brings back the rows they name (verdict `parked`): decides when
// this copy may drop its own of them.
import type { Id } from '#core/ids.ts';
import { TEXTS } from '../rows/lost-text.ts';
import { noteTextOf } from '../notes/note.ts';
import type { Operation, Reoffer } from '../rows/operation.ts';
import type { RecoveredItem } from './ports.ts';
import { registersOf, registerStamp, type Row } from '../rows/row.ts';

interface Held {
  readonly confirmed: (id: Id) => Row | undefined;
  /** Server time minus this device's time. */
  readonly offsetMs: number;
}

/** Registers that get the time of an operation. */
const REGISTERS = {
  place: ['place'],
  delete: ['del'],
  restore: ['del'],
  complete: ['status', 'occ'],
  reopen: ['status', 'occ'],
} as const;
/** Possible difference between the time that the server assigned and the current estimate of the server's clock. */
const JITTER_MS = 1_000;

/** Whether all units of a text occur in another one in the same order, with anything between them. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const unit of part) {
    const found = whole.indexOf(unit, at);
    if (found < 0) return false;
    at = found + unit.length;
  }
  return true;
}

/** Whether the row contains the texts of an offer: a later text may exist without them. */
function isTaken({ fields }: Reoffer, row: Row): boolean {
  return [...TEXTS].every((field) => {
    const [offered, text] = [fields[field], registersOf(row)[field]];
    return typeof offered !== 'string' || isWithin(offered, typeof text === 'string' ? text : '');
  });
}

/** Whether the server has applied the operation, or something newer is where it would have written. */
function isMade(operation: Operation, { confirmed, offsetMs }: Held): boolean {
  const row = confirmed(operation.id);
  if (row === undefined) return false;
  if (operation.a === 'create') return true;
  if (operation.a === 'reoffer') return isTaken(operation, row);
  if (operation.a === 'place' && confirmed(operation.place.parent) === undefined) return false;
  // A later edit may exist without this one: its text has to be part of the note.
  if (operation.a === 'note') return isWithin(operation.text, noteTextOf(row));
  if (operation.a !== 'set')
    return REGISTERS[operation.a].some(
      (register) => registerStamp(row, register)[1] >= operation.t + offsetMs - JITTER_MS,
    );
  // Offered rows come with older times: a later one is the time of this write, or of one that replaced it.
  const isHeld =
    JSON.stringify(registersOf(row)[operation.field] ?? null) === JSON.stringify(operation.value);
  return isHeld || registerStamp(row, operation.field)[1] >= operation.t + offsetMs;
}

/** Numbers of parked operations that have been applied. */
export function madeOf(recovered: readonly RecoveredItem[], held: Held): readonly number[] {
  return recovered.flatMap(({ operation, verdict }) =>
    verdict === 'parked' && isMade(operation, held) ? [operation.q] : [],
  );
}
