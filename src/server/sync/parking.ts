// Parks operations whose target was lost in a restore: they are kept until a device has brought the target back, then
// applied in the order of arrival, in that same transaction. Not here: whether a scope is being healed (recovery.ts).
import { DAY_MS } from '#core/time.ts';
import { listsRoot, type Id } from '#core/ids.ts';
import type { Operation, Verdict } from '#sync/rows/operation.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { ParkedOperation, ScopeRecord, WriteBatch, WriteTransaction } from '../data/store.ts';
import type { OpenScope } from './open-scope.ts';
import type { WorkingSet } from './working-set.ts';
import { readField } from '#core/model.ts';

/** How long an operation waits. */
export const PARKED_MS = 30 * DAY_MS;
/** More than this in one scope cannot come from a restore. */
const MOST_PARKED = 1_000;
/** All parked operations are read with every write to the scope, as long as they wait. */
const MOST_BYTES = 2_000_000;
/** An edit of a note may be as large as a request; its text goes to Recovered on the device that wrote it. */
const LONGEST_PARKED = 100_000;

function isUnknown(set: WorkingSet, id: Id): boolean {
  return set.isLoaded(id) && set.row(id) === undefined && set.absence(id) === 'unknown';
}

/** The task of a record that a device brings back. */
function aboutOf(operation: Operation): Id | undefined {
  return operation.a === 'reoffer' && operation.type === 'completion'
    ? (readField(operation.fields, 'task') ?? undefined)
    : undefined;
}

/** The missing id that made an operation fail, if it may yet come back. */
export function missingTarget(set: WorkingSet, operation: Operation, verdict: Verdict): Id | null {
  if (verdict === 'gone') return isUnknown(set, operation.id) ? operation.id : null;
  if (verdict !== 'badparent') return null;
  const parent = aboutOf(operation) ?? ('place' in operation ? operation.place?.parent : undefined);
  if (parent === undefined || parent === listsRoot(operation.scope) || parent === operation.id) return null;
  return isUnknown(set, parent) ? parent : null;
}

/** Characters, at most three bytes each. */
function sizeOf(operation: Operation): number {
  return JSON.stringify(operation).length;
}

/** The waiting operations of one scope during one transaction. */
export class ParkingLot {
  #waiting: ParkedOperation[];
  readonly #fresh = new Set<ParkedOperation>();
  readonly #over: number[] = [];
  #bytes: number;

  constructor(waiting: readonly ParkedOperation[]) {
    this.#waiting = [...waiting];
    this.#bytes = waiting.reduce((sum, { operation }) => sum + sizeOf(operation), 0);
  }

  hasRoomFor(operation: Operation): boolean {
    const size = sizeOf(operation);
    if (size > LONGEST_PARKED || this.#waiting.length >= MOST_PARKED) return false;
    return this.#bytes + size <= MOST_BYTES;
  }

  park(operation: ParkedOperation): void {
    this.#waiting.push(operation);
    this.#bytes += sizeOf(operation.operation);
    this.#fresh.add(operation);
  }

  /** The first operation whose target exists; it no longer waits. */
  next(set: WorkingSet): ParkedOperation | null {
    const index = this.#waiting.findIndex(
      ({ target }) => set.isLoaded(target) && set.row(target) !== undefined,
    );
    const [operation] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (operation === undefined) return null;
    this.#leave(operation);
    return operation;
  }

  #leave(operation: ParkedOperation): void {
    this.#fresh.delete(operation);
    this.#bytes -= sizeOf(operation.operation);
    if (operation.number !== undefined) this.#over.push(operation.number);
  }

  /** Takes out the operations that name one of these, and hands them over to wait elsewhere. */
  take(ids: ReadonlySet<Id>): readonly ParkedOperation[] {
    const taken = this.#waiting.filter(({ target, operation }) => ids.has(target) || ids.has(operation.id));
    this.#waiting = this.#waiting.filter((operation) => !taken.includes(operation));
    return taken.map((parked) => {
      this.#leave(parked);
      const { number: _number, ...rest } = parked;
      return rest;
    });
  }

  get changes(): { readonly parked: readonly ParkedOperation[]; readonly unparked: readonly number[] } {
    return { parked: [...this.#fresh], unparked: this.#over };
  }
}

/** What waits for something else, about rows that have moved, waits in their new scope from now on, if that is healing too. */
export async function takeAlong(
  tx: WriteTransaction,
  { from, to, ids }: { readonly from: OpenScope; readonly to: OpenScope; readonly ids: ReadonlySet<Id> },
): Promise<void> {
  if (from.parking === null || to.parking === null) return;
  for (const parked of from.parking.take(ids)) to.parking.park(await waitingIn(tx, to.before.id, parked));
}

/** An operation that has waited in another scope, as it waits in this one: with the rights that its author has here. */
export async function waitingIn(
  tx: Pick<WriteTransaction, 'roleIn'>,
  scope: Id,
  parked: ParkedOperation,
): Promise<ParkedOperation> {
  const operation = { ...parked.operation, scope, b: 0 };
  return { ...parked, scope, operation, role: await tx.roleIn(scope, parked.account) };
}

/** Its author as an actor in this scope; null: the account may no longer write there. */
export function authorOf(parked: ParkedOperation, { id, kind, owner }: ScopeRecord): AccountActor | null {
  if (parked.role === null) return null;
  const isOwn = kind === 'personal' && owner === parked.account;
  return {
    type: 'account',
    account: parked.account,
    session: parked.operation.u,
    kind: 'web',
    // In another person's scope nothing is personal to the author: marks and settings do not go into it.
    personalScope: isOwn ? id : parked.operation.u,
    roles: new Map([[id, parked.role]]),
  };
}

/** What is to be saved of these lots; nothing if nothing was parked or is over. */
export function parkingChanges(
  scopes: readonly { readonly parking: ParkingLot | null }[],
): Pick<WriteBatch, 'parked' | 'unparked'> {
  const changes = scopes.flatMap(({ parking }) => parking?.changes ?? []);
  if (changes.length === 0) return {};
  return {
    parked: changes.flatMap(({ parked }) => parked),
    unparked: changes.flatMap(({ unparked }) => unparked),
  };
}
