// Registers of a sealed scope that don't open on this device. A row keeps them apart as they came, so that nothing reads an envelope as
// content, and shows a word in the place of its name. What seals and opens is sync/sealing/.
import { registersOf, withFields, type Fields, type Row, type StoredRow } from './row.ts';

/** Not a register: under this name a row keeps those that don't open. It stays on the device. */
const LOCKED = '~locked';
/** What stands in the place of a title or a name that doesn't open. */
export const LOCKED_WORD = 'Locked';
/** By type, the register that a row is called by. */
const NAMES: Readonly<Record<string, string>> = {
  task: 'title',
  completion: 'title',
  list: 'name',
  label: 'name',
  labelGroup: 'name',
  attachment: 'name',
  comment: 'text',
};

/** The registers that don't open, by the names they came with; undefined where all of them are open. */
export function lockedOf(row: StoredRow | null | undefined): Fields | undefined {
  return registersOf(row)[LOCKED] as Fields | undefined;
}

/** The row with these of its registers kept apart as they are. */
export function withLocked<R extends Row>(row: R, names: Pick<ReadonlySet<string>, 'has' | 'size'>): R {
  if (names.size === 0) return row;
  const open: Record<string, unknown> = {};
  const locked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(registersOf(row)))
    (names.has(name) ? locked : open)[name] = value;
  const called = NAMES[row.type];
  if (called !== undefined && names.has(called)) open[called] = LOCKED_WORD;
  return withFields(row, { ...open, [LOCKED]: locked });
}

/** The row as its server has it: with everything that doesn't open in its register again. */
export function asItCame<R extends StoredRow>(row: R): R {
  const locked = lockedOf(row);
  if (locked === undefined) return row;
  const { [LOCKED]: _apart, ...open } = registersOf(row);
  return withFields(row as Row, { ...open, ...locked }) as R;
}

/** Whether a value has the form of a sealed one. What opens it is loaded only where a scope is sealed. */
export function looksSealed(value: unknown): value is { readonly e: string } {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  return names.length === 1 && names[0] === 'e' && typeof (value as { e?: unknown }).e === 'string';
}
