// Messages between the web app and the server about promo codes: `/app/api/promo`, JSON, cookie; and the public
// look-up.
import * as z from 'zod/mini';
import { msSchema } from '../values.ts';

/** Body of `POST /app/api/promo`. */
export const newRedemptionSchema = z.object({ code: z.string().check(z.maxLength(200)) });

/** Answer of `GET /api/affiliate_promo_codes/{code}`, reduced to what the app reads. */
export const promoTermsSchema = z.object({
  name: z.string(),
  discount_percentage: z.number(),
  discount_num_months: z.number(),
});
/** The terms of a promo code: its partner and the discount. */
export type PromoTerms = z.infer<typeof promoTermsSchema>;

/** Answer of `GET` and `POST /app/api/promo`: the code that this account redeemed, with its terms at the time. */
export const redemptionSchema = z.object({
  success: z.literal(true),
  redemption: z.nullable(
    z.object({
      code: z.string(),
      partner: z.string(),
      discountPercentage: z.int(),
      discountMonths: z.int(),
      redeemedAt: msSchema,
    }),
  ),
});
/** A redeemed promo code with its terms at the time. */
export type Redemption = NonNullable<z.infer<typeof redemptionSchema>['redemption']>;
