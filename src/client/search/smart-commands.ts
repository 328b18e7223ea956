// Commands of smart lists. They act through the search language (query/smart-actions.ts).
import type { Id } from '#core/ids.ts';
import { languagePart } from './language.ts';
import type { Program } from '../app/program.ts';
import type { Availability, CommandResult } from '../commands/command.ts';
import { type Command, define } from '../commands/define.ts';
import { currentList } from '../commands/lists.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { openBuiltIn } from './open-built-in.ts';
import { smartLists } from './smart-lists.ts';

type Language = Awaited<ReturnType<typeof languagePart.load>>;

/** Runs `work` with the search language, now or as soon as it is loaded. */
function withLanguage(program: Program, work: (part: Language) => CommandResult): CommandResult {
  return program.inputQueue.enter(languagePart, work);
}

function needsSmart(program: Program): Availability {
  return fieldOf(currentList(program), 'listType') === 'smart' ? null : 'Open a smart list first.';
}

/** The query behind the rows on screen; null: there is none. */
export function queryNow(program: Program): string | null {
  if (program.query !== null && program.query.trim() !== '') return program.query;
  const { open } = program.part(smartLists);
  return open === null ? null : (fieldOf(program.replica.row(open), 'query') ?? '');
}

function needsQuery(program: Program): Availability {
  return queryNow(program) === null ? 'Open a smart list or search first.' : null;
}

/** Creating, editing and opening smart lists, and explaining their contents. */
export const smartCommands: readonly Command[] = [
  define({
    id: 'list.createSmart',
    title: 'New smart list…',
    aliases: ['saved search', 'filter', 'perspective', 'add smart list'],
    group: 'Lists',
    args: [
      { name: 'query', kind: 'text', prompt: 'What it shows, typed like a search' },
      { name: 'name', kind: 'text', prompt: 'Name of the smart list' },
    ],
    run: (program, args) =>
      withLanguage(program, ({ create }) => create(program, args.name ?? '', args.query ?? '')),
  }),
  define({
    id: 'list.editQuery',
    title: 'Edit the smart list’s query',
    aliases: ['change filter', 'edit smart list'],
    group: 'Lists',
    when: needsSmart,
    run: (program) => withLanguage(program, ({ editQuery }) => editQuery(program)),
  }),
  define({
    id: 'search.save',
    title: 'Save search as smart list',
    aliases: ['keep search', 'save filter'],
    group: 'Lists',
    when: ({ query }) => (query === null ? 'Search first.' : null),
    run: (program) => withLanguage(program, ({ save }) => save(program)),
  }),
  define({
    id: 'go.today',
    title: 'Go to Today',
    aliases: ['due today', 'agenda'],
    group: 'Go to',
    run: (program) => openBuiltIn(program, 'today'),
  }),
  define({
    id: 'go.upcoming',
    title: 'Go to Upcoming',
    aliases: ['due soon', 'next days', 'scheduled'],
    group: 'Go to',
    run: (program) => openBuiltIn(program, 'upcoming'),
  }),
  define({
    id: 'task.whyHere',
    title: 'Why is this here?',
    aliases: ['explain', 'reason', 'matched by'],
    group: 'View',
    when: (program) =>
      needsQuery(program) ?? (program.workspace.cursorRow?.type === 'task' ? null : 'Select a task first.'),
    run: (program) => withLanguage(program, ({ why }) => why(program, program.workspace.cursor)),
  }),
  define({
    id: 'task.whyNotHere',
    title: 'Why isn’t a task here?…',
    aliases: ['explain missing', 'where is', 'not shown'],
    group: 'View',
    args: [{ name: 'task', kind: 'task', prompt: 'Which task?' }],
    when: needsQuery,
    run: (program, args) => withLanguage(program, ({ why }) => why(program, args.task as Id)),
  }),
];
