// Quick entry: a line that becomes a task from anywhere, with its tokens shown while it is typed. Leaving keeps the
// text for the next time. A lazy part; it is drawn by web/dialogs/quick-entry.tsx.
import { unreachable } from '#core/assert.ts';
import { inboxId, type Id } from '#core/ids.ts';
import { isDayWhen } from '#core/when.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { USUAL } from '../pickers/repeat-picker.ts';
import type { Program } from '../app/program.ts';
import { keepAdding, quickEntryTokens } from '../settings/entry.ts';
import type { OfferedEntry, QuickEntryAction } from './entry-view.ts';
import { EntryReading, sayCompletion } from './reading.ts';
import { addEntered, quickLine } from './adding.ts';
import { keepEntry, keptEntry } from './kept-entry.ts';
import { finishTask, type TokenLine } from './token-line.ts';
import { type Completion, type Named, signed } from '#core/titles/names.ts';
import type { Token } from '#core/titles/tokens.ts';
import { viewOf } from './values.ts';

const DATED = 'Call Ann tomorrow 5pm';

export class QuickEntry implements OpenDialog {
  readonly type = 'quickEntry';
  readonly #program: Program;
  readonly #reading: EntryReading;
  #line: TokenLine;
  #isOnce = false;
  #notes: string;
  #showsNotes: boolean;
  /** Chosen by hand; null: the Inbox, unless the line names one. */
  #list: Id | null;
  #answer = '';
  #reason: string;
  #asksForList: boolean;
  /** Grows when the field has to show the line again. */
  #put = 0;

  constructor(program: Program) {
    this.#program = program;
    // On a phone, several tasks are usually added at once, unless the person set otherwise.
    if (program.platform.touch && !program.settings.isSet(keepAdding))
      program.settings.keep(keepAdding, true);
    this.#reading = new EntryReading(program);
    this.#line = this.#fresh();
    const kept = keptEntry(program);
    if (kept !== null) this.#line.resume(kept.line);
    this.#notes = kept?.notes ?? '';
    this.#showsNotes = this.#notes !== '';
    this.#list = kept?.list ?? null;
    this.#reason = kept?.reason ?? '';
    this.#asksForList = kept?.asksForList ?? false;
  }

