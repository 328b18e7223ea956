// Installing by keys: what the command does with each kind of browser, and what becomes of the offer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installOffers } from '#client/install/install.ts';
import { Desk } from './desk.ts';

describe('installing', () => {
  test('[INST-1] [INST-2] the browser asks, and the offer is answered', async () => {
    const desk = new Desk('> A');
    desk.outside.offersInstall = true;
    desk.notices.set([{ id: 'o', ...installOffers.ask }]);
    desk.press('Mod+K');
    desk.type('install posthaste');
    desk.press('Enter');
    assert.equal(desk.outside.installs, 1);
    assert.deepEqual(desk.notices.get(), []);
    await desk.until(() => desk.message === 'Posthaste is installed.');
    desk.outside.isInstallWanted = false;
    desk.app.run('application.install');
    await desk.until(() => desk.message === 'Posthaste was not installed.');
  });

  test('[INST-1] a browser without a question has its steps shown; the others say why not', () => {
    const desk = new Desk('> A');
    desk.outside.installMenu = 'share';
    desk.app.run('application.install');
    assert.deepEqual(desk.app.view.dialog.get(), { type: 'install', way: 'share' });
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.outside.installs, 0);
    desk.outside.installMenu = null;
    desk.app.run('application.install');
    assert.deepEqual(desk.links, ['/guides/web-app'], 'the guide knows other browsers');
    desk.outside.isInstalled = true;
    const refusal = desk.app.run('application.install');
    assert.ok(refusal.type === 'refused' && refusal.reason.includes('installed'));
  });

  test('[INST-4] links can be had opened here', () => {
    const desk = new Desk('> A');
    desk.app.run('application.takeLinks');
    assert.equal(desk.outside.linksTaken, 1);
  });
});
