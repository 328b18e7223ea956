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
import type { LessonView } from './lesson-view.ts';
import type { Coach } from './coach.ts';
import type { Lesson } from './lesson.ts';

/** How a command was invoked. `chord`: by several keys in sequence; `palette`: by its name. */
export type Cause = 'key' | 'chord' | 'palette' | 'pointer';

/** Every binding of a command, the usual one first. */
export type KeysOf = (command: string) => readonly (readonly string[])[];

/** The lesson and the coach. Loaded when idle or first needed. */
export const lazyTeaching = lazyPart('The lesson', async () => {
  const [{ Lesson: LessonPart, OVER }, { Coach: CoachPart }, { sweep }] = await Promise.all([
    import('./lesson.ts'),
    import('./coach.ts'),
    import('./lesson-cleanup.ts'),
  ]);
  return { Lesson: LessonPart, Coach: CoachPart, OVER, sweep };
});

const LESSON = 'lesson';
/** More rows than a new person has. */
const FEW_ROWS = 40;

function isSame(a: LessonView | null, b: LessonView | null): boolean {
  if (a === null || b === null) return a === b;
  return a.at === b.at && a.title === b.title && a.isElsewhere === b.isElsewhere && a.isOver === b.isOver;
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

  constructor(program: Program) {
    this.#program = program;
    this.#keymap = program.keymap;
  }

  /** The account is empty, and no lesson was started or dismissed. */
  get isOffered(): boolean {
    const { replica, platform } = this.#program;
    if (platform.preferences.get(LESSON) !== null || replica.size > FEW_ROWS) return false;
    for (const row of replica.all()) {
      if (row.type === 'task' || (row.type === 'list' && row.id !== inboxId(replica.scope))) return false;
    }
    return true;
  }

  /** Loads the lesson and the coach, and resumes a lesson in progress. */
  idle(): void {
    if (this.#parts) return;
    // Opening the lesson tries again, and reports the failure.
    Promise.all([lazyTeaching.load(), this.#program.engine.loaded()]).then(
      ([{ sweep, OVER }]) =>
        this.#program.act(() => {
          this.#begin();
          sweep(this.#program, LESSON, OVER);
        }),
      () => undefined,
    );
  }

  #begin(): Parts {
    const { now } = lazyTeaching;
    if (now === null) throw new Error('Couldn’t load the lesson.');
    const keysOf = (command: string) => this.#keymap.keysOf(command);
    return (this.#parts ??= {
      lesson: new now.Lesson(this.#program, keysOf),
      // Hints are about keys of the outline.
      coach: new now.Coach(this.#program, (command) => this.#keymap.keysIn(['navigate', 'global'], command)),
    });
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
