// Nothing that people type or carry gets into logs, metrics or answers to strangers: canaries in every input, then a
// search of everything that was written.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createServer as createTcpServer } from 'node:net';
import { createLogger, errorDetail } from '#server/observe/log.ts';
import { createManualClock, createTestServer } from './harness.ts';

const CANARY = 'canary7351';

describe('the log', () => {
  test('holds no canary of any input', async () => {
    const server = await createTestServer({ environment: { RATE_LIMITS: 'sign_up_ip=3/1h' } });
    const password = `${CANARY}-password-1`;
    const email = `${CANARY}@example.org`;
    const signedUp = await server.ask('/app/api/sign_up', { method: 'POST', body: { email, password } });
    const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { personalScope } = (await signedUp.json()) as { personalScope: string };
    const token = cookie.split('=')[1] ?? '';
    const headers = {
      'user-agent': `${CANARY}-agent`,
      referer: `http://localhost/${CANARY}-referer`,
      'accept-language': `${CANARY}-language`,
      'x-forwarded-for': `${CANARY}-forwarded`,
      'x-request-id': `${CANARY}-request`,
      [`x-${CANARY}`]: `${CANARY}-header`,
      'if-none-match': `${CANARY}-tag`,
      'accept-encoding': `${CANARY}-encoding`,
    };
    const operation = {
      q: 1,
      u: '0190f3a0-0000-7000-8000-000000000011',
      scope: personalScope,
      t: 1,
      b: 0,
      a: 'create',
      id: '0190f3a0-0000-7000-8000-000000000012',
      type: 'setting',
      fields: { key: `${CANARY}-key`, value: `${CANARY}-value` },
    };
    const push = {
      schema: 1,
      device: '0190f3a0-0000-7000-8000-000000000001',
      clientNow: 1,
      ops: [operation],
      ack: 0,
      cursors: {},
    };
    for (const path of [
      `/${CANARY}-path`,
      `/app/${CANARY}-page?${CANARY}-name=${CANARY}-query`,
      `/app/api/${CANARY}`,
      `/app/api/sessions/${CANARY}`,
      `/snapshot/v1/${CANARY}?after=${CANARY}`,
      `/snapshot/v1/${personalScope}?after=${CANARY}`,
      `/metrics?${CANARY}`,
    ])
      for (const method of ['GET', 'POST', 'DELETE', CANARY.toUpperCase()])
        await server.ask(path, { method, cookie, headers });
    for (const path of [
      '/app/api/sign_in',
      '/app/api/sign_up',
      '/sessions/sign_in',
      '/sync/v1',
      '/app/api/sign_out',
    ]) {
      await server.ask(path, { method: 'POST', body: { email, password, [CANARY]: CANARY }, headers });
      await server.ask(path, {
        method: 'POST',
        body: { email: `${CANARY}-2@example.org`, password: `${CANARY}-other` },
        headers,
      });
      await server.ask(path, { method: 'POST', raw: `{"${CANARY}`, cookie, headers });
      await server.ask(path, { method: 'POST', body: push, cookie, bearer: `ph_${CANARY}`, headers });
      await server.ask(path, {
        method: 'POST',
        body: {},
        cookie: `posthaste-session=${CANARY}`,
        headers: { ...headers, origin: `https://${CANARY}.example` },
      });
    }
    const metrics = await (await server.ask('/metrics')).text();
    const events = JSON.stringify(
      await server.database.db.selectFrom('security_event').selectAll().execute(),
    );
    // A defect while all of this is in hand.
    await server.close();
    await server.ask('/app/api/sign_in', { method: 'POST', body: { email, password }, cookie, headers });

    const log = server.logged.join('');
    assert.ok(server.logged.length > 40 && log.includes('"request_failed"'));
    for (const text of [log, metrics, events]) {
      assert.ok(
        !text.toLowerCase().includes(CANARY),
        text.slice(Math.max(0, text.indexOf(CANARY) - 200)).slice(0, 400),
      );
      assert.ok(!text.includes(token.slice(4, 30)));
    }
    assert.ok(!log.includes('127.0.0.1') && !log.includes('example.org'));
  });

  test('every line is JSON with the same few fields', async () => {
    const server = await createTestServer();
    const { cookie, account } = await server.signUp('line@example.org');
    await server.ask('/app/api/me', { cookie });
    await server.close();
    const line = JSON.parse(server.logged.at(-1) ?? '') as Record<string, unknown>;
    assert.deepEqual(Object.keys(line), [
      'time',
      'level',
      'request',
      'method',
      'route',
      'status',
      'ms',
      'account',
      'bytes',
    ]);
    assert.match(String(line['account']), /^[\w-]{12}$/);
    assert.notEqual(line['account'], String(account));
  });

  test('an account has another name every day, and the same within one', () => {
    const clock = createManualClock();
    const lines: string[] = [];
    const log = createLogger({ level: 'info', clock, write: (text) => void lines.push(text) });
    const request = { id: 'x', method: 'GET', route: 'GET /x', status: 200, ms: 1, account: 42, bytes: null };
    log.request(request);
    log.request(request);
    clock.pass(86_400_000);
    log.request(request);
    const names = lines.map((line) => (JSON.parse(line) as { account: string }).account);
    assert.equal(names[0], names[1]);
    assert.notEqual(names[0], names[2]);
  });

  test('levels', () => {
    const lines: string[] = [];
    const log = createLogger({
      level: 'error',
      clock: createManualClock(),
      write: (text) => void lines.push(text),
    });
    log.info('told');
    log.debug('told');
    log.request({ id: 'x', method: 'GET', route: 'GET /x', status: 404, ms: 1, account: null, bytes: null });
    assert.deepEqual(lines, []);
    log.request({ id: 'x', method: 'GET', route: 'GET /x', status: 500, ms: 1, account: null, bytes: null });
    log.error('failed', errorDetail(new Error(CANARY)));
    assert.equal(lines.length, 2);
    assert.ok(!lines.join('').includes(CANARY));
  });

  test('of an error only its class, code and place are kept', async () => {
    const occupied = createTcpServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupied.once('listening', resolve));
    const { port } = occupied.address() as { port: number };
    const second = createTcpServer().listen(port, '127.0.0.1');
    const error = await new Promise<Error>((resolve) => second.once('error', resolve));
    occupied.close();
    assert.equal(errorDetail(error).error, 'Error EADDRINUSE');
    const typed = errorDetail(new TypeError(`${CANARY}\n    at ${CANARY} looks like a frame`));
    assert.equal(typed.error, 'TypeError');
    assert.equal(errorDetail(CANARY).error, 'string');
  });
});
