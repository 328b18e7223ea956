// The dialog of the plan: where it stands, choosing a way to pay, what became of a payment, changing, and the invoices. A lazy part, drawn by
// web/dialogs/plan. Cards are typed on the payment service's own page, never here.
import { unreachable } from '#core/assert.ts';
import type { Result } from '#core/result.ts';
import type { Interval, Invoice, Plan } from '#wire/billing.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { Talk } from '../calendar/asking.ts';
import type { PlanStart } from './lazy.ts';
import { plans } from './part.ts';
import type { ChangeCost, Outcome, PlanPort } from './port.ts';
import type { PlanAction, PlanView } from './plan-view.ts';
import {
  changeWords,
  choicesOf,
  invoiceState,
  money,
  promoWords,
  type Reader,
  shortDay,
  standing,
} from './words.ts';

/** How often a payment that isn’t there yet is asked about, and how many times. */
const AGAIN_MS = 2_000;
const MOST_ASKED = 30;

const SIGN_IN = 'Plans belong to accounts. Sign in first.';

const TITLES: Readonly<Record<PlanView['step'], string>> = {
  plan: 'Plan and payment',
  leaving: 'Continue in your browser',
  change: 'Change your plan?',
  invoices: 'Invoices',
  returned: 'Your payment',
};

/** Subscriptions that are mended on the page for the card: a second one is not begun beside them. */
const AT_THE_CARD: ReadonlySet<Plan['state']> = new Set(['ending', 'past-due']);

/** A page of the payment service, before it is opened. */
interface Leaving {
  readonly url: string;
  readonly why: 'pay' | 'manage';
}

/** Commands of the dialog, and what they come to. */
const BY_KEY: Readonly<Record<string, PlanAction>> = {
  'plan.year': { action: 'choose', interval: 'year' },
  'plan.month': { action: 'choose', interval: 'month' },
  'plan.card': { action: 'manage' },
  'plan.list': { action: 'invoices' },
  'plan.code': { action: 'promo' },
};

/** The dialog. Asks the server as soon as it is made; until it answers, what was known last is shown. */
export class PlanDialog implements OpenDialog {
  readonly type = 'plan';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #talk: Talk<PlanPort>;
  #step: PlanView['step'] = 'plan';
  #leaving: Leaving | null = null;
  /** The change that is asked about, and what it costs. */
  #changing: { readonly interval: Interval; readonly cost: ChangeCost } | null = null;
  #invoices: readonly Invoice[] | null = null;
  #outcome: Outcome['checkout'] | 'canceled' | null = null;
  #session: string | null = null;
  #asked = 0;
  #stop: () => void = () => undefined;
  #unfollow: () => void;

  constructor(program: Program, start: PlanStart) {
    this.#program = program;
    this.#talk = new Talk(program, this, (live) => live.plan());
    this.#unfollow = program.part(plans).follow((plan) => this.#heard(plan));
    if (program.platform.account.email === null) this.#talk.say(SIGN_IN, true);
    else void this.#begin(start);
  }

