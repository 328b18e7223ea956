// Actions of a person on a ringing reminder. Each is an ordinary change: undo takes it back, and it reaches the other
// devices like any other.
import type { Id } from '#core/ids.ts';
import type { When } from '#core/when.ts';
import type { Action } from '#sync/rows/operation.ts';
import { isDone } from '#sync/rows/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import { revealRow } from '../commands/places.ts';
import { completeRows } from '../commands/tasks.ts';
import { mineOf, setMine } from '../outline/personal-fields.ts';
import { sayWhen } from '../pickers/saying.ts';
import type { Program } from '../app/program.ts';
import { type Bell, BLOCKED, NOT_NOW } from './alerts.ts';
import { reminderContext } from './context.ts';
import { fieldOf } from '#sync/rows/row.ts';

export { Bell } from './alerts.ts';

const MINUTE_MS = 60_000;
const NOTHING = 'No reminder is ringing.';
export type SnoozeLength = 'minutes' | 'hour' | 'tomorrow';

/** Marks everything that rang for these tasks until now as handled. Idempotent, also across devices. */
function dealtWith(program: Program, ids: readonly Id[]): Action[] {
  const reminded = program.replica.now();
  return ids.flatMap((id) => setMine(program.replica, id, { reminded }));
}

export function dismiss(program: Program, ids: readonly Id[]): CommandResult {
  if (ids.length === 0) return refused(NOTHING, 'info');
  program.editor.flush();
  const name = program.describe(ids);
  inBatches(program, dealtWith(program, ids), `dismissed the reminder of ${name}`);
  return announced(`Dismissed the reminder of ${name}.`);
}

export function openTask(program: Program, id: Id | null): CommandResult {
  if (id === null) return refused(NOTHING, 'info');
  const row = program.replica.row(id);
  program.leaveText();
  if (!row || !revealRow(program, row)) return refused('That task is gone.');
  inBatches(program, dealtWith(program, [id]), `dismissed the reminder of ${program.describe([id])}`);
  return done;
}

export function complete(program: Program, id: Id | null): CommandResult {
  const row = id === null ? undefined : program.replica.row(id);
  if (!row) return refused(NOTHING, 'info');
  program.editor.flush();
  return completeRows(program, [row]);
}

function until(program: Program, length: SnoozeLength): When {
  const { zone, dayMinute } = reminderContext(program);
  const now = program.replica.now();
  if (length !== 'tomorrow') return { at: now + (length === 'hour' ? 60 : 10) * MINUTE_MS, zone };
  const plainTime = { hour: Math.floor(dayMinute / 60), minute: dayMinute % 60 };
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  const tomorrow = today.add({ days: 1 }).toZonedDateTime({ timeZone: zone, plainTime });
  return { at: tomorrow.epochMilliseconds, zone };
}

/** Snoozes the task, which rings when it wakes. */
export function snooze(program: Program, id: Id | null, length: SnoozeLength): CommandResult {
  if (id === null) return refused(NOTHING, 'info');
  program.editor.flush();
  const { replica } = program;
  const when = until(program, length);
  const times = (fieldOf(mineOf(replica, id), 'snoozeCount') ?? 0) + 1;
  const name = program.describe([id]);
  inBatches(program, setMine(replica, id, { snooze: when, snoozeCount: times }), `snoozed ${name}`);
  const context = program.moment();
  return announced(`Snoozed ${name} until ${sayWhen(when, context).text}. It rings again then.`);
}

/** Handles a button of a notification outside the app. */
export function answer(program: Program, id: Id, what: string): CommandResult {
  const row = program.replica.row(id);
  if (row?.type !== 'task') return refused('That task is gone.');
  if (what === 'complete') return isDone(row) ? done : complete(program, id);
  if (what === 'snooze') return snooze(program, id, 'minutes');
  return what === 'dismiss' ? dismiss(program, [id]) : openTask(program, id);
}

function turnedOn({ platform }: Program): string {
  return platform.account.email === null
    ? 'Notifications are on while Posthaste is open in a tab. With an account, they come when it’s closed.'
    : 'Reminders now show when Posthaste is closed.';
}

/** Asks the browser for permission, within the handling of the key or press. */
export function turnOn(program: Program, bell: Bell): CommandResult {
  const { notifications } = program.platform;
  bell.endOffer();
  const permission = notifications.permission();
  if (permission === 'unsupported')
    return refused(
      'This browser can’t show notifications here. On a phone, add Posthaste to your Home Screen first. Reminders show while it’s open.',
      'info',
    );
  if (permission === 'denied') return refused(BLOCKED, 'info');
  notifications
    .ask()
    .then(async (answer) => {
      const problem = answer === 'granted' ? await notifications.subscribe() : null;
      program.act(() => {
        if (answer === 'denied') program.say(BLOCKED);
        else if (answer === 'granted') program.say(problem ?? turnedOn(program));
      });
    })
    .catch(() => program.act(() => program.say('Couldn’t ask your browser. Try again.', { error: true })));
  return done;
}

export function notNow(program: Program, bell: Bell): CommandResult {
  bell.endOffer();
  program.platform.preferences.set(NOT_NOW, program.platform.notifications.permission());
  return announced('Reminders show while Posthaste is open.');
}

export function toggleTitles(program: Program): CommandResult {
  const { notifications } = program.platform;
  const shows = !notifications.showsTitles;
  notifications.showTitles(shows);
  void notifications.subscribe();
  return announced(
    shows
      ? 'Notifications on this device show task titles.'
      : 'Notifications on this device no longer show task titles.',
  );
}
