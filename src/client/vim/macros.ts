// Macros: keys recorded with q and replayed with @ through the one keymap; typed text is recorded as its result. They
// last as long as the tab. Each replay is one undo, stops at the first failing command, and is limited in keys.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import type { Stroke } from '../keys/stroke.ts';
import { modeOf } from '../app/mode.ts';
import type { Program } from '../app/program.ts';
import { writeAgain, writtenIn, type Written } from './writing.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { taskEntry } from '../entry/part.ts';
import { findingOf } from '../search/searching.ts';

type Step =
  | { readonly type: 'key'; readonly stroke: Stroke }
  | { readonly type: 'title'; readonly written: Written }
  | { readonly type: 'palette' | 'search'; readonly text: string }
  /** A title was left without a key. */
  | { readonly type: 'leave' };

/** The last known state of a field. */
type Field =
  | { readonly type: 'title'; readonly id: Id; readonly text: string; readonly isWhole: boolean }
  | { readonly type: 'palette' | 'search'; readonly text: string }
  | { readonly type: 'other' }
  | null;

interface Recording {
  readonly name: string;
  readonly steps: Step[];
}

interface Running {
  readonly steps: readonly Step[];
  at: number;
  left: number;
}

export interface MacroPorts {
  readonly program: Program;
  /** Presses one key and returns its result; refused if it has no effect. */
  readonly press: (stroke: Stroke) => CommandResult;
}

/** Maximum keys of one replay, including nested ones. */
const MOST_KEYS = 3_000;
/** Maximum keys recorded. */
const MOST_STEPS = 1_000;

export class Macros {
  readonly #ports: MacroPorts;
  readonly #recorded = new Map<string, readonly Step[]>();
  #recording: Recording | null = null;
  #field: Field = null;
  #last: string | null = null;
  /** Running replays, innermost last. */
  #running: Running[] = [];
  #isReplaying = false;
  #keysLeft = 0;

  constructor(ports: MacroPorts) {
    this.#ports = ports;
  }

  /** The letter being recorded; null: none. */
  get recording(): string | null {
    return this.#recording?.name ?? null;
  }

  get isReplaying(): boolean {
    return this.#isReplaying;
  }

  /** Null: ends the recording. A capital letter appends. */
  record(name: string | null): CommandResult {
    if (this.isReplaying) return refused('A replay can’t record.');
    const ended = this.#recording;
    if (name !== null) {
      const letter = name.toLowerCase();
      const steps = name === letter ? [] : [...(this.#recorded.get(letter) ?? [])];
      this.#recording = { name: letter, steps };
      return announced(`Recording keys into ${letter}. q ends it.`);
    }
    this.#recording = null;
    if (ended === null) return done;
    this.#recorded.set(ended.name, ended.steps);
    const keys = ended.steps.length === 1 ? '1 step' : `${ended.steps.length} steps`;
    return announced(`Recorded ${keys} into ${ended.name}. @${ended.name} replays them.`);
  }

  /** A key is about to be pressed: records text typed since the last one first. */
  before(): void {
    const recording = this.#recording;
    const was = this.#field;
    if (recording === null || was === null || was.type === 'other') return;
    const is = this.#seen();
    if (was.type === 'title') this.#typedTitle(recording, was, is);
    else if (is?.type === was.type && is.text !== was.text) this.#add({ type: was.type, text: is.text });
  }

  /** A key was pressed, and the app took it. */
  after(stroke: Stroke, isTaken: boolean): void {
    if (this.#recording === null) return;
    if (isTaken) this.#add({ type: 'key', stroke });
    this.#field = this.#seen();
    if (this.#field?.type === 'other')
      this.#abandon('Typing here can’t be replayed, so nothing was recorded.');
  }

  /** Notes the field into which the next text goes. */
  begin(): void {
    this.#field = this.#seen();
  }

  #add(step: Step): void {
    const recording = this.#recording;
    if (recording === null) return;
    recording.steps.push(step);
    if (recording.steps.length >= MOST_STEPS) this.#abandon('That’s too much to record.');
  }

  #abandon(why: string): void {
    this.#recording = null;
    this.#ports.program.say(why, { error: true });
  }

  #seen(): Field {
    const { program } = this.#ports;
    const mode = modeOf(program);
    switch (mode.type) {
      case 'palette':
        return { type: 'palette', text: program.palette.view.get()?.query ?? '' };
      case 'title': {
        const { id, text, wanted } = mode.draft;
        return { type: 'title', id, text, isWhole: wanted === 'all' };
      }
      case 'search':
        return { type: 'search', text: program.query ?? '' };
      case 'outline':
      case 'sidebar':
        return null;
      default:
        return { type: 'other' };
    }
  }

