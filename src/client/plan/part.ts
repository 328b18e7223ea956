// Plans and payment, where the server has them: the commands, what is known of the plan, the calm lines, and the gate after it lapsed.
// On any other server there is nothing of this. What is known last is kept on the device, so that it holds offline.
import { readJson } from '#core/json.ts';
import { settingId } from '#core/ids.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { type Plan, planSchema } from '#wire/billing.ts';
import { definePart, type Part, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { type Command, define } from '../commands/define.ts';
import { ofDialog } from '../commands/options.ts';
import { applyKeys } from '../keys/choices.ts';
import type { Binding } from '../keys/keymap.ts';
import { LapsedGate } from './gate.ts';
import { lazyPlan, openPlan } from './lazy.ts';
import { hasPlans } from './offered.ts';
import type { PlanPort } from './port.ts';
import { endedWords, newsOf, type PlanNews } from './words.ts';

/** The preference with what is known of the plan, and of which account it is. */
const KEPT = 'plan';
/** How often it is looked whether there is something to say. */
const LOOK_MS = 3_600_000;
/** The account's setting with the line that was dismissed last. */
const TOLD = 'plan.told';

/** The preference of somebody who wanted to subscribe before there was an account. */
export const WAITING_PURCHASE = 'purchase.waiting';

function readKept({ platform, replica }: Program): Plan | null {
  const kept = readJson(platform.preferences.get(KEPT)) as { account?: unknown; plan?: unknown } | null;
  if (kept?.account !== replica.account) return null;
  const read = planSchema.safeParse(kept.plan);
  return read.success ? read.data : null;
}

/** What is known of the plan of this account, and what follows from it. */
class Standing implements PartHooks {
  readonly #program: Program;
  #plan: Plan | null;
  #port: PlanPort | null = null;
  readonly #listeners = new Set<(plan: Plan) => void>();
  #unlisten: () => void = () => undefined;
  #stopWatch: () => void = () => undefined;
  readonly #unfollow: () => void;
  #isClosed = false;
  /** The line that is shown. */
  #shown: PlanNews | null = null;
  #isReading = false;
  #isStale = false;

  constructor(program: Program) {
    this.#program = program;
    this.#plan = readKept(program);
    this.#heed();
    this.#watch();
    this.#unfollow = program.platform.device.notices.subscribe(() => this.#seeDismissal());
  }

  /** Null: nothing is known yet. */
  get plan(): Plan | null {
    return this.#plan;
  }

  /** Called with the plan whenever it was told. Returns the unsubscription. */
  follow(listener: (plan: Plan) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  idle(): void {
    void lazyPlan.load().catch(() => undefined);
    this.#program.platform.account.live().then(
      (live) => {
        if (this.#isClosed) return;
        this.#port = live.plan();
        this.#unlisten = this.#port.listen(() => void this.#read());
        void this.#read();
      },
      // What was known last holds.
      () => undefined,
    );
  }

  /** The server told it. */
  took(plan: Plan): void {
    const { platform, replica } = this.#program;
    this.#plan = plan;
    platform.preferences.set(KEPT, JSON.stringify({ account: replica.account, plan }));
    this.#heed();
    for (const listener of this.#listeners) listener(plan);
  }

  /** Asks the server again; whoever follows hears of it. */
  readAgain(): void {
    if (this.#port !== null) void this.#read();
  }

  loaded(): void {
    this.#tellNews();
  }

  apply(changes: readonly RowChange[]): void {
    if (changes.some(({ after }) => after?.type === 'setting' && after.fields.key === TOLD)) this.#tellNews();
  }

  /** Days pass while the app is open. */
  #watch(): void {
    this.#stopWatch = this.#program.after(LOOK_MS, () => {
      this.#tellNews();
      this.#watch();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWatch();
    this.#unlisten();
    this.#unfollow();
  }

  /** Whoever signed up to subscribe goes on where the link led. */
  #openWaiting(): void {
    const program = this.#program;
    const { preferences } = program.platform;
    if (preferences.get(WAITING_PURCHASE) !== 'yes' || program.dialog.get() !== null) return;
    preferences.set(WAITING_PURCHASE, '');
    openPlan(program);
  }

  /** One reading at a time; what changes meanwhile is read after it. */
  async #read(): Promise<void> {
    if (this.#isReading) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    this.#isStale = false;
    const answer = await this.#port?.read();
    this.#isReading = false;
    if (this.#isClosed) return;
    if (answer?.ok === true)
      this.#program.act(() => {
        this.took(answer.value);
        this.#openWaiting();
      });
    if (this.#isStale) void this.#read();
  }

  #heed(): void {
    const program = this.#program;
    const isHeld = this.#plan?.mayAdd === false;
    if (!isHeld) program.gate = null;
    else program.gate ??= new LapsedGate(program, () => endedWords(this.#plan?.interval ?? null));
    this.#tellNews();
  }

  get #told(): unknown {
    const { replica } = this.#program;
    return fieldOf(replica.row(settingId(replica.scope, TOLD)), 'value');
  }

  /** Shows the line for now, takes away any other. */
  #tellNews(): void {
    const { platform, replica, engine } = this.#program;
    const { device } = platform;
    const reader = { locale: platform.locale(), zone: platform.zone() };
    const news = this.#plan === null ? null : newsOf(this.#plan, replica.now(), reader);
    // What was dismissed elsewhere may still be on its way.
    const isKnown = engine.state.get().type !== 'loading';
    const next = news !== null && isKnown && news.key !== this.#told ? news : null;
    if (next?.text === this.#shown?.text && device.notices.get().some(({ text }) => text === next?.text))
      return;
    this.#shown = null;
    for (const { id, offers } of device.notices.get()) if (offers === 'plan') device.dismiss(id);
    if (next === null) return;
    device.tell({ text: next.text, tone: 'calm', offers: 'plan' });
    this.#shown = next;
  }

  /** The person dismissed the line: once is enough for all devices. */
  #seeDismissal(): void {
    const { platform, settings } = this.#program;
    const shown = this.#shown;
    if (shown === null || platform.device.notices.get().some(({ text }) => text === shown.text)) return;
    this.#shown = null;
    this.#program.act(() =>
      this.#program.change(settings.actions({ key: TOLD }, shown.key), 'read about the plan', {
        undoable: false,
      }),
    );
  }
}

