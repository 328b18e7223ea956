// Accounts and sessions through their doors: the web app's and the public API's.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { refusalSchema, sessionListSchema, signedInSchema } from '#wire/account.ts';
import { tokenDigest } from '#server/accounts/tokens.ts';
import { cookieOf, createTestServer, GOOD_PASSWORD, type TestServer } from './harness.ts';

const DAY = 86_400_000;

const post = (body: unknown) => ({ method: 'POST', body });
const codeOf = async (response: Response) => refusalSchema.parse(await response.json()).code;
const idsOf = async (response: Response) =>
  sessionListSchema.parse(await response.json()).sessions.map(({ id }) => id);

function described(
  name: string,
  body: (server: () => TestServer) => void,
  environment: Record<string, string> = {},
): void {
  describe(name, () => {
    let server: TestServer | undefined;
    before(async () => {
      server = await createTestServer({ environment });
    });
    after(() => server?.close());
    body(() => server!);
  });
}

described('sign-up on the web', (server) => {
  test('makes an account, its scope and a session in one step', async () => {
    const response = await server().ask(
      '/app/api/sign_up',
      post({ email: ' New@Example.org ', password: GOOD_PASSWORD }),
    );
    assert.equal(response.status, 200);
    const signedIn = signedInSchema.parse(await response.json());
    assert.equal(signedIn.email, 'new@example.org');
    assert.ok(signedIn.account > 0 && signedIn.account < 2 ** 31);
    const scopes = await server().database.store.scopesOf(signedIn.account);
    assert.deepEqual(scopes, [{ scope: signedIn.personalScope, role: 'owner' }]);
    const me = await server().ask('/app/api/me', { cookie: cookieOf(response) });
    assert.deepEqual(signedInSchema.parse(await me.json()), signedIn);
  });

  test('[ASVS 3.3] the cookie is HttpOnly, SameSite=Lax and for the whole site', async () => {
    const response = await server().ask(
      '/app/api/sign_up',
      post({ email: 'c@example.org', password: GOOD_PASSWORD }),
    );
    const [cookie = '', ...others] = response.headers.getSetCookie();
    assert.deepEqual(others, []);
    assert.match(
      cookie,
      /^posthaste-session=phs_[\w-]{43}\w{6}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('an address in use answers 409, in any spelling', async () => {
    await server().signUp('taken@example.org');
    const again = await server().ask(
      '/app/api/sign_up',
      post({ email: 'TAKEN@example.org', password: GOOD_PASSWORD }),
    );
    assert.equal(again.status, 409);
    assert.equal(await codeOf(again), 'email_taken');
  });

  test('two sign-ups at once with one address: one account', async () => {
    const body = post({ email: 'race@example.org', password: GOOD_PASSWORD });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => server().ask('/app/api/sign_up', body)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409, 409, 409, 409, 409, 409],
    );
  });

  test('what is wrong is named by field', async () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      [{ email: 'nobody', password: GOOD_PASSWORD }, 'email'],
      [{ email: 'x@example.org', password: 'short' }, 'password'],
      [{ email: 'x@example.org', password: 'Password123!' }, 'password'],
      [{ email: 'x@example.org', password: `${GOOD_PASSWORD}${'x'.repeat(72)}` }, 'password'],
      [{ email: 'x@example.org' }, 'password'],
      [{ email: 5, password: GOOD_PASSWORD }, 'email'],
      [[], 'body'],
    ];
    for (const [body, field] of wrong) {
      const response = await server().ask('/app/api/sign_up', post(body));
      assert.equal(response.status, 422);
      const refusal = (await response.json()) as { field: string; code: string };
      assert.deepEqual([refusal.field, refusal.code], [field, 'invalid']);
    }
  });

  test('72 code points are accepted and nothing is cut off', async () => {
    const password = '🦊 fox, 🧭 compass: '.repeat(4).slice(0, 78);
    const cut = [...password].slice(0, 72).join('');
    assert.equal(
      (await server().ask('/app/api/sign_up', post({ email: 'long@example.org', password: cut }))).status,
      200,
    );
    const signIn = (tried: string) =>
      server().ask('/app/api/sign_in', post({ email: 'long@example.org', password: tried }));
    assert.equal((await signIn(cut)).status, 200);
    assert.equal((await signIn(`${cut}x`)).status, 401);
    assert.equal((await signIn(cut.slice(0, -1))).status, 401);
  });

  test('a crash between account and scope is healed by the next request', async () => {
    const { cookie, account, personalScope } = await server().signUp('crash@example.org');
    await server().database.db.deleteFrom('member').where('account', '=', account).execute();
    await server()
      .database.db.deleteFrom('scope')
      .where('id', '=', personalScope as never)
      .execute();
    const me = await server().ask('/app/api/me', { cookie });
    assert.equal(me.status, 200);
    assert.equal((await server().database.store.scopesOf(account)).length, 1);
  });
});

