// Starts and stops one server process: folder, database, generation, services, ports – and back. Not here: environment,
// signals and exit codes (main.ts).
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { HashParameters } from './accounts/password-hash.ts';
import { forgetBillingStart } from './billing/records.ts';
import { createBackups, type Backups } from './care/backups.ts';
import { openSealing } from './accounts/sealed.ts';
import type { Sealing } from './accounts/sealing.ts';
import { Ballast, BALLAST_FILE } from './care/ballast.ts';
import { createDiskWatch, type DiskWatch } from './care/disk-watch.ts';
import { openGenerations } from './care/generations.ts';
import { endedMarks, type Ledger, revokedIn } from './care/ledger.ts';
import { openLedgerOf } from './care/shared-ledger.ts';
import { replayLedger } from './care/ledger-replay.ts';
import { keepHouse } from './care/house.ts';
import { createRoom, type Room } from './care/room.ts';
import { createSystemIds, systemClock } from './clock.ts';
import { IN_MEMORY, type Config } from './config.ts';
import { openDatabase, type Database } from './data/database.ts';
import { takesNoWrites } from './data/storage-trouble.ts';
import type { Counters } from './limits/counters.ts';
import { openLimitJournal, type LimitJournal } from './limits/journal.ts';
import { createBus, type Bus } from './live/bus.ts';
import { createPostgresBus } from './live/postgres-bus.ts';
import { contentOf, FILES_FOLDER } from './files/content-places.ts';
import { openSmtpServer } from './mail/smtp-server.ts';
import { createSharedOutbox, openFolderOutbox, OUTBOX_FOLDER } from './mail/outbox.ts';
import { createMemoryPost, openPost, type Post } from './mail/post.ts';
import { createSharedSpool, type SharedMailPorts } from './mail/shared-spool.ts';
import { openSpool, SPOOL_FOLDER, type Spool } from './mail/spool.ts';
import { createClientReader } from './http/client.ts';
import { createLeaving, type Leaving } from './http/leaving.ts';
import { isLoopbackName } from './http/origin.ts';
import { Patience, type PatienceLimits } from './http/patience.ts';
import { createLogger, errorDetail, type Logger } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import { createAdmission } from './nodes/admission.ts';
import { selfOf } from './nodes/self.ts';
import { tryFiles } from './nodes/try-files.ts';
import { createServices, programVersion, type Services } from './services.ts';

const MOST_CONNECTIONS = 12_000;
/** Connections that may wait to be accepted: all clients return at once after a restart. The system may permit fewer. */
const BACKLOG = 4_096;
const HEADERS_MS = 5_000;
/** Neither end has sent anything in the middle of a request: the peer is gone. */
const SILENCE_MS = 120_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_CONNECTIONS_MS = 1_000;
const DRAIN_MS = 10_000;

/** What the process passes to a server; tests pass less. */
export interface ServerPorts {
  readonly clock?: Clock;
  /** Receives log lines, each with its line end. Absent: none. */
  readonly write?: (line: string) => void;
  readonly appFolder?: string;
  readonly siteFolder?: string;
  readonly pushCa?: string;
  readonly hashParameters?: HashParameters;
  readonly patience?: PatienceLimits;
}

