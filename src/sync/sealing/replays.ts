// Values that a server gives back although this device has seen a later one in their place. Only within one history of the server: one that was
// restored gives back older values in all honesty, and is healed (exchange/healing.ts). Not here: rows that a server withholds.
import type { SealedContent } from '#core/model.ts';
import type { SealedWriter } from '#core/sealing/envelope.ts';
import { lockedOf } from '../rows/locked.ts';
import { registersOf, registerStamp, withFields, type Row, type Stamp, type StoredRow } from '../rows/row.ts';
import { isReplay } from './registers.ts';

/** What became of a row: `replayed` registers have the value that was here. */
export interface Compared {
  readonly row: StoredRow;
  readonly replayed: readonly string[];
}

const isSame = (one: Stamp, other: Stamp) => one.every((part, at) => part === other[at]);

/** A value without what tells only with which key something is sealed. */
function meant(row: Row, name: string): string {
  const value = registersOf(row)[name];
  const isContent = row.type === 'attachment' && name === 'content';
  return JSON.stringify(isContent ? { ...(value as SealedContent), scope: null } : value);
}

function isOlder(held: Row, row: Row, name: string, writer: SealedWriter): boolean {
  const [before, now] = [registerStamp(held, name), registerStamp(row, name)];
  if (isSame(before, now)) return meant(held, name) !== meant(row, name);
  const [, , device, seq] = before;
  // Numbers below zero stand for writers that are no devices.
  return device > 0 && seq > 0 && isReplay({ device, seq }, writer);
}

/**
 * The row with the values of this device where the server gives back older ones. `writers`: who sealed what was opened, by register. `held` came in
 * the same history of the server.
 */
export function withoutReplays(held: Row, row: Row, writers: ReadonlyMap<string, SealedWriter>): Compared {
  const present = registersOf(held);
  const replayed = [...writers].flatMap(([name, writer]) => {
    const isOpen = present[name] !== undefined && lockedOf(held)?.[name] === undefined;
    return isOpen && isOlder(held, row, name, writer) ? [name] : [];
  });
  if (replayed.length === 0) return { row, replayed };
  const values = replayed.map((name) => [name, present[name]] as const);
  const stamps = replayed.map((name) => [name, registerStamp(held, name)] as const);
  const whole = withFields(row, { ...registersOf(row), ...Object.fromEntries(values) });
  return { row: { ...whole, stamps: { ...row.stamps, ...Object.fromEntries(stamps) } }, replayed };
}
