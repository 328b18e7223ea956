// Lazy parts behind dialogs: their submit handlers, and the dialogs of sync status and recovered changes. Only this
// file is in the first load.
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { lazy } from '../loading/lazy.ts';
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type * as SyncWords from '../sync-status/words.ts';
import type { Answer, DialogType, DialogAction } from './dialog-view.ts';
import type { RecoveredAction } from '../sync-status/status-view.ts';

/** The dialogs of sync status and recovered changes. Loaded when idle or first needed. */
export const statusPart = lazyPart('Sync status', () => import('../sync-status/status.ts'));
const answersPart = lazyPart('The dialog', () => import('./account-dialogs.ts'));
const settlingPart = lazyPart('Recovered changes', () => import('../sync-status/recovered-actions.ts'));
/** The lazy parts that dialogs need, for loading them when idle. */
export const lazyAnswers = [statusPart, answersPart, settlingPart] as const;
const wordsPart = lazy(() => import('../sync-status/words.ts'));

type Shown = 'sync' | 'recovered';

/** Opens or redraws the sync status or the recovered changes; at once if it is loaded. */
export function showSyncStatus(program: Program, shown: Shown): void {
  const isNew = shown === 'sync' && program.dialog.get()?.type !== 'sync';
  program.inputQueue.enter(statusPart, ({ syncStatusDialog, readDevices }) => {
    program.dialog.show(syncStatusDialog(program, shown));
    if (isNew) readDevices(program);
    return done;
  });
}

/** Handles an action in any dialog. Ignored if that dialog is no longer open. */
export function answerDialog(program: Program, type: DialogType, action: DialogAction): void {
  const dialog = program.dialog.get();
  if (dialog?.type !== type) return;
  const { controller } = program.dialog;
  if (controller !== null) controller.submit(action);
  else
    program.inputQueue.enter(answersPart, ({ submitDialog }) => {
      // The dialog named its own type, so the action is one of its own.
      submitDialog(program, { type, dialog, action } as Answer);
      return done;
    });
}

/** Settles a recovered change. */
export function settleRecoveredChange(program: Program, action: RecoveredAction): void {
  program.inputQueue.enter(settlingPart, ({ settleRecovered }) => {
    const shown = program.dialog.get()?.type;
    settleRecovered(program, action);
    if (shown !== 'recovered') return done;
    if (program.engine.recovered.get().length === 0) program.dialog.close();
    else showSyncStatus(program, 'recovered');
    return done;
  });
}

/** Reports news about replication; at once if the words are loaded. */
export function withNews(program: Program, say: (words: typeof SyncWords) => void): void {
  const { now } = wordsPart;
  if (now) program.act(() => say(now));
  else
    wordsPart.load().then(
      (words) => program.act(() => say(words)),
      // The status line and the alarm report it anyway.
      () => undefined,
    );
}

/** Drops recovered changes that waited longer than they are kept. */
function expireRecoveredChanges(program: Program): void {
  if (program.engine.recovered.get().length === 0) return;
  // If it cannot be loaded now, the next start tries again.
  settlingPart.load().then(
    ({ expireRecovered }) => program.act(() => expireRecovered(program)),
    () => undefined,
  );
}

/** Drops recovered changes after their retention period, once all rows are read. */
export const recoveredExpiry = definePart({
  name: 'Expiry of recovered changes',
  create: (program) => ({ loaded: () => expireRecoveredChanges(program) }),
});

/** Loads all of these, for dialogs whose keys must be answered at once. */
export async function loadAnswers(): Promise<void> {
  await Promise.all([...lazyAnswers.map((part) => part.load()), wordsPart.load()]);
}
