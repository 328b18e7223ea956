// Which tasks ring now and when the next one will: kept by row changes and by the app's one clock, which it tells the next
// moment. Not here: what is drawn and done about it (bell.ts, acts.ts).
import type { Id } from '#core/ids.ts';
import { type ReminderContext, reminderLimits, remindersIn, type Ring, ringsOf } from '#core/reminders.ts';
import type { Replica, RowChange } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import { Boundaries } from '../clock/boundaries.ts';
import { mineOf } from '../mine.ts';

export interface BookPorts {
  readonly replica: Replica;
  context(): ReminderContext;
  /** When this has to be called again; null: never. */
  wakeAt(at: number | null): void;
}

export class ReminderBook {
  readonly #ports: BookPorts;
  readonly #ahead = new Boundaries();
  /** Tasks that have reminders. */
  readonly #held = new Set<Id>();
  /** The last ring of each task that rings. */
  readonly #ringing = new Map<Id, Ring>();
  #context: ReminderContext;

  constructor(ports: BookPorts) {
    this.#ports = ports;
    this.#context = ports.context();
    for (const row of ports.replica.all()) this.#take(row);
    this.#lookAtAll();
  }

  get size(): number {
    return this.#held.size;
  }

  has(task: Id): boolean {
    return this.#held.has(task);
  }

  /** Tasks that ring, in the order in which they began to. What lies above them is not looked at. */
  get ringing(): readonly (readonly [Id, Ring])[] {
    return [...this.#ringing].toSorted(([, a], [, b]) => a.at - b.at);
  }

  apply(changes: readonly RowChange[]): void {
    const touched = new Set<Id>();
    let isOther = false;
    for (const { id, before, after } of changes) {
      const row = after ?? before;
      if (row?.type === 'mine') {
        const of = row.fields.of as Id;
        const was = this.#held.has(of);
        if (this.#take(after, of) || was) touched.add(of);
      } else if (row?.type === 'task' && this.#held.has(id)) touched.add(id);
      else if (row?.type === 'setting') isOther = true;
    }
    if (isOther && this.#renewContext()) this.#lookAtAll();
    else for (const id of touched) this.#look(id);
    if (touched.size > 0 || isOther) this.#ports.wakeAt(this.#ahead.next);
  }

  /** Time has passed, perhaps unseen or backwards. */
  tick(): void {
    const isElsewhere = this.#renewContext();
    const now = this.#ports.replica.now();
    if (isElsewhere) this.#lookAtAll();
    else {
      for (const id of this.#ahead.take(now)) this.#look(id as Id);
      // What began to ring may be over, or lie ahead again where the clock was set back.
      for (const id of this.#ringing.keys()) this.#look(id);
      this.#ports.wakeAt(this.#ahead.next);
    }
  }

  #renewContext(): boolean {
    const next = this.#ports.context();
    const { zone, dayMinute, wakeMinute } = this.#context;
    this.#context = next;
    return next.zone !== zone || next.dayMinute !== dayMinute || next.wakeMinute !== wakeMinute;
  }

  #lookAtAll(): void {
    for (const id of this.#held) this.#look(id);
    this.#ports.wakeAt(this.#ahead.next);
  }

  /** Whether the person's own row about a task has reminders. */
  #take(row: Row | undefined, of = row?.type === 'mine' ? (row.fields.of as Id) : undefined): boolean {
    if (of === undefined) return false;
    const holds = row !== undefined && remindersIn(row.fields).length > 0;
    if (holds) this.#held.add(of);
    else this.#held.delete(of);
    return holds;
  }

  #look(id: Id): void {
    const { replica } = this.#ports;
    const task = replica.row(id);
    const mine = this.#held.has(id) ? mineOf(replica, id) : undefined;
    const rings = task && mine ? ringsOf(task, mine, this.#context) : [];
    const now = replica.now();
    const passed = rings.filter(({ at }) => at <= now && now - at < reminderLimits.shownMs).at(-1);
    if (passed) this.#ringing.set(id, passed);
    else this.#ringing.delete(id);
    this.#ahead.set(id, rings.find(({ at }) => at > now)?.at ?? null);
  }
}
