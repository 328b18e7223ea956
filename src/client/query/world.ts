// What the search language asks of the running program: rows, their texts, what hangs where, and the moment.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Replica } from '#sync/replica-types.ts';
import type { Children } from '../children.ts';
import type { Facts } from '../facts.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import type { Program } from '../program.ts';
import type { SearchIndex } from '../search.ts';

export interface World {
  readonly replica: Replica;
  readonly index: SearchIndex;
  readonly children: Children;
  readonly facts: Facts;
  context(): PhraseContext;
}

export function worldOf(program: Program): World {
  const { replica, search, workspace } = program;
  const { children, facts } = workspace;
  return { replica, index: search, children, facts, context: () => phraseContext(program, null) };
}
