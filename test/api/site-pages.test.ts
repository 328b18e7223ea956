// The public site as the server hands it out, from a small site made for the test: headers, encodings, old addresses, outcomes,
// what leads elsewhere, hosts, and addresses that try to get out of the folder.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { createTestServer, type TestServer } from './harness.ts';

const LONG = 'words '.repeat(400);
const page = (text: string) =>
  `<!doctype html><link rel="canonical" href="%ORIGIN%/"><p>${text}</p><span data-fill="releases"></span><span data-fill="news"></span>`;

const FILES: Readonly<Record<string, string>> = {
  'site.json': JSON.stringify({
    pages: {
      '/': { file: 'pages/index.html', isSecret: false, outcomes: {} },
      '/a': { file: 'pages/a.html', isSecret: false, outcomes: {} },
      '/changelog': { file: 'pages/changelog.html', isSecret: false, outcomes: {} },
      '/newsletter': {
        file: 'pages/newsletter.html',
        isSecret: false,
        outcomes: { sent: 'pages/newsletter~sent.html' },
      },
      '/reset-password': { file: 'pages/reset.html', isSecret: true, outcomes: {} },
      '/download': { file: 'pages/download.html', isSecret: false, outcomes: {} },
      '/404': { file: 'pages/404.html', isSecret: false, outcomes: {} },
    },
    guides: ['api'],
    redirects: { '/guides/logging-with-api': '/guides/api' },
  }),
  'pages/index.html': page(LONG),
  'pages/a.html': page('invitation'),
  'pages/changelog.html': page('changelog'),
  'pages/newsletter.html': page('newsletter'),
  'pages/newsletter~sent.html': page('joined'),
  'pages/reset.html': page('reset'),
  'pages/download.html': page('no installer'),
  'pages/404.html': page('not found'),
  'files/assets/page-abc.js': `/* ${LONG} */`,
  'files/media/clip.mp4': '0123456789',
  'files/speculation-rules.json': '{}',
  'files/robots.txt': 'Sitemap: %ORIGIN%/sitemap.xml',
  'files/.well-known/security.txt': 'Expires: %EXPIRES%',
  'files/.secret/plan.txt': 'hidden',
  'secret.txt': 'outside of what is served',
};

const asPerson = { accept: 'text/html,*/*' };

