// Commands whose answers are words, for the steps of macros: what keys do by typing or by choosing in a dialog. The palette asks
// for the words.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import type { Argument, CommandResult } from '../commands/command.ts';
import { announced, type Command, define, refused } from '../commands/define.ts';
import { needsLiving } from '../commands/needs.ts';
import { inBatches, rowsOf } from '../commands/rows.ts';
import { entryPart } from '../entry/part.ts';
import { labelNamed, newLabel } from '../labels/creating.ts';
import { withLabels } from '../labels/lazy.ts';
import { searching } from '../search/searching.ts';
import { quoted } from '../text/editor.ts';
import { fitName, fitTitle } from '../text/fitting.ts';
import { moreNotes, taskText } from '../text/long-text.ts';

/** The words that a command asks for. */
const text = (prompt: string): Argument => ({ name: 'text', kind: 'text', prompt });

function tasks(program: Program) {
  program.editor.flush();
  return rowsOf(program, program.workspace.targets()).filter(({ type }) => type === 'task');
}

function setTitle(program: Program, given: string): CommandResult {
  const { text: title, rest } = fitTitle(given);
  if (title === '') return refused('A title needs words.');
  if (rest !== '') return refused('That’s too long for a title.');
  const rows = tasks(program);
  const whom = program.describe(rows.map(({ id }) => id));
  inBatches(
    program,
    rows.map(({ id }): Action => ({ a: 'set', id, field: 'title', value: title })),
    `renamed ${whom}`,
  );
  return announced(`Renamed ${whom} to ${quoted(title)}.`);
}

/** Notes are merged where somebody writes in them meanwhile, as if they had been typed. */
function writeNotes(program: Program, given: string, isAdded: boolean): CommandResult {
  const rows = tasks(program);
  const { editor, undo } = program;
  const since = undo.newest?.id ?? null;
  for (const row of rows) {
    const before = fieldOf(row, 'notes') ?? '';
    const joined = isAdded && before !== '' ? `${before}\n${given}` : given;
    editor.openNotes(row.id);
    editor.typeNotes(row.id, joined);
    editor.flush();
  }
  editor.closeNotes();
  const whom = program.describe(rows.map(({ id }) => id));
  undo.join(since, `wrote the notes of ${whom}`);
  return announced(isAdded ? `Added to the notes of ${whom}.` : `Wrote the notes of ${whom}.`);
}

function addTask(program: Program, given: string, parent: Id): CommandResult {
  return program.inputQueue.enter(entryPart, ({ addLine }) => {
    const added = addLine(program, given, parent);
    return added === null ? refused(`${quoted(given)} couldn’t be added there.`) : announced(added.said);
  });
}

/** One subtask for each line of the text. */
function addUnder(program: Program, given: string): CommandResult {
  const lines = given.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return refused('A subtask needs a title.');
  const rows = tasks(program);
  const { replica } = program;
  const actions = rows.flatMap((row) =>
    lines.flatMap((line): Action[] => {
      const id = replica.newId();
      const { fields, rest } = taskText(line.trim());
      const task: Action = { a: 'create', id, type: 'task', fields, place: { parent: row.id } };
      return [task, ...moreNotes(id, rest, () => replica.newId())];
    }),
  );
  const whom = program.describe(rows.map(({ id }) => id));
  const what = lines.length === 1 ? quoted(lines[0] ?? '') : `${lines.length} subtasks`;
  inBatches(program, actions, `added ${what} under ${whom}`);
  return announced(`Added ${what} under ${whom}.`);
}

function label(program: Program, given: string, isWanted: boolean): CommandResult {
  const { text: name } = fitName(given.trim());
  if (name === '') return refused('A label needs a name.');
  return withLabels(program, ({ toggleLabel }) => {
    const known = labelNamed(program, name);
    if (known !== null) return toggleLabel(program, known, isWanted);
    if (!isWanted) return refused(`There’s no label ${quoted(name)}.`);
    const made = newLabel(program, name);
    program.change([made], `created label ${quoted(name)}`);
    return toggleLabel(program, made.id, isWanted);
  });
}

