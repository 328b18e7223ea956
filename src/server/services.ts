// Builds the parts of the server from a database and a configuration, and wires them: accounts, replication, live
// connections, the HTTP app. Opens no port; tests call the app in process. Not here: starting and stopping (server.ts).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { createCare, type Care, type CarePorts } from './care/care.ts';
import { revokedEntries, type Ledger } from './care/ledger.ts';
import type { Backups } from './care/backups.ts';
import type { DiskWatch } from './care/disk-watch.ts';
import type { Room } from './care/room.ts';
import { createDeviceWatch, type DeviceWatch } from './care/device-watch.ts';
import { createAccounts, type Accounts } from './accounts/accounts.ts';
import { createPasswords, defaultHashParameters, type HashParameters } from './accounts/password-hash.ts';
import { createEmailProofs } from './accounts/email-proof.ts';
import { createEmailUndos } from './accounts/email-undo.ts';
import { createEndings } from './accounts/endings.ts';
import { createNotices } from './accounts/notices.ts';
import { createPasskeys } from './accounts/passkeys.ts';
import type { Sealing } from './accounts/sealing.ts';
import { createSecondFactor } from './accounts/second-factor.ts';
import { createSecurityEvents, type SecurityEvents } from './accounts/security-events.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createHttpApp, createRoutes } from './app.ts';
import { type Billing, createBilling } from './billing/billing.ts';
import { createPatientClock, createSystemIds } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './data/database.ts';
import { unfenced } from './data/fence.ts';
import type { GenerationRecord } from './data/store.ts';
import { createClientReader } from './http/client.ts';
import { createSessionCookie } from './http/cookie.ts';
import { createAppFiles } from './http/files.ts';
import { KeptAnswers } from './http/kept-answers.ts';
import { Patience } from './http/patience.ts';
import type { Route } from './http/route.ts';
import type { LimitJournal } from './limits/journal.ts';
import type { Counters } from './limits/counters.ts';
import { createLimiter, type Limiter } from './limits/rates.ts';
import { SharedLimits } from './limits/shared-limits.ts';
import type { Bus } from './live/bus.ts';
import { createHub, type Hub } from './live/hub.ts';
import { createLiveSockets, type LiveSockets } from './live/sockets.ts';
import type { Blobs } from './files/blobs.ts';
import { forgetContent } from './files/forgetting.ts';
import { createFileLedger } from './files/ledger.ts';
import { createFileLinks } from './files/links.ts';
import { createLetters, type Letters } from './mail/letters.ts';
import type { Post } from './mail/post.ts';
import { MacroRuns } from './macro-runs/runs.ts';
import { Pairings } from './pairing/pairings.ts';
import { createMailIn, type MailIn } from './mail/receiving.ts';
import type { Spool } from './mail/spool.ts';
import { errorDetail, type Logger } from './observe/log.ts';
import { createMetrics, type Metrics } from './observe/metrics.ts';
import { mayGoOn } from './nodes/leading.ts';
import { gaugeAll, remarksOf } from './observe/gauges.ts';
import { createReadiness, type Readiness } from './observe/readiness.ts';
import { createSiteDesk, type SiteDesk } from './site/desk.ts';
import { conditionsOf, createSiteFiles } from './site/site-files.ts';
import { type CalendarPatience, type Calendars, createCalendars } from './calendars/calendars.ts';
import { createPush, type Push } from './push/push.ts';
import { createMover, STEP_MS, STEP_ROWS, type Mover } from './moving/mover.ts';
import { createSealedScopes, type SealedScopes } from './sealing/sealed-scopes.ts';
import { createSharing, type Sharing } from './sharing/sharing.ts';
import { LinkStore } from './public-links/links.ts';
import { createPublicLinks, type PublicLinkService } from './public-links/service.ts';
import { createCommentSeal } from './access/comment-seal.ts';
import { createExchange, type Exchange } from './sync/exchange.ts';

