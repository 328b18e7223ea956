// The label picker: choosing among the labels for what was typed, and putting one on or taking it off. A lazy chunk.
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import type { LabelChoiceView } from './label-view.ts';
import { labelled, toggleLabel } from './applying.ts';
import { labelChoices } from './choices.ts';
import { same } from './creating.ts';
import { namesTyped, putNamed, sayOthers } from './several.ts';

const PAGE_STEP = 8;

export class LabelPicker implements OpenDialog {
  readonly #program: Program;
  #query = '';
  #active = 0;
  #answer = '';
  #choices: readonly LabelChoiceView[] = [];
  /** Names before the last comma: put on with the one that is chosen. */
  #others: readonly string[] = [];

  constructor(program: Program) {
    this.#program = program;
  }

  submit(values: Readonly<Record<string, string>>): void {
    const { action = '', text = '', index = '' } = values;
    const last = Math.max(0, this.#choices.length - 1);
    const step = { down: 1, up: -1, pageDown: PAGE_STEP, pageUp: -PAGE_STEP }[action];
    if (action === 'filter') {
      this.#query = text;
      this.#active = 0;
    } else if (step !== undefined) {
      this.#active = Math.max(0, Math.min(last, this.#active + step));
    } else if (action === 'complete') {
      const choice = this.#choices[this.#active];
      if (choice && choice.id !== null) this.#query = [...this.#others, choice.name].join(', ');
    } else if (action === 'pick' || action === 'pickMore') {
      if (index !== '') this.#active = Number(index);
      this.#pick(action === 'pickMore');
      return;
    }
    this.refresh();
  }

  refresh(): void {
    const tasks = labelled(this.#program);
    const { before, last } = namesTyped(this.#program, this.#query);
    this.#others = before;
    this.#choices = labelChoices(this.#program, tasks, last).map((choice) => {
      const others = sayOthers(this.#program, before, choice.name);
      return { ...choice, note: [choice.note, others].filter((part) => part !== '').join(', ') };
    });
    this.#active = Math.max(0, Math.min(this.#choices.length - 1, this.#active));
    const name = this.#program.describe(tasks.map(({ id }) => id));
    this.#program.dialog.set({
      type: 'labels',
      picker: {
        title: `Labels of ${name}`,
        about: this.#program.workspace.cursor,
        query: this.#query,
        choices: this.#choices,
        active: this.#active,
        answer: this.#answer,
      },
    });
  }

  get isTyping(): boolean {
    return this.#query !== '';
  }

  leave(): void {
    // Nothing is kept back: each choice is made at once.
  }

  #pick(staysOpen: boolean): void {
    const choice = this.#choices[this.#active];
    if (!choice) return;
    const isNamed = choice.id === null || this.#others.length > 0;
    const result = isNamed
      ? putNamed(this.#program, [...this.#others.filter((name) => !same(name, choice.name)), choice.name])
      : toggleLabel(this.#program, choice.id);
    const said =
      result.type === 'done' ? (result.announce ?? '') : result.type === 'refused' ? result.reason : '';
    if (staysOpen) {
      this.#answer = said;
      if (isNamed) this.#query = '';
      this.refresh();
      return;
    }
    this.#program.run('dialog.close');
    this.#program.say(said, { undo: result.type === 'done', error: result.type === 'refused', brief: true });
  }
}
