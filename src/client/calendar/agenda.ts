// The agenda: days from today on, with what the calendars and the person's own blocks have. Drawn by web/dialogs/calendar. A lazy part.
import { unreachable } from '#core/assert.ts';
import { wallOf } from '#core/calendar/blocks.ts';
import type { CalendarEvent } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import { linksOf } from '#core/calendar/event-words.ts';
import { personColors } from '#core/people.ts';
import { DAY_MS } from '#core/time.ts';
import type { Program } from '../app/program.ts';
import { timeBlocks } from '../blocks/part.ts';
import { isUndone } from '../blocks/task-blocks.ts';
import { done } from '../commands/define.ts';
import { revealRow } from '../commands/places.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { nameOf } from '../outline/row-facts.ts';
import { capacityOf } from '../planning/day.ts';
import { hoursOf } from '../planning/hours.ts';
import { planning } from '../planning/part.ts';
import { isOver, sayCapacity } from '../planning/words.ts';
import { UNLOADED } from '../sealing/words.ts';
import { clock, moment, portOf, SIGN_IN } from './asking.ts';
import type { AgendaAction, AgendaThingView, AgendaView } from './calendar-view.ts';
import { dayOf, midnightOf, minuteOf } from './clock.ts';
import { type AgendaDay, daysOf, type OnDay } from './days.ts';
import { followKept } from './following.ts';
import type { KeptCalendars } from './port.ts';
import { type BlockThing, blockThing, EventBook, type Thing } from './things.ts';

/** Days that are shown at once. */
const DAYS = 14;
const DAY_MINUTES = 1_440;

/** An event with which the agenda opens. `day`: one of its days. */
export interface OpenedEvent {
  readonly day: string;
  readonly calendar: Id;
  readonly event: CalendarEvent;
}

/** The agenda: days from today on, with what the calendars have. */
export class AgendaDialog implements OpenDialog {
  readonly type = 'agenda';
  readonly isTyping = false;
  readonly #program: Program;
  #known: KeptCalendars | null = null;
  #events = new EventBook([]);
  /** Midnight of the first day, on the wall. */
  #first: number;
  #open: string | null = null;
  #problem: string | null = null;
  #isBusy = true;
  /** An event that is to be opened once it is known. */
  #wanted: OpenedEvent | null;
  /** It shows one event, and closes with it. */
  readonly #isOne: boolean;
  readonly #unfollow: () => void;

