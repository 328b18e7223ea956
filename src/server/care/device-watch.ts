// Remembers which devices spoke to this server, under which session and how far they have heard, and writes it down now
// and then instead of with every request.
import { sql, type Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import type { Tables } from '../data/tables.ts';
import type { HeardDevice } from '../sync/exchange.ts';

const STEP = 200;

export interface DeviceWatch {
  heard(of: HeardDevice): void;
  /** Writes down what was heard since the last time. */
  save(): Promise<void>;
}

export function createDeviceWatch(db: Kysely<Tables>, clock: Clock): DeviceWatch {
  const heard = new Map<Id, HeardDevice & { readonly at: number }>();
  return {
    heard: (of) => void heard.set(of.device, { ...of, at: Math.round(clock.now()) }),
    async save() {
      const devices = [...heard.values()];
      heard.clear();
      for (let from = 0; from < devices.length; from += STEP) {
        const rows = devices
          .slice(from, from + STEP)
          .map(
            ({ device, session, version, at }) =>
              sql`(${device}, ${session}, CAST(${version} AS bigint), CAST(${at} AS bigint))`,
          );
        // Both engines name the columns of VALUES so.
        await sql`
          UPDATE device SET session = v.column2, heard_version = v.column3, last_seen = v.column4
          FROM (VALUES ${sql.join(rows)}) AS v
          WHERE device.id = v.column1 AND device.last_seen <= v.column4`.execute(db);
      }
    },
  };
}
