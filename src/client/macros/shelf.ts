// The macros of the account: each is a command, so that the palette, keys, other macros and links know it as any other. What
// they are stored as is macro.ts, how one runs running.ts, what records one recording.ts.
import type { Id } from '#core/ids.ts';
import { macroIdOf, macroKey } from '#core/macros.ts';
import type { ChangeCause, RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { PartHooks } from '../app/part.ts';
import { within } from '../app/portions.ts';
import type { ArgumentValues, CommandResult } from '../commands/command.ts';
import type { Program } from '../app/program.ts';
import { announced, type Command, define, refused } from '../commands/define.ts';
import { lazyParts, loadLazyParts } from '../loading/lazy-parts.ts';
import type { Binding } from '../keys/keymap.ts';
import type { TitleDraft } from '../text/editor.ts';
import type { Draft } from './editor/draft.ts';
import { lazyMacros } from './lazy.ts';
import { type Macro, macroCommand, type MacroContent, readMacro, writeMacro } from './macro.ts';
import { keepRecording } from './keeping.ts';
import type { Recording } from './recording.ts';

/** Where a recording goes: into a macro, before the step at `at`. Null: it becomes a macro of its own. */
export interface RecordingPlace {
  readonly id: Id;
  readonly macro: MacroContent;
  readonly at: number;
}

/** Looking for macros among all rows holds up nothing for longer than this. */
const PORTION_MS = 4;

/** The command of a macro. */
const OF_MACRO = /^macro\.[a-p]{32}$/;

/** What the key of a deleted macro does. */
const goneCommand = (id: string): Command =>
  define({
    id,
    title: 'A macro that was deleted',
    group: 'Application',
    icon: 'macro',
    inPalette: false,
    run: () =>
      refused('That macro was deleted. Undo brings it back, and its key can be given to another command.'),
  });

/** The macros, and what is being recorded. */
export class MacroShelf implements PartHooks {
  readonly program: Program;
  isRunning = false;
  /** Macros that links have started since the app was opened, with the person’s consent. */
  readonly startedByLinks = new Set<Id>();
  /** What was typed in the editor of a macro and could not be stored. */
  unsaved: { readonly id: Id; readonly draft: Draft } | null = null;
  #recording: Recording | null = null;
  #into: RecordingPlace | null = null;
  readonly #macros = new Map<Id, Macro>();
  #commands: readonly Command[] = [];
  #bindings: readonly Binding[] = [];
  /** Commands of macros that are gone and still have a key. */
  #gone: readonly string[] = [];
  #isClosed = false;

  constructor(program: Program) {
    this.program = program;
    this.#look(program.replica.all()[Symbol.iterator]());
  }

  /** Null: nothing is being recorded. */
  get recording(): Recording | null {
    return this.#recording;
  }

  /** The macro that what is recorded goes into, as it is now; null: into one of its own. */
  get recordedInto(): RecordingPlace | null {
    if (this.#into === null) return null;
    const { id, ...macro } = this.get(this.#into.id) ?? { ...this.#into.macro, id: this.#into.id };
    return { id, macro, at: Math.min(this.#into.at, macro.steps.length) };
  }

  /** What is done from now on becomes steps. `into`: of that macro. */
  startRecording(into: RecordingPlace | null = null): CommandResult {
    const { program } = this;
    program.leaveText();
    program.editor.flush();
    // A command that has to be loaded first would change something only after it was recorded.
    void this.load().catch(() => undefined);
    return program.inputQueue.enter(lazyMacros, ({ Recording }) => {
      this.#recording = new Recording(program);
      this.#into = into;
      program.recording = 'a macro';
      const [stop] = program.labelKeys.keymap.keysOf('macro.stop');
      const how = stop === undefined ? 'choose “Stop recording”' : `press ${stop.join(' ')}`;
      return announced(`Recording a macro. Do its steps, then ${how}.`);
    });
  }

  /** Forgets what was recorded: it has been kept. */
  endRecording(): void {
    this.#recording = null;
    this.#into = null;
    this.program.recording = null;
  }

  /** Whether every command answers at once: its part of the app has been loaded. */
  get isLoaded(): boolean {
    return lazyParts.every(({ now }) => now !== null);
  }

  load(): Promise<void> {
    return loadLazyParts();
  }

  /** In the order of their names. */
  get all(): readonly Macro[] {
    return [...this.#macros.values()].toSorted((a, b) => a.name.localeCompare(b.name));
  }

  get(id: Id): Macro | null {
    return this.#macros.get(id) ?? null;
  }

  /** The macro that a command runs; null: it is no macro’s. */
  find(command: string): Macro | null {
    return [...this.#macros.values()].find(({ id }) => macroCommand(id) === command) ?? null;
  }

  apply(changes: readonly RowChange[], cause: ChangeCause): void {
    let isNew = false;
    for (const { before, after } of changes)
      isNew = this.#take(after ?? before, after !== undefined) || isNew;
    if (isNew) this.#remake();
    if (cause === 'local') this.#now?.changed(changes);
  }

  ran(command: string, args: ArgumentValues): void {
    // A macro that is waiting counts as run; its steps do not.
    if (!this.isRunning || this.find(command) !== null) this.recording?.ran(command, args);
  }

  asked(words: ArgumentValues): void {
    this.#now?.asked(words);
  }

  addedLine(line: string, parent: Id): void {
    this.#now?.addedLine(line, parent);
  }

  leftText(draft: Readonly<TitleDraft>): void {
    this.#now?.left(draft);
  }

  /** What is recorded now: not what a macro does. */
  get #now(): Recording | null {
    return this.isRunning ? null : this.recording;
  }

  close(): void {
    this.#isClosed = true;
    // What was recorded until a reload is kept.
    if (this.#recording !== null) keepRecording(this);
  }

  /** Stores a macro, as one change with undo. False: it is too large. */
  save(id: Id, content: MacroContent, label: string): boolean {
    const actions = this.program.settings.actions({ key: macroKey(id) }, writeMacro(content));
    return this.program.change(actions, label).verdicts[0] === 'ok';
  }

  /** Removes a macro, with undo. */
  remove(id: Id, label: string): void {
    this.program.change(this.program.settings.actions({ key: macroKey(id) }, null), label);
  }

  /** Rows that were here before this part, in portions. */
  #look(rows: Iterator<Row>): void {
    if (this.#isClosed) return;
    const isOver = within(this.program.replica, PORTION_MS);
    let isNew = false;
    for (;;) {
      const { done: isDone = false, value } = rows.next() as IteratorResult<Row, undefined>;
      if (isDone) break;
      isNew = this.#take(value, true) || isNew;
      if (isOver()) {
        this.program.later(() => this.#look(rows));
        break;
      }
    }
    if (isNew) this.#remake();
  }

  /** Returns whether a macro came, went or changed. */
  #take(row: Row | undefined | null, isHere: boolean): boolean {
    if (row?.type !== 'setting') return false;
    const id = macroIdOf(row.fields.key);
    if (id === null) return false;
    const stored = isHere ? fieldOf(row, 'value') : null;
    const read = typeof stored === 'string' ? readMacro(stored) : null;
    if (read?.ok === true) this.#macros.set(id, { id, ...read.value });
    // Of a newer version, or damaged: it stays stored as it is.
    else this.#macros.delete(id);
    return true;
  }

  /** Keys are given and taken. */
  settle(): void {
    const { bindings } = this.program.labelKeys.keymap;
    if (bindings === this.#bindings) return;
    this.#bindings = bindings;
    const gone = this.#goneOf(bindings);
    if (gone.join() !== this.#gone.join()) this.#remake();
  }

  /** Commands that have a key, and were macros. */
  #goneOf(bindings: readonly Binding[]): readonly string[] {
    const kept = new Set([...this.#macros.keys()].map((id) => macroCommand(id)));
    const commands = new Set(bindings.map(({ command }) => command));
    return [...commands].filter((command) => OF_MACRO.test(command) && !kept.has(command));
  }

  #remake(): void {
    this.#gone = this.#goneOf(this.program.labelKeys.keymap.bindings);
    const made = [...this.all.map((macro) => this.#commandFor(macro)), ...this.#gone.map(goneCommand)];
    const { parts } = this.program;
    const others = parts.commands.filter((command) => !this.#commands.includes(command));
    parts.commands = [...others, ...made];
    this.#commands = made;
  }

  #commandFor(macro: Macro): Command {
    const asked = macro.variables.filter(({ isAsked }) => isAsked);
    return define({
      id: macroCommand(macro.id),
      title: macro.name,
      aliases: ['macro'],
      group: 'Application',
      icon: macro.icon ?? 'macro',
      args: asked.map(({ name }) => ({ name, kind: 'text', prompt: name })),
      run: (program, args) =>
        program.inputQueue.enter(lazyMacros, ({ runMacro }) =>
          runMacro(this, macro, new Map(Object.entries(args))),
        ),
    });
  }
}
