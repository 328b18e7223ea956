// The label picker: which labels there are for what was typed, how many of the chosen tasks carry each, and putting one on
// or taking it off. A lazy chunk.
import type { Action } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import type { CommandResult } from '../commands/command.ts';
import { inBatches } from '../commands/rows.ts';
import { quoted } from '../editor.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import { prepare, rank } from '../ranking.ts';
import type { LabelChoiceView } from '../view.ts';
import { allLabels, carries, isExclusive, type LabelEntry, labelName, replacedBy } from './catalog.ts';
import { labelled, toggleLabel } from './applying.ts';
import { plainColor } from './colors.ts';
import { labelNamed, newLabel } from './creating.ts';

const PAGE_STEP = 8;

export class LabelPicker implements OpenDialog {
  readonly #program: Program;
  #query = '';
  #active = 0;
  #answer = '';
  #choices: readonly LabelChoiceView[] = [];

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
      if (choice && choice.id !== null) this.#query = choice.name;
    } else if (action === 'pick' || action === 'pickMore') {
      if (index !== '') this.#active = Number(index);
      this.#pick(action === 'pickMore');
      return;
    }
    this.refresh();
  }

  refresh(): void {
    const tasks = labelled(this.#program);
    this.#choices = this.#collect(tasks);
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
    const result = choice.id === null ? this.#create(choice.name) : toggleLabel(this.#program, choice.id);
    const said =
      result.type === 'done' ? (result.announce ?? '') : result.type === 'refused' ? result.reason : '';
    if (staysOpen) {
      this.#answer = said;
      if (choice.id === null) this.#query = '';
      this.refresh();
      return;
    }
    this.#program.run('dialog.close');
    this.#program.say(said, { undo: result.type === 'done', error: result.type === 'refused', brief: true });
  }

  #create(name: string): CommandResult {
    const program = this.#program;
    const tasks = labelled(program);
    const label = newLabel(program, name);
    const put = tasks.map((task): Action => {
      return { a: 'set', id: task.id, field: `label:${label.id}`, value: true };
    });
    const whom = program.describe(tasks.map(({ id }) => id));
    inBatches(program, [label, ...put], `created label ${quoted(name)} for ${whom}`);
    return { type: 'done', announce: `Created label ${quoted(name)} and put it on ${whom}.` };
  }

  #collect(tasks: readonly Row[]): LabelChoiceView[] {
    const text = this.#query.trim();
    const entries = allLabels(this.#program.replica);
    const ranked = entries.flatMap((entry) => {
      const hit = rank(
        text,
        prepare({ title: labelName(entry.row), aliases: [labelName(entry.group ?? undefined)] }),
      );
      return hit ? [{ entry, score: hit.score }] : [];
    });
    if (text !== '') ranked.sort((a, b) => b.score - a.score);
    const choices = ranked.map(({ entry }) => this.#choice(entry, tasks));
    if (text !== '' && labelNamed(this.#program, text) === null) choices.push(creating(text));
    return choices;
  }

  #choice({ row, group }: LabelEntry, tasks: readonly Row[]): LabelChoiceView {
    const program = this.#program;
    const count = tasks.filter((task) => carries(program, task, row.id)).length;
    const isAll = count === tasks.length && count > 0;
    const replaced = new Set<string>();
    if (!isAll) {
      for (const task of tasks) {
        if (carries(program, task, row.id)) continue;
        for (const other of replacedBy(program, row, task)) replaced.add(labelName(other));
      }
    }
    const some = count > 0 && !isAll ? `on ${count} of ${tasks.length}` : '';
    const replaces = replaced.size > 0 ? `replaces ${[...replaced].join(', ')}` : '';
    return {
      id: row.id,
      name: labelName(row),
      color: (row.fields.color as string | undefined) ?? plainColor,
      keys: this.#program.labelKeys.capsOf(row.fields.hotkey),
      group: group === null ? null : labelName(group),
      exclusive: isExclusive(group),
      isPrivate: row.fields.visibility === 'private',
      state: isAll ? 'all' : count > 0 ? 'some' : 'none',
      note: [some, replaces].filter((part) => part !== '').join(', '),
    };
  }
}

function creating(name: string): LabelChoiceView {
  const plain = { keys: [], group: null, exclusive: false, isPrivate: false, note: '' } as const;
  return { ...plain, id: null, name, color: plainColor, state: 'none' };
}
