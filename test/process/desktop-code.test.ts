// The person's own code and the links of other programs in the desktop app on Linux: a real window, links from the terminal, a real server. The code
// writes what stands on the screen into the file of the selected tasks, so that it is seen from outside.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { askLine } from '#cli/running-app.ts';
import { must } from '#core/assert.ts';
import { desktopSocket } from '#wire/desktop.ts';
import { packDesktop } from '../../scripts/desktop-package.ts';
import { Desktop, expectLists, hasAll, PATIENCE_MS } from './desktop-screen.ts';
import { startServerChild, type ServerChild } from './server-child.ts';

const EMAIL = 'ida@example.org';

const CODE = `export default ({ commands }) => {
  const seen = [];
  const tell = (text) => {
    if (seen.at(-1) === text) return;
    seen.push(text);
    window.desktop.say({ type: 'selected', text: seen.join('\\n') });
  };
  const hex = (letters) => [...letters].map((one) => 'abcdefghijklmnop'.indexOf(one).toString(16)).join('');
  const idOf = (letters) => hex(letters).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const macros = () => commands.list().flatMap(({ id }) => /^macro\\.[a-p]{32}$/.test(id) ? [idOf(id.slice(6))] : []);
  commands.register({
    id: 'custom.prepare',
    title: 'Prepare my macro',
    run: () => {
      commands.run('macro.example', { example: 'New client' });
      const [macro] = macros();
      commands.run('macro.links', { macro });
      tell('made ' + macro);
      const request = new XMLHttpRequest();
      request.open('POST', '/app/api/nothing');
      request.onload = () => tell('sent ' + request.status);
      request.send(new File(['x'.repeat(3_000_000)], 'x'));
    },
  });
  setInterval(() => {
    const all = document.querySelectorAll('dialog, [role="dialog"], [role="alertdialog"], [data-ph="status"]');
    tell([...all].map(({ textContent }) => textContent).join(' | '));
  }, 300);
};
`;

describe('own code and links in the desktop app on Linux', () => {
  if (!hasAll) return;

  let folder = '';
  let server: ServerChild | undefined;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-desk-code-'));
    const unpacked = spawnSync('dpkg-deb', ['-x', await packDesktop(), join(folder, 'installed')]);
    assert.equal(unpacked.status, 0);
    server = await startServerChild(join(folder, 'data'));
  });
  after(async () => {
    await server?.kill();
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  test('[DESK-47] [DESK-48] [DESK-49] [DESK-52] code runs once it is turned on, a macro by a link, and invitations, purchases and promo codes say what is so; the command line is heard', async () => {
    const { address } = must(server, 'the server runs');
    const desktop = new Desktop(join(folder, 'installed'));
    const own = join(desktop.home, '.local/share/posthaste');
    const told = () => {
      const file = join(own, 'selected-tasks.json');
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    const expectTold = async (pattern: RegExp): Promise<string> => {
      for (const end = performance.now() + PATIENCE_MS; !pattern.test(told()); await delay(100))
        assert.ok(performance.now() < end, `${pattern}: ${told()}\n${desktop.log()}`);
      return told();
    };
    try {
      await desktop.unlockKeychain();
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'settings.json'), JSON.stringify({ server: address, key: null }));
      writeFileSync(join(own, 'custom.js'), CODE);
      await desktop.start();
      await desktop.window('^Posthaste$');
      await desktop.listens();
      const account = await desktop.signUp(address, EMAIL);
      await expectLists(address, account, ['Inbox']);
      assert.equal(told(), '', 'nothing ran');

      await desktop.knowsCode(2);
      await desktop.palette('Custom JavaScript: on');
      await desktop.run('xdotool key F5');
      // It says what stands on the page once it runs.
      await expectTold(/./);
      await desktop.palette('Prepare my macro');
      const macro = /made ([\da-f-]{36})/.exec(await expectTold(/made /))?.[1] ?? '';
      // The macro goes to the server compressed, and the file goes out whole.
      await expectTold(/sent 404/);
      await desktop.open(`posthaste:run-macro/id/${macro}?client=Acme`);
      await expectTold(/wants to run the macro .New client. with client = .Acme/);
      await desktop.run('xdotool key shift+Tab; sleep 0.3; xdotool key Return');
      await expectLists(address, account, ['Acme', 'Inbox']);
      await desktop.run('xdotool key Escape; sleep 0.5');

      await desktop.open('posthaste:accept-list-invite/nobody-gave-this');
      await expectTold(/invitation/i);
      await desktop.run('xdotool key Escape; sleep 0.5');
      await desktop.open('posthaste:purchase');
      await expectTold(/nothing is charged/i);
      await desktop.run('xdotool key Escape; sleep 0.5');
      await desktop.open('posthaste:enter-promo-code/SAVE-10');
      await expectTold(/promo code/i);
      await desktop.run('xdotool key Escape; sleep 0.5');

      // As `posthaste open` does.
      const socket = join(desktop.runtime, desktopSocket);
      assert.equal(statSync(socket).mode & 0o777, 0o600);
      const link = 'posthaste:create-list?name=By+the+socket';
      const answer = await askLine(
        socket,
        JSON.stringify({ type: 'link', server: address, link }),
        PATIENCE_MS,
      );
      assert.deepEqual(JSON.parse(answer ?? ''), { type: 'taken' });
      await expectLists(address, account, ['Acme', 'By the socket', 'Inbox']);
      const refused = await askLine(socket, 'nothing', PATIENCE_MS);
      assert.equal((JSON.parse(refused ?? '') as { type: string }).type, 'refused');
    } finally {
      await desktop.end();
    }
  });
});
