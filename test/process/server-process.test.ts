// The server as a process: what it prints, how it stops, and what its exit codes say.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serverFlags } from '../../scripts/pinned-node.mjs';

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));

const RUN = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url));

/** Where Linux says how many connections may wait to be accepted. */
const SOMAXCONN = '/proc/sys/net/core/somaxconn';

/** So long the first signal lets requests end before it ends the process all the same (main.ts). */
const FIRST_SIGNAL_MS = 15_000;

interface Running {
  readonly child: ChildProcess;
  /** Resolves with the address when it is ready; rejects when it ends before. */
  readonly ready: Promise<string>;
  readonly ended: Promise<number | null>;
  readonly output: () => string;
}

describe('the server process', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-process-'));
  const started: ChildProcess[] = [];
  after(() => {
    for (const child of started) child.kill('SIGKILL');
    rmSync(root, { recursive: true });
  });

  function run(environment: Readonly<Record<string, string>>): Running {
    const child = spawn(process.execPath, [...serverFlags, MAIN], {
      env: { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: join(root, 'data'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let output = '';
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const ready = new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        const address = /^Posthaste is ready at (\S+)$/m.exec(output)?.[1];
        if (address !== undefined) resolve(address);
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      void ended.then((code) => reject(new Error(`ended with ${code}: ${output}`)));
    });
    // Those who expect it to end do not wait for this.
    ready.catch(() => undefined);
    return { child, ready, ended, output: () => output };
  }

  test('npm starts it, and the operator’s commands, so that text never becomes code and no name a prototype', async () => {
    const told = 'console.log(`flags ${process.execArgv.join(" ")}`)';
    const child = spawn(process.execPath, [RUN, 'admin', 'help'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(told)}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    await once(child, 'close');
    assert.ok(output.includes(`flags ${serverFlags.join(' ')}`), output);
    assert.match(readFileSync(RUN, 'utf8'), /SERVERS = \['start', 'admin'\]/);
  });

  test('prints what is not set up and a line when it answers, and ends with 0 on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { child, ready, ended, output } = run({});
      const address = await ready;
      assert.match(address, /^http:\/\/localhost:\d+$/);
      const response = await fetch(`${address}/readyz`);
      assert.match(await response.text(), /^ready\n(?:disk low\n)?not set up: public-url, outgoing-mail, /);
      assert.match(output(), /^Not set up [^\n]*\n {2}public-url: [^\n]*\n {2}outgoing-mail: /m);
      child.kill(signal);
      assert.equal(await ended, 0, output());
      const left = statSync(join(root, 'data', 'posthaste.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
      assert.equal(left, 0, 'nothing is left in the log of the database');
      assert.match(output(), /"event":"stopped"/);
    }
  });

  test('those who come back while it is busy wait for it and are answered', { timeout: 30_000 }, async () => {
    const { child, ready, ended } = run({});
    const { port } = new URL(await ready);
    const allowed = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 128;
    const sockets: Socket[] = [];
    child.kill('SIGSTOP');
    for (let count = Math.min(1_000, allowed); count > 0; count -= 1)
      sockets.push(connect({ host: '127.0.0.1', port: Number(port) }));
    // None of these connections is refused or has to be begun again, although nobody accepts them.
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answers = sockets.map(async (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
      return String((await once(socket, 'data'))[0]).slice(9, 12);
    });
    child.kill('SIGCONT');
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['200']));
    for (const socket of sockets) socket.destroy();
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
  });

  test('a second signal ends it at once', async () => {
    const { child, ready, ended, output } = run({});
    const address = await ready;
    // A request that never ends keeps the first signal's shutdown waiting.
    const hanging = connect({ host: '127.0.0.1', port: Number(new URL(address).port) });
    const head = ['POST /app/api/sign_in HTTP/1.1', 'host: localhost', `origin: ${address}`];
    const body = ['content-type: application/json', 'content-length: 100', 'expect: 100-continue'];
    hanging.write(`${[...head, ...body].join('\r\n')}\r\n\r\n`);
    // The server has the request and asks for its content.
    assert.match(String((await once(hanging, 'data'))[0]), /^HTTP\/1\.1 100 /);
    hanging.on('error', () => undefined);
    const startedAt = performance.now();
    child.kill('SIGTERM');
    await new Promise<void>((resolve) =>
      child.stdout?.on('data', () => output().includes('"stopping"') && resolve()),
    );
    child.kill('SIGTERM');
    assert.equal(await ended, 1);
    assert.ok(performance.now() - startedAt < FIRST_SIGNAL_MS, 'not the first signal ended it');
    hanging.destroy();
  });

  test('a wrong variable ends it with 2 and is named, without its value', async () => {
    const { ended, output } = run({ PORT: 'http', DATABASE_URL: 'mysql://name:hunter2@host/db' });
    assert.equal(await ended, 2);
    assert.match(output(), /^PORT isn't a port number\.$/m);
    assert.match(output(), /^DATABASE_URL isn't a URL/m);
    assert.ok(!output().includes('hunter2'));
  });

  test('a port in use ends it with 1 and a sentence', async () => {
    const first = run({});
    const port = new URL(await first.ready).port;
    const second = run({ PORT: port, DATA_DIR: join(root, 'second') });
    assert.equal(await second.ended, 1);
    assert.match(second.output(), new RegExp(`^Port ${port} is already in use\\.`, 'm'));
    first.child.kill('SIGTERM');
    assert.equal(await first.ended, 0);
  });

  test('a variable for something this version lacks is pointed out', async () => {
    const { child, ready, ended, output } = run({ FILES_HOST: 'files.example.org' });
    await ready;
    child.kill('SIGTERM');
    await ended;
    // Its two outputs come by two pipes: only now is all of both here.
    assert.match(output(), /^FILES_HOST is set, but this version doesn't use it\.$/m);
  });
});
