// Many people on three servers of one PostgreSQL: how long an operation takes to the sockets of the account, wherever they are, and how soon
// everybody is back when one of the servers is killed.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { must } from '#core/assert.ts';
import { startBucket } from '../../test/bucket-server.ts';
import { startPostgres } from '../../test/contracts/postgres-instance.ts';
import { type ServerChild, startServerChild } from '../../test/process/server-child.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, show, table } from '../report.ts';
import type { Job } from './crowd-client.ts';
import { ask, atMost } from './crowd.ts';
import { prepareAccounts } from './prepared.ts';
import { familyMs } from './server-process.ts';

const SERVERS = 3;
const SOCKETS_PER_ACCOUNT = 10;
const FULL = { sockets: 5_000, operationsPerSecond: 500 };
const QUICK = { sockets: 500, operationsPerSecond: 50 };
/** For comparing what an operation costs: a load that groups pushes, and that one server still carries. */
const COMPARED = { sockets: 1_000, operationsPerSecond: 400 };
const COMPARED_SECONDS = 20;
const WARM_UP_SECONDS = 6;
const WANTED_COST = 1.3;
const WANTED_P99_MS = 250;
const WANTED_BACK_MS = 15_000;

interface World {
  readonly servers: readonly ServerChild[];
  readonly tell: (job: Job) => ReturnType<typeof ask>;
  /** Operations that the database has. */
  readonly taken: () => Promise<number>;
  /** Processor time so far. */
  readonly cpuMs: () => { readonly servers: number; readonly database: number };
}

