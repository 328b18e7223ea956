// Lazy part of the plan: only this file is loaded with the commands. The dialog is dialog.ts.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';

/** The dialog of the plan. Loaded when idle or first needed. */
export const lazyPlan = lazyPart('Plan and payment', () => import('./dialog.ts'));

/** What the dialog begins with: the plan, the page for the card, the invoices, or what became of a checkout. */
export type PlanStart = 'plan' | 'manage' | 'invoices' | { readonly checkout: string };

/** Opens the dialog. */
export function openPlan(program: Program, start: PlanStart = 'plan'): CommandResult {
  return program.inputQueue.enter(lazyPlan, ({ PlanDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new PlanDialog(program, start));
    return done;
  });
}
