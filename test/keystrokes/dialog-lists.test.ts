// The lists inside dialogs: their keys are bindings like any other, so that presets and own keys reach them, and the editor of
// keys and the sheet show them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeyContext } from '#client/commands/command.ts';
import { lazyTimeMachine } from '#client/history/lazy.ts';
import { accountKeys } from '#client/settings/keys.ts';
import { settingId } from '#core/ids.ts';
import { SCOPE } from './desk-engine.ts';
import type { Desk } from './desk.ts';
import { office } from './office.ts';

await lazyTimeMachine.load();

async function open(preset: string, command: string, ...within: readonly KeyContext[]): Promise<Desk> {
  const desk = office({ apple: false });
  await desk.settle();
  desk.app.run('keys.preset', { value: preset });
  desk.press('Space');
  desk.app.run(command);
  for (let n = 0; n < 3; n += 1) await desk.settle();
  desk.within = within;
  return desk;
}

const activeLabel = (desk: Desk) => {
  const dialog = desk.app.view.dialog.get();
  return dialog?.type === 'labels' ? dialog.picker.active : null;
};

const moment = (desk: Desk) => {
  const dialog = desk.app.view.dialog.get();
  return dialog?.type === 'timeMachine' ? dialog.machine.position : null;
};

describe('lists in dialogs', () => {
  for (const [preset, down, up] of [
    ['standard', 'Down', 'Up'],
    ['standard', 'Ctrl+J', 'Ctrl+K'],
    ['emacs', 'Ctrl+N', 'Ctrl+P'],
    ['vim', 'Ctrl+N', 'Ctrl+P'],
  ] as const)
    test(`[KEY-73] ${down} and ${up} choose a label (${preset})`, async () => {
      const desk = await open(preset, 'label.pick', 'dialog.labels', 'list');
      assert.equal(activeLabel(desk), 0);
      desk.press(down);
      assert.equal(activeLabel(desk), 1);
      desk.press(up);
      assert.equal(activeLabel(desk), 0);
    });

  for (const [preset, older, newer] of [
    ['standard', 'Left', 'Right'],
    ['emacs', 'Ctrl+B', 'Ctrl+F'],
    ['vim', 'h', 'l'],
  ] as const)
    test(`[KEY-73] ${older} and ${newer} go through time (${preset})`, async () => {
      const desk = await open(preset, 'history.travelEverything', 'dialog.timeMachine', 'list');
      assert.equal(moment(desk), 0);
      desk.press(older);
      assert.equal(moment(desk), 1);
      desk.press(newer);
      assert.equal(moment(desk), 0);
    });

  test('[KEY-73] an own key counts, and only where the control with the focus says so', async () => {
    const desk = await open('standard', 'label.pick', 'dialog.labels', 'list');
    const own = { add: [{ context: 'list', keys: 'F8', command: 'options.down' }], drop: [] };
    desk.app.closeDialog();
    const { key } = accountKeys;
    const id = settingId(SCOPE, key);
    desk.replica.issue([{ a: 'create', id, type: 'setting', fields: { key, value: JSON.stringify(own) } }]);
    desk.app.run('label.pick');
    assert.equal(desk.press('F8'), true);
    assert.equal(activeLabel(desk), 1);
    desk.within = [];
    assert.equal(desk.press('Down'), false);
    assert.equal(activeLabel(desk), 1);
  });

  test('[KEY-73] letters go into the field, whatever the set of keys', async () => {
    const desk = await open('vim', 'label.pick', 'dialog.labels', 'list');
    assert.equal(desk.press('j'), false);
    assert.equal(activeLabel(desk), 0);
  });

  test('[KEY-73] the sheet and the editor show them', async () => {
    const desk = await open('standard', 'help.keys', 'list');
    const titles = desk.app.keySheet().map(({ title }) => title);
    assert.ok(titles.includes('In one dialog'), titles.join(', '));
    desk.app.answer('keys', { action: 'filter', text: 'one moment earlier' });
    const dialog = desk.app.view.dialog.get();
    assert.deepEqual(
      dialog?.type === 'keys' && dialog.editor.options.map(({ title, caps }) => [title, ...caps]),
      [['One moment earlier', '←']],
    );
  });
});
