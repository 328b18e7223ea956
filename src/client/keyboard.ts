// From key presses to commands: which contexts count now, chords begun, what a text field keeps for itself.
import type { Command } from './commands/define.ts';
import type { ArgumentValues, CommandResult, KeyContext } from './commands/command.ts';
import type { Held } from './held.ts';
import type { Keymap } from './keys/keymap.ts';
import { type KeyInput, keycapOf, NO_KEY, type Stroke, strokeOf, typesText } from './keys/stroke.ts';
import type { LabelResolution } from './labels/label-keys.ts';
import type { Program } from './program.ts';
import type { Cause } from './teaching/door.ts';
import type { StatusView } from './view.ts';
import type { Vim } from './vim/vim.ts';

export interface KeyboardPorts {
  readonly program: Program;
  readonly keymap: Keymap;
  /** Undefined: not known (yet). */
  command(id: string): Command | undefined;
  /** Every command that there is is known. */
  readonly isComplete: () => boolean;
  readonly held: Held;
  /** Null while it was not loaded. */
  readonly vim: () => Vim | null;
  readonly report: (result: CommandResult, canUndo: boolean) => void;
  readonly run: (id: string, args?: ArgumentValues) => CommandResult;
}

/** With Ctrl or ⌘ they act in any text. */
const EDITING = /(?:^|\+)(?:[acxyz]|Arrow\w+|Home|End|Backspace|Delete|Enter|Tab)$/;

/** Keys that lead out of a chord without being said to be unbound. */
const CANCELS = new Set<Stroke>(['Escape']);
/** After these a title is typed. */
const CREATES = new Set(['task.createBelow', 'task.createAbove', 'task.createChild']);
const TABS = new Set<Stroke>(['Tab', 'Shift+Tab']);

export class Keyboard {
  readonly #ports: KeyboardPorts;
  #pending: readonly Stroke[] = [];
  /** Puts off the panel of what may follow; null while none waits to be shown. */
  #stopHints: (() => void) | null = null;
  #showsHints = false;

  constructor(ports: KeyboardPorts) {
    this.#ports = ports;
  }

  /** Strokes of a chord begun. */
  get pending(): readonly Stroke[] {
    return this.#pending;
  }

  release(): void {
    this.#await([]);
  }

