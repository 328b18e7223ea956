// A whole server as the devices of one account see it: its routes by their addresses, without a port.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Transport } from '#sync/replica/ports.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import type { SealingFailure, SealingServer } from '#sync/sealing/ports.ts';
import { reencodedSchema, sealingLeftSchema, sealingSchema } from '#wire/sealing.ts';
import { partPageSchema, syncResponseSchema } from '#wire/sync.ts';
import { createTestServer, type TestServer } from '../api/harness.ts';
import type { Office } from './sealed-device.ts';

interface Schema<T> {
  parse(value: unknown): T;
}

const TYPES: Readonly<Record<string, SealingFailure['type']>> = {
  confirm_first: 'unconfirmed',
  moved: 'moved',
  unfinished: 'unfinished',
};

/** The office of one account. */
export class WholeOffice implements Office {
  readonly server: TestServer;
  readonly account: number;
  readonly scope: Id;
  readonly #cookie: string;
  #token: string | null = null;
  /** How many of the next requests get no answer although they are done. */
  lost = 0;

  private constructor(server: TestServer, of: { cookie: string; account: number; personalScope: string }) {
    this.server = server;
    this.account = of.account;
    this.scope = of.personalScope as Id;
    this.#cookie = of.cookie;
  }

  static async open(): Promise<WholeOffice> {
    const server = await createTestServer();
    return new WholeOffice(server, await server.signUp('ida@example.org'));
  }

  close(): Promise<void> {
    return this.server.close();
  }

  async #ask(
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown } | null> {
    const cookie = this.#cookie;
    const response = await this.server.ask(
      path,
      body === undefined ? { cookie } : { cookie, body, method: 'POST' },
    );
    const answer = { status: response.status, body: (await response.json()) as unknown };
    if (this.lost === 0) return answer;
    this.lost -= 1;
    return null;
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

  async #about<T>(schema: Schema<T>, path: string, body?: unknown): Promise<Result<T, SealingFailure>> {
    const answer = await this.#ask(`/sealing/v1${path}`, body);
    if (answer === null) return failed({ type: 'offline', message: 'No answer.' });
    if (answer.status === 200) return ok(schema.parse(answer.body));
    const { code } = answer.body as { readonly code: string };
    return failed({ type: TYPES[code] ?? 'refused', message: code });
  }

  readonly routes: SealingServer = {
    read: () => this.#about(sealingSchema, ''),
    step: (step) => this.#about(sealingSchema, '/step', step),
    changeWraps: (change) => this.#about(sealingSchema, '/wraps', change),
    tell: (directory) => this.#about(sealingSchema, '/directory', { directory }),
    left: (after, limit) =>
      this.#about(sealingLeftSchema, `/left?limit=${limit}${after === null ? '' : `&after=${after}`}`),
    reencode: (request) => this.#about(reencodedSchema, '/reencode', request),
  };

  transport(): Transport {
    return {
      sync: async (request) => {
        const answer = await this.#ask('/sync/v1', request);
        if (answer === null) return failed({ type: 'offline' });
        if (answer.status === 200) return ok(syncResponseSchema.parse(answer.body));
        throw new Error(`The server answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      },
      snapshot: async (scope, { part, after }) => {
        const place = `?part=${part}${after === null ? '' : `&after=${after}`}`;
        const answer = await this.#ask(`/snapshot/v1/${scope}${place}`);
        return answer?.status === 200
          ? ok(partFromWire(partPageSchema.parse(answer.body)))
          : failed({ type: 'offline' });
      },
      listen: () => () => undefined,
    };
  }
}
