// Undo and redo on this device: groups of inverse actions for everything a person changed, in order. An inverse applies
// only where nothing newer was written; later changes by others stay, and that is reported. Undo is kept in the
// device's journal, so that it outlives the tab; redo is not.
import type { Id } from '#core/ids.ts';
import { laneOf } from '#sync/tabs/sequences.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import type { JournalEntry } from '#sync/replica/ports.ts';
import type { DeviceJournal, Issued, Replica } from '#sync/replica/replica-types.ts';
import { registerStamp } from '#sync/rows/row.ts';

/** One issue of a group: its inverse, and what each of its writes replaced. */
interface Step {
  readonly device: Id;
  /** Sequence number of its first operation. */
  readonly q: number;
  readonly operations: readonly Operation[];
  inverses: readonly Action[];
  /** Register → sequence number of the own write that this step's write replaced. */
  readonly replaced: ReadonlyMap<string, number>;
}

/** Everything that one undo takes back. */
export interface UndoGroup {
  readonly id: Id;
  /** Past tense, lower case: "completed ‘Plan launch’". */
  readonly label: string;
  readonly steps: readonly Step[];
  /** The cursor before the gesture. */
  readonly cursor: Id | null;
}

/** Result of an undo or redo, for its message and the cursor. */
export interface UndoOutcome {
  readonly label: string;
  readonly cursor: Id | null;
  /** It was done under an identity that this copy gave up: nothing was taken back. */
  readonly isForeign?: true;
  /** Number of parts that stay because somebody changed them since. */
  readonly kept: number;
  readonly changed: readonly Id[];
}

export interface Recorded {
  readonly issued: Issued;
  readonly label: string;
  /** Joins the group with that id, if there is one. */
  readonly group: Id;
  readonly cursor: Id | null;
  /** Whether joining a group renames it. */
  readonly renames: boolean;
}

const GROUPS = 200;
/** Steps undone within one key; the rest follow frame by frame. */
const AT_ONCE = 4;
/** Up to this many changes count as few, however many steps they have. */
const SMALL = 200;

/** How to continue an undo of very many changes. */
export interface Spread {
  later(work: () => void): void;
  /** Called at the end with the number of parts that were kept. */
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

/** A written register: the sequence numbers of the write and of the own write it replaced (0: none). */
interface Write {
  readonly register: string;
  readonly seq: number;
  readonly replaced: number;
}

function writesOf(issued: Issued): Write[] {
  const writes: Write[] = [];
  for (const { id, before, after } of issued.changes) {
    if (!after) continue;
    const look = (name: string) => {
      const is = registerStamp(after, name);
      const was = before && registerStamp(before, name);
      if (is === was || (was && was[3] === is[3] && was[2] === is[2])) return;
      const replaced = was && was[2] === is[2] ? was[3] : 0;
      writes.push({ register: `${id}|${name}`, seq: is[3], replaced });
    };
    const { stamps = {} } = after;
    for (const name of Object.keys(stamps)) look(name);
    if (stamps['place'] === undefined) look('place');
    if (stamps['del'] === undefined) look('del');
  }
  return writes;
}

function stepOf({ operations, inverses }: Issued, writes: readonly Write[], device: Id): Step {
  const replaced = new Map<string, number>();
  for (const write of writes) if (write.replaced > 0) replaced.set(write.register, write.replaced);
  return { device, q: operations[0]?.q ?? 0, operations, inverses, replaced };
}

/**
 * Number of an older write → register → number of the write that restored it. Keyed by number first: nearly all entries
 * of the history concern others, which shows without a look at the register.
 */
type Renamed = Map<number, Map<string, number>>;

function addTo(renamed: Renamed, older: number, register: string, seq: number): void {
  const known = renamed.get(older);
  if (known) known.set(register, seq);
  else renamed.set(older, new Map([[register, seq]]));
}

/** The journal entry of a step; with `group`, undo finds it there. */
function entryOf(step: Step, group?: Pick<UndoGroup, 'label' | 'cursor'>): JournalEntry {
  const { device, q, operations, inverses } = step;
  if (!group) return { device, q, operations, inverses };
  const undo = { label: group.label, cursor: group.cursor, replaced: [...step.replaced] };
  return { device, q, operations, inverses, undo };
}

function groupsOf(entries: readonly JournalEntry[]): UndoGroup[] {
  const groups = new Map<Id, { id: Id; label: string; steps: Step[]; cursor: Id | null }>();
  for (const { undo, ...entry } of entries) {
    const id = entry.operations[0]?.g;
    if (!undo || id === undefined) continue;
    const group = groups.get(id) ?? { id, label: '', steps: [], cursor: undo.cursor };
    groups.set(id, group);
    group.label = undo.label;
    group.steps.push({ ...entry, replaced: new Map(undo.replaced) });
  }
  return [...groups.values()];
}

export class UndoHistory {
  readonly #replica: Pick<Replica, 'issue' | 'newId'>;
  readonly #journal: DeviceJournal;
  readonly #done: UndoGroup[] = [];
  readonly #undone: UndoGroup[] = [];