  /** Goes on with the chord begun, as its key would. */
  follow(stroke: Stroke): void {
    if (this.#pending.length === 0) return;
    // A line of the panel was pressed instead of its key.
    const strokes = [...this.#pending, stroke];
    if (!this.#isVim || !this.#readAsVim(strokes, NO_KEY)) this.#resolve(strokes, NO_KEY);
  }

  /** What is pressed next goes with these. The panel comes after a moment, and stays while the chord goes on. */
  #await(strokes: readonly Stroke[]): void {
    const { program, keymap } = this.#ports;
    this.#pending = strokes;
    this.#stopHints?.();
    this.#stopHints = null;
    if (strokes.length === 1) program.messages.clearAnswer();
    if (strokes.length === 0) this.#showsHints = false;
    else if (this.#showsHints || keymap.hintDelay === 0) this.#showHints();
    else if (keymap.hintDelay > 0)
      this.#stopHints = program.platform.after(keymap.hintDelay, () => program.act(() => this.#showHints()));
  }

  #showHints(): void {
    this.#stopHints = null;
    this.#showsHints = true;
    const { length } = this.hints();
    if (length === 0) return;
    const { program, keymap } = this.#ports;
    const begun = keymap.keycaps(this.#pending).join(' ');
    program.messages.announce(`${length === 1 ? '1 key follows' : `${length} keys follow`} ${begun}`);
  }

  /** True when the key was taken. */
  press(input: KeyInput): boolean {
    const { program, keymap, held } = this.#ports;
    const stroke = strokeOf(input, keymap.apple);
    if (stroke === null) return false;
    if (held.isWaiting) {
      if (this.#isBrowsers(stroke, input)) return false;
      held.press(input, stroke);
      return true;
    }
    if (!input.repeat) program.hardcore.pressed(stroke);
    // One press is heard once, however long it is held.
    if (program.capture !== null && input.repeat) return true;
    if (program.capture?.(stroke) === true) return true;
    if (program.adrift.press(input, stroke)) return true;
    // Keys are about what was there before: what is dragged stays where it is.
    if (program.drag.get() !== null) {
      program.drag.set(null);
      if (stroke === 'Escape') return true;
    }
    if (input.caret !== undefined) this.#sawCaret(input.caret);
    const isChord = this.#pending.length > 0;
    // What begins a chord is held a little longer than other keys.
    if (isChord && input.repeat) return true;
    if (!isChord && input.inText && typesText(input, keymap.apple)) {
      this.#noteKey(stroke);
      return false;
    }
    if (this.#leavesToBrowser(stroke, input)) return false;
    this.#noteKey(stroke);
    if (isChord && this.#backsOut(stroke)) return true;
    // A line of the panel was pressed instead of its key.
    const strokes = [...this.#pending, stroke];
    if (this.#isVim && this.#readAsVim(strokes, input)) return true;
    return this.#resolve(strokes, input);
  }

  #resolve(strokes: readonly Stroke[], input: KeyInput): boolean {
    const { program, keymap } = this.#ports;
    const isChord = strokes.length > 1;
    const resolution = keymap.resolve(this.contexts(), strokes);
    const label = resolution.type === 'none' ? this.#labelOf(strokes) : null;
    if (resolution.type === 'pending' || label?.type === 'pending') {
      if (!input.repeat) this.#await(strokes);
      return true;
    }
    this.#await([]);
    if (label?.type === 'label') {
      if (!input.repeat)
        program.teaching.by(isChord ? 'chord' : 'key', () =>
          this.#ports.run('label.toggle', { label: label.id }),
        );
      return true;
    }
    if (resolution.type === 'commands') {
      const before = program.undo.newest;
      const isVim = this.#isVim;
      const isTaken = this.#try(resolution.commands, input, isChord ? 'chord' : 'key');
      this.#noteChange(strokes, before, resolution.commands);
      if (isVim) this.#noteWriting(strokes);
      return isTaken || isChord;
    }
    if (isChord && !this.#stepsOut(strokes.at(-1)))
      program.say(`${keymap.keycaps(strokes).join(' ')} is not bound.`, {
        error: true,
        brief: true,
        isMiss: true,
      });
    return isChord;
  }

  /** It does what Escape does here. */
  #stepsOut(stroke: Stroke = ''): boolean {
    const { keymap } = this.#ports;
    const [is, escape] = [stroke, 'Escape'].map((one) => keymap.resolve(this.contexts(), [one]));
    return is?.type === 'commands' && escape?.type === 'commands' && is.commands[0] === escape.commands[0];
  }

  #sawCaret(caret: number | null): void {
    const { editor, entry, palette, dialog } = this.#ports.program;
    // That is the caret of another field: the one in the title stays where it was left.
    if (palette.isOpen || dialog.get() !== null) return;
    entry.hasRange = caret === null;
    if (caret !== null) editor.sawCaret(caret);
  }

  get #isVim(): boolean {
    return this.#ports.keymap.grammar === 'vim' && this.contexts()[0] === 'navigate';
  }

  /** Counts, operators and the like. False where the strokes are ordinary keys. */
  #readAsVim(strokes: readonly Stroke[], input: KeyInput): boolean {
    const { program, held, vim, report } = this.#ports;
    const reader = vim();
    if (reader === null) {
      // Which keys are ordinary is not known yet.
      if (!input.repeat) held.hold(() => program.platform.press(input));
      return true;
    }
    const reading = reader.read(strokes);
    if (reading === 'none') return false;
    if (input.repeat && !reader.moves(strokes)) return true;
    this.#await(reading === 'pending' ? strokes : []);
    if (reading === 'pending') return true;
    program.messages.clearAnswer();
    program.isUntouched = false;
    const before = program.undo.newest;
    const result = reading();
    report(result, program.undo.newest !== before);
    this.#noteChange(strokes, before);
    this.#noteWriting(strokes);
    return true;
  }

  /** The dot repeats what changed something. */
  #noteChange(strokes: readonly Stroke[], before: unknown, commands: readonly string[] = []): void {
    const { program, vim } = this.#ports;
    const isBack = commands.some((id) => id === 'edit.undo' || id === 'edit.redo');
    if (this.#ports.keymap.grammar === 'vim' && program.undo.newest !== before && !isBack)
      vim()?.changed(strokes);
  }

  /** It repeats what is written after them too. */
  #noteWriting(strokes: readonly Stroke[]): void {
    const { program, vim } = this.#ports;
    const { title } = program.editor;
    if (title?.field === 'title') vim()?.began(strokes, title);
  }

  /** Strokes pressed once more by what repeats them. Passed where they mean nothing now. */
  again(strokes: readonly Stroke[]): CommandResult {
    const { keymap, run, vim } = this.#ports;
    if (!this.#isVim) return { type: 'passed' };
    const reading = vim()?.read(strokes);
    if (typeof reading === 'function') return reading();
    const resolution = keymap.resolve(this.contexts(), strokes);
    if (resolution.type !== 'commands') return { type: 'passed' };
    for (const id of resolution.commands) {
      const result = run(id);
      if (result.type !== 'passed') return result;
    }
    return { type: 'passed' };
  }

  /** Most specific first. */
  contexts(): readonly KeyContext[] {
    const { program } = this.#ports;
    if (program.dialog.get() !== null) return ['dialog'];
    if (program.palette.isOpen) return program.palette.isInMonth ? ['month', 'palette'] : ['palette'];
    return this.contextsBelow();
  }

  /** Those that count where neither a dialog nor the palette is open. */
  contextsBelow(): readonly KeyContext[] {
    const { program } = this.#ports;
    const { title } = program.editor;
    if (title) return [title.field === 'name' ? 'name' : 'edit', 'global'];
    if (program.pane === 'notes') return ['notes', 'global'];
    if (program.pane === 'search') return ['search', 'global'];
    if (program.pane === 'sidebar') return ['sidebar', 'global'];
    return program.workspace.outline.length === 0 ? ['empty', 'navigate', 'global'] : ['navigate', 'global'];
  }

  /** Labels have keys where single keys are no text; the app's own come first. */
  #labelOf(strokes: readonly Stroke[]): LabelResolution | null {
    const { labelKeys } = this.#ports.program;
    return this.contexts().includes('navigate') ? labelKeys.resolve(strokes) : null;
  }

  #try(commands: readonly string[], input: KeyInput, cause: Cause): boolean {
    for (const id of commands) {
      if (this.#isTextUndo(id)) return this.#undoText(id, input);
      const command = this.#ports.command(id);
      // Keys of a newer version, or of a file: nothing is to come that could be waited for.
      if (!command && this.#ports.isComplete()) {
        if (!input.repeat) this.#ports.run(id);
        return true;
      }
      if (!command) {
        const rest = commands.slice(commands.indexOf(id));
        if (!input.repeat) this.#ports.held.hold(() => void this.#try(rest, input, cause), id);
        return true;
      }
      // A held key repeats movement only; the rest happens once, and the press is still taken.
      if (input.repeat && !command.repeats) return true;
      const result = this.#ports.program.teaching.by(cause, () => this.#ports.run(id));
      if (result.type === 'refused' && CREATES.has(id)) this.#ports.program.adrift.missed();
      if (result.type !== 'passed') return true;
    }
    return false;
  }

  /** Whoever waits can still reload the page, leave it, paste: what is no key of the app's is not held. */
  #isBrowsers(stroke: Stroke, input: KeyInput): boolean {
    if (!input.ctrl && !input.meta && !/^F\d/.test(input.key)) return false;
    return !EDITING.test(stroke) && !this.#ports.keymap.begins(stroke);
  }

  /** A text field's own undo comes first while it has something to take back. */
  #isTextUndo(id: string): boolean {
    if (id !== 'edit.undo' && id !== 'edit.redo') return false;
    const { program } = this.#ports;
    if (program.editor.title) return program.editor.isTyping;
    return program.pane === 'notes' || program.pane === 'search';
  }

  /** The browser does it for its own keys. */
  #undoText(id: string, { key, ctrl, meta }: KeyInput): boolean {
    if ((ctrl || meta) && /^[yz]$/i.test(key)) return false;
    const field = this.#ports.program.platform.textField();
    if (id === 'edit.undo') field?.undo();
    else field?.redo();
    return field !== null;
  }

