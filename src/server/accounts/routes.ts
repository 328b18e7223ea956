// The doors of accounts: the web app's (`/app/api/…`, cookie) and the public API's (`/sessions/…`, bearer token).
// Both end in the same functions of accounts.ts and sessions.ts.
import { parseId } from '#core/ids.ts';
import { credentialsSchema, type SignedIn, type SessionList } from '#wire/account.ts';
import { authorise, type SessionKind } from '../access/authorise.ts';
import { refusal, success } from '../http/answer.ts';
import type { Answer, Route, RouteCall } from '../http/route.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { AccountFailure, AccountResult, Accounts } from './accounts.ts';
import type { SecurityEvents } from './security-events.ts';
import { agentName, type Account, type Session, type Sessions } from './sessions.ts';

export interface AccountRoutePorts {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly events: SecurityEvents;
  readonly metrics: Metrics;
}

const CREDENTIALS_BYTES = 4_096;

/** Message and status of whatever can go wrong at sign-up and sign-in. */
export function failureAnswer(failure: AccountFailure): Response {
  switch (failure.type) {
    case 'limited': {
      const { retryAfterMs } = failure.refused;
      return refusal('rate_limited', 'Too many tries. Wait a little, then try again.', { retryAfterMs });
    }
    case 'busy':
      return refusal('busy', 'The server is busy. Try again in a moment.', { retryAfterMs: 1_000 });
    case 'invalid':
      return refusal('invalid', failure.message, { field: failure.field });
    case 'taken':
      return refusal('email_taken', 'There is an account with this email address already.', {
        field: 'email',
      });
    case 'wrong':
      return refusal('wrong_credentials', 'The email address or the password is wrong.');
    case 'code_wanted':
      return refusal(
        'otp_required',
        failure.isWrong
          ? 'This code is wrong or was used before. Take the one that your app shows now.'
          : 'Enter the code that your authenticator app shows, or a recovery code.',
        { field: 'otp' },
      );
    case 'disabled':
      return refusal('account_disabled', 'This account has been disabled. Contact whoever runs this server.');
  }
}

type Credentials =
  | {
      readonly ok: true;
      readonly email: string;
      readonly password: string;
      readonly code: string | null;
    }
  | { readonly ok: false; readonly response: Response };

function readCredentials(body: unknown): Credentials {
  const read = credentialsSchema.safeParse(body);
  if (read.success)
    return { ok: true, email: read.data.email, password: read.data.password, code: read.data.otp ?? null };
  const field = String(read.error.issues[0]?.path[0] ?? 'body');
  return { ok: false, response: refusal('invalid', `"${field}" is missing or not text.`, { field }) };
}

const userOf = ({ id, email, created_at: createdAt }: Account) => ({
  id,
  email,
  created_at: new Date(createdAt).toISOString(),
});

export const signedIn = (account: Account, session: Pick<Session, 'id'>) =>
  ({
    account: account.id,
    email: account.email,
    createdAt: account.created_at,
    personalScope: account.personal_scope,
    session: session.id,
  }) satisfies Omit<SignedIn, 'success'>;

type Entry = 'sign_up' | 'sign_in';

class AccountDoors {
  readonly #ports: AccountRoutePorts;

  constructor(ports: AccountRoutePorts) {
    this.#ports = ports;
  }

  enterWeb(entry: Entry): Route['handle'] {
    return async (call) => {
      const opened = await this.#open(entry, 'web', call);
      if (opened instanceof Response) return opened;
      // A session the browser already had is not left behind: the cookie that named it is overwritten.
      if (call.session) await this.#ports.sessions.revoke([call.session.session.id]);
      const kept = opened.isKept ? { kept: true } : {};
      return {
        response: success({ ...signedIn(opened.account, opened.session), ...kept }),
        cookie: { token: opened.token },
      };
    };
  }

  enterApi(entry: Entry): Route['handle'] {
    return async (call) => {
      const opened = await this.#open(entry, 'api', call);
      return opened instanceof Response
        ? opened
        : success({ token: opened.token, user: userOf(opened.account) });
    };
  }

  async signOut(call: RouteCall): Promise<Answer> {
    const { sessions, events } = this.#ports;
    if (call.session) {
      await sessions.revoke([call.session.session.id]);
      await events.record({ type: 'signed_out', account: call.session.account.id, detail: {} });
    }
    return { response: success({}), cookie: 'remove' };
  }

  async list(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const known = await this.#ports.sessions.list(actor.account);
    return success({
      sessions: known.map(({ id, kind, name, created_at: createdAt, last_used_at: lastUsedAt }) => ({
        id,
        kind,
        name,
        current: id === actor.session,
        createdAt,
        lastUsedAt,
      })),
    } satisfies Omit<SessionList, 'success'>);
  }

  async revokeOne(call: RouteCall): Promise<Response | Answer> {
    const { sessions, events } = this.#ports;
    const actor = call.account();
    const id = parseId(call.params['id'] ?? '');
    const session = id === null ? undefined : await sessions.get(id);
    const decision = authorise(actor, { type: 'session', owner: session?.account });
    if (!decision.allowed || !session) return refusal('not_found', 'There is no such session.');
    await sessions.revoke([session.id]);
    await events.record({ type: 'session_ended', account: actor.account, detail: { kind: session.kind } });
    return { response: success({}), cookie: session.id === actor.session ? 'remove' : 'keep' };
  }

