// Where a device has stood in a scope, generation by generation: what tells it, when the server was put back to an older
// state, up to where both have lived the same history. What it then does is healing.ts.
import type { Id } from '#core/ids.ts';
import type { Cursor, DeviceMeta } from './ports.ts';

/** Generations in the order lived through, each with the highest version seen in it. */
export type Trail = readonly (readonly [generation: string, version: number])[];

/** More restarts of the server than this, all seen by one device, make it offer more than it would have to. */
const LONGEST = 32;

/** The trail of a device that has now read to this point. Version 0 is nowhere. */
export function extended(trail: Trail = [], { generation, version }: Cursor): Trail {
  if (version === 0) return trail;
  const last = trail.at(-1);
  if (last?.[0] !== generation) return [...trail, [generation, version] as const].slice(-LONGEST);
  return version <= last[1] ? trail : [...trail.slice(0, -1), [generation, version]];
}

/** Where a device stood in the scopes that it asks for afresh. */
export function stoodOf({ cursors, trails = {} }: DeviceMeta): Readonly<Record<Id, Cursor>> | undefined {
  const stood: Record<Id, Cursor> = {};
  for (const scope of Object.keys(cursors) as Id[]) {
    const last = trails[scope]?.at(-1);
    if (cursors[scope]?.version === 0 && last !== undefined)
      stood[scope] = { generation: last[0], version: last[1] };
  }
  return Object.keys(stood).length === 0 ? undefined : stood;
}
