// What the answers of a step come to when it runs: words and their variables become the values that a command takes. A row
// that was named when the macro was made is found by its id, under whatever name it has by now.
import { type Id, listsRoot, parseId } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import type { Argument, ArgumentValues } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import { isLivingLabel } from '../labels/catalog.ts';
import { labelNamed, same } from '../labels/creating.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import type { Answer, Step } from './macro.ts';
import { expand, namesIn, type Values } from './variables.ts';

/** Between the names of a path, as the app shows one and as people type it. */
const SEPARATOR = /\s*[›/>]\s*/u;

const nameOfPlace = (row: Row) => nameOf(row) || 'Inbox';

/** The list at a path of names; a name alone finds it wherever it is. */
function placeNamed(program: Program, words: string, fits: (row: Row) => boolean): Id | null {
  const all = program.sidebar.everything();
  const named = (name: string) => all.filter((row) => same(nameOfPlace(row), name));
  const whole = named(words).find(fits);
  if (whole) return whole.id;
  const path = words.trim().split(SEPARATOR);
  const found = named(path.at(-1) ?? '').filter(fits);
  const isAt = (row: Row): boolean => {
    let at: Row | undefined = row;
    for (const name of path.toReversed()) {
      if (at === undefined || !same(nameOfPlace(at), name)) return false;
      const parent: Id | undefined = fieldOf(at, 'place')?.parent;
      at = parent === undefined || parent === listsRoot(at.scope) ? undefined : program.replica.row(parent);
    }
    return true;
  };
  return found.find(isAt)?.id ?? null;
}

function taskNamed(program: Program, words: string): Result<Id, string> {
  const found: Row[] = [];
  for (const row of program.replica.all())
    if (
      row.type === 'task' &&
      same(row.fields.title ?? '', words) &&
      !program.workspace.facts.isHidden(row.id)
    )
      found.push(row);
  const [first, second] = found;
  if (first === undefined) return failed(`There’s no task ${quoted(words)}.`);
  return second === undefined ? ok(first.id) : failed(`More than one task is called ${quoted(words)}.`);
}

/** The row that was named, if the command can still take it. */
function kept(program: Program, { kind }: Argument, id: Id): Id | null {
  const row = program.replica.row(id);
  if (row === undefined || isTrashed(row)) return null;
  if (kind === 'label') return isLivingLabel(program.replica, row) ? id : null;
  return program.workspace.facts.isHidden(id) ? null : id;
}

function placeOf(program: Program, { kind, takesSmart }: Argument, words: string): Result<Id, string> {
  const wanted = kind === 'folder' ? 'folder' : 'list';
  const found = placeNamed(program, words, (row) => {
    const type = fieldOf(row, 'listType');
    if (kind === 'folder') return type === 'folder';
    return type !== 'folder' && (type !== 'smart' || takesSmart === true);
  });
  return found === null ? failed(`There’s no ${wanted} ${quoted(words)}.`) : ok(found);
}

function choiceOf(program: Program, command: Command, argument: Argument, words: string) {
  const choices = command.choices?.(program) ?? argument.choices ?? [];
  const found =
    choices.find(({ value }) => value === words) ?? choices.find(({ title }) => same(title, words));
  return found ? ok(found.value) : failed(`${quoted(words)} isn’t one of its answers.`);
}

function valueOf(
  program: Program,
  command: Command,
  argument: Argument,
  words: string,
): Result<string, string> {
  if (argument.kind === 'choice' || argument.choices) return choiceOf(program, command, argument, words);
  switch (argument.kind) {
    case 'list':
    case 'folder':
    case 'bookmark':
      return placeOf(program, argument, words);
    case 'task':
    case 'parent':
      return taskNamed(program, words);
    case 'label': {
      const id = labelNamed(program, words);
      return id === null ? failed(`There’s no label ${quoted(words)}.`) : ok(id);
    }
    default:
      return ok(words);
  }
}

/** The value that one answer comes to now. */
export function answerOf(
  program: Program,
  command: Command,
  argument: Argument,
  { answer, values }: { readonly answer: Answer; readonly values: Values },
): Result<string, string> {
  const id = answer.id === undefined ? null : kept(program, argument, answer.id);
  if (id !== null && namesIn(answer.words).length === 0) return ok(id);
  const words = expand(answer.words, values);
  if (!words.ok) return words;
  const asId = parseId(words.value);
  if (asId !== null && argument.kind !== 'text') return ok(asId);
  return valueOf(program, command, argument, words.value);
}

/** The values that the command of a step takes now. The problem is a sentence. */
export function answersOf(
  program: Program,
  command: Command,
  { answers }: Extract<Step, { type: 'command' }>,
  values: Values,
): Result<ArgumentValues, string> {
  const found: Record<string, string> = {};
  for (const argument of command.args) {
    const answer = answers[argument.name];
    if (answer === undefined) return failed(`It has no answer to “${argument.prompt}”`);
    const value = answerOf(program, command, argument, { answer, values });
    if (!value.ok) return value;
    found[argument.name] = value.value;
  }
  return ok(found);
}
