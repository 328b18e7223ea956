// The key of the server beside its database: without it, or with another, a server does not start, and nothing is made anew that
// the right key would still open.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { OtherServerKey } from '#server/accounts/sealed.ts';
import { createSealing, createServerKey } from '#server/accounts/sealing.ts';
import { createSecondFactor } from '#server/accounts/second-factor.ts';
import { runAdmin } from '#server/admin-commands.ts';
import { createMemoryLedger } from '#server/care/ledger.ts';
import { plainWrites } from '#server/care/room.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/data/database.ts';
import { createMailAddresses } from '#server/mail/addresses.ts';
import { openPushKeys } from '#server/push/keys.ts';
import { startServer } from '#server/server.ts';
import { createManualClock, testConfig, weakHash } from './harness.ts';

const calendar = {
  id: '00000000-0000-7000-8000-000000000001' as Id,
  kind: 'ics',
  host: 'example.org',
  name: 'Work',
  color: '#7d6b99',
  hidden: 0,
  etag: null,
  last_modified: null,
  problem: null,
  failures: 0,
  last_ok: null,
  expanded_at: 0,
  next_poll: Number.MAX_SAFE_INTEGER,
  revision: 1,
  created_at: 0,
  trashed_at: null,
  unread: 0,
  is_cut: 0,
  sync_token: null,
} as const;
const list = { scope: 'scope-of-ada' as Id, list: 'list-of-ada' as Id, name: 'Plans' };

