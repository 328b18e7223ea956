// The app's endpoints for promo codes (`/app/api/promo`, cookie): the redeemed code of an account, and redeeming. Nothing
// is charged: only the terms of the account are recorded.
import * as z from 'zod';
import { newRedemptionSchema, type Redemption } from '#wire/api/promo.ts';
import type { PromoRedemptionTable } from '../data/tables.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { Billing } from '../billing/billing.ts';
import type { SiteDesk } from './desk.ts';

export interface PromoRoutePorts {
  readonly desk: SiteDesk;
  /** Null: codes are recorded, and nothing is paid. */
  readonly billing: Billing | null;
}

const BODY_BYTES = 1_024;

const redemptionJson = (found: PromoRedemptionTable): Redemption => ({
  code: found.code,
  partner: found.partner,
  discountPercentage: found.discount_percentage,
  discountMonths: found.discount_num_months,
  redeemedAt: found.redeemed_at,
});

async function redeem({ desk, billing }: PromoRoutePorts, call: RouteCall): Promise<Response> {
  const read = z.safeParse(newRedemptionSchema, call.body);
  const code = read.success ? read.data.code : '';
  if (code.trim() === '') return refusal('invalid', 'Enter a promo code.', { field: 'code' });
  const { account } = call.account();
  const objection = (await billing?.objection(account, code)) ?? null;
  if (objection !== null) return refusal('invalid', objection, { field: 'code' });
  const outcome = await desk.promoCodes.redeem(account, code);
  if (outcome.type === 'redeemed') await billing?.redeemed(account);
  switch (outcome.type) {
    case 'redeemed':
      return success({ redemption: redemptionJson(outcome.redemption) });
    case 'unknown':
      return refusal('invalid', "That promo code doesn't exist or has ended. Check the spelling.", {
        field: 'code',
      });
    case 'another':
      return refusal(
        'invalid',
        `This account already redeemed ${outcome.code}. Each account can redeem one promo code.`,
        { field: 'code' },
      );
  }
}

/** Routes that show and redeem the promo code of an account. */
export function promoRoutes(ports: PromoRoutePorts): readonly Route[] {
  const common = {
    path: '/app/api/promo',
    access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
    site: 'app',
    compress: false,
  } as const;
  return [
    {
      ...common,
      method: 'GET',
      limit: 'proof',
      body: { type: 'none' },
      handle: async (call) => {
        const found = await ports.desk.promoCodes.redemptionOf(call.account().account);
        return success({ redemption: found ? redemptionJson(found) : null });
      },
    },
    {
      ...common,
      method: 'POST',
      limit: 'promo',
      body: { type: 'json', maxBytes: BODY_BYTES },
      handle: (call) => redeem(ports, call),
    },
  ];
}
