// What the search language asks of the running program: rows, their texts, what hangs where, and the moment.
import type { World } from '#sync/query/world.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import type { Program } from '../program.ts';

export function worldOf(program: Program): World {
  const { replica, search, workspace } = program;
  const { away, facts } = workspace;
  return {
    replica,
    index: search,
    facts,
    showsSnoozed: () => away.showsSnoozed,
    context: () => phraseContext(program, null),
  };
}
