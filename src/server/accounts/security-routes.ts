// The doors of an account's own safety (`/app/api/…`, cookie): proving anew who one is, password, address, one-time codes,
// passkeys, and having the account erased. What could be misused on an unattended screen asks for a fresh proof.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import {
  codeSchema,
  confirmationSchema,
  newEmailSchema,
  newPasskeySchema,
  newPasswordSchema,
  passkeyAnswerSchema,
  type Security,
} from '#wire/security.ts';
import type { Clock } from '#sync/ports.ts';
import type { Config } from '../config.ts';
import { refusal, success } from '../http/answer.ts';
import { expectedOrigin } from '../http/origin.ts';
import type { Answer, Route, RouteCall } from '../http/route.ts';
import type { Post } from '../mail/post.ts';
import { ERASURE_GRACE_MS } from '../care/erasure.ts';
import type { Accounts } from './accounts.ts';
import { parseEmail } from './email.ts';
import type { EmailProofs } from './email-proof.ts';
import { MOST_PASSKEYS, type Passkeys } from './passkeys.ts';
import { failureAnswer, signedIn } from './routes.ts';
import type { SecondFactor } from './second-factor.ts';
import type { SecurityEvents, SecurityEventType } from './security-events.ts';
import { isConfirmed, type FoundSession, type Sessions } from './sessions.ts';

export interface SecurityRoutePorts {
  readonly config: Config;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly emailProofs: EmailProofs;
  readonly events: SecurityEvents;
  readonly post: Post;
}

const BODY_BYTES = 4_096;
/** What authenticators say may carry certificates. */
const CEREMONY_BYTES = 65_536;

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly response: Response };

function read<T>(schema: z.core.$ZodType<T>, body: unknown): Read<T> {
  const result = z.safeParse(schema, body);
  if (result.success) return { ok: true, value: result.data };
  const field = String(result.error.issues[0]?.path[0] ?? 'body');
  return {
    ok: false,
    response: refusal('invalid', `"${field}" is missing or not as it should be.`, { field }),
  };
}

class SecurityDoors {
  readonly #ports: SecurityRoutePorts;

  constructor(ports: SecurityRoutePorts) {
    this.#ports = ports;
  }

  async overview(call: RouteCall): Promise<Response> {
    const { account, session } = this.#found(call);
    const { secondFactor, passkeys, emailProofs, clock } = this.#ports;
    const [codes, keys, awaited] = await Promise.all([
      secondFactor.state(account.id),
      passkeys.list(account.id),
      emailProofs.awaited(account.id),
    ]);
    return success({
      email: account.email,
      isVerified: account.verified_at !== null,
      awaitedEmail: awaited,
      codes: codes.isOn,
      recoveryCodes: codes.recoveryCodes,
      passkeys: keys.map(({ id, name, created_at: createdAt, last_used_at: lastUsedAt }) => ({
        id,
        name,
        createdAt,
        lastUsedAt,
      })),
      isConfirmed: isConfirmed(session, clock.now()),
    } satisfies Omit<Security, 'success'>);
  }

  async confirm(call: RouteCall): Promise<Response> {
    const { accounts, sessions } = this.#ports;
    const body = read(confirmationSchema, call.body);
    if (!body.ok) return body.response;
    const { account, session } = this.#found(call);
    const { password, otp } = body.value;
    const result = await accounts.confirm(account, { password, code: otp ?? null }, call.client);
    if (!result.ok)
      return result.failure.type === 'wrong'
        ? refusal('wrong_credentials', 'The password is wrong.', { field: 'password' })
        : failureAnswer(result.failure);
    await sessions.confirm(session.id);
    return success({});
  }

