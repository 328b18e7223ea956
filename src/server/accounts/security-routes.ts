// Endpoints for the security of one's own account (`/app/api/…`, cookie): re-authentication, password, address, one-time
// codes, passkeys, and erasure. Actions that an unattended screen must not offer require a fresh proof of identity.
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
import type { Clock } from '#sync/replica/ports.ts';
import type { Config } from '../config.ts';
import { refusal, success } from '../http/answer.ts';
import { expectedOrigin } from '../http/origin.ts';
import { type Answer, inPart, type Route, type RouteCall } from '../http/route.ts';
import { ERASURE_GRACE_MS } from '../care/erasure.ts';
import type { Accounts } from './accounts.ts';
import { parseEmail } from '#core/email.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { EmailProofs } from './email-proof.ts';
import type { EmailUndos } from './email-undo.ts';
import type { Endings } from './endings.ts';
import type { Notices, StillOpen } from './notices.ts';
import { MOST_PASSKEYS, type Passkeys } from './passkeys.ts';
import { type AccountRoutePorts, failureAnswer, planPart, signedIn } from './routes.ts';
import type { SecondFactor } from './second-factor.ts';
import type { SecurityEvents, SecurityEventType } from './security-events.ts';
import { isConfirmed, type FoundSession, type Session, type Sessions } from './sessions.ts';

/** What the security endpoints need. */
export interface SecurityRoutePorts {
  readonly billing: AccountRoutePorts['billing'];
  readonly config: Config;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly emailProofs: EmailProofs;
  readonly events: SecurityEvents;
  readonly undos: EmailUndos;
  readonly endings: Endings;
  readonly notices: Notices;
}

const BODY_BYTES = 4_096;
/** Answers of authenticators may carry certificates. */
const CEREMONY_BYTES = 65_536;

function read<T>(schema: z.core.$ZodType<T>, body: unknown): Result<T, Response> {
  const result = z.safeParse(schema, body);
  if (result.success) return ok(result.data);
  const field = String(result.error.issues[0]?.path[0] ?? 'body');
  return failed(refusal('invalid', `"${field}" is missing or invalid.`, { field }));
}

class SecurityHandlers {
  readonly #ports: SecurityRoutePorts;

  constructor(ports: SecurityRoutePorts) {
    this.#ports = ports;
  }

  async overview(call: RouteCall): Promise<Response> {
    const { account, session } = this.#found(call);
    const { secondFactor, passkeys, emailProofs, clock } = this.#ports;
    const [codes, keys, awaited, tokens] = await Promise.all([
      secondFactor.state(account.id),
      passkeys.list(account.id),
      emailProofs.awaited(account.id),
      this.#tokens(account.id),
    ]);
    return success({
      email: account.email,
      isVerified: account.verified_at !== null,
      sendsMail: this.#ports.config.smtpUrl !== null,
      awaitedEmail: awaited,
      codes: codes.isOn,
      recoveryCodes: codes.recoveryCodes,
      passkeys: keys.map(({ id, name, created_at: createdAt, last_used_at: lastUsedAt }) => ({
        id,
        name,
        createdAt,
        lastUsedAt,
      })),
      tokens: tokens.length,
      isConfirmed: isConfirmed(session, clock.now()),
    } satisfies Omit<Security, 'success'>);
  }

  async confirm(call: RouteCall): Promise<Response> {
    const { accounts, sessions } = this.#ports;
    const body = read(confirmationSchema, call.body);
    if (!body.ok) return body.problem;
    const { account, session } = this.#found(call);
    const { password, otp } = body.value;
    const result = await accounts.confirm({ account, session }, { password, code: otp ?? null }, call.client);
    if (!result.ok)
      return result.problem.type === 'wrong'
        ? refusal('wrong_credentials', 'Wrong password.', { field: 'password' })
        : failureAnswer(result.problem);
    await sessions.confirm(session.id);
    return success({});
  }

