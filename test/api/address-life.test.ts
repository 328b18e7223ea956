// The life of an address: from signing up with it, whoever that was, over its proof, to giving it up and taking it back. Who
// cannot read the mail of an address keeps nothing of an account once somebody has shown that they can.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOf, stepAt } from '#server/accounts/one-time-codes.ts';
import { sessionListSchema } from '#wire/account.ts';
import { securitySchema } from '#wire/security.ts';
import { readSources } from '../sources.ts';
import { cookieOf, createTestServer, GOOD_PASSWORD, type TestServer } from './harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NEW_PASSWORD = 'seven lamps by the harbour';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

describe('the life of an address', () => {
  let server: TestServer;
  let count = 0;
  before(async () => {
    server = await createTestServer();
  });
  after(() => server.close());

  const newAddress = () => `address${(count += 1)}@example.org`;
  const send = async (cookie: string, path: string, body?: unknown, method = 'POST') => {
    const response = await server.ask(`/app/api${path}`, { method, cookie, body });
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
  };
  const isIn = async (cookie: string) => (await server.ask('/app/api/me', { cookie })).status === 200;
  const works = async (bearer: string) => (await server.ask('/api/lists', { bearer })).status === 200;
  const overview = async (cookie: string) =>
    securitySchema.parse(await (await server.ask('/app/api/security', { cookie })).json());
  const signIn = (email: string, password: string, more: object = {}) =>
    server.ask('/app/api/sign_in', { method: 'POST', body: { email, password, ...more } });
  const lettersTo = (email: string) => server.letters.filter(({ to }) => to === email);
  const letterTo = (email: string) => lettersTo(email).at(-1);
  const codeIn = (email: string) => /code is (\d{4} \d{4})/.exec(letterTo(email)?.text ?? '')?.[1] ?? '';
  const tokenIn = (text = '') => /token=([\w-]{43})/.exec(text)?.[1] ?? '';

  async function prove(cookie: string, email: string): Promise<void> {
    assert.equal((await send(cookie, '/email', { email })).status, 200);
    assert.equal((await send(cookie, '/email/proof', { code: codeIn(email) })).status, 200);
  }

  async function askReset(email: string): Promise<string> {
    await server.ask('/api/sessions/request_password_reset', { method: 'POST', body: { email } });
    await server.services.desk.background.idle();
    return tokenIn(lettersTo(email).findLast(({ subject }) => subject === 'Choose a new password')?.text);
  }

  const useLink = async (token: string, password = NEW_PASSWORD) => {
    const body = { token, new_password: password };
    return (await server.ask('/sessions/reset_password', { method: 'POST', body })).status;
  };

  /** Somebody with everything that can open an account, set up before or after the address was proved. */
  async function furnished(email: string, isProved = false) {
    const { cookie, account, personalScope } = await server.signUp(email);
    if (isProved) await prove(cookie, email);
    const { answer } = await send(cookie, '/codes');
    const secret = fromBase32(String(answer['secret']));
    const code = () => codeOf(secret, stepAt(server.clock.now()));
    assert.equal((await send(cookie, '/codes/confirm', { code: code() })).status, 200);
    server.clock.pass(30_000);
    const other = cookieOf(await signIn(email, GOOD_PASSWORD, { otp: code() }));
    const made = await send(cookie, '/tokens', { name: 'script', access: 'write' });
    const token = String(made.answer['token']);
    const passkey = Buffer.from(`key ${email}`).toString('base64url');
    await server.database.db
      .insertInto('passkey')
      .values({
        id: passkey,
        account,
        public_key: Buffer.alloc(8),
        counter: 0,
        transports: '',
        name: 'Laptop',
        created_at: server.clock.now(),
        last_used_at: null,
      })
      .execute();
    const keys = { p256dh: 'BPx'.padEnd(87, 'A'), auth: 'A'.repeat(22) };
    for (const each of [cookie, other])
      await server.database.db
        .insertInto('push_subscription')
        .values({
          id: crypto.randomUUID() as never,
          account,
          session: (await sessionOf(each)) as never,
          endpoint: `https://push.example.org/${email}/${each}`,
          ...keys,
          zone: 'UTC',
          titles: 0,
          created_at: 1,
          seen_at: 1,
        })
        .execute();
    const task = await server.ask('/api/tasks', { method: 'POST', bearer: token, body: { title: 'Mine' } });
    assert.equal(task.status, 200);
    return { cookie, other, token, account, personalScope, code, email };
  }

  const sessionOf = async (cookie: string) =>
    ((await (await server.ask('/app/api/me', { cookie })).json()) as { session: string }).session;

  const passkeysOf = async (account: number) =>
    (await server.database.db.selectFrom('passkey').select('id').where('account', '=', account).execute())
      .length;
  const pushedTo = async (account: number) =>
    (
      await server.database.db
        .selectFrom('push_subscription')
        .select('id')
        .where('account', '=', account)
        .execute()
    ).length;
  const tasksOf = async (scope: string) =>
    (
      await server.database.db
        .selectFrom('entity')
        .select('fields')
        .where('scope', '=', scope as never)
        .where('type', '=', 'task')
        .execute()
    ).length;

  test('[ACC-8] signing up takes an address unproved, and an address that is taken is refused', async () => {
    const email = newAddress();
    const { cookie } = await server.signUp(email);
    assert.equal((await overview(cookie)).isVerified, false);
    assert.deepEqual(lettersTo(email), [], 'nobody is written to who may not have asked');
    const again = await server.ask('/app/api/sign_up', {
      method: 'POST',
      body: { email: email.toUpperCase(), password: GOOD_PASSWORD },
    });
    assert.equal(again.status, 409);
  });

  test('[ACC-9] the first code ends all that was set up before, but not the session it was typed in', async () => {
    const who = await furnished(newAddress());
    await prove(who.cookie, who.email);
    const { isVerified, codes, passkeys, recoveryCodes, tokens } = await overview(who.cookie);
    assert.deepEqual([isVerified, codes, passkeys, recoveryCodes, tokens], [true, false, [], 0, 0]);
    assert.deepEqual(
      [await isIn(who.cookie), await isIn(who.other), await works(who.token)],
      [true, false, false],
    );
    assert.equal(await pushedTo(who.account), 1, 'the browser that typed the code is still reminded');
    assert.match(letterTo(who.email)?.text ?? '', /removed .*passkeys, one-time codes, and API tokens/);
    assert.equal(await tasksOf(who.personalScope), 1);
    // A second proof of the same address ends nothing.
    const again = cookieOf(await signIn(who.email, GOOD_PASSWORD));
    await prove(who.cookie, who.email);
    assert.equal(await isIn(again), true);
  });

  test('[ACC-10] a stranger who signed up with the address keeps nothing once its owner sets a password by mail', async () => {
    const stranger = await furnished(newAddress());
    // Asked for an address of the stranger's own, and not typed in yet.
    assert.equal((await send(stranger.cookie, '/email', { email: 'stranger@example.org' })).status, 200);
    const link = await askReset(stranger.email);
    assert.equal(await useLink(link), 200);
    assert.deepEqual(
      [await isIn(stranger.cookie), await isIn(stranger.other), await works(stranger.token)],
      [false, false, false],
    );
    assert.equal(await passkeysOf(stranger.account), 0);
    assert.equal(await pushedTo(stranger.account), 0);
    assert.equal((await signIn(stranger.email, GOOD_PASSWORD)).status, 401);
    const owner = await signIn(stranger.email, NEW_PASSWORD);
    assert.equal(owner.status, 200, 'no code of a stranger is asked for');
    const seen = await overview(cookieOf(owner));
    assert.deepEqual([seen.isVerified, seen.codes, seen.recoveryCodes], [true, false, 0]);
    assert.equal(seen.awaitedEmail, null, 'the change that a stranger began goes nowhere');
    assert.equal(await tasksOf(stranger.personalScope), 1, 'no task is lost');
    assert.match(letterTo(stranger.email)?.text ?? '', /Nobody had confirmed this address/);
  });

  test('[ACC-15] a new password by mail ends sessions and tokens of a proved address; the letter names what still opens it', async () => {
    const who = await furnished(newAddress(), true);
    assert.equal(await useLink(await askReset(who.email)), 200);
    assert.deepEqual(
      [await isIn(who.cookie), await isIn(who.other), await works(who.token)],
      [false, false, false],
    );
    assert.equal(await passkeysOf(who.account), 1);
    assert.equal((await signIn(who.email, NEW_PASSWORD)).status, 401, 'the code is still asked for');
    server.clock.pass(30_000);
    assert.equal((await signIn(who.email, NEW_PASSWORD, { otp: who.code() })).status, 200);
    const { text = '' } = letterTo(who.email) ?? {};
    assert.match(text, /Passkeys that still work: “Laptop”/);
    assert.match(text, /still asks for a one-time code/);
  });

  test('[ACC-11] a code for a new address changes nothing until it is typed in, and goes with a new password by mail', async () => {
    const email = newAddress();
    const wanted = newAddress();
    const { cookie } = await server.signUp(email);
    await prove(cookie, email);
    await send(cookie, '/email', { email: wanted });
    const code = codeIn(wanted);
    assert.equal((await overview(cookie)).email, email);
    assert.equal(await useLink(await askReset(email)), 200);
    const again = cookieOf(await signIn(email, NEW_PASSWORD));
    assert.equal((await send(again, '/email/proof', { code })).status, 422);
    assert.equal((await overview(again)).email, email);
  });

  test('[ACC-7] links that were sent to the old address end with it', async () => {
    const email = newAddress();
    const { cookie } = await server.signUp(email);
    await prove(cookie, email);
    const link = await askReset(email);
    await prove(cookie, newAddress());
    assert.notEqual(await useLink(link), 200);
  });

  /** A proved account whose address somebody with its session changes; what its old address is sent. */
  async function takenOver() {
    const who = await furnished(newAddress(), true);
    const theirs = newAddress();
    await prove(who.cookie, theirs);
    return { ...who, theirs, link: tokenIn(letterTo(who.email)?.text) };
  }

  test('[ACC-12] the old address takes a change back with a new password; everything of the other one ends', async () => {
    const { email, theirs, link, cookie, other, token, account, personalScope } = await takenOver();
    assert.equal(letterTo(email)?.subject, 'Your email address was changed');
    assert.equal(await useLink(link, 'short'), 422);
    assert.equal(await isIn(cookie), true, 'a password that is refused ends nothing');
    assert.equal((await server.ask(`/reset-password?token=${link}`)).status < 500, true);
    assert.equal(await isIn(cookie), true, 'opening the link ends nothing: programs open links in mail too');
    assert.equal(await useLink(link), 200);
    assert.deepEqual([await isIn(cookie), await isIn(other), await works(token)], [false, false, false]);
    assert.equal(await passkeysOf(account), 0);
    assert.equal((await signIn(theirs, GOOD_PASSWORD)).status, 401);
    const back = await signIn(email, NEW_PASSWORD);
    assert.equal(back.status, 200, 'codes turned on a moment before the change are not asked for');
    assert.deepEqual([(await overview(cookieOf(back))).email], [email]);
    assert.equal(await tasksOf(personalScope), 1);
    assert.notEqual(await useLink(link), 200, 'the link works once');
    assert.equal(letterTo(email)?.subject, 'Your email address is back');
  });

  test('[ACC-12] the link is kept as a digest, for a week, through other passwords, further changes and erasing', async () => {
    const { email, link, cookie, theirs, account } = await takenOver();
    const rows = await server.database.db.selectFrom('email_undo').selectAll().execute();
    assert.ok(rows.every((row) => !Buffer.from(row.token_hash).includes(Buffer.from(link, 'base64url'))));
    const further = newAddress();
    await prove(cookie, further);
    const second = tokenIn(letterTo(theirs)?.text);
    assert.equal((await send(cookie, '/password', { password: 'their very own password' })).status, 200);
    server.clock.pass(7 * DAY - MINUTE);
    await server.database.db.updateTable('session').set({ last_used_at: server.clock.now() }).execute();
    await send(cookie, '/confirm', { password: 'their very own password' });
    await server.services.accounts.setErasure(
      (await server.services.accounts.byId(account))!,
      server.clock.now() + 7 * DAY,
    );
    assert.equal(await useLink(link), 200);
    assert.notEqual(await useLink(second, 'another good one here'), 200, 'later changes cannot be put back');
    const found = await server.services.accounts.byId(account);
    assert.deepEqual([found?.email, found?.erase_at], [email, null]);
    const late = await takenOver();
    server.clock.pass(7 * DAY + 1);
    assert.notEqual(await useLink(late.link), 200);
  });

  test('[ACC-12] codes that were turned on long before the change are still asked for', async () => {
    const who = await furnished(newAddress(), true);
    server.clock.pass(8 * DAY);
    const cookie = cookieOf(await signIn(who.email, GOOD_PASSWORD, { otp: who.code() }));
    await prove(cookie, newAddress());
    assert.equal(await useLink(tokenIn(letterTo(who.email)?.text)), 200);
    assert.equal((await signIn(who.email, NEW_PASSWORD)).status, 401);
    server.clock.pass(30_000);
    assert.equal((await signIn(who.email, NEW_PASSWORD, { otp: who.code() })).status, 200);
  });

  test('[ACC-12] of two uses at once one succeeds', async () => {
    const { link } = await takenOver();
    const answers = await Promise.all([useLink(link), useLink(link)]);
    assert.equal(answers.filter((status) => status === 200).length, 1);
  });

  test('[ACC-13] an address that nobody proved is sent no link when the account leaves it', async () => {
    const mistyped = newAddress();
    const { cookie } = await server.signUp(mistyped);
    await prove(cookie, newAddress());
    const letter = letterTo(mistyped);
    assert.equal(letter?.subject, 'Your email address was changed');
    assert.equal(tokenIn(letter?.text), '');
  });

  test('[ACC-14] nobody else gets the old address while it can be taken back', async () => {
    const { email, link } = await takenOver();
    const squat = await server.ask('/app/api/sign_up', {
      method: 'POST',
      body: { email, password: GOOD_PASSWORD },
    });
    assert.equal(squat.status, 409);
    const { cookie } = await server.signUp(newAddress());
    await send(cookie, '/email', { email });
    const taken = await send(cookie, '/email/proof', { code: codeIn(email) });
    assert.deepEqual([taken.status, taken.answer['code']], [409, 'email_taken']);
    assert.equal(await useLink(link), 200);
    const free = await takenOver();
    server.clock.pass(7 * DAY + 1);
    await server.signUp(free.email);
  });

  test('[ACC-16] a password being set by a session that is ended meanwhile is not set', async () => {
    const email = 'raced@example.org';
    const { cookie, account } = await server.signUp(email);
    const { accounts } = server.services;
    for (const which of ['all others', 'one', 'itself'] as const) {
      const { id: other, cookie: own } = await otherSession(email);
      const path = which === 'one' ? `/sessions/${other}` : '/sessions';
      // What the other session's request read before it was ended; the rest of it takes its time.
      const seen = await accounts.byId(account);
      assert.ok(seen);
      const ended =
        which === 'itself'
          ? await server.ask('/app/api/sign_out', { method: 'POST', cookie: own })
          : await server.ask(`/app/api${path}`, { method: 'DELETE', cookie });
      assert.equal(ended.status, 200);
      assert.deepEqual(await accounts.setPassword(seen, 'seven lamps by the harbour'), { type: 'changed' });
    }
  });

  test('[ACC-16] what another session begins right after one was ended is finished', async () => {
    const email = 'right.after@example.org';
    const { cookie } = await server.signUp(email);
    const { cookie: beside } = await otherSession(email);
    for (const name of ['first', 'second']) {
      const { id: ended } = await otherSession(email);
      // The server has read it just before, and keeps it for a moment.
      assert.equal((await server.ask('/app/api/security', { cookie: beside })).status, 200);
      const path = `/app/api/sessions/${ended}`;
      assert.equal((await server.ask(path, { method: 'DELETE', cookie })).status, 200);
      const made = await send(beside, '/tokens', { name, access: 'write' });
      assert.equal(made.status, 200, JSON.stringify(made.answer));
    }
  });

  async function otherSession(email: string): Promise<{ id: string; cookie: string }> {
    const body = { email, password: GOOD_PASSWORD };
    const response = await server.ask('/app/api/sign_in', { method: 'POST', body });
    const cookie = cookieOf(response);
    const { sessions } = sessionListSchema.parse(
      await (await server.ask('/app/api/sessions', { cookie })).json(),
    );
    return { id: sessions.find(({ current }) => current)?.id ?? '', cookie };
  }

  test('[ACC-16] who is just coming in while everything ends does not get in, and changes nothing', async () => {
    const { account } = await server.signUp(newAddress());
    const { accounts, sessions } = server.services;
    const before = await accounts.byId(account);
    assert.ok(before);
    const wanted = { account, kind: 'web', userAgent: '' } as const;
    assert.ok(await sessions.admit(wanted, before.entry_version));
    assert.equal(await useLink(await askReset(before.email)), 200);
    assert.equal(await sessions.admit(wanted, before.entry_version), null);
    assert.deepEqual(await sessions.list(account), []);
    assert.deepEqual(await accounts.setPassword(before, 'a late one from elsewhere'), { type: 'changed' });
    assert.deepEqual(await accounts.setEmail(before, newAddress()), { type: 'changed' });
    assert.equal((await signIn(before.email, NEW_PASSWORD)).status, 200);
  });

  test('[ACC-6] a new password ends API tokens where that is asked for, and the letter names those that stay', async () => {
    const who = await furnished(newAddress(), true);
    assert.equal((await send(who.cookie, '/password', { password: NEW_PASSWORD })).status, 200);
    assert.equal(await works(who.token), true);
    assert.match(letterTo(who.email)?.text ?? '', /API tokens that still work: “script”/);
    const body = { password: 'another good one here', endTokens: true };
    assert.equal((await send(who.cookie, '/password', body)).status, 200);
    assert.equal(await works(who.token), false);
    assert.doesNotMatch(letterTo(who.email)?.text ?? '', /API token/);
    assert.equal(await isIn(who.cookie), true);
  });
});

