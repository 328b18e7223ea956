// The dialog of the account's own safety: address, password, one-time codes, passkeys, and having the account erased. Whatever
// asks for a fresh proof is done again by itself once that was given. How it is drawn is web/dialogs/safety.tsx.
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import type { SafetyStepView } from './safety-view.ts';
import type { SafetyStart } from './door.ts';
import type { Outcome, SafetyFailure, SafetyPort, SafetyState } from './port.ts';

const UNLOADED: SafetyFailure = {
  type: 'offline',
  message: 'This needs the server. Connect to the network and try again.',
};

/** What erasing is confirmed by; typed by hand, so that no key pressed twice does it. */
const ERASE_WORD = 'erase';

type Values = Readonly<Record<string, string>>;

export class SafetyDialog implements OpenDialog {
  readonly #program: Program;
  #port: SafetyPort | null = null;
  #state: SafetyState | SafetyFailure | null = null;
  #step: SafetyStepView | null = null;
  /** What waits for a proof of who one is. */
  #waiting: (() => Promise<void>) | null = null;
  #isBusy = false;
  #said: { readonly text: string; readonly isError: boolean } | null = null;
  #isLeft = false;

  constructor(program: Program, start: SafetyStart, code: string) {
    this.#program = program;
    void this.#open(start, code);
  }

  get isTyping(): boolean {
    return this.#step !== null;
  }

  leave(): void {
    this.#isLeft = true;
  }

  refresh(): void {
    if (this.#isLeft) return;
    const isFailure = this.#state !== null && 'type' in this.#state;
    this.#program.dialog.set({
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

  submit(values: Values): void {
    const { action = '' } = values;
    if (this.#isBusy || !this.#port) return;
    this.#said = null;
    if (action === 'back') {
      this.#step = null;
      this.#waiting = null;
      this.refresh();
      return;
    }
    void this.#act(action, values, this.#port);
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
    if (start === 'tokens') await this.#act('tokens', {}, loaded);
    if (start === 'promo') await this.#promo(loaded, code);
    if (start === 'copyToken') await this.#act('copyToken', {}, loaded);
  }

  async #reload(port: SafetyPort): Promise<void> {
    const read = await port.state();
    this.#program.act(() => {
      this.#state = read.ok ? read.value : read.failure;
      this.refresh();
    });
  }

