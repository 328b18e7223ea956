// The safety of an account over its doors: proofs, password, address, one-time codes, and erasure with its time of grace.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { codeOf, stepAt } from '#server/accounts/one-time-codes.ts';
import { createPasswords } from '#server/accounts/password-hash.ts';
import { securitySchema } from '#wire/security.ts';
import { cookieOf, createTestServer, GOOD_PASSWORD, ORIGIN, type TestServer, weakHash } from './harness.ts';

const MINUTE = 60_000;
const NEW_PASSWORD = 'seven lamps by the harbour';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

describe('the safety of an account', () => {
  let server: TestServer;
  let people = 0;
  before(async () => {
    server = await createTestServer();
  });
  after(() => server.close());

  async function person() {
    people += 1;
    const email = `person${people}@example.org`;
    const { cookie } = await server.signUp(email);
    const send = async (path: string, body?: unknown, method = 'POST') => {
      const response = await server.ask(`/app/api${path}`, { method, cookie, body });
      return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
    };
    const overview = async () => {
      const response = await server.ask('/app/api/security', { cookie });
      return securitySchema.parse(await response.json());
    };
    const signIn = (more: object = {}) =>
      server.ask('/app/api/sign_in', {
        method: 'POST',
        body: { email, password: GOOD_PASSWORD, ...more },
      });
    return { email, cookie, send, overview, signIn };
  }

  type Person = Awaited<ReturnType<typeof person>>;

  /** Turns one-time codes on; answers what shows the code of now, and the recovery codes. */
  async function withCodes(someone: Person) {
    const { answer } = await someone.send('/codes');
    const secret = fromBase32(String(answer['secret']));
    const code = () => codeOf(secret, stepAt(server.clock.now()));
    const confirmed = await someone.send('/codes/confirm', { code: code() });
    assert.equal(confirmed.status, 200);
    server.clock.pass(30_000);
    return { code, recovery: confirmed.answer['recoveryCodes'] as readonly string[] };
  }

  const letterTo = (email: string) => server.letters.findLast(({ to }) => to === email);
  const codeIn = (email: string) => /code is (\d{4} \d{4})/.exec(letterTo(email)?.text ?? '')?.[1] ?? '';

  test('[ACC-1] a proof that is ten minutes old opens nothing dangerous, and a new one does', async () => {
    const someone = await person();
    server.clock.pass(11 * MINUTE);
    for (const path of [
      '/password',
      '/email',
      '/codes',
      '/recovery_codes',
      '/passkeys/options',
      '/erasure',
    ]) {
      const { status, answer } = await someone.send(path, path === '/password' ? {} : undefined);
      assert.deepEqual([path, status, answer['code']], [path, 403, 'confirm_first']);
    }
    assert.equal((await someone.overview()).isConfirmed, false);
    const wrong = await someone.send('/confirm', { password: 'not this one' });
    assert.deepEqual([wrong.status, wrong.answer['field']], [401, 'password']);
    assert.equal((await someone.send('/confirm', { password: GOOD_PASSWORD })).status, 200);
    assert.equal((await someone.overview()).isConfirmed, true);
    assert.equal((await someone.send('/codes')).status, 200);
  });

  test('[ACC-2] [ACC-3] where codes are on, a password alone opens no door, and each code counts once', async () => {
    const someone = await person();
    const { code, recovery } = await withCodes(someone);
    assert.equal(recovery.length, 10);
    for (const door of ['/app/api/sign_in', '/sessions/sign_in', '/api/sessions/sign_in']) {
      const response = await server.ask(door, {
        method: 'POST',
        body: { email: someone.email, password: GOOD_PASSWORD },
      });
      const { code: refused } = (await response.json()) as { code: string };
      assert.deepEqual([door, response.status, refused], [door, 401, 'otp_required']);
    }
    const once = code();
    assert.equal((await someone.signIn({ otp: once })).status, 200);
    assert.equal((await someone.signIn({ otp: once })).status, 401, 'a code that was used');
    assert.equal((await someone.signIn({ otp: '000000', password: 'wrong one' })).status, 401);
    server.clock.pass(30_000);
    assert.equal((await someone.signIn({ otp: code().replace(/^(...)/, '$1 ') })).status, 200);
    const [first = ''] = recovery;
    assert.equal((await someone.signIn({ otp: first.toUpperCase() })).status, 200);
    assert.equal((await someone.signIn({ otp: first })).status, 401);
    assert.equal((await someone.overview()).recoveryCodes, 9);
  });

  test('[ACC-2] guesses of a code are limited like those of a password', async () => {
    const someone = await person();
    await withCodes(someone);
    for (let tries = 0; tries < 10; tries += 1)
      assert.equal((await someone.signIn({ otp: '000000' })).status, 401);
    assert.equal((await someone.signIn({ otp: '000000' })).status, 429);
  });

  test('[ACC-4] no key, code or secret stands in the database as it is', async () => {
    const someone = await person();
    const { answer } = await someone.send('/codes');
    const secret = fromBase32(String(answer['secret']));
    const rows = await server.database.db.selectFrom('one_time_code').selectAll().execute();
    assert.ok(rows.every((row) => !Buffer.from(row.secret).includes(Buffer.from(secret))));
  });

  for (const [name, path, answersTo, type] of [
    ['a new passkey', '/passkeys', '/passkeys/options', 'webauthn.create'],
    ['one that signs in', '/sign_in/passkey', '/sign_in/passkey/options', 'webauthn.get'],
  ] as const)
    test(`[ACC-5] ${name} is not called wrong when it is the database that fails`, async () => {
      const someone = await person();
      const { db } = server.database;
      const id = Buffer.from(name).toString('base64url');
      const { id: account } = await db
        .selectFrom('account')
        .select('id')
        .where('email', '=', someone.email)
        .executeTakeFirstOrThrow();
      if (type === 'webauthn.get')
        await db
          .insertInto('passkey')
          .values({
            id,
            account,
            public_key: Buffer.alloc(8),
            counter: 0,
            transports: '',
            name,
            created_at: server.clock.now(),
            last_used_at: null,
          })
          .execute();
      const { answer } = await someone.send(answersTo);
      const { challenge } = answer['options'] as { challenge: string };
      const said = Buffer.from(JSON.stringify({ type, challenge, origin: ORIGIN })).toString('base64url');
      const response = {
        clientDataJSON: said,
        authenticatorData: 'AAAA',
        signature: 'AAAA',
        attestationObject: 'AAAA',
      };
      const body = {
        name,
        response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      };
      await sql`alter table ceremony rename to lost`.execute(db);
      const failed = await someone.send(path, body);
      await sql`alter table lost rename to ceremony`.execute(db);
      assert.deepEqual([failed.status, failed.answer['code']], [500, 'internal']);
      // The same answer does prove nothing, which is said once the database works.
      const { status } = await someone.send(path, body);
      assert.equal(status, type === 'webauthn.get' ? 401 : 422);
    });

  test('[ACC-6] a new password ends other sessions, keeps API tokens, and is told by letter', async () => {
    const someone = await person();
    const other = cookieOf(await someone.signIn());
    const api = await server.ask('/sessions/sign_in', {
      method: 'POST',
      body: { email: someone.email, password: GOOD_PASSWORD },
    });
    const { token } = (await api.json()) as { token: string };
    const short = await someone.send('/password', { password: 'short' });
    assert.deepEqual([short.status, short.answer['field']], [422, 'password']);
    assert.equal((await someone.send('/password', { password: NEW_PASSWORD })).status, 200);
    assert.equal((await server.ask('/app/api/me', { cookie: other })).status, 401);
    assert.equal((await server.ask('/app/api/me', { cookie: someone.cookie })).status, 200);
    assert.equal(
      (await server.ask('/sessions/sign_out', { method: 'POST', bearer: token })).status,
      200,
      'it was still good',
    );
    assert.equal((await someone.signIn()).status, 401);
    assert.equal((await someone.signIn({ password: NEW_PASSWORD })).status, 200);
    assert.equal(letterTo(someone.email)?.subject, 'Your password was changed');
  });

  test('[ACC-23] whether a code is sent by mail is said to the app', async () => {
    const someone = await person();
    assert.equal((await someone.overview()).sendsMail, false);
    const sending = await createTestServer({ environment: { SMTP_URL: 'smtp://localhost:9' } });
    const { cookie } = await sending.signUp('person@example.org');
    const answer = await sending.ask('/app/api/security', { cookie });
    assert.equal(((await answer.json()) as { sendsMail: boolean }).sendsMail, true);
    await sending.close();
  });

  test('[ACC-20] a password from before that is shorter than any new one may be goes on working', async () => {
    const someone = await person();
    const short = 'kf9#Lq2x';
    const { status, answer } = await someone.send('/password', { password: short });
    assert.deepEqual([status, answer['field']], [422, 'password']);
    const hash = await createPasswords(weakHash).hash(short);
    await server.database.db
      .updateTable('account')
      .set({ password_hash: hash })
      .where('email', '=', someone.email)
      .execute();
    assert.equal((await someone.signIn({ password: short })).status, 200);
    assert.equal((await someone.send('/confirm', { password: short })).status, 200);
  });

  test('[ACC-7] an address is taken over by the code sent to it, and the old one hears of it', async () => {
    const someone = await person();
    assert.equal((await someone.send('/email', { email: 'no address' })).status, 422);
    assert.equal((await someone.send('/email', { email: ' New@Example.org ' })).status, 200);
    assert.equal((await someone.overview()).awaitedEmail, 'new@example.org');
    assert.equal((await someone.send('/email/proof', { code: '0000 0000' })).answer['field'], 'code');
    assert.equal((await someone.send('/email/proof', { code: codeIn('new@example.org') })).status, 200);
    const { email, isVerified, awaitedEmail } = await someone.overview();
    assert.deepEqual([email, isVerified, awaitedEmail], ['new@example.org', true, null]);
    assert.equal(letterTo(someone.email)?.subject, 'Your email address was changed');
    assert.equal((await someone.signIn({ email: 'new@example.org' })).status, 200);
    const again = await someone.send('/email/proof', { code: codeIn('new@example.org') });
    assert.equal(again.status, 422, 'a code counts once');
  });

  test('[ACC-7] another account’s address is not taken, late and often tried codes hold no longer', async () => {
    const someone = await person();
    const other = await person();
    await someone.send('/email', { email: other.email });
    const taken = await someone.send('/email/proof', { code: codeIn(other.email) });
    assert.deepEqual([taken.status, taken.answer['code']], [409, 'email_taken']);
    await someone.send('/email', { email: 'later@example.org' });
    server.clock.pass(31 * MINUTE);
    const late = await someone.send('/email/proof', { code: codeIn('later@example.org') });
    assert.match(String(late.answer['message']), /has expired/);
    await someone.send('/confirm', { password: GOOD_PASSWORD });
    await someone.send('/email', { email: 'later@example.org' });
    const right = codeIn('later@example.org');
    for (let tries = 0; tries < 10; tries += 1) await someone.send('/email/proof', { code: '1' });
    assert.equal((await someone.send('/email/proof', { code: right })).status, 422);
  });

  test('[ERASE-3] asking for erasure ends every session; signing in before its time keeps the account', async () => {
    const someone = await person();
    const { status, answer } = await someone.send('/erasure');
    assert.equal(status, 200);
    assert.equal(answer['at'], server.clock.now() + 7 * 24 * 60 * MINUTE);
    assert.equal((await server.ask('/app/api/me', { cookie: someone.cookie })).status, 401);
    server.clock.pass(6 * 24 * 60 * MINUTE);
    await server.services.care.run();
    const back = await someone.signIn();
    assert.equal(((await back.json()) as { kept?: boolean }).kept, true);
    server.clock.pass(2 * 24 * 60 * MINUTE);
    assert.equal((await server.services.care.run()).accounts, 0);
    assert.equal((await someone.signIn()).status, 200);
  });

  test('[ERASE-1] after its time nobody signs in to it, and its address is free again', async () => {
    const someone = await person();
    await someone.send('/erasure');
    server.clock.pass(8 * 24 * 60 * MINUTE);
    assert.equal((await server.services.care.run()).accounts, 1);
    assert.equal((await someone.signIn()).status, 401);
    assert.equal(letterTo(someone.email)?.subject, 'Your account was erased');
    await server.signUp(someone.email);
  });
});

