// Changes in one form: operations of the server's history and of this device's journal, split into changes of single
// entities, each with its previous value and the action that restores it. Wording is in sentences.ts.
import type { Id } from '#core/ids.ts';
import type { Action, NextOccurrence, Operation, VisitorMark } from '#sync/rows/operation.ts';
import type { JournalEntry } from '#sync/replica/ports.ts';
import type { Row } from '#sync/rows/row.ts';
import type { WireHistoryEntry } from '#wire/history.ts';

export type Kind = 'added' | 'set' | 'moved' | 'deleted' | 'restored' | 'completed' | 'reopened';

/** A change of one register of one entity, or its creation or deletion. */
export interface Change {
  readonly id: Id;
  readonly kind: Kind;
  /** For `set`: the register. */
  readonly field: string;
  /** The previous value; null: the default, undefined: not known. For `moved`: the parent. */
  readonly before: unknown;
  readonly after: unknown;
  /** Restores the previous value, whatever the current one; null: there was none. */
  readonly back: Action | null;
}

export interface Event {
  /** Id of the operation. */
  readonly u: Id;
  readonly q: number;
  readonly at: number;
  readonly group: Id | null;
  /** The scope whose history has it; null: done here. */
  readonly scope: Id | null;
  /** Account number from the server; null: done here. */
  readonly account: number | null;
  readonly device: number | null;
  /** The visitor of a public link who did it; null: it was none. */
  readonly via: VisitorMark | null;
  /** Not sent yet. */
  readonly isWaiting: boolean;
  /** It undid or redid something. */
  readonly isUndo: boolean;
  readonly changes: readonly Change[];
}

/** Registers that are no content: collapsed state, reminder progress, snooze count. */
const UNSAID: ReadonlySet<string> = new Set([
  'of',
  'collapsed',
  'wake',
  'snoozeCount',
  'notesDoc',
  'joinedAt',
  'seenVersion',
  'order',
]);

export interface Rows {
  row(id: Id): Row | undefined;
}

/** The entity a change is about: for a personal row of a task, the task; for a mount, its list; for a comment, its task. */
export function subjectId({ id }: Pick<Change, 'id'>, rows: Rows): Id {
  const own = rows.row(id);
  if (own?.type === 'comment') return own.fields.place.parent;
  return own?.type === 'mine' || own?.type === 'mount' ? own.fields['of'] : id;
}

/** A change that a person did not make on purpose. */
export function isSilent({ id, kind, field, after }: Change, rows: Rows): boolean {
  if (kind === 'set') return UNSAID.has(field) || rows.row(id)?.type === 'completion';
  // The Inbox always exists; nobody created it.
  if (kind === 'added')
    return field === 'completion' || (after as { readonly listType?: string }).listType === 'inbox';
  return rows.row(id)?.type === 'completion';
}

type Fields = Readonly<Record<string, unknown>> | null;
type Loose = { readonly a: string; readonly id: Id } & Readonly<Record<string, unknown>>;

/** Registers that follow from others of the same operation. */
const FOLLOWING: ReadonlySet<string> = new Set(['place', 'del', 'status', 'occ', 'due', 'start', 'repeat']);

/** Types of rows that the first write creates. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['mine', 'setting', 'mount']);

/** Types of entities that people add and remove. */
const REMOVABLE: ReadonlySet<string> = new Set([
  'task',
  'list',
  'label',
  'labelGroup',
  'attachment',
  'comment',
]);

function parentOf(place: unknown): Id | null {
  return (place as { readonly parent?: Id } | null | undefined)?.parent ?? null;
}

function occurrence(replaced: Fields, made: NextOccurrence | null): NextOccurrence | null {
  if (made === null) return null;
  const was = (field: 'due' | 'start') =>
    replaced !== null && field in replaced
      ? ((replaced[field] ?? null) as NextOccurrence['due'])
      : made[field];
  const repeat = replaced?.['repeat'] as NextOccurrence['repeat'];
  const others = (['title', 'notes', 'duration', 'series'] as const).flatMap((name) =>
    made[name] === undefined ? [] : [[name, replaced && name in replaced ? replaced[name] : made[name]]],
  );
  return {
    due: was('due'),
    start: was('start'),
    ...(repeat ? { repeat } : {}),
    ...Object.fromEntries(others),
  };
}

function setOf(id: Id, field: string, before: unknown, after: unknown): Change {
  const back: Action | null = before === undefined ? null : { a: 'set', id, field, value: before };
  return { id, kind: 'set', field, before, after, back };
}

type Lookup = (id: Id) => Fields | undefined;

/** Subtasks of a repeating task that were reset, if they were complete. */
function begunAnew(anew: unknown, beneath: Lookup): Change[] {
  return ((anew ?? []) as readonly Id[]).flatMap((id): Change[] => {
    const value = beneath(id)?.['status'] ?? null;
    if (value === null) return [];
    const back: Action = { a: 'set', id, field: 'status', value };
    return [{ id, kind: 'reopened', field: '', before: undefined, after: undefined, back }];
  });
}

/**
 * Changes of the entities that an operation aimed at; `replaced`: previous registers of the first, null if it did not
 * exist; `beneath`: those of others.
 */
