// Operations as sentences for people: what was done and to what. Not here: whether it reached anybody.
import type { Operation } from '#sync/operation.ts';
import type { RecoveredItem } from '#sync/ports.ts';
import type { Replica } from '#sync/replica-types.ts';
import { nameOf } from './row-facts.ts';

export interface Described {
  readonly what: string;
  /** The name of what it is about, as it is now; what the operation itself says where that is gone. */
  readonly about: string;
}

const FIELDS: Readonly<Record<string, string>> = {
  title: 'Rename',
  name: 'Rename',
  notes: 'Edit notes',
  due: 'Change due date',
  start: 'Change start date',
  repeat: 'Change repetition',
  flag: 'Change flag',
  archived: 'Archive or bring back',
  color: 'Change colour',
};

const KINDS: Readonly<Record<string, string>> = {
  task: 'Add task',
  list: 'Add list',
  label: 'Add label',
  completion: 'Add completion record',
  mine: 'Fold or unfold',
  setting: 'Change setting',
};

function whatOf(operation: Operation): string {
  switch (operation.a) {
    case 'create':
      return KINDS[operation.type] ?? `Add ${operation.type}`;
    case 'set':
      return FIELDS[operation.field] ?? (operation.field.startsWith('label') ? 'Change labels' : 'Change');
    case 'note':
      return 'Edit notes';
    case 'place':
      return 'Move';
    case 'delete':
      return 'Delete';
    case 'restore':
      return 'Restore';
    case 'complete':
      return 'Complete';
    case 'reopen':
      return 'Reopen';
    case 'reoffer':
      return 'Bring back';
  }
}

/** The text an operation carries; empty when it carries none. */
export function contentOf(operation: Operation): string {
  if (operation.a === 'create' || operation.a === 'reoffer') {
    const { title, name, notes } = operation.fields;
    const text = [title ?? name, notes].find((part) => typeof part === 'string' && part !== '');
    return typeof text === 'string' ? text : '';
  }
  if (operation.a === 'note') return operation.text;
  if (operation.a !== 'set') return '';
  return typeof operation.value === 'string' ? operation.value : '';
}

export function describeOperation(operation: Operation, replica: Pick<Replica, 'row'>): Described {
  const row = replica.row(operation.id);
  const name = nameOf(row) || contentOf(operation);
  return { what: whatOf(operation), about: name === '' ? 'something without a name' : name };
}

const REASONS: Readonly<Partial<Record<RecoveredItem['verdict'], string>>> = {
  superseded: 'Another text was written in its place.',
  gone: 'It was deleted for good before this change arrived.',
  cycle: 'It would have stood inside itself.',
  badparent: 'The place it should go to does not exist.',
  forbidden: 'It was not allowed.',
  invalid: 'It was not understood.',
  limit: 'It is too large.',
  parked: 'The server lost what it belongs to. It is made when another device brings that back.',
};

export function reasonOf({ verdict, operation }: RecoveredItem): string {
  if (operation.off !== undefined) return 'It was made while cloud sync was off, and reached the disk later.';
  return REASONS[verdict] ?? verdict;
}
