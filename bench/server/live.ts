// From an operation on one device to its row on another: two real engines of one account, over the network of a real
// server process. What the browser adds is a frame.
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createIdSource, inboxId, type Id } from '#core/ids.ts';
import { partFromWire } from '#sync/codec.ts';
import { createEngine } from '#sync/engine.ts';
import { createMemoryStorage } from '#sync/memory-storage.ts';
import type { Clock, Random, Timers, Transport } from '#sync/ports.ts';
import type { Engine } from '#sync/replica-types.ts';
import { liveMessageSchema, type SyncResponse, type WirePartPage } from '#wire/sync.ts';
import { type Gate, print, say, table } from '../report.ts';
import { distributionOf } from '../statistics.ts';
import { type BenchAccount, signUp } from './account.ts';
import { openConnection } from './http-connection.ts';
import { startServerProcess } from './server-process.ts';

const WANTED_P95_MS = 100;
/** A device's own frame: the app sends what a key did after the frame that shows it. */
const FRAME_MS = 16;

const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
const random: Random = {
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
};
const newId = createIdSource({ now: () => Date.now(), random: (bytes) => random.fill(bytes) });

function transportTo(url: string, { cookie }: BenchAccount): Transport {
  const { origin } = new URL(url);
  const headers = { origin, cookie, 'content-type': 'application/json' };
  return {
    async sync(request) {
      const answer = await fetch(`${url}/sync/v1`, {
        method: 'POST',
        headers,
        body: JSON.stringify(request),
      });
      if (!answer.ok) return { ok: false, failure: { type: 'busy', retryAfterMs: 1_000 } };
      return { ok: true, value: (await answer.json()) as SyncResponse };
    },
    async snapshot(scope, { part, after }) {
      const place = after === null ? `part=${part}` : `part=${part}&after=${after}`;
      const answer = await fetch(`${url}/snapshot/v1/${scope}?${place}`, { headers });
      if (!answer.ok) return { ok: false, failure: { type: 'busy', retryAfterMs: 1_000 } };
      return { ok: true, value: partFromWire((await answer.json()) as WirePartPage) };
    },
    listen(on) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, { headers: { origin, cookie } });
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'hello', ...on.hello() }));
        on.open();
      });
      socket.on('message', (data: Buffer) => {
        const message = liveMessageSchema.parse(JSON.parse(data.toString()));
        if (message.type === 'poke') on.poke(message.scope, message.to);
        else if (message.type === 'delta') on.delta(message.changes);
      });
      socket.on('close', () => on.closed());
      return () => socket.close();
    },
  };
}

async function openDevice(url: string, account: BenchAccount): Promise<Engine> {
  const engine = createEngine(
    { storage: createMemoryStorage(), transport: transportTo(url, account), clock, timers, random },
    { scope: account.scope, account: account.number },
  );
  await engine.open();
  await engine.loaded();
  return engine;
}

function seen(engine: Engine, id: Id): Promise<void> {
  return new Promise((resolve) => {
    const stop = engine.replica.subscribe((changes) => {
      if (!changes.some((change) => change.id === id)) return;
      stop();
      resolve();
    });
  });
}

async function measure(sender: Engine, receiver: Engine, count: number): Promise<number[]> {
  const parent = inboxId(sender.replica.scope);
  const delays: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const id = newId();
    const arrived = seen(receiver, id);
    const startedAt = performance.now();
    sender.replica.issue([
      { a: 'create', id, type: 'task', fields: { title: `sent ${at}` }, place: { parent, at: 'end' } },
    ]);
    await arrived;
    delays.push(performance.now() - startedAt);
    await pause(30 + Math.random() * 70);
  }
  return delays;
}

export async function runLiveSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  say('live: two devices of one account');
  const server = await startServerProcess();
  const devices: Engine[] = [];
  try {
    const door = await openConnection(server.url);
    const account = await signUp(door, 'person');
    door.close();
    const sender = await openDevice(server.url, account);
    const receiver = await openDevice(server.url, account);
    devices.push(sender, receiver);
    await pause(1_000);
    await measure(sender, receiver, 5);
    const { p50, p95, p99, count } = distributionOf(await measure(sender, receiver, quick ? 40 : 200));
    print(
      '## Operation on one device to its row on another (loopback, a 16 ms frame before sending included)',
    );
    print(table(['p50 ms', 'p95 ms', 'p99 ms', 'operations'], [[p50, p95, p99, count]]));
    return [
      {
        name: 'operation to the other device: p95',
        reached: p95,
        bound: WANTED_P95_MS,
        unit: 'ms',
        kind: 'at most',
      },
    ];
  } finally {
    await Promise.all(devices.map((device) => device.close()));
    await server.close();
  }
}
