// What the program of the desktop app does of the system: menus, sizes, spelling, the tray and the start with the session.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { trayTitle, wholeMenus, zoomed } from '#desktop/menus.ts';
import { DesktopProgram } from '#desktop/program.ts';
import { NodeShell } from './node-shell.ts';

const MENUS = [
  { name: 'File', items: [] },
  { name: 'Task', items: [{ id: 'task.complete', title: 'Complete task', keys: 'Space' }] },
];

const turns = async () => {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
};

describe('what the desktop app does of the system', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-system-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function started(name: string) {
    const shell = new NodeShell({ built: folder, own: join(folder, name) });
    const program = new DesktopProgram(shell);
    await program.start();
    program.open(null);
    const say = (message: unknown) => program.heard('main@desktop', JSON.stringify(message));
    const told = (type: string) =>
      shell.told.map(({ message }) => message as { type: string }).filter((message) => message.type === type);
    return { shell, program, say, told, file: join(folder, name, 'settings.json') };
  }

  test('[DESK-33] menus are those of the page with the program’s own; choosing runs the command there, and a key is only shown', async () => {
    const { shell, say, told } = await started('menus');
    say({ type: 'menus', menus: MENUS });
    const shown = shell.shownMenus.get('main@desktop');
    assert.deepEqual(shown, wholeMenus(MENUS));
    assert.deepEqual(
      shown?.map(({ name, items }) => [name, items.map((item) => item?.id ?? '')]),
      [
        ['File', ['program.server', '', 'program.close', 'program.quit']],
        ['Task', ['task.complete']],
      ],
    );
    shell.chooseItem('task.complete');
    assert.deepEqual(told('run'), [{ type: 'run', command: 'task.complete' }]);
    for (const id of ['program.close', 'program.reload', 'program.quit']) shell.chooseItem(id);
    assert.deepEqual([shell.closed, shell.reloaded, shell.quits], [['main@desktop'], ['main@desktop'], 1]);
    assert.equal(told('run').length, 1, 'what the program does is no command of the page');
  });

  test('[DESK-38] the menu bar goes and comes, and stays as it was chosen', async () => {
    const { shell, say, told, file } = await started('bar');
    say({ type: 'menus', menus: MENUS });
    shell.chooseItem('program.menuBar');
    await turns();
    assert.equal(shell.shownMenus.get('main@desktop'), null);
    assert.equal((told('system').at(-1) as unknown as { menuBar: boolean }).menuBar, false);
    assert.equal((JSON.parse(readFileSync(file, 'utf8')) as { menuBar: boolean }).menuBar, false);
    say({ type: 'keep', what: 'menuBar', isOn: true });
    await turns();
    assert.deepEqual(shell.shownMenus.get('main@desktop'), wholeMenus(MENUS));
  });

  test('[DESK-34] the size of pages is that of all windows, and of the next start', async () => {
    const { shell, program } = await started('zoom');
    for (const id of ['program.larger', 'program.larger', 'program.smaller']) program.choose(null, id);
    await turns();
    assert.deepEqual(shell.zooms, [1, 1.1, 1.2, 1.1]);
    assert.deepEqual((await started('zoom')).shell.zooms, [1.1]);
    program.choose(null, 'program.actualSize');
    assert.equal(shell.zooms.at(-1), 1);
    let zoom = 1;
    for (let n = 0; n < 50; n += 1) zoom = zoomed(zoom, 1);
    assert.equal(zoom, 3);
    for (let n = 0; n < 50; n += 1) zoom = zoomed(zoom, -1);
    assert.equal(zoom, 0.5);
  });

  test('[DESK-35] spelling is checked in the languages that were chosen, also after a start', async (t) => {
    t.mock.method(console, 'warn', () => undefined);
    const { say, told, program } = await started('spelling');
    say({ type: 'spelling', languages: ['en-GB', 'de'] });
    await turns();
    assert.deepEqual((told('system').at(-1) as unknown as { spelling: string[] }).spelling, ['en-GB']);
    assert.deepEqual(program.settings.spelling, ['en-GB', 'de']);
    say({ type: 'spelling', languages: ['../x'] });
    await turns();
    assert.deepEqual((await started('spelling')).program.settings.spelling, ['en-GB', 'de']);
  });

  test('[DESK-36] the tray is off at first; with it windows stay unseen instead of closing, and it says what is due', async () => {
    const { shell, program, say } = await started('tray');
    const look = () => must(shell.trayLook, 'it is there');
    assert.throws(look, 'off at first');
    assert.deepEqual(
      [program.staysHidden('main@desktop'), program.staysHidden('quick@desktop')],
      [false, true],
    );
    say({ type: 'keep', what: 'tray', isOn: true });
    await turns();
    assert.equal(program.staysHidden('main@desktop'), true);
    say({ type: 'badge', count: 3 });
    assert.equal(look().title, trayTitle(3));
    assert.deepEqual([trayTitle(3), trayTitle(0)], ['Posthaste: 3 due', 'Posthaste']);
    const shown = shell.shown.length;
    look().chosen('');
    look().chosen('tray.open');
    look().chosen('tray.quick');
    assert.deepEqual(
      shell.shown.slice(shown).map((window) => window.split('@')[0]),
      ['main', 'main', 'quick'],
    );
    look().chosen('program.quit');
    assert.equal(shell.quits, 1);
    // Where no tray takes the icon, a window that is closed is gone.
    shell.hasTray = false;
    assert.equal(program.staysHidden('main@desktop'), false);
  });

  test('[DESK-37] starts with the session once that is chosen, unseen', async () => {
    const { shell, program, say, told } = await started('autostart');
    say({ type: 'keep', what: 'autostart', isOn: true });
    await turns();
    assert.equal(shell.startsWithSession, true);
    assert.equal((told('system').at(-1) as unknown as { autostart: boolean }).autostart, true);
    program.openHidden();
    assert.deepEqual(shell.hidden, ['main@desktop']);
  });

  test('[DESK-44] a page has keys in the keychain, apart from those of other accounts and from the session', async (t) => {
    t.mock.method(console, 'warn', () => undefined);
    const { shell, program, say, told } = await started('secrets');
    await program.chooseServer('desktop', 'one.example');
    const ask = async (message: object) => {
      say({ type: 'secret', id: '1', name: 'posthaste-1', ...message });
      await turns();
      return told('secret').at(-1);
    };
    assert.deepEqual(await ask({ text: 'abc' }), { type: 'secret', id: '1', text: null, isKept: true });
    assert.deepEqual([...shell.keychain.kept], [['key desktop posthaste-1', 'abc']]);
    assert.deepEqual(await ask({}), { type: 'secret', id: '1', text: 'abc', isKept: false });
    program.heard('main@desktop-2', JSON.stringify({ type: 'secret', id: '1', name: 'posthaste-1' }));
    await ask({ name: '../session https://one.example' });
    assert.equal(told('secret').length, 2, 'of no other name, and of no other account');
    shell.keychain.isLocked = true;
    assert.deepEqual(await ask({ text: null }), { type: 'secret', id: '1', text: null, isKept: false });
  });

  test('[DESK-45] custom JavaScript is one file of the person’s, made when it is first wanted and served to pages as it is', async () => {
    const { shell, program, say, told } = await started('custom');
    const ask = () =>
      program.answer('desktop', { method: 'GET', path: '/app/custom.js?1', headers: {}, body: null });
    assert.equal((await ask())?.status, 404);
    say({ type: 'custom' });
    await turns();
    assert.deepEqual(shell.openedFiles, ['custom.js']);
    const made = await ask();
    assert.equal(made?.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.match(new TextDecoder().decode(made.body), /export default \(\{ commands/);
    assert.equal(
      (told('system').at(-1) as unknown as { customFile: string }).customFile,
      join(folder, 'custom', 'custom.js'),
    );
    await shell.writeOwn('custom.js', 'export default () => {}; // mine');
    say({ type: 'custom' });
    await turns();
    assert.match(new TextDecoder().decode((await ask())?.body), /mine/, 'what is there stays');
  });

  test('[DESK-46] a safe start opens the app without custom code and CSS', async () => {
    const shell = new NodeShell({ built: folder, own: join(folder, 'safe') });
    const program = new DesktopProgram(shell);
    await program.start('one.example', { isSafe: true });
    program.open(null);
    program.quickEntry();
    assert.deepEqual(shell.shown, [
      'main@desktop posthaste-app://desktop/app/?safe',
      'quick@desktop posthaste-app://desktop/app/?quick',
    ]);
  });
});
