// The positions of a device in a scope, by generation: after the server was restored to an older state, they show how
// far both share the same history. What the device then does is healing.ts.
import type { Id } from '#core/ids.ts';
import type { Cursor, DeviceMeta } from './ports.ts';

/** Generations in the order seen, each with its highest version seen. */
export type Trail = readonly (readonly [generation: string, version: number])[];

/** The generation of a copy that no server knows. */
export const LOCAL = 'local';

/** The generation of a scope to which rows have moved, and which was not read yet. */
export const UNREAD = 'moved';

/** A device that has seen more restarts of the server than this offers more rows than it would have to. */
const LONGEST = 32;

/** The trail of a device that has now read to this cursor. Version 0 adds nothing. */
export function extended(trail: Trail = [], { generation, version }: Cursor): Trail {
  if (version === 0) return trail;
  const last = trail.at(-1);
  if (last?.[0] !== generation) return [...trail, [generation, version] as const].slice(-LONGEST);
  return version <= last[1] ? trail : [...trail.slice(0, -1), [generation, version]];
}

/** The last positions of a device in the scopes that it requests anew, or of which it has seen more than its cursor says. */
export function stoodOf({ cursors, trails = {} }: DeviceMeta): Readonly<Record<Id, Cursor>> | undefined {
  const stood: Record<Id, Cursor> = {};
  for (const scope of Object.keys(cursors) as Id[]) {
    const last = trails[scope]?.at(-1);
    if (last !== undefined && last[1] > (cursors[scope]?.version ?? 0))
      stood[scope] = { generation: last[0], version: last[1] };
  }
  return Object.keys(stood).length === 0 ? undefined : stood;
}
