// What the app has in the desktop client alone, in the whole headless app with the program around it as a port.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CustomApi } from '#client/custom-code/api.ts';
import { customCode } from '#client/custom-code/part.ts';
import type { DesktopAccounts, DesktopPort, DesktopSaid, DesktopSystem } from '#client/desktop/port.ts';
import { pageMessageSchema } from '#desktop/messages.ts';
import { followMenus, menuCommands, menusOf, type MenusSaid } from '#web/platform/desktop/menus.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';

const TWO: DesktopAccounts = {
  here: 'desktop',
  profiles: [
    { host: 'desktop', title: 'ida@example.org at one.example' },
    { host: 'desktop-2', title: 'ida@example.org at two.example' },
  ],
};

/** The program around the page, which notes what it is told. */
class Around implements DesktopPort {
  readonly said: DesktopSaid[] = [];
  addParts: (parts: readonly object[]) => void = () => undefined;
  readonly listeners = new Set<(accounts: DesktopAccounts) => void>();
  readonly systemListeners = new Set<(system: DesktopSystem) => void>();
  system: DesktopSystem = {
    menuBar: true,
    tray: false,
    autostart: false,
    spelling: ['en-US'],
    customFile: '/home/ida/custom.js',
  };
  accounts: DesktopAccounts = { here: 'desktop', profiles: TWO.profiles.slice(0, 1) };

  say(message: DesktopSaid): void {
    this.said.push(message);
  }

  onProfiles(listener: (accounts: DesktopAccounts) => void): () => void {
    this.listeners.add(listener);
    listener(this.accounts);
    return () => this.listeners.delete(listener);
  }

  /** The program does what it was told, and says what is on then. */
  become(system: Partial<DesktopSystem>): void {
    this.system = { ...this.system, ...system };
    for (const listener of this.systemListeners) listener(this.system);
  }

  onParts(add: (parts: readonly object[]) => void): void {
    this.addParts = add;
  }

  onSystem(listener: (system: DesktopSystem) => void): () => void {
    this.systemListeners.add(listener);
    listener(this.system);
    return () => this.systemListeners.delete(listener);
  }

  change(accounts: DesktopAccounts): void {
    this.accounts = accounts;
    for (const listener of this.listeners) listener(accounts);
  }
}

const said = (desk: Desk) => desk.app.view.status.get().message?.text ?? '';

function start(outline = '> Sow', email: string | null = 'ida@example.org') {
  const around = new Around();
  const desk = new Desk(outline, { desktop: around, account: { ...noAccount, email } });
  desk.timers.advance(1_000);
  return { desk, around };
}

function question(desk: Desk) {
  const dialog = desk.app.view.dialog.get();
  assert.equal(dialog?.type, 'confirm');
  return dialog;
}

