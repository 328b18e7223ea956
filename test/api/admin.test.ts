// The operator's commands against a real folder, as words in and lines out.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runAdmin } from '#server/admin-commands.ts';
import { configurationPage } from '#server/config.ts';
import { openDatabase } from '#server/data/database.ts';
import { GOOD_PASSWORD, weakHash } from './harness.ts';

describe('admin', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-admin-'));
  const dataDir = join(root, 'data');
  after(() => rmSync(root, { recursive: true }));

  async function admin(
    words: string,
    options: { password?: string; environment?: Record<string, string> } = {},
  ) {
    const lines: string[] = [];
    const code = await runAdmin(words.split(' '), {
      environment: { DATA_DIR: dataDir, ...options.environment },
      print: (line) => void lines.push(line),
      readPassword: () => Promise.resolve(options.password ?? GOOD_PASSWORD),
      hashParameters: weakHash,
    });
    return { code, text: lines.join('\n') };
  }

  test('adds, lists, disables and enables people', async () => {
    const added = await admin('user add Person@Example.org');
    assert.equal(added.code, 0, added.text);
    assert.match(added.text, /^Created person@example\.org with number \d+\.$/);
    assert.equal((await admin('user add person@example.org')).code, 1);
    assert.match(
      (await admin('user add other@example.org', { password: 'passwordpassword' })).text,
      /too easy to guess/,
    );
    assert.match((await admin('user list')).text, /active {4}person@example\.org\n1 account$/);
    assert.match(
      (await admin('user disable person@example.org')).text,
      /^Disabled person@example\.org and ended 0 sessions\.$/,
    );
    assert.match((await admin('user list')).text, /disabled {2}person@example\.org/);
    assert.match((await admin('user enable person@example.org')).text, /^Enabled/);
    const unknown = await admin('user disable nobody@example.org');
    assert.deepEqual(unknown, { code: 1, text: "There's no account nobody@example.org." });
  });

  test('[PUBLIC-27] publishes an example list, which permits looking only', async () => {
    const folder = join(root, 'example');
    const environment = { DATA_DIR: folder, PUBLIC_URL: 'https://tasks.example.org' };
    assert.equal((await admin('user add ann@example.org', { environment })).code, 0);
    assert.match(
      (await admin('example-list ann@example.org', { environment })).text,
      /Start the server once/,
    );
    const database = await openDatabase({ dataDir: folder });
    await database.store.openGeneration('00000000-0000-4000-8000-000000000001', 1);
    await database.db.updateTable('account').set({ verified_at: null }).execute();
    await database.close();
    assert.match((await admin('example-list ann@example.org', { environment })).text, /Confirm your email/);
    const again = await openDatabase({ dataDir: folder });
    await again.db.updateTable('account').set({ verified_at: 1 }).execute();
    await again.close();
    const made = await admin('example-list ann@example.org', { environment });
    assert.match(made.text, /^https:\/\/tasks\.example\.org\/p\/[\w-]{43}$/);
    const after = await openDatabase({ dataDir: folder });
    const links = await after.db.selectFrom('public_link').select('may').execute();
    await after.close();
    assert.deepEqual(links, [{ may: 0 }]);
  });

  test('keeps promo codes, releases and what visitors left', async () => {
    assert.match(
      (await admin('promo add lighthouse 25 12 30 The Lighthouse')).text,
      /^Created LIGHTHOUSE for The Lighthouse/,
    );
    assert.deepEqual(await admin('promo add LIGHTHOUSE 25 12 30 Another'), {
      code: 1,
      text: 'LIGHTHOUSE is already taken.',
    });
    for (const [wrong, text] of [
      ['promo add x 25 12 30 One', 'A code has 2 to 40 letters, digits, - and _.'],
      ['promo add GOOD 250 12 30 One', 'The percentage must be a whole number from 1 to 100.'],
      ['promo add GOOD 25 0.5 30 One', 'The months must be a whole number from 1 to 1200.'],
      ['promo add GOOD 25 12 -1 One', 'The commission must be a whole number from 0 to 100.'],
      ['promo add GOOD 25 12 30  ', "Enter the partner's name."],
    ] as const)
      assert.deepEqual(await admin(wrong), { code: 1, text });
    assert.equal((await admin('promo add GOOD 10 1 30 One')).code, 0);
    assert.match(
      (await admin('promo list')).text,
      /GOOD .* 10% for 1 month  30% commission {2}redeemed 0 times/,
    );
    assert.match((await admin('promo list')).text, /LIGHTHOUSE +active +25% for 12 months +30% commission/);
    assert.equal((await admin('promo disable lighthouse')).code, 0);
    assert.match((await admin('promo list')).text, /disabled/);
    const notes = join(root, 'notes.md');
    writeFileSync(notes, '- One thing');
    assert.equal((await admin(`release write 1.2.0 ${notes}`)).code, 0);
    assert.match((await admin('release list')).text, /1\.2\.0 +not available yet/);
    assert.match((await admin('release publish 1.2.0 2027-01-31')).text, /available from 2027-01-31/);
    for (const noDay of ['2027-02-30', '2027-13-01', 'tomorrow'])
      assert.deepEqual(await admin(`release publish 1.2.0 ${noDay}`), {
        code: 1,
        text: 'Write the day like 2027-01-31.',
      });
    assert.match((await admin('release list')).text, /1\.2\.0 +2027-01-31/);
    assert.equal((await admin('release publish 9.9.9')).code, 1);
    assert.equal((await admin(`release write 1.2 ${join(root, 'nothing.md')}`)).code, 1);
    assert.equal((await admin('sign-ups newsletter')).text, 'email,confirmed');
    assert.equal((await admin('visits')).text, 'day,what,ref,count');
    assert.equal((await admin('messages 5')).text, '');
  });

  test('a new password ends every session', async () => {
    const database = await openDatabase({ dataDir });
    const account = await database.db.selectFrom('account').selectAll().executeTakeFirstOrThrow();
    const session = {
      account: account.id,
      kind: 'web',
      name: 'Firefox on Linux',
      user_agent: '',
      created_at: Date.now(),
    } as const;
    const rest = {
      last_used_at: Date.now(),
      expires_at: null,
      revoked_at: null,
      rotated_at: null,
      previous_token_hash: null,
    };
    for (const number of [1, 2])
      await database.db
        .insertInto('session')
        .values({
          id: `00000000-0000-4000-8000-00000000000${number}` as never,
          token_hash: new Uint8Array([number]),
          ...session,
          ...rest,
        })
        .execute();
    await database.close();
    const limited = await admin('user limits person@example.org writing=200/1m');
    assert.equal(limited.text, 'person@example.org has the limits writing=200/1m.');
    assert.equal((await admin('user limits person@example.org writing=many')).code, 1);
    assert.match((await admin('user sessions person@example.org')).text, /Firefox on Linux\n2 sessions$/);
    const changed = await admin('user password person@example.org', { password: 'amber kettle over moor' });
    assert.equal(changed.text, 'Set the password of person@example.org and ended 2 sessions.');
    assert.equal((await admin('user sessions person@example.org')).text, '0 sessions');
    assert.equal(
      (await admin('user delete-sessions person@example.org')).text,
      'Ended 0 sessions of person@example.org.',
    );
  });

  test('backs up to a new file and restores what was there', async () => {
    const file = join(root, 'backup.db');
    const written = await admin(`backup ${file}`);
    assert.equal(written.code, 0, written.text);
    assert.match(written.text, /1 {2}account/);
    assert.equal(statSync(file).mode & 0o077, 0);
    assert.equal((await admin(`backup ${file}`)).code, 1, 'an existing file is never replaced');
    await admin('user add late@example.org');
    const restored = await admin(`restore ${file}`);
    assert.equal(restored.code, 0, restored.text);
    assert.match((await admin('user list')).text, /1 account$/);
    const previous = /The previous one is (.+)\.$/.exec(restored.text)?.[1] ?? '';
    assert.ok(existsSync(previous), previous);
  });

  test('keeps house', async () => {
    const { code, text } = await admin('care');
    assert.equal(code, 0, text);
    assert.match(text, /^Permanently deleted:\n +0 {2}rows\n +0 {2}emptied\n +0 {2}tombstones\n/);
  });

  test('a file that is no backup changes nothing', async () => {
    const file = join(root, 'other.db');
    writeFileSync(file, 'not a database');
    assert.equal((await admin(`restore ${file}`)).code, 1);
    assert.equal((await admin('restore /nowhere/backup.db')).code, 1);
    assert.match((await admin('user list')).text, /1 account$/);
  });

  test('shows the configuration without secrets, and its page', async () => {
    const environment = { DATABASE_URL: 'postgres://tasks:hunter2@db.example/tasks', PORT: '5000' };
    const { text } = await admin('config', { environment });
    assert.match(text, /^PORT=5000$/m);
    assert.match(text, /^DATABASE_URL=postgres:\/\/\*\*\*@db\.example\/tasks$/m);
    assert.ok(!text.includes('hunter2'));
    assert.equal((await admin('config-table')).text, configurationPage().trimEnd());
  });

  test('what it does not know it explains', async () => {
    for (const words of [
      '',
      'user',
      'user add',
      'user add a b',
      'user toString x@example.org',
      'backup',
      'nonsense',
      'promo add GOOD 25 12 30',
      'promo disable',
      'promo disable GOOD OTHER',
      'promo list all',
      'release write 1.2.0',
      'release publish',
      'sign-ups',
      'messages 5 6',
    ]) {
      const { code, text } = await admin(words);
      assert.equal(code, 1, words);
      assert.match(text, /^Usage: npm run admin/, words);
      assert.ok(words === '' || text.endsWith(`: ${words}`), words);
    }
    assert.equal((await admin('help')).code, 0);
    const broken = await admin('user list', { environment: { PORT: 'x' } });
    assert.deepEqual(broken, { code: 1, text: "PORT isn't a port number." });
  });
});
