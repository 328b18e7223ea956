// Sets up the clock of the running app and what it decides: who is away for now.
import type { Id } from '#core/ids.ts';
import { Away } from '../away.ts';
import type { Program } from '../program.ts';
import { dayStart } from '../settings/general.ts';
import { Clock } from './clock.ts';

/** Where lists that hide what has not started used to be remembered, on this device. */
const HIDING = 'hideUnstarted';

/** `woke` hears of the tasks a date of which passed. */
export function watchTime(
  { replica, platform, settings }: Pick<Program, 'replica' | 'platform' | 'settings'>,
  woke: (tasks: readonly Id[]) => void,
): { readonly clock: Clock; readonly away: Away } {
  const clock = new Clock({
    now: () => replica.now(),
    zone: () => platform.zone(),
    after: (delayMs, work) => platform.after(delayMs, work),
    dayStart: () => settings.get(dayStart),
    row: (id) => replica.row(id),
    rows: () => replica.all(),
    woke,
  });
  settings.signal(dayStart).subscribe(() => clock.check());
  const hiding = (platform.preferences.get(HIDING) ?? '').split(' ').filter((id) => id !== '');
  return { clock, away: new Away(replica, clock, hiding as Id[]) };
}
