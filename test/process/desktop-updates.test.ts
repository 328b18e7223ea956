// Newer versions in the desktop app on Linux, as its person meets them: a real window and keys, a real server whose operator adds signed releases, and
// a system that shows notes and opens packages. What the person is told is read from the notes, and from the page by code of their own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { askLine } from '#cli/running-app.ts';
import { must } from '#core/assert.ts';
import { buildFile } from '#desktop/app-files.ts';
import { runAdmin } from '#server/admin-commands.ts';
import { desktopSocket } from '#wire/desktop.ts';
import { packDesktop } from '../../scripts/desktop-package.ts';
import { makeRelease, makeReleaseKey } from '../../scripts/desktop-release.ts';
import { Desktop, hasAll, PATIENCE_MS } from './desktop-screen.ts';
import { startServerChild, type ServerChild } from './server-child.ts';

const MINE = '0.2.0';
const NEWER = '0.3.0';
const FOREIGN = '0.9.0';

/** Shows notes as a desktop does: writes their texts down, one a line, and lets one be chosen. */
const NOTES = `import GLib from 'gi://GLib';
import Gio from 'gi://Gio';

const [file] = ARGV;
const FACE = \`<node><interface name="org.freedesktop.Notifications">
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <method name="Choose"><arg type="u" direction="in"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>\`;
const bodies = [];
const write = () => GLib.file_set_contents(file, bodies.map((body) => body + '\\n').join(''));
const object = Gio.DBusExportedObject.wrapJSObject(FACE, {
  Notify(app, replaced, icon, title, body) {
    bodies.push(body);
    write();
    return replaced || bodies.length;
  },
  CloseNotification() {},
  Choose(id) {
    object.emit_signal('ActionInvoked', new GLib.Variant('(us)', [id, 'default']));
  },
});
object.export(Gio.DBus.session, '/org/freedesktop/Notifications');
Gio.DBus.session.own_name('org.freedesktop.Notifications', Gio.BusNameOwnerFlags.NONE, write, null);
new GLib.MainLoop(null, false).run();
`;

/** Says which page it is, and what the line at the bottom offers. Its person loads it anew more often than code is trusted to survive that. */
const CODE = `export default () => {
  for (const key of Object.keys(localStorage))
    if (key.endsWith('customCode.starts')) localStorage.removeItem(key);
  let said = '';
  setInterval(() => {
    const offered = document.querySelector('[data-ph="update"]')?.textContent ?? '';
    const text = performance.timeOrigin + ' ' + offered;
    if (text !== said) window.desktop.say({ type: 'selected', text });
    said = text;
  }, 100);
};
`;

/** What the system has for packages: writes down what it was given. */
const INSTALLER = `[Desktop Entry]
Type=Application
Name=Installer of packages
Exec=install-package %f
MimeType=application/vnd.debian.binary-package;
`;

