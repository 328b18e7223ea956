// Starting and stopping one server process: folder, database, generation, services, ports – and the way back.
// Not here: environment, signals and exit codes (main.ts).
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '#sync/ports.ts';
import type { HashParameters } from './accounts/password-hash.ts';
import { createBackups, type Backups } from './care/backups.ts';
import { createSealing, createServerKey, openServerKey, type Sealing } from './accounts/sealing.ts';
import { createDiskWatch } from './care/disk-watch.ts';
import { createMemoryLedger, openLedger, type Ledger } from './care/ledger.ts';
import { replayLedger } from './care/ledger-replay.ts';
import { Interrupted } from './care/pace.ts';
import { createSystemIds, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { openDatabase, type Database } from './data/database.ts';
import { openLimitJournal, type LimitJournal } from './limits/journal.ts';
import { createBus, type Bus } from './live/bus.ts';
import { createPostgresBus } from './live/postgres-bus.ts';
import { FILES_FOLDER, openBlobs, type Blobs } from './files/blobs.ts';
import { openMailDoor } from './mail/door.ts';
import { createMemoryPost, openPost, OUTBOX_FOLDER, type Post } from './mail/post.ts';
import { openSpool, SPOOL_FOLDER, type Spool } from './mail/spool.ts';
import { createClientReader } from './http/client.ts';
import { createLogger, errorDetail, type Logger } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import { createServices, type Services } from './services.ts';

const MOST_CONNECTIONS = 12_000;
/** Connections that may wait to be accepted: everybody comes back at once after a restart. The system may allow fewer. */
const BACKLOG = 4_096;
const HEADERS_MS = 5_000;
/** A file of 25 MB over a slow line takes minutes; headers have a limit of their own. */
const REQUEST_MS = 300_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_CONNECTIONS_MS = 1_000;
const DRAIN_MS = 10_000;
const HOUR_MS = 3_600_000;
/** Housekeeping leaves the first minute to those who were waiting for the server. */
const FIRST_CARE_MS = 60_000;
const IN_MEMORY = ':memory:';

/** What the process gives a server; tests give less. */
export interface ServerPorts {
  readonly clock?: Clock;
  /** Where log lines go, each with its line end. Absent: nowhere. */
  readonly write?: (line: string) => void;
  readonly appFolder?: string;
  readonly siteFolder?: string;
  readonly pushCa?: string;
  readonly hashParameters?: HashParameters;
}

export interface RunningServer {
  /** Where people reach it. */
  readonly url: string;
  /** Where it really listens. */
  readonly port: number;
  /** Where mail comes in; null: none does. */
  readonly mailPort: number | null;
  readonly services: Services;
  readonly database: Database;
  /** Resolves when the storage failed for good: only another start can help. */
  readonly failed: Promise<Error>;
  /** Finishes what is under way and leaves nothing open. Repeated calls wait for the first. */
  close(): Promise<void>;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Stops accepting and waits for the requests under way, at most ten seconds. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection kept alive becomes idle only after its answer; a closed listener alone would wait for it for ever.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

function publicAddress({ publicUrl, host }: Config, port: number): string {
  if (publicUrl !== null) return publicUrl;
  const isHere = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'].includes(host);
  const name = isHere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

async function open(config: Config, log: Logger, onFailure: (error: Error) => void): Promise<Database> {
  if (config.dataDir !== IN_MEMORY) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    chmodSync(config.dataDir, 0o700);
  }
  return openDatabase({
    dataDir: config.dataDir,
    onFailure,
    ...(config.databaseUrl === null ? {} : { url: config.databaseUrl }),
    // Messages of the data layer name files and versions, never content; only the event is kept.
    log: (level, message) =>
      level === 'error' ? log.error(eventName(message)) : log.info(eventName(message)),
  });
}

/** Before anybody is answered, what the database forgot in a restore is made true again. */
async function openReplayed(
  { db }: Database,
  { config, clock, log }: { readonly config: Config; readonly clock: Clock; readonly log: Logger },
): Promise<Ledger> {
  if (config.dataDir === IN_MEMORY) return createMemoryLedger();
  const ledger = await openLedger(config.dataDir, Math.round(clock.now()));
  try {
    for (const [what, count] of Object.entries(await replayLedger(db, ledger)))
      if (count > 0) log.info(`ledger_${what}`, { count });
    return ledger;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

function backupsOf({ backupDir, dataDir }: Config, database: Database, clock: Clock): Backups | null {
  if (backupDir === null || dataDir === IN_MEMORY) return null;
  return createBackups({
    db: database.db,
    backup: (to) => database.backup(to),
    folder: backupDir,
    clock,
  });
}

/** What is kept beside the database: the key for small secrets, and attached files. */
function keptBeside({ dataDir, bucket }: Config): { readonly sealing: Sealing; readonly blobs: Blobs } {
  if (dataDir !== IN_MEMORY)
    return {
      sealing: createSealing(openServerKey(dataDir)),
      blobs: openBlobs(join(dataDir, FILES_FOLDER), bucket),
    };
  // A server that keeps nothing still needs a place for what is being sent.
  const folder = join(tmpdir(), `posthaste-files-${randomUUID()}`);
  return { sealing: createSealing(createServerKey()), blobs: openBlobs(folder, bucket) };
}

async function openOutgoing(config: Config, clock: Clock, log: Logger): Promise<Post> {
  const { dataDir, smtpUrl, mailFrom } = config;
  if (dataDir === IN_MEMORY) return createMemoryPost();
  const from = `Posthaste <${mailFrom}>`;
  return openPost({ folder: join(dataDir, OUTBOX_FOLDER), smtpUrl, from, clock, log });
}

async function openBus({ databaseUrl: url }: Config, { kind }: Database, log: Logger): Promise<Bus> {
  return kind === 'postgres' && url !== null ? createPostgresBus({ url, log }) : createBus();
}

/** Also where no more mail comes in: what was taken before still becomes tasks. */
async function openIncoming({ dataDir, mailDomain }: Config): Promise<Spool | null> {
  if (dataDir === IN_MEMORY) return null;
  const folder = join(dataDir, SPOOL_FOLDER);
  return mailDomain !== null || existsSync(folder) ? openSpool(folder) : null;
}

function openLimits({ dataDir }: Config, clock: Clock, log: Logger): LimitJournal | null {
  if (dataDir === IN_MEMORY) return null;
  return openLimitJournal(dataDir, {
    clock,
    onFailure: (error) => log.error('limits_not_written', errorDetail(error)),
  });
}

const eventName = (message: string) => `database: ${message}`;

function createMetricsServer(metrics: Metrics): Server {
  return createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(isAsked ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(isAsked ? metrics.text() : '');
  });
}

/** On a port of its own where one is configured; the result stops it. */
async function serveMetrics({ metricsPort }: Config, metrics: Metrics): Promise<() => Promise<void>> {
  if (metricsPort === null) return () => Promise.resolve();
  const server = createMetricsServer(metrics);
  await listen(server, metricsPort, '127.0.0.1');
  return () => drain(server);
}

function createHttpServer(services: Services): Server {
  const options = {
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
  };
  const listener = getRequestListener(services.app.fetch, { overrideGlobalObjects: false });
  const server = createServer(options, (request, response) => {
    if (!services.kept.answer(request, response)) void listener(request, response);
  });
  server.maxConnections = MOST_CONNECTIONS;
  services.sockets.attach(server);
  return server;
}

async function openHttp(services: Services, { port: wanted, host }: Config) {
  const server = createHttpServer(services);
  const port = await listen(server, wanted, host);
  const close = async () => {
    services.readiness.stop();
    const drained = drain(server);
    await services.sockets.close();
    await drained;
  };
  return { port, close };
}

type House = Services & { readonly backups: Backups | null };

async function tidy({ events, desk, care, backups, mailIn }: House, log: Logger): Promise<void> {
  await events.prune();
  await mailIn?.desk.prune();
  await desk.prune();
  const report = await care.run();
  for (const [what, count] of Object.entries(report)) if (count > 0) log.info(`care_${what}`, { count });
  const outcome = await backups?.run();
  if (outcome?.type === 'made') log.info('backup_made', { count: outcome.removed });
  if (outcome?.type === 'too-little-space') log.error('backup_needs_space');
}

/** Work that has to be done now and then. The result stops it. */
function keepHouse(services: House, log: Logger): () => Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  const { metrics } = services;
  metrics.gauge('posthaste_loop_delay_p99_seconds', 'Delay of the event loop, 99th percentile.', () =>
    seconds(delay.percentile(99)),
  );
  metrics.gauge('posthaste_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  const care = () =>
    tidy(services, log).catch((error: unknown) => {
      if (!(error instanceof Interrupted)) log.error('care_failed', errorDetail(error));
    });
  const first = setTimeout(() => void care(), FIRST_CARE_MS);
  const hourly = setInterval(() => void care(), HOUR_MS);
  services.push.scheduler.start();
  first.unref();
  hourly.unref();
  return async () => {
    clearTimeout(first);
    clearInterval(hourly);
    delay.disable();
    await services.push.stop();
    await services.care.stop();
    await services.backups?.idle();
    await services.devices.save();
    await services.desk.background.idle();
  };
}

/** Where a started server lets mail in; null: nowhere. */
async function openDoor(
  config: Config,
  { mailIn }: Services,
  { spool, clock, log }: { readonly spool: Spool | null; readonly clock: Clock; readonly log: Logger },
) {
  await mailIn?.start();
  const { mailDomain: domain, mailPort: port, mailHost: host, mailCertificate: certificate } = config;
  if (mailIn === null || spool === null || domain === null) return null;
  const clientOf = createClientReader([]);
  const at = { domain, port, host, certificate, clientOf };
  const { desk, queue } = mailIn;
  const newId = createSystemIds(clock);
  return openMailDoor({ ...at, spool, desk, clock, log, newId, taken: (arrival) => queue.add(arrival) });
}

/** What the process says otherwise than the services would take by themselves. */
function given({ appFolder, siteFolder, hashParameters, pushCa }: ServerPorts) {
  return {
    ...(pushCa === undefined ? {} : { pushCa }),
    ...(appFolder === undefined ? {} : { appFolder }),
    ...(siteFolder === undefined ? {} : { siteFolder }),
    ...(hashParameters === undefined ? {} : { hashParameters }),
  };
}

/** Opens everything and resolves when requests are answered. Rejects, with nothing left open, when that cannot be. */
export async function startServer(config: Config, ports: ServerPorts = {}): Promise<RunningServer> {
  const clock = ports.clock ?? systemClock;
  const log = createLogger({ level: config.logLevel, clock, write: ports.write ?? (() => undefined) });
  const undo: (() => Promise<void> | void)[] = [];
  const undoAll = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const failed = Promise.withResolvers<Error>();
    const database = await open(config, log, (error) => failed.resolve(error));
    undo.push(() => database.close());
    const ledger = await openReplayed(database, { config, clock, log });
    undo.push(() => ledger.close());
    const generations = await database.store.openGeneration(randomUUID(), clock.now());
    const bus = await openBus(config, database, log);
    undo.push(() => bus.close());
    const backups = backupsOf(config, database, clock);
    const post = await openOutgoing(config, clock, log);
    undo.push(() => post.close());
    const spool = await openIncoming(config);
    const limitJournal = openLimits(config, clock, log);
    undo.push(() => limitJournal?.close());
    const services = createServices({
      config,
      database,
      generations,
      ledger,
      disk: config.dataDir === IN_MEMORY ? null : createDiskWatch(config.dataDir, clock),
      backups,
      clock,
      bus,
      post,
      spool,
      ...keptBeside(config),
      ...(limitJournal === null ? {} : { limitJournal }),
      log,
      ...given(ports),
    });
    undo.push(() => services.exchange.idle());
    undo.push(() => services.mailIn?.stop());
    undo.push(keepHouse({ ...services, backups }, log));
    undo.push(await serveMetrics(config, services.metrics));
    const { port, close: closeHttp } = await openHttp(services, config);
    undo.push(closeHttp);
    const door = await openDoor(config, services, { spool, clock, log });
    undo.push(() => door?.close());
    log.info('started', { port });
    let closing: Promise<void> | undefined;
    const close = async () => {
      log.info('stopping');
      await undoAll();
      log.info('stopped');
    };
    return {
      url: publicAddress(config, port),
      port,
      mailPort: door?.port ?? null,
      services,
      database,
      failed: failed.promise,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await undoAll();
    throw error;
  }
}
