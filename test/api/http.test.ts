// What every answer has in common: headers, refusals, bodies, origins, hosts, files.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import { settingId, type Id } from '#core/ids.ts';
import { refusalSchema } from '#wire/account.ts';
import { syncResponseSchema, type WirePartPage } from '#wire/sync.ts';
import { createTestServer, type TestServer } from './harness.ts';

const DEVICE = '0190f3a0-0000-7000-8000-000000000001';
const push = (cursors: Record<string, unknown> = {}) => ({
  schema: 1,
  device: DEVICE,
  clientNow: 1,
  ops: [],
  ack: 0,
  cursors,
});
const codeOf = async (response: Response) => refusalSchema.parse(await response.json()).code;

function withServer(
  name: string,
  options: Parameters<typeof createTestServer>[0],
  body: (server: () => TestServer) => void,
) {
  describe(name, () => {
    let server: TestServer | undefined;
    before(async () => {
      server = await createTestServer(options);
    });
    after(() => server?.close());
    body(() => server!);
  });
}

withServer('the route table', {}, (server) => {
  test('every route of the router is a row of the table', () => {
    const { app, routes } = server().services;
    const rows = new Set(routes.map(({ method, path }) => `${method} ${path}`));
    const strays = app.routes.filter(
      ({ method, path }) => method !== 'ALL' && !rows.has(`${method} ${path}`),
    );
    assert.deepEqual(strays, []);
    const served = new Set(app.routes.map(({ method, path }) => `${method} ${path}`));
    assert.deepEqual(
      [...rows].filter((row) => !served.has(row)),
      [],
    );
  });

  test('no two rows answer the same request', () => {
    const names = server().services.routes.map(({ method, path }) => `${method} ${path}`);
    assert.equal(new Set(names).size, names.length);
  });

  test('whatever changes something is behind a cookie with an origin check, or a bearer token', () => {
    // The public site's calls and forms act for nobody: they read no identity, and a secret stands in what needs one.
    const ofNobody =
      /^(?:\/api)?\/(?:affiliate_sign_ups|newsletter_signups|sessions\/(?:reset_password|request_password_reset)|landing\/[pd]l|contact)$|^\/(?:newsletter|guides\/affiliates|forgot-password|reset-password|confirm)$|^\/p\/:token\/changes$/;
    for (const { method, path, access } of server().services.routes)
      if (method !== 'GET' && !ofNobody.test(path))
        assert.notEqual(access.carrier, 'none', `${method} ${path}`);
  });
});

withServer('security headers', {}, (server) => {
  test('every route of the table, and what is not in it, has them', async () => {
    const paths = server().services.routes.map(({ method, path }) => ({
      method,
      path: path.replace('*', 'x').replace(/:\w+/, 'x'),
    }));
    for (const { method, path } of [
      ...paths,
      { method: 'GET', path: '/nowhere' },
      { method: 'PUT', path: '/sync/v1' },
    ]) {
      const { headers } = await server().ask(path, { method });
      const name = `${method} ${path}`;
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';/, name);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, name);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', name);
      assert.ok(headers.get('referrer-policy'), name);
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', name);
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', name);
      const isApp = (headers.get('content-type') ?? '').startsWith('text/html') && path.startsWith('/app/');
      const camera = isApp ? /^camera=\(self\), microphone=\(\)/ : /^camera=\((?:self)?\), microphone=\(\)/;
      assert.match(headers.get('permissions-policy') ?? '', camera, name);
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f]{16}$/, name);
      assert.ok(headers.get('cache-control'), name);
      assert.equal(headers.get('strict-transport-security'), null, `${name}: plain HTTP promises nothing`);
      assert.equal(headers.get('x-powered-by'), null);
    }
  });
});

