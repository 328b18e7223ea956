// Signing in and out, and showing what the command line is connected to.
import { arch, hostname, platform } from 'node:os';
import { ApiClient } from '#wire/api/client.ts';
import { ApiError } from '#wire/api/client-core.ts';
import type { Call, Command } from '../command.ts';
import { Failure, failureOf, wrongUse } from '../failure.ts';
import { apiAddress, appAddress, hasKeyAt } from '../session.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

interface Addresses {
  readonly url: string;
  readonly app: string;
}

function addressesOf(call: Call): Addresses {
  const given = call.option('url') ?? call.world.environment['POSTHASTE_URL'] ?? call.session.stored?.url;
  if (!given) throw wrongUse('Which server? posthaste login --url https://your.server');
  const url = apiAddress(given);
  const { protocol, hostname: host } = new URL(url);
  if (protocol === 'http:' && !LOOPBACK.test(host))
    call.world.warn("This address isn't encrypted. Others on the network can read your password and token.");
  return { url, app: call.option('app')?.replace(/\/+$/, '') ?? appAddress(url) };
}

async function signIn(call: Call, server: Addresses, email: string): Promise<void> {
  const { world } = call;
  const client = new ApiClient({ url: server.url, send: world.send });
  const password = await world.readSecret('Password: ');
  const enter = async (otp?: string) =>
    client.signIn({ email, password, ...(otp === undefined ? {} : { otp }) });
  try {
    const { token, user } = await enter(call.option('otp')).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'otp_required') throw error;
      return enter((await world.readSecret('One-time code: ')).trim());
    });
    call.session.store({ ...server, token, account: { id: user.id, email: user.email } });
  } catch (error) {
    throw failureOf(error, server.url);
  }
}

/** Stores a token that was made in the app, if it works. */
async function keepToken(call: Call, server: Addresses): Promise<void> {
  const token = (await call.world.readSecret('Token: ')).trim();
  if (token === '') throw wrongUse('Reading the token from the input.');
  const client = new ApiClient({ url: server.url, token, send: call.world.send });
  try {
    const { lists } = await client.listTasks({ limit: '1' });
    const id = lists[0]?.user_id ?? 0;
    call.session.store({ ...server, token, account: { id, email: '' } });
  } catch (error) {
    throw failureOf(error, server.url);
  }
}

const login: Command = {
  name: 'login',
  usage: '',
  wordless: "Don't put a password or token on the command line. You'll be asked for it.",
  summary: 'Sign in and save a token on this machine.',
  details: [
    "On a terminal, you're asked for the password or token. Otherwise it's the first line of the input, never part of",
    'the command line. Only you can read the saved token (mode 0600). POSTHASTE_URL and POSTHASTE_TOKEN override it.',
  ],
  options: [
    { name: 'url', value: 'address', summary: 'the server: https://your.server' },
    { name: 'email', value: 'address', summary: 'the email address of the account' },
    { name: 'otp', value: 'code', summary: 'a one-time code, if the account uses them' },
    { name: 'token', summary: 'use a token from the app instead of a password' },
    { name: 'app', value: 'address', summary: "where the app is, if it's not on the same host" },
  ],
  async run(call) {
    const server = addressesOf(call);
    const email = call.option('email') ?? call.session.stored?.account.email;
    if (call.has('token')) await keepToken(call, server);
    else if (email) await signIn(call, server, email);
    else throw wrongUse('Add --email you@example.org, or --token for a token from the app.');
    const { account } = call.session.stored ?? { account: { id: 0, email: '' } };
    const who = account.email === '' ? '' : ` as ${account.email}`;
    call.show({ success: true, url: server.url, account }, `Signed in at ${server.url}${who}.`);
  },
};

const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'Revoke the saved token on the server and delete it here, with the key of an encrypted account.',
  options: [],
  async run(call) {
    const { stored } = call.session;
    if (stored === null) throw new Failure('access', "You're not signed in.");
    const client = new ApiClient({ url: stored.url, token: stored.token, send: call.world.send });
    // What was read with a key goes with the token: the next one at this machine may be somebody else.
    if (hasKeyAt(call.folder, stored.url)) {
      const { forgetAt } = await import('../copy/key-work.ts');
      await forgetAt(call, { url: stored.url, token: stored.token, send: call.world.send });
    }
    let isEnded = true;
    try {
      await client.signOut();
    } catch (error) {
      const failure = failureOf(error, stored.url);
      // A token that is no longer valid has already ended.
      isEnded = failure.kind === 'access';
      if (!isEnded) call.world.warn(`${failure.message} The token is deleted here. Revoke it in the app.`);
    }
    call.session.forget();
    call.show({ success: true, is_ended: isEnded }, 'Signed out.');
  },
};

const status: Command = {
  name: 'status',
  usage: '',
  summary: "Show the server, the account, where the token comes from, and what's waiting. Works offline.",
  options: [],
  run(call) {
    const { session, outbox, folder } = call;
    const { stored, url, token } = session;
    const source = token === null ? 'none' : session.isFromEnvironment ? 'POSTHASTE_TOKEN' : folder.path;
    const email = session.isFromEnvironment ? '' : (stored?.account.email ?? '');
    const waiting = outbox.due().length;
    const refused = outbox.all().filter((each) => each.problem !== null && outbox.isOurs(each)).length;
    const hasKey = url !== null && hasKeyAt(folder, url);
    const kept = [
      ...(waiting === 0 ? [] : [`${waiting} to send`]),
      ...(refused === 0 ? [] : [`${refused} refused (see: posthaste outbox)`]),
    ];
    call.show(
      {
        success: true,
        url,
        token: source,
        email,
        has_key: hasKey,
        outbox: waiting,
        refused,
        machine: `${hostname()} ${platform()} ${arch()}`,
      },
      [
        `server   ${url ?? 'none. Sign in with: posthaste login'}`,
        ...(email === '' ? [] : [`account  ${email}`]),
        `token    ${token === null ? 'none' : `from ${source}`}`,
        ...(hasKey ? ['key      on this machine'] : []),
        `outbox   ${kept.join(', ') || 'empty'}`,
      ].join('\n'),
    );
    return Promise.resolve();
  },
};

/** The commands login, logout and status. */
export const accountCommands: readonly Command[] = [login, logout, status];
