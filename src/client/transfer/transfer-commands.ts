// Commands that bring tasks in and out: pasting, importing, exporting, copying.
import { counted } from '#core/counted.ts';
import { exportKinds, type ExportName } from '#core/formats/export/names.ts';
import type { ExportSelection } from '#core/formats/exported.ts';
import { type OutlineItem, printOutlineText } from '#core/formats/outline-text.ts';
import { limits } from '#core/model.ts';
import type { Id } from '#core/ids.ts';
import type { Action, Position, Verdict } from '#sync/rows/operation.ts';
import { isDone, isShown, isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { issueInBatches, textToActions, whyNot } from './importing.ts';
import type { Program } from '../app/program.ts';
import type { ImportSource } from '../importing/port.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { NewTask } from '../query/new-task.ts';
import { lazyDocuments, lazyImport } from './documents-lazy.ts';
import type { CommandResult } from '../commands/command.ts';
import { whenGiven } from '../macros/given.ts';
import { announced, type Command, define, done, refused } from '../commands/define.ts';
import { needsLiving, needsRoot, needsTask } from '../commands/needs.ts';
import { copyActions } from './copies.ts';
import { pasteTaken, taskClipboard } from './task-clipboard.ts';
import { currentList } from '../commands/lists.ts';
import { positionBelow } from '../commands/outline.ts';
import { inBatches, rowsOf } from '../commands/rows.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { smartLists } from '../search/smart-lists.ts';

/** Position of pasted and imported tasks: after the task at the cursor, else in the open place, else the Inbox. */
function target(program: Program): Position {
  const { workspace } = program;
  const row = workspace.cursorRow;
  const isIn = row?.type === 'task' && workspace.outline.isTree && !workspace.isTrash;
  return isIn ? positionBelow(program, row) : { parent: workspace.root ?? workspace.inbox };
}

/** Number of ancestors of a row. */
function depthOf(program: Program, start: Id): number {
  return [...program.workspace.idsAbove(start)].length;
}

/** In a smart list: the place and fields of its new tasks. */
function madeInSmart(program: Program): Pick<NewTask, 'parent' | 'fields'> | null {
  if (program.part(smartLists).open === null) return null;
  const made = program.part(smartLists).newTask();
  return made.ok ? made.value : null;
}

/** Turns outline text into tasks, by default below the cursor. */
export function pasteTasks(program: Program, text: string, where?: Position): CommandResult {
  const reason = needsRoot(program);
  if (reason !== null) return refused(reason);
  program.leaveText();
  const { replica } = program;
  const made = madeInSmart(program);
  const into = where ?? (made === null ? target(program) : { parent: made.parent });
  const readAs = (ids: readonly Id[]) => textOfTasks(program, ids);
  const pasted = pasteTaken(program, text, into, { fields: made?.fields, readAs });
  if (pasted !== null) return pasted;
  const read = textToActions(text, {
    first: into,
    now: replica.now(),
    levels: Math.max(1, limits.depth - depthOf(program, into.parent)),
    makeId: () => replica.newId(),
  });
  const actions = read.map((action) =>
    made !== null && action.a === 'create' && action.place?.parent === into.parent
      ? { ...action, fields: { ...made.fields, ...action.fields } }
      : action,
  );
  const first = actions[0];
  if (!first) return refused('There’s no text to make tasks from.');
  if (program.gate !== null) return refused(program.gate.why, 'info');
  const label = `pasted ${counted(actions.length, 'task')}`;
  if (actions.length <= limits.transactionOperations) {
    program.change(actions, label, { atomic: true });
    program.moveTo(first.id);
    return announced(`Pasted ${counted(actions.length, 'task')}.`);
  }
  issueInBatches(program, actions, {
    label,
    done: (failed, why) => finish(program, actions.length - failed, { failed, why }),
  });
  return done;
}

interface Missing {
  readonly failed: number;
  readonly why: ReadonlySet<Verdict>;
}

export function finish(program: Program, added: number, { failed, why }: Missing): void {
  if (failed > 0) {
    const problems = [`${counted(failed, 'task')} couldn’t be added${whyNot(why)}.`];
    program.dialog.show({ type: 'import', busy: false, progress: added > 0 ? 1 : 0, problems });
  }
  if (added > 0) program.say(`Added ${counted(added, 'task')}.`, { undo: true });
}

function pasteFromClipboard(program: Program): CommandResult {
  return whenGiven(program, program.platform.readClipboard(), (text) =>
    text === null
      ? refused('Can’t read the clipboard. Press the paste key instead.')
      : pasteTasks(program, text),
  );
}

/** File types that the installed app opens (web/public/manifest.webmanifest). The picker takes any ending: content decides. */
export const importable: readonly string[] = [
  '.json',
  '.md',
  '.markdown',
  '.txt',
  '.opml',
  '.csv',
  'application/json',
  'text/plain',
  'text/markdown',
  'text/x-opml',
  'text/csv',
];

/** Asks for files at once: browsers allow it only while a key is handled. */
function importFiles(program: Program): CommandResult {
  program.leaveText();
  program.editor.flush();
  void program.platform.pickSources().then((sources) => {
    if (sources.length > 0) program.act(() => giveToImport(program, sources));
  });
  return done;
}

function giveToImport(program: Program, sources: readonly ImportSource[]): CommandResult {
  return program.inputQueue.enter(lazyImport, ({ importSources }) =>
    whenGiven(program, importSources(program, sources, 'picked'), (finish) => finish()),
  );
}

/** What another program put on the clipboard, as a file without a name. */
function importClipboard(program: Program): CommandResult {
  return whenGiven(program, program.platform.readClipboard(), (text) => {
    if (text === null)
      return refused('Can’t read the clipboard. Save its content as a file, and import that.');
    if (text.trim() === '') return refused('There’s no text on the clipboard.');
    const content = new TextEncoder().encode(text);
    return giveToImport(program, [{ name: 'Clipboard', size: content.length, content }]);
  });
}

/** Subject of an export: the focused task, the folder, the list; nothing in search results and the trash. */
function openSelection(
  program: Program,
): { readonly selection: ExportSelection; readonly name: string } | null {
  const { place } = program.workspace;
  if (place.type === 'task') {
    const name = nameOf(program.replica.row(place.id));
    return { selection: { kind: 'task', root: place.id }, name };
  }
  const list = currentList(program);
  if (!list) return null;
  const kind = fieldOf(list, 'listType') === 'folder' ? 'folder' : 'list';
  return { selection: { kind, root: list.id }, name: nameOf(list) };
}

function fileName(name: string, format: ExportName): string {
  const clean = name
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${clean === '' ? 'Posthaste' : clean.slice(0, 80)}${exportKinds[format].extension}`;
}

/** Said of a file with what this device can't read. */
const lockedExport = (name: string): string =>
  `Exported to ${name}, but this device is locked: what it can’t read isn’t readable in there. Run “Unlock with recovery code”, then export again.`;

function save(
  program: Program,
  format: ExportName,
  what: { selection: ExportSelection; name: string },
): CommandResult {
  const name = fileName(what.name, format);
  const { mediaType } = exportKinds[format];
  program.editor.flush();
  return program.inputQueue.enter(lazyDocuments, ({ writeDocument }) => {
    const zone = program.platform.zone();
    const { text, locked } = writeDocument(program, what.selection, { format, zone });
    program.platform.saveFile(name, mediaType, text);
    if (locked === 0) program.say(`Exported to ${name}.`);
    else program.say(lockedExport(name), { error: true });
    return done;
  });
}

function exportOpen(program: Program, format: ExportName): CommandResult {
  const open = openSelection(program);
  return open ? save(program, format, open) : refused('Open a list first.');
}

function exportTask(program: Program, format: ExportName): CommandResult {
  const row = program.workspace.cursorRow;
  if (row?.type !== 'task') return refused('Select a task first.');
  return save(program, format, { selection: { kind: 'task', root: row.id }, name: nameOf(row) });
}

function itemOf(program: Program, start: Id): OutlineItem {
  interface Draft {
    title: string;
    notes?: string;
    done?: boolean;
    children: Draft[];
  }
  const root: Draft = { title: '', children: [] };
  const waiting: { readonly id: Id; readonly into: Draft }[] = [{ id: start, into: root }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const row = program.replica.row(next.id);
    const notes = fieldOf(row, 'notes') ?? '';
    const draft: Draft = { title: nameOf(row), children: [] };
    if (notes !== '') draft.notes = notes;
    if (isDone(row)) draft.done = true;
    next.into.children.push(draft);
    // Snoozed tasks are included although they are not on screen.
    for (const child of program.replica.children(next.id).filter(isShown).toReversed()) {
      waiting.push({ id: child.id, into: draft });
    }
  }
  return root.children[0] ?? root;
}

type TextStyle = 'bulleted' | 'checkbox';

/** Tasks with their subtasks, as text that pastes back the same. */
export function textOfTasks(program: Program, ids: readonly Id[], style: TextStyle = 'bulleted'): string {
  return printOutlineText(
    ids.map((id) => itemOf(program, id)),
    style,
  );
}

/** `taken`: called once they are on the clipboard. */
function copy(
  program: Program,
  style: TextStyle,
  taken?: (ids: readonly Id[]) => CommandResult,
): CommandResult {
  program.editor.flush();
  const ids = program.workspace.targetRoots();
  const text = textOfTasks(program, ids, style);
  const name = program.describe(ids);
  program.editor.killed = null;
  return whenGiven(program, program.platform.copyText(text), (ok) => {
    program.part(taskClipboard).taken = ok && style === 'bulleted' ? { text, ids } : null;
    if (ok) return taken?.(ids) ?? announced(`Copied ${name}.`);
    // If the clipboard refuses, the text is shown for copying by hand.
    program.dialog.show({ type: 'export', text, fileName: 'Tasks.txt' });
    return done;
  });
}

/** Deletes them only once they are on the clipboard. */
function cut(program: Program): CommandResult {
  return copy(program, 'bulleted', (ids) => {
    const left = rowsOf(program, ids).filter((row) => !isTrashed(row));
    if (left.length === 0) return done;
    const name = program.describe(left.map(({ id }) => id));
    program.workspace.selection.clear();
    inBatches(
      program,
      left.map(({ id }): Action => ({ a: 'delete', id })),
      `cut ${name}`,
    );
    return announced(`Cut ${name}. Paste it where you want it.`);
  });
}

/** Each copy goes beside its original. */
function duplicate(program: Program): CommandResult {
  program.editor.flush();
  const ids = program.workspace.targetRoots();
  const made: Id[] = [];
  const actions = rowsOf(program, ids).flatMap((row) => {
    const parent = placeOf(row)?.parent;
    if (parent === undefined) return [];
    const copies = copyActions(program, row.id, { parent, after: row.id });
    const [first] = copies;
    if (first) made.push(first.id);
    return copies;
  });
  const name = program.describe(ids);
  const failed = inBatches(program, actions, `duplicated ${name}`);
  if (failed.size > 0) return refused(`Couldn’t duplicate ${name}${whyNot(failed)}.`);
  program.workspace.selection.clear();
  program.moveTo(made[0] ?? null);
  return announced(`Duplicated ${name}.`);
}

/** Formats for other programs: how their ids end, what they are in titles, and words by which they are found. */
const FOR_OTHERS = [
  ['csv', 'csv', 'a CSV table', ['excel', 'spreadsheet', 'numbers']],
  ['opml', 'opml', 'an OPML outline', ['outliner', 'workflowy', 'dynalist']],
  ['ics', 'ics', 'calendar tasks (ICS)', ['icalendar', 'vtodo', 'nextcloud']],
  ['org', 'org', 'an Org document', ['org mode', 'emacs', 'orgzly']],
  ['todotxt', 'todoTxt', 'a todo.txt file', ['todotxt', 'simpletask']],
] as const satisfies readonly (readonly [ExportName, string, string, readonly string[]])[];

const exportsForOthers: readonly Command[] = FOR_OTHERS.flatMap(([format, ending, noun, words]) => [
  define({
    id: `export.${ending}`,
    title: `Export this list as ${noun}`,
    aliases: words.map((word) => `save list for ${word}`),
    group: 'Application',
    run: (program) => exportOpen(program, format),
  }),
  define({
    id: `export.account${ending.charAt(0).toUpperCase()}${ending.slice(1)}`,
    title: `Export everything as ${noun}`,
    aliases: words.map((word) => `everything for ${word}`),
    group: 'Application',
    run: (program) => save(program, format, { selection: { kind: 'account' }, name: 'Posthaste' }),
  }),
]);

/** Pasting, copying, cutting, duplicating, importing and exporting tasks. */
export const transferCommands: readonly Command[] = [
  define({
    id: 'task.paste',
    title: 'Create tasks from clipboard',
    aliases: ['paste as tasks', 'paste lines', 'import clipboard'],
    group: 'Tasks',
    isAboutTask: false,
    when: needsRoot,
    run: pasteFromClipboard,
  }),
  define({
    id: 'task.copyText',
    title: 'Copy as text',
    aliases: ['copy outline', 'copy tasks', 'clipboard'],
    group: 'Tasks',
    when: needsTask,
    run: (program) => copy(program, 'bulleted'),
  }),
  define({
    id: 'task.duplicate',
    title: 'Duplicate task',
    aliases: ['clone', 'copy of a task', 'make a copy', 'double'],
    group: 'Tasks',
    when: needsLiving,
    run: duplicate,
  }),
  define({
    id: 'task.copyMarkdown',
    title: 'Copy as Markdown checklist',
    aliases: ['copy with checkboxes', 'copy markdown', 'task list'],
    group: 'Tasks',
    when: needsTask,
    run: (program) => copy(program, 'checkbox'),
  }),
  define({
    id: 'task.cut',
    title: 'Cut tasks',
    aliases: ['cut to clipboard', 'move by clipboard'],
    group: 'Tasks',
    when: needsLiving,
    run: cut,
  }),
  define({
    id: 'file.import',
    title: 'Import files…',
    aliases: [
      'import a file',
      'import from todoist',
      'import from things',
      'import from workflowy',
      'import json',
      'import zip',
      'import text',
      'import opml',
      'import csv',
      'import todo.txt',
      'load backup',
      'restore backup',
    ],
    group: 'Application',
    run: importFiles,
  }),
  define({
    id: 'file.importClipboard',
    title: 'Import copied text…',
    aliases: ['import from what was copied', 'import copied json', 'import copied csv', 'paste a backup'],
    group: 'Application',
    run: importClipboard,
  }),
  define({
    id: 'export.json',
    title: 'Export this list as JSON',
    aliases: ['save list', 'download list', 'backup list'],
    group: 'Application',
    run: (program) => exportOpen(program, 'json'),
  }),
  define({
    id: 'export.markdown',
    title: 'Export this list as Markdown',
    aliases: ['save list as text', 'download markdown'],
    group: 'Application',
    run: (program) => exportOpen(program, 'markdown'),
  }),
  define({
    id: 'export.taskJson',
    title: 'Export this task as JSON',
    aliases: ['save task', 'download task'],
    group: 'Application',
    when: needsTask,
    run: (program) => exportTask(program, 'json'),
  }),
  define({
    id: 'export.taskMarkdown',
    title: 'Export this task as Markdown',
    aliases: ['save task as text', 'task to markdown'],
    group: 'Application',
    when: needsTask,
    run: (program) => exportTask(program, 'markdown'),
  }),
  define({
    id: 'export.accountJson',
    title: 'Export everything as JSON',
    aliases: ['backup', 'download all data', 'export account'],
    group: 'Application',
    run: (program) => save(program, 'json', { selection: { kind: 'account' }, name: 'Posthaste' }),
  }),
  define({
    id: 'export.accountMarkdown',
    title: 'Export everything as Markdown',
    aliases: ['download all as text', 'everything as text'],
    group: 'Application',
    run: (program) => save(program, 'markdown', { selection: { kind: 'account' }, name: 'Posthaste' }),
  }),
  ...exportsForOthers,
];