describe('newer versions in the desktop app on Linux', () => {
  if (!hasAll) return;

  let folder = '';
  let server: ServerChild | undefined;
  let packed = '';
  const path = (...parts: readonly string[]) => join(folder, ...parts);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-desk-updates-'));
    packed = await packDesktop();
    assert.equal(spawnSync('dpkg-deb', ['-x', packed, path('installed')]).status, 0);
    const key = makeReleaseKey(path('key'));
    makeReleaseKey(path('foreign-key'));
    writeFileSync(path('installed/usr/lib/posthaste', buildFile), JSON.stringify({ version: MINE, key }));
    server = await startServerChild(path('data'));
  });
  after(async () => {
    await server?.kill();
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  async function admin(...words: readonly string[]): Promise<void> {
    const lines: string[] = [];
    const code = await runAdmin(words, {
      environment: { DATA_DIR: path('data') },
      print: (line) => void lines.push(line),
      readPassword: () => Promise.resolve(''),
    });
    assert.equal(code, 0, lines.join('\n'));
  }

  /** A signed release of the whole package with some bytes more, as its builder makes it and its operator adds it. */
  async function release(version: string, key = 'key'): Promise<Buffer> {
    const installer = path(`posthaste_${version}_all.deb`);
    copyFileSync(packed, installer);
    appendFileSync(installer, version);
    const notes = `- What is new in ${version}`;
    const at = Date.now();
    makeRelease(path(version), { files: [installer], key: path(key), notes, version, at });
    writeFileSync(path('notes.md'), `## ${version}\n\n${notes}\n`);
    await admin('release', 'write', version, path('notes.md'));
    await admin('release', 'add', path(version));
    await admin('release', 'publish', version);
    return readFileSync(installer);
  }

  test('[DESK-53] [DESK-54] [DESK-55] [DESK-56] [DESK-87] what isn’t signed, older or not whole is refused and said; a newer one is offered and handed to the system as it was signed', async () => {
    const { address } = must(server, 'the server runs');
    const desktop = new Desktop(path('installed'));
    const own = join(desktop.home, '.local/share/posthaste');
    const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    const until = async (isSo: () => boolean, what: () => string) => {
      for (const end = performance.now() + PATIENCE_MS; !isSo(); await delay(50))
        assert.ok(performance.now() < end, `${what()}\n${desktop.log()}`);
    };
    const notes = () => textOf(path('notes.txt')).split('\n').slice(0, -1);
    const page = () => textOf(join(own, 'selected-tasks.json')).split(' ')[0];
    const offered = () => textOf(join(own, 'selected-tasks.json')).replace(/^\S* ?/, '');
    const taken = () => (existsSync(join(own, 'updates')) ? readdirSync(join(own, 'updates')) : []);
    const opened = () => textOf(path('opened.txt')).split('\n').slice(0, -1);
    /** Asks by the palette, and resolves with what the system’s note says once the page is there again. */
    const ask = async (): Promise<string> => {
      const before = notes().length;
      const loaded = page();
      await desktop.palette('Reload the app');
      await until(
        () => notes().length > before && page() !== loaded,
        () => `no answer: ${notes().join(' | ')}`,
      );
      assert.equal(notes().length, before + 1, 'it is said once');
      return notes().at(-1) ?? '';
    };
    try {
      mkdirSync(join(desktop.home, '.local/share/applications'), { recursive: true });
      writeFileSync(join(desktop.home, '.local/share/applications/installer.desktop'), INSTALLER);
      appendFileSync(
        join(desktop.home, '.config/mimeapps.list'),
        'application/vnd.debian.binary-package=installer.desktop\n',
      );
      writeFileSync(
        path('installed/usr/bin/install-package'),
        `#!/bin/sh\nprintf '%s\\n' "$1" >>${path('opened.txt')}\n`,
        { mode: 0o755 },
      );
      writeFileSync(path('notes.js'), NOTES);
      await desktop.run(`gjs -m ${path('notes.js')} ${path('notes.txt')} >&2 &`);
      await until(
        () => existsSync(path('notes.txt')),
        () => 'nothing shows notes',
      );
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'settings.json'), JSON.stringify({ server: address, key: null }));
      writeFileSync(join(own, 'custom.js'), CODE);
      await desktop.start();
      await desktop.window('^Posthaste$');
      // Keys that come before the page are for nobody. Without one the program answers at once; with one the page has to, and doesn't.
      const socket = join(desktop.runtime, desktopSocket);
      const listens = async () => {
        const answer = await askLine(socket, JSON.stringify({ type: 'selected', server: address }), 2_000);
        return answer !== null && !answer.includes('elsewhere');
      };
      for (const end = performance.now() + PATIENCE_MS; !(await listens()); await delay(100))
        assert.ok(performance.now() < end, desktop.log());
      await desktop.run('xdotool key Escape; sleep 0.5');
      await desktop.palette('Custom JavaScript: on');
      assert.equal(await ask(), `You have the newest version, ${MINE}.`);

      await release('0.1.0');
      assert.match(await ask(), /isn’t signed by who built this copy, or is older\. It wasn’t taken\.$/);
      await release(FOREIGN, 'foreign-key');
      assert.match(await ask(), /isn’t signed by who built this copy, or is older\. It wasn’t taken\.$/);
      await admin('release', 'publish', FOREIGN, '2199-01-01');

      const whole = await release(NEWER);
      // Nobody takes it by themselves; who asks gets it.
      await admin('release', 'stage', NEWER, '0');
      const hash = createHash('sha256').update(whole).digest('hex');
      const stored = path('data/releases', hash.slice(0, 2), hash);
      truncateSync(stored, whole.length - 1);
      assert.equal(await ask(), 'Your server didn’t answer. Try again later.');
      // As long as it was signed, and yet another one.
      appendFileSync(stored, '?');
      assert.match(await ask(), /It wasn’t taken\.$/);
      assert.deepEqual(taken(), []);

      assert.equal(offered(), '');

      writeFileSync(stored, whole);
      assert.equal(await ask(), `Version ${NEWER} is here. Choose this note to install it.`);
      await until(
        () => offered().startsWith(`Install version ${NEWER}`),
        () => `offered: ${offered()}`,
      );
      assert.deepEqual(taken(), ['posthaste-update.deb']);
      const file = join(own, 'updates/posthaste-update.deb');
      assert.ok(readFileSync(file).equals(whole), 'byte for byte');
      assert.deepEqual(opened(), [], 'nothing is installed unasked');

      const installs = async (count: number) => {
        await until(
          () => opened().length === count,
          () => `opened: ${opened().join(' ')}`,
        );
        assert.equal(opened().at(-1), file);
      };
      await desktop.palette('Reload the app');
      await installs(1);
      // The note that said it: they replace each other, so it has the number of the first.
      await desktop.run(
        'gdbus call --session --dest org.freedesktop.Notifications --object-path /org/freedesktop/Notifications --method org.freedesktop.Notifications.Choose 1',
      );
      await installs(2);
    } finally {
      await desktop.end();
    }
  });
});
