// The calendar beside the outline: which days it shows, where its slot is, and what keys and pointers do there. A lazy part; how days are laid out
// is layout.ts, and how blocks are written is ../blocks/changing.ts.
import { sayDuration } from '#core/dates/duration-words.ts';
import { wallOf } from '#core/calendar/blocks.ts';
import { readDate } from '#core/dates/phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { DAY_MS } from '#core/time.ts';
import { isDayWhen, isInstantWhen } from '#core/when.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import { needsBlocks, timeBlocks } from '../blocks/part.ts';
import type { BlocksModule } from '../blocks/lazy.ts';
import type { BlockBook } from '../blocks/book.ts';
import { openAgenda } from '../calendar/lazy.ts';
import { followKept } from '../calendar/following.ts';
import type { KeptCalendars } from '../calendar/port.ts';
import type { CommandResult } from '../commands/command.ts';
import { done, refused } from '../commands/define.ts';
import { needsLiving } from '../commands/needs.ts';
import { revealRow } from '../commands/places.ts';
import { completeRows } from '../commands/tasks.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import { hoursOf } from '../planning/hours.ts';
import { UNLOADED } from '../sealing/words.ts';
import {
  DAY_MINUTES,
  dayOf,
  midnightOf,
  MINUTE_MS,
  minuteOf,
  STEP_MINUTES,
  type Stretch,
  weekOf,
} from '../calendar/clock.ts';
import { plannedMinutes, viewDays } from './days-view.ts';
import { Sayings } from './sayings.ts';
import { type WeekPointer, type WeekSignals, weekSignals } from './signals.ts';
import { type BlockThing, blockThing, EventBook, type Thing } from '../calendar/things.ts';
import type { PlacedView, WeekDayView, WeekMode, WeekView } from './week-view.ts';

const STEP_MS = STEP_MINUTES * MINUTE_MS;
/** How old the events may be before they are read again, while the calendar is open. */
const FRESH_MS = 900_000;
const READ_ONLY = 'That’s an event. It can be changed in its own calendar alone.';
const NO_BLOCK = 'No time block is here. B plans time for the task at the cursor.';

/** The calendar of one running app. */
export class WeekPane implements WeekPointer {
  readonly #program: Program;
  readonly #signals: WeekSignals;
  #isOpen = false;
  #mode: WeekMode;
  #weekStart: number | null = null;
  /** How many days there is room for. */
  #room: WeekMode = 7;
  /** Midnight of the first day that is shown, and the start of the slot; on the wall. */
  #first = 0;
  #slot = 0;
  /** What was chosen among things that share the slot. */
  #chosen: string | null = null;
  #kept: KeptCalendars | null = null;
  #events = new EventBook([]);
  #state = '';
  #readAt = 0;
  #sayings: Sayings;
  #things: ReadonlyMap<string, Thing> = new Map();
  /** What the view was made from; null: it has to be made again. */
  #madeFrom: string | null = null;
  #view: WeekView | null = null;
  #isClosed = false;
  readonly #unfollow: () => void;

  constructor(program: Program) {
    this.#program = program;
    this.#unfollow = followKept(program, (kept) => this.#took(kept, ''));
    this.#signals = weekSignals(program.engine);
    this.#signals.pointer = this;
    this.#sayings = new Sayings(program.platform.locale());
    const kept = Number(program.platform.preferences.get('calendar.days'));
    this.#mode = kept === 1 || kept === 3 ? kept : 7;
    this.#toNow();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens it; the slot is where it was, at first now. */
  open(): void {
    this.#isOpen = true;
    this.#remember();
    if (this.#program.replica.now() - this.#readAt > FRESH_MS) void this.#read();
  }

  close(): void {
    this.#isOpen = false;
    this.#remember();
  }

  /** The app closes. */
  end(): void {
    this.#isClosed = true;
    this.#unfollow();
  }

  show(mode: WeekMode): void {
    this.#mode = mode;
    this.#begin();
    this.#remember();
  }

  /** How many days are shown: as many as were chosen, or fewer where they would be too narrow to be read. */
  get #count(): WeekMode {
    return this.#mode < this.#room ? this.#mode : this.#room;
  }

  #begin(): void {
    this.#first = this.#count === 7 ? this.#weekOf(this.#slot) : midnightOf(this.#slot);
  }

  fits(days: WeekMode): void {
    if (days === this.#room) return;
    this.#program.act(() => {
      const before = this.#count;
      this.#room = days;
      if (this.#count !== before) this.#begin();
    });
  }

