// The door to dialogs: what they answer, and the ledger of where every change is and what was refused. Only the door is
// part of the first load.
import { done } from './commands/define.ts';
import { door } from './door.ts';
import { lazy } from './lazy.ts';
import { isThinking } from './open-dialog.ts';
import type { Program } from './program.ts';
import type * as SyncWords from './sync-words.ts';

export const statusPart = door('Sync status', () => import('./sync-status.ts'));
const answersPart = door('What answers a dialog', () => import('./account-dialogs.ts'));
const settlingPart = door('What settles changes', () => import('./settling.ts'));
export const ledgerDoors = [statusPart, answersPart, settlingPart] as const;
const wordsPart = lazy(() => import('./sync-words.ts'));

type Shown = 'sync' | 'recovered';

/** Opens or redraws the ledger, at once where it has been shown before. */
export function showLedger(program: Program, shown: Shown): void {
  const isNew = shown === 'sync' && program.dialog.get()?.type !== 'sync';
  program.held.enter(statusPart, ({ ledgerDialog, readDevices }) => {
    program.dialog.set(ledgerDialog(program, shown));
    if (isNew) readDevices(program);
    return done;
  });
}

/** What was answered in any dialog. */
export function answerDialog(program: Program, values: Readonly<Record<string, string>>): void {
  const dialog = program.dialog.get();
  if (dialog === null) return;
  if (isThinking(dialog)) program.openDialog?.submit(values);
  else if (dialog.type === 'history') program.history?.submit(values);
  else
    program.held.enter(answersPart, ({ submitDialog }) => {
      submitDialog(program, dialog, values);
      return done;
    });
}

/** What was answered in the ledger. */
export function settleLedger(program: Program, values: Readonly<Record<string, string>>): void {
  program.held.enter(settlingPart, ({ settleRecovered }) => {
    const shown = program.dialog.get()?.type;
    settleRecovered(program, values);
    if (shown !== 'recovered') return done;
    if (program.engine.recovered.get().length === 0) program.dialog.set(null);
    else showLedger(program, 'recovered');
    return done;
  });
}

/** Says what is new about replication; at once where something was said before. */
export function withNews(program: Program, say: (words: typeof SyncWords) => void): void {
  const { now } = wordsPart;
  if (now) program.act(() => say(now));
  else
    wordsPart.load().then(
      (words) => program.act(() => say(words)),
      // The status line and the alarm say it all the same.
      () => undefined,
    );
}

/** What waited for a decision longer than it is kept. */
export function expireLedger(program: Program): void {
  if (program.engine.recovered.get().length === 0) return;
  // Looked at again at the next start where it cannot be loaded now.
  settlingPart.load().then(
    ({ expireRecovered }) => program.act(() => expireRecovered(program)),
    () => undefined,
  );
}

/** For whoever needs everything at once. */
export async function loadLedger(): Promise<void> {
  await Promise.all([...ledgerDoors.map((part) => part.load()), wordsPart.load()]);
}