function changesOf(operation: Loose, replaced: Fields | undefined, beneath: Lookup): Change[] {
  const { id } = operation;
  const plain = { id, field: '', before: undefined, after: undefined };
  const was = (field: string) => (replaced ? (replaced[field] ?? null) : undefined);
  switch (operation.a) {
    case 'create': {
      const fields = (operation['fields'] ?? {}) as Readonly<Record<string, unknown>>;
      // Personal rows and settings are not created from a person's point of view.
      const type = String(operation['type']);
      if (ALWAYS_THERE.has(type))
        return Object.entries(fields)
          .filter(([field]) => field !== 'of' && field !== 'key')
          .map(([field, value]) => setOf(id, field, was(field) ?? null, value));
      // An undone creation goes to the trash, where it can be found again.
      const back: Action | null = REMOVABLE.has(type) ? { a: 'delete', id } : null;
      return [{ ...plain, kind: 'added', field: type, after: fields, back }];
    }
    case 'set': {
      const field = String(operation['field']);
      // A label of an exclusive group replaces another of that group.
      const beside = Object.keys(replaced ?? {}).filter((one) => one !== field && !FOLLOWING.has(one));
      return [
        setOf(id, field, was(field), operation['value'] ?? null),
        ...beside.map((one) => setOf(id, one, was(one), null)),
      ];
    }
    case 'place': {
      const before = parentOf(was('place'));
      const after = parentOf(operation['place']);
      const back: Action | null = before === null ? null : { a: 'place', id, place: { parent: before } };
      return [{ ...plain, kind: 'moved', before, after, back }];
    }
    case 'delete':
      return [{ ...plain, kind: 'deleted', back: { a: 'restore', id } }];
    case 'restore':
      return [{ ...plain, kind: 'restored', back: { a: 'delete', id } }];
    case 'complete': {
      const previous = occurrence(replaced ?? null, (operation['next'] ?? null) as NextOccurrence | null);
      const done: Change = {
        ...plain,
        kind: 'completed',
        back: { a: 'reopen', id, occ: Number(operation['occ']), previous },
      };
      return [done, ...begunAnew(operation['anew'], beneath)];
    }
    case 'reopen': {
      const next = occurrence(replaced ?? null, (operation['previous'] ?? null) as NextOccurrence | null);
      const status = was('status') as { readonly done?: number } | null | undefined;
      const at = status?.done ?? Number(operation['t']);
      return [
        { ...plain, kind: 'reopened', back: { a: 'complete', id, occ: Number(operation['occ']), at, next } },
      ];
    }
    default:
      // Unknown kinds of writes still name the registers they replaced.
      return Object.keys(replaced ?? {})
        .filter((field) => !FOLLOWING.has(field))
        .map((field) => setOf(id, field, was(field), undefined));
  }
}

/** An entry of the server's history, with the scope that it is from. */
export type ServedEntry = WireHistoryEntry & { readonly scope: Id };

export function eventOf(entry: ServedEntry): Event {
  const operation = entry.operation as unknown as Loose & Operation;
  const replaced = entry.before.find(({ id }) => id === operation.id)?.fields;
  return {
    u: operation.u,
    q: operation.q,
    at: entry.at,
    group: operation.g ?? null,
    scope: entry.scope,
    account: entry.account,
    device: entry.device,
    via: operation.via ?? null,
    isWaiting: false,
    isUndo: 'only' in operation,
    changes: changesOf(operation, replaced, (id) => entry.before.find((one) => one.id === id)?.fields),
  };
}

/** Previous registers according to the inverses of an issue. */
function replacedBy(inverses: readonly Action[]): Map<Id, Record<string, unknown>> {
  const replaced = new Map<Id, Record<string, unknown>>();
  const of = (id: Id) => {
    const fields = replaced.get(id) ?? {};
    replaced.set(id, fields);
    return fields;
  };
  for (const action of inverses) {
    if (action.a === 'set') of(action.id)[action.field] = action.value;
    if (action.a === 'place') of(action.id)['place'] = action.place;
    if (action.a === 'reopen' && action.previous) Object.assign(of(action.id), action.previous);
    if (action.a === 'complete' && action.next) Object.assign(of(action.id), action.next);
  }
  return replaced;
}

/** Only registers that the operation itself writes; others of the same issue have their own entry. */
function relevant(operation: Operation, fields: Record<string, unknown> | undefined): Fields | undefined {
  if (!fields || operation.a === 'create') return fields;
  if (operation.a !== 'set') return fields;
  return operation.field in fields ? { [operation.field]: fields[operation.field] } : undefined;
}

export function eventsOf(entry: JournalEntry, waiting: ReadonlySet<number>): Event[] {
  const replaced = replacedBy(entry.inverses);
  const places = new Map(entry.inverses.flatMap((one) => (one.a === 'place' ? [[one.id, one.place]] : [])));
  return entry.operations.map((operation) => {
    const own = relevant(operation, replaced.get(operation.id));
    const changes = changesOf(operation as unknown as Loose, own, (id) => replaced.get(id));
    return {
      u: operation.u,
      q: operation.q,
      at: operation.t,
      group: operation.g ?? null,
      scope: null,
      account: null,
      device: null,
      via: null,
      isWaiting: waiting.has(operation.q),
      isUndo: 'only' in operation,
      // The journal also remembers the neighbors of a position.
      changes: changes.map((change) => {
        const place = change.back?.a === 'place' ? places.get(change.id) : undefined;
        return place ? { ...change, back: { a: 'place', id: change.id, place } } : change;
      }),
    };
  });
}

/** Merges the writes of one gesture to one register, oldest first: typing is one change. */
export function joined(changes: readonly Change[]): Change[] {
  const kept = new Map<string, Change>();
  for (const change of changes) {
    const { id, kind, field } = change;
    const created = kept.get(`${id} added`);
    if (created && kind === 'set') {
      const fields = { ...(created.after as Record<string, unknown>), [field]: change.after };
      kept.set(`${id} added`, { ...created, after: fields });
      continue;
    }
    const slot = kind === 'set' ? `${id} set ${field}` : `${id} ${kind}`;
    const first = kept.get(slot);
    kept.set(slot, first ? { ...change, before: first.before, back: first.back } : change);
  }
  return [...kept.values()];
}
