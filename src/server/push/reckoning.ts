// What rings for one task of one person, from the rows as they stand: read by key, reckoned with the rules that every device
// reckons with (core/reminders.ts). Not here: what was sent already, and sending.
import { mineId, settingId, type Id } from '#core/ids.ts';
import {
  dayMinuteOf,
  dayMinuteSetting,
  type ReminderContext,
  remindersIn,
  type Ring,
  ringsOf,
} from '#core/reminders.ts';
import type { Row } from '#sync/row.ts';
import { placeOf } from '#sync/row-reading.ts';
import type { Store } from '../data/store.ts';
import type { TaskReads } from '../data/task-reads.ts';

export interface Reckoned {
  /** Past and to come, in order; none for a task that is complete, in the trash or gone. */
  readonly rings: readonly Ring[];
  readonly task: Row | undefined;
  /** The person has no reminders for it any more. */
  readonly isOver: boolean;
  readonly context: ReminderContext;
}

export interface Reckoning {
  /** `zone`: where the person is. `scope`: their own. */
  of(account: number, scope: Id, task: Id, zone: string): Promise<Reckoned>;
}

const DAY_START = 'dayStart';
/** Far deeper than tasks nest. */
const DEEPEST = 2_000;

function wakeMinuteOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 24 ? value * 60 : 0;
}

export function createReckoning(store: Pick<Store, 'scopesOf'>, reads: Pick<TaskReads, 'find'>): Reckoning {
  /** Whether something above it lies in the trash, or is gone. */
  async function isHidden(scopes: readonly Id[], task: Row): Promise<boolean> {
    let row = task;
    for (let level = 0; level < DEEPEST; level += 1) {
      const parent = placeOf(row)?.parent;
      // The top of a scope is no row.
      if (parent === undefined || parent === row.scope) return false;
      const [above] = await reads.find(scopes, [parent]);
      if (above === undefined || above.fields['del'] !== undefined) return true;
      row = above;
    }
    return true;
  }

  return {
    async of(account, scope, taskId, zone) {
      const scopes = (await store.scopesOf(account)).map((one) => one.scope);
      const own = mineId(scope, taskId);
      const settings = [settingId(scope, dayMinuteSetting), settingId(scope, DAY_START)] as const;
      const found = new Map(
        (await reads.find(scopes, [taskId, own, ...settings])).map((row) => [row.id, row]),
      );
      const context: ReminderContext = {
        zone,
        dayMinute: dayMinuteOf(found.get(settings[0])?.fields['value']),
        wakeMinute: wakeMinuteOf(found.get(settings[1])?.fields['value']),
      };
      const [task, mine] = [found.get(taskId), found.get(own)];
      const isOver = mine === undefined || remindersIn(mine.fields).length === 0;
      if (isOver || task?.type !== 'task') return { rings: [], task, isOver, context };
      const rings = ringsOf(task, mine, context);
      const isQuiet = rings.length > 0 && (await isHidden(scopes, task));
      return { rings: isQuiet ? [] : rings, task, isOver, context };
    },
  };
}
