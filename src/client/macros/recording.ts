// Records a macro: what a person does becomes steps, with the answers as they gave them, so that "tomorrow" stays tomorrow. Moving
// the cursor is left out; what is typed becomes a step with the text.
import { type Id, parseId } from '#core/ids.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { registersOf } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import type { Argument, ArgumentValues } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import { labelName } from '../labels/catalog.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { TitleDraft } from '../text/editor.ts';
import type { Answer, Step } from './macro.ts';
import { mayBeStep } from './running.ts';

const LABEL = /^label:(.*)$/;
/** Kinds of answers that name a row. */
const NAMING: ReadonlySet<Argument['kind']> = new Set([
  'list',
  'folder',
  'task',
  'parent',
  'bookmark',
  'label',
]);

interface Recorded {
  readonly step: Step;
  /** The undo group that it ended with; null: it changed nothing. */
  readonly group: Id | null;
}

/** Braces in what a person writes are no variables. */
const literal = (words: string): string => words.replaceAll('{{', '\\{{');

/** The steps of what is done from its creation on. */
export class Recording {
  readonly #program: Program;
  readonly #steps: Recorded[] = [];
  #newest: Id | null;
  #words: ArgumentValues = {};

  constructor(program: Program) {
    this.#program = program;
    this.#newest = program.undo.newest?.id ?? null;
  }

  get steps(): readonly Step[] {
    return this.#steps.map(({ step }) => step);
  }

  /** What was said in the palette for the command that runs next. */
  asked(words: ArgumentValues): void {
    this.#words = words;
  }

  /** A command ran. */
  ran(id: string, args: ArgumentValues): void {
    const words = this.#words;
    this.#words = {};
    const program = this.#program;
    if (id === 'edit.undo') return this.#takeBack();
    const command = program.commands.get(id);
    const group = this.#changedSince();
    if (command === undefined || !mayBeStep(id)) return;
    // What asks for something is recorded as what it comes to; a new line, once its title is there.
    if (program.dialog.get() !== null || program.palette.isOpen || program.editor.title?.fresh === true)
      return;
    if (group === null && !isWorthKeeping(command)) return;
    this.#add(
      { type: 'command', command: id, answers: this.#answers(command, args, words), note: '' },
      group,
    );
  }

  /** A title was written. */
  left({ id, field, text, original, fresh }: Readonly<TitleDraft>): void {
    if (field !== 'title' || text.trim() === '' || text === original) return;
    const program = this.#program;
    const group = this.#changedSince();
    const answers: Record<string, Answer> = { text: { words: literal(text) } };
    const list = fresh ? program.workspace.listOf(id) : undefined;
    const parent = program.workspace.parentOf(id);
    let command = 'task.setTitle';
    if (list !== undefined && parent === list.id) {
      command = 'task.addTo';
      answers['list'] = { words: nameOf(list) || 'Inbox', id: list.id };
    } else if (fresh) command = 'task.addUnder';
    this.#add({ type: 'command', command, answers, note: '' }, group);
  }

  /** Rows changed without a command: labels by their own keys or in their dialog. */
  changed(changes: readonly RowChange[]): void {
    const put = new Map<Id, boolean>();
    for (const { before, after } of changes) {
      if (after?.type !== 'task') continue;
      if (before === undefined) continue;
      const [was, now] = [registersOf(before), registersOf(after)];
      for (const register of new Set([...Object.keys(was), ...Object.keys(now)])) {
        const [, label] = LABEL.exec(register) ?? [];
        const id = label === undefined ? null : parseId(label);
        if (id !== null && was[register] !== now[register]) put.set(id, now[register] === true);
      }
    }
    for (const [id, isPut] of put) {
      const words = literal(labelName(this.#program.replica.row(id)));
      if (words === '') continue;
      const command = isPut ? 'label.put' : 'label.take';
      const step: Step = { type: 'command', command, answers: { name: { words } }, note: '' };
      this.#program.later(() => this.#addUnlessSaid(step));
    }
  }

  /** A command that put the label on was recorded as itself. */
  #addUnlessSaid(step: Step): void {
    const group = this.#changedSince();
    if (group !== null) this.#add(step, group);
  }

  /** The answers in words; a row that was chosen is kept by its id as well. */
  #answers(command: Command, args: ArgumentValues, words: ArgumentValues): Record<string, Answer> {
    const answers: Record<string, Answer> = {};
    for (const { name, kind } of command.args) {
      const value = args[name] ?? '';
      const id = NAMING.has(kind) ? parseId(value) : null;
      const row = id === null ? undefined : this.#program.replica.row(id);
      if (id !== null && row !== undefined) {
        const said = row.type === 'label' ? labelName(row) : nameOf(row) || 'Inbox';
        answers[name] = { words: literal(said), id };
      } else answers[name] = { words: literal(words[name] ?? value) };
    }
    return answers;
  }

  #add(step: Step, group: Id | null): void {
    this.#steps.push({ step, group });
  }

  /** The newest undo group, if it is another one than after the step before; null: nothing was changed. */
  #changedSince(): Id | null {
    const newest = this.#program.undo.newest?.id ?? null;
    if (newest === this.#newest) return null;
    this.#newest = newest;
    return newest;
  }

  /** What was undone is no step. */
  #takeBack(): void {
    this.#newest = this.#program.undo.newest?.id ?? null;
    const at = this.#steps.findLastIndex(({ group }) => group !== null);
    if (at >= 0) this.#steps.splice(at, 1);
  }
}

/** Of what changes nothing, what a person would do on purpose: open a place, search, show something. */
const isWorthKeeping = ({ inPalette, group, id }: Command): boolean =>
  inPalette && (group === 'Go to' || /^(?:search|selection|macro)\./.test(id));