  /** A challenge: for signing in when nobody is signed in, else for proving anew who one is. */
  async askPasskey(call: RouteCall, account: number | null): Promise<Response> {
    return success({ options: await this.#ports.passkeys.request(account, this.#origin(call)) });
  }

  async confirmByPasskey(call: RouteCall): Promise<Response> {
    const { passkeys, sessions } = this.#ports;
    const { account, session } = this.#found(call);
    const body = read(passkeyAnswerSchema, call.body);
    if (!body.ok) return body.response;
    const response = body.value.response as unknown as AuthenticationResponseJSON;
    const whose = await passkeys.verify({ account: account.id, response, origin: this.#origin(call) });
    if (whose === null) return refusal('wrong_credentials', 'This passkey was not accepted.');
    await sessions.confirm(session.id);
    return success({});
  }

  async signInByPasskey(call: RouteCall): Promise<Response | Answer> {
    const { accounts, passkeys, sessions, events } = this.#ports;
    const body = read(passkeyAnswerSchema, call.body);
    if (!body.ok) return body.response;
    const response = body.value.response as unknown as AuthenticationResponseJSON;
    const whose = await passkeys.verify({ account: null, response, origin: this.#origin(call) });
    const result = whose === null ? null : await accounts.enter(whose);
    if (result === null)
      return refusal('wrong_credentials', 'This passkey was not accepted. Sign in with your password.');
    if (!result.ok) return failureAnswer(result.failure);
    const { account, isKept } = result;
    const { userAgent, network } = call.client;
    const opened = await sessions.open({ account: account.id, kind: 'web', userAgent });
    if (call.session) await sessions.revoke([call.session.session.id]);
    await events.record({
      type: 'signed_in',
      account: account.id,
      detail: { kind: 'web', network, by: 'passkey' },
    });
    return {
      response: success({ ...signedIn(account, opened.session), ...(isKept ? { kept: true } : {}) }),
      cookie: { token: opened.token },
    };
  }

  async setPassword(call: RouteCall): Promise<Response> {
    const body = read(newPasswordSchema, call.body);
    if (!body.ok) return body.response;
    const { account } = this.#found(call);
    const failure = await this.#ports.accounts.setPassword(account, body.value.password);
    if (failure) return failureAnswer(failure);
    await this.#endOthers(call);
    await this.#note(call, 'password_changed');
    await this.#tell(
      account.email,
      'Your password was changed',
      'The password of your Posthaste account was changed.',
    );
    return success({});
  }

  async askEmail(call: RouteCall): Promise<Response> {
    const body = read(newEmailSchema, call.body);
    const { account } = this.#found(call);
    const email = body.ok ? parseEmail(body.value.email) : null;
    if (email === null) return refusal('invalid', 'Enter a valid email address.', { field: 'email' });
    // Whether another account has the address is said only to who proves that it is theirs.
    await this.#ports.emailProofs.ask(account.id, email);
    return success({ email });
  }

  async proveEmail(call: RouteCall): Promise<Response> {
    const body = read(codeSchema, call.body);
    if (!body.ok) return body.response;
    const { accounts, emailProofs } = this.#ports;
    const { account, session } = this.#found(call);
    const proof = await emailProofs.answer(account.id, body.value.code);
    if (proof.type === 'over')
      return refusal('invalid', 'This code holds no longer. Ask for a new one.', { field: 'code' });
    if (proof.type === 'wrong')
      return refusal('invalid', 'This is not the code that was sent.', { field: 'code' });
    if (!(await accounts.setEmail(account, proof.email)))
      return refusal('email_taken', 'There is an account with this email address already.', {
        field: 'email',
      });
    this.#ports.sessions.forget([session.id]);
    if (proof.email === account.email) await this.#note(call, 'email_verified');
    else {
      await this.#note(call, 'email_changed');
      await this.#tell(
        account.email,
        'Your email address was changed',
        `Your Posthaste account is now signed in to with another address.`,
      );
    }
    return success({ email: proof.email });
  }

  async beginCodes(call: RouteCall): Promise<Response> {
    const begun = await this.#ports.secondFactor.begin(this.#found(call).account);
    return begun ? success(begun) : refusal('invalid', 'One-time codes are on already.');
  }

  async confirmCodes(call: RouteCall): Promise<Response> {
    const body = read(codeSchema, call.body);
    if (!body.ok) return body.response;
    const { account } = this.#found(call);
    const codes = await this.#ports.secondFactor.confirm(account.id, body.value.code);
    if (!codes) return refusal('invalid', 'This is not the code that your app shows now.', { field: 'code' });
    await this.#endOthers(call);
    await this.#note(call, 'codes_on');
    await this.#tell(
      account.email,
      'One-time codes are on',
      'Signing in to Posthaste now asks for a one-time code.',
    );
    return success({ recoveryCodes: codes });
  }

  async endCodes(call: RouteCall): Promise<Response> {
    const { account } = this.#found(call);
    await this.#ports.secondFactor.turnOff(account.id);
    await this.#endOthers(call);
    await this.#note(call, 'codes_off');
    await this.#tell(
      account.email,
      'One-time codes are off',
      'Signing in to Posthaste asks for no one-time code any more.',
    );
    return success({});
  }

  async renewRecovery(call: RouteCall): Promise<Response> {
    const { secondFactor } = this.#ports;
    const { account } = this.#found(call);
    if (!(await secondFactor.state(account.id)).isOn)
      return refusal('invalid', 'Recovery codes come with one-time codes. Turn those on first.');
    const recoveryCodes = await secondFactor.renew(account.id);
    await this.#note(call, 'recovery_codes_renewed');
    return success({ recoveryCodes });
  }

  async beginPasskey(call: RouteCall): Promise<Response> {
    const { passkeys } = this.#ports;
    const { account } = this.#found(call);
    if ((await passkeys.list(account.id)).length >= MOST_PASSKEYS)
      return refusal('invalid', `An account has at most ${MOST_PASSKEYS} passkeys. Remove one first.`);
    return success({ options: await passkeys.registration(account, this.#origin(call)) });
  }

  async addPasskey(call: RouteCall): Promise<Response> {
    const body = read(newPasskeySchema, call.body);
    if (!body.ok) return body.response;
    const { account } = this.#found(call);
    const response = body.value.response as unknown as RegistrationResponseJSON;
    const origin = this.#origin(call);
    const added = await this.#ports.passkeys.register({
      account: account.id,
      name: body.value.name.trim() || 'Passkey',
      response,
      origin,
    });
    if (!added) return refusal('invalid', 'This passkey was not accepted. Try again.');
    await this.#endOthers(call);
    await this.#note(call, 'passkey_added');
    await this.#tell(
      account.email,
      'A passkey was added',
      `The passkey “${added.name}” now opens your Posthaste account.`,
    );
    return success({ id: added.id });
  }

  async removePasskey(call: RouteCall): Promise<Response> {
    const { account } = this.#found(call);
    if (!(await this.#ports.passkeys.remove(account.id, call.params['key'] ?? '')))
      return refusal('not_found', 'There is no such passkey.');
    await this.#endOthers(call);
    await this.#note(call, 'passkey_removed');
    return success({});
  }

  async askErasure(call: RouteCall): Promise<Answer> {
    const { accounts, sessions, clock } = this.#ports;
    const { account } = this.#found(call);
    const at = clock.now() + ERASURE_GRACE_MS;
    await accounts.setErasure(account, at);
    await this.#note(call, 'erasure_asked');
    await this.#tell(
      account.email,
      'Your account will be erased',
      `Your Posthaste account and everything in it will be erased on ${new Date(at).toUTCString()}.\n\nTo keep it, sign in before.`,
    );
    await sessions.revoke((await sessions.list(account.id)).map(({ id }) => id));
    return { response: success({ at }), cookie: 'remove' };
  }

  #found(call: RouteCall): FoundSession {
    if (!call.session) throw new Error('Impossible: a route that demands an account has a session');
    return call.session;
  }

  #origin(call: RouteCall): string {
    return expectedOrigin(this.#ports.config.publicUrl, call.url);
  }

  /** What proves who one is has changed: whoever came in by what held before has to prove it anew. */
  async #endOthers(call: RouteCall): Promise<void> {
    const { sessions } = this.#ports;
    const { account, session } = this.#found(call);
    const others = (await sessions.list(account.id)).filter(
      ({ id, kind }) => id !== session.id && kind !== 'api',
    );
    await sessions.revoke(others.map(({ id }) => id));
  }

  async #note(call: RouteCall, type: SecurityEventType): Promise<void> {
    const { account } = this.#found(call);
    await this.#ports.events.record({ type, account: account.id, detail: { network: call.client.network } });
  }

