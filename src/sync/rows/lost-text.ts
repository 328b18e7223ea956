// Finds texts of the person that an answer replaced: they go to the recovered changes, unless the person replaced them
// too. The other effects of verdicts are in replica.ts.
import { slotOf } from '../replica/compaction.ts';
import { byOrder } from '../tabs/sequences.ts';
import type { Action, Operation } from './operation.ts';
import type { RecoveredItem } from '../replica/ports.ts';
import { registersOf, type Row } from './row.ts';

/** Registers with a person's own words. */
export const TEXTS: ReadonlySet<string> = new Set(['title', 'name', 'notes']);

interface Held {
  readonly pending: readonly Operation[];
  readonly row: (id: Row['id']) => Row | undefined;
  /** Numbers an action without applying or queueing it. */
  readonly setAside: (action: Action) => Operation;
}

/** The text that an operation writes; none for an undo. */
function writtenBy(operation: Operation): readonly [field: string, value: unknown] | null {
  if (operation.a === 'note') return ['notes', operation.text];
  if (operation.a !== 'set' || operation.only !== undefined || !TEXTS.has(operation.field)) return null;
  return [operation.field, operation.value];
}

/** Turns each text of a refused offer into its own write; leaves all other replaced operations as they are. */
function asTexts(replaced: readonly RecoveredItem[], held: Held): readonly RecoveredItem[] {
  return replaced.flatMap((item) => {
    const { operation } = item;
    if (operation.a !== 'reoffer') return [item];
    const { id, scope, fields } = operation;
    return [...TEXTS].flatMap((field) => {
      if (typeof fields[field] !== 'string') return [];
      return [
        { ...item, operation: { ...held.setAside({ a: 'set', id, field, value: fields[field] }), scope } },
      ];
    });
  });
}

/**
 * The last replaced text of each field, and of each editing of a note, unless a newer operation of this device contains
 * it or the row still has it. `settled`: operations confirmed in the same answer.
 */
export function lostTexts(
  replaced: readonly RecoveredItem[],
  settled: readonly Operation[],
  held: Held,
): RecoveredItem[] {
  const standing = [...settled, ...held.pending];
  const lost = new Map<string, RecoveredItem>();
  for (const item of asTexts(replaced, held)) {
    const { operation } = item;
    const { id, u } = operation;
    // Somebody else has its id.
    if (operation.a === 'create' && !held.row(id)) lost.set(u, item);
    const written = writtenBy(operation);
    if (written === null) continue;
    const [field, value] = written;
    const slot = slotOf(operation) ?? u;
    const holds = (own: Operation) =>
      byOrder(own, operation) > 0 && [slot, `${id} ${field}`].includes(slotOf(own) ?? own.u);
    const row = held.row(id);
    const isText = typeof value === 'string' && value !== '' && (row && registersOf(row)[field]) !== value;
    if (isText && !standing.some(holds)) lost.set(slot, item);
    else lost.delete(slot);
  }
  return [...lost.values()];
}
