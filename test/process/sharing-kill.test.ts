// The real server process, killed again and again at random moments while a list is shared, joined, left and made private, and
// while tasks are written into it: nothing is lost, nothing is there twice, and what had begun is carried to its end.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inboxId, listsRoot, memberId, mountId, type Id } from '#core/ids.ts';
import { DATABASE_FILE } from '#server/data/location.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { sharedListSchema } from '#wire/sharing.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import { SeededRandom } from '../simulator/random.ts';
import { signUp, startServerChild, type ServerChild, type SignedUp } from './server-child.ts';

/** So many do not move with their list at once. */
const TASKS = 520;
const ROUNDS = 4;
const SEED = 6;
/** The process lives so long after an action has begun, at most. */
const LONGEST_MS = 120;
const PATIENCE_MS = 20_000;
const newId = () => crypto.randomUUID() as Id;

type Fields = Record<string, unknown>;

/** The server, whichever process it is at the moment. */
class Reborn {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'posthaste-sharing-kill-'));
  kills = 0;
  inTheMiddle = 0;
  #server: ServerChild | null = null;

  get address(): string | null {
    return this.#server?.address ?? null;
  }

  async start(): Promise<string> {
    this.#server = await startServerChild(this.dataDir);
    return this.#server.address;
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.kill();
  }

  /** Ends the process while this is being done, and goes on in the next one. */
  async killedDuring(random: SeededRandom, work: () => Promise<unknown>): Promise<void> {
    const done = work();
    await delay(random.below(LONGEST_MS));
    await this.kill();
    this.kills += 1;
    if (this.read(UNSETTLED)[0]?.['n'] !== 0) this.inTheMiddle += 1;
    await this.start();
    await done;
  }

  /** Asks until there is an answer that stands. */
  async insist(path: string, { cookie }: SignedUp, body?: unknown): Promise<unknown> {
    for (const late = performance.now() + PATIENCE_MS; ; await delay(15)) {
      assert.ok(performance.now() < late, `${path} is answered`);
      const { address } = this;
      if (address === null) continue;
      const headers = { 'content-type': 'application/json', cookie, origin: address };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      try {
        const answer = await fetch(address + path, { method: 'POST', headers, ...sent });
        const text = await answer.text();
        if (answer.status === 200) return JSON.parse(text);
        // What is still on its way cannot be done yet.
        assert.equal(answer.status, 409, text);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        // The connection ended with the process.
      }
    }
  }

  read(sql: string): readonly Record<string, unknown>[] {
    const db = new DatabaseSync(join(this.dataDir, DATABASE_FILE));
    try {
      return db.prepare(sql).all();
    } finally {
      db.close();
    }
  }

  run(sql: string): void {
    const db = new DatabaseSync(join(this.dataDir, DATABASE_FILE));
    try {
      db.exec(sql);
    } finally {
      db.close();
    }
  }
}

const UNSETTLED =
  'SELECT (SELECT count(*) FROM transfer) + (SELECT count(*) FROM shared_list WHERE settled < wanted) AS n';

/** A person with one device, which sends an operation until it is judged. */
class Writer {
  readonly server: Reborn;
  readonly person: SignedUp;
  readonly made = new Set<Id>();
  readonly #device = newId();
  #seq = 0;

  constructor(server: Reborn, person: SignedUp) {
    [this.server, this.person] = [server, person];
  }