  /** Renamings found before the journal was read; they may concern its entries. */
  #renamedEarly: Renamed | null = new Map();
  #firstHere = Number.POSITIVE_INFINITY;
  #hasForeign = false;

  constructor(replica: Pick<Replica, 'issue' | 'newId'>, journal: DeviceJournal) {
    this.#replica = replica;
    this.#journal = journal;
    if (journal.all) this.#takeUp(journal.all);
  }

  /** Everything done here before is known. */
  get isLoaded(): boolean {
    return this.#renamedEarly === null;
  }

  /** The journal holds changes that this copy made under another identity and can no longer take back. */
  get hasForeign(): boolean {
    return this.#hasForeign;
  }

  /** Reads the groups of earlier starts. Rejects if the disk cannot be read. */
  async load(): Promise<void> {
    if (!this.isLoaded) this.#takeUp(await this.#journal.read());
  }

  #takeUp(entries: readonly JournalEntry[]): void {
    const renamed = this.#renamedEarly;
    if (renamed === null) return;
    this.#renamedEarly = null;
    const { device, lane } = this.#journal;
    // Each tab undoes its own changes: sequence numbers of another tab are not its own.
    const isOwn = (entry: JournalEntry) => entry.device === device && laneOf(entry.q) === lane;
    const earlier = entries.filter((entry) => isOwn(entry) && entry.q < this.#firstHere);
    this.#hasForeign = entries.some((entry) => entry.device !== device && entry.undo !== undefined);
    this.#done.unshift(...groupsOf(earlier).slice(-GROUPS));
    this.#done.splice(0, this.#done.length - GROUPS);
    this.#rename(renamed);
  }

  /** Groups that can be undone, newest first. */
  get done(): readonly UndoGroup[] {
    return this.#done.toReversed();
  }

  get undone(): readonly UndoGroup[] {
    return this.#undone.toReversed();
  }

  get newest(): UndoGroup | undefined {
    return this.#done.at(-1);
  }

  get beforeNewest(): UndoGroup | undefined {
    return this.#done.at(-2);
  }

  record({ issued, label, group, cursor, renames }: Recorded): void {
    const step = this.#noted(issued, writesOf(issued));
    if (issued.inverses.length === 0) {
      if (issued.operations.length > 0) this.#journal.put([entryOf(step)]);
      return;
    }
    this.#undone.length = 0;
    const at = this.#done.findLastIndex(({ id }) => id === group);
    const known = this.#done[at];
    if (known) {
      const name = renames ? label : known.label;
      const joined = { ...known, label: name, steps: [...known.steps, step] };
      this.#done[at] = joined;
      this.#journal.put([entryOf(step, joined)]);
      return;
    }
    const made = { id: group, label, steps: [step], cursor };
    this.#done.push(made);
    this.#journal.put([entryOf(step, made)]);
    if (this.#done.length > GROUPS) this.#done.shift();
  }

  /** Makes the groups after `since` one with this label; null: all groups. After a restart they are as they were. */
  join(since: Id | null, label: string): void {
    const from = this.#done.findLastIndex(({ id }) => id === since) + 1;
    const [first, ...others] = this.#done.slice(from);
    if (!first) return;
    const steps = [first, ...others].flatMap((group) => group.steps);
    this.#done.splice(from, others.length + 1, { ...first, label, steps });
  }

  /** Null when there is nothing to undo. `isLeft`: skips a group, and undoes the one before it instead. */
  undo(spread?: Spread, isLeft: (group: UndoGroup) => boolean = () => false): UndoOutcome | null {
    const at = this.#done.findLastIndex((group) => !isLeft(group));
    const [group] = at < 0 ? [] : this.#done.splice(at, 1);
    return group ? this.#takeBack(group, this.#undone, spread) : null;
  }

  redo(spread?: Spread): UndoOutcome | null {
    const group = this.#undone.pop();
    return group ? this.#takeBack(group, this.#done, spread) : null;
  }

