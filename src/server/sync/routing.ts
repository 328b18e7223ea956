// Where an operation belongs: in the scope of the row it names, whatever scope its device believes that to be; what it places
// belongs in the scope of the new parent. Only scopes of the actor count: a row of any other scope is as good as unknown.
// Not here: moving rows from one scope to another (transfer.ts).
import { mountId, type Id } from '#core/ids.ts';
import { readField } from '#core/model.ts';
import { parentOf } from '#sync/rows/ancestors.ts';
import type { ActionOf, Operation, OperationHead } from '#sync/rows/operation.ts';
import { occurrenceOf } from '#sync/rows/row-reading.ts';
import { writtenBefore } from '#sync/rows/arrived.ts';
import { anchorIds, touchedIds } from '#sync/rows/touched.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { MovedAway, WriteTransaction } from '../data/store.ts';
import { lookUp, type OpenScope } from './open-scope.ts';

/** Longest way of a row from scope to scope that is followed. */
const MOST_HOPS = 64;

/** Thrown when a transaction needs scopes that it did not lock: it runs again with them. Never leaves this folder. */
export class MissingLock extends Error {
  readonly scopes: readonly Id[];

  constructor(scopes: readonly Id[]) {
    super('not locked');
    this.scopes = scopes;
  }
}

const mayWrite = (actor: AccountActor, scope: Id) => authorise(actor, { type: 'scope.write', scope }).allowed;

/** Where an operation belongs, and the scope that it places its row in. */
export interface Way {
  readonly home: Id;
  readonly target: Id;
}

/** Whether an actor's operations may belong elsewhere than they say. */
export function isRouted(actor: AccountActor): boolean {
  return actor.roles.size > 1;
}

/** The id whose scope is that of the operation; undefined: what it says is right. */
function decidingId(operation: Operation): Id | undefined {
  if (operation.a === 'reoffer') return undefined;
  if (operation.a !== 'create') return operation.id;
  if (operation.type === 'mine' || operation.type === 'setting' || operation.type === 'mount')
    return undefined;
  if (operation.type === 'completion') return readField(operation.fields, 'task') ?? undefined;
  return operation.place?.parent;
}

/** What a row hangs under that a device brings back. */
function holderOf(offer: Operation): Id | undefined {
  if (offer.a !== 'reoffer') return undefined;
  if (offer.type === 'completion') return readField(offer.fields, 'task') ?? undefined;
  return offer.place?.parent;
}

/** The new parent, if the operation may take its row to another scope. */
function newParent(operation: Operation): Id | undefined {
  return operation.a === 'place' ? operation.place.parent : undefined;
}

/**
 * Where a shared list stands in somebody's sidebar is said by its mount. A device that does not know yet that a list is shared
 * places the list itself: that is meant of the mount. `root`: the list of the scope that the operation belongs to.
 */
export function asMounted(operation: Operation, actor: AccountActor, root: Id | undefined): Operation {
  const { personalScope: scope, isServer } = actor;
  const isMeant = operation.a === 'place' && operation.id === root && operation.scope === scope && !isServer;
  return isMeant ? { ...operation, id: mountId(scope, root) } : operation;
}

/** Everything whose scope is to be looked up before locking. */
function idsToLookUp(operation: Operation): readonly Id[] {
  const parent = 'place' in operation ? operation.place?.parent : undefined;
  const deciding = decidingId(operation) ?? holderOf(operation);
  const further = [deciding, parent].filter((id) => id !== undefined);
  return [...touchedIds(operation), ...anchorIds(operation), ...further];
}

/** The way of an operation, as far as known: `scopeOf` names the scope of an id. */
function wayOf(operation: Operation, actor: AccountActor, scopeOf: (id: Id) => Id | undefined): Way {
  const readable = (id: Id | undefined): Id | undefined => {
    if (id === undefined) return undefined;
    // The top level of a scope has the id of the scope.
    const scope = actor.roles.has(id) ? id : scopeOf(id);
    return scope !== undefined && actor.roles.has(scope) ? scope : undefined;
  };
  const home = readable(decidingId(operation)) ?? operation.scope;
  return { home, target: readable(newParent(operation)) ?? home };
}

/** An operation, with the scopes that it may need. */
export interface Routed {
  readonly operation: Operation;
  /** Each once. */
  readonly scopes: readonly Id[];
}

/** Finds the way of operations in one transaction. */
export class Router {
  readonly #tx: WriteTransaction;
  readonly #scopes: ReadonlyMap<Id, OpenScope>;
  readonly #alsoLocked: ReadonlySet<Id>;
  /** The scopes of ids: what was known before locking, then what this transaction has made of it. */
  readonly #where = new Map<Id, Id>();

  /** `scopes`: those that are locked by now. `alsoLocked`: scopes that an earlier run lacked. */
  constructor(tx: WriteTransaction, scopes: ReadonlyMap<Id, OpenScope>, alsoLocked: ReadonlySet<Id>) {
    this.#tx = tx;
    this.#scopes = scopes;
    this.#alsoLocked = alsoLocked;
  }