export interface RunningServer {
  /** The public address. */
  readonly url: string;
  /** The actual port. */
  readonly port: number;
  /** The SMTP port; null: none. */
  readonly mailPort: number | null;
  readonly services: Services;
  readonly database: Database;
  readonly room: Room;
  /** Resolves when the storage failed for good: only a restart can help. */
  readonly failed: Promise<Error>;
  /** Finishes running work and leaves nothing open. Repeated calls wait for the first. */
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

/** Stops accepting and waits for running requests, at most ten seconds. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A kept-alive connection becomes idle only after its answer; a closed listener alone would wait for it for ever.
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

function makeFolder({ dataDir }: Config): void {
  if (dataDir === IN_MEMORY) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
}

function open(config: Config, log: Logger, onFailure: (error: Error) => void): Promise<Database> {
  return openDatabase({
    dataDir: config.dataDir,
    onFailure,
    ...(config.databaseUrl === null ? {} : { url: config.databaseUrl }),
    historyGroups: config.historyGroups,
    // Messages of the data layer name files and versions, never content; only the event is logged.
    log: (level, message) =>
      level === 'error' ? log.error(eventName(message)) : log.info(eventName(message)),
  });
}

/** The reserve on the disk for essential writes. On a full disk it is given up before anything is opened. */
function openBallast({ dataDir, ballastBytes }: Config, disk: DiskWatch | null, log: Logger): Ballast | null {
  if (disk === null) return null;
  if (ballastBytes === 0) {
    rmSync(join(dataDir, BALLAST_FILE), { force: true });
    return null;
  }
  const ballast = new Ballast(dataDir, ballastBytes, disk);
  if (ballast.isKept && ballast.isShort) {
    ballast.giveUp();
    log.error('disk_full_ballast_given_up');
  }
  return ballast;
}

interface Replay {
  readonly ledger: Ledger;
  /** Ended sessions that the database could not record. */
  readonly ended: readonly Id[];
  /** Marks of ended credentials that the database could not record. */
  readonly endedCredentials: ReadonlySet<string>;
}

const NONE_ENDED = { ended: [], endedCredentials: new Set<string>() } as const;

/** Replays the ledger before anything is answered, to redo what a restore undid. */
async function openReplayed(
  database: Database,
  { config, clock, log, room }: Pick<Opening, 'config' | 'clock' | 'log'> & { readonly room: Room },
): Promise<Replay> {
  const ledger = await openLedgerOf(config, Math.round(clock.now()), log);
  if (config.dataDir === IN_MEMORY) return { ledger, ...NONE_ENDED };
  const replay = async () => {
    for (const [what, count] of Object.entries(await replayLedger(database, ledger, Math.round(clock.now()))))
      if (count > 0) log.info(`ledger_${what}`, { count });
  };
  try {
    // Nothing was put back while somebody was there; what they are doing now must not be done again.
    if (await database.presence.isServed()) await ledger.read();
    else await replay();
    return { ledger, ...NONE_ENDED };
  } catch (error) {
    if (takesNoWrites(error)) {
      await room.eventually(replay);
      const content = await ledger.read();
      return { ledger, ended: revokedIn(content), endedCredentials: endedMarks(content) };
    }
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

/** What servers of one database share; null: this one has it alone. */
function sharedWith({ kind, db, presence }: Database, node: string, log: Logger): SharedMailPorts | null {
  return kind === 'postgres' ? { db, node, living: () => presence.living(), log } : null;
}

async function openOutgoing(
  { dataDir, smtpUrl, mailFrom }: Config,
  { clock, log }: Pick<Opening, 'clock' | 'log'>,
  { shared, sealing }: { readonly shared: SharedMailPorts | null; readonly sealing: Sealing },
): Promise<Post> {
  if (dataDir === IN_MEMORY) return createMemoryPost();
  const from = `Posthaste <${mailFrom}>`;
  const folder = await openFolderOutbox(join(dataDir, OUTBOX_FOLDER));
  // Without a mail server they stay where the operator finds them.
  const outbox =
    shared === null || smtpUrl === null ? folder : createSharedOutbox(folder, { ...shared, sealing });
  return openPost({ outbox, smtpUrl, from, clock, log });
}

interface Together {
  readonly bus: Bus;
  readonly counters: Counters | null;
  close(): Promise<void>;
}

/** What this process has in common with the others of its database. */
async function openTogether(
  { databaseUrl: url, busUrl }: Config,
  { kind, counters }: Database,
  { sealing, log }: { readonly sealing: Sealing; readonly log: Logger },
): Promise<Together> {
  if (busUrl !== null) {
    // Its client is loaded only here.
    const { openValkey } = await import('./valkey/valkey.ts');
    // Who has another key belongs to another installation.
    const prefix = `posthaste:${sealing.sign('names in Valkey').slice(0, 16)}`;
    return await openValkey({ url: busUrl, prefix, log });
  }
  const bus = kind === 'postgres' && url !== null ? await createPostgresBus({ url, log }) : createBus();
  return { bus, counters, close: () => bus.close() };
}

/** Also when no more mail is accepted: earlier messages still become tasks. */
async function openIncoming(
  { dataDir, mailDomain }: Config,
  shared: SharedMailPorts | null,
): Promise<Spool | null> {
  if (dataDir === IN_MEMORY) return null;
  const folder = join(dataDir, SPOOL_FOLDER);
  if (mailDomain === null && !existsSync(folder)) return null;
  const spool = await openSpool(folder);
  return shared === null ? spool : createSharedSpool(spool, shared);
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
    const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '';
    const isAsked = request.method === 'GET' && request.url === '/metrics' && isLoopbackName(host);
    response.writeHead(isAsked ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(isAsked ? metrics.text() : '');
  });
}

/** Metrics on a separate port if one is configured; the result stops it. */
async function serveMetrics(
  { metricsPort, metricsHost }: Config,
  metrics: Metrics,
): Promise<() => Promise<void>> {
  if (metricsPort === null) return () => Promise.resolve();
  const server = createMetricsServer(metrics);
  await listen(server, metricsPort, metricsHost);
  return () => drain(server);
}

function createHttpServer(services: Services, leaving: Leaving): Server {
  const options = {
    headersTimeout: HEADERS_MS,
    // Limited by the kind of request (http/patience.ts).
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
  };
  const listener = getRequestListener(services.app.fetch, { overrideGlobalObjects: false });
  const server = createServer(options, (request, response) => {
    leaving.answering(response);
    if (services.kept.answer(request, response)) return;
    services.patience.begin(request);
    void listener(request, response);
  });
  server.setTimeout(SILENCE_MS);
  server.maxConnections = MOST_CONNECTIONS;
  services.sockets.attach(server);
  return server;
}

async function openHttp(services: Services, { port: wanted, host, drainMs }: Config, bus: Bus) {
  const leaving = createLeaving({ drainMs, nodes: () => bus.nodes() });
  const server = createHttpServer(services, leaving);
  const port = await listen(server, wanted, host);
  const close = async () => {
    services.readiness.stop();
    const left = leaving.begin();
    services.publicLinks.streams.close();
    const closed = services.sockets.close();
    await left;
    await Promise.all([drain(server), closed]);
  };
  return { port, close };
}

/** Opens the SMTP server; null: none configured. */
async function openSmtp(
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
  return openSmtpServer({
    ...at,
    spool,
    desk,
    clock,
    log,
    newId,
    taken: (arrival) => queue.add(arrival),
    deliverSealed: (arrival, raw) => mailIn.deliverSealed(arrival, raw),
  });
}

/** Overrides of the services' defaults. */
function given({ appFolder, siteFolder, hashParameters, pushCa, patience }: ServerPorts) {
  return {
    ...(patience === undefined ? {} : { patience: new Patience(patience) }),
    ...(pushCa === undefined ? {} : { pushCa }),
    ...(appFolder === undefined ? {} : { appFolder }),
    ...(siteFolder === undefined ? {} : { siteFolder }),
    ...(hashParameters === undefined ? {} : { hashParameters }),
  };
}

interface Opening {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  /** Clean-up steps: last in, first out. */
  readonly undo: (() => Promise<void> | void)[];
  readonly onFailure: (error: Error) => void;
}

/** Runs all steps, even if some fail; rejects with the first failure. */
async function undoAll(undo: Opening['undo']): Promise<void> {
  const failures: unknown[] = [];
  for (const step of undo.splice(0).toReversed())
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

/** This server among the others of its database. */
function placeOf(config: Config, sealing: Sealing) {
  const { bucket } = config;
  const self = selfOf({
    id: randomUUID(),
    build: programVersion(),
    protocol: protocolVersion,
    sealing,
    bucket,
  });
  return { self, admit: createAdmission({ self, tryFiles: () => tryFiles(config) }) };
}

/** Opens the database with everything that reading and writing needs, even on a full disk. */
async function openStorage({ config, clock, log, undo, onFailure }: Opening) {
  makeFolder(config);
  const disk = config.dataDir === IN_MEMORY ? null : createDiskWatch(config.dataDir, clock);
  const ballast = openBallast(config, disk, log);
  const database = await open(config, log, onFailure);
  undo.push(() => database.close());
  // The log left by a killed process keeps its size until it is released.
  await database.release();
  const room = createRoom({ ballast, database, clock, log });
  const replay = await openReplayed(database, { config, clock, log, room });
  undo.push(
    () => replay.ledger.close(),
    () => room.stop(),
  );
  const sealing = await openSealing(config, database.db);
  const place = placeOf(config, sealing);
  const generations = await openGenerations(database, clock, place);
  if (!generations.isOpen) log.error('started_read_only');
  room.start();
  return {
    disk,
    database,
    room,
    sealing,
    node: place.self.id,
    ...replay,
    generations: generations.known,
    beforeWriting: () => generations.open(),
    beforeServing: () => generations.check(),
    readGenerations: () => generations.read(),
  };
}

async function openServices(opening: Opening, ports: ServerPorts) {
  const { config, clock, log, undo } = opening;
  const storage = await openStorage(opening);
  const { database } = storage;
  const together = await openTogether(config, database, { sealing: storage.sealing, log });
  const { bus } = together;
  undo.push(() => together.close());
  const backups = backupsOf(config, database, clock);
  const shared = sharedWith(database, storage.node, log);
  const post = await openOutgoing(config, opening, { shared, sealing: storage.sealing });
  undo.push(() => post.close());
  const spool = await openIncoming(config, shared);
  const limitJournal = database.counters === null ? openLimits(config, clock, log) : null;
  undo.push(() => limitJournal?.close());
  const services = createServices({
    ...storage,
    config,
    backups,
    clock,
    bus,
    post,
    spool,
    blobs: contentOf(config, FILES_FOLDER),
    counters: together.counters,
    ...(limitJournal === null ? {} : { limitJournal }),
    log,
    ...given(ports),
  });
  undo.push(() => services.sharedLimits?.close());
  // A key that doesn't belong to the data starts nothing.
  await beginBilling(services.billing, database);
  undo.push(() => services.exchange.idle());
  undo.push(() => services.mailIn?.stop());
  undo.push(keepHouse({ ...services, backups, leadership: database.presence.leadership }, log));
  return { services, spool, database, room: storage.room, bus };
}

/** Without billing nothing of it is left but what was paid; with it, a key of another world than the data starts nothing. */
async function beginBilling(billing: Services['billing'], { db }: Database): Promise<void> {
  try {
    await (billing?.since() ?? forgetBillingStart(db));
  } catch (error) {
    if (!takesNoWrites(error)) throw error;
  }
}

/** Opens everything and resolves when requests are answered. Rejects, leaving nothing open, on failure. */
export async function startServer(config: Config, ports: ServerPorts = {}): Promise<RunningServer> {
  const clock = ports.clock ?? systemClock;
  const log = createLogger({ level: config.logLevel, clock, write: ports.write ?? (() => undefined) });
  const undo: Opening['undo'] = [];
  const failed = Promise.withResolvers<Error>();
  try {
    const opening = { config, clock, log, undo, onFailure: (error: Error) => failed.resolve(error) };
    const { services, spool, database, room, bus } = await openServices(opening, ports);
    undo.push(await serveMetrics(config, services.metrics));
    const { port, close: closeHttp } = await openHttp(services, config, bus);
    undo.push(closeHttp);
    const smtp = await openSmtp(config, services, { spool, clock, log });
    undo.push(() => smtp?.close());
    log.info('started', { port });
    let closing: Promise<void> | undefined;
    const close = async () => {
      log.info('stopping');
      await undoAll(undo);
      log.info('stopped');
    };
    return {
      url: publicAddress(config, port),
      port,
      mailPort: smtp?.port ?? null,
      services,
      database,
      room,
      failed: failed.promise,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    // The failure of the start matters more than one of the clean-up.
    await undoAll(undo).catch(() => undefined);
    throw error;
  }
}