  get #plan(): Plan | null {
    return this.#program.part(plans).plan;
  }

  get #reader(): Reader {
    const { platform } = this.#program;
    return { locale: platform.locale(), zone: platform.zone() };
  }

  byKey(command: string): PlanAction | null {
    const action = this.#step === 'plan' ? BY_KEY[command] : undefined;
    if (action === undefined) return null;
    const { can, choices } = this.#view();
    switch (action.action) {
      case 'manage':
      case 'invoices':
      case 'promo':
        return can[action.action] ? action : null;
      default:
        return choices.length > 0 ? action : null;
    }
  }

  clearFilter(): boolean {
    // What became of a payment is what it began with, or an end.
    if (this.#step === 'plan' || this.#step === 'returned') return false;
    this.submit({ action: 'back' });
    return true;
  }

  leave(): void {
    this.#stop();
    this.#unfollow();
  }

  submit(action: PlanAction): void {
    if (this.#talk.busy !== null && action.action !== 'back') return;
    this.#talk.said = null;
    this.#act(action);
    this.refresh();
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (dialog.isOf(this)) dialog.show({ type: 'plan', plan: this.#view() });
  }

  #act(action: PlanAction): void {
    switch (action.action) {
      case 'choose':
        this.#choose(action.interval);
        return;
      case 'yes':
        if (this.#changing !== null) void this.#change(this.#changing.interval);
        return;
      case 'manage':
        void this.#lead('manage', (port) => port.portal());
        return;
      case 'invoices':
        this.#step = 'invoices';
        void this.#talk.ask(
          'Asking for your invoices…',
          (port) => port.invoices(),
          (read) => (this.#invoices = read),
        );
        return;
      case 'invoice':
        this.#program.platform.openLink(action.url);
        return;
      case 'promo':
        this.#program.run('account.promo');
        return;
      case 'open':
        if (this.#leaving !== null) this.#program.platform.openLink(this.#leaving.url);
        return;
      case 'again':
        this.#asked = 0;
        void (this.#step === 'returned' ? this.#look() : this.#read());
        return;
      case 'back':
        this.#back();
        return;
      default:
        unreachable(action);
    }
  }

  #back(): void {
    this.#stop();
    // What was done on the page that was opened isn’t known yet.
    const isStale = this.#step === 'leaving' || this.#step === 'returned';
    this.#step = 'plan';
    if (isStale) void this.#read();
  }

  async #begin(start: PlanStart): Promise<void> {
    if (typeof start === 'object') {
      this.#step = 'returned';
      if (start.checkout === 'canceled') this.#outcome = 'canceled';
      else this.#session = start.checkout;
      // Nothing is known yet about the payment, and nothing else is said of it.
      await (this.#session === null ? this.#read() : this.#look());
      return;
    }
    await this.#read();
    if (start !== 'plan') this.submit({ action: start });
  }

  /** What is known already is shown meanwhile, and keys are answered. */
  async #read(): Promise<void> {
    if (this.#plan !== null) {
      this.#program.part(plans).readAgain();
      return;
    }
    await this.#talk.ask(
      'Asking the server…',
      (port) => port.read(),
      (plan) => this.#took(plan),
    );
  }

  #took(plan: Plan): void {
    this.#program.part(plans).took(plan);
  }

  /** The plan is another than before, maybe because of a page that was opened from here. */
  #heard(plan: Plan): void {
    const isPaid = plan.state === 'active';
    if (this.#step === 'leaving' && this.#leaving?.why === 'pay' && isPaid) {
      this.#step = 'returned';
      this.#outcome = 'paid';
    }
    this.refresh();
  }

  #choose(interval: Interval): void {
    const choice = this.#view().choices.find((one) => one.interval === interval);
    if (choice === undefined) return;
    if (choice.isNow) {
      this.#talk.say('That’s the one you have.');
      return;
    }
    if (this.#plan?.state === 'active') {
      void this.#askFirst(interval);
      return;
    }
    void this.#lead('pay', (port) => port.checkout(interval));
  }

  async #lead(why: Leaving['why'], ask: (port: PlanPort) => Promise<Result<string, string>>): Promise<void> {
    await this.#talk.ask('Asking for the page…', ask, (url) => {
      this.#leaving = { url, why };
      this.#step = 'leaving';
    });
  }

  /** Nothing is changed before it was said what that costs. */
  async #askFirst(interval: Interval): Promise<void> {
    await this.#talk.ask(
      'Asking what that costs…',
      (port) => port.preview(interval),
      (cost) => {
        this.#changing = { interval, cost };
        this.#step = 'change';
      },
    );
  }

  async #change(interval: Interval): Promise<void> {
    const asked = await this.#talk.ask(
      'Changing your plan…',
      (port) => port.change(interval),
      (plan) => {
        this.#step = 'plan';
        this.#took(plan);
        this.#talk.say('Changed. Your other devices know it, too.');
      },
    );
    asked?.tell();
    if (asked !== null) return;
    // It may have been done all the same: what it says now counts, and nothing is asked for twice.
    this.#step = 'plan';
    this.#program.part(plans).readAgain();
    this.refresh();
  }

  /** Asks what became of the checkout, again and again until that is settled. */
  async #look(): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    this.#asked += 1;
    this.#talk.said = null;
    const asked = await this.#talk.ask(
      'Checking your payment…',
      (port) => port.outcome(session),
      ({ checkout, plan }) => {
        this.#outcome = checkout;
        this.#took(plan);
      },
    );
    if (this.#outcome !== 'paid' && this.#outcome !== 'expired' && this.#asked < MOST_ASKED) {
      this.#stop();
      // Also where no answer came: the payment does not depend on this window.
      this.#stop = this.#program.after(AGAIN_MS, () => {
        if (this.#program.dialog.isOf(this) && this.#step === 'returned') void this.#look();
      });
    }
    if (this.#outcome === 'paid') asked?.tell();
  }

  #view(): PlanView {
    const { busy, said } = this.#talk;
    const plan = this.#plan;
    const isShown = this.#step === 'plan' && plan !== null;
    return {
      step: this.#step,
      title: TITLES[this.#step],
      lines: this.#lines(plan),
      choices: isShown && !AT_THE_CARD.has(plan.state) ? choicesOf(plan, this.#reader) : [],
      promo: isShown ? promoWords(plan) : null,
      can: {
        manage: isShown && plan.hasCustomer,
        invoices: isShown && plan.hasCustomer,
        promo: isShown && plan.promo === null && plan.interval === null,
        again:
          this.#outcome === 'open' ||
          this.#outcome === 'waiting' ||
          (this.#session !== null && this.#outcome === null),
      },
      isEnding: plan?.state === 'ending',
      invoices: this.#step === 'invoices' ? this.#invoiceLines() : null,
      action: this.#action(),
      busy,
      said,
    };
  }

  #action(): string {
    if (this.#step === 'leaving')
      return this.#leaving?.why === 'pay' ? 'Open the payment page' : 'Open the page';
    if (this.#step === 'change') return 'Change plan';
    return '';
  }

  #lines(plan: Plan | null): readonly string[] {
    const reader = this.#reader;
    switch (this.#step) {
      case 'plan':
        return plan === null ? [] : standing(plan, this.#program.replica.now(), reader);
      case 'leaving':
        return this.#leaving?.why === 'pay'
          ? [
              'You pay on a page of Stripe, in your browser. Your card number never comes to this server.',
              'This window notices when it’s done.',
            ]
          : ['On this page of Stripe you change your card, cancel your plan or keep it, and find receipts.'];
      case 'change':
        return plan === null || this.#changing === null
          ? []
          : changeWords(plan, this.#changing.interval, this.#changing.cost, reader);
      case 'invoices':
        return this.#invoices?.length === 0 ? ['There are no invoices yet.'] : [];
      case 'returned':
        return this.#outcomeLines(plan, reader);
      default:
        return unreachable(this.#step);
    }
  }

  #outcomeLines(plan: Plan | null, reader: Reader): readonly string[] {
    switch (this.#outcome) {
      case 'paid':
        return [
          'Thank you. Your payment is here.',
          ...(plan === null ? [] : standing(plan, this.#program.replica.now(), reader)),
        ];
      case 'waiting':
        return [
          'Your bank hasn’t answered yet. That can take minutes, for some ways to pay days.',
          'Your plan starts as soon as it does. You can close this window.',
        ];
      case 'open':
        return [
          'Nothing has been paid yet.',
          this.#asked < MOST_ASKED
            ? 'If you’ve just paid, this takes a moment. It’s checked every two seconds.'
            : 'If you paid, check again later. Your plan starts as soon as the payment is here.',
        ];
      case 'expired':
        return ['Nothing was paid, and the payment page has expired. Choose a plan again.'];
      case 'canceled':
        return ['Nothing was paid.'];
      case null:
        return this.#talk.said === null
          ? []
          : [
              'If you paid, your payment counts, whatever happens to this window. It’s checked again by itself.',
            ];
    }
  }

  #invoiceLines(): PlanView['invoices'] {
    const reader = this.#reader;
    if (this.#invoices === null) return null;
    return this.#invoices.map((invoice) => ({
      number: invoice.number,
      on: shortDay(invoice.at, reader),
      amount: money(invoice.cents, invoice.currency, reader),
      state: invoiceState(invoice, reader),
      url: invoice.url,
    }));
  }
}
