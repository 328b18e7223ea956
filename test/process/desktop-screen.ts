// One screen with one person's session for tests of the desktop app on Linux: a bus, a virtual screen, keys from outside, a keychain, and a look at
// what the server has.
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
import { setTimeout as delay } from 'node:timers/promises';
import { PASSWORD } from './server-child.ts';

export const PATIENCE_MS = 30_000;
const NEEDED = ['gjs', 'xvfb-run', 'dbus-run-session', 'xdotool', 'gnome-keyring-daemon', 'dpkg-deb', 'gio'];
const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const WEBKIT = 'imports.gi.versions.WebKit2 = "4.1"; imports.gi.WebKit2';
/** Whether this machine has everything that a screen needs. */
export const hasAll =
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
export class Desktop {
  readonly home = mkdtempSync(join(tmpdir(), 'posthaste-desk-'));
  /** Where the session has its sockets. */
  readonly runtime = join(this.home, 'run');
  readonly #shell: ChildProcess;
  #said = '';
  #step = 0;
  #listened = 0;

  get #logFile(): string {
    return join(this.home, 'app.log');
  }

  /** `installed`: where the package was unpacked. */
  constructor(installed: string) {
    const data = join(this.home, '.local/share');
    mkdirSync(this.runtime, { mode: 0o700 });
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
      XDG_RUNTIME_DIR: this.runtime,
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

  /** A keychain that is open. */
  unlockKeychain(): Promise<string> {
    return this.run(
      `printf 'pw\\n' | gnome-keyring-daemon --daemonize --unlock --components=secrets >/dev/null 2>&1`,
    );
  }

  /** Types a line. */
  type(text: string): Promise<string> {
    return this.run(`xdotool type --delay 20 '${text}'`);
  }

  /** Runs a command by its name in the palette. */
  async palette(name: string): Promise<void> {
    await this.run(
      `xdotool key ctrl+k; sleep 0.7; xdotool type --delay 20 '${name}'; sleep 0.7; xdotool key Return; sleep 1`,
    );
  }

  /** Starts the app beside what follows. Its log has what its pages say. */
  start(...args: readonly string[]): Promise<string> {
    const given = args.map((arg) => `'${arg}'`).join(' ');
    return this.run(`posthaste-desktop --verbose ${given} >>${this.home}/app.log 2>&1 & app=$!`);
  }

  /** Waits until the next page takes keys: the app at a start and after signing in, the page that asks for a server, or quick entry. */
  async listens(): Promise<void> {
    this.#listened += 1;
    await this.#logged(/(?:The page|Quick entry) listens\./g, this.#listened);
  }

  /** Waits until so many pages have had the commands of custom JavaScript, which come after the others. */
  knowsCode(pages: number): Promise<void> {
    return this.#logged(/The page knows custom JavaScript\./g, pages);
  }

  async #logged(pattern: RegExp, times: number): Promise<void> {
    const count = () => readFileSync(this.#logFile, 'utf8').match(pattern)?.length ?? 0;
    for (const end = performance.now() + PATIENCE_MS; count() < times; await delay(50))
      assert.ok(performance.now() < end, `${pattern} ${times} times: ${this.log()}`);
  }

  /** Makes an account with the app, and looks into it beside the app. */
  async signUp(address: string, email: string): Promise<Account> {
    await this.palette('Create an account');
    await this.type(email);
    await this.run('xdotool key Tab');
    await this.type(PASSWORD);
    await this.run('xdotool key Return');
    await this.listens();
    return await lookInto(address, email);
  }

  /** Ends the app that was started last, as its person does or like a power cut, and waits until it is gone. */
  stop(how: 'TERM' | 'KILL'): Promise<string> {
    return this.run(`kill -${how} $app; wait $app 2>/dev/null`);
  }

  /** Waits until a text stands in what the app has written to the disk. WebKit stores it as Latin-1 or UTF-16. */
  async stored(text: string): Promise<void> {
    const pages = join(this.home, '.local/share/posthaste/pages');
    const isThere = () =>
      readdirSync(pages, { recursive: true, withFileTypes: true }).some((entry) => {
        if (!entry.isFile()) return false;
        const path = join(entry.parentPath, entry.name);
        // Journals come and go.
        const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
        return bytes.includes(text) || bytes.includes(text, 0, 'utf16le');
      });
    for (const end = performance.now() + PATIENCE_MS; !isThere(); await delay(50))
      assert.ok(performance.now() < end, `${text} is not on the disk: ${this.log()}`);
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
    return existsSync(this.#logFile) ? readFileSync(this.#logFile, 'utf8').slice(-2_000) : '';
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

export interface Account {
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

export async function expectLists(
  address: string,
  { token }: Account,
  expected: readonly string[],
): Promise<void> {
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

export async function expectTitles(
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
