// The desktop app on Linux as its person uses it: a real window under a virtual screen, keys from outside, links from the terminal, a real server, a
// kill. What is seen is what the server has: nothing in the app helps these tests.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { must } from '#core/assert.ts';
import { ownFiles } from '#desktop/app-files.ts';
import { buildDesktop } from '../../scripts/desktop-build.ts';
import { packDesktop } from '../../scripts/desktop-package.ts';
import { ROOT } from '../../scripts/files.ts';
import { PASSWORD, startServerChild, type ServerChild } from './server-child.ts';

const PATIENCE_MS = 30_000;
const NEEDED = ['gjs', 'xvfb-run', 'dbus-run-session', 'xdotool', 'gnome-keyring-daemon', 'dpkg-deb', 'gio'];
const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const WEBKIT = 'imports.gi.versions.WebKit2 = "4.1"; imports.gi.WebKit2';
const hasAll =
  process.platform === 'linux' && NEEDED.every(isThere) && spawnSync('gjs', ['-c', WEBKIT]).status === 0;
if (!hasAll)
  console.log(
    'GJS, WebKitGTK or a virtual screen is not on this machine: the desktop app is not opened in it.',
  );

/** A bus that starts no other program: portals would mount file systems. */
const BUS = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`;

const HANDLERS = `[Default Applications]
x-scheme-handler/posthaste=app.posthaste.Desktop.desktop
x-scheme-handler/web+posthaste=app.posthaste.Desktop.desktop
`;

/** One screen with one person's session, in which programs are started by lines of a shell. */
class Desktop {
  readonly home = mkdtempSync(join(tmpdir(), 'posthaste-desk-'));
  readonly #shell: ChildProcess;
  #said = '';
  #step = 0;

  /** `installed`: where the package was unpacked. */
  constructor(installed: string) {
    const data = join(this.home, '.local/share');
    // As a desktop writes it down once its person has chosen the app for these links.
    mkdirSync(join(this.home, '.config'), { recursive: true });
    writeFileSync(join(this.home, '.config/mimeapps.list'), HANDLERS);
    const env = {
      ...process.env,
      HOME: this.home,
      PATH: `${join(installed, 'usr/bin')}:${process.env['PATH']}`,
      XDG_DATA_HOME: data,
      XDG_DATA_DIRS: `${join(installed, 'usr/share')}:/usr/local/share:/usr/share`,
      XDG_CONFIG_HOME: join(this.home, '.config'),
      XDG_CACHE_HOME: join(this.home, '.cache'),
      LANG: 'C.UTF-8',
      NO_AT_BRIDGE: '1',
    };
    const screen = ['-a', '-s', '-screen 0 1280x900x24', 'bash'];
    const bus = join(this.home, 'bus.conf');
    writeFileSync(bus, BUS);
    this.#shell = spawn('dbus-run-session', ['--config-file', bus, '--', 'xvfb-run', ...screen], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    this.#shell.stdout?.on('data', (part: Buffer) => (this.#said += part.toString()));
  }

  /** Runs lines of a shell, and resolves with what they print. */
  async run(lines: string): Promise<string> {
    this.#step += 1;
    const mark = `step ${this.#step} is over`;
    const from = this.#said.length;
    this.#shell.stdin?.write(`${lines}\necho '${mark}'\n`);
    for (const end = performance.now() + PATIENCE_MS; !this.#said.includes(mark, from); await delay(20))
      assert.ok(performance.now() < end, `${lines}\n${this.#said.slice(from)}`);
    return this.#said.slice(from).replace(mark, '').trim();
  }

  /** Starts the app beside what follows. */
  start(...args: readonly string[]): Promise<string> {
    const given = args.map((arg) => `'${arg}'`).join(' ');
    return this.run(`posthaste-desktop ${given} >>${this.home}/app.log 2>&1 &`);
  }

  /** Opens a link as any other program does. */
  open(link: string): Promise<string> {
    return this.run(`gio open '${link}' 2>&1`);
  }

  /** Waits for a window by its name, and gives it the keys. */
  async window(name: string): Promise<void> {
    for (const end = performance.now() + PATIENCE_MS; ; await delay(100)) {
      const found = await this.run(`xdotool search --onlyvisible --name '${name}' | head -1`);
      if (found !== '') {
        await this.run(`xdotool windowfocus --sync ${found}`);
        return;
      }
      assert.ok(performance.now() < end, `no window ${name}: ${this.log()}`);
    }
  }

  log(): string {
    const path = join(this.home, 'app.log');
    return existsSync(path) ? readFileSync(path, 'utf8').slice(-2_000) : '';
  }

  async end(): Promise<void> {
    if (this.#shell.pid !== undefined && this.#shell.exitCode === null) {
      const ended = once(this.#shell, 'exit');
      process.kill(-this.#shell.pid, 'SIGKILL');
      await ended;
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Account {
  readonly cookie: string;
  readonly token: string;
}

/** The titles of an account, as a program with a token sees them. */
async function titlesOf(address: string, { token }: Account): Promise<readonly string[]> {
  const answer = await fetch(`${address}/api/tasks`, { headers: { authorization: `Bearer ${token}` } });
  const { tasks } = (await answer.json()) as { tasks: readonly { title: string }[] };
  return tasks.map(({ title }) => title).toSorted();
}

async function post(
  address: string,
  path: string,
  { cookie, body }: { readonly cookie: string; readonly body: unknown },
) {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address, cookie },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
  return answer;
}

async function expectLists(address: string, { token }: Account, expected: readonly string[]): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await delay(200)) {
    const answer = await fetch(`${address}/api/lists`, { headers: { authorization: `Bearer ${token}` } });
    const { lists } = (await answer.json()) as { lists: readonly { name: string }[] };
    const found = lists.map(({ name }) => name).toSorted();
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    assert.ok(performance.now() < end, JSON.stringify(found));
  }
}

/** Signs in beside the app, to see what is at the server. */
async function lookInto(address: string, email: string): Promise<Account> {
  const signedIn = await post(address, '/app/api/sign_in', {
    cookie: '',
    body: { email, password: PASSWORD },
  });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await post(address, '/app/api/confirm', { cookie, body: { password: PASSWORD } });
  const made = await post(address, '/app/api/tokens', { cookie, body: { name: 'look', access: 'read' } });
  return { cookie, token: ((await made.json()) as { token: string }).token };
}

async function expectTitles(
  address: string,
  account: Account,
  expected: readonly string[],
  log: () => string,
) {
  for (const end = performance.now() + PATIENCE_MS; ; await delay(200)) {
    const found = await titlesOf(address, account);
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    assert.ok(performance.now() < end, `${JSON.stringify(found)}\n${log()}`);
  }
}

describe('the files of the desktop app', () => {
  test('[DESK-19] are those of the web app with the program and its own pages, and nothing that a server needs', async () => {
    await buildDesktop();
    const folder = join(ROOT, 'dist/desktop');
    const names = readdirSync(folder).toSorted();
    assert.deepEqual(names, [...ownFiles, 'app', 'main.js'].toSorted());
    const files = readdirSync(join(folder, 'app'), { recursive: true }).map(String);
    assert.ok(files.includes('index.html') && files.some((file) => /^assets\/index-.*\.js$/.test(file)));
    assert.deepEqual(
      files.filter((file) => /\.(?:br|gz|map)$|(?:^|\/)sw\.js$/.test(file)),
      [],
    );
    const program = readFileSync(join(folder, 'main.js'), 'utf8');
    const imported = [...program.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name = '']) => name);
    assert.ok(
      imported.length > 3 && imported.every((name) => name === 'gi' || name.startsWith('gi://')),
      imported.join(' '),
    );
  });
});

