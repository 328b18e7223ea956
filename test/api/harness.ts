// A whole server without a port: a database in memory, a clock that stands until told to move, and requests as values.
// Passwords are hashed with the smallest figures, so that tests spend their time on something else.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '#server/data/database.ts';
import { createSealing, createServerKey } from '#server/accounts/sealing.ts';
import type { HashParameters } from '#server/accounts/password-hash.ts';
import type { Backups } from '#server/care/backups.ts';
import type { DiskWatch } from '#server/care/disk-watch.ts';
import { createMemoryLedger, type Ledger } from '#server/care/ledger.ts';
import { createRoom } from '#server/care/room.ts';
import { readConfig, type Config } from '#server/config.ts';
import { openBlobs } from '#server/files/blobs.ts';
import { openSpool, type Spool } from '#server/mail/spool.ts';
import { createMemoryPost, type Letter } from '#server/mail/post.ts';
import { createBus, type Bus } from '#server/live/bus.ts';
import { createLogger } from '#server/observe/log.ts';
import { createServices, type Services } from '#server/services.ts';

export const weakHash: HashParameters = { memory: 64, passes: 1, parallelism: 1 };
export const GOOD_PASSWORD = 'violet anchor under moss';
export const ORIGIN = 'http://localhost';

export interface ManualClock {
  now(): number;
  monotonic(): number;
  pass(ms: number): void;
  setWall(now: number): void;
}

export function createManualClock(start = Date.UTC(2026, 10, 20, 12)): ManualClock {
  let wall = start;
  let monotonic = 1_000;
  return {
    now: () => wall,
    monotonic: () => monotonic,
    pass(ms) {
      wall += ms;
      monotonic += ms;
    },
    setWall(now) {
      wall = now;
    },
  };
}

export interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: BodyInit;
  readonly cookie?: string;
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of the connection. */
  readonly address?: string;
}

export interface TestServer {
  readonly services: Services;
  readonly database: Database;
  readonly clock: ManualClock;
  readonly bus: Bus;
  /** Mail that was sent. */
  readonly letters: readonly Letter[];
  /** Folder of attached files. */
  readonly files: string;
  readonly ledger: Ledger;
  /** Where mail waits that came in; null: none does. */
  readonly spool: Spool | null;
  readonly logged: readonly string[];
  /** A request as a page of the app would send it. */
  ask(path: string, ask?: Ask): Promise<Response>;
  /** A new account; answers its cookie, `name=value`. */
  signUp(
    email: string,
  ): Promise<{ readonly cookie: string; readonly account: number; readonly personalScope: string }>;
  close(): Promise<void>;
}

export function testConfig(environment: Readonly<Record<string, string>> = {}): Config {
  const result = readConfig({ RATE_LIMITS: 'off', ...environment });
  if (!result.ok) throw new Error(result.problem.join(' '));
  return result.value;
}

/** `name=value` of a Set-Cookie header; empty when there is none. */
export function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

export async function createTestServer(
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly appFolder?: string;
    readonly siteFolder?: string;
    readonly disk?: DiskWatch;
    readonly pushCa?: string;
    readonly calendarPatience?: NonNullable<Parameters<typeof createServices>[0]['calendarPatience']>;
    readonly backups?: Backups;
    /** Absent: SQLite in memory. */
    readonly open?: () => Promise<Database>;
  } = {},
): Promise<TestServer> {
  const database = await (options.open?.() ?? openDatabase({ dataDir: ':memory:' }));
  const clock = createManualClock();
  const bus = createBus();
  const post = createMemoryPost();
  const files = await mkdtemp(join(tmpdir(), 'posthaste-files-'));
  const logged: string[] = [];
  const generations = await database.store.openGeneration(randomUUID(), clock.now());
  const ledger = createMemoryLedger();
  const config = testConfig(options.environment);
  const spool = config.mailDomain === null ? null : await openSpool(join(files, 'mail'));
  const log = createLogger({ level: 'debug', clock, write: (line) => void logged.push(line) });
  const services = createServices({
    config,
    spool,
    database,
    generations,
    ledger,
    disk: options.disk ?? null,
    ...(options.pushCa === undefined ? {} : { pushCa: options.pushCa }),
    ...(options.calendarPatience === undefined ? {} : { calendarPatience: options.calendarPatience }),
    room: createRoom({ ballast: null, database, clock, log }),
    backups: options.backups ?? null,
    clock,
    bus,
    post,
    blobs: openBlobs(files, null),
    sealing: createSealing(createServerKey()),
    log,
    hashParameters: weakHash,
    appFolder: options.appFolder ?? '/nowhere',
    siteFolder: options.siteFolder ?? '/nowhere',
  });

  async function ask(path: string, wanted: Ask = {}): Promise<Response> {
    const { method = 'GET', body, raw, cookie, bearer, headers, address = '127.0.0.1' } = wanted;
    const init: RequestInit = {
      method,
      headers: {
        ...(method === 'GET' || method === 'HEAD' ? {} : { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }),
        ...(body === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === undefined ? {} : { cookie }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(raw === undefined ? (body === undefined ? {} : { body: JSON.stringify(body) }) : { body: raw }),
    };
    return services.app.request(path, init, { incoming: { socket: { remoteAddress: address } } });
  }

  return {
    services,
    database,
    clock,
    bus,
    letters: post.letters,
    files,
    ledger,
    spool,
    logged,
    ask,
    async signUp(email) {
      const response = await ask('/app/api/sign_up', {
        method: 'POST',
        body: { email, password: GOOD_PASSWORD },
      });
      if (response.status !== 200)
        throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
      const { account, personalScope } = (await response.json()) as {
        account: number;
        personalScope: string;
      };
      return { cookie: cookieOf(response), account, personalScope };
    },
    async close() {
      services.publicLinks.streams.close();
      await services.mailIn?.stop();
      await services.calendars.polling.stop();
      await services.exchange.idle();
      await services.desk.background.idle();
      await bus.close();
      await database.close();
      await rm(files, { recursive: true, force: true });
    },
  };
}
