// Messages between the web app and the server about accounts and sessions: `/app/api/…`, JSON, cookie. Not here: the
// public API's own shapes (snake_case, bearer tokens).
import * as z from 'zod/mini';
import { idSchema, msSchema } from './values.ts';

/**
 * Body of `POST /app/api/sign_up` and `POST /app/api/sign_in`. It does not limit the password further: checking takes
 * any length, and setting one has its own rule with its own message.
 */
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
  /** The session in the browser's cookie. */
  session: idSchema,
  /** Signing in canceled the erasure of the account. */
  kept: z.optional(z.boolean()),
  /** The account's plan (billing.ts); absent: this server has no billing. */
  plan: z.optional(z.unknown()),
});
/** A signed-in account, with the session and the personal scope. */
export type SignedIn = z.infer<typeof signedInSchema>;

/** Answer of `GET /app/api/sessions`; `DELETE /app/api/sessions/:id` ends one, `DELETE /app/api/sessions` all but this. */
export const sessionListSchema = z.object({
  success: z.literal(true),
  sessions: z.array(
    z.object({
      id: idSchema,
      kind: z.enum(['web', 'device', 'api']),
      /** Browser and system, if the browser named them. */
      name: z.string(),
      current: z.boolean(),
      createdAt: msSchema,
      lastUsedAt: msSchema,
    }),
  ),
});
/** The open sessions of the account. */
export type SessionList = z.infer<typeof sessionListSchema>;

/** Answer of `GET /app/api/devices`: copies of the account's tasks, the last heard one first. */
export const deviceListSchema = z.object({
  success: z.literal(true),
  devices: z.array(
    z.object({
      number: z.int(),
      /** Browser and system of its last session; null if unknown. */
      name: z.nullable(z.string()),
      /** `api`: a program with a token, without a copy; without a name the server itself. Absent: unknown, or an older server. */
      kind: z.optional(z.enum(['web', 'device', 'api'])),
      /** Its session is the one that asks. */
      current: z.boolean(),
      signedIn: z.boolean(),
      /** Null: not recorded. */
      lastHeardAt: z.nullable(msSchema),
      /** Number of its newest change on the server; 0: none. */
      lastChange: z.int(),
      /** When last heard, it was told everything that exists now. False: unknown. */
      upToDate: z.boolean(),
    }),
  ),
});
/** The devices that have a copy of the account's tasks. */
export type DeviceList = z.infer<typeof deviceListSchema>;

/** Body of every refusal, on these routes and all others. `code` is from a closed list. */
export const refusalSchema = z.object({
  success: z.literal(false),
  error: z.string(),
  message: z.string(),
  code: z.string(),
});
export type Refusal = z.infer<typeof refusalSchema>;