  /** Before locking: the scopes that operations belong to and those that they name, as far as the author may write there. */
  async routed(
    fresh: readonly { readonly actor: AccountActor; readonly operation: Operation }[],
  ): Promise<readonly Routed[]> {
    const wanted = fresh.flatMap(({ actor, operation }) => (isRouted(actor) ? idsToLookUp(operation) : []));
    if (wanted.length > 0)
      for (const [id, scope] of await this.#tx.whereabouts([...new Set(wanted)])) this.#where.set(id, scope);
    // What is made on the way is where it will be.
    const made = new Map<Id, Id>();
    let last:
      | { readonly actor: AccountActor; readonly scope: Id; readonly scopes: readonly Id[] }
      | undefined;
    return fresh.map(({ actor, operation }) => {
      if (!isRouted(actor)) {
        // Those of one push follow each other.
        if (last?.actor !== actor || last.scope !== operation.scope) {
          const { scope } = operation;
          last = { actor, scope, scopes: mayWrite(actor, scope) ? [scope] : [] };
        }
        return { operation, scopes: last.scopes };
      }
      const way = wayOf(operation, actor, (id) => this.#where.get(id) ?? made.get(id));
      if (operation.a === 'create') made.set(operation.id, way.home);
      const brought = operation.a === 'reoffer' ? [operation.id, holderOf(operation)] : [];
      const held = brought.flatMap((id) => (id && this.#where.get(id)) ?? []);
      const scopes = [operation.scope, way.home, way.target, ...held];
      return { operation, scopes: [...new Set(scopes)].filter((scope) => mayWrite(actor, scope)) };
    });
  }

  /** Notes where rows are by now. */
  note(ids: Iterable<Id>, scope: Id): void {
    for (const id of ids) this.#where.set(id, scope);
  }

  /** The way of an operation of somebody who is routed at this moment. Throws when it leads to a scope that is not locked. */
  async wayOf(operation: Operation, actor: AccountActor): Promise<Way> {
    for (const id of [decidingId(operation), newParent(operation)])
      if (id !== undefined) await this.#find(id, operation.scope, actor);
    const way = wayOf(operation, actor, (id) => this.#where.get(id));
    this.#require([way.home, way.target], actor);
    return way;
  }

  /**
   * Where operations belong that name another scope, if any scope here was ever sealed: their forms may differ. What they are about is loaded
   * there.
   */
  async homesOf(
    operations: readonly (Operation | null)[],
    actor: AccountActor,
  ): Promise<ReadonlyMap<Operation, Id>> {
    const homes = new Map<Operation, Id>();
    const isAnySealed = [...this.#scopes.values()].some(({ before }) => before.sealing !== undefined);
    if (!isAnySealed || !isRouted(actor)) return homes;
    // What is made on the way is where it will be.
    const made = new Map<Id, Id>();
    for (const operation of operations) {
      if (operation === null || operation.a === 'reoffer') continue;
      const near = decidingId(operation);
      const known = near === undefined ? undefined : made.get(near);
      const home = known ?? (await this.wayOf(operation, actor)).home;
      if (operation.a === 'create') made.set(operation.id, home);
      const scope = home === operation.scope ? undefined : this.#scopes.get(home);
      if (scope === undefined) continue;
      if (operation.a !== 'create') await lookUp(this.#tx, scope, operation.id);
      homes.set(operation, home);
    }
    return homes;
  }

  /** The scope in which a row is that a device brings back, as far as the author may write there. */
  async standing(offer: Operation, actor: AccountActor): Promise<Id | undefined> {
    await this.#find(offer.id, offer.scope, actor);
    const scope = this.#where.get(offer.id);
    if (scope === undefined || !mayWrite(actor, scope)) return undefined;
    this.#require([scope], actor);
    return scope;
  }

  /**
   * The scope in which what a device brings back belongs: that of what it hangs under, if its author may write there and it
   * is being healed.
   */
  async belonging(offer: Operation, actor: AccountActor): Promise<Id> {
    const holder = holderOf(offer);
    if (holder === undefined || holder === offer.scope) return offer.scope;
    if (!actor.roles.has(holder)) await this.#find(holder, offer.scope, actor);
    const scope = actor.roles.has(holder) ? holder : this.#where.get(holder);
    if (scope === undefined || !mayWrite(actor, scope)) return offer.scope;
    this.#require([scope], actor);
    return this.#scopes.get(scope)?.parking ? scope : offer.scope;
  }

  #require(scopes: readonly Id[], actor: AccountActor): void {
    const missing = scopes.filter(
      (scope) => !this.#scopes.has(scope) && !this.#alsoLocked.has(scope) && mayWrite(actor, scope),
    );
    if (missing.length > 0) throw new MissingLock(missing);
  }

  /** What the author of an operation, who named another scope, has seen of the one that it belongs to. */
  async baseIn(home: OpenScope, operation: Operation): Promise<number> {
    const stated = this.#scopes.get(operation.scope);
    // Nobody has seen future versions.
    if (stated === undefined || operation.b > stated.version) return 0;
    const bases: number[] = [];
    for (const id of touchedIds(operation)) {
      if ((await lookUp(this.#tx, home, id)).type !== 'row') continue;
      const way = { from: operation.scope, to: home.set.scope, base: operation.b };
      bases.push(await seenAcross(way, (scope) => this.#moveFrom(scope, id)));
    }
    return bases.length === 0 ? 0 : Math.min(...bases);
  }

  /** Subtasks that begin anew with a repeating task, and are still on their way to where it is (SYNC-148): beneath it all the same. */
  async begunElsewhere(
    { anew = [], ...done }: OperationHead & ActionOf<'complete'>,
    there: OpenScope,
    actor: AccountActor,
  ): Promise<readonly { readonly scope: OpenScope; readonly operation: Operation }[]> {
    const { a: _a, at: _at, next, ...head } = done;
    if (next === null) return [];
    const found: { readonly scope: OpenScope; readonly operation: Operation }[] = [];
    for (const [home, ids] of await this.#onTheirWay(anew, there, actor)) {
      const scope = this.#scopes.get(home);
      if (scope === undefined) continue;
      for (const id of ids) {
        await lookUp(this.#tx, scope, id);
        const row = scope.set.row(id);
        if (row?.type !== 'task' || !(await this.#isBeneath(done.id, id, [scope, there]))) continue;
        const reopen = { ...head, a: 'reopen', id, occ: occurrenceOf(row), previous: null } as const;
        const b = reopen.scope === home ? reopen.b : await this.baseIn(scope, reopen);
        found.push({ scope, operation: { ...reopen, scope: home, b } });
      }
    }
    return found;
  }

  /** Those of the rows that are in a scope from which something is moving, by that scope. All of these get locked at once. */
  async #onTheirWay(
    ids: readonly Id[],
    there: OpenScope,
    actor: AccountActor,
  ): Promise<ReadonlyMap<Id, readonly Id[]>> {
    const away = new Map<Id, Id[]>();
    for (const id of ids) {
      const lookup = await lookUp(this.#tx, there, id);
      if (lookup.type === 'elsewhere') away.set(lookup.scope, [...(away.get(lookup.scope) ?? []), id]);
    }
    if (away.size === 0) return away;
    const left = new Set((await this.#tx.transfers()).map(({ from }) => from));
    for (const scope of away.keys()) if (!left.has(scope)) away.delete(scope);
    this.#require([...away.keys()], actor);
    return away;
  }

  /** Whether one row hangs beneath another one, through rows of either scope. */
  async #isBeneath(above: Id, id: Id, scopes: readonly OpenScope[]): Promise<boolean> {
    const seen = new Set<Id>();
    for (let at: Id | undefined = id; at !== undefined && !seen.has(at);) {
      if (at === above) return true;
      seen.add(at);
      const next: Id = at;
      at = undefined;
      for (const scope of scopes)
        if ((await lookUp(this.#tx, scope, next)).type === 'row') at ??= parentOf(scope.set.row(next));
    }
    return false;
  }

  /** Looks again, under the lock, where an id is: it may have moved, or been made, since it was looked up. */
  async #find(id: Id, stated: Id, actor: AccountActor): Promise<void> {
    const seen = new Set<Id>();
    for (let at = this.#where.get(id) ?? stated; !seen.has(at);) {
      seen.add(at);
      const scope = this.#scopes.get(at);
      if (scope === undefined) return;
      const lookup = await lookUp(this.#tx, scope, id);
      if (lookup.type === 'elsewhere' && actor.roles.has(lookup.scope)) at = lookup.scope;
      if (lookup.type === 'unknown') this.#where.delete(id);
      else this.#where.set(id, at);
    }
  }

  async #moveFrom(scope: Id, id: Id): Promise<MovedAway | undefined> {
    const now = this.#scopes.get(scope)?.set.departure(id);
    return now ?? (await this.#tx.moves([{ scope, id }]))[0];
  }
}

/**
 * What a device that had seen `base` of one scope has seen of a row that lives in another one now. If it had seen the row's
 * last version there, it knows what arrived in the next scope, and not what was written there with it; else nothing. Versions of
 * two scopes are never compared.
 */
async function seenAcross(
  way: { readonly from: Id; readonly to: Id; readonly base: number },
  moveFrom: (scope: Id) => Promise<MovedAway | undefined>,
): Promise<number> {
  let { from, base } = way;
  for (let hop = 0; hop < MOST_HOPS; hop += 1) {
    if (from === way.to) return base;
    const move = await moveFrom(from);
    if (move === undefined || base < move.was) return 0;
    base = writtenBefore(move.version);
    from = move.to;
  }
  return 0;
}
