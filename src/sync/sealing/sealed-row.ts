// Rows of a sealed scope as a device reads them: opened register by register. What doesn't open stays in its register as it came, so
// that it can be handed back and opened later.
import type { SealedWriter } from '#core/sealing/envelope.ts';
import { fateOf } from '#core/sealing/sealable.ts';
import { isKnown, registersOf, withFields, type Fields, type Row, type StoredRow } from '../rows/row.ts';
import {
  openRegister,
  type LockProblem,
  type Opening,
  type OpenedRegister,
  type Subject,
} from './registers.ts';

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

/**
 * Opens all registers of a row. One of a type that this program doesn't know stays as it is. A first sync opens hundreds of thousands: what isn't
 * sealed is copied at once, and what a row seldom has costs the others nothing.
 */
export function openRow(opening: Opening, row: StoredRow): OpenedRow {
  if (!isKnown(row)) return { row, locked: NONE, writers: NONE };
  const sent = registersOf(row);
  const subject: Subject = { id: row.id, type: row.type, fields: sent };
  const fields: Record<string, unknown> = { ...sent };
  let locked: Map<string, LockProblem> | null = null;
  let names: Map<string, string> | null = null;
  let writers: Map<string, SealedWriter> | null = null;
  for (const name of Object.keys(sent)) {
    const value = sent[name];
    if (value === null || value === undefined || fateOf(row.type, name) === 'plain') continue;
    const opened = openRegister(opening, subject, { name, value });
    if (!opened.ok) {
      locked ??= new Map();
      locked.set(name, opened.problem);
      continue;
    }
    const register: OpenedRegister = opened.value;
    fields[name] = register.value;
    if (register.name !== name) {
      names ??= new Map();
      names.set(name, register.name);
    }
    if (register.writer === undefined) continue;
    writers ??= new Map();
    writers.set(register.name, register.writer);
  }
  const opened = { locked: locked ?? NONE, writers: writers ?? NONE };
  return names === null
    ? { row: withFields(row, fields), ...opened }
    : { row: withNames(withFields(row, renamed(fields, names)), names), ...opened };
}

const renamed = (fields: Fields, names: ReadonlyMap<string, string>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [names.get(name) ?? name, value]));
