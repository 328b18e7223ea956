// How a history entry is stored in its tables, the same for both engines.
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { HistoryEntry } from './store.ts';

type Replaced = HistoryEntry['before'];

/** The columns of an entry, in the order in which every statement names them. */
export type HistoryCells = [
  scope: string,
  version: number,
  seq: number,
  entity: string,
  account: number,
  device: number,
  at: number,
  operation: string,
  replaced: string,
];

/** Numbers the entries of a version in the order they are saved; one transaction writes a version. */
export class HistorySequence {
  readonly #next = new Map<Id, Map<number, number>>();

  next({ scope, version }: HistoryEntry): number {
    const ofScope = this.#next.get(scope) ?? new Map<number, number>();
    this.#next.set(scope, ofScope);
    const seq = ofScope.get(version) ?? 0;
    ofScope.set(version, seq + 1);
    return seq;
  }
}

/** The columns of an entry. `seq`: its number within the version (HistorySequence). */
export function historyCells(entry: HistoryEntry, seq: number): HistoryCells {
  return [
    entry.scope,
    entry.version,
    seq,
    entry.operation.id,
    entry.account,
    entry.device,
    entry.at,
    JSON.stringify(entry.operation),
    JSON.stringify(entry.before),
  ];
}

/** Reads an entry from its columns; the inverse of `historyCells`. */
export function cellsToHistory(cells: readonly unknown[]): HistoryEntry {
  const [scope, version, , , account, device, at, operation, replaced] = cells as HistoryCells;
  return {
    scope: scope as Id,
    version,
    account,
    device,
    at,
    operation: JSON.parse(operation) as Operation,
    before: JSON.parse(replaced) as Replaced,
  };
}

function parentIn(place: unknown): Id | undefined {
  return (place as { readonly parent?: Id } | null | undefined)?.parent;
}

/** Other entities whose history includes the entry: those it changed, their tasks, and the parent that a move left. */
export function touchedBeside({ operation, before }: HistoryEntry): readonly Id[] {
  const ids = new Set(before.flatMap(({ id, of }) => (of === undefined ? [id] : [id, of])));
  if (operation.a === 'place') {
    const left = parentIn(before.find(({ id }) => id === operation.id)?.fields?.['place']);
    if (left !== undefined && left !== operation.place.parent) ids.add(left);
  }
  ids.delete(operation.id);
  return [...ids];
}

/** The replaced values of an entry, without those of one entity. */
export function withoutEntity(replaced: string, id: Id): string {
  return JSON.stringify((JSON.parse(replaced) as Replaced).filter((part) => part.id !== id));
}