  /** Forgets groups whose changes no longer exist here. Returns how many could have been undone. */
  forget(isGone: (group: UndoGroup) => boolean): number {
    const gone = this.#done.filter(isGone);
    this.#journal.put(gone.flatMap(({ steps }) => steps.map((step) => entryOf(step))));
    for (const groups of [this.#done, this.#undone])
      groups.splice(0, groups.length, ...groups.filter((group) => !isGone(group)));
    return gone.length;
  }

  /** Undoes the newest group without a trace: for an empty new task that was left again. */
  discard(group: Id): void {
    if (this.#done.at(-1)?.id !== group) return;
    const newest = this.#done.pop();
    if (newest) this.#takeBack(newest, []);
  }

  #noted(issued: Issued, writes: readonly Write[]): Step {
    const step = stepOf(issued, writes, this.#journal.device);
    if (step.q > 0) this.#firstHere = Math.min(this.#firstHere, step.q);
    return step;
  }

  /** Undoes a group, newest step first; `into` gets its inverse. */
  #takeBack(group: UndoGroup, into: UndoGroup[], spread?: Spread): UndoOutcome {
    const id = this.#replica.newId();
    const steps: Step[] = [];
    const changed: Id[] = [];
    const outcome = { label: group.label, cursor: group.cursor, kept: 0, changed };
    const waiting = [...group.steps];
    if (waiting.some(({ device }) => device !== this.#journal.device)) {
      this.#journal.put(waiting.map((step) => entryOf(step)));
      return { ...outcome, isForeign: true };
    }
    const takeNext = () => {
      const step = waiting.pop();
      if (!step) return;
      this.#journal.put([entryOf(step)]);
      const issued = this.#replica.issue(step.inverses, { group: id });
      outcome.kept += issued.verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'already').length;
      for (const change of issued.changes) changed.push(change.id);
      const writes = writesOf(issued);
      this.#follow(step, writes, group);
      const own = this.#noted(issued, writes);
      const isDone = into === this.#done;
      if (issued.operations.length > 0) this.#journal.put([entryOf(own, isDone ? group : undefined)]);
      if (issued.inverses.length === 0) return;
      if (steps.length === 0) into.push({ id, label: group.label, steps, cursor: group.cursor });
      steps.push(own);
    };
    const takeSome = (atLeast: number) => {
      let changes = 0;
      for (let taken = 0; waiting.length > 0 && (taken < atLeast || changes < SMALL); taken += 1) {
        changes += waiting.at(-1)?.inverses.length ?? 0;
        takeNext();
      }
    };
    takeSome(spread ? AT_ONCE : waiting.length);
    const goOn = () => {
      takeSome(1);
      if (waiting.length > 0) spread?.later(goOn);
      else if (outcome.kept > 0) spread?.kept(outcome.kept);
    };
    if (waiting.length > 0) spread?.later(goOn);
    return outcome;
  }

  /**
   * Undoing a write restores an older write's value under a new number: every inverse that refers to the older number
   * refers to the new one from now on.
   */
  #follow(step: Step, writes: readonly Write[], current: UndoGroup): void {
    const renamed: Renamed = new Map();
    for (const { register, seq } of writes) {
      const older = step.replaced.get(register);
      if (older === undefined || older <= 0) continue;
      addTo(renamed, older, register, seq);
      if (this.#renamedEarly) addTo(this.#renamedEarly, older, register, seq);
    }
    this.#rename(renamed, current);
  }

  #rename(renamed: Renamed, current?: UndoGroup): void {
    if (renamed.size === 0) return;
    const isRenamed = (action: Action): boolean => {
      const only = onlyOf(action);
      return only !== undefined && renamed.has(only);
    };
    const rename = (action: Action): Action => {
      if (!isRenamed(action)) return action;
      const register = registerOf(action);
      const only = onlyOf(action);
      let next = only;
      // A write that was undone and redone was renumbered more than once.
      for (let more = next; more !== undefined && register !== null;) {
        next = more;
        more = renamed.get(next)?.get(register);
      }
      return next === only ? action : ({ ...action, only: next } as Action);
    };
    const follow = (group: UndoGroup, isStored: boolean) => {
      for (const waiting of group.steps) {
        if (!waiting.inverses.some(isRenamed)) continue;
        const inverses = waiting.inverses.map(rename);
        if (inverses.every((inverse, at) => inverse === waiting.inverses[at])) continue;
        waiting.inverses = inverses;
        if (isStored) this.#journal.put([entryOf(waiting, group)]);
      }
    };
    for (const group of this.#done) follow(group, true);
    for (const group of this.#undone) follow(group, false);
    if (current) follow(current, false);
  }
}
