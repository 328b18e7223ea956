// Custom CSS by keys: writing, saving, canceling, the limit, a safe start, turning it off; and that it leaves the device by no
// way. What it does to the page is held in test/browser/custom-css.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CustomCssView } from '#client/custom-css/custom-css-view.ts';
import { mostCssCharacters } from '#client/custom-css/settings.ts';
import { Desk, type DeskOptions, given } from './desk.ts';

const RED = '[data-ph=title] { color: red }';

class CssDesk extends Desk {
  view(): CustomCssView | null {
    const dialog = this.app.view.dialog.get();
    return dialog?.type === 'customCss' ? dialog.customCss : null;
  }

  kept(): string | undefined {
    return this.preferences.get('customCss');
  }

  said(): string | undefined {
    return this.app.view.status.get().message?.text;
  }

  open(): void {
    this.press('Mod+K');
    this.app.paletteInput('edit custom css');
    this.press('Enter');
    assert.ok(this.view(), 'the dialog is open');
    this.within = ['dialog.customCss'];
  }

  write(css: string): void {
    this.app.answer('customCss', { action: 'type', text: css });
  }

  leave(key: string): void {
    this.press(key);
    this.within = [];
  }
}

class SafeDesk extends CssDesk {
  override platform(...given: Parameters<Desk['platform']>): ReturnType<Desk['platform']> {
    return { ...super.platform(...given), isSafe: true };
  }
}

/** What the dialog of settings shows of it. */
function inSettings(desk: Desk): readonly string[] {
  desk.app.run('settings.open');
  desk.app.answer('settings', { action: 'filter', text: 'custom css' });
  const dialog = desk.app.view.dialog.get();
  if (dialog?.type !== 'settings') return [];
  const { rows, ways } = dialog.settings;
  return [...rows.map(({ title }) => title), ...ways.map(({ command }) => command)];
}

const desk = (options: DeskOptions = {}) => new CssDesk('> A', options);

describe('custom CSS by keys', () => {
  test('[LOOK-1] typed text applies while the dialog is open and stays when it is saved', () => {
    const app = desk();
    app.open();
    assert.deepEqual(app.view(), { text: '', preview: '', effect: 'live', problem: null });
    app.write(RED);
    assert.equal(app.view()?.preview, RED);
    assert.equal(app.kept(), undefined);
    app.leave('Mod+Enter');
    assert.equal(app.view(), null);
    assert.equal(app.kept(), RED);
    assert.equal(app.said(), 'Custom CSS saved on this device.');
    app.open();
    assert.equal(app.view()?.text, RED);
    app.write('  ');
    app.leave('Mod+Enter');
    assert.equal(app.kept(), '');
    assert.equal(app.said(), 'Custom CSS removed.');
  });

  test('[LOOK-1] settings lead there, and have the switch', () => {
    assert.deepEqual(inSettings(desk()), ['Custom CSS', 'look.customCss']);
  });

  test('[LOOK-2] what was not saved is said, and there the next time', () => {
    const app = desk();
    app.open();
    app.write(RED);
    app.leave('Escape');
    assert.equal(app.view(), null);
    assert.equal(app.kept(), undefined);
    assert.match(app.said() ?? '', /isn’t saved/);
    app.open();
    assert.equal(app.view()?.text, RED);
    // Back to what is kept: nothing is left to be said.
    app.write('');
    app.leave('Escape');
    app.open();
    assert.equal(app.view()?.text, '');
  });

  test('[LOOK-3] no row and no export has it', () => {
    const app = desk();
    const before = [...app.replica.all()].length;
    app.open();
    app.write(RED);
    app.leave('Mod+Enter');
    app.press('Shift+F4');
    assert.equal([...app.replica.all()].length, before);
    app.app.run('export.accountJson');
    const [file] = app.files;
    assert.ok(file, 'everything is exported');
    assert.doesNotMatch(file.text, /color: red|customCss/);
  });

  test('[LOOK-3] an import brings none', async () => {
    const app = desk();
    const settings = { settings: { customCss: RED }, preferences: { customCss: RED }, customCss: RED };
    app.sources = [given('a.json', JSON.stringify({ ...settings, lists: [] }))];
    app.app.run('file.import');
    for (let n = 0; n < 5; n += 1) await app.settle();
    app.press('Enter');
    assert.equal(app.kept(), undefined);
  });

  test('[LOOK-4] a text that is too long is refused with its number; what fitted before goes on', () => {
    const app = desk();
    app.open();
    app.write(RED);
    app.write('x'.repeat(mostCssCharacters + 1));
    assert.equal(app.view()?.problem, 'That’s 100,001 characters. Custom CSS can have 100,000.');
    assert.equal(app.view()?.preview, RED);
    app.press('Mod+Enter');
    assert.ok(app.view(), 'it stays open');
    assert.equal(app.kept(), undefined);
    app.write('x'.repeat(mostCssCharacters));
    app.leave('Mod+Enter');
    assert.equal(app.kept()?.length, mostCssCharacters);
  });

  test('[LOOK-8] in a safe start it can be changed, and says when it applies', () => {
    const app = new SafeDesk('> A', { preferences: new Map([['customCss', RED]]) });
    app.open();
    assert.equal(app.view()?.effect, 'safe');
    assert.equal(app.view()?.text, RED);
    app.write('');
    app.leave('Mod+Enter');
    assert.equal(app.kept(), '');
    assert.match(app.said() ?? '', /without “\?safe”/);
  });

  test('[LOOK-9] one key turns it off and on from anywhere, and keeps the text', () => {
    for (const place of [[], ['Enter'], ['Shift+F6'], ['n'], ['/']]) {
      const app = desk({ preferences: new Map([['customCss', RED]]) });
      app.press(...place, 'Shift+F4');
      assert.equal(app.preferences.get('customCssOn'), 'false', place.join());
      app.press('Shift+F4');
      assert.equal(app.preferences.get('customCssOn'), 'true', place.join());
      assert.equal(app.kept(), RED);
    }
  });

  test('[LOOK-11] what hides the dialog is not applied by it, until something else is typed or it is saved', () => {
    const app = desk();
    app.open();
    app.write('* { display: none }');
    app.app.answer('customCss', { action: 'hides' });
    assert.deepEqual([app.view()?.effect, app.view()?.preview], ['hides', '']);
    app.write(RED);
    assert.deepEqual([app.view()?.effect, app.view()?.preview], ['live', RED]);
    app.app.answer('customCss', { action: 'hides' });
    app.leave('Escape');
    app.open();
    assert.deepEqual([app.view()?.text, app.view()?.preview], [RED, '']);
    app.leave('Mod+Enter');
    assert.equal(app.kept(), RED);
  });

  test('[LOOK-11] what is turned off is not applied by opening the dialog', () => {
    const app = desk({
      preferences: new Map([
        ['customCss', RED],
        ['customCssOn', 'false'],
      ]),
    });
    app.open();
    assert.deepEqual([app.view()?.text, app.view()?.preview], [RED, '']);
  });

  test('[LOOK-9] saving turns it on again', () => {
    const app = desk({ preferences: new Map([['customCssOn', 'false']]) });
    app.open();
    assert.equal(app.view()?.effect, 'off');
    app.write(RED);
    app.leave('Mod+Enter');
    assert.equal(app.preferences.get('customCssOn'), '');
  });
});
