// The ledger of endings: written before it is answered, read whatever a crash left of it, applied after a restore.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import type { Id } from '#core/ids.ts';
import { openDatabase } from '../data/database.ts';
import { passkeyMark } from '../accounts/credential-marks.ts';
import { createMemoryLedger, endedEntries, openLedger, revokedEntries } from './ledger.ts';
import { replayLedger } from './ledger-replay.ts';

const someId = () => randomUUID() as Id;

describe('ledger', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'posthaste-ledger-'));
  });
  after(() => rm(root, { recursive: true }));
  const fileOf = (dataDir: string) => join(dataDir, 'ledger', 'ledger.jsonl');

  it('keeps what was written, in order, for its owner only', async () => {
    const dataDir = join(root, 'order');
    const ledger = await openLedger(dataDir, 1);
    const entries = [1, 2, 3].map((at) => revokedEntries([someId()], at)[0]!);
    await Promise.all(entries.map((entry) => ledger.record([entry])));
    await ledger.close();
    const again = await openLedger(dataDir, 2);
    assert.deepEqual(await again.read(), { entries, damaged: 0 });
    assert.equal(again.disguise('a@example.org'), ledger.disguise('a@example.org'), 'the key is kept');
    await again.close();
    assert.equal((await stat(fileOf(dataDir))).mode & 0o777, 0o600);
    assert.equal((await stat(join(dataDir, 'ledger'))).mode & 0o777, 0o700);
  });

  it('passes over a line that was cut at any point, and goes on after it', async () => {
    const dataDir = join(root, 'torn');
    const [first, second, third] = [1, 2, 3].map((at) => revokedEntries([someId()], at)[0]!);
    const ledger = await openLedger(dataDir, 1);
    await ledger.record([first!]);
    const whole = (await readFile(fileOf(dataDir))).length;
    await ledger.record([second!]);
    await ledger.close();
    const content = await readFile(fileOf(dataDir));
    for (let size = whole; size < content.length; size += 1) {
      await writeFile(fileOf(dataDir), content);
      await truncate(fileOf(dataDir), size);
      const torn = await openLedger(dataDir, 2);
      await torn.record([third!]);
      const { entries } = await torn.read();
      await torn.close();
      const complete = size === content.length - 1 ? [second!] : [];
      assert.deepEqual(entries, [first, ...complete, third], `cut at ${size}`);
    }
  });

  it('counts a damaged line and keeps the others', async () => {
    const dataDir = join(root, 'damaged');
    const ledger = await openLedger(dataDir, 1);
    const entries = revokedEntries([someId(), someId()], 5);
    await ledger.record([entries[0]!]);
    await appendFile(fileOf(dataDir), '\n00000000 {"type":"session_revoked"}\n\u0000\u0000\u0000\n');
    await ledger.record([entries[1]!]);
    assert.deepEqual(await ledger.read(), { entries, damaged: 2 });
    await ledger.close();
  });

  it('reads a file that an older version wrote, and adds to it', async () => {
    const dataDir = join(root, 'older');
    const session = '01890a5d-ac96-774b-bcce-b302099a8057';
    const texts = [
      `{"type":"key","at":1,"key":"${'ab'.repeat(32)}"}`,
      `{"type":"session_revoked","at":2,"session":"${session}"}`,
      '{"type":"account_erased","at":3,"email":"cd"}',
    ];
    await mkdir(join(dataDir, 'ledger'), { recursive: true });
    const lines = texts.map((text) => `\n${crc32(text).toString(16).padStart(8, '0')} ${text}\n`);
    await writeFile(fileOf(dataDir), lines.join(''));
    const ledger = await openLedger(dataDir, 4);
    const added = endedEntries('passkey', [passkeyMark('some key')], 5);
    await ledger.record(added);
    assert.deepEqual(await ledger.read(), {
      entries: [
        { type: 'session_revoked', at: 2, session },
        { type: 'account_erased', at: 3, email: 'cd' },
        ...added,
      ],
      damaged: 0,
    });
    await ledger.close();
    assert.doesNotMatch(await readFile(fileOf(dataDir), 'utf8'), /some key/);
  });

  it('makes a database agree again, and doing it twice changes nothing', async () => {
    const database = await openDatabase({ dataDir: ':memory:' });
    const { db, store } = database;
    const ledger = createMemoryLedger();
    const [scope, other, ended, live] = [someId(), someId(), someId(), someId()];
    for (const id of [scope, other]) await store.createScope({ id, kind: 'list', owner: 1 });
    for (const id of [1, 2, 3])
      await db
        .insertInto('account')
        .values({
          id,
          email: `${id}@example.org`,
          password_hash: 'x',
          personal_scope: scope,
          created_at: 10 * id,
        })
        .execute();
    const common = {
      account: 1,
      kind: 'web',
      name: '',
      user_agent: '',
      created_at: 1,
      last_used_at: 1,
    } as const;
    for (const id of [ended, live])
      await db
        .insertInto('session')
        .values({ ...common, id, token_hash: Buffer.from(id) })
        .execute();
    for (const account of [2, 3])
      for (const id of [scope, other])
        await db.insertInto('member').values({ scope: id, account, role: 'member' }).execute();
    await ledger.record([
      ...revokedEntries([ended, someId()], 50),
      { type: 'membership_left', at: 51, scope, account: 2 },
      { type: 'membership_left', at: 52, scope: other, account: 2 },
      { type: 'membership_joined', at: 53, scope: other, account: 2 },
      { type: 'account_erased', at: 25, email: ledger.disguise('2@example.org') },
      // This address was given up, and somebody signed up with it later.
      { type: 'account_erased', at: 25, email: ledger.disguise('3@example.org') },
    ]);
    assert.deepEqual(await replayLedger(database, ledger, 60), {
      sessions: 1,
      scopes: 0,
      memberships: 1,
      sharing: 0,
      moves: 0,
      accounts: 1,
      addresses: 0,
      passkeys: 0,
      codes: 0,
      passwords: 0,
      damaged: 0,
    });
    assert.deepEqual(await replayLedger(database, ledger, 60), {
      sessions: 0,
      scopes: 0,
      memberships: 0,
      sharing: 0,
      moves: 0,
      accounts: 0,
      addresses: 0,
      passkeys: 0,
      codes: 0,
      passwords: 0,
      damaged: 0,
    });
    assert.deepEqual(await store.membersOf(scope), [1, 3]);
    assert.deepEqual(await store.membersOf(other), [1, 2, 3]);
    const sessions = await db.selectFrom('session').select(['id', 'revoked_at']).execute();
    assert.deepEqual(
      new Map(sessions.map(({ id, revoked_at: at }) => [id, at])),
      new Map([
        [ended, 50],
        [live, null],
      ]),
    );
    const deleted = await db.selectFrom('account').select('id').where('deleted_at', 'is not', null).execute();
    assert.deepEqual(deleted, [{ id: 2 }]);
    await database.close();
  });
});
