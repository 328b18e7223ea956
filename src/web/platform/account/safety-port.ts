// The SafetyPort over the web routes of our server. Loaded with the dialog that needs it.
import * as z from 'zod/mini';
import { failed, ok } from '#core/result.ts';
import type { Outcome, SafetyFailure, SafetyPort } from '#client/safety/port.ts';
import { promoTermsSchema, redemptionSchema } from '#wire/api/promo.ts';
import {
  erasureSchema,
  madeTokenSchema,
  newCodesSchema,
  recoveryCodesSchema,
  securitySchema,
  tokenListSchema,
} from '#wire/security.ts';
import { type Call, callServer, codeOf, messageOf, type Reply } from './http.ts';

const TIMEOUT_MS = 20_000;
const API = '/app/api';

const anything = z.unknown();
const withEmail = z.object({ email: z.string() });
const withOptions = z.object({ options: z.record(z.string(), z.unknown()) });

/** The person put the browser's question away, or the device has no answer: it does not say which. */
const UNANSWERED: SafetyFailure = { type: 'refused', message: 'No passkey was used. Try again.' };
const UNLOADED: SafetyFailure = { type: 'offline', message: 'Couldn’t load this part. Try again.' };
const TYPES: Readonly<Record<string, SafetyFailure['type']>> = {
  confirm_first: 'confirm',
  otp_required: 'code',
};

function failureOf(reply: Reply): SafetyFailure {
  if (reply.type === 'none')
    return { type: 'offline', message: 'Can’t reach the server. Try again when you’re online.' };
  const message = messageOf(reply.body) ?? 'The server didn’t accept this.';
  return { type: TYPES[codeOf(reply.body) ?? ''] ?? 'refused', message };
}

function readReply<T>(reply: Reply, schema: z.ZodMiniType<T>): Outcome<T> {
  if (reply.type === 'none' || reply.status < 200 || reply.status >= 300) return failed(failureOf(reply));
  const read = schema.safeParse(reply.body);
  return read.success
    ? ok(read.data)
    : failed({ type: 'refused', message: 'Couldn’t read the server’s answer. Try again.' });
}

async function ask<T>(
  method: Call['method'],
  path: string,
  schema: z.ZodMiniType<T>,
  body?: unknown,
): Promise<Outcome<T>> {
  const reply = await callServer({
    method,
    path: `${API}${path}`,
    timeoutMs: TIMEOUT_MS,
    ...(body === undefined ? {} : { body }),
  });
  return readReply(reply, schema);
}

const mapped = <T, U>(outcome: Outcome<T>, to: (value: T) => U): Outcome<U> =>
  outcome.ok ? ok(to(outcome.value)) : outcome;

const toNothing = (outcome: Outcome<unknown>): Outcome<void> => mapped(outcome, () => undefined);

/** Null: that part cannot be had now. */
const passkeys = () => import('./passkeys.ts').catch(() => null);

/** Asks for a challenge, has the device answer it, and sends the answer. */
async function ceremony(
  optionsPath: string,
  answerPath: string,
  act: 'create' | 'prove',
  more: object = {},
): Promise<Outcome<void>> {
  const part = await passkeys();
  if (part === null) return failed(UNLOADED);
  const asked = await ask('POST', optionsPath, withOptions);
  if (!asked.ok) return asked;
  const response = await part[act](asked.value.options);
  if (response === null) return failed(UNANSWERED);
  return toNothing(await ask('POST', answerPath, anything, { response, ...more }));
}

export function createSafetyPort(): SafetyPort {
  return {
    hasPasskeys: typeof PublicKeyCredential === 'function',
    state: () => ask('GET', '/security', securitySchema),
    async confirm(password, code) {
      const body = { password, ...(code.trim() === '' ? {} : { otp: code }) };
      return toNothing(await ask('POST', '/confirm', anything, body));
    },
    confirmByPasskey: () => ceremony('/confirm/passkey/options', '/confirm/passkey', 'prove'),
    setPassword: async (password, endTokens) =>
      toNothing(await ask('POST', '/password', anything, { password, endTokens })),
    askEmail: async (email) => mapped(await ask('POST', '/email', withEmail, { email }), (of) => of.email),
    proveEmail: async (code) =>
      mapped(await ask('POST', '/email/proof', withEmail, { code }), (of) => of.email),
    beginCodes: () => ask('POST', '/codes', newCodesSchema),
    confirmCodes: async (code) =>
      mapped(await ask('POST', '/codes/confirm', recoveryCodesSchema, { code }), (of) => of.recoveryCodes),
    endCodes: async () => toNothing(await ask('DELETE', '/codes', anything)),
    renewRecovery: async () =>
      mapped(await ask('POST', '/recovery_codes', recoveryCodesSchema), (of) => of.recoveryCodes),
    addPasskey: (name) => ceremony('/passkeys/options', '/passkeys', 'create', { name }),
    removePasskey: async (id) =>
      toNothing(await ask('DELETE', `/passkeys/${encodeURIComponent(id)}`, anything)),
    tokens: async () => mapped(await ask('GET', '/tokens', tokenListSchema), (of) => of.tokens),
    makeToken: async (name, access) =>
      mapped(await ask('POST', '/tokens', madeTokenSchema, { name, access }), (of) => of.token),
    endToken: async (id) => toNothing(await ask('DELETE', `/sessions/${encodeURIComponent(id)}`, anything)),
    promo: async () => mapped(await ask('GET', '/promo', redemptionSchema), (of) => of.redemption),
    redeemPromo: async (code) =>
      mapped(await ask('POST', '/promo', redemptionSchema, { code }), (of) => of.redemption),
    async promoTerms(code) {
      const path = `/api/affiliate_promo_codes/${encodeURIComponent(code)}`;
      const reply = await callServer({ method: 'GET', path, timeoutMs: TIMEOUT_MS });
      return reply.type === 'answer' && reply.status === 404 ? ok(null) : readReply(reply, promoTermsSchema);
    },
    erase: async () => mapped(await ask('POST', '/erasure', erasureSchema), (of) => of.at),
  };
}
