// The dialog that says what a macro would change: it asks for the variables, tries the macro, and lists what would become of what.
// Enter runs it then. A lazy part; web/dialogs/macros/trial.tsx draws it.
import type { Program } from '../../app/program.ts';
import { movedTo, moveOf } from '../../dialogs/list-cursor.ts';
import type { OpenDialog } from '../../dialogs/open-dialog.ts';
import type { Speaking } from '../../history/words.ts';
import { everySetting } from '../../settings/catalog.ts';
import { quoted } from '../../text/editor.ts';
import { nameOfPerson } from '../../together/people.ts';
import type { Macro } from '../macro.ts';
import { runMacro } from '../running.ts';
import type { MacroShelf } from '../shelf.ts';
import type { Values } from '../variables.ts';
import { detailsOf, lineOf, summaryOf } from './telling.ts';
import { dryRun, type Trial } from './trial.ts';
import type { MacroTrialAction, MacroTrialView, TrialLine } from './trial-view.ts';

const TENTHS = 10;
/** Things that are listed; of the others the number is said. */
const MOST_LISTED = 200;

export class MacroTrial implements OpenDialog {
  readonly type = 'macroTrial';
  readonly #program: Program;
  readonly #shelf: MacroShelf;
  readonly #macro: Macro;
  #step: MacroTrialView['step'] = 'asking';
  #given: Values = new Map();
  #trial: Trial | null = null;
  #problem: string | null = null;
  #lines: readonly TrialLine[] = [];
  #active = 0;
  /** How much of the tasks it has read. */
  #percent = 0;

  /** `macro`: one of the shelf, or one that is still being written. */
  constructor(shelf: MacroShelf, macro: Macro) {
    this.#program = shelf.program;
    this.#shelf = shelf;
    this.#macro = macro;
  }

  get isTyping(): boolean {
    return this.#step === 'asking';
  }

  /** Tries it at once if it asks for nothing. */
  open(): void {
    if (this.#asked.length === 0) void this.#try();
    else this.refresh();
  }

  leave(): void {
    this.#trial = null;
  }

  byKey(command: string): MacroTrialAction | null {
    if (this.#step !== 'shown') return null;
    const to = moveOf(command);
    if (to !== null) return { action: 'move', to };
    return command === 'options.choose' ? { action: 'run' } : null;
  }

  submit(action: MacroTrialAction): void {
    switch (action.action) {
      case 'try':
        this.#given = new Map(Object.entries(action.values));
        void this.#try();
        return;
      case 'move':
        this.#active = movedTo(this.#active, this.#lines.length, action.to);
        break;
      case 'choose':
        this.#active = action.index;
        break;
      case 'run':
        this.#run();
        return;
    }
    this.refresh();
  }

  get #asked(): Macro['variables'] {
    return this.#macro.variables.filter(({ isAsked }) => isAsked);
  }

  async #try(): Promise<void> {
    const program = this.#program;
    this.#step = 'trying';
    this.refresh();
    let trial: Trial | null = null;
    let problem = 'Your tasks are still loading. Try it again in a moment.';
    try {
      await this.#shelf.load();
      trial = await dryRun(this.#shelf, this.#macro, this.#given, {
        isLeft: () => !program.dialog.isOf(this),
        told: (share) => program.act(() => this.#prepared(share)),
      });
    } catch (error) {
      problem = `It couldn’t be tried: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (!program.dialog.isOf(this)) return;
    program.act(() => {
      this.#trial = trial;
      this.#problem = trial === null ? problem : null;
      const listed = trial?.rows.slice(0, MOST_LISTED) ?? [];
      const speaking = trial === null ? null : this.#speaking(trial);
      this.#lines = speaking === null ? [] : listed.map((row) => lineOf(row, speaking));
      this.#step = 'shown';
      this.refresh();
    });
  }

  /** Said in tenths: each would be drawn. */
  #prepared(share: number): void {
    const percent = Math.floor(share * TENTHS) * TENTHS;
    if (!this.#program.dialog.isOf(this) || percent === this.#percent) return;
    this.#percent = percent;
    this.refresh();
  }

  get #summary(): readonly string[] {
    if (this.#problem !== null) return [this.#problem];
    return this.#trial === null ? [] : summaryOf(this.#trial);
  }

  #speaking({ replica }: Trial): Speaking {
    const program = this.#program;
    const personOf = (account: number) => nameOfPerson(program, account);
    return { replica, dates: program.moment(), settings: everySetting(program), personOf };
  }

  /** What it changes is known: it does not ask because it is much. */
  #run(): void {
    const program = this.#program;
    if (this.#step !== 'shown' || this.#trial === null) return;
    program.dialog.close();
    const begun = runMacro(this.#shelf, this.#macro, this.#given, { isKnown: true });
    if (begun.type === 'refused') program.say(begun.reason, { error: true });
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (dialog.isOf(this)) dialog.show({ type: 'macroTrial', trial: this.#view() });
  }

  #view(): MacroTrialView {
    const trial = this.#trial;
    const active = trial?.rows[this.#active];
    return {
      name: quoted(this.#macro.name),
      step: this.#step,
      percent: this.#percent,
      questions: this.#step === 'asking' ? this.#asked : [],
      summary: this.#summary,
      lines: this.#lines,
      active: this.#active,
      details: trial === null || active === undefined ? [] : detailsOf(active, this.#speaking(trial)),
      more: (trial?.rows.length ?? 0) - this.#lines.length,
      canRun: trial !== null,
    };
  }
}
