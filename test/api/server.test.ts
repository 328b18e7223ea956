// One server from start to stop: files, limits that outlive it, requests under way, ports that are taken.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startServer } from '#server/server.ts';
import { cookieOf, createManualClock, GOOD_PASSWORD, testConfig, weakHash } from './harness.ts';

describe('a server', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-server-'));
  after(() => rmSync(root, { recursive: true }));

  const configOf = (name: string, environment: Record<string, string> = {}) =>
    testConfig({ PORT: '0', DATA_DIR: join(root, name), ...environment });
  const start = (name: string, environment: Record<string, string> = {}) =>
    startServer(configOf(name, environment), { hashParameters: weakHash });

  async function signUp(port: number, email: string): Promise<Response> {
    const origin = `http://localhost:${port}`;
    const headers = { 'content-type': 'application/json', origin };
    return fetch(`${origin}/app/api/sign_up`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, password: GOOD_PASSWORD }),
    });
  }

  test('says where it is, and its files are its owner’s alone', async () => {
    const before = process.umask(0o077);
    const server = await start('files');
    process.umask(before);
    assert.equal(server.url, `http://localhost:${server.port}`);
    const response = await signUp(server.port, 'a@example.org');
    assert.equal(response.status, 200);
    assert.equal(statSync(join(root, 'files')).mode & 0o777, 0o700);
    for (const name of readdirSync(join(root, 'files')))
      assert.equal(statSync(join(root, 'files', name)).mode & 0o077, 0, name);
    await server.close();
    await assert.rejects(fetch(`${server.url}/healthz`));
  });

  test('accounts and sessions outlive it', async () => {
    const first = await start('again');
    const cookie = cookieOf(await signUp(first.port, 'a@example.org'));
    await first.close();
    const second = await start('again');
    const me = await fetch(`${second.url}/app/api/me`, { headers: { cookie } });
    assert.equal(me.status, 200);
    await second.close();
  });

  test('limits outlive it', async () => {
    const limited = { RATE_LIMITS: 'sign_up_ip=2/1h' };
    const first = await start('limits', limited);
    assert.equal((await signUp(first.port, 'a@example.org')).status, 200);
    assert.equal((await signUp(first.port, 'b@example.org')).status, 200);
    await first.close();
    const second = await start('limits', limited);
    const third = await signUp(second.port, 'c@example.org');
    assert.equal(third.status, 429);
    assert.ok(Number(third.headers.get('retry-after')) > 3_500);
    await second.close();
  });

  test('a request under way is answered before it stops, and closing twice is closing once', async () => {
    const server = await start('drain');
    const body = JSON.stringify({ email: 'a@example.org', password: GOOD_PASSWORD });
    const headers = { 'content-type': 'application/json', origin: server.url, expect: '100-continue' };
    const asked = request(`${server.url}/app/api/sign_up`, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    });
    asked.flushHeaders();
    await once(asked, 'continue');
    const closing = [server.close(), server.close()];
    asked.end(body);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    response.resume();
    await Promise.all(closing);
  });

  test('a port that is taken leaves nothing open', async () => {
    const first = await start('port-1');
    await assert.rejects(start('port-2', { PORT: String(first.port) }), { code: 'EADDRINUSE' });
    const second = await start('port-2');
    await second.close();
    await first.close();
  });

  test('metrics have a port of their own for this machine', async () => {
    const probe = await start('probe');
    const { port } = probe;
    await probe.close();
    const server = await start('metrics', { METRICS_PORT: String(port) });
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    assert.match(await response.text(), /^posthaste_sockets 0$/m);
    assert.equal((await fetch(`http://127.0.0.1:${port}/other`)).status, 404);
    await server.close();
  });

  test('two requests smuggled as one are refused', async () => {
    const server = await start('raw');
    const answerTo = (raw: string) =>
      new Promise<string>((resolve, reject) => {
        let answer = '';
        const socket = connect(server.port, '127.0.0.1', () => socket.write(raw));
        socket.on('data', (chunk) => (answer += chunk.toString()));
        socket.on('close', () => resolve(answer));
        socket.on('error', reject);
      });
    const both =
      'POST /sync/v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    assert.match(await answerTo(both), /^HTTP\/1\.1 400 /);
    assert.match(
      await answerTo(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`),
      /^HTTP\/1\.1 431 /,
    );
    await server.close();
  });

  test('time is handed in', async () => {
    const clock = createManualClock();
    const lines: string[] = [];
    const config = { ...configOf('clock'), logLevel: 'info' as const };
    const server = await startServer(config, {
      clock,
      hashParameters: weakHash,
      write: (line) => void lines.push(line),
    });
    await server.close();
    assert.ok(
      lines.every((line) => line.startsWith('{"time":"2026-11-20T12:00:00.000Z"')),
      lines.join(''),
    );
    assert.match(lines.at(-1) ?? '', /"event":"stopped"/);
  });
});
