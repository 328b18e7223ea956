// Which tasks ring now and when the next one will: updated by row changes and by the app's one clock, which it tells
// the next moment. Drawing and actions are in alerts.ts and acts.ts.
import type { Id } from '#core/ids.ts';
import { allRingsOf, holdsRings, type RingContext, stillRings } from '#core/calendar/block-rings.ts';
import { reminderLimits, type Ring } from '#core/reminders.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import type { MineRow } from '#sync/rows/row.ts';
import { Boundaries } from '../clock/boundaries.ts';
import { mineOf } from '../outline/personal-fields.ts';

export interface BookPorts {
  readonly replica: Replica;
  context(): RingContext;
  /** The next time to call `tick`; null: never. */
  wakeAt(at: number | null): void;
}

export class ReminderBook {
  readonly #ports: BookPorts;
  readonly #ahead = new Boundaries();
  /** Tasks with reminders or time blocks. */
  readonly #held = new Set<Id>();
  /** The latest ring of each ringing task. */
  readonly #ringing = new Map<Id, Ring>();
  #context: RingContext;

  constructor(ports: BookPorts) {
    this.#ports = ports;
    this.#context = ports.context();
    for (const row of ports.replica.all()) if (row.type === 'mine') this.#take(row.fields.of, row);
    this.#lookAtAll();
  }

  get size(): number {
    return this.#held.size;
  }

  has(task: Id): boolean {
    return this.#held.has(task);
  }

  /** Ringing tasks, earliest first. Ignores whether their ancestors are hidden. */
  get ringing(): readonly (readonly [Id, Ring])[] {
    return [...this.#ringing].toSorted(([, a], [, b]) => a.at - b.at);
  }

  apply(changes: readonly RowChange[]): void {
    const touched = new Set<Id>();
    let isOther = false;
    for (const { id, before, after } of changes) {
      const row = after ?? before;
      if (row?.type === 'mine') {
        const of = row.fields.of;
        const was = this.#held.has(of);
        const own = after?.type === 'mine' ? after : undefined;
        if (this.#take(of, own) || was) touched.add(of);
      } else if (row?.type === 'task' && this.#held.has(id)) touched.add(id);
      else if (row?.type === 'setting') isOther = true;
    }
    if (isOther && this.#renewContext()) this.#lookAtAll();
    else for (const id of touched) this.#look(id);
    if (touched.size > 0 || isOther) this.#ports.wakeAt(this.#ahead.next);
  }

  /** Time has passed, maybe during sleep, or the clock was set back. */
  tick(): void {
    const isElsewhere = this.#renewContext();
    const now = this.#ports.replica.now();
    if (isElsewhere) this.#lookAtAll();
    else {
      for (const id of this.#ahead.take(now)) this.#look(id as Id);
      // A ringing reminder may be over, or in the future again after the clock was set back.
      for (const id of this.#ringing.keys()) this.#look(id);
      this.#ports.wakeAt(this.#ahead.next);
    }
  }

  #renewContext(): boolean {
    const next = this.#ports.context();
    const { zone, dayMinute, wakeMinute, blocks } = this.#context;
    this.#context = next;
    const isOther = next.blocks?.minutes !== blocks?.minutes || next.blocks?.since !== blocks?.since;
    return isOther || next.zone !== zone || next.dayMinute !== dayMinute || next.wakeMinute !== wakeMinute;
  }

  #lookAtAll(): void {
    for (const id of this.#held) this.#look(id);
    this.#ports.wakeAt(this.#ahead.next);
  }

  /** Whether the personal row of a task has anything that may ring. */
  #take(of: Id, own: MineRow | undefined): boolean {
    const holds = holdsRings(own);
    if (holds) this.#held.add(of);
    else this.#held.delete(of);
    return holds;
  }

  #look(id: Id): void {
    const { replica } = this.#ports;
    const task = replica.row(id);
    const mine = this.#held.has(id) ? mineOf(replica, id) : undefined;
    const rings = task?.type === 'task' && mine ? allRingsOf(task, mine, this.#context) : [];
    const now = replica.now();
    const passed = rings
      .filter((ring) => ring.at <= now && stillRings(ring, now, reminderLimits.shownMs))
      .at(-1);
    if (passed) this.#ringing.set(id, passed);
    else this.#ringing.delete(id);
    const next = rings.find(({ at }) => at > now)?.at ?? Number.POSITIVE_INFINITY;
    const change = Math.min(next, passed?.until ?? Number.POSITIVE_INFINITY);
    this.#ahead.set(id, Number.isFinite(change) ? change : null);
  }
}
