// Settings by keys: read and changed by commands and in their dialog, kept by account or by device, and what they do.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settingId, type Id } from '#core/ids.ts';
import { commands } from '#client/commands/registry.ts';
import { allSettings, commandOf } from '#client/settings/catalog.ts';
import { settingWays } from '#client/settings/ways.ts';
import { settingHelp } from '#client/settings/help.ts';
import type { SettingsAction, SettingsView } from '#client/settings/settings-view.ts';
import { adoptActions } from '#sync/replica/adopt.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk, shows } from './desk.ts';

const HOUR_MS = 3_600_000;

function settings(desk: Desk): SettingsView {
  const dialog = desk.app.view.dialog.get();
  assert.equal(dialog?.type, 'settings');
  return dialog.settings;
}

function value(desk: Desk, key: string): string | undefined {
  return settings(desk).rows.find((row) => row.key === key)?.value;
}

/** What the fields of the dialog send. */
function act(desk: Desk, action: SettingsAction): void {
  desk.app.answer('settings', action);
}

/** As another device of the account set it. */
function saidElsewhere(desk: Desk, key: string, said: unknown): void {
  const row: Row = {
    id: settingId(SCOPE, key),
    type: 'setting',
    scope: SCOPE,
    version: 1_000,
    fields: { key, value: said },
    stamp: [1_000, desk.replica.now(), 7, 1],
    createdAt: desk.replica.now(),
    updatedAt: 0,
  };
  receivePage(desk.replica, [row]);
  desk.replica.setCursor(SCOPE, { generation: 'local', version: 1_000 });
}

const stored = (desk: Desk, key: string): unknown =>
  fieldOf(desk.replica.row(settingId(SCOPE, key)), 'value');

describe('settings', () => {
  test('[SET-26] says which program this is, in its tab and when it is sought', () => {
    const desk = new Desk('> A');
    desk.app.run('settings.open');
    assert.equal(settings(desk).about, null);
    act(desk, { action: 'tab', tab: 'This app' });
    assert.deepEqual(settings(desk).about, { version: '1.2.3', build: 'abc', licence: 'MIT' });
    act(desk, { action: 'filter', text: 'version' });
    assert.equal(settings(desk).about?.version, '1.2.3');
    act(desk, { action: 'filter', text: 'theme' });
    assert.equal(settings(desk).about, null);
  });

  test('[SET-1] every setting has one command, and says what it is and does', () => {
    for (const setting of allSettings) {
      const command = commands.get(commandOf(setting));
      assert.ok(command?.inPalette, setting.key);
      assert.match(setting.title, /^[A-Z]/);
      assert.match(settingHelp[setting.key] ?? '', /\.”?$/, `${setting.key} says what it does`);
      assert.notEqual(setting.read(setting.fallback), null, `${setting.key} can hold its own fallback`);
    }
    assert.equal(new Set(allSettings.map(({ key }) => key)).size, allSettings.length);
  });

  test('[SET-1] a toggle is turned by its command, which says what it would do', () => {
    const desk = new Desk('> A');
    desk.press('Mod+K');
    desk.type('turn nested smart');
    assert.equal(desk.palette()[0], 'Turn off: nested tasks in smart lists');
    desk.press('Enter');
    assert.equal(desk.message, 'Nested tasks in smart lists: off.');
    assert.equal(stored(desk, 'smartListNested'), false);
    desk.press('Mod+K');
    desk.type('turn nested smart');
    assert.equal(desk.palette()[0], 'Turn on: nested tasks in smart lists');
  });

  test('[SET-1] a choice asks which, and says which it is now', () => {
    const desk = new Desk('> A');
    desk.press('Mod+K');
    desk.type('automatic clearing');
    desk.press('Enter');
    const items = desk.app.view.palette.get()?.items ?? [];
    assert.deepEqual(
      items.filter(({ hint }) => hint === 'now').map(({ title }) => title),
      ['After a day'],
    );
    desk.type('off');
    desk.press('Enter');
    assert.equal(desk.message, 'Automatic clearing: off.');
    assert.equal(stored(desk, 'autoClear'), 0);
  });

  test('[SET-2] one of the account is undone like any change; one of the device changes no data', () => {
    const desk = new Desk('> A');
    const before = desk.everything();
    desk.app.run('setting.density', { value: 'compact' });
    assert.equal(desk.preferences.get('density'), 'compact');
    assert.equal(desk.everything(), before);
    desk.app.run('setting.smartListNested');
    desk.press('Mod+Z');
    assert.notEqual(stored(desk, 'smartListNested'), false);
    desk.app.run('setting.dayStart', { value: '4' });
    assert.match(desk.everything(), /"key":"dayStart","value":4/);
  });

  test('[SET-3] what a setting cannot be is refused, and what is stored so counts as nothing', () => {
    const desk = new Desk('> A');
    assert.equal(desk.app.run('setting.dayStart', { value: '25' }).type, 'refused');
    assert.equal(stored(desk, 'dayStart'), undefined);
    const fields = { key: 'dayStart', value: 'noon' };
    desk.replica.issue([{ a: 'create', id: settingId(SCOPE, 'dayStart'), type: 'setting', fields }]);
    desk.app.run('settings.open');
    act(desk, { action: 'filter', text: 'day starts' });
    assert.equal(value(desk, 'dayStart'), '0');
  });

  test('[SET-4] what was set without an account goes into the account, under its own id there', () => {
    const desk = new Desk('> A');
    desk.app.run('setting.smartListNested');
    const account = '00000000-0000-4000-8000-00000000abcd' as Id;
    const made = adoptActions(desk.replica, SCOPE, account);
    const id = settingId(account, 'smartListNested');
    const [created] = made.filter((action) => action.id === id);
    assert.deepEqual(created?.a === 'create' && created.fields, { key: 'smartListNested', value: false });
  });
});

