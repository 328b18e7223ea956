// Devices and servers of different protocol versions: an earlier client works with today's server and is never sent what
// it cannot read; today's client meets an earlier server, keeps everything, and goes on when that is updated.
import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { readConfig } from '#server/config.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import type { SyncProblem } from '#server/sync/push-types.ts';
import { dataFixtures, loadClient, loadServer, protocolFixtures, upgradeServer } from './fixtures.ts';
import {
  call,
  clock,
  createNetwork,
  enter,
  type Entered,
  exchanged,
  openDevice,
  random,
  reached,
} from './headless.ts';
import { type Client, client as newest } from './protocol-client.ts';
import { sharedListSchema } from '#wire/sharing.ts';
import { writeNewer } from '../newer-program.ts';
import { PASSWORD } from './story.ts';

const newId = createIdSource({ now: () => Date.now(), random: (bytes) => random.fill(bytes) });
/** The first protocol that knows of several scopes, and the first in which lists are shared. */
const SCOPES_PROTOCOL = 6;
const SHARED_PROTOCOL = 7;

const daily = { value: 1, unit: 'days', metadata: null, from: 'due date', missed: 'skip', anchorDay: null };

const titled = (engine: Engine, title: string): Row | undefined =>
  [...engine.replica.all()].find((held) => fieldOf(held, 'title') === title);

const byId = (rows: Iterable<Row>) => [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1));

