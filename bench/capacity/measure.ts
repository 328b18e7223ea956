// Measures what one piece of each kind of work costs: processor time of a node and of its PostgreSQL, bytes sent, memory of a socket. Processor
// time and not the clock: it says nearly the same on a busy machine. The database is one of its own, whose commits wait for the disk.
import { createECDH, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import webPush from 'web-push';
import { WebSocket } from 'ws';
import { must } from '#core/assert.ts';
import { protocolVersion } from '#wire/version.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { startPostgres } from '../../test/contracts/postgres-instance.ts';
import { type ApiConnection, openApiConnection } from '../api/connection.ts';
import { datasetOf } from '../datasets.ts';
import { say } from '../report.ts';
import { type BenchAccount, signUp } from '../server/account.ts';
import { PushingDevice } from '../server/device.ts';
import { createWire, openDevice } from '../server/engine-device.ts';
import { fill } from '../server/filled-account.ts';
import { type HttpConnection, openConnection } from '../server/http-connection.ts';
import { runClosed } from '../server/load.ts';
import {
  familyMs,
  keepInPostgres,
  type ServerProcess,
  startServerProcess,
} from '../server/server-process.ts';
import type { Cost, Units } from './units.ts';

/** Those who push, and all that there are. */
const PUSHING = 16;
const ACCOUNTS = 100;
/** As many as the server lets one account have. */
const SOCKETS_PER_ACCOUNT = 20;
const SOCKETS = ACCOUNTS * SOCKETS_PER_ACCOUNT;
const LISTENERS = 15;
const ROWS = 20_000;
const READINGS = 4;
/** Of each program. */
const REQUESTS = 150;
const POLLS = 2_000;
const SETTLE_MS = 3_000;
/** Head of an answer, and what TLS and TCP add. */
const HEAD_BYTES = 700;

/** What work costs, for each piece of it. */
type Meter = (work: () => Promise<number>, bytesOut?: number) => Promise<Cost>;

const minus = (one: Cost, other: Cost, share = 1): Cost => ({
  nodeMs: Math.max(0, (one.nodeMs - other.nodeMs) / share),
  databaseMs: Math.max(0, (one.databaseMs - other.databaseMs) / share),
  bytesOut: one.bytesOut,
});

const plus = (one: Cost, other: Cost): Cost => ({
  nodeMs: one.nodeMs + other.nodeMs,
  databaseMs: one.databaseMs + other.databaseMs,
  bytesOut: one.bytesOut + other.bytesOut,
});

async function openSocket(
  server: ServerProcess,
  { cookie }: BenchAccount,
  hear: (bytes: number) => void,
): Promise<WebSocket> {
  const { origin } = new URL(server.url);
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/live`, {
    headers: { origin, cookie },
    perMessageDeflate: false,
  });
  socket.on('message', (data: Buffer) => hear(data.length));
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', resolve);
  });
  socket.send(JSON.stringify({ type: 'hello', device: crypto.randomUUID(), cursors: {} }));
  return socket;
}

async function polls(connection: HttpConnection, { cookie }: BenchAccount, count: number): Promise<number> {
  const device = crypto.randomUUID();
  const ask = async (cursors: object) => {
    const said = { schema: protocolVersion, device, clientNow: Date.now(), ops: [], ack: 0, cursors };
    const { status, body } = await connection.post('/sync/v1', JSON.stringify(said), cookie);
    if (status !== 200) throw new Error(`The server answered ${status}.`);
    return body as SyncResponse;
  };
  const first = await ask({});
  const cursors = Object.fromEntries(
    first.changes.map(({ scope, generation, to }) => [scope, { generation, version: to }]),
  );
  for (let at = 0; at < count; at += 1) await ask(cursors);
  return count;
}

const MAIL = [
  'From: Person <person@example.org>',
  'To: in.abc@example.org',
  'Subject: Call the garden about the seeds',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Ask whether the seeds have come, and what they cost this year.\n'.repeat(20),
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Ask whether the seeds have come, and what they cost this year.</p>\n'.repeat(20),
  '--b--',
  '',
].join('\r\n');

async function token(url: string, account: number): Promise<string> {
  const door = await openApiConnection(url, null);
  const credentials = {
    email: `program-${account}@example.com`,
    password: `a long enough phrase for ${account}`,
  };
  const answer = await door.ask('POST', '/api/sessions/sign_up', JSON.stringify(credentials));
  door.close();
  return (JSON.parse(answer.text()) as { token: string }).token;
}

/** A third each of new tasks, changes and lists of the latest 25. */
async function requests(program: ApiConnection, count: number): Promise<number> {
  let id = '';
  for (let at = 0; at < count; at += 3) {
    const made = await program.ask('POST', '/api/tasks', JSON.stringify({ title: `Call number ${at}` }));
    ({ id } = (JSON.parse(made.text()) as { task: { id: string } }).task);
    await program.ask('PATCH', `/api/tasks/${id}`, '{"title":"Changed"}');
    await program.ask('GET', '/api/tasks?limit=25');
  }
  return count;
}

/** Milliseconds of this process for one piece of such work. */
async function here(count: number, work: () => unknown): Promise<Cost> {
  for (let at = 0; at < count / 10; at += 1) await work();
  const before = process.cpuUsage();
  for (let at = 0; at < count; at += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return { nodeMs: (user + system) / 1_000 / count, databaseMs: 0, bytesOut: 0 };
}

function reminder(): () => unknown {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const keys = { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
  const vapidDetails = { subject: 'https://example.org', ...webPush.generateVAPIDKeys() };
  const to = { endpoint: 'https://push.example.org/one', keys };
  const options = { vapidDetails, TTL: 3_600, contentEncoding: 'aes128gcm' } as const;
  return () => webPush.generateRequestDetails(to, 'x'.repeat(400), options);
}

async function measureOn(
  server: ServerProcess,
  databaseMs: () => number,
  databaseBytes: () => Promise<number>,
  seconds: number,
): Promise<Units> {
  const meter: Meter = async (work, bytesOut = HEAD_BYTES) => {
    const before = [server.cpuMs(), databaseMs()] as const;
    const count = await work();
    return {
      nodeMs: (server.cpuMs() - before[0]) / count,
      databaseMs: (databaseMs() - before[1]) / count,
      bytesOut,
    };
  };
  const door = await openConnection(server.url);
  const accounts: BenchAccount[] = [];
  for (let at = 0; at < ACCOUNTS; at += 1) accounts.push(await signUp(door, `person-${at}`));
  const account = must(accounts[0], 'there are accounts');
  const pushing = accounts.slice(0, PUSHING);
  const connections = await Promise.all(pushing.map(() => openConnection(server.url)));
  const devices = connections.map(
    (connection, at) => new PushingDevice(must(pushing[at], 'each has one'), connection),
  );
  for (const device of devices) await device.join();
  let pushed = 0;
  const pushes =
    (size: number, length = seconds) =>
    async () => {
      const { pushesPerSecond, operationsPerSecond } = await runClosed(devices, size, length);
      pushed += operationsPerSecond * length;
      return pushesPerSecond * length;
    };

  say('capacity: idle sockets');
  await pause(SETTLE_MS);
  const nodeMb = server.residentMb();
  const sockets: WebSocket[] = [];
  let heard = 0;
  let heardBytes = 0;
  const hear = (bytes: number) => {
    heard += 1;
    heardBytes += bytes;
  };
  const opening = await meter(async () => {
    for (let at = 0; at < SOCKETS; at += 1)
      sockets.push(await openSocket(server, must(accounts[at % ACCOUNTS], 'each has one'), hear));
    return SOCKETS;
  });
  await pause(SETTLE_MS);
  const socketKb = ((server.residentMb() - nodeMb) * 1_000) / SOCKETS;
  for (const socket of sockets.splice(0)) socket.terminate();
  await pause(SETTLE_MS);

  // Before there is much: what PostgreSQL tidies up after the pushes below is theirs.
  say('capacity: programs');
  const programs: ApiConnection[] = [];
  for (let at = 0; at < PUSHING; at += 1)
    programs.push(await openApiConnection(server.url, await token(server.url, at)));
  const request = await meter(async () => {
    const counts = await Promise.all(programs.map((program) => requests(program, REQUESTS)));
    return counts.reduce((sum, count) => sum + count, 0);
  }, 2_000);
  for (const program of programs) program.close();

  say('capacity: pushes');
  // Until the code that is run most is compiled.
  for (const size of [1, 10]) await pushes(size, 4)();
  const bytesBefore = await databaseBytes();
  pushed = 0;
  const one = await meter(pushes(1));
  const ten = await meter(pushes(10));
  const operationBytes = ((await databaseBytes()) - bytesBefore) / pushed;

  say('capacity: changes told to sockets');
  for (const each of pushing)
    for (let at = 0; at < LISTENERS; at += 1) sockets.push(await openSocket(server, each, hear));
  await pause(SETTLE_MS);
  [heard, heardBytes] = [0, 0];
  const told = await meter(pushes(1));
  const delta = { ...minus(told, one, LISTENERS), bytesOut: heard === 0 ? 0 : heardBytes / heard };
  for (const socket of sockets.splice(0)) socket.terminate();

  say('capacity: opening, reading in full');
  const poll = await meter(() => polls(door, account, POLLS));
  const reader = await signUp(door, 'reader');
  await fill(server.url, reader, datasetOf(ROWS));
  const reading = await meter(async () => {
    for (let at = 0; at < READINGS; at += 1) {
      const engine = await openDevice(reader, createWire(server.url, reader));
      while ([...engine.replica.all()].length < ROWS) await pause(50);
      await engine.close();
    }
    return (READINGS * ROWS) / 1_000;
  });
  for (const connection of [door, ...connections]) connection.close();

  const push = await here(300, reminder());
  const mail = await here(300, () => PostalMime.parse(MAIL));
  return {
    push: one,
    operation: { ...minus(ten, one, 9), bytesOut: 0 },
    delta,
    sync: plus(poll, opening),
    // About 250 bytes of a row are left after compression.
    thousandRows: { ...reading, bytesOut: 60_000 },
    request,
    reminder: plus(push, one),
    mailIn: plus(mail, one),
    mailOut: plus(mail, one),
    socketKb,
    nodeMb,
    operationBytes,
  };
}

/** Starts a node and its PostgreSQL, measures, and ends both. */
export async function measureUnits(seconds: number): Promise<Units> {
  const postgres = await startPostgres({ isDurable: true });
  try {
    let address = '';
    keepInPostgres(async () => {
      address = (await postgres.createDatabase()).replace('@/', '@localhost/');
      return address;
    });
    const server = await startServerProcess();
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    const postmaster = Number(
      readFileSync(join(postgres.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0],
    );
    // Without the holes that changed rows leave: those are filled again, and there are as many in a year as in a week.
    const size = async () => {
      await client.query('VACUUM FULL');
      const { rows } = await client.query<{ bytes: string }>(
        'SELECT pg_database_size(current_database()) AS bytes',
      );
      return Number(rows[0]?.bytes);
    };
    try {
      return await measureOn(server, () => familyMs(postmaster), size, seconds);
    } finally {
      await client.end();
      await server.close();
    }
  } finally {
    await postgres.stop();
  }
}
