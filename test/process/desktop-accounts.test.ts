// Two accounts at two servers in the desktop app on Linux, as their person uses them: windows under a virtual screen, keys from outside, a kill.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { must } from '#core/assert.ts';
import { packDesktop } from '../../scripts/desktop-package.ts';
import { Desktop, expectTitles, hasAll, PATIENCE_MS } from './desktop-screen.ts';
import { startServerChild, type ServerChild } from './server-child.ts';

const EMAIL = 'ida@example.org';

interface Kept {
  readonly profiles: readonly { readonly host: string; readonly server: string | null }[];
}

/** What the program keeps, once it is so. */
async function settingsOf(desktop: Desktop, isSo: (kept: Kept) => boolean): Promise<Kept> {
  const path = join(desktop.home, '.local/share/posthaste/settings.json');
  for (const end = performance.now() + PATIENCE_MS; ; await delay(100)) {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Kept;
    if ('profiles' in kept && isSo(kept)) return kept;
    assert.ok(performance.now() < end, `${JSON.stringify(kept)}\n${desktop.log()}`);
  }
}

/** The databases of a host’s pages, as WebKit names them. */
function storedOf(desktop: Desktop, host: string): readonly string[] {
  const pages = join(desktop.home, '.local/share/posthaste/pages');
  return readdirSync(pages, { recursive: true })
    .map(String)
    .filter((name) => name.includes(`/posthaste-app_${host}_0/`) && name.endsWith('.sqlite3'));
}

async function addTask(desktop: Desktop, title: string): Promise<void> {
  await desktop.run('xdotool key ctrl+Return; sleep 0.3');
  await desktop.type(title);
  await desktop.run('xdotool key Escape; sleep 0.3');
}

describe('two accounts in the desktop app on Linux', () => {
  if (!hasAll) return;

  let folder = '';
  const servers: ServerChild[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-desk-servers-'));
    const unpacked = spawnSync('dpkg-deb', ['-x', await packDesktop(), join(folder, 'installed')]);
    assert.equal(unpacked.status, 0);
    for (const name of ['one', 'two']) servers.push(await startServerChild(join(folder, name)));
  });
  after(async () => {
    for (const server of servers) await server.kill();
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  test('[DESK-31] go on from the settings of one server, get a server each, stay apart, outlive a kill, and go one by one', async () => {
    const [one, two] = servers.map(({ address }) => address);
    const [first, second] = [must(one, 'it runs'), must(two, 'it runs')];
    const place = (address: string) => address.replace('http://', '');
    const desktop = new Desktop(join(folder, 'installed'));
    const own = join(desktop.home, '.local/share/posthaste');
    try {
      await desktop.unlockKeychain();
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'settings.json'), JSON.stringify({ server: first, key: null }));
      await desktop.start();
      await desktop.window('^Posthaste$');
      await desktop.listens();
      const atOne = await desktop.signUp(first, EMAIL);
      await addTask(desktop, 'At one');
      await expectTitles(first, atOne, ['At one'], () => desktop.log());

      await desktop.palette('Add an account or server');
      await desktop.window('^this machine alone');
      await desktop.listens();
      await desktop.type(place(second));
      await desktop.run('xdotool key Return');
      await desktop.listens();
      const atTwo = await desktop.signUp(second, EMAIL);
      await addTask(desktop, 'At two');
      await expectTitles(second, atTwo, ['At two'], () => desktop.log());
      await expectTitles(first, atOne, ['At one'], () => desktop.log());
      const { profiles } = await settingsOf(desktop, (kept) => kept.profiles.length === 2);
      assert.deepEqual(
        profiles.map(({ server }) => server),
        [first, second],
      );
      const host = must(profiles[1], 'there are two').host;
      assert.ok(storedOf(desktop, host).length > 0, 'it has storage of its own');

      // A link is for the account that was used last, also at the next start.
      await desktop.stop('KILL');
      await desktop.start('posthaste:quick-entry?title=By+a+link');
      await desktop.window(`at ${place(second)}`);
      await desktop.listens();
      await expectTitles(second, atTwo, ['At two', 'By a link'], () => desktop.log());
      await desktop.palette('Switch to another account');
      await desktop.run('xdotool key Return');
      await desktop.window(`at ${place(first)}`);
      await desktop.listens();
      await addTask(desktop, 'Again here');
      await expectTitles(first, atOne, ['Again here', 'At one'], () => desktop.log());

      await desktop.window(`at ${place(second)}`);
      await desktop.palette('Remove this account');
      // The safe answer has the focus.
      await desktop.run('xdotool key shift+Tab; sleep 0.3; xdotool key Return');
      await settingsOf(desktop, (kept) => kept.profiles.length === 1);
      await desktop.window('^Posthaste$');
      for (const end = performance.now() + PATIENCE_MS; storedOf(desktop, host).length > 0; await delay(100))
        assert.ok(performance.now() < end, storedOf(desktop, host).join(' '));
      await expectTitles(second, atTwo, ['At two', 'By a link'], () => desktop.log());
      await addTask(desktop, 'Last here');
      await expectTitles(first, atOne, ['Again here', 'At one', 'Last here'], () => desktop.log());
    } finally {
      await desktop.end();
    }
  });
});
