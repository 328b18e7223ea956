// Which registers of a sealed scope are sealed. What the server needs for merging, permission, order and purging stays plain, and
// nothing else does: a register that is not named here is sealed.
import type { Id } from '../ids.ts';
import { scalarNames, type EntityType, type FieldsByType, type ScalarName } from '../model.ts';
import type { Keyring } from './keys.ts';

/**
 * What becomes of a register in a sealed scope: `hidden` are sealed ones whose names are content, too, and are replaced by what
 * only the scope's keys derive.
 */
export type RegisterFate = 'plain' | 'sealed' | 'hidden';

/** A type's registers by name, without those with open names (`label:<id>`). */
type Named<T extends EntityType> = keyof {
  [Name in keyof FieldsByType[T] as {} extends Record<Name, unknown> ? never : Name]: unknown;
};

type Fates = {
  readonly [T in EntityType]: Readonly<Record<Named<T>, 'plain' | 'sealed'>>;
};

const scalars = Object.fromEntries(scalarNames.map((name) => [name, 'sealed'])) as Readonly<
  Record<ScalarName, 'sealed'>
>;

const fates: Fates = {
  task: {
    place: 'plain',
    title: 'sealed',
    notes: 'sealed',
    due: 'sealed',
    start: 'sealed',
    repeat: 'sealed',
    series: 'sealed',
    ...scalars,
    occ: 'plain',
    status: 'plain',
    assignee: 'plain',
    origin: 'sealed',
    del: 'plain',
  },
  list: {
    place: 'plain',
    listType: 'plain',
    name: 'sealed',
    notes: 'sealed',
    query: 'sealed',
    sort: 'plain',
    archivedAt: 'plain',
    clearAfter: 'plain',
    mailAddress: 'plain',
    del: 'plain',
  },
  label: {
    place: 'plain',
    name: 'sealed',
    color: 'sealed',
    hotkey: 'sealed',
    visibility: 'plain',
    associatedSharedListID: 'plain',
    del: 'plain',
  },
  labelGroup: { place: 'plain', name: 'sealed', visibility: 'plain', exclusive: 'plain', del: 'plain' },
  mine: {
    of: 'plain',
    snooze: 'sealed',
    snoozeCount: 'plain',
    bookmarkedAt: 'plain',
    collapsed: 'plain',
    reminded: 'plain',
    wake: 'plain',
    order: 'plain',
  },
  completion: {
    task: 'plain',
    occ: 'plain',
    at: 'plain',
    title: 'sealed',
    due: 'sealed',
    start: 'sealed',
    del: 'plain',
  },
  attachment: {
    place: 'plain',
    name: 'sealed',
    fileType: 'sealed',
    sizeBytes: 'plain',
    hash: 'plain',
    content: 'sealed',
    del: 'plain',
  },
  comment: { place: 'plain', author: 'plain', text: 'sealed', seal: 'plain', del: 'plain' },
  setting: { key: 'plain', value: 'sealed' },
  mount: {
    of: 'plain',
    place: 'plain',
    hiddenAt: 'plain',
    joinedAt: 'plain',
    ownSort: 'plain',
    seenVersion: 'plain',
    muted: 'plain',
  },
  member: {
    account: 'plain',
    role: 'plain',
    name: 'plain',
    initials: 'plain',
    emoji: 'plain',
    color: 'plain',
    joinedAt: 'plain',
    leftAt: 'plain',
  },
};

/** Open names that are content: keys of metadata, and reminders, whose names are their times. */
const HIDDEN = ['meta:', 'remind:'] as const;
/** What follows instead: 32 bytes of base64. */
const HIDDEN_NAME = /^(?:meta|remind):~[\w-]{43}$/;

/** What becomes of a register of this type in a sealed scope. */
export function fateOf(type: EntityType, register: string): RegisterFate {
  if (register.startsWith('label:')) return 'plain';
  if (HIDDEN.some((prefix) => register.startsWith(prefix))) return 'hidden';
  const named: Readonly<Record<string, 'plain' | 'sealed'>> = fates[type];
  return Object.hasOwn(named, register) ? (named[register] ?? 'sealed') : 'sealed';
}

/** The name that a hidden register has for the server: in each row another one, in each generation the same. */
export function hiddenRegister(ring: Keyring, row: Id, register: string): string {
  const prefix = register.slice(0, register.indexOf(':') + 1);
  return `${prefix}~${ring.hiddenName(row, register)}`;
}

/** Whether a register has a name that `hiddenRegister` makes. */
export function isHiddenRegister(register: string): boolean {
  return HIDDEN_NAME.test(register);
}
