// What opened an account and was ended stays ended when the database is put back to a state from before that.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { codeOf, stepAt } from '#server/accounts/one-time-codes.ts';
import { createPasswords } from '#server/accounts/password-hash.ts';
import { createPasskeys } from '#server/accounts/passkeys.ts';
import { createSealing, createServerKey } from '#server/accounts/sealing.ts';
import { createSecondFactor } from '#server/accounts/second-factor.ts';
import { codesMark, passkeyMark, passwordMark } from '#server/accounts/credential-marks.ts';
import { createAccounts } from '#server/accounts/accounts.ts';
import { replayLedger } from '#server/care/ledger-replay.ts';
import { endedMarks } from '#server/care/ledger.ts';
import { plainWrites } from '#server/care/room.ts';
import { createTestServer, GOOD_PASSWORD, type TestServer } from './harness.ts';

const NEW_PASSWORD = 'seven lamps by the harbour';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const RESTORED = ['account', 'passkey', 'one_time_code', 'recovery_code', 'session', 'email_undo'] as const;

function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

describe('credentials after a restore', () => {
  let server: TestServer;
  let count = 0;
  before(async () => {
    server = await createTestServer();
  });
  after(() => server.close());

  const newAddress = () => `ended${(count += 1)}@example.org`;
  const send = async (cookie: string, path: string, body?: unknown, method = 'POST') => {
    const response = await server.ask(`/app/api${path}`, { method, cookie, body });
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
  };
  const signIn = async (email: string, password: string, otp?: string) => {
    const body = { email, password, ...(otp === undefined ? {} : { otp }) };
    const response = await server.ask('/app/api/sign_in', { method: 'POST', body });
    return { status: response.status, text: await response.text() };
  };
  const works = async (bearer: string) => (await server.ask('/api/lists', { bearer })).status === 200;
  const lettersTo = (email: string) => server.letters.filter(({ to }) => to === email);
  const tokenIn = (text = '') => /token=([\w-]{43})/.exec(text)?.[1] ?? '';

  async function prove(cookie: string, email: string): Promise<void> {
    assert.equal((await send(cookie, '/email', { email })).status, 200);
    const code = /code is (\d{4} \d{4})/.exec(lettersTo(email).at(-1)?.text ?? '')?.[1];
    assert.equal((await send(cookie, '/email/proof', { code })).status, 200);
  }

  async function resetByMail(email: string, password: string): Promise<number> {
    await server.ask('/api/sessions/request_password_reset', { method: 'POST', body: { email } });
    await server.services.desk.background.idle();
    const token = tokenIn(
      lettersTo(email).findLast(({ subject }) => subject === 'Choose a new password')?.text,
    );
    const body = { token, new_password: password };
    return (await server.ask('/sessions/reset_password', { method: 'POST', body })).status;
  }

  /** What the tables of credentials hold now; the function puts them back to it, as a restore and a start do. */
  async function backup() {
    const { db } = server.database;
    const tables = new Map<(typeof RESTORED)[number], readonly object[]>();
    for (const table of RESTORED) tables.set(table, await db.selectFrom(table).selectAll().execute());
    return async () => {
      for (const [table, rows] of tables) {
        await db.deleteFrom(table).execute();
        for (const row of rows)
          await db
            .insertInto(table)
            .values(row as never)
            .execute();
      }
      return replayLedger(server.database, server.ledger, Date.now());
    };
  }

  async function addPasskey(account: number, id: string): Promise<string> {
    const passkey = { id, account, public_key: Buffer.alloc(8), counter: 0, transports: '', name: 'Laptop' };
    await server.database.db
      .insertInto('passkey')
      .values({ ...passkey, created_at: server.clock.now(), last_used_at: null })
      .execute();
    return id;
  }
  const passkeysOf = async (account: number) => {
    const query = server.database.db.selectFrom('passkey').select('id').where('account', '=', account);
    return (await query.execute()).map(({ id }) => id);
  };

  async function turnCodesOn(cookie: string) {
    const secret = fromBase32(String((await send(cookie, '/codes')).answer['secret']));
    const code = () => codeOf(secret, stepAt(server.clock.now()));
    const { status, answer } = await send(cookie, '/codes/confirm', { code: code() });
    assert.equal(status, 200);
    server.clock.pass(30_000);
    return { code, recovery: answer['recoveryCodes'] as readonly string[] };
  }
  const nothing = {
    sessions: 0,
    sharing: 0,
    scopes: 0,
    memberships: 0,
    moves: 0,
    accounts: 0,
    addresses: 0,
    passkeys: 0,
    codes: 0,
    passwords: 0,
    damaged: 0,
  };

  test('[ACC-25] the first proof of an address keeps passkeys, codes, sessions and tokens ended', async () => {
    const email = newAddress();
    const { cookie, account } = await server.signUp(email);
    const { code } = await turnCodesOn(cookie);
    await addPasskey(account, 'strangers-key');
    const token = String((await send(cookie, '/tokens', { name: 'x', access: 'write' })).answer['token']);
    const restore = await backup();
    await prove(cookie, email);
    const replayed = await restore();
    assert.deepEqual([replayed.passkeys, replayed.codes, replayed.passwords], [1, 1, 0]);
    assert.deepEqual(await passkeysOf(account), []);
    assert.equal(await works(token), false);
    assert.equal((await signIn(email, GOOD_PASSWORD, code())).status, 200, 'no code is asked for');
    assert.equal((await signIn(email, GOOD_PASSWORD)).status, 200);
    assert.deepEqual(
      await replayLedger(server.database, server.ledger, Date.now()),
      nothing,
      'twice changes nothing',
    );
  });

  test('[ACC-25] taking back a change of address keeps what the other one had set up ended', async () => {
    const email = newAddress();
    const { cookie, account } = await server.signUp(email);
    await prove(cookie, email);
    await prove(cookie, newAddress());
    await addPasskey(account, 'hijackers-key');
    const token = String((await send(cookie, '/tokens', { name: 'x', access: 'write' })).answer['token']);
    await turnCodesOn(cookie);
    const restore = await backup();
    const body = { token: tokenIn(lettersTo(email).at(-1)?.text), new_password: NEW_PASSWORD };
    assert.equal((await server.ask('/sessions/reset_password', { method: 'POST', body })).status, 200);
    const replayed = await restore();
    assert.deepEqual([replayed.passkeys, replayed.codes, replayed.passwords], [1, 1, 1]);
    assert.deepEqual([await passkeysOf(account), await works(token)], [[], false]);
  });

  test('[ACC-25] a passkey removed by hand stays away, and the others stay', async () => {
    const { cookie, account } = await server.signUp(newAddress());
    await addPasskey(account, 'lost-key');
    await addPasskey(account, 'kept-key');
    const restore = await backup();
    assert.equal((await send(cookie, '/passkeys/lost-key', undefined, 'DELETE')).status, 200);
    assert.equal((await restore()).passkeys, 1);
    assert.deepEqual(await passkeysOf(account), ['kept-key']);
  });

  test('[ACC-25] recovery codes that were replaced hold no longer, and those of the app go on', async () => {
    const email = newAddress();
    const { cookie } = await server.signUp(email);
    const { code, recovery } = await turnCodesOn(cookie);
    const restore = await backup();
    assert.equal((await send(cookie, '/recovery_codes')).status, 200);
    assert.equal((await restore()).codes, 1);
    assert.equal((await signIn(email, GOOD_PASSWORD, recovery[0])).status, 401);
    assert.equal((await signIn(email, GOOD_PASSWORD, code())).status, 200);
  });

  test('[ACC-26] a password changed after the backup opens nothing, and the answer says what to do', async () => {
    const email = newAddress();
    const { cookie } = await server.signUp(email);
    const restore = await backup();
    assert.equal((await send(cookie, '/password', { password: NEW_PASSWORD })).status, 200);
    assert.equal((await restore()).passwords, 1);
    for (const password of [GOOD_PASSWORD, NEW_PASSWORD, 'some other one entirely', '']) {
      const { status, text } = await signIn(email, password);
      assert.equal(status, 401);
      assert.match(
        text,
        /before you changed your password\. Reset your password by email, or ask the person who runs/,
      );
    }
    const confirmed = await send(cookie, '/confirm', { password: GOOD_PASSWORD });
    assert.equal(confirmed.status, 401);
    assert.match(String(confirmed.answer['error']), /Reset your password by email/);
    assert.deepEqual(
      await replayLedger(server.database, server.ledger, Date.now()),
      nothing,
      'twice changes nothing',
    );
    assert.equal(await resetByMail(email, 'a third one after all'), 200);
    assert.equal((await signIn(email, 'a third one after all')).status, 200);
    assert.deepEqual(
      await replayLedger(server.database, server.ledger, Date.now()),
      nothing,
      'the new one stays',
    );
    assert.equal((await signIn(email, GOOD_PASSWORD)).status, 401);
  });

  test('[ACC-26] so does one that was reset by mail, and an account that changed none is entered as ever', async () => {
    const [email, other] = [newAddress(), newAddress()];
    await server.signUp(email);
    await server.signUp(other);
    const restore = await backup();
    assert.equal(await resetByMail(email, NEW_PASSWORD), 200);
    assert.equal((await restore()).passwords, 1);
    assert.match((await signIn(email, GOOD_PASSWORD)).text, /Reset your password by email/);
    assert.equal((await signIn(other, GOOD_PASSWORD)).status, 200);
  });

  test('[ACC-26] a refused change of password ends nothing', async () => {
    const { account } = await server.signUp(newAddress());
    const { accounts } = server.services;
    const seen = await accounts.byId(account);
    assert.ok(seen);
    const stale = { ...seen, entry_version: seen.entry_version - 1 };
    assert.deepEqual(await accounts.setPassword(stale, NEW_PASSWORD), { type: 'changed' });
    const ended = endedMarks(await server.ledger.read(), 'password');
    assert.equal(ended.has(passwordMark(seen.password_hash)), false);
  });

  test('[ACC-26] a password that cannot be written down as ended is not changed', async () => {
    const email = newAddress();
    const { account } = await server.signUp(email);
    const record = server.ledger.record.bind(server.ledger);
    const seen = await server.services.accounts.byId(account);
    assert.ok(seen);
    server.ledger.record = () => Promise.reject(new Error('the disk of the ledger failed'));
    try {
      await assert.rejects(server.services.accounts.setPassword(seen, NEW_PASSWORD), /the ledger failed/);
    } finally {
      server.ledger.record = record;
    }
    assert.equal((await signIn(email, GOOD_PASSWORD)).status, 200);
  });

  test('[ACC-26] a hash made again with newer parameters is the same password', async () => {
    const [weak, strong] = [16, 64].map((memory) => createPasswords({ memory, passes: 1, parallelism: 1 }));
    const before = await weak!.hash(GOOD_PASSWORD);
    const again = await strong!.hash(GOOD_PASSWORD, before);
    assert.notEqual(again, before);
    assert.equal(passwordMark(again), passwordMark(before));
    assert.deepEqual(await strong!.check(GOOD_PASSWORD, again), { isRight: true, isOutdated: false });
    assert.notEqual(passwordMark(await strong!.hash(GOOD_PASSWORD)), passwordMark(before));
  });

  test('[ACC-26] codes that were turned off are not asked for; where they were replaced, a new password is', async () => {
    const [off, replaced] = [newAddress(), newAddress()];
    const first = await server.signUp(off);
    const second = await server.signUp(replaced);
    await turnCodesOn(first.cookie);
    const lost = await turnCodesOn(second.cookie);
    const restore = await backup();
    for (const { cookie } of [first, second])
      assert.equal((await send(cookie, '/codes', undefined, 'DELETE')).status, 200);
    await turnCodesOn(second.cookie);
    const replayed = await restore();
    assert.deepEqual([replayed.codes, replayed.passwords], [2, 1]);
    assert.equal((await signIn(off, GOOD_PASSWORD)).status, 200);
    assert.match((await signIn(replaced, GOOD_PASSWORD, lost.code())).text, /Reset your password by email/);
    assert.equal(await resetByMail(replaced, NEW_PASSWORD), 200);
    assert.equal((await signIn(replaced, NEW_PASSWORD)).status, 200);
  });

  test('[ACC-27] what the ledger holds opens nothing', async () => {
    const email = newAddress();
    const { cookie, account } = await server.signUp(email);
    await addPasskey(account, 'a-key-with-a-name');
    const { recovery } = await turnCodesOn(cookie);
    const { db } = server.database;
    const codes = await db.selectFrom('one_time_code').selectAll().where('account', '=', account).execute();
    const before = await server.services.accounts.byId(account);
    await send(cookie, '/recovery_codes');
    await send(cookie, '/codes', undefined, 'DELETE');
    await send(cookie, '/passkeys/a-key-with-a-name', undefined, 'DELETE');
    await send(cookie, '/password', { password: NEW_PASSWORD });
    const { entries } = await server.ledger.read();
    const text = JSON.stringify(entries.slice(-12));
    for (const what of ['passkey', 'codes', 'recovery_codes', 'password'])
      assert.ok(
        entries.some((entry) => entry.type === 'credential_ended' && entry.what === what),
        what,
      );
    const secrets = [
      'a-key-with-a-name',
      ...recovery,
      Buffer.from(codes[0]!.secret).toString('hex'),
      ...before!.password_hash.split('$').filter((part) => part.length > 20),
      GOOD_PASSWORD,
      email,
    ];
    for (const secret of secrets) assert.equal(text.includes(secret), false);
  });

  test('[ACC-25] what the database could not write has not ended, nor does it end with the next start', async () => {
    const { db } = server.database;
    const email = newAddress();
    const { cookie, account } = await server.signUp(email);
    const { code, recovery } = await turnCodesOn(cookie);
    const key = await addPasskey(account, 'unwritten-key');
    const writes = [
      ['DELETE', 'one_time_code', 'DELETE', '/codes', undefined],
      ['INSERT', 'recovery_code', 'POST', '/recovery_codes', undefined],
      ['DELETE', 'passkey', 'DELETE', `/passkeys/${key}`, undefined],
      ['UPDATE OF password_hash', 'account', 'POST', '/password', { password: NEW_PASSWORD }],
    ] as const;
    for (const [event, table, method, path, body] of writes) {
      const refusing = `CREATE TRIGGER refuse BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, 'no'); END`;
      await sql.raw(refusing).execute(db);
      const response = await server.ask(`/app/api${path}`, { method, cookie, body });
      await sql.raw('DROP TRIGGER refuse').execute(db);
      assert.equal(response.status, 500, path);
      assert.deepEqual(await replayLedger(server.database, server.ledger, Date.now()), nothing, path);
    }
    assert.deepEqual(await passkeysOf(account), [key]);
    server.clock.pass(30_000);
    assert.equal((await signIn(email, GOOD_PASSWORD, code())).status, 200);
    assert.equal((await signIn(email, GOOD_PASSWORD, recovery[0] ?? '')).status, 200);
    assert.equal((await signIn(email, GOOD_PASSWORD)).status, 401);
  });

  test('[ACC-25] [ACC-26] while nothing can be written, what the ledger names is refused all the same', async () => {
    const email = newAddress();
    const { account } = await server.signUp(email);
    const seen = await server.services.accounts.byId(account);
    assert.ok(seen);
    const { db, store } = server.database;
    const { clock, ledger, services } = server;
    const ended = new Set([passwordMark(seen.password_hash)]);
    const never = { state: () => assert.fail('not asked'), check: () => assert.fail('not asked') };
    const accounts = createAccounts({
      db,
      store,
      clock,
      ledger,
      ended,
      limiter: services.limiter,
      passwords: { hash: never.state, check: never.check, waiting: () => 0 },
      events: services.events,
      secondFactor: never,
      newId: () => assert.fail('nothing is made'),
      room: plainWrites,
    });
    const client = { key: '192.0.2.1', network: '192.0.2.0', userAgent: '' };
    const result = await accounts.signIn({ email, password: GOOD_PASSWORD, code: null }, client);
    assert.deepEqual(result, { ok: false, problem: { type: 'password_ended' } });
  });

  test('[ACC-25] while nothing can be written, ended passkeys and codes prove nothing', async () => {
    const { account } = await server.signUp(newAddress());
    const { clock, ledger } = server;
    const { db } = server.database;
    const factor = { db, clock, ledger, room: plainWrites, sealing: createSealing(createServerKey()) };
    const live = createSecondFactor(factor);
    const begun = await live.begin({ id: account, email: 'x' });
    const version = (await server.services.accounts.byId(account))?.entry_version ?? 0;
    const code = () => codeOf(fromBase32(begun?.secret ?? ''), stepAt(clock.now()));
    const recovery = (await live.confirm({ id: account, entry_version: version }, code())) ?? [];
    clock.pass(30_000);
    const { secret } = await db
      .selectFrom('one_time_code')
      .select('secret')
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    const refusing = createSecondFactor({ ...factor, ended: new Set([codesMark(secret)]) });
    for (const tried of [code(), recovery[0] ?? ''])
      assert.equal(await refusing.check(account, tried), false);
    assert.equal((await refusing.state(account)).isOn, true, 'nobody comes in without one meanwhile');
    for (const tried of [code(), recovery[0] ?? '']) assert.equal(await live.check(account, tried), true);

    const id = await addPasskey(account, 'ended-key');
    const keys = { db, clock, ledger, room: plainWrites };
    const passkeys = createPasskeys({ ...keys, ended: new Set([passkeyMark(id)]) });
    const { challenge } = await passkeys.request(account, 'http://localhost:1');
    const told = { type: 'webauthn.get', challenge, origin: 'http://localhost:1' };
    const answer = {
      clientDataJSON: Buffer.from(JSON.stringify(told)).toString('base64url'),
      authenticatorData: '',
      signature: '',
    };
    const response = {
      id,
      rawId: id,
      type: 'public-key',
      response: answer,
      clientExtensionResults: {},
    } as const;
    const wanted = { account, response, origin: 'http://localhost:1' };
    const isOpen = async () => {
      const query = db.selectFrom('ceremony').select('challenge').where('challenge', '=', challenge);
      return (await query.execute()).length === 1;
    };
    assert.equal(await passkeys.verify(wanted), null);
    assert.equal(await isOpen(), true, 'the answer was not even looked at');
    assert.equal(await createPasskeys(keys).verify(wanted), null);
    assert.equal(await isOpen(), false, 'that of a key which is not ended is');
  });
});
