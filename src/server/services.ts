// Builds the parts of the server from a database and a configuration, and joins them: accounts, replication, live
// connections, the HTTP app. Opens no port; tests call the app in process. Not here: starting and stopping (server.ts).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import { createCare, type Care } from './care/care.ts';
import { revokedEntries, type Ledger } from './care/ledger.ts';
import type { Backups } from './care/backups.ts';
import type { DiskWatch } from './care/disk-watch.ts';
import { createDeviceWatch, type DeviceWatch } from './care/device-watch.ts';
import { createAccounts, type Accounts } from './accounts/accounts.ts';
import {
  createPasswords,
  defaultHashParameters,
  type HashParameters,
  type Passwords,
} from './accounts/password-hash.ts';
import { createEmailProofs } from './accounts/email-proof.ts';
import { createPasskeys } from './accounts/passkeys.ts';
import type { Sealing } from './accounts/sealing.ts';
import { createSecondFactor } from './accounts/second-factor.ts';
import { createSecurityEvents, type SecurityEvents } from './accounts/security-events.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createHttpApp, createRoutes } from './app.ts';
import { createSystemIds } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './data/database.ts';
import type { GenerationRecord } from './data/store.ts';
import { createClientReader } from './http/client.ts';
import { createSessionCookie } from './http/cookie.ts';
import { createAppFiles } from './http/files.ts';
import { KeptAnswers } from './http/kept-answers.ts';
import type { Route } from './http/route.ts';
import type { LimitJournal } from './limits/journal.ts';
import { createLimiter, type Limiter } from './limits/rates.ts';
import type { Bus } from './live/bus.ts';
import { createHub, type Hub } from './live/hub.ts';
import { createLiveSockets, type LiveSockets } from './live/sockets.ts';
import type { Blobs } from './files/blobs.ts';
import { createFileLedger } from './files/ledger.ts';
import { createFileLinks } from './files/links.ts';
import type { Post } from './mail/post.ts';
import { createMailIn, type MailIn } from './mail/receiving.ts';
import type { Spool } from './mail/spool.ts';
import { errorDetail, type Logger } from './observe/log.ts';
import { createMetrics, type Metrics } from './observe/metrics.ts';
import { createReadiness, type Readiness } from './observe/readiness.ts';
import { createSiteDesk, type SiteDesk } from './site/desk.ts';
import { createSiteFiles } from './site/site-files.ts';
import { createPush, type Push } from './push/push.ts';
import { createExchange, type Exchange } from './sync/exchange.ts';

export interface ServicePorts {
  readonly config: Config;
  readonly database: Pick<Database, 'db' | 'store' | 'reads'>;
  /** Of this start, oldest first. */
  readonly generations: readonly GenerationRecord[];
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** Null where nothing is on a disk. */
  readonly disk: DiskWatch | null;
  readonly backups: Backups | null;
  readonly bus: Bus;
  readonly post: Post;
  /** Where mail that came in waits; null: none comes in. */
  readonly spool: Spool | null;
  readonly sealing: Sealing;
  readonly blobs: Blobs;
  readonly log: Logger;
  /** What counted calls are written to; absent: they are forgotten with the process. */
  readonly limitJournal?: LimitJournal;
  /** Folder of the built web app; absent: dist/app of this copy. */
  readonly appFolder?: string;
  /** Folder of the built public site; absent: dist/site of this copy. */
  readonly siteFolder?: string;
  /** Certificates that push services may have besides the usual ones. */
  readonly pushCa?: string;
  /** Absent: what real passwords are hashed with. */
  readonly hashParameters?: HashParameters;
}

export interface Services {
  readonly app: Hono;
  readonly routes: readonly Route[];
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly events: SecurityEvents;
  readonly exchange: Exchange;
  readonly care: Care;
  readonly devices: DeviceWatch;
  readonly hub: Hub;
  readonly push: Push;
  readonly sockets: LiveSockets;
  readonly limiter: Limiter;
  readonly kept: KeptAnswers;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly desk: SiteDesk;
  /** Null: no mail comes in, and none waits. */
  readonly mailIn: MailIn | null;
}

const APP_FOLDER = fileURLToPath(new URL('../../dist/app', import.meta.url));
const SITE_FOLDER = fileURLToPath(new URL('../../dist/site', import.meta.url));

