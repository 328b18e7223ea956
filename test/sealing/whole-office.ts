// A whole server as the devices of one account see it: in this process, without a port.
import type { Id } from '#core/ids.ts';
import type { Database } from '#server/data/database.ts';
import { createTestServer, GOOD_PASSWORD, type TestServer } from '../api/harness.ts';
import { AskedOffice } from './asked-office.ts';
import type { ContentOffice } from './contents.ts';

/** Servers that are being closed. */
const ending = new WeakSet<TestServer>();

/** The office of one account. */
export class WholeOffice extends AskedOffice {
  readonly server: TestServer;
  readonly #cookie: string;
  #token: string | null = null;
  /** Bodies of what devices have asked. */
  readonly asked: string[] = [];
  /** Requests of devices as they were answered: "POST /sealing/v1/step 200". */
  readonly answered: string[] = [];
  /** How many of the next requests get no answer although they are done. */
  lost = 0;

  private constructor(server: TestServer, of: { cookie: string; account: number; personalScope: string }) {
    const { account, personalScope, cookie } = of;
    super({
      account,
      scope: personalScope as Id,
      ask: async (path, body) => {
        if (body !== undefined) this.asked.push(JSON.stringify(body));
        const asked = body === undefined ? { cookie } : { cookie, body, method: 'POST' };
        const response = await server.ask(path, asked);
        this.answered.push(`${body === undefined ? 'GET' : 'POST'} ${path} ${response.status}`);
        const answer = { status: response.status, body: (await response.json()) as unknown };
        // What a server answers while it ends is for nobody.
        if (ending.has(server)) return null;
        if (this.lost === 0) return answer;
        this.lost -= 1;
        return null;
      },
    });
    this.server = server;
    this.#cookie = cookie;
  }

  static async open(database?: () => Promise<Database>): Promise<WholeOffice> {
    const server = await createTestServer(database === undefined ? {} : { open: database });
    return new WholeOffice(server, await server.signUp('ida@example.org'));
  }

  /** Somebody else on the same server. */
  async neighbour(email: string): Promise<WholeOffice> {
    return new WholeOffice(this.server, await this.server.signUp(email));
  }

  /** As this person is known to calls of other routes. */
  get session() {
    return { cookie: this.#cookie, account: this.account, personalScope: this.scope };
  }

  /** The person shows once more who they are. */
  async confirm(): Promise<void> {
    const body = { password: GOOD_PASSWORD };
    await this.server.ask('/app/api/confirm', { method: 'POST', cookie: this.#cookie, body });
  }

  close(): Promise<void> {
    ending.add(this.server);
    return this.server.close();
  }

  /** How many of the next contents that are sent arrive, and get no answer. */
  lostFiles = 0;
  /** What was sent as a content, taken or not. */
  readonly sentFiles: Uint8Array[] = [];

  readonly contents: ContentOffice = {
    fetchFile: async (scope, attachment) => {
      const response = await this.server.ask(`/app/api/files/${scope}/${attachment}`, {
        cookie: this.#cookie,
      });
      if (!response.ok) return 'missing';
      // It may be forgotten while it is read: for a browser the connection is cut.
      return await response.arrayBuffer().then(
        (content) => new Uint8Array(content),
        () => 'offline',
      );
    },
    sendFile: async (scope, hash, content) => {
      this.sentFiles.push(content);
      const response = await this.upload(scope, hash, content);
      if (this.lostFiles > 0) {
        this.lostFiles -= 1;
        return 'offline';
      }
      return response.ok ? 'sent' : response.status === 409 ? 'offline' : 'refused';
    },
  };

  /** What the server answers the person's browser. */
  browse(path: string, body?: unknown): Promise<Response> {
    const cookie = this.#cookie;
    return this.server.ask(path, body === undefined ? { cookie } : { cookie, method: 'POST', body });
  }

  /** Uploads a content as it is. */
  upload(scope: Id, hash: string, content: Uint8Array): Promise<Response> {
    return this.server.ask(`/app/api/files/${scope}/${hash}`, {
      method: 'POST',
      cookie: this.#cookie,
      raw: new Uint8Array(content),
      headers: { 'content-type': 'application/octet-stream' },
    });
  }

  /** What a program of the person asks of the public API. */
  async program(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
    if (this.#token === null) {
      const asked = { cookie: this.#cookie, method: 'POST', body: { name: 'p', access: 'write' } };
      const made = (await (await this.server.ask('/app/api/tokens', asked)).json()) as { token: string };
      this.#token = made.token;
    }
    const response = await this.server.ask(path, { method, bearer: this.#token, body });
    return { status: response.status, ...((await response.json()) as object) };
  }
}
