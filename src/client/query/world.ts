// The context of queries in the running program: rows, texts, the tree, and the moment.
import type { World } from '#sync/query/world.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import type { Program } from '../app/program.ts';
import { textIndexOf } from '../search/searching.ts';

/** The people of the lists that are here, also those who have left; somebody in several lists more than once. */
export function everyone({
  replica,
  sidebar,
}: Program): readonly { readonly account: number; readonly name: string }[] {
  const scopes = new Set(sidebar.everything().map(({ scope }) => scope));
  return [...scopes].flatMap((scope) =>
    replica.members(scope).map(({ fields: { account, name = '' } }) => ({ account, name })),
  );
}

/** What queries see of the running program. The people and the moment are those of each question. */
export function worldOf(program: Program): World {
  const { replica, workspace } = program;
  const { away, facts } = workspace;
  return {
    replica,
    index: textIndexOf(program),
    facts,
    showsSnoozed: () => away.showsSnoozed,
    people: () => everyone(program),
    account: replica.account,
    context: () => phraseContext(program, null),
  };
}
