// The public site's calls and forms against a whole server: promo codes, sign-ups with their letters, a forgotten password,
// releases and their feed, invitations, counts of visits, messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestServer, GOOD_PASSWORD, type TestServer } from './harness.ts';
import { Person } from '../sharing.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

function withServer(
  name: string,
  environment: Record<string, string>,
  body: (server: () => TestServer) => void,
) {
  describe(name, () => {
    let server: TestServer | undefined;
    before(async () => {
      server = await createTestServer({ environment });
    });
    after(() => server?.close());
    body(() => server!);
  });
}

const post = (server: TestServer, path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.ask(path, { method: 'POST', body, headers });

const submit = (
  server: TestServer,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  server.ask(path, {
    method: 'POST',
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

const asPerson = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const linkIn = (text: string) => /http:\/\/\S+/.exec(text)?.[0] ?? '';
const tokenIn = (text: string) => new URL(linkIn(text)).searchParams.get('token') ?? '';

withServer('promo codes', {}, (server) => {
  test('are answered with partner and terms, however they are spelled, until they are disabled', async () => {
    const { promoCodes } = server().services.desk;
    const terms = { discountPercentage: 25, discountMonths: 12, commissionPercentage: 30 };
    assert.equal(await promoCodes.create('LIGHTHOUSE', 'The <b>Lighthouse</b>', terms), true);
    assert.equal(await promoCodes.create('LIGHTHOUSE', 'Another', terms), false);
    for (const path of ['/affiliate_promo_codes/LIGHTHOUSE', '/api/affiliate_promo_codes/lighthouse'])
      assert.deepEqual(await (await server().ask(path)).json(), {
        success: true,
        name: 'The <b>Lighthouse</b>',
        discount_percentage: 25,
        discount_num_months: 12,
      });
    await promoCodes.disable('LIGHTHOUSE');
    assert.equal((await server().ask('/api/affiliate_promo_codes/LIGHTHOUSE')).status, 404);
  });

  test('that cannot be codes are not there', async () => {
    for (const code of ['%3Cscript%3E', "'%20OR%201=1", '..%2F..', 'x'.repeat(300), '%00', '__proto__'])
      assert.equal((await server().ask(`/api/affiliate_promo_codes/${code}`)).status, 404, code);
  });

  test('[PROMO-1] [PROMO-2] are redeemed once by an account, with the terms of that day', async () => {
    const { promoCodes } = server().services.desk;
    const terms = { discountPercentage: 25, discountMonths: 12, commissionPercentage: 30 };
    await promoCodes.create('HARBOUR', 'The Harbour', terms);
    await promoCodes.create('QUAY', 'The Quay', { ...terms, discountPercentage: 50 });
    await promoCodes.create('SHUT', 'Nobody', terms);
    await promoCodes.disable('SHUT');
    const { cookie } = await server().signUp('redeemer@example.org');
    const redeem = (code: string) =>
      server().ask('/app/api/promo', { method: 'POST', cookie, body: { code } });
    const held = async () => {
      const answer = await server().ask('/app/api/promo', { cookie });
      return ((await answer.json()) as { redemption: unknown }).redemption;
    };
    assert.equal(await held(), null);
    for (const code of ['', 'NOWHERE', 'SHUT', '<b>']) assert.equal((await redeem(code)).status, 422, code);
    const both = await Promise.all([redeem(' harbour '), redeem('HARBOUR')]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    const kept = {
      code: 'HARBOUR',
      partner: 'The Harbour',
      discountPercentage: 25,
      discountMonths: 12,
      redeemedAt: Math.round(server().clock.now()),
    };
    assert.deepEqual(await held(), kept);
    const other = await redeem('QUAY');
    assert.equal(other.status, 422);
    assert.match(await other.text(), /already redeemed HARBOUR/);
    await promoCodes.disable('HARBOUR');
    assert.equal((await redeem('HARBOUR')).status, 200);
    assert.deepEqual(await held(), kept);
    assert.deepEqual([...(await promoCodes.redemptions())], [['HARBOUR', 1]]);
  });
});

withServer('sign-ups', {}, (server) => {
  beforeEach(() => server().clock.pass(25 * HOUR));

  test('are confirmed from the mailbox, and can be removed there', async () => {
    const answer = await post(server(), '/api/newsletter_signups', { email: ' Reader@Example.org ' });
    assert.equal(answer.status, 200);
    await server().services.desk.background.idle();
    const letter = server().letters.at(-1)!;
    assert.equal(letter.to, 'reader@example.org');
    const { signUps } = server().services.desk;
    assert.deepEqual(await signUps.confirmed('newsletter'), []);
    const { pathname, search } = new URL(linkIn(letter.text));
    const confirmed = await submit(server(), pathname + search, { choice: 'confirm' });
    assert.equal(confirmed.headers.get('location'), '/confirm?outcome=confirmed');
    assert.deepEqual(
      (await signUps.confirmed('newsletter')).map(({ email }) => email),
      ['reader@example.org'],
    );
    assert.deepEqual(await signUps.confirmed('affiliate'), []);
    const removed = await submit(server(), pathname + search, { choice: 'remove' });
    assert.equal(removed.headers.get('location'), '/confirm?outcome=removed');
    assert.deepEqual(await signUps.confirmed('newsletter'), []);
    const again = await submit(server(), pathname + search, { choice: 'confirm' });
    assert.equal(again.headers.get('location'), '/confirm?outcome=unknown');
  });

  test('send one letter a day to an address, and answer the same each time', async () => {
    const before = server().letters.length;
    const answers = [];
    for (let count = 0; count < 3; count += 1) {
      const answer = await post(server(), '/api/affiliate_sign_ups', { email: 'partner@example.org' });
      answers.push(await answer.text());
    }
    await server().services.desk.background.idle();
    assert.equal(new Set(answers).size, 1);
    // Without limits each asks anew.
    assert.equal(server().letters.length, before + 3);
  });

  test('are answered as taken only when they are kept, and refused when they are no address', async () => {
    const kept = async () =>
      (await server().database.db.selectFrom('sign_up').select('email').execute()).map(({ email }) => email);
    for (const path of ['/api/newsletter_signups', '/api/affiliate_sign_ups']) {
      for (const email of ['notanemail', 'a@b', '@example.org', 'a b@example.org', '  '])
        assert.equal((await post(server(), path, { email })).status, 422, email);
      // Kept by the time it is answered, not some time later.
      assert.equal((await post(server(), path, { email: `${path.length}@example.org` })).status, 200);
      assert.ok((await kept()).includes(`${path.length}@example.org`));
    }
    await server().database.db.schema.alterTable('sign_up').renameTo('sign_up_away').execute();
    for (const path of ['/api/newsletter_signups', '/api/affiliate_sign_ups'])
      assert.equal((await post(server(), path, { email: 'late@example.org' })).status, 500);
    await server().database.db.schema.alterTable('sign_up_away').renameTo('sign_up').execute();
  });

  test('that nobody confirmed are forgotten after a month', async () => {
    await post(server(), '/api/newsletter_signups', { email: 'silent@example.org' });
    await server().services.desk.background.idle();
    const kept = async () =>
      (await server().database.db.selectFrom('sign_up').select('email').execute()).map(({ email }) => email);
    server().clock.pass(29 * 24 * HOUR);
    await server().services.desk.prune();
    assert.ok((await kept()).includes('silent@example.org'));
    server().clock.pass(2 * 24 * HOUR);
    await server().services.desk.prune();
    assert.ok(!(await kept()).includes('silent@example.org'));
  });

  test('without scripts lead back to their page', async () => {
    for (const [path, email, outcome] of [
      ['/newsletter', 'reader@example.org', 'sent'],
      ['/newsletter', '   ', 'email-missing'],
      ['/guides/affiliates', 'partner@example.org', 'sent'],
      ['/guides/affiliates', '', 'email-missing'],
      ['/newsletter', 'notanemail', 'email-invalid'],
      ['/guides/affiliates', 'a@b', 'email-invalid'],
    ] as const) {
      const answer = await submit(server(), path, { email });
      assert.equal(answer.status, 303);
      assert.equal(answer.headers.get('location'), `${path}?outcome=${outcome}`);
    }
    const foreign = await submit(
      server(),
      '/newsletter',
      { email: 'a@example.org' },
      { origin: 'https://evil.example' },
    );
    assert.equal(foreign.status, 403);
  });
});

withServer('limits of the site', { RATE_LIMITS: 'default' }, (server) => {
  test('hold for sign-ups, look-ups and letters; counts of visits are dropped without a word', async () => {
    for (let count = 0; count < 5; count += 1)
      assert.equal(
        (await post(server(), '/api/newsletter_signups', { email: 'one@example.org' })).status,
        200,
      );
    assert.equal((await post(server(), '/api/newsletter_signups', { email: 'one@example.org' })).status, 429);
    await server().services.desk.background.idle();
    assert.equal(server().letters.length, 1);
    const looks = [];
    for (let count = 0; count < 31; count += 1)
      looks.push((await server().ask('/api/affiliate_promo_codes/NONE')).status);
    assert.deepEqual([looks.slice(0, 30).every((status) => status === 404), looks[30]], [true, 429]);
    for (let count = 0; count < 40; count += 1)
      assert.equal((await post(server(), '/api/landing/pl', { ref: null, is_first: false })).status, 200);
    await server().services.desk.background.idle();
    const [counted] = await server().services.desk.visits.since(1);
    assert.equal(counted?.count, 30);
  });

  test('are said on the page to people without scripts, and in a refusal to programs', async () => {
    const told = async (path: string, headers: Record<string, string>, email = 'reader@example.org') => {
      const answer = await submit(server(), path, { email }, headers);
      return [answer.status, answer.headers.get('location')];
    };
    const failed = (path: string) => [303, `${path}?outcome=failed`];
    for (const path of ['/newsletter', '/guides/affiliates', '/forgot-password', '/contact']) {
      assert.deepEqual(await told(path, { ...asPerson, origin: 'https://evil.example' }), failed(path));
      for (let count = 0; count < 25; count += 1) await told(path, asPerson, '');
      assert.deepEqual(await told(path, asPerson), failed(path));
      assert.equal((await told(path, {}))[0], 429);
    }
  });
});

withServer('a forgotten password', {}, (server) => {
  const NEW = 'seven lanterns over water';

  async function askFor(email: string): Promise<string> {
    await post(server(), '/api/sessions/request_password_reset', { email });
    await server().services.desk.background.idle();
    return tokenIn(server().letters.at(-1)!.text);
  }

  const use = async (token: string, password: string) => {
    const answer = await post(server(), '/sessions/reset_password', { token, new_password: password });
    return ((await answer.json()) as { success: boolean }).success;
  };

  test('is replaced by a link that works once; every session ends', async () => {
    const person = await server().signUp('person@example.org');
    const token = await askFor('Person@example.org');
    assert.equal(await use(token, 'short'), false);
    assert.equal(await use(token, NEW), true);
    assert.equal(await use(token, 'another good one here'), false);
    assert.equal((await server().ask('/app/api/me', { cookie: person.cookie })).status, 401);
    const signIn = (password: string) =>
      post(server(), '/app/api/sign_in', { email: 'person@example.org', password });
    assert.equal((await signIn(GOOD_PASSWORD)).status, 401);
    assert.equal((await signIn(NEW)).status, 200);
    assert.match(server().letters.at(-1)!.subject, /was changed/);
  });

  test('links end after half an hour, with the next link, and with another password', async () => {
    await server().signUp('late@example.org');
    const late = await askFor('late@example.org');
    server().clock.pass(30 * MINUTE);
    assert.equal(await use(late, NEW), false);
    const first = await askFor('late@example.org');
    const second = await askFor('late@example.org');
    assert.equal(await use(first, NEW), false);
    const account = await server().services.accounts.byEmail('late@example.org');
    await server().services.accounts.setPassword(account!, 'changed meanwhile by hand');
    assert.equal(await use(second, NEW), false);
  });

  test('of two uses at once one succeeds', async () => {
    await server().signUp('twice@example.org');
    const token = await askFor('twice@example.org');
    const outcomes = await Promise.all([use(token, NEW), use(token, NEW)]);
    assert.deepEqual(outcomes.toSorted(), [false, true]);
  });

  test('keeps its link also when what was posted is too long', async () => {
    const fields = { new_password: 'a'.repeat(70_000) };
    for (const path of ['/reset-password', '/confirm']) {
      const answer = await submit(server(), `${path}?token=abc`, fields, asPerson);
      assert.equal(answer.headers.get('location'), `${path}?token=abc&outcome=failed`);
      assert.equal((await submit(server(), `${path}?token=abc`, fields)).status, 413);
    }
  });

  test('asks for the address that is missing, without scripts', async () => {
    const answer = await submit(server(), '/forgot-password', { email: ' ' });
    assert.equal(answer.headers.get('location'), '/forgot-password?outcome=email-missing');
  });

  test('tells nobody whether there is such an account', async () => {
    const before = server().letters.length;
    const answer = await post(server(), '/api/sessions/request_password_reset', {
      email: 'nobody@example.org',
    });
    const known = await post(server(), '/api/sessions/request_password_reset', { email: 'late@example.org' });
    assert.equal(await answer.text(), await known.text());
    await server().services.desk.background.idle();
    assert.deepEqual(
      server()
        .letters.slice(before)
        .map(({ to }) => to),
      ['late@example.org'],
    );
  });

  test('without scripts says what is wrong, and keeps the link', async () => {
    await server().signUp('plain@example.org');
    const token = await askFor('plain@example.org');
    const to = (fields: Record<string, string>) => submit(server(), `/reset-password?token=${token}`, fields);
    for (const [fields, outcome] of [
      [{ new_password: ' ', again: NEW }, 'missing'],
      [{ new_password: NEW, again: `${NEW}!` }, 'mismatch'],
      [{ new_password: 'abc', again: 'abc' }, 'length'],
      [{ new_password: 'passwordpassword', again: 'passwordpassword' }, 'refused'],
    ] as const)
      assert.equal(
        (await to(fields)).headers.get('location'),
        `/reset-password?token=${token}&outcome=${outcome}`,
      );
    const done = await to({ new_password: NEW, again: NEW });
    assert.equal(done.headers.get('location'), '/reset-password?outcome=sent');
  });
});

withServer('releases', { PUBLIC_URL: 'http://localhost' }, (server) => {
  test('are written in markdown and answered newest first, as HTML in which nothing is smuggled', async () => {
    const { releases } = server().services.desk;
    const latest = async () =>
      ((await (await server().ask('/update-check/latest')).json()) as { name: string }).name;
    assert.match(await latest(), /^v\d+\.\d+\.\d+$/, 'this server, as long as nothing is released');
    await releases.write(
      '1.0.0',
      '### New\n\n- Do **this**\n  and that with `[x](y)`\n- <script>alert(1)</script>',
    );
    server().clock.pass(HOUR);
    await releases.write(
      '1.1.0',
      'See [the guide](/guides/api), [this](javascript:alert(1)) & <img onerror=x>.',
    );
    server().clock.pass(HOUR);
    await releases.publish('1.0.0', server().clock.now());
    assert.equal(await latest(), 'v1.0.0');
    server().clock.pass(HOUR);
    await releases.publish('1.1.0', server().clock.now());
    assert.equal(await latest(), 'v1.1.0');
    const { app_releases: list } = (await (await server().ask('/app_releases')).json()) as {
      app_releases: Record<string, string | null>[];
    };
    assert.deepEqual(
      list.map(({ version, made_generally_available_at: at }) => [version, at !== null]),
      [
        ['1.1.0', true],
        ['1.0.0', true],
      ],
    );
    assert.equal(
      list[1]!['release_notes'],
      '<h3>New</h3><ul><li>Do <strong>this</strong> and that with <code>[x](y)</code></li><li>&lt;script&gt;alert(1)&lt;/script&gt;</li></ul>',
    );
    assert.equal(
      list[0]!['release_notes'],
      '<p>See <a href="/guides/api">the guide</a>, [this](javascript:alert(1)) &amp; &lt;img onerror=x&gt;.</p>',
    );
  });

  test('are told to nobody before they are published, nor before the day for which they are', async () => {
    const { releases, fills } = server().services.desk;
    const known = async () => {
      // As long as the list for the pages is used.
      server().clock.pass(5_000);
      const text = async (path: string) => (await server().ask(path)).text();
      const all = {
        call: await text('/app_releases'),
        site: await text('/api/app_releases'),
        feed: await text('/changelog.atom'),
        latest: await text('/update-check/latest'),
        changelog: await fills.releases(),
        front: await fills.news(),
      };
      return Object.entries(all).flatMap(([name, answer]) => (answer.includes('3.0.0') ? [name] : []));
    };
    await releases.write('3.0.0', '- The third.');
    assert.deepEqual(await known(), []);
    const day = server().clock.now() + 24 * HOUR;
    await releases.publish('3.0.0', day);
    assert.deepEqual(await known(), []);
    assert.deepEqual(
      (await releases.all()).map(({ version }) => version),
      ['3.0.0', '1.1.0', '1.0.0'],
    );
    server().clock.pass(24 * HOUR);
    assert.deepEqual(await known(), ['call', 'site', 'feed', 'latest', 'changelog', 'front']);
    const feed = await (await server().ask('/changelog.atom')).text();
    assert.match(feed, new RegExp(`^<updated>${new Date(day).toISOString()}</updated>`, 'm'));
    await server().database.db.deleteFrom('app_release').where('version', '=', '3.0.0').execute();
  });

  test('have a feed with stable ids', async () => {
    const feed = await (await server().ask('/changelog.atom')).text();
    const again = await (await server().ask('/changelog.atom')).text();
    assert.equal(feed, again);
    assert.equal([...feed.matchAll(/<entry>/g)].length, 2);
    assert.match(feed, /<link href="http:\/\/localhost\/changelog#v1-0-0"\/>/);
    assert.doesNotMatch(feed, /<script|<img/);
  });
});

withServer('invitations to lists', {}, (server) => {
  test('are found by their token and by nothing else', async () => {
    const ann = await Person.come(server(), 'ann.bell@example.org');
    const list = await ann.list('Winter “issue”');
    const { link } = await ann.share(list);
    await ann.call('POST profile', { color: '#0090a8' });
    const token = link?.token ?? '';
    const answer = await server().ask(`/api/list_invitations/${token}`);
    assert.deepEqual(await answer.json(), {
      success: true,
      list_name: 'Winter “issue”',
      inviting_user_avatar_initials: 'AB',
      inviting_user_avatar_color_hex_string: '#0090a8',
    });
    for (const other of [`${token}x`, token.slice(1), 'eyJ9', '%27%20OR%201=1'])
      assert.equal((await server().ask(`/api/list_invitations/${other}`)).status, 404);
  });
});

withServer('visits', {}, (server) => {
  test('are counted by day and referral, never for those who ask not to be', async () => {
    const load = (body: unknown, headers = {}) => post(server(), '/landing/pl', body, headers);
    await load({ ref: 'lighthouse', is_first: true });
    await load({ ref: 'lighthouse', is_first: false });
    await load({ ref: null, is_first: false });
    await load({ ref: '<script>', is_first: false });
    await load({ ref: 'quiet', is_first: true }, { 'sec-gpc': '1' });
    await load({ nonsense: true });
    await post(server(), '/landing/dl', { ref: 'lighthouse' });
    await server().services.desk.background.idle();
    const rows = await server().services.desk.visits.since(1);
    assert.deepEqual(
      rows.map(({ what, ref, count }) => [what, ref, count]),
      [
        ['download', 'lighthouse', 1],
        ['first', 'lighthouse', 1],
        ['page', '', 2],
        ['page', 'lighthouse', 2],
      ],
    );
    const kept = await server().database.db.selectFrom('visit_count').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(kept), /127\.0\.0\.1/);
  });
});

withServer('messages', { CONTACT_EMAIL: 'operator@example.org' }, (server) => {
  const message = {
    email: 'writer@example.org',
    subject: 'Stamps\r\nBcc: all@example.org',
    message: 'One?\n\nTwo!',
  };

  test('are kept and mailed, and the answer goes to who wrote', async () => {
    assert.equal((await post(server(), '/api/contact', message)).status, 200);
    const letter = server().letters.at(-1)!;
    assert.deepEqual([letter.to, letter.replyTo], ['operator@example.org', 'writer@example.org']);
    assert.equal(letter.subject, 'Contact: Stamps Bcc: all@example.org');
    const [kept] = await server().database.db.selectFrom('contact_message').selectAll().execute();
    assert.equal(kept?.message, 'One?\n\nTwo!');
  });

  test('without scripts say what became of them', async () => {
    const answer = await submit(server(), '/contact', message);
    assert.equal(answer.headers.get('location'), '/contact?outcome=sent');
    const empty = await submit(server(), '/contact', {
      email: 'writer@example.org',
      subject: ' ',
      message: '',
    });
    assert.equal(empty.headers.get('location'), '/contact?outcome=email-missing');
  });
});
