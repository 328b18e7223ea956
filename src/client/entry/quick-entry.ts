// Quick entry: a line that becomes a task from anywhere, with its tokens shown while it is typed. Leaving keeps the
// text for the next time. A lazy part; it is drawn by web/dialogs/quick-entry.tsx.
import { unreachable } from '#core/assert.ts';
import { inboxId, type Id } from '#core/ids.ts';
import { plainColor } from '#core/model.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { moveOf } from '../dialogs/list-cursor.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import { keepAdding, quickEntryTokens } from '../settings/entry.ts';
import type {
  EntryLineAction,
  EntryListView,
  EntryQuestion,
  EntryQuestionAction,
  OfferedEntry,
  QuickEntryAction,
} from './entry-view.ts';
import { EntryReading, sayCompletion } from './reading.ts';
import { addEntered, quickLine, tellLine } from './adding.ts';
import { keepEntry, type KeptEntry, keptEntry } from './kept-entry.ts';
import { finishTask, type TokenLine } from './token-line.ts';
import { type Completion, signed } from '#core/titles/names.ts';
import type { Token } from '#core/titles/tokens.ts';
import { type EntryAnswer, Question } from './question.ts';
import { sayToken, viewOf } from './values.ts';

const OF_QUESTION: ReadonlySet<string> = new Set<EntryQuestionAction['action']>([
  'ask',
  'filter',
  'move',
  'pick',
  'day',
  'step',
  'leaveQuestion',
]);

const isOfQuestion = (action: EntryLineAction | EntryQuestionAction): action is EntryQuestionAction =>
  OF_QUESTION.has(action.action);

const DATED = 'Call Ann tomorrow 5pm';

const EMPTY: KeptEntry = {
  line: { text: '', accepted: [], literal: [], old: [] },
  notes: '',
  list: null,
  reason: '',
  asksForList: false,
};

export class QuickEntry implements OpenDialog {
  readonly type = 'quickEntry';
  readonly #program: Program;
  readonly #reading: EntryReading;
  #line: TokenLine;
  #isOnce = false;
  #notes = '';
  #showsNotes = false;
  /** Chosen by hand; null: the Inbox, unless the line names one. */
  #list: Id | null = null;
  #answer = '';
  #reason = '';
  #asksForList = false;
  /** What waits while this one is written; null: nothing. */
  #behind: KeptEntry | null = null;
  /** What is being chosen by hand. */
  #question: Question | null = null;
  /** Grows when the field has to show the line again. */
  #put = 0;

  constructor(program: Program) {
    this.#program = program;
    // On a phone, several tasks are usually added at once, unless the person set otherwise.
    if (program.platform.touch && !program.settings.isSet(keepAdding))
      program.settings.keep(keepAdding, true);
    this.#reading = new EntryReading(program);
    this.#line = this.#fresh();
    this.#resume(keptEntry(program));
  }

