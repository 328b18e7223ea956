// Lazy part of token recognition while a task is typed: only this file is in the first load. Until it is loaded, a line
// is plain text; then the current line is read.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { OfferedEntry, TokenView } from './entry-view.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import type { Added } from './adding.ts';
import type { LineEntry, Unread } from './line-entry.ts';

/**
 * Reads tokens in lines and holds the quick entry dialog. Loaded when idle or first needed; keys typed meanwhile are a
 * task.
 */
export const entryPart = lazyPart(
  'Quick entry',
  async () => {
    const [line, dialog, adding] = await Promise.all([
      import('./line-entry.ts'),
      import('./quick-entry.ts'),
      import('./adding.ts'),
      // Typing in the dialog must be answered at once.
      loadAnswers(),
    ]);
    return { ...line, ...dialog, ...adding };
  },
  { takesTasks: true },
);

const nothing: readonly TokenView[] = [];

class Entry implements PartHooks {
  readonly #program: Program;
  #line: LineEntry | null = null;
  /** A title was typed into before tokens could be read. */
  #isAwaited = false;
  /** Titles that were left before tokens could be read: they are read then. */
  #unread: Unread[] = [];
  #isComposing = false;
  /** Texts from elsewhere, kept until the dialog takes them: it may fail to load. */
  #offered: OfferedEntry[] = [];
  /** Part of the title is selected, so keys act on that. */
  hasRange = false;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The title being edited was typed into. Ignored while an input method is composing. */
  typed(isComposing: boolean): void {
    const { editor } = this.#program;
    const { now } = entryPart;
    this.#isComposing = isComposing;
    if (isComposing || editor.title === null) return;
    if (now === null) {
      this.#await();
      return;
    }
    this.#line ??= new now.LineEntry(this.#program);
    this.#show(this.#line.typed());
  }

  /** What the title holds already is marked. */
  beganText(): void {
    if (entryPart.now !== null && this.#program.editor.title?.text !== '') this.typed(false);
  }

  /**
   * Accepts the first suggestion, by key only where the key would do nothing else, or the one that was pressed, by its
   * place among what is shown. False: there is none.
   */
  accept(by: 'key' | number): boolean {
    if (by === 'key' && this.hasRange) return false;
    return this.#afterwards(this.#line?.accept(by) ?? false);
  }

  /** Backspace, if it applies to a token. */
  back(): boolean {
    return !this.hasRange && this.#afterwards(this.#line?.back() ?? false);
  }

  /** Keeps all tokens as words, or the one that was pressed; gives taken words back. False: there are none. */
  keepWords(which: 'all' | number): boolean {
    return this.#afterwards(this.#line?.keepWords(which) ?? false);
  }

  leaveText(): void {
    this.#line?.finish();
    const { title } = this.#program.editor;
    if (this.#line !== null || title?.field !== 'title' || title.text === title.original) return;
    const { id, group, text, fresh, original } = title;
    this.#unread.push({ id, group, text, original: fresh ? '' : original });
    this.#await();
  }

  /** Adds a line that was typed where no task is written: the palette, a search. Null: no list takes it. */
  add(text: string): Added | null {
    const program = this.#program;
    if (entryPart.now !== null) return entryPart.now.addLine(program, text);
    const id = program.addToInbox(text);
    const title = nameOf(program.replica.row(id));
    const group = program.undo.newest?.id;
    if (group !== undefined) this.#unread.push({ id, group, text: title, original: '' });
    this.#await();
    return { id, said: `Added ${quoted(title)} to the Inbox.` };
  }

  /** What `add` would recognize, in words; empty: nothing, or it cannot be known yet. */
  wouldRead(text: string): string {
    return entryPart.now?.readLine(this.#program, text).said ?? '';
  }

  /** Opens quick entry. `offered`: initial content, before what was kept. */
  openDialog(offered: OfferedEntry | null = null): CommandResult {
    const program = this.#program;
    if (offered) this.#offered.push(offered);
    return program.inputQueue.enter(entryPart, ({ QuickEntry }) => {
      program.palette.close();
      program.leaveText();
      program.editor.flush();
      const dialog = new QuickEntry(program);
      for (const one of this.#offered.toReversed()) dialog.offer(one);
      this.#offered = [];
      program.dialog.open(dialog);
      return done;
    });
  }

  #await(): void {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    void entryPart
      .load()
      .then(
        ({ LineEntry }) => this.#program.act(() => this.#loaded(new LineEntry(this.#program))),
        // The next letter tries again.
        () => undefined,
      )
      .finally(() => (this.#isAwaited = false));
  }

  #loaded(line: LineEntry): void {
    this.#line ??= line;
    for (const left of this.#unread.splice(0)) this.#line.readLate(left);
    this.typed(this.#isComposing);
  }

  #afterwards(did: boolean): boolean {
    if (did && this.#line) this.#show(this.#line.typed());
    return did;
  }

  #show(tokens: readonly TokenView[]): void {
    if (!this.#program.editor.suggest(tokens.length === 0 ? nothing : tokens)) return;
    this.#program.act(() => undefined);
  }
}

/** Recognizes tokens in the title being edited, and opens quick entry. */
export const taskEntry = definePart({ name: 'Task entry', create: (program) => new Entry(program) });
