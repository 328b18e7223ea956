// Rows of a sealed scope as a device reads them: opened register by register. What doesn't open stays in its register as it came, so
// that it can be handed back and opened later.
import type { SealedWriter } from '#core/sealing/envelope.ts';
import { isKnown, registersOf, withFields, type Row, type StoredRow } from '../rows/row.ts';
import { openRegister, type LockProblem, type Opening, type OpenedRegister } from './registers.ts';

/** A row that has been opened as far as it can be. */
export interface OpenedRow {
  readonly row: StoredRow;
  /** Registers that stay sealed, by the names they came with. */
  readonly locked: ReadonlyMap<string, LockProblem>;
  /** Who sealed the others, by the names they have here. */
  readonly writers: ReadonlyMap<string, SealedWriter>;
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

function withNames(row: Row, names: ReadonlyMap<string, string>): Row {
  if (row.stamps === undefined || names.size === 0) return row;
  const stamps = Object.entries(row.stamps).map(([name, stamp]) => [names.get(name) ?? name, stamp] as const);
  return { ...row, stamps: Object.fromEntries(stamps) };
}

/** Opens all registers of a row. One of a type that this program doesn't know stays as it is. */
export function openRow(opening: Opening, row: StoredRow): OpenedRow {
  if (!isKnown(row)) return { row, locked: NONE, writers: NONE };
  const locked = new Map<string, LockProblem>();
  const writers = new Map<string, SealedWriter>();
  const names = new Map<string, string>();
  const fields: [string, unknown][] = [];
  const sent = registersOf(row);
  for (const [name, value] of Object.entries(sent)) {
    const opened = openRegister(opening, { id: row.id, type: row.type, fields: sent }, { name, value });
    if (!opened.ok) locked.set(name, opened.problem);
    const register: OpenedRegister = opened.ok ? opened.value : { name, value };
    fields.push([register.name, register.value]);
    if (register.name !== name) names.set(name, register.name);
    if (register.writer !== undefined) writers.set(register.name, register.writer);
  }
  return { row: withNames(withFields(row, Object.fromEntries(fields)), names), locked, writers };
}
