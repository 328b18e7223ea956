// The program of the desktop app at a real server: files of the build, requests with the session that only the program knows, sockets, links,
// quick entry, and what it does for the page.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  appPage as appPath,
  bridgeFile,
  originOf,
  ownFiles,
  serverPage as serverPath,
} from '#desktop/app-files.ts';
import { DesktopProgram, selectedTasksFile } from '#desktop/program.ts';
import type { PageRequest } from '#desktop/serving.ts';
import { MemoryKeychain, NodeShell } from '../desktop/node-shell.ts';
import { PASSWORD, startServerChild, type ServerChild } from './server-child.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
/** The host of the first profile. */
const HOST = 'desktop';
const appPage = originOf(HOST) + appPath;
const serverPage = originOf(HOST) + serverPath;
const PATIENCE_MS = 10_000;

function request(method: string, path: string, body?: unknown): PageRequest {
  const sent = body === undefined ? null : new TextEncoder().encode(JSON.stringify(body));
  return {
    method,
    path,
    headers: { 'content-type': 'application/json', cookie: 'posthaste-session=of-the-page' },
    body: sent,
  };
}

describe('the program of the desktop app', () => {
  let folder = '';
  let server: ServerChild;
  const built = () => join(folder, 'app');

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-desktop-'));
    mkdirSync(join(built(), 'assets'), { recursive: true });
    writeFileSync(join(built(), 'index.html'), '<!doctype html><html><head><title>x</title></head></html>');
    writeFileSync(join(built(), 'assets/index-1.js'), 'export {};');
    writeFileSync(join(built(), 'assets/script-worker-1.js'), 'export {};');
    for (const file of ownFiles)
      writeFileSync(join(built(), file), file.endsWith('.html') ? '<html><head></head></html>' : '');
    writeFileSync(join(folder, 'secret.txt'), 'not of the app');
    server = await startServerChild(join(folder, 'data'));
  });
  after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function started(name: string, keychain?: MemoryKeychain, at: string | null = server.address) {
    const shell = new NodeShell({ built: built(), own: join(folder, name) }, keychain);
    const program = new DesktopProgram(shell);
    await program.start(at);
    return { shell, program };
  }

  async function until(isSo: () => boolean, what: string): Promise<void> {
    for (const end = performance.now() + PATIENCE_MS; !isSo(); await delay(20))
      assert.ok(performance.now() < end, what);
  }

  test('[DESK-7] answers the files of the app with their policy, the page with our script first, and nothing outside of them', async () => {
    const { program } = await started('files');
    for (const path of ['/app', '/app/', '/app/?quick', '/app/open?u=posthaste%3Atoday', '/app/open/lists']) {
      const answer = await program.answer(HOST, request('GET', path));
      assert.equal(answer?.status, 200, path);
      assert.match(
        text(answer.body),
        new RegExp(
          `<head><meta name="posthaste-server" content="${server.address}" /><script src="/app/${bridgeFile}">`,
        ),
      );
      assert.match(
        answer.headers['content-security-policy'] ?? '',
        /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
      );
    }
    const script = await program.answer(HOST, request('GET', '/app/assets/index-1.js'));
    assert.equal(script?.headers['content-type'], 'text/javascript; charset=utf-8');
    const worker = await program.answer(HOST, request('GET', '/app/assets/script-worker-1.js'));
    assert.match(worker?.headers['content-security-policy'] ?? '', /wasm-unsafe-eval/);
    for (const path of [
      '/app/../secret.txt',
      '/app/..%2fsecret.txt',
      '/app/assets/../../secret.txt',
      '/app/none.js',
      '/app//etc/passwd',
    ])
      assert.equal((await program.answer(HOST, request('GET', path)))?.status, 404, path);
  });

  test('[DESK-8] signs in with a session that is in the keychain and never in the page, and keeps it over a start', async () => {
    const keychain = new MemoryKeychain();
    const { program, shell } = await started('session', keychain);
    const before_ = await program.answer(HOST, request('GET', '/app/api/security'));
    assert.equal(before_?.status, 401, 'a cookie of the page counts for nothing');
    const made = await program.answer(
      HOST,
      request('POST', '/app/api/sign_up', { email: 'ida@example.org', password: PASSWORD, terms: true }),
    );
    assert.equal(made?.status, 200, text(made?.body ?? new Uint8Array()));
    assert.equal(made.headers['set-cookie'], undefined);
    assert.equal(keychain.kept.size, 1);
    const [[name, kept] = ['', '']] = keychain.kept;
    assert.equal(name, `session ${server.address}`);
    assert.match(kept, /^[\w-]+=[\w.-]+$/);
    for (const file of readdirSync(join(folder, 'session')))
      assert.ok(!readFileSync(join(folder, 'session', file), 'utf8').includes(kept), file);
    // The server is in the settings by now.
    const next = await started('session', keychain, null);
    assert.equal((await next.program.answer(HOST, request('GET', '/app/api/security')))?.status, 200);
    await next.program.answer(HOST, request('POST', '/app/api/sign_out'));
    assert.equal(keychain.kept.size, 0);
    assert.equal((await next.program.answer(HOST, request('GET', '/app/api/security')))?.status, 401);
    assert.deepEqual(shell.external, []);
  });

  test('[DESK-9] without a keychain the session lasts until the program ends', async () => {
    const keychain = new MemoryKeychain();
    keychain.isLocked = true;
    const { program } = await started('locked', keychain);
    await program.answer(
      HOST,
      request('POST', '/app/api/sign_up', { email: 'ben@example.org', password: PASSWORD, terms: true }),
    );
    assert.equal((await program.answer(HOST, request('GET', '/app/api/security')))?.status, 200);
    const next = await started('locked', keychain, null);
    assert.equal((await next.program.answer(HOST, request('GET', '/app/api/security')))?.status, 401);
  });

  test('[DESK-10] holds the sockets of the page with its session, and closes them with it', async () => {
    const { program, shell } = await started('sockets');
    await program.answer(
      HOST,
      request('POST', '/app/api/sign_up', { email: 'eve@example.org', password: PASSWORD, terms: true }),
    );
    const heard = (type: string) =>
      shell.told.filter(({ message }) => (message as { type: string }).type === type);
    program.heard('main@desktop', JSON.stringify({ type: 'connect', socket: 'one', path: '/live' }));
    await until(() => heard('opened').length === 1, 'it opens');
    program.heard('main@desktop', JSON.stringify({ type: 'connect', socket: 'one', path: '/live' }));
    assert.equal(heard('closed').length, 1, 'the same one is not opened twice');
    program.left('main@desktop');
    await until(() => heard('closed').length === 2, 'it closes');
    program.heard(
      'main@desktop',
      JSON.stringify({ type: 'connect', socket: 'two', path: '//elsewhere.example/' }),
    );
    await until(() => heard('closed').length === 3, 'no other server is asked');
  });

  test('[DESK-11] without a server, or without an answer, pages open all the same', async () => {
    const { program } = await started('nowhere', undefined, null);
    assert.equal((await program.answer(HOST, request('GET', '/app/')))?.status, 200);
    assert.equal(await program.answer(HOST, request('GET', '/app/api/security')), null);
    assert.equal(await program.chooseServer(HOST, '127.0.0.1:1'), null);
    assert.equal(await program.answer(HOST, request('GET', '/app/api/security')), null);
    assert.match((await program.chooseServer(HOST, 'no address')) ?? '', /no address/);
    assert.equal(program.settings.profiles[0]?.server, 'http://127.0.0.1:1');
  });

  test('[DESK-18] without a server the first page asks for one, once; what is typed there is taken or said to be none', async () => {
    const { program, shell } = await started('asking', undefined, null);
    program.open(null);
    program.open(null);
    assert.deepEqual(shell.shown, [`main@desktop ${serverPage}`, `main@desktop ${appPage}`]);
    for (const path of ['/app/server', '/app/server.js', '/app/server.css', `/app/${bridgeFile}`]) {
      const answer = await program.answer(HOST, request('GET', path));
      assert.equal(answer?.status, 200, path);
      assert.match(answer.headers['content-security-policy'] ?? '', /script-src 'self';/);
    }
    const answers = () =>
      shell.told.map(({ message }) => message).filter((said) => (said as { type: string }).type === 'server');
    program.heard('main@desktop', JSON.stringify({ type: 'server', address: 'no address' }));
    await until(() => answers().length === 1, 'it is refused');
    program.heard(
      'main@desktop',
      JSON.stringify({ type: 'server', address: server.address.replace('http://', '') }),
    );
    await until(() => answers().length === 2, 'it is taken');
    const [refused, taken] = answers() as { problem: string | null }[];
    assert.match(refused?.problem ?? '', /no address/);
    assert.deepEqual(taken, { type: 'server', problem: null });
    assert.equal(program.settings.profiles[0]?.server, server.address);
    const next = await started('asking', undefined, null);
    next.program.open(null);
    assert.deepEqual(next.shell.shown, [`main@desktop ${appPage}`]);
  });

  test('[DESK-12] links wait for the page, the system-wide key opens quick entry alone, and what is done goes', async () => {
    const { program, shell } = await started('links');
    program.open('posthaste:quick-entry?title=Early');
    program.open('https://example.org/');
    program.open(null);
    assert.deepEqual(
      shell.shown,
      Array.from({ length: 3 }, () => `main@desktop ${appPage}`),
    );
    program.heard('main@desktop', JSON.stringify({ type: 'ready' }));
    program.open('web+posthaste:today');
    const links = shell.told.flatMap(({ window, message }) => {
      const { type, link } = message as { type: string; link?: string };
      return type === 'link' ? [`${window} ${link}`] : [];
    });
    assert.deepEqual(links, [
      'main@desktop posthaste:quick-entry?title=Early',
      'main@desktop web+posthaste:today',
    ]);
    shell.press?.();
    assert.equal(shell.shown.at(-1), `quick@desktop ${appPage}?quick`);
    program.heard('quick@desktop', JSON.stringify({ type: 'ready' }));
    assert.deepEqual(shell.told.at(-1), { window: 'quick@desktop', message: { type: 'quick' } });
    program.heard('quick@desktop', JSON.stringify({ type: 'done' }));
    assert.deepEqual(shell.hidden, ['quick@desktop']);
  });

  test('[DESK-13] another key can be chosen, and it is said that another program has it', async () => {
    const { program, shell } = await started('keys');
    assert.ok(shell.press !== null);
    shell.othersKeys.add('Ctrl+Alt+K');
    assert.equal(await program.chooseKey('Ctrl+Alt+K'), false);
    assert.equal(shell.press, null);
    assert.equal(await program.chooseKey('Ctrl+Alt+J'), true);
    assert.equal(await program.chooseKey(null), true);
    const { program: next } = await started('keys', undefined, null);
    assert.equal(next.settings.key, null);
  });

  test('[DESK-14] what is selected lies in one file of the app, for its person alone, and always whole', async () => {
    const { program } = await started('selected');
    const selected = JSON.stringify({ selected_task_ids: [], list_id: null });
    program.heard('main@desktop', JSON.stringify({ type: 'selected', text: selected }));
    const path = join(folder, 'selected', selectedTasksFile);
    await until(() => readdirSync(join(folder, 'selected')).includes(selectedTasksFile), 'it is written');
    assert.equal(readFileSync(path, 'utf8'), selected);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  test('[DESK-15] notes and the number of due tasks are the system’s; choosing a note leads to its task', async () => {
    const { program, shell } = await started('notes');
    program.heard('main@desktop', JSON.stringify({ type: 'badge', count: 3 }));
    program.heard(
      'main@desktop',
      JSON.stringify({ type: 'notice', task: 't1', title: 'Call', body: '9:00' }),
    );
    shell.choose();
    program.heard('main@desktop', JSON.stringify({ type: 'withdraw', task: 't1' }));
    assert.deepEqual([shell.badges, shell.withdrawn], [[3], ['t1']]);
    assert.deepEqual(shell.told.at(-1), { window: 'main@desktop', message: { type: 'chosen', task: 't1' } });
  });

  test('[DESK-16] a page leads to other programs only by addresses that are safe to open, and to our pages at the server', async () => {
    const { program, shell } = await started('leaving');
    for (const address of [
      'https://example.org/a',
      'mailto:ann@example.org',
      'posthaste-app://desktop/guides/labels',
      ['javascript', 'alert(1)'].join(':'),
      'file:///etc/passwd',
      'data:text/html,x',
      'smb://example.org/',
    ])
      program.leave('main@desktop', address);
    assert.deepEqual(shell.external, [
      'https://example.org/a',
      'mailto:ann@example.org',
      `${server.address}/guides/labels`,
    ]);
    program.leave('main@desktop', 'posthaste:today');
    assert.equal(shell.shown.at(-1), `main@desktop ${appPage}`);
  });

  test('[DESK-17] what a page says that the program doesn’t know changes nothing', async (t) => {
    const warned = t.mock.method(console, 'warn', () => undefined);
    const { program, shell } = await started('unknown');
    for (const said of [
      '',
      '{',
      '[]',
      '{"type":"openExternal","address":"x"}',
      '{"type":"badge","count":-1}',
      '{"type":"notice","task":1}',
    ])
      program.heard('main@desktop', said);
    assert.deepEqual([shell.external, shell.badges, shell.notices, shell.told], [[], [], [], []]);
    assert.equal(warned.mock.callCount(), 6);
  });
});
