// The site part: pages a second that the server gives to browsers, compressed, with every header, beside bare node:http in the
// same run.
import { buildSite } from '../../scripts/site-build.ts';
import { type ApiConnection, openApiConnection } from '../api/connection.ts';
import { conditions } from '../machine.ts';
import { type Cell, type Gate, print, say, table } from '../report.ts';
import { type LoadResult, type Pusher, runClosed } from '../server/load.ts';
import { type ServerProcess, startProgram, startServerProcess } from '../server/server-process.ts';
import { PAGES } from './pages.ts';

const CONNECTIONS = 32;
const WANTED_PAGES = 5_000;
const HEADERS = ['accept-encoding: gzip, deflate, br, zstd', 'accept: text/html'];

/** A visitor that reads one page after the other. */
class Reader implements Pusher {
  readonly #connection: ApiConnection;
  #at: number;

  constructor(connection: ApiConnection, start: number) {
    this.#connection = connection;
    this.#at = start;
  }

  async push(): Promise<number> {
    this.#at += 1;
    const { status } = await this.#connection.ask('GET', PAGES[this.#at % PAGES.length] ?? '/');
    if (status !== 200) throw new Error(`A page was answered with ${status}.`);
    return 1;
  }
}

interface Measured extends LoadResult {
  /** Milliseconds of the server's processor for one page. */
  readonly cpuMs: number;
  readonly load: number;
}

async function measure(server: ServerProcess, seconds: number): Promise<Measured> {
  try {
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => openApiConnection(server.url, null, HEADERS)),
    );
    const readers = connections.map((connection, at) => new Reader(connection, at));
    await runClosed(readers, 1, 1);
    const before = server.cpuMs();
    const result = await runClosed(readers, 1, seconds);
    const cpuMs = (server.cpuMs() - before) / result.latency.count;
    for (const connection of connections) connection.close();
    return { ...result, cpuMs, load: conditions().load };
  } finally {
    await server.close();
  }
}

const row = (name: string, { operationsPerSecond, latency, cpuMs }: Measured, ratio: Cell): Cell[] => [
  name,
  Math.round(operationsPerSecond),
  latency.p50,
  latency.p95,
  latency.p99,
  cpuMs,
  ratio,
];

export async function runSiteSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  const seconds = quick ? 3 : 10;
  await buildSite();
  say('site: the bare one');
  const bare = await measure(await startProgram('bench/site/bare-pages.ts'), seconds);
  say('site: ours');
  const ours = await measure(await startServerProcess(), seconds);
  print(`## Pages of the site (${CONNECTIONS} connections, brotli, load ${ours.load.toFixed(1)})`);
  const ratio = `${(ours.operationsPerSecond / bare.operationsPerSecond).toFixed(2)} × bare`;
  print(
    table(
      ['', 'pages/s', 'p50 ms', 'p95 ms', 'p99 ms', 'processor ms each', ''],
      [row('bare node:http', bare, ''), row('Posthaste', ours, ratio)],
    ),
  );
  return [
    {
      name: 'site: pages/s',
      reached: ours.operationsPerSecond,
      bound: WANTED_PAGES,
      unit: '/s',
      kind: 'at least',
    },
  ];
}
