// The open history: reads the server's and this device's own, shows what matches, and brings a value back. A lazy
// chunk; it lives as long as its dialog. Words are words.ts, what an operation did is change.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { WireHistoryEntry } from '#wire/history.ts';
import { placeOf } from '../children.ts';
import { askDevices, deviceName } from '../devices.ts';
import type { Program } from '../program.ts';
import type { HistoryEntryView, HistoryView } from '../view.ts';
import { type Change, type Event, eventOf, eventsOf, joined } from './change.ts';
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
const ONLY_HERE = 'This is what was done on this device in its last 90 days.';
/** Folding and settings are no content. */
const SILENT: ReadonlySet<string> = new Set(['mine', 'setting', 'completion']);

const DIVISIONS: readonly (readonly [limit: number, size: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [60, 1, 'second'],
  [3_600, 60, 'minute'],
  [86_400, 3_600, 'hour'],
  [30 * 86_400, 86_400, 'day'],
  [365 * 86_400, 30 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 86_400, 'year'],
];

function relative(ms: number, format: Intl.RelativeTimeFormat): string {
  const seconds = Math.round(ms / 1_000);
  const [, size, unit] = DIVISIONS.find(([limit]) => Math.abs(seconds) < limit) ?? [0, 1, 'second' as const];
  return format.format(Math.round(seconds / size), unit);
}

export class HistoryBook {
  readonly #program: Program;
  readonly #about: About;
  readonly #scope: Id;
  readonly #title: string;
  #served: WireHistoryEntry[] = [];
  /** Where the next page begins; null: there is none. */
  #next: number | null = null;
  #note: string | null = null;
  #canRetry = false;
  #isReading = true;
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
    this.#scope = row?.scope ?? program.replica.scope;
  }

  /** Reads the newest of it. Resolves when that is on screen. */
  async open(): Promise<void> {
    this.#show();
    await this.#program.engine.journal.read().catch(() => {
      this.#note = 'What this device remembers of its own changes cannot be read.';
    });
    void askDevices(this.#program).then(() => this.#show());
    await this.#readPage();
  }

  submit(values: Readonly<Record<string, string>>): void {
    const { action = '' } = values;
    if (action !== 'undo') this.#answer = null;
    if (action === 'filter') this.#find(values.text ?? '');
    else if (action === 'more' || action === 'retry') void this.#readPage();
    else if (action === 'back') this.#bringBack();
    else if (action === 'undo') this.#undo();
    else if (action === 'choose') this.#move(Number(values.index) - this.#active);
    else this.#move({ down: 1, up: -1, pageDown: PAGE_STEP, pageUp: -PAGE_STEP }[action] ?? 0);
    this.#show();
  }

  get hasFilter(): boolean {
    return this.#filter !== '';
  }

  async #readPage(): Promise<void> {
    const { account } = this.#program.platform;
    if (account.email === null) {
      this.#note ??= `There is no account. ${ONLY_HERE}`;
      this.#arrived();
      return;
    }
    if (this.#program.engine.facts().detached !== null) {
      this.#note ??= `Cloud sync is off. ${ONLY_HERE}`;
      this.#arrived();
      return;
    }
    this.#isReading = true;
    this.#show();
    const about = this.#about;
    const page = await account.history({
      scope: this.#scope,
      before: this.#next,
      ...(about.type === 'all' ? {} : { [about.type === 'one' ? 'id' : 'under']: about.id }),
    });
    if ('entries' in page) {
      this.#served.push(...page.entries);
      this.#next = page.next;
      this.#note = null;
      this.#canRetry = false;
    } else {
      this.#canRetry = true;
      this.#note = this.#served.length > 0 ? page.message : `${page.message} ${ONLY_HERE}`;
    }
    this.#arrived();
  }

  #arrived(): void {
    this.#isReading = false;
    this.#gather();
    this.#show();
  }

  /** Server and journal as one, newest first, gesture by gesture. */
  #gather(): void {
    const { engine } = this.#program;
    const waiting = new Set(engine.facts().pending.map(({ q }) => q));
    const own = (engine.journal.all ?? []).flatMap((entry) => eventsOf(entry, waiting));
    const served = this.#served.map(eventOf);
    const known = new Set(served.map(({ u }) => u));
    const isAlone = served.length === 0 && this.#next === null;
    // What was done here and has been judged is in the server's history, unless it was refused.
    const here = own.filter((event) => !known.has(event.u) && (isAlone || event.isWaiting));
    const mine = new Set(own.map(({ u }) => u));
    const all = [...served.map((event) => (mine.has(event.u) ? { ...event, device: null } : event)), ...here]
      .map((event) => ({ ...event, changes: event.changes.filter((change) => this.#isAbout(change)) }))
      .filter(({ changes }) => changes.length > 0);
    all.sort((a, b) => Number(a.isWaiting) - Number(b.isWaiting) || a.at - b.at || a.q - b.q);
    this.#entries = grouped(all).toReversed();
    this.#find(this.#filter);
  }

  #isAbout({ id, kind, field, after }: Change): boolean {
    const { replica } = this.#program;
    const row = replica.row(id);
    if (SILENT.has(row?.type ?? '') || (kind === 'added' && SILENT.has(field))) return false;
    // Everybody has an Inbox; nobody made it.
    if (kind === 'added' && (after as { readonly listType?: string }).listType === 'inbox') return false;
    const about = this.#about;
    if (about.type === 'all') return true;
    if (about.type === 'one' || id === about.id) return id === about.id;
    for (let at = row; at;) {
      const parent = placeOf(at)?.parent;
      if (parent === about.id) return true;
      at = parent === undefined ? undefined : replica.row(parent);
    }
    // What is gone cannot be followed upwards; the server knows better.
    return row === undefined;
  }

  #find(text: string): void {
    this.#filter = text;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const speaking = this.#speaking();
    const matches = ({ changes }: Entry) => {
      const said = changes.map((change) => `${changeText(change, speaking)} ${subjectOf(change, speaking)}`);
      const all = said.join(' ').toLowerCase();
      return words.every((word) => all.includes(word));
    };
    this.#shown = words.length === 0 ? this.#entries : this.#entries.filter(matches);
    this.#active = Math.max(0, Math.min(this.#active, this.#shown.length - 1));
  }

  #move(by: number): void {
    const last = this.#shown.length - 1;
    const wanted = this.#active + by;
    this.#active = Math.max(0, Math.min(last, wanted));
    if (wanted > last && this.#next !== null && !this.#isReading) void this.#readPage();
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
      const isOne = new Set(entry.changes.map(({ id }) => id)).size === 1;
      const isActive = index === this.#active;
      return {
        id: `${newest.u}`,
        ago: relative(Math.min(0, newest.at - now), ago),
        exact: exact.format(newest.at),
        who: this.#who(newest),
        what: changesText(entry.changes, speaking),
        about: this.#about.type === 'one' || !isOne ? null : subjectOf(first, speaking),
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
      isReading: this.#isReading,
      note: this.#note,
      canRetry: this.#canRetry,
      filter: this.#filter,
      entries,
      active: this.#active,
      hasMore: this.#next !== null,
      answer: this.#answer,
      isEmpty: this.#entries.length === 0,
    };
  }

  #parts({ changes }: Entry, speaking: Speaking): readonly string[] {
    const said = changes.slice(0, MOST_DETAILS).map((change) => {
      const text = changeText(change, speaking);
      return this.#about.type === 'one' ? text : `${subjectOf(change, speaking)}: ${text}`;
    });
    const rest = changes.length - said.length;
    return rest > 0 ? [...said, `and ${rest} more`] : said;
  }

  #who({ device, account, isWaiting }: Event): string {
    const { engine, replica } = this.#program;
    const isHere = device === null || (device !== 0 && device === engine.facts().deviceNumber);
    if (isHere) return isWaiting && replica.account !== 0 ? 'This device, not sent yet' : 'This device';
    return account === replica.account
      ? deviceName(this.#program, device ?? 0)
      : `Account ${account}, device ${device}`;
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
