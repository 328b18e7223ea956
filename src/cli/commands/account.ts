// Signing in and out, and what the command line is connected to.
import { arch, hostname, platform } from 'node:os';
import { ApiClient } from '#wire/api/client.ts';
import { ApiError } from '#wire/api/client-core.ts';
import type { Call, Command } from '../command.ts';
import { Failure, failureOf, wrongUse } from '../failure.ts';
import { apiAddress, appAddress } from '../session.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

interface Door {
  readonly url: string;
  readonly app: string;
}

function doorOf(call: Call): Door {
  const given = call.option('url') ?? call.world.environment['POSTHASTE_URL'] ?? call.session.stored?.url;
  if (!given) throw wrongUse('Say which server: posthaste login --url https://your.server');
  const url = apiAddress(given);
  const { protocol, hostname: host } = new URL(url);
  if (protocol === 'http:' && !LOOPBACK.test(host))
    call.world.warn('This address has no encryption: password and token can be read on the way.');
  return { url, app: call.option('app')?.replace(/\/+$/, '') ?? appAddress(url) };
}

async function signIn(call: Call, door: Door, email: string): Promise<void> {
  const { world } = call;
  const client = new ApiClient({ url: door.url, send: world.send });
  const password = await world.readSecret('Password: ');
  const enter = async (otp?: string) =>
    client.signIn({ email, password, ...(otp === undefined ? {} : { otp }) });
  try {
    const { token, user } = await enter(call.option('otp')).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'otp_required') throw error;
      return enter((await world.readSecret('One-time code: ')).trim());
    });
    call.session.store({ ...door, token, account: { id: user.id, email: user.email } });
  } catch (error) {
    throw failureOf(error, door.url);
  }
}

/** Keeps a token that was made in the app, if it works. */
async function keepToken(call: Call, door: Door): Promise<void> {
  const token = (await call.world.readSecret('Token: ')).trim();
  if (token === '') throw wrongUse('The token is read from the input.');
  const client = new ApiClient({ url: door.url, token, send: call.world.send });
  try {
    const { lists } = await client.listTasks({ limit: '1' });
    const id = lists[0]?.user_id ?? 0;
    call.session.store({ ...door, token, account: { id, email: '' } });
  } catch (error) {
    throw failureOf(error, door.url);
  }
}

const login: Command = {
  name: 'login',
  usage: '',
  summary: 'Sign in and keep a token for this machine.',
  details: [
    'The password, or the token, is asked for on a terminal and else read from the first line of the input; it is never part of',
    'the command line. The token is stored for your eyes only (mode 0600). POSTHASTE_URL and POSTHASTE_TOKEN go before it.',
  ],
  options: [
    { name: 'url', value: 'address', summary: 'the server: https://your.server' },
    { name: 'email', value: 'address', summary: 'the email address of the account' },
    { name: 'otp', value: 'code', summary: 'a one-time code, where the account asks for one' },
    { name: 'token', summary: 'keep a token that was made in the app, instead of a password' },
    { name: 'app', value: 'address', summary: 'where the app is, if not on the same host' },
  ],
  async run(call) {
    if (call.words.length > 0)
      throw wrongUse('A password or token is not said on the command line; it is asked for.');
    const door = doorOf(call);
    const email = call.option('email') ?? call.session.stored?.account.email;
    if (call.has('token')) await keepToken(call, door);
    else if (email) await signIn(call, door, email);
    else throw wrongUse('Say who you are: --email you@example.org, or --token for a token of the app.');
    const { account } = call.session.stored ?? { account: { id: 0, email: '' } };
    const who = account.email === '' ? '' : ` as ${account.email}`;
    call.show({ success: true, url: door.url, account }, `Signed in at ${door.url}${who}.`);
  },
};

const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'End the stored token, on the server and here.',
  options: [],
  async run(call) {
    const { stored } = call.session;
    if (stored === null) throw new Failure('access', 'Nobody is signed in here.');
    const client = new ApiClient({ url: stored.url, token: stored.token, send: call.world.send });
    let isEnded = true;
    try {
      await client.signOut();
    } catch (error) {
      const failure = failureOf(error, stored.url);
      // A token that is not good any more has ended.
      isEnded = failure.kind === 'access';
      if (!isEnded) call.world.warn(`${failure.message} The token is forgotten here; end it in the app.`);
    }
    call.session.forget();
    call.show({ success: true, is_ended: isEnded }, 'Signed out.');
  },
};

const status: Command = {
  name: 'status',
  usage: '',
  summary: 'Which server and account, where the token comes from, and what waits. Asks nobody.',
  options: [],
  run(call) {
    const { session, outbox, folder } = call;
    const { stored, url, token } = session;
    const source = token === null ? 'none' : session.isFromEnvironment ? 'POSTHASTE_TOKEN' : folder.path;
    const email = session.isFromEnvironment ? '' : (stored?.account.email ?? '');
    const waiting = outbox.all().length;
    call.show(
      {
        success: true,
        url,
        token: source,
        email,
        outbox: waiting,
        machine: `${hostname()} ${platform()} ${arch()}`,
      },
      [
        `server   ${url ?? 'none; sign in with: posthaste login'}`,
        ...(email === '' ? [] : [`account  ${email}`]),
        `token    ${token === null ? 'none' : `from ${source}`}`,
        `outbox   ${waiting === 0 ? 'empty' : `${waiting} to send`}`,
      ].join('\n'),
    );
    return Promise.resolve();
  },
};

export const accountCommands: readonly Command[] = [login, logout, status];
