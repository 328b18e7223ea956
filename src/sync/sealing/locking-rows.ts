// Rows of a sealed scope on a device that forgets its key: what was open is sealed as any device would have sealed it, and kept apart as what
// doesn't open. So nothing of it has to be fetched, and the key opens it again.
import { isEnvelope, type Sealer } from '#core/sealing/envelope.ts';
import { fateOf } from '#core/sealing/sealable.ts';
import { asItCame, withLocked } from '../rows/locked.ts';
import { isKnown, registersOf, registerStamp, withFields, type StoredRow } from '../rows/row.ts';
import { writerOf } from './reencoding.ts';
import { sealRegister } from './registers.ts';

/** The row with all of its content locked. One of a type that this program doesn't know stays as it is. */
export function lockedRow(sealer: Sealer, stored: StoredRow): StoredRow {
  const row = asItCame(stored);
  if (!isKnown(row)) return row;
  const open = registersOf(row);
  const subject = { id: row.id, type: row.type, fields: open };
  const names = new Map<string, string>();
  const locked = new Set<string>();
  const fields = Object.entries(open).flatMap(([name, value]) => {
    // What a note was merged from says what is in it.
    if (name === 'notesDoc') return [];
    if (value === null || isEnvelope(value) || fateOf(row.type, name) === 'plain') {
      if (isEnvelope(value)) locked.add(name);
      return [[name, value] as const];
    }
    const writer = writerOf(registerStamp(row, name));
    const sealed = sealRegister({ sealer, writer }, subject, { name, value });
    if (!sealed.ok) return [[name, value] as const];
    names.set(name, sealed.value.name);
    locked.add(sealed.value.name);
    return [[sealed.value.name, sealed.value.value] as const];
  });
  const stamps = Object.entries(row.stamps ?? {}).map(
    ([name, stamp]) => [names.get(name) ?? name, stamp] as const,
  );
  const sealed = withFields(row, Object.fromEntries(fields));
  const renamed = row.stamps === undefined ? sealed : { ...sealed, stamps: Object.fromEntries(stamps) };
  return withLocked(renamed, locked);
}
