// The one clock of the app: it wakes exactly when the next due date, start or snooze passes or a new day begins, and
// checks nothing else. After sleep or a change of zone or device clock call `check`, and it catches up.
import type { Id } from '#core/ids.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { Boundaries } from './boundaries.ts';

export interface ClockPorts {
  /** Milliseconds since the epoch. */
  now(): number;
  zone(): string;
  after(delayMs: number, work: () => void): () => void;
  /** Hour at which a new day begins, 0–23. */
  dayStart(): number;
  row(id: Id): Row | undefined;
  rows(): Iterable<Row>;
  /**
   * `tasks`: tasks with a date that passed. `isNewDay`: a new day began, or the zone or the device clock changed, so
   * all dates may read differently.
   */
  woke(tasks: readonly Id[], isNewDay: boolean): void;
}

/** Browser timers cannot be set for longer than some weeks, and drift. */
const LONGEST_WAIT_MS = 6 * 3_600_000;
/** How far the device clock must be set back to count as changed; smaller steps are its own corrections. */
const SET_BACK_MS = 2_000;

/** Wakes its owner through `ports.woke` when dates pass. `apply` follows changes of rows; `close` cancels the timer. */
export class Clock {
  readonly #ports: ClockPorts;
  readonly #boundaries = new Boundaries();
  readonly #moments = new Map<string, number>();
  #zone: string;
  #now: number;
  #dayStart: number;
  #rollover: number;
  #cancel: (() => void) | null = null;
  #wakesAt: number | null = null;
  /** A further wake-up time requested by `wakeAt`. */
  #awaited: number | null = null;

  constructor(ports: ClockPorts) {
    this.#ports = ports;
    this.#zone = ports.zone();
    this.#now = ports.now();
    this.#dayStart = ports.dayStart();
    this.#rollover = this.#nextRollover();
    this.#readAll();
    this.#schedule();
  }

  /** When a date begins to count by the person's calendar: the first moment of a day. */
  momentOf(when: When): number {
    if (isInstantWhen(when)) return when.at;
    const key = isDayWhen(when) ? when.on : when.local;
    const known = this.#moments.get(key);
    if (known !== undefined) return known;
    const moment = isDayWhen(when)
      ? this.#startOf(Temporal.PlainDate.from(when.on))
      : Temporal.PlainDateTime.from(when.local).toZonedDateTime(this.#zone).epochMilliseconds;
    this.#moments.set(key, moment);
    return moment;
  }

  isAhead(when: When | null | undefined): when is When {
    return when !== null && when !== undefined && this.momentOf(when) > this.#ports.now();
  }

  apply(changes: readonly RowChange[]): void {
    for (const { id, before, after } of changes) {
      const { type } = after ?? before ?? {};
      if (type === 'task' || type === 'mine') this.#put(id, after);
    }
    this.#schedule();
  }

  /** Catches up with time that may have passed unnoticed. */
  check(): void {
    const now = this.#ports.now();
    const zone = this.#ports.zone();
    const dayStart = this.#ports.dayStart();
    const isElsewhere = zone !== this.#zone || dayStart !== this.#dayStart || now < this.#now - SET_BACK_MS;
    this.#now = now;
    const isNewDay = isElsewhere || now >= this.#rollover;
    let passed: readonly string[];
    if (isElsewhere) {
      this.#zone = zone;
      this.#dayStart = dayStart;
      this.#moments.clear();
      this.#boundaries.clear();
      passed = this.#readAll();
    } else passed = this.#boundaries.take(now);
    if (isNewDay) this.#rollover = this.#nextRollover();
    // A row may have another date in the future.
    if (!isElsewhere) for (const id of passed) this.#put(id as Id, this.#ports.row(id as Id));
    const isAwaited = this.#awaited !== null && now >= this.#awaited;
    if (isAwaited) this.#awaited = null;
    this.#schedule();
    if (passed.length > 0 || isNewDay || isAwaited) this.#ports.woke(this.#tasksOf(passed), isNewDay);
  }

  /** Also wakes once at this moment; null cancels that. */
  wakeAt(at: number | null): void {
    if (at === this.#awaited) return;
    this.#awaited = at;
    this.#schedule();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Ids of all rows with dates. */
  #readAll(): string[] {
    const dated: string[] = [];
    for (const row of this.#ports.rows()) {
      if (row.type !== 'task' && row.type !== 'mine') continue;
      if (datesOf(row).length === 0) continue;
      this.#put(row.id, row);
      dated.push(row.id);
    }
    return dated;
  }

  #tasksOf(ids: readonly string[]): Id[] {
    const tasks = new Set<Id>();
    for (const id of ids) {
      const row = this.#ports.row(id as Id);
      if (row) tasks.add(row.type === 'mine' ? row.fields.of : row.id);
    }
    return [...tasks];
  }

  #put(id: Id, row: Row | undefined): void {
    let soonest: number | null = null;
    for (const when of row ? datesOf(row) : []) {
      const at = this.momentOf(when);
      if (at > this.#now && (soonest === null || at < soonest)) soonest = at;
    }
    this.#boundaries.set(id, soonest);
  }

  #schedule(): void {
    const never = Number.POSITIVE_INFINITY;
    const next = Math.min(this.#boundaries.next ?? never, this.#awaited ?? never, this.#rollover);
    if (next === this.#wakesAt && this.#cancel) return;
    this.#cancel?.();
    this.#wakesAt = next;
    const wait = Math.min(Math.max(0, next - this.#ports.now()), LONGEST_WAIT_MS);
    this.#cancel = this.#ports.after(wait, () => {
      this.#cancel = null;
      this.check();
    });
  }

  #nextRollover(): number {
    const here = Temporal.Instant.fromEpochMilliseconds(this.#now).toZonedDateTimeISO(this.#zone);
    const today = here.toPlainDate();
    for (const days of [0, 1, 2]) {
      const at = this.#startOf(today.add({ days }));
      if (at > this.#now) return at;
    }
    return this.#now + LONGEST_WAIT_MS;
  }

  /** The first moment of a day; if a zone skips it, the first that exists. */
  #startOf(day: Temporal.PlainDate): number {
    const dayStart = this.#dayStart;
    const start =
      dayStart === 0
        ? day.toZonedDateTime(this.#zone)
        : day.toZonedDateTime({ timeZone: this.#zone, plainTime: { hour: dayStart } });
    return start.epochMilliseconds;
  }
}

/** The dates of a row that pass at a moment of their own; an all-day due date passes with the day. */
function datesOf(row: Row): When[] {
  const dates: When[] = [];
  const take = (value: unknown, isTimedOnly: boolean) => {
    const when = value as When | null | undefined;
    if (when === null || when === undefined) return;
    if (!isTimedOnly || !isDayWhen(when)) dates.push(when);
  };
  if (row.type === 'mine') take(row.fields.snooze, false);
  else {
    take(fieldOf(row, 'due'), true);
    take(fieldOf(row, 'start'), false);
  }
  return dates;
}
