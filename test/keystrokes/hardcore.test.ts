// Hardcore Mode without a page: how it is turned on and off, and where it does not count.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Desk } from './desk.ts';

const isOff = (desk: Desk) => desk.app.view.isMouseOff.get();

function hardened(): Desk {
  const desk = new Desk('> A');
  desk.app.run('view.hardcore');
  desk.app.answer('confirm', { action: 'confirm' });
  return desk;
}

describe('Hardcore Mode', () => {
  test('[SET-16] it says how to leave before it begins, and is kept on this device alone', () => {
    const desk = new Desk('> A');
    desk.press('Mod+K');
    desk.type('mouse');
    assert.equal(desk.palette()[0], 'Turn on Hardcore Mode');
    desk.press('Enter');
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'confirm' && dialog.detail?.includes('Esc three times') === true);
    assert.equal(isOff(desk), false);
    desk.app.answer('confirm', { action: 'confirm' });
    assert.equal(isOff(desk), true);
    assert.equal(desk.message, 'The mouse is off. Press Esc three times to turn it back on.');
    assert.equal(isOff(new Desk('> A', { preferences: desk.preferences })), true);
    assert.equal([...desk.replica.all()].filter(({ type }) => type === 'setting').length, 0);
    desk.app.pressedInVain();
    assert.match(desk.message, /Esc three times/);
    desk.app.run('view.hardcore');
    assert.equal(isOff(desk), false);
  });

  test('[SET-16] three times Esc turns it off, each within a second of the one before', () => {
    const desk = hardened();
    desk.press('Escape', 'Escape', 'Down', 'Escape', 'Escape');
    assert.equal(isOff(desk), true);
    desk.timers.advance(1_001);
    desk.press('Escape', 'Escape');
    assert.equal(isOff(desk), true);
    desk.press('Escape');
    assert.equal(isOff(desk), false);
    desk.press('Escape', 'Escape', 'Escape');
    assert.equal(isOff(desk), false);
  });

  test('[SET-17] where one signs in or may lose something the mouse goes on', () => {
    const desk = hardened();
    for (const command of ['account.signIn', 'trash.empty']) {
      desk.app.run(command);
      if (desk.app.view.dialog.get() !== null) assert.equal(isOff(desk), false, command);
      desk.app.closeDialog();
    }
    desk.app.run('help.keys');
    assert.equal(isOff(desk), true);
  });
});
