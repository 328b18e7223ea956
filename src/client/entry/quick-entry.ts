// Quick entry: a line that becomes a task from anywhere, with what its words say about it shown while it is typed. Leaving
// keeps what was typed for the next time. A lazy chunk; how it looks is web/dialogs/quick-entry.tsx.
import { inboxId, type Id } from '#core/ids.ts';
import { isDayWhen } from '#core/when.ts';
import type { Action } from '#sync/operation.ts';
import { quoted } from '../editor.ts';
import { moreNotes, taskText } from '../long-text.ts';
import type { OpenDialog } from '../open-dialog.ts';
import { USUAL } from '../pickers/repeat-picker.ts';
import type { Program } from '../program.ts';
import { keepAdding, quickEntryTokens } from '../settings/entry.ts';
import { EntryReading } from './reading.ts';
import { finishTask, TokenLine } from './token-line.ts';
import type { Completion, Named, Token } from './tokens.ts';
import { sayToken, viewOf } from './values.ts';

const DATED = 'Call Ann tomorrow 5pm';

/** What was typed and not added, for the next time. */
export interface KeptEntry {
  readonly line: TokenLine;
  readonly notes: string;
  readonly list: Id | null;
}

export class QuickEntry implements OpenDialog {
  readonly #program: Program;
  readonly #reading: EntryReading;
  readonly #keep: (kept: KeptEntry | null) => void;
  #line: TokenLine;
  #notes: string;
  #showsNotes: boolean;
  /** Chosen by hand; null: the Inbox, unless the line names one. */
  #list: Id | null;
  #answer = '';
  /** Grows when the field has to show the line anew. */
  #put = 0;

  constructor(program: Program, kept: KeptEntry | null, keep: (kept: KeptEntry | null) => void) {
    this.#program = program;
    // A thumb adds several at once; whoever said otherwise is asked no more.
    if (program.platform.touch && !program.settings.isSet(keepAdding))
      program.settings.keep(keepAdding, true);
    this.#reading = new EntryReading(program);
    this.#keep = keep;
    this.#line = kept?.line ?? this.#fresh();
    this.#notes = kept?.notes ?? '';
    this.#showsNotes = this.#notes !== '';
    this.#list = kept?.list ?? null;
  }

