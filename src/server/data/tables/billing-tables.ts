// The tables of plans, payments and commissions: a part of tables.ts, whose rules hold here too. Amounts are integers in the
// currency's smallest unit. All are empty on a server without billing.

/** What is known of billing as a whole: `mode` of the key, `since` when it is on, `prices`, the `portal` configuration. */
export interface BillingSettingTable {
  name: string;
  value: string;
}

/** Where the subscription of an account stands, as Stripe said it last. Absent: the account never went to pay. */
export interface BillingAccountTable {
  account: number;
  /** Its id at Stripe. */
  customer: string;
  /** The address that Stripe knows. */
  email: string;
  /** The subscription that counts; null: there never was one. */
  subscription: string | null;
  status: 'none' | 'active' | 'past-due' | 'ended';
  plan_interval: 'month' | 'year' | null;
  /** End of the time that is paid; null: none ever was. */
  paid_until: number | null;
  /** Canceled for then; null: it goes on. */
  cancel_at: number | null;
  /** The promo code whose discount is on the subscription. */
  discount_code: string | null;
  /** Since when it is. */
  discount_from: number | null;
  /** The checkout that may be open, and what it is for. */
  session: string | null;
  session_for: string | null;
  settled_at: number;
  /** Grows with every write: who read an older one has to ask Stripe again. */
  revision: number;
}

/** Everything that Stripe told, once. */
export interface StripeEventTable {
  id: string;
  type: string;
  created: number;
  received_at: number;
  /** Null: not done yet. */
  handled_at: number | null;
  /** Class of the last failure; null: none. */
  error: string | null;
}

/** The commissions of partners: rows are added and never changed, but for their payout. Those of an invoice add up to what is due. */
export interface CommissionTable {
  /** Its id at Stripe. */
  invoice: string;
  /** 0: the payment; later ones correct it after refunds and disputes. */
  number: number;
  partner: string;
  code: string;
  /** Number of the account that paid; not named `account`, because it stays when the account is erased. */
  payer: number;
  /** Below zero: a reversal. */
  cents: number;
  currency: string;
  percent: number;
  /** What was paid and not given back, without taxes, after this row. */
  net_cents: number;
  at: number;
  /** The payout it is part of; null: none yet. */
  payout: string | null;
}

/** What a partner is paid. */
export interface PayoutTable {
  id: string;
  partner: string;
  /** `2026-11`: up to the end of it. */
  period: string;
  cents: number;
  currency: string;
  made_at: number;
  /** Null: the operator has not paid it yet. */
  paid_at: number | null;
}

/** The secret address of a partner's page. */
export interface PartnerLinkTable {
  digest: Uint8Array;
  partner: string;
  created_at: number;
}

/** The tables by name. */
export interface BillingTables {
  billing_setting: BillingSettingTable;
  billing_account: BillingAccountTable;
  stripe_event: StripeEventTable;
  commission: CommissionTable;
  payout: PayoutTable;
  partner_link: PartnerLinkTable;
}

/** Their names. */
export const billingTableNames = [
  'billing_setting',
  'billing_account',
  'stripe_event',
  'commission',
  'payout',
  'partner_link',
] as const satisfies readonly (keyof BillingTables)[];
