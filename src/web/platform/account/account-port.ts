// Accounts and sessions over the web routes of our server. Who this profile belongs to is the profile's business; a
// successful sign-up or sign-in is reported to `onBound`, signing out to `onLeft`.
import { isRecord } from '#core/json.ts';
import type { AccountFailure, AccountPort, HistoryQuery } from '#client/app/app.ts';
import { deviceListSchema, sessionListSchema, signedInSchema } from '#wire/account.ts';
import { callServer, codeOf, messageOf, type Call, type Reply } from './http.ts';
import type { AccountBinding } from './profile.ts';

const TIMEOUT_MS = 20_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
const API = '/app/api';

export interface AccountPorts {
  readonly binding: AccountBinding | null;
  readonly onBound: (binding: AccountBinding) => void;
  readonly onLeft: () => void;
  /** The account is erased at that time; what is on this device stays as its own. */
  readonly onErased: (until: number) => void;
  /** The person chose to work with another account; this profile stays on the device. */
  readonly onOther: (binding: AccountBinding) => void;
  /** While the session may be somebody else's nothing of this profile may be sent. */
  readonly gate: SessionGate;
  /** The browser's session may be somebody else's already: it is ended first. */
  readonly isSessionInDoubt: boolean;
}

export interface SessionGate {
  close(): void;
  open(): void;
}

const NOT_UNDERSTOOD: AccountFailure = {
  type: 'failed',
  message: 'Couldn’t read the server’s answer. Try again.',
};

const NO_PASSKEY: AccountFailure = {
  type: 'wrong',
  message: 'No passkey was used. Sign in with your password.',
};

const TYPES: Readonly<Record<string, Exclude<AccountFailure['type'], 'other'>>> = {
  email_taken: 'taken',
  otp_required: 'code',
  wrong_credentials: 'wrong',
  signed_out: 'wrong',
  invalid: 'invalid',
  rate_limited: 'busy',
  busy: 'busy',
};

function failureOf(reply: Reply): AccountFailure {
  if (reply.type === 'none')
    return { type: 'offline', message: 'Can’t reach the server. Try again when you’re online.' };
  const message = messageOf(reply.body) ?? 'The server didn’t accept this.';
  return { type: TYPES[codeOf(reply.body) ?? ''] ?? 'failed', message };
}

function bodyOf(reply: Reply): Readonly<Record<string, unknown>> | null {
  if (reply.type !== 'answer' || reply.status < 200 || reply.status >= 300) return null;
  return isRecord(reply.body) ? reply.body : {};
}

/** A session that is over already is as good as ended. */
const isEnded = (reply: Reply) => reply.type === 'answer' && (reply.status === 401 || bodyOf(reply) !== null);

function readBinding(body: unknown): AccountBinding | null {
  const read = signedInSchema.safeParse(body);
  if (!read.success) return null;
  const { account, personalScope, email } = read.data;
  return { account, scope: personalScope, email };
}

/** Waits, or less when told to stop. */
function pauseUnless(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve());
  });
}

type ServerCall = (method: Call['method'], path: string, body?: unknown) => Promise<Reply>;

/** Signing up and in, with the care that nothing is sent under a session that may be somebody else's. */
function createEntrance({ binding, onBound, gate }: AccountPorts, call: ServerCall) {
  let other: AccountBinding | null = null;
  let isKept = false;
  let ending: { readonly stop: AbortController; readonly done: Promise<void> } | null = null;

  async function enter(path: string, credentials: unknown): Promise<AccountFailure | null> {
    // A session made now must not be ended by what was begun before it.
    ending?.stop.abort();
    await ending?.done;
    gate.close();
    const reply = await call('POST', path, credentials);
    const body = bodyOf(reply);
    const found = body && readBinding(body);
    if (!found) {
      // No answer may still mean that a session was made: it is ended before anything is sent again.
      if (reply.type === 'none' || body) void endSession();
      else gate.open();
      return body ? NOT_UNDERSTOOD : failureOf(reply);
    }
    if (binding && binding.account !== found.account) {
      other = found;
      return {
        type: 'other',
        email: found.email,
        message: `This device holds the tasks of ${binding.email}.`,
      };
    }
    gate.open();
    isKept = body?.['kept'] === true;
    onBound(found);
    return null;
  }

  /** Ends whatever session there is; the gate opens only when the server has said so. */
  function endSession(): Promise<void> {
    if (!binding) {
      gate.open();
      return Promise.resolve();
    }
    const stop = new AbortController();
    const done = (async () => {
      for (let wait = FIRST_RETRY_MS; !stop.signal.aborted; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
        if (isEnded(await call('POST', '/sign_out'))) {
          gate.open();
          return;
        }
        await pauseUnless(wait, stop.signal);
      }
    })();
    ending = { stop, done };
    return done;
  }

  return {
    enter,
    endSession,
    /** Whose session was begun although the profile is another's. */
    get other() {
      return other;
    },
    get isKept() {
      return isKept;
    },
  };
}

