// Drives many devices at once: as fast as answers come (closed loop), or at a given rate (open loop), where waiting
// counts from the moment a push was due and not from when a free device took it.
import { setTimeout as pause } from 'node:timers/promises';
import { distributionOf, type Distribution } from '../statistics.ts';

/** Something that pushes so many operations and resolves when they are durable. */
export interface Pusher {
  push(count: number): Promise<number>;
}

export interface LoadResult {
  readonly operationsPerSecond: number;
  readonly pushesPerSecond: number;
  /** Milliseconds from sending (closed) or being due (open) to the answer. */
  readonly latency: Distribution;
}

interface Tally {
  operations: number;
  readonly latencies: number[];
}

function resultOf({ operations, latencies }: Tally, seconds: number): LoadResult {
  return {
    operationsPerSecond: operations / seconds,
    pushesPerSecond: latencies.length / seconds,
    latency: distributionOf(latencies),
  };
}

export async function runClosed(
  pushers: readonly Pusher[],
  count: number,
  seconds: number,
): Promise<LoadResult> {
  const tally: Tally = { operations: 0, latencies: [] };
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  await Promise.all(
    pushers.map(async (pusher) => {
      for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
        const pushed = await pusher.push(count);
        tally.operations += pushed;
        tally.latencies.push(performance.now() - sentAt);
      }
    }),
  );
  return resultOf(tally, (performance.now() - startedAt) / 1_000);
}

export async function runOpen(
  pushers: readonly Pusher[],
  {
    count,
    operationsPerSecond,
    seconds,
  }: { readonly count: number; readonly operationsPerSecond: number; readonly seconds: number },
): Promise<LoadResult> {
  const tally: Tally = { operations: 0, latencies: [] };
  const free = [...pushers];
  const due: number[] = [];
  const working = new Set<Promise<void>>();
  const startedAt = performance.now();
  const interval = (1_000 * count) / operationsPerSecond;
  const total = Math.floor((seconds * operationsPerSecond) / count);

  async function serve(pusher: Pusher): Promise<void> {
    for (let at = due.shift(); at !== undefined; at = due.shift()) {
      const pushed = await pusher.push(count);
      tally.operations += pushed;
      tally.latencies.push(performance.now() - at);
    }
    free.push(pusher);
  }

  for (let made = 0; made < total;) {
    const now = performance.now();
    for (; made < total && startedAt + made * interval <= now; made += 1)
      due.push(startedAt + made * interval);
    while (due.length > 0 && free.length > 0) {
      const pusher = free.shift();
      if (!pusher) break;
      const work = serve(pusher).finally(() => working.delete(work));
      working.add(work);
    }
    await pause(1);
  }
  await Promise.all(working);
  return resultOf(tally, (performance.now() - startedAt) / 1_000);
}