export interface ServicePorts {
  readonly config: Config;
  readonly database: Pick<Database, 'db' | 'kind' | 'store' | 'reads' | 'scrub' | 'presence' | 'older'>;
  /** Generations up to this start, oldest first. */
  readonly generations: readonly GenerationRecord[];
  /** Called before anything is written to a scope; rejects while writing is impossible. Absent: the generation is open. */
  readonly beforeWriting?: () => Promise<void>;
  /** Called before anything is synced; throws while this process may not. Absent: it may. */
  readonly beforeServing?: () => void;
  /** Reads `generations` again; absent: nobody else opens one. */
  readonly readGenerations?: () => Promise<void>;
  /** Sessions that have ended although the database says otherwise. */
  readonly ended?: readonly Id[];
  /** Marks of credentials that have ended although the database says otherwise. */
  readonly endedCredentials?: ReadonlySet<string>;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** Null: nothing is on a disk. */
  readonly disk: DiskWatch | null;
  readonly room: Room;
  readonly backups: Backups | null;
  readonly bus: Bus;
  readonly post: Post;
  /** Waiting incoming mail; null: none is received. */
  readonly spool: Spool | null;
  readonly sealing: Sealing;
  readonly blobs: Blobs;
  readonly log: Logger;
  /** The record of counted calls; absent: they are forgotten with the process. */
  readonly limitJournal?: LimitJournal;
  /** Counters of all processes; null or absent: this one counts for itself. */
  readonly counters?: Counters | null;
  /** Folder of the built web app; absent: this copy's dist/app. */
  readonly appFolder?: string;
  /** Folder of the built public site; absent: this copy's dist/site. */
  readonly siteFolder?: string;
  /** Absent: those for real calendars. */
  readonly calendarPatience?: Partial<CalendarPatience>;
  /** Additionally trusted certificates of push services, and of calendars. */
  readonly pushCa?: string;
  /** Absent: the limits for real requests. */
  readonly patience?: Patience;
  /** Absent: those for real passwords. */
  readonly hashParameters?: HashParameters;
}

/** The parts of a running server. */
export interface Services {
  readonly app: Hono;
  readonly routes: readonly Route[];
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly events: SecurityEvents;
  readonly exchange: Exchange;
  readonly care: Care;
  readonly mover: Mover;
  readonly sharing: Sharing;
  readonly sealedScopes: SealedScopes;
  readonly publicLinks: PublicLinkService;
  readonly devices: DeviceWatch;
  readonly hub: Hub;
  readonly calendars: Calendars;
  readonly push: Push;
  readonly sockets: LiveSockets;
  readonly limiter: Limiter;
  /** Null: this process counts for itself. */
  readonly sharedLimits: SharedLimits | null;
  readonly kept: KeptAnswers;
  readonly patience: Patience;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly desk: SiteDesk;
  /** Null: this server takes no money. */
  readonly billing: Billing | null;
  /** Null: no mail is accepted, and none waits. */
  readonly mailIn: MailIn | null;
}

/** Rows of another process that are told at once; of more there is something to fetch. */
const MOST_NEWS = 100;

const APP_FOLDER = fileURLToPath(new URL('../../dist/app', import.meta.url));
const SITE_FOLDER = fileURLToPath(new URL('../../dist/site', import.meta.url));

/** What is counted of whom, where there are counters with the other processes. */
function createCounting({ config, counters, bus, clock, sealing, log, limitJournal: journal }: ServicePorts) {
  const nodes = () => bus.nodes();
  const ports = { node: bus.node, nodes, clock, sign: (text: string) => sealing.sign(text), log };
  const sharedLimits = counters ? new SharedLimits({ ...ports, counters }) : null;
  const limiter = createLimiter(config.rates, clock, { journal: journal ?? null, shared: sharedLimits });
  return { limiter, sharedLimits, ...(sharedLimits && { guesses: sharedLimits.guesses() }) };
}

