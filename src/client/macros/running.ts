// Runs a macro: its steps one after the other on the tasks that were selected at its start, as one undo. A step that cannot run
// stops it with a sentence; what was done before stays, and is undone together. Steps run within the key that started it, as far
// as nothing has to be waited for. Before it goes on with very many changes it asks.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import type { CommandResult } from '../commands/command.ts';
import { done, refused } from '../commands/define.ts';
import { givenLater } from './given.ts';
import type { Program } from '../app/program.ts';
import type { DialogView } from '../dialogs/dialog-view.ts';
import { todayOf } from '../clock/dates.ts';
import { quoted } from '../text/editor.ts';
import { nameOf } from '../outline/row-facts.ts';
import { answersOf } from './answering.ts';
import { GoingOn } from './going-on.ts';
import { type Macro, most, type Step } from './macro.ts';
import { runScript } from './script/run.ts';
import { type BuiltIn, expand, namesIn, type Values } from './variables.ts';

/** A macro that has changed more than this asks before it goes on. */
const mostChanged = 10_000;
/** How many macros may be within each other. */
const DEEPEST = 3;
/**
 * Commands about macros themselves, those that would break the undo, those that move about in a text that is being
 * typed, and files that are chosen by hand. A macro’s own command has
 * more letters.
 */
const NEVER =
  /^(?:edit\.(?:undo|redo|caret\w+|kill\w+|deleteRight|yank)|history\..*|macro\.[a-z]{1,20}|file\.attach.*)$/;

/** What a run needs of the macros. */
export interface Macros {
  readonly program: Program;
  /** Whether one runs, or waits for something. */
  isRunning: boolean;
  find(command: string): Macro | null;
  /** Whether every command answers at once; else `load` brings what they need. */
  readonly isLoaded: boolean;
  load(): Promise<void>;
}

/** How a macro ended. */
export type End =
  /** `asks`: its last step opened a question or a dialog. */
  | { readonly type: 'ran'; readonly asks: boolean }
  /** `at`: “ at step 2 of ‘Inner’”, or nothing where that was no step. */
  | { readonly type: 'stopped'; readonly at: string; readonly reason: string }
  /** What it waited for did not come, or was given up. */
  | { readonly type: 'left' };

/** What is to be known of a run besides its macro. */
export interface Running {
  /** Told once. */
  readonly ended?: (end: End) => void;
  /** It has been said how much it changes: it does not ask. */
  readonly isKnown?: boolean;
  /** Who asked for it, where that was no person: “for Claude”. */
  readonly by?: string;
}

/** Whether a command may be a step. */
export const mayBeStep = (command: string): boolean => !NEVER.test(command);

interface Frame {
  readonly macro: Macro;
  readonly values: Map<string, string>;
  at: number;
}

/** Texts of a step that may hold variables. */
const textsOf = (step: Step): readonly string[] =>
  step.type === 'script' ? [] : Object.values(step.answers).map(({ words }) => words);

class Run {
  readonly #macros: Macros;
  readonly #program: Program;
  readonly #first: Macro;
  readonly #group: Id;
  readonly #before: Id | null;
  /** The tasks that its steps are about. Held by the workspace only while steps run: what is pressed meanwhile is about what is selected. */
  #held: readonly Id[];
  /** What its steps did, as undo has it. */
  readonly #groups = new Set<Id>();
  readonly #frames: Frame[] = [];
  readonly #selected: string;
  /** What was open when it began, such as the question whether it may. */
  readonly #dialog: DialogView | null;
  /** What it has changed so far. */
  readonly #changed = new Set<Id>();
  /** The most tasks that one of its steps was about. */
  #about = 0;
  readonly #uncount: () => void;
  readonly #running: Running;
  #mayBeMany: boolean;
  #steps = 0;
  #clipboard: string | null = null;
  /** The rest of the last step, once it is given what it needs. */
  #going: Promise<() => CommandResult> | null = null;

