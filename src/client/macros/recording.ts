// Records a macro: what a person does becomes steps, with the answers as they gave them, so that "tomorrow" stays tomorrow. Moving
// the cursor is left out; what is typed becomes a step with the text. What changed something and cannot be a step is said at the end.
import { type Id, parseId } from '#core/ids.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';
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
  /** What was done at once: several labels are several steps. */
  readonly steps: readonly Step[];
  /** The undo group that they ended with; null: they changed nothing. */
  readonly group: Id | null;
}

/** Braces in what a person writes are no variables. */
const literal = (words: string): string => words.replaceAll('{{', '\\{{');

/** Nothing was said for the command that runs next. */
const NONE: ArgumentValues = {};

/** What changed something and is no step. */
interface Missed {
  readonly group: Id;
  /** What undo calls it. */
  readonly label: string;
}

/** The steps of what is done from its creation on. */
export class Recording {
  readonly #program: Program;
  readonly #steps: Recorded[] = [];
  readonly #missed: Missed[] = [];
  /** Steps that were undone, the latest last: redo brings them back. */
  readonly #undone: Recorded[] = [];
  /** The notes that are being written, as they were before; null: none are. */
  #notes: { readonly id: Id; readonly before: string } | null = null;
  #newest: Id | null;
  #words: ArgumentValues = NONE;

  constructor(program: Program) {
    this.#program = program;
    this.#newest = program.undo.newest?.id ?? null;
  }

  get steps(): readonly Step[] {
    return this.#steps.flatMap(({ steps }) => steps);
  }

  /** What was done and could not be recorded, as undo calls it. */
  get missed(): readonly string[] {
    return this.#missed.map(({ label }) => label);
  }

  /** Nothing more is recorded: what is still being written counts. */
  finish(): void {
    this.#program.editor.flush();
    this.#writeNotes();
    this.#miss();
  }

  /** What was said in the palette for the command that runs next. */
  asked(words: ArgumentValues): void {
    this.#words = words;
  }

  /** A command ran. */
  ran(id: string, args: ArgumentValues): void {
    const words = this.#words;
    this.#words = NONE;
    const program = this.#program;
    if (id === 'edit.undo') return this.#takeBack();
    if (id === 'edit.redo') return this.#bringBack();
    const command = program.commands.get(id);
    // What is done to the text of the notes is in their text.
    if (id.startsWith('notes.') && program.pane === 'notes') return;
    this.#writeNotes();
    // A key of a dialog or a text says nothing by itself; what it changed is recorded as that (`changed`), or missed.
    if (command?.inPalette === false) return;
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
    this.#writeNotes();
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

  /** A line outside the outline became a task: in quick entry, the palette or a search. */
  addedLine(line: string, parent: Id): void {
    this.#writeNotes();
    const list = this.#program.replica.row(parent);
    const answers = {
      text: { words: literal(line) },
      list: { words: literal(nameOf(list) || 'Inbox'), id: parent },
    };
    this.#add({ type: 'command', command: 'task.addTo', answers, note: '' }, this.#changedSince());
  }

  /** Rows changed without a command: labels by their own keys or in their dialog, notes that are typed. */
  changed(changes: readonly RowChange[]): void {
    const put = new Map<Id, boolean>();
    const { editor } = this.#program;
    for (const { id: row, before, after } of changes) {
      if (after?.type !== 'task') continue;
      if (before === undefined) continue;
      if (editor.notes?.id === row && fieldOf(before, 'notes') !== fieldOf(after, 'notes'))
        this.#notes ??= { id: row, before: fieldOf(before, 'notes') ?? '' };
      const [was, now] = [registersOf(before), registersOf(after)];
      for (const register of new Set([...Object.keys(was), ...Object.keys(now)])) {
        const [, label] = LABEL.exec(register) ?? [];
        const id = label === undefined ? null : parseId(label);
        if (id !== null && was[register] !== now[register]) put.set(id, now[register] === true);
      }
    }
    const steps = [...put].flatMap(([id, isPut]): Step[] => {
      const words = literal(labelName(this.#program.replica.row(id)));
      const command = isPut ? 'label.put' : 'label.take';
      return words === '' ? [] : [{ type: 'command', command, answers: { name: { words } }, note: '' }];
    });
    this.#program.later(() => this.#addUnlessSaid(steps));
  }

  /** The notes that were written become a step: all of them, or the line that was added. */
  #writeNotes(): void {
    const written = this.#notes;
    if (written === null) return;
    this.#notes = null;
    const { id, before } = written;
    const after = fieldOf(this.#program.replica.row(id), 'notes') ?? '';
    const group = this.#changedSince();
    if (after === before) return;
    const added = before !== '' && after.startsWith(`${before}\n`) ? after.slice(before.length + 1) : null;
    const isLine = added !== null && added !== '' && !added.includes('\n');
    const answers = { text: { words: literal(isLine ? added : after) } };
    const command = isLine ? 'task.appendNotes' : 'task.setNotes';
    this.#add({ type: 'command', command, answers, note: '' }, group);
  }

  /** What changed something without becoming a step, unless it is still being written. */
  #miss(): void {
    const { editor, undo } = this.#program;
    if (this.#notes !== null || editor.title !== null || this.#words !== NONE) return;
    const label = undo.newest?.label ?? '';
    const group = this.#changedSince();
    if (group !== null) this.#missed.push({ group, label });
  }

  /** A command that put the label on was recorded as itself. */
  #addUnlessSaid(steps: readonly Step[]): void {
    const group = steps.length === 0 ? null : this.#changedSince();
    if (group === null) this.#miss();
    else {
      this.#undone.length = 0;
      this.#steps.push({ steps, group });
    }
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
    this.#undone.length = 0;
    this.#steps.push({ steps: [step], group });
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
    const { undo } = this.#program;
    this.#newest = undo.newest?.id ?? null;
    const done = new Set(undo.done.map(({ id }) => id));
    const missed = this.#missed.findLastIndex(({ group }) => !done.has(group));
    const at = this.#steps.findLastIndex(({ group }) => group !== null);
    const group = this.#steps[at]?.group ?? null;
    if (group !== null && !done.has(group)) this.#undone.push(...this.#steps.splice(at, 1));
    else if (missed >= 0) this.#missed.splice(missed, 1);
  }

  /** What was undone and done again is a step again. */
  #bringBack(): void {
    const group = this.#changedSince();
    const again = this.#undone.pop();
    if (again !== undefined) this.#steps.push({ ...again, group });
  }
}

/** Of what changes nothing, what a person would do on purpose: open a place, search, show something. */
const isWorthKeeping = ({ inPalette, group, id }: Command): boolean =>
  inPalette && (group === 'Go to' || /^(?:search|selection|macro)\./.test(id));
