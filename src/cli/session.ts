// The server and account commands talk to, from the environment or from what `posthaste login` stored; and the calls
// themselves, with failures that people understand.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ApiClient } from '#wire/api/client.ts';
import type { ApiRequest, ApiResponse } from '#wire/api/client-core.ts';
import type { CopyCalls } from './copy/calls.ts';
import type { Line } from './copy/network.ts';
import { Failure, failureOf, wrongUse } from './failure.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { World } from './world.ts';

const FILE = 'credentials.json';
const LONGEST_WAIT_MS = 120_000;
/** What sends or asks for very much waits as long as the server says, up to this. */
const LONGEST_WAIT_OF_LARGE_MS = 3_600_000;
/** Hosts of this machine, where plain HTTP is safe. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/;

const credentialsSchema = z.object({
  url: z.string(),
  app: z.string(),
  token: z.string(),
  account: z.object({ id: z.int(), email: z.string() }),
});
export type Credentials = z.infer<typeof credentialsSchema>;

/** Where keys of encrypted accounts are (copy/key-file.ts). */
const KEYS = 'keys';

/** Whether the key of an encrypted account at a server is on this machine. */
export const hasKeyAt = (folder: PrivateFolder, url: string): boolean =>
  folder
    .names(KEYS)
    .some((name) => folder.read(join(KEYS, name), z.object({ url: z.string() }))?.url === url);

/** Something is encrypted, as the API says it. */
const ENCRYPTED = /"encrypted":true|"code":"encrypted"/;

const NO_LIST_KEY =
  'A shared list is encrypted, and its key hasn’t come to this account. Open the list in the app, or ask somebody in it to let you in.';

/** Tells tokens apart without revealing them. */
export const markOf = (token: string) => createHash('sha256').update(token).digest('hex').slice(0, 16);

