// Lazy part of taking back what somebody did: only this file is loaded with the commands.
import type { Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from '../commands/command.ts';
import { done, refused } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { mayBeOwn } from '../outline/ownership.ts';
import type { TakingBackStart } from './dialog.ts';

/** The dialog. Loaded when idle or first needed. */
export const lazyTakingBack = lazyPart('Taking back', () => import('./dialog.ts'));

/** Why it cannot be done in this list; null: it can. */
export function needsOwnShared({ replica, platform, engine }: Program, list: Id | undefined): string | null {
  const row = list === undefined ? undefined : replica.row(list);
  if (row === undefined || row.scope === replica.scope)
    return 'Open a shared list first. In this one, use “Show history.”';
  if (!mayBeOwn(replica, row.scope)) return 'Only the owner of the list can undo what others did.';
  if (platform.account.email === null) return 'This needs the server. Sign in first.';
  return engine.facts().detached === null ? null : 'Cloud sync is off. Enable it first.';
}

/** `start`: an entry of the history; null: the person is asked for. */
export function openTakingBack(program: Program, list: Id, start: TakingBackStart | null): CommandResult {
  const missing = needsOwnShared(program, list);
  if (missing !== null) return refused(missing);
  program.leaveText();
  program.editor.flush();
  return program.inputQueue.enter(lazyTakingBack, ({ TakingBackDialog }) => {
    const dialog = new TakingBackDialog(program, list, start);
    program.dialog.open(dialog);
    void dialog.open();
    return done;
  });
}
