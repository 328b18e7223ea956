// From key presses to commands: active contexts, pending chords, and keys that belong to text fields.
import type { Command } from '../commands/define.ts';
import type { ArgumentValues, CommandResult, KeyContext } from '../commands/command.ts';
import type { InputQueue } from '../loading/input-queue.ts';
import type { Keymap } from './keymap.ts';
import { type KeyInput, keycapOf, NO_KEY, type Stroke, strokeOf, typesText } from './stroke.ts';
import type { LabelResolution } from '../labels/label-keys.ts';
import { isTextMode, modeOf, paneModeOf } from '../app/mode.ts';
import type { Program } from '../app/program.ts';
import type { Cause } from '../teaching/part.ts';
import type { StatusView } from '../app/view.ts';
import type { Vim } from '../vim/vim.ts';
import { teaching } from '../teaching/part.ts';
import { taskEntry } from '../entry/part.ts';

export interface KeyboardPorts {
  readonly program: Program;
  readonly keymap: Keymap;
  /** Undefined: not known (yet). */
  command(id: string): Command | undefined;
  /** All commands are loaded. */
  readonly isComplete: () => boolean;
  readonly inputQueue: InputQueue;
  /** Null until loaded. */
  readonly vim: () => Vim | null;
  readonly report: (result: CommandResult, canUndo: boolean) => void;
  readonly run: (id: string, args?: ArgumentValues) => CommandResult;
}

/** With Ctrl or ⌘ these act in any text. */
const EDITING = /(?:^|\+)(?:[acxyz]|Arrow\w+|Home|End|Backspace|Delete|Enter|Tab)$/;

/** Keys that cancel a chord without a message that they are not bound. */
const CANCELS = new Set<Stroke>(['Escape']);
const TABS = new Set<Stroke>(['Tab', 'Shift+Tab']);
/** A running replay stops if one of these has no effect. */
const STEPS = new Set(
  ['up', 'down', 'pageUp', 'pageDown', 'halfPageUp', 'halfPageDown'].map((step) => `cursor.${step}`),
);
/** Contexts in which unbound keys of a grammar still belong to it. */
const READ_IN: ReadonlySet<KeyContext> = new Set(['navigate', 'sidebar']);

