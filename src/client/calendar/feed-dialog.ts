// The dialog of one's own plan in other calendars: its secret address, what is in it, and the file instead. A lazy part, drawn by web/dialogs/calendar.
import { unreachable } from '#core/assert.ts';
import type { FeedChoice } from '#core/calendar/feed.ts';
import type { CalendarFeed } from '#wire/calendar-links.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { moment, Talk, wayBack } from './asking.ts';
import type { FeedAction, FeedAnswer, FeedPort, FeedView } from './feed-view.ts';

const FIRST: FeedChoice = { hasBlocks: true, hasDue: false, hasNames: true, hasDone: false };
const NOTHING = 'Choose time blocks, due tasks, or both.';

/** The dialog. Asks the server as soon as it is made. */
export class FeedDialog implements OpenDialog {
  readonly type = 'calendarFeed';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #talk: Talk<FeedPort>;
  readonly #goBack: () => boolean;
  #known: CalendarFeed | null = null;
  #address: string | null = null;
  #step: FeedView['step'] = 'plan';
  /** Of an address that isn't made yet. */
  #choice = FIRST;

  constructor(program: Program) {
    this.#program = program;
    this.#talk = new Talk(program, this, (live) => live.calendarFeed());
    this.#goBack = wayBack(program, 'calendars');
    if (program.platform.account.email !== null)
      void this.#ask('Asking the server…', (port) => port.read(), null);
  }

  byKey(): null {
    return null;
  }

  clearFilter(): boolean {
    if (this.#step === 'plan') return this.#goBack();
    this.submit({ action: 'back' });
    return true;
  }

  submit(action: FeedAction): void {
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
    if (dialog.isOf(this)) dialog.show({ type: 'calendarFeed', feed: this.#view() });
  }

  #act(action: FeedAction): void {
    switch (action.action) {
      case 'make':
        void this.#ask(
          'Making an address…',
          (port) => port.choose(this.#choice),
          'Made. Add the address to your calendar.',
        );
        return;
      case 'choose':
        this.#choose(action.what);
        return;
      case 'copy':
        void this.#copy();
        return;
      case 'renew':
      case 'remove':
        this.#step = action.action;
        return;
      case 'back':
        this.#step = 'plan';
        return;
      case 'yes':
        if (this.#step === 'renew')
          void this.#ask(
            'Making a new address…',
            (port) => port.renew(),
            'The old address has ended. Add the new one to your calendar.',
          );
        else void this.#ask('Removing…', (port) => port.end(), 'Removed. The address has ended.');
        return;
      case 'save':
        this.#program.run('block.save');
        return;
      case 'signIn':
        this.#program.run('account.signIn');
        return;
      default:
        unreachable(action);
    }
  }

  #choose(what: keyof FeedChoice): void {
    const before = this.#known?.feed?.choice ?? this.#choice;
    const choice = { ...before, [what]: !before[what] };
    if (!choice.hasBlocks && !choice.hasDue) this.#talk.say(NOTHING, true);
    else if (this.#known?.feed) void this.#ask('Saving…', (port) => port.choose(choice), null);
    else this.#choice = choice;
  }

  async #copy(): Promise<void> {
    const isCopied = this.#address !== null && (await this.#program.platform.copyText(this.#address));
    this.#program.act(() => {
      if (isCopied) this.#talk.say('Copied.');
      else this.#talk.say('Couldn’t copy it. Select the address and copy it by hand.', true);
      this.refresh();
    });
  }

  /** Asks the server; a step that failed stays open. */
  async #ask(busy: string, ask: (port: FeedPort) => Promise<FeedAnswer>, done: string | null): Promise<void> {
    await this.#talk.ask(busy, ask, (known, port) => {
      const token = known.feed?.token ?? null;
      this.#known = known;
      this.#address = token === null ? null : port.addressOf(token);
      this.#step = 'plan';
      if (done !== null) this.#talk.say(done);
    });
  }

  #view(): FeedView {
    const feed = this.#known?.feed ?? null;
    const { busy, said } = this.#talk;
    return {
      step: this.#step,
      state: this.#state(),
      address: this.#address,
      choice: feed?.choice ?? this.#choice,
      read: feed === null ? '' : this.#read(feed.readAt),
      busy,
      said,
    };
  }

  #state(): FeedView['state'] {
    if (this.#program.platform.account.email === null) return 'signedOut';
    if (this.#known === null) return 'none';
    if (this.#known.isEncrypted) return 'encrypted';
    return this.#known.feed === null ? 'unmade' : 'made';
  }

  #read(at: number | null): string {
    if (at === null) return 'No calendar has read it yet.';
    // It is written down once an hour.
    return `Last read around ${moment(this.#program, at)}.`;
  }
}
