// The dialog of Google's calendars: connecting, choosing one to show, disconnecting. A lazy part, drawn by web/dialogs/calendar.
import { unreachable } from '#core/assert.ts';
import type { Result } from '#core/result.ts';
import type { GoogleCalendars } from '#wire/calendar-links.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { portOf, Talk, wayBack } from './asking.ts';
import type { GoogleAction, GooglePort, GoogleView } from './google-view.ts';

/** The dialog. Asks the server as soon as it is made. */
export class GoogleDialog implements OpenDialog {
  readonly type = 'google';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #talk: Talk<GooglePort>;
  readonly #goBack: () => boolean;
  #known: GoogleCalendars | null = null;
  #step: GoogleView['step'] = 'show';
  /** Where the person says yes; null: nobody has asked. */
  #address: string | null = null;

  constructor(program: Program) {
    this.#program = program;
    this.#talk = new Talk(program, this, (live) => live.google());
    this.#goBack = wayBack(program, 'calendars');
    if (program.platform.account.email !== null)
      void this.#change('Asking the server…', (port) => port.read(), null);
  }

  byKey(): null {
    return null;
  }

  clearFilter(): boolean {
    if (this.#step === 'show') return this.#goBack();
    this.submit({ action: 'back' });
    return true;
  }

  submit(action: GoogleAction): void {
    if (this.#talk.busy !== null && action.action !== 'back') return;
    this.#talk.said = null;
    this.#act(action);
    this.refresh();
  }

  leave(): void {
    // What was asked of the server goes on without it.
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (dialog.isOf(this)) dialog.show({ type: 'google', google: this.#view() });
  }

  #act(action: GoogleAction): void {
    switch (action.action) {
      case 'connect':
        void this.#connect();
        return;
      case 'open':
        if (this.#address !== null) this.#program.platform.openLink(this.#address);
        return;
      case 'read':
        this.#address = null;
        void this.#change('Asking Google…', (port) => port.read(), null);
        return;
      case 'add':
        void this.#change(
          'Reading the calendar…',
          (port) => port.add(action.calendar),
          'Added. Its events are in the agenda.',
        );
        return;
      case 'disconnect':
        this.#step = 'disconnect';
        return;
      case 'back':
        this.#step = 'show';
        return;
      case 'yes':
        void this.#change(
          'Disconnecting…',
          (port) => port.disconnect(),
          'Disconnected. Google’s calendars are removed.',
        );
        return;
      case 'calendars':
        this.#program.run('calendar.sources');
        return;
      case 'signIn':
        this.#program.run('account.signIn');
        return;
      default:
        unreachable(action);
    }
  }

  async #connect(): Promise<void> {
    await this.#talk.ask(
      'Asking the server…',
      (port) => port.connect(),
      (address) => {
        this.#address = address;
      },
    );
  }

  async #change(
    busy: string,
    ask: (port: GooglePort) => Promise<Result<GoogleCalendars, string>>,
    done: string | null,
  ): Promise<void> {
    const asked = await this.#talk.ask(busy, ask, (known) => {
      this.#known = known;
      this.#step = 'show';
      if (done !== null) this.#talk.say(done);
    });
    // What the device keeps for reading offline follows.
    if (asked !== null && done !== null) await (await portOf(this.#program))?.read();
  }

  #view(): GoogleView {
    const { busy, said } = this.#talk;
    return {
      step: this.#step,
      state: this.#state(),
      calendars: this.#known?.calendars ?? [],
      problem: this.#known?.problem ?? null,
      busy,
      said,
    };
  }

  #state(): GoogleView['state'] {
    if (this.#program.platform.account.email === null) return 'signedOut';
    if (this.#known === null) return 'none';
    if (!this.#known.isSetUp) return 'missing';
    if (this.#address !== null) return 'leaving';
    return this.#known.isConnected ? 'connected' : 'unconnected';
  }
}
