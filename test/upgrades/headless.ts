// Devices without a browser: an engine of any version, its network over the server's real HTTP door with the session of
// one account, its disk in memory or wherever the caller says. Everything the server answers is read strictly.
import { registerChecks } from '#wire/registers.ts';
import type { Id } from '#core/ids.ts';
import type {
  Clock,
  DeviceStorage,
  PartPage,
  Random,
  Timers,
  Transport,
  TransportAnswer,
  TransportFailure,
} from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { SnapshotPlace, SyncResponse } from '#wire/sync.ts';
import type { Client } from './protocol-client.ts';

export const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

export const random: Random = {
  fill(bytes) {
    bytes.set(crypto.getRandomValues(new Uint8Array(bytes.length)));
  },
  fraction: () => 0.5,
};

export const timers: Timers = {
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

export interface Session {
  readonly url: string;
  /** `name=value`. */
  readonly cookie: string;
}

export interface Network {
  readonly transport: Transport;
  /** Nothing goes out or comes in while this is true. */
  isCut: boolean;
  /** Everything the client could not have read: must stay empty. */
  readonly unreadable: string[];
  /** Codes of refusals, in their order. */
  readonly refusals: string[];
}

/** How a device tells its server who it is. */
export async function call(session: Session, path: string, body?: unknown): Promise<Response> {
  return fetch(session.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { origin: session.url, cookie: session.cookie, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export interface Entered extends Session {
  readonly account: number;
  readonly personalScope: Id;
}

export async function enter(
  url: string,
  way: 'sign_up' | 'sign_in',
  credentials: { readonly email: string; readonly password: string },
): Promise<Entered> {
  const response = await call({ url, cookie: '' }, `/app/api/${way}`, credentials);
  if (response.status !== 200) throw new Error(`${way} answered ${response.status}`);
  const { account, personalScope } = (await response.json()) as { account: number; personalScope: Id };
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { url, cookie, account, personalScope };
}

/** The clients of older fixtures read the problem as `failure`. */
const noAnswer = (problem: TransportFailure) => ({ ok: false, problem, failure: problem }) as const;

/** `request` may alter what is sent, as a device of another version would. */
export function createNetwork(
  session: Session,
  client: Client,
  request: (body: object) => object = (body) => body,
): Network {
  const unreadable: string[] = [];
  const refusals: string[] = [];

  async function ask<T>(
    path: string,
    body: object | undefined,
    schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } },
  ): Promise<TransportAnswer<T>> {
    if (network.isCut) return noAnswer({ type: 'offline' });
    const response = await call(session, path, body).catch(() => null);
    if (network.isCut || response === null) return noAnswer({ type: 'offline' });
    const json = (await response.json()) as { code?: string };
    if (response.status === 401) return noAnswer({ type: 'signedOut' });
    if (response.status !== 200) {
      const code = json.code ?? '';
      refusals.push(code);
      if (!client.syncErrorCodes.includes(code) || code === 'busy')
        return noAnswer({ type: 'busy', retryAfterMs: 50 });
      return noAnswer({ type: 'refused', code: code as 'invalid', message: code });
    }
    const parsed = schema.safeParse(json);
    if (parsed.success) return { ok: true, value: parsed.data };
    unreadable.push(`${path}: ${parsed.error.message}`);
    return noAnswer({ type: 'busy', retryAfterMs: 50 });
  }

  async function partOf(scope: Id, { part, after }: SnapshotPlace): Promise<TransportAnswer<PartPage>> {
    const path = `/snapshot/v1/${scope}?part=${part}${after === null ? '' : `&after=${after}`}`;
    const page = await ask(path, undefined, client.partPageSchema);
    return page.ok ? { ok: true, value: client.partFromWire(page.value) } : page;
  }

  /** As devices of before the parts read, in id order: they name the last id they hold, and get the same. */
  async function snapshotOf(scope: Id, after: Id | null): Promise<TransportAnswer<PartPage>> {
    const path = `/snapshot/v1/${scope}${after === null ? '' : `?after=${after}`}`;
    const page = await ask(path, undefined, client.snapshotPageSchema);
    if (!page.ok) return page;
    const { rows, next } = page.value;
    const value = { rows: rows.map((row) => client.rowFromWire(row, scope)), next };
    return { ok: true, value: value as unknown as PartPage };
  }

  const network: Network = {
    isCut: false,
    unreadable,
    refusals,
    transport: {
      sync: (body) => ask<SyncResponse>('/sync/v1', request(body), client.syncResponseSchema),
      snapshot: (scope, place: SnapshotPlace | Id | null) =>
        typeof place === 'string' || place === null ? snapshotOf(scope, place) : partOf(scope, place),
      // Pokes only shorten the delay; the tests ask when they want news.
      listen: () => () => undefined,
    },
  };
  return network;
}

export interface DeviceOptions {
  readonly client: Client;
  readonly storage: DeviceStorage;
  readonly transport: Transport | null;
  readonly scope: Id;
  readonly account: number;
}

export async function openDevice(options: DeviceOptions): Promise<Engine> {
  const { client, storage, transport, scope, account } = options;
  const engine = client.createEngine(
    { storage, transport, clock, timers, random, checks: registerChecks },
    { scope, account },
  );
  await engine.open();
  await engine.loaded();
  return engine;
}

const PATIENCE_MS = 10_000;

/** Resolves when the state has this type; rejects with what it was instead. */
export async function reached(engine: Engine, type: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (engine.state.get().type !== type) {
    if (performance.now() > until) throw new Error(`${JSON.stringify(engine.state.get())}, not ${type}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Asks for news, and resolves when everything made here and there has been exchanged. */
export async function exchanged(engine: Engine): Promise<void> {
  // The first answer may be that of a question asked before: of two, one after the other, the second is of now.
  for (let answers = 0; answers < 2; answers += 1) await answered(engine);
  await reached(engine, 'synced');
  await engine.flushed();
}

async function answered(engine: Engine): Promise<void> {
  await engine.flushed();
  const heard = engine.facts().heardAt ?? 0;
  // Two answers within one millisecond could not be told apart.
  await new Promise((resolve) => setTimeout(resolve, 2));
  engine.nudge();
  const until = performance.now() + PATIENCE_MS;
  while ((engine.facts().heardAt ?? 0) <= heard) {
    if (performance.now() > until) throw new Error(`No answer: ${JSON.stringify(engine.state.get())}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
