// From an operation on one device to its row on another: two real engines of one account, over the network of a real
// server process. What the browser adds is a frame.
import { setTimeout as pause } from 'node:timers/promises';
import { createIdSource, inboxId, type Id } from '#core/ids.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { type Gate, print, say, table } from '../report.ts';
import { distributionOf } from '../statistics.ts';
import { signUp } from './account.ts';
import { createWire, openDevice, random } from './engine-device.ts';
import { openConnection } from './http-connection.ts';
import { databaseName, startServerProcess } from './server-process.ts';

const WANTED_P95_MS = 100;

const newId = createIdSource({ now: () => Date.now(), random: (bytes) => random.fill(bytes) });

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
    const sender = await openDevice(account, createWire(server.url, account));
    const receiver = await openDevice(account, createWire(server.url, account));
    devices.push(sender, receiver);
    await pause(1_000);
    await measure(sender, receiver, 5);
    const { p50, p95, p99, count } = distributionOf(await measure(sender, receiver, quick ? 40 : 200));
    print(
      `## Operation on one device to its row on another (${databaseName()}, loopback, a 16 ms frame before saving included)`,
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
