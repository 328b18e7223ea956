// What comes of taking back everything that one person did in a shared list between two moments: which registers go back to what they
// were, what is added or removed again, and what stays because somebody wrote it since. Pure; nothing is issued here.
import type { Id } from '#core/ids.ts';
import { walkUp } from '#core/walk-up.ts';
import { Past } from '#sync/replica/history-view.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Action } from '#sync/rows/operation.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { PREDICTED, registerStamp, type Row } from '#sync/rows/row.ts';
import type { ServedEntry } from '../history/change.ts';
import { differencesOf, positionThen } from '../history/differences.ts';

/** Whose work it is, and from which version to which; null: up to now. */
export interface Wanted {
  readonly account: number;
  readonly from: number;
  readonly to: number | null;
}

export interface Reckoning {
  /** In the order to be issued. */
  readonly actions: readonly Action[];
  readonly restored: number;
  readonly removed: number;
  /** Items whose place or values go back. */
  readonly changed: number;
  /** Items of which something stays because it was changed since. */
  readonly kept: ReadonlySet<Id>;
  /** Account numbers of those who did; also the person's own, if it was later. */
  readonly keptBy: ReadonlySet<number>;
  /** Items that went to lists of others, or are gone for good. */
  readonly gone: number;
}

type Now = Pick<Replica, 'row' | 'children' | 'scope' | 'account'>;

/** A row that can be given back: the rest is written by the server or follows from others. */
const TYPES: ReadonlySet<string> = new Set(['task', 'list', 'label', 'labelGroup', 'attachment']);
const UNWRITTEN: ReadonlySet<string> = new Set(['notesDoc']);

/** One register, read backwards from now. */
interface Trace {
  /** False: somebody else, or the same person later, wrote it after all that is taken back. */
  readonly isFree: boolean;
  /** Read behind the last write of somebody else: what was there then is what comes back. */
  isOver: boolean;
  value: unknown;
}

/** The writes of a row, register by register. */
interface RowTrace {
  readonly registers: Map<string, Trace>;
  /** The person brought it into the list. */
  isAdded: boolean;
  /** Others wrote in it, or put something beneath it, after it came. */
  readonly others: Set<number>;
}

class Tracing {
  readonly rows = new Map<Id, RowTrace>();
  readonly keptBy = new Map<Id, Set<number>>();
  readonly departed = new Set<Id>();
  readonly #now: Now;
  readonly #wanted: Wanted;

  constructor(now: Now, wanted: Wanted) {
    this.#now = now;
    this.#wanted = wanted;
  }

  isTheirs({ account, version }: ServedEntry): boolean {
    const { from, to } = this.#wanted;
    return account === this.#wanted.account && version >= from && (to === null || version <= to);
  }

  /** Entries newest first. */
  read(entries: readonly ServedEntry[]): void {
    for (const entry of entries) {
      if (entry.version < this.#wanted.from) return;
      const isTheirs = this.isTheirs(entry);
      for (const { id, fields } of entry.before) {
        const row = this.#now.row(id);
        if (row === undefined ? false : !TYPES.has(row.type)) continue;
        const trace = this.#of(id);
        if (fields === null) {
          if (isTheirs) trace.isAdded = true;
          continue;
        }
        if (entry.operation.a === 'moved') {
          if (isTheirs && row?.scope !== entry.scope) this.departed.add(id);
          continue;
        }
        for (const [register, value] of Object.entries(fields))
          if (!UNWRITTEN.has(register)) this.#write(entry, { id, register, value, isTheirs });
      }
    }
  }

  #of(id: Id): RowTrace {
    const known = this.rows.get(id);
    if (known) return known;
    const made: RowTrace = { registers: new Map(), isAdded: false, others: new Set() };
    this.rows.set(id, made);
    return made;
  }

  #write(
    entry: ServedEntry,
    { id, register, value, isTheirs }: { id: Id; register: string; value: unknown; isTheirs: boolean },
  ): void {
    const trace = this.#of(id);
    const known = trace.registers.get(register);
    if (!isTheirs) {
      if (register !== 'del') trace.others.add(entry.account);
      if (known) known.isOver = true;
      else trace.registers.set(register, { isFree: false, isOver: true, value });
      if (known === undefined || !known.isFree) this.#note(id, register, entry.account);
      return;
    }
    if (known === undefined) {
      const isFree = this.#isLast(entry, id, register);
      trace.registers.set(register, { isFree, isOver: false, value });
      if (!isFree) this.#keep(id, register);
    } else if (!known.isFree) this.#keep(id, register);
    else if (!known.isOver) known.value = value;
  }

  readonly #writers = new Map<string, number>();

  /** Who wrote a register last, in case it was written by the person before. */
  #note(id: Id, register: string, account: number): void {
    const key = `${id} ${register}`;
    if (!this.#writers.has(key)) this.#writers.set(key, account);
  }

  #keep(id: Id, register: string): void {
    const known = this.keptBy.get(id) ?? new Set<number>();
    const row = this.#now.row(id);
    const isUnsent = row !== undefined && registerStamp(row, register)[0] === PREDICTED;
    const by = isUnsent ? this.#now.account : this.#writers.get(`${id} ${register}`);
    if (by !== undefined) known.add(by);
    this.keptBy.set(id, known);
  }

  /** What stands there now is this very write: nothing of somebody else, sent or not, is newer. */
  #isLast({ device, operation }: ServedEntry, id: Id, register: string): boolean {
    const row = this.#now.row(id);
    if (row === undefined) return true;
    const [, , by, seq] = registerStamp(row, register);
    return by === device && seq === operation.q;
  }
}