withServer('refusals', {}, (server) => {
  test('unknown addresses answer 404 in the documented shape', async () => {
    for (const path of [
      '/nowhere',
      '/app/api/nowhere',
      '/api/nowhere',
      '/app/api',
      '/sync',
      '/sync/v1/x',
      '/.env',
      '/app/..%2f..%2fpackage.json',
    ]) {
      const response = await server().ask(path);
      assert.equal(response.status, 404, path);
      const { success: isSuccess, error, message, code } = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([isSuccess, code, error], [false, 'not_found', message], path);
    }
  });

  test('known addresses with another method answer 405 and say which', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/app/api/me', 'GET, HEAD'],
      ['GET', '/sync/v1', 'POST'],
      ['DELETE', '/app', 'GET, HEAD'],
      ['GET', '/sessions/sign_in', 'POST, OPTIONS'],
    ] as const) {
      const response = await server().ask(path, { method });
      assert.equal(response.status, 405, path);
      assert.equal(response.headers.get('allow'), allow);
      assert.equal(await codeOf(response), 'method_not_allowed');
    }
  });

  test('bodies that are not JSON, not UTF-8 or of another type', async () => {
    const send = (raw: BodyInit, type: string) =>
      server().ask('/app/api/sign_in', { method: 'POST', raw, headers: { 'content-type': type } });
    const json = 'application/json';
    assert.equal((await send('{"email":', json)).status, 422);
    assert.equal((await send(new Uint8Array([0x22, 0xff, 0x22]), json)).status, 422);
    assert.equal((await send('{}', 'text/plain')).status, 415);
    assert.equal(
      (await send('{}', 'application/json; charset=utf-8')).status,
      422,
      'read, and found to lack an email',
    );
    assert.equal((await server().ask('/app/api/sign_in', { method: 'POST' })).status, 422);
  });

  test('a body over the limit answers 413, with and without a declared length', async () => {
    const big = JSON.stringify({ email: 'a@example.org', password: 'x'.repeat(100_000) });
    const declared = { 'content-length': String(big.length) };
    assert.equal(
      (await server().ask('/app/api/sign_in', { method: 'POST', raw: big, headers: declared })).status,
      413,
    );
    assert.equal((await server().ask('/app/api/sign_in', { method: 'POST', raw: big })).status, 413);
  });

  test('a defect answers 500 with a reference and nothing of what went wrong', async () => {
    const broken = await createTestServer();
    await broken.signUp('a@example.org');
    await broken.database.close();
    const response = await broken.ask('/app/api/sign_in', {
      method: 'POST',
      body: { email: 'a@example.org', password: 'x' },
    });
    assert.equal(response.status, 500);
    const id = response.headers.get('x-request-id') ?? '';
    const { message } = refusalSchema.parse(await response.json());
    assert.equal(message, `Something went wrong on our side. Reference: ${id}`);
    assert.ok(broken.logged.some((line) => line.includes('"request_failed"') && line.includes(id)));
  });
});

withServer('origins', {}, (server) => {
  const attempt = (headers: Record<string, string>) =>
    server().ask('/app/api/sign_out', { method: 'POST', headers });

  test('only our own pages act with the cookie', async () => {
    const own = 'http://localhost';
    assert.equal((await attempt({ origin: own, 'sec-fetch-site': 'same-origin' })).status, 200);
    const foreign: readonly Record<string, string>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { origin: own, 'sec-fetch-site': 'cross-site' },
      { origin: own, 'sec-fetch-site': 'same-site' },
      { origin: own, 'sec-fetch-site': 'none' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { origin: 'http://localhost:81', 'sec-fetch-site': 'same-origin' },
      { origin: 'https://localhost', 'sec-fetch-site': 'same-origin' },
      { origin: 'http://localhost.evil.example', 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of foreign) {
      const response = await attempt(headers);
      assert.equal(response.status, 403, JSON.stringify(headers));
      assert.equal(await codeOf(response), 'wrong_origin');
    }
  });

  test('without Fetch Metadata the origin must be there and right', async () => {
    const bare = (headers: Record<string, string>) =>
      server().services.app.request('/app/api/sign_out', { method: 'POST', headers });
    assert.equal((await bare({ origin: 'http://localhost' })).status, 200);
    assert.equal((await bare({ origin: 'https://evil.example' })).status, 403);
    assert.equal((await bare({})).status, 403);
    assert.equal((await bare({ referer: 'http://localhost/app' })).status, 403);
  });

  test('reading with the cookie from another site is refused as well', async () => {
    const { cookie } = await server().signUp('reader@example.org');
    const read = (site: string) =>
      server().ask('/app/api/me', { cookie, headers: { 'sec-fetch-site': site } });
    assert.equal((await read('same-origin')).status, 200);
    assert.equal((await read('none')).status, 200);
    assert.equal((await read('cross-site')).status, 403);
    assert.equal((await read('same-site')).status, 403);
  });

  test('[ASVS 3.5] a form of another site cannot sign anybody in', async () => {
    const response = await server().services.app.request('/app/api/sign_in', {
      method: 'POST',
      body: 'email=a%40example.org&password=x',
      headers: {
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    assert.equal(response.status, 403);
  });
});

withServer('compressed bodies', {}, (server) => {
  async function send(raw: Uint8Array<ArrayBuffer>, headers: Record<string, string>, email: string) {
    const { cookie } = await server().signUp(email);
    return server().ask('/sync/v1', { method: 'POST', raw, cookie, headers });
  }
  const gzip = { 'content-encoding': 'gzip' };

  test('gzip is understood where operations are pushed', async () => {
    const response = await send(new Uint8Array(gzipSync(JSON.stringify(push()))), gzip, 'gz1@example.org');
    assert.equal(response.status, 200);
    syncResponseSchema.parse(await response.json());
  });

  test('a bomb is stopped at the limit', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20), { level: 1 }));
    assert.ok(bomb.length < 1024 * 1024, `${bomb.length} bytes`);
    const before = process.memoryUsage().arrayBuffers;
    const response = await send(bomb, gzip, 'gz2@example.org');
    assert.equal(response.status, 413);
    assert.ok(process.memoryUsage().arrayBuffers - before < 20 * 1024 * 1024);
  });

  test('damaged, doubly or otherwise encoded bodies are refused', async () => {
    const bytes = gzipSync(JSON.stringify(push()));
    assert.equal((await send(new Uint8Array(bytes.subarray(0, 20)), gzip, 'gz3@example.org')).status, 422);
    assert.equal(
      (await send(new Uint8Array(bytes), { 'content-encoding': 'gzip, gzip' }, 'gz4@example.org')).status,
      415,
    );
    assert.equal(
      (await send(new Uint8Array(bytes), { 'content-encoding': 'br' }, 'gz5@example.org')).status,
      415,
    );
    const elsewhere = await server().ask('/app/api/sign_in', {
      method: 'POST',
      raw: new Uint8Array(bytes),
      headers: gzip,
    });
    assert.equal(elsewhere.status, 415, 'where nothing large is expected');
  });
});

