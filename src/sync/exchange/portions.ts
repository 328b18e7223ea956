// A large answer in portions, so that keys and frames get their turn between two of them: first its rows and what moved, some at a
// time, then the answer as a whole, which finds them there. A portion moves no cursor, brings no verdict and removes nothing,
// so that nobody can tell one from rows that came ahead of their answer.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { Cursor } from '../replica/ports.ts';

/** Rows, or moves, of a portion. */
const PORTION_ROWS = 200;

type Move = NonNullable<ScopeChanges['moved']>[number];

function inPortions<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / PORTION_ROWS) }, (_, at) =>
    items.slice(at * PORTION_ROWS, (at + 1) * PORTION_ROWS),
  );
}

/**
 * What of these changes may be taken in before the answer that brings them; nothing of a small answer. `cursors`: up to where
 * the device has read. A scope that it has not read, or reads anew, is left to the answer.
 */
export function portionsOf(
  changes: readonly ScopeChanges[],
  cursors: Readonly<Record<Id, Cursor>>,
  isRead: (scope: Id) => boolean,
): readonly (readonly ScopeChanges[])[] {
  // What comes with a scope that was restored waits until that is taken in.
  if (changes.some(({ rollback }) => rollback !== undefined)) return [];
  const plain = changes.flatMap((change): ScopeChanges[] => {
    const cursor = cursors[change.scope];
    const isPlain = change.resync !== true && change.bootstrap !== true;
    if (cursor === undefined || !isPlain || !isRead(change.scope)) return [];
    const { scope, from, more } = change;
    return [{ scope, from, ...at(cursor), rows: [], gone: [], more }];
  });
  const held = new Map(plain.map((change) => [change.scope, change]));
  const taken = changes.filter(({ scope }) => held.has(scope));
  const size = taken.reduce((sum, { rows, moved = [] }) => sum + rows.length + moved.length, 0);
  if (size <= PORTION_ROWS) return [];
  const rows = taken.flatMap(({ scope, rows: all }) =>
    inPortions(all).map((portion) =>
      plain.map((change) => (change.scope === scope ? { ...change, rows: portion } : change)),
    ),
  );
  const moves = taken.flatMap(({ scope, moved = [] }) => moved.map((move) => ({ scope, move })));
  // Of several moves of a row none can be told without the others.
  const whole = [...Map.groupBy(moves, ({ move: [id] }) => id).values()];
  const moved = inPortions(whole).map((portion) => {
    const of = Map.groupBy(portion.flat(), ({ scope }) => scope);
    return plain.map((change): ScopeChanges => {
      const own: Move[] = (of.get(change.scope) ?? []).map(({ move }) => move);
      return own.length === 0 ? change : { ...change, moved: own };
    });
  });
  return [...rows, ...moved];
}

const at = ({ generation, version }: Cursor) => ({ generation, to: version });