/** The address of the API: `/api` is added to a bare host. */
export function apiAddress(text: string): string {
  const scheme = LOOPBACK.test(text) ? 'http' : 'https';
  const url = URL.parse(/^[a-z][a-z+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`);
  if (!url || !/^https?:$/.test(url.protocol)) throw wrongUse(`“${text}” isn't a server address.`);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/api' : path}`;
}

/** Where the app is when nothing else was said: at the origin of the API. */
export const appAddress = (api: string) => new URL(api).origin;

/** The signed-in person and their server; every call to it goes through here. */
export class Session {
  readonly #world: World;
  readonly #folder: PrivateFolder;
  /** The calls of an encrypted account whose key is here, once they were asked for. */
  #calls: { readonly of: string; readonly opened: Promise<CopyCalls | null> } | null = null;
  /** Something was answered that is encrypted. */
  #isHidden = false;
  /** Of a shared list something is locked although the key of the account is here. */
  #isListLocked = false;
  /** What to do about it, once the server was asked. */
  #hint: Promise<string | null> | null = null;

  constructor(world: World, folder: PrivateFolder) {
    this.#world = world;
    this.#folder = folder;
  }

  /** What `login` stored. */
  get stored(): Credentials | null {
    return this.#folder.read(FILE, credentialsSchema);
  }

  store(credentials: Credentials): void {
    this.#folder.write(FILE, credentials);
  }

  forget(): void {
    this.#folder.remove(FILE);
  }

  get #environment() {
    const { POSTHASTE_URL: url, POSTHASTE_TOKEN: token } = this.#world.environment;
    return { url: url || null, token: token || null };
  }

  /** Null: no server was named. */
  get url(): string | null {
    const { url } = this.#environment;
    return url === null ? (this.stored?.url ?? null) : apiAddress(url);
  }

  get appUrl(): string {
    const { stored, url } = this;
    if (url === null) throw this.#nobody();
    return stored?.url === url ? stored.app : appAddress(url);
  }

  /** Null: not signed in. A stored token is only used for the server it came from. */
  get token(): string | null {
    const { token } = this.#environment;
    if (token !== null) return token;
    const { stored, url } = this;
    return stored !== null && stored.url === url ? stored.token : null;
  }

  get isFromEnvironment(): boolean {
    return this.#environment.token !== null;
  }

  /** A label for the account that keeps its data apart, without revealing the token to readers of the file. */
  get account(): string {
    const { token, stored } = this;
    if (!this.isFromEnvironment && stored !== null) return `account ${stored.account.id}`;
    return `token ${markOf(token ?? '')}`;
  }

  #nobody(): Failure {
    return new Failure('access', 'Not signed in. Sign in with: posthaste login --url https://your.server');
  }

  client(): ApiClient {
    const { url, token } = this;
    if (url === null || token === null) throw this.#nobody();
    if (!this.isFromEnvironment && this.#folder.close(FILE))
      this.#world.warn('Others on this machine could read the saved token. Now only you can.');
    return new ApiClient({ url, token, send: (to, request) => this.#send({ url, token }, to, request) });
  }

  /** Where calls go, and a mark of the token that doesn't reveal it. Throws a Failure if nobody is signed in. */
  line(): { readonly line: Line; readonly mark: string } {
    const { url, token } = this;
    if (url === null || token === null) throw this.#nobody();
    return { line: { url, token, send: this.#world.send }, mark: markOf(token) };
  }

  /** What to do where an answer had something that is encrypted and can't be shown here; null: there was nothing. Asks the server. */
  async hint(): Promise<string | null> {
    if (this.#isListLocked) return NO_LIST_KEY;
    if (!this.#isHidden || this.token === null) return null;
    this.#hint ??= import('./copy/hint.ts').then(({ hintFor }) => hintFor(this.line().line));
    return this.#hint;
  }

  /** Forgets what was opened with a key: another one is there, or none. */
  async close(): Promise<void> {
    const calls = this.#calls;
    this.#calls = null;
    await (await calls?.opened)?.close();
  }

  #opened(to: Pick<Line, 'url' | 'token'>): Promise<CopyCalls | null> {
    const folder = this.#folder;
    if (folder.names(KEYS).length === 0) return Promise.resolve(null);
    const mark = markOf(to.token);
    const of = `${to.url} ${mark}`;
    if (this.#calls?.of !== of) {
      const ports = { world: this.#world, line: { ...to, send: this.#world.send }, mark, folder };
      // Loaded where there is a key: everybody else waits for none of it.
      const opened = import('./copy/opening.ts').then(({ openCalls }) => openCalls(ports));
      this.#calls = { of, opened };
      opened.catch(() => (this.#calls = null));
    }
    return this.#calls.opened;
  }

  /** Sends a call: to the account's copy where its key is here, and to the server. */
  async #send(to: Pick<Line, 'url' | 'token'>, address: string, request: ApiRequest): Promise<ApiResponse> {
    const calls = await this.#opened(to);
    const answered = await calls?.answer(new URL(address), to.url, request);
    if (answered) {
      this.#isListLocked ||= calls?.hasLockedLists === true && ENCRYPTED.test(await answered.text());
      return answered;
    }
    const response = await this.#world.send(address, request);
    const text = await response.text();
    if (calls === null && ENCRYPTED.test(text)) this.#isHidden = true;
    return { status: response.status, headers: response.headers, text: () => Promise.resolve(text) };
  }

  /** Rejects with a Failure. */
  async ask<T>(work: (client: ApiClient) => Promise<T>): Promise<T> {
    const client = this.client();
    try {
      return await work(client);
    } catch (error) {
      throw failureOf(error, this.url ?? '');
    }
  }

  /** As `ask`; waits when the server is over a limit and says to come back soon. */
  askPatiently<T>(work: (client: ApiClient) => Promise<T>): Promise<T> {
    return this.#askWaiting(work, LONGEST_WAIT_MS);
  }

  /** As `askPatiently`, for one of very many calls: waits as long as the server says. */
  askAtLength<T>(work: (client: ApiClient) => Promise<T>): Promise<T> {
    return this.#askWaiting(work, LONGEST_WAIT_OF_LARGE_MS);
  }

  async #askWaiting<T>(work: (client: ApiClient) => Promise<T>, longestMs: number): Promise<T> {
    for (;;) {
      try {
        return await this.ask(work);
      } catch (error) {
        const wait = error instanceof Failure ? error.retryMs : null;
        if (wait === null || wait > longestMs) throw error;
        this.#world.warn(`Waiting ${Math.ceil(wait / 1_000)} s, as the server asked.`);
        await this.#world.pause(wait);
      }
    }
  }
}
