// Asking for news where there is none, over one scope and over two hundred: what every device does that comes back, and the most
// frequent request of all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { protocolVersion } from '#wire/version.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { type Gate, print, say, table } from '../report.ts';
import { type Distribution, distributionOf } from '../statistics.ts';
import type { BenchAccount } from './account.ts';
import { openConnection } from './http-connection.ts';
import { prepareScopes } from './prepared.ts';
import { startProgram } from './server-process.ts';

const SCOPES = [1, 20, 200];
const WANTED_MS = 5;
const WANTED_BYTES = 1_024;

interface Polled {
  readonly latency: Distribution;
  /** Of the answer, before compression. */
  readonly bytes: number;
}

async function poll(url: string, { cookie }: BenchAccount, times: number): Promise<Polled> {
  const connection = await openConnection(url);
  const device = crypto.randomUUID();
  const ask = async (
    cursors: Readonly<Record<string, { readonly generation: string; readonly version: number }>>,
  ) => {
    const said = { schema: protocolVersion, device, clientNow: Date.now(), ops: [], ack: 0, cursors };
    const { status, body } = await connection.post('/sync/v1', JSON.stringify(said), cookie);
    if (status !== 200) throw new Error(`The server answered ${status}: ${JSON.stringify(body)}`);
    return body as SyncResponse;
  };
  const first = await ask({});
  const cursors = Object.fromEntries(
    first.changes.map(({ scope, generation, to }) => [scope, { generation, version: to }]),
  );
  const tookMs: number[] = [];
  let bytes = 0;
  for (let at = 0; at < times + 20; at += 1) {
    const before = performance.now();
    const answer = await ask(cursors);
    if (at >= 20) tookMs.push(performance.now() - before);
    if (answer.changes.length > 0) throw new Error('There was news in a poll without any.');
    bytes = JSON.stringify(answer).length;
  }
  connection.close();
  return { latency: distributionOf(tookMs), bytes };
}

/** Prints what polls without news cost, by the number of scopes. */
export async function runPollSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  say('polls');
  const folder = mkdtempSync(join(tmpdir(), 'bench-polls-'));
  try {
    const accounts = await prepareScopes(folder, SCOPES);
    const server = await startProgram('src/server/main.ts', folder);
    const found: Polled[] = [];
    try {
      for (const account of accounts) found.push(await poll(server.url, account, quick ? 200 : 1_000));
    } finally {
      await server.close();
    }
    print('## Polls without news (SQLite, one connection)');
    print(
      table(
        ['scopes', 'p50 ms', 'p95 ms', 'p99 ms', 'bytes of the answer'],
        found.map(({ latency: { p50, p95, p99 }, bytes }, at) => [SCOPES[at] ?? 0, p50, p95, p99, bytes]),
      ),
    );
    const last = found.at(-1);
    if (!last) return [];
    const name = `poll without news over ${SCOPES.at(-1)} scopes`;
    return [
      { name: `${name}: p95`, reached: last.latency.p95, bound: WANTED_MS, unit: 'ms', kind: 'at most' },
      { name: `${name}: answer`, reached: last.bytes, bound: WANTED_BYTES, unit: 'bytes', kind: 'at most' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
