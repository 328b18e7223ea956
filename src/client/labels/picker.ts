// The label picker: filters labels, and puts one on or takes it off. A lazy part.
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import type { Id } from '#core/ids.ts';
import type { LabelPickerAction, LabelChoiceView } from './label-view.ts';
import { labelled, toggleLabel } from './applying.ts';
import { labelChoices } from './choices.ts';
import { inSections } from './picker-sections.ts';
import { same } from './creating.ts';
import { namesTyped, putNamed, sayOthers } from './several.ts';
import { nameOf } from '../outline/row-facts.ts';
import { movedTo, moveOf } from '../dialogs/list-cursor.ts';

export class LabelPicker implements OpenDialog {
  readonly type = 'labels';
  readonly #program: Program;
  #query = '';
  #active = 0;
  #answer = '';
  #choices: readonly LabelChoiceView[] = [];
  /** Names before the last comma: put on together with the chosen label. */
  #others: readonly string[] = [];
  /** Labels that some of the tasks had when it opened: they stay where they stand. */
  #onThem: ReadonlySet<Id> | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  submit(action: LabelPickerAction): void {
    switch (action.action) {
      case 'filter':
        this.#query = action.text;
        this.#active = 0;
        break;
      case 'move':
        this.#active = movedTo(this.#active, this.#choices.length, action.to);
        break;
      case 'complete': {
        const choice = this.#choices[this.#active];
        if (choice && choice.id !== null) this.#query = [...this.#others, choice.name].join(', ');
        break;
      }
      case 'pick':
        this.#active = action.index ?? this.#active;
        this.#pick(action.staysOpen);
        return;
      case 'createPrivate':
        this.#active = this.#privateLine;
        this.#pick(false);
        return;
    }
    this.refresh();
  }

  byKey(command: string): LabelPickerAction | null {
    if (command === 'options.choose') return { action: 'pick', staysOpen: false };
    if (command === 'options.chooseAndStay') return { action: 'pick', staysOpen: true };
    if (command === 'options.complete') return this.#query === '' ? null : { action: 'complete' };
    if (command === 'labels.createPrivate') return this.#privateLine < 0 ? null : { action: 'createPrivate' };
    const to = moveOf(command);
    return to === null ? null : { action: 'move', to };
  }

  /** Index of the line that creates a private label; -1: there is none. */
  get #privateLine(): number {
    return this.#choices.findIndex(({ id, isPrivate }) => id === null && isPrivate);
  }

  refresh(): void {
    const tasks = labelled(this.#program);
    const { before, last } = namesTyped(this.#program, this.#query);
    this.#others = before;
    const found = labelChoices(this.#program, tasks, last).map((choice) => {
      const others = sayOthers(this.#program, before, choice.name);
      return { ...choice, note: [choice.note, others].filter((part) => part !== '').join(', ') };
    });
    this.#onThem ??= new Set(found.flatMap(({ id, state }) => (id !== null && state !== 'none' ? [id] : [])));
    const isForSeveral = tasks.length > 1;
    const shown =
      this.#query === ''
        ? inSections(found, this.#onThem, isForSeveral ? 'On these tasks' : 'On this task')
        : { choices: found, sections: [] };
    this.#choices = shown.choices;
    this.#active = Math.max(0, Math.min(this.#choices.length - 1, this.#active));
    const name = this.#program.describe(tasks.map(({ id }) => id));
    const [first] = tasks;
    this.#program.dialog.show({
      type: 'labels',
      picker: {
        title: `Labels of ${name}`,
        subject: tasks.length === 1 ? nameOf(first) || 'Untitled' : name,
        about: this.#program.workspace.cursor,
        query: this.#query,
        choices: this.#choices,
        sections: shown.sections,
        active: this.#active,
        isForSeveral,
        answer: this.#answer,
      },
    });
  }

  get isTyping(): boolean {
    return this.#query !== '';
  }

  leave(): void {
    // Nothing to save: each choice is made at once.
  }

  #pick(staysOpen: boolean): void {
    const choice = this.#choices[this.#active];
    if (!choice) return;
    const isNamed = choice.id === null || this.#others.length > 0;
    const result = isNamed
      ? putNamed(
          this.#program,
          [...this.#others.filter((name) => !same(name, choice.name)), choice.name],
          choice.id === null && choice.isPrivate,
        )
      : toggleLabel(this.#program, choice.id);
    const said =
      result.type === 'done' ? (result.announce ?? '') : result.type === 'refused' ? result.reason : '';
    // What was typed and is refused stays, to be changed.
    if (staysOpen || result.type === 'refused') {
      this.#answer = said;
      if (isNamed && result.type === 'done') this.#query = '';
      this.refresh();
      return;
    }
    this.#program.run('dialog.close');
    this.#program.say(said, { undo: result.type === 'done', brief: true });
  }
}
