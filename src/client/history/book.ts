// The open history: reads the server's history and this device's journal, shows the matching entries, and restores a
// value. A lazy part; it lives as long as its dialog. Wording is in sentences.ts, the effect of an operation in change.ts.
import { nameOfPerson } from '../together/people.ts';
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import type { HistoryAction, HistoryDetail, HistoryEntryView, HistoryView, HistoryWay } from './view.ts';
import { type Change, type Event, isSilent, joined, subjectId } from './change.ts';
import { openTakingBack } from '../taking-back/lazy.ts';
import { openTimeMachine } from './lazy.ts';
import { HistoryFeed, scopesAbout } from './feed.ts';
import { Days } from './moment-words.ts';
import { stands } from './moments.ts';
import { predicateOf, sentenceOf, spoken, type Told } from './sentences.ts';
import { detailOf, shortened, type Speaking, subjectOf } from './words.ts';
import { registersOf } from '#sync/rows/row.ts';
import { aimedAt, movedTo, type ListMove, moveOf } from '../dialogs/list-cursor.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { everySetting } from '../settings/catalog.ts';

/** Subject of the history: one entity, one with all its descendants, or everything. */
export type About = { readonly type: 'one' | 'tree'; readonly id: Id } | { readonly type: 'all' };

/** The changes of one gesture. */
interface Entry {
  readonly events: readonly Event[];
  readonly changes: readonly Change[];
}

const MOST_DETAILS = 20;
/** The longest value that a button names. */
const SHORT = 30;

export class HistoryBook implements OpenDialog {
  readonly type = 'history';
  readonly #program: Program;
  readonly #about: About;
  readonly #feed: HistoryFeed;
  readonly #subject: string;
  #filter = '';
  #active = 0;
  /** Something was typed to find an entry, and none was chosen since. */
  #isSought = false;
  #answer: HistoryView['answer'] = null;
  #entries: readonly Entry[] = [];
  #shown: readonly Entry[] = [];
  /** What they are found by, made when something is looked for. */
  #texts = new WeakMap<Entry, string>();

