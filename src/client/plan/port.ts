// What the app asks the server about the plan of the account. The platform implements it in web/platform/plan/plan-port.ts.
import type { Result } from '#core/result.ts';
import type { ChangePreview, CheckoutAnswer, Interval, Invoice, Plan } from '#wire/billing.ts';

/** How a checkout stands, and the plan with it. */
export type Outcome = Pick<CheckoutAnswer, 'checkout' | 'plan'>;

/** What a change of the plan costs, and leaves as credit, in cents. */
export type ChangeCost = Pick<ChangePreview, 'dueCents' | 'creditCents' | 'currency'>;

/** Each call asks the server; why there is no answer comes in words. */
export interface PlanPort {
  read(): Promise<Result<Plan, string>>;
  /** Whether this server has plans at all; null: it can't be asked now. Needs no account. */
  isOffered(): Promise<boolean | null>;
  /** The page on which to pay. */
  checkout(interval: Interval): Promise<Result<string, string>>;
  /** What became of a checkout, by its id. */
  outcome(session: string): Promise<Result<Outcome, string>>;
  /** The page for the card, canceling and receipts. */
  portal(): Promise<Result<string, string>>;
  /** What a change would cost today; nothing is changed. */
  preview(interval: Interval): Promise<Result<ChangeCost, string>>;
  change(interval: Interval): Promise<Result<Plan, string>>;
  /** Newest first. */
  invoices(): Promise<Result<readonly Invoice[], string>>;
  /** Called when the plan may be another than before, here or on another device. Returns the unsubscription. */
  listen(changed: () => void): () => void;
  /** The plan was read anew here: other tabs of this browser hear it. */
  tell(): void;
}
