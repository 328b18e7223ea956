// What the fixtures are about: two people's accounts on a server, with devices in every condition. It is written with
// nothing but what every version of the product has had, so that it also runs in the source of an older one.
import 'fake-indexeddb/auto';
import { createIdSource, inboxId, labelsRoot, listsRoot, settingId, type Id } from '#core/ids.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { Row, StoredRow } from '#sync/rows/row.ts';
import type { DeviceMeta, DeviceStorage, RecoveredItem } from '#sync/replica/ports.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { startServer } from '#server/server.ts';
import { readConfig } from '#server/config.ts';
import type { HistoryEntry } from '#server/data/store.ts';
import { BrowserStorage } from '#web/platform/storage/indexeddb.ts';
import {
  call,
  createNetwork,
  enter,
  type Entered,
  exchanged,
  type Network,
  openDevice,
  random,
} from './headless.ts';
import { type DatabaseText, readDatabase } from './profile-text.ts';
import { client } from './protocol-client.ts';

/** Seals what the database keeps sealed: a database is only opened with the key that it was made with. */
export const SERVER_KEY = Buffer.alloc(32, 7).toString('base64');
export const PASSWORD = 'violet anchor under moss';
const WEAK_HASH = { memory: 64, passes: 1, parallelism: 1 };

/** What a device held when the fixture was made: a disk without a browser. */
export interface DeviceText {
  readonly meta: DeviceMeta;
  readonly outbox: readonly Operation[];
  readonly recovered: readonly RecoveredItem[];
  readonly rows: readonly StoredRow[];
}

/** What a browser held, and what of it must be found again. */
export interface ProfileText {
  readonly database: DatabaseText;
  readonly localStorage: Readonly<Record<string, string>>;
  /** As this device saw it, its unsent changes included. */
  readonly rows: readonly Row[];
  readonly unsent: readonly Operation[];
  readonly recovered: readonly RecoveredItem[];
}

export interface WorldText {
  /** Wall time; sessions end some time after it. */
  readonly madeAt: number;
  readonly accounts: readonly {
    readonly email: string;
    readonly account: number;
    readonly personalScope: Id;
    /** Cookies of living sessions. */
    readonly sessions: readonly string[];
    readonly endedSessions: readonly string[];
    /** The scope on the server. */
    readonly version: number;
    readonly digest: string;
    readonly rows: readonly Row[];
    readonly history: readonly Pick<HistoryEntry, 'version' | 'operation'>[];
  }[];
  /** A device of the first account that has been offline: an old cursor, and unsent changes. */
  readonly sleeper: DeviceText;
  /** A list that both accounts have, since lists can be shared. */
  readonly shared?: SharedText;
}

/** A shared list of the first account, which the second one has joined. */
export interface SharedText {
  readonly list: Id;
  readonly scope: Id;
  /** Of its link. */
  readonly token: string;
  readonly task: Id;
  readonly version: number;
  readonly digest: string;
  /** In the scope of the list: itself, its people, its tasks and comments. */
  readonly rows: readonly Row[];
}

export interface Story {
  readonly world: WorldText;
  readonly account: ProfileText;
  readonly local: ProfileText;
}

export const newId = createIdSource({ now: () => Date.now(), random: (bytes) => random.fill(bytes) });

const day = (on: string) => ({ on });
const daily = {
  value: 1,
  unit: 'days',
  metadata: null,
  from: 'due date',
  missed: 'skip',
  anchorDay: null,
} as const;

function create(type: 'task' | 'list' | 'label', fields: Record<string, unknown>, parent: Id) {
  const id = newId();
  return { a: 'create', id, type, fields, place: { parent } } as const;
}

