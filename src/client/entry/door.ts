// The door to what is recognised while a task is typed: only this is part of the first load. Until the rest has come, a line
// is only text.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';
import type { TokenView } from './entry-view.ts';
import type { LineEntry } from './line-entry.ts';
import type { KeptEntry } from './quick-entry.ts';

export const entryPart = door(
  'Quick entry',
  async () => {
    const [line, dialog] = await Promise.all([
      import('./line-entry.ts'),
      import('./quick-entry.ts'),
      // Typing in the dialog must be answered at once.
      loadLedger(),
    ]);
    return { ...line, ...dialog };
  },
  { takesTasks: true },
);

const nothing: readonly TokenView[] = [];

export class Entry {
  readonly #program: Program;
  #line: LineEntry | null = null;
  #kept: KeptEntry | null = null;
  /** A stretch of the title is selected: keys are about that. */
  hasRange = false;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The title being edited was typed into; an input method that is still composing has said nothing yet. */
  typed(isComposing: boolean): void {
    const { editor } = this.#program;
    const { now } = entryPart;
    if (isComposing || now === null || editor.title === null) return;
    this.#line ??= new now.LineEntry(this.#program);
    this.#show(this.#line.typed());
  }

  /** The key that accepts what is suggested. False: there is nothing. */
  accept(): boolean {
    return !this.hasRange && this.#afterwards(this.#line?.accept() ?? false);
  }

  /** Backspace, where it is about what was recognised. */
  back(): boolean {
    return !this.hasRange && this.#afterwards(this.#line?.back() ?? false);
  }

  /** The title is left. */
  finish(): void {
    this.#line?.finish();
  }

  /** `offered`: what is typed into it already, before what was kept. */
  openDialog(offered: { readonly text: string; readonly notes: string } | null = null): CommandResult {
    const program = this.#program;
    return program.held.enter(entryPart, ({ QuickEntry }) => {
      program.palette.close();
      program.leaveText();
      program.editor.flush();
      const kept = this.#kept;
      this.#kept = null;
      const dialog = new QuickEntry(program, kept, (left) => (this.#kept = left));
      if (offered) dialog.offer(offered.text, offered.notes);
      program.openDialog = dialog;
      program.openDialog.refresh();
      return done;
    });
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