  #remember(): void {
    const { preferences } = this.#program.platform;
    preferences.set('calendar', this.#isOpen ? 'shown' : 'hidden');
    preferences.set('calendar.days', String(this.#mode));
  }

  /** Moves the slot by rows of the grid, over times that the clocks skip. */
  step(rows: 1 | -1): CommandResult {
    const at = this.#slot + rows * STEP_MS;
    const minute = minuteOf(at);
    const { skipped } = this.#dayAt(at) ?? { skipped: null };
    const isSkipped = skipped !== null && skipped.from <= minute && minute < skipped.to;
    const beyond = rows > 0 ? skipped?.to : (skipped?.from ?? 0) - STEP_MINUTES;
    return this.#goTo(isSkipped ? midnightOf(at) + (beyond ?? minute) * MINUTE_MS : at);
  }

  stepDays(days: number): CommandResult {
    return this.#goTo(this.#slot + days * DAY_MS);
  }

  /** A page: as many days as are shown. */
  page(by: 1 | -1): CommandResult {
    const days = by * this.#count;
    this.#first += days * DAY_MS;
    return this.#goTo(this.#slot + days * DAY_MS);
  }

  toNow(): CommandResult {
    this.#toNow();
    return done;
  }

  /** To a day, or a time of it, in words; a day alone keeps the time of the slot. */
  goTo(words: string): CommandResult {
    const readings = readDate(words, phraseContext(this.#program, null), { vocabulary: english });
    const when = readings.find((reading) => reading.when !== null)?.when ?? null;
    if (when === null) return refused(`“${words}” isn’t a day, like “dec 24” or “next monday”.`);
    if (isDayWhen(when)) return this.#goTo(Date.parse(when.on) + (this.#slot - midnightOf(this.#slot)));
    const wall = isInstantWhen(when)
      ? wallOf(when.at, this.#program.platform.zone())
      : Date.parse(`${when.local}Z`);
    return this.#goTo(wall - (wall % STEP_MS));
  }

  #toNow(): void {
    const now = this.#now();
    this.#first = this.#count === 7 ? this.#weekOf(now) : midnightOf(now);
    this.#goTo(now - (now % STEP_MS));
  }

  /** The slot goes where the next thing begins, or the one before. */
  toThing(by: 1 | -1): CommandResult {
    const timed = [...this.#allThings()].filter(({ isAllDay }) => !isAllDay);
    const floor = ({ start }: Thing) => start - (start % STEP_MS);
    const starts = timed.map(floor);
    const found =
      by > 0
        ? Math.min(...starts.filter((start) => start > this.#slot))
        : Math.max(...starts.filter((start) => start < this.#slot));
    if (!Number.isFinite(found)) return refused('Nothing else is on these days.', 'info');
    this.#goTo(found);
    // Keys are about what begins here, not about what is still under way.
    this.#chosen = timed.find((thing) => floor(thing) === found)?.key ?? null;
    return done;
  }

  /** Keys are about the next of the things that share the slot. */
  other(): CommandResult {
    const here = this.#keysHere();
    if (here.length < 2) return refused('Nothing else is at this time.', 'info');
    this.#chosen = here[(here.indexOf(this.#current() ?? '') + 1) % here.length] ?? null;
    return done;
  }

  #goTo(slot: number): CommandResult {
    this.#slot = slot;
    this.#chosen = null;
    const midnight = midnightOf(slot);
    const last = this.#first + (this.#count - 1) * DAY_MS;
    if (midnight >= this.#first && midnight <= last) return done;
    if (this.#count === 7) this.#first = this.#weekOf(slot);
    else this.#first = midnight < this.#first ? midnight : midnight - (this.#count - 1) * DAY_MS;
    return done;
  }

  /** Opens the event at the slot, or goes to the task of the block there. */
  enter(): CommandResult {
    return this.#enter(this.#thing());
  }

  #enter(thing: Thing | undefined): CommandResult {
    if (thing === undefined) return refused('Nothing is here to open.', 'info');
    if (thing.kind === 'event')
      return openAgenda(this.#program, {
        day: dayOf(this.#slot),
        calendar: thing.calendar,
        event: thing.event,
      });
    return revealRow(this.#program, thing.held.task) ? done : refused('Its task is in no list.', 'info');
  }

  /** Plans time at the slot for the task at the cursor of the outline, or those selected. */
  plan(): CommandResult {
    const reason = needsLiving(this.#program) ?? needsBlocks(this.#program);
    if (reason !== null) return refused(reason);
    const plan = { start: this.#slot, minutes: null };
    this.#chosen = null;
    return this.#write(({ planTime }, book) => planTime(this.#program, book, JSON.stringify({ plan })));
  }

  /** Moves the block at the slot, and the slot with it. */
  shift(byMinutes: number): CommandResult {
    const block = this.#block();
    return 'type' in block ? block : this.#shift(block, byMinutes);
  }

  #shift({ held, key }: BlockThing, byMinutes: number): CommandResult {
    const result = this.#write(({ shiftOne }, book) => shiftOne(this.#program, book, held, byMinutes));
    if (result.type !== 'done') return result;
    this.#goTo(this.#slot + byMinutes * MINUTE_MS);
    this.#chosen = key;
    return result;
  }

  stretchHere(by: 1 | -1): CommandResult {
    const block = this.#block();
    return 'type' in block ? block : this.#stretch(block, by * STEP_MINUTES);
  }

  #stretch({ held, key }: BlockThing, byMinutes: number): CommandResult {
    this.#chosen = key;
    return this.#write(({ stretchOne }, book) => stretchOne(this.#program, book, held, byMinutes));
  }

  remove(): CommandResult {
    const block = this.#block();
    return 'type' in block ? block : this.#write(({ removeHeld }) => removeHeld(this.#program, block.held));
  }

  /** Completes the task of the block at the slot, or opens it again. */
  complete(): CommandResult {
    const block = this.#block();
    return 'type' in block ? block : this.#complete(block);
  }

  #complete({ held: { task, block }, key }: BlockThing): CommandResult {
    // Completing now would complete another occurrence than the one that was planned.
    if (block.occ !== (fieldOf(task, 'occ') ?? 0))
      return refused('It’s completed. Its task repeats, and is at a later date now.', 'info');
    this.#chosen = key;
    return completeRows(this.#program, [task]);
  }

  #write(work: (module: BlocksModule, book: BlockBook) => CommandResult): CommandResult {
    return this.#program.part(timeBlocks).run(work);
  }

  press(day: number, minute: number, key: string | null): void {
    this.#program.act(() => {
      this.#take();
      this.#goTo(this.#first + day * DAY_MS + (minute - (minute % STEP_MINUTES)) * MINUTE_MS);
      this.#chosen = key;
    });
  }

  move(key: string, days: number, minutes: number): void {
    this.#point(key, (block) => this.#shift(block, days * DAY_MINUTES + minutes));
  }

  stretch(key: string, minutes: number): void {
    this.#point(key, (block) => this.#stretch(block, minutes));
  }

  follow(day: number, key: string): void {
    this.#program.act(() => {
      this.#take();
      this.#goTo(this.#first + day * DAY_MS + (this.#slot - midnightOf(this.#slot)));
      this.#chosen = key;
      this.#say(this.#enter(this.#things.get(key)));
    });
  }

  check(key: string): void {
    this.#point(key, (block) => this.#complete(block));
  }

  drop(day: number, minute: number): void {
    this.press(day, minute, null);
    this.#program.run('slot.plan');
  }

  arrived(): void {
    if (this.#program.pane !== 'calendar') this.#program.act(() => this.#take());
  }

  #point(key: string, work: (block: BlockThing) => CommandResult): void {
    const thing = this.#things.get(key);
    if (thing?.kind !== 'block') return;
    this.#program.act(() => {
      const before = this.#program.undo.newest;
      this.#say(work(thing), before);
    });
  }

  #say(result: CommandResult, before = this.#program.undo.newest): void {
    if (result.type === 'refused') this.#program.say(result.reason);
    else if (result.type === 'done' && result.announce !== undefined)
      this.#program.say(result.announce, { undo: this.#program.undo.newest !== before, brief: true });
  }

  /** It gets the keys. */
  #take(): void {
    this.#program.leaveText();
    this.#program.editor.flush();
    this.#program.pane = 'calendar';
  }

  /** Rows changed: what is drawn may have to be made again. */
  apply(changes: readonly RowChange[]): void {
    const { book } = this.#program.part(timeBlocks);
    const touches = ({ before, after }: RowChange) => {
      const row = after ?? before;
      if (row?.type !== 'task')
        return row?.type === 'mine' || row?.type === 'list' || row?.type === 'setting';
      return book?.has(row.id) === true || isTrashed(before) !== isTrashed(after);
    };
    if (this.#madeFrom !== null && changes.some(touches)) this.#madeFrom = null;
  }

  tick(): void {
    if (this.#isOpen && this.#program.replica.now() - this.#readAt > FRESH_MS) void this.#read();
  }

  /** Sets what is drawn. Days are made again only where something about them changed, also while it was closed. */
  draw(): void {
    const { view, slot, now, target } = this.#signals;
    if (!this.#isOpen || this.#program.sidebar.isDrawer) {
      view.set(null);
      slot.set(null);
      now.set(null);
      return;
    }
    this.#make();
    view.set(this.#view);
    target.set(
      needsLiving(this.#program) === null ? this.#program.describe(this.#program.workspace.targets()) : '',
    );
    const { days } = this.#view ?? { days: [] };
    const at = Math.round((midnightOf(this.#slot) - this.#first) / DAY_MS);
    const day = days[at];
    if (day !== undefined) {
      const minute = minuteOf(this.#slot);
      const label = this.#sayings.slot(day, minute, this.#placedHere());
      slot.set({ day: at, minute, time: this.#sayings.clock(minute), label, key: this.#current() });
    }
    const present = this.#now();
    const today = Math.round((midnightOf(present) - this.#first) / DAY_MS);
    now.set(days[today] === undefined ? null : { day: today, minute: minuteOf(present) });
  }

  #make(): void {
    const { platform } = this.#program;
    const { book } = this.#program.part(timeBlocks);
    const { weekStart } = phraseContext(this.#program, null);
    if (weekStart !== this.#weekStart && this.#count === 7) this.#begin();
    this.#weekStart = weekStart;
    const zone = platform.zone();
    const locale = platform.locale();
    const today = dayOf(this.#now());
    const hasBook = book !== null;
    const from = [
      this.#first,
      this.#mode,
      this.#count,
      zone,
      locale,
      today,
      hasBook,
      this.#readAt,
      this.#state,
    ].join(' ');
    if (from === this.#madeFrom) return;
    this.#madeFrom = from;
    if (locale !== this.#sayings.locale) this.#sayings = new Sayings(locale);
    const end = this.#first + this.#count * DAY_MS;
    const blocks = (book?.living() ?? []).map((held) => blockThing(held, zone));
    const near = blocks.filter((block) => block.start < end && block.end > this.#first);
    const things = [...near, ...this.#events.between(this.#first, end, zone)];
    this.#things = new Map(things.map((thing) => [thing.key, thing]));
    const days = viewDays(
      {
        first: this.#first,
        count: this.#count,
        zone,
        today,
        sayings: this.#sayings,
        things,
        sources: new Map(this.#kept?.sources.map((source) => [source.id, source])),
        workOf: (day): Stretch | null => hoursOf(this.#program, day),
      },
      this.#view?.days ?? [],
    );
    const planned = plannedMinutes(near, this.#first, end);
    this.#view = {
      mode: this.#mode,
      title: this.#sayings.months(this.#first, end - DAY_MS),
      week: `Week ${Temporal.PlainDate.from(dayOf(this.#first + Math.min(3, this.#count - 1) * DAY_MS)).weekOfYear ?? ''}`,
      planned: planned === 0 ? '' : `${sayDuration(planned)} planned`,
      state: this.#state,
      days,
      hours: this.#sayings.hours(),
    };
  }

  async #read(): Promise<void> {
    this.#readAt = this.#program.replica.now();
    const { account } = this.#program.platform;
    const port = await account.live().then(
      (live) => live.calendars(),
      () => null,
    );
    this.#took((await port?.kept()) ?? null, '');
    if (account.email === null || this.#isClosed) return;
    const answer = await port?.read();
    if (answer?.ok === true) this.#took(answer.value, '');
    else this.#took(null, answer?.problem ?? UNLOADED);
  }

  #took(kept: KeptCalendars | null, state: string): void {
    if (this.#isClosed) return;
    this.#program.act(() => {
      this.#state = state;
      this.#madeFrom = null;
      if (kept === null) return;
      this.#kept = kept;
      this.#events = new EventBook(kept.events);
    });
  }

  #now(): number {
    return wallOf(this.#program.replica.now(), this.#program.platform.zone());
  }

  #weekOf(wall: number): number {
    return weekOf(wall, phraseContext(this.#program, null).weekStart);
  }

  #dayAt(wall: number): WeekDayView | undefined {
    const day = dayOf(wall);
    return this.#signals.view.get()?.days.find((each) => each.day === day);
  }

  #allThings(): Iterable<Thing> {
    return this.#things.values();
  }

  /** What is in the grid at the slot, blocks first. */
  #placedHere(): readonly PlacedView[] {
    const minute = minuteOf(this.#slot);
    const placed = this.#dayAt(this.#slot)?.placed ?? [];
    const here = placed.filter(
      ({ from, to }) => from < minute + STEP_MINUTES && Math.max(to, from + STEP_MINUTES) > minute,
    );
    return here.toSorted((a, b) => Number(a.kind === 'event') - Number(b.kind === 'event'));
  }

  /** The keys of all that is there, whole days last. */
  #keysHere(): readonly string[] {
    const all = this.#dayAt(this.#slot)?.allDay ?? [];
    return [...this.#placedHere(), ...all].map(({ key }) => key);
  }

  #current(): string | null {
    const here = this.#keysHere();
    return here.find((key) => key === this.#chosen) ?? here[0] ?? null;
  }

  #thing(): Thing | undefined {
    return this.#things.get(this.#current() ?? '');
  }

  /** The block that keys are about; a refusal: there is none, or an event was chosen. */
  #block(): BlockThing | CommandResult {
    const thing = this.#thing();
    if (thing?.kind === 'block') return thing;
    return refused(thing === undefined ? NO_BLOCK : READ_ONLY, 'info');
  }
}
