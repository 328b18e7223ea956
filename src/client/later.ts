// The door to all that the first keys do not need: every other command, the palette, pasted text, the list of keys. It is
// loaded when the app is idle; what is pressed before it has come is held and done then, in order.
import { languagePart } from './language.ts';
import { type Lazy, lazy } from './lazy.ts';
import { pickers } from './pickers/door.ts';
import type { Program } from './program.ts';

export const laterPart = lazy(async () => {
  const parts = await Promise.all([
    import('./commands/registry.ts'),
    import('./palette/palette.ts'),
    import('./commands/transfer.ts'),
    import('./keys/key-sheet.ts'),
    import('./finding.ts'),
    import('#sync/query/task-index.ts'),
    import('./alarm.ts'),
    import('./keys/choices.ts'),
    import('./vim/vim.ts'),
    import('./files/door.ts'),
    import('./notes-editor.ts'),
    import('./title-paste.ts'),
    import('./dragging.ts'),
    // What a key of these commands asks for must be answered at once: the next key may follow within a hundredth of a second.
    pickers.load(),
    languagePart.load(),
  ]);
  const [{ commands }, { Palette }, { pasteTasks }, { keySheet }, { Finding }, { TaskIndex }] = parts;
  const [, , , , , , { alarmOf }, { followChoices }, { Vim }, { giveFiles }, { NotesEditor }] = parts;
  const [, , , , , , , , , , , { pasteInTitle }, { Dragging }] = parts;
  return {
    commands,
    Palette,
    pasteTasks,
    keySheet,
    Finding,
    TaskIndex,
    alarmOf,
    followChoices,
    Vim,
    giveFiles,
    NotesEditor,
    pasteInTitle,
    Dragging,
  };
});

export type Later = Awaited<ReturnType<typeof laterPart.load>>;

const FAILED = 'That part of the app could not be loaded. Check the connection and try again.';

/** What waits for it. */
export class Held {
  readonly #program: Program;
  readonly #later: Lazy<Later>;
  #waiting: (() => void)[] | null = null;
  #arrived: ((part: Later) => void) | null;

  /** `arrived` is told once, as soon as everything is here. */
  constructor(program: Program, later: Lazy<Later>, arrived: (part: Later) => void) {
    this.#later = later;
    this.#program = program;
    this.#arrived = arrived;
  }

  /** Whether everything is here. */
  check(): void {
    const { now } = this.#later;
    if (now === null) return;
    this.#arrived?.(now);
    this.#arrived = null;
  }

  /** Something waits: what comes now must wait behind it. */
  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  /** Rejects when something cannot be loaded. */
  async bring(): Promise<void> {
    // The commands last: once they are here, nothing is held.
    await this.#program.platform.loadViews();
    await this.#later.load();
    this.#program.act(() => this.check());
  }

  /** What is pressed from now on waits for this, which opens something: it may be meant for that. */
  until<T>(opening: Promise<T>): Promise<T> {
    if (this.#waiting) return opening;
    const waiting: (() => void)[] = (this.#waiting = []);
    void Promise.allSettled([opening, this.bring()]).then(() => this.#goOn(waiting));
    return opening;
  }

  #goOn(waiting: readonly (() => void)[]): void {
    this.#waiting = null;
    for (const held of waiting) this.#program.act(held);
  }

  /** Does it once everything is here, after what waits already. Where that cannot be, says so and does none of it. */
  hold(work: () => void): void {
    if (this.#waiting) {
      this.#waiting.push(work);
      return;
    }
    const waiting = (this.#waiting = [work]);
    const program = this.#program;
    this.bring().then(
      () => this.#goOn(waiting),
      () => {
        this.#waiting = null;
        program.act(() => program.say(FAILED, { error: true }));
      },
    );
  }
}
