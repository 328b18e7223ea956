// The people of the crowd, in a process of their own: accounts, open sockets, pushes at a given rate, and everybody coming
// back at once. Told what to do by crowd.ts, one job at a time; answers with figures.
import { createIdSource } from '#core/ids.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Distribution } from '../statistics.ts';
import { type BenchAccount, signUp } from './account.ts';
import { PushingDevice } from './device.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { runOpen } from './load.ts';

export type Job =
  | { readonly job: 'accounts'; readonly url: string; readonly count: number }
  | { readonly job: 'sockets'; readonly url: string; readonly count: number }
  | {
      readonly job: 'push';
      readonly url: string;
      readonly operationsPerSecond: number;
      readonly seconds: number;
    }
  | { readonly job: 'prepare'; readonly url: string; readonly clients: number }
  | { readonly job: 'storm'; readonly url: string; readonly operations: number }
  | { readonly job: 'part' };

export interface Report {
  readonly ms: number;
  readonly count: number;
  readonly latency?: Distribution;
  readonly retries?: number;
}

/** One source address has some 28,000 ports: several share the load. */
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
const AT_ONCE = 200;
const PUSHERS = 64;
const TRIES = 6;

const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
});

const accounts: BenchAccount[] = [];
const sockets: WebSocket[] = [];
let devices: Returning[] = [];
/** Connections that broke and were made again. */
let retries = 0;

const accountOf = (number: number) => accounts[number % accounts.length] as BenchAccount;

/** Runs so many pieces of work, a few at a time. */
async function each(count: number, atOnce: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

function openSocket(url: string, number: number): Promise<void> {
  const { origin } = new URL(url);
  const { cookie } = accountOf(number);
  const localAddress = ADDRESSES[number % ADDRESSES.length] ?? '127.0.0.1';
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, {
    headers: { origin, cookie },
    localAddress,
    perMessageDeflate: false,
  });
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
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
      retries += 1;
      await pause(500 * 2 ** failures * (0.5 + Math.random() / 2));
    }
  }
}

/** A device that keeps what it knows while its connection is gone. */
class Returning implements HttpConnection {
  readonly device: PushingDevice;
  #connection: HttpConnection | null = null;
  #url = '';

  constructor(account: BenchAccount) {
    this.device = new PushingDevice(account, this);
  }

  async connect(url: string): Promise<void> {
    this.#url = url;
    this.#connection = await again(() => openConnection(url));
  }

  /** The same again over a new connection where one breaks: the server does nothing twice. */
  post(path: string, body: string, cookie?: string): ReturnType<HttpConnection['post']> {
    return again(async () => {
      this.#connection ??= await openConnection(this.#url);
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

async function join(url: string, count: number): Promise<Returning[]> {
  const joined = Array.from({ length: count }, (_, number) => new Returning(accountOf(number)));
  await each(count, PUSHERS, async (number) => {
    const device = joined[number] as Returning;
    await device.connect(url);
    await device.device.join();
    device.close();
  });
  return joined;
}

async function push(job: Extract<Job, { job: 'push' }>): Promise<Distribution> {
  const pushers = await join(job.url, PUSHERS);
  await Promise.all(pushers.map((pusher) => pusher.connect(job.url)));
  const { operationsPerSecond, seconds } = job;
  const { latency } = await runOpen(
    pushers.map(({ device }) => device),
    { count: 1, operationsPerSecond, seconds },
  );
  for (const pusher of pushers) pusher.close();
  return latency;
}

async function work(job: Job): Promise<Omit<Report, 'ms'>> {
  switch (job.job) {
    case 'accounts': {
      const door = await openConnection(job.url);
      for (let number = accounts.length; number < job.count; number += 1)
        accounts.push(await signUp(door, `person-${number}`));
      door.close();
      return { count: accounts.length };
    }
    case 'sockets':
      await each(job.count, AT_ONCE, (number) => openSocket(job.url, number));
      return { count: sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length };
    case 'push': {
      const latency = await push(job);
      return { count: latency.count, latency };
    }
    case 'prepare':
      devices = await join(job.url, job.clients);
      return { count: devices.length };
    case 'storm': {
      let acknowledged = 0;
      retries = 0;
      // Nobody waits for anybody: all connections, all sockets and all pushes begin in the same turn.
      await Promise.all(
        devices.map(async (device, number) => {
          await Promise.all([again(() => openSocket(job.url, number)), device.connect(job.url)]);
          const pushed = await device.device.push(job.operations);
          acknowledged += pushed;
          device.close();
        }),
      );
      return { count: acknowledged, retries };
    }
    case 'part':
      for (const socket of sockets.splice(0)) socket.terminate();
      return { count: 0 };
  }
}

process.on('message', (job: Job) => {
  const startedAt = performance.now();
  work(job).then(
    (report) => process.send?.({ ...report, ms: performance.now() - startedAt }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