  #typedTitle(recording: Recording, was: Field & { readonly type: 'title' }, is: Field): void {
    const isSame = is?.type === 'title' && is.id === was.id;
    const row = this.#ports.program.replica.row(was.id);
    const text = isSame ? is.text : (fieldOf(row, 'title') ?? was.text);
    if (text !== was.text) {
      const written = writtenIn(was.text, text, was.isWhole);
      if (written === null) {
        this.#abandon('A change in the middle of a title can’t be replayed, so nothing was recorded.');
        return;
      }
      recording.steps.push({ type: 'title', written });
    }
    if (!isSame) recording.steps.push({ type: 'leave' });
  }

  /** Null: the last replayed one. */
  replay(wanted: string | null, count: number): CommandResult {
    const name = wanted ?? this.#last;
    if (name === null) return refused('Nothing to replay yet. Press @ and a letter first.', 'info');
    const steps = this.#recorded.get(name);
    if (this.#recording?.name === name) return refused(`${name} is still being recorded. q ends it.`);
    if (steps === undefined)
      return refused(`Nothing is recorded in ${name}. Press q ${name} to start.`, 'info');
    this.#last = name;
    this.#running.push({ steps, at: 0, left: count });
    if (this.#isReplaying) return done;
    this.#keysLeft = MOST_KEYS;
    return this.#run(name, this.#ports.program.undo.newest?.id ?? null);
  }

  #run(name: string, since: Id | null): CommandResult {
    this.#isReplaying = true;
    try {
      return this.#runOn(name, since);
    } finally {
      this.#isReplaying = false;
    }
  }

  #runOn(name: string, since: Id | null): CommandResult {
    const { program } = this.#ports;
    let result: CommandResult = done;
    for (let next = this.#next(); next !== null; next = this.#next()) {
      if (program.inputQueue.isWaiting) {
        // The command needs a part that is loading: the replay continues once it is loaded.
        this.#goOnLater(next, () => this.#run(name, since));
        return done;
      }
      this.#keysLeft -= 1;
      result = this.#keysLeft < 0 ? refused(`Stopped after ${MOST_KEYS} keys.`) : this.#do(next);
      program.endGesture();
      // A new task left without a title is discarded together with its undo.
      if (program.editor.title?.fresh !== true) program.undo.join(since, `replayed ${name}`);
      if (result.type === 'refused') break;
    }
    this.#running = [];
    if (result.type === 'refused') return refused(`@${name} ended: ${result.reason}`, 'info');
    return announced(`Replayed ${name}.`);
  }

  #goOnLater(step: Step, goOn: () => CommandResult): void {
    const { program } = this.#ports;
    const running = [...this.#running, { steps: [step], at: 0, left: 1 }];
    this.#running = [];
    program.inputQueue.hold(() => {
      this.#running = running;
      const result = goOn();
      if (result.type === 'refused') program.say(result.reason, { brief: true });
    });
  }

  #next(): Step | null {
    for (;;) {
      const innermost = this.#running.at(-1);
      if (innermost === undefined) return null;
      const step = innermost.steps[innermost.at];
      innermost.at += 1;
      const isOver = innermost.at >= innermost.steps.length;
      if (isOver) {
        innermost.left -= 1;
        innermost.at = 0;
        if (innermost.left <= 0 || innermost.steps.length === 0) this.#running.pop();
      }
      if (step !== undefined) return step;
    }
  }

  #do(step: Step): CommandResult {
    const { program, press } = this.#ports;
    switch (step.type) {
      case 'key':
        return press(step.stroke);
      case 'leave':
        program.leaveText();
        return done;
      case 'title': {
        const { title } = program.editor;
        if (title?.field !== 'title') return refused('You’re not editing a title.');
        program.editor.replace(writeAgain(step.written, title.text));
        program.part(taskEntry).typed(false);
        return done;
      }
      case 'palette':
        if (!program.palette.isOpen) return refused('The palette isn’t open.');
        program.palette.input(step.text);
        return done;
      default:
        if (program.pane !== 'search') return refused('The search line isn’t open.');
        findingOf(program).find(step.text);
        return done;
    }
  }
}
