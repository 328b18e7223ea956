// In which form content may be written to a scope: asked of a push before any of it is judged, so that a device can make the same operations
// anew, and of each operation where it belongs. Which form a state takes is sync/sealing/scope-state.ts.
import type { Id } from '#core/ids.ts';
import { isEntityType, type EntityType } from '#core/model.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { fateOf } from '#core/sealing/sealable.ts';
import type { Operation, Verdict } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import { hasSeenNote } from '#sync/sealing/sealed-note.ts';
import type { Register } from '#sync/sealing/registers.ts';
import { registersIn, type SentOperation } from '#sync/sealing/sealed-operation.ts';
import type { SyncRequest } from '#wire/sync.ts';
import type { ScopeRecord } from '../data/store.ts';
import {
  firstOf,
  isAccepted,
  needsReseal,
  neverSealed,
  sealsIn,
  type ScopeSealing,
} from '#sync/sealing/scope-state.ts';

/** What is known of a scope when a push is looked at. */
export interface ScopeLookedAt {
  readonly before: Pick<ScopeRecord, 'id' | 'sealing'>;
  readonly version: number;
  readonly set: { isLoaded(id: Id): boolean; row(id: Id): Row | undefined };
}

/** A push, as far as its form goes. */
export interface FormAsked {
  readonly operations: readonly (Operation | null)[];
  /** In which form and for which scopes they were made, as the device says it. */
  readonly request: Pick<SyncRequest, 'sealed' | 'sealedFor'>;
  /** The device's number. */
  readonly device: number;
  /** The scopes that operations belong to, where their rows are in another one than they say. */
  readonly homes: ReadonlyMap<Operation, Id>;
}

const sent = (operation: Operation) => operation as unknown as SentOperation;

const isSealed = ({ value }: Register): boolean => isEnvelope(value);

/** Why what a device brings back can't be taken where its row is: it is sealed with the key of another scope. Null: it can. */
function keyProblem(
  { id, sealing }: Pick<ScopeRecord, 'id' | 'sealing'>,
  operation: Operation,
  sealedFor: Id,
): 'forbidden' | null {
  if (operation.a !== 'reoffer' || sealedFor === id || (sealing?.phase ?? 'plain') === 'plain') return null;
  return Object.values(operation.fields).some(isEnvelope) ? 'forbidden' : null;
}

/** Whether the device has to make its operations anew before any of them is judged. */
export function hasToBeMadeAnew(
  { operations, request: { sealed = {}, sealedFor = {} }, device, homes }: FormAsked,
  scopes: ReadonlyMap<Id, ScopeLookedAt>,
): boolean {
  const made = new Map<Id, EntityType>();
  const areAnySealed = Object.values(sealed).some((generation) => generation > 0);
  for (const operation of operations) {
    const home = operation === null ? undefined : (homes.get(operation) ?? operation.scope);
    const scope = home === undefined ? undefined : scopes.get(home);
    if (operation === null || home === undefined || scope === undefined) continue;
    const { before, set, version } = scope;
    const { sealing: state = neverSealed } = before;
    const generation = sealed[home] ?? 0;
    const isElsewhere = home !== operation.scope;
    // Its row may have come here from the sealed scope since.
    const mayNotFit = isElsewhere || (areAnySealed && generation === 0);
    if (before.sealing === undefined && generation === 0 && !mayNotFit) continue;
    const isForHome = (sealedFor[operation.u] ?? operation.scope) === home;
    // What is brought back is made for where its device has it. Where it is elsewhere by now that is no reason to ask for it again.
    if (operation.a === 'reoffer' && !isForHome) continue;
    const row = set.isLoaded(operation.id) ? set.row(operation.id) : undefined;
    const isWhole = operation.a === 'create' || operation.a === 'reoffer';
    const type = isWhole ? operation.type : (made.get(operation.id) ?? row?.type);
    if (type === undefined || !isEntityType(type)) continue;
    if (isWhole) made.set(operation.id, type);
    if (needsReseal(state, { generation, operation: sent(operation), type })) return true;
    // Two lists may count the same generations, so that the form doesn't tell the key.
    if (!isForHome && sealsIn(state) && registersIn(sent(operation), type).some(isSealed)) return true;
    // It was made for a scope of another form, before its row moved.
    const areInForm = (register: Register) => isAccepted(state, type, register);
    if (mayNotFit && !registersIn(sent(operation), type).every(areInForm)) return true;
    const base = operation.b > version && !isElsewhere ? 0 : operation.b;
    const isNote = operation.a === 'note' && state.phase !== 'plain' && row !== undefined;
    if (isNote && !hasSeenNote(row, { base, device })) return true;
  }
  return false;
}

