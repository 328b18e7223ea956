// The people of the crowd, in a process of their own: accounts, open sockets, pushes at a given rate, and everybody coming
// back at once. Told what to do by crowd.ts, one job at a time; answers with figures.
import { createIdSource } from '#core/ids.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { distributionOf, type Distribution } from '../statistics.ts';
import type { BenchAccount } from './account.ts';
import { PushingDevice } from './device.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { runOpen } from './load.ts';

export type Job =
  /** `urls`: of all servers; sockets and devices are spread over them. */
  | { readonly job: 'begin'; readonly urls: readonly string[]; readonly accounts: readonly BenchAccount[] }
  /** Opens so many sockets. */
  | { readonly job: 'sockets'; readonly count: number }
  /** How many of them are open. */
  | { readonly job: 'count' }
  /** Makes so many devices that have synchronised once. */
  | { readonly job: 'join'; readonly clients: number }
  | { readonly job: 'push'; readonly operationsPerSecond: number; readonly seconds: number }
  /** As `push`; what counts is when each socket of the account hears of it. Sockets that break are opened again. */
  | { readonly job: 'fan out'; readonly operationsPerSecond: number; readonly seconds: number }
  | { readonly job: 'storm'; readonly operations: number };

export interface Report {
  readonly ms: number;
  readonly count: number;
  readonly latency?: Distribution;
  /** From the first socket that broke until all were open again. */
  readonly backMs?: number;
  /** Operations that were acknowledged, where that is not `count`. */
  readonly acknowledged?: number;
  /** Messages that came over the sockets meanwhile. */
  readonly heard: number;
  /** Connections that broke and were made again, by what broke them. */
  readonly retries: Readonly<Record<string, number>>;
}

/** One source address has some 28,000 ports: several share the load. */
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
const AT_ONCE = 200;
const JOINING_AT_ONCE = 64;
const TRIES = 6;
const LAST_MS = 1_000;
const LATE_MS = 30_000;

const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
});

let urls: readonly string[] = [];
let accounts: readonly BenchAccount[] = [];
const sockets: WebSocket[] = [];
let devices: Returning[] = [];
let heard = 0;
let retries: Record<string, number> = {};

/** When the operation of an account that is under way was begun. */
const begun = new Map<number, number>();
/** Milliseconds from an operation to each socket. */
let delays: number[] = [];
let keepsOpen = false;
let broken = 0;
let brokenAt = 0;
let backMs = 0;

/** A server; another one with each try. */
const urlOf = (number: number) => urls[number % urls.length] ?? '';
const accountOf = (number: number) => accounts[number % accounts.length] as BenchAccount;

/** Runs so many pieces of work, a few at a time. */
async function each(count: number, atOnce: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

function reopen(number: number): void {
  if (broken === 0) brokenAt = performance.now();
  broken += 1;
  let tries = number;
  again(() => openSocket(number, (tries += 1))).then(
    () => {
      broken -= 1;
      if (broken === 0) backMs = performance.now() - brokenAt;
    },
    () => undefined,
  );
}

/** `at`: of which server. */
function openSocket(number: number, at = number): Promise<void> {
  const url = urlOf(at);
  const { origin } = new URL(url);
  const { cookie } = accountOf(number);
  const localAddress = ADDRESSES[number % ADDRESSES.length] ?? '127.0.0.1';
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, {
    headers: { origin, cookie },
    localAddress,
    perMessageDeflate: false,
  });
  const account = number % accounts.length;
  socket.on('message', () => {
    heard += 1;
    const since = begun.get(account);
    if (since !== undefined) delays.push(performance.now() - since);
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      sockets.push(socket);
      socket.on('close', () => keepsOpen && reopen(number));
      socket.send(JSON.stringify({ type: 'hello', device: newId(), cursors: {} }));
      resolve();
    });
  });
}

/** As devices do: a while later, a few times. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (failures === TRIES) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      retries[reason] = (retries[reason] ?? 0) + 1;
      await pause(500 * 2 ** failures * (0.5 + Math.random() / 2));
    }
  }
}

/** A device that keeps what it knows while its connection is gone. */
class Returning implements HttpConnection {
  readonly device: PushingDevice;
  #connection: HttpConnection | null = null;
  /** Where it asks next. */
  #at: number;

