// What the web app and the server say to each other about promo codes: `/app/api/promo`, JSON, cookie.
import * as z from 'zod/mini';
import { msSchema } from './values.ts';

/** Body of `POST /app/api/promo`. */
export const newRedemptionSchema = z.object({ code: z.string().check(z.maxLength(200)) });

/** Answer of `GET` and `POST /app/api/promo`: the code that this account redeemed, with its terms as they were then. */
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
export type Redemption = NonNullable<z.infer<typeof redemptionSchema>['redemption']>;
