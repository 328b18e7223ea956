// Vim in the outline: carries out what the grammar has parsed. Moving, selecting and operators run the same commands as
// every other key; only marks, registers and the dot are handled here. A lazy part.
import { unreachable } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import { pasteTasks, textOfTasks } from '../transfer/transfer-commands.ts';
import type { Stroke } from '../keys/stroke.ts';
import type { TitleDraft } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import { tellSelected } from '../app/spoken.ts';
import {
  continuationsOf,
  type Meaning,
  meaningOf,
  type Mode,
  type Motion,
  type RegisterName,
  strokeOfOperator,
} from './grammar.ts';
import { goToMatch } from '../search/matches.ts';
import { Macros } from './macros.ts';
import { placeAt, putAt, whyNotHere } from './putting.ts';
import { CLIPBOARD, Registers, type Taken } from './registers.ts';
import { goesOn, isPrintable } from './shape.ts';
import { writeAgain, writtenIn, type Written } from './writing.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { taskClipboard } from '../transfer/task-clipboard.ts';

/** The change that the dot repeats. */
interface Change {
  readonly strokes: readonly Stroke[];
  /** The typed title; null: none. */
  readonly written: Written | null;
}

/** A title being written, which the dot may write again. */
interface Writing extends Pick<TitleDraft, 'id' | 'original'> {
  readonly strokes: readonly Stroke[];
  /** It replaces the whole title. */
  readonly isWhole: boolean;
}

/** The mark that two quotes jump to. */
const LAST_JUMP = "'";
const JUMPS = /^(?:g g|Shift\+[ghml])$/;

/** Reason for stopping a replay at a motion. */
const STUCK = 'there’s no next line.';

type Act = Pick<Meaning & { readonly type: 'selected' }, 'operator' | 'register'>;
type Put = Pick<Meaning & { readonly type: 'put' }, 'above' | 'count' | 'register'>;

const COMMANDS = {
  delete: 'task.delete',
  indent: 'task.indent',
  outdent: 'task.outdent',
} as const;

/** The result for a sequence of strokes: not Vim's, the beginning of a command, an unknown command, or work to do. */
export type Reading = 'none' | 'pending' | 'unknown' | (() => CommandResult);

export interface VimPorts {
  readonly program: Program;
  /** Presses strokes as if typed again. */
  readonly press: (strokes: readonly Stroke[]) => CommandResult;
  /** Presses one stroke, which may begin or continue a sequence. */
  readonly pressOne: (stroke: Stroke) => CommandResult;
  readonly ordinary: Mode['ordinary'];
}

/** The Vim grammar over the commands of the app. The keyboard gives it strokes before ordinary keys. */
export class Vim {
  readonly #program: Program;
  readonly #ports: VimPorts;
  readonly macros: Macros;
  readonly #registers = new Registers();
  readonly #marks = new Map<string, Id>();
  #last: Change | null = null;
  /** Strokes that the dot presses for an operator that acted on a selection. */
  #instead: readonly Stroke[] | null = null;
  #writing: Writing | null = null;
  #wasSelecting = false;
  /** The ends of the last selection made with v, with the cursor at the second. */
  #selected: readonly [from: Id, to: Id] | null = null;

  constructor(ports: VimPorts) {
    this.#program = ports.program;
    this.#ports = ports;
    this.macros = new Macros({ program: ports.program, press: ports.pressOne });
  }

  get #mode(): Mode {
    const isRecording = this.macros.recording !== null;
    return { isSelecting: this.#isSelecting, isRecording, ordinary: this.#ports.ordinary };
  }

  get #isSelecting(): boolean {
    if (this.#program.workspace.selection.size === 0) this.#wasSelecting = false;
    return this.#wasSelecting;
  }

