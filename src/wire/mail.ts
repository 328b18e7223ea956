// Mail that becomes tasks, as the web app asks about it: the address of a list, and how much has arrived.
import * as z from 'zod/mini';
import { idSchema } from './values.ts';

/** What people are asked not to exceed, by account: 40 MB in a month, 150 mails a day on average. */
export const mailLimits = {
  days: 30,
  messages: 4_500,
  perDay: 150,
  bytes: 40_000_000,
  /** Of one message as it is sent: a file of 18 MB is 25 MB then. */
  messageBytes: 25 * 1_048_576,
} as const;

const mailUseSchema = z.object({ messages: z.int(), bytes: z.int() });
/** Of all lists of the account, in the last `mailLimits.days`. */
export type MailUse = z.infer<typeof mailUseSchema>;

/** What is asked: `POST /app/api/mail_address`, and `POST /app/api/mail_address/new` for another one. */
export const mailAddressRequestSchema = z.strictObject({ scope: idSchema, list: idSchema });

export const mailAddressSchema = z.object({
  success: z.literal(true),
  address: z.string(),
  use: mailUseSchema,
});
export type MailAddress = z.infer<typeof mailAddressSchema>;
