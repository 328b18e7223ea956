// The first run: which keys, tried on the spot; how it looks; what is brought along. Every answer counts at once, and each
// step can be passed. A lazy chunk. How it is drawn is web/dialogs/first-run.tsx.
import { choicesOf, choose, effective } from '../keys/choices.ts';
import { lostInTab } from '../keys/lost.ts';
import { presetOf, presets } from '../keys/presets.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import { density, theme } from '../settings/appearance.ts';
import { changeSetting } from '../settings/changing.ts';
import { FIRST_RUN, lessonTitle } from './first-run-door.ts';
import type { FirstRunView } from './first-run-view.ts';
import { Trial } from './trial.ts';

const STEPS = ['keys', 'look', 'tasks'] as const;
type Step = (typeof STEPS)[number];
const LOOKS = [theme, density];
/** What follows the last step. */
const ENDS: Readonly<Record<string, string>> = { learn: 'lesson.start', import: 'file.import' };

export class FirstRun implements OpenDialog {
  readonly #program: Program;
  /** Where a finger points there may be no keys to choose. */
  readonly #steps: readonly Step[];
  #step: Step;
  #trial: Trial;

  constructor(program: Program) {
    this.#program = program;
    this.#steps = program.platform.touch ? STEPS.filter((step) => step !== 'keys') : STEPS;
    this.#step = this.#steps[0] ?? 'look';
    this.#trial = this.#newTrial();
  }

  readonly isTyping = false;

  submit(values: Readonly<Record<string, string>>): void {
    const { action = '', key = '', text = '' } = values;
    if (action === 'preset') this.#takePreset(text);
    else if (action === 'look') this.#takeLook(key, text);
    else if (action === 'try') this.#try(true);
    else if (action === 'untry') this.#try(false);
    else if (action === 'next') this.#go(1);
    else if (action === 'back') this.#go(-1);
    else if (action === 'install') this.#program.run('application.install');
    else if (action in ENDS || action === 'done') {
      this.#end(ENDS[action]);
      return;
    }
    this.refresh();
  }

  leave(): void {
    this.#program.capture = null;
    this.#program.platform.preferences.set(FIRST_RUN, 'done');
  }

  refresh(): void {
    this.#program.dialog.set({
      type: 'firstRun',
      at: this.#steps.indexOf(this.#step) + 1,
      total: this.#steps.length,
      view: this.#view(),
    });
  }

  #view(): FirstRunView {
    const { settings } = this.#program;
    if (this.#step === 'tasks') return { step: 'tasks', learn: lessonTitle(this.#program.platform) };
    if (this.#step === 'look')
      return {
        step: 'look',
        settings: LOOKS.map((setting) => ({
          key: setting.key,
          title: setting.title,
          value: String(settings.get(setting)),
          choices: setting.choices.map(({ value, title }) => ({ value: String(value), title })),
        })),
      };
    return {
      step: 'keys',
      presets: presets.map(({ id, title, about }) => ({ value: id, title, about })),
      preset: choicesOf(this.#program).preset.id,
      trial: this.#trial.view,
      lost: lostInTab(this.#program),
    };
  }

  #newTrial(): Trial {
    const choices = choicesOf(this.#program);
    const { apple, install } = this.#program.platform;
    return new Trial({
      all: effective(choices, apple),
      own: choices.preset.bindings,
      apple,
      isInTab: install.way() !== 'installed',
    });
  }

  #takePreset(id: string): void {
    const preset = presetOf(id);
    choose(this.#program, { preset }, `chose the ${preset.title} keys`);
    this.#trial = this.#newTrial();
  }

  #takeLook(key: string, text: string): void {
    const setting = LOOKS.find((one) => one.key === key);
    const value = setting?.read(text) ?? null;
    if (setting && value !== null) changeSetting(this.#program, setting, value);
  }

  /** Keys are for the rows that they are tried on, except those that lead away from them. */
  #try(isTrying: boolean): void {
    this.#trial.isTrying = isTrying;
    this.#program.capture = !isTrying
      ? null
      : (stroke) => {
          if (stroke === 'Tab' || stroke === 'Shift+Tab' || stroke === 'Escape') return false;
          if (stroke === 'Enter') this.#go(1);
          else if (!this.#trial.press(stroke)) return false;
          this.refresh();
          return true;
        };
  }

  #go(by: 1 | -1): void {
    this.#try(false);
    this.#step = this.#steps[this.#steps.indexOf(this.#step) + by] ?? this.#step;
  }

  #end(command: string | undefined): void {
    this.#program.run('dialog.close');
    if (command !== undefined) this.#program.run(command);
  }
}