/** The write path, and those who hear of what it wrote. */
function createReplication(
  ports: ServicePorts,
  metrics: Metrics,
  devices: DeviceWatch,
  push: Push,
): { readonly exchange: Exchange; readonly hub: Hub } {
  const { bus, clock, log, generations } = ports;
  const { store } = ports.database;
  const generation = must(generations.at(-1), 'a started server has opened a generation').nonce;
  const exchange = createExchange({
    store,
    clock,
    generations,
    publish: ({ scope, to, changes }) => bus.publish({ type: 'changed', scope, to, changes }),
    nextTurn: (work) => void setImmediate(work),
    trashDays: ports.config.trashDays,
    heard: (of) => devices.heard(of),
    reminding: () => push.scheduler.poke(),
    wentBack() {
      metrics.healed('scope', 1);
      log.info('scope_older_than_device');
    },
    healed({ rows, parked, unparked }) {
      for (const [what, count] of Object.entries({ row: rows, parked, unparked } as const))
        if (count > 0) metrics.healed(what as 'row', count);
      log.info('devices_brought_back', { count: rows });
    },
    damagedNote: (note) => log.error('note_damaged', { row: note }),
    measured: ({ pushes, ms }) => metrics.commit(ms / 1_000, pushes),
  });

  const hub = createHub({
    bus,
    async head(scope) {
      const record = await store.scope(scope);
      return record && { version: record.version, generation };
    },
    nextTurn: (work) => void setImmediate(work),
    onError: (error) => log.error('live_failed', errorDetail(error)),
  });
  return { exchange, hub };
}

/** What whoever watches this server should look into; it answers all the same. */
function remarksOf({ disk, backups }: ServicePorts): readonly string[] {
  const isLow = disk?.isLow() === true;
  return [...(isLow ? ['disk low'] : []), ...(backups?.isOverdue() === true ? ['backup overdue'] : [])];
}

function gaugeDisk({ disk, backups }: ServicePorts, metrics: Metrics): void {
  if (disk) {
    metrics.gauge('posthaste_disk_free_bytes', 'Free bytes under the data folder.', () => disk.freeBytes());
    metrics.gauge('posthaste_disk_free_share', 'Free share of its disk.', () => disk.freeShare());
  }
  if (!backups) return;
  const age = () => (backups.ageMs() ?? Number.NaN) / 1_000;
  metrics.gauge('posthaste_backup_age_seconds', 'Age of the newest automatic backup.', age);
  metrics.gauge('posthaste_backup_overdue', '1 when a change has waited two hours for a backup.', () =>
    backups.isOverdue() ? 1 : 0,
  );
}

function gaugeWork({ post }: ServicePorts, metrics: Metrics, hub: Hub, passwords: Passwords): void {
  metrics.gauge('posthaste_sockets', 'Open live sockets.', () => hub.size());
  metrics.gauge('posthaste_mail_waiting', 'Letters that wait for the mail server.', () => post.waiting());
  metrics.gauge('posthaste_password_queue', 'Passwords waiting to be hashed.', () => passwords.waiting());
}

function gaugeAll(
  ports: ServicePorts,
  metrics: Metrics,
  { hub, passwords }: { readonly hub: Hub; readonly passwords: Passwords },
): void {
  gaugeDisk(ports, metrics);
  gaugeWork(ports, metrics, hub, passwords);
}

/** Sessions whose end is written down beside the database, and heard of by other processes. */
function createKnownSessions({ database, clock, bus, ledger }: ServicePorts, newId: () => Id): Sessions {
  const onRevoked = (ended: Parameters<Sessions['revoke']>[0]) =>
    bus.publish({ type: 'ended', sessions: ended });
  const writeDown = (ids: readonly Id[]) => ledger.record(revokedEntries(ids, Math.round(clock.now())));
  const sessions = createSessions({ db: database.db, clock, newId, writeDown, onRevoked });
  // What another process ended must not be remembered here.
  bus.subscribe((message) => message.type === 'ended' && sessions.forget(message.sessions));
  return sessions;
}

function createUpkeep(ports: ServicePorts, devices: DeviceWatch, exchange: Exchange): Care {
  return createCare({
    db: ports.database.db,
    clock: ports.clock,
    devices,
    ledger: ports.ledger,
    blobs: ports.blobs,
    post: ports.post,
    spool: ports.spool,
    trashDays: ports.config.trashDays,
    exchange,
    nextTurn: (work) => void setImmediate(work),
  });
}