async function startEmpty(): Promise<RunningServer> {
  const config = readConfig({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
  if (!config.ok) throw new Error(config.problem.join(' '));
  const hashParameters = { memory: 64, passes: 1, parallelism: 1 };
  return startServer({ ...config.value, dataDir: ':memory:' }, { hashParameters });
}

function task(engine: Engine, title: string, fields: Record<string, unknown> = {}) {
  const place = { parent: inboxId(engine.replica.scope) };
  return {
    a: 'create',
    id: engine.replica.newId(),
    type: 'task',
    fields: { title, ...fields },
    place,
  } as const;
}

async function open(t: TestContext, session: Entered, client: Client, request?: (body: object) => object) {
  const network = createNetwork(session, client, request);
  const contents = new client.MemoryContents();
  const { account, personalScope: scope } = session;
  const storage = client.createMemoryStorage(contents);
  const engine = await openDevice({ client, storage, transport: network.transport, scope, account });
  t.after(() => engine.close());
  await reached(engine, 'synced');
  return { engine, network, contents };
}

/** Both have everything, equal to the last register, and the older one understood every answer. */
async function agree(...devices: readonly Awaited<ReturnType<typeof open>>[]): Promise<void> {
  for (const { engine } of [...devices, ...devices]) await exchanged(engine);
  const [first] = devices;
  for (const { engine, network } of devices) {
    assert.deepEqual(byId(engine.replica.all()), byId(first?.engine.replica.all() ?? []));
    assert.notEqual(engine.facts().digest, 'different');
    assert.deepEqual(network.unreadable, []);
    assert.deepEqual(network.refusals, []);
  }
}

function suite(version: number, current: () => RunningServer): void {
  let people = 0;
  const person = () => {
    people += 1;
    const email = `protocol${version}-${people}@example.org`;
    return enter(current().url, 'sign_up', { email, password: PASSWORD });
  };
  const pair = async (t: TestContext) => {
    const session = await person();
    const old = await open(t, session, await loadClient(version));
    return { session, old, today: await open(t, session, newest) };
  };

  test('creates, edits, moves, completes, repeats, trashes and undoes beside today’s client', async (t) => {
    const { old, today } = await pair(t);
    for (const [one, other] of [
      [old, today],
      [today, old],
    ] as const) {
      const { replica } = one.engine;
      const [plain, repeating] = [
        task(one.engine, 'Plain'),
        task(one.engine, 'Repeating', { due: { on: '2026-11-20' }, repeat: daily }),
      ];
      replica.issue([plain, repeating]);
      replica.issue([
        { a: 'set', id: plain.id, field: 'notes', value: 'One line.\nAnother.' },
        { a: 'set', id: plain.id, field: 'meta:size', value: 'XL' },
        { a: 'place', id: plain.id, place: { parent: repeating.id } },
        { a: 'complete', id: plain.id, occ: 0, at: replica.now(), next: null },
        {
          a: 'complete',
          id: repeating.id,
          occ: 0,
          at: replica.now(),
          next: { due: { on: '2026-11-21' }, start: null },
        },
      ]);
      await agree(one, other);
      other.engine.replica.issue([
        { a: 'set', id: plain.id, field: 'notes', value: 'One line.\nAnother one.' },
      ]);
      const { inverses } = other.engine.replica.issue([{ a: 'delete', id: repeating.id }]);
      await agree(other, one);
      other.engine.replica.issue(inverses);
      await agree(other, one);
      assert.equal(fieldOf(titled(one.engine, 'Plain'), 'notes'), 'One line.\nAnother one.');
      assert.deepEqual(fieldOf(titled(one.engine, 'Repeating'), 'due'), { on: '2026-11-21' });
    }
  });

  test('what both wrote without knowing of each other ends alike, texts too, and nothing is lost', async (t) => {
    const { session, old, today } = await pair(t);
    const shared = task(old.engine, 'Shared', { notes: 'Start.\nMiddle.\nEnd.' });
    const [above, below] = [task(old.engine, 'Above'), task(old.engine, 'Below')];
    old.engine.replica.issue([shared, above, below]);
    await agree(old, today);
    for (const { network } of [old, today]) network.isCut = true;
    const write = ({ engine }: typeof old, title: string, notes: string) =>
      engine.replica.issue([
        { a: 'set', id: shared.id, field: 'title', value: title },
        { a: 'set', id: shared.id, field: 'notes', value: notes },
      ]);
    write(old, 'Of then', 'Start.\nMiddle.\nEnd of then.');
    write(today, 'Of today', 'Start of today.\nMiddle.\nEnd.');
    today.engine.replica.issue([{ a: 'place', id: above.id, place: { parent: below.id } }]);
    old.engine.replica.issue([{ a: 'place', id: below.id, place: { parent: above.id } }]);
    today.network.isCut = false;
    await exchanged(today.engine);
    old.network.isCut = false;
    await agree(old, today);
    const verdicts = old.engine.recovered.get().map(({ verdict }) => verdict);
    assert.ok(verdicts.includes('cycle'), 'the move that would have made a circle is kept aside');
    // Whose stands is for the clocks to say, which differ by as long as an answer takes. The other's is kept: aside on its own
    // device, or in the history, where it had been taken before.
    const history = await call(session, `/app/api/history/${session.personalScope}`);
    assert.equal(history.status, 200);
    const texts = JSON.stringify([
      ...old.engine.replica.all(),
      ...old.engine.recovered.get(),
      ...today.engine.recovered.get(),
      await history.json(),
    ]);
    for (const text of ['Start of today.', 'End of then.']) assert.ok(texts.includes(text), text);
  });

  test('reads everything anew when its cursor means nothing here, and when there is too much for one answer', async (t) => {
    const { session, old, today } = await pair(t);
    const { engine } = today;
    engine.replica.issue(Array.from({ length: 120 }, (_, n) => task(engine, `Row ${n}`)));
    await agree(today, old);
    const lost = await open(t, session, await loadClient(version), (body) => ({ ...body, maxRows: 50 }));
    await agree(lost, today);
    const generation = 'of another history';
    let requests = 0;
    const strange = await open(t, session, await loadClient(version), (body) => {
      requests += 1;
      return requests === 1
        ? { ...body, cursors: { [session.personalScope]: { generation, version: 3 } } }
        : body;
    });
    await agree(strange, today);
  });

  test('lets go of a scope that is not its own any more, and repeats a push unharmed', async (t) => {
    const { session, old, today } = await pair(t);
    const foreign = newId();
    const left: unknown[] = [];
    const ask = async (body: object) => {
      const { url, cookie } = session;
      const headers = { origin: url, cookie, 'content-type': 'application/json' };
      const response = await fetch(`${url}/sync/v1`, { method: 'POST', headers, body: JSON.stringify(body) });
      const client = await loadClient(version);
      const parsed = client.syncResponseSchema.safeParse(await response.json());
      assert.ok(parsed.success);
      // Later ones are told what the server does not know apart from what they have left.
      left.push(...(version < SCOPES_PROTOCOL ? parsed.data.left : (parsed.data.unknown ?? [])));
      return parsed.data;
    };
    const { device } = old.engine.facts();
    const cursors = { [foreign]: { generation: 'x', version: 1 } };
    const { account: _account, ...head } = { ...old.contents.meta, account: 0 };
    const operation = {
      ...task(old.engine, 'Said twice'),
      q: head.seq! + 1,
      u: newId(),
      scope: session.personalScope,
      t: Date.now(),
      b: 0,
    };
    const body = { schema: version, device, clientNow: Date.now(), ops: [operation], ack: 0, cursors };
    const [once, twice] = [await ask(body), await ask(body)];
    assert.deepEqual(once.results, twice.results);
    assert.ok(left.includes(foreign));
    await exchanged(today.engine);
    const said = [...today.engine.replica.all()].filter((held) => fieldOf(held, 'title') === 'Said twice');
    assert.equal(said.length, 1);
  });

  // A client of today’s protocol could not read them itself.
  if (version < newest.protocolVersion)
    test('[SYNC-70] [SYNC-74] is told to update before rows that it cannot read, and today’s client sends all that it kept', async (t) => {
      const { session, old, today } = await pair(t);
      const { personalScope: scope, account } = session;
      old.network.isCut = true;
      const waiting = Array.from({ length: 50 }, (_, n) => task(old.engine, `Waits ${n}`));
      for (const action of waiting) old.engine.replica.issue([action]);
      await old.engine.flushed();
      const newer = await writeNewer(current().database.store, scope, version + 1);
      old.network.isCut = false;
      old.engine.nudge();
      // The first version did not say that it is too old, and only waited.
      if (version > 1) await reached(old.engine, 'outdated');
      while (old.network.refusals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const kept = old.contents.outbox.size;
      assert.ok(kept >= 50);
      assert.deepEqual(old.network.unreadable, [], 'it was refused, and met nothing that it cannot read');
      assert.deepEqual(new Set(old.network.refusals), new Set(['too_old']));
      await exchanged(today.engine);
      assert.equal(today.engine.facts().digest, 'equal');
      assert.deepEqual(today.contents.rows.get(newer.id), newer);
      await old.engine.close();

      const contents = new newest.MemoryContents();
      contents.meta = old.contents.meta;
      for (const operation of old.contents.outbox.values()) contents.outbox.set(operation.q, operation);
      for (const row of old.contents.rows.values()) contents.rows.set(row.id, row);
      const storage = newest.createMemoryStorage(contents);
      const { transport } = createNetwork(session, newest);
      const updated = await openDevice({ client: newest, storage, transport, scope, account });
      t.after(() => updated.close());
      await exchanged(updated);
      assert.deepEqual(updated.recovered.get(), []);
      assert.equal(contents.outbox.size, 0);
      assert.deepEqual(contents.rows.get(newer.id), newer);
      const rows = await current().database.store.snapshot(scope, null, 10_000);
      assert.deepEqual(byId(updated.replica.all()), byId(rows.filter(({ id }) => id !== newer.id)));
      for (const { id } of waiting) assert.ok(rows.some((row) => row.id === id));
    });

  if (version < SHARED_PROTOCOL)
    test('[SHARE-261] is told to update once a list is shared, keeps what it did in it, and today’s client sends that', async (t) => {
      const { session, old, today } = await pair(t);
      const { personalScope: scope, account, url } = session;
      const list = old.engine.replica.newId();
      const inList = (title: string) => ({ ...task(old.engine, title), place: { parent: list } });
      const known = inList('Book a train');
      const fields = { listType: 'list', name: 'Trip' };
      old.engine.replica.issue([
        { a: 'create', id: list, type: 'list', fields, place: { parent: listsRoot(scope) } },
        known,
      ]);
      await agree(old, today);
      old.network.isCut = true;
      old.engine.replica.issue([
        inList('Made before'),
        { a: 'set', id: known.id, field: 'title', value: 'Book two' },
      ]);
      await old.engine.flushed();
      const { db, store } = current().database;
      await db.updateTable('account').set({ verified_at: 1 }).where('id', '=', account).execute();
      const answer = await call(session, `/app/api/sharing/lists/${list}`, {});
      const shared = sharedListSchema.parse(await answer.json());
      // Somebody else works in it meanwhile.
      const other = await person();
      assert.equal((await call(other, `/app/api/sharing/invitations/${shared.link?.token}`, {})).status, 200);
      const theirs = await open(t, other, newest);
      theirs.engine.replica.issue([{ ...task(theirs.engine, 'Pack'), place: { parent: list } }]);
      await exchanged(theirs.engine);
      old.network.isCut = false;
      old.engine.nudge();
      // The first version did not say that it is too old, and only waited.
      if (version > 1) await reached(old.engine, 'outdated');
      while (old.network.refusals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      old.engine.replica.issue([inList('Made while too old')]);
      await old.engine.flushed();
      assert.deepEqual(old.network.unreadable, []);
      assert.deepEqual(new Set(old.network.refusals), new Set(['too_old']));
      assert.ok(titled(old.engine, 'Book two'), 'everything is still shown');
      await old.engine.close();

      const contents = new newest.MemoryContents();
      contents.meta = old.contents.meta;
      for (const operation of old.contents.outbox.values()) contents.outbox.set(operation.q, operation);
      for (const row of old.contents.rows.values()) contents.rows.set(row.id, row);
      const { transport } = createNetwork({ url, cookie: session.cookie }, newest);
      const storage = newest.createMemoryStorage(contents);
      const updated = await openDevice({ client: newest, storage, transport, scope, account });
      t.after(() => updated.close());
      await exchanged(updated);
      await exchanged(theirs.engine);
      assert.deepEqual(updated.recovered.get(), []);
      assert.equal(contents.outbox.size, 0);
      const rows = await store.snapshot(shared.scope as Id, null, 10_000);
      const titles = rows.flatMap((row) => (row.type === 'task' ? [String(fieldOf(row, 'title'))] : []));
      assert.deepEqual(titles.toSorted(), ['Book two', 'Made before', 'Made while too old', 'Pack']);
      for (const engine of [updated, theirs.engine]) {
        assert.deepEqual(
          byId([...engine.replica.all()].filter((row) => row.scope === shared.scope && row.type === 'task')),
          byId(rows.filter((row) => row.type === 'task')),
        );
        assert.equal(engine.facts().digest, 'equal');
      }
    });

  test('understands every message of the live channel', async (t) => {
    const { session, old, today } = await pair(t);
    const { liveMessageSchema } = await loadClient(version);
    const heard: string[] = [];
    const socket = new WebSocket(`${session.url.replace('http', 'ws')}/live`, {
      headers: { cookie: session.cookie, origin: session.url },
    });
    t.after(() => socket.close());
    const { device, cursors } = { cursors: {}, ...old.contents.meta };
    await new Promise((resolve) => socket.on('open', resolve));
    const delta = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const parsed = liveMessageSchema.safeParse(JSON.parse(data.toString()));
        heard.push(parsed.success ? parsed.data.type : data.toString());
        if (heard.length === 1) resolve();
      });
    });
    socket.send(JSON.stringify({ type: 'hello', device, cursors }));
    const made = task(today.engine, 'Told at once', { notes: 'Some words' });
    today.engine.replica.issue([made, { a: 'set', id: made.id, field: 'notes', value: 'Some other words' }]);
    await exchanged(today.engine);
    await delta;
    const known = ['poke', 'delta', 'left', 'bye'];
    assert.deepEqual(
      heard.filter((type) => !known.includes(type)),
      [],
    );
  });
}

