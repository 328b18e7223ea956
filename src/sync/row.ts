// A row: the latest state of one entity as copies exchange it, with the stamps that merging needs.
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';

/**
 * Who wrote a register last: `[version, effective time, device, sequence]` — the scope version of that write,
 * milliseconds since the epoch on the server's clock, the writer's device number and its sequence number.
 */
export type Stamp = readonly [version: number, time: number, device: number, seq: number];

export type Fields = Readonly<Record<string, unknown>>;

export interface Row {
  readonly id: Id;
  readonly type: EntityType;
  readonly scope: Id;
  /** Scope version of the row's last change of any kind. */
  readonly version: number;
  /** Registers that differ from their default; never null. */
  readonly fields: Fields;
  /** Stamp of every register not named in `stamps`. */
  readonly stamp: Stamp;
  readonly stamps?: Readonly<Record<string, Stamp>>;
  readonly createdAt: number;
  /** Strictly increasing per account, milliseconds near the clock; 0 while only predicted. */
  readonly updatedAt: number;
}

/** Version of a prediction: above every version of the server's. */
export const PREDICTED = Number.MAX_SAFE_INTEGER;

/** Whether a register shows what this device wrote and the server has not confirmed. */
export function isPredicted(row: Row, register: string): boolean {
  return registerStamp(row, register)[0] === PREDICTED;
}

export function registerStamp(row: Row, register: string): Stamp {
  return row.stamps?.[register] ?? row.stamp;
}

/**
 * The stamp that a write has to win over; undefined where nobody has written. What several devices may make by themselves
 * (one's own row about a task) says nothing by leaving a register out.
 */
export function writtenStamp(row: Row, register: string): Stamp | undefined {
  const isUnsaid = row.type === 'mine' && row.fields[register] === undefined;
  return row.stamps?.[register] ?? (isUnsaid ? undefined : row.stamp);
}

/** Copied name by name: an object of which something was deleted is slow to read and to copy from then on. */
function without(fields: Fields, register: string): Fields {
  if (fields[register] === undefined) return fields;
  const rest: Record<string, unknown> = {};
  for (const name in fields) if (name !== register) rest[name] = fields[name];
  return rest;
}

/**
 * The row with one register written. Null writes the default: the value goes, its stamp stays, so that an older
 * write cannot revive what was replaced.
 */
export function withRegister(row: Row, register: string, value: unknown, stamp: Stamp): Row {
  const isDefault = value === null || value === undefined;
  const fields = isDefault ? without(row.fields, register) : { ...row.fields, [register]: value };
  return { ...row, version: stamp[0], fields, stamps: { ...row.stamps, [register]: stamp } };
}