function createWatch(ports: ServicePorts): Readiness {
  return createReadiness({
    clock: ports.clock,
    probe: () => ports.database.store.probe(),
    remarks: () => remarksOf(ports),
    onFailure: (error) => ports.log.error('not_ready', errorDetail(error)),
  });
}

const trusted = ({ pushCa }: ServicePorts) => (pushCa === undefined ? {} : { ca: pushCa });

/** What proves who somebody is, beside the password. */
function createProofs({ database: { db }, clock, post, sealing }: ServicePorts) {
  return {
    secondFactor: createSecondFactor({ db, clock, sealing }),
    passkeys: createPasskeys({ db, clock }),
    emailProofs: createEmailProofs({ db, clock, post }),
  };
}

function versionOf(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
}

function apiPorts({ database }: ServicePorts, newId: () => Id, mailIn: MailIn | null) {
  const nextTurn = (work: () => void) => void setImmediate(work);
  return { reads: database.reads, newId, nextTurn, mailIn };
}

const LEAST_FREE_SHARE = 0.05;

function createIncoming(
  ports: ServicePorts,
  of: {
    readonly exchange: Exchange;
    readonly limiter: Limiter;
    readonly newId: () => Id;
    readonly metrics: Metrics;
  },
): MailIn | null {
  const { spool, database, config, disk } = ports;
  if (spool === null) return null;
  const hasRoom = () => disk === null || disk.freeShare() >= LEAST_FREE_SHARE;
  const mailIn = createMailIn({
    ...ports,
    ...of,
    db: database.db,
    fileLedger: createFileLedger(database.db, ports.clock),
    domain: config.mailDomain,
    spool,
    hasRoom,
  });
  of.metrics.gauge(
    'posthaste_mail_in_waiting',
    'Messages that were taken and are no tasks yet.',
    () => mailIn.queue.waiting().messages,
  );
  return mailIn;
}

export function createServices(ports: ServicePorts): Services {
  const { config, database, clock, log } = ports;
  const { db, store } = database;
  const newId = createSystemIds(clock);
  const metrics = createMetrics();
  const limiter = createLimiter(config.rates, clock, ports.limitJournal);
  const events = createSecurityEvents(db, clock);
  const passwords = createPasswords(ports.hashParameters ?? defaultHashParameters);
  const sessions = createKnownSessions(ports, newId);
  const proofs = createProofs(ports);
  const accounts = createAccounts({ db, store, clock, limiter, passwords, events, ...proofs, newId });
  const devices = createDeviceWatch(db, clock);
  const push = createPush({ ...ports, ...database, newId, metrics, ...trusted(ports) });
  const { exchange, hub } = createReplication(ports, metrics, devices, push);
  const care = createUpkeep(ports, devices, exchange);
  const mailIn = createIncoming(ports, { exchange, limiter, newId, metrics });
  const readiness = createWatch(ports);
  gaugeAll(ports, metrics, { hub, passwords });
  const common = {
    config,
    clock,
    limiter,
    log,
    metrics,
    accounts,
    sessions,
    store,
    kept: new KeptAnswers({ clock, log, metrics }),
    cookie: createSessionCookie(config.publicUrl?.startsWith('https:') === true),
    clientOf: createClientReader(config.trustedProxies),
  };
  const desk = createSiteDesk({ ...common, db, post: ports.post, newId, events });
  const appPorts = {
    ...common,
    events,
    ...proofs,
    post: ports.post,
    blobs: ports.blobs,
    fileLedger: createFileLedger(db, clock),
    fileLinks: createFileLinks(ports),
    mailIn,
    exchange,
    db,
    devices,
    readiness,
    push: { ...push, newId, poke: () => push.scheduler.poke() },
    api: apiPorts(ports, newId, mailIn),
    hasRoom: () => ports.disk?.isFull() !== true,
    files: createAppFiles(ports.appFolder ?? APP_FOLDER, config.appWorkerIsOff),
    siteFiles: createSiteFiles(ports.siteFolder ?? SITE_FOLDER, () => clock.now()),
    desk,
    version: versionOf(new URL('../../package.json', import.meta.url)),
  };
  const routes = createRoutes(appPorts);
  return {
    ...common,
    app: createHttpApp(appPorts, routes),
    routes,
    events,
    exchange,
    care,
    devices,
    hub,
    push,
    sockets: createLiveSockets({ ...common, hub }),
    readiness,
    desk,
    mailIn,
  };
}