  /** Whoever reads the account's mail hears of it, in case it was somebody else. */
  async #tell(to: string, subject: string, what: string): Promise<void> {
    const text = `${what}\n\nIf this was not you, sign in, end all other sessions and change your password.\n`;
    await this.#ports.post.send({ to, subject, text });
  }
}

const NO_BODY = { type: 'none' } as const;
const BODY = { type: 'json', maxBytes: BODY_BYTES } as const;
const CEREMONY = { type: 'json', maxBytes: CEREMONY_BYTES, gzip: true } as const;

export function securityRoutes(ports: SecurityRoutePorts): readonly Route[] {
  const doors = new SecurityDoors(ports);
  const common = { site: 'app', compress: false } as const;
  const proof = { ...common, limit: 'proof' } as const;
  const open = {
    ...proof,
    method: 'POST',
    access: { carrier: 'cookie', rule: { type: 'anybody' } },
  } as const;
  const own = { ...proof, access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } } } as const;
  const sure = {
    ...proof,
    access: { carrier: 'cookie', rule: { type: 'account', kind: 'web', confirmed: true } },
  } as const;
  const ask = { method: 'POST', body: NO_BODY } as const;
  const tell = { method: 'POST', body: BODY } as const;
  const answer = { method: 'POST', body: CEREMONY } as const;
  const remove = { method: 'DELETE', body: NO_BODY } as const;
  const api = '/app/api';
  const whose = (call: RouteCall) => call.account().account;
  return [
    { ...own, method: 'GET', body: NO_BODY, path: `${api}/security`, handle: (call) => doors.overview(call) },
    { ...own, ...tell, path: `${api}/confirm`, handle: (call) => doors.confirm(call) },
    {
      ...own,
      ...ask,
      path: `${api}/confirm/passkey/options`,
      handle: (call) => doors.askPasskey(call, whose(call)),
    },
    { ...own, ...answer, path: `${api}/confirm/passkey`, handle: (call) => doors.confirmByPasskey(call) },
    {
      ...open,
      ...ask,
      path: `${api}/sign_in/passkey/options`,
      handle: (call) => doors.askPasskey(call, null),
    },
    { ...open, ...answer, path: `${api}/sign_in/passkey`, handle: (call) => doors.signInByPasskey(call) },
    { ...sure, ...tell, path: `${api}/password`, handle: (call) => doors.setPassword(call) },
    { ...sure, ...tell, path: `${api}/email`, handle: (call) => doors.askEmail(call) },
    { ...own, ...tell, path: `${api}/email/proof`, handle: (call) => doors.proveEmail(call) },
    { ...sure, ...ask, path: `${api}/codes`, handle: (call) => doors.beginCodes(call) },
    { ...sure, ...tell, path: `${api}/codes/confirm`, handle: (call) => doors.confirmCodes(call) },
    { ...sure, ...remove, path: `${api}/codes`, handle: (call) => doors.endCodes(call) },
    { ...sure, ...ask, path: `${api}/recovery_codes`, handle: (call) => doors.renewRecovery(call) },
    { ...sure, ...ask, path: `${api}/passkeys/options`, handle: (call) => doors.beginPasskey(call) },
    { ...sure, ...answer, path: `${api}/passkeys`, handle: (call) => doors.addPasskey(call) },
    { ...sure, ...remove, path: `${api}/passkeys/:key`, handle: (call) => doors.removePasskey(call) },
    { ...sure, ...ask, path: `${api}/erasure`, handle: (call) => doors.askErasure(call) },
  ];
}