described('sign-in and sign-out', (server) => {
  test('the right pair gets a session, the wrong one 401 with the same words', async () => {
    await server().signUp('a@example.org');
    const right = await server().ask(
      '/app/api/sign_in',
      post({ email: 'A@EXAMPLE.org', password: GOOD_PASSWORD }),
    );
    assert.equal(right.status, 200);
    const wrong = await server().ask(
      '/app/api/sign_in',
      post({ email: 'a@example.org', password: 'not this one' }),
    );
    const unknown = await server().ask(
      '/app/api/sign_in',
      post({ email: 'b@example.org', password: 'not this one' }),
    );
    assert.equal(wrong.status, 401);
    assert.equal(unknown.status, 401);
    assert.deepEqual(await wrong.json(), await unknown.json());
    const names = (response: Response) => [...response.headers.keys()];
    assert.deepEqual(names(wrong), names(unknown));
  });

  test('[ASVS 7.2.4] signing in makes a new token and ends the session the browser had', async () => {
    const { cookie } = await server().signUp('fix@example.org');
    const response = await server().ask('/app/api/sign_in', {
      ...post({ email: 'fix@example.org', password: GOOD_PASSWORD }),
      cookie,
    });
    assert.notEqual(cookieOf(response), cookie);
    assert.equal((await server().ask('/app/api/me', { cookie })).status, 401);
    assert.equal((await server().ask('/app/api/me', { cookie: cookieOf(response) })).status, 200);
  });

  test('signing out ends the session at once, removes the cookie, and may be repeated', async () => {
    const { cookie } = await server().signUp('out@example.org');
    const out = await server().ask('/app/api/sign_out', { method: 'POST', cookie });
    assert.equal(out.status, 200);
    assert.match(out.headers.getSetCookie()[0] ?? '', /^posthaste-session=; Max-Age=0;/);
    assert.equal((await server().ask('/app/api/me', { cookie })).status, 401);
    assert.equal((await server().ask('/app/api/sign_out', { method: 'POST', cookie })).status, 200);
    assert.equal((await server().ask('/app/api/sign_out', { method: 'POST' })).status, 200);
  });

  test('a body of 5 KB is too large to be a password', async () => {
    const response = await server().ask(
      '/app/api/sign_in',
      post({ email: 'a@example.org', password: 'x'.repeat(5_000) }),
    );
    assert.equal(response.status, 413);
  });

  test('a disabled account: 401 for its sessions, 403 only for whoever knows the password', async () => {
    const { cookie } = await server().signUp('closed@example.org');
    const account = await server().services.accounts.byEmail('closed@example.org');
    await server().services.accounts.setDisabled(account!, true);
    server().clock.pass(1_000);
    assert.equal((await server().ask('/app/api/me', { cookie })).status, 401);
    const right = await server().ask(
      '/app/api/sign_in',
      post({ email: 'closed@example.org', password: GOOD_PASSWORD }),
    );
    assert.equal(await codeOf(right), 'account_disabled');
    const wrong = await server().ask(
      '/app/api/sign_in',
      post({ email: 'closed@example.org', password: 'another one' }),
    );
    assert.equal(await codeOf(wrong), 'wrong_credentials');
  });
});

