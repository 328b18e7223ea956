// The shared lists of a person as encryption sees them: those that stay encrypted, whatever becomes of the person’s own tasks, and those that don’t.
import type { Id } from '#core/ids.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { sharing } from '../sharing/part.ts';

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

/** Names of the lists that stay encrypted and have public links, as the server says; those that it can't be asked about are left out. */
export async function publishedLists(program: Program): Promise<readonly string[]> {
  const { lists = {} } = program.engine.facts();
  const kept = shared(program).filter(({ scope }) => lists[scope] !== undefined);
  const all = await Promise.all(
    kept.map(async (row) => {
      const state = await program.part(sharing).withPort((port) => port.read(row.id));
      return state.ok && (state.value.publicLinks ?? 0) > 0 ? [nameIn(row)] : [];
    }),
  );
  return all.flat();
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
