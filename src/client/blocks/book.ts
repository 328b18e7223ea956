// All time blocks of a person, by task: read once, then followed. Costs what has blocks, not what there is.
import { blocksIn, endIn, overlap, startIn, type Block } from '#core/calendar/blocks.ts';
import type { Id } from '#core/ids.ts';
import { rowsAbove } from '#sync/rows/ancestors.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Row, TaskRow } from '#sync/rows/row.ts';
import { EventBook, type EventThing } from '../calendar/things.ts';
import { blocksOf, isUndone, type TaskBlock } from './task-blocks.ts';

/** The tasks with blocks, and what is asked of all their blocks. */
export class BlockBook {
  readonly #replica: Replica;
  readonly #held = new Set<Id>();
  /** The events of shown calendars; none until they are read. */
  events = new EventBook([]);

  constructor(replica: Replica) {
    this.#replica = replica;
    for (const row of replica.all()) this.#take(row);
  }

  apply(changes: readonly RowChange[]): void {
    for (const { before, after } of changes) {
      if (after !== undefined) this.#take(after);
      else if (before?.type === 'mine') this.#held.delete(before.fields.of);
    }
  }

  has(task: Id): boolean {
    return this.#held.has(task);
  }

  /** The tasks with blocks that are not in the trash, done or not. */
  tasks(): readonly TaskRow[] {
    return [...this.#held].flatMap((id) => {
      const task = this.#replica.row(id);
      return task?.type === 'task' && this.#isLiving(task) ? task : [];
    });
  }

  /** Their blocks, in the order of their start. */
  living(): readonly TaskBlock[] {
    const found = this.tasks().flatMap((task) => blocksOf({ replica: this.#replica }, task));
    return found.toSorted((a, b) => a.block.start - b.block.start);
  }

  /** The undone ones of them. */
  undone(): readonly TaskBlock[] {
    return this.living().filter(isUndone);
  }

  /** The undone blocks that share time with this one, except those of `register`. */
  conflicts(block: Block, register: string, zone: string): readonly TaskBlock[] {
    return this.undone().filter((other) => other.register !== register && overlap(other.block, block, zone));
  }

  /** The events that take time of this block, by start. A day without a time takes none. */
  meetings(block: Block, zone: string): readonly EventThing[] {
    const [start, end] = [startIn(block, zone), endIn(block, zone)];
    return this.events
      .between(start, end, zone)
      .filter((thing) => !thing.isAllDay && thing.event.isBusy && thing.start < end && thing.end > start);
  }

  /** The undone blocks that ended before a day began. `day`: its midnight, as `Block.start`. */
  missed(day: number, zone: string): readonly TaskBlock[] {
    return this.undone().filter(({ block }) => endIn(block, zone) <= day);
  }

  #isLiving(task: Row): boolean {
    if (isTrashed(task)) return false;
    for (const above of rowsAbove(task, (id) => this.#replica.row(id))) if (isTrashed(above)) return false;
    return true;
  }

  #take(row: Row): void {
    if (row.type !== 'mine') return;
    if (blocksIn(row).length > 0) this.#held.add(row.fields.of);
    else this.#held.delete(row.fields.of);
  }
}
