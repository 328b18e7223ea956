// The server of an encrypted account can't tell when a reminder rings. Where the person wants to be reminded while the app is closed, devices
// write down when, and not of what.
import type { Id } from '#core/ids.ts';
import { allRingsOf, holdsRings } from '#core/calendar/block-rings.ts';
import { reminderLimits } from '#core/reminders.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { registersOf, type MineRow } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { mineOf, setMine } from '../outline/personal-fields.ts';
import { wakeClosed } from '../settings/behavior.ts';
import { reminderContext } from './context.ts';

/** Written at once. The rest follows after a frame. */
const AT_ONCE = 100;
/** Registers of a personal row that have nothing to do with when it rings. */
const APART: ReadonlySet<string> = new Set(['wake', 'bookmarkedAt', 'collapsed', 'order']);

/** Whether something changed that a moment may follow from. What another device has written down is no reason to do so, too. */
function isReason({ before, after }: RowChange): boolean {
  const [was, is] = [registersOf(before), registersOf(after)];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].some((name) => !APART.has(name) && was[name] !== is[name]);
}

/** Keeps what is written down in step with the reminders. */
export class Waking {
  readonly #program: Program;
  readonly #touched = new Set<Id>();
  #isWriting = false;
  /** All that moments follow from besides rows, as they were last looked at. */
  #world = '';

  constructor(program: Program) {
    this.#program = program;
    this.tick();
  }

  apply(changes: readonly RowChange[]): void {
    const { replica } = this.#program;
    let isOther = false;
    for (const change of changes) {
      const row = change.after ?? change.before;
      if (row?.type === 'mine') {
        if (isReason(change)) this.#touched.add(row.fields.of);
      } else if (row?.type === 'task') {
        if (mineOf(replica, row.id) !== undefined) this.#touched.add(row.id);
      } else if (row?.type === 'setting') isOther = true;
    }
    if (isOther) this.tick();
    this.#writeSoon();
  }

  /** Encryption was turned on or off, or the person is elsewhere, maybe. */
  tick(): void {
    const { settings, engine } = this.#program;
    const { zone, dayMinute, wakeMinute, blocks } = reminderContext(this.#program);
    const world = [
      settings.get(wakeClosed) && engine.facts().isApart,
      zone,
      dayMinute,
      wakeMinute,
      blocks?.minutes,
    ].join();
    if (world === this.#world) return;
    this.#world = world;
    this.#lookAtAll();
  }

  #lookAtAll(): void {
    for (const row of this.#program.replica.all()) if (row.type === 'mine') this.#touched.add(row.fields.of);
    this.#writeSoon();
  }

  #writeSoon(): void {
    if (this.#isWriting || this.#touched.size === 0) return;
    this.#isWriting = true;
    this.#program.later(() => {
      this.#isWriting = false;
      this.#write();
      this.#writeSoon();
    });
  }

  #write(): void {
    const actions: Action[] = [];
    for (const task of this.#touched) {
      this.#touched.delete(task);
      actions.push(...this.#actionsFor(task));
      if (actions.length >= AT_ONCE) break;
    }
    if (actions.length > 0) this.#program.change(actions, 'wrote down reminders', { undoable: false });
  }

  #actionsFor(task: Id): readonly Action[] {
    const { replica } = this.#program;
    const mine = mineOf(replica, task);
    if (mine === undefined || lockedOf(mine) !== undefined) return [];
    const now = replica.now();
    const ahead = (mine.fields.wake ?? []).filter((at) => at > now);
    const wanted = this.#momentsOf(task, mine, now);
    if (wanted === null || wanted.join() === ahead.join()) return [];
    return setMine(replica, task, { wake: wanted.length === 0 ? null : wanted });
  }

  /** Null: not known here. */
  #momentsOf(task: Id, mine: MineRow, now: number): readonly number[] | null {
    const program = this.#program;
    if (!program.settings.get(wakeClosed) || !program.engine.facts().isApart) return [];
    if (!holdsRings(mine)) return [];
    const row = program.replica.row(task);
    if (row?.type !== 'task' || lockedOf(row) !== undefined) return null;
    const rings = allRingsOf(row, mine, reminderContext(program));
    return rings.flatMap(({ at }) => (at > now ? [at] : [])).slice(0, reminderLimits.wakes);
  }
}
