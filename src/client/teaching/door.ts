// The door to what teaches keys: the lesson and the coach's hints, both brought when the app is idle. Only this is part of
// the first load. It knows how each command was asked for.
import { inboxId } from '#core/ids.ts';
import type { RowChange } from '#sync/replica-types.ts';
import type { CommandResult } from '../commands/command.ts';
import type { Keymap } from '../keys/keymap.ts';
import { door } from '../door.ts';
import type { Program } from '../program.ts';
import { createSignal } from '../signal.ts';
import type { LessonView } from './lesson-view.ts';
import type { Coach } from './coach.ts';
import type { Lesson } from './lesson.ts';

/** How a command was asked for. `chord`: by keys one after the other; `palette`: by its name. */
export type Cause = 'key' | 'chord' | 'palette' | 'pointer';

/** Every binding of a command, the usual one first. */
export type KeysOf = (command: string) => readonly (readonly string[])[];

export const teachingDoor = door('The lesson', async () => {
  const [{ Lesson: LessonPart, OVER }, { Coach: CoachPart }, { sweep }] = await Promise.all([
    import('./lesson.ts'),
    import('./coach.ts'),
    import('./sweep.ts'),
  ]);
  return { Lesson: LessonPart, Coach: CoachPart, OVER, sweep };
});

const LESSON = 'lesson';
/** More than somebody new has. */
const FEW_ROWS = 40;

function isSame(a: LessonView | null, b: LessonView | null): boolean {
  if (a === null || b === null) return a === b;
  return a.at === b.at && a.title === b.title && a.isElsewhere === b.isElsewhere && a.isOver === b.isOver;
}

interface Parts {
  readonly lesson: Lesson;
  readonly coach: Coach;
}

export class Teaching {
  readonly view = createSignal<LessonView | null>(null, isSame);
  readonly #program: Program;
  readonly #keymap: Keymap;
  #parts: Parts | null = null;
  /** How the command that runs next was asked for. */
  #next: Cause | null = null;
  #depth = 0;
  /** Commands that wait for an answer, with how they were asked for. */
  #asked: { readonly command: string; readonly cause: Cause | null } | null = null;
  #isPutOff = false;

  constructor(program: Program, keymap: Keymap) {
    this.#program = program;
    this.#keymap = keymap;
  }

  /** Nothing is here yet, and no lesson was taken or put aside. */
  get isOffered(): boolean {
    const { replica, platform } = this.#program;
    if (platform.preferences.get(LESSON) !== null || replica.size > FEW_ROWS) return false;
    for (const row of replica.all()) {
      if (row.type === 'task' || (row.type === 'list' && row.id !== inboxId(replica.scope))) return false;
    }
    return true;
  }

  /** Loads what teaches, once there is time, and goes on with a lesson that was begun. */
  wake(): void {
    if (this.#parts) return;
    // Whoever asks for a lesson tries again, and hears of it.
    Promise.all([teachingDoor.load(), this.#program.engine.loaded()]).then(
      ([{ sweep, OVER }]) =>
        this.#program.act(() => {
          this.#begin();
          sweep(this.#program, LESSON, OVER);
        }),
      () => undefined,
    );
  }

  #begin(): Parts {
    const { now } = teachingDoor;
    if (now === null) throw new Error('The lesson was not loaded.');
    const keysOf = (command: string) => this.#keymap.keysOf(command);
    return (this.#parts ??= {
      lesson: new now.Lesson(this.#program, keysOf),
      // It speaks of keys for the outline.
      coach: new now.Coach(this.#program, (command) => this.#keymap.keysIn(['navigate', 'global'], command)),
    });
  }

  /** The command that this runs first was asked for so. */
  by<T>(cause: Cause, work: () => T): T {
    this.#next = cause;
    try {
      return work();
    } finally {
      this.#next = null;
    }
  }

  /** It waits for an answer, or for being loaded: it has not been done. */
  putOff(): void {
    this.#isPutOff = true;
  }

  /** Watches a command being run. */
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

  settle(): void {
    if (this.#parts) this.view.set(this.#parts.lesson.settle());
  }

  /** Does it now, or as soon as it is loaded. */
  run(work: (lesson: Lesson) => CommandResult): CommandResult {
    return this.#program.held.enter(teachingDoor, () => work(this.#begin().lesson));
  }
}
