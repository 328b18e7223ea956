// The command line beside a server without a port: a folder of its own, a clock that stands, what is printed as text.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdSource } from '#core/ids.ts';
import { runCommandLine } from '#cli/run.ts';
import { askLine } from '#cli/running-app.ts';
import type { World } from '#cli/world.ts';
import { enterApi, type ApiUser } from '../api/api-world.ts';
import { createTestServer } from '../api/harness.ts';
import { SeededRandom } from '../simulator/random.ts';

export const SERVER = 'https://tasks.example';

export interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Desk {
  readonly user: ApiUser;
  /** The configuration of posthaste. */
  readonly home: string;
  /** Where commands are run. */
  readonly folder: string;
  /** Requests that were sent: "POST /api/tasks". */
  readonly requests: readonly string[];
  /** Addresses and files that programs were started with. */
  readonly launched: readonly (readonly string[])[];
  environment: Record<string, string>;
  /** Gone: no request arrives. 'deaf': it arrives, and the answer is lost. */
  network: 'here' | 'gone' | 'deaf';
  /** Requests whose answers are lost; null: none. */
  deafTo: RegExp | null;
  /** Where the desktop app listens; null: none runs. */
  socket: string | null;
  /** Changes what the server answers, by the path of the request; null: nothing. */
  alter: ((path: string, body: Record<string, unknown>) => void) | null;
  /** What a started program does. */
  onLaunch: (words: readonly string[]) => number;
  input: string | Uint8Array;
  /** Somebody is at the terminal; `input` is what they type. */
  canAsk: boolean;
  /** Called while a command waits. */
  onPause: () => Promise<void>;
  run(...words: string[]): Promise<Result>;
  /** Has to end well; what was printed. */
  good(...words: string[]): Promise<string>;
  json<T = Record<string, unknown>>(...words: string[]): Promise<T>;
  close(): Promise<void>;
}

/** Signed in by the environment. `limits`: as the server counts them by itself. */
export async function createDesk(options: { readonly limits?: boolean } = {}): Promise<Desk> {
  const server = await createTestServer(options.limits ? { environment: { RATE_LIMITS: 'default' } } : {});
  const user = await enterApi(server);
  const folder = mkdtempSync(join(tmpdir(), 'posthaste-cli-'));
  const home = join(folder, 'config');
  const random = new SeededRandom(7);
  const requests: string[] = [];
  const launched: (readonly string[])[] = [];
  const printed: string[] = [];
  const warned: string[] = [];
  const newId = createIdSource({
    now: () => server.clock.now(),
    random: (bytes) => bytes.forEach((_, at) => (bytes[at] = random.below(256))),
  });

  const send: World['send'] = async (url, { method, headers, body }) => {
    const path = url.replace(SERVER, '');
    if (desk.network === 'gone')
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    requests.push(`${method} ${path}`);
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await server.services.app.request(path, init);
    if (desk.network === 'deaf' || desk.deafTo?.test(path) === true)
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
    if (desk.alter === null || response.status !== 200) return response;
    const said = (await response.json()) as Record<string, unknown>;
    desk.alter(path, said);
    return new Response(JSON.stringify(said), { status: 200, headers: response.headers });
  };

  const desk: Desk = {
    user,
    home,
    folder,
    requests,
    launched,
    environment: { POSTHASTE_URL: SERVER, POSTHASTE_TOKEN: user.token },
    network: 'here',
    deafTo: null,
    socket: null,
    alter: null,
    onLaunch: () => 0,
    input: '',
    canAsk: false,
    onPause: () => Promise.resolve(),
    async run(...words) {
      printed.length = 0;
      warned.length = 0;
      const world: World = {
        version: '1.2.3',
        environment: { HOME: folder, POSTHASTE_HOME: home, ...desk.environment },
        folder,
        isTerminal: false,
        now: () => server.clock.now(),
        zone: 'Europe/Paris',
        locale: 'en-GB',
        newId,
        print: (text) => void printed.push(text),
        warn: (text) => void warned.push(text),
        readInput: () =>
          Promise.resolve(typeof desk.input === 'string' ? Buffer.from(desk.input) : desk.input),
        readSecret: () => {
          const [line = '', ...rest] = Buffer.from(desk.input).toString().split('\n');
          desk.input = rest.join('\n');
          return Promise.resolve(line);
        },
        canAsk: desk.canAsk,
        readLine: (question) => {
          warned.push(question);
          const [line = '', ...rest] = Buffer.from(desk.input).toString().split('\n');
          desk.input = rest.join('\n');
          return Promise.resolve(line);
        },
        send,
        askApp: (line, patienceMs) =>
          desk.socket === null ? Promise.resolve(null) : askLine(desk.socket, line, patienceMs),
        pause(ms) {
          server.clock.pass(ms);
          return desk.onPause();
        },
        launch(program, given) {
          launched.push([program, ...given]);
          return Promise.resolve(desk.onLaunch(given));
        },
      };
      const code = await runCommandLine(words, world);
      return { code, out: printed.join('\n'), err: warned.join('\n') };
    },
    async good(...words) {
      const { code, out, err } = await desk.run(...words);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${err}`);
      return out;
    },
    async json<T>(...words: string[]) {
      return JSON.parse(await desk.good(...words, '--json')) as T;
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
  return desk;
}
