// The conflict rule, per register: causality first, then the age of the edit. Merging never looks at a value.
import { registerStamp, type Row, type Stamp } from './row.ts';

/** The writer of an operation as the conflict rule sees it. */
export interface Writer {
  /** Scope version that this write will have. */
  readonly version: number;
  /** Effective time: server time minus the operation's age. */
  readonly time: number;
  readonly device: number;
  readonly seq: number;
  /** Scope version the writer had seen. */
  readonly base: number;
}

/**
 * The stamp that the writer leaves on a register, or null when the current value wins. A write wins when its author had
 * seen the current one, or made both; truly concurrent writes go by time, ties by device. A causal overwrite never gets
 * an older time than the write it replaces.
 */
export function stampOver(current: Stamp | undefined, writer: Writer): Stamp | null {
  if (current === undefined) return [writer.version, writer.time, writer.device, writer.seq];
  const [version, time, device, seq] = current;
  const own = device === writer.device;
  if (own && seq >= writer.seq) return null;
  if (own || writer.base >= version)
    return [writer.version, Math.max(writer.time, time + 1), writer.device, writer.seq];
  const later = writer.time > time || (writer.time === time && writer.device > device);
  return later ? [writer.version, writer.time, writer.device, writer.seq] : null;
}

/** Whether the register still holds the write with sequence number `seq` of this device. */
export function stillHolds(row: Row, register: string, device: number, seq: number): boolean {
  const stamp = registerStamp(row, register);
  return stamp[2] === device && stamp[3] === seq;
}