  async push(actions: readonly Fields[]): Promise<void> {
    const { scope } = this.person;
    const [now, ack] = [Date.now(), this.#seq];
    const ops = actions.map((action) => ({
      q: (this.#seq += 1),
      u: newId(),
      scope,
      t: now,
      b: 0,
      ...action,
    }));
    const head = { schema: protocolVersion, device: this.#device, clientNow: now, cursors: {}, maxRows: 1 };
    const answer = await this.server.insist('/sync/v1', this.person, { ...head, ops, ack });
    const { results } = answer as SyncResponse;
    assert.deepEqual(
      results.map(([q, verdict]) => [q, verdict]),
      ops.map(({ q }) => [q, 'ok']),
    );
  }

  async tasks(list: Id, count: number): Promise<void> {
    const ids = Array.from({ length: count }, newId);
    for (const id of ids) this.made.add(id);
    await this.push(
      ids.map((id) => ({ a: 'create', id, type: 'task', fields: { title: 'x' }, place: { parent: list } })),
    );
  }

  async list(listType: string, id = newId()): Promise<Id> {
    const fields = { listType, name: 'Trip' };
    await this.push([
      { a: 'create', id, type: 'list', fields, place: { parent: listsRoot(this.person.scope) } },
    ]);
    return id;
  }
}

/** Every scope adds up, and every row is in one. */
function checkRows(server: Reborn): Map<string, Record<string, unknown>> {
  const rows = server.read('SELECT id, scope, type, parent, version, fields FROM entity');
  const byId = new Map(rows.map((row) => [String(row['id']), row]));
  assert.equal(byId.size, rows.length, 'no row is in two scopes');
  for (const { id, digest } of server.read('SELECT id, digest FROM scope')) {
    const sum = new DigestSum();
    for (const row of rows) if (row['scope'] === id) sum.add(row['id'] as Id, Number(row['version']));
    assert.equal(digest, sum.value);
  }
  assert.deepEqual(server.read('PRAGMA integrity_check')[0]?.['integrity_check'], 'ok');
  return byId;
}

/** All tasks are in the list, wherever that is, and rows, roles and records say the same. */
function check(server: Reborn, list: Id, writers: readonly Writer[]): void {
  const byId = checkRows(server);
  const scope = byId.get(list)?.['scope'] as Id;
  const made = writers.flatMap((writer) => [...writer.made]);
  for (const id of made) assert.deepEqual([byId.get(id)?.['scope'], byId.get(id)?.['parent']], [scope, list]);
  assert.equal([...byId.values()].filter(({ type }) => type === 'task').length, made.length);
  const records = server.read('SELECT scope, state, closed_at, settled, wanted FROM shared_list');
  for (const { settled, wanted } of records) assert.equal(settled, wanted);
  const open = records.filter(({ closed_at: closedAt }) => closedAt === null);
  const owner = writers[0]?.person.scope;
  assert.deepEqual(
    open.map((record) => [record['scope'], record['state']]),
    scope === owner ? [] : [[scope, 'open']],
  );
  for (const { person } of writers) {
    const roles = server
      .read(`SELECT scope FROM member WHERE account = ${person.account}`)
      .map((role) => role['scope']);
    const row = byId.get(memberId(scope, person.account));
    const isMember = scope !== owner && roles.includes(scope);
    assert.equal(row !== undefined && !String(row['fields']).includes('leftAt'), isMember);
    if (isMember) assert.equal(byId.get(mountId(person.scope, list))?.['scope'], person.scope);
  }
}

describe('a server that is killed while lists are shared', () => {
  it('[SHARE-263] carries everything to its end, loses nothing, and has nothing twice', async () => {
    const random = new SeededRandom(SEED);
    const server = new Reborn();
    try {
      const address = await server.start();
      const ann = new Writer(server, await signUp(address, 'ann@example.org'));
      const ben = new Writer(server, await signUp(address, 'ben@example.org'));
      server.run('UPDATE account SET verified_at = 1');
      for (const writer of [ann, ben]) await writer.list('inbox', inboxId(writer.person.scope));
      const list = await ann.list('list');
      await ann.tasks(list, TASKS);
      const lists = `/app/api/sharing/lists/${list}`;
      /** The process ends in the midst of it, also of what is written meanwhile. */
      const during = (work: () => Promise<unknown>, writer: Writer) =>
        server.killedDuring(random, async () => Promise.all([work(), writer.tasks(list, 3)]));
      for (let round = 0; round < ROUNDS; round += 1) {
        await during(() => server.insist(lists, ann.person), ann);
        // It can be joined when all is there.
        const shared = sharedListSchema.parse(await server.insist(lists, ann.person));
        const link = sharedListSchema.parse(await server.insist(`${lists}/link`, ann.person, {})).link;
        const token = link?.token ?? '';
        await during(() => server.insist(`/app/api/sharing/invitations/${token}`, ben.person), ann);
        await ben.tasks(list, 1);
        if (random.chance(0.5)) await during(() => server.insist(`${lists}/leave`, ben.person), ann);
        else await server.killedDuring(random, () => ben.tasks(list, 2));
        await during(() => server.insist(`${lists}/private`, ann.person), ann);
        for (
          const late = performance.now() + PATIENCE_MS;
          server.read(UNSETTLED)[0]?.['n'] !== 0;
          await delay(15)
        )
          assert.ok(performance.now() < late, `${shared.scope} ends`);
        check(server, list, [ann, ben]);
      }
      await during(() => server.insist(lists, ann.person), ann);
      for (
        const late = performance.now() + PATIENCE_MS;
        server.read(UNSETTLED)[0]?.['n'] !== 0;
        await delay(15)
      )
        assert.ok(performance.now() < late, 'it ends');
      check(server, list, [ann, ben]);
      console.log(`killed ${server.kills} times, ${server.inTheMiddle} of them in the middle`);
      assert.ok(server.inTheMiddle > 0);
    } finally {
      await server.kill();
      rmSync(server.dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
