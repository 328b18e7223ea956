// Lazy part of teaching: the lesson and the coach's hints, loaded when the app is idle. Only this file is in the first
// load. It tracks how each command was invoked.
import { inboxId } from '#core/ids.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import type { CommandResult } from '../commands/command.ts';
import type { Keymap } from '../keys/keymap.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { createSignal } from '../app/signal.ts';
import { builtInOf } from '../search/built-in.ts';
import type { LessonView } from './lesson-view.ts';
import type { Coach } from './coach.ts';
import type { Lesson } from './lesson.ts';

/** How a command was invoked. `chord`: by several keys in sequence; `palette`: by its name. */
export type Cause = 'key' | 'chord' | 'palette' | 'pointer';

/** Every binding of a command, the usual one first. */
export type KeysOf = (command: string) => readonly (readonly string[])[];

/** The lesson and the coach. Loaded when idle or first needed. */
export const lazyTeaching = lazyPart('The lesson', async () => {
  const [{ Lesson: LessonPart }, { Coach: CoachPart }] = await Promise.all([
    import('./lesson.ts'),
    import('./coach.ts'),
  ]);
  return { Lesson: LessonPart, Coach: CoachPart };
});

/** Preference with the progress of the lesson on this device. */
export const LESSON = 'lesson';
const BEGUN = '{"learnt":[]}';
/** Commands by which the first task is written. */
const BEGINNINGS: ReadonlySet<string> = new Set(['task.createBelow', 'task.createAbove', 'task.quickEntry']);
/** More rows than a new person has. */
const FEW_ROWS = 40;

function isSame(a: LessonView | null, b: LessonView | null): boolean {
  if (a === null || b === null) return a === b;
  return a.at === b.at && a.title === b.title && a.isOver === b.isOver;
}

interface Parts {
  readonly lesson: Lesson;
  readonly coach: Coach;
}

class Teaching implements PartHooks {
  readonly view = createSignal<LessonView | null>(null, isSame);
  readonly #program: Program;
  readonly #keymap: Keymap;
  #parts: Parts | null = null;
  /** How the next command was invoked. */
  #next: Cause | null = null;
  #depth = 0;
  /** A command that waits for an answer, with how it was invoked. */
  #asked: { readonly command: string; readonly cause: Cause | null } | null = null;
  #isPutOff = false;
  /** The first task was begun in this page. */
  #isBegun = false;

  constructor(program: Program) {
    this.#program = program;
    this.#keymap = program.keymap;
  }

  /** The account is empty, and no lesson was begun. */
  get isOffered(): boolean {
    const { replica, platform } = this.#program;
    const { scope } = replica;
    if (platform.preferences.get(LESSON) !== null || replica.size > FEW_ROWS) return false;
    for (const { type, id } of replica.all()) {
      const isOwnList = type === 'list' && id !== inboxId(scope) && builtInOf(scope, id) === null;
      if (type === 'task' || isOwnList) return false;
    }
    return true;
  }

  /** Loads the lesson and the coach, and resumes a lesson in progress. */
  idle(): void {
    if (this.#parts) return;
    // Opening the lesson tries again, and reports the failure.
    Promise.all([lazyTeaching.load(), this.#program.engine.loaded()]).then(
      () => this.#program.act(() => void this.#begin()),
      () => undefined,
    );
  }

  #begin(): Parts {
    const { now } = lazyTeaching;
    if (now === null) throw new Error('Couldn’t load the lesson.');
    const keysOf = (command: string) => this.#keymap.keysOf(command);
    if (this.#parts) return this.#parts;
    this.#parts = {
      lesson: new now.Lesson(this.#program, keysOf),
      // Hints are about keys of the outline.
      coach: new now.Coach(this.#program, (command) => this.#keymap.keysIn(['navigate', 'global'], command)),
    };
    if (this.#isBegun) this.#parts.lesson.begin();
    return this.#parts;
  }

  /** Runs `work`, marking its first command as invoked this way. */
  by<T>(cause: Cause, work: () => T): T {
    this.#next = cause;
    try {
      return work();
    } finally {
      this.#next = null;
    }
  }

  /** The command waits for an answer or for loading, so it has not run yet. */
  putOff(): void {
    this.#isPutOff = true;
  }

  /** Watches a running command. */
  watch(command: string, work: () => CommandResult): CommandResult {
    const cause = this.#next ?? (this.#depth === 0 ? 'pointer' : null);
    // The first task of a new person begins the lesson.
    if (BEGINNINGS.has(command) && this.isOffered) {
      this.#program.platform.preferences.set(LESSON, BEGUN);
      this.#isBegun = true;
      this.#parts?.lesson.begin();
    }
    this.#next = null;
    this.#isPutOff = false;
    this.#depth += 1;
    try {
      const result = work();
      if (this.#isPutOff) this.#asked = { command, cause };
      else if (result.type === 'done') this.#ran(command, cause);
      this.#isPutOff = false;
      return result;
    } finally {
      this.#depth -= 1;
    }
  }

  #ran(command: string, cause: Cause | null): void {
    const asked = this.#asked?.command === command ? this.#asked.cause : cause;
    if (this.#asked?.command === command) this.#asked = null;
    this.#parts?.lesson.ran(command, asked);
    if (asked !== null) this.#parts?.coach.ran(command, asked);
  }

  /** A task was pressed. */
  pressed(): void {
    this.#parts?.lesson.ran('cursor.down', null);
  }

  apply(changes: readonly RowChange[]): void {
    this.#parts?.lesson.apply(changes);
  }

  draw(): void {
    if (this.#parts) this.view.set(this.#parts.lesson.settle());
  }

  /** Runs `work` with the lesson, now or as soon as it is loaded. */
  run(work: (lesson: Lesson) => CommandResult): CommandResult {
    return this.#program.inputQueue.enter(lazyTeaching, () => work(this.#begin().lesson));
  }
}

/** The lesson and the hints about keys. Idle until their lazy part is loaded. */
export const teaching = definePart({ name: 'Lesson and hints', create: (program) => new Teaching(program) });