describe('pages of the site', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-pages-'));
  let server: TestServer;
  before(async () => {
    for (const [path, content] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    server = await createTestServer({
      siteFolder: root,
      environment: {
        PUBLIC_URL: 'https://posthaste.example',
        APP_HOST: 'app.posthaste.example',
        API_HOST: 'api.posthaste.example',
        SOCIAL_URL: 'https://social.example/posthaste',
      },
    });
  });
  after(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });

  const get = (path: string, headers: Record<string, string> = {}, host = 'posthaste.example') =>
    server.ask(`http://${host}${path}`, { headers });

  test('come compressed, with the origin written out, and only once', async () => {
    const first = await get('/', { 'accept-encoding': 'br' });
    assert.equal(first.headers.get('content-encoding'), 'br');
    assert.equal(first.headers.get('cache-control'), 'public, no-cache');
    const text = brotliDecompressSync(new Uint8Array(await first.arrayBuffer())).toString('utf8');
    assert.match(text, /href="https:\/\/posthaste\.example\/"/);
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/', { 'accept-encoding': 'br', 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.equal((await get('/', { 'if-none-match': etag })).status, 200);
    assert.match(await (await get('/robots.txt')).text(), /https:\/\/posthaste\.example\/sitemap\.xml/);
    assert.match(await (await get('/.well-known/security.txt')).text(), /^Expires: 2027-05-19T/);
  });

  test('have a strict policy, and tell no address that holds a secret', async () => {
    const answer = await get('/reset-password?token=abc');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal((await get('/')).headers.get('referrer-policy'), 'strict-origin-when-cross-origin');
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
  });

  test('may be kept for the way back, name what to fetch ahead, and promise HTTPS', async () => {
    const { headers } = await server.ask('https://posthaste.example/');
    assert.doesNotMatch(headers.get('cache-control') ?? '', /no-store/);
    assert.equal(headers.get('strict-transport-security'), 'max-age=63072000; includeSubDomains');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\)/);
    assert.equal(headers.get('speculation-rules'), '"/speculation-rules.json"');
    const rules = await get('/speculation-rules.json');
    assert.equal(rules.headers.get('content-type'), 'application/speculationrules+json');
  });

  test('keep hashed files for ever', async () => {
    const answer = await get('/assets/page-abc.js', { 'accept-encoding': 'gzip' });
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(answer.headers.get('content-encoding'), 'gzip');
  });

  test('give films in parts', async () => {
    const ask = async (range?: string) => {
      const answer = await get('/media/clip.mp4', range === undefined ? {} : { range });
      return [answer.status, answer.headers.get('content-range'), await answer.text()];
    };
    assert.deepEqual(await ask(), [200, null, '0123456789']);
    assert.equal((await get('/media/clip.mp4')).headers.get('accept-ranges'), 'bytes');
    assert.deepEqual(await ask('bytes=0-1'), [206, 'bytes 0-1/10', '01']);
    assert.deepEqual(await ask('bytes=8-'), [206, 'bytes 8-9/10', '89']);
    assert.deepEqual(await ask('bytes=-3'), [206, 'bytes 7-9/10', '789']);
    assert.deepEqual(await ask('bytes=5-99'), [206, 'bytes 5-9/10', '56789']);
    for (const wrong of ['bytes=10-', 'bytes=4-2']) assert.equal((await ask(wrong))[0], 416);
    const { headers } = await get('/media/clip.mp4');
    for (const [known, status] of [
      [headers.get('etag') ?? '', 206],
      ['"another build"', 200],
    ] as const) {
      const answer = await get('/media/clip.mp4', { range: 'bytes=0-1', 'if-range': known });
      assert.equal(answer.status, status, known);
    }
    for (const unknown of ['bytes=-', 'lines=1-2', 'bytes=0-1,4-5'])
      assert.equal((await ask(unknown))[0], 200);
  });

  test('are one for all invitations, and one for each outcome', async () => {
    assert.match(await (await get('/a/ANY%2FTHING')).text(), /invitation/);
    for (const path of ['/a/CODE/more', '/a//CODE'])
      assert.equal((await get(path, asPerson)).status, 404, path);
    assert.match(await (await get('/newsletter?outcome=sent')).text(), /joined/);
    for (const other of ['nothing', '__proto__', 'constructor', ''])
      assert.match(await (await get(`/newsletter?outcome=${other}`)).text(), /<p>newsletter/);
  });

  test('have their place on the changelog for what is only known now', async () => {
    const { releases } = server.services.desk;
    await releases.write('1.0.0', '- One & <two>');
    await releases.publish('1.0.0', server.clock.now());
    // As long as the list is used.
    server.clock.pass(5_000);
    const text = await (await get('/changelog')).text();
    assert.match(text, /id="v1-0-0".*<li>One &amp; &lt;two&gt;<\/li>/);
    assert.doesNotMatch(text, /data-fill="releases"/);
  });

  test('tell on the front page of the latest three releases, and of nothing where there are none', async () => {
    const { releases } = server.services.desk;
    const front = async () => {
      server.clock.pass(5_000);
      const response = await get('/');
      return { etag: response.headers.get('etag') ?? '', text: await response.text() };
    };
    const before = await front();
    const links = (text: string) => [...text.matchAll(/href="\/changelog#([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(links(before.text), ['v1-0-0']);
    for (const version of ['1.1.0', '1.2.0', '2.0.0']) {
      server.clock.pass(1_000);
      await releases.write(version, `### New\n\n- Do **${version}** & %ORIGIN%\n- More`);
      await releases.publish(version, server.clock.now());
    }
    const { text, etag } = await front();
    assert.deepEqual(links(text), ['v2-0-0', 'v1-2-0', 'v1-1-0']);
    assert.match(text, /<p>Do <strong>2\.0\.0<\/strong> &amp; %ORIGIN%<\/p>/);
    assert.doesNotMatch(text, /More/);
    assert.notEqual(etag, before.etag);
    assert.equal((await get('/', { 'if-none-match': etag })).status, 304);
    // As proxies write it that compress by themselves.
    assert.equal((await get('/', { 'if-none-match': `"other", W/${etag}` })).status, 304);
    await server.database.db.deleteFrom('app_release').execute();
    assert.match((await front()).text, /<span data-fill="releases"><\/span>$/);
  });

  test('have a front page also when releases cannot be read', async () => {
    await server.database.db.schema.alterTable('app_release').renameTo('app_release_away').execute();
    server.clock.pass(5_000);
    const response = await get('/');
    assert.deepEqual([response.status, /<section/.test(await response.text())], [200, false]);
    await server.database.db.schema.alterTable('app_release_away').renameTo('app_release').execute();
  });

  test('that moved or never were', async () => {
    const moved = await get('/guides/logging-with-api');
    assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/guides/api']);
    const unknown = await get('/guides/nothing');
    assert.deepEqual([unknown.status, unknown.headers.get('location')], [302, '/guides']);
    const slash = await get('/newsletter/?x=1');
    assert.deepEqual([slash.status, slash.headers.get('location')], [308, '/newsletter?x=1']);
    // Whoever sent the visitor is not forgotten on the way.
    for (const path of ['/guides/logging-with-api', '/guides/nothing'])
      assert.match((await get(`${path}?ref=anna`)).headers.get('location') ?? '', /\?ref=anna$/);
    assert.equal((await get('//evil.example/')).status, 404);
    const missing = await get('/nothing', asPerson);
    assert.equal(missing.status, 404);
    assert.match(await missing.text(), /not found/);
    assert.match((await get('/nothing')).headers.get('content-type') ?? '', /json/);
    assert.equal((await get('/404', asPerson)).status, 404);
  });

  test('lead elsewhere when the operator says where', async () => {
    const social = await get('/go/social');
    assert.deepEqual(
      [social.status, social.headers.get('location')],
      [302, 'https://social.example/posthaste'],
    );
    assert.match(await (await get('/download')).text(), /no installer/);
  });

  test('give an installer to those who can use it, and to phones what they can', async () => {
    const from = 'https://updates.example/posthaste.dmg';
    const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)' };
    const mac = { 'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' };
    const store = 'https://apps.example/posthaste';
    for (const [environment, onMac, onPhone] of [
      [{ DOWNLOAD_URL: from }, from, '/ios'],
      [{ DOWNLOAD_URL: from, APP_STORE_URL: store }, from, store],
      [{ APP_STORE_URL: store }, null, store],
      [{}, null, null],
    ] as const) {
      const other = await createTestServer({ siteFolder: root, environment });
      for (const [headers, expected] of [
        [mac, onMac],
        [phone, onPhone],
        [mac, onMac],
      ] as const) {
        const answer = await other.ask('/download', { headers });
        assert.deepEqual([answer.status, answer.headers.get('location')], [expected ? 302 : 200, expected]);
        if (expected === null) assert.match(await answer.text(), /no installer/);
      }
      // An iPad calls itself a Mac. The pages' links know better.
      const tablet = await other.ask('/download?for=ios', { headers: mac });
      assert.equal(tablet.headers.get('location'), onPhone);
      await other.close();
    }
  });

  test('are not on the hosts of the app and the API', async () => {
    const app = await get('/', asPerson, 'app.posthaste.example');
    assert.deepEqual([app.status, app.headers.get('location')], [302, '/app/']);
    assert.equal((await get('/newsletter', asPerson, 'app.posthaste.example')).status, 404);
    assert.match(
      (await get('/newsletter', asPerson, 'api.posthaste.example')).headers.get('content-type') ?? '',
      /json/,
    );
  });

  test('are all that the folder gives', async () => {
    const tries = [
      '/../secret.txt',
      '/..%2Fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/..%2F..%2F..%2Fsecret.txt',
      '/.secret/plan.txt',
      '/site.json',
      '/pages/index.html',
      '/%00',
      '/%',
      '/..%5Csecret.txt',
    ];
    for (const path of tries) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      assert.doesNotMatch(await answer.text(), /outside|hidden/);
    }
  });
});