withServer('compressed answers', {}, (server) => {
  const decoders = {
    zstd: zstdDecompressSync,
    br: brotliDecompressSync,
    gzip: gunzipSync,
  } as const;

  test('a scope is read in parts, and a wrong part or place is named', async () => {
    const { cookie, personalScope } = await server().signUp('parts@example.org');
    const stranger = await server().signUp('stranger-to-parts@example.org');
    const ask = (query: string, as = cookie) =>
      server().ask(`/snapshot/v1/${personalScope}?${query}`, { cookie: as });
    const first = (await (await ask('part=frame')).json()) as WirePartPage;
    assert.equal(first.total, first.rows.length);
    assert.equal(first.next?.part, 'hot');
    const second = (await (await ask(`part=hot&after=${first.next?.after}`)).json()) as WirePartPage;
    assert.deepEqual([second.rows, second.next?.part, second.total], [[], 'cold', undefined]);
    const last = (await (await ask(`part=cold&after=${second.next?.after}`)).json()) as WirePartPage;
    assert.deepEqual([last.rows, last.next], [[], null]);
    for (const [query, field] of [
      ['part=warm', 'part'],
      ['part=', 'part'],
      ['part=hot&after=', 'after'],
      ["part=hot&after=h'%20OR%201=1", 'after'],
      [`part=hot&after=${'h'.repeat(200)}`, 'after'],
    ]) {
      const refused = await ask(query ?? '');
      assert.equal(refused.status, 422, query ?? '');
      const body = (await refused.json()) as { code: string; field: string };
      assert.deepEqual([body.code, body.field], ['invalid', field]);
    }
    assert.equal((await ask('part=frame', stranger.cookie)).status, 404);
    assert.equal((await ask('part=frame', '')).status, 401);
  });

  test('zstd before brotli before gzip, by what is accepted; small ones as they are', async () => {
    const { cookie, personalScope } = await server().signUp('big@example.org');
    const operation = (q: number) => ({
      q,
      u: `0190f3a0-0000-7000-8000-0000000001${String(q).padStart(2, '0')}`,
      scope: personalScope,
      t: 1,
      b: 0,
      a: 'create',
      id: settingId(personalScope as Id, `setting-${q}`),
      type: 'setting',
      fields: { key: `setting-${q}`, value: 'x'.repeat(100) },
    });
    const ops = Array.from({ length: 40 }, (_, number) => operation(number + 1));
    const written = await server().ask('/sync/v1', { method: 'POST', cookie, body: { ...push(), ops } });
    assert.equal(written.status, 200);
    const plain = await (await server().ask(`/snapshot/v1/${personalScope}`, { cookie })).text();
    assert.ok(plain.length > 1_024, 'the settings are there');
    const asked = async (accept: string) =>
      server().ask(`/snapshot/v1/${personalScope}`, { cookie, headers: { 'accept-encoding': accept } });
    for (const [accept, encoding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['zstd;q=0, br;q=0.1, gzip;q=0.5', 'gzip'],
      ['*', 'zstd'],
    ] as const) {
      const response = await asked(accept);
      assert.equal(response.headers.get('content-encoding'), encoding, accept);
      assert.match(response.headers.get('vary') ?? '', /Accept-Encoding/);
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(decoders[encoding](bytes).toString(), plain);
      assert.ok(bytes.length < plain.length / 2);
    }
    for (const accept of ['identity', '', 'deflate']) {
      const response = await asked(accept);
      assert.equal(response.headers.get('content-encoding'), null);
      assert.equal(await response.text(), plain);
    }
    const small = await server().ask('/sync/v1', {
      method: 'POST',
      cookie,
      body: push(),
      headers: { 'accept-encoding': 'gzip' },
    });
    assert.ok(small.ok);
  });

  test('where a secret is answered nothing is compressed', () => {
    for (const { path, compress } of server().services.routes)
      if (/sign_|sessions|\/me$/.test(path)) assert.equal(compress, false, path);
  });
});