  #act(action: string, values: Values, port: SafetyPort): Promise<void> {
    const { email = '', password = '', code = '', name = '', id = '', word = '' } = values;
    switch (action) {
      case 'password':
      case 'email':
      case 'erase':
      case 'passkey':
        this.#show({ type: action, error: null });
        return Promise.resolve();
      case 'setPassword':
        return this.#ask(
          () => port.setPassword(password),
          () => this.#done('Your password was changed. All other sessions were ended.', port),
        );
      case 'setEmail':
        return this.#ask(
          () => port.askEmail(email),
          (asked) => this.#show({ type: 'emailCode', email: asked, error: null }),
        );
      case 'verifyEmail':
        return this.#ask(
          () => port.askEmail(this.#program.platform.account.email ?? ''),
          (asked) => this.#show({ type: 'emailCode', email: asked, error: null }),
        );
      case 'proveEmail':
        return this.#ask(
          () => port.proveEmail(code),
          (proved) => this.#emailProved(proved, port),
        );
      case 'codes':
        return this.#ask(
          () => port.beginCodes(),
          ({ secret, uri }) => this.#show({ type: 'codes', secret, uri, error: null }),
        );
      case 'confirmCodes':
        return this.#ask(
          () => port.confirmCodes(code),
          (codes) => this.#showRecovery(codes, port),
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
      case 'addPasskey':
        return this.#ask(
          () => port.addPasskey(name),
          () => this.#done('The passkey was added.', port),
        );
      case 'removePasskey':
        return this.#ask(
          () => port.removePasskey(id),
          () => this.#done('The passkey was removed.', port),
        );
      case 'eraseNow':
        return this.#erase(word, port);
      case 'confirm':
        return this.#confirm(() => port.confirm(password, code));
      case 'confirmPasskey':
        return this.#confirm(() => port.confirmByPasskey());
      default:
        return this.#actOnWhatItHas(action, values, port);
    }
  }

  #actOnWhatItHas(action: string, values: Values, port: SafetyPort): Promise<void> {
    const { name = '', id = '', code = '' } = values;
    switch (action) {
      case 'tokens':
        return this.#tokens(port, null);
      case 'newToken':
        this.#show({ type: 'newToken', error: null });
        return Promise.resolve();
      case 'makeToken':
        return this.#makeToken(port, { name, access: values.access === 'read' ? 'read' : 'write' });
      case 'copyToken':
        return this.#makeToken(port, { name: this.#nameOfToday(), access: 'write' });
      case 'endToken':
        return this.#ask(
          () => port.endToken(id),
          () => void this.#tokens(port, 'The token was revoked. What used it can do nothing more.'),
        );
      case 'promo':
        return this.#promo(port, '');
      case 'redeem':
        return this.#ask(
          () => port.redeemPromo(code),
          (redemption) => this.#show({ type: 'promo', redemption, code, error: null }),
        );
      default:
        return Promise.resolve();
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

  /** Asks the server; where it wants a proof first, goes on after that. */
  async #ask<T>(question: () => Promise<Outcome<T>>, then: (value: T) => void): Promise<void> {
    this.#isBusy = true;
    this.refresh();
    const outcome = await question();
    this.#program.act(() => {
      this.#isBusy = false;
      if (outcome.ok) then(outcome.value);
      else if (outcome.failure.type === 'confirm') {
        this.#waiting = () => this.#ask(question, then);
        this.#show({ type: 'confirm', wantsCode: this.#hasCodes(), error: null });
      } else this.#fail(outcome.failure);
    });
  }

  #hasCodes(): boolean {
    return this.#state !== null && 'codes' in this.#state && this.#state.codes;
  }

  #fail({ type, message }: SafetyFailure): void {
    if (type === 'cancelled') this.refresh();
    else if (this.#step && 'error' in this.#step) this.#show({ ...this.#step, error: message });
    else this.#say(message, true);
  }

  async #confirm(prove: () => Promise<Outcome<void>>): Promise<void> {
    this.#isBusy = true;
    this.refresh();
    const outcome = await prove();
    const goOn = this.#program.act(() => {
      this.#isBusy = false;
      if (!outcome.ok) {
        const wantsCode = this.#hasCodes() || outcome.failure.type === 'code';
        const error = outcome.failure.type === 'cancelled' ? null : outcome.failure.message;
        this.#show({ type: 'confirm', wantsCode, error });
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

  #done(text: string, port: SafetyPort): void {
    this.#step = null;
    this.#say(text, false);
    void this.#reload(port);
  }

  #promo(port: SafetyPort, code: string): Promise<void> {
    return this.#ask(
      () => port.promo(),
      (redemption) => this.#show({ type: 'promo', redemption, code, error: null }),
    );
  }

  #showRecovery(codes: readonly string[], port: SafetyPort): void {
    this.#show({ type: 'recovery', codes });
    void this.#reload(port);
  }

  #tokens(port: SafetyPort, said: string | null): Promise<void> {
    return this.#ask(
      () => port.tokens(),
      (tokens) => this.#show({ type: 'tokens', tokens, said, error: null }),
    );
  }

  /** Shown once, and put on the clipboard where the browser allows it. */
  #makeToken(
    port: SafetyPort,
    { name, access }: { readonly name: string; readonly access: 'read' | 'write' },
  ): Promise<void> {
    if (name.trim() === '') {
      this.#show({ type: 'newToken', error: 'Give the token a name, so that you know it again.' });
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

  #emailProved(email: string, port: SafetyPort): void {
    const isNew = email !== this.#program.platform.account.email;
    this.#done(isNew ? `You sign in as ${email} from now on.` : 'This address is yours.', port);
  }

  async #erase(word: string, port: SafetyPort): Promise<void> {
    if (word.trim().toLowerCase() !== ERASE_WORD) {
      this.#show({ type: 'erase', error: `Type “${ERASE_WORD}” to go on.` });
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
        program.dialog.set(null);
        // Said before: it is handed over to what follows the account on this device.
        program.say(`Your account will be erased on ${day}. Sign in before to keep it.`);
        void program.platform.account.signOut();
      },
    );
  }
}
