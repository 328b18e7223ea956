// Rows of a sealed scope on their way into the replica: opened as far as this device can, the rest kept apart as it came, and locked again. In turns, so that
// a large answer holds up no key.
import { createKeyring, type AccountKey, type Keyring, type Owner } from '#core/sealing/keys.ts';
import { keyBytes } from '#core/sealing/cipher.ts';
import { isEnvelope, type Sealer } from '#core/sealing/envelope.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import { fateOf, hiddenRegister } from '#core/sealing/sealable.ts';
import { asItCame, lockedOf, withLocked } from '../rows/locked.ts';
import {
  isKnown,
  registersOf,
  registerStamp,
  withFields,
  type Fields,
  type Row,
  type Stamp,
  type StoredRow,
} from '../rows/row.ts';
import { writerOf } from './reencoding.ts';
import { sealRegister, type Opening } from './registers.ts';
import { hasLists, type ScopeSealing } from './scope-state.ts';
import { openRow, type OpenedRow } from './sealed-row.ts';

/** Rows that are opened before keys and frames have their turn. */
const TURN_ROWS = 64;

/** A ring without a key: nothing opens, and what is plain is told from what isn't. */
const lockedRing = (owner: Owner): Keyring =>
  createKeyring(new Uint8Array(keyBytes) as AccountKey, owner, new Map());

/** What opens rows in a state of their scope. Without a ring everything that is sealed stays locked. */
export function openingIn(
  state: ScopeSealing,
  {
    ring,
    owner,
    checks,
  }: { readonly ring: Keyring | null; readonly owner: Owner; readonly checks: RegisterChecks },
): Opening {
  // Only in a scope that is sealed to the end, with no list on its way, a plain value is its server's own.
  return {
    ring: ring ?? lockedRing(owner),
    checks,
    acceptsPlain: state.phase !== 'sealed' || hasLists(state),
  };
}

/** The row as the replica takes it: opened as far as possible. Also one that was opened before with fewer keys. */
export function openedRow(opening: Opening, stored: StoredRow): StoredRow {
  return openedWith(opening, stored).row;
}

/** As `openedRow`, with who sealed the registers that open. */
export function openedWith(
  opening: Opening,
  stored: StoredRow,
): { readonly row: StoredRow; readonly writers: OpenedRow['writers'] } {
  const before = lockedOf(stored);
  // Nothing of it was opened before, and it isn't a note that a server has merged: most rows of a first sync.
  if (before === undefined && !Object.hasOwn(registersOf(stored), 'notesDoc')) {
    const { row, locked, writers } = openRow(opening, stored);
    return { row: isKnown(row) ? withLocked(row, locked) : row, writers };
  }
  const came = asItCame(stored);
  if (!isKnown(came)) return { row: came, writers: new Map() };
  // What a server merged a note from is no content of the row, and sealed it would open for nobody.
  const { notesDoc, ...others } = registersOf(came);
  // What was opened before is open: in its place there is no envelope any more.
  const isClosed = ([name]: readonly [string, unknown]) =>
    before === undefined || Object.hasOwn(before, name) || fateOf(came.type, name) === 'plain';
  const all = Object.entries(others);
  const closed = withFields(came, Object.fromEntries(all.filter(isClosed)) as Fields);
  const { row: part, locked, writers } = openRow(opening, closed);
  const open = all.filter((each) => !isClosed(each));
  const row =
    open.length === 0 || !isKnown(part)
      ? part
      : withFields(part, { ...Object.fromEntries(open), ...registersOf(part) });
  if (!isKnown(row)) return { row, writers };
  const whole =
    notesDoc === undefined || isEnvelope(notesDoc) ? row : withFields(row, { ...registersOf(row), notesDoc });
  return { row: withLocked(whole, locked), writers };
}

const isSame = (one: Stamp, other: Stamp) => one.every((part, at) => part === other[at]);

/** Whether an attachment names another content than it did: that is sealed anew under its stamp, and what is said of it is another. */
const isOtherContent = (held: Row, row: Row, name: string): boolean =>
  name === 'content' && registersOf(held)['hash'] !== registersOf(row)['hash'];

/**
 * The row with what this device has open of it although it came in a form that doesn't open here: where a value still has the stamp that it had, it
 * was only sealed anew, with a key that this device doesn't have yet.
 */
export function stillOpen(ring: Keyring, held: Row | undefined, row: StoredRow): StoredRow {
  const locked = lockedOf(row);
  if (locked === undefined || held === undefined || !isKnown(row)) return row;
  const { type, id } = row;
  const open = new Map(
    Object.keys(registersOf(held)).map((name) => [
      fateOf(type, name) === 'hidden' ? hiddenRegister(ring, id, name) : name,
      name,
    ]),
  );
  const mine = new Map<string, string>();
  for (const sent of Object.keys(locked)) {
    const name = open.get(sent);
    if (name === undefined || lockedOf(held)?.[name] !== undefined) continue;
    if (isSame(registerStamp(row, sent), registerStamp(held, name)) && !isOtherContent(held, row, name))
      mine.set(sent, name);
  }
  if (mine.size === 0) return row;
  const fields = Object.entries(registersOf(asItCame(row))).map(([sent, value]) => {
    const name = mine.get(sent);
    return name === undefined ? [sent, value] : [name, registersOf(held)[name]];
  });
  const stamps = Object.entries(row.stamps ?? {}).map(
    ([sent, stamp]) => [mine.get(sent) ?? sent, stamp] as const,
  );
  const whole = withFields(row, Object.fromEntries(fields) as Fields);
  const named = row.stamps === undefined ? whole : { ...whole, stamps: Object.fromEntries(stamps) };
  return withLocked(named, new Set(Object.keys(locked).filter((sent) => !mine.has(sent))));
}

/** Opens many rows, with a turn for keys and frames now and then. */
export async function openedRows(
  opening: Opening,
  rows: readonly StoredRow[],
  breathe: () => Promise<void>,
): Promise<StoredRow[]> {
  const opened: StoredRow[] = [];
  for (const row of rows) {
    if (opened.length > 0 && opened.length % TURN_ROWS === 0) await breathe();
    opened.push(openedRow(opening, row));
  }
  return opened;
}

/**
 * The row with all of its content locked, for a device that forgets its key: sealed as any device would have sealed it, so that nothing of it has
 * to be fetched, and the key opens it again. One of a type that this program doesn't know stays as it is.
 */
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
