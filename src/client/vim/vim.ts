// Vim in the outline: does what the grammar reads. Moving, selecting and what operators do goes through the same commands as
// every other key; here are only the register, the marks and what the dot repeats. A lazy chunk.
import { unreachable } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { Position } from '#sync/operation.ts';
import { isTrashed, placeOf } from '#sync/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { putBack } from '../commands/taken.ts';
import { announced, done, refused } from '../commands/define.ts';
import { positionBelow } from '../commands/outline.ts';
import { pasteTasks, textOfTasks } from '../commands/transfer.ts';
import type { Stroke } from '../keys/stroke.ts';
import type { TitleDraft } from '../editor.ts';
import type { Program } from '../program.ts';
import {
  continuationsOf,
  type Meaning,
  meaningOf,
  type Motion,
  type Operator,
  strokeOfOperator,
} from './grammar.ts';
import { writeAgain, writtenIn, type Written } from './writing.ts';

interface Register {
  readonly text: string;
  /** Deleted to be put elsewhere: they themselves come back, once. */
  cut: readonly Id[];
}

/** What the dot does again. */
interface Change {
  readonly strokes: readonly Stroke[];
  /** Of a title; null: none was written. */
  readonly written: Written | null;
}

/** A title being written, which the dot may write again. */
interface Writing extends Pick<TitleDraft, 'id' | 'original'> {
  readonly strokes: readonly Stroke[];
}

/** Where two quotes lead back to. */
const LAST_JUMP = "'";
const JUMPS = /^(?:g g|Shift\+g)$/;

const COMMANDS = {
  delete: 'task.delete',
  indent: 'task.indent',
  outdent: 'task.outdent',
} as const;

/** What a sequence of strokes comes to: nothing of Vim's, a beginning, or something to be done. */
export type Reading = 'none' | 'pending' | (() => CommandResult);

export class Vim {
  readonly #program: Program;
  /** Presses strokes as if they were typed anew. */
  readonly #press: (strokes: readonly Stroke[]) => CommandResult;
  readonly #marks = new Map<string, Id>();
  #register: Register | null = null;
  #last: Change | null = null;
  /** What the dot presses for an operator that acted on a selection. */
  #instead: readonly Stroke[] | null = null;
  #writing: Writing | null = null;
  #wasSelecting = false;

  constructor(program: Program, press: (strokes: readonly Stroke[]) => CommandResult) {
    this.#program = program;
    this.#press = press;
  }

  get #isSelecting(): boolean {
    if (this.#program.workspace.selection.size === 0) this.#wasSelecting = false;
    return this.#wasSelecting;
  }

  read(strokes: readonly Stroke[]): Reading {
    this.#finishWriting();
    if (JUMPS.test(strokes.join(' '))) this.#rememberJump();
    const meaning = meaningOf(strokes, this.#isSelecting);
    if (meaning.type === 'none' || meaning.type === 'pending') return meaning.type;
    return () => this.#do(meaning);
  }

  readonly continuations = continuationsOf;

  /** Only movement: done again while the key is held. */
  moves(strokes: readonly Stroke[]): boolean {
    return meaningOf(strokes, this.#isSelecting).type === 'move';
  }

  /** These strokes changed something: the dot does so again. */
  changed(strokes: readonly Stroke[]): void {
    const pressed = this.#instead ?? strokes;
    this.#instead = null;
    if (meaningOf(strokes, false).type !== 'repeat') this.#last = { strokes: pressed, written: null };
  }

  /** These strokes began a title. */
  began(strokes: readonly Stroke[], { id, original }: Pick<TitleDraft, 'id' | 'original'>): void {
    this.#writing = { strokes, id, original };
  }

  /** A new title left empty is none. */
  #finishWriting(): void {
    const { editor, replica } = this.#program;
    const writing = this.#writing;
    if (writing === null || editor.title !== null) return;
    this.#writing = null;
    const row = replica.row(writing.id);
    if (!row || isTrashed(row)) return;
    const title = (row.fields.title as string | undefined) ?? '';
    const written = writtenIn(writing.original, title, writing.strokes.at(-1) === 'c');
    if (written !== null) this.#last = { strokes: writing.strokes, written };
  }

  #rememberJump(): void {
    const { cursor } = this.#program.workspace;
    if (cursor !== null) this.#marks.set(LAST_JUMP, cursor);
  }

