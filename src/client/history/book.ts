// The open history: reads the server's and this device's own, shows what matches, and brings a value back. A lazy
// chunk; it lives as long as its dialog. Words are words.ts, what an operation did is change.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import { placeOf } from '#sync/row-reading.ts';
import type { Program } from '../program.ts';
import type { HistoryEntryView, HistoryView } from './view.ts';
import { type Change, type Event, isSilent, joined, subjectId } from './change.ts';
import { openTimeMachine } from './door.ts';
import { HistoryFeed } from './feed.ts';
import { relative } from './moment-words.ts';
import { stands } from './moments.ts';
import { changesText, changeText, detailOf, type Speaking, subjectOf } from './words.ts';

/** One thing, one thing with everything beneath it, or all there is. */
export type About = { readonly type: 'one' | 'tree'; readonly id: Id } | { readonly type: 'all' };

/** What one gesture did. */
interface Entry {
  readonly events: readonly Event[];
  readonly changes: readonly Change[];
}

const PAGE_STEP = 8;
const MOST_DETAILS = 20;

export class HistoryBook {
  readonly #program: Program;
  readonly #about: About;
  readonly #feed: HistoryFeed;
  readonly #title: string;
  #filter = '';
  #active = 0;
  #answer: HistoryView['answer'] = null;
  #entries: readonly Entry[] = [];
  #shown: readonly Entry[] = [];