  async revokeOthers(call: RouteCall): Promise<Response> {
    const { sessions, events } = this.#ports;
    const actor = call.account();
    const others = (await sessions.list(actor.account))
      .map(({ id }) => id)
      .filter((id) => id !== actor.session);
    await sessions.revoke(others);
    await events.record({ type: 'session_ended', account: actor.account, detail: { count: others.length } });
    return success({ ended: others.length });
  }

  me(call: RouteCall): Response {
    const found = call.session;
    return found ? success(signedIn(found.account, found.session)) : refusal('signed_out', 'Sign in first.');
  }

  async #enter(entry: Entry, call: RouteCall): Promise<AccountResult | Response> {
    const { accounts, metrics } = this.#ports;
    const credentials = readCredentials(call.body);
    if (!credentials.ok) return credentials.response;
    const { email, password, code } = credentials;
    if (entry === 'sign_up') return accounts.signUp(email, password, call.client);
    const result = await accounts.signIn({ email, password, code }, call.client);
    const outcome = result.ok ? 'ok' : result.failure.type;
    if (outcome !== 'invalid' && outcome !== 'taken' && outcome !== 'code_wanted') metrics.signIn(outcome);
    return result;
  }

  async #endForgotten(account: number): Promise<void> {
    const { sessions } = this.#ports;
    const known = (await sessions.list(account)).filter(isFromSignIn);
    await sessions.revoke(known.slice(MOST_SIGNED_IN).map(({ id }) => id));
  }

  /** Signs up or in and opens a session of the door's kind. */
  async #open(entry: Entry, kind: SessionKind, call: RouteCall) {
    const { sessions, events } = this.#ports;
    const result = await this.#enter(entry, call);
    if (result instanceof Response) return result;
    const { network } = call.client;
    if (!result.ok) {
      if (result.failure.type === 'limited')
        await events.record({ type: 'limit_hit', account: null, detail: { door: entry, network } });
      return failureAnswer(result.failure);
    }
    const { account, isKept } = result;
    const opened = await sessions.open({ account: account.id, kind, userAgent: call.client.userAgent });
    if (kind === 'api') await this.#endForgotten(account.id);
    const type = entry === 'sign_up' ? 'signed_up' : 'signed_in';
    await events.record({ type, account: account.id, detail: { kind, network } });
    return { account, isKept: isKept === true, ...opened };
  }
}

/** A program that signs in at every start leaves tokens behind. So many of an account are kept, those used last. */
const MOST_SIGNED_IN = 25;

/** The name says so: made in the app, a token has the name that somebody gave it. */
const isFromSignIn = ({ kind, name, user_agent: agent }: Session) =>
  kind === 'api' && name === agentName(agent);

const NO_BODY = { type: 'none' } as const;
const CREDENTIALS = { type: 'json', maxBytes: CREDENTIALS_BYTES } as const;
const API_CREDENTIALS = { ...CREDENTIALS, isNamedAnyhow: true } as const;

function webRoutes(doors: AccountDoors): readonly Route[] {
  const common = { site: 'app', limit: null, compress: false } as const;
  const open = {
    ...common,
    method: 'POST',
    access: { carrier: 'cookie', rule: { type: 'anybody' } },
  } as const;
  const own = {
    ...common,
    access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
    body: NO_BODY,
  } as const;
  const one = '/app/api/sessions/:id';
  return [
    { ...open, path: '/app/api/sign_up', body: CREDENTIALS, handle: doors.enterWeb('sign_up') },
    { ...open, path: '/app/api/sign_in', body: CREDENTIALS, handle: doors.enterWeb('sign_in') },
    // Signing out works also when the session is over already: the cookie goes.
    { ...open, path: '/app/api/sign_out', body: NO_BODY, handle: (call) => doors.signOut(call) },
    { ...own, method: 'GET', path: '/app/api/me', handle: (call) => doors.me(call) },
    { ...own, method: 'GET', path: '/app/api/sessions', handle: (call) => doors.list(call) },
    { ...own, method: 'DELETE', path: '/app/api/sessions', handle: (call) => doors.revokeOthers(call) },
    { ...own, method: 'DELETE', path: one, handle: (call) => doors.revokeOne(call) },
  ];
}

/** The API answers at the root of its host and under /api. */
function apiRoutes(doors: AccountDoors, prefix: '' | '/api'): readonly Route[] {
  const common = { method: 'POST', site: 'api', limit: null, compress: false } as const;
  const open = {
    ...common,
    access: { carrier: 'bearer', rule: { type: 'anybody' } },
    body: API_CREDENTIALS,
  } as const;
  const own = {
    ...common,
    access: { carrier: 'bearer', rule: { type: 'account', kind: 'api', access: 'read' } },
    body: NO_BODY,
  } as const;
  return [
    { ...open, path: `${prefix}/sessions/sign_in`, handle: doors.enterApi('sign_in') },
    { ...open, path: `${prefix}/sessions/sign_up`, handle: doors.enterApi('sign_up') },
    { ...own, path: `${prefix}/sessions/sign_out`, handle: (call) => doors.signOut(call) },
  ];
}

export function accountRoutes(ports: AccountRoutePorts): readonly Route[] {
  const doors = new AccountDoors(ports);
  return [...webRoutes(doors), ...apiRoutes(doors, ''), ...apiRoutes(doors, '/api')];
}