describe('letters to an address', () => {
  let server: TestServer;
  before(async () => {
    server = await createTestServer({
      environment: { RATE_LIMITS: 'proof=1000/1m,sign_up_ip=100/1m,sign_in_ip=100/1m' },
    });
  });
  after(() => server.close());

  const send = async (cookie: string, path: string, body?: unknown, method = 'POST') => {
    const response = await server.ask(`/app/api${path}`, { method, cookie, body });
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
  };
  const countTo = (email: string) => server.letters.filter(({ to }) => to === email).length;

  test('[ACC-17] a stranger’s address gets five in half an hour, however many accounts ask and through which door', async () => {
    const victim = 'victim@example.org';
    const statuses: number[] = [];
    for (let number = 0; number < 3; number += 1) {
      const { cookie } = await server.signUp(`bomber${number}@example.org`);
      for (let tries = 0; tries < 20; tries += 1)
        statuses.push((await send(cookie, '/email', { email: victim })).status);
    }
    assert.equal(statuses.filter((status) => status === 200).length, 5);
    assert.equal(statuses.filter((status) => status === 429).length, 55);
    await server.ask('/api/newsletter_signups', { method: 'POST', body: { email: victim } });
    await server.ask('/api/sessions/request_password_reset', { method: 'POST', body: { email: victim } });
    await server.services.desk.background.idle();
    assert.equal(countTo(victim), 5);
    server.clock.pass(30 * MINUTE);
    const { cookie } = await server.signUp('bomber4@example.org');
    assert.equal((await send(cookie, '/email', { email: victim })).status, 200);
  });

  test('[ACC-17] spellings that reach one mailbox are one address, and an account writes to few', async () => {
    const one = await server.signUp('speller@example.org');
    const two = await server.signUp('speller2@example.org');
    const statusesOf = async (cookie: string, spelled: (number: number) => string) => {
      const statuses: number[] = [];
      for (let number = 0; number < 12; number += 1)
        statuses.push((await send(cookie, '/email', { email: spelled(number) })).status);
      return statuses.filter((status) => status === 200).length;
    };
    assert.equal(await statusesOf(one.cookie, (number) => `tagged+${number}@example.org`), 5);
    const dotted = (number: number) =>
      `${'dottedname'.slice(0, number + 1)}.${'dottedname'.slice(number + 1)}x@${number % 2 ? 'gmail' : 'googlemail'}.com`;
    assert.equal(await statusesOf(one.cookie, (number) => dotted(number % 8)), 5);
    assert.equal(
      await statusesOf(one.cookie, (number) => `another${number}@example.org`),
      0,
      'ten are enough',
    );
    assert.equal(await statusesOf(two.cookie, (number) => `else${number}@example.org`), 10);
  });

  test('[ACC-17] an account with somebody else’s address writes to them five times, whatever is done with it', async () => {
    const victim = 'squatted@example.org';
    const { cookie } = await server.signUp(victim);
    for (let number = 0; number < 20; number += 1) {
      const body = { password: `number ${number} of many words` };
      assert.equal((await send(cookie, '/password', body)).status, 200);
    }
    for (let number = 0; number < 20; number += 1) {
      await send(cookie, '/email', { email: victim });
      await server.ask('/api/sessions/request_password_reset', { method: 'POST', body: { email: victim } });
    }
    await server.services.desk.background.idle();
    assert.equal(countTo(victim), 5);
  });

  test('[ACC-17] letters of one kind do not use up what another needs, once an address is proved', async () => {
    const email = 'proved@example.org';
    const { cookie } = await server.signUp(email);
    await send(cookie, '/email', { email });
    const code = /code is (\d{4} \d{4})/.exec(server.letters.at(-1)?.text ?? '')?.[1];
    assert.equal((await send(cookie, '/email/proof', { code })).status, 200);
    for (let number = 0; number < 20; number += 1)
      await server.ask('/api/sessions/request_password_reset', { method: 'POST', body: { email } });
    await server.services.desk.background.idle();
    const before = countTo(email);
    assert.equal((await send(cookie, '/email', { email: 'elsewhere@example.org' })).status, 200);
    const moved = /code is (\d{4} \d{4})/.exec(server.letters.at(-1)?.text ?? '')?.[1];
    assert.equal((await send(cookie, '/email/proof', { code: moved })).status, 200);
    assert.equal(countTo(email), before + 1);
    assert.match(server.letters.findLast(({ to }) => to === email)?.text ?? '', /reset-password\?token=/);
  });

  test('[ACC-17] no letter leaves the server by another way', () => {
    const senders = readSources('src/server', /(?<!\.test)\.ts$/)
      .filter(({ text }) => /\bpost\b[^\n]{0,30}\.send\(|Post, 'send'/.test(text))
      .map(({ path }) => path);
    assert.deepEqual(senders, ['src/server/mail/letters.ts']);
  });

  test('[ACC-17] a code that could not be sent leaves the one before good', async () => {
    const wanted = 'patient@example.org';
    const { cookie } = await server.signUp('asks@example.org');
    for (let tries = 0; tries < 6; tries += 1) await send(cookie, '/email', { email: wanted });
    const last = server.letters.findLast(({ to }) => to === wanted);
    const code = /code is (\d{4} \d{4})/.exec(last?.text ?? '')?.[1];
    assert.equal((await send(cookie, '/email/proof', { code })).status, 200);
  });
});
