// Reads the Markdown of notes on the page of a public list. What reads it is larger than the page itself, so it is brought when notes
// need it; what the server has read stands there meanwhile.
import type { Drawn } from '#core/markdown/drawn.ts';

/** Draws a note. */
export type ReadNote = (text: string) => readonly Drawn[];

/** Brings what reads notes, once. */
export class NoteReader {
  /** Null: it is not there yet. */
  read: ReadNote | null = null;
  #isComing = false;
  readonly #came: () => void;

  /** `came`: it can read from now on. */
  constructor(came: () => void) {
    this.#came = came;
    addEventListener('online', () => {
      if (this.#isWanted) this.bring();
    });
  }

  #isWanted = false;

  /** From now on notes are to be read. Without a connection it is tried again when there is one. */
  bring(): void {
    this.#isWanted = true;
    if (this.#isComing || this.read !== null) return;
    this.#isComing = true;
    import('#core/markdown/drawn-note.ts').then(
      ({ drawnNote }) => {
        this.read = drawnNote;
        this.#came();
      },
      // Until then they are shown as they were typed.
      () => (this.#isComing = false),
    );
  }
}
