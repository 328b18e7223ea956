// Mail that becomes tasks, as the web app sees it: the address of a list, and how much has arrived.
import * as z from 'zod/mini';
import { idSchema } from './values.ts';

const mailUseSchema = z.object({ messages: z.int(), bytes: z.int() });
/** Mail to all lists of the account, in the last `mailLimits.days`. */
export type MailUse = z.infer<typeof mailUseSchema>;

/** Body of `POST /app/api/mail_address`, and of `POST /app/api/mail_address/new` for a new address. */
export const mailAddressRequestSchema = z.strictObject({ scope: idSchema, list: idSchema });

/** Answer of `POST /app/api/mail_address` and `POST /app/api/mail_address/new`. */
export const mailAddressSchema = z.object({
  success: z.literal(true),
  address: z.string(),
  /** Null: the list is somebody else's, for whom its mail counts. */
  use: z.nullable(mailUseSchema),
});
/** The mail address of a list, with the use of the account that owns it so far. */
export type MailAddress = z.infer<typeof mailAddressSchema>;
