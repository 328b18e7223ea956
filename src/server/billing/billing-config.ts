// What an operator sets about billing, checked together: off without a trace, or on with everything it needs. Not here: the
// variables themselves (config.ts).
import { failed, ok, type Result } from '#core/result.ts';

/** How this server reaches Stripe. Never logged, never printed. */
export interface BillingConfig {
  readonly secretKey: string;
  /** One, or two while one replaces the other. */
  readonly webhookSecrets: readonly string[];
  /** Ids of prices at Stripe; null: the server finds or makes them by their lookup keys. */
  readonly priceMonth: string | null;
  readonly priceYear: string | null;
  /** Origin that answers in place of Stripe, for tests; null: Stripe. */
  readonly url: string | null;
  /** Whether money moves, as the key says. */
  readonly mode: 'live' | 'test';
}

/** The variables as config.ts read them. */
export interface BillingVariables {
  readonly BILLING: 'on' | 'off';
  readonly STRIPE_SECRET_KEY: string | null;
  readonly STRIPE_WEBHOOK_SECRET: readonly string[] | null;
  readonly STRIPE_PRICE_MONTH: string | null;
  readonly STRIPE_PRICE_YEAR: string | null;
  readonly STRIPE_URL: string | null;
}

/** Null: billing is off. The problem is a sentence without any value in it. */
export function readBilling(read: BillingVariables): Result<BillingConfig | null, string> {
  if (read.BILLING === 'off') return ok(null);
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecrets, STRIPE_URL: url } = read;
  if (secretKey === null || webhookSecrets === null)
    return failed('BILLING is on, which needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET. Set both.');
  const mode = /^[a-z]+_live_/.test(secretKey) ? 'live' : 'test';
  if (mode === 'live' && url !== null)
    return failed(
      'STRIPE_URL is for tests, and STRIPE_SECRET_KEY is a live key: it would be sent to another server than Stripe. Use a test key, or remove STRIPE_URL.',
    );
  if ((read.STRIPE_PRICE_MONTH === null) !== (read.STRIPE_PRICE_YEAR === null))
    return failed('STRIPE_PRICE_MONTH and STRIPE_PRICE_YEAR go together. Set both or neither.');
  return ok({
    secretKey,
    webhookSecrets,
    priceMonth: read.STRIPE_PRICE_MONTH,
    priceYear: read.STRIPE_PRICE_YEAR,
    url,
    mode,
  });
}
