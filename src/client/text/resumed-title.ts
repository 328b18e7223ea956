// Resumes a title that was left for a dialog once the dialog is closed: further typing belongs to it, and runs no
// commands.
import type { Id } from '#core/ids.ts';
import type { TitleDraft } from './editor.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import { modeOf } from '../app/mode.ts';
import type { Program } from '../app/program.ts';

interface Left {
  readonly id: Id;
  readonly caret: number;
}

class Resuming implements PartHooks {
  readonly #program: Program;
  /** Just left; whether for a dialog is known only when one opens. */
  #left: Left | null = null;
  /** A dialog covers it. */
  #waiting: Left | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  leftText({ id, field, text, caret }: Readonly<TitleDraft>): void {
    if (field === 'title' && text !== '') this.#left = { id, caret };
  }

  /** After every gesture. */
  settle(): void {
    const { dialog, inputQueue, editor } = this.#program;
    if (dialog.get() !== null) {
      this.#waiting ??= this.#left;
      this.#left = null;
    } else if (!inputQueue.isWaiting) {
      const back = this.#waiting;
      this.#waiting = null;
      this.#left = null;
      if (back !== null && this.#isHere(back.id)) editor.begin(back.id, back.caret);
    }
  }

  /** Nothing else was done meanwhile. */
  #isHere(id: Id): boolean {
    const { workspace } = this.#program;
    const { cursor, outline, selection } = workspace;
    const isFree = modeOf(this.#program).type === 'outline' && !workspace.isTrash;
    return isFree && cursor === id && outline.has(id) && selection.size === 0;
  }
}

/** Resumes editing a title after a dialog. */
export const resumedTitle = definePart({ name: 'Resumed title', create: (program) => new Resuming(program) });