describe('the desktop app on Linux', () => {
  if (!hasAll) return;

  let folder = '';
  let server: ServerChild | undefined;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-desk-server-'));
    const unpacked = spawnSync('dpkg-deb', ['-x', await packDesktop(), join(folder, 'installed')]);
    assert.equal(unpacked.status, 0);
    server = await startServerChild(join(folder, 'data'));
  });
  after(async () => {
    await server?.kill();
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  test('[DESK-20] [DESK-21] [DESK-22] [DESK-23] opens without a server, takes links, an account, the key of the system and a kill, and loses nothing', async () => {
    const { address } = must(server, 'the server runs');
    const desktop = new Desktop(join(folder, 'installed'));
    try {
      await desktop.run(
        `printf 'pw\\n' | gnome-keyring-daemon --daemonize --unlock --components=secrets >/dev/null 2>&1`,
      );
      // The server is not there yet, and a link comes with the start.
      mkdirSync(join(desktop.home, '.local/share/posthaste'), { recursive: true });
      writeFileSync(
        join(desktop.home, '.local/share/posthaste/settings.json'),
        JSON.stringify({ server: 'http://127.0.0.1:1', key: 'Ctrl+Alt+Space' }),
      );
      await desktop.start('posthaste:quick-entry?title=First+start');
      await desktop.window('^Posthaste$');
      await delay(4_000);
      await desktop.run('pkill -f lib/posthaste/main.js; sleep 0.5');

      await desktop.start('--server', address);
      await desktop.window('^Posthaste$');
      await delay(3_000);
      await desktop.run(
        `xdotool key ctrl+k; sleep 0.7; xdotool type --delay 20 'Create an account'; sleep 0.5; xdotool key Return; sleep 1`,
      );
      await desktop.run(
        `xdotool type --delay 20 'ida@example.org'; xdotool key Tab; xdotool type --delay 20 '${PASSWORD}'; xdotool key Return; sleep 3`,
      );
      const account = await lookInto(address, 'ida@example.org');
      await expectTitles(address, account, ['First start'], () => desktop.log());

      // While it runs, from the terminal.
      await desktop.open('posthaste:quick-entry?title=From+the+terminal&dueAtQuery=tomorrow+9am');
      await expectTitles(address, account, ['First start', 'From the terminal'], () => desktop.log());
      // Each is a program of its own, so the next waits for what it needs.
      await desktop.open('web+posthaste:create-list?name=Trip');
      await desktop.open('posthaste://create-folder?name=Work');
      await expectLists(address, account, ['Inbox', 'Trip', 'Work']);
      await desktop.open('posthaste:create-list/path/Work?name=Plans');
      await expectLists(address, account, ['Inbox', 'Plans', 'Trip', 'Work']);
      await desktop.open('posthaste:quick-entry/path/Work/Plans?title=In+plans');
      await expectTitles(address, account, ['First start', 'From the terminal', 'In plans'], () =>
        desktop.log(),
      );
      // Off until its person allows it. This way of opening it ends once the app has heard of it: windows come to the front by then.
      await desktop.run(`posthaste-desktop 'posthaste:get-selected-tasks'`);

      // The key of the system, in whatever program one is.
      await desktop.run('xdotool key ctrl+alt+space');
      await desktop.window('^New task');
      await delay(3_000);
      await desktop.run(`xdotool type --delay 30 'Quickly'; sleep 0.3; xdotool key Return; sleep 0.5`);
      await expectTitles(address, account, ['First start', 'From the terminal', 'In plans', 'Quickly'], () =>
        desktop.log(),
      );
      const left = await desktop.run(`xdotool search --onlyvisible --name '^New task' || true`);
      assert.equal(left, '', 'the small window is gone');

      await desktop.window('^Posthaste$');
      await desktop.run(
        `xdotool key ctrl+Return; xdotool type --delay 30 'Before the kill'; xdotool key Escape; sleep 0.3; pkill -9 -f lib/posthaste/main.js; sleep 1`,
      );
      await desktop.start();
      await desktop.window('^Posthaste$');
      await expectTitles(
        address,
        account,
        ['Before the kill', 'First start', 'From the terminal', 'In plans', 'Quickly'],
        () => desktop.log(),
      );
      assert.deepEqual(readdirSync(join(desktop.home, '.local/share/posthaste')).toSorted(), [
        'pages',
        'settings.json',
      ]);
    } finally {
      await desktop.end();
    }
  });
});
