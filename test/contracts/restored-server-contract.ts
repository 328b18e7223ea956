// A server whose database was put back to an older state, on every engine: what had been ended stays ended, and devices
// that saw more than the database now holds are told so.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { settingId, type Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { runAdmin } from '#server/admin-commands.ts';
import { readConfig, type Config } from '#server/config.ts';
import { restoreDatabase } from '#server/data/backup.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { someId } from './store-samples.ts';

const hashParameters = { memory: 64, passes: 1, parallelism: 1 };

/** A browser, as far as cookies go. */
class Browser {
  readonly server: RunningServer;
  cookie = '';
  readonly device = someId();
  scope = '';

  constructor(server: RunningServer, of?: Browser) {
    this.server = server;
    if (of) [this.cookie, this.scope] = [of.cookie, of.scope];
  }

  async post(path: string, body?: unknown, method = 'POST'): Promise<Response> {
    const origin = `http://localhost:${this.server.port}`;
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { origin, 'content-type': 'application/json', cookie: this.cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.getSetCookie()[0]?.split(';')[0];
    if (set !== undefined && set !== '') this.cookie = set;
    return response;
  }

  async enter(path: string, email = 'person@example.org'): Promise<void> {
    const response = await this.post(path, {
      email,
      password: 'violet anchor under moss',
    });
    assert.equal(response.status, 200);
    this.scope = ((await response.json()) as { personalScope: string }).personalScope;
  }

  async sync(cursors: Record<string, unknown>, ops: readonly unknown[] = []): Promise<SyncResponse> {
    const head = { schema: protocolVersion, device: this.device, clientNow: Date.now(), ack: 0 };
    const response = await this.post('/sync/v1', { ...head, ops, cursors });
    assert.equal(response.status, 200);
    return (await response.json()) as SyncResponse;
  }

  /** A setting is the smallest thing there is. */
  async write(q: number): Promise<void> {
    const fields = { key: `key-${q}`, value: q };
    const head = { q, u: someId(), scope: this.scope, t: Date.now(), b: 0 };
    const create = {
      ...head,
      a: 'create',
      id: settingId(this.scope as Id, fields.key),
      type: 'setting',
      fields,
    };
    assert.deepEqual((await this.sync({}, [create])).results, [[q, 'ok']]);
  }

  /** What `write` wrote before the server went back, after others found it missing. */
  async bringsBack(n: number): Promise<void> {
    const fields = { key: `key-${n}`, value: n };
    const id = settingId(this.scope as Id, fields.key);
    const head = { scope: this.scope, t: Date.now(), b: 0 };
    const set = { ...head, q: 100, u: someId(), a: 'set', id, field: 'value', value: 'meanwhile' };
    assert.deepEqual((await this.sync({}, [set])).results, [[100, 'parked']]);
    const times = { at: Date.now() - 60_000, times: {}, createdAt: 1 };
    const offer = { ...head, ...times, q: 1, u: someId(), a: 'reoffer', id, type: 'setting', fields };
    const holder = new Browser(this.server, this);
    const answer = await holder.sync({}, [offer]);
    assert.deepEqual(answer.results, [[1, 'ok']]);
    const row = answer.changes[0]?.rows.find((held) => held.id === id);
    assert.deepEqual([row?.f['value'], row?.c], ['meanwhile', 1]);
    assert.deepEqual((await this.sync({}, [set])).results, [[100, 'parked']], 'a verdict is final');
    const again = { ...offer, q: 2, u: someId() };
    assert.deepEqual((await holder.sync({}, [offer, again])).results, [
      [1, 'ok'],
      [2, 'already'],
    ]);
  }
}

export function restoredServerContract(name: string, databaseUrl: () => Promise<string | null>): void {
  describe(`A restored server on ${name}`, () => {
    let root: string;
    let config: Config;
    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'posthaste-restored-'));
      const url = await databaseUrl();
      const read = readConfig({
        PORT: '0',
        DATA_DIR: join(root, 'data'),
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'off',
        ...(url === null ? {} : { DATABASE_URL: url }),
      });
      assert.ok(read.ok);
      config = read.value;
    });
    after(() => rm(root, { recursive: true }));
    const location = () => ({
      dataDir: config.dataDir,
      ...(config.databaseUrl === null ? {} : { url: config.databaseUrl }),
    });

    test('keeps ended sessions ended and has newer cursors read afresh', async (context) => {
      const backup = join(root, 'backup');
      const first = await startServer(config, { hashParameters });
      context.after(() => first.close());
      const kept = new Browser(first);
      await kept.enter('/app/api/sign_up');
      const other = new Browser(first);
      await other.enter('/app/api/sign_in');
      await kept.write(1);
      await first.database.backup(backup);
      const atBackup = (await kept.sync({})).changes[0];
      const stolen = other.cookie;
      assert.equal((await other.post('/app/api/sign_out')).status, 200);
      await kept.write(2);
      const newest = (await kept.sync({})).changes[0];
      await first.close();

      await restoreDatabase({ ...location(), from: backup });
      const second = await startServer(config, { hashParameters });
      try {
        const thief = new Browser(second);
        thief.cookie = stolen;
        const entry = await thief.post('/sync/v1', {});
        assert.equal(entry.status, 401, 'ended after the backup, and still ended');
        const again = new Browser(second, kept);
        const cursorOf = (changes: SyncResponse['changes'][number] | undefined) => {
          assert.ok(changes);
          return { [changes.scope]: { generation: changes.generation, version: changes.to } };
        };
        const [told] = (await again.sync(cursorOf(newest))).changes;
        assert.equal(told?.resync, true, 'the device saw what the server no longer has');
        const common = told?.rollback?.known.find(([generation]) => generation === newest?.generation);
        assert.equal(common?.[1], atBackup?.to, 'it is told up to where both have lived the same');
        assert.equal(told?.rows.length, atBackup?.rows.length);
        assert.ok(told.to > (atBackup?.to ?? 0), 'that it takes back what is lost is a version of its own');
        const [known] = (await again.sync(cursorOf(atBackup))).changes;
        assert.deepEqual([known?.resync, known?.rows], [undefined, []], 'what both have is not sent again');
        // Versions given out again must not make the lost ones look known.
        for (const q of [3, 4, 5]) await again.write(q);
        const [later] = (await again.sync(cursorOf(newest))).changes;
        assert.equal(later?.resync, true);
        assert.deepEqual(
          later?.rollback?.known.find(([generation]) => generation === newest?.generation),
          common,
        );
        await again.bringsBack(2);
      } finally {
        await second.close();
      }
    });

    test('[ACC-25] [ACC-26] keeps passkeys, codes, tokens and passwords ended', async (context) => {
      const backup = join(root, 'backup-of-credentials');
      const first = await startServer(config, { hashParameters });
      context.after(() => first.close());
      const owner = new Browser(first);
      const email = 'careful@example.org';
      await owner.enter('/app/api/sign_up', email);
      const { id: account } = await first.database.db
        .selectFrom('account')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      const key = { account, public_key: Buffer.alloc(8), counter: 0, transports: '', last_used_at: null };
      for (const id of ['stolen-key', 'own-key'])
        await first.database.db
          .insertInto('passkey')
          .values({ ...key, id, name: id, created_at: 1 })
          .execute();
      await first.database.db
        .insertInto('one_time_code')
        .values({ account, secret: Buffer.alloc(40, 7), confirmed_at: 1, last_step: 0 })
        .execute();
      await first.database.db
        .insertInto('recovery_code')
        .values({ account, hash: Buffer.alloc(32, 7), used_at: null })
        .execute();
      const made = await owner.post('/app/api/tokens', { name: 'script', access: 'write' });
      const { token } = (await made.json()) as { token: string };
      const isTokenGood = async ({ port }: RunningServer) => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`http://localhost:${port}/api/lists`, { headers })).status;
      };
      assert.equal(await isTokenGood(first), 200);
      await first.database.backup(backup);
      assert.equal((await owner.post('/app/api/passkeys/stolen-key', undefined, 'DELETE')).status, 200);
      assert.equal((await owner.post('/app/api/codes', undefined, 'DELETE')).status, 200);
      const password = 'seven lamps by the harbour';
      assert.equal((await owner.post('/app/api/password', { password, endTokens: true })).status, 200);
      await first.close();

      await restoreDatabase({ ...location(), from: backup });
      const second = await startServer(config, { hashParameters });
      try {
        const { db } = second.database;
        const keys = await db.selectFrom('passkey').select('id').where('account', '=', account).execute();
        assert.deepEqual(keys, [{ id: 'own-key' }]);
        for (const table of ['one_time_code', 'recovery_code'] as const)
          assert.deepEqual(await db.selectFrom(table).select('account').execute(), []);
        assert.equal(await isTokenGood(second), 401);
        const thief = new Browser(second);
        for (const tried of ['violet anchor under moss', password]) {
          const answer = await thief.post('/app/api/sign_in', { email, password: tried });
          assert.equal(answer.status, 401);
          assert.match(
            await answer.text(),
            /Reset your password by email, or ask the person who runs this server/,
          );
        }
      } finally {
        await second.close();
      }
      const lines: string[] = [];
      const environment = {
        DATA_DIR: config.dataDir,
        ...(config.databaseUrl === null ? {} : { DATABASE_URL: config.databaseUrl }),
      };
      const code = await runAdmin(['user', 'password', email], {
        environment,
        print: (line) => void lines.push(line),
        readPassword: async () => 'violet anchor under moss',
        hashParameters,
      });
      assert.equal(code, 0, lines.join('\n'));
      const third = await startServer(config, { hashParameters });
      try {
        await new Browser(third).enter('/app/api/sign_in', email);
      } finally {
        await third.close();
      }
    });
  });
}
