// Endpoints of accounts, for the web app (`/app/api/…`, cookie) and the public API (`/sessions/…`, bearer token). Both call
// the same functions of accounts.ts and sessions.ts.
import { agentName } from '#core/agent-name.ts';
import { parseId } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { credentialsSchema, type SignedIn, type SessionList } from '#wire/account.ts';
import { authorise, type SessionKind } from '../access/authorise.ts';
import { refusal, success } from '../http/answer.ts';
import { type Answer, inPart, type Route, type RouteCall } from '../http/route.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { AccountFailure, AccountResult, Accounts, SignInCredentials } from './accounts.ts';
import type { Endings } from './endings.ts';
import type { SecurityEvents } from './security-events.ts';
import type { Billing } from '../billing/billing.ts';
import type { Account, Session, Sessions } from './sessions.ts';

/** What the account endpoints need. */
export interface AccountRoutePorts {
  /** Null: this server has no billing. */
  readonly billing: Pick<Billing, 'planOf'> | null;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly endings: Endings;
  readonly events: SecurityEvents;
  readonly metrics: Metrics;
}

const CREDENTIALS_BYTES = 4_096;

/** Message and status of every failure at sign-up and sign-in. */
export function failureAnswer(failure: AccountFailure): Response {
  switch (failure.type) {
    case 'limited': {
      const { retryAfterMs } = failure.refused;
      return refusal('rate_limited', 'Too many tries. Wait a bit, then try again.', { retryAfterMs });
    }
    case 'busy':
      return refusal('busy', 'The server is busy. Try again in a moment.', { retryAfterMs: 1_000 });
    case 'invalid':
      return refusal('invalid', failure.message, { field: failure.field });
    case 'taken':
      return refusal('email_taken', "There's already an account with this email address.", {
        field: 'email',
      });
    case 'wrong':
      return refusal('wrong_credentials', 'Wrong email address or password.');
    case 'changed':
      return refusal('busy', 'This account changed at the same time. Try again.', {
        retryAfterMs: 1_000,
      });
    case 'code_wanted':
      return refusal(
        'otp_required',
        failure.isWrong
          ? 'That code is wrong or already used. Enter the one your app shows now.'
          : 'Enter the code from your authenticator app, or a recovery code.',
        { field: 'otp' },
      );
    case 'password_ended':
      return refusal(
        'wrong_credentials',
        'This server went back to a backup from before you changed your password. Reset your password by email, or ask the person who runs this server.',
      );
    case 'disabled':
      return refusal(
        'account_disabled',
        'This account is disabled. Contact the person who runs this server.',
      );
  }
}

