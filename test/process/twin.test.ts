// `posthaste twin` as a process that watches a folder beside a running server: files and tasks follow each other, also when it is
// killed in the middle.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lastingPort } from './lasting-port.ts';
import { PASSWORD, type ServerChild, signUp, startServerChild } from './server-child.ts';

const PROGRAM = fileURLToPath(new URL('../../scripts/posthaste.mjs', import.meta.url));
const PATIENCE_MS = 90_000;

describe('a twin as a process', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-twin-'));
  const folder = join(root, 'tasks');
  let server: ServerChild;
  let twin: ChildProcess | null = null;
  let said = '';

  const run = async (...words: string[]) => {
    const child = start(words);
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    if (words[0] === 'login') child.stdin?.end(`${PASSWORD}\n`);
    await once(child, 'close');
    return out;
  };
  const start = (words: readonly string[]) =>
    spawn(process.execPath, [PROGRAM, ...words], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', HOME: root, TZ: 'Europe/Paris' },
    });
  const keep = () => {
    said = '';
    twin = start(['twin', 'tasks', '--every', '5']);
    for (const stream of [twin.stdout, twin.stderr])
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  };
  const kill = async (signal: NodeJS.Signals) => {
    const ending = twin;
    twin = null;
    if (!ending) return;
    const end = once(ending, 'close');
    ending.kill(signal);
    await end;
  };
  /** Waits for what has to come; how long it takes says nothing. */
  const until = async (what: string, test_: () => boolean | Promise<boolean>) => {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(100)) if (await test_()) return;
    throw new Error(`never: ${what}\n${said}`);
  };
  const file = (name = 'Inbox.md') => join(folder, name);
  const text = (name?: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '');
  const listed = () => run('list', '--status', 'all', '--all');
  /** As Vim saves: a new file takes the place of the old one. */
  const save = (content: string, name?: string) => {
    writeFileSync(join(folder, '4913'), '');
    writeFileSync(`${file(name)}~`, content);
    renameSync(`${file(name)}~`, file(name));
    rmSync(join(folder, '4913'));
  };

  before(async () => {
    server = await startServerChild(join(root, 'data'), {
      PORT: String(await lastingPort()),
      RATE_LIMITS: 'off',
    });
    await signUp(server.address, 'ada@example.org');
    await run('login', '--url', server.address, '--email', 'ada@example.org');
    await run('add', 'First task');
  });
  after(async () => {
    await kill('SIGKILL');
    await server.kill();
    rmSync(root, { recursive: true });
  });

  test('[TWIN-1] [TWIN-12] files and tasks follow each other', async () => {
    keep();
    await until('the file', () => text().includes('First task'));
    save(`${text()}- [ ] From the file\n`);
    await until('the task', async () => (await listed()).includes('From the file'));
    await until('its mark', () => /From the file \^[0-9a-f]{12}$/m.test(text()));
    await run('add', 'From the server');
    await until('the line', () => text().includes('From the server'));
    renameSync(file(), file('Start.md'));
    await until('the name', async () => (await run('lists')).includes('Start'));
    const whole = text('Start.md');
    save(`<<<<<<< HEAD\n${whole}=======\n>>>>>>> other\n`, 'Start.md');
    await until('the sentence', () => said.includes('conflict markers'));
    assert.match(await listed(), /From the file/);
    save(whole, 'Start.md');
    await kill('SIGINT');
    assert.equal(existsSync(join(folder, '.posthaste', 'lock')), false);
  });

  test('[TWIN-2] [TWIN-12] goes on after being killed, and does nothing twice', async () => {
    for (let turn = 1; turn <= 5; turn += 1) {
      keep();
      save(`${text('Start.md')}- [ ] Turn ${turn}\n  - [ ] Under ${turn}\n`, 'Start.md');
      await pause(150 * turn);
      await kill('SIGKILL');
    }
    await run('twin', 'tasks', '--once');
    const tasks = await listed();
    for (let turn = 1; turn <= 5; turn += 1) {
      assert.equal(tasks.split(`Turn ${turn}`).length, 2, tasks);
      assert.equal(text('Start.md').split(`Under ${turn} ^`).length, 2, text('Start.md'));
    }
    assert.match(await run('twin', 'tasks', '--once'), /^In step\.$/m);
  });
});
