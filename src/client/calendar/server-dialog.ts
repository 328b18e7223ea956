// Calendars of a CalDAV server: signing in there, choosing which are read, and a new password for one. The password is in this dialog alone, until
// it closes. Drawn by web/dialogs/calendar. A lazy part.
import { unreachable } from '#core/assert.ts';
import type { CalendarLogin, FoundCalendars } from '#wire/calendars.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { SIGN_IN, Talk, wayBack } from './asking.ts';
import type { CalendarsPort, KeptSource } from './port.ts';
import type { CalendarServerAction, CalendarServerView } from './server-view.ts';

/** Signs in at a server; with a calendar, gives that one a new password. */
export class CalendarServerDialog implements OpenDialog {
  readonly type = 'calendarServer';
  readonly #program: Program;
  readonly #calendar: KeptSource | null;
  #step: CalendarServerView['step'];
  readonly #talk: Talk<CalendarsPort>;
  readonly #goBack: () => boolean;
  /** As it was typed. */
  #address = '';
  #login: CalendarLogin = { user: '', password: '' };
  #found: FoundCalendars = [];

  constructor(program: Program, calendar: KeptSource | null = null) {
    this.#program = program;
    this.#calendar = calendar;
    this.#step = calendar === null ? 'login' : 'password';
    this.#talk = new Talk(program, this, (live) => live.calendars());
    this.#goBack = wayBack(program, 'calendars');
  }

  get isTyping(): boolean {
    return this.#step !== 'choose';
  }

  clearFilter(): boolean {
    if (this.#step !== 'choose') return this.#goBack();
    this.submit({ action: 'back' });
    return true;
  }

  submit(action: CalendarServerAction): void {
    if (this.#talk.busy !== null && action.action !== 'done') return;
    this.#talk.said = null;
    switch (action.action) {
      case 'look':
        this.#look(action);
        break;
      case 'add':
        this.#add(action.address);
        break;
      case 'save':
        this.#save(action.password);
        break;
      case 'back':
        this.#step = 'login';
        break;
      case 'done':
        this.#program.run('calendar.sources');
        return;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  leave(): void {
    this.#login = { user: '', password: '' };
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (!dialog.isOf(this)) return;
    const { busy, said } = this.#talk;
    const view = {
      step: this.#step,
      name: this.#calendar?.name ?? hostIn(this.#address),
      address: this.#address,
      user: this.#login.user,
      found: this.#found,
      busy,
      said,
    };
    dialog.show({ type: 'calendarServer', calendarServer: view });
  }

  #look({ address, user, password }: CalendarServerAction & { readonly action: 'look' }): void {
    const missing = [
      [address, 'The server needs an address.'],
      [user, 'The server needs your name there: usually your email address.'],
      [password, 'The server needs a password.'],
    ].find(([given]) => given?.trim() === '');
    if (missing !== undefined) {
      this.#talk.say(missing[1] ?? '', true);
      return;
    }
    this.#login = { user: user.trim(), password };
    this.#address = address.trim();
    const login = this.#login;
    if (this.#program.platform.account.email === null) {
      this.#talk.say(SIGN_IN, true);
      return;
    }
    void this.#talk.ask(
      'Looking for calendars…',
      (port) => port.discover(address, login),
      (found) => {
        this.#found = found;
        this.#step = 'choose';
      },
    );
  }

  #add(address: string): void {
    const login = this.#login;
    void this.#talk.ask(
      'Reading the calendar…',
      (port) => port.add(address, login),
      () => {
        this.#found = this.#found.map((each) =>
          each.address === address ? { ...each, isAdded: true } : each,
        );
        this.#talk.say('Added. Its events are in the agenda.');
      },
    );
  }

  #save(password: string): void {
    const { id } = this.#calendar ?? {};
    if (id === undefined) return;
    if (password === '') this.#talk.say('The server needs a password.', true);
    else
      void this.#talk.ask(
        'Reading the calendar…',
        (port) => port.change(id, { password }),
        ({ sources }) => {
          const problem = sources.find((source) => source.id === id)?.problem ?? null;
          if (problem !== null) this.#talk.say(problem, true);
          // Escape may have ended it.
          else if (this.#program.dialog.isOf(this)) this.#program.run('calendar.sources');
        },
      );
  }
}

/** The host of an address as people type it. */
const hostIn = (address: string): string => address.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, '');