  constructor(program: Program, about: About, subject: string) {
    this.#program = program;
    this.#about = about;
    this.#subject = subject;
    this.#feed = new HistoryFeed(program, {
      scopes: scopesAbout(program, about.type === 'all' ? null : about.id),
      ...(about.type === 'all' ? {} : { [about.type === 'one' ? 'id' : 'under']: about.id }),
    });
  }

  /** Reads the newest entries. Resolves once they are on screen. */
  async open(): Promise<void> {
    this.#program.dialog.show({ type: 'history', history: this.#view() });
    await this.#feed.open(() => this.#arrived());
  }

  submit(action: HistoryAction): void {
    this.#answer = null;
    if (action.action === 'travel') this.#travel();
    else if (action.action === 'takeBack') this.#takeBack();
    else {
      this.#do(action);
      this.#show();
    }
  }

  byKey(command: string): HistoryAction | null {
    // Enter behind what was typed to find something changes nothing yet.
    if (command === 'options.choose')
      return this.#isSought ? { action: 'choose', index: this.#active } : { action: 'bringBack' };
    if (command === 'history.travelTo') return { action: 'travel' };
    if (command === 'history.takeBack') return { action: 'takeBack' };
    const to = moveOf(command);
    return to === null ? null : { action: 'move', to };
  }

  undo(): void {
    this.#program.run('edit.undo');
    this.#say(this.#program.messages.current?.text ?? 'Undone.');
    this.#show();
  }

  #do(action: Exclude<HistoryAction, { readonly action: 'travel' | 'takeBack' }>): void {
    switch (action.action) {
      case 'filter':
        this.#isSought = action.text.trim() !== '';
        this.#find(action.text);
        return;
      case 'more':
      case 'retry':
        void this.#readPage();
        return;
      case 'bringBack':
        void this.#bringAllBack();
        return;
      case 'choose':
        this.#isSought = false;
        this.#active = action.index;
        return;
      case 'move':
        this.#isSought = false;
        this.#move(action.to);
    }
  }

  get isTyping(): boolean {
    return this.#filter !== '';
  }

  clearFilter(): boolean {
    if (this.#filter === '') return false;
    this.submit({ action: 'filter', text: '' });
    return true;
  }

  refresh(): void {
    // Names may have changed.
    this.#texts = new WeakMap();
    this.#show();
  }

  leave(): void {
    // Nothing typed has to be kept.
  }

  /** Opens the time machine before the chosen entry. */
  #travel(): void {
    const before = this.#shown[this.#active]?.events.at(-1)?.u;
    const root = this.#about.type === 'all' ? null : this.#about.id;
    if (before !== undefined) openTimeMachine(this.#program, root, { before });
  }

  /** What somebody else did in a shared list, from the chosen entry on. */
  #takeBack(): void {
    const oldest = this.#shown[this.#active]?.events[0];
    const { replica } = this.#program;
    if (oldest === undefined) return;
    const { scope, account, u } = oldest;
    const isOthers =
      scope !== null && scope !== replica.scope && account !== null && account !== replica.account;
    const list = isOthers ? replica.children(scope)[0]?.id : undefined;
    const result =
      list && account !== null ? openTakingBack(this.#program, list, { account, operation: u }) : null;
    const reason =
      result === null
        ? 'Choose something that somebody else did in a shared list.'
        : result.type === 'refused'
          ? result.reason
          : null;
    if (reason === null) return;
    this.#answer = { text: reason, isError: false };
    this.#show();
  }

  #readPage(): Promise<void> {
    return this.#feed.read(() => this.#arrived());
  }

  #arrived(): void {
    this.#gather();
    this.#show();
  }

  /** Merges server history and journal, newest first, gesture by gesture. */
  #gather(): void {
    const all = this.#feed
      .events()
      .map((event) => ({ ...event, changes: event.changes.filter((change) => this.#isAbout(change)) }))
      .filter(({ changes }) => changes.length > 0);
    const left = this.#about.type === 'one' ? new Set<Id>() : leftBlank(all);
    const said =
      left.size === 0
        ? all
        : all.map((event) => without(event, left)).filter(({ changes }) => changes.length > 0);
    this.#entries = grouped(said).toReversed();
    this.#find(this.#filter);
  }

  #isAbout(change: Change): boolean {
    const { replica } = this.#program;
    if (isSilent(change, replica)) return false;
    const about = this.#about;
    if (about.type === 'all') return true;
    const id = subjectId(change, replica);
    if (id === about.id) return true;
    const row = replica.row(id);
    if (about.type === 'one')
      return (row?.type === 'attachment' || row?.type === 'comment') && placeOf(row)?.parent === about.id;
    if (stands(id, about.id, replica)) return true;
    // Its people; that it was shared is told of the list itself.
    if (row?.type === 'member' && replica.row(about.id)?.type === 'list')
      return row.scope === replica.row(about.id)?.scope && !isOwnersFirst(change);
    // A task that left this place belongs to its history too.
    if (change.kind === 'moved' && typeof change.before === 'string')
      return stands(change.before as Id, about.id, replica);
    // The ancestors of a deleted row are unknown here; the server knows them.
    return row === undefined;
  }

  /** The change concerns the subject of this history, which need not be named. */
  #isOwn(change: Change): boolean {
    return this.#about.type === 'one' && subjectId(change, this.#program.replica) === this.#about.id;
  }

  #find(text: string): void {
    this.#filter = text;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const speaking = this.#speaking();
    const matches = (entry: Entry) => {
      const all = this.#textOf(entry, speaking);
      return words.every((word) => all.includes(word));
    };
    this.#shown = words.length === 0 ? this.#entries : this.#entries.filter(matches);
    this.#active = Math.max(0, Math.min(this.#active, this.#shown.length - 1));
  }

  /** Everything that an entry is found by: its sentence, what each of its changes did, to what, and where. */
  #textOf(entry: Entry, speaking: Speaking): string {
    const known = this.#texts.get(entry);
    if (known !== undefined) return known;
    const each = entry.changes.flatMap((change) => [
      predicateOf(change, speaking),
      subjectOf(change, speaking),
      detailOf(change, speaking)?.name ?? '',
    ]);
    const { phrases } = this.#sentence(entry, speaking);
    const who = this.#feed.who(entry.events.at(-1) as Event);
    const text = [spoken(phrases), ...each, who].join(' ').toLowerCase();
    this.#texts.set(entry, text);
    return text;
  }

  #move(to: ListMove): void {
    const { length } = this.#shown;
    const wanted = aimedAt(this.#active, length, to);
    this.#active = movedTo(this.#active, length, to);
    if (wanted >= length && this.#feed.hasMore && !this.#feed.isReading) void this.#readPage();
  }

  #backOf(entry: Entry | undefined): readonly Action[] {
    // Newest first: rows put into something come out before that goes.
    return (entry?.changes ?? []).flatMap(({ back }) => back ?? []).toReversed();
  }

  /** Of the oldest one there may be more than was read. */
  #bringAllBack(): void | Promise<void> {
    const entry = this.#shown[this.#active];
    const isOldest = entry !== undefined && entry === this.#entries.at(-1);
    return isOldest && this.#feed.hasMore ? this.#bringOldestBack(entry) : this.#bringBack();
  }

  async #bringOldestBack(entry: Entry): Promise<void> {
    if (this.#feed.isReading) return;
    const newest = entry.events.at(-1)?.u;
    const isWhole = await this.#feed.readOldest(() => this.#show());
    this.#gather();
    const found = this.#shown.findIndex(({ events }) => events.at(-1)?.u === newest);
    this.#active = Math.max(0, found);
    if (isWhole && found >= 0) this.#bringBack();
    else this.#answer = { text: 'Couldn’t read all of this change. Try again.', isError: true };
    this.#show();
  }

  #bringBack(): void {
    const entry = this.#shown[this.#active];
    const actions = this.#backOf(entry);
    if (!entry || actions.length === 0) return;
    const { replica } = this.#program;
    const isThere = (action: Action) =>
      action.a === 'set' &&
      JSON.stringify(registersOf(replica.row(action.id))[action.field] ?? null) ===
        JSON.stringify(action.value ?? null);
    if (actions.every(isThere)) {
      this.#answer = { text: 'That’s what it says now.', isError: false };
      return;
    }
    const first = entry.changes[0] as Change;
    const name = `‘${subjectOf(first, this.#speaking())}’`;
    const { verdicts } = this.#program.change(actions, `brought back earlier values of ${name}`);
    const failed = verdicts.filter((verdict) => verdict !== 'ok').length;
    if (failed === verdicts.length) {
      this.#answer = {
        text: 'Can’t bring it back. What it belonged to is gone or has changed.',
        isError: true,
      };
      return;
    }
    const rest = failed === 0 ? '' : ` ${failed === 1 ? 'One part' : `${failed} parts`} couldn’t be.`;
    this.#say(`Brought back what was there before.${rest}`);
  }

  /** In the dialog and, for after it is closed, in the status line. */
  #say(text: string): void {
    this.#answer = { text, isError: false };
    this.#program.say(text, { undo: text.startsWith('Brought') });
    this.#active = 0;
    this.#gather();
  }

  #speaking(): Speaking {
    const settings = everySetting(this.#program);
    const personOf = (account: number) => nameOfPerson(this.#program, account);
    return { replica: this.#program.replica, dates: this.#program.moment(), settings, personOf };
  }

  #show(): void {
    const { dialog } = this.#program;
    if (!dialog.isOf(this) || dialog.controller !== this) return;
    dialog.show({ type: 'history', history: this.#view() });
  }

  #view(): HistoryView {
    const speaking = this.#speaking();
    const days = new Days(speaking.dates);
    const entries = this.#shown.map((entry, index): HistoryEntryView => {
      const newest = entry.events.at(-1) as Event;
      const { mark, phrases } = this.#sentence(entry, speaking);
      const isActive = index === this.#active;
      return {
        id: newest.u,
        day: days.day(newest.at),
        time: days.time(newest.at),
        where: this.#feed.where(newest),
        mark,
        sentence: phrases,
        isUndo: newest.isUndo,
        isWaiting: newest.isWaiting,
        back: isActive ? this.#backText(entry, speaking) : null,
        parts: isActive && entry.changes.length > 1 ? this.#parts(entry, speaking) : [],
        details: isActive ? detailsOf(entry, speaking) : [],
      };
    });
    return {
      subject: this.#subject,
      extent: this.#extent(days),
      ways: this.#ways(),
      isReading: this.#feed.isReading,
      note: this.#feed.note,
      canRetry: this.#feed.canRetry,
      filter: this.#filter,
      entries,
      active: this.#active,
      hasMore: this.#feed.hasMore,
      answer: this.#answer,
      isEmpty: this.#entries.length === 0,
    };
  }

  #extent(days: Days): string {
    const oldest = this.#entries.at(-1)?.events[0]?.at;
    if (oldest === undefined) return '';
    const { name, date } = days.day(oldest);
    const since = name === 'Yesterday' ? 'since yesterday' : `since ${date === '' ? name : date}`;
    return `${counted(this.#entries.length, 'change')} ${name === 'Today' ? 'today' : since}`;
  }

  /** As far as there is a task, or a list, to have one. */
  #ways(): readonly HistoryWay[] {
    const { workspace, pane } = this.#program;
    const { type } = this.#about;
    const way = (command: string, name: string, of: About['type']): HistoryWay => ({
      command,
      name,
      isCurrent: of === type,
    });
    return [
      ...(workspace.cursorRow ? [way('history.task', 'This task', 'one')] : []),
      ...(workspace.isTrash && pane !== 'sidebar' ? [] : [way('history.list', 'This list', 'tree')]),
      way('history.everything', 'Everything', 'all'),
    ];
  }

  #told({ events, changes }: Entry): Told {
    const own = this.#about.type === 'one' && changes.every((change) => this.#isOwn(change));
    const isList = own && this.#program.replica.row(this.#about.id)?.type === 'list';
    const last = events.at(-1) as Event;
    return {
      actor: this.#feed.actor(last),
      account: this.#feed.accountOf(last),
      own: own ? (isList ? 'this list' : 'this task') : null,
    };
  }

  #sentence(entry: Entry, speaking: Speaking): ReturnType<typeof sentenceOf> {
    return sentenceOf(entry.changes, this.#told(entry), speaking);
  }

  #parts(entry: Entry, speaking: Speaking): HistoryEntryView['parts'] {
    const told = this.#told(entry);
    const { changes } = entry;
    const said = changes.slice(0, MOST_DETAILS).map((change) => sentenceOf([change], told, speaking).phrases);
    const rest = changes.length - said.length;
    return rest > 0 ? [...said, [{ kind: 'plain', text: `and ${rest} more` }]] : said;
  }

  #backText(entry: Entry, speaking: Speaking): string | null {
    if (this.#backOf(entry).length === 0) return null;
    const [change] = entry.changes;
    const before = entry.changes.length === 1 && change ? detailOf(change, speaking)?.before : null;
    const isShort = before != null && before !== '' && before !== 'none' && before.length <= SHORT;
    return isShort ? `Bring back “${before.replaceAll(/^“|”$/g, '')}”` : 'Bring back what was before';
  }
}

