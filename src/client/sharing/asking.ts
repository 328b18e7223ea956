// What a dialog about a list asks of the server: one request at a time, what is under way, and what is said of it.
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { sharing } from './part.ts';
import type { SharingAnswer, SharingFailure, SharingPort } from './port.ts';

/** While tasks are on their way, the server is asked again after so long. */
const LOOK_MS = 400;

interface Outcome<T> {
  arrived(value: T): void;
  failed(failure: SharingFailure): void;
}

type Ask<T> = (port: SharingPort) => Promise<SharingAnswer<T>>;

/** The requests of one dialog. It draws itself again after each. */
export class Asking {
  /** "Sharing…"; null: nothing is under way. */
  busy: string | null = null;
  /** Why nothing is known; null: nothing is wrong. */
  failure: SharingFailure | null = null;
  said: { readonly text: string; readonly isError: boolean } | null = null;
  /** The server is only asked how it stands. */
  #isReading = false;
  /** What was pressed meanwhile. */
  #next: (() => void) | null = null;
  readonly #program: Program;
  readonly #dialog: OpenDialog;

  constructor(program: Program, dialog: OpenDialog) {
    this.#program = program;
    this.#dialog = dialog;
  }

  say(text: string, isError = false): void {
    this.said = { text, isError };
  }

  /** Asks how it stands. What is pressed meanwhile is done after the answer. */
  read<T>(ask: Ask<T>, outcome: Outcome<T>): void {
    this.request('Asking the server…', ask, outcome);
    this.#isReading = true;
  }

  request<T>(busy: string, ask: Ask<T>, outcome: Outcome<T>): void {
    this.busy = busy;
    this.failure = null;
    this.#isReading = false;
    this.#ask(ask, (answer) => {
      this.busy = null;
      const next = this.#next;
      this.#next = null;
      if (answer.ok) {
        outcome.arrived(answer.value);
        if (this.#program.dialog.isOf(this.#dialog)) next?.();
      } else outcome.failed(answer.problem);
    });
  }

  /** True where what was pressed can't be done now: after the answer if the server is only read, otherwise never. */
  defers(pressed: () => void): boolean {
    if (this.busy === null) return false;
    if (this.#isReading) this.#next = pressed;
    return true;
  }

  /** Forgets what was pressed while the server was asked. */
  forget(): void {
    this.#next = null;
  }

  /** Asks in a moment, and until there is an answer: the server goes on by itself with what was begun. */
  lookLater<T>(ask: Ask<T>, outcome: Outcome<T>): void {
    this.#program.after(LOOK_MS, () => {
      if (!this.#program.dialog.isOf(this.#dialog)) return;
      this.#ask(ask, (answer) => {
        if (answer.ok) outcome.arrived(answer.value);
        else if (answer.problem.type === 'offline') this.lookLater(ask, outcome);
        else outcome.failed(answer.problem);
      });
    });
  }

  #ask<T>(ask: Ask<T>, heard: (answer: SharingAnswer<T>) => void): void {
    const program = this.#program;
    void program
      .part(sharing)
      .withPort(ask)
      .then((answer) =>
        program.act(() => {
          heard(answer);
          this.#dialog.refresh();
        }),
      );
  }
}
