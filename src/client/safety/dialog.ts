// The account dialog: address, password, one-time codes, passkeys, tokens, and erasing the account. An action that
// needs a fresh confirmation is repeated automatically after it. It is drawn by web/dialogs/account/safety.tsx.
import { counted } from '#core/counted.ts';
import { ok } from '#core/result.ts';
import type { FormValues } from '../dialogs/form-values.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import type { SafetyAction, SafetyForm, SafetyStepView } from './safety-view.ts';
import type { SafetyStart } from './lazy.ts';
import type { Outcome, SafetyFailure, SafetyPort, SafetyState } from './port.ts';

const UNLOADED: SafetyFailure = {
  type: 'offline',
  message: 'This needs the server. Go online and try again.',
};

const STILL_UNLOCKS =
  'Removed the passkey. If it unlocks your encrypted tasks, too, remove that under “Encryption on this device”.';

/** Fields without which the server need not be asked, and what is said where they are empty. */
const NEEDED: Readonly<Partial<Record<SafetyForm, readonly [field: string, said: string]>>> = {
  confirm: ['password', 'Type your password.'],
  setPassword: ['password', 'Type a new password.'],
  setEmail: ['email', 'Type your new email address.'],
  proveEmail: ['code', 'Type the code from the email.'],
  confirmCodes: ['code', 'Type the code that your authenticator app shows.'],
  redeem: ['code', 'Type a promo code.'],
};

/** The word that confirms erasing; typed by hand, so that no repeated key does it. */
const ERASE_WORD = 'erase';

export class SafetyDialog implements OpenDialog {
  readonly type = 'safety';
  readonly #program: Program;
  #port: SafetyPort | null = null;
  #state: SafetyState | SafetyFailure | null = null;
  #step: SafetyStepView | null = null;
  /** The action that waits for a confirmation of identity. */
  #waiting: (() => Promise<void>) | null = null;
  #isBusy = false;
  #said: { readonly text: string; readonly isError: boolean } | null = null;
  #isLeft = false;
  /** The step is what the dialog began with. */
  #isFirst: boolean;

  constructor(program: Program, start: SafetyStart, code: string) {
    this.#program = program;
    this.#isFirst = start !== 'account';
    void this.#open(start, code);
  }

  get isTyping(): boolean {
    return this.#step !== null;
  }