/** Whether the parts of an operation whose values are not checked one by one hold what is sealed. */
function holdsEnvelopes(operation: Operation): boolean {
  if (operation.a === 'note') return isEnvelope(operation.text) || isEnvelope(operation.update);
  const part =
    operation.a === 'complete' ? operation.next : operation.a === 'reopen' ? operation.previous : null;
  return part !== null && Object.values(part).some(isEnvelope);
}

/**
 * Why an operation can't be applied in a scope, as far as its form goes; null: it can. `invalid`: a plain scope takes nothing that is sealed;
 * `forbidden`: a sealed one takes no plain content.
 */
export function formProblem(
  state: ScopeSealing | undefined,
  {
    operation,
    type,
    isLate,
  }: {
    readonly operation: Operation;
    readonly type: EntityType | undefined;
    /** It has waited, so it may be sealed with an earlier key. */
    readonly isLate: boolean;
  },
): 'invalid' | 'forbidden' | null {
  if (state === undefined || state.phase === 'plain') return holdsEnvelopes(operation) ? 'invalid' : null;
  if (type === undefined || !sealsIn(state)) return null;
  const since = isLate || operation.a === 'reoffer' ? firstOf(state) : state.generation;
  const isGood = registersIn(sent(operation), type).every(
    (register) => fateOf(type, register.name) === 'plain' || isAccepted(state, type, register, since),
  );
  return isGood ? null : 'forbidden';
}

/** What is known of how an operation was made. */
interface FormAuthor {
  /** It has waited, so it may be sealed with an earlier key. */
  readonly isParked?: true | undefined;
  /** The scope that it is sealed for; absent: the one that it names. */
  readonly sealedFor?: Id | undefined;
}

/** As `formProblem`, of a scope that the operation is in. */
export function formProblemIn(
  { before, set }: ScopeLookedAt,
  operation: Operation,
  { by, stated }: { readonly by: FormAuthor; readonly stated: Id },
): 'invalid' | 'forbidden' | null {
  const isWhole = operation.a === 'create' || operation.a === 'reoffer';
  const type = isWhole ? operation.type : set.row(operation.id)?.type;
  const known = type !== undefined && isEntityType(type) ? type : undefined;
  const isLate = by.isParked === true;
  const key = keyProblem(before, operation, by.sealedFor ?? stated);
  return key ?? formProblem(before.sealing, { operation, type: known, isLate });
}

/** Whether rows can't leave or enter a scope here: nobody could open what leaves, or seal what enters. */
export const isApart = ({ before }: { readonly before: Pick<ScopeRecord, 'sealing'> }): boolean =>
  (before.sealing?.phase ?? 'plain') !== 'plain';

/** Whether only a device with the keys of the scope could have done what was refused. */
export function isForKeysOnly(
  scope: ScopeLookedAt | undefined,
  operation: Operation,
  verdict: Verdict,
): boolean {
  if (scope === undefined || !isApart(scope) || verdict !== 'forbidden') return false;
  return (
    operation.a === 'place' || formProblemIn(scope, operation, { by: {}, stated: operation.scope }) !== null
  );
}