  constructor(account: BenchAccount, at: number) {
    this.#at = at;
    this.device = new PushingDevice(account, this);
  }

  async connect(): Promise<void> {
    this.#connection = await again(() => openConnection(urlOf((this.#at += 1))));
  }

  /** The same again over a new connection where one breaks: the server does nothing twice. */
  post(path: string, body: string, cookie?: string): ReturnType<HttpConnection['post']> {
    return again(async () => {
      this.#connection ??= await openConnection(urlOf((this.#at += 1)));
      try {
        return await this.#connection.post(path, body, cookie);
      } catch (error) {
        this.close();
        throw error;
      }
    });
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }
}

async function join(count: number): Promise<Returning[]> {
  const joined = Array.from({ length: count }, (_, number) => new Returning(accountOf(number), number));
  await each(count, JOINING_AT_ONCE, async (number) => {
    const device = joined[number] as Returning;
    await device.connect();
    await device.device.join();
    device.close();
  });
  return joined;
}

async function push(job: Extract<Job, { job: 'push' }>): Promise<Distribution> {
  await Promise.all(devices.map((device) => device.connect()));
  const { operationsPerSecond, seconds } = job;
  const pushers = devices.map(({ device }) => device);
  const { latency } = await runOpen(pushers, { count: 1, operationsPerSecond, seconds });
  for (const device of devices) device.close();
  return latency;
}

/** Each account has one device that pushes, and sockets that hear of it. */
async function fanOut(
  job: Extract<Job, { job: 'fan out' }>,
): Promise<Omit<Report, 'ms' | 'heard' | 'retries'>> {
  keepsOpen = true;
  delays = [];
  backMs = 0;
  let acknowledged = 0;
  await Promise.all(devices.map((device) => device.connect()));
  const pushers = devices.map(({ device }, account) => ({
    async push(count: number): Promise<number> {
      begun.set(account, performance.now());
      const pushed = await device.push(count);
      acknowledged += pushed;
      return pushed;
    },
  }));
  const { operationsPerSecond, seconds } = job;
  const { latency } = await runOpen(pushers, { count: 1, operationsPerSecond, seconds });
  // What is under way still arrives, and who was cut off comes back.
  await pause(LAST_MS);
  for (let waitedMs = 0; broken > 0 && waitedMs < LATE_MS; waitedMs += LAST_MS) await pause(LAST_MS);
  keepsOpen = false;
  for (const device of devices) device.close();
  begun.clear();
  return { count: latency.count, latency: distributionOf(delays), backMs, acknowledged };
}

/** Nobody waits for anybody: all connections, all sockets and all pushes begin in the same turn. */
async function storm(operations: number): Promise<number> {
  let acknowledged = 0;
  const comeBack = async (device: Returning): Promise<void> => {
    const pushed = await device.device.push(operations);
    acknowledged += pushed;
    device.close();
  };
  await Promise.all(devices.flatMap((device, number) => [again(() => openSocket(number)), comeBack(device)]));
  return acknowledged;
}

async function work(job: Job): Promise<Omit<Report, 'ms' | 'heard' | 'retries'>> {
  switch (job.job) {
    case 'begin':
      ({ urls, accounts } = job);
      return { count: accounts.length };
    case 'sockets':
      await each(job.count, AT_ONCE, (number) => again(() => openSocket(number)));
      return { count: sockets.length };
    case 'count':
      return { count: sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length };
    case 'join':
      devices = await join(job.clients);
      return { count: devices.length };
    case 'push': {
      const latency = await push(job);
      return { count: latency.count, latency };
    }
    case 'fan out':
      return await fanOut(job);
    case 'storm':
      return { count: await storm(job.operations) };
  }
}

process.on('message', (job: Job) => {
  const startedAt = performance.now();
  heard = 0;
  retries = {};
  work(job).then(
    (report) => process.send?.({ ...report, heard, retries, ms: performance.now() - startedAt }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
