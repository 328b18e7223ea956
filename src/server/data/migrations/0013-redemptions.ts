// Redeemed promo codes by account, with their terms at that time: a code that is changed or disabled later takes nothing
// back. And plans, payments and commissions: all of it empty on a server without billing.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
CREATE TABLE promo_redemption (
  account ${integer} PRIMARY KEY,
  code ${text} NOT NULL,
  partner ${text} NOT NULL,
  discount_percentage ${integer} NOT NULL,
  discount_num_months ${integer} NOT NULL,
  commission_percentage ${integer} NOT NULL,
  redeemed_at ${integer} NOT NULL
)${end};
CREATE INDEX promo_redemption_code ON promo_redemption (code);
`;

/** The table of redemptions. */
export const redemptions: Migration = {
  version: 13,
  name: 'redemptions of promo codes',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT')
        : statements('text', 'bigint', '').replace('code text', 'code text COLLATE "C"'),
    ),
};

const billingStatements = (text: string, integer: string, bytes: string, end: string) => `
CREATE TABLE billing_setting (
  name ${text} PRIMARY KEY,
  value ${text} NOT NULL
)${end};
CREATE TABLE billing_account (
  account ${integer} PRIMARY KEY,
  customer ${text} NOT NULL UNIQUE,
  email ${text} NOT NULL,
  subscription ${text},
  status ${text} NOT NULL,
  plan_interval ${text},
  paid_until ${integer},
  cancel_at ${integer},
  discount_code ${text},
  discount_from ${integer},
  session ${text},
  session_for ${text},
  settled_at ${integer} NOT NULL,
  revision ${integer} NOT NULL
)${end};
CREATE TABLE stripe_event (
  id ${text} PRIMARY KEY,
  type ${text} NOT NULL,
  created ${integer} NOT NULL,
  received_at ${integer} NOT NULL,
  handled_at ${integer},
  error ${text}
)${end};
CREATE INDEX stripe_event_received ON stripe_event (received_at);
CREATE TABLE commission (
  invoice ${text} NOT NULL,
  number ${integer} NOT NULL,
  partner ${text} NOT NULL,
  code ${text} NOT NULL,
  payer ${integer} NOT NULL,
  cents ${integer} NOT NULL,
  currency ${text} NOT NULL,
  percent ${integer} NOT NULL,
  net_cents ${integer} NOT NULL,
  at ${integer} NOT NULL,
  payout ${text},
  PRIMARY KEY (invoice, number)
)${end};
CREATE INDEX commission_partner ON commission (partner, at);
CREATE TABLE payout (
  id ${text} PRIMARY KEY,
  partner ${text} NOT NULL,
  period ${text} NOT NULL,
  cents ${integer} NOT NULL,
  currency ${text} NOT NULL,
  made_at ${integer} NOT NULL,
  paid_at ${integer}
)${end};
CREATE INDEX payout_partner ON payout (partner);
CREATE TABLE partner_link (
  digest ${bytes} PRIMARY KEY,
  partner ${text} NOT NULL,
  created_at ${integer} NOT NULL
)${end};
ALTER TABLE promo_code ADD COLUMN partner_email ${text};
ALTER TABLE promo_code ADD COLUMN ends_at ${integer};
`;

/** Plans, payments and commissions. */
export const billing: Migration = {
  version: 39,
  name: 'plans, payments and commissions',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? billingStatements('TEXT', 'INTEGER', 'BLOB', ' STRICT')
        : billingStatements('text COLLATE "C"', 'bigint', 'bytea', ''),
    ),
};
