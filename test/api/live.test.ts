// The live socket on a real port: who may connect, what is told, and how quickly it ends with its session.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import type { Id } from '#core/ids.ts';
import { deriveId, settingId } from '#core/ids.ts';
import { liveMessageSchema, type LiveMessage } from '#wire/live.ts';
import { type SyncResponse } from '#wire/sync.ts';
import { startServer, type RunningServer } from '#server/server.ts';
import { cookieOf, GOOD_PASSWORD, testConfig, weakHash } from './harness.ts';

/** Any free port, and a database that ends with the server. */
const inMemory = { ...testConfig({ PORT: '0' }), dataDir: ':memory:' };

/** Sockets are looked at so often (server/live/sockets.ts). */
const NEXT_LOOK_MS = 25_000;

const DEVICE = '0190f3a0-0000-7000-8000-000000000001';

interface Person {
  readonly cookie: string;
  readonly personalScope: Id;
}

interface Client {
  readonly socket: WebSocket;
  /** The next message not yet taken. */
  next(): Promise<LiveMessage>;
  readonly closed: Promise<number>;
  hello(cursors: Record<string, { generation: string; version: number }>): void;
}

describe('live', () => {
  let server: RunningServer | undefined;
  let sequence = 0;
  const at = () => `http://localhost:${server!.port}`;

  before(async () => {
    server = await startServer(inMemory, { hashParameters: weakHash });
  });
  after(() => server?.close());

  async function post(path: string, body: unknown, cookie = ''): Promise<Response> {
    const headers = { 'content-type': 'application/json', origin: at(), cookie };
    return fetch(at() + path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  async function signUp(name: string): Promise<Person> {
    const response = await post('/app/api/sign_up', {
      email: `${name}@example.org`,
      password: GOOD_PASSWORD,
    });
    const { personalScope } = (await response.json()) as { personalScope: Id };
    return { cookie: cookieOf(response), personalScope };
  }

  async function write({ cookie, personalScope }: Person, sizes: readonly number[]): Promise<SyncResponse> {
    const ops = sizes.map((size) => {
      sequence += 1;
      const key = `setting-${sequence}`;
      const fields = { key, value: 'x'.repeat(size) };
      const head = {
        q: sequence,
        u: deriveId('test', String(sequence)),
        scope: personalScope,
        t: Date.now(),
        b: 0,
      };
      return { ...head, a: 'create', id: settingId(personalScope, key), type: 'setting', fields };
    });
    const device = deriveId('device', personalScope);
    const response = await post(
      '/sync/v1',
      { schema: 1, device, clientNow: Date.now(), ops, ack: 0, cursors: {} },
      cookie,
    );
    const answer = (await response.json()) as SyncResponse;
    assert.deepEqual(
      answer.results.map(([, verdict]) => verdict),
      sizes.map(() => 'ok'),
    );
    return answer;
  }

  function cursorOf(answer: SyncResponse, scope: Id) {
    const changes = answer.changes.find((change) => change.scope === scope)!;
    return { [scope]: { generation: changes.generation, version: changes.to } };
  }

  function open(options: {
    readonly cookie?: string;
    readonly origin?: string;
    readonly path?: string;
  }): WebSocket {
    return new WebSocket(`ws://localhost:${server!.port}${options.path ?? '/live'}`, {
      headers: options.cookie === undefined ? {} : { cookie: options.cookie },
      origin: options.origin ?? at(),
    });
  }

  async function connect(cookie: string): Promise<Client> {
    const socket = open({ cookie });
    const waiting: LiveMessage[] = [];
    const takers: ((message: LiveMessage) => void)[] = [];
    socket.on('message', (data: Buffer) => {
      const message = liveMessageSchema.parse(JSON.parse(data.toString()));
      const taker = takers.shift();
      if (taker) taker(message);
      else waiting.push(message);
    });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return {
      socket,
      closed,
      next() {
        const message = waiting.shift();
        return message ? Promise.resolve(message) : new Promise((resolve) => takers.push(resolve));
      },
      hello: (cursors) => socket.send(JSON.stringify({ type: 'hello', device: DEVICE, cursors })),
    };
  }

  const refusedWith = (socket: WebSocket) =>
    new Promise<number>((resolve, reject) => {
      socket.once('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0);
        socket.terminate();
      });
      socket.once('open', () => reject(new Error('it opened')));
      socket.on('error', () => undefined);
    });

  test('only with a session, from a page of our own, at its address', async () => {
    const { cookie } = await signUp('door');
    assert.equal(await refusedWith(open({})), 401);
    assert.equal(await refusedWith(open({ cookie: 'posthaste-session=nonsense' })), 401);
    assert.equal(await refusedWith(open({ cookie, origin: 'https://evil.example' })), 403);
    assert.equal(await refusedWith(open({ cookie, origin: at().replace('http:', 'https:') })), 403);
    assert.equal(await refusedWith(open({ cookie, path: '/other' })), 404);
    const client = await connect(cookie);
    client.socket.close();
    await client.closed;
  });

  test('plain HTTP is told what the address is for', async () => {
    const { cookie } = await signUp('plain');
    const response = await fetch(`${at()}/live`, { headers: { cookie } });
    assert.equal(response.status, 426);
    assert.equal(response.headers.get('upgrade'), 'websocket');
    await response.body?.cancel();
  });

  test('a socket that said what it holds gets small changes as rows, one after another', async () => {
    const person = await signUp('delta');
    const first = await write(person, [10]);
    const client = await connect(person.cookie);
    const cursor = cursorOf(first, person.personalScope)[person.personalScope];
    client.hello({ [person.personalScope]: { generation: cursor?.generation ?? '', version: 0 } });
    assert.equal((await client.next()).type, 'poke', 'it is behind, and now knows');
    const second = await write(person, [20]);
    const told = await client.next();
    assert.ok(told.type === 'delta', told.type);
    assert.equal(told.changes.from, Object.values(cursorOf(first, person.personalScope))[0]?.version);
    assert.equal(told.changes.to, Object.values(cursorOf(second, person.personalScope))[0]?.version);
    assert.equal(told.changes.rows.length, 1);
    await write(person, [30, 40]);
    const more = await client.next();
    assert.ok(more.type === 'delta' && more.changes.from === told.changes.to);
    assert.equal(more.changes.rows.length, 2);
    client.socket.close();
    await client.closed;
  });

  test('what is large is only announced', async () => {
    const person = await signUp('large');
    const client = await connect(person.cookie);
    const first = await write(person, [10]);
    client.hello(cursorOf(first, person.personalScope));
    const poke = await client.next();
    assert.equal(poke.type, 'poke');
    await write(person, [9_000]);
    const told = await client.next();
    assert.ok(told.type === 'poke' && told.scope === person.personalScope);
    client.socket.close();
    await client.closed;
  });

  test('a socket that holds less is told to fetch, and what it may not read is named as left', async () => {
    const person = await signUp('behind');
    const stranger = await signUp('strange');
    const answer = await write(person, [10, 10]);
    const client = await connect(person.cookie);
    const generation = Object.values(cursorOf(answer, person.personalScope))[0]?.generation ?? '';
    client.hello({
      [person.personalScope]: { generation, version: 0 },
      [stranger.personalScope]: { generation, version: 0 },
    });
    const told = [await client.next(), await client.next()];
    assert.deepEqual(told.map(({ type }) => type).toSorted(), ['left', 'poke']);
    await write(stranger, [10]);
    await write(person, [10]);
    const next = await client.next();
    assert.ok(
      next.type === 'delta' && next.changes.scope === person.personalScope,
      'nothing of the stranger came through',
    );
    client.socket.close();
    await client.closed;
  });

  test('[ASVS 7.4] signing out closes the socket at once', async () => {
    const person = await signUp('leaving');
    const client = await connect(person.cookie);
    const startedAt = performance.now();
    await post('/app/api/sign_out', {}, person.cookie);
    assert.deepEqual(await client.next(), { type: 'bye', reason: 'signed_out' });
    assert.equal(await client.closed, 4_001);
    assert.ok(performance.now() - startedAt < NEXT_LOOK_MS, 'it was not waited until sockets are looked at');
    assert.equal(await refusedWith(open({ cookie: person.cookie })), 401);
  });

  test('ending another session closes that one’s sockets only', async () => {
    const { cookie: first } = await signUp('both');
    const signedIn = await post('/app/api/sign_in', { email: 'both@example.org', password: GOOD_PASSWORD });
    const second = cookieOf(signedIn);
    const [staying, going] = [await connect(first), await connect(second)];
    const response = await fetch(`${at()}/app/api/sessions`, {
      method: 'DELETE',
      headers: { cookie: first, origin: at() },
    });
    assert.equal(response.status, 200);
    assert.equal(await going.closed, 4_001);
    assert.equal(staying.socket.readyState, WebSocket.OPEN);
    staying.socket.close();
    await staying.closed;
  });

  test('the 21st socket of an account is refused', async () => {
    const { cookie } = await signUp('many');
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect(cookie)));
    assert.equal(await refusedWith(open({ cookie })), 429);
    for (const { socket } of clients) socket.close();
    await Promise.all(clients.map(({ closed }) => closed));
  });

  test('frames that are too large, not JSON or not a hello end the connection', async () => {
    const { cookie } = await signUp('frames');
    const sent = async (data: string | Buffer) => {
      const client = await connect(cookie);
      client.socket.on('error', () => undefined);
      client.socket.send(data);
      return client.closed;
    };
    assert.equal(await sent('x'.repeat(64 * 1024 + 1)), 1_009);
    assert.equal(await sent('not json'), 1_008);
    assert.equal(await sent('{"words":"without a type"}'), 1_008);
    assert.equal(await sent('["hello"]'), 1_008);
    assert.equal(await sent(Buffer.from('{}')), 1_008);
    assert.equal(await sent(JSON.stringify({ type: 'hello', device: 'nobody', cursors: {} })), 1_008);
  });

  test('[SYNC-75] messages of a newer client are passed over and counted, and so is what its hello says besides', async () => {
    const person = await signUp('newer');
    const first = await write(person, [1]);
    const client = await connect(person.cookie);
    const passedOver = () =>
      /^posthaste_unknown_messages_total (\d+)$/m.exec(server!.services.metrics.text())?.[1] ?? '0';
    const before = Number(passedOver());
    client.socket.send(JSON.stringify({ type: 'presence', at: 'somewhere' }));
    client.socket.send(JSON.stringify({ type: 'write' }));
    const generation = Object.values(cursorOf(first, person.personalScope))[0]?.generation ?? '';
    const cursors = { [person.personalScope]: { generation, version: 0, hops: 1 } };
    client.socket.send(JSON.stringify({ type: 'hello', device: DEVICE, cursors, presence: true }));
    assert.equal((await client.next()).type, 'poke', 'it is behind, and now knows');
    await write(person, [1]);
    assert.equal((await client.next()).type, 'delta', 'the hello was understood');
    assert.equal(Number(passedOver()) - before, 2);
    client.socket.close();
  });

  test('shutting down says goodbye', async () => {
    const other = await startServer(inMemory, {
      hashParameters: weakHash,
    });
    const origin = `http://localhost:${other.port}`;
    const response = await fetch(`${origin}/app/api/sign_up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: 'bye@example.org', password: GOOD_PASSWORD }),
    });
    const socket = new WebSocket(`ws://localhost:${other.port}/live`, {
      headers: { cookie: cookieOf(response) },
      origin,
    });
    const messages: string[] = [];
    socket.on('message', (data: Buffer) => messages.push(data.toString()));
    await response.text();
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await other.close();
    assert.equal(await closed, 1_012);
    assert.deepEqual(messages, ['{"type":"bye","reason":"shutdown"}']);
  });
});
