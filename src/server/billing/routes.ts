// Calls about the plan of an account (wire/billing.ts), and what Stripe tells. A server without billing has none of these routes.
import type { ErrorCode } from '#wire/api/error-codes.ts';
import {
  billingPaths,
  checkoutRequestSchema,
  planChangeSchema,
  type CheckoutAnswer,
  type Plan,
} from '#wire/billing.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Logger } from '../observe/log.ts';
import { errorDetail } from '../observe/log.ts';
import type { Billing } from './billing.ts';
import type { PurchaseProblem } from './purchases.ts';
import { troubleOf } from './stripe-gate.ts';

/** What the calls about plans need. */
export interface BillingRoutePorts {
  /** Null: this server has no billing. */
  readonly billing: Billing | null;
  readonly log: Logger;
}

const BODY_BYTES = 1_024;
const WEBHOOK_BYTES = 256 * 1_024;
const RETRY_MS = 60_000;

const PROBLEMS = {
  subscribed: ['conflict', 'This account has a subscription already. Nothing was charged.'],
  nothing: ['conflict', 'This account has no subscription yet.'],
  gone: ['not_found', "That account doesn't exist anymore."],
  disabled: [
    'account_disabled',
    'This account is disabled or about to be erased, so nothing can be bought for it.',
  ],
} as const satisfies Record<PurchaseProblem, readonly [ErrorCode, string]>;

function problemAnswer(problem: PurchaseProblem): Response {
  const [code, words] = PROBLEMS[problem];
  return refusal(code, words);
}
const noPlan = () => refusal('not_found', "That account doesn't exist anymore.");

class BillingCalls {
  readonly #billing: Billing;
  readonly #log: Logger;

  constructor(billing: Billing, log: Logger) {
    this.#billing = billing;
    this.#log = log;
  }

  async plan(call: RouteCall): Promise<Response> {
    const plan = await this.#billing.planNow(call.account().account);
    return plan === null ? noPlan() : success({ plan });
  }

  checkout = this.#asking(async (call) => {
    const read = checkoutRequestSchema.safeParse(call.body);
    if (!read.success) return noInterval();
    const made = await this.#billing.purchases.checkout(call.account().account, read.data.interval);
    return made.ok ? success({ url: made.value }) : problemAnswer(made.problem);
  });

  session = this.#asking(async (call) => {
    const id = call.params['session'] ?? '';
    const { account } = call.account();
    const checkout: CheckoutAnswer['checkout'] | null = /^cs_\w{1,200}$/.test(id)
      ? await this.#billing.purchases.session(account, id)
      : null;
    if (checkout === null) return refusal('not_found', 'This account has no such checkout.');
    const plan: Plan | null = await this.#billing.planOf(account);
    return plan === null ? noPlan() : success({ checkout, plan });
  });

  portal = this.#asking(async (call) => {
    const made = await this.#billing.purchases.portal(call.account().account);
    return made.ok ? success({ url: made.value }) : problemAnswer(made.problem);
  });

  change = this.#asking(async (call) => {
    const read = planChangeSchema.safeParse(call.body);
    if (!read.success) return noInterval();
    const done = await this.#billing.purchases.change(call.account().account, read.data.interval);
    return done.ok ? this.plan(call) : problemAnswer(done.problem);
  }, UNSURE);

  preview = this.#asking(async (call) => {
    const read = planChangeSchema.safeParse(call.body);
    if (!read.success) return noInterval();
    const found = await this.#billing.purchases.preview(call.account().account, read.data.interval);
    return found.ok ? success(found.value) : problemAnswer(found.problem);
  });

  invoices = this.#asking(async (call) =>
    success({ invoices: await this.#billing.purchases.invoices(call.account().account) }),
  );

  async webhook(call: RouteCall): Promise<Response> {
    const signature = call.request.headers.get('stripe-signature') ?? '';
    const raw = call.body instanceof Uint8Array ? call.body : null;
    const told = raw === null ? 'unsigned' : await this.#billing.told(raw, signature);
    switch (told) {
      case 'done':
        return success({});
      case 'unsigned':
        return refusal('forbidden', "This isn't signed by Stripe for this server.");
      case 'other mode':
        return refusal('forbidden', 'This is of another mode than the key of this server.');
      case 'again':
        return refusal('internal', 'This failed for now. Tell it again later.');
    }
  }

  /** A call that asks Stripe: what it can't do is said in words, and nothing is left half done. */
  #asking(
    handle: (call: RouteCall) => Promise<Response>,
    away: string = AWAY,
  ): (call: RouteCall) => Promise<Response> {
    return async (call) => {
      try {
        return await handle(call);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === null) throw error;
        if (trouble !== 'declined') this.#log.error('stripe_trouble', errorDetail(error));
        return troubleAnswer(trouble, away);
      }
    };
  }
}

const noInterval = () => refusal('invalid', 'Choose month or year.', { field: 'interval' });

const AWAY =
  'Stripe, which takes the payments, can’t be reached right now. Nothing was charged. Try again in a minute.';
/** It may have been done, and only the answer is missing. */
const UNSURE =
  'Stripe, which takes the payments, didn’t answer, so we don’t know yet whether your plan changed. Look at it again in a minute. Nothing is charged twice.';

function troubleAnswer(trouble: NonNullable<ReturnType<typeof troubleOf>>, away: string): Response {
  switch (trouble) {
    case 'away':
      return refusal('busy', away, { retryAfterMs: RETRY_MS });
    case 'declined':
      return refusal(
        'payment_required',
        'Your card was declined, so nothing was changed. Choose another card, then try again.',
      );
    case 'missing':
      return refusal('not_found', 'Stripe doesn’t know that anymore. Nothing was charged.');
    case 'refused':
      return refusal(
        'internal',
        'Payments aren’t set up right on this server, so nothing was charged. Tell the person who runs it.',
      );
  }
}

const WEB = { carrier: 'cookie', rule: { type: 'account', kind: 'web' } } as const;

/** The routes of plans and payments; none without billing. */
export function billingRoutes({ billing, log }: BillingRoutePorts): readonly Route[] {
  if (billing === null) return [];
  const calls = new BillingCalls(billing, log);
  const common = { access: WEB, site: 'app', limit: 'billing', compress: false } as const;
  const get = { ...common, method: 'GET', body: { type: 'none' } } as const;
  const post = { ...common, method: 'POST', body: { type: 'json', maxBytes: BODY_BYTES } } as const;
  return [
    { ...get, path: billingPaths.plan, handle: (call) => calls.plan(call) },
    { ...post, path: billingPaths.checkout, handle: calls.checkout },
    { ...get, path: billingPaths.session, handle: calls.session },
    { ...post, path: billingPaths.portal, body: { type: 'none' }, handle: calls.portal },
    { ...post, path: billingPaths.change, handle: calls.change },
    { ...post, path: billingPaths.preview, handle: calls.preview },
    { ...get, path: billingPaths.invoices, handle: calls.invoices },
    {
      method: 'POST',
      path: billingPaths.webhook,
      access: { carrier: 'none', rule: { type: 'anybody' } },
      site: 'any',
      limit: null,
      body: { type: 'raw', maxBytes: WEBHOOK_BYTES },
      compress: false,
      handle: (call) => calls.webhook(call),
    },
  ];
}
