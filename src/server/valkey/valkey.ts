// The line between processes, and their counters, in a Valkey (or a Redis, which speaks the same). Loaded only where BUS_URL names
// one. Nothing there has to be kept: what is lost is looked for, or counted anew.
import { randomUUID } from 'node:crypto';
import { Redis } from 'iovalkey';
import type { Counted, Counters, Seats } from '../limits/counters.ts';
import { freeTries, guessSpanMs, longestGuessWaitMs } from '../limits/guesses.ts';
import { judge, type Measured, type Refused, type Taken, type Window } from '../limits/window.ts';
import type { Bus } from '../live/bus.ts';
import { type Channel, createSharedBus, type Line, type LineEvents } from '../live/shared-bus.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import { guessScript, sitScript, takeScript } from './scripts.ts';

const CONNECT_MS = 2_000;
const COMMAND_MS = 2_000;
const LONGEST_RETRY_MS = 2_000;
/** Of a process that ended without a word. */
const SEATS_LAST_MS = 24 * 3_600_000;
const CHANNELS: readonly Channel[] = ['news', 'presence', 'nodes'];

/** What is needed to reach it. */
export interface ValkeyPorts {
  /** `valkey://…` or `redis://…`, with `s` for TLS. */
  readonly url: string;
  /** Begins all names in it: several installations may share one. */
  readonly prefix: string;
  readonly log: Logger;
  readonly beatMs?: number;
}

/** The client knows one name of the protocol. */
const addressOf = (url: string) => url.replace(/^valkey(s?):/, 'redis$1:');

const options = {
  lazyConnect: true,
  connectTimeout: CONNECT_MS,
  commandTimeout: COMMAND_MS,
  keepAlive: 10_000,
  // What cannot be sent now fails now: whoever asked knows what to do then.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
} as const;

/** Rejects with what the matter was: the client itself only says that the connection is closed. */
async function connect(client: Redis): Promise<void> {
  let reason: unknown;
  const note = (error: unknown) => (reason ??= error);
  client.on('error', note);
  try {
    await client.connect();
  } catch (error) {
    throw reason ?? error;
  } finally {
    client.off('error', note);
  }
}

/** One that answers and refuses would refuse for ever. One that isn't there may come. */
const isRefusal = (error: unknown) => error instanceof Error && error.name === 'ReplyError';

async function openLine({ url, prefix, log }: ValkeyPorts, on: LineEvents): Promise<Line> {
  // Who listens can say nothing else.
  const [listening, speaking] = [0, 1].map(
    () => new Redis(addressOf(url), { ...options, retryStrategy: () => null }),
  ) as [Redis, Redis];
  const nameOf = (channel: Channel) => `${prefix}:${channel}`;
  const byName = new Map(CHANNELS.map((channel) => [nameOf(channel), channel]));
  const close = () => {
    listening.disconnect();
    speaking.disconnect();
  };
  for (const client of [listening, speaking]) {
    client.on('error', (error) => log.error('bus_lost', errorDetail(error)));
    client.on('end', () => {
      close();
      on.lost();
    });
  }
  listening.on('message', (name, text) => {
    const channel = byName.get(name);
    if (channel !== undefined) on.heard(channel, text);
  });
  try {
    await Promise.all([connect(listening), connect(speaking)]);
    await listening.subscribe(...byName.keys());
  } catch (error) {
    close();
    throw error;
  }
  return {
    async send(channel, text) {
      await speaking.publish(nameOf(channel), text);
    },
    close: async () => close(),
  };
}

/** The bus alone. Rejects when it is refused at the start. */
export function createValkeyBus(ports: ValkeyPorts): Promise<Bus> {
  const { log, beatMs } = ports;
  return createSharedBus({
    open: (on) => openLine(ports, on),
    mayComeLater: (error) => !isRefusal(error),
    log,
    ...(beatMs === undefined ? {} : { beatMs }),
  });
}

/** The counters in a Valkey: each call is one script, which it runs alone. */
class ValkeyCounters implements Counters {
  readonly #client: Redis;
  readonly #prefix: string;

  constructor({ url, prefix, log }: ValkeyPorts) {
    this.#prefix = prefix;
    this.#client = new Redis(addressOf(url), {
      ...options,
      retryStrategy: (tries) => Math.min(LONGEST_RETRY_MS, tries * 50),
    });
    this.#client.on('error', (error) => log.debug('counters_lost', errorDetail(error)));
  }

  /** Rejects when it is refused. One that isn't there is asked again and again, by itself. */
  async connect(): Promise<void> {
    try {
      await connect(this.#client);
    } catch (error) {
      if (isRefusal(error)) throw error;
    }
  }

  async take(counted: Counted, windows: readonly Window[]): Promise<Taken | Refused> {
    const longest = Math.max(...windows.map(({ windowMs }) => windowMs));
    const most = Math.max(...windows.map(({ count }) => count));
    const pairs = windows.flatMap(({ count, windowMs }) => [count, windowMs]);
    const [now = 0, ...found] = await this.#run(takeScript, this.#key(counted), [
      randomUUID(),
      longest,
      most,
      ...pairs,
    ]);
    const measured = windows.map((_, index): Measured => {
      const [used = 0, oldest = -1, blocking = -1] = found.slice(3 * index, 3 * index + 3);
      return { used, oldest: oldest < 0 ? null : oldest, blocking: blocking < 0 ? null : blocking };
    });
    return judge(windows, measured, now);
  }

  async giveBack(counted: Counted): Promise<void> {
    await this.#client.zpopmax(this.#key(counted));
  }

  async guess(counted: Counted): Promise<number> {
    const values = [randomUUID(), guessSpanMs, freeTries, longestGuessWaitMs];
    const [wait = 0] = await this.#run(guessScript, this.#key(counted), values);
    return wait;
  }

  async forget(counted: Counted): Promise<void> {
    await this.#client.del(this.#key(counted));
  }

  async sit({ account, node, count, most, nodes }: Seats): Promise<boolean> {
    const values = [node, count, most, SEATS_LAST_MS, ...nodes];
    const [isTaken] = await this.#run(sitScript, `${this.#prefix}:seats:${account}`, values);
    return isTaken === 1;
  }

  /** Everything there ends by itself. */
  async sweep(): Promise<void> {
    // Nothing is left over.
  }

  close(): void {
    this.#client.disconnect();
  }

  #key({ rate, key }: Counted): string {
    return `${this.#prefix}:limit:${rate}:${key}`;
  }

  async #run(script: string, key: string, values: readonly (string | number)[]): Promise<readonly number[]> {
    return (await this.#client.eval(script, 1, key, ...values)) as readonly number[];
  }
}

/** What several processes have in a Valkey. */
export interface OpenValkey {
  readonly bus: Bus;
  readonly counters: Counters;
  close(): Promise<void>;
}

/** Goes on without one that isn't there yet. Rejects, for whoever started the server, when it refuses. */
export async function openValkey(ports: ValkeyPorts): Promise<OpenValkey> {
  const counters = new ValkeyCounters(ports);
  try {
    await counters.connect();
    const bus = await createValkeyBus(ports);
    return {
      bus,
      counters,
      async close() {
        await bus.close();
        counters.close();
      },
    };
  } catch (error) {
    counters.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The Valkey of BUS_URL refuses this server: ${reason}`, { cause: error });
  }
}
