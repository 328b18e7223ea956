// The door to dialogs: what they answer, and the ledger of where every change is and what was refused. Only the door is
// part of the first load.
import { lazy } from './lazy.ts';
import type { Program } from './program.ts';
import type * as SyncWords from './sync-words.ts';

export const statusPart = lazy(() => import('./sync-status.ts'));
const answersPart = lazy(() => import('./account-dialogs.ts'));
const wordsPart = lazy(() => import('./sync-words.ts'));
const settlingPart = lazy(() => import('./settling.ts'));

const FAILED = 'That could not be loaded. Check the connection and try again.';

type Shown = 'sync' | 'recovered';

/** Opens or redraws the ledger, at once where it has been shown before. */
export function showLedger(program: Program, shown: Shown): void {
  const { now } = statusPart;
  const isNew = shown === 'sync' && program.dialog.get()?.type !== 'sync';
  const show = ({ ledgerDialog, readDevices }: NonNullable<typeof now>) => {
    program.dialog.set(ledgerDialog(program, shown));
    if (isNew) readDevices(program);
  };
  if (now) {
    show(now);
    return;
  }
  statusPart.load().then(
    (part) => program.act(() => show(part)),
    () => program.act(() => program.say(FAILED, { error: true })),
  );
}

/** What was answered in any dialog. */
export function answerDialog(program: Program, values: Readonly<Record<string, string>>): void {
  const { now } = answersPart;
  if (now) now.submitDialog(program, values);
  else
    answersPart.load().then(
      ({ submitDialog }) => program.act(() => submitDialog(program, values)),
      () => program.act(() => program.say(FAILED, { error: true })),
    );
}

/** What was answered in the ledger. */
export function settleLedger(program: Program, values: Readonly<Record<string, string>>): void {
  const answer = (settle: (program: Program, values: Readonly<Record<string, string>>) => void) => {
    const shown = program.dialog.get()?.type;
    settle(program, values);
    if (shown !== 'recovered') return;
    if (program.engine.recovered.get().length === 0) program.dialog.set(null);
    else showLedger(program, 'recovered');
  };
  if (settlingPart.now) answer(settlingPart.now.settleRecovered);
  else void settlingPart.load().then(({ settleRecovered }) => program.act(() => answer(settleRecovered)));
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
  await Promise.all([answersPart.load(), statusPart.load(), settlingPart.load(), wordsPart.load()]);
}
