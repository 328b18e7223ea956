// Automatic clearing: which completed tasks leave their list by themselves, and when. A lazy part; it scans the rows
// once and then follows changes. Every device computes the same moment for the same completion; sync/rows/clearing.ts
// makes doing it twice harmless. In one's own lists the setting counts, in a shared one what the list says.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, registerStamp, type Row } from '#sync/rows/row.ts';
import { isCleared, isDone, isShown, isTrashed, placeOf, statusOf } from '#sync/rows/row-reading.ts';
import { Boundaries } from '../clock/boundaries.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import { inTransactions, issueBatches } from '../commands/batches.ts';
import { nameOf } from '../outline/row-facts.ts';
import { autoClear, keepRepeatChildren } from '../settings/behavior.ts';
import { clearActions } from './clearing.ts';
import { clearAfterIn } from './list-hours.ts';
import { idsAbove, rowsAbove } from '#sync/rows/ancestors.ts';

const HOUR_MS = 3_600_000;
/** Delay before trying again while the person is typing. */
const BUSY_MS = 30_000;
/** Browser timers cannot be set for longer than some weeks. */
const LONGEST_WAIT_MS = 6 * HOUR_MS;
/** Tasks due within this time are cleared together, with one message. */
const SHORTEST_WAIT_MS = 1_000;

/** Whether a shown task under this one is still open. */
function hasOpen(program: Program, root: Id): boolean {
  const waiting = [...program.replica.children(root)];
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    if (!isShown(row)) continue;
    if (!isDone(row)) return true;
    waiting.push(...program.replica.children(row.id));
  }
  return false;
}

export class AutomaticClearing {
  readonly #program: Program;
  readonly #boundaries = new Boundaries();
  /** Due tasks that something under or above them keeps. */
  readonly #kept = new Set<Id>();
  readonly #stops: (() => void)[];
  #cancel: (() => void) | null = null;

  constructor(program: Program) {
    this.#program = program;
    const { replica, settings } = program;
    this.#stops = [
      replica.subscribe((changes) => this.#apply(changes)),
      settings.signal(autoClear).subscribe(() => this.#begin()),
      settings.signal(keepRepeatChildren).subscribe(() => this.#begin()),
    ];
    this.#begin();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
    for (const stop of this.#stops) stop();
  }

  #begin(): void {
    this.#boundaries.clear();
    this.#kept.clear();
    if (this.#isOn) for (const row of this.#program.replica.all()) this.#take(row.id, row);
    this.#schedule();
  }

  get #isOn(): boolean {
    return this.#program.replica.scopes.some((scope) => this.#hoursIn(scope) > 0);
  }

  /** 0: never. A person's own setting would clear a shared list for all its members. */
  #hoursIn(scope: Id): number {
    const { replica, settings } = this.#program;
    return scope === replica.scope ? settings.get(autoClear) : clearAfterIn(replica, scope);
  }

  /** When a task is to be cleared, in milliseconds. A cleared task that was restored waits as long again. */
  #momentOf(row: Row): number {
    const done = statusOf(row)?.done ?? 0;
    return Math.max(done, registerStamp(row, 'status')[1]) + this.#hoursIn(row.scope) * HOUR_MS;
  }

  #take(id: Id, row: Row | undefined): void {
    const isComplete = row?.type === 'task' && isDone(row) && !isCleared(row) && !isTrashed(row);
    const counts = isComplete && this.#hoursIn(row.scope) > 0;
    this.#boundaries.set(id, counts ? this.#momentOf(row) : null);
    if (!counts) this.#kept.delete(id);
  }

  #apply(changes: readonly RowChange[]): void {
    if (changes.some(({ before, after }) => fieldOf(before, 'clearAfter') !== fieldOf(after, 'clearAfter'))) {
      this.#begin();
      return;
    }
    if (!this.#isOn) return;
    let freesAll = false;
    for (const { id, before, after } of changes) {
      if ((after ?? before)?.type !== 'task') continue;
      this.#take(id, after);
      if (this.#kept.size === 0) continue;
      freesAll ||= fieldOf(before, 'repeat') !== fieldOf(after, 'repeat');
      freesAll ||= placeOf(before)?.parent !== placeOf(after)?.parent;
      freesAll ||= isTrashed(before) !== isTrashed(after);
      if (isDone(before) !== isDone(after)) this.#reconsiderAbove(id);
    }
    if (freesAll) for (const id of this.#kept) this.#take(id, this.#program.replica.row(id));
    this.#schedule();
  }

  #reconsiderAbove(id: Id): void {
    const { replica } = this.#program;
    for (const at of idsAbove(id, (above) => replica.row(above)))
      if (this.#kept.delete(at)) this.#take(at, replica.row(at));
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = null;
    const { next } = this.#boundaries;
    if (next === null) return;
    const wait = Math.min(Math.max(SHORTEST_WAIT_MS, next - this.#program.replica.now()), LONGEST_WAIT_MS);
    this.#wait(wait);
  }

  #wait(delayMs: number): void {
    this.#cancel = this.#program.platform.after(delayMs, () => {
      this.#cancel = null;
      if (this.#program.editor.title !== null || this.#program.dialog.controller?.isTyping === true)
        this.#wait(BUSY_MS);
      else this.#clearDue();
    });
  }

  #clearDue(): void {
    const { replica } = this.#program;
    const due = this.#boundaries.take(replica.now());
    const rows = due.flatMap((key) => {
      const id = key as Id;
      const row = replica.row(id);
      if (!row || !isDone(row) || isCleared(row)) return [];
      if (!this.#stays(row)) return [row];
      this.#kept.add(id);
      return [];
    });
    if (rows.length > 0) this.#program.act(() => this.#clear(rows));
    this.#schedule();
  }

  #clear(rows: readonly Row[]): void {
    const program = this.#program;
    const [only] = rows;
    const name = rows.length === 1 ? quoted(nameOf(only)) : `${rows.length} completed tasks`;
    const actions = clearActions(rows, (row) => this.#momentOf(row));
    issueBatches(program, {
      batches: inTransactions(actions),
      label: `cleared ${name} automatically`,
      group: program.replica.newId(),
      renames: false,
    });
    program.say(`Cleared ${name}.`, { undo: true });
  }

  /** It is in the trash with something above it, would hide an open task, or is part of a repeating task. */
  #stays(row: Row): boolean {
    const { replica, settings, workspace } = this.#program;
    if (workspace.facts.isHidden(row.id) || hasOpen(this.#program, row.id)) return true;
    // What one person set for themselves does not count for the others.
    if (row.scope === replica.scope && !settings.get(keepRepeatChildren)) return false;
    for (const above of rowsAbove(row, (id) => replica.row(id)))
      if (above.type === 'task' && (above.fields.repeat ?? null) !== null && !isDone(above)) return true;
    return false;
  }
}
