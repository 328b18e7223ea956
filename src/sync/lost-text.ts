// Which of a person's own words an answer replaced: kept to be found again, unless the person replaced them too. What
// becomes of an operation otherwise is replica.ts.
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
function writtenBy(operation: Operation): { readonly field: string; readonly value: unknown } | null {
  if (operation.a === 'note') return { field: 'notes', value: operation.text };
  if (operation.a !== 'set' || operation.only !== undefined || !TEXTS.has(operation.field)) return null;
  return { field: operation.field, value: operation.value };
}

/** Edits of one text hold each other: the last of them is enough. One that started from another text holds nothing of them. */
function textOf(operation: Operation): string {
  return operation.a === 'note' ? operation.seed : '';
}

/** Of replaced texts the last of each field, where nothing newer of this device stands and the text is not there anyway. */
export function lostTexts(replaced: readonly RecoveredItem[], { standing, row }: Around): RecoveredItem[] {
  const lost = new Map<string, RecoveredItem>();
  for (const item of replaced) {
    const { operation } = item;
    const written = writtenBy(operation);
    if (written === null) continue;
    const { id } = operation;
    const { field, value } = written;
    const isNewer = (own: Operation) =>
      own.id === id &&
      byOrder(own, operation) > 0 &&
      writtenBy(own)?.field === field &&
      (own.a !== 'note' || textOf(own) === textOf(operation));
    const isText = typeof value === 'string' && value !== '' && row(id)?.fields[field] !== value;
    const key = `${id} ${field} ${textOf(operation)}`;
    if (isText && !standing.some(isNewer)) lost.set(key, item);
    else lost.delete(key);
  }
  return [...lost.values()];
}