described('sessions', (server) => {
  const me = (cookie: string) => server().ask('/app/api/me', { cookie });
  const signIn = async (email: string) =>
    cookieOf(await server().ask('/app/api/sign_in', post({ email, password: GOOD_PASSWORD })));

  test('[ASVS 7.5.2] are listed, ended one by one and all but this', async () => {
    const { cookie: first } = await server().signUp('many@example.org');
    const [second, third, fourth] = [
      await signIn('many@example.org'),
      await signIn('many@example.org'),
      await signIn('many@example.org'),
    ];
    const list = async () =>
      sessionListSchema.parse(await (await server().ask('/app/api/sessions', { cookie: first })).json())
        .sessions;
    assert.equal((await list()).length, 4);
    assert.equal((await list()).filter(({ current }) => current).length, 1);
    const secondId = signedInSchema.parse(await (await me(second)).json()).session;
    const ended = await server().ask(`/app/api/sessions/${secondId}`, { method: 'DELETE', cookie: first });
    assert.equal(ended.status, 200);
    assert.equal((await me(second)).status, 401);
    const others = await server().ask('/app/api/sessions', { method: 'DELETE', cookie: first });
    assert.deepEqual(await others.json(), { success: true, ended: 2 });
    assert.equal((await me(third)).status, 401);
    assert.equal((await me(fourth)).status, 401);
    assert.equal((await me(first)).status, 200);
  });

  test('somebody else’s session looks like one that does not exist', async () => {
    const { cookie: mine } = await server().signUp('mine@example.org');
    const { cookie: theirs } = await server().signUp('theirs@example.org');
    const [theirId = ''] = await idsOf(await server().ask('/app/api/sessions', { cookie: theirs }));
    const answers = [];
    for (const id of [theirId, '00000000-0000-4000-8000-000000000099', 'nonsense']) {
      const response = await server().ask(`/app/api/sessions/${id}`, { method: 'DELETE', cookie: mine });
      answers.push([response.status, await response.text()]);
    }
    assert.equal(answers[0]?.[0], 404);
    assert.deepEqual(answers[0], answers[1]);
    assert.deepEqual(answers[0], answers[2]);
    assert.equal((await me(theirs)).status, 200);
  });

  test('get a new token every day; the old one holds for a minute', async () => {
    const { cookie: old } = await server().signUp('rotate@example.org');
    server().clock.pass(DAY - 1_000);
    assert.deepEqual((await me(old)).headers.getSetCookie(), []);
    server().clock.pass(1_000);
    const rotated = await me(old);
    const fresh = cookieOf(rotated);
    assert.match(fresh, /^posthaste-session=phs_/);
    assert.notEqual(fresh, old);
    assert.equal((await me(fresh)).status, 200);
    const parallel = await me(old);
    assert.equal(parallel.status, 200, 'a second tab that asked at the same time');
    assert.deepEqual(parallel.headers.getSetCookie(), []);
    server().clock.pass(60_000);
    assert.equal((await me(old)).status, 401);
    assert.equal((await me(fresh)).status, 200);
  });

  test('many tabs at the moment of the new token: one is made, all go on', async () => {
    const { cookie: old } = await server().signUp('tabs@example.org');
    server().clock.pass(DAY);
    const answers = await Promise.all(Array.from({ length: 10 }, () => me(old)));
    assert.ok(answers.every(({ status }) => status === 200));
    const tokens = answers.map(cookieOf).filter((cookie) => cookie !== '');
    assert.equal(tokens.length, 1);
    assert.equal((await me(tokens[0] ?? '')).status, 200);
  });

  test('an answer with the new token that never arrived signs nobody out', async () => {
    const { cookie: old } = await server().signUp('lost@example.org');
    server().clock.pass(DAY);
    const lost = cookieOf(await me(old));
    server().clock.pass(3 * DAY);
    const again = await me(old);
    assert.equal(again.status, 200);
    const fresh = cookieOf(again);
    assert.match(fresh, /^posthaste-session=phs_/);
    assert.equal((await me(fresh)).status, 200);
    server().clock.pass(60_000);
    assert.equal((await me(old)).status, 401);
    assert.equal((await me(lost)).status, 401, 'the token that was lost is worth nothing');
    assert.equal((await me(fresh)).status, 200);
  });

  test('end after 30 idle days', async () => {
    const { cookie } = await server().signUp('idle@example.org');
    server().clock.pass(30 * DAY);
    assert.equal((await me(cookie)).status, 401);
  });

  test('end after 180 days however much they are used', async () => {
    let { cookie } = await server().signUp('old@example.org');
    for (let days = 0; days < 180; days += 10) {
      const response = await me(cookie);
      assert.equal(response.status, 200, `day ${days}`);
      cookie = cookieOf(response) || cookie;
      server().clock.pass(10 * DAY);
    }
    assert.equal((await me(cookie)).status, 401);
  });

  test('a token in the database is of no use to anybody', async () => {
    const { cookie } = await server().signUp('dump@example.org');
    const token = cookie.split('=')[1] ?? '';
    const rows = await server().database.db.selectFrom('session').selectAll().execute();
    const accounts = await server().database.db.selectFrom('account').selectAll().execute();
    const events = await server().database.db.selectFrom('security_event').selectAll().execute();
    const dump = JSON.stringify([
      rows.map((row) => ({ ...row, token_hash: [...row.token_hash] })),
      accounts,
      events,
    ]);
    assert.ok(!dump.includes(token) && !dump.includes(token.slice(4, 40)));
    assert.ok(!dump.includes(GOOD_PASSWORD));
    assert.ok(dump.includes(JSON.stringify([...tokenDigest(token)]).slice(1, -1)), 'its digest is there');
  });
});

