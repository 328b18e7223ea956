// Tries a script of a macro on what is selected, with the variables as they are written: what it wrote to the console, what it
// returned, or where it went wrong. Nothing is changed by it.
import type { Program } from '../../app/program.ts';
import type { MacroContent } from '../macro.ts';
import { runScript } from '../script/run.ts';
import type { Spot } from './draft.ts';
import type { ScriptCheckView } from './editor-view.ts';

const RUNNING: ScriptCheckView = { isRunning: true, log: [], problem: null, line: null, variables: [] };

export class ScriptCheck {
  readonly #program: Program;
  readonly #changed: () => void;
  #view: ScriptCheckView | null = null;
  #index = -1;
  #turn = 0;

  constructor(program: Program, changed: () => void) {
    this.#program = program;
    this.#changed = changed;
  }

  /** What is known of the script there. */
  viewOf({ kind, index }: Spot): ScriptCheckView | null {
    return kind === 'step' && index === this.#index ? this.#view : null;
  }

  run(
    { variables }: MacroContent,
    { index, source }: { readonly index: number; readonly source: string },
  ): void {
    const program = this.#program;
    this.#turn += 1;
    const turn = this.#turn;
    this.#index = index;
    this.#view = RUNNING;
    const given = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    const targets = [...program.workspace.targets()];
    void runScript(program, { source, variables: given, targets }).then((end) => {
      if (turn !== this.#turn) return;
      const { log } = end.ok ? end.value : end.problem;
      this.#view = {
        isRunning: false,
        log,
        problem: end.ok ? null : end.problem.message,
        line: end.ok ? null : end.problem.line,
        variables: end.ok
          ? Object.entries(end.value.variables).map(([name, value]) => ({ name, value }))
          : [],
      };
      program.act(this.#changed);
    });
  }

  /** What comes back from now on is not shown. */
  stop(): void {
    this.#turn += 1;
    this.#view = null;
  }
}
