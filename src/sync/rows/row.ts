// A row: the latest state of one entity, as copies exchange it, with the stamps for merging.
import type { Id } from '#core/ids.ts';
import {
  isEntityType,
  type EntityType,
  type FieldName,
  type FieldsOf,
  type FieldValue,
  type NoteDoc,
  type UnknownType,
} from '#core/model.ts';

export type { FieldsOf, NoteDoc };

/**
 * The last writer of a register: `[version, effective time, device, sequence]` — the scope version of that write,
 * milliseconds since the epoch on the server's clock, the writer's device number and its sequence number.
 */
export type Stamp = readonly [version: number, time: number, device: number, seq: number];

/** Registers by name, for any type. */
export type Fields = Readonly<Record<string, unknown>>;

interface RowOf<T extends EntityType> {
  readonly id: Id;
  readonly type: T;
  readonly scope: Id;
  /** Scope version of the row's last change of any kind. */
  readonly version: number;
  /** How often the row has changed its scope; absent: never. Of two states the one with more hops is later. */
  readonly hops?: number;
  readonly fields: FieldsOf<T>;
  /** Stamp of every register not named in `stamps`. */
  readonly stamp: Stamp;
  readonly stamps?: Readonly<Record<string, Stamp>>;
  readonly createdAt: number;
  /** Strictly increasing per account, milliseconds near the clock; 0 while only predicted. */
  readonly updatedAt: number;
}

/** Narrowed by `type`. */
export type Row = { readonly [T in EntityType]: RowOf<T> }[EntityType];
/** The row of a task. */
export type TaskRow = RowOf<'task'>;
/** The record of a completed occurrence of a repeating task. */
export type CompletionRow = RowOf<'completion'>;
/** A person's own row of a task or list. */
export type MineRow = RowOf<'mine'>;

/** The row of a comment on a task. */
export type CommentRow = RowOf<'comment'>;

/** The row of an attached file. */
export type AttachmentRow = RowOf<'attachment'>;

/**
 * A row of a type that only a newer program knows. It is kept, counted in the digest and handed on exactly as it came,
 * and nothing else: no index holds it, nobody is shown it, `apply` never touches it.
 */
export interface OpaqueRow extends Omit<RowOf<EntityType>, 'type' | 'fields'> {
  readonly type: UnknownType;
  readonly fields: Fields;
}

/** A row as it is kept and sent, of any type. */
export type StoredRow = Row | OpaqueRow;

/** Whether the row is of a type that this program knows. */
export function isKnown(row: StoredRow): row is Row {
  return isEntityType(row.type);
}

/**
 * Whether a row is a later state than the held one of the same id: versions of two scopes cannot be compared, so hops count
 * first. As often as it moved it is in one scope; two mean two histories, of which the one that speaks now counts.
 */
export function isLater(row: StoredRow, held: StoredRow): boolean {
  const hops = (row.hops ?? 0) - (held.hops ?? 0);
  return hops > 0 || (hops === 0 && (row.version > held.version || row.scope !== held.scope));
}

/** The part of a row that holds its content. */
export type Said = { readonly [T in EntityType]: Pick<RowOf<T>, 'type' | 'fields'> }[EntityType];

const NO_FIELDS: Fields = {};

/** All registers of a row, for code that treats them alike. */
export function registersOf(row: Said | OpaqueRow | null | undefined): Fields {
  return row?.fields ?? NO_FIELDS;
}

/** A register of a row of any type; undefined at its default, and when the type has no such register. */
export function fieldOf<Name extends FieldName>(
  row: Said | OpaqueRow | null | undefined,
  name: Name,
): FieldValue<Name> | undefined {
  return registersOf(row)[name] as FieldValue<Name> | undefined;
}

/** Version of a prediction: above every version of a server. */
export const PREDICTED = Number.MAX_SAFE_INTEGER;

/** Whether a register shows a write of this device that the server has not confirmed. */
export function isPredicted(row: Row, register: string): boolean {
  return registerStamp(row, register)[0] === PREDICTED;
}

/** The stamp of a register: its own, else the row's default. */
export function registerStamp(row: StoredRow, register: string): Stamp {
  return row.stamps?.[register] ?? row.stamp;
}

/**
 * The stamp that a write has to beat; undefined if nobody has written the register. In a row that several devices may
 * create on their own (a person's own row of a task), a register that is left out was not written.
 */
export function writtenStamp(row: Row, register: string): Stamp | undefined {
  const isUnsaid = row.type === 'mine' && registersOf(row)[register] === undefined;
  return row.stamps?.[register] ?? (isUnsaid ? undefined : row.stamp);
}

/** Copied name by name: an object with a deleted property is slow to read and to copy from then on. */
function without(fields: Fields, register: string): Fields {
  if (fields[register] === undefined) return fields;
  const rest: Record<string, unknown> = {};
  for (const name in fields) if (name !== register) rest[name] = fields[name];
  return rest;
}

/** A row whose registers are not yet known to fit its type. */
export interface LooseRow<T extends EntityType | UnknownType = EntityType> extends Omit<
  RowOf<EntityType>,
  'type' | 'fields'
> {
  readonly type: T;
  readonly fields: Fields;
}

/** For rows whose registers were checked on arrival (wire/registers.ts), or copied from such rows. */
export function asRow(row: LooseRow): Row;
export function asRow(row: LooseRow<EntityType | UnknownType>): StoredRow;
export function asRow(row: LooseRow<EntityType | UnknownType>): StoredRow {
  return row as StoredRow;
}

/** The row with these registers instead of its own. They fit its type: checked on arrival, or taken from such a row. */
export function withFields<R extends Pick<Row, 'fields'>>(row: R, fields: Fields): R {
  return { ...row, fields } as R;
}

/**
 * The row with one register written. Null writes the default: the value is removed, its stamp stays, so that an older
 * write cannot revive the old value.
 */
export function withRegister(row: Row, register: string, value: unknown, stamp: Stamp): Row {
  const isDefault = value === null || value === undefined;
  const fields = isDefault ? without(row.fields, register) : { ...row.fields, [register]: value };
  const stamps = { ...row.stamps, [register]: stamp };
  return asRow({ ...row, version: stamp[0], fields, stamps });
}
