// Sets up the clock of the running app and what it decides: who is away for now.
import type { Id } from '#core/ids.ts';
import type { Replica } from '#sync/replica-types.ts';
import type { Platform } from '../app.ts';
import { Away } from '../away.ts';
import { Clock } from './clock.ts';

/** Where the lists that hide what has not started are remembered, on this device. */
export const HIDING = 'hideUnstarted';

/** `woke` hears of the tasks a date of which passed. */
export function watchTime(
  replica: Replica,
  platform: Platform,
  woke: (tasks: readonly Id[]) => void,
): { readonly clock: Clock; readonly away: Away } {
  const clock = new Clock({
    now: () => replica.now(),
    zone: () => platform.zone(),
    after: (delayMs, work) => platform.after(delayMs, work),
    dayStart: 0,
    row: (id) => replica.row(id),
    rows: () => replica.all(),
    woke,
  });
  const hiding = (platform.preferences.get(HIDING) ?? '').split(' ').filter((id) => id !== '');
  return { clock, away: new Away(replica, clock, hiding as Id[]) };
}
