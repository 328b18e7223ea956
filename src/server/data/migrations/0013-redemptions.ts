// Redeemed promo codes by account, with their terms at that time: a code that is changed or disabled later takes nothing
// back.
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