describe('the key of a server', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-key-'));
  after(() => rmSync(root, { recursive: true }));
  const clock = createManualClock();

  const startedIn = (dataDir: string, environment: Record<string, string> = {}) =>
    startServer(testConfig({ PORT: '0', DATA_DIR: dataDir, ...environment }), { hashParameters: weakHash });

  async function startAndStop(dataDir: string, environment: Record<string, string> = {}): Promise<void> {
    await (await startedIn(dataDir, environment)).close();
  }

  /** Runs `work` on the database of a folder, with a key. */
  async function within<T>(
    dataDir: string,
    key: Uint8Array,
    work: (tools: ReturnType<typeof toolsOf>) => Promise<T>,
  ): Promise<T> {
    const database = await openDatabase({ dataDir });
    try {
      return await work(toolsOf(database, key));
    } finally {
      await database.close();
    }
  }

  function toolsOf({ db }: Awaited<ReturnType<typeof openDatabase>>, key: Uint8Array) {
    const ports = { db, clock, sealing: createSealing(key), ledger: createMemoryLedger(), room: plainWrites };
    return {
      ...ports,
      addresses: createMailAddresses({ ...ports, domain: 'in.example.org' }),
      codes: createSecondFactor(ports),
    };
  }

  async function admin(dataDir: string, words: string): Promise<{ code: number; text: string }> {
    const lines: string[] = [];
    const code = await runAdmin(words.split(' '), {
      environment: { DATA_DIR: dataDir },
      print: (line) => void lines.push(line),
      readPassword: () => Promise.resolve('correct horse battery'),
      hashParameters: weakHash,
    });
    return { code, text: lines.join('\n') };
  }

  /** A folder whose database has one of each secret. */
  async function folder(name: string) {
    const dataDir = join(root, name);
    await startAndStop(dataDir);
    await admin(dataDir, 'user add ada@example.org');
    const file = join(dataDir, 'server.key');
    const key = readFileSync(file);
    const made = await within(dataDir, key, async ({ db, addresses, codes, sealing }) => {
      const { id } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
      await codes.begin({ id, email: 'ada@example.org' });
      await db.updateTable('one_time_code').set({ confirmed_at: 1 }).execute();
      await db
        .insertInto('calendar_source')
        .values({
          ...calendar,
          account: id,
          address: sealing.seal(Buffer.from('https://example.org'), `calendar ${calendar.id}`),
        })
        .execute();
      const address = must((await addresses.of([list])).get(list.list), 'the list has an address');
      return { address, publicKey: (await openPushKeys(db, sealing)).publicKey };
    });
    return { dataDir, file, key, ...made };
  }

  const sealedIn = (dataDir: string, key: Uint8Array) =>
    within(dataDir, key, async ({ db }) => [
      await db.selectFrom('mail_address').selectAll().execute(),
      await db.selectFrom('push_key').selectAll().execute(),
      await db.selectFrom('one_time_code').selectAll().execute(),
    ]);

  test('[ACC-29] a start without it, or with another, is refused, and nothing is changed', async () => {
    const { dataDir, file, key, address, publicKey } = await folder('refused');
    const before = await sealedIn(dataDir, key);
    renameSync(file, `${file}.away`);
    await assert.rejects(
      startedIn(dataDir),
      (error) => error instanceof OtherServerKey && /has no server\.key\. Start with/.test(error.message),
    );
    assert.equal(existsSync(file), false);
    writeFileSync(file, createServerKey());
    await assert.rejects(
      startedIn(dataDir),
      (error) => error instanceof OtherServerKey && /sealed with another key/.test(error.message),
    );
    assert.deepEqual(await sealedIn(dataDir, key), before);
    renameSync(`${file}.away`, file);
    await startAndStop(dataDir);
    await within(dataDir, key, async ({ db, addresses, sealing }) => {
      assert.equal((await addresses.of([list])).get(list.list), address);
      assert.equal((await openPushKeys(db, sealing)).publicKey, publicKey);
    });
  });

  test('[ACC-29] where push was never used, an address, a code of an app or a calendar tells', async () => {
    for (const others of [
      ['push_key', 'one_time_code', 'calendar_source'],
      ['push_key', 'mail_address', 'calendar_source'],
      ['push_key', 'mail_address', 'one_time_code'],
    ] as const) {
      const { dataDir, file, key } = await folder(`without-${others.slice(1).join('-')}`);
      await within(dataDir, key, async ({ db }) => {
        for (const table of others) await db.deleteFrom(table).execute();
      });
      writeFileSync(file, createServerKey());
      await assert.rejects(startedIn(dataDir), OtherServerKey);
      writeFileSync(file, key);
      await startAndStop(dataDir);
    }
  });

  test('[ACC-29] an address that this key does not open is not replaced, and mail to it arrives', async () => {
    const { dataDir, key, address } = await folder('address');
    const before = await sealedIn(dataDir, key);
    await within(dataDir, createServerKey(), async ({ db, addresses, sealing }) => {
      assert.equal((await addresses.of([list])).get(list.list), undefined);
      assert.deepEqual(await addresses.find(address), { scope: list.scope, list: list.list });
      await assert.rejects(openPushKeys(db, sealing), /sealed with another key/);
    });
    assert.deepEqual(await sealedIn(dataDir, key), before);
  });

  test('[ACC-30] SERVER_KEY stands for the file, and is not printed', async () => {
    const { dataDir, file, key } = await folder('variable');
    rmSync(file);
    const text = Buffer.from(key).toString('base64');
    await startAndStop(dataDir, { SERVER_KEY: text });
    await startAndStop(dataDir, { SERVER_KEY: Buffer.from(key).toString('base64url') });
    assert.equal(existsSync(file), false);
    const short = readConfig({ SERVER_KEY: 'c2hvcnQ=' });
    assert.match(short.ok ? '' : short.problem.join(), /^SERVER_KEY isn't 32 bytes in base64/);
    const lines: string[] = [];
    await runAdmin(['config'], {
      environment: { DATA_DIR: dataDir, SERVER_KEY: text },
      print: (line) => void lines.push(line),
      readPassword: () => Promise.resolve(''),
    });
    assert.ok(lines.includes('SERVER_KEY=***'));
    assert.ok(!lines.join('\n').includes(text));
  });

  test('[ACC-31] the operator hears what is lost, and gives it up with one command', async () => {
    const { dataDir, file, key, address, publicKey } = await folder('given-up');
    assert.equal((await admin(dataDir, 'secrets')).text, 'The key opens everything that is sealed.');
    rmSync(file);
    const without = (await admin(dataDir, 'secrets')).text;
    assert.match(
      without,
      /has no server\.key, and SERVER_KEY isn’t set\.\nThe email addresses of 1 list can’t be shown/,
    );
    assert.equal(existsSync(file), false, 'looking makes no key');
    const other = createServerKey();
    writeFileSync(file, other);
    const before = await sealedIn(dataDir, key);
    const said = (await admin(dataDir, 'secrets')).text;
    assert.match(said, /The email addresses of 1 list can’t be shown\. Mail to them still arrives\./);
    assert.match(said, /The key for push services can’t be opened\./);
    assert.match(said, /The one-time codes of ada@example\.org can’t be checked\./);
    assert.match(said, /1 calendar can’t be read anymore\. Who added one has to add it again\./);
    assert.deepEqual(await sealedIn(dataDir, key), before);
    assert.match((await admin(dataDir, 'secrets replace')).text, /1 list got a new email address\./);
    await startAndStop(dataDir);
    await within(dataDir, other, async ({ db, addresses, sealing }) => {
      assert.equal(await addresses.find(address), null);
      const now = must((await addresses.of([list])).get(list.list), 'the list has an address');
      assert.notEqual(now, address);
      assert.notEqual((await openPushKeys(db, sealing)).publicKey, publicKey);
      // Whoever has codes keeps them on: turning them off is a decision about a person.
      assert.equal((await db.selectFrom('one_time_code').selectAll().execute()).length, 1);
    });
  });
});