  /** A challenge: to sign in when nobody is signed in, else to re-authenticate. */
  async askPasskey(call: RouteCall, account: number | null): Promise<Response> {
    return success({ options: await this.#ports.passkeys.request(account, this.#origin(call)) });
  }

  async confirmByPasskey(call: RouteCall): Promise<Response> {
    const { passkeys, sessions } = this.#ports;
    const { account, session } = this.#found(call);
    const body = read(passkeyAnswerSchema, call.body);
    if (!body.ok) return body.problem;
    const response = body.value.response as unknown as AuthenticationResponseJSON;
    const whose = await passkeys.verify({ account: account.id, response, origin: this.#origin(call) });
    if (whose === null) return refusal('wrong_credentials', "That passkey didn't work.");
    await sessions.confirm(session.id);
    return success({});
  }

  async signInByPasskey(call: RouteCall): Promise<Response | Answer> {
    const { accounts, passkeys, sessions, events } = this.#ports;
    const body = read(passkeyAnswerSchema, call.body);
    if (!body.ok) return body.problem;
    const response = body.value.response as unknown as AuthenticationResponseJSON;
    const whose = await passkeys.verify({ account: null, response, origin: this.#origin(call) });
    const result = whose === null ? null : await accounts.enter(whose);
    if (result === null)
      return refusal('wrong_credentials', "That passkey didn't work. Sign in with your password.");
    if (!result.ok) return failureAnswer(result.problem);
    const { account, isKept } = result.value;
    const { userAgent, network } = call.client;
    const opened = await sessions.admit(
      { account: account.id, kind: 'web', userAgent },
      account.entry_version,
    );
    // A passkey that was removed during verification signs nobody in.
    if (!opened || !(await passkeys.holds(response.id))) {
      if (opened) await sessions.revoke([opened.session.id]);
      return failureAnswer({ type: 'changed' });
    }
    if (call.session) await sessions.revoke([call.session.session.id]);
    await events.record({
      type: 'signed_in',
      account: account.id,
      detail: { kind: 'web', network, by: 'passkey' },
    });
    const plan = await planPart(this.#ports.billing, account);
    return {
      response: success({ ...signedIn(account, opened.session), ...(isKept ? { kept: true } : {}), ...plan }),
      cookie: { token: opened.token },
    };
  }

  async setPassword(call: RouteCall): Promise<Response> {
    const body = read(newPasswordSchema, call.body);
    if (!body.ok) return body.problem;
    const { account } = this.#found(call);
    const { password, endTokens = false } = body.value;
    const failure = await this.#ports.accounts.setPassword(account, password);
    if (failure) return failureAnswer(failure);
    await this.#endOthers(call, endTokens);
    await this.#note(call, 'password_changed');
    await this.#ports.notices.passwordChanged(account, await this.#stillOpen(account.id));
    return success({});
  }

  async askEmail(call: RouteCall): Promise<Response> {
    const body = read(newEmailSchema, call.body);
    const { account } = this.#found(call);
    const email = body.ok ? parseEmail(body.value.email) : null;
    if (email === null) return refusal('invalid', 'Enter a valid email address.', { field: 'email' });
    // Whether another account has the address is told only to a person who verifies it.
    const isProved = email === account.email && account.verified_at !== null;
    const refused = await this.#ports.emailProofs.ask(account.id, email, isProved);
    if (refused)
      return refusal('rate_limited', "We've already sent several emails to this address. Try again later.", {
        field: 'email',
        retryAfterMs: refused.retryAfterMs,
      });
    return success({ email });
  }

  async proveEmail(call: RouteCall): Promise<Response> {
    const body = read(codeSchema, call.body);
    if (!body.ok) return body.problem;
    const { account } = this.#found(call);
    const proof = await this.#ports.emailProofs.answer(account.id, body.value.code);
    if (proof.type === 'over')
      return refusal('invalid', 'This code has expired. Ask for a new one.', { field: 'code' });
    if (proof.type === 'wrong')
      return refusal('invalid', "That's not the code we sent. Check your email.", { field: 'code' });
    return (await this.#takeAddress(call, proof.email)) ?? success({ email: proof.email });
  }

  /**
   * The address is verified. The first verified address of an account ends every other credential, but not this session,
   * which verified it. A later one ends nothing: the owner was verified when the others were set up. Null: done, else the
   * failure.
   */
  async #takeAddress(call: RouteCall, email: string): Promise<Response | null> {
    const { accounts, endings, undos, notices, sessions } = this.#ports;
    const { account, session } = this.#found(call);
    const isFirst = account.verified_at === null;
    const isNew = email !== account.email;
    if (isNew && (await accounts.isTaken(email, account.id))) return failureAnswer({ type: 'taken' });
    // Created before the address changes: if anything fails from here on, the old address can undo it.
    const undo = isNew && !isFirst ? await undos.create(account.id, account.email) : null;
    const failure = await accounts.setEmail(account, email);
    if (failure) return failureAnswer(failure);
    const now = { ...account, email, verified_at: account.verified_at ?? this.#ports.clock.now() };
    if (isFirst) {
      const hadMore = await this.#hasMore(call);
      await endings.everything(account.id, session.id);
      await notices.emailVerified(now, hadMore);
    } else await endings.letters(account.id);
    sessions.forget([session.id]);
    await this.#note(call, isNew ? 'email_changed' : 'email_verified');
    if (isNew) await notices.emailChanged(account, undo);
    return null;
  }

  /** Whether the account has other ways in than this session and the password. */
  async #hasMore(call: RouteCall): Promise<boolean> {
    const { secondFactor, passkeys, sessions } = this.#ports;
    const { account } = this.#found(call);
    const [codes, keys, open] = await Promise.all([
      secondFactor.state(account.id),
      passkeys.list(account.id),
      sessions.list(account.id),
    ]);
    return codes.isOn || keys.length > 0 || open.length > 1;
  }

  async beginCodes(call: RouteCall): Promise<Response> {
    const begun = await this.#ports.secondFactor.begin(this.#found(call).account);
    return begun ? success(begun) : refusal('invalid', 'One-time codes are already on.');
  }

  async confirmCodes(call: RouteCall): Promise<Response> {
    const body = read(codeSchema, call.body);
    if (!body.ok) return body.problem;
    const { account } = this.#found(call);
    const codes = await this.#ports.secondFactor.confirm(account, body.value.code);
    if (!codes)
      return refusal('invalid', "That's not the code your app shows now. Try again.", { field: 'code' });
    await this.#endOthers(call);
    await this.#note(call, 'codes_on');
    await this.#ports.notices.codesOn(account);
    return success({ recoveryCodes: codes });
  }

  async endCodes(call: RouteCall): Promise<Response> {
    const { account } = this.#found(call);
    await this.#ports.secondFactor.turnOff(account.id);
    await this.#endOthers(call);
    await this.#note(call, 'codes_off');
    await this.#ports.notices.codesOff(account);
    return success({});
  }

  async renewRecovery(call: RouteCall): Promise<Response> {
    const { secondFactor } = this.#ports;
    const { account } = this.#found(call);
    if (!(await secondFactor.state(account.id)).isOn)
      return refusal('invalid', 'Turn on one-time codes first. Recovery codes come with them.');
    const recoveryCodes = await secondFactor.renew(account.id);
    await this.#note(call, 'recovery_codes_renewed');
    await this.#ports.notices.recoveryRenewed(account);
    return success({ recoveryCodes });
  }

  async beginPasskey(call: RouteCall): Promise<Response> {
    const { passkeys } = this.#ports;
    const { account } = this.#found(call);
    if ((await passkeys.list(account.id)).length >= MOST_PASSKEYS)
      return refusal('invalid', `You already have ${MOST_PASSKEYS} passkeys. Remove one first.`);
    return success({ options: await passkeys.registration(account, this.#origin(call)) });
  }

  async addPasskey(call: RouteCall): Promise<Response> {
    const body = read(newPasskeySchema, call.body);
    if (!body.ok) return body.problem;
    const { account } = this.#found(call);
    const response = body.value.response as unknown as RegistrationResponseJSON;
    const origin = this.#origin(call);
    const added = await this.#ports.passkeys.register({
      account: account.id,
      name: body.value.name.trim() || 'Passkey',
      response,
      origin,
    });
    if (!added) return refusal('invalid', "That passkey didn't work. Try again.");
    // All credentials may have ended while the device was answering.
    if ((await this.#ports.accounts.byId(account.id))?.entry_version !== account.entry_version) {
      await this.#ports.passkeys.remove(account.id, added.id);
      return failureAnswer({ type: 'changed' });
    }
    await this.#note(call, 'passkey_added');
    await this.#ports.notices.passkeyAdded(account, added.name);
    return success({ id: added.id });
  }

  async removePasskey(call: RouteCall): Promise<Response> {
    const { account } = this.#found(call);
    if (!(await this.#ports.passkeys.remove(account.id, call.params['key'] ?? '')))
      return refusal('not_found', "That passkey doesn't exist.");
    await this.#endOthers(call);
    await this.#note(call, 'passkey_removed');
    await this.#ports.notices.passkeyRemoved(account);
    return success({});
  }

  async askErasure(call: RouteCall): Promise<Answer> {
    const { accounts, endings, clock } = this.#ports;
    const { account } = this.#found(call);
    const at = clock.now() + ERASURE_GRACE_MS;
    await accounts.setErasure(account, at);
    await this.#note(call, 'erasure_asked');
    await this.#ports.notices.erasureAsked(account, at);
    await endings.sessions(account.id, { kept: null, tokens: true });
    return { response: success({ at }), cookie: 'remove' };
  }

  #found(call: RouteCall): FoundSession {
    if (!call.session) throw new Error('Impossible: a route that demands an account has a session');
    return call.session;
  }

  #origin(call: RouteCall): string {
    return expectedOrigin(this.#ports.config.publicUrl, call.url);
  }

  /** Ends the other sessions after a change of credentials. `tokens`: the API tokens too. */
  async #endOthers(call: RouteCall, tokens = false): Promise<void> {
    const { account, session } = this.#found(call);
    await this.#ports.endings.sessions(account.id, { kept: session.id, tokens });
  }

  async #tokens(account: number): Promise<readonly Session[]> {
    return (await this.#ports.sessions.list(account)).filter(({ kind }) => kind === 'api');
  }

  async #stillOpen(account: number): Promise<StillOpen> {
    const { passkeys, secondFactor } = this.#ports;
    const keys = await passkeys.list(account);
    const tokens = await this.#tokens(account);
    const { isOn } = await secondFactor.state(account);
    return { passkeys: keys.map(({ name }) => name), tokens: tokens.map(({ name }) => name), codes: isOn };
  }

  async #note(call: RouteCall, type: SecurityEventType): Promise<void> {
    const { account } = this.#found(call);
    await this.#ports.events.record({ type, account: account.id, detail: { network: call.client.network } });
  }
}

const NO_BODY = { type: 'none' } as const;
const BODY = { type: 'json', maxBytes: BODY_BYTES } as const;
const CEREMONY = { type: 'json', maxBytes: CEREMONY_BYTES, gzip: true } as const;

/** Routes for the security of an account. */
export function securityRoutes(ports: SecurityRoutePorts): readonly Route[] {
  const handlers = new SecurityHandlers(ports);
  const single = { site: 'app', compress: false, limit: 'proof' } as const;
  const proof = { ...single, steps: inPart } as const;
  const open = {
    ...proof,
    method: 'POST',
    access: { carrier: 'cookie', rule: { type: 'anybody' } },
  } as const;
  const mine = { access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } } } as const;
  const own = { ...proof, ...mine } as const;
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
    {
      ...own,
      method: 'GET',
      body: NO_BODY,
      path: `${api}/security`,
      handle: (call) => handlers.overview(call),
    },
    { ...single, ...mine, ...tell, path: `${api}/confirm`, handle: (call) => handlers.confirm(call) },
    {
      ...own,
      ...ask,
      path: `${api}/confirm/passkey/options`,
      handle: (call) => handlers.askPasskey(call, whose(call)),
    },
    { ...own, ...answer, path: `${api}/confirm/passkey`, handle: (call) => handlers.confirmByPasskey(call) },
    {
      ...open,
      ...ask,
      path: `${api}/sign_in/passkey/options`,
      handle: (call) => handlers.askPasskey(call, null),
    },
    { ...open, ...answer, path: `${api}/sign_in/passkey`, handle: (call) => handlers.signInByPasskey(call) },
    { ...sure, ...tell, path: `${api}/password`, handle: (call) => handlers.setPassword(call) },
    { ...sure, ...tell, path: `${api}/email`, handle: (call) => handlers.askEmail(call) },
    { ...own, ...tell, path: `${api}/email/proof`, handle: (call) => handlers.proveEmail(call) },
    { ...sure, ...ask, path: `${api}/codes`, handle: (call) => handlers.beginCodes(call) },
    { ...sure, ...tell, path: `${api}/codes/confirm`, handle: (call) => handlers.confirmCodes(call) },
    { ...sure, ...remove, path: `${api}/codes`, handle: (call) => handlers.endCodes(call) },
    { ...sure, ...ask, path: `${api}/recovery_codes`, handle: (call) => handlers.renewRecovery(call) },
    { ...sure, ...ask, path: `${api}/passkeys/options`, handle: (call) => handlers.beginPasskey(call) },
    { ...sure, ...answer, path: `${api}/passkeys`, handle: (call) => handlers.addPasskey(call) },
    { ...sure, ...remove, path: `${api}/passkeys/:key`, handle: (call) => handlers.removePasskey(call) },
    { ...sure, ...ask, path: `${api}/erasure`, handle: (call) => handlers.askErasure(call) },
  ];
}