  constructor(macros: Macros, macro: Macro, given: Values, running: Running) {
    const { program } = macros;
    this.#macros = macros;
    this.#running = running;
    this.#mayBeMany = running.isKnown === true;
    this.#program = program;
    this.#first = macro;
    this.#group = program.replica.newId();
    this.#dialog = program.dialog.get();
    program.leaveText();
    program.editor.flush();
    this.#before = program.undo.newest?.id ?? null;
    this.#held = [...program.workspace.targets()];
    const [first] = this.#held;
    this.#selected = first === undefined ? '' : nameOf(program.replica.row(first));
    this.#uncount = program.replica.subscribe((changes, cause) => cause === 'local' && this.#count(changes));
    this.#enter(macro, given);
  }

  #count(changes: readonly RowChange[]): void {
    for (const { id, before, after } of changes) {
      const row = after ?? before;
      if (row?.type !== 'completion') this.#changed.add(row?.type === 'mine' ? row.fields.of : id);
    }
  }

  #enter(macro: Macro, given: Values): void {
    const values = new Map(macro.variables.map(({ name, value }) => [name, value]));
    for (const [name, value] of given) values.set(name, value);
    this.#frames.push({ macro, values, at: 0 });
  }

  /** Runs what can be run now. */
  begin(): void {
    this.#macros.isRunning = true;
    const { undo } = this.#program;
    // What was done before this start is no part of it, whenever that is read.
    const isReady = this.#macros.isLoaded && undo.isLoaded;
    if (isReady) this.#start();
    else this.#await(Promise.all([this.#macros.load(), undo.load()]), () => this.#start());
  }

  #start(): void {
    if (this.#within(this.#first, DEEPEST).some((step) => this.#uses(step, 'clipboard'))) {
      this.#await(this.#program.platform.readClipboard(), (text) => {
        if (text === null) this.#stop('The clipboard couldn’t be read. Allow it, and run the macro again.');
        else {
          this.#clipboard = text;
          this.#goOn();
        }
      });
    } else this.#goOn();
  }

  /** Its steps, and those of the macros that it runs. */
  #within({ steps }: Macro, depth: number): readonly Step[] {
    if (depth === 0) return [];
    return steps.flatMap((step) => {
      const inner = step.type === 'command' ? this.#macros.find(step.command) : null;
      return inner === null ? [step] : [step, ...this.#within(inner, depth - 1)];
    });
  }

  /** `rest`: what its last step does now that it was given what it waited for. */
  #goOn(rest?: () => CommandResult): void {
    const { workspace, undo } = this.#program;
    const given = this.#program.part(givenLater);
    const before = new Set(undo.done.map(({ id }) => id));
    workspace.held = this.#held;
    given.waits = (going) => {
      this.#going = going;
    };
    let end: (() => void) | null = () => void this.#leave({ type: 'left' });
    try {
      end = this.#runSteps(rest);
    } finally {
      given.waits = null;
      this.#held = workspace.held ?? [];
      workspace.held = null;
      for (const { id } of undo.done) if (!before.has(id)) this.#groups.add(id);
      if (end !== null) this.#program.act(end);
    }
  }

  /** Returns what ends the macro; null: it goes on later. */
  #runSteps(rest?: () => CommandResult): (() => void) | null {
    return this.#program.within(this.#group, () => {
      const last = this.#frames.at(-1);
      const result = rest?.();
      if (last !== undefined && result?.type === 'refused') {
        const step = last.macro.steps[last.at - 1];
        return () => this.#stop(result.reason, { step, frame: last });
      }
      if (rest !== undefined && this.#isWaiting()) return null;
      for (;;) {
        if (this.#changed.size > mostChanged && !this.#mayBeMany && !this.#isAsking) return () => this.#ask();
        const frame = this.#frames.at(-1);
        if (frame === undefined) return () => this.#end();
        const step = frame.macro.steps[frame.at];
        frame.at += 1;
        if (step === undefined) this.#frames.pop();
        else {
          this.#steps += 1;
          this.#dropTrashed();
          const outcome =
            this.#steps > most.steps ? `A macro runs up to ${most.steps} steps.` : this.#do(step, frame);
          if (outcome === 'waits') return null;
          if (outcome !== null) return () => this.#stop(outcome, { step, frame });
          if (this.#isWaiting()) return null;
        }
      }
    });
  }

  /** No step is about what was put into the trash meanwhile. */
  #dropTrashed(): void {
    const { workspace } = this.#program;
    const living = workspace.held?.filter((id) => workspace.exists({ type: 'task', id }));
    workspace.held = living ?? null;
  }

  /** Whether something of the last step is still to come; then it goes on later. */
  #isWaiting(): boolean {
    const going = this.#going;
    this.#going = null;
    if (going !== null) this.#await(going, (rest) => this.#goOn(rest));
    else if (this.#program.batchesLeft > 0) this.#await(this.#caughtUp(), () => this.#goOn());
    else return false;
    return true;
  }

  /** Null: done; 'waits': `goOn` is called later; else why it cannot run. */
  #do(step: Step, frame: Frame): string | null {
    if (this.#isAsking) return 'The step before it asks for something.';
    if (step.type === 'script') return this.#script(step.source, frame);
    const values = this.#valuesFor(step, frame);
    const inner = this.#macros.find(step.command);
    if (inner !== null) return this.#nest(inner, step, values);
    const program = this.#program;
    const command = program.commands.get(step.command);
    if (command === undefined) return 'This version doesn’t have this command.';
    if (!mayBeStep(command.id)) return 'It can’t be part of a macro.';
    if (command.isAboutTask && program.workspace.targets().length === 0) return 'Select a task first.';
    const reason = command.when(program);
    if (reason !== null) return reason;
    const answers = answersOf(program, command, step, values);
    if (!answers.ok) return answers.problem;
    if (command.isAboutTask) this.#about = Math.max(this.#about, program.workspace.targets().length);
    const result = program.run(command.id, answers.value);
    return result.type === 'refused' ? result.reason : null;
  }

  #nest(macro: Macro, { answers }: Extract<Step, { type: 'command' }>, values: Values): string | null {
    if (this.#frames.length >= DEEPEST) return `Macros go ${DEEPEST} deep at most.`;
    if (this.#frames.some((frame) => frame.macro.id === macro.id)) return 'A macro can’t run itself.';
    const given = new Map<string, string>();
    const missing = macro.variables.find(({ name, isAsked }) => isAsked && answers[name] === undefined);
    if (missing) return `It has no answer to “${missing.name}”.`;
    for (const [name, { words }] of Object.entries(answers)) {
      const value = expand(words, values);
      if (!value.ok) return value.problem;
      given.set(name, value.value);
    }
    this.#enter(macro, given);
    return null;
  }

  #script(source: string, frame: Frame): string {
    const targets = this.#program.workspace.targets();
    const variables = Object.fromEntries(frame.values);
    this.#await(runScript(this.#program, { source, variables, targets }), (result) => {
      if (!result.ok)
        return this.#stop(result.problem.message, { step: frame.macro.steps[frame.at - 1], frame });
      for (const [name, value] of Object.entries(result.value.variables)) frame.values.set(name, value);
      this.#goOn();
    });
    return 'waits';
  }

  /** Keys that are pressed meanwhile wait; Escape ends the macro. */
  #await<T>(promise: Promise<T>, then: (value: T) => void): void {
    const { inputQueue } = this.#program;
    inputQueue.open(
      `The macro ${quoted(this.#first.name)}`,
      () => promise,
      (value) => {
        then(value);
        return done;
      },
      { stopped: () => void this.#leave({ type: 'left' }), verb: 'Running' },
    );
  }

  #caughtUp(): Promise<void> {
    const program = this.#program;
    return new Promise((resolve) => {
      const look = () => (program.batchesLeft > 0 ? program.later(look) : resolve());
      program.later(look);
    });
  }

  get #isAsking(): boolean {
    const dialog = this.#program.dialog.get();
    return (dialog !== null && dialog !== this.#dialog) || this.#program.palette.isOpen;
  }

  #uses(step: Step, name: BuiltIn): boolean {
    return textsOf(step).some((text) => namesIn(text).includes(name));
  }

  /** The variables of the macro, and those that every macro has, where the step uses them. */
  #valuesFor(step: Step, { values }: Frame): Values {
    const { program } = this.#macros;
    const all = new Map(values);
    const { place } = program.workspace;
    if (this.#uses(step, 'today')) all.set('today', todayOf(program.moment()).toString());
    if (this.#uses(step, 'list.name')) {
      const row = place.type === 'task' ? program.workspace.listOf(place.id) : undefined;
      all.set('list.name', row === undefined ? program.placeName : nameOf(row) || 'Inbox');
    }
    if (this.#uses(step, 'selection.title')) all.set('selection.title', this.#selected);
    if (this.#clipboard !== null) all.set('clipboard', this.#clipboard);
    return all;
  }

  #stop(reason: string, at?: { readonly step: Step | undefined; readonly frame: Frame }): void {
    const number = at === undefined ? '' : ` at step ${at.frame.at}`;
    const inner =
      at === undefined || at.frame.macro === this.#first ? '' : ` of ${quoted(at.frame.macro.name)}`;
    const changed = this.#leave({ type: 'stopped', at: `${number}${inner}`, reason });
    this.#program.say(`${quoted(this.#first.name)} stopped${number}${inner}: ${reason}`, {
      error: true,
      undo: changed,
    });
  }

  #end(): void {
    const asks = this.#isAsking;
    const changed = this.#leave({ type: 'ran', asks });
    // What nobody asked for by hand is not said in passing.
    const brief = this.#running.by === undefined;
    const on = this.#about > 1 ? ` on ${this.#about.toLocaleString('en-US')} tasks` : '';
    if (!asks) this.#program.say(`Ran ${this.#said(on)}.`, { undo: changed, brief });
  }

  /** What was run, and for whom. `on`: on what. */
  #said(on = ''): string {
    const { by } = this.#running;
    return `${quoted(this.#first.name)}${on}${by === undefined ? '' : ` ${by}`}`;
  }

  /** Goes on with very many changes only if the person says so; else takes back what was done. */
  #ask(): void {
    const program = this.#program;
    const question = new GoingOn(program, this.#first.name, this.#changed.size, (isYes) => {
      this.#mayBeMany = true;
      if (isYes) return this.#goOn();
      this.#leave({ type: 'left' });
      const isOther = ({ id }: { readonly id: Id }) => !this.#groups.has(id);
      const spread = { later: (work: () => void) => program.later(work), kept: () => undefined };
      while (!program.undo.done.every(isOther)) program.undo.undo(spread, isOther);
      program.say(`Took back what ${quoted(this.#first.name)} had changed.`);
    });
    program.dialog.open(question);
  }

  /** Returns whether anything was changed. */
  #leave(end: End): boolean {
    const { undo } = this.#program;
    this.#macros.isRunning = false;
    this.#uncount();
    this.#running.ended?.(end);
    const { done: groups } = undo;
    const since = groups.findIndex(({ id }) => id === this.#before);
    const mine = since < 0 ? groups : groups.slice(0, since);
    // What was done by hand while it waited stays an undo of its own.
    if (mine.every(({ id }) => this.#groups.has(id))) undo.join(this.#before, `ran ${this.#said()}`);
    return this.#groups.size > 0;
  }
}

/** Starts a macro. `given`: values of variables in place of its own. */
export function runMacro(macros: Macros, macro: Macro, given: Values, running: Running = {}): CommandResult {
  if (macros.isRunning) return refused('A macro is running already.');
  if (macro.steps.length === 0) return refused(`${quoted(macro.name)} has no steps yet.`);
  new Run(macros, macro, given, running).begin();
  return done;
}
