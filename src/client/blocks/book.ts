// All time blocks of a person, by task: read once, then followed. Costs what has blocks, not what there is.
import { blocksIn, endIn, overlap, type Block } from '#core/calendar/blocks.ts';
import type { Id } from '#core/ids.ts';
import { rowsAbove } from '#sync/rows/ancestors.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import { blocksOf, isUndone, type TaskBlock } from './task-blocks.ts';

/** The tasks with blocks, and what is asked of all their blocks. */
export class BlockBook {
  readonly #replica: Replica;
  readonly #held = new Set<Id>();

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

  /** The blocks of tasks that are not in the trash, done or not, in the order of their start. */
  living(): readonly TaskBlock[] {
    const replica = this.#replica;
    const found = [...this.#held].flatMap((id) => {
      const task = replica.row(id);
      return task?.type === 'task' && this.#isLiving(task) ? blocksOf({ replica }, task) : [];
    });
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
