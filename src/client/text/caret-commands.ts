// Commands that move the caret in the focused text field, cut from it and paste the cut text: for presets with such
// keys where the system has none.
import type { Program } from '../app/program.ts';
import type { TextField } from './text-field.ts';
import type { CommandResult } from '../commands/command.ts';
import { type Command, define, done, passed, refused } from '../commands/define.ts';

/** Whether the character there takes two units. */
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

/** As in Emacs, the text can be pasted elsewhere. */
function kill(program: Program, field: TextField, from: number, to: number): void {
  const cut = field.text.slice(from, to);
  if (cut === '') return;
  program.editor.killed = cut;
  void program.platform.copyText(cut);
  field.replace(from, to, '');
}

/** Pastes the last cut text; if another window had the focus since, the clipboard. */
function yank(program: Program): CommandResult {
  const put = (text: string) =>
    inField(program, (field) => field.replace(field.from, field.to, text.replaceAll(/[\r\n]+/g, ' ')));
  const { killed } = program.editor;
  if (killed !== null) return put(killed);
  void program.platform.readClipboard().then((text) =>
    program.act(() => {
      const result =
        text === null ? refused('Can’t read the clipboard. Press the paste key instead.') : put(text);
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

/** Moving the caret, cutting and pasting in text fields, for keys only. */
export const caretCommands: readonly Command[] = [
  moving('edit.caretFirst', 'Cursor to the start', () => 0),
  moving('edit.caretLast', 'Cursor to the end', ({ text }) => text.length),
  moving('edit.caretRight', 'Cursor right', rightOf),
  moving('edit.caretLeft', 'Cursor left', leftOf),
  moving('edit.caretWordRight', 'Cursor forward a word', wordEndOf),
  moving('edit.caretWordLeft', 'Cursor back a word', wordStartOf),
  killing('edit.killRest', 'Cut to the end of the line', ({ from, text }) => [from, text.length]),
  killing('edit.killWord', 'Cut the next word', (field) => [field.from, wordEndOf(field)]),
  killing('edit.killWordBack', 'Cut the previous word', (field) => [wordStartOf(field), field.to]),
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
  define({ ...key, id: 'edit.yank', title: 'Paste what you cut', run: yank }),
];