  /** For the next task; what came from elsewhere is one. */
  get #stays(): boolean {
    return !this.#isOnce && this.#program.settings.get(keepAdding);
  }

  #fresh(original = ''): TokenLine {
    return quickLine(this.#program, this.#reading, original);
  }

  submit(action: QuickEntryAction): void {
    if (action.action === 'save') {
      this.#save();
      return;
    }
    if (action.action !== 'stays') this.#answer = '';
    this.#change(action);
    this.#keep();
    this.refresh();
  }

  #change(action: Exclude<QuickEntryAction, { readonly action: 'save' }>): void {
    switch (action.action) {
      case 'type':
        this.#line.type(action.text, action.caret);
        return;
      case 'tab':
        this.#tab();
        return;
      case 'accept':
        this.#accept(this.#line.shown[action.index]);
        return;
      case 'refuse':
        this.#refuse(action.index);
        return;
      case 'complete':
        this.#complete(this.#completions()[action.index]);
        return;
      case 'back':
        this.#back(action.caret);
        return;
      case 'words':
        this.#choose(action.text);
        return;
      case 'notes':
        this.#notes = action.text;
        this.#showsNotes = true;
        return;
      case 'label':
        this.#label(action.id);
        return;
      case 'list':
        this.#list = action.id;
        return;
      case 'stays':
        this.#isOnce = false;
        this.#program.settings.keep(keepAdding, action.checked);
        return;
      default:
        unreachable(action);
    }
  }

  /** Adds offered text; text already there stays behind it. */
  offer(offered: OfferedEntry): void {
    const { text, notes, reason = '', asksForList = false, list = null } = offered;
    const kept = this.#line.text;
    this.#isOnce = offered.isQuoted === true;
    // The same once more: a page that was loaded again, or shared twice.
    const isAgain = text !== '' && text === kept && notes === this.#notes;
    if (offered.isQuoted && kept === '') this.#line = this.#fresh(text);
    if (!isAgain) {
      const whole = [text, kept].filter((part) => part !== '').join(' ');
      this.#line.type(whole, text.length);
      this.#notes = [notes, this.#notes].filter((part) => part !== '').join('\n');
    }
    this.#showsNotes = this.#notes !== '';
    this.#reason = reason;
    this.#asksForList = asksForList;
    this.#list = list ?? this.#list;
    if (!isAgain) for (const token of tokensOf(offered)) this.#line.add(token);
    this.#put += 1;
    this.#keep();
  }

  refresh(): void {
    const context = this.#reading.context();
    const line = this.#line;
    const { pending } = line;
    const completing = this.#completions();
    this.#program.dialog.show({
      type: 'quickEntry',
      entry: {
        text: line.text,
        example: this.#example(),
        caret: line.caret,
        put: this.#put,
        tokens: line.shown.map((token) =>
          viewOf(
            token,
            { state: line.counts(token) ? 'counts' : 'suggested', isInLine: pending.includes(token) },
            context,
          ),
        ),
        completions: completing.map(sayCompletion),
        tabAccepts: completing.length > 0 || pending.some((token) => !line.counts(token)),
        // Right behind these tokens, Backspace refuses instead of deleting.
        refusable: pending.filter((token) => line.counts(token)).map(({ end }) => end),
        restores: line.canRestore,
        notes: this.#notes,
        showsNotes: this.#showsNotes,
        labels: this.#otherLabels(),
        list: this.#destination(),
        lists: this.#reading.lists(),
        dueOn: this.#dueOn(),
        repeats: USUAL,
        stays: this.#stays,
        answer: this.#answer,
        reason: this.#reason,
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
    if (!this.#isEmpty) this.#program.say('Not added yet. Quick entry keeps what you typed.');
  }

  get #isEmpty(): boolean {
    return this.#line.text.trim() === '' && this.#line.accepted.length === 0 && this.#notes.trim() === '';
  }

  #keep(): void {
    const kept = {
      line: this.#line.content,
      notes: this.#notes,
      list: this.#list,
      reason: this.#reason,
      asksForList: this.#asksForList,
    };
    keepEntry(this.#program, this.#isEmpty ? null : kept);
  }

  #completions(): readonly Completion[] {
    if (this.#program.settings.get(quickEntryTokens) === 'off') return [];
    return this.#reading.completions(this.#line.text, this.#line.caret);
  }

  /** The list to add to. Null: it has to be chosen. */
  #destination(): Id | null {
    const named = this.#counting().findLast(({ kind }) => kind === 'list');
    if (named?.kind === 'list') return named.id;
    if (this.#list !== null) return this.#list;
    return this.#asksForList ? null : inboxId(this.#program.replica.scope);
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
    if (!chosen || !this.#reading.make(chosen)) return;
    if (chosen.isNew) this.#answer = `Created ${chosen.kind} ${signed(chosen)}.`;
    const { text } = this.#line;
    const before = `${text.slice(0, chosen.start)}${signed(chosen)} `;
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

  #label(id: Id): void {
    const label = this.#otherLabels().find((one) => one.id === id);
    if (label) this.#line.add({ kind: 'label', ...label, start: 0, end: 0, text: '' });
  }

  #dueOn(): string {
    const due = this.#counting().findLast((token) => token.kind === 'due');
    const when = due?.reading.when ?? null;
    return when !== null && isDayWhen(when) ? when.on : '';
  }

  /** `words`: the phrase of a date or repeat chosen by hand. */
  #choose(words: string): void {
    const { text } = this.#line;
    for (const token of this.#reading.chosen(words)) this.#line.add(token);
    if (this.#line.text !== text) this.#put += 1;
  }

  #save(): void {
    const program = this.#program;
    if (this.#destination() === null) {
      this.#answer = 'Choose a list for it.';
      this.refresh();
      return;
    }
    const { title, tokens } = finishTask(this.#line, this.#notes);
    if (title === '' && this.#notes.trim() === '') {
      this.#answer = 'Type what you need to do.';
      this.refresh();
      return;
    }
    const parent = this.#list ?? inboxId(program.replica.scope);
    const added = addEntered(program, this.#reading, { title, notes: this.#notes, tokens, parent });
    if (added === null) {
      this.#answer = 'You can’t add it to that list. Choose another.';
      this.refresh();
      return;
    }
    this.#added(added.said);
  }

  #added(said: string): void {
    this.#line = this.#fresh();
    this.#notes = '';
    this.#showsNotes = false;
    this.#reason = '';
    this.#asksForList = false;
    this.#keep();
    if (!this.#stays) {
      this.#program.run('dialog.close');
      this.#program.say(said, { undo: true, brief: true });
      return;
    }
    this.#put += 1;
    this.#answer = said;
    this.refresh();
  }
}

/** The values of an offered text, as if chosen by hand. */
function tokensOf({ due = null, durationMinutes = null, labels = [] }: OfferedEntry): readonly Token[] {
  const place = { start: 0, end: 0, text: '' };
  return [
    ...(due === null ? [] : [{ ...place, kind: 'due', reading: { when: due, duration: null } } as const]),
    ...(durationMinutes === null ? [] : [{ ...place, kind: 'duration', minutes: durationMinutes } as const]),
    ...labels.map((label) => ({ ...place, kind: 'label', ...label }) as const),
  ];
}
