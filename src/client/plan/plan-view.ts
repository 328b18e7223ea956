// View and actions of the dialog of the plan.
import type { Interval } from '#wire/billing.ts';

/** One way to pay. */
export interface PlanChoice {
  readonly interval: Interval;
  /** "Yearly". */
  readonly name: string;
  /** "$48 a year". */
  readonly price: string;
  /** What a promo code makes of it, or what it saves; empty: nothing. */
  readonly note: string;
  /** It is the one that is paid. */
  readonly isNow: boolean;
}

/** A line of the list of invoices. */
export interface InvoiceLine {
  readonly number: string;
  /** "Nov 30, 2026". */
  readonly on: string;
  /** "$36.00". */
  readonly amount: string;
  /** "Paid", "Refunded". */
  readonly state: string;
  readonly url: string | null;
}

/** The dialog of the plan. */
export interface PlanView {
  /** `leaving`: a page of the payment service is to be opened. `change`: asks whether to change. `returned`: back from paying. */
  readonly step: 'plan' | 'leaving' | 'change' | 'invoices' | 'returned';
  readonly title: string;
  /** What is said, a paragraph each. */
  readonly lines: readonly string[];
  /** Empty: there is nothing to choose now. */
  readonly choices: readonly PlanChoice[];
  /** The promo code that is or will be applied, in words; null: none. */
  readonly promo: string | null;
  readonly can: {
    readonly manage: boolean;
    readonly invoices: boolean;
    readonly promo: boolean;
    /** To ask again what became of a payment. */
    readonly again: boolean;
  };
  /** It was canceled, and still runs. */
  readonly isEnding: boolean;
  /** Null: not read. */
  readonly invoices: readonly InvoiceLine[] | null;
  /** What opens the page, or confirms; empty: nothing does. */
  readonly action: string;
  /** Null: nothing is under way. */
  readonly busy: string | null;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in that dialog. */
export type PlanAction =
  | { readonly action: 'choose'; readonly interval: Interval }
  | {
      readonly action: 'manage' | 'invoices' | 'promo' | 'yes' | 'open' | 'again' | 'back';
    }
  | { readonly action: 'invoice'; readonly url: string };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly plan: { readonly view: { readonly plan: PlanView }; readonly action: PlanAction };
  }
}
