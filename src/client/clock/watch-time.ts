// Connects the clock to the running app and decides which tasks are hidden for now.
import type { Id } from '#core/ids.ts';
import { Away } from '../outline/hidden-tasks.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Platform } from '../app/app.ts';
import type { Settings } from '../settings/settings.ts';
import { dayStart } from '../settings/first.ts';
import { Clock } from './clock.ts';

/** Device preference that used to hold the lists that hide tasks that have not started. */
const HIDING = 'hideUnstarted';

/** `woke` gets the tasks with a date that passed. */
export function watchTime(
  {
    replica,
    platform,
    settings,
  }: { readonly replica: Replica; readonly platform: Platform; readonly settings: Settings },
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