described(
  'over HTTPS',
  (server) => {
    test('the cookie is bound to the host', async () => {
      const response = await server().ask('https://tasks.example.org/app/api/sign_up', {
        ...post({ email: 's@example.org', password: GOOD_PASSWORD }),
        headers: { origin: 'https://tasks.example.org' },
      });
      assert.equal(response.status, 200);
      assert.match(
        response.headers.getSetCookie()[0] ?? '',
        /^__Host-posthaste=phs_\S+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
      assert.match(response.headers.get('strict-transport-security') ?? '', /max-age=63072000/);
      const value = cookieOf(response).split('=')[1] ?? '';
      const wrongName = await server().ask('/app/api/me', { cookie: `posthaste-session=${value}` });
      assert.equal(wrongName.status, 401);
    });
  },
  { PUBLIC_URL: 'https://tasks.example.org' },
);

described('the public API’s sessions', (server) => {
  const noPage = { origin: '', 'sec-fetch-site': '' };
  const api = (path: string, body?: unknown, bearer?: string) =>
    server().ask(path, {
      method: 'POST',
      ...(body === undefined ? {} : { body }),
      ...(bearer === undefined ? {} : { bearer }),
      headers: noPage,
    });

  test('sign up, sign in and sign out in the documented shapes, at the root and under /api', async () => {
    for (const prefix of ['', '/api']) {
      const credentials = { email: `api${prefix.length}@example.org`, password: GOOD_PASSWORD };
      const up = (await (await api(`${prefix}/sessions/sign_up`, credentials)).json()) as Record<
        string,
        unknown
      >;
      assert.deepEqual(Object.keys(up).toSorted(), ['success', 'token', 'user']);
      assert.equal(up['success'], true);
      assert.match(String(up['token']), /^ph_/);
      const user = up['user'] as { id: number; email: string; created_at: string };
      assert.ok(Number.isInteger(user.id));
      assert.equal(user.email, credentials.email);
      assert.match(user.created_at, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
      const signedIn = (await (await api(`${prefix}/sessions/sign_in`, credentials)).json()) as {
        token: string;
      };
      const out = await api(`${prefix}/sessions/sign_out`, undefined, signedIn.token);
      assert.deepEqual([out.status, await out.json()], [200, { success: true }]);
      const again = await api(`${prefix}/sessions/sign_out`, undefined, signedIn.token);
      assert.equal(again.status, 401);
      assert.equal(again.headers.get('www-authenticate'), 'Bearer');
      const body = (await again.json()) as Record<string, unknown>;
      assert.deepEqual(Object.keys(body).toSorted(), ['code', 'error', 'message', 'success']);
      assert.equal(body['code'], 'unauthorized');
    }
  });

  test('sets no cookie and reads none', async () => {
    const { cookie } = await server().signUp('web@example.org');
    const response = await api('/sessions/sign_in', { email: 'web@example.org', password: GOOD_PASSWORD });
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    const out = await server().ask('/sessions/sign_out', { method: 'POST', cookie });
    assert.equal(out.status, 401);
  });

  test('takes no body of a form', async () => {
    const response = await server().ask('/sessions/sign_in', {
      method: 'POST',
      raw: 'email=a',
      headers: { ...noPage, 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(response.status, 415);
  });
});

described(
  'limits of the doors that check passwords',
  (server) => {
    const credentials = (email: string, password: string) => ({ email, password });

    test('25 tries per address in 5 minutes, shared by both doors; forged headers change nothing', async () => {
      const statuses: number[] = [];
      for (let tries = 0; tries < 26; tries += 1) {
        const path = tries % 2 === 0 ? '/app/api/sign_in' : '/sessions/sign_in';
        const response = await server().ask(path, {
          ...post(credentials(`nobody${tries}@example.org`, 'wrong password')),
          address: '203.0.113.9',
          headers: { 'x-forwarded-for': `198.51.100.${tries}`, 'x-real-ip': `198.51.100.${tries}` },
        });
        statuses.push(response.status);
        if (response.status === 429) assert.equal(response.headers.get('retry-after'), '300');
      }
      assert.deepEqual(statuses, [...Array.from({ length: 25 }, () => 401), 429]);
      server().clock.pass(5 * 60_000);
      const later = await server().ask('/app/api/sign_in', {
        ...post(credentials('nobody@example.org', 'wrong password')),
        address: '203.0.113.9',
      });
      assert.equal(later.status, 401);
    });

    test('an IPv6 network counts as one', async () => {
      const statuses = [];
      for (let tries = 0; tries < 26; tries += 1) {
        const response = await server().ask('/app/api/sign_in', {
          ...post(credentials(`v6-${tries}@example.org`, 'wrong password')),
          address: `2001:db8:1:2:${tries.toString(16)}::1`,
        });
        statuses.push(response.status);
      }
      assert.equal(statuses.filter((status) => status === 429).length, 1);
    });

    const guess = (email: string, address: string, password = 'wrong password') =>
      server().ask('/app/api/sign_in', { ...post(credentials(email, password)), address });

    test('[ACC-18] ten wrong guesses make only the one who guesses wait', async () => {
      await server().signUp('victim@example.org');
      for (let tries = 0; tries < 10; tries += 1)
        assert.equal((await guess('victim@example.org', '192.0.2.1')).status, 401);
      const stopped = await guess('victim@example.org', '192.0.2.1');
      assert.deepEqual([stopped.status, stopped.headers.get('retry-after')], [429, '1']);
      assert.equal((await guess('victim@example.org', '198.51.100.7', GOOD_PASSWORD)).status, 200);
      server().clock.pass(1_000);
      assert.equal((await guess('victim@example.org', '192.0.2.1', GOOD_PASSWORD)).status, 200);
      assert.equal(
        (await guess('victim@example.org', '192.0.2.1')).status,
        401,
        'a right one ends the delay',
      );
    });

    test('[ACC-18] guesses from many places stop at 25 an hour; where the owner signed in before, and who is signed in, goes on', async () => {
      const email = 'besieged@example.org';
      const { cookie } = await server().signUp(email);
      assert.equal((await guess(email, '203.0.113.50', GOOD_PASSWORD)).status, 200);
      const statuses: number[] = [];
      for (let number = 0; number < 60; number += 1)
        statuses.push((await guess(email, `192.0.${number}.9`)).status);
      assert.equal(statuses.filter((status) => status === 401).length, 25);
      assert.equal((await guess(email, '198.51.100.9', GOOD_PASSWORD)).status, 429);
      assert.equal((await guess(email, '203.0.113.77', GOOD_PASSWORD)).status, 200, 'the same network');
      const confirmed = await server().ask('/app/api/confirm', {
        ...post({ password: GOOD_PASSWORD }),
        cookie,
      });
      assert.equal(confirmed.status, 200);
      server().clock.pass(60 * 60_000);
      assert.equal((await guess(email, '198.51.100.9', GOOD_PASSWORD)).status, 200);
    });

    test('[ACC-18] guesses made at the same time cannot slip through together', async () => {
      await server().signUp('burst@example.org');
      const all = async (addressOf: (number: number) => string) => {
        const numbers = Array.from({ length: 40 }, (_, number) => number);
        const answers = await Promise.all(
          numbers.map((number) => guess('burst@example.org', addressOf(number))),
        );
        return answers.filter(({ status }) => status === 401).length;
      };
      assert.ok((await all(() => '198.18.0.1')) <= 10);
      assert.ok((await all((number) => `198.18.${number}.1`)) <= 15);
    });

    test('five sign-ups per address in half an hour; a form with a mistake is not one', async () => {
      const address = '203.0.113.77';
      const signUp = (email: string, password = GOOD_PASSWORD) =>
        server().ask('/app/api/sign_up', { ...post(credentials(email, password)), address });
      for (let tries = 0; tries < 8; tries += 1) assert.equal((await signUp('x', GOOD_PASSWORD)).status, 422);
      for (let tries = 0; tries < 5; tries += 1)
        assert.equal((await signUp(`n${tries}@example.org`)).status, 200);
      const sixth = await signUp('n6@example.org');
      assert.equal(sixth.status, 429);
      assert.equal(sixth.headers.get('retry-after'), '1800');
      server().clock.pass(30 * 60_000);
      assert.equal((await signUp('n6@example.org')).status, 200);
    });
  },
  { RATE_LIMITS: 'default' },
);

described('when too many passwords wait', (server) => {
  test('the rest are told to come back, and nothing is counted against them', async () => {
    await server().signUp('flood@example.org');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        server().ask(
          '/app/api/sign_in',
          post({ email: `flood${number}@example.org`, password: 'wrong password' }),
        ),
      ),
    );
    const busy = answers.filter(({ status }) => status === 503);
    assert.equal(busy.length, 26, '2 are checked, 32 wait');
    assert.equal(busy[0]?.headers.get('retry-after'), '1');
    assert.equal(busy[0] && (await codeOf(busy[0])), 'busy');
    assert.equal(answers.filter(({ status }) => status === 401).length, 34);
  });
});
