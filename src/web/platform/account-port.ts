// Accounts and sessions over the web routes of our server. Who this profile belongs to is the profile's business; a
// successful sign-up or sign-in is reported to `onBound`, signing out to `onLeft`.
import { parseId } from '#core/ids.ts';
import type { AccountFailure, AccountPort, SessionInfo } from '#client/app.ts';
import { callServer, codeOf, messageOf, type Call, type Reply } from './http.ts';
import type { AccountBinding } from './profile.ts';

const TIMEOUT_MS = 20_000;
const API = '/app/api';

export interface AccountPorts {
  readonly binding: AccountBinding | null;
  readonly onBound: (binding: AccountBinding) => void;
  readonly onLeft: () => void;
}

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
  const account = isRecord(body) && isRecord(body['account']) ? body['account'] : null;
  const scope = typeof account?.['scope'] === 'string' ? parseId(account['scope']) : null;
  if (!account || typeof account['id'] !== 'number' || typeof account['email'] !== 'string' || scope === null)
    return null;
  return { account: account['id'], scope, email: account['email'] };
}

function readSession(value: unknown): SessionInfo | null {
  if (!isRecord(value) || typeof value['id'] !== 'string') return null;
  const { id, name, current, createdAt, lastUsedAt } = value;
  return {
    id,
    name: typeof name === 'string' && name !== '' ? name : 'Unknown device',
    current: current === true,
    createdAt: Number(createdAt) || 0,
    lastUsedAt: Number(lastUsedAt) || 0,
  };
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
    if (!found) return { type: 'failed', message: 'The server’s answer was not understood.' };
    if (binding && binding.account !== found.account) {
      // Two accounts must never mix on one profile; the new session is of no use here.
      await call('POST', '/sign_out', {});
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
      const reply = await call('POST', '/sign_out', {});
      if (!isEnded(reply)) return failureOf(reply);
      onLeft();
      return null;
    },
    async sessions() {
      const reply = await call('GET', '/sessions');
      const body = bodyOf(reply);
      if (!body) return failureOf(reply);
      const list: readonly unknown[] = Array.isArray(body['sessions']) ? body['sessions'] : [];
      return list.map(readSession).filter((session) => session !== null);
    },
    async revoke(id) {
      const reply = await call('DELETE', `/sessions/${encodeURIComponent(id)}`);
      return bodyOf(reply) ? null : failureOf(reply);
    },
  };
}
