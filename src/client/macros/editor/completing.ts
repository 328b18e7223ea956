// What may stand in a field of a step: variables after two braces, and the names that an answer may have.
import type { Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../../app/program.ts';
import type { Argument } from '../../commands/command.ts';
import type { Command } from '../../commands/define.ts';
import { labelName } from '../../labels/catalog.ts';
import { allLabels } from '../../labels/label-scopes.ts';
import { nameOf } from '../../outline/row-facts.ts';
import { kindOfPlace, namesAbove } from '../../palette/place-source.ts';
import type { PaletteIcon } from '../../palette/palette-view.ts';
import type { MacroContent } from '../macro.ts';
import { builtIns } from '../variables.ts';
import type { Spot } from './draft.ts';
import type { MacroField } from './editor-view.ts';

/** One thing that a field may hold. */
export interface Possible {
  readonly icon: PaletteIcon | null;
  readonly title: string;
  readonly detail: string;
  /** What is put into the field. */
  readonly words: string;
  /** The row that the words name. */
  readonly id?: Id;
}

/** What may stand between two places of a text. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly options: readonly Possible[];
}

const MOST = 8;
/** An open pair of braces before the caret. */
const OPEN = /(?<!\\)\{\{\s*([\w.-]*)$/;

const BUILT_IN: Readonly<Record<(typeof builtIns)[number], string>> = {
  today: 'the date, like 2026-03-01',
  clipboard: 'what you copied last',
  'selection.title': 'the title of the first task',
  'list.name': 'the list that is open',
};

function variablesFor({ variables }: MacroContent, typed: string): readonly Possible[] {
  const all = [
    ...variables.map(({ name, value, isAsked }) => ({
      name,
      detail: isAsked ? 'asks each time' : value,
    })),
    ...builtIns.map((name) => ({ name, detail: BUILT_IN[name] })),
  ];
  const wanted = fold(typed);
  return all
    .filter(({ name }) => fold(name).includes(wanted))
    .map(({ name, detail }) => ({ icon: 'code', title: name, detail, words: `{{${name}}}` }));
}

function placesFor(program: Program, fits: (row: Row) => boolean): Possible[] {
  return program.sidebar
    .everything()
    .filter(fits)
    .map((row) => {
      const name = nameOf(row) || 'Inbox';
      const detail = namesAbove(program, row).join(' › ');
      return { icon: kindOfPlace(row).icon, title: name, detail, words: name, id: row.id };
    });
}

const labelsFor = (program: Program): Possible[] =>
  allLabels(program.replica).map(({ row }) => {
    const name = labelName(row);
    return { icon: 'label', title: name, detail: '', words: name, id: row.id };
  });

/** Everything that an answer may be, if that is known. */
function answersFor(program: Program, command: Command, argument: Argument): Possible[] {
  const { kind, takesSmart = false } = argument;
  const choices = command.choices?.(program) ?? argument.choices;
  if (choices !== undefined)
    return choices.map(({ title }) => ({ icon: null, title, detail: '', words: title }));
  const typeOf = (row: Row) => fieldOf(row, 'listType');
  if (kind === 'folder') return placesFor(program, (row) => typeOf(row) === 'folder');
  if (kind === 'list' || kind === 'bookmark')
    return placesFor(program, (row) => typeOf(row) !== 'folder' && (takesSmart || typeOf(row) !== 'smart'));
  if (kind === 'label') return labelsFor(program);
  // A label by name is kept as words, so that it's made where there is none.
  if (argument.suggests === 'label')
    return labelsFor(program).map(({ icon, title, detail, words }) => ({ icon, title, detail, words }));
  return [];
}

/** A question of a step's command. */
export interface Question {
  readonly command: Command;
  readonly argument: Argument;
}

/** The question that a field answers; null: none. */
export function questionOf(
  program: Program,
  macro: MacroContent,
  { spot, field }: { readonly spot: Spot; readonly field: MacroField },
): Question | null {
  const step = spot.kind === 'step' ? macro.steps[spot.index] : undefined;
  const command = step?.type === 'command' ? program.commands.get(step.command) : undefined;
  const argument = command?.args.find(({ name }) => `answer.${name}` === field);
  return command === undefined || argument === undefined ? null : { command, argument };
}

/** What may be put into a field with the caret there. Null: nothing is known. */
export function completionOf(
  program: Program,
  macro: MacroContent,
  asked: Question | null,
  { text, caret }: { readonly text: string; readonly caret: number },
): Completion | null {
  const open = OPEN.exec(text.slice(0, caret));
  if (open !== null) {
    const after = /^[\w.-]*\s*\}\}/.exec(text.slice(caret))?.[0].length ?? 0;
    const options = variablesFor(macro, open[1] ?? '').slice(0, MOST);
    return options.length === 0 ? null : { from: open.index, to: caret + after, options };
  }
  if (asked === null || text.includes('{{')) return null;
  const wanted = fold(text.trim());
  const all = answersFor(program, asked.command, asked.argument);
  const found = all.filter(({ title }) => fold(title).includes(wanted));
  // What is there already needs no completion.
  if (found.length === 0 || (found.length === 1 && fold(found[0]?.title ?? '') === wanted)) return null;
  const begin = found.filter(({ title }) => fold(title).startsWith(wanted));
  const options = [...begin, ...found.filter((each) => !begin.includes(each))].slice(0, MOST);
  return { from: 0, to: text.length, options };
}