  read(strokes: readonly Stroke[]): Reading {
    this.#finishWriting();
    if (JUMPS.test(strokes.join(' '))) this.#rememberJump();
    const meaning = meaningOf(strokes, this.#mode);
    const { type } = meaning;
    if (type === 'none' || type === 'pending' || type === 'unknown') return type;
    return () => this.#do(meaning);
  }

  /** For unbound strokes: Vim would wait for more, or the command is over; null: not a key of Vim. */
  lengthOf(strokes: readonly Stroke[]): 'goes on' | 'over' | null {
    if (strokes.length === 1 && !isPrintable(strokes[0])) return null;
    return goesOn(strokes) ? 'goes on' : 'over';
  }

  readonly continuations = continuationsOf;

  /** Only movement: repeats while the key is held. */
  moves(strokes: readonly Stroke[]): boolean {
    const { type } = meaningOf(strokes, this.#mode);
    return type === 'move' || type === 'match';
  }

  /** These strokes changed something: the dot repeats them. */
  changed(strokes: readonly Stroke[]): void {
    const pressed = this.#instead ?? strokes;
    this.#instead = null;
    const { type } = meaningOf(strokes, this.#mode);
    if (type === 'repeat' || type === 'replay' || this.macros.isReplaying) return;
    this.#last = { strokes: pressed, written: null };
  }

  /** These strokes began a title. */
  began(strokes: readonly Stroke[], { id, original, wanted }: TitleDraft): void {
    this.#writing = { strokes, id, original, isWhole: wanted === 'all' };
  }

  /** A new title left empty does not count. */
  #finishWriting(): void {
    const { editor, replica } = this.#program;
    const writing = this.#writing;
    if (writing === null || editor.title !== null) return;
    this.#writing = null;
    const row = replica.row(writing.id);
    if (!row || isTrashed(row)) return;
    const title = fieldOf(row, 'title') ?? '';
    const written = writtenIn(writing.original, title, writing.isWhole);
    if (written !== null) this.#last = { strokes: writing.strokes, written };
  }

  #rememberJump(): void {
    const { cursor } = this.#program.workspace;
    if (cursor !== null) this.#marks.set(LAST_JUMP, cursor);
    this.#program.workspace.jumping();
  }

  #do(meaning: Exclude<Meaning, { readonly type: 'none' | 'pending' | 'unknown' }>): CommandResult {
    const { workspace } = this.#program;
    switch (meaning.type) {
      case 'move':
        return this.#move(meaning.motion);
      case 'operate': {
        const to = this.#indexOf(meaning.motion);
        if (!to.ok) return refused(to.problem);
        if (this.#isStuck(meaning.motion, to.value)) return refused(STUCK);
        return this.#operate(meaning, workspace.cursorIndex, to.value);
      }
      case 'lines': {
        const from = workspace.cursorIndex;
        return this.#operate(meaning, from, from + meaning.count - 1);
      }
      case 'selected': {
        const lines = String(workspace.selection.size);
        const stroke = strokeOfOperator(meaning.operator);
        this.#instead = [...lines, stroke, stroke];
        return this.#onSelection(meaning);
      }
      case 'select':
        return this.#select();
      case 'reselect':
        return this.#reselect(this.#selected);
      case 'swap':
        return this.#reselect(this.#selected === null ? null : [this.#selected[1], this.#selected[0]]);
      case 'mark':
        return this.#mark(meaning.name);
      case 'put':
        return this.#isSelecting ? this.#putInstead(meaning.register) : this.#put(meaning);
      case 'match':
        return this.#toMatch(meaning.by);
      case 'repeat':
        return this.#last === null
          ? refused('You haven’t changed anything yet.', 'info')
          : this.#repeat(this.#last, meaning.count);
      case 'record':
        return this.macros.record(meaning.name);
      case 'replay':
        return this.macros.replay(meaning.name, meaning.count);
      case 'search':
        return this.#ports.press(['/']);
      case 'times':
        return this.#times(meaning.strokes, meaning.count);
      default:
        return unreachable(meaning);
    }
  }

  /** A line of the outline, or the reason why there is none. */
  #indexOf(motion: Motion): Result<number, string> {
    const { outline, cursorIndex } = this.#program.workspace;
    const last = outline.length - 1;
    if (last < 0) return failed('Nothing here.');
    const within = (index: number) => ok(Math.max(0, Math.min(last, index)));
    switch (motion.type) {
      case 'lines':
        return within(cursorIndex + motion.by);
      case 'line':
        return motion.at === null ? ok(last) : within(motion.at - 1);
      case 'peers':
        return ok(this.#peer(motion.by));
      case 'screens':
        return within(cursorIndex + Math.trunc(motion.by * this.#program.rows.fit));
      case 'onScreen': {
        const { fit, top } = this.#program.rows;
        const first = top.get();
        const shown = Math.min(fit, last + 1 - first);
        const at = Math.min(motion.at, shown) - 1;
        if (motion.from === 'middle') return within(first + Math.floor((shown - 1) / 2));
        return within(motion.from === 'top' ? first + at : first + shown - 1 - at);
      }
      case 'mark': {
        const id = this.#marks.get(motion.name);
        const index = id === undefined ? -1 : outline.indexOf(id);
        return index < 0 ? failed(`There’s no mark ${motion.name} here.`) : ok(index);
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

  /** A replay stops where a motion leads nowhere. */
  #isStuck({ type }: Motion, to: number): boolean {
    if (!this.macros.isReplaying || (type !== 'lines' && type !== 'peers' && type !== 'screens'))
      return false;
    return to === this.#program.workspace.cursorIndex;
  }

  #toMatch(by: number): CommandResult {
    const { cursor } = this.#program.workspace;
    if (cursor !== null) this.#marks.set(LAST_JUMP, cursor);
    const isSelecting = this.#isSelecting;
    const result = goToMatch(this.#program, by, { extends: isSelecting });
    if (isSelecting) this.#rememberSelected();
    return result;
  }

  #move(motion: Motion): CommandResult {
    const found = this.#indexOf(motion);
    if (!found.ok) return refused(found.problem);
    const index = found.value;
    if (this.#isStuck(motion, index)) return refused(STUCK);
    const { workspace, rows } = this.#program;
    const id = workspace.outline.at(index);
    if (id === undefined) return done;
    if (motion.type === 'line' || motion.type === 'mark' || motion.type === 'onScreen') this.#rememberJump();
    workspace.outline.prefer?.(index);
    if (this.#isSelecting) {
      workspace.selection.extendTo(workspace.outline, id);
      this.#rememberSelected();
      tellSelected(this.#program);
    } else workspace.selection.put(workspace.outline, id);
    rows.follow();
    return done;
  }

  #rememberSelected(): void {
    const { cursor } = this.#program.workspace;
    if (cursor === null) return;
    this.#selected = [this.#selected?.[0] ?? cursor, cursor];
  }

  /** Restores that selection, from one end to the other. */
  #reselect(ends: readonly [from: Id, to: Id] | null): CommandResult {
    const { workspace, rows } = this.#program;
    const { outline, selection } = workspace;
    if (ends === null) return refused('You haven’t selected anything with v yet.', 'info');
    if (!ends.every((id) => outline.has(id))) return refused('That selection isn’t here anymore.', 'info');
    const [from, to] = ends;
    selection.clear();
    selection.put(outline, from);
    selection.extendTo(outline, to);
    this.#selected = ends;
    this.#wasSelecting = true;
    tellSelected(this.#program);
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
    if (cursor === null) return refused('Nothing to select.');
    workspace.selection.clear();
    workspace.selection.extendTo(workspace.outline, cursor);
    this.#selected = [cursor, cursor];
    tellSelected(this.#program);
    this.#wasSelecting = true;
    rows.follow();
    return done;
  }

  #mark(name: string): CommandResult {
    const { cursor } = this.#program.workspace;
    if (cursor === null) return refused('Nothing to mark.');
    this.#marks.set(name, cursor);
    return announced(`Marked ${name}.`);
  }

  /** Acts on the lines between both, inclusive, with their subtasks. */
  #operate(act: Act, from: number, to: number): CommandResult {
    const { outline, selection } = this.#program.workspace;
    if (act.operator === 'change') return this.#program.run('task.editAll');
    const first = outline.at(Math.max(0, Math.min(from, to)));
    const last = outline.at(Math.min(outline.length - 1, Math.max(from, to)));
    if (first === undefined || last === undefined) return refused('Nothing here.');
    selection.clear();
    selection.put(outline, first);
    selection.extendTo(outline, last);
    const result = this.#onSelection(act);
    if (result.type === 'refused') selection.clear();
    return result;
  }

  #onSelection({ operator, register }: Act): CommandResult {
    const program = this.#program;
    const { workspace } = program;
    const roots = workspace.targetRoots();
    const [first] = roots;
    if (first === undefined || operator === 'change') return refused('Nothing here.');
    const name = program.describe(roots);
    if (operator === 'yank' || operator === 'delete') {
      if (workspace.isTrash) return refused('Restore it from the trash first.');
      const tasks = roots.filter((id) => program.replica.row(id)?.type === 'task');
      this.#take(tasks, register, operator === 'delete');
    }
    const result = operator === 'yank' ? announced(`Copied ${name}.`) : this.#run(operator);
    this.#wasSelecting = false;
    if (operator !== 'delete') {
      workspace.selection.clear();
      program.moveTo(first);
    }
    return result;
  }

  /** Runs the command, which has its own message. */
  #run(operator: keyof typeof COMMANDS): CommandResult {
    const result = this.#program.run(COMMANDS[operator]);
    return result.type === 'done' ? done : result;
  }

  /** Into a register, or onto the clipboard. */
  #take(ids: readonly Id[], register: RegisterName, isDeleted: boolean): void {
    const program = this.#program;
    const text = textOfTasks(program, ids);
    const taken: Taken = { text, ids, cut: isDeleted ? ids : [] };
    if (!this.#registers.keep(register === CLIPBOARD ? null : register, taken, isDeleted)) return;
    if (register !== CLIPBOARD) return;
    void program.platform.copyText(text).then((isCopied) =>
      program.act(() => {
        program.part(taskClipboard).taken = isCopied ? { text, ids } : null;
        if (!isCopied) program.dialog.show({ type: 'export', text, fileName: 'Tasks.txt' });
      }),
    );
  }

  #put({ above, count, register }: Put): CommandResult {
    if (register === CLIPBOARD) return this.#putClipboard({ above, count, register });
    const parts = this.#registers.of(register);
    if (parts.length === 0) {
      const reason = register === null ? 'cut or copied with d or y yet' : `put in ${register} yet`;
      return refused(`Nothing was ${reason}.`, 'info');
    }
    const reason = whyNotHere(this.#program);
    if (reason !== null) return refused(reason);
    const at = this.#program.workspace.cursorRow?.id ?? null;
    return putAt(this.#program, parts, { count, place: () => placeAt(this.#program, at, above) });
  }

  #putClipboard(put: Put): CommandResult {
    const program = this.#program;
    const reason = whyNotHere(this.#program);
    if (reason !== null) return refused(reason);
    const strokes = [...String(put.count), '"', CLIPBOARD, put.above ? 'Shift+p' : 'p'];
    const at = program.workspace.cursorRow?.id ?? null;
    program.inputQueue.open(
      'The clipboard',
      () => program.platform.readClipboard(),
      (text) => {
        if (text === null) return refused('Can’t read the clipboard. Press the paste key instead.');
        let result: CommandResult = done;
        for (let left = put.count; left > 0 && result.type === 'done'; left -= 1)
          result = pasteTasks(program, text, placeAt(program, at, put.above));
        if (result.type === 'done') this.#last = { strokes, written: null };
        return result;
      },
    );
    return done;
  }

  /** Replaces the selection, which goes into the register as with d. */
  #putInstead(register: RegisterName): CommandResult {
    const { workspace } = this.#program;
    const parts = this.#registers.of(register);
    if (register === CLIPBOARD || parts.length === 0) {
      const reason = 'Put from a register that has tasks, or delete the selection first.';
      return refused(reason, 'info');
    }
    const reason = whyNotHere(this.#program);
    if (reason !== null) return refused(reason);
    const [first] = workspace.targetRoots();
    if (first === undefined) return refused('Nothing here.');
    const result = putAt(this.#program, parts, {
      count: 1,
      place: () => placeAt(this.#program, first, true),
    });
    if (result.type === 'refused') return result;
    const { cursor } = workspace;
    const removed = this.#onSelection({ operator: 'delete', register: null });
    if (cursor !== null) this.#program.moveTo(cursor);
    return removed.type === 'refused' ? removed : result;
  }

  #repeat({ strokes, written }: Change, count: number): CommandResult {
    const { editor } = this.#program;
    let result: CommandResult = done;
    for (let left = count; left > 0 && result.type === 'done'; left -= 1) {
      result = this.#ports.press(strokes);
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
      result = this.#ports.press(strokes);
      if (result.type !== 'done' || this.#program.editor.title !== null) break;
    }
    return result;
  }
}
