// Remembers which devices spoke to this server, and writes it down now and then instead of with every request.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import type { Tables } from '../data/tables.ts';

const STEP = 200;

export interface DeviceWatch {
  heard(device: Id): void;
  /** Writes down what was heard since the last time. */
  save(): Promise<void>;
}

export function createDeviceWatch(db: Kysely<Tables>, clock: Clock): DeviceWatch {
  const heard = new Set<Id>();
  return {
    heard: (device) => void heard.add(device),
    async save() {
      const ids = [...heard];
      heard.clear();
      for (let from = 0; from < ids.length; from += STEP)
        await db
          .updateTable('device')
          .set({ last_seen: clock.now() })
          .where('id', 'in', ids.slice(from, from + STEP))
          .execute();
    },
  };
}