  /** Goes on with what was kept; null: with an empty line. */
  #resume(kept: KeptEntry | null): void {
    this.#line = this.#fresh();
    if (kept !== null) this.#line.resume(kept.line);
    this.#notes = kept?.notes ?? '';
    this.#showsNotes = this.#notes !== '';
    this.#list = kept?.list ?? null;
    this.#reason = kept?.reason ?? '';
    this.#asksForList = kept?.asksForList ?? false;
    this.#behind = kept?.behind ?? null;
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
      this.#question = null;
      this.#save(action.staysOpen === true || this.#stays);
      return;
    }
    this.#answer = '';
    if (isOfQuestion(action)) this.#ask(action);
    else this.#change(action);
    this.#keep();
    this.refresh();
  }

  byKey(command: string): QuickEntryAction | null {
    if (this.#question === null) return null;
    if (command === 'options.choose') return { action: 'pick' };
    const to = moveOf(command);
    return to === null ? null : { action: 'move', to };
  }

  /** Leaves the question before the dialog. */
  clearFilter(): boolean {
    if (this.#question === null) return false;
    this.submit({ action: 'leaveQuestion' });
    return true;
  }

  #ask(action: EntryQuestionAction): void {
    switch (action.action) {
      case 'ask':
        this.#begin(action.what);
        return;
      case 'filter':
        this.#question?.type(action.text);
        return;
      case 'move':
        this.#question?.move(action.to);
        return;
      case 'pick':
        this.#question?.pick(action.index);
        return;
      case 'day':
        this.#question?.pickDay(action.day);
        return;
      case 'step':
        this.#question?.step(action.step);
        return;
      case 'leaveQuestion':
        this.#question = null;
        return;
      default:
        unreachable(action);
    }
  }

  #begin(what: EntryQuestion, words = ''): void {
    const ports = {
      written: () => ({
        due: this.#due,
        labels: this.#counting().flatMap((token) => (token.kind === 'label' ? [token.id] : [])),
        list: this.#destination(),
        lists: this.#reading.lists(),
      }),
      answer: (answer: EntryAnswer) => {
        this.#question = null;
        this.#take(answer);
      },
      instead: (other: EntryQuestion, said: string) => this.#begin(other, said),
    };
    this.#question = new Question(this.#program, what, ports, words);
  }

  #change(action: EntryLineAction): void {
    this.#question = null;
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
      case 'notes':
        this.#notes = action.text;
        this.#showsNotes = true;
        return;
      default:
        unreachable(action);
    }
  }

  /** Shows what was offered; what waits already comes after it. */
  offer(offered: OfferedEntry): void {
    const { text, notes, reason = '', asksForList = false, list = null } = offered;
    const waits = this.#line.text;
    this.#isOnce = offered.isQuoted === true;
    // The same once more: a page that was loaded again, or shared twice.
    const isAgain = text !== '' && text === waits && notes === this.#notes;
    if (!isAgain && text !== '' && !this.#isEmpty) this.#resume({ ...EMPTY, behind: this.#content });
    const kept = this.#line.text;
    if (offered.isQuoted && kept === '') this.#line = this.#fresh(text);
    if (!isAgain) {
      const whole = [text, kept].filter((part) => part !== '').join(' ');
      this.#line.type(whole, text.length);
      this.#notes = [notes, this.#notes].filter((part) => part !== '').join('\n');
    }
    this.#showsNotes = this.#notes !== '';
    // What a gate holds back was meant for the open list, and its reason is said as long as it holds.
    const isHeld = this.#program.gate !== null;
    this.#reason = isHeld ? '' : reason;
    this.#asksForList = asksForList && !isHeld;
    this.#list = list ?? (isHeld && asksForList ? this.#openList() : null) ?? this.#list;
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
        tokens: line.shown.map((token) => ({
          ...viewOf(
            token,
            { state: line.counts(token) ? 'counts' : 'suggested', isInLine: pending.includes(token) },
            context,
          ),
          ...this.#colorOf(token),
        })),
        completions: completing.map(sayCompletion),
        tabAccepts: completing.length > 0 || pending.some((token) => !line.counts(token)),
        // Right behind these tokens, Backspace refuses instead of deleting.
        refusable: pending.filter((token) => line.counts(token)).map(({ end }) => end),
        restores: line.canRestore,
        notes: this.#notes,
        showsNotes: this.#showsNotes,
        list: this.#listView(),
        question: this.#question?.view ?? null,
        answer: this.#answer,
        reason: this.#program.gate?.why ?? this.#reason,
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
    keepEntry(this.#program, this.#isEmpty ? this.#behind : this.#content);
  }

  get #content(): KeptEntry {
    return {
      line: this.#line.content,
      notes: this.#notes,
      list: this.#list,
      reason: this.#reason,
      asksForList: this.#asksForList,
      ...(this.#behind === null ? {} : { behind: this.#behind }),
    };
  }

  #completions(): readonly Completion[] {
    if (this.#program.settings.get(quickEntryTokens) === 'off') return [];
    return this.#reading.completions(this.#line.text, this.#line.caret);
  }

  /** Null: none that takes tasks is open. */
  #openList(): Id | null {
    const { replica, workspace } = this.#program;
    const row = workspace.place.type === 'list' ? replica.row(workspace.place.id) : undefined;
    return row?.type === 'list' && fieldOf(row, 'listType') === 'list' ? row.id : null;
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

  /** Where the task goes. */
  get #under(): Id {
    return this.#destination() ?? inboxId(this.#program.replica.scope);
  }

  #accept(token?: Token): void {
    if (this.#line.accept(token)) this.#put += 1;
  }

  #complete(chosen: Completion | undefined): void {
    if (!chosen || !this.#reading.make(chosen, { under: this.#under })) return;
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

  #listView(): EntryListView | null {
    const id = this.#destination();
    if (id === null) return null;
    const name = this.#reading.lists().find((list) => list.id === id)?.name ?? '';
    return { id, name: name || 'Untitled', isInbox: id === inboxId(this.#program.replica.scope) };
  }

  #colorOf(token: Token): { readonly color?: string } {
    if (token.kind !== 'label') return {};
    return { color: fieldOf(this.#program.replica.row(token.id), 'color') ?? plainColor };
  }

  get #due() {
    const due = this.#counting().findLast((token) => token.kind === 'due');
    return due?.reading.when ?? null;
  }

  /** Takes what was chosen by hand. It stands for words that counted, except a label, which is added or left out. */
  #take(answer: EntryAnswer): void {
    const { text } = this.#line;
    const place = { start: 0, end: 0, text: '' };
    if (answer.what === 'due' || answer.what === 'repeat') {
      const { what, reading } = answer;
      // Made by the question: the reading is of that kind.
      if (reading !== null) this.#line.add({ ...place, kind: what, reading } as Token);
      else for (const token of this.#counting()) if (token.kind === what) this.#line.refuse(token);
    } else {
      const { what, name } = answer;
      const id = answer.id ?? this.#reading.create(what, name, { under: this.#under });
      if (id === null) return;
      if (answer.id === null) this.#answer = `Created ${what} ${signed({ kind: what, name })}.`;
      if (what === 'list') this.#moveTo(id);
      else this.#toggleLabel(id, name);
    }
    if (this.#line.text !== text) this.#put += 1;
  }

  #moveTo(list: Id): void {
    this.#list = list;
    this.#line.drop('list');
  }

  #toggleLabel(id: Id, name: string): void {
    const given = this.#counting().find((token) => token.kind === 'label' && token.id === id);
    if (given) this.#line.refuse(given);
    else this.#line.add({ kind: 'label', id, name, start: 0, end: 0, text: '' });
  }

  /** `stays`: the next one is asked for. */
  #save(stays: boolean): void {
    const program = this.#program;
    if (program.gate !== null || this.#destination() === null) {
      this.#answer = program.gate?.why ?? 'Choose a list for it.';
      this.refresh();
      return;
    }
    const line = this.#line.words((token) => sayToken(token, this.#reading.context()));
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
    tellLine(program, line, parent);
    this.#added(added.said, stays);
  }

  #added(said: string, stays: boolean): void {
    const behind = this.#behind;
    const list = this.#list;
    this.#resume(behind);
    this.#list = behind === null ? list : this.#list;
    this.#keep();
    if (!stays && behind === null) {
      this.#program.run('dialog.close');
      this.#program.say(said, { undo: true, brief: true });
      return;
    }
    this.#put += 1;
    this.#answer = behind === null ? said : `${said} This one was waiting.`;
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
