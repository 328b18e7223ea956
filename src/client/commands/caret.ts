// Commands that move the caret in the text field that has the focus, cut from it and put back what was cut: for sets of keys
// that have them where the system does not.
import type { Program } from '../program.ts';
import type { TextField } from '../text-field.ts';
import type { CommandResult } from './command.ts';
import { type Command, define, done, passed, refused } from './define.ts';

/** Of a character that takes two units. */
const isPair = (text: string, at: number) => (text.codePointAt(at) ?? 0) > 0xffff;

function rightOf({ text, to }: TextField): number {
  return Math.min(text.length, to + (isPair(text, to) ? 2 : 1));
}

function leftOf({ text, from }: TextField): number {
  return Math.max(0, from - (from > 1 && isPair(text, from - 2) ? 2 : 1));
}

/** The end of the word at the caret, else of the next one. */
function wordEndOf({ text, to }: TextField): number {
  const word = /^[^\p{L}\p{N}]*[\p{L}\p{N}\p{M}]*/u.exec(text.slice(to));
  return to + (word?.[0].length ?? 0);
}

/** The beginning of the word at the caret, else of the one before. */
function wordStartOf({ text, from }: TextField): number {
  const word = /[\p{L}\p{N}\p{M}]*[^\p{L}\p{N}\p{M}]*$/u.exec(text.slice(0, from));
  return from - (word?.[0].length ?? 0);
}

function inField(program: Program, act: (field: TextField) => void): CommandResult {
  const field = program.platform.textField();
  if (field === null) return passed;
  act(field);
  return done;
}

/** As in Emacs, it can be put back elsewhere. */
function kill(program: Program, field: TextField, from: number, to: number): void {
  const cut = field.text.slice(from, to);
  if (cut === '') return;
  program.editor.killed = cut;
  void program.platform.copyText(cut);
  field.replace(from, to, '');
}

/** What was cut here last; where another window had the focus since, what is on the clipboard. */
function yank(program: Program): CommandResult {
  const put = (text: string) =>
    inField(program, (field) => field.replace(field.from, field.to, text.replaceAll(/[\r\n]+/g, ' ')));
  const { killed } = program.editor;
  if (killed !== null) return put(killed);
  void program.platform.readClipboard().then((text) =>
    program.act(() => {
      const result =
        text === null ? refused('The clipboard cannot be read. Paste with its own key.') : put(text);
      if (result.type === 'refused') program.say(result.reason, { error: true });
    }),
  );
  return done;
}

const key = { group: 'Edit', inPalette: false } as const;

function moving(id: string, title: string, to: (field: TextField) => number): Command {
  return define({
    ...key,
    id,
    title,
    repeats: true,
    run: (program) => inField(program, (field) => field.putCaret(to(field))),
  });
}

function killing(id: string, title: string, range: (field: TextField) => readonly [number, number]): Command {
  return define({
    ...key,
    id,
    title,
    run: (program) => inField(program, (field) => kill(program, field, ...range(field))),
  });
}

export const caretCommands: readonly Command[] = [
  moving('edit.caretFirst', 'Caret to the beginning', () => 0),
  moving('edit.caretLast', 'Caret to the end', ({ text }) => text.length),
  moving('edit.caretRight', 'Caret to the right', rightOf),
  moving('edit.caretLeft', 'Caret to the left', leftOf),
  moving('edit.caretWordRight', 'Caret a word on', wordEndOf),
  moving('edit.caretWordLeft', 'Caret a word back', wordStartOf),
  killing('edit.killRest', 'Cut to the end of the line', ({ from, text }) => [from, text.length]),
  killing('edit.killWord', 'Cut the next word', (field) => [field.from, wordEndOf(field)]),
  killing('edit.killWordBack', 'Cut the word before', (field) => [wordStartOf(field), field.to]),
  define({
    ...key,
    id: 'edit.deleteRight',
    title: 'Delete the next character',
    repeats: true,
    run: (program) =>
      inField(program, (field) =>
        field.replace(field.from, field.from === field.to ? rightOf(field) : field.to, ''),
      ),
  }),
  define({ ...key, id: 'edit.yank', title: 'Put back what was cut', run: yank }),
];
