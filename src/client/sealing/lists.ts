// The shared lists of a person as encryption sees them: those that stay encrypted, whatever becomes of the person’s own tasks, and those that don’t.
import type { Id } from '#core/ids.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';

const nameIn = (row: Row): string => nameOf(row) || 'Untitled';

function shared({ replica }: Program): readonly Row[] {
  return [...replica.all()].filter(
    (row) => row.type === 'list' && row.scope !== replica.scope && !isTrashed(row),
  );
}

/** Names of the lists that stay encrypted; a locked one is called as it is shown. */
export function keptLists(program: Program, is: 'open' | 'locked' | null = null): readonly string[] {
  const { lists = {} } = program.engine.facts();
  const isMeant = (scope: Id) => lists[scope] !== undefined && (is === null || lists[scope] === is);
  return shared(program)
    .filter(({ scope }) => isMeant(scope))
    .map(nameIn);
}

/** Names of those that don’t open on this device. */
export const lockedLists = (program: Program): readonly string[] => keptLists(program, 'locked');

/** Names of lists that others can read, and the server: they stay as they are. */
export function openLists(program: Program): readonly string[] {
  const { lists = {} } = program.engine.facts();
  return shared(program)
    .filter(({ scope }) => lists[scope] === undefined)
    .filter((row) => fieldOf(row, 'archivedAt') === undefined)
    .map(nameIn);
}