describe('the settings dialog', () => {
  test('[SET-5] Mod+, opens it; tabs come from the settings, and one is found by any of its words', () => {
    const desk = new Desk('> A');
    desk.press('Mod+,');
    assert.equal(settings(desk).tab, 'General');
    act(desk, { action: 'tab', tab: 'Behavior' });
    assert.equal(value(desk, 'autoClear'), '24');
    act(desk, { action: 'filter', text: 'DARK system' });
    assert.deepEqual(
      settings(desk).rows.map(({ key }) => key),
      ['theme'],
    );
    act(desk, { action: 'filter', text: '' });
    assert.equal(settings(desk).tab, 'Behavior');
    for (const tab of settings(desk).tabs) {
      act(desk, { action: 'tab', tab });
      assert.ok(settings(desk).rows.length + settings(desk).ways.length > 0, tab);
    }
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    shows(desk, '> A');
  });

  test('[SET-7] what is set elsewhere has its way there, and is found by its words', () => {
    const desk = new Desk('> A');
    desk.app.run('settings.open');
    const ways = () => settings(desk).ways.map(({ command }) => command);
    act(desk, { action: 'tab', tab: 'Account' });
    assert.deepEqual(ways(), ['account.signUp', 'account.signIn'], 'nobody is signed in');
    act(desk, { action: 'tab', tab: 'Labels' });
    assert.deepEqual(ways(), ['label.manage']);
    act(desk, { action: 'tab', tab: 'This app' });
    assert.deepEqual(ways().slice(0, 2), ['application.install', 'application.takeLinks']);
    desk.outside.isInstalled = true;
    act(desk, { action: 'tab', tab: 'This app' });
    assert.match(settings(desk).ways[0]?.unavailable ?? '', /already installed/, 'it says why');
    act(desk, { action: 'filter', text: 'label names' });
    assert.deepEqual(ways(), ['label.manage']);
    for (const { command, isSomewhere = false } of settingWays)
      assert.equal(commands.has(command), !isSomewhere, command);
  });

  test('[SET-5] on other keyboards it is Ctrl+;', () => {
    const desk = new Desk('> A', { apple: false });
    desk.press('Ctrl+;');
    assert.equal(settings(desk).tab, 'General');
  });

  test('[SET-6] a change counts at once, says so, can be set back, and is undone inside the dialog', () => {
    const desk = new Desk('> A');
    desk.app.run('settings.open');
    act(desk, { action: 'tab', tab: 'Behavior' });
    act(desk, { action: 'switch', key: 'smartListDuplicates', isOn: false });
    assert.equal(settings(desk).answer?.text, 'Duplicates in smart lists: off.');
    assert.equal(value(desk, 'smartListDuplicates'), 'false');
    assert.equal(settings(desk).rows.find(({ key }) => key === 'smartListDuplicates')?.usual, 'on');
    act(desk, { action: 'reset', key: 'smartListDuplicates' });
    assert.equal(value(desk, 'smartListDuplicates'), 'true');
    desk.press('Mod+Z', 'Mod+Z');
    assert.equal(value(desk, 'smartListDuplicates'), 'true');
    assert.equal(stored(desk, 'smartListDuplicates') ?? true, true);
    act(desk, { action: 'set', key: 'nothing', text: 'x' });
  });

  test('[SET-6] another device’s change is shown in the open dialog', () => {
    const desk = new Desk('> A');
    desk.app.run('settings.open');
    act(desk, { action: 'tab', tab: 'Behavior' });
    saidElsewhere(desk, 'autoClear', 168);
    assert.equal(value(desk, 'autoClear'), '168');
  });
});

