// The desktop app on Linux as its person uses it: a real window under a virtual screen, keys from outside, links from the terminal, a real server, a
// kill. What is seen is what the server has: nothing in the app helps these tests.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { ownFiles } from '#desktop/app-files.ts';
import { firstProfile } from '#desktop/profiles.ts';
import { firstSettings } from '#desktop/settings.ts';
import { buildDesktop } from '../../scripts/desktop-build.ts';
import { packDesktop } from '../../scripts/desktop-package.ts';
import { ROOT } from '../../scripts/files.ts';
import { Desktop, expectLists, expectTitles, hasAll } from './desktop-screen.ts';
import { startServerChild, type ServerChild } from './server-child.ts';

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
      await desktop.unlockKeychain();
      // The server is not there yet, and a link comes with the start.
      mkdirSync(join(desktop.home, '.local/share/posthaste'), { recursive: true });
      // A server that was mistyped, where nobody ever signed in.
      const mistyped = { ...firstProfile, server: 'http://127.0.0.1:1' };
      writeFileSync(
        join(desktop.home, '.local/share/posthaste/settings.json'),
        JSON.stringify({ ...firstSettings(firstProfile.host), profiles: [mistyped] }),
      );
      await desktop.start('posthaste:quick-entry?title=First+start');
      await desktop.window('^Posthaste$');
      await desktop.listens();
      await desktop.stored('First start');
      await desktop.stop('TERM');

      await desktop.start('--server', address);
      await desktop.window('^Posthaste$');
      await desktop.listens();
      const account = await desktop.signUp(address, 'ida@example.org');
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
      await desktop.listens();
      await desktop.type('Quickly');
      // What is being typed there is kept as well.
      await desktop.stored('Quickly');
      await desktop.run('xdotool key Return');
      await expectTitles(address, account, ['First start', 'From the terminal', 'In plans', 'Quickly'], () =>
        desktop.log(),
      );
      const left = await desktop.run(`xdotool search --onlyvisible --name '^New task' || true`);
      assert.equal(left, '', 'the small window is gone');

      await desktop.window('^Posthaste$');
      await desktop.run(
        `xdotool key ctrl+Return; xdotool type --delay 30 'Before the kill'; xdotool key Escape`,
      );
      await desktop.stored('Before the kill');
      await desktop.stop('KILL');
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
