// The door to the dialog of the account's safety: only this is loaded with the commands. What it does is dialog.ts.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';

export const safetyDoor = door('Account', async () => {
  const [dialog] = await Promise.all([import('./dialog.ts'), loadLedger()]);
  return dialog;
});

/** Where the dialog begins: at the account, at its tokens, with a new token for the clipboard, or at its promo code. */
export type SafetyStart = 'account' | 'tokens' | 'copyToken' | 'promo';

/** The preference that holds a promo code which a link brought before there was an account for it. */
export const WAITING_PROMO = 'promo.waiting';

/** The code that waits, which does not wait any longer; empty: none does. */
export function takePromoCode({ platform: { preferences } }: Program): string {
  const code = preferences.get(WAITING_PROMO) ?? '';
  if (code !== '') preferences.set(WAITING_PROMO, '');
  return code;
}

/** `code`: the promo code that its field begins with. */
export function openSafety(
  program: Program,
  start: SafetyStart = 'account',
  code: () => string = () => '',
): CommandResult {
  return program.held.enter(safetyDoor, ({ SafetyDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new SafetyDialog(program, start, code());
    program.openDialog.refresh();
    return done;
  });
}