/** Actions that leave something in every table and of every kind of value. */
function furnish(engine: Engine) {
  const { scope } = engine.replica;
  const folder = create('list', { listType: 'folder', name: 'House' }, listsRoot(scope));
  const list = create('list', { listType: 'list', name: 'Garden' }, folder.id);
  const label = create('label', { name: 'outside', color: '#2d7a3e' }, labelsRoot(scope));
  const beds = create(
    'task',
    { title: 'Dig the beds', notes: 'Two spades deep.\nNot in the frost.' },
    list.id,
  );
  const parts = ['North', 'East', 'South'].map((title) => create('task', { title }, beds.id));
  const water = create('task', { title: 'Water the herbs', due: day('2026-11-20'), repeat: daily }, list.id);
  const tasks = Array.from({ length: 12 }, (_, n) => create('task', { title: `Seed ${n + 1}` }, list.id));
  const [first = beds, second = beds] = tasks;
  const setting = settingId(scope, 'week');
  engine.replica.issue([
    folder,
    list,
    label,
    beds,
    ...parts,
    water,
    ...tasks,
    { a: 'create', id: setting, type: 'setting', fields: { key: 'week', value: { starts: 'Mon' } } },
    { a: 'set', id: first.id, field: `label:${label.id}`, value: true },
    { a: 'set', id: first.id, field: 'meta:colour', value: 'blue “indigo” \u{1F331}' },
    { a: 'set', id: second.id, field: 'duration', value: 45 },
    { a: 'complete', id: second.id, occ: 0, at: engine.replica.now(), next: null },
    {
      a: 'complete',
      id: water.id,
      occ: 0,
      at: engine.replica.now(),
      next: { due: day('2026-11-21'), start: null },
    },
  ]);
  return { list: list.id, beds: beds.id, parts: parts.map(({ id }) => id), tasks: tasks.map(({ id }) => id) };
}

type Furniture = ReturnType<typeof furnish>;

/** The first protocol in which lists are shared. */
const SHARED_PROTOCOL = 7;

type Trip = Pick<SharedText, 'list' | 'scope' | 'token' | 'task'>;

/** Shares a list with the other account, where lists can be shared. Both work in it. */
async function shareTrip(
  { database }: Awaited<ReturnType<typeof startServer>>,
  ann: Device & { readonly session: Entered },
  ben: Device & { readonly session: Entered },
): Promise<Trip | null> {
  if (client.protocolVersion < SHARED_PROTOCOL) return null;
  await database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
  const list = create('list', { listType: 'list', name: 'Trip' }, listsRoot(ann.engine.replica.scope));
  const train = create('task', { title: 'Book a train' }, list.id);
  ann.engine.replica.issue([list, train, create('task', { title: 'Pack' }, list.id)]);
  await exchanged(ann.engine);
  const answer = await call(ann.session, `/app/api/sharing/lists/${list.id}`, {});
  const shared = (await answer.json()) as { scope: Id; link: { token: string } };
  await call(ben.session, `/app/api/sharing/invitations/${shared.link.token}`, {});
  await exchanged(ben.engine);
  ben.engine.replica.issue([
    { a: 'create', id: newId(), type: 'comment', fields: { text: 'For two' }, place: { parent: train.id } },
    create('task', { title: 'Buy maps' }, list.id),
  ]);
  await exchanged(ben.engine);
  await exchanged(ann.engine);
  const { account } = ben.session;
  ann.engine.replica.issue([{ a: 'set', id: train.id, field: 'assignee', value: account }]);
  await exchanged(ann.engine);
  return { list: list.id, scope: shared.scope, token: shared.link.token, task: train.id };
}

/** Said of a task of the shared list without a network. */
function editShared({ engine }: Device, trip: Trip | null, name: string): void {
  if (trip === null) return;
  engine.replica.issue([
    {
      a: 'create',
      id: newId(),
      type: 'comment',
      fields: { text: `Said on the ${name}` },
      place: { parent: trip.task },
    },
    create('task', { title: `Made for the trip on the ${name}` }, trip.list),
  ]);
}

interface Device {
  readonly engine: Engine;
  readonly network: Network;
}

async function open(session: Entered, storage: DeviceStorage): Promise<Device> {
  const { account, personalScope: scope } = session;
  const network = createNetwork(session, client);
  const engine = await openDevice({ client, storage, transport: network.transport, scope, account });
  return { engine, network };
}

