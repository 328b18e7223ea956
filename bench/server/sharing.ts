// A list of ten thousand tasks is shared, and made private again: how long that takes, and how long somebody else's writes wait
// meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sharedListSchema, type SharingState } from '#wire/sharing.ts';
import { type Gate, print, say, table } from '../report.ts';
import { distributionOf, median } from '../statistics.ts';
import { openConnection } from './http-connection.ts';
import { besideWrites, Writer } from './moves.ts';
import { prepareList, type PreparedList } from './prepared.ts';
import { startProgram } from './server-process.ts';

const TASKS = 10_000;
const WANTED_MS = 3_000;
const WANTED_WRITE_MS = 50;
const LATE_MS = 120_000;

interface Found {
  readonly sharedMs: number;
  readonly privateMs: number;
  readonly writes: readonly number[];
}

async function measure(url: string, { owner, other, list }: PreparedList): Promise<Found> {
  const [door, next] = [await openConnection(url), await openConnection(url)];
  const writer = new Writer(next, other);
  await writer.send();
  /** Asks for it, and again until it is so: what is under way already only answers how far it is. */
  async function until(call: string, state: SharingState): Promise<number> {
    const started = performance.now();
    for (;;) {
      const { status, body } = await door.post(`/app/api/sharing/lists/${list}${call}`, '{}', owner.cookie);
      const answer = sharedListSchema.safeParse(body);
      if (!answer.success && status !== 409)
        throw new Error(`The server answered ${status}: ${JSON.stringify(body)}`);
      if (answer.success && answer.data.state === state) return performance.now() - started;
      if (performance.now() - started > LATE_MS) throw new Error(`The list is not ${state} yet.`);
      await delay(50);
    }
  }
  const [sharedMs, writes] = await besideWrites(writer, other, () => until('', 'open'));
  const [privateMs, later] = await besideWrites(writer, other, () => until('/private', 'private'));
  door.close();
  next.close();
  return { sharedMs, privateMs, writes: [...writes, ...later] };
}

/** Prints what sharing a large list costs its owner and others. */
export async function runSharingSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  const runs: Found[] = [];
  for (let run = 0; run < (quick ? 1 : 3); run += 1) {
    say(`sharing, run ${run + 1}`);
    const folder = mkdtempSync(join(tmpdir(), 'bench-sharing-'));
    try {
      const prepared = await prepareList(folder, TASKS);
      const server = await startProgram('src/server/main.ts', folder);
      try {
        runs.push(await measure(server.url, prepared));
      } finally {
        await server.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  const { p50, p99, max } = distributionOf(runs.flatMap(({ writes }) => writes));
  const sharedMs = median(runs.map((run) => run.sharedMs));
  const privateMs = median(runs.map((run) => run.privateMs));
  print(`## A list of ${TASKS.toLocaleString('en')} tasks is shared, and made private again (SQLite)`);
  print(
    table(
      ['shared, s', 'private again, s', 'write of another account, p50 ms', 'p99 ms', 'longest'],
      [[sharedMs / 1_000, privateMs / 1_000, p50, p99, max]],
    ),
  );
  const gate = { unit: 'ms', kind: 'at most' } as const;
  return [
    { ...gate, name: 'sharing 10,000 tasks', reached: sharedMs, bound: WANTED_MS },
    {
      ...gate,
      name: 'write of another account while a list is shared: p99',
      reached: p99,
      bound: WANTED_WRITE_MS,
    },
  ];
}