/** Removed with what they hang under: only the uppermost are deleted. */
function uppermost(ids: ReadonlySet<Id>, now: Now): Id[] {
  return [...ids].filter((id) => !ids.has(placeOf(now.row(id))?.parent as Id));
}

function depthOf(id: Id, now: Now): number {
  let depth = 0;
  for (const _ of walkUp(id, (at) => placeOf(now.row(at))?.parent)) depth += 1;
  return depth;
}

/** What was added and nobody else has touched; what is beneath it is removed with it and has to be untouched, too. */
function removable(tracing: Tracing, now: Now): Set<Id> {
  const found = new Set<Id>();
  const verdicts = new Map<Id, boolean>();
  const isFree = (id: Id): boolean => {
    const known = verdicts.get(id);
    if (known !== undefined) return known;
    verdicts.set(id, false);
    const trace = tracing.rows.get(id);
    const row = now.row(id);
    const below = row === undefined ? [] : now.children(id).filter((child) => !isTrashed(child));
    const is = trace?.isAdded === true && trace.others.size === 0 && below.every((child) => isFree(child.id));
    verdicts.set(id, is);
    return is;
  };
  for (const [id, { isAdded }] of tracing.rows) if (isAdded && isFree(id)) found.add(id);
  return found;
}

/** The rows with some registers as they were; null: the default. */
function pastWith(now: Now, values: ReadonlyMap<Id, Readonly<Record<string, unknown>>>): Past {
  const past = new Past(now);
  past.takeBack({ registers: [...values].map(([id, fields]) => ({ id, fields })) });
  return past;
}

/** `entries`: the history of the list's scope, newest first, back to `from` at least. */
export function reckon(entries: readonly ServedEntry[], wanted: Wanted, now: Now): Reckoning {
  const tracing = new Tracing(now, wanted);
  tracing.read(entries);
  const removing = removable(tracing, now);
  const kept = new Map(tracing.keptBy);
  const lives = new Map<Id, Readonly<Record<string, unknown>>>();
  const values = new Map<Id, Readonly<Record<string, unknown>>>();
  let gone = [...tracing.departed].filter((id) => now.row(id) === undefined).length;
  for (const [id, { registers, isAdded, others }] of tracing.rows) {
    if (removing.has(id)) continue;
    if (isAdded) {
      if (now.row(id) !== undefined) kept.set(id, new Set([...(kept.get(id) ?? []), ...others]));
      continue;
    }
    const own = [...registers].filter(([, { isFree }]) => isFree);
    if (own.length === 0) continue;
    if (now.row(id) === undefined) {
      if (!tracing.departed.has(id)) gone += 1;
      continue;
    }
    const given = own.map(([register, { value }]) => [register, value] as const);
    const life = given.filter(([register]) => register === 'del');
    if (life.length > 0) lives.set(id, Object.fromEntries(life));
    if (life.length < given.length) values.set(id, Object.fromEntries(given));
  }
  const living = uppermost(
    new Set([...removing].filter((id) => now.row(id) !== undefined && !isTrashed(now.row(id) as Row))),
    now,
  );
  const { restores, deletions, rest, changed } = actionsOf(now, lives, values);
  return {
    actions: [...restores, ...rest, ...deletions, ...living.map((id): Action => ({ a: 'delete', id }))],
    restored: restores.length,
    removed:
      [...removing].filter((id) => now.row(id) !== undefined && !isTrashed(now.row(id) as Row)).length +
      deletions.length,
    changed,
    kept: new Set(kept.keys()),
    keptBy: new Set([...kept.values()].flatMap((by) => [...by])),
    gone,
  };
}

function actionsOf(
  now: Now,
  lives: ReadonlyMap<Id, Readonly<Record<string, unknown>>>,
  values: ReadonlyMap<Id, Readonly<Record<string, unknown>>>,
): { restores: Action[]; deletions: Action[]; rest: Action[]; changed: number } {
  const back = [...lives].filter(([id, { del }]) => del === null && isTrashed(now.row(id) as Row));
  const away = [...lives].filter(([id, { del }]) => del !== null && !isTrashed(now.row(id) as Row));
  // Parents first: what is restored under something trashed would go elsewhere.
  const restores = back
    .map(([id]) => ({ id, depth: depthOf(id, now) }))
    .toSorted((a, b) => a.depth - b.depth)
    .map(({ id }): Action => ({ a: 'restore', id }));
  const rest: Action[] = [];
  const touched = new Set<Id>();
  if (values.size > 0) {
    const alive = pastWith(now, lives);
    const past = pastWith(now, new Map([...lives, ...values]));
    for (const id of values.keys()) {
      const was = past.row(id);
      const comparing = { past, now: alive, scope: now.scope };
      const actions =
        was !== undefined && isTrashed(was)
          ? []
          : differencesOf(id, comparing, {
              hasOwn: false,
              ...(was && { position: positionThen(was, comparing) }),
            }).flatMap((difference) => difference.back);
      if (actions.length > 0) touched.add(id);
      rest.push(...actions);
    }
  }
  return {
    restores,
    deletions: away.map(([id]): Action => ({ a: 'delete', id })),
    rest,
    changed: touched.size,
  };
}
