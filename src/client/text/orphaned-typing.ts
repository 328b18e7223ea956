// Typing whose row vanished, because somebody else deleted or moved it, or because a new task could not be created. The
// person is told; further keys go to the text's new place or into quick entry, and never run commands. Conflicts
// between two texts are resolved in editor.ts.
import type { Id } from '#core/ids.ts';
import type { ChangeCause, RowChange } from '#sync/replica/replica-types.ts';
import { quoted } from './editor.ts';
import { taskEntry } from '../entry/part.ts';
import { type KeyInput, type Stroke, typesText } from '../keys/stroke.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import { modeOf } from '../app/mode.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** A person who has not noticed keeps typing; one who has pauses before the next key. */
const PAUSE_MS = 2_000;
/** In a text these keys edit it; pressed here they are not meant for the tasks. */
const IN_TEXT = new Set<Stroke>(['Escape', 'Tab', 'Shift+Tab', 'Delete']);

interface Text {
  readonly id: Id;
  readonly isNotes: boolean;
  readonly isName: boolean;
  text: string;
  caret: number;
}

class OrphanedTyping implements PartHooks {
  readonly #program: Program;
  /** The vanished text, while keys still belong to it. */
  #gone: Text | null = null;
  /** Why a new task was refused, while its title may be on its way. */
  #refused: string | null = null;
  /** Whether anything was typed since it vanished. */
  #isChanged = false;
  #stopPause: (() => void) | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The text being typed when the gesture ended. */
  #typing: Text | null = null;
  #lastCause: ChangeCause = 'load';
  /** The last change came from elsewhere. */
  #isTheirs = false;

  apply(_changes: readonly RowChange[], cause: ChangeCause): void {
    this.#lastCause = cause;
  }

  beforeSettle(): void {
    this.#typing = this.#textNow();
    // Committing typed text is itself a change.
    this.#isTheirs = this.#lastCause === 'remote';
  }

  settle(): void {
    this.#endWhatWent(this.#typing, this.#isTheirs);
    this.#typing = null;
  }

  close(): void {
    this.end();
  }

  #textNow(): Text | null {
    const { editor, pane } = this.#program;
    const { title, notes } = editor;
    if (title) {
      const { id, field, text, caret } = title;
      return { id, isNotes: false, isName: field === 'name', text, caret };
    }
    if (pane !== 'notes' || !notes) return null;
    return { id: notes.id, isNotes: true, isName: false, text: notes.text, caret: notes.text.length };
  }

  /** Ends editing if its line vanished: commits the text, and tells the person if somebody else removed the line. */
  #endWhatWent(typing: Text | null, isTheirs: boolean): void {
    const program = this.#program;
    if (typing === null || this.#isStillThere(typing)) return;
    if (typing.isNotes) program.editor.flush();
    else program.editor.end();
    if (!isTheirs) return;
    if (program.pane === 'notes') program.pane = 'outline';
    this.#gone = typing;
    this.#isChanged = false;
    this.#wait();
    this.#say(typing.id);
  }

  /** A key asked for a new task that cannot be created here: its title may follow. */
  missed(reason: string): void {
    this.end();
    this.#refused = reason;
    this.#wait();
  }

  /** The next key belongs to a text without a field, whatever has the focus. */
  get isWaiting(): boolean {
    return this.#gone !== null || this.#refused !== null;
  }

  #isStillThere({ id, isNotes, isName }: Text): boolean {
    const { editor, workspace, replica, notesList } = this.#program;
    if (isNotes && notesList?.id === id) return !workspace.facts.isHidden(id);
    if (isNotes) return workspace.cursor === id;
    if (editor.title?.id !== id) return false;
    return isName ? replica.row(id) !== undefined : workspace.outline.has(id);
  }

  /** A key that may belong to the vanished text; false: it is for the commands. */
  press(input: KeyInput, stroke: Stroke): boolean {
    const gone = this.#gone;
    if (!this.isWaiting) return false;
    const program = this.#program;
    if (['dialog', 'palette', 'title', 'name'].includes(modeOf(program).type)) {
      this.end();
      return false;
    }
    if (gone === null) return this.#pressRefused(input, stroke);
    if (typesText(input, program.platform.apple)) this.#put(gone, input.key);
    else if (stroke === 'Backspace') this.#put(gone, '');
    else if (stroke === 'Enter' && gone.isNotes) this.#put(gone, '\n');
    else {
      this.end();
      // Enter would begin the next task, which is separate from the vanished text.
      if (stroke === 'Enter' && !gone.isName) program.run('task.createBelow');
      return stroke === 'Enter' || IN_TEXT.has(stroke);
    }
    return true;
  }

  /** Starts a title in quick entry, which explains the refusal; a list has to be chosen before it is added. */
  #pressRefused(input: KeyInput, stroke: Stroke): boolean {
    const program = this.#program;
    const reason = this.#refused ?? '';
    if (typesText(input, program.platform.apple)) {
      this.end();
      program.part(taskEntry).openDialog({ text: input.key.trim(), notes: '', reason, asksForList: true });
      return true;
    }
    this.end();
    if (stroke === 'Enter') program.run('task.createBelow');
    return stroke === 'Enter' || stroke === 'Backspace' || IN_TEXT.has(stroke);
  }

  /** Inserts a character at the caret; an empty one deletes the last. */
  #put(gone: Text, sign: string): void {
    const before = gone.text.slice(0, gone.caret);
    const kept = sign === '' ? [...before].slice(0, -1).join('') : before + sign;
    gone.text = kept + gone.text.slice(gone.caret);
    gone.caret = kept.length;
    this.#isChanged = true;
    this.#wait();
  }

  #wait(): void {
    this.#stopPause?.();
    const { platform } = this.#program;
    this.#stopPause = platform.after(PAUSE_MS, () => this.#program.act(() => this.end()));
  }

  /** Writes the further typing to where its text is now. */
  end(): void {
    const gone = this.#gone;
    this.#stopPause?.();
    this.#stopPause = null;
    this.#gone = null;
    this.#refused = null;
    if (gone === null || !this.#isChanged) return;
    const { id, isNotes, text } = gone;
    const { editor } = this.#program;
    if (isNotes) {
      editor.typeNotes(id, text);
      editor.flush();
    } else editor.type(id, text, null);
    this.#say(id);
  }

  #say(id: Id): void {
    const program = this.#program;
    const row = program.replica.row(id);
    if (!row) return;
    const name = quoted(nameOf(row));
    if (fieldOf(row, 'del') !== undefined)
      program.say(`${name} was deleted elsewhere. Your text is in the trash.`);
    else if (program.workspace.facts.isHidden(id))
      program.say(`The place of ${name} was deleted elsewhere. Your text is in the trash with it.`);
    else program.say(`${name} was moved elsewhere. Your text went with it.`);
  }
}

/** Catches keys for a text whose line vanished, or for a title that was refused. */
export const orphanedTyping = definePart({
  name: 'Typing without a line',
  create: (program) => new OrphanedTyping(program),
});