const byId = <R extends StoredRow>(rows: Iterable<R>) => [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Edits made without a network that the server has to take later. */
function editOffline({ engine }: Device, { list, tasks, parts }: Furniture, name: string): void {
  const [, , third = list, fourth = list, fifth = list] = tasks;
  engine.replica.issue([
    create('task', { title: `Made offline on the ${name}` }, list),
    { a: 'set', id: third, field: 'title', value: `Renamed on the ${name}` },
    { a: 'set', id: third, field: 'notes', value: `Written on the ${name}` },
    { a: 'complete', id: fourth, occ: 0, at: engine.replica.now(), next: null },
    { a: 'place', id: fifth, place: { parent: parts[0] ?? list } },
  ]);
}

/** One refused change and one text that another one replaced are among the recovered afterwards. */
async function recoverTwo(writer: Device, browser: Device, { parts }: Furniture): Promise<void> {
  const [first, second] = parts as [Id, Id];
  browser.network.isCut = true;
  browser.engine.replica.issue([{ a: 'place', id: first, place: { parent: second } }]);
  writer.engine.replica.issue([{ a: 'place', id: second, place: { parent: first } }]);
  await exchanged(writer.engine);
  browser.network.isCut = false;
  await exchanged(browser.engine);
  browser.engine.recover({ a: 'set', id: second, field: 'notes', value: 'The other wording' });
  await browser.engine.flushed();
}

function localStorageOf(
  profile: { readonly id: Id },
  device: Id,
  rest: Record<string, unknown>,
): Record<string, string> {
  return {
    'posthaste.profile': JSON.stringify({ ...profile, adopts: null }),
    'posthaste.preference.theme': 'dark',
    'posthaste.preference.sidebar': 'hidden',
    [`posthaste.sentinel.${profile.id}`]: JSON.stringify({ store: device, ...rest, savedAt: Date.now() }),
  };
}

interface Told {
  readonly engine: Engine;
  readonly storage: BrowserStorage;
  readonly profile: { readonly id: Id; readonly localScope: Id; readonly binding: object | null };
}

/** Closes the copy and reads what it left. */
async function profileText({ engine, storage, profile }: Told): Promise<ProfileText> {
  await engine.flushed();
  const { pending, device } = engine.facts();
  const waiting = pending.length;
  const onlyHere = profile.binding === null ? engine.replica.size : 0;
  const told = { rows: byId(engine.replica.all()), unsent: [...pending], recovered: engine.recovered.get() };
  await engine.close();
  storage.close();
  const database = await readDatabase(`posthaste-${profile.id}`);
  return { database, localStorage: localStorageOf(profile, device, { waiting, onlyHere }), ...told };
}

const diskOf = (id: Id) => new BrowserStorage({ name: `posthaste-${id}`, idle: () => undefined });

/** A profile without an account, with pages, a run and single rows. */
async function localProfile(): Promise<ProfileText> {
  const profile = { id: newId(), localScope: newId(), binding: null };
  const storage = diskOf(profile.id);
  const scope = profile.localScope;
  const meta = { device: newId(), deviceNumber: 0, scope, account: 0, seq: 0, acked: 0, clockOffsetMs: 0 };
  await storage.open();
  await storage.write({
    meta: { ...meta, cursors: { [scope]: { generation: 'local', version: Date.now() } } },
  });
  const engine = await openDevice({ client, storage, transport: null, scope, account: 0 });
  const { list, tasks } = furnish(engine);
  await engine.flushed();
  await storage.compacted();
  engine.replica.issue(
    Array.from({ length: 210 }, (_, n) => create('task', { title: `Leaf ${n + 1}` }, list)),
  );
  await engine.flushed();
  const [first = list, second = list] = tasks;
  engine.replica.issue([
    { a: 'set', id: first, field: 'title', value: 'Changed alone' },
    { a: 'delete', id: second },
    create('task', { title: 'Came last' }, inboxId(scope)),
  ]);
  return profileText({ engine, storage, profile });
}

interface Made {
  readonly furniture: Furniture;
  readonly trip: Trip | null;
}

async function accountProfile(
  session: Entered,
  email: string,
  writer: Device,
  { furniture, trip }: Made,
): Promise<ProfileText> {
  const { account, personalScope: scope } = session;
  const profile = { id: newId(), localScope: newId(), binding: { account, scope, email } };
  const storage = diskOf(profile.id);
  const browser = await open(session, storage);
  await exchanged(browser.engine);
  await storage.compacted();
  await recoverTwo(writer, browser, furniture);
  browser.network.isCut = true;
  editOffline(browser, furniture, 'laptop');
  editShared(browser, trip, 'laptop');
  return profileText({ engine: browser.engine, storage, profile });
}

async function memoryText(
  { engine }: Device,
  contents: InstanceType<typeof client.MemoryContents>,
): Promise<DeviceText> {
  await engine.flushed();
  await engine.close();
  const { meta, outbox, recovered, rows } = contents;
  if (meta === null) throw new Error('The device has no identity.');
  return {
    meta,
    outbox: [...outbox.values()],
    recovered: [...recovered.values()],
    rows: byId(rows.values()),
  };
}

/** What the server has of a scope. */
async function scopeText({ database: { store } }: Awaited<ReturnType<typeof startServer>>, id: Id) {
  const scope = await store.scope(id);
  if (scope === null) throw new Error('There is no such scope.');
  const rows = byId(await store.snapshot(id, null, 10_000));
  return { version: scope.version, digest: scope.digest, rows };
}

async function accountText(server: Awaited<ReturnType<typeof startServer>>, email: string, entered: Entered) {
  const { account, personalScope } = entered;
  const { store } = server.database;
  const held = await scopeText(server, personalScope);
  const entries = await store.history(personalScope, { limit: 10_000 });
  const history = entries.map(({ version, operation }) => ({ version, operation }));
  return { email, account, personalScope, ...held, history };
}

/** Lives the story on a database: a folder for SQLite, and an address where it is PostgreSQL. */
export async function live(place: {
  readonly dataDir: string;
  readonly databaseUrl?: string;
}): Promise<Story> {
  const { dataDir, databaseUrl } = place;
  // The configuration asks for a host; the socket file in the query decides.
  const url = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl.replace('@/', '@localhost/') };
  const read = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    BACKUPS: 'off',
    LOG_LEVEL: 'error',
    SERVER_KEY,
    ...url,
  });
  if (!read.ok) throw new Error(read.problem.join(' '));
  const server = await startServer(read.value, { hashParameters: WEAK_HASH });
  try {
    const [email, otherEmail] = ['first@example.org', 'second@example.org'] as const;
    const first = await enter(server.url, 'sign_up', { email, password: PASSWORD });
    const other = await enter(server.url, 'sign_up', { email: otherEmail, password: PASSWORD });
    const ended = await enter(server.url, 'sign_in', { email, password: PASSWORD });
    await call(ended, '/app/api/sign_out', {});

    const writer = await open(first, client.createMemoryStorage());
    const furniture = furnish(writer.engine);
    await exchanged(writer.engine);
    const stranger = await open(other, client.createMemoryStorage());
    furnish(stranger.engine);
    await exchanged(stranger.engine);

    const trip = await shareTrip(server, { ...writer, session: first }, { ...stranger, session: other });

    const contents = new client.MemoryContents();
    const slept = await enter(server.url, 'sign_in', { email, password: PASSWORD });
    const sleeper = await open(slept, client.createMemoryStorage(contents));
    await exchanged(sleeper.engine);
    sleeper.network.isCut = true;
    editOffline(sleeper, furniture, 'phone');
    editShared(sleeper, trip, 'phone');

    const { beds, tasks } = furniture;
    writer.engine.replica.issue([
      { a: 'set', id: beds, field: 'title', value: 'Dig all the beds' },
      { a: 'delete', id: tasks[8] ?? beds },
    ]);
    await exchanged(writer.engine);
    const account = await accountProfile(slept, email, writer, { furniture, trip });
    await writer.engine.close();
    await stranger.engine.close();

    const sessions = { sessions: [first.cookie, slept.cookie], endedSessions: [ended.cookie] };
    const accounts = [
      { ...(await accountText(server, email, first)), ...sessions },
      { ...(await accountText(server, otherEmail, other)), sessions: [other.cookie], endedSessions: [] },
    ];
    const shared = trip === null ? {} : { shared: { ...trip, ...(await scopeText(server, trip.scope)) } };
    const world = { madeAt: Date.now(), accounts, sleeper: await memoryText(sleeper, contents), ...shared };
    return { world, account, local: await localProfile() };
  } finally {
    await server.close();
  }
}