async function inWorld<T>(
  { accounts, count }: { readonly accounts: number; readonly count: number },
  work: (world: World) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-nodes-'));
  const [postgres, bucket] = await Promise.all([startPostgres({ isDurable: true }), startBucket()]);
  const servers: ServerChild[] = [];
  const client = fork(join(import.meta.dirname, 'crowd-client.ts'));
  try {
    const url = (await postgres.createDatabase()).replace('@/', '@localhost/');
    const environment = {
      DATABASE_URL: url,
      SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
      BLOB_URL: bucket.url,
      BACKUPS: 'off',
      LOG_LEVEL: 'off',
    };
    const people = await prepareAccounts(join(folder, 'first'), accounts, environment);
    for (let at = 0; at < count; at += 1)
      servers.push(await startServerChild(join(folder, String(at)), environment));
    const tell = (job: Job) => ask(client, job);
    await tell({ job: 'begin', urls: servers.map(({ address }) => address), accounts: people });
    const taken = async () => {
      const beside = new pg.Client({ connectionString: url });
      await beside.connect();
      const { rows } = await beside.query<{ n: string }>('SELECT count(*) AS n FROM history');
      await beside.end();
      return Number(rows[0]?.n);
    };
    const postmaster = Number(
      readFileSync(join(postgres.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0],
    );
    const cpuMs = () => ({
      servers: servers.reduce((sum, server) => sum + (server.cpuMs() ?? Number.NaN), 0),
      database: familyMs(postmaster),
    });
    return await work({ servers, tell, taken, cpuMs });
  } finally {
    client.kill();
    for (const server of servers) await server.kill();
    await postgres.stop();
    bucket.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** On PostgreSQL, whatever else was asked for. */
export async function runNodesCrowdSuite({
  quick,
  seconds,
}: {
  readonly quick: boolean;
  readonly seconds: number;
}): Promise<Gate[]> {
  const { sockets, operationsPerSecond } = quick ? QUICK : FULL;
  const accounts = sockets / SOCKETS_PER_ACCOUNT;
  say('nodes-crowd');
  const gates = await inWorld({ accounts, count: SERVERS }, async ({ servers, tell, taken, cpuMs }) => {
    await tell({ job: 'sockets', count: sockets });
    await tell({ job: 'join', clients: accounts });
    const joined = await taken();
    const before = cpuMs();
    const busy = await tell({ job: 'fan out', operationsPerSecond, seconds });
    const cpuOfOne = (cpuMs().servers - before.servers) / busy.count;
    const { p50, p95, p99, max } = must(busy.latency ?? null, 'it was measured');
    const during = tell({ job: 'fan out', operationsPerSecond, seconds });
    await pause((seconds * 1_000) / 2);
    await must(servers[1] ?? null, 'there are three').kill();
    const killed = await during;
    const { count: open } = await tell({ job: 'count' });
    const acknowledged = (busy.acknowledged ?? 0) + (killed.acknowledged ?? 0);
    const lost = joined + acknowledged - (await taken());
    const name = `${sockets} sockets, ${operationsPerSecond} operations/s, ${SERVERS} servers`;
    print(`## ${name} (PostgreSQL, ${seconds} s, load ${show(conditions().load)})`);
    print(
      table(
        [
          'operation → socket p50',
          'p95',
          'p99',
          'longest',
          'messages',
          'servers, processor an operation',
          'one killed: all back',
          'lost',
        ],
        [
          [
            show(p50, 'ms'),
            show(p95, 'ms'),
            show(p99, 'ms'),
            show(max, 'ms'),
            busy.heard,
            show(cpuOfOne, 'ms'),
            show((killed.backMs ?? 0) / 1_000, 's'),
            lost,
          ],
        ],
      ),
    );
    return [
      atMost(`${name}: operation to socket, p99`, p99, WANTED_P99_MS, 'ms'),
      atMost(
        'one of three servers killed: all sockets back',
        killed.backMs ?? Infinity,
        WANTED_BACK_MS,
        'ms',
      ),
      atMost('one of three servers killed: sockets that are not open', sockets - open, 0, ''),
      atMost('one of three servers killed: acknowledged operations that are missing', lost, 0, ''),
    ];
  });
  return [...gates, await compareCosts(quick)];
}

/** Milliseconds of a processor that an operation takes, told to ten sockets of its account. */
async function costOn(count: number, quick: boolean): Promise<{ servers: number; database: number }> {
  const { sockets, operationsPerSecond } = COMPARED;
  const accounts = sockets / SOCKETS_PER_ACCOUNT;
  say(`nodes-crowd: cost on ${count}`);
  return await inWorld({ accounts, count }, async ({ tell, cpuMs }) => {
    await tell({ job: 'sockets', count: sockets });
    await tell({ job: 'join', clients: accounts });
    // Until what is run most is compiled.
    await tell({ job: 'fan out', operationsPerSecond, seconds: WARM_UP_SECONDS });
    const before = cpuMs();
    const { count: done } = await tell({
      job: 'fan out',
      operationsPerSecond,
      seconds: quick ? WARM_UP_SECONDS : COMPARED_SECONDS,
    });
    const after = cpuMs();
    return {
      servers: (after.servers - before.servers) / done,
      database: (after.database - before.database) / done,
    };
  });
}

/** What an operation costs where its account is spread over three servers, beside one: the same work, and less than these can do. */
async function compareCosts(quick: boolean): Promise<Gate> {
  const one = await costOn(1, quick);
  const three = await costOn(SERVERS, quick);
  const sum = ({ servers, database }: typeof one) => servers + database;
  const { sockets, operationsPerSecond } = COMPARED;
  print(
    `## An operation on one server and on three (PostgreSQL, ${sockets} sockets, ${operationsPerSecond}/s)`,
  );
  const row = (name: string, cost: typeof one) => [
    name,
    show(cost.servers, 'ms'),
    show(cost.database, 'ms'),
    show(sum(cost), 'ms'),
  ];
  print(
    table(
      ['processor an operation', 'servers', 'database', 'both'],
      [row('one server', one), row('three servers', three)],
    ),
  );
  return atMost('an operation on three servers beside one', sum(three) / sum(one), WANTED_COST, '×');
}
