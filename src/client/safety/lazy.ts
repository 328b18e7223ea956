// Lazy part of the account dialog: only this file is loaded with the commands. The rest is dialog.ts.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import type { Program } from '../app/program.ts';

/** The account dialog. Loaded when idle or first needed. */
export const lazySafety = lazyPart('Account', async () => {
  const [dialog] = await Promise.all([import('./dialog.ts'), loadAnswers()]);
  return dialog;
});

/** The first step of the dialog: the account, its tokens, a new token for the clipboard, or the promo code. */
export type SafetyStart = 'account' | 'tokens' | 'copyToken' | 'promo';

/** Preference with a promo code that a link brought before there was an account. */
export const WAITING_PROMO = 'promo.waiting';

/** Preference with the value of that code in words, once the server has told it. */
export const WAITING_TERMS = 'promo.terms';

/** Returns the pending code and removes it; empty: there is none. */
export function takePromoCode({ platform: { preferences } }: Program): string {
  const code = preferences.get(WAITING_PROMO) ?? '';
  if (code === '') return '';
  for (const key of [WAITING_PROMO, WAITING_TERMS]) preferences.set(key, '');
  return code;
}

/** The pending code, for the forms that open an account. */
export function waitingOffer({ platform: { preferences } }: Program): { readonly offer?: string } {
  const code = preferences.get(WAITING_PROMO) ?? '';
  const terms = preferences.get(WAITING_TERMS) ?? '';
  if (code === '') return {};
  const worth = terms === '' ? '' : `: ${terms}`;
  return {
    offer: `Promo code ${code}${worth}. It waits until you sign up or in. Nothing is charged.`,
  };
}

/** `code`: the initial content of the promo code field. */
export function openSafety(
  program: Program,
  start: SafetyStart = 'account',
  code: () => string = () => '',
): CommandResult {
  return program.inputQueue.enter(lazySafety, ({ SafetyDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new SafetyDialog(program, start, code()));
    return done;
  });
}
