// What a line of the trash says, and "Empty trash now": what is in the trash is named by its number, and goes for good
// after one more answer. With an account the server removes it, from every device; without one this device does.
// Loaded when the trash is first looked at (trash-door.ts).
import { counted } from '#core/counted.ts';
import type { TrashItem } from '#sync/emptying.ts';
import { trashLimits } from '#wire/trash.ts';
import type { CommandResult } from './commands/command.ts';
import { done, refused } from './commands/define.ts';
import type { DateContext } from './dates.ts';
import type { Program } from './program.ts';
import type { DialogView } from './dialog-view.ts';

type Emptying = Extract<DialogView, { readonly type: 'emptyTrash' }>;

const DAY_MS = 86_400_000;

/** "deleted 3 days ago · gone on 17 Dec"; `days`: how long the server keeps it, null where nothing goes by itself. */
export function trashText(at: number, days: number | null, { now, zone, locale }: DateContext): string {
  const dayOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  const since = Math.max(0, dayOf(at).until(dayOf(now)).days);
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-since, 'day');
  const deleted = `deleted ${since === 0 ? 'today' : ago}`;
  if (days === null) return deleted;
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: zone });
  return `${deleted} · gone on ${format.format(at + days * DAY_MS)}`;
}

/** With an account only the server removes for good: it must have everything, and be there. */
function whyNot(program: Program): string | null {
  const { engine, platform } = program;
  const state = engine.state.get();
  if (state.type === 'loading') return 'Your tasks are still being read.';
  if (platform.account.email === null) return null;
  if (engine.facts().detached !== null) return 'Enable cloud sync first: the server removes things for good.';
  if (engine.facts().pending.length > 0)
    return 'Some changes have not reached the server yet. Empty the trash when they have.';
  return state.type === 'onDevice' && !state.online
    ? 'The server cannot be reached: with an account it is the one that removes things for good.'
    : null;
}

/** Asks about exactly what the trash shows, and what stands there without a name. */
export function openEmptying(program: Program): CommandResult {
  const reason = whyNot(program);
  if (reason !== null) return refused(reason);
  const { workspace, replica } = program;
  const items = [...workspace.facts.trashed].flatMap((id) => {
    const deletion = replica.row(id)?.fields.del as { readonly at: number } | null | undefined;
    return deletion ? [{ id, at: deletion.at }] : [];
  });
  const hasAccount = program.platform.account.email !== null;
  program.dialog.set({
    type: 'emptyTrash',
    items,
    count: workspace.trashed().length,
    hasAccount,
    busy: false,
    error: null,
  });
  return done;
}

export function submitEmptying(program: Program, dialog: Emptying): void {
  if (dialog.busy) return;
  program.dialog.set({ ...dialog, busy: true, error: null });
  const work = dialog.hasAccount ? throughServer(program, dialog) : program.engine.emptyTrash(dialog.items);
  void work.then(
    (error) => program.act(() => finish(program, dialog, typeof error === 'string' ? error : null)),
    () => program.act(() => finish(program, dialog, 'That could not be done. Try again.')),
  );
}

function finish(program: Program, dialog: Emptying, error: string | null): void {
  const isShown = program.dialog.get()?.type === 'emptyTrash';
  if (error !== null) {
    // Some of it may be gone: what is asked next is about the rest.
    if (isShown) program.dialog.set({ ...dialog, busy: false, error });
    else program.say(error, { error: true });
    return;
  }
  if (isShown) program.dialog.set(null);
  program.say(`Removed ${counted(dialog.count, 'thing')} for good.`);
}

/** Step by step; what went wrong, or null. */
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
        ? `${answer.message} Some of it is gone already; the rest still lies in the trash.`
        : answer.message;
    }
    rest = rest.slice(step.length - answer.left);
  }
  program.engine.nudge();
  return null;
}