  #do(meaning: Exclude<Meaning, { readonly type: 'none' | 'pending' }>): CommandResult {
    const { workspace } = this.#program;
    switch (meaning.type) {
      case 'move':
        return this.#move(meaning.motion);
      case 'operate': {
        const to = this.#indexOf(meaning.motion);
        if (typeof to === 'string') return refused(to);
        return this.#operate(meaning.operator, workspace.cursorIndex, to);
      }
      case 'lines': {
        const from = workspace.cursorIndex;
        return this.#operate(meaning.operator, from, from + meaning.count - 1);
      }
      case 'selected': {
        const lines = String(workspace.selection.size);
        const stroke = strokeOfOperator(meaning.operator);
        this.#instead = [...lines, stroke, stroke];
        return this.#onSelection(meaning.operator);
      }
      case 'select':
        return this.#select();
      case 'mark':
        return this.#mark(meaning.name);
      case 'put':
        return this.#put(meaning.above, meaning.count);
      case 'repeat':
        return this.#last === null
          ? refused('Nothing was changed yet.', 'info')
          : this.#repeat(this.#last, meaning.count);
      case 'times':
        return this.#times(meaning.strokes, meaning.count);
      default:
        return unreachable(meaning);
    }
  }

  /** A line of the outline, or why there is none. */
  #indexOf(motion: Motion): number | string {
    const { outline, cursorIndex } = this.#program.workspace;
    const last = outline.length - 1;
    if (last < 0) return 'There is nothing here.';
    const within = (index: number) => Math.max(0, Math.min(last, index));
    switch (motion.type) {
      case 'lines':
        return within(cursorIndex + motion.by);
      case 'line':
        return motion.at === null ? last : within(motion.at - 1);
      case 'peers':
        return this.#peer(motion.by);
      case 'mark': {
        const id = this.#marks.get(motion.name);
        const index = id === undefined ? -1 : outline.indexOf(id);
        return index < 0 ? `There is no mark ${motion.name} here.` : index;
      }
      default:
        return unreachable(motion);
    }
  }

  #peer(by: number): number {
    const { outline, cursorIndex } = this.#program.workspace;
    const step = Math.sign(by);
    const isInside = (index: number) => index >= 0 && index < outline.length;
    let found = cursorIndex;
    for (let left = Math.abs(by); left > 0; left -= 1) {
      let index = found + step;
      while (isInside(index) && outline.levelAt(index) > outline.levelAt(found)) index += step;
      if (!isInside(index)) break;
      found = index;
    }
    return found;
  }

  #move(motion: Motion): CommandResult {
    const index = this.#indexOf(motion);
    if (typeof index === 'string') return refused(index);
    const { workspace, rows } = this.#program;
    const id = workspace.outline.at(index);
    if (id === undefined) return done;
    if (motion.type === 'line' || motion.type === 'mark') this.#rememberJump();
    workspace.outline.prefer?.(index);
    if (this.#isSelecting) workspace.selection.extendTo(workspace.outline, id);
    else workspace.selection.put(workspace.outline, id);
    rows.follow();
    return done;
  }

  #select(): CommandResult {
    const { workspace, rows } = this.#program;
    if (this.#isSelecting) {
      workspace.selection.clear();
      return announced('Nothing selected.');
    }
    const { cursor } = workspace;
    if (cursor === null) return refused('There is nothing to select.');
    workspace.selection.clear();
    workspace.selection.extendTo(workspace.outline, cursor);
    this.#wasSelecting = true;
    rows.follow();
    return done;
  }

  #mark(name: string): CommandResult {
    const { cursor } = this.#program.workspace;
    if (cursor === null) return refused('There is nothing to mark.');
    this.#marks.set(name, cursor);
    return announced(`Marked ${name}.`);
  }

  /** On the lines from one to the other, both included, with what is beneath them. */
  #operate(operator: Operator, from: number, to: number): CommandResult {
    const { outline, selection } = this.#program.workspace;
    if (operator === 'change') return this.#program.run('task.editAll');
    const first = outline.at(Math.max(0, Math.min(from, to)));
    const last = outline.at(Math.min(outline.length - 1, Math.max(from, to)));
    if (first === undefined || last === undefined) return refused('There is nothing here.');
    selection.clear();
    selection.put(outline, first);
    selection.extendTo(outline, last);
    const result = this.#onSelection(operator);
    if (result.type === 'refused') selection.clear();
    return result;
  }

  #onSelection(operator: Exclude<Operator, 'change'> | Operator): CommandResult {
    const program = this.#program;
    const { workspace } = program;
    const roots = workspace.targetRoots();
    const [first] = roots;
    if (first === undefined || operator === 'change') return refused('There is nothing here.');
    const name = program.describe(roots);
    if (operator === 'yank' || operator === 'delete') {
      if (workspace.isTrash) return refused('Restore it from the trash first.');
      const tasks = roots.filter((id) => program.replica.row(id)?.type === 'task');
      const text = textOfTasks(program, tasks);
      this.#register = { text, cut: operator === 'delete' ? tasks : [] };
      program.taken = { text, ids: tasks };
    }
    const result = operator === 'yank' ? announced(`Copied ${name}.`) : this.#run(operator);
    this.#wasSelecting = false;
    if (operator !== 'delete') {
      workspace.selection.clear();
      program.moveTo(first);
    }
    return result;
  }

  /** It has said what it did. */
  #run(operator: keyof typeof COMMANDS): CommandResult {
    const result = this.#program.run(COMMANDS[operator]);
    return result.type === 'done' ? done : result;
  }

  #put(above: boolean, count: number): CommandResult {
    const register = this.#register;
    const { workspace, replica } = this.#program;
    if (register === null || register.text === '')
      return refused('Nothing was cut or copied with d or y.', 'info');
    if (workspace.isTrash || workspace.root === null || !workspace.outline.isTree)
      return refused('Tasks cannot be put here. Open a list first.');
    const gone = register.cut.filter((id) => {
      const row = replica.row(id);
      return row !== undefined && isTrashed(row);
    });
    register.cut = [];
    let left = count;
    let result: CommandResult = done;
    if (gone.length > 0) {
      result = putBack(this.#program, gone, this.#place(above));
      left -= 1;
    }
    for (; left > 0; left -= 1) result = pasteTasks(this.#program, register.text, this.#place(above));
    return result;
  }

  #place(above: boolean): Position {
    const { workspace } = this.#program;
    const row = workspace.cursorRow;
    const parent = placeOf(row)?.parent;
    if (!row || parent === undefined) return { parent: workspace.root ?? workspace.inbox };
    return above ? { parent, before: row.id } : positionBelow(this.#program, row);
  }

  #repeat({ strokes, written }: Change, count: number): CommandResult {
    const { editor } = this.#program;
    let result: CommandResult = done;
    for (let left = count; left > 0 && result.type === 'done'; left -= 1) {
      result = this.#press(strokes);
      const { title } = editor;
      if (title === null) continue;
      if (written === null) break;
      editor.replace(writeAgain(written, title.text));
      this.#program.leaveText();
    }
    return result;
  }

  #times(strokes: readonly Stroke[], count: number): CommandResult {
    let result: CommandResult = done;
    for (let left = count; left > 0; left -= 1) {
      result = this.#press(strokes);
      if (result.type !== 'done' || this.#program.editor.title !== null) break;
    }
    return result;
  }
}
