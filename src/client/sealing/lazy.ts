// Lazy part of encryption: only this file is loaded with the commands. The dialog is dialog.ts; what encrypts is loaded when it is opened.
import type { Program } from '../app/program.ts';
import type { Availability, CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';

/** What a person comes for. */
export type SealingStart =
  | 'turnOn'
  | 'turnOff'
  | 'unlock'
  | 'newCode'
  | 'rotate'
  | 'forget'
  | 'passphrase'
  | 'ask'
  | 'give'
  | 'overview';

/** The dialog of encryption. Loaded when idle or first needed. */
export const lazySealing = lazyPart('Encryption', () => import('./dialog.ts'));

/** Why nothing about encryption can be done now; null: it can. Forgetting the key needs no connection. */
export function needsSealing({ platform, engine }: Program, start?: SealingStart): Availability {
  if (platform.account.email === null) return 'Encryption needs an account. Sign up or sign in first.';
  if (engine.facts().detached !== null) return 'Cloud sync is off. Enable it first.';
  const state = engine.state.get();
  if (state.type === 'signedOut') return 'Your session has ended. Sign in first.';
  const isOffline = state.type === 'onDevice' && !state.online && state.asking !== true;
  return isOffline && start !== 'forget' ? 'Can’t reach the server. Try again when you’re online.' : null;
}

/** Opens the dialog where somebody wants to go. */
export function openSealing(program: Program, start: SealingStart): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.inputQueue.enter(lazySealing, ({ SealingDialog }) => {
    const dialog = new SealingDialog(program, start);
    program.dialog.open(dialog);
    void dialog.open();
    return done;
  });
}
