// The people of the crowd, in a process of their own: accounts, open sockets, pushes at a given rate, and everybody coming
// back at once. Told what to do by crowd.ts, one job at a time; answers with figures.
import { createIdSource } from '#core/ids.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Distribution } from '../statistics.ts';
import type { BenchAccount } from './account.ts';
import { PushingDevice } from './device.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { runOpen } from './load.ts';

export type Job =
  | { readonly job: 'begin'; readonly url: string; readonly accounts: readonly BenchAccount[] }
  /** Opens so many sockets. */
  | { readonly job: 'sockets'; readonly count: number }
  /** How many of them are open. */
  | { readonly job: 'count' }
  /** Makes so many devices that have synchronised once. */
  | { readonly job: 'join'; readonly clients: number }
  | { readonly job: 'push'; readonly operationsPerSecond: number; readonly seconds: number }
  | { readonly job: 'storm'; readonly operations: number };

export interface Report {
  readonly ms: number;
  readonly count: number;
  readonly latency?: Distribution;
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

const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
});

let url = '';
let accounts: readonly BenchAccount[] = [];
const sockets: WebSocket[] = [];
let devices: Returning[] = [];
let heard = 0;
let retries: Record<string, number> = {};

const accountOf = (number: number) => accounts[number % accounts.length] as BenchAccount;

/** Runs so many pieces of work, a few at a time. */
async function each(count: number, atOnce: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

function openSocket(number: number): Promise<void> {
  const { origin } = new URL(url);
  const { cookie } = accountOf(number);
  const localAddress = ADDRESSES[number % ADDRESSES.length] ?? '127.0.0.1';
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, {
    headers: { origin, cookie },
    localAddress,
    perMessageDeflate: false,
  });
  socket.on('message', () => {
    heard += 1;
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      sockets.push(socket);
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

  constructor(account: BenchAccount) {
    this.device = new PushingDevice(account, this);
  }

  async connect(): Promise<void> {
    this.#connection = await again(() => openConnection(url));
  }

  /** The same again over a new connection where one breaks: the server does nothing twice. */
  post(path: string, body: string, cookie?: string): ReturnType<HttpConnection['post']> {
    return again(async () => {
      this.#connection ??= await openConnection(url);
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
  const joined = Array.from({ length: count }, (_, number) => new Returning(accountOf(number)));
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

async function work(job: Job): Promise<Pick<Report, 'count' | 'latency'>> {
  switch (job.job) {
    case 'begin':
      ({ url, accounts } = job);
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
