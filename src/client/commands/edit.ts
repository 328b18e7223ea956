// Commands of the text being edited, and undo and redo.
import type { Id } from '#core/ids.ts';
import { isShown, placeOf } from '#sync/rows/row-reading.ts';
import { type Caret, quoted } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import type { UndoGroup, UndoOutcome } from '../app/undo.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define, done, passed, refused } from './define.ts';
import { nameOf } from '../outline/row-facts.ts';
import { needsLiving } from './needs.ts';
import { createTask, leaveFor } from './outline.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { taskEntry } from '../entry/part.ts';
import { smartLists } from '../search/smart-lists.ts';

function startEditing(program: Program, caret: Caret): CommandResult {
  const row = program.workspace.cursorRow;
  if (row?.type !== 'task') return refused('Select a task first.');
  program.pane = 'outline';
  program.edit(row.id, caret);
  return done;
}

/** Leaves the line for the one above or below, keeping the column. */
function goToLine(program: Program, step: 1 | -1): CommandResult {
  const draft = program.editor.title;
  if (draft?.field !== 'title') return passed;
  const { workspace } = program;
  const neighbour = workspace.outline.at(workspace.outline.indexOf(draft.id) + step);
  if (neighbour === undefined || program.replica.row(neighbour)?.type === 'completion') {
    program.editor.flush();
    return done;
  }
  const column = program.column ?? draft.caret;
  program.edit(neighbour, column);
  program.moveTo(neighbour);
  program.column = column;
  return done;
}

/** Enter: the next line. On an empty one: out by a level, and at the top out of editing. */
function enter(program: Program): CommandResult {
  const draft = program.editor.title;
  if (!draft) return passed;
  const row = program.replica.row(draft.id);
  if (!row) return leave(program);
  if (draft.text === '') {
    const parent = placeOf(row)?.parent;
    const isNested = parent !== undefined && parent !== program.workspace.root;
    return isNested && program.workspace.outline.isTree ? program.run('task.outdent') : leave(program);
  }
  const { fresh } = draft;
  const place = leaveFor(program, row);
  if (program.workspace.isTrash) return done;
  if (program.workspace.outline.isTree) return createTask(program, place);
  // In a smart list a new task is followed by another one; elsewhere there is no place for it.
  return fresh && program.part(smartLists).open !== null ? program.run('task.createBelow') : done;
}

function leave(program: Program): CommandResult {
  program.leaveText();
  return done;
}

/** Backspace in an empty title: removes the task, and editing goes on above. */
function backspace(program: Program): CommandResult {
  if (program.part(taskEntry).back()) return done;
  const draft = program.editor.title;
  if (draft?.field !== 'title' || draft.text !== '' || draft.caret > 0) return passed;
  const row = program.replica.row(draft.id);
  if (!row || !program.workspace.outline.isTree || program.workspace.children.has(draft.id)) return passed;
  const above = program.workspace.outline.at(program.workspace.outline.indexOf(draft.id) - 1);
  const { fresh } = draft;
  program.leaveText();
  if (!fresh || program.workspace.outline.has(row.id)) {
    program.change([{ a: 'delete', id: row.id }], 'deleted an empty task');
  }
  if (above !== undefined) {
    program.moveTo(above);
    program.edit(above, 'end');
  }
  return done;
}

function goTo(program: Program, outcome: UndoOutcome): void {
  const { outline } = program.workspace;
  const touched = outcome.changed.find((id) => outline.has(id));
  const home: Id | null = outcome.cursor !== null && outline.has(outcome.cursor) ? outcome.cursor : null;
  const id = home !== null && outcome.changed.includes(home) ? home : (touched ?? home);
  if (id !== null) program.moveTo(id);
}

/** " in ‘Home’", where what was taken back is not in the open place; else empty. */
function elsewhere({ workspace, replica }: Program, { changed }: UndoOutcome): string {
  const { outline, place } = workspace;
  if (changed.some((id) => outline.has(id))) return '';
  const id = changed.find((one) => isShown(replica.row(one)) && replica.row(one)?.type === 'task');
  const list = id === undefined ? undefined : workspace.listOf(id);
  const isHere = place.type !== 'trash' && workspace.listOf(place.id)?.id === list?.id;
  if (list === undefined || isHere) return '';
  return ` in ${quoted(nameOf(list) || 'Inbox')}`;
}

/** Settings that decide what keys do: see settings/keys.ts. */
const KEYS = new Set<unknown>(['keysPreset', 'keysOwn', 'keysChords']);

const FOREIGN = 'This copy has been renewed since. To bring back values, use “Show history.”';

const NOTHING = {
  undo: 'Nothing to undo.',
  redo: 'Nothing to redo.',
  foreign: `Nothing to undo here. To bring back what you did before this copy was renewed, use “Show history.”`,
} as const;

function stayed(count: number): string {
  return `${count === 1 ? 'One part' : `${count} parts`} changed since then and stayed.`;
}

