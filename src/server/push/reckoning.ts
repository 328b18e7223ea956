// Computes the rings of one task for one person from the present rows: read by key, computed with the rules that every
// device uses (core/reminders.ts). Not here: earlier messages, and sending.
import { mineId, settingId, type Id } from '#core/ids.ts';
import {
  allRingsOf,
  blockReminderSetting,
  blockRemindingOf,
  holdsRings,
  type RingContext,
} from '#core/calendar/block-rings.ts';
import { dayMinuteOf, dayMinuteSetting, isQuiet, type Ring } from '#core/reminders.ts';
import { fieldOf, type MineRow, type Row, type TaskRow } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Store } from '../data/store.ts';
import type { TaskReads } from '#api/task-reads.ts';
import { isPartlySealed } from '#api/sealed-reads.ts';

export interface Reckoned {
  /** Past and future, in order; empty for a task that is complete, in the trash or gone. */
  readonly rings: readonly Ring[];
  readonly task: Row | undefined;
  /** The person has no reminders and no time blocks for it any more. */
  readonly isOver: boolean;
  readonly context: RingContext;
}

export interface Reckoning {
  /** `zone`: the person's time zone. `scope`: their personal one. */
  of(account: number, scope: Id, task: Id, zone: string): Promise<Reckoned>;
}

const DAY_START = 'dayStart';
/** Far deeper than tasks nest. */
const DEEPEST = 2_000;

function wakeMinuteOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 24 ? value * 60 : 0;
}

/** Whether an ancestor is in the trash, or gone. */
export async function isHidden(
  reads: Pick<TaskReads, 'find'>,
  scopes: readonly Id[],
  task: Row,
): Promise<boolean> {
  let row = task;
  for (let level = 0; level < DEEPEST; level += 1) {
    const parent = placeOf(row)?.parent;
    // The top of a scope is no row.
    if (parent === undefined || parent === row.scope) return false;
    const [above] = await reads.find(scopes, [parent]);
    if (above === undefined || fieldOf(above, 'del') !== undefined) return true;
    row = above;
  }
  return true;
}

/** The rings of a task whose reminders only devices can read: at the moments that one of them has written down. */
function wakings(task: TaskRow, mine: MineRow, wakes: readonly number[]): readonly Ring[] {
  if (isQuiet(task)) return [];
  const dealtWith = mine.fields.reminded ?? Number.NEGATIVE_INFINITY;
  return wakes
    .filter((at) => at > dealtWith)
    .map((at) => ({ register: 'remind:wake', reminder: { before: 0 }, moment: at, at }));
}

export function createReckoning(store: Pick<Store, 'scopesOf'>, reads: Pick<TaskReads, 'find'>): Reckoning {
  return {
    async of(account, scope, taskId, zone) {
      const scopes = (await store.scopesOf(account)).map((one) => one.scope);
      const own = mineId(scope, taskId);
      const settings = [
        settingId(scope, dayMinuteSetting),
        settingId(scope, DAY_START),
        settingId(scope, blockReminderSetting),
      ] as const;
      const found = new Map(
        (await reads.find(scopes, [taskId, own, ...settings])).map((row) => [row.id, row]),
      );
      const blocks = found.get(settings[2]);
      const context: RingContext = {
        zone,
        dayMinute: dayMinuteOf(fieldOf(found.get(settings[0]), 'value')),
        wakeMinute: wakeMinuteOf(fieldOf(found.get(settings[1]), 'value')),
        blocks: blockRemindingOf(fieldOf(blocks, 'value'), blocks),
      };
      const [task, mine] = [found.get(taskId), found.get(own)];
      const wakes = mine?.type === 'mine' && isPartlySealed(mine) ? (mine.fields.wake ?? []) : [];
      const isOver = mine?.type !== 'mine' || (!holdsRings(mine) && wakes.length === 0);
      if (isOver || task?.type !== 'task') return { rings: [], task, isOver, context };
      const rings = wakes.length > 0 ? wakings(task, mine, wakes) : allRingsOf(task, mine, context);
      const isQuiet = rings.length > 0 && (await isHidden(reads, scopes, task));
      return { rings: isQuiet ? [] : rings, task, isOver, context };
    },
  };
}
