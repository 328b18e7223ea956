// Runs the JavaScript step of a macro: what the script reads is made from what is open and selected now, and handed to the platform.
import { failed, type Result } from '#core/result.ts';
import type { Id } from '#core/ids.ts';
import type { Program } from '../../app/program.ts';
import { smartLists } from '../../search/smart-lists.ts';
import type { ScriptAnswer, ScriptProblem } from './port.ts';
import { complaint } from './returned.ts';
import { scriptStateOf, type Chosen } from './state.ts';

const MISSING =
  'Scripts can’t run now, because part of the app is missing. Check your connection, and try again.';

/** The open list, with its members where a search makes them. Results of a search, a task and the trash are no list. */
function openList({ workspace }: Program, openSmart: Id | null): Omit<Chosen, 'selected'> {
  const { place, results, outline } = workspace;
  if (place.type !== 'list' || results !== null) return { list: null };
  if (openSmart === null) return { list: place.id };
  const members = new Set<Id>();
  for (let at = 0; at < outline.length; at += 1) {
    const id = outline.at(at);
    if (id !== undefined) members.add(id);
  }
  return { list: place.id, members: [...members] };
}

/** A script with the variables and the tasks that it is given. */
export interface MacroScript {
  readonly source: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly targets: readonly Id[];
}

/** Runs a script. Resolves with the variables afterwards, or why there are none, and what it wrote to the console. */
export async function runScript(
  program: Program,
  { source, variables, targets }: MacroScript,
): Promise<Result<ScriptAnswer, ScriptProblem>> {
  const chosen = { ...openList(program, program.part(smartLists).open), selected: targets };
  const state = scriptStateOf(program.replica, chosen, program.moment());
  if (!state.ok) return failed({ ...state.problem, log: [] });
  const port = await program.platform.scripts().catch(() => null);
  if (port === null) return failed({ ...complaint('unavailable', MISSING), log: [] });
  return port.run({ source, variables, state: state.value });
}
