// The first run: choosing keys with a trial, appearance, and importing. Every answer applies at once, and each step can
// be skipped. A lazy part. It is drawn by web/dialogs/first-run.tsx.
import { unreachable } from '#core/assert.ts';
import { choicesOf, choose, effective } from '../keys/choices.ts';
import { lostInTab } from '../keys/lost.ts';
import type { PresetId } from '../keys/editor-view.ts';
import { presetOf, presets } from '../keys/presets.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import { density, theme } from '../settings/appearance.ts';
import { changeSetting } from '../settings/changing.ts';
import { FIRST_RUN, lessonTitle } from './first-run-lazy.ts';
import type { FirstRunAction, FirstRunEnd, FirstRunView } from './first-run-view.ts';
import { Trial } from './trial.ts';

const STEPS = ['keys', 'look', 'tasks'] as const;
type Step = (typeof STEPS)[number];
const LOOKS = [theme, density];
/** Commands that follow the last step. */
const ENDS: Readonly<Record<FirstRunEnd, string | null>> = {
  learn: 'lesson.start',
  import: 'file.import',
  nothing: null,
};

export class FirstRun implements OpenDialog {
  readonly type = 'firstRun';
  readonly #program: Program;
  /** On touch devices there may be no keys to choose. */
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

  byKey(command: string): FirstRunAction | null {
    return command === 'options.choose' ? { action: 'try', isTrying: true } : null;
  }

  submit(action: FirstRunAction): void {
    switch (action.action) {
      case 'preset':
        this.#takePreset(action.preset);
        break;
      case 'look':
        this.#takeLook(action.key, action.value);
        break;
      case 'try':
        this.#try(action.isTrying);
        break;
      case 'next':
        this.#go(1);
        break;
      case 'back':
        this.#go(-1);
        break;
      case 'install':
        this.#program.run('application.install');
        break;
      case 'end':
        this.#end(ENDS[action.next]);
        return;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  leave(): void {
    this.#program.capture = null;
    this.#program.platform.preferences.set(FIRST_RUN, 'done');
  }

  refresh(): void {
    this.#program.dialog.show({
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
      all: effective(choices, apple, this.#program.parts.keys),
      own: choices.preset.bindings,
      apple,
      isInTab: install.way() !== 'installed',
    });
  }

  #takePreset(id: PresetId): void {
    const preset = presetOf(id);
    choose(this.#program, { preset }, `chose the ${preset.title} keys`);
    this.#trial = this.#newTrial();
  }

  #takeLook(key: string, chosen: string): void {
    const setting = LOOKS.find((one) => one.key === key);
    const value = setting?.read(chosen) ?? null;
    if (setting && value !== null) changeSetting(this.#program, setting, value);
  }

  /** Sends keys to the sample rows, except those that lead out. */
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

  #end(command: string | null): void {
    this.#program.run('dialog.close');
    if (command !== null) this.#program.run(command);
  }
}