describe('the app in the desktop client', () => {
  test('[DESK-29] has commands for accounts, which a browser doesn’t have', () => {
    const ids = ['desktop.addAccount', 'desktop.switchAccount', 'desktop.removeAccount'];
    const { desk, around } = start();
    assert.ok(ids.every((id) => desk.app.commands.has(id)));
    assert.ok(ids.every((id) => !new Desk('> Sow').app.commands.has(id)));
    desk.app.run('desktop.addAccount');
    assert.deepEqual(around.said, [{ type: 'add' }]);
  });

  test('[DESK-29] switches between accounts by their names, and says so where there is one alone', () => {
    const { desk, around } = start();
    desk.app.run('desktop.switchAccount');
    assert.match(said(desk), /only one account/);
    around.change(TWO);
    desk.app.run('desktop.switchAccount');
    const titles = desk.app.view.palette.get()?.items.map(({ title }) => title);
    assert.deepEqual(titles, ['ida@example.org at two.example']);
    desk.press('Enter');
    assert.deepEqual(around.said, [{ type: 'switch', host: 'desktop-2' }]);
    around.change({ ...TWO, profiles: TWO.profiles.slice(0, 1) });
    assert.equal(desk.app.run('desktop.switchAccount', { account: 'desktop-2' }).type, 'refused');
  });

  test('[DESK-30] asks before it removes an account, and names what is lost; Escape keeps it', () => {
    const { desk, around } = start();
    around.change(TWO);
    desk.app.run('desktop.removeAccount');
    assert.equal(question(desk).text, 'Remove ida@example.org at one.example from this machine?');
    assert.match(question(desk).detail ?? '', /^Its tasks stay at the server\./);
    desk.press('Escape');
    assert.deepEqual([desk.app.view.dialog.get(), around.said], [null, []]);
    desk.app.run('desktop.removeAccount');
    desk.app.answer('confirm', { action: 'confirm' });
    assert.deepEqual([desk.app.view.dialog.get(), around.said], [null, [{ type: 'remove' }]]);
  });

  test('[DESK-30] says how many changes haven’t reached the server, and that without an account everything is lost', () => {
    const { desk } = start();
    desk.engine.setSync({ type: 'onDevice', waiting: 3, online: false });
    desk.app.run('desktop.removeAccount');
    assert.match(
      question(desk).detail ?? '',
      /^3 changes haven’t reached the server\. What isn’t sent is lost/,
    );
    const { desk: alone } = start('> Sow', null);
    alone.app.run('desktop.removeAccount');
    assert.match(question(alone).detail ?? '', /on this machine alone\. They are lost\. Export them first/);
  });

  test('[DESK-29] listens as long as the app runs', async () => {
    const { desk, around } = start();
    assert.equal(around.listeners.size, 1);
    await desk.app.close();
    assert.equal(around.listeners.size, 0);
  });

  test('[DESK-38] turns the menu bar, the tray and the start with the computer on and off, and says what became of it', () => {
    const { desk, around } = start();
    desk.app.run('desktop.menuBar');
    desk.app.run('desktop.tray');
    assert.equal(said(desk), '', 'nothing is said before it is so');
    around.become({ tray: true });
    assert.match(said(desk), /is in the tray, and goes on there/);
    desk.app.run('desktop.autostart');
    assert.deepEqual(around.said, [
      { type: 'keep', what: 'menuBar', isOn: false },
      { type: 'keep', what: 'tray', isOn: true },
      { type: 'keep', what: 'autostart', isOn: true },
    ]);
    around.become({});
    assert.equal(said(desk), 'That couldn’t be changed on this computer.');
    around.become({ autostart: null });
    assert.equal(desk.app.run('desktop.autostart').type, 'refused');
  });

  test('[DESK-45] takes custom JavaScript, which the client loads, off until it is turned on; and says where its file is', async () => {
    const { desk, around } = start();
    const ran: string[] = [];
    const run = (code: string, { commands }: CustomApi) => {
      ran.push(code);
      commands.register({ id: 'custom.one', title: 'My own', run: () => ran.push('one') });
      return Promise.resolve();
    };
    const port = { isShiftHeld: false, read: () => Promise.resolve('code'), run };
    const settle = async () => {
      desk.timers.advance(1_000);
      for (let n = 0; n < 5; n += 1) await desk.settle();
    };
    around.addParts([customCode(port)]);
    await settle();
    assert.deepEqual(ran, []);
    desk.app.run('setting.customCode', { value: 'true' });
    assert.equal(desk.preferences.get('customCode'), 'true');
    around.addParts([customCode(port)]);
    await settle();
    assert.deepEqual(ran, ['code']);
    desk.app.run('custom.one');
    assert.deepEqual(ran, ['code', 'one']);
    desk.app.run('desktop.customCode');
    assert.deepEqual(around.said, [{ type: 'custom' }]);
    around.become({});
    assert.match(said(desk), /^Your code is in \/home\/ida\/custom\.js\. Turn on/);
    await desk.app.close();
    around.addParts([customCode(port)]);
    assert.equal(ran.length, 2, 'an app that is gone takes none');
  });

  test('[DESK-35] takes languages for spell check as they are typed, and says for which there is no dictionary', () => {
    const { desk, around } = start();
    desk.app.run('desktop.spelling', { languages: 'en_us, DE xx-YY' });
    assert.deepEqual(around.said, [{ type: 'spelling', languages: ['en-US', 'de', 'xx-YY'] }]);
    around.become({ spelling: ['en-US', 'de'] });
    assert.equal(said(desk), 'Spelling is checked in en-US, de. This computer has no dictionary for xx-YY.');
    desk.app.run('desktop.spelling', { languages: 'System' });
    assert.deepEqual(around.said.at(-1), { type: 'spelling', languages: null });
    around.become({ spelling: ['en-US'] });
    assert.equal(said(desk), 'Spelling is checked in en-US.');
    for (const languages of ['English', 'en-US-x', 'e'])
      assert.equal(desk.app.run('desktop.spelling', { languages }).type, 'refused', languages);
  });
});

describe('the menus of the desktop client', () => {
  const client = () => start().desk.app;

  test('[DESK-32] are File, Edit, View, Task, Go and Help, of commands that there are, each once', () => {
    const app = client();
    assert.deepEqual(
      menuCommands.map(([name]) => name),
      ['File', 'Edit', 'View', 'Task', 'Go', 'Help'],
    );
    const ids = menuCommands.flatMap(([, all]) => all.filter((id) => id !== null));
    assert.deepEqual(
      ids.filter((id) => !app.commands.has(id)),
      [],
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(pageMessageSchema.safeParse(menusOf(app)).success);
    for (const { name, items } of menusOf(app).menus) {
      assert.notEqual(items[0], null, name);
      assert.notEqual(items.at(-1), null, name);
    }
    // Where a part is missing, its items are.
    const browser = new Desk('> Sow').app;
    assert.ok(
      menusOf(browser).menus.every(({ items }) => items.every((item) => !item?.id.startsWith('desktop.'))),
    );
  });

  test('[DESK-32] have the keys that the person chose, and are said again when these change and only then', async () => {
    const app = client();
    const told: MenusSaid[] = [];
    const end = followMenus(app, (menus) => told.push(menus));
    const keysOf = (id: string) =>
      told
        .at(-1)
        ?.menus.flatMap(({ items }) => items)
        .find((item) => item?.id === id)?.keys;
    assert.equal(keysOf('task.complete'), 'Space');
    assert.equal(keysOf('go.inbox'), 'g i');
    app.run('keys.preset', { value: 'vim' });
    await Promise.resolve();
    assert.equal(told.length, 2);
    assert.notEqual(keysOf('task.due'), 'd');
    app.run('view.sidebar');
    await Promise.resolve();
    assert.equal(told.length, 2);
    end();
    app.run('keys.preset', { value: 'standard' });
    await Promise.resolve();
    assert.equal(told.length, 2);
  });
});