describe('files of the app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthaste-files-'));
  let server: TestServer | undefined;
  const ask = (path: string, headers: Record<string, string> = {}) => server!.ask(path, { headers });
  before(async () => {
    mkdirSync(join(folder, 'app/assets'), { recursive: true });
    const script = `console.log("${'posthaste '.repeat(300)}");`;
    writeFileSync(join(folder, 'secret.js'), 'outside');
    writeFileSync(join(folder, 'app/index.html'), '<!doctype html><title>Posthaste</title>');
    writeFileSync(join(folder, 'app/sw.js'), 'self;');
    writeFileSync(join(folder, 'app/manifest.webmanifest'), '{}');
    writeFileSync(join(folder, 'app/assets/index-Ab12_xyZ.js'), script);
    writeFileSync(join(folder, 'app/assets/script-worker-Ab12_xyZ.js'), script);
    writeFileSync(join(folder, 'app/assets/emscripten-module-Ab12_xyZ.wasm'), 'asm');
    writeFileSync(join(folder, 'app/assets/index-Ab12_xyZ.js.gz'), gzipSync(script));
    writeFileSync(join(folder, 'app/assets/index-Ab12_xyZ.js.map'), '{}');
    writeFileSync(join(folder, 'app/.hidden.js'), 'hidden');
    server = await createTestServer({ appFolder: join(folder, 'app') });
  });
  after(async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  test('the page, at every address inside the app, with the app’s policy', async () => {
    for (const path of ['/app/', '/app/list/0190f3a0', '/app/settings?x=1']) {
      const response = await ask(path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(response.headers.get('cache-control'), 'no-cache');
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /script-src 'self';/);
      assert.match(policy, /connect-src 'self' ws:\/\/localhost;/);
      assert.match(policy, /require-trusted-types-for 'script'; trusted-types app$/);
      assert.ok(!/unsafe|\*|data:/.test(policy));
    }
  });

  test('[MACRO-109] the worker of scripts alone may compile WebAssembly, and may ask the network for nothing', async () => {
    const path = '/app/assets/script-worker-Ab12_xyZ.js';
    const first = await ask(path);
    const again = await ask(path, { 'if-none-match': first.headers.get('etag') ?? '' });
    assert.deepEqual([first.status, again.status], [200, 304]);
    for (const { headers } of [first, again])
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
    for (const other of ['/app/', '/app/assets/index-Ab12_xyZ.js', '/app/assets/script-worker-x.js'])
      assert.doesNotMatch((await ask(other)).headers.get('content-security-policy') ?? '', /wasm/, other);
    const engine = await ask('/app/assets/emscripten-module-Ab12_xyZ.wasm');
    assert.equal(engine.headers.get('content-type'), 'application/wasm');
    assert.equal(engine.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  });

  test('[INST-3] the app lives at /app/, and /app leads there with all that was asked', async () => {
    for (const query of ['', '?open=purchase', '?reminder=open&task=a%2Fb']) {
      const response = await ask(`/app${query}`);
      assert.deepEqual([response.status, response.headers.get('location')], [308, `/app/${query}`]);
    }
    assert.equal((await ask('/apple')).status, 404, 'what only begins like it is not the app');
  });

  test('hashed files are kept for ever, compressed as accepted', async () => {
    const response = await ask('/app/assets/index-Ab12_xyZ.js', { 'accept-encoding': 'gzip' });
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.match(gunzipSync(Buffer.from(await response.arrayBuffer())).toString(), /posthaste/);
    const plain = await ask('/app/assets/index-Ab12_xyZ.js');
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.match(await plain.text(), /posthaste/);
  });

  test('an unchanged page is not sent again', async () => {
    const tag = (await ask('/app/')).headers.get('etag') ?? '';
    const again = await ask('/app/', { 'if-none-match': tag });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
    writeFileSync(join(folder, 'app/index.html'), '<!doctype html><title>Posthaste, newer</title>');
    const newer = await ask('/app/', { 'if-none-match': tag });
    assert.match(await newer.text(), /newer/);
  });

  test('the service worker may serve /app itself, and is never kept', async () => {
    const response = await ask('/app/sw.js');
    assert.equal(response.headers.get('service-worker-allowed'), '/app');
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.equal((await ask('/app/assets/index-Ab12_xyZ.js')).headers.get('service-worker-allowed'), null);
  });

  test('nothing outside the folder, nothing hidden, no source maps', async () => {
    const paths = [
      '/app/../secret.js',
      '/app/%2e%2e/secret.js',
      '/app/..%2fsecret.js',
      '/app/..%5csecret.js',
      '/app/.hidden.js',
    ];
    const more = [
      '/app/assets/index-Ab12_xyZ.js.map',
      '/app/assets/missing.js',
      '/app/index.html%00.js',
      '/app/%ff.js',
      '/app/assets//index-Ab12_xyZ.js',
    ];
    for (const path of [...paths, ...more]) {
      const response = await ask(path);
      assert.equal(response.status, 404, path);
      assert.ok(!(await response.text()).includes('outside'));
    }
  });

  test('the front door leads to the app; without an icon browsers are told so quietly', async () => {
    const door = await ask('/');
    assert.deepEqual([door.status, door.headers.get('location')], [302, '/app/']);
    assert.equal((await ask('/favicon.ico')).status, 204);
  });

  test('HEAD answers like GET without a body', async () => {
    const response = await server!.ask('/app/', { method: 'HEAD' });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), '');
  });
});