  constructor(program: Program, about: About, title: string) {
    this.#program = program;
    this.#about = about;
    this.#title = title;
    const row = about.type === 'all' ? undefined : program.replica.row(about.id);
    this.#feed = new HistoryFeed(program, {
      scope: row?.scope ?? program.replica.scope,
      ...(about.type === 'all' ? {} : { [about.type === 'one' ? 'id' : 'under']: about.id }),
    });
  }

  /** Reads the newest of it. Resolves when that is on screen. */
  async open(): Promise<void> {
    this.#program.dialog.set({ type: 'history', history: this.#view() });
    await this.#feed.open(() => this.#arrived());
  }

  submit(values: Readonly<Record<string, string>>): void {
    const { action = '' } = values;
    if (action !== 'undo') this.#answer = null;
    if (action === 'filter') this.#find(values.text ?? '');
    else if (action === 'more' || action === 'retry') void this.#readPage();
    else if (action === 'back') this.#bringBack();
    else if (action === 'undo') this.#undo();
    else if (action === 'travel') {
      this.#travel();
      return;
    } else if (action === 'choose') this.#move(Number(values.index) - this.#active);
    else this.#move({ down: 1, up: -1, pageDown: PAGE_STEP, pageUp: -PAGE_STEP }[action] ?? 0);
    this.#show();
  }

  get hasFilter(): boolean {
    return this.#filter !== '';
  }

  /** The outline as it was before what is chosen. */
  #travel(): void {
    const before = this.#shown[this.#active]?.events.at(-1)?.u;
    const root = this.#about.type === 'all' ? null : this.#about.id;
    if (before !== undefined) openTimeMachine(this.#program, root, { before });
  }

  #readPage(): Promise<void> {
    return this.#feed.read(() => this.#arrived());
  }

  #arrived(): void {
    this.#gather();
    this.#show();
  }

  /** Server and journal as one, newest first, gesture by gesture. */
  #gather(): void {
    const all = this.#feed
      .events()
      .map((event) => ({ ...event, changes: event.changes.filter((change) => this.#isAbout(change)) }))
      .filter(({ changes }) => changes.length > 0);
    this.#entries = grouped(all).toReversed();
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
    if (about.type === 'one') return row?.type === 'attachment' && placeOf(row)?.parent === about.id;
    if (stands(id, about.id, replica)) return true;
    // What left it is its history too.
    if (change.kind === 'moved' && typeof change.before === 'string')
      return stands(change.before as Id, about.id, replica);
    // What is gone cannot be followed upwards; the server knows better.
    return row === undefined;
  }

  /** It is what this history is of, and need not be named. */
  #isOwn(change: Change): boolean {
    return this.#about.type === 'one' && subjectId(change, this.#program.replica) === this.#about.id;
  }

  #find(text: string): void {
    this.#filter = text;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const speaking = this.#speaking();
    const matches = ({ changes, events }: Entry) => {
      const said = changes.map((change) => `${changeText(change, speaking)} ${subjectOf(change, speaking)}`);
      const all = [...said, this.#feed.who(events.at(-1) as Event)].join(' ').toLowerCase();
      return words.every((word) => all.includes(word));
    };
    this.#shown = words.length === 0 ? this.#entries : this.#entries.filter(matches);
    this.#active = Math.max(0, Math.min(this.#active, this.#shown.length - 1));
  }

  #move(by: number): void {
    const last = this.#shown.length - 1;
    const wanted = this.#active + by;
    this.#active = Math.max(0, Math.min(last, wanted));
    if (wanted > last && this.#feed.hasMore && !this.#feed.isReading) void this.#readPage();
  }

  #backOf(entry: Entry | undefined): readonly Action[] {
    // The newest first: what was put into something comes out of it before that goes.
    return (entry?.changes ?? []).flatMap(({ back }) => back ?? []).toReversed();
  }

  #bringBack(): void {
    const entry = this.#shown[this.#active];
    const actions = this.#backOf(entry);
    if (!entry || actions.length === 0) return;
    const { replica } = this.#program;
    const isThere = (action: Action) =>
      action.a === 'set' &&
      JSON.stringify(replica.row(action.id)?.fields[action.field] ?? null) ===
        JSON.stringify(action.value ?? null);
    if (actions.every(isThere)) {
      this.#answer = { text: 'That is what stands there now.', isError: false };
      return;
    }
    const first = entry.changes[0] as Change;
    const name = `‘${subjectOf(first, this.#speaking())}’`;
    const { verdicts } = this.#program.change(actions, `brought back what ${name} was`);
    const failed = verdicts.filter((verdict) => verdict !== 'ok').length;
    if (failed === verdicts.length) {
      this.#answer = {
        text: 'It cannot be brought back: what it belongs to is gone or has moved on.',
        isError: true,
      };
      return;
    }
    const rest = failed === 0 ? '' : ` ${failed === 1 ? 'One part' : `${failed} parts`} could not be.`;
    this.#say(`Brought back what was there before.${rest}`);
  }

  #undo(): void {
    this.#program.run('edit.undo');
    this.#say(this.#program.messages.current?.text ?? 'Undone.');
  }

  /** In the dialog and, for when it is closed, in the status line. */
  #say(text: string): void {
    this.#answer = { text, isError: false };
    this.#program.say(text, { undo: text.startsWith('Brought') });
    this.#active = 0;
    this.#gather();
  }

  #speaking(): Speaking {
    return { replica: this.#program.replica, dates: this.#program.moment() };
  }

  #show(): void {
    const { dialog } = this.#program;
    if (dialog.get()?.type !== 'history' || this.#program.history !== this) return;
    dialog.set({ type: 'history', history: this.#view() });
  }

  #view(): HistoryView {
    const speaking = this.#speaking();
    const { now, locale, zone } = speaking.dates;
    const exact = new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: zone,
    });
    const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    const entries = this.#shown.map((entry, index): HistoryEntryView => {
      const newest = entry.events.at(-1) as Event;
      const first = entry.changes[0] as Change;
      const isOne = new Set(entry.changes.map((change) => subjectId(change, speaking.replica))).size === 1;
      const isActive = index === this.#active;
      return {
        id: newest.u,
        ago: relative(Math.min(0, newest.at - now), ago),
        exact: exact.format(newest.at),
        who: this.#feed.who(newest),
        what: changesText(entry.changes, speaking),
        about: this.#isOwn(first) || !isOne ? null : subjectOf(first, speaking),
        isUndo: newest.isUndo,
        isWaiting: newest.isWaiting,
        canBringBack: this.#backOf(entry).length > 0,
        parts: isActive && entry.changes.length > 1 ? this.#parts(entry, speaking) : [],
        details: isActive
          ? entry.changes.flatMap((change) => detailOf(change, speaking) ?? []).slice(0, MOST_DETAILS)
          : [],
      };
    });
    return {
      title: this.#title,
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

  #parts({ changes }: Entry, speaking: Speaking): readonly string[] {
    const said = changes.slice(0, MOST_DETAILS).map((change) => {
      const text = changeText(change, speaking);
      return this.#isOwn(change) ? text : `${subjectOf(change, speaking)}: ${text}`;
    });
    const rest = changes.length - said.length;
    return rest > 0 ? [...said, `and ${rest} more`] : said;
  }
}

/** Neighbours of one undo group are one entry. */
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