function readCredentials(body: unknown): Result<SignInCredentials, Response> {
  const read = credentialsSchema.safeParse(body);
  if (read.success)
    return ok({ email: read.data.email, password: read.data.password, code: read.data.otp ?? null });
  const field = String(read.error.issues[0]?.path[0] ?? 'body');
  return failed(refusal('invalid', `"${field}" is missing or not text.`, { field }));
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

/** The plan of an account, where there are plans. */
export async function planPart(
  billing: AccountRoutePorts['billing'],
  account: Pick<Account, 'id'>,
): Promise<Pick<SignedIn, 'plan'>> {
  return billing === null ? {} : { plan: await billing.planOf(account.id) };
}

type Entry = 'sign_up' | 'sign_in';

class AccountHandlers {
  readonly #ports: AccountRoutePorts;

  constructor(ports: AccountRoutePorts) {
    this.#ports = ports;
  }

  enterWeb(entry: Entry): Route['handle'] {
    return async (call) => {
      const opened = await this.#open(entry, 'web', call);
      if (opened instanceof Response) return opened;
      // The browser's earlier session is ended, since the new cookie overwrites the one that named it.
      if (call.session) await this.#ports.sessions.revoke([call.session.session.id]);
      const kept = opened.isKept ? { kept: true } : {};
      const plan = await planPart(this.#ports.billing, opened.account);
      return {
        response: success({ ...signedIn(opened.account, opened.session), ...kept, ...plan }),
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
    const { endings, events } = this.#ports;
    if (call.session) {
      await endings.session(call.session.session);
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
    const { sessions, endings, events } = this.#ports;
    const actor = call.account();
    const id = parseId(call.params['id'] ?? '');
    const session = id === null ? undefined : await sessions.get(id);
    const decision = authorise(actor, { type: 'session', owner: session?.account });
    if (!decision.allowed || !session) return refusal('not_found', "That session doesn't exist.");
    await endings.session(session);
    await events.record({ type: 'session_ended', account: actor.account, detail: { kind: session.kind } });
    return { response: success({}), cookie: session.id === actor.session ? 'remove' : 'keep' };
  }

  async revokeOthers(call: RouteCall): Promise<Response> {
    const { endings, events } = this.#ports;
    const { account, session } = call.account();
    const count = await endings.sessions(account, { kept: session, tokens: true });
    await events.record({ type: 'session_ended', account, detail: { count } });
    return success({ ended: count });
  }

  async me(call: RouteCall): Promise<Response> {
    const found = call.session;
    if (!found) return refusal('signed_out', 'Sign in first.');
    const plan = await planPart(this.#ports.billing, found.account);
    return success({ ...signedIn(found.account, found.session), ...plan });
  }

  async #enter(entry: Entry, call: RouteCall): Promise<AccountResult | Response> {
    const { accounts, metrics } = this.#ports;
    const credentials = readCredentials(call.body);
    if (!credentials.ok) return credentials.problem;
    const { email, password, code } = credentials.value;
    if (entry === 'sign_up') return accounts.signUp(email, password, call.client);
    const result = await accounts.signIn({ email, password, code }, call.client);
    const outcome = result.ok ? 'ok' : result.problem.type;
    const isNoOutcome = outcome === 'invalid' || outcome === 'taken' || outcome === 'changed';
    if (outcome === 'password_ended') metrics.signIn('wrong');
    else if (!isNoOutcome && outcome !== 'code_wanted') metrics.signIn(outcome);
    return result;
  }

  async #endForgotten(account: number): Promise<void> {
    const { sessions } = this.#ports;
    const known = (await sessions.list(account)).filter(isFromSignIn);
    await sessions.revoke(known.slice(MOST_SIGNED_IN).map(({ id }) => id));
  }

  /** Signs up or in and opens a session of the endpoint's kind. */
  async #open(entry: Entry, kind: SessionKind, call: RouteCall) {
    const { sessions, events } = this.#ports;
    const result = await this.#enter(entry, call);
    if (result instanceof Response) return result;
    const { network } = call.client;
    if (!result.ok) {
      if (result.problem.type === 'limited')
        await events.record({ type: 'limit_hit', account: null, detail: { door: entry, network } });
      return failureAnswer(result.problem);
    }
    const { account, isKept } = result.value;
    const wanted = { account: account.id, kind, userAgent: call.client.userAgent };
    const opened = await sessions.admit(wanted, account.entry_version);
    if (!opened) return failureAnswer({ type: 'changed' });
    if (kind === 'api') await this.#endForgotten(account.id);
    const type = entry === 'sign_up' ? 'signed_up' : 'signed_in';
    await events.record({ type, account: account.id, detail: { kind, network } });
    return { account, isKept: isKept === true, ...opened };
  }
}

/** A program that signs in at every start leaves tokens behind. So many per account are kept, those used last. */
const MOST_SIGNED_IN = 25;

/** Told by the name: a token made in the app has the name a person gave it. */
const isFromSignIn = ({ kind, name, user_agent: agent }: Session) =>
  kind === 'api' && name === agentName(agent);

/** Nobody who signs up has an account to look at. */
const PERHAPS_MADE = 'Your account may have been made all the same. Try to sign in.';
const NO_BODY = { type: 'none' } as const;
const CREDENTIALS = { type: 'json', maxBytes: CREDENTIALS_BYTES } as const;
const API_CREDENTIALS = { ...CREDENTIALS, isNamedAnyhow: true } as const;

function webRoutes(handlers: AccountHandlers): readonly Route[] {
  const common = { site: 'app', limit: null, compress: false, steps: inPart } as const;
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
    {
      ...open,
      path: '/app/api/sign_up',
      body: CREDENTIALS,
      handle: handlers.enterWeb('sign_up'),
      steps: PERHAPS_MADE,
    },
    { ...open, path: '/app/api/sign_in', body: CREDENTIALS, handle: handlers.enterWeb('sign_in') },
    // Signing out also works when the session is already over: it removes the cookie.
    { ...open, path: '/app/api/sign_out', body: NO_BODY, handle: (call) => handlers.signOut(call) },
    { ...own, method: 'GET', path: '/app/api/me', handle: (call) => handlers.me(call) },
    { ...own, method: 'GET', path: '/app/api/sessions', handle: (call) => handlers.list(call) },
    { ...own, method: 'DELETE', path: '/app/api/sessions', handle: (call) => handlers.revokeOthers(call) },
    { ...own, method: 'DELETE', path: one, handle: (call) => handlers.revokeOne(call) },
  ];
}

/** The API answers at the root of its host and under /api. */
function apiRoutes(handlers: AccountHandlers, prefix: '' | '/api'): readonly Route[] {
  const common = { method: 'POST', site: 'api', limit: null, compress: false, steps: inPart } as const;
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
    { ...open, path: `${prefix}/sessions/sign_in`, handle: handlers.enterApi('sign_in') },
    {
      ...open,
      path: `${prefix}/sessions/sign_up`,
      handle: handlers.enterApi('sign_up'),
      steps: PERHAPS_MADE,
    },
    { ...own, path: `${prefix}/sessions/sign_out`, handle: (call) => handlers.signOut(call) },
  ];
}

/** The account routes of the web app and of the public API. */
export function accountRoutes(ports: AccountRoutePorts): readonly Route[] {
  const handlers = new AccountHandlers(ports);
  return [...webRoutes(handlers), ...apiRoutes(handlers, ''), ...apiRoutes(handlers, '/api')];
}