const NO_CUSTOMER = 'Nothing was paid yet. Run “Plan and payment…” to subscribe.';

const needsCustomer = (program: Program): string | null =>
  program.part(plans).plan?.hasCustomer === false ? NO_CUSTOMER : null;

const commands: readonly Command[] = [
  define({
    id: 'plan.open',
    title: 'Plan and payment…',
    aliases: ['subscribe', 'subscription', 'trial', 'purchase', 'buy', 'pay', 'price', 'upgrade', 'billing'],
    group: 'Account',
    icon: 'person',
    run: (program) => openPlan(program),
  }),
  define({
    id: 'plan.manage',
    title: 'Card, receipts, and canceling…',
    aliases: ['manage plan', 'cancel subscription', 'change card', 'payment method', 'billing portal'],
    group: 'Account',
    icon: 'person',
    when: needsCustomer,
    run: (program) => openPlan(program, 'manage'),
  }),
  define({
    id: 'plan.invoices',
    title: 'Invoices…',
    aliases: ['receipts', 'bills', 'payments'],
    group: 'Account',
    icon: 'person',
    when: needsCustomer,
    run: (program) => openPlan(program, 'invoices'),
  }),
  ofDialog('plan.year', 'Pay yearly'),
  ofDialog('plan.month', 'Pay monthly'),
  ofDialog('plan.card', 'Card, receipts, and canceling'),
  ofDialog('plan.list', 'List the invoices'),
  ofDialog('plan.code', 'Enter a promo code'),
];

const KEYS: readonly (readonly [context: Binding['context'], keys: string, command: string])[] = [
  ['navigate', 'g $', 'plan.open'],
  ['sidebar', 'g $', 'plan.open'],
  ['dialog.plan', 'y', 'plan.year'],
  ['dialog.plan', 'm', 'plan.month'],
  ['dialog.plan', 'c', 'plan.card'],
  ['dialog.plan', 'i', 'plan.list'],
  ['dialog.plan', 'p', 'plan.code'],
];

/** Plans, once it is known that the server has them. */
export const plans: Part<Standing> = definePart({
  name: 'Plans',
  create: (program) => new Standing(program),
  commands,
  keys: KEYS.map(([context, keys, command]) => ({ context, keys, command })),
});

class Offer implements PartHooks {
  readonly #program: Program;
  #isAdded = false;
  #stop: () => void = () => undefined;

  constructor(program: Program) {
    this.#program = program;
    if (this.#isOffered) {
      // The keys of all parts are applied once all of them are there.
      this.#isAdded = true;
      program.parts.add([plans]);
      return;
    }
    const { device } = program.platform;
    // Of a server or an account that was here before.
    for (const { id, offers } of device.notices.get()) if (offers === 'plan') device.dismiss(id);
    this.#stop = program.engine.state.subscribe(() => this.#isOffered && this.add());
  }

  /** Adds them now: the server was asked. */
  add(): void {
    if (this.#isAdded) return;
    this.#isAdded = true;
    this.#stop();
    this.#program.parts.add([plans]);
    applyKeys(this.#program, this.#program.keymap);
  }

  close(): void {
    this.#stop();
  }

  get #isOffered(): boolean {
    return this.#program.replica.account !== 0 && hasPlans(this.#program);
  }
}

/** Adds plans as soon as the server says that it has them. */
export const plansWhereOffered: Part<Offer> = definePart({
  name: 'Plans where they are offered',
  create: (program) => new Offer(program),
  dialogs: { plan: { name: 'Plan and payment', takesMouse: true } },
});
