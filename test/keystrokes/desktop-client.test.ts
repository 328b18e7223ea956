// What the app has in the desktop client alone, in the whole headless app with the program around it as a port.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DesktopAccounts, DesktopPort, DesktopSaid } from '#client/desktop/port.ts';
import { Desk, noAccount } from './desk.ts';

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
  readonly listeners = new Set<(accounts: DesktopAccounts) => void>();
  accounts: DesktopAccounts = { here: 'desktop', profiles: TWO.profiles.slice(0, 1) };

  say(message: DesktopSaid): void {
    this.said.push(message);
  }

  onProfiles(listener: (accounts: DesktopAccounts) => void): () => void {
    this.listeners.add(listener);
    listener(this.accounts);
    return () => this.listeners.delete(listener);
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
});
