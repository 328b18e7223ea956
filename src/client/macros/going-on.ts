// The question of a macro that has changed very much: whether it goes on. Escape, and whatever else closes the question, says no.
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { quoted } from '../text/editor.ts';

export class GoingOn implements OpenDialog {
  readonly type = 'confirm';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #text: string;
  readonly #answered: (isYes: boolean) => void;
  #isYes = false;

  /** `answered` is told once, when the question is gone. */
  constructor(program: Program, name: string, count: number, answered: (isYes: boolean) => void) {
    this.#program = program;
    this.#text = `${quoted(name)} has changed ${count.toLocaleString('en-US')} items so far. Go on? If not, all of that is taken back.`;
    this.#answered = answered;
  }

  submit(): void {
    this.#isYes = true;
    this.#program.dialog.close();
  }

  leave(): void {
    const isYes = this.#isYes;
    this.#program.later(() => this.#answered(isYes));
  }

  refresh(): void {
    this.#program.dialog.show({
      type: 'confirm',
      text: this.#text,
      action: 'Go on',
      command: 'dialog.confirm',
    });
  }
}
