// Work that only one of several servers does: as the leader, inside the fence, and no longer than it leads.
import { fenced, fencedTerm } from '../data/fence.ts';
import type { Leadership } from '../data/presence.ts';

/** Runs `work` if this server leads; null: it doesn't. What it writes is refused once another one leads. */
export async function whileLeading<T>(
  { term }: Pick<Leadership, 'term'>,
  work: () => Promise<T>,
): Promise<T | null> {
  return term === null ? null : await fenced(term, work);
}

/** Whether the running work may go on: it is nobody's in particular, or that of the leadership which this server has. */
export function mayGoOn({ term }: Pick<Leadership, 'term'>): boolean {
  const own = fencedTerm();
  return own === null || own === term;
}
