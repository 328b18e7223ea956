// Loads what reads the Markdown of notes, for lists that have some. Until it is there, and where it cannot be had, notes are shown as they
// were typed.
import type { ShownTask } from '#wire/public-links.ts';
import type { RowLook } from '#wire/shown-row.ts';

/** A slow network does not hold up the list for longer. */
const PATIENCE_MS = 3_000;

/** Reads notes, once it is there. */
export class NoteReader {
  read: RowLook['note'] = null;
  #isAsked = false;
  #isWaitedFor = true;
  readonly #changed: () => void;

  /** `changed`: the rows are to be drawn, or drawn anew. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Whether the rows can be drawn: the first time it is better to wait, since the server has drawn the notes well already. */
  isReady(tasks: Iterable<ShownTask>): boolean {
    if (this.read !== null) return true;
    if (!this.#isAsked) {
      const hasNotes = [...tasks].some(({ notes }) => notes !== undefined);
      if (!hasNotes) {
        this.#isWaitedFor = false;
        return true;
      }
      this.#ask();
    }
    return !this.#isWaitedFor;
  }

  #ask(): void {
    this.#isAsked = true;
    const settled = () => {
      if (!this.#isWaitedFor && this.read === null) return;
      this.#isWaitedFor = false;
      this.#changed();
    };
    const timer = setTimeout(settled, PATIENCE_MS);
    import('#core/markdown/drawn-note.ts')
      .then(
        ({ drawnNote }) => {
          this.read = drawnNote;
        },
        () => undefined,
      )
      .finally(() => {
        clearTimeout(timer);
        settled();
      });
  }
}