  constructor(program: Program, opened: OpenedEvent | null = null) {
    this.#program = program;
    this.#first = opened === null ? midnightOf(this.#now) : Date.parse(opened.day);
    this.#wanted = opened;
    this.#isOne = opened !== null;
    this.#unfollow = followKept(program, (kept) => {
      this.#knows(kept);
      this.#problem = null;
      this.refresh();
    });
    void this.#read();
    // Blocks may not be loaded yet.
    program.part(timeBlocks).run(() => {
      this.refresh();
      return done;
    });
  }

  get #now(): number {
    return wallOf(this.#program.replica.now(), this.#program.platform.zone());
  }

  byKey(command: string): AgendaAction | null {
    if (this.#open !== null) return null;
    if (command === 'agenda.earlier') return { action: 'earlier' };
    if (command === 'agenda.later') return { action: 'later' };
    return command === 'agenda.today' ? { action: 'today' } : null;
  }

  clearFilter(): boolean {
    if (this.#open === null || this.#isOne) return false;
    this.submit({ action: 'back' });
    return true;
  }

  submit(action: AgendaAction): void {
    switch (action.action) {
      case 'earlier':
      case 'later':
        this.#first += (action.action === 'later' ? 1 : -1) * DAY_MS;
        break;
      case 'today':
        this.#first = midnightOf(this.#now);
        break;
      case 'open':
        if (this.#goTo(action.key)) return;
        this.#open = action.key;
        break;
      case 'back':
        this.#open = null;
        if (this.#isOne) this.#program.dialog.close();
        break;
      case 'link':
        this.#program.platform.openLink(action.address);
        break;
      case 'calendars':
        this.#program.run('calendar.sources');
        return;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  leave(): void {
    this.#unfollow();
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (dialog.isOf(this)) dialog.show({ type: 'agenda', agenda: this.#view() });
  }

  /** Goes to the task of a block. False: it is none. */
  #goTo(key: string): boolean {
    const held = this.#blocks().find((block) => key.endsWith(` ${block.key}`))?.held;
    if (held === undefined) return false;
    this.#program.dialog.close();
    if (!revealRow(this.#program, held.task)) this.#program.say('Its task is in no list.');
    return true;
  }

  #blocks(): readonly BlockThing[] {
    const zone = this.#program.platform.zone();
    const { book } = this.#program.part(timeBlocks);
    return (book?.living() ?? []).map((held) => blockThing(held, zone));
  }

  #knows(known: KeptCalendars | null): void {
    this.#known = known;
    this.#events = new EventBook(known?.events ?? []);
  }

  async #read(): Promise<void> {
    const port = await portOf(this.#program);
    const kept = (await port?.kept()) ?? null;
    this.#program.act(() => {
      this.#knows(kept);
      this.refresh();
    });
    const { email } = this.#program.platform.account;
    const answer = email === null ? null : await port?.read();
    this.#program.act(() => {
      this.#isBusy = false;
      if (answer?.ok === true) this.#knows(answer.value);
      else if (email === null) this.#problem = kept === null ? SIGN_IN : null;
      else this.#problem = answer?.problem ?? UNLOADED;
      this.refresh();
    });
  }

  #view(): AgendaView {
    const { platform } = this.#program;
    const first = this.#first;
    const events = this.#events.between(first, first + DAYS * DAY_MS, platform.zone());
    const days = daysOf<Thing>([...events, ...this.#blocks()], { first, count: DAYS });
    this.#openWanted(days);
    const name = new Intl.DateTimeFormat(platform.locale(), {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      timeZone: 'UTC',
    });
    const shown = days.map((day) => ({
      day: day.day,
      name: name.format(Date.parse(day.day)),
      isToday: day.day === dayOf(this.#now),
      ...this.#planned(day),
      things: this.#thingsOf(day),
    }));
    return {
      days: shown,
      open: this.#opened(days, shown),
      state: this.#state(),
      hasCalendars: (this.#known?.sources.length ?? 0) > 0,
      isBusy: this.#isBusy,
    };
  }

  /** How full a day is, of today what is left. Of a day that is over there is nothing to say. */
  #planned({ day, things }: AgendaDay<Thing>): { readonly planned: string; readonly isFull: boolean } {
    const today = dayOf(this.#now);
    if (day < today) return { planned: '', isFull: false };
    // Today, due tasks that take time count as well, as they do wherever it is said how full today is.
    const known = day === today ? this.#program.part(planning).capacity : null;
    const spans = (of: (thing: Thing) => boolean) =>
      things.flatMap(({ thing, from, to }) =>
        from !== null && of(thing) ? [{ from, to: to ?? DAY_MINUTES }] : [],
      );
    const reckoned = capacityOf({
      hours: hoursOf(this.#program, day),
      busy: spans((thing) => thing.kind === 'event' && thing.event.isBusy),
      blocks: spans((thing) => thing.kind === 'block' && isUndone(thing.held)),
      now: day === today ? minuteOf(this.#now) : 0,
    });
    const capacity = known ?? reckoned;
    return { planned: sayCapacity(capacity), isFull: isOver(capacity) };
  }

  #openWanted([first]: readonly AgendaDay<Thing>[]): void {
    const wanted = this.#wanted;
    if (wanted === null || first === undefined) return;
    const found = first.things.find(
      ({ thing }) =>
        thing.kind === 'event' &&
        thing.calendar === wanted.calendar &&
        thing.event.uid === wanted.event.uid &&
        thing.event.occurrence === wanted.event.occurrence,
    );
    if (found === undefined) return;
    this.#open = keyOn(first.day, found.thing);
    this.#wanted = null;
  }

  #thingsOf({ day, things }: AgendaDay<Thing>): readonly AgendaThingView[] {
    const sources = new Map(this.#known?.sources.map((source) => [source.id, source]));
    return things.map((of): AgendaThingView => {
      const { thing } = of;
      const shown = { key: keyOn(day, thing), time: this.#time(of) };
      if (thing.kind === 'block') {
        const title = nameOf(thing.held.task) || 'Untitled';
        const isDone = !isUndone(thing.held);
        return { ...shown, title, isDone, place: '', calendar: 'planned time', color: null };
      }
      const source = sources.get(thing.calendar);
      return {
        ...shown,
        title: thing.event.title || 'Untitled',
        isDone: false,
        place: thing.event.place,
        calendar: source?.name ?? '',
        color: source?.color ?? personColors[0],
      };
    });
  }

  #time({ from, to }: OnDay<Thing>): string {
    if (from === null) return 'All day';
    const begin = clock(this.#program, from);
    if (to === null) return `From ${begin}`;
    return to === from ? begin : `${begin}–${clock(this.#program, to)}`;
  }

  #opened(days: readonly AgendaDay<Thing>[], shown: AgendaView['days']): AgendaView['open'] {
    for (const [at, { name, things }] of shown.entries()) {
      const index = things.findIndex(({ key }) => key === this.#open);
      const view = things[index];
      const thing = days[at]?.things[index]?.thing;
      if (view === undefined || thing?.kind !== 'event') continue;
      return { ...view, day: name, description: thing.event.description, links: linksOf(thing.event) };
    }
    return null;
  }

  #state(): string {
    const known = this.#known;
    const read = known === null ? '' : `Read ${moment(this.#program, known.readAt)}.`;
    if (this.#problem !== null) return `${this.#problem} ${read}`.trim();
    if (this.#isBusy) return `Asking the server… ${read}`.trim();
    const wrong = known?.sources.filter(({ problem }) => problem !== null) ?? [];
    const names = wrong.map(({ name }) => `“${name}”`).join(', ');
    return wrong.length === 0 ? read : `${read} Couldn’t read ${names}: see Calendars.`;
  }
}

/** Names something on one of its days. */
const keyOn = (day: string, { key }: Thing): string => `${day} ${key}`;