describe('guessing one-time codes', () => {
  let server: TestServer;
  before(async () => {
    const limits = 'sign_in_account=10000/1h,sign_in_ip=10000/1h,sign_up_ip=100/1h';
    server = await createTestServer({ environment: { RATE_LIMITS: limits } });
  });
  after(() => server.close());

  test('[ACC-19] with the right password ten an hour and forty a day are tried, from wherever, and the owner hears once', async () => {
    const email = 'guessed@example.org';
    const { cookie } = await server.signUp(email);
    const ask = async (path: string, body?: unknown) => {
      const response = await server.ask(`/app/api${path}`, { method: 'POST', cookie, body });
      return (await response.json()) as Record<string, unknown>;
    };
    const secret = fromBase32(String((await ask('/codes'))['secret']));
    const code = () => codeOf(secret, stepAt(server.clock.now()));
    await ask('/codes/confirm', { code: code() });
    let place = 0;
    const guess = async (otp: string, address = `192.0.${(place += 1) % 250}.9`) => {
      const body = { email, password: GOOD_PASSWORD, otp };
      return (await server.ask('/app/api/sign_in', { method: 'POST', body, address })).status;
    };
    const wrong = () => String((Number(code()) + 500_000) % 1_000_000).padStart(6, '0');
    const heard: number[] = [];
    for (let hour = 0; hour < 24; hour += 1) {
      let tried = 0;
      for (let tries = 0; tries < 15; tries += 1) if ((await guess(wrong())) === 401) tried += 1;
      heard.push(tried);
      server.clock.pass(60 * MINUTE);
    }
    assert.ok(Math.max(...heard) <= 10);
    assert.equal(
      heard.reduce((sum, tried) => sum + tried, 0),
      40,
    );
    const alarms = server.letters.filter(({ subject }) => subject === 'Someone may know your password');
    assert.deepEqual(
      alarms.map(({ to }) => to),
      [email],
    );
    // Where the owner has signed in before, the guesses of others are not counted.
    assert.equal(await guess(code(), '127.0.0.1'), 200);
  });
});