withServer(
  'several hosts',
  { environment: { API_HOST: 'api.example.org', APP_HOST: 'app.example.org' } },
  (server) => {
    const at = async (host: string, path: string, method = 'GET') =>
      (
        await server().ask(`http://${host}${path}`, {
          method,
          headers: method === 'GET' ? {} : { origin: `http://${host}` },
        })
      ).status;

    test('each answers what is its own', async () => {
      assert.equal(await at('api.example.org', '/sessions/sign_out', 'POST'), 401);
      assert.equal(await at('app.example.org', '/sessions/sign_out', 'POST'), 404);
      assert.equal(await at('api.example.org', '/app/api/me'), 404);
      assert.equal(await at('app.example.org', '/app/api/me'), 401);
      assert.equal(await at('other.example.org', '/app/api/me'), 404);
      for (const host of ['api.example.org', 'app.example.org', 'other.example.org'])
        assert.equal(await at(host, '/healthz'), 200);
    });
  },
);

withServer('addresses for machines', {}, (server) => {
  test('health, readiness with the database, and metrics for this machine only', async () => {
    assert.equal((await server().ask('/healthz')).status, 200);
    assert.equal((await server().ask('/readyz')).status, 200);
    await server().ask('/nowhere/with/a/private-path');
    const metrics = await (await server().ask('/metrics')).text();
    assert.match(metrics, /^posthaste_requests_total\{route="GET \/readyz",status="2xx"\} 1$/m);
    assert.match(metrics, /^posthaste_request_seconds_count\{route="GET \/readyz"\} 1$/m);
    assert.ok(!metrics.includes('private-path'));
    assert.equal((await server().ask('/metrics', { address: '203.0.113.5' })).status, 404);
    assert.equal(
      (await server().ask('/metrics', { headers: { 'x-forwarded-for': '203.0.113.5' } })).status,
      404,
    );
  });

  test('a database that is gone shows within a second', async () => {
    const broken = await createTestServer();
    assert.equal((await broken.ask('/readyz')).status, 200);
    await broken.database.close();
    broken.clock.pass(1_000);
    const response = await broken.ask('/readyz');
    assert.equal(response.status, 503);
    assert.equal(await response.text(), 'not ready\n');
    assert.equal((await broken.ask('/healthz')).status, 200);
  });
});
