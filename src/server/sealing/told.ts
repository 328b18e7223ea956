// What an answer to a device says of the sealing of the scopes that its person may read.
import type { Id } from '#core/ids.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { ScopeRecord, Store } from '../data/store.ts';
import { SEALING_PROTOCOL } from '../sync/readership.ts';

interface Asked {
  /** The protocol of the device. */
  readonly schema: number;
  /**
   * The records of the scopes, if they are of the moment of the answer; else they are read here, after the rows: none of them may be ahead of
   * the state that is said with it.
   */
  readonly heads: ReadonlyMap<Id, ScopeRecord> | undefined;
  readonly store: Pick<Store, 'scopes'>;
}

/** The states of the scopes that are on their way to being sealed or ever were. */
export async function sealingTold(
  actor: AccountActor,
  { schema, heads: known, store }: Asked,
): Promise<Pick<SyncResponse, 'sealing'>> {
  if (schema < SEALING_PROTOCOL) return {};
  const mayRead = (scope: Id) => authorise(actor, { type: 'scope.read', scope }).allowed;
  const heads = known ?? (await store.scopes([...actor.roles.keys()].filter(mayRead)));
  const said = [...heads.values()].flatMap(({ id, sealing }) =>
    sealing === undefined || !mayRead(id) ? [] : [[id, sealing] as const],
  );
  return said.length === 0 ? {} : { sealing: Object.fromEntries(said) };
}
