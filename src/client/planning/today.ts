// Today as it is planned: events and blocks by the minute, how much is planned, and where something still fits.
import { endIn, startIn, wallOf } from '#core/calendar/blocks.ts';
import type { Id } from '#core/ids.ts';
import { Asking } from '#sync/query/asking.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import type { BlockBook } from '../blocks/book.ts';
import type { TaskBlock } from '../blocks/task-blocks.ts';
import { sayOverlap } from '../blocks/words.ts';
import { daysOf, type OnDay } from '../calendar/days.ts';
import type { KeptCalendars } from '../calendar/port.ts';
import { EventBook, type EventThing } from '../calendar/things.ts';
import { todayOf } from '../clock/dates.ts';
import { worldOf } from '../query/world.ts';
import { capacityOf, freeIn, gapFor, type Span } from './day.ts';
import { hoursOf } from './hours.ts';
import type { Capacity } from './words.ts';

const MINUTE_MS = 60_000;
const DAY = 1_440;

/** What is due and takes time, and has none planned: it takes some of today all the same. */
const UNPLANNED = 'is:due has:duration -is:snoozed -block:>=today';
/** What a plan of the day goes through. */
const TO_PLAN =
  'is:incomplete -is:snoozed -block:>=today (is:due OR start:<=today OR block:<today) sort:due-date';

/** A block of today. */
export interface PlacedBlock extends Span {
  readonly held: TaskBlock;
}

/** Today, as it is when it is asked. */
export class Today {
  readonly #program: Program;
  readonly #book: BlockBook;
  readonly #asking: Asking;
  #kept: KeptCalendars | null = null;

  constructor(program: Program, book: BlockBook) {
    this.#program = program;
    this.#book = book;
    this.#asking = new Asking(worldOf(program));
  }

  /** What the device keeps of the calendars; null: nothing yet. */
  get kept(): KeptCalendars | null {
    return this.#kept;
  }

  set kept(kept: KeptCalendars | null) {
    this.#kept = kept;
    this.#book.events = new EventBook(kept?.events ?? []);
  }

  /** `2026-11-30` */
  get day(): string {
    return todayOf(this.#program.moment()).toString();
  }

  /** Its midnight, as `Block.start`. */
  get start(): number {
    return Date.parse(this.day);
  }

  /** Minutes since it began; more than a day has in the night that still belongs to it. */
  get now(): number {
    const { now, zone } = this.#program.moment();
    return Math.floor((wallOf(now, zone) - this.start) / MINUTE_MS);
  }

  /** Tasks that a plan of the day goes through, in the order in which they are due. */
  toPlan(): readonly Id[] {
    return this.#find(TO_PLAN);
  }

  /** The events of the day. */
  events(): readonly OnDay<EventThing>[] {
    const first = this.start;
    const near = this.#book.events.between(first, first + DAY * MINUTE_MS, this.#program.platform.zone());
    return daysOf(near, { first, count: 1 })[0]?.things ?? [];
  }

  /** Undone blocks of the day, by start. */
  blocks(): readonly PlacedBlock[] {
    const zone = this.#program.platform.zone();
    return this.#book.undone().flatMap((held) => {
      const from = (startIn(held.block, zone) - this.start) / MINUTE_MS;
      const to = (endIn(held.block, zone) - this.start) / MINUTE_MS;
      return to <= 0 || from >= DAY ? [] : [{ held, from: Math.max(0, from), to: Math.min(DAY, to) }];
    });
  }

  /** " It overlaps “Call Ada” at Fri 27 Nov, 14:30."; empty where a block overlaps none. */
  overlap(made: TaskBlock): string {
    return sayOverlap(this.#program, this.#book, [made]);
  }

  capacity(): Capacity {
    const { planned, free } = capacityOf({
      hours: hoursOf(this.#program, this.day),
      busy: this.#busy(),
      blocks: this.blocks(),
      now: this.now,
    });
    const tasks = this.#find(UNPLANNED).map((id) => lengthOf(this.#program.replica.row(id)) ?? 0);
    return { planned: planned + tasks.reduce((sum, minutes) => sum + minutes, 0), free };
  }

  /** Where something of this length fits first, in minutes of the day; null: nowhere today. `also`: what is taken besides. */
  gap(minutes: number, also: readonly Span[] = []): number | null {
    const hours = hoursOf(this.#program, this.day);
    return gapFor(freeIn(hours, [...this.#busy(), ...this.blocks(), ...also], this.now), minutes);
  }

  #busy(): readonly Span[] {
    return this.events().flatMap(({ thing, from, to }) =>
      thing.event.isBusy && from !== null ? [{ from, to: to ?? DAY }] : [],
    );
  }

  #find(query: string): readonly Id[] {
    return this.#asking.find(this.#asking.ask(query, { awakeOnly: true }));
  }
}

/** How long a task takes, in minutes; null: nobody said. */
export const lengthOf = (row: Row | undefined): number | null =>
  row?.type === 'task' ? (fieldOf(row, 'duration') ?? null) : null;
