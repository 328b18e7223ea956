// Files dropped onto a task in the desktop app on Linux: a real window, a drag from another program by a real pointer, a real server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { must } from '#core/assert.ts';
import { packDesktop } from '../../scripts/desktop-package.ts';
import { type Account, Desktop, expectTitles, hasAll, PATIENCE_MS } from './desktop-screen.ts';
import { startServerChild, type ServerChild } from './server-child.ts';

const EMAIL = 'ida@example.org';

/** Another program, beside the app's window, from which files can be dragged. */
const SOURCE = `imports.gi.versions.Gtk = '3.0';
imports.gi.versions.Gdk = '3.0';
const { Gtk, Gdk } = imports.gi;
Gtk.init(null);
const window = new Gtk.Window({ type: Gtk.WindowType.POPUP, default_width: 80, default_height: 80 });
window.drag_source_set(
  Gdk.ModifierType.BUTTON1_MASK,
  [Gtk.TargetEntry.new('text/uri-list', 0, 0)],
  Gdk.DragAction.COPY,
);
window.connect('drag-data-get', (_window, _drag, data) => data.set_uris(ARGV));
window.add_events(Gdk.EventMask.BUTTON_PRESS_MASK);
window.move(1190, 10);
window.show_all();
Gtk.main();
`;

/** A page that was led astray: names a file of its person’s, and waits for them to drag it. It says how far down its first task is, and how many files it gets. */
const codeOf = (secret: string) => `export default async () => {
  const bait = document.createElement('div');
  bait.textContent = 'Drag me';
  bait.draggable = true;
  Object.assign(bait.style, { position: 'fixed', left: '600px', top: '500px', padding: '30px', zIndex: 9 });
  bait.addEventListener('dragstart', (event) =>
    event.dataTransfer.setData('text/uri-list', ${JSON.stringify(secret)}));
  document.body.append(bait);
  while (!document.querySelector('[data-row]')) await new Promise((resolve) => setTimeout(resolve, 50));
  const { top, height } = document.querySelector('[data-row]').getBoundingClientRect();
  // The window is in the corner of the screen, and has the menus above the page.
  const seen = ['row', Math.round(outerHeight - innerHeight + top + height / 2)];
  const tell = () => window.desktop.say({ type: 'selected', text: seen.join(' ') });
  window.addEventListener('dragover', (event) => event.preventDefault());
  window.addEventListener('drop', ({ dataTransfer }) => {
    seen.push(dataTransfer.files.length);
    tell();
  });
  tell();
};
`;

interface Attached {
  readonly name: string;
  readonly url: string;
}

async function attachedTo(address: string, { token }: Account, title: string): Promise<readonly Attached[]> {
  const answer = await fetch(`${address}/api/tasks`, { headers: { authorization: `Bearer ${token}` } });
  const { tasks } = (await answer.json()) as {
    tasks: readonly { title: string; todo_item_attachments: readonly Attached[] }[];
  };
  return tasks.find((task) => task.title === title)?.todo_item_attachments ?? [];
}

describe('files dropped in the desktop app on Linux', () => {
  if (!hasAll) return;

  let folder = '';
  let server: ServerChild | undefined;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-desk-drops-'));
    const unpacked = spawnSync('dpkg-deb', ['-x', await packDesktop(), join(folder, 'installed')]);
    assert.equal(unpacked.status, 0);
    server = await startServerChild(join(folder, 'data'));
  });
  after(async () => {
    await server?.kill();
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  test('[DESK-57] [DESK-58] are attached to the task under the pointer, whole and by their names; what a page itself says is a file isn’t', async () => {
    const { address } = must(server, 'the server runs');
    const desktop = new Desktop(join(folder, 'installed'));
    const own = join(desktop.home, '.local/share/posthaste');
    const files = new Map([
      ['Plan für Mai.txt', Buffer.from('Tee\n')],
      ['picture.png', Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31) % 256))],
    ]);
    try {
      await desktop.unlockKeychain();
      mkdirSync(own, { recursive: true });
      writeFileSync(join(folder, 'secret.txt'), 'not given');
      writeFileSync(join(own, 'custom.js'), codeOf(pathToFileURL(join(folder, 'secret.txt')).href));
      writeFileSync(join(own, 'settings.json'), JSON.stringify({ server: address, key: null }));
      await desktop.start();
      await desktop.window('^Posthaste$');
      await desktop.listens();
      const account = await desktop.signUp(address, EMAIL);
      await desktop.run('xdotool key ctrl+Return; sleep 0.3');
      await desktop.type('With files');
      await desktop.run('xdotool key Escape; sleep 0.3');
      // The cursor is at another one.
      await desktop.run('xdotool key ctrl+Return; sleep 0.3');
      await desktop.type('Without');
      await desktop.run('xdotool key Escape; sleep 0.3');
      await expectTitles(address, account, ['With files', 'Without'], () => desktop.log());

      await desktop.knowsCode(2);
      await desktop.palette('Custom JavaScript: on');
      await desktop.run('xdotool key F5');
      const seen = async (expected: RegExp): Promise<string> => {
        const file = join(own, 'selected-tasks.json');
        const text = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
        for (const end = performance.now() + PATIENCE_MS; !expected.test(text()); await delay(50))
          assert.ok(performance.now() < end, `${expected}: ${text()}\n${desktop.log()}`);
        return text();
      };
      const row = (await seen(/^row \d+$/)).slice('row '.length);
      const drag = (from: string, ...to: readonly number[]) =>
        desktop.run(
          `xdotool mousemove ${from} mousedown 1; for x in ${to.join(' ')}; do sleep 0.1; xdotool mousemove $x ${row}; done; sleep 0.3; xdotool mouseup 1`,
        );
      await drag('630 570', 625, 620, 560, 520, 501, 502, 503);
      await seen(/^row \d+ 0$/);

      const addresses = [...files].map(([name, content]) => {
        writeFileSync(join(folder, name), content);
        return pathToFileURL(join(folder, name)).href;
      });
      writeFileSync(join(folder, 'source.js'), SOURCE);
      await desktop.run(`gjs ${join(folder, 'source.js')} ${addresses.join(' ')} >&2 & sleep 1`);
      await drag('1230 50', 1225, 1210, 1190, 1100, 900, 700, 500, 501, 502, 503);
      await seen(/^row \d+ 0 2$/);

      let found: readonly Attached[] = [];
      for (const end = performance.now() + PATIENCE_MS; found.length < files.size; await delay(200)) {
        found = await attachedTo(address, account, 'With files');
        assert.ok(performance.now() < end, `${JSON.stringify(found)}\n${desktop.log()}`);
      }
      assert.deepEqual(found.map(({ name }) => name).toSorted(), [...files.keys()].toSorted());
      for (const { name, url } of found) {
        // The row comes first, and then what is in it.
        let answer = await fetch(url);
        for (const end = performance.now() + PATIENCE_MS; !answer.ok; await delay(100)) {
          assert.ok(performance.now() < end, `${name}: ${await answer.text()}`);
          answer = await fetch(url);
        }
        const content = Buffer.from(await answer.arrayBuffer());
        assert.ok(content.equals(must(files.get(name), 'it was dropped')), name);
      }
    } finally {
      await desktop.end();
    }
  });
});
