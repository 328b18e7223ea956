// What was done here and how to take it back: groups of inverse actions for everything a person changed, in their order.
// An inverse acts only where nothing newer was written; what somebody else changed since stays, and that is said.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { Issued, Replica } from '#sync/replica-types.ts';
import { registerStamp } from '#sync/row.ts';

/** One issue of a group: what takes it back, and what each of its writes replaced. */
interface Step {
  inverses: Action[];
  /** Register → sequence number of the own write that this step's write replaced. */
  readonly replaced: ReadonlyMap<string, number>;
}

export interface UndoGroup {
  readonly id: Id;
  /** Past tense, lower case: "completed ‘Plan launch’". */
  readonly label: string;
  readonly steps: readonly Step[];
  /** Where the cursor was before. */
  readonly cursor: Id | null;
}

export interface UndoOutcome {
  readonly label: string;
  readonly cursor: Id | null;
  /** Parts that stay because somebody changed them since. */
  readonly kept: number;
  readonly changed: readonly Id[];
}

export interface Recorded {
  readonly issued: Issued;
  readonly label: string;
  /** Joins the group of that id, if there is one. */
  readonly group: Id;
  readonly cursor: Id | null;
  /** Whether joining a group renames it. */
  readonly renames: boolean;
}

const GROUPS = 200;
/** Steps that one key may wait for; the rest follow frame by frame. */
const AT_ONCE = 4;

/** How to go on with very many changes. */
export interface Spread {
  later(work: () => void): void;
  /** All of it is taken back, but for so many parts. */
  kept(count: number): void;
}

function registerOf(action: Action): string | null {
  switch (action.a) {
    case 'set':
      return `${action.id}|${action.field}`;
    case 'place':
      return `${action.id}|place`;
    case 'delete':
    case 'restore':
      return `${action.id}|del`;
    default:
      return null;
  }
}

function onlyOf(action: Action): number | undefined {
  return 'only' in action ? action.only : undefined;
}

/** For every register written: the sequence numbers of the new write and of the own write it replaced (0: none). */
function writesOf(issued: Issued): Map<string, { readonly seq: number; readonly replaced: number }> {
  const writes = new Map<string, { seq: number; replaced: number }>();
  for (const { id, before, after } of issued.changes) {
    if (!after) continue;
    const registers = new Set(['place', 'del', ...Object.keys(after.stamps ?? {})]);
    for (const register of registers) {
      const is = registerStamp(after, register);
      const was = before ? registerStamp(before, register) : undefined;
      if (was && was[3] === is[3] && was[2] === is[2]) continue;
      writes.set(`${id}|${register}`, { seq: is[3], replaced: was && was[2] === is[2] ? was[3] : 0 });
    }
  }
  return writes;
}

function stepOf(issued: Issued): Step {
  const replaced = new Map<string, number>();
  for (const [register, write] of writesOf(issued)) replaced.set(register, write.replaced);
  return { inverses: [...issued.inverses], replaced };
}

export class UndoHistory {
  readonly #replica: Replica;
  readonly #done: UndoGroup[] = [];
  readonly #undone: UndoGroup[] = [];

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  /** Newest first. */
  get done(): readonly UndoGroup[] {
    return this.#done.toReversed();
  }

  get undone(): readonly UndoGroup[] {
    return this.#undone.toReversed();
  }

  get newest(): UndoGroup | undefined {
    return this.#done.at(-1);
  }

  record({ issued, label, group, cursor, renames }: Recorded): void {
    if (issued.inverses.length === 0) return;
    this.#undone.length = 0;
    const step = stepOf(issued);
    const at = this.#done.findLastIndex(({ id }) => id === group);
    const known = this.#done[at];
    if (known) {
      const name = renames ? label : known.label;
      this.#done[at] = { ...known, label: name, steps: [...known.steps, step] };
      return;
    }
    this.#done.push({ id: group, label, steps: [step], cursor });
    if (this.#done.length > GROUPS) this.#done.shift();
  }

  /** Null when there is nothing to undo. */
  undo(spread?: Spread): UndoOutcome | null {
    const group = this.#done.pop();
    return group ? this.#takeBack(group, this.#undone, spread) : null;
  }

  redo(spread?: Spread): UndoOutcome | null {
    const group = this.#undone.pop();
    return group ? this.#takeBack(group, this.#done, spread) : null;
  }

  /** Takes the newest group back and forgets it, as if it had never been: an empty new task that was left again. */
  discard(group: Id): void {
    if (this.#done.at(-1)?.id !== group) return;
    const newest = this.#done.pop();
    if (newest) this.#takeBack(newest, []);
  }

  /** Takes a group back, the newest step first; `into` gets what would take that back again. */
  #takeBack(group: UndoGroup, into: UndoGroup[], spread?: Spread): UndoOutcome {
    const id = this.#replica.newId();
    const steps: Step[] = [];
    const changed: Id[] = [];
    const outcome = { label: group.label, cursor: group.cursor, kept: 0, changed };
    const waiting = [...group.steps];
    const takeNext = () => {
      const step = waiting.pop();
      if (!step) return;
      const issued = this.#replica.issue(step.inverses, { group: id });
      outcome.kept += issued.verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'already').length;
      for (const change of issued.changes) changed.push(change.id);
      this.#follow(step, issued, group);
      if (issued.inverses.length === 0) return;
      if (steps.length === 0) into.push({ id, label: group.label, steps, cursor: group.cursor });
      steps.push(stepOf(issued));
    };
    for (let now = spread ? AT_ONCE : waiting.length; now > 0; now -= 1) takeNext();
    const goOn = () => {
      takeNext();
      if (waiting.length > 0) spread?.later(goOn);
      else if (outcome.kept > 0) spread?.kept(outcome.kept);
    };
    if (waiting.length > 0) spread?.later(goOn);
    return outcome;
  }

  /**
   * Taking a write back restores what an older write had put there, under a new number: every inverse that waits for
   * the older number waits for the new one from now on.
   */
  #follow(step: Step, issued: Issued, current: UndoGroup): void {
    const renamed = new Map<string, number>();
    for (const [register, { seq }] of writesOf(issued)) {
      const older = step.replaced.get(register);
      if (older !== undefined && older > 0) renamed.set(`${register}|${older}`, seq);
    }
    if (renamed.size === 0) return;
    const rename = (action: Action): Action => {
      const register = registerOf(action);
      const only = onlyOf(action);
      const next = register === null || only === undefined ? undefined : renamed.get(`${register}|${only}`);
      return next === undefined ? action : ({ ...action, only: next } as Action);
    };
    for (const group of [...this.#done, ...this.#undone, current]) {
      for (const waiting of group.steps) waiting.inverses = waiting.inverses.map(rename);
    }
  }
}
