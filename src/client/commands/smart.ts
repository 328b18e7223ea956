// Commands of smart lists. What they do comes with the search language (query/smart-actions.ts).
import type { Id } from '#core/ids.ts';
import { languagePart } from '../language.ts';
import type { Program } from '../program.ts';
import type { Availability, CommandResult } from './command.ts';
import { type Command, define } from './define.ts';
import { currentList } from './lists.ts';

type Language = Awaited<ReturnType<typeof languagePart.load>>;

/** Does something with the search language: now where it is here, else as soon as it is. */
function withLanguage(program: Program, work: (part: Language) => CommandResult): CommandResult {
  return program.held.enter(languagePart, work);
}

function needsSmart(program: Program): Availability {
  return currentList(program)?.fields.listType === 'smart' ? null : 'Open a smart list first.';
}

/** The query that decides what is on screen. */
export function queryNow(program: Program): string | null {
  if (program.query !== null && program.query.trim() !== '') return program.query;
  const { open } = program.smart;
  return open === null ? null : ((program.replica.row(open)?.fields.query as string | undefined) ?? '');
}

function needsQuery(program: Program): Availability {
  return queryNow(program) === null ? 'Open a smart list or search first.' : null;
}

export const smartCommands: readonly Command[] = [
  define({
    id: 'list.createSmart',
    title: 'New smart list…',
    aliases: ['saved search', 'filter', 'perspective', 'add smart list'],
    group: 'Lists',
    args: [
      { name: 'query', kind: 'text', prompt: 'What it shows, as in the search line' },
      { name: 'name', kind: 'text', prompt: 'Name of the smart list' },
    ],
    run: (program, args) =>
      withLanguage(program, ({ create }) => create(program, args.name ?? '', args.query ?? '')),
  }),
  define({
    id: 'list.editQuery',
    title: 'Edit the query of the smart list',
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
    run: (program) => withLanguage(program, ({ openBuiltIn }) => openBuiltIn(program, 'today')),
  }),
  define({
    id: 'go.upcoming',
    title: 'Go to Upcoming',
    aliases: ['due soon', 'next days', 'scheduled'],
    group: 'Go to',
    run: (program) => withLanguage(program, ({ openBuiltIn }) => openBuiltIn(program, 'upcoming')),
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
    title: 'Why is a task not here?…',
    aliases: ['explain missing', 'where is', 'not shown'],
    group: 'View',
    args: [{ name: 'task', kind: 'task', prompt: 'Which task?' }],
    when: needsQuery,
    run: (program, args) => withLanguage(program, ({ why }) => why(program, args.task as Id)),
  }),
];
