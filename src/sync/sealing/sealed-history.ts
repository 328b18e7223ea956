// Pages of the history of a sealed scope, opened as far as this device can. A server says what was done to which entity, and not of which
// type that is; a value opens at one type alone, so the types are tried.
import type { Id } from '#core/ids.ts';
import { fixedRegisters, isEntityType, type EntityType, type UnknownType } from '#core/model.ts';
import type { WireHistoryEntry } from '#wire/history.ts';
import { LOCKED_WORD, looksSealed } from '../rows/locked.ts';
import type { Fields } from '../rows/row.ts';
import { openRegister, type Opening } from './registers.ts';
import { openOperation, type SentOperation } from './sealed-operation.ts';

const entityTypes = Object.keys(fixedRegisters) as readonly EntityType[];

/** What stands for a value that doesn't open: a word where a word is expected, else nothing. */
const lockedValue = (register: string): string | null =>
  register === 'title' || register === 'name' ? LOCKED_WORD : null;

/** The content of an entity with nothing sealed left in it. */
const shown = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, looksSealed(value) ? lockedValue(name) : value]),
  );

function openedFields(opening: Opening, id: Id, fields: Fields): Fields {
  const sealed = Object.entries(fields).find(([, value]) => looksSealed(value));
  if (sealed === undefined) return fields;
  const [name, value] = sealed;
  const opens = (type: EntityType) => {
    const read = openRegister(opening, { id, type, fields }, { name, value });
    return read.ok && !looksSealed(read.value.value);
  };
  const type = entityTypes.find(opens);
  if (type === undefined) return shown(fields);
  const opened = Object.entries(fields).map(([register, content]) => {
    const read = openRegister(opening, { id, type, fields }, { name: register, value: content });
    return read.ok ? [read.value.name, read.value.value] : [register, content];
  });
  return shown(Object.fromEntries(opened) as Fields);
}

/** An operation without sealed values: those that don't open are replaced by what can be shown. */
function shownOperation(operation: SentOperation): SentOperation {
  const whole = Object.entries(operation).map(([name, value]) => {
    const isFields = name === 'fields' || name === 'next' || name === 'previous';
    if (isFields && typeof value === 'object' && value !== null) return [name, shown(value as Fields)];
    if (!looksSealed(value)) return [name, value];
    return [name, name === 'value' ? lockedValue(String(operation['field'])) : ''];
  });
  return Object.fromEntries(whole) as SentOperation;
}

function openedOperation(opening: Opening, operation: SentOperation): SentOperation {
  const { type } = operation;
  const named = typeof type === 'string' ? (type as EntityType | UnknownType) : null;
  const types = named !== null && isEntityType(named) ? [named] : entityTypes;
  for (const each of types) {
    const { operation: opened, locked } = openOperation(opening, operation, each);
    if (locked.size === 0 && !JSON.stringify(opened).includes('{"e":"')) return opened;
  }
  return shownOperation(operation);
}

/** Entries of a history with their content, oldest or newest first as they came. */
export function openedHistory(
  opening: Opening,
  entries: readonly WireHistoryEntry[],
): readonly WireHistoryEntry[] {
  return entries.map((entry) => ({
    ...entry,
    operation: openedOperation(
      opening,
      entry.operation as unknown as SentOperation,
    ) as typeof entry.operation,
    before: entry.before.map(({ id, fields }) => ({
      id,
      fields: fields === null ? null : openedFields(opening, id, fields),
    })),
  }));
}
