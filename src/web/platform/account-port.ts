// Accounts and sessions over the web routes of our server. Who this profile belongs to is the profile's business; a
// successful sign-up or sign-in is reported to `onBound`, signing out to `onLeft`.
import type { AccountFailure, AccountPort } from '#client/app.ts';
import { sessionListSchema, signedInSchema } from '#wire/account.ts';
import { callServer, codeOf, messageOf, type Call, type Reply } from './http.ts';
import type { AccountBinding } from './profile.ts';

const TIMEOUT_MS = 20_000;
const API = '/app/api';

export interface AccountPorts {
  readonly binding: AccountBinding | null;
  readonly onBound: (binding: AccountBinding) => void;
  readonly onLeft: () => void;
}

const NOT_UNDERSTOOD: AccountFailure = { type: 'failed', message: 'The server’s answer was not understood.' };

const TYPES: Readonly<Record<string, AccountFailure['type']>> = {
  email_taken: 'taken',
  wrong_credentials: 'wrong',
  signed_out: 'wrong',
  invalid: 'invalid',
  rate_limited: 'busy',
  busy: 'busy',
};

function failureOf(reply: Reply): AccountFailure {
  if (reply.type === 'none')
    return { type: 'offline', message: 'The server cannot be reached. Try again when you are online.' };
  const message = messageOf(reply.body) ?? 'The server did not accept this.';
  return { type: TYPES[codeOf(reply.body) ?? ''] ?? 'failed', message };
}

function bodyOf(reply: Reply): Readonly<Record<string, unknown>> | null {
  if (reply.type !== 'answer' || reply.status < 200 || reply.status >= 300) return null;
  return isRecord(reply.body) ? reply.body : {};
}

/** A session that is over already is as good as ended. */
const isEnded = (reply: Reply) => reply.type === 'answer' && (reply.status === 401 || bodyOf(reply) !== null);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function readBinding(body: unknown): AccountBinding | null {
  const read = signedInSchema.safeParse(body);
  if (!read.success) return null;
  const { account, personalScope, email } = read.data;
  return { account, scope: personalScope, email };
}

export function createAccountPort({ binding, onBound, onLeft }: AccountPorts): AccountPort {
  const call = (method: Call['method'], path: string, body?: unknown) =>
    callServer({
      method,
      path: `${API}${path}`,
      timeoutMs: TIMEOUT_MS,
      ...(body === undefined ? {} : { body }),
    });

  async function enter(path: string, email: string, password: string): Promise<AccountFailure | null> {
    const reply = await call('POST', path, { email, password });
    const body = bodyOf(reply);
    if (!body) return failureOf(reply);
    const found = readBinding(body);
    if (!found) return NOT_UNDERSTOOD;
    if (binding && binding.account !== found.account) {
      // Two accounts must never mix on one profile; the new session is of no use here.
      await call('POST', '/sign_out');
      return {
        type: 'failed',
        message: `This device holds the tasks of ${binding.email}. Sign out first to use another account.`,
      };
    }
    onBound(found);
    return null;
  }

  return {
    email: binding?.email ?? null,
    signUp: (email, password) => enter('/sign_up', email, password),
    signIn: (email, password) => enter('/sign_in', email, password),
    async signOut() {
      const reply = await call('POST', '/sign_out');
      if (!isEnded(reply)) return failureOf(reply);
      onLeft();
      return null;
    },
    async sessions() {
      const reply = await call('GET', '/sessions');
      if (!bodyOf(reply)) return failureOf(reply);
      const read = sessionListSchema.safeParse(bodyOf(reply));
      return read.success ? read.data.sessions : NOT_UNDERSTOOD;
    },
    async revoke(id) {
      const reply = await call('DELETE', `/sessions/${encodeURIComponent(id)}`);
      return bodyOf(reply) ? null : failureOf(reply);
    },
  };
}
