// Typing without a line: it went away because somebody else deleted or moved it, or there was none because a new task could
// not be made. That is said; what is typed on follows the text to where it went, or becomes a task in the Inbox, and is never
// taken for commands. Not here: which of two texts stands (editor.ts).
import type { Id } from '#core/ids.ts';
import { quoted } from './editor.ts';
import { type KeyInput, type Stroke, typesText } from './keys/stroke.ts';
import type { Program } from './program.ts';
import { nameOf } from './row-facts.ts';

/** Who has not noticed goes on typing; who has, waits a moment before the next key. */
const PAUSE_MS = 2_000;
/** In a text these change it; nobody who presses them there means the tasks. */
const IN_TEXT = new Set<Stroke>(['Escape', 'Tab', 'Shift+Tab', 'Delete']);

interface Text<T = Id> {
  readonly id: T;
  readonly isNotes: boolean;
  readonly isName: boolean;
  text: string;
  caret: number;
}

export class Adrift {
  readonly #program: Program;
  /** What went, while keys still belong to it; without an id, what never came to be. */
  #gone: Text<Id | null> | null = null;
  /** Whether anything was typed since it went. */
  #isChanged = false;
  #stopPause: (() => void) | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  /** What is being typed now, to be asked for before anything ends it. */
  typing(): Text | null {
    const { editor, pane } = this.#program;
    const { title, notes } = editor;
    if (title) {
      const { id, field, text, caret } = title;
      return { id, isNotes: false, isName: field === 'name', text, caret };
    }
    if (pane !== 'notes' || !notes) return null;
    return { id: notes.id, isNotes: true, isName: false, text: notes.text, caret: notes.text.length };
  }

  /** Editing ends where its line went; what was typed is committed, and when somebody else took the line, said. */
  endWhatWent(typing: Text | null, isTheirs: boolean): void {
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

  /** A new task was asked for by a key and cannot be here: its title may be on its way already. */
  missed(): void {
    this.end();
    this.#gone = { id: null, isNotes: false, isName: false, text: '', caret: 0 };
    this.#isChanged = false;
    this.#wait();
  }

  #isStillThere({ id, isNotes, isName }: Text): boolean {
    const { editor, workspace, replica, notesList } = this.#program;
    if (isNotes && notesList?.id === id) return !workspace.facts.isHidden(id);
    if (isNotes) return workspace.cursor === id;
    if (editor.title?.id !== id) return false;
    return isName ? replica.row(id) !== undefined : workspace.outline.has(id);
  }

  /** A key that still belongs to what went; false: it is nobody's but the commands'. */
  press(input: KeyInput, stroke: Stroke): boolean {
    const gone = this.#gone;
    if (gone === null) return false;
    const program = this.#program;
    const isElsewhere = program.palette.isOpen || program.dialog.get() !== null || program.editor.title;
    if (isElsewhere) {
      this.end();
      return false;
    }
    if (typesText(input, program.platform.apple)) this.#put(gone, input.key);
    else if (stroke === 'Backspace') this.#put(gone, '');
    else if (stroke === 'Enter' && gone.isNotes) this.#put(gone, '\n');
    else {
      this.end();
      // Tasks are written line by line: the next one is no part of what went.
      if (stroke === 'Enter' && !gone.isName) program.run('task.createBelow');
      return stroke === 'Enter' || IN_TEXT.has(stroke);
    }
    return true;
  }

  /** Puts a sign where the caret was; an empty one takes the last away. */
  #put(gone: Text<Id | null>, sign: string): void {
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

  /** Writes what was typed on to where its text is now. */
  end(): void {
    const gone = this.#gone;
    this.#stopPause?.();
    this.#stopPause = null;
    this.#gone = null;
    if (gone === null || !this.#isChanged) return;
    const { id, isNotes, text } = gone;
    if (id === null) {
      this.#addToInbox(text.trim());
      return;
    }
    const { editor } = this.#program;
    if (isNotes) {
      editor.typeNotes(id, text);
      editor.flush();
    } else editor.type(id, text, null);
    this.#say(id);
  }

  #addToInbox(text: string): void {
    if (text === '') return;
    const program = this.#program;
    program.addToInbox(text);
    program.say(`${quoted(text)} is in the Inbox: it could not be added here.`, { undo: true });
  }

  #say(id: Id): void {
    const program = this.#program;
    const row = program.replica.row(id);
    if (!row) return;
    const name = quoted(nameOf(row));
    if (row.fields.del !== undefined)
      program.say(`${name} was deleted elsewhere. Your text is in the trash.`);
    else if (program.workspace.facts.isHidden(id))
      program.say(`What ${name} was in was deleted elsewhere. Your text is in the trash with it.`);
    else program.say(`${name} was moved elsewhere. Your text went with it.`);
  }
}