/** Nothing was done since the start, and the earlier changes are still being read. */
function undoWhenRead(program: Program): CommandResult {
  const say = (result: CommandResult) => {
    if (result.type === 'refused')
      program.say(result.reason, { error: result.tone === undefined, brief: true });
    if (result.type === 'done' && result.announce !== undefined)
      program.say(result.announce, { brief: true });
  };
  program.undo.load().then(
    () => program.act(() => say(takeBack(program, 'undo'))),
    () => program.act(() => say(refused('Couldn’t read your earlier changes on this device.'))),
  );
  return done;
}

/** The group only changed settings of keys. */
function isOfKeys({ replica }: Program, { steps }: UndoGroup): boolean {
  const ids = steps.flatMap(({ operations }) => operations.map(({ id }) => id));
  return ids.length > 0 && ids.every((id) => KEYS.has(fieldOf(replica.row(id), 'key')));
}

/**
 * Undo by a letter of Vim: if it changed the keys, the next letters would mean something else. `key`: the undo key that
 * takes back those, too.
 */
function undoByLetter(program: Program, key: string): CommandResult {
  const { newest } = program.undo;
  if (!newest || !isOfKeys(program, newest)) return takeBack(program, 'undo');
  const result = takeBack(program, 'undo', (group) => isOfKeys(program, group));
  const stays = `To undo that you ${newest.label}, press ${key}.`;
  if (result.type === 'refused' && result.reason === NOTHING.undo) return refused(stays, 'info');
  if (result.type !== 'done' || result.announce === undefined) return result;
  return announced(`${result.announce} ${stays}`);
}

function takeBack(
  program: Program,
  direction: 'undo' | 'redo',
  isLeft?: (group: UndoGroup) => boolean,
): CommandResult {
  const { title } = program.editor;
  const isEmptyLine = title?.fresh === true && title.text === '';
  program.leaveText();
  program.editor.flush();
  // A new line without a word was the last thing that was done, and is gone with the writing.
  if (isEmptyLine && direction === 'undo') return announced('Undone: new line.');
  program.catchUp();
  const { undo } = program;
  if (direction === 'undo' && undo.newest === undefined && !undo.isLoaded) return undoWhenRead(program);
  const spread = {
    later: (work: () => void) => program.later(work),
    kept: (count: number) => program.say(stayed(count)),
  };
  const outcome = direction === 'undo' ? undo.undo(spread, isLeft) : undo.redo(spread);
  if (!outcome)
    return refused(
      direction === 'undo' ? NOTHING[undo.hasForeign ? 'foreign' : 'undo'] : NOTHING.redo,
      'info',
    );
  if (outcome.isForeign) return refused(`Can’t undo: ${outcome.label}. ${FOREIGN}`);
  goTo(program, outcome);
  const said = `${direction === 'undo' ? 'Undone' : 'Redone'}: ${outcome.label}${elsewhere(program, outcome)}.`;
  if (outcome.kept === 0) return announced(said);
  if (outcome.changed.length === 0) return refused(`It has changed since, so it stays: ${outcome.label}.`);
  return announced(`${said} ${stayed(outcome.kept)}`);
}

const key = { group: 'Edit', inPalette: false } as const;

export const editCommands: readonly Command[] = [
  define({
    id: 'task.edit',
    title: 'Edit title',
    aliases: ['rename task', 'change text'],
    group: 'Edit',
    when: needsLiving,
    run: (program) => startEditing(program, 'end'),
  }),
  define({
    ...key,
    id: 'task.editAll',
    title: 'Edit the whole title',
    when: needsLiving,
    run: (program) => startEditing(program, 'all'),
  }),
  define({
    ...key,
    id: 'task.editStart',
    title: 'Edit title from its start',
    when: needsLiving,
    run: (program) => startEditing(program, 0),
  }),
  define({ ...key, id: 'edit.enter', title: 'Next line', run: enter }),
  define({ ...key, id: 'edit.leave', title: 'Stop editing', run: leave }),
  define({
    ...key,
    id: 'edit.up',
    title: 'Line above',
    repeats: true,
    run: (program) => goToLine(program, -1),
  }),
  define({
    ...key,
    id: 'edit.down',
    title: 'Line below',
    repeats: true,
    run: (program) => goToLine(program, 1),
  }),
  define({
    ...key,
    id: 'edit.accept',
    title: 'Accept the suggestion',
    run: (program, { by }) =>
      program.part(taskEntry).accept(by === undefined ? 'key' : Number(by)) ? done : passed,
  }),
  define({
    id: 'edit.keepWords',
    title: 'Keep dates and labels as words',
    aliases: ['literally', 'plain text', 'not a date', 'give the words back'],
    group: 'Edit',
    run: (program, { by }) =>
      program.part(taskEntry).keepWords(by === undefined ? 'all' : Number(by))
        ? done
        : refused('There’s no date or label in the title.', 'info'),
  }),
  define({ ...key, id: 'edit.backspace', title: 'Delete empty task', run: backspace }),
  define({
    id: 'edit.undo',
    title: 'Undo',
    aliases: ['take back', 'revert'],
    group: 'Edit',
    run: (program, { byLetter }) =>
      byLetter === undefined ? takeBack(program, 'undo') : undoByLetter(program, byLetter),
  }),
  define({
    id: 'edit.redo',
    title: 'Redo',
    aliases: ['repeat', 'again'],
    group: 'Edit',
    run: (program) => takeBack(program, 'redo'),
  }),
];