async function emptyTrash(call: ServerCall, items: Parameters<AccountPort['emptyTrash']>[0]) {
  const reply = await call('POST', '/trash', { items });
  if (!bodyOf(reply)) return failureOf(reply);
  const { emptiedTrashSchema } = await import('#wire/trash.ts');
  const read = emptiedTrashSchema.safeParse(bodyOf(reply));
  return read.success ? read.data : NOT_UNDERSTOOD;
}

/** A page of the history; what is sealed in it is opened as far as this device can. */
async function historyOf(
  call: ServerCall,
  binding: AccountBinding | null,
  of: HistoryQuery,
): ReturnType<AccountPort['history']> {
  const { failureOfHistory, historyPath, mayBeSealed, readHistory } = await import('./history-pages.ts');
  const reply = await call('GET', historyPath(of));
  if (!bodyOf(reply)) return failureOfHistory(reply, failureOf(reply));
  const page = readHistory(bodyOf(reply));
  if (page === null) return NOT_UNDERSTOOD;
  if (binding === null || !mayBeSealed(page)) return page;
  const { openHistory, openListHistory } = await import('./sealing-desk.ts');
  const entries =
    of.scope === binding.scope
      ? await openHistory(binding, page.entries)
      : await openListHistory(binding, of.scope, page.entries);
  return { ...page, entries };
}

export function createAccountPort(ports: AccountPorts): AccountPort {
  const { binding, onLeft, onErased, onOther } = ports;
  const call: ServerCall = (method, path, body) =>
    callServer({
      method,
      path: `${API}${path}`,
      timeoutMs: TIMEOUT_MS,
      ...(body === undefined ? {} : { body }),
    });
  const entrance = createEntrance(ports, call);
  const { enter } = entrance;
  if (ports.isSessionInDoubt) void entrance.endSession();

  return {
    history: (of) => historyOf(call, binding, of),
    email: binding?.email ?? null,
    signUp: (email, password) => enter('/sign_up', { email, password }),
    signIn: (email, password, code) =>
      enter('/sign_in', { email, password, ...(code === undefined ? {} : { otp: code }) }),
    async signInByPasskey() {
      const { prove } = await import('./passkeys.ts');
      const asked = await call('POST', '/sign_in/passkey/options');
      const options = bodyOf(asked)?.['options'];
      if (options === undefined) return failureOf(asked);
      const response = await prove(options);
      return response === null ? NO_PASSKEY : enter('/sign_in/passkey', { response });
    },
    safety: async () => (await import('./safety-port.ts')).createSafetyPort(),
    mailAddress: async (of, isNew) => (await import('./mail-port.ts')).mailAddress(of, isNew),
    sharing: async () => (await import('./sharing-port.ts')).createSharingPort(),
    sealing: async () => (await import('./sealing-desk.ts')).createSealingDesk(binding),
    live: async () => (await import('./live-ports.ts')).createLivePorts(ports.binding?.account ?? 0),
    useOther() {
      if (entrance.other) onOther(entrance.other);
    },
    refuseOther: () => entrance.endSession(),
    stayHere: onErased,
    get isKept() {
      return entrance.isKept;
    },
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
    async devices() {
      const reply = await call('GET', '/devices');
      if (!bodyOf(reply)) return failureOf(reply);
      const read = deviceListSchema.safeParse(bodyOf(reply));
      return read.success ? read.data.devices : NOT_UNDERSTOOD;
    },
    emptyTrash: (items) => emptyTrash(call, items),
    async revoke(id) {
      const reply = await call('DELETE', `/sessions/${encodeURIComponent(id)}`);
      return bodyOf(reply) ? null : failureOf(reply);
    },
  };
}
