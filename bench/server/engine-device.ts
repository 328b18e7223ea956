// The app's engine in Node over the network of a real server: fetch for data, a socket for news. The network can be cut.
import { gzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { partFromWire } from '#sync/rows/codec.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage } from '#sync/replica/memory-storage.ts';
import type { Clock, LiveListener, Random, Timers, Transport, TransportAnswer } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { registerChecks } from '#wire/registers.ts';
import { liveMessageSchema } from '#wire/live.ts';
import { type SyncResponse, type WirePartPage } from '#wire/sync.ts';
import type { BenchAccount } from './account.ts';

/** A device's own frame: the app sends what a key did after the frame that shows it. */
const FRAME_MS = 16;
const GZIP_FROM_BYTES = 1_024;

const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
export const random: Random = {
  fill: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
  fraction: () => Math.random(),
};
const timers: Timers = {
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs <= 0 ? FRAME_MS : delayMs);
    return () => clearTimeout(timer);
  },
  soon: (work) => void setImmediate(work),
};

export interface Wire {
  readonly transport: Transport;
  /** Nothing comes through from now on, and the socket is closed. */
  cut(): void;
  /** The network is there again: the socket is opened. */
  mend(): void;
  /** Answered requests for changes, and operations in them. */
  sent(): { readonly requests: number; readonly operations: number };
}

const offline = { ok: false, problem: { type: 'offline' } } as const;

export function createWire(url: string, { cookie }: BenchAccount): Wire {
  const { origin } = new URL(url);
  const headers = { origin, cookie, 'content-type': 'application/json' };
  const count = { requests: 0, operations: 0 };
  let isCut = false;
  let listener: LiveListener | null = null;
  let socket: WebSocket | null = null;

  async function ask<T>(path: string, body?: unknown): Promise<TransportAnswer<T>> {
    if (isCut) return offline;
    const text = body === undefined ? '' : JSON.stringify(body);
    const isLarge = text.length >= GZIP_FROM_BYTES;
    const sent = isLarge ? new Uint8Array(gzipSync(text)) : text;
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: isLarge ? { ...headers, 'content-encoding': 'gzip' } : headers,
      ...(body === undefined ? {} : { body: sent }),
    });
    if (!answer.ok) return { ok: false, problem: { type: 'busy', retryAfterMs: 1_000 } };
    return { ok: true, value: (await answer.json()) as T };
  }

  function connect(): void {
    const on = listener;
    if (on === null) return;
    const opened = new WebSocket(`${url.replace('http', 'ws')}/live`, { headers: { origin, cookie } });
    socket = opened;
    opened.on('open', () => {
      opened.send(JSON.stringify({ type: 'hello', ...on.hello() }));
      on.open();
    });
    opened.on('message', (data: Buffer) => {
      const message = liveMessageSchema.parse(JSON.parse(data.toString()));
      if (message.type === 'poke') on.poke(message.scope, message.to);
      else if (message.type === 'delta') on.delta(message.changes);
    });
  }

  return {
    transport: {
      async sync(request) {
        const answer = await ask<SyncResponse>('/sync/v1', request);
        if (answer.ok) count.requests += 1;
        if (answer.ok) count.operations += request.ops.length;
        return answer;
      },
      async snapshot(scope, { part, after }) {
        const place = after === null ? `part=${part}` : `part=${part}&after=${after}`;
        const page = await ask<WirePartPage>(`/snapshot/v1/${scope}?${place}`);
        return page.ok ? { ok: true, value: partFromWire(page.value) } : page;
      },
      listen(on) {
        listener = on;
        connect();
        return () => {
          listener = null;
          socket?.close();
        };
      },
    },
    cut() {
      isCut = true;
      socket?.close();
    },
    mend() {
      isCut = false;
      connect();
    },
    sent: () => ({ ...count }),
  };
}

export async function openDevice(account: BenchAccount, { transport }: Wire): Promise<Engine> {
  const engine = createEngine(
    { storage: createMemoryStorage(), transport, clock, timers, random, checks: registerChecks },
    { scope: account.scope, account: account.number },
  );
  await engine.open();
  await engine.loaded();
  return engine;
}
