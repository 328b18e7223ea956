// What the web app and the server say to each other about accounts and sessions: `/app/api/…`, JSON, cookie.
// The public API's own shapes (snake_case, bearer tokens) are not here.
import * as z from 'zod/mini';
import { idSchema, msSchema } from './values.ts';

/** Nothing here says how long a password may be: checking takes any, and setting has its own rule with its own words. */
export const credentialsSchema = z.object({
  email: z.string().check(z.maxLength(1_000)),
  password: z.string().check(z.maxLength(4_096)),
  /** One-time or recovery code, for accounts that ask for one. */
  otp: z.optional(z.string().check(z.maxLength(100))),
});
export type Credentials = z.infer<typeof credentialsSchema>;

/** Answer of `POST /app/api/sign_up`, `POST /app/api/sign_in` and `GET /app/api/me`. */
export const signedInSchema = z.object({
  success: z.literal(true),
  account: z.int(),
  email: z.string(),
  createdAt: msSchema,
  personalScope: idSchema,
  /** The session the browser now holds in its cookie. */
  session: idSchema,
  /** Signing in took back that the account was to be erased. */
  kept: z.optional(z.boolean()),
});
export type SignedIn = z.infer<typeof signedInSchema>;

/** Answer of `GET /app/api/sessions`; `DELETE /app/api/sessions/:id` ends one, `DELETE /app/api/sessions` all but this. */
export const sessionListSchema = z.object({
  success: z.literal(true),
  sessions: z.array(
    z.object({
      id: idSchema,
      kind: z.enum(['web', 'device', 'api']),
      /** Browser and system, as far as the browser said. */
      name: z.string(),
      current: z.boolean(),
      createdAt: msSchema,
      lastUsedAt: msSchema,
    }),
  ),
});
export type SessionList = z.infer<typeof sessionListSchema>;

/** Answer of `GET /app/api/devices`: copies of the account's tasks, the one heard last first. */
export const deviceListSchema = z.object({
  success: z.literal(true),
  devices: z.array(
    z.object({
      number: z.int(),
      /** Browser and system of the session it last spoke under; null when that is not known any more. */
      name: z.nullable(z.string()),
      /** `api`: a program with a token, which holds no copy. Absent: not known, or an older server. */
      kind: z.optional(z.enum(['web', 'device', 'api'])),
      /** That session is the one that asks. */
      current: z.boolean(),
      signedIn: z.boolean(),
      /** Null: not noted. */
      lastHeardAt: z.nullable(msSchema),
      /** Number of its newest change that the server has; 0: none. */
      lastChange: z.int(),
      /** When it was last heard it was told everything there is now. False: not known. */
      upToDate: z.boolean(),
    }),
  ),
});
export type DeviceList = z.infer<typeof deviceListSchema>;

/** Body of every refusal, of these routes and of all others. `code` is from a closed list. */
export const refusalSchema = z.object({
  success: z.literal(false),
  error: z.string(),
  message: z.string(),
  code: z.string(),
});
export type Refusal = z.infer<typeof refusalSchema>;
