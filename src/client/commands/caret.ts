// Commands that move the caret in a title being edited, and take away what follows it: for sets of keys that have them where
// the system does not.
import type { Program } from '../program.ts';
import type { CommandResult } from './command.ts';
import { type Command, define, done, passed } from './define.ts';

const inTitle = {
  group: 'Edit',
  when: ({ editor }: Program) => (editor.title === null ? 'Edit a title first.' : null),
} as const;

/** To where `to` says, given the text and where the caret is. */
function move(program: Program, to: (text: string, at: number) => number): CommandResult {
  const { title } = program.editor;
  if (title === null) return passed;
  program.editor.putCaret(to(title.text, title.caret));
  return done;
}

/** Of a character that takes two units. */
const isPair = (text: string, at: number) => (text.codePointAt(at) ?? 0) > 0xffff;

function killRest(program: Program): CommandResult {
  const { title } = program.editor;
  if (title === null) return passed;
  const rest = title.text.slice(title.caret);
  if (rest === '') return done;
  // As in Emacs, it can be pasted again.
  void program.platform.copyText(rest);
  program.editor.replace(title.text.slice(0, title.caret));
  return done;
}

export const caretCommands: readonly Command[] = [
  define({
    ...inTitle,
    id: 'edit.caretFirst',
    title: 'Caret to the beginning',
    aliases: ['start of line', 'beginning of line'],
    run: (program) => move(program, () => 0),
  }),
  define({
    ...inTitle,
    id: 'edit.caretLast',
    title: 'Caret to the end',
    aliases: ['end of line', 'line end'],
    run: (program) => move(program, (text) => text.length),
  }),
  define({
    ...inTitle,
    id: 'edit.caretRight',
    title: 'Caret to the right',
    aliases: ['forward char', 'one character on'],
    repeats: true,
    run: (program) => move(program, (text, at) => at + (isPair(text, at) ? 2 : 1)),
  }),
  define({
    ...inTitle,
    id: 'edit.caretLeft',
    title: 'Caret to the left',
    aliases: ['backward char', 'one character back'],
    repeats: true,
    run: (program) => move(program, (text, at) => at - (at > 1 && isPair(text, at - 2) ? 2 : 1)),
  }),
  define({
    ...inTitle,
    id: 'edit.killRest',
    title: 'Cut to the end of the line',
    aliases: ['kill line', 'delete the rest'],
    run: killRest,
  }),
];
