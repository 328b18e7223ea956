// Actions of the commands on smart lists: creating and changing them, and explaining why a task does or does not match. Loaded with the search language.
import { listsRoot, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action } from '#sync/rows/operation.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { currentList } from '../commands/lists.ts';
import { queryNow } from '../search/smart-commands.ts';
import { quoted } from '../text/editor.ts';
import { fitName } from '../text/fitting.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { smartLists } from '../search/smart-lists.ts';
import { findingOf } from '../search/searching.ts';

const TOO_LONG = 'That query is too long to save. Make it shorter.';

/** Why a query cannot become a smart list; null when it can. */
function refusalOf(program: Program, query: string): string | null {
  if ([...query].length > limits.queryCodePoints) return TOO_LONG;
  const [problem] = findingOf(program).language?.ask(query).query.problems ?? [];
  return problem ? `${problem.message} Fix the query first.` : null;
}

export function create(program: Program, name: string, query: string): CommandResult {
  const refusal = refusalOf(program, query);
  if (refusal !== null) return refused(refusal);
  const id = program.replica.newId();
  const { text } = fitName(name.trim());
  const fields = { listType: 'smart', name: text, query: query.trim() };
  const place = { parent: listsRoot(program.replica.scope) };
  const action: Action = { a: 'create', id, type: 'list', fields, place };
  const { verdicts } = program.change([action], `created smart list ${quoted(text)}`);
  if (verdicts[0] !== 'ok') return refused('Couldn’t create the smart list.');
  findingOf(program).edit(null);
  program.open({ type: 'list', id });
  return announced(`Created smart list ${quoted(text)}.`);
}

/** Saves the query of the search line: to the smart list it came from, else as a new one. */
export function save(program: Program): CommandResult {
  const query = (program.query ?? '').trim();
  if (query === '') return refused('Type what the smart list should show first.');
  const refusal = refusalOf(program, query);
  if (refusal !== null) return refused(refusal);
  const list = findingOf(program).editing;
  const row = list === null ? undefined : program.replica.row(list);
  if (!row || list === null || isTrashed(row)) return program.run('list.createSmart', { query });
  program.change(
    [{ a: 'set', id: list, field: 'query', value: query }],
    `changed the query of ${quoted(nameOf(row))}`,
  );
  findingOf(program).edit(null);
  program.open({ type: 'list', id: list });
  return announced(`${quoted(nameOf(row))} uses the new query now.`);
}

export function editQuery(program: Program): CommandResult {
  const list = currentList(program);
  if (!list) return refused('Open a smart list first.');
  program.leaveText();
  program.editor.flush();
  findingOf(program).find(fieldOf(list, 'query') ?? '');
  findingOf(program).edit(list.id);
  program.pane = 'search';
  return announced(`Editing the query of ${quoted(nameOf(list))}.`);
}

export function why(program: Program, id: Id | null): CommandResult {
  const query = queryNow(program);
  const { language } = findingOf(program);
  if (query === null || id === null) return refused('Open a smart list or search first.');
  if (!language) return refused('The search language is still loading. Try again.');
  const name = quoted(nameOf(program.replica.row(id)));
  return announced(language.why(query, id, name, program.part(smartLists).open !== null));
}
