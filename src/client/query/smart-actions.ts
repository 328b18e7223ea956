// What the commands of smart lists do: making and changing them, the two that everybody has, and why a task is or is not in
// one. Loaded with the search language.
import { deriveId, listsRoot, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action } from '#sync/operation.ts';
import { isTrashed } from '#sync/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import { currentList } from '../commands/lists.ts';
import { queryNow } from '../commands/smart.ts';
import { quoted } from '../editor.ts';
import { fitName } from '../fitting.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';

const TOO_LONG = 'That query is too long to be kept. Make it shorter.';

function isTooLong(query: string): boolean {
  return [...query].length > limits.queryCodePoints;
}

export function create(program: Program, name: string, query: string): CommandResult {
  if (isTooLong(query)) return refused(TOO_LONG);
  const id = program.replica.newId();
  const { text } = fitName(name.trim());
  const fields = { listType: 'smart', name: text, query: query.trim() };
  const place = { parent: listsRoot(program.replica.scope) };
  const action: Action = { a: 'create', id, type: 'list', fields, place };
  const { verdicts } = program.change([action], `created smart list ${quoted(text)}`);
  if (verdicts[0] !== 'ok') return refused('The smart list cannot be created.');
  program.finding.edit(null);
  program.open({ type: 'list', id });
  return announced(`Created smart list ${quoted(text)}.`);
}

/** Saves what is in the search line: as the query of the smart list it came from, else as a new one. */
export function save(program: Program): CommandResult {
  const query = (program.query ?? '').trim();
  if (query === '') return refused('Type what the smart list shall show first.');
  if (isTooLong(query)) return refused(TOO_LONG);
  const list = program.finding.editing;
  const row = list === null ? undefined : program.replica.row(list);
  if (!row || list === null || isTrashed(row)) return program.run('list.createSmart', { query });
  program.change(
    [{ a: 'set', id: list, field: 'query', value: query }],
    `changed the query of ${quoted(nameOf(row))}`,
  );
  program.finding.edit(null);
  program.open({ type: 'list', id: list });
  return announced(`${quoted(nameOf(row))} shows what the new query asks for.`);
}

export function editQuery(program: Program): CommandResult {
  const list = currentList(program);
  if (!list) return refused('Open a smart list first.');
  program.leaveText();
  program.editor.flush();
  program.find((list.fields.query as string | undefined) ?? '');
  program.finding.edit(list.id);
  program.pane = 'search';
  return announced(`Editing the query of ${quoted(nameOf(list))}.`);
}

const builtIn = {
  today: { name: 'Today', query: 'is:due -is:snoozed sort:due-date' },
  upcoming: { name: 'Upcoming', query: 'is:incomplete due:>today sort:due-date' },
} as const;

/** Made when first asked for, with an id that every device derives alike; it is an ordinary smart list from then on. */
export function openBuiltIn(program: Program, key: keyof typeof builtIn): CommandResult {
  const { replica } = program;
  const { name, query } = builtIn[key];
  const id = deriveId('smart list', replica.scope, key);
  const row = replica.row(id);
  if (!row) {
    const fields = { listType: 'smart', name, query };
    const place = { parent: listsRoot(replica.scope), at: 'start' } as const;
    program.change([{ a: 'create', id, type: 'list', fields, place }], `created smart list ${quoted(name)}`);
  } else if (isTrashed(row)) program.change([{ a: 'restore', id }], `restored ${quoted(nameOf(row))}`);
  program.open({ type: 'list', id });
  return done;
}

export function why(program: Program, id: Id | null): CommandResult {
  const query = queryNow(program);
  const { language } = program.finding;
  if (query === null || id === null) return refused('Open a smart list or search first.');
  if (!language) return refused('The search language is still loading. Try again.');
  const name = quoted(nameOf(program.replica.row(id)));
  return announced(language.why(query, id, name, program.smart.open !== null));
}
