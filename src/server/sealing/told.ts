// What an answer to a device says of the sealing of its person's own scope.
import type { SyncResponse } from '#wire/sync.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { ScopeRecord, Store } from '../data/store.ts';
import { SEALING_PROTOCOL } from '../sync/readership.ts';

interface Asked {
  /** The protocol of the device. */
  readonly schema: number;
  /**
   * The record of the scope, if it is of the moment of the answer; else it is read here, after the rows: none of them may be ahead of the
   * state that is said with it.
   */
  readonly head: ScopeRecord | undefined;
  readonly store: Pick<Store, 'scope'>;
}

/** The state of the person's own scope, if it is on its way to being sealed or ever was: no other scope can be. */
export async function sealingTold(
  { personalScope, roles }: AccountActor,
  { schema, head, store }: Asked,
): Promise<Pick<SyncResponse, 'sealing'>> {
  if (schema < SEALING_PROTOCOL || !roles.has(personalScope)) return {};
  const state = (head ?? (await store.scope(personalScope)))?.sealing;
  return state === undefined ? {} : { sealing: { [personalScope]: state } };
}
