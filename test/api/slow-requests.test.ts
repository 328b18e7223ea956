// Requests that come slowly, break off, or come to this machine under a name of somebody else's; over real connections.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '#server/config.ts';
import { startServer, type RunningServer } from '#server/server.ts';
import { protocolVersion } from '#wire/version.ts';
import { GOOD_PASSWORD, cookieOf, weakHash } from './harness.ts';

const PATIENCE = { bodyMs: 300, stepMs: 300, stepBytes: 1_000 };

describe('requests that come slowly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthaste-slow-'));
  const logged: string[] = [];
  let server: RunningServer;
  let origin: string;
  let upload: string;
  let cookie: string;

  before(async () => {
    const read = readConfig({ PORT: '0', DATA_DIR: folder, BACKUPS: 'off', RATE_LIMITS: 'off' });
    assert.ok(read.ok);
    const write = (line: string) => void logged.push(line);
    server = await startServer(read.value, { hashParameters: weakHash, patience: PATIENCE, write });
    origin = `http://localhost:${server.port}`;
    const response = await fetch(`${origin}/app/api/sign_up`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'person@example.org', password: GOOD_PASSWORD }),
    });
    cookie = cookieOf(response);
    const { personalScope } = (await response.json()) as { personalScope: string };
    upload = `/app/api/files/${personalScope}`;
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  function begin(path: string, length: number): Socket {
    const socket = connect(server.port, '127.0.0.1');
    const type = path.startsWith(upload) ? 'application/octet-stream' : 'application/json';
    const head = [`POST ${path} HTTP/1.1`, `Host: localhost:${server.port}`, `Origin: ${origin}`];
    const more = [`Cookie: ${cookie}`, `Content-Type: ${type}`, `Content-Length: ${length}`];
    socket.write([...head, ...more, '', ''].join('\r\n'));
    return socket;
  }

  async function said(socket: Socket): Promise<string> {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, 'close');
    return text;
  }

  /** The next line of the log that says this of a request. */
  async function lineWith(status: number): Promise<{ readonly level: string; readonly route: string }> {
    for (let n = 0; ; n += 1) {
      if (n > 200_000) throw new Error(logged.join(''));
      const line = logged.find((each) => each.includes(`"status":${status}`));
      if (line !== undefined) return JSON.parse(line) as { level: string; route: string };
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The address of a public link, by the calls of the app. */
  async function publicPage(): Promise<string> {
    await server.database.db.updateTable('account').set({ verified_at: 1 }).execute();
    const call = async (path: string, body: unknown) => {
      const headers = { origin, cookie, 'content-type': 'application/json' };
      const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as { readonly links?: readonly { readonly token: string }[] };
    };
    const scope = upload.slice(upload.lastIndexOf('/') + 1);
    const [list, device, u] = Array.from({ length: 3 }, () => crypto.randomUUID());
    const fields = { listType: 'list', name: 'Trip' };
    const made = { a: 'create', id: list, type: 'list', fields, place: { parent: scope } };
    const ops = [{ q: 1, u, scope, t: 0, b: 0, ...made }];
    await call('/sync/v1', { schema: protocolVersion, device, clientNow: 0, ack: 0, cursors: {}, ops });
    const { links } = await call(`/app/api/sharing/lists/${list}/links`, {});
    return `${origin}/p/${links?.[0]?.token}`;
  }

  test('[PUBLIC-1] an answer may take longer than a request: a page that listens is not cut off', async () => {
    const stream = await fetch(`${await publicPage()}/stream`);
    const heard = stream.body?.getReader();
    assert.ok(heard);
    await heard.read();
    const slow = begin('/app/api/sign_in', 1_000);
    assert.match(await said(slow), /^HTTP\/1\.1 408/);
    await server.database.db.updateTable('public_link').set({ paused_at: 1 }).execute();
    await server.services.publicLinks.streams.check();
    assert.match(Buffer.from((await heard.read()).value ?? []).toString(), /"over"/);
    assert.equal((await heard.read()).done, true);
  });

  test('a body that does not arrive in time is refused with 408, however often a byte comes', async () => {
    const socket = begin('/app/api/sign_in', 1_000);
    const dripping = setInterval(() => socket.write('x'), 40);
    socket.on('error', () => undefined);
    const answer = await said(socket);
    clearInterval(dripping);
    assert.match(answer, /^HTTP\/1\.1 408 /);
  });

  test('[ACC-28] what a body held back asks for is not done once its session has ended', async () => {
    const signedUp = await fetch(`${origin}/app/api/sign_up`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'held@example.org', password: GOOD_PASSWORD }),
    });
    const own = cookieOf(signedUp);
    const text = JSON.stringify({ name: 'Kept', access: 'write' });
    const ask = (method: string, path: string) =>
      fetch(`${origin}${path}`, { method, headers: { origin, cookie: own } });
    const hold = async (path: string) => {
      const socket = connect(server.port, '127.0.0.1');
      const head = [`POST ${path} HTTP/1.1`, `Host: localhost:${server.port}`, `Origin: ${origin}`];
      const more = [`Cookie: ${own}`, 'Content-Type: application/json', `Content-Length: ${text.length}`];
      // The server says when it has read the head.
      socket.write([...head, ...more, 'Expect: 100-continue', 'Connection: close', '', ''].join('\r\n'));
      const [going] = (await once(socket, 'data')) as [Buffer];
      assert.equal(going.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      return async () => {
        socket.write(text);
        await once(socket, 'close');
        return answer;
      };
    };
    // The one asks again by itself before it answers; the other leaves that to the pipeline.
    const paths = ['/app/api/tokens', '/app/api/mail_address'];
    const inTime = await Promise.all(paths.map(hold));
    const good = await Promise.all(inTime.map((send) => send()));
    assert.deepEqual(
      good.map((answer) => answer.slice(9, 12)),
      ['200', '403'],
      'as long as the session is good, they are answered',
    );
    const late = await Promise.all(paths.map(hold));
    assert.equal((await ask('POST', '/app/api/sign_out')).status, 200);
    for (const send of late) {
      const answer = await send();
      assert.match(answer, /^HTTP\/1\.1 401 /);
      assert.doesNotMatch(answer, /"token"/);
    }
  });

  test('[ACC-28] a file whose upload outlives its session is not taken', async () => {
    const signedUp = await fetch(`${origin}/app/api/sign_up`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'uploads@example.org', password: GOOD_PASSWORD }),
    });
    const own = cookieOf(signedUp);
    const { personalScope: scope } = (await signedUp.json()) as { personalScope: string };
    const content = Buffer.alloc(1_000_000, 'b');
    const hash = createHash('sha256').update(content).digest('hex');
    const socket = connect(server.port, '127.0.0.1');
    const head = [`POST /app/api/files/${scope}/${hash} HTTP/1.1`, `Host: localhost:${server.port}`];
    const more = [`Origin: ${origin}`, `Cookie: ${own}`, 'Content-Type: application/octet-stream'];
    const end = [`Content-Length: ${content.length}`, 'Expect: 100-continue', 'Connection: close', '', ''];
    socket.write([...head, ...more, ...end].join('\r\n'));
    await once(socket, 'data');
    const answer = said(socket);
    // It keeps coming for as long as signing out takes, so that nothing else ends it.
    let sent = 0;
    const send = (bytes: number) => {
      socket.write(content.subarray(sent, sent + bytes));
      sent += bytes;
    };
    send(1_000);
    const coming = setInterval(() => send(1_000), 20);
    const out = await fetch(`${origin}/app/api/sign_out`, {
      method: 'POST',
      headers: { origin, cookie: own },
    });
    clearInterval(coming);
    assert.equal(out.status, 200);
    send(content.length - sent);
    assert.match(await answer, /^HTTP\/1\.1 401 /);
  });

  test('a connection that says nothing is closed', async () => {
    const socket = connect(server.port, '127.0.0.1');
    assert.match(await said(socket), /^HTTP\/1\.1 408 /);
  });

  test('an upload may take long while it keeps coming, and is cut off when it does not', async () => {
    const content = Buffer.alloc(12_000, 'a');
    const hash = createHash('sha256').update(content).digest('hex');
    const socket = begin(`${upload}/${hash}`, content.length);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const startedAt = performance.now();
    for (let sent = 0; sent < content.length; sent += 1_000) {
      socket.write(content.subarray(sent, sent + 1_000));
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    while (!answer.includes('"bytes"')) await once(socket, 'data');
    assert.ok(performance.now() - startedAt > PATIENCE.bodyMs * 2);
    assert.match(answer, /^HTTP\/1\.1 200 /);
    socket.destroy();

    const stalled = begin(`${upload}/${'0'.repeat(64)}`, content.length);
    stalled.write(content.subarray(0, 5_000));
    assert.match(await said(stalled), /^HTTP\/1\.1 408 /);
  });

  test('an upload that is broken off is nobody’s failure: no error in the log, no 503 in the figures', async () => {
    logged.length = 0;
    const socket = begin(`${upload}/${'1'.repeat(64)}`, 9_000);
    await new Promise<void>((resolve) => socket.write(Buffer.alloc(2_000), () => resolve()));
    socket.destroy();
    const line = await lineWith(499);
    assert.equal(line.level, 'info');
    assert.equal(line.route, 'POST /app/api/files/:scope/:name');
    assert.ok(!logged.some((each) => each.includes('request_failed')));
    assert.doesNotMatch(server.services.metrics.text(), /files[^\n]*status="5xx"/);
  });

  test('figures are for this machine under its own name, whatever name leads to it', async () => {
    const statusAs = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const asked = request(
          { port: server.port, host: '127.0.0.1', path: '/metrics', headers: { host } },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        asked.once('error', reject);
        asked.end();
      });
    for (const host of ['localhost', `localhost:${server.port}`, `127.0.0.1:${server.port}`, '[::1]'])
      assert.equal(await statusAs(host), 200, host);
    for (const host of [
      'evil.example',
      `evil.example:${server.port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ])
      assert.equal(await statusAs(host), 404, host);
  });
});