describe('controls of the settings dialog', () => {
  const controls = (desk: Desk) =>
    Object.fromEntries(settings(desk).rows.map(({ key, control }) => [key, control]));

  test('[SET-28] a few choices stand side by side, many are a menu, colors are shown under a sample of the look', () => {
    const desk = new Desk('> A');
    desk.app.run('settings.open');
    assert.equal(settings(desk).hasSample, false);
    const general = controls(desk);
    assert.deepEqual([general['weekStart'], general['hourMorning']], ['segments', 'menu']);
    act(desk, { action: 'tab', tab: 'Appearance' });
    assert.equal(settings(desk).hasSample, true);
    const { theme, accent, ownTheme } = controls(desk);
    assert.deepEqual([theme, accent, ownTheme], ['segments', 'colors', 'text']);
    const colors = settings(desk).rows.find(({ key }) => key === 'accent')?.choices ?? [];
    assert.ok(colors.every(({ color }) => /^#[\da-f]{6}$/.test(color ?? '')));
    assert.equal(new Set(colors.map(({ color }) => color)).size, colors.length);
    act(desk, { action: 'filter', text: 'nested smart' });
    assert.deepEqual([settings(desk).hasSample, controls(desk)['smartListNested']], [false, 'switch']);
  });

  test('[SET-5] a tab that is chosen ends what is sought', () => {
    const desk = new Desk('> A');
    desk.app.run('settings.open');
    act(desk, { action: 'filter', text: 'theme' });
    assert.equal(settings(desk).tab, null);
    act(desk, { action: 'tab', tab: 'Keys' });
    assert.deepEqual([settings(desk).tab, settings(desk).query], ['Keys', '']);
  });
});

/** Presses the key, says the words, accepts. */
function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}

const change = (desk: Desk, key: string, to: string) => desk.app.run(`setting.${key}`, { value: to });

/** The first reading of what is typed at a picker. */
function readingOf(desk: Desk, words: string): string | undefined {
  desk.press('d');
  desk.type(words);
  const [first] = desk.palette();
  desk.press('Escape');
  return first;
}

describe('behavior', () => {
  test('[SET-10] until the hour at which a day begins it is still yesterday', () => {
    const desk = new Desk('> A\n  B\n  C');
    change(desk, 'dayStart', '4');
    say(desk, 'd', 'today');
    desk.timers.advance(17 * HOUR_MS);
    assert.deepEqual(desk.rows()[0]?.due, { text: 'today', overdue: false });
    assert.equal(readingOf(desk, 'tomorrow'), 'Sat 28 Nov 2026');
    desk.press('/');
    desk.app.searchInput('due:today');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['A'],
    );
    desk.press('Escape', 'Escape', 'Home', 'Down');
    say(desk, 't', 'tomorrow');
    assert.equal(desk.rows()[1]?.start, 'starts tomorrow');
    desk.timers.advance(2 * HOUR_MS);
    assert.deepEqual(desk.rows()[0]?.due, { text: 'yesterday', overdue: true });
    assert.equal(desk.rows()[1]?.start, null);
    change(desk, 'dayStart', '6');
    assert.deepEqual(desk.rows()[0]?.due, { text: 'today', overdue: false });
    assert.equal(desk.rows()[1]?.start, 'starts tomorrow');
  });

  test('[SET-10] what was completed before the day began counts as yesterday’s', () => {
    const desk = new Desk('> A');
    change(desk, 'dayStart', '4');
    desk.timers.advance(17 * HOUR_MS);
    desk.press('Space', '/');
    desk.app.searchInput('completed:"27 nov"');
    assert.equal(desk.rows()[0]?.title, 'A');
  });

  test('[SET-11] weeks, “next week” and the parts of a day are as set', () => {
    const desk = new Desk('> A');
    assert.equal(readingOf(desk, 'next week'), 'Mon 30 Nov 2026');
    change(desk, 'weekStart', 'sunday');
    assert.equal(readingOf(desk, 'next week'), 'Mon 30 Nov 2026');
    assert.equal(readingOf(desk, 'start of next week'), 'Sun 29 Nov 2026');
    change(desk, 'nextWeek', 'same weekday');
    assert.equal(readingOf(desk, 'next week'), 'Fri 4 Dec 2026');
    change(desk, 'hourEvening', '21');
    assert.match(readingOf(desk, 'this evening') ?? '', /21:00$/);
  });

  test('[SET-11] a smart list about this week follows the first day of the week', () => {
    const desk = new Desk('> A\n  B');
    say(desk, 'd', '22 nov 2026');
    desk.press('/');
    desk.app.searchInput('due:"this week"');
    desk.press('Mod+Enter');
    desk.type('Week');
    desk.press('Enter');
    assert.equal(desk.rows().length, 0);
    change(desk, 'weekStart', 'sunday');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['A'],
    );
  });

  test('[SET-12] completed subtasks begin anew with their repeating task, unless that is turned off', () => {
    const desk = new Desk('> Water\n    Kitchen ✓');
    say(desk, 'r', 'every week');
    desk.press('Space');
    assert.equal(desk.rows()[1]?.done, false);
    desk.press('Mod+Z');
    desk.app.run('setting.repeatChildren');
    desk.press('Space');
    assert.equal(desk.message, 'Completed ‘Water’. It’s due again Fri 4 Dec.');
    assert.equal(desk.rows()[1]?.done, true);
  });

  test('[SET-13] missed repeats are skipped or gone through as set; a repeat that stands keeps its own', () => {
    const desk = new Desk('> A\n  B');
    const missed = (line: number) => {
      const row = desk.replica.row(desk.rows()[line]?.id as Id);
      return fieldOf(row, 'repeat')?.missed;
    };
    say(desk, 'r', 'every day');
    change(desk, 'missedRepeats', 'every');
    desk.press('Down');
    say(desk, 'r', 'every day');
    assert.deepEqual([missed(0), missed(1)], ['skip', 'every']);
    desk.press('Up');
    say(desk, 'r', 'every week');
    assert.equal(missed(0), 'skip');
    desk.app.run('task.repeat', { value: 'every month' });
    assert.equal(missed(0), 'every');
  });

  test('[SET-14] what has not started is hidden everywhere, except where a list says otherwise', () => {
    const desk = new Desk('> A\n  B');
    say(desk, 't', 'tomorrow');
    desk.app.run('setting.hideUnstarted');
    shows(desk, '> B');
    desk.press('Shift+T');
    assert.equal(desk.rows().length, 2);
    desk.app.run('setting.hideUnstarted');
    assert.equal(desk.rows().length, 2);
    desk.press('Shift+T');
    shows(desk, '> B');
  });

  test('[SET-15] an open smart list shows or leaves out nested tasks and duplicates at once', () => {
    const desk = new Desk('> Plan\n    Pack\n  Plant');
    const open = (query: string, name: string) => {
      desk.press('/');
      desk.app.searchInput(query);
      desk.press('Mod+Enter');
      desk.type(name);
      desk.press('Enter');
    };
    open('p', 'All');
    const titles = () => desk.rows().map(({ title, level }) => `${level} ${title}`);
    assert.deepEqual(titles(), ['1 Plan', '2 Pack', '1 Pack', '1 Plant']);
    desk.app.run('setting.smartListDuplicates');
    assert.deepEqual(titles(), ['1 Plan', '2 Pack', '1 Plant']);
    desk.app.run('setting.smartListNested');
    assert.deepEqual(titles(), ['1 Plan', '1 Pack', '1 Plant']);
    open('p enable:nested enable:duplicates', 'Whole');
    assert.deepEqual(titles(), ['1 Plan', '2 Pack', '1 Pack', '1 Plant']);
  });
});
