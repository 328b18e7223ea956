// Describes operations in sentences: what was done and to what. Their delivery is described elsewhere.
import type { Operation } from '#sync/rows/operation.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { nameOf } from '../outline/row-facts.ts';

export interface Described {
  readonly what: string;
  /** The current name of its subject; if that is gone, the name in the operation. */
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
  color: 'Change color',
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

/** The text of an operation; empty when it has none. */
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
  return { what: whatOf(operation), about: name === '' ? 'something untitled' : name };
}

const REASONS: Readonly<Partial<Record<string, string>>> = {
  superseded: 'The text has changed since.',
  gone: 'It’s gone: deleted for good, or in a list that you’re not in.',
  exists: 'It’s on the server already, in a list that you’re not in.',
  cycle: 'It would have been inside itself.',
  badparent: 'The place it was going to doesn’t exist.',
  forbidden: 'It wasn’t allowed.',
  invalid: 'The server couldn’t read it.',
  limit: 'It’s too large.',
  parked: 'The server lost what it belongs to. We’ll apply it when another device restores that.',
};

export function reasonOf({ verdict, operation }: RecoveredItem): string {
  if (operation.off !== undefined) return 'You made it while cloud sync was off, and it was saved later.';
  return (
    REASONS[verdict] ?? `The server refused it, with a word that this version doesn’t know: “${verdict}”.`
  );
}