/** The write path, and the listeners to its commits. */
function createReplication(
  ports: ServicePorts,
  metrics: Metrics,
  devices: DeviceWatch,
  push: Push,
): { readonly exchange: Exchange; readonly hub: Hub; readonly mover: Mover } {
  const { bus, clock, log, generations } = ports;
  const { store } = ports.database;
  const exchange = createExchange({
    store,
    clock,
    generations,
    ...(ports.beforeWriting === undefined ? {} : { beforeWriting: ports.beforeWriting }),
    ...(ports.beforeServing === undefined ? {} : { beforeServing: ports.beforeServing }),
    ...(ports.readGenerations === undefined ? {} : { readGenerations: ports.readGenerations }),
    hasRoom: () => ports.disk?.isFull() !== true,
    publish: ({ scope, to, changes }) => bus.publish({ type: 'changed', scope, to, changes }),
    // A group is everybody's, whoever came first.
    nextTurn: (work) => unfenced(() => void setImmediate(work)),
    trashDays: ports.config.trashDays,
    hasPlans: ports.config.billing !== null,
    seal: createCommentSeal(ports.sealing),
    heard: (of) => devices.heard(of),
    reminding: () => unfenced(() => push.scheduler.poke()),
    moving: () => void unfenced(() => mover.run()),
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

  const mover = createMover({
    store,
    carry: (request) => exchange.carry(request),
    end: (request) => exchange.endCarrying(request),
    id: createSystemIds(clock)(),
    rows: STEP_ROWS,
    stepMs: STEP_MS,
    rest: (ms) => new Promise((resolve) => void setTimeout(() => setImmediate(resolve), ms)),
    onError: (error) => log.error('move_interrupted', errorDetail(error)),
  });

  return { exchange, hub: createHubHere(ports, { exchange, metrics }), mover };
}

function createHubHere(
  { bus, log, generations, database }: ServicePorts,
  { exchange, metrics }: { readonly exchange: Exchange; readonly metrics: Metrics },
): Hub {
  const { store } = database;
  return createHub({
    bus,
    async head(scope) {
      const record = await store.scope(scope);
      const { nonce } = must(generations.at(-1), 'a started server has a generation');
      return record && { version: record.version, generation: nonce };
    },
    nextTurn: (work) => void setImmediate(work),
    onError: (error) => log.error('live_failed', errorDetail(error)),
    others: {
      news(asked) {
        metrics.readForOthers(asked.length);
        return exchange.news(asked, MOST_NEWS);
      },
      async versions(scopes) {
        const records = await store.scopes(scopes);
        return new Map([...records].map(([scope, { version }]) => [scope, version]));
      },
    },
    presence: {
      now: () => performance.now(),
      after(delayMs, work) {
        const timer = setTimeout(work, delayMs).unref();
        return () => clearTimeout(timer);
      },
    },
  });
}

/** Sessions whose ending is recorded in the ledger and published to other processes. */
function createKnownSessions(
  { database, clock, bus, ledger, room, ended = [] }: ServicePorts,
  newId: () => Id,
): Sessions {
  const onRevoked = (ids: Parameters<Sessions['revoke']>[0]) => bus.publish({ type: 'ended', sessions: ids });
  const writeDown = (ids: readonly Id[]) => ledger.record(revokedEntries(ids, Math.round(clock.now())));
  const sessions = createSessions({ db: database.db, clock, newId, writeDown, onRevoked, room, ended });
  // A session ended by another process must not stay cached here.
  bus.subscribe((message) => message.type === 'ended' && sessions.forget(message.sessions));
  return sessions;
}

function createUpkeep(
  ports: ServicePorts,
  {
    devices,
    exchange,
    letters,
    newId,
    billing,
  }: Pick<CarePorts, 'devices' | 'letters' | 'newId' | 'billing'> & { readonly exchange: Exchange },
): Care {
  return createCare({
    db: ports.database.db,
    clock: createPatientClock(ports.clock),
    devices,
    ledger: ports.ledger,
    blobs: ports.blobs,
    letters,
    spool: ports.spool,
    trashDays: ports.config.trashDays,
    billing,
    exchange,
    newId,
    older: ports.database.older,
    onOlderError: (error) => ports.log.error('older_history_failed', errorDetail(error)),
    nextTurn: (work) => void setImmediate(work),
    mayGoOn: () => mayGoOn(ports.database.presence.leadership),
  });
}

function createWatch(ports: ServicePorts): Readiness {
  return createReadiness({
    clock: ports.clock,
    async probe() {
      await ports.beforeWriting?.();
      await ports.database.store.probe();
    },
    isFull: () => ports.disk?.isFull() === true,
    remarks: () => remarksOf(ports),
    onFailure: (state, error) =>
      ports.log.error(state === 'read only' ? 'read_only' : 'not_ready', errorDetail(error)),
  });
}

const trusted = ({ pushCa }: ServicePorts) => (pushCa === undefined ? {} : { ca: pushCa });

/** Base of links in mail; never taken from the host that a request claims. */
const originOf = ({ publicUrl, port }: Config) => publicUrl ?? `http://localhost:${port}`;

/** The ledger of ended credentials, and the ones known to have ended. */
const keptIn = ({ ledger, endedCredentials }: Pick<ServicePorts, 'ledger' | 'endedCredentials'>) => ({
  ledger,
  ...(endedCredentials === undefined ? {} : { ended: endedCredentials }),
});

/** Credentials besides the password, what ends with a change of them, and the letters about it. */
function createProofs(
  { database: { db }, clock, sealing, config, room, ...ports }: ServicePorts,
  { letters, sessions }: { readonly letters: Letters; readonly sessions: Sessions },
) {
  const secondFactor = createSecondFactor({ db, clock, sealing, room, ...keptIn(ports) });
  const passkeys = createPasskeys({ db, clock, room, ...keptIn(ports) });
  const origin = originOf(config);
  return {
    secondFactor,
    passkeys,
    emailProofs: createEmailProofs({ db, clock, letters }),
    undos: createEmailUndos({ db, clock }),
    endings: createEndings({ db, sessions, secondFactor, passkeys, room }),
    notices: createNotices({ letters, origin, room }),
    origin,
    room,
    ...keptIn(ports),
  };
}

/** Of this program. */
export function programVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
}

/** Attached files: their content, what is known of it, and links to it. */
function filesOf(ports: ServicePorts) {
  const { blobs, database, clock } = ports;
  return { blobs, fileLedger: createFileLedger(database, clock), fileLinks: createFileLinks(ports) };
}

/** What the build has made, and of which version it is. */
function builtFiles(
  { appFolder, siteFolder, config, clock }: ServicePorts,
  newestRelease: SiteDesk['newestDesktop'],
) {
  return {
    files: createAppFiles(appFolder ?? APP_FOLDER, config.appWorkerIsOff),
    siteFiles: createSiteFiles(
      siteFolder ?? SITE_FOLDER,
      () => clock.now(),
      async () => conditionsOf(config, await newestRelease()),
    ),
    version: programVersion(),
  };
}

function apiPorts({ database, clock, bus }: ServicePorts, newId: () => Id, mailIn: MailIn | null) {
  const nextTurn = (work: () => void) => void setImmediate(work);
  const macroRuns = new MacroRuns({ db: database.db, clock, bus });
  return { reads: database.reads, newId, nextTurn, mailIn, macroRuns };
}

const LEAST_FREE_SHARE = 0.05;

/** Disk checks for endpoints, and their reports of a full one. */
function roomFor({ disk, room, log }: ServicePorts) {
  return {
    hasRoom: () => disk?.isFull() !== true,
    hasRoomForFiles: () => disk === null || disk.freeShare() >= LEAST_FREE_SHARE,
    foundNoRoom: () => {
      room.relieve().catch((error: unknown) => log.error('room_failed', errorDetail(error)));
    },
  };
}

function createIncoming(
  ports: ServicePorts,
  of: {
    readonly exchange: Exchange;
    readonly limiter: Limiter;
    readonly letters: Letters;
    readonly newId: () => Id;
    readonly metrics: Metrics;
    readonly billing: Billing | null;
  },
): MailIn | null {
  const { spool, database, config, disk } = ports;
  if (spool === null) return null;
  const hasRoom = () => disk === null || disk.freeShare() >= LEAST_FREE_SHARE;
  const mailIn = createMailIn({
    ...ports,
    ...of,
    db: database.db,
    fileLedger: createFileLedger(database, ports.clock),
    domain: config.mailDomain,
    spool,
    hasRoom,
  });
  of.metrics.gauge(
    'posthaste_mail_in_waiting',
    'Messages accepted but not tasks yet.',
    () => mailIn.queue.waiting().messages,
  );
  return mailIn;
}

/** Live sockets; who is connected hears at once what they may read from now on. */
function createSocketsHere(
  { bus }: ServicePorts,
  ports: Parameters<typeof createLiveSockets>[0],
): LiveSockets {
  const sockets = createLiveSockets(ports);
  bus.subscribe((message) => {
    if (message.type === 'roles') void sockets.refresh(message.accounts);
    else if (message.type === 'missed') void sockets.lookAgain();
  });
  return sockets;
}

function createSharingHere(
  ports: ServicePorts,
  {
    exchange,
    mover,
    newId,
    events,
  }: {
    readonly exchange: Exchange;
    readonly mover: Mover;
    readonly newId: () => Id;
    readonly events: SecurityEvents;
  },
): { readonly sharing: Sharing; readonly publicLinks: PublicLinkService } {
  const { database, log } = ports;
  const onError = (error: unknown) => log.error('sharing_failed', errorDetail(error));
  const own = { ...ports, ...database, exchange, mover, newId, onError, events };
  const links = new LinkStore(own);
  const sharing = createSharing({ ...own, publicLinks: links });
  return { sharing, publicLinks: createPublicLinks({ ...own, links, lists: sharing.lists }) };
}

/** What answers requests besides their routes. */
function answering(ports: ServicePorts, metrics: Metrics) {
  const { config } = ports;
  return {
    readiness: createWatch(ports),
    kept: new KeptAnswers({ ...ports, metrics }),
    patience: ports.patience ?? new Patience(),
    cookie: createSessionCookie(config.publicUrl?.startsWith('https:') === true),
    clientOf: createClientReader(config.trustedProxies),
  };
}

function createSealing(
  ports: ServicePorts,
  { exchange, sharing, mailIn }: { exchange: Exchange; sharing: Sharing; mailIn: MailIn | null },
): SealedScopes {
  const { database, spool, log } = ports;
  return createSealedScopes({
    ...database,
    exchange,
    // Methods of an open database, which know it themselves.
    scrub: () => database.scrub(),
    forgetMail: async (scope) => await spool?.forgetScope(scope),
    holdsFile: (scope, hash) => createFileLedger(database, ports.clock).holds(scope, hash),
    forgetFile: (scope, hash) => forgetContent({ ...database, ...ports }, scope, hash),
    hasMail: async (account) =>
      (mailIn?.queue.waiting(account).messages ?? 0) > 0 || (await spool?.waitsAnywhere?.(account)) === true,
    seal: createCommentSeal(ports.sealing),
    moved: (scope) => sharing.settleOwn(scope),
    nextTurn: (work) => void setImmediate(work),
    onError: (error) => log.error('sealing_unfinished', errorDetail(error)),
  });
}

export function createServices(ports: ServicePorts): Services {
  const { config, clock, log } = ports;
  const { db, store } = ports.database;
  const newId = createSystemIds(clock);
  const metrics = createMetrics();
  const counting = createCounting(ports);
  const events = createSecurityEvents(db, clock, ports.room);
  const passwords = createPasswords(ports.hashParameters ?? defaultHashParameters);
  const sessions = createKnownSessions(ports, newId);
  const letters = createLetters({ ...ports, ...counting });
  const proofs = createProofs(ports, { letters, sessions });
  const accounts = createAccounts({ db, store, clock, passwords, events, ...counting, ...proofs, newId });
  const devices = createDeviceWatch(db, clock);
  const billing = createBilling({ ...ports, db });
  const push = createPush({ ...ports, ...ports.database, newId, metrics, ...trusted(ports) });
  const { exchange, hub, mover } = createReplication(ports, metrics, devices, push);
  const sharingParts = createSharingHere(ports, { exchange, mover, newId, events });
  const care = createUpkeep(ports, { devices, exchange, letters, newId, billing });
  const mailIn = createIncoming(ports, { exchange, ...counting, letters, newId, metrics, billing });
  gaugeAll(ports, metrics, { hub, passwords });
  const common = {
    config,
    ...sharingParts,
    billing,
    pairings: new Pairings({ db, clock, newId }),
    calendars: createCalendars({ ...ports, newId }),
    sealedScopes: createSealing(ports, { exchange, ...sharingParts, mailIn }),
    clock,
    ...counting,
    log,
    metrics,
    accounts,
    sessions,
    store,
    ...answering(ports, metrics),
  };
  const desk = createSiteDesk({ ...common, ...proofs, ...roomFor(ports), db, letters, newId, events });
  const appPorts = {
    ...common,
    events,
    ...proofs,
    ...filesOf(ports),
    mailIn,
    exchange,
    db,
    bus: ports.bus,
    devices,
    push: { ...push, newId, poke: () => push.scheduler.poke() },
    api: apiPorts(ports, newId, mailIn),
    ...roomFor(ports),
    ...builtFiles(ports, desk.newestDesktop),
    desk,
  };
  const routes = createRoutes(appPorts);
  return {
    ...common,
    mover,
    app: createHttpApp(appPorts, routes),
    routes,
    events,
    exchange,
    care,
    devices,
    hub,
    push,
    sockets: createSocketsHere(ports, { ...common, hub, seats: counting.sharedLimits }),
    desk,
    mailIn,
  };
}
