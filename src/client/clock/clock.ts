// The one clock of the app: it wakes exactly when the next due date, start or snooze passes or a new day begins, and looks
// at nothing else. After sleep, a change of zone or of the device's clock it is asked to check, and catches up.
import type { Id } from '#core/ids.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import type { RowChange } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
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
  /** `tasks`: those a date of which passed. `isNewDay`: also when the zone or the device's clock changed: all dates may read differently. */
  woke(tasks: readonly Id[], isNewDay: boolean): void;
}

/** Timers of browsers cannot be set for longer than some weeks, and drift. */
const LONGEST_WAIT_MS = 6 * 3_600_000;
/** The device's clock was set back by more than its own corrections are. */
const SET_BACK_MS = 2_000;

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
  /** What somebody else waits for. */
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

  /** When a date begins to count, by the person's own calendar: a day with its first moment. */
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

  /** Time may have passed unseen. */
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
    // A row may have another date ahead.
    if (!isElsewhere) for (const id of passed) this.#put(id as Id, this.#ports.row(id as Id));
    const isAwaited = this.#awaited !== null && now >= this.#awaited;
    if (isAwaited) this.#awaited = null;
    this.#schedule();
    if (passed.length > 0 || isNewDay || isAwaited) this.#ports.woke(this.#tasksOf(passed), isNewDay);
  }

  /** Also wakes at this moment; null: for nothing else than dates. It wakes once. */
  wakeAt(at: number | null): void {
    if (at === this.#awaited) return;
    this.#awaited = at;
    this.#schedule();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Ids of all rows that have dates. */
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
      if (row) tasks.add(row.type === 'mine' ? (row.fields.of as Id) : row.id);
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

  /** The first moment of a day; where a zone skips it, the first there is. */
  #startOf(day: Temporal.PlainDate): number {
    const dayStart = this.#dayStart;
    const start =
      dayStart === 0
        ? day.toZonedDateTime(this.#zone)
        : day.toZonedDateTime({ timeZone: this.#zone, plainTime: { hour: dayStart } });
    return start.epochMilliseconds;
  }
}

/** What a row has that passes at a moment of its own; a due day passes with the day. */
function datesOf(row: Row): When[] {
  const dates: When[] = [];
  const take = (value: unknown, isTimedOnly: boolean) => {
    const when = value as When | null | undefined;
    if (when === null || when === undefined) return;
    if (!isTimedOnly || !isDayWhen(when)) dates.push(when);
  };
  if (row.type === 'mine') take(row.fields.snooze, false);
  else {
    take(row.fields.due, true);
    take(row.fields.start, false);
  }
  return dates;
}
