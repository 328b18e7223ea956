// Remembers which devices contacted this server, under which session and up to which version they have read, and saves it
// now and then instead of on every request.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Tables } from '../data/tables.ts';
import type { HeardDevice } from '../sync/exchange.ts';

const STEP = 200;

/** Records contacts of devices; nothing is written before `save`. */
export interface DeviceWatch {
  heard(of: HeardDevice): void;
  /** Writes the contacts since the last time. */
  save(): Promise<void>;
}

/** A device watch on the database; unsaved contacts are in memory. */
export function createDeviceWatch(db: Kysely<Tables>, clock: Clock): DeviceWatch {
  const heard = new Map<Id, HeardDevice & { readonly at: number }>();
  return {
    heard: (of) => void heard.set(of.device, { ...of, at: Math.round(clock.now()) }),
    async save() {
      const devices = [...heard.values()];
      for (let from = 0; from < devices.length; from += STEP) {
        const step = devices.slice(from, from + STEP);
        const rows = step.map(
          ({ device, session, version, at }) =>
            sql`(${device}, ${session}, CAST(${version} AS bigint), CAST(${at} AS bigint))`,
        );
        // Both engines name the columns of VALUES like this.
        await sql`
          UPDATE device SET session = v.column2, heard_version = v.column3, last_seen = v.column4
          FROM (VALUES ${sql.join(rows)}) AS v
          WHERE device.id = v.column1 AND device.last_seen <= v.column4`.execute(db);
        // Deleted only after the write, and not if newer.
        for (const of of step) if (heard.get(of.device) === of) heard.delete(of.device);
      }
    },
  };
}
