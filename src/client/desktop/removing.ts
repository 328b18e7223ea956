// The question before an account is taken away from this machine: what is lost with it. It has the dialog of all questions.
import { counted } from '#core/counted.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { DesktopPort } from './port.ts';

/** What is on this machine alone, in words that say what becomes of it. */
export function lossOf({ engine, platform }: Program): string {
  if (platform.account.email === null)
    return 'There’s no account here, so these tasks are on this machine alone. They are lost. Export them first if you want to keep them.';
  const state = engine.state.get();
  const known = 'waiting' in state ? state.waiting : 0;
  const made = state.type === 'detached' ? state.made : 0;
  const unsent = Math.max(known, engine.facts().pending.length) + made;
  if (unsent === 0)
    return 'Its tasks stay at the server. Attachments that weren’t sent yet and safety copies of this machine are lost.';
  return `${counted(unsent, 'change hasn’t', 'changes haven’t')} reached the server. What isn’t sent is lost, and so are safety copies of this machine.`;
}

/** Asks, and has the program do it. */
export class RemovingAccount implements OpenDialog {
  readonly type = 'confirm';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #desktop: DesktopPort;
  readonly #title: string;

  constructor(program: Program, desktop: DesktopPort, title: string) {
    this.#program = program;
    this.#desktop = desktop;
    this.#title = title;
  }

  submit(): void {
    this.#program.dialog.close();
    this.#desktop.say({ type: 'remove' });
  }

  leave(): void {
    // Nothing is taken away.
  }

  refresh(): void {
    this.#program.dialog.show({
      type: 'confirm',
      text: `Remove ${this.#title} from this machine?`,
      detail: lossOf(this.#program),
      action: 'Remove it',
      command: 'dialog.confirm',
    });
  }
}