/** The owner is in a list from the moment at which it is shared. */
const isOwnersFirst = ({ kind, after }: Change): boolean =>
  kind === 'added' && (after as { readonly role?: unknown } | undefined)?.role === 'owner';

/** Values that the sentences shorten or leave out. */
function detailsOf({ changes }: Entry, speaking: Speaking): readonly HistoryDetail[] {
  const isLong = (text: string | null) => text !== null && (text.includes('\n') || shortened(text) !== text);
  return changes
    .filter(({ kind }) => kind === 'set')
    .flatMap((change) => {
      const detail = detailOf(change, speaking);
      const isTold =
        change.field !== 'notes' && !isLong(detail?.before ?? null) && !isLong(detail?.after ?? null);
      return detail === null || isTold ? [] : [detail];
    })
    .slice(0, MOST_DETAILS);
}

/** Groups neighboring events of one undo group into one entry. */
/** Tasks that were begun, never written into and left: nothing that anybody did. */
function leftBlank(events: readonly Event[]): ReadonlySet<Id> {
  const kinds = new Map<Id, string[]>();
  for (const { id, kind, field, after } of events.flatMap(({ changes }) => changes)) {
    const isBlank = kind === 'added' && field === 'task' && !(after as { readonly title?: string }).title;
    kinds.set(id, [...(kinds.get(id) ?? []), isBlank ? 'begun' : kind]);
  }
  return new Set([...kinds].filter(([, all]) => all.join(' ') === 'begun deleted').map(([id]) => id));
}

const without = (event: Event, ids: ReadonlySet<Id>): Event => ({
  ...event,
  changes: event.changes.filter(({ id }) => !ids.has(id)),
});

function grouped(events: readonly Event[]): Entry[] {
  const entries: { group: Id | null; events: Event[] }[] = [];
  for (const event of events) {
    const last = entries.at(-1);
    if (last && last.group !== null && last.group === event.group) last.events.push(event);
    else entries.push({ group: event.group, events: [event] });
  }
  return entries.map(({ events: own }) => ({
    events: own,
    changes: joined(own.flatMap(({ changes }) => changes)),
  }));
}
