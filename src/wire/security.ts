// Messages between the web app and the server about the security of an account: `/app/api/…`, JSON, cookie.
import * as z from 'zod/mini';
import { msSchema } from './values.ts';

const text = (most: number) => z.string().check(z.maxLength(most));

/** Body of `POST /app/api/confirm`. */
export const confirmationSchema = z.object({ password: text(4_096), otp: z.optional(text(100)) });
/** Body of `POST /app/api/password`. */
export const newPasswordSchema = z.object({
  password: text(4_096),
  /** Absent: API tokens stay valid. */
  endTokens: z.optional(z.boolean()),
});
/** Body of `POST /app/api/email`. */
export const newEmailSchema = z.object({ email: text(1_000) });
/** Body of `POST /app/api/email/proof` and `POST /app/api/codes/confirm`. */
export const codeSchema = z.object({ code: text(100) });

/** The answer of an authenticator, in WebAuthn's JSON; the library that verifies it reads the rest. */
const credentialSchema = z.looseObject({
  id: text(2_000),
  rawId: text(2_000),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: text(20_000) }),
});
/** Body of `POST /app/api/confirm/passkey` and `POST /app/api/sign_in/passkey`. */
export const passkeyAnswerSchema = z.object({ response: credentialSchema });
/** Body of `POST /app/api/passkeys`. */
export const newPasskeySchema = z.object({ response: credentialSchema, name: text(100) });

/** Answer of `GET /app/api/security`. */
export const securitySchema = z.object({
  success: z.literal(true),
  email: z.string(),
  isVerified: z.boolean(),
  /** False: mails with codes stay on the server, and only its operator can read them. Absent: an older server. */
  sendsMail: z.optional(z.boolean()),
  /** The address that a code was sent to; null when none is awaited. */
  awaitedEmail: z.nullable(z.string()),
  /** Signing in requires one-time codes. */
  codes: z.boolean(),
  /** Unused recovery codes. */
  recoveryCodes: z.int(),
  passkeys: z.array(
    z.object({ id: z.string(), name: z.string(), createdAt: msSchema, lastUsedAt: z.nullable(msSchema) }),
  ),
  /** Number of valid API tokens. */
  tokens: z.int(),
  /** The person has confirmed their identity a moment ago. */
  isConfirmed: z.boolean(),
});
/** The security settings of the account. */
export type Security = z.infer<typeof securitySchema>;

/** Answer of `POST /app/api/codes`: the key for the authenticator app, as text and as the address in its QR code. */
export const newCodesSchema = z.object({ success: z.literal(true), secret: z.string(), uri: z.string() });
/** Answer of `POST /app/api/codes/confirm` and `POST /app/api/recovery_codes`: shown only once. */
export const recoveryCodesSchema = z.object({ success: z.literal(true), recoveryCodes: z.array(z.string()) });
/** Answer of `POST /app/api/erasure`. */
export const erasureSchema = z.object({ success: z.literal(true), at: msSchema });

const tokenAccessSchema = z.enum(['read', 'write']);
/** Body of `POST /app/api/tokens`. */
export const newTokenSchema = z.object({
  name: text(100).check(z.refine((name) => name.trim() !== '', 'is blank')),
  access: tokenAccessSchema,
});
/** Answer of `POST /app/api/tokens`: the token is shown only once. */
export const madeTokenSchema = z.object({ success: z.literal(true), token: z.string(), id: z.string() });
/** Answer of `GET /app/api/tokens`, the last used first; `DELETE /app/api/sessions/:id` ends one. */
export const tokenListSchema = z.object({
  success: z.literal(true),
  tokens: z.array(
    z.object({
      id: z.string(),
      /** Empty: it came from a sign-in without a name. */
      name: z.string(),
      access: tokenAccessSchema,
      createdAt: msSchema,
      /** To the hour; null: never. */
      lastUsedAt: z.nullable(msSchema),
    }),
  ),
});
/** The API tokens of the account, without their secrets. */
export type TokenList = z.infer<typeof tokenListSchema>;