/** Turns key presses into commands, one at a time. `press` answers synchronously whether the app took the key. */
export class Keyboard {
  readonly #ports: KeyboardPorts;
  #pending: readonly Stroke[] = [];
  /** Cancels the delayed hint panel; null while none is pending. */
  #stopHints: (() => void) | null = null;
  #showsHints = false;
  /** Contexts named by the focused control of the dialog. */
  #within: readonly KeyContext[] = [];
  /** Result of the last key. */
  #outcome: { result: CommandResult; commands: readonly string[] } = {
    result: { type: 'done' },
    commands: [],
  };

  constructor(ports: KeyboardPorts) {
    this.#ports = ports;
  }

  /** Strokes of the pending chord. */
  get pending(): readonly Stroke[] {
    return this.#pending;
  }

  /** Under which letter keys are recorded, as "@a"; null: not recording. */
  get recording(): string | null {
    const name = this.#ports.vim()?.macros.recording;
    return name ? `@${name}` : null;
  }

  release(): void {
    this.#await([]);
  }

  /** Continues the pending chord, as its key would. */
  follow(stroke: Stroke): void {
    if (this.#pending.length === 0) return;
    // A line of the hint panel was pressed instead of its key.
    this.#recorded(stroke, NO_KEY, () => this.#take(stroke, NO_KEY));
  }

  /** Presses a recorded key. Refused if nothing is bound to it, or it has no effect. */
  replay(stroke: Stroke): CommandResult {
    const { program } = this.#ports;
    const { cursor } = program.workspace;
    this.#outcome = { result: { type: 'done' }, commands: [] };
    const isTaken = this.#take(stroke, NO_KEY);
    const { result, commands } = this.#outcome;
    if (!isTaken) return { type: 'refused', reason: `${this.#caps([stroke])} does nothing here.` };
    const isStuck = commands.some((id) => STEPS.has(id)) && cursor === program.workspace.cursor;
    if (result.type === 'done' && isStuck) return { type: 'refused', reason: 'there’s no next line.' };
    return result;
  }

  #caps(strokes: readonly Stroke[]): string {
    return this.#ports.keymap.keycaps(strokes).join(' ');
  }

  /** Waits for the next stroke of a chord. The panel appears after a delay, and stays while the chord goes on. */
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
    const { program, keymap, inputQueue } = this.#ports;
    const stroke = strokeOf(input, keymap.apple);
    if (stroke === null) return false;
    this.#within = input.within ?? [];
    if (inputQueue.isWaiting) {
      if (this.#isBrowsers(stroke, input)) return false;
      inputQueue.press(input, stroke);
      return true;
    }
    if (program.tookKey(input, stroke)) return true;
    // A press is captured once, however long it is held.
    if (program.capture !== null && input.repeat) return true;
    if (program.capture?.(stroke) === true) return true;
    // A key cancels a running drag.
    if (program.drag.get() !== null) {
      program.drag.set(null);
      if (stroke === 'Escape') return true;
    }
    if (input.caret !== undefined) this.#sawCaret(input.caret);
    const isChord = this.#pending.length > 0;
    // A key that begins a chord is often held a little longer.
    if (isChord && input.repeat) return true;
    if (!isChord && input.inText && typesText(input, keymap.apple)) {
      this.#noteKey(stroke);
      return false;
    }
    if (this.#leavesToBrowser(stroke, input)) return false;
    return this.#recorded(stroke, input, () => this.#take(stroke, input));
  }

  /** Adds the press to a running recording if the app takes it. */
  #recorded(stroke: Stroke, input: KeyInput, take: () => boolean): boolean {
    const { program, vim } = this.#ports;
    const macros = vim()?.macros ?? null;
    const name = macros?.recording ?? null;
    if (macros === null || name === null) {
      const isTaken = take();
      if (macros !== null && macros.recording !== null) macros.begin();
      return isTaken;
    }
    macros.before();
    const { cursor } = program.workspace;
    const { newest } = program.undo;
    const isTaken = take();
    // A repeat that moves nothing is not recorded.
    const isAgain = input.repeat && cursor === program.workspace.cursor && newest === program.undo.newest;
    macros.after(stroke, isTaken && !isAgain);
    return isTaken;
  }

  #take(stroke: Stroke, input: KeyInput): boolean {
    this.#noteKey(stroke);
    if (this.#pending.length > 0 && this.#backsOut(stroke)) return true;
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
        program
          .part(teaching)
          .by(isChord ? 'chord' : 'key', () => this.#ports.run('label.toggle', { label: label.id }));
      return true;
    }
    if (resolution.type === 'commands') {
      const before = program.undo.newest;
      const isVim = this.#isVim;
      this.#outcome.commands = resolution.commands;
      const isTaken = this.#try(resolution.commands, input, isChord ? 'chord' : 'key');
      this.#noteChange(strokes, before, resolution.commands);
      if (isVim) this.#noteWriting(strokes);
      return isTaken || isChord;
    }
    const isSwallowed = this.#swallows(strokes, input);
    if (isSwallowed === 'goes on') return true;
    const isKnown = isChord || isSwallowed === 'over';
    if (isKnown && !this.#stepsOut(strokes.at(-1))) this.#miss(strokes, input);
    return isKnown;
  }

  /**
   * Swallows a whole sequence of Vim or Emacs that nothing is bound to, so that none of its keys does anything else.
   */
  #swallows(strokes: readonly Stroke[], input: KeyInput): 'goes on' | 'over' | null {
    const { keymap, vim } = this.#ports;
    if (!this.contexts().some((context) => READ_IN.has(context)) || this.#stepsOut(strokes.at(-1)))
      return null;
    const read = keymap.grammar === 'vim' ? vim()?.lengthOf(strokes) : null;
    const length = keymap.waitsAfter(strokes) ? 'goes on' : (read ?? null);
    if (length === 'goes on' && !input.repeat) this.#await(strokes);
    return length;
  }

  #miss(strokes: readonly Stroke[], input: KeyInput): void {
    const { program } = this.#ports;
    const text = `${this.#caps(strokes)} does nothing.`;
    this.#outcome.result = { type: 'refused', reason: text };
    if (!input.repeat) program.say(text, { error: true, brief: true, isMiss: true });
  }

  /** Whether the stroke does what Escape does here. */
  #stepsOut(stroke: Stroke = ''): boolean {
    const { keymap } = this.#ports;
    const [is, escape] = [stroke, 'Escape'].map((one) => keymap.resolve(this.contexts(), [one]));
    return is?.type === 'commands' && escape?.type === 'commands' && is.commands[0] === escape.commands[0];
  }

  #sawCaret(caret: number | null): void {
    const { program } = this.#ports;
    const { type } = modeOf(program);
    // The palette and dialogs have a caret of their own: the one in the title stays where it was left.
    if (type === 'palette' || type === 'dialog') return;
    program.part(taskEntry).hasRange = caret === null;
    if (caret !== null) program.editor.sawCaret(caret);
  }

  get #isVim(): boolean {
    return this.#ports.keymap.grammar === 'vim' && this.contexts().includes('navigate');
  }

  /** Reads counts, operators and the like. False if the strokes are ordinary keys. */
  #readAsVim(strokes: readonly Stroke[], input: KeyInput): boolean {
    const { program, inputQueue, vim, report } = this.#ports;
    const reader = vim();
    if (reader === null) {
      // Which keys are ordinary is not known yet.
      if (!input.repeat) inputQueue.hold(() => program.platform.press(input));
      return true;
    }
    const reading = reader.read(strokes);
    if (reading === 'none') return false;
    if (input.repeat && !reader.moves(strokes)) return true;
    this.#await(reading === 'pending' ? strokes : []);
    if (reading === 'unknown' && !this.#stepsOut(strokes.at(-1))) this.#miss(strokes, input);
    if (reading === 'pending' || reading === 'unknown') return true;
    program.messages.clearAnswer();
    program.isUntouched = false;
    const before = program.undo.newest;
    const result = reading();
    this.#outcome = { result, commands: [] };
    report(result, program.undo.newest !== before);
    this.#noteChange(strokes, before);
    this.#noteWriting(strokes);
    return true;
  }

  /** The dot repeats the last change. */
  #noteChange(strokes: readonly Stroke[], before: unknown, commands: readonly string[] = []): void {
    const { program, vim } = this.#ports;
    const isBack = commands.some((id) => id === 'edit.undo' || id === 'edit.redo');
    if (this.#ports.keymap.grammar === 'vim' && program.undo.newest !== before && !isBack)
      vim()?.changed(strokes);
  }

  /** The dot also repeats the text typed after them. */
  #noteWriting(strokes: readonly Stroke[]): void {
    const { program, vim } = this.#ports;
    const { title } = program.editor;
    if (title?.field === 'title') vim()?.began(strokes, title);
  }

  /** Presses strokes again for the dot and for macros. Passed if they mean nothing now. */
  again(strokes: readonly Stroke[]): CommandResult {
    const { keymap, run, vim } = this.#ports;
    if (!this.#isVim) return { type: 'passed' };
    const reading = vim()?.read(strokes);
    if (typeof reading === 'function') return reading();
    const resolution = keymap.resolve(this.contexts(), strokes);
    if (resolution.type !== 'commands') return { type: 'passed' };
    for (const id of resolution.commands) {
      const result = run(id, this.#argumentsOf(id, strokes.at(-1)?.length === 1));
      if (result.type !== 'passed') return result;
    }
    return { type: 'passed' };
  }

  /** The meaning of strokes without a grammar. */
  ordinary(strokes: readonly Stroke[]): 'commands' | 'pending' | 'none' {
    const { type } = this.#ports.keymap.resolve(this.contexts(), strokes);
    if (type !== 'none') return type;
    const label = this.#labelOf(strokes);
    return label?.type === 'pending' ? 'pending' : 'none';
  }

  /** Active contexts, most specific first. */
  contexts(): readonly KeyContext[] {
    const { program } = this.#ports;
    const { type } = modeOf(program);
    if (type === 'dialog') return [...this.#within, 'dialog'];
    if (type === 'palette') return program.palette.isInMonth ? ['month', 'palette'] : ['palette'];
    return this.contextsBelow();
  }

  /** The contexts that count without a dialog or the palette. */
  contextsBelow(): readonly KeyContext[] {
    const { program } = this.#ports;
    const { type } = paneModeOf(program);
    if (type === 'title') return ['edit', 'global'];
    if (type !== 'outline') return [type, 'global'];
    return program.workspace.outline.length === 0 ? ['empty', 'navigate', 'global'] : ['navigate', 'global'];
  }

  /** Labels have keys where single keys are no text; the app's own keys come first. */
  #labelOf(strokes: readonly Stroke[]): LabelResolution | null {
    const { labelKeys } = this.#ports.program;
    return this.contexts().includes('navigate') ? labelKeys.resolve(strokes) : null;
  }

  #try(commands: readonly string[], input: KeyInput, cause: Cause): boolean {
    for (const id of commands) {
      if (this.#isTextUndo(id)) return this.#undoText(id, input);
      const command = this.#ports.command(id);
      // Keys of a newer version, or of a file: no command will be loaded for them.
      if (!command && this.#ports.isComplete()) {
        if (!input.repeat) this.#ports.run(id);
        return true;
      }
      if (!command) {
        const rest = commands.slice(commands.indexOf(id));
        if (!input.repeat) this.#ports.inputQueue.hold(() => void this.#try(rest, input, cause), id);
        return true;
      }
      // A held key repeats movement only; other commands run once, and the press is still taken.
      if (input.repeat && !command.repeats) return true;
      const result = this.#ports.program
        .part(teaching)
        .by(cause, () =>
          this.#ports.run(id, this.#argumentsOf(id, typesText(input, this.#ports.keymap.apple))),
        );
      this.#outcome.result = result;
      if (result.type !== 'passed') return true;
    }
    return false;
  }

  /** Undo by a letter of Vim does not undo changes of keys where another key does. */
  #argumentsOf(id: string, isLetter: boolean): ArgumentValues {
    const { keymap } = this.#ports;
    if (id !== 'edit.undo' || !isLetter || keymap.grammar !== 'vim') return {};
    const other = keymap.keysOf(id).find((caps) => caps.every((cap) => cap.length > 1));
    return other === undefined ? {} : { byLetter: other.join(' ') };
  }

  /** Reloading, leaving and pasting work while keys are queued: keys that are not the app's are not queued. */
  #isBrowsers(stroke: Stroke, input: KeyInput): boolean {
    if (!input.ctrl && !input.meta && !/^F\d/.test(input.key)) return false;
    return !EDITING.test(stroke) && !this.#ports.keymap.begins(stroke);
  }

  /** A text field's own undo comes first while it has something to undo. */
  #isTextUndo(id: string): boolean {
    if (id !== 'edit.undo' && id !== 'edit.redo') return false;
    const { program } = this.#ports;
    const mode = paneModeOf(program);
    return 'draft' in mode ? program.editor.isTyping : isTextMode(mode);
  }

  /** The browser handles its own undo keys. */
  #undoText(id: string, { key, ctrl, meta }: KeyInput): boolean {
    if ((ctrl || meta) && /^[yz]$/i.test(key)) return false;
    const field = this.#ports.program.platform.textField();
    if (id === 'edit.undo') field?.undo();
    else field?.redo();
    return field !== null;
  }

  /** Tab indents, except where that would trap the focus. */
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

  /** The hints for the pending chord, once they are to be shown. */
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
