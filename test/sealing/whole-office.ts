// A whole server as the devices of one account see it: in this process, without a port.
import type { Id } from '#core/ids.ts';
import { createTestServer, type TestServer } from '../api/harness.ts';
import { AskedOffice } from './asked-office.ts';

/** The office of one account. */
export class WholeOffice extends AskedOffice {
  readonly server: TestServer;
  readonly #cookie: string;
  #token: string | null = null;
  /** How many of the next requests get no answer although they are done. */
  lost = 0;

  private constructor(server: TestServer, of: { cookie: string; account: number; personalScope: string }) {
    const { account, personalScope, cookie } = of;
    super({
      account,
      scope: personalScope as Id,
      ask: async (path, body) => {
        const asked = body === undefined ? { cookie } : { cookie, body, method: 'POST' };
        const response = await server.ask(path, asked);
        const answer = { status: response.status, body: (await response.json()) as unknown };
        if (this.lost === 0) return answer;
        this.lost -= 1;
        return null;
      },
    });
    this.server = server;
    this.#cookie = cookie;
  }

  static async open(): Promise<WholeOffice> {
    const server = await createTestServer();
    return new WholeOffice(server, await server.signUp('ida@example.org'));
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** What a program of the person asks of the public API. */
  async program(method: string, path: string, body: unknown): Promise<Readonly<Record<string, unknown>>> {
    if (this.#token === null) {
      const asked = { cookie: this.#cookie, method: 'POST', body: { name: 'p', access: 'write' } };
      const made = (await (await this.server.ask('/app/api/tokens', asked)).json()) as { token: string };
      this.#token = made.token;
    }
    const response = await this.server.ask(path, { method, bearer: this.#token, body });
    return { status: response.status, ...((await response.json()) as object) };
  }
}
