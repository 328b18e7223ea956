// What is pushed, and what becomes of it. Carried out by push.ts.
import type { Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { Operation, Verdict } from '#sync/rows/operation.ts';
import type { Reformed, SyncErrorCode, SyncRequest } from '#wire/sync.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { DeviceRecord, ScopeRecord } from '../data/store.ts';
import type { OpenScope } from './open-scope.ts';
import type { Plan } from './planned.ts';

export interface Push {
  readonly actor: AccountActor;
  /** Instead of operations. */
  readonly plan?: Plan;
  readonly request: SyncRequest;
  /** When the request began to arrive, by the server's clock; absent: just now. */
  readonly arrivedAt?: number;
  /** In sequence order; null for a malformed operation. */
  readonly operations: readonly { readonly q: number; readonly operation: Operation | null }[];
}

/** `reseal`: not judged, as its device has to do something first. */
export type Judgement = Verdict | 'reseal';

/** What became of a push. */
export interface Pushed {
  readonly device: DeviceRecord;
  readonly results: readonly (readonly [number, Verdict])[];
  /** The records of the scopes that its transaction locked, as it left them. */
  readonly heads?: ReadonlyMap<Id, ScopeRecord>;
  /** The device has seen more than the database holds: nothing was judged. */
  readonly isAhead?: boolean;
  /**
   * Those without a result weren't judged: the device has to make its operations anew (server/sealing/pushed-form.ts), or to open first what
   * the next one moves.
   */
  readonly reseal?: true;
  /** For a plan: the reason of a refusal; none of it has any effect. */
  readonly refused?: { readonly verdict: Verdict | 'encrypted'; readonly index: number } | 'by plan';
}

/** Why replication refuses a request as a whole; the route turns the code into a status. */
export interface SyncProblem {
  readonly code: SyncErrorCode;
  readonly message: string;
}

export type PushOutcome = Result<Pushed, SyncProblem>;

/** What a restored database got back in one transaction. */
export interface Healed {
  readonly rows: number;
  readonly parked: number;
  readonly unparked: number;
}

/** Cached about a device, so that a read needs no transaction: its number never changes. */
export interface KnownDevice {
  readonly number: number;
  readonly account: number;
  readonly acked: number;
  readonly lastSeq: number;
}

/** The author and time of an operation, as the server sees them. */
export interface Author {
  readonly actor: AccountActor;
  readonly device: number;
  readonly time: number;
  /** The operation has waited: of its author only the account and the scope are known. */
  readonly isParked?: true;
  /** A program of the server writes, in words that it can read: in a sealed scope they are sealed to its inbox. */
  readonly isProgram?: true;
  /** The scope that its content is sealed for; absent: the one that the operation names. */
  readonly sealedFor?: Id;
  /** What moves by the operation, in the form of the scope that it goes to; absent: its device has sent none. */
  readonly along?: readonly Reformed[];
}

/** The author of an operation of a push, with what their device has sent along. */
export function writerOf(
  { actor, request: { along, sealedFor } }: Push,
  { u }: Operation,
  of: Pick<Author, 'device' | 'time'>,
): Author {
  const [moved, key] = [along?.[u], sealedFor?.[u] as Id | undefined];
  return {
    actor,
    ...of,
    ...(moved === undefined ? {} : { along: moved }),
    ...(key === undefined ? {} : { sealedFor: key }),
  };
}

/** From which scope to which one a row moves. */
export interface Moving {
  readonly from: OpenScope;
  readonly to: OpenScope;
  readonly by: Author;
}