/** In a macro, what its later steps are about; else what is selected of what is shown. */
function selectFound(program: Program, query: string): CommandResult {
  const { finding } = program.part(searching).here;
  const problem = finding.problemIn(query);
  if (problem !== null) return refused(problem);
  const fits = finding.test(query);
  const { workspace, replica } = program;
  const found: Id[] = [];
  for (const row of replica.all())
    if (row.type === 'task' && !workspace.facts.isHidden(row.id) && fits(row.id)) found.push(row.id);
  if (workspace.held !== null) {
    workspace.held = found;
    return announced(`Took ${program.describe(found)}.`);
  }
  const { outline, selection } = workspace;
  const shown = found.filter((id) => outline.has(id));
  if (shown.length === 0) return refused('No task here matches.', 'info');
  selection.clear();
  for (const id of shown) selection.toggle(id);
  return announced(`Selected ${program.describe(shown)}.`);
}

/** Commands that take words where keys type or choose. */
export const stepCommands: readonly Command[] = [
  define({
    id: 'task.setTitle',
    title: 'Change titles to…',
    aliases: ['rename selected tasks', 'same title for all'],
    group: 'Tasks',
    icon: 'pen',
    args: [text('The new title')],
    when: needsLiving,
    run: (program, args) => setTitle(program, args['text'] ?? ''),
  }),
  define({
    id: 'task.setNotes',
    title: 'Change the text below each title…',
    aliases: ['same text for all', 'overwrite each'],
    group: 'Tasks',
    icon: 'notes',
    args: [{ ...text('The new notes'), isLong: true }],
    when: needsLiving,
    run: (program, args) => writeNotes(program, args['text'] ?? '', false),
  }),
  define({
    id: 'task.appendNotes',
    title: 'Append a line to each task…',
    aliases: ['append text', 'write below what is there'],
    group: 'Tasks',
    icon: 'notes',
    args: [text('Add which line to the notes?')],
    when: needsLiving,
    run: (program, args) => writeNotes(program, args['text'] ?? '', true),
  }),
  define({
    id: 'task.addTo',
    title: 'Add a task to a list…',
    aliases: ['create task in list', 'task elsewhere'],
    group: 'Tasks',
    isAboutTask: false,
    icon: 'plus',
    args: [
      { name: 'list', kind: 'list', prompt: 'Add it to which list?' },
      text('The task, with its date and labels'),
    ],
    run: (program, args) =>
      addTask(program, args['text'] ?? '', (args['list'] as Id | undefined) ?? program.workspace.inbox),
  }),
  define({
    id: 'task.addUnder',
    title: 'Add a subtask to each…',
    aliases: ['subtask for all selected', 'same subtask'],
    group: 'Tasks',
    icon: 'plus',
    args: [{ ...text('The title of the subtask; one for each line'), isLong: true }],
    when: needsLiving,
    run: (program, args) => addUnder(program, args['text'] ?? ''),
  }),
  define({
    id: 'label.put',
    title: 'Add a label by name…',
    aliases: ['label selected tasks', 'new label on selected tasks'],
    group: 'Tasks',
    icon: 'label',
    args: [
      {
        name: 'name',
        kind: 'text',
        prompt: 'Name of the label; it’s made if there’s none',
        suggests: 'label',
      },
    ],
    when: needsLiving,
    run: (program, args) => label(program, args['name'] ?? '', true),
  }),
  define({
    id: 'label.take',
    title: 'Remove a label by name…',
    aliases: ['unlabel selected tasks', 'untag all'],
    group: 'Tasks',
    icon: 'label',
    args: [{ name: 'name', kind: 'text', prompt: 'Name of the label', suggests: 'label' }],
    when: needsLiving,
    run: (program, args) => label(program, args['name'] ?? '', false),
  }),
  define({
    id: 'selection.found',
    title: 'Select tasks by search…',
    aliases: ['select matching tasks', 'pick by query'],
    group: 'Selection',
    icon: 'search',
    args: [{ name: 'query', kind: 'text', prompt: 'Select the tasks of which search?' }],
    run: (program, args) => selectFound(program, args['query'] ?? ''),
  }),
];
