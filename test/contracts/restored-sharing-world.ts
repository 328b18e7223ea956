// A server that is put back to a copy of its database, with people who share lists on it and their devices: the real server over
// HTTP and the production engine, with disks in memory. Where a device is cut off it hears and sends nothing.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labelsRoot, listsRoot, mountId, type Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { Action } from '#sync/rows/operation.ts';
import { asRow, fieldOf, type StoredRow } from '#sync/rows/row.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { readConfig, type Config } from '#server/config.ts';
import { restoreDatabase } from '#server/data/backup.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { joinedSchema, sharedListSchema, type SharedList } from '#wire/sharing.ts';
import { call, createNetwork, enter, exchanged, type Network, openDevice } from '../upgrades/headless.ts';
import { client } from '../upgrades/protocol-client.ts';
import { GOOD_PASSWORD, weakHash } from '../api/harness.ts';

type Contents = InstanceType<typeof client.MemoryContents>;

/** A person, with one device. */
export class Somebody {
  readonly world: RestoredWorld;
  readonly account: number;
  readonly scope: Id;
  readonly contents: Contents;
  readonly engine: Engine;
  readonly network: Network;
  readonly #session: { url: string; readonly cookie: string };

  private constructor(
    world: RestoredWorld,
    of: { readonly account: number; readonly scope: Id; readonly session: { url: string; cookie: string } },
    device: { readonly contents: Contents; readonly engine: Engine; readonly network: Network },
  ) {
    this.world = world;
    ({ account: this.account, scope: this.scope, session: this.#session } = of);
    ({ contents: this.contents, engine: this.engine, network: this.network } = device);
  }

  static async come(world: RestoredWorld, email: string): Promise<Somebody> {
    const {
      url,
      cookie,
      account,
      personalScope: scope,
    } = await enter(world.server.url, 'sign_up', {
      email,
      password: GOOD_PASSWORD,
    });
    const session = { url, cookie };
    const network = createNetwork(session, client);
    const contents = new client.MemoryContents();
    const storage = client.createMemoryStorage(contents);
    const engine = await openDevice({ client, storage, transport: network.transport, scope, account });
    const { db } = world.server.database;
    await db.updateTable('account').set({ verified_at: 1 }).where('id', '=', account).execute();
    const person = new Somebody(world, { account, scope, session }, { contents, engine, network });
    world.people.push(person);
    return person;
  }

  /** The server is at another address from now on. */
  meet({ url }: RunningServer): void {
    this.#session.url = url;
  }

  /** Everything that was made here and there is exchanged. */
  async exchanged(): Promise<void> {
    await exchanged(this.engine);
    assert.deepEqual(this.network.unreadable, []);
    assert.deepEqual(this.network.refusals, []);
  }

  issue(...actions: readonly Action[]): void {
    this.engine.replica.issue(actions);
  }

  /** A new list or folder at the end of a parent. */
  list(name: string, listType: 'list' | 'folder', parent: Id = listsRoot(this.scope)): Id {
    const id = this.engine.replica.newId();
    this.issue({ a: 'create', id, type: 'list', fields: { listType, name }, place: { parent } });
    return id;
  }

  task(title: string, parent: Id): Id {
    const id = this.engine.replica.newId();
    this.issue({ a: 'create', id, type: 'task', fields: { title }, place: { parent } });
    return id;
  }

  label(name: string, fields: Record<string, unknown> = {}): Id {
    const id = this.engine.replica.newId();
    const place = { parent: labelsRoot(this.scope) };
    this.issue({ a: 'create', id, type: 'label', fields: { name, color: '#2d7a3e', ...fields }, place });
    return id;
  }

  comment(text: string, parent: Id): Id {
    const id = this.engine.replica.newId();
    this.issue({ a: 'create', id, type: 'comment', fields: { text }, place: { parent } });
    return id;
  }

  name(id: Id, title: string): void {
    this.issue({ a: 'set', id, field: 'title', value: title });
  }

  complete(id: Id): void {
    this.issue({ a: 'complete', id, occ: 0, at: this.engine.replica.now(), next: null });
  }

  /** Puts a shared list into a folder of this person's own. */
  place(list: Id, parent: Id): void {
    this.issue({ a: 'place', id: mountId(this.scope, list), place: { parent } });
  }

  /** Titles of all living tasks that this device shows, with `x` for those that are complete. */
  titles(): readonly string[] {
    return [...this.engine.replica.all()]
      .filter((row) => row.type === 'task' && fieldOf(row, 'del') === undefined)
      .map((row) => `${fieldOf(row, 'status') === undefined ? '' : 'x '}${String(fieldOf(row, 'title'))}`)
      .toSorted();
  }

  async ask(path: string, method = 'POST'): Promise<Response> {
    const { url, cookie } = this.#session;
    return fetch(`${url}/app/api/sharing/${path}`, { method, headers: { origin: url, cookie } });
  }

  async #answer(path: string, method?: string): Promise<unknown> {
    const answer = await this.ask(path, method);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return JSON.parse(text);
  }

  async share(list: Id): Promise<SharedList> {
    return sharedListSchema.parse(await this.#answer(`lists/${list}`));
  }

  async see(list: Id): Promise<SharedList> {
    return sharedListSchema.parse(await this.#answer(`lists/${list}`, 'GET'));
  }

  async join({ link }: SharedList): Promise<void> {
    joinedSchema.parse(await this.#answer(`invitations/${link?.token ?? ''}`));
  }

  async leave(list: Id): Promise<void> {
    await this.#answer(`lists/${list}/leave`);
  }

  async makePrivate(list: Id): Promise<void> {
    await this.#answer(`lists/${list}/private`);
  }

  async handOver(list: Id, to: Somebody): Promise<void> {
    await this.#answer(`lists/${list}/members/${to.account}/owner`);
  }

  isSignedIn(): Promise<Response> {
    return call(this.#session, '/app/api/me');
  }
}

export class RestoredWorld {
  readonly people: Somebody[] = [];
  readonly root: string;
  server: RunningServer;
  readonly #config: Config;

  private constructor(root: string, config: Config, server: RunningServer) {
    [this.root, this.#config, this.server] = [root, config, server];
  }

  /** On PostgreSQL with an address, else on SQLite. */
  static async open(databaseUrl: string | null): Promise<RestoredWorld> {
    const root = await mkdtemp(join(tmpdir(), 'posthaste-restored-sharing-'));
    const read = readConfig({
      PORT: '0',
      DATA_DIR: join(root, 'data'),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'off',
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    });
    assert.ok(read.ok);
    return new RestoredWorld(root, read.value, await startServer(read.value, { hashParameters: weakHash }));
  }

  /** Ann, Ben and Eve, who are connected. */
  async people3(): Promise<readonly [Somebody, Somebody, Somebody]> {
    const name = crypto.randomUUID().slice(0, 8);
    const come = (who: string) => Somebody.come(this, `${who}.${name}@example.org`);
    const three = [await come('ann'), await come('ben'), await come('eve')] as const;
    for (const person of three) await person.exchanged();
    return three;
  }

  /** A copy of the database as it is now. */
  async backup(): Promise<string> {
    const to = join(this.root, `backup-${crypto.randomUUID()}`);
    await this.server.database.backup(to);
    return to;
  }

  /** The same server again, on the same data or on a copy of before. */
  async restart(from?: string): Promise<void> {
    await this.server.close();
    const { dataDir, databaseUrl } = this.#config;
    const url = databaseUrl === null ? {} : { url: databaseUrl };
    if (from !== undefined) await restoreDatabase({ dataDir, ...url, from });
    this.server = await startServer(this.#config, { hashParameters: weakHash });
    for (const person of this.people) person.meet(this.server);
  }

  /** What the server does by itself has come to its end. */
  async rested(): Promise<void> {
    const { mover, sharing } = this.server.services;
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await mover.run();
      await sharing.run();
    }
  }

  /** Everybody hears everything, in this order; all copies equal the server, and nothing waits. */
  async settle(...order: readonly Somebody[]): Promise<void> {
    for (let rounds = 0; rounds < 3; rounds += 1) {
      for (const person of order) await person.exchanged();
      await this.rested();
    }
    const { store } = this.server.database;
    for (const { account, contents, engine } of order) {
      const held = new Map<Id, StoredRow>();
      for (const { scope } of await store.scopesOf(account))
        for (const row of await this.rows(scope)) held.set(row.id, row);
      const kept = [...contents.rows].map(([id, row]) => [id, asRow(row)] as const);
      assert.deepEqual(new Map(kept), held);
      assert.equal(contents.outbox.size, 0);
      assert.notEqual(engine.facts().digest, 'different');
    }
  }

  /** The rows of a scope, which add up to its sum. */
  async rows(scope: Id): Promise<readonly StoredRow[]> {
    const { store } = this.server.database;
    const rows = await store.snapshot(scope, null, 100_000);
    const sum = new DigestSum();
    for (const { id, version } of rows) sum.add(id, version);
    assert.equal((await store.scope(scope))?.digest, sum.value);
    return rows;
  }

  async row(scope: Id, id: Id): Promise<StoredRow | undefined> {
    return (await this.rows(scope)).find((row) => row.id === id);
  }

  async close(): Promise<void> {
    for (const { engine } of this.people) await engine.close();
    await this.server.close();
    await rm(this.root, { recursive: true });
  }
}
