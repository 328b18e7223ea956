// Lines of the trash, and "Empty trash now": names the number of items, and removes them for good after confirmation.
// With an account the server removes them from every device; without one this device does. Loaded when the trash is
// first opened (trash-lazy.ts).
import { DAY_MS } from '#core/time.ts';
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { TrashItem } from '#sync/replica/replica-types.ts';
import { trashLimits } from '#wire/trash.ts';
import type { CommandResult } from '../commands/command.ts';
import { done, refused } from '../commands/define.ts';
import type { DateContext } from '../clock/dates.ts';
import type { Program } from '../app/program.ts';
import type { DialogView } from '../dialogs/dialog-view.ts';
import { mayBeOwn } from '../outline/ownership.ts';
import { fieldOf } from '#sync/rows/row.ts';

type Emptying = Extract<DialogView, { readonly type: 'emptyTrash' }>;

/** "deleted 3 days ago · gone on 17 Dec"; `days`: retention on the server, null if nothing expires. */
export function trashText(at: number, days: number | null, { now, zone, locale }: DateContext): string {
  const dayOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  const since = Math.max(0, dayOf(at).until(dayOf(now)).days);
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-since, 'day');
  const deleted = `deleted ${since === 0 ? 'today' : ago}`;
  if (days === null) return deleted;
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: zone });
  return `${deleted} · erased on ${format.format(at + days * DAY_MS)}`;
}

/** With an account only the server removes for good, so it must be reachable and have all changes. */
function whyNot(program: Program): string | null {
  const { engine, platform } = program;
  const state = engine.state.get();
  if (state.type === 'loading') return 'Your tasks are still loading. Try again.';
  if (platform.account.email === null) return null;
  if (engine.facts().detached !== null)
    return 'Only the server can delete permanently. Enable cloud sync first.';
  if (engine.facts().pending.length > 0)
    return 'Some changes haven’t synced yet. Empty the trash when they have.';
  // Before the first answer nobody knows yet.
  return state.type === 'onDevice' && !state.online && state.asking !== true
    ? 'Can’t reach the server, so the trash wasn’t emptied. Try again when you’re online.'
    : null;
}

/** Asks about exactly what the trash shows, and untitled items in it. */
export function openEmptying(program: Program): CommandResult {
  const reason = whyNot(program);
  if (reason !== null) return refused(reason);
  const { workspace, replica } = program;
  // What is in the trash of a list that is somebody else's stays.
  const mayErase = (id: Id) => {
    const row = replica.row(id);
    return row !== undefined && mayBeOwn(replica, row.scope);
  };
  const items = [...workspace.facts.trashed].filter(mayErase).flatMap((id) => {
    const deletion = fieldOf(replica.row(id), 'del');
    return deletion ? [{ id, at: deletion.at }] : [];
  });
  if (items.length === 0 && workspace.facts.trashed.size > 0)
    return refused('Only the owner of a shared list can delete what was in it permanently.');
  const hasAccount = program.platform.account.email !== null;
  program.dialog.show({
    type: 'emptyTrash',
    items,
    count: workspace.trashed().filter(mayErase).length,
    hasAccount,
    busy: false,
    error: null,
  });
  return done;
}

export function submitEmptying(program: Program, dialog: Emptying): void {
  if (dialog.busy) return;
  program.dialog.show({ ...dialog, busy: true, error: null });
  const work = dialog.hasAccount ? throughServer(program, dialog) : program.engine.emptyTrash(dialog.items);
  void work.then(
    (error) => program.act(() => finish(program, dialog, typeof error === 'string' ? error : null)),
    () => program.act(() => finish(program, dialog, 'That didn’t work. Try again.')),
  );
}

function finish(program: Program, dialog: Emptying, error: string | null): void {
  const isShown = program.dialog.get()?.type === 'emptyTrash';
  if (error !== null) {
    // Some items may be gone: the next question is about the rest.
    if (isShown) program.dialog.show({ ...dialog, busy: false, error });
    else program.say(error, { error: true });
    return;
  }
  if (isShown) program.dialog.close();
  program.say(`Permanently deleted ${counted(dialog.count, 'item')}.`);
}

/** Works in portions; resolves with the error, or null. */
async function throughServer(program: Program, { items }: Emptying): Promise<string | null> {
  const { account } = program.platform;
  let rest: readonly TrashItem[] = items;
  while (rest.length > 0) {
    const step = rest.slice(0, trashLimits.mostItems);
    const answer = await account.emptyTrash(step);
    if ('message' in answer) {
      const isSome = rest.length < items.length;
      program.engine.nudge();
      return isSome
        ? `${answer.message} Some of it is already gone. The rest is still in the trash.`
        : answer.message;
    }
    rest = rest.slice(step.length - answer.left);
  }
  program.engine.nudge();
  return null;
}
