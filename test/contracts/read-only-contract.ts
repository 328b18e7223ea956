// A server whose database lets nothing be written, on every engine: what is there is read, people sign in and out, what is
// new is refused, and all of it is written down once that works again. For full disks see test/process/full-disk.test.ts.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { sql } from 'kysely';
import { settingId, type Id } from '#core/ids.ts';
import { type Config, readConfig } from '#server/config.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { protocolVersion } from '#wire/version.ts';
import { cookieOf } from '../api/harness.ts';
import { someId } from './store-samples.ts';

const hashParameters = { memory: 64, passes: 1, parallelism: 1 };
const CREDENTIALS = { email: 'person@example.org', password: 'violet anchor under moss' };

/** Also those connections that are open already. */
async function setWritable(
  { database }: RunningServer,
  url: string | null,
  isWritable: boolean,
): Promise<void> {
  if (url === null) {
    await sql.raw(`PRAGMA query_only = ${isWritable ? 'OFF' : 'ON'}`).execute(database.db);
    return;
  }
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const name = rows[0]?.name ?? '';
  await client.query(
    `ALTER DATABASE "${name}" SET default_transaction_read_only = ${isWritable ? 'off' : 'on'}`,
  );
  // Waits until they have ended: a request that is under way on one of them is answered with 503, to be tried again.
  await client.query(
    'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await client.end();
}

class Browser {
  readonly #server: RunningServer;
  cookie: string;

  constructor(server: RunningServer, cookie = '') {
    this.#server = server;
    this.cookie = cookie;
  }

  post(path: string, body?: unknown): Promise<Response> {
    const origin = `http://localhost:${this.#server.port}`;
    const headers = { origin, cookie: this.cookie, 'content-type': 'application/json' };
    return fetch(origin + path, {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async enter(door: 'sign_up' | 'sign_in'): Promise<Id> {
    const response = await this.post(`/app/api/${door}`, CREDENTIALS);
    assert.equal(response.status, 200, door);
    this.cookie = cookieOf(response);
    return ((await response.json()) as { personalScope: Id }).personalScope;
  }

  async get(path: string): Promise<Response> {
    return fetch(`http://localhost:${this.#server.port}${path}`, { headers: { cookie: this.cookie } });
  }

  async write(scope: Id): Promise<{ readonly status: number; readonly id: Id }> {
    const fields = { key: `key-${someId()}`, value: 1 };
    const id = settingId(scope, fields.key);
    const operation = { q: 1, u: someId(), scope, t: 5, b: 0, a: 'create', id, type: 'setting', fields };
    const head = { schema: protocolVersion, device: someId(), clientNow: 5, ack: 0, cursors: {} };
    return { status: (await this.post('/sync/v1', { ...head, ops: [operation] })).status, id };
  }

  async rows(): Promise<readonly Id[]> {
    const head = { schema: protocolVersion, device: someId(), clientNow: 5, ack: 0, cursors: {}, ops: [] };
    const response = await this.post('/sync/v1', head);
    assert.equal(response.status, 200);
    const { changes } = (await response.json()) as { changes: { rows: { id: Id }[] }[] };
    return changes.flatMap(({ rows }) => rows.map(({ id }) => id));
  }
}

export function readOnlyContract(name: string, databaseUrl: () => Promise<string | null>): void {
  describe(`A server that may not write, on ${name}`, () => {
    let root: string;
    let config: Config;
    let url: string | null;
    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'posthaste-read-only-'));
      url = await databaseUrl();
      const read = readConfig({
        PORT: '0',
        DATA_DIR: join(root, 'data'),
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'off',
        BACKUPS: 'off',
        ...(url === null ? {} : { DATABASE_URL: url }),
      });
      assert.ok(read.ok);
      config = read.value;
    });
    after(() => rm(root, { recursive: true }));

    test('[ACC-24] reads, signs in and out, starts, and writes down later what it could not', async (context) => {
      let server = await startServer(config, { hashParameters });
      context.after(() => server.close());
      const first = new Browser(server);
      const scope = await first.enter('sign_up');
      const leaving = new Browser(server);
      await leaving.enter('sign_in');
      const { id } = await first.write(scope);

      await setWritable(server, url, false);
      // On PostgreSQL only the server that starts anew; its connections were ended.
      const late = new Browser(server);
      await late.enter('sign_in');
      assert.equal((await leaving.post('/app/api/sign_out')).status, 200);
      assert.equal((await leaving.get('/app/api/me')).status, 401);
      assert.equal((await late.get('/app/api/me')).status, 200);
      assert.deepEqual(await late.rows(), [id]);
      assert.equal((await first.write(scope)).status, 503);
      // Shown once and kept elsewhere: one that a restart forgets is not given out.
      const token = await late.post('/app/api/tokens', { name: 'Script', access: 'write' });
      assert.equal(token.status, 503);
      assert.match(await token.text(), /Nothing was changed/);
      assert.match(await (await first.get('/readyz')).text(), /^read only\n/);
      assert.ok(server.room.waiting() > 0);

      if (url !== null) {
        await server.close();
        server = await startServer(config, { hashParameters });
        const again = new Browser(server, first.cookie);
        assert.deepEqual(await again.rows(), [id]);
        assert.equal((await again.write(scope)).status, 503);
        assert.match(await (await again.get('/readyz')).text(), /^read only\n/);
      }
      await setWritable(server, url, true);
      const back = new Browser(server, first.cookie);
      // A connection that was just ended is noticed by the request that meets it.
      let later = await back.write(scope);
      for (let again = 0; later.status === 503 && again < 50; again += 1) later = await back.write(scope);
      assert.equal(later.status, 200);
      await server.room.tend();
      assert.equal(server.room.waiting(), 0);
      assert.deepEqual(new Set(await back.rows()), new Set([id, later.id]));
      await server.close();
      server = await startServer(config, { hashParameters });
      if (url === null) {
        assert.equal((await new Browser(server, late.cookie).get('/app/api/me')).status, 200);
        assert.equal((await new Browser(server, leaving.cookie).get('/app/api/me')).status, 401);
      }
    });
  });
}