  /** Tab indents, except where that would hold the focus captive. */
  #leavesToBrowser(stroke: Stroke, input: KeyInput): boolean {
    const { program } = this.#ports;
    if (!TABS.has(stroke)) return false;
    const [context] = this.contexts();
    if (context === 'empty') return true;
    if (context !== 'navigate' && context !== 'edit' && context !== 'notes') return false;
    if (!program.tabMovesFocus && !program.tabPasses) return false;
    if (!input.repeat) program.tabPasses = false;
    return true;
  }

  /** Any key but Tab and Escape arms indenting again. */
  #noteKey(stroke: Stroke): void {
    const { program } = this.#ports;
    if (!TABS.has(stroke) && stroke !== 'Escape') program.tabPasses = false;
    if (stroke !== 'ArrowUp' && stroke !== 'ArrowDown') program.column = null;
  }

  #backsOut(stroke: Stroke): boolean {
    if (CANCELS.has(stroke)) this.#await([]);
    else if (stroke === 'Backspace') this.#await(this.#pending.slice(0, -1));
    else return false;
    return true;
  }

  /** What may follow the chord begun, once that is to be shown. */
  hints(): StatusView['hints'] {
    if (this.#pending.length === 0 || !this.#showsHints) return [];
    const { keymap, program } = this.#ports;
    const own = keymap.continuations(this.contexts(), this.#pending).map(({ stroke, command }) => ({
      stroke,
      title: command === null ? '…' : (this.#ports.command(command)?.title ?? ''),
    }));
    const read = this.#isVim ? (this.#ports.vim()?.continuations(this.#pending) ?? []) : [];
    const labels = this.contexts().includes('navigate') ? program.labelKeys.continuations(this.#pending) : [];
    return [...own, ...read, ...labels].map(({ stroke, title }) => ({
      keys: keycapOf(stroke, keymap.apple),
      stroke,
      title,
    }));
  }
}