  #fresh(): TokenLine {
    const mode = this.#program.settings.get(quickEntryTokens);
    const read = (text: string) => this.#reading.read(text);
    return new TokenLine(mode === 'suggest' ? 'signed' : mode, read);
  }

  submit(values: Readonly<Record<string, string>>): void {
    const { action = '', text = '', caret = '', index = '' } = values;
    if (action === 'type') this.#line.type(text, Number(caret));
    else if (action === 'tab') this.#tab();
    else if (action === 'accept') this.#accept(this.#line.shown[Number(index)]);
    else if (action === 'complete') this.#complete(this.#completions()[Number(index)]);
    else if (action === 'back') this.#back(Number(caret));
    else if (action === 'refuse') this.#refuse(Number(index));
    else if (action === 'label') this.#label(text);
    else if (action === 'words') this.#choose(text);
    else if (action === 'notes') {
      this.#notes = text;
      this.#showsNotes = true;
    } else if (action === 'list') this.#list = text as Id;
    else if (action === 'stays') this.#program.settings.keep(keepAdding, text === 'true');
    else if (action === 'save') {
      this.#save();
      return;
    }
    if (action !== 'stays') this.#answer = '';
    this.refresh();
  }

  /** Types for the person; what stands there already stays behind it. */
  offer(text: string, notes: string): void {
    const whole = [text, this.#line.text].filter((part) => part !== '').join(' ');
    this.#line.type(whole, text.length);
    this.#notes = [notes, this.#notes].filter((part) => part !== '').join('\n');
    this.#showsNotes = this.#notes !== '';
    this.#put += 1;
  }

  refresh(): void {
    const { settings } = this.#program;
    const context = this.#reading.context();
    const line = this.#line;
    const { pending } = line;
    const completing = this.#completions();
    this.#program.dialog.set({
      type: 'quickEntry',
      entry: {
        text: line.text,
        example: this.#example(),
        caret: line.caret,
        put: this.#put,
        tokens: line.shown.map((token) =>
          viewOf(token, line.counts(token) ? 'counts' : 'suggested', context),
        ),
        completions: completing.map(({ kind, name }) => `${kind === 'label' ? '#' : '@'}${name}`),
        tabAccepts: completing.length > 0 || pending.some((token) => !line.counts(token)),
        // Right behind these Backspace refuses instead of deleting.
        refusable: pending.filter((token) => line.counts(token)).map(({ end }) => end),
        restores: line.canRestore,
        notes: this.#notes,
        showsNotes: this.#showsNotes,
        labels: this.#otherLabels(),
        list: this.#destination(),
        lists: this.#reading.lists(),
        dueOn: this.#dueOn(),
        repeats: USUAL,
        stays: settings.get(keepAdding),
        answer: this.#answer,
      },
    });
  }

  #example(): string {
    const { settings, platform } = this.#program;
    const mode = settings.get(quickEntryTokens);
    if (mode === 'off') return 'Call Ann';
    if (mode === 'auto') return DATED;
    return `${DATED}, then ${platform.touch ? 'tap it' : 'Tab'}`;
  }

  get isTyping(): boolean {
    return this.#line.text !== '' || this.#notes !== '';
  }

  leave(): void {
    const isEmpty =
      this.#line.text.trim() === '' && this.#line.accepted.length === 0 && this.#notes.trim() === '';
    this.#keep(isEmpty ? null : { line: this.#line, notes: this.#notes, list: this.#list });
    if (!isEmpty) this.#program.say('Not added yet. Quick entry keeps what you typed.');
  }

  #completions(): readonly Completion[] {
    if (this.#program.settings.get(quickEntryTokens) === 'off') return [];
    return this.#reading.completions(this.#line.text, this.#line.caret);
  }

  #destination(): Id {
    const named = this.#counting().findLast(({ kind }) => kind === 'list');
    if (named?.kind === 'list') return named.id;
    return this.#list ?? inboxId(this.#program.replica.scope);
  }

  #counting(): readonly Token[] {
    return this.#line.shown.filter((token) => this.#line.counts(token));
  }

  #tab(): void {
    const [first] = this.#completions();
    if (first) this.#complete(first);
    else this.#accept();
  }

  #accept(token?: Token): void {
    if (this.#line.accept(token)) this.#put += 1;
  }

  #complete(chosen: Completion | undefined): void {
    if (!chosen) return;
    const { text } = this.#line;
    const sign = chosen.kind === 'label' ? '#' : '@';
    const before = `${text.slice(0, chosen.start)}${sign}${chosen.name} `;
    this.#line.type(before + text.slice(chosen.end).replace(/^ /, ''), before.length);
    this.#put += 1;
  }

  #back(caret: number): void {
    if (this.#line.back(caret)?.restored) this.#put += 1;
  }

  #refuse(index: number): void {
    const token = this.#line.shown[index];
    if (!token) return;
    const { text } = this.#line;
    this.#line.refuse(token);
    if (this.#line.text !== text) this.#put += 1;
  }

  /** Labels that the task does not get yet. */
  #otherLabels(): readonly Named[] {
    const given = new Set(this.#counting().flatMap((token) => (token.kind === 'label' ? [token.id] : [])));
    return this.#reading.labels().filter(({ id }) => !given.has(id));
  }

  #label(id: string): void {
    const label = this.#otherLabels().find((one) => one.id === id);
    if (label) this.#line.add({ kind: 'label', ...label, start: 0, end: 0, text: '' });
  }

  #dueOn(): string {
    const due = this.#counting().findLast((token) => token.kind === 'due');
    const when = due?.reading.when ?? null;
    return when !== null && isDayWhen(when) ? when.on : '';
  }

  /** `words`: those of a date or a repeat that was chosen by hand. */
  #choose(words: string): void {
    const { text } = this.#line;
    for (const token of this.#reading.read(words)) this.#line.add(token);
    if (this.#line.text !== text) this.#put += 1;
  }

  #save(): void {
    const program = this.#program;
    const { replica } = program;
    const { title, tokens } = finishTask(this.#line, this.#notes);
    if (title === '' && this.#notes.trim() === '') {
      this.#answer = 'Type what is to be done.';
      this.refresh();
      return;
    }
    const { fields, list } = this.#reading.values(tokens, null);
    const parent = list ?? this.#list ?? inboxId(replica.scope);
    const { fields: words, rest } = taskText(title, this.#notes);
    const id = replica.newId();
    const task: Action = {
      a: 'create',
      id,
      type: 'task',
      fields: { ...words, ...fields },
      place: { parent },
    };
    const made = program.change(
      [task, ...moreNotes(id, rest, () => replica.newId())],
      `added ${quoted(words.title ?? '')}`,
    );
    if (made.verdicts[0] !== 'ok') {
      this.#answer = 'It cannot be added to that list. Choose another one.';
      this.refresh();
      return;
    }
    this.#added(this.#saidOf({ title: words.title ?? '', parent, tokens }));
  }

  #saidOf(added: { readonly title: string; readonly parent: Id; readonly tokens: readonly Token[] }): string {
    const list = this.#reading.lists().find(({ id }) => id === added.parent)?.name ?? 'Inbox';
    const context = this.#reading.context();
    const more = added.tokens.filter(({ kind }) => kind !== 'list').map((token) => sayToken(token, context));
    return `Added ${[quoted(added.title), ...more].join(', ')} to ${list}.`;
  }

  #added(said: string): void {
    this.#line = this.#fresh();
    this.#notes = '';
    this.#showsNotes = false;
    if (!this.#program.settings.get(keepAdding)) {
      this.#program.run('dialog.close');
      this.#program.say(said, { undo: true, brief: true });
      return;
    }
    this.#put += 1;
    this.#answer = said;
    this.refresh();
  }
}
