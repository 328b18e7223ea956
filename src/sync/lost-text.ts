// Which of a person's own words an answer replaced: kept to be found again, unless the person replaced them too. What
// becomes of an operation otherwise is replica.ts.
import { slotOf } from './compaction.ts';
import { byOrder } from './lanes.ts';
import type { Operation } from './operation.ts';
import type { RecoveredItem } from './ports.ts';
import type { Row } from './row.ts';

const TEXTS: ReadonlySet<string> = new Set(['title', 'name', 'notes']);

interface Around {
  /** Own operations that stand: confirmed in the same answer, or still waiting. */
  readonly standing: readonly Operation[];
  readonly row: (id: Row['id']) => Row | undefined;
}

/** The text an operation writes; an undo writes none of the person's. */
function writtenBy(operation: Operation): readonly [field: string, value: unknown] | null {
  if (operation.a === 'note') return ['notes', operation.text];
  if (operation.a !== 'set' || operation.only !== undefined || !TEXTS.has(operation.field)) return null;
  return [operation.field, operation.value];
}

/**
 * Of replaced texts the last of each field, and of each go at a note, where nothing newer of this device that holds it stands
 * and the text is not there anyway.
 */
export function lostTexts(replaced: readonly RecoveredItem[], { standing, row }: Around): RecoveredItem[] {
  const lost = new Map<string, RecoveredItem>();
  for (const item of replaced) {
    const { operation } = item;
    const { id, u } = operation;
    const written = writtenBy(operation);
    if (written === null) continue;
    const [field, value] = written;
    const slot = slotOf(operation) ?? u;
    const holds = (own: Operation) =>
      byOrder(own, operation) > 0 && [slot, `${id} ${field}`].includes(slotOf(own) ?? own.u);
    const isText = typeof value === 'string' && value !== '' && row(id)?.fields[field] !== value;
    if (isText && !standing.some(holds)) lost.set(slot, item);
    else lost.delete(slot);
  }
  return [...lost.values()];
}
