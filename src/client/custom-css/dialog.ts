// The dialog of custom CSS: what is typed applies while it is open, and stays if it is saved. A lazy part; it is drawn by
// web/dialogs/settings/custom-css.tsx, and web/platform/custom-css.ts puts the text on the page.
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { CssEffect, CustomCssAction } from './custom-css-view.ts';
import type { CssDraft } from './lazy.ts';
import { customCss, customCssOn } from './settings.ts';

export class CustomCssDialog implements OpenDialog {
  readonly type = 'customCss';
  /** Undo in the field is the browser's. */
  readonly isTyping = true;
  readonly #program: Program;
  readonly #draft: CssDraft;
  readonly #effect: CssEffect;
  #hides = false;
  #text: string;
  #preview: string;

  constructor(program: Program, draft: CssDraft) {
    const { settings, platform } = program;
    this.#program = program;
    this.#draft = draft;
    const saved = settings.get(customCss);
    this.#text = draft.text ?? saved;
    this.#effect = platform.isSafe ? 'safe' : settings.get(customCssOn) ? 'live' : 'off';
    // What was not seen before the dialog is not seen because of it: it may hide everything.
    this.#preview = this.#effect === 'live' ? saved : '';
  }

  get #problem(): string | null {
    return customCss.problem(this.#text);
  }

  submit(action: CustomCssAction): void {
    if (action.action === 'save') {
      this.#save();
      return;
    }
    this.#hides = action.action === 'hides';
    if (this.#hides) this.#preview = '';
    else if (action.action === 'type') {
      this.#text = action.text;
      if (this.#problem === null) this.#preview = action.text;
    }
    this.refresh();
  }

  byKey(command: string): CustomCssAction | null {
    return command === 'css.save' ? { action: 'save' } : null;
  }

  #save(): void {
    const program = this.#program;
    const problem = this.#problem;
    if (problem !== null) {
      program.messages.announce(problem);
      return;
    }
    const isEmpty = this.#text.trim() === '';
    program.settings.keep(customCss, isEmpty ? null : this.#text);
    program.settings.keep(customCssOn, null);
    this.#text = program.settings.get(customCss);
    program.run('dialog.close');
    const saved = isEmpty ? 'Custom CSS removed.' : 'Custom CSS saved on this device.';
    program.say(this.#effect === 'safe' ? `${saved} Open the app without “?safe” to see it.` : saved);
  }

  /** What was typed is neither applied nor lost. */
  leave(): void {
    const isSaved = this.#text === this.#program.settings.get(customCss);
    this.#draft.text = isSaved ? null : this.#text;
    if (!isSaved) this.#program.say('Your CSS isn’t saved. To go on, run “Edit custom CSS” again.');
  }

  refresh(): void {
    this.#program.dialog.show({
      type: 'customCss',
      customCss: {
        text: this.#text,
        preview: this.#preview,
        effect: this.#hides ? 'hides' : this.#effect,
        problem: this.#problem,
      },
    });
  }
}