  /** Escape in a step goes back to the account, if it was opened from there. What is shown only once is asked about first. */
  clearFilter(): boolean {
    if (this.#step === null || this.#step.type === 'recovery' || this.#isFirst || this.#isBusy) return false;
    void this.#back();
    return true;
  }

  mayClose(): boolean {
    if (this.#step?.type !== 'recovery') return true;
    this.#show({ ...this.#step, isAsked: true });
    return false;
  }

  leave(): void {
    this.#isLeft = true;
  }

  refresh(): void {
    if (this.#isLeft) return;
    const isFailure = this.#state !== null && 'type' in this.#state;
    this.#program.dialog.show({
      type: 'safety',
      safety: {
        state: isFailure ? null : (this.#state as SafetyState | null),
        problem: isFailure ? (this.#state as SafetyFailure).message : null,
        hasPasskeys: this.#port?.hasPasskeys ?? false,
        step: this.#step,
        busy: this.#isBusy,
        said: this.#said,
      },
    });
  }

  submit(action: SafetyAction): void {
    const port = this.#port;
    if (this.#isBusy || !port) return;
    this.#said = null;
    void ('values' in action ? this.#send(action.action, action.values, port) : this.#act(action, port));
  }

  async #open(start: SafetyStart, code: string): Promise<void> {
    const loaded = await this.#program.platform.account.safety();
    if ('type' in loaded) {
      this.#program.act(() => {
        this.#state = UNLOADED;
        this.refresh();
      });
      return;
    }
    this.#port = loaded;
    await this.#reload(loaded);
    if (start === 'tokens') await this.#tokens(loaded, null);
    if (start === 'promo') await this.#promo(loaded, code);
    if (start === 'copyToken') await this.#makeToken(loaded, { name: this.#nameOfToday(), access: 'write' });
  }

  async #reload(port: SafetyPort): Promise<void> {
    const read = await port.state();
    this.#program.act(() => {
      this.#state = read.ok ? read.value : read.problem;
      this.refresh();
    });
  }

  #back(): Promise<void> {
    this.#waiting = null;
    this.#step = null;
    this.#isFirst = false;
    this.refresh();
    return Promise.resolve();
  }

  #act(action: Exclude<SafetyAction, { readonly values: FormValues }>, port: SafetyPort): Promise<void> {
    switch (action.action) {
      case 'back':
        return this.#back();
      case 'password':
      case 'email':
      case 'passkey':
      case 'erase':
      case 'newToken':
        this.#show({ type: action.action, error: null });
        return Promise.resolve();
      case 'tokens':
        return this.#tokens(port, null);
      case 'promo':
        return this.#promo(port, '');
      case 'confirmPasskey':
        return this.#confirm(() => port.confirmByPasskey());
      case 'verifyEmail':
        return this.#askEmail(this.#program.platform.account.email ?? '', port);
      case 'codes':
        return this.#ask(
          () => port.beginCodes(),
          ({ secret, uri }) => this.#show({ type: 'codes', secret, uri, error: null }),
        );
      case 'codesOff':
        return this.#ask(
          () => port.endCodes(),
          () => this.#done('One-time codes are off.', port),
        );
      case 'recovery':
        return this.#ask(
          () => port.renewRecovery(),
          (codes) => this.#showRecovery(codes, port),
        );
      case 'removePasskey':
        return this.#ask(
          () => this.#removePasskey(action.id, port),
          (said) => this.#done(said, port),
        );
      case 'endToken':
        return this.#ask(
          () => port.endToken(action.id),
          () => void this.#tokens(port, 'Revoked the token. Anything using it has lost access.'),
        );
    }
  }

  #send(form: SafetyForm, values: FormValues, port: SafetyPort): Promise<void> {
    const { email = '', password = '', code = '', name = '', word = '' } = values;
    const [field = '', missing = ''] = NEEDED[form] ?? [];
    if (missing !== '' && (values[field] ?? '').trim() === '') {
      this.#fail({ type: 'refused', message: missing });
      return Promise.resolve();
    }
    switch (form) {
      case 'confirm':
        return this.#confirm(() => port.confirm(password, code));
      case 'setPassword': {
        const endsTokens = values.endTokens !== undefined;
        return this.#ask(
          () => port.setPassword(password, endsTokens),
          () => this.#passwordChanged(endsTokens, port),
        );
      }
      case 'setEmail':
        return this.#askEmail(email, port);
      case 'proveEmail':
        return this.#ask(
          () => port.proveEmail(code),
          (proved) => this.#emailProved(proved, port),
        );
      case 'confirmCodes':
        return this.#ask(
          () => port.confirmCodes(code),
          (codes) => this.#showRecovery(codes, port),
        );
      case 'addPasskey':
        return this.#ask(
          () => port.addPasskey(name),
          () => this.#done('Added the passkey.', port),
        );
      case 'makeToken':
        return this.#makeToken(port, { name, access: values.access === 'read' ? 'read' : 'write' });
      case 'redeem':
        return this.#ask(
          () => port.redeemPromo(code),
          (redemption) => this.#show({ type: 'promo', redemption, code, error: null }),
        );
      case 'eraseNow':
        return this.#erase(word, port);
    }
  }

  #show(step: SafetyStepView): void {
    this.#step = step;
    this.refresh();
  }

  #say(text: string, isError: boolean): void {
    this.#said = { text, isError };
    this.refresh();
  }

  /** Asks the server; if it demands a confirmation first, continues after that. */
  async #ask<T>(question: () => Promise<Outcome<T>>, then: (value: T) => void): Promise<void> {
    this.#isBusy = true;
    this.refresh();
    const outcome = await question();
    this.#program.act(() => {
      this.#isBusy = false;
      if (outcome.ok) then(outcome.value);
      else if (outcome.problem.type === 'confirm') {
        this.#waiting = () => this.#ask(question, then);
        this.#show({ type: 'confirm', wantsCode: this.#hasCodes(), error: null });
      } else this.#fail(outcome.problem);
    });
  }

  #hasCodes(): boolean {
    return this.#state !== null && 'codes' in this.#state && this.#state.codes;
  }

  #fail({ message }: SafetyFailure): void {
    if (this.#step && 'error' in this.#step) this.#show({ ...this.#step, error: message });
    else this.#say(message, true);
  }

  async #confirm(prove: () => Promise<Outcome<void>>): Promise<void> {
    this.#isBusy = true;
    this.refresh();
    const outcome = await prove();
    const goOn = this.#program.act(() => {
      this.#isBusy = false;
      if (!outcome.ok) {
        const wantsCode = this.#hasCodes() || outcome.problem.type === 'code';
        this.#show({ type: 'confirm', wantsCode, error: outcome.problem.message });
        return null;
      }
      const waiting = this.#waiting;
      this.#waiting = null;
      this.#step = null;
      this.refresh();
      return waiting;
    });
    await goOn?.();
  }

  /** A passkey may open encrypted tasks besides the account: so it does no more, where this device has their key. */
  async #removePasskey(id: string, port: SafetyPort): Promise<Outcome<string>> {
    const removed = await port.removePasskey(id);
    if (!removed.ok) return removed;
    const { engine, platform } = this.#program;
    if (!engine.facts().isApart) return ok('Removed the passkey.');
    const desk = await platform.account.sealing().catch(() => null);
    const opensNothing = (await desk?.removePasskey(id))?.ok === true;
    return ok(opensNothing ? 'Removed the passkey. It unlocks no encrypted tasks either.' : STILL_UNLOCKS);
  }

  #done(text: string, port: SafetyPort): void {
    this.#step = null;
    this.#say(text, false);
    void this.#reload(port);
  }

  #passwordChanged(endsTokens: boolean, port: SafetyPort): void {
    const tokens = this.#state !== null && 'tokens' in this.#state ? this.#state.tokens : 0;
    const rest =
      tokens === 0
        ? ''
        : endsTokens
          ? ' Revoked your API tokens.'
          : ` ${counted(tokens, 'API token')} can still be used.`;
    this.#done(`Changed your password and ended all other sessions.${rest}`, port);
  }

  #promo(port: SafetyPort, code: string): Promise<void> {
    return this.#ask(
      () => port.promo(),
      (redemption) => this.#show({ type: 'promo', redemption, code, error: null }),
    );
  }

  #showRecovery(codes: readonly string[], port: SafetyPort): void {
    this.#show({ type: 'recovery', codes, isAsked: false });
    void this.#reload(port);
  }

  #tokens(port: SafetyPort, said: string | null): Promise<void> {
    return this.#ask(
      () => port.tokens(),
      (tokens) => this.#show({ type: 'tokens', tokens, said, error: null }),
    );
  }

  /** Shown once, and put on the clipboard if the browser allows it. */
  #makeToken(
    port: SafetyPort,
    { name, access }: { readonly name: string; readonly access: 'read' | 'write' },
  ): Promise<void> {
    if (name.trim() === '') {
      this.#show({ type: 'newToken', error: 'Give the token a name you’ll recognize.' });
      return Promise.resolve();
    }
    return this.#ask(
      () => port.makeToken(name, access),
      (token) => {
        this.#show({ type: 'token', token, isCopied: false });
        const { platform } = this.#program;
        void platform.copyText(token).then((isCopied) => {
          if (isCopied && this.#step?.type === 'token')
            this.#program.act(() => this.#show({ type: 'token', token, isCopied }));
        });
      },
    );
  }

  #nameOfToday(): string {
    const { platform, replica } = this.#program;
    const said = new Intl.DateTimeFormat(platform.locale(), {
      dateStyle: 'medium',
      timeZone: platform.zone(),
    });
    return `Copied ${said.format(replica.now())}`;
  }

  #askEmail(email: string, port: SafetyPort): Promise<void> {
    return this.#ask(
      () => port.askEmail(email),
      (asked) => this.#show({ type: 'emailCode', email: asked, error: null }),
    );
  }

  #emailProved(email: string, port: SafetyPort): void {
    const isNew = email !== this.#program.platform.account.email;
    this.#done(isNew ? `From now on, you sign in as ${email}.` : 'Your address is verified.', port);
  }

  async #erase(word: string, port: SafetyPort): Promise<void> {
    if (word.trim().toLowerCase() !== ERASE_WORD) {
      this.#show({ type: 'erase', error: `Type “${ERASE_WORD}” to continue.` });
      return;
    }
    const program = this.#program;
    await this.#ask(
      async () => {
        program.isLeaving = true;
        const outcome = await port.erase();
        program.isLeaving = outcome.ok;
        return outcome;
      },
      (at) => {
        const day = new Intl.DateTimeFormat(program.platform.locale(), { dateStyle: 'long' }).format(at);
        program.dialog.close();
        // Said beforehand: the message is handed over to the app that continues without the account.
        program.say(
          `We’ll erase your account on ${day}. Sign in before then to keep it. Your tasks stay here.`,
        );
        program.platform.account.stayHere(at);
      },
    );
  }
}