/** The server of a protocol version, with one account's empty scope, as a network. */
async function earlierServer(
  version: number,
  { scope, account }: { readonly scope: Id; readonly account: number },
) {
  const { openStore, createExchange } = await loadServer(version);
  const store = await openStore();
  await store.createScope({ id: scope, kind: 'personal', owner: account });
  const generations = await store.openGeneration('earlier', 1);
  const nextTurn = (work: () => void) => void setImmediate(work);
  const exchange = createExchange({ store, clock, generations, publish: () => undefined, nextTurn });
  const roles = new Map([[scope, 'owner']] as const);
  const actor = {
    type: 'account',
    account,
    session: newId(),
    kind: 'web',
    personalScope: scope,
    roles,
  } as const;
  return { store, sync: (request: unknown) => exchange.sync(actor, JSON.parse(JSON.stringify(request))) };
}

describe('protocol versions', () => {
  for (const version of protocolFixtures) {
    describe(`a client of protocol ${version} and today’s server`, () => {
      let server: RunningServer | undefined;
      before(async () => {
        server = await startEmpty();
      });
      after(() => server?.close());
      suite(version, () => {
        assert.ok(server);
        return server;
      });
    });

    test(`a newer client and a server of protocol ${version}: everything is kept, said, and sent after the update`, async (t) => {
      const fixture = dataFixtures[0];
      assert.ok(fixture);
      const upgraded = await upgradeServer(fixture);
      t.after(() => upgraded.close());
      const { sleeper, accounts } = upgraded.world;
      const { scope, account } = sleeper.meta;
      const earlier = await earlierServer(version, { scope, account });
      t.after(() => earlier.store.close());

      const contents = new newest.MemoryContents();
      contents.meta = sleeper.meta;
      for (const operation of sleeper.outbox) contents.outbox.set(operation.q, operation);
      for (const row of sleeper.rows) contents.rows.set(row.id, row);
      const asNewer = (body: object) => ({ ...body, schema: Math.max(newest.protocolVersion, version + 1) });
      let isUpdated = false;
      const cookie = accounts[0]?.sessions[1] ?? '';
      const network = createNetwork({ url: upgraded.server.url, cookie }, newest);
      const engine = await openDevice({
        client: newest,
        storage: newest.createMemoryStorage(contents),
        transport: {
          ...network.transport,
          async sync(request) {
            if (isUpdated) return network.transport.sync(request);
            const answer = await earlier.sync(asNewer(request));
            assert.ok(!answer.ok, 'a newer protocol is not spoken');
            // The servers of these fixtures name code and message beside `ok`; newer ones, in `problem`.
            const old = answer as unknown as SyncProblem;
            return { ok: false, problem: { type: 'refused', ...old, ...answer.problem } };
          },
        },
        scope,
        account,
      });
      t.after(() => engine.close());
      await reached(engine, 'outdated');
      const waiting = sleeper.outbox.length;
      assert.deepEqual(engine.state.get(), { type: 'outdated', which: 'server', waiting });
      const [row] = sleeper.rows.filter(({ type }) => type === 'task');
      assert.ok(row);
      engine.replica.issue([{ a: 'set', id: row.id, field: 'duration', value: 5 }]);
      await engine.flushed();
      assert.equal(contents.outbox.size, waiting + 1, 'work goes on, on this device');
      assert.deepEqual(engine.recovered.get(), []);

      isUpdated = true;
      await exchanged(engine);
      assert.equal(contents.outbox.size, 0);
      assert.deepEqual(engine.recovered.get(), []);
      const rows = await upgraded.server.database.store.snapshot(scope, null, 10_000);
      assert.deepEqual(byId(engine.replica.all()), byId(rows));
    });
  }
});
