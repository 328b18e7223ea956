// How far a device has read, as one number that can be compared with how far one could read.
import { createHash } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import type { SyncRequest, SyncResponse } from '#wire/sync.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';

const BYTES = 6;

/**
 * Equal for equal versions of the same scopes; of one scope its version. 0: not known, as it is where a version is.
 */
export function readingMark(versions: ReadonlyMap<Id, number>): number {
  const known = [...versions];
  if (known.some(([, version]) => version === 0)) return 0;
  const [first] = known;
  if (known.length <= 1) return first?.[1] ?? 0;
  const said = known.map(([scope, at]) => `${scope} ${at}`).toSorted();
  return createHash('sha256').update(said.join('\n')).digest().readUIntBE(0, BYTES);
}

/** The version of a scope up to which a device is informed once it has read the answer; 0: unknown. */
export function toldVersions(
  actor: AccountActor,
  { cursors }: Pick<SyncRequest, 'cursors'>,
  { changes }: Pick<SyncResponse, 'changes'>,
): ReadonlyMap<Id, number> {
  const told = new Map<Id, number>();
  for (const scope of actor.roles.keys())
    if (authorise(actor, { type: 'scope.read', scope }).allowed)
      told.set(scope, cursors[scope]?.version ?? 0);
  for (const { scope, resync, to } of changes) if (told.has(scope)) told.set(scope, resync === true ? 0 : to);
  return told;
}
