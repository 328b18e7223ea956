// Undo and redo, and what they say. What is taken back is decided in app/undo.ts.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { isShown, isTrashed } from '#sync/rows/row-reading.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import type { UndoGroup, UndoOutcome } from '../app/undo.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, type Command, define, done, refused } from '../commands/define.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';

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
  if (!newest || !isOfKeys(program, newest)) return undoAsking(program);
  const result = takeBack(program, 'undo', (group) => isOfKeys(program, group));
  const stays = `To undo that you ${newest.label}, press ${key}.`;
  if (result.type === 'refused' && result.reason === NOTHING.undo) return refused(stays, 'info');
  if (result.type !== 'done' || result.announce === undefined) return result;
  return announced(`${result.announce} ${stays}`);
}

/** As many tasks may vanish for others without a question; undo is at hand for them as well. */
const FEW = 20;

/**
 * The question before an undo that deletes what has come to a shared list since it was made, such as an import into a list
 * that was shared afterwards. Null: nothing to ask.
 */
function questionBefore({ replica }: Program, { label, steps }: UndoGroup): string | null {
  const madeIn = new Map(
    steps.flatMap(({ operations }) => operations.map(({ id, scope }) => [id, scope] as const)),
  );
  const deleted = steps.flatMap(({ inverses }) =>
    inverses.flatMap((each) => (each.a === 'delete' ? each.id : [])),
  );
  const shared = deleted
    .map((id) => replica.row(id))
    .filter((row) => row !== undefined && row.scope !== replica.scope && row.scope !== madeIn.get(row.id))
    .filter((row) => !isTrashed(row));
  const list = shared.find((row) => row?.type === 'list');
  const tasks = shared.filter((row) => row?.type === 'task').length;
  if (list === undefined && tasks <= FEW) return null;
  const what = [
    list === undefined ? [] : quoted(nameOf(list)),
    tasks === 0 ? [] : counted(tasks, 'task'),
  ].flat();
  return `Undo: ${label}? That was shared since, so this deletes ${what.join(' with ')} for everybody in the list.`;
}

/** Undoes the newest group, after a question where others lose by it. */
function undoAsking(program: Program): CommandResult {
  const { newest } = program.undo;
  const question = newest === undefined ? null : questionBefore(program, newest);
  if (question === null) return takeBack(program, 'undo');
  program.onConfirm = () => {
    const result = takeBack(program, 'undo');
    if (result.type === 'refused') program.say(result.reason, { error: result.tone === undefined });
    else if (result.type === 'done' && result.announce !== undefined) program.say(result.announce);
  };
  program.dialog.show({ type: 'confirm', text: question, action: 'Undo', command: 'dialog.confirm' });
  return done;
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

/** Undo and redo. */
export const undoCommands: readonly Command[] = [
  define({
    id: 'edit.undo',
    title: 'Undo',
    aliases: ['take back', 'revert'],
    group: 'Edit',
    run: (program, { byLetter }) =>
      byLetter === undefined ? undoAsking(program) : undoByLetter(program, byLetter),
  }),
  define({
    id: 'edit.redo',
    title: 'Redo',
    aliases: ['repeat', 'again'],
    group: 'Edit',
    run: (program) => takeBack(program, 'redo'),
  }),
];
