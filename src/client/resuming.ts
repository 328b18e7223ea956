// A title that was left for a dialog is gone on with once that is closed: what is typed on belongs to it, and is no command.
import type { Id } from '#core/ids.ts';
import type { TitleDraft } from './editor.ts';
import type { Program } from './program.ts';

interface Left {
  readonly id: Id;
  readonly caret: number;
}

export class Resuming {
  readonly #program: Program;
  /** Left just now; whether for a dialog is not known before it opens. */
  #left: Left | null = null;
  /** A dialog lies over it. */
  #waiting: Left | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  left({ id, field, text, caret }: Readonly<TitleDraft>): void {
    if (field === 'title' && text !== '') this.#left = { id, caret };
  }

  /** After every gesture. */
  settle(): void {
    const { dialog, held, editor } = this.#program;
    if (dialog.get() !== null) {
      this.#waiting ??= this.#left;
      this.#left = null;
    } else if (!held.isWaiting) {
      const back = this.#waiting;
      this.#waiting = null;
      this.#left = null;
      if (back !== null && this.#isHere(back.id)) editor.begin(back.id, back.caret);
    }
  }

  /** Nothing else was done meanwhile. */
  #isHere(id: Id): boolean {
    const { workspace, pane, palette, editor } = this.#program;
    const { cursor, outline, selection } = workspace;
    const isFree = pane === 'outline' && !palette.isOpen && editor.title === null && !workspace.isTrash;
    return isFree && cursor === id && outline.has(id) && selection.size === 0;
  }
}
