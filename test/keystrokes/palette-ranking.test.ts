// What people type and the command that has to come first for it, over every command there is: the set that a change of
// the ranking, of a title or of another word is held to.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commands } from '#client/commands/registry.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';

/** With the cursor on an open task that has one under it, in the Inbox, and nothing used so far. */
const FIRST: readonly (readonly [query: string, command: string])[] = [
  ['complete', 'task.complete'],
  ['complte', 'task.complete'],
  ['done', 'task.complete'],
  ['check off', 'task.complete'],
  ['delete', 'task.delete'],
  ['dele', 'task.delete'],
  ['throw away', 'task.delete'],
  ['snooze', 'task.snooze'],
  ['snoze', 'task.snooze'],
  ['later', 'task.snooze'],
  ['not now', 'task.snooze'],
  ['remind', 'task.remind'],
  ['alarm', 'task.remind'],
  ['due', 'task.due'],
  ['due date', 'task.due'],
  ['date due', 'task.due'],
  ['setdue', 'task.due'],
  ['sdd', 'task.due'],
  ['deadline', 'task.due'],
  ['start', 'task.start'],
  ['start date', 'task.start'],
  ['defer', 'task.start'],
  ['repeat', 'task.repeat'],
  ['recurring', 'task.repeat'],
  ['duration', 'task.duration'],
  ['how long', 'task.duration'],
  ['move to list', 'task.move'],
  ['list move', 'task.move'],
  ['mtl', 'task.move'],
  ['refile', 'task.move'],
  ['label', 'label.pick'],
  ['LABELS', 'label.pick'],
  ['tag', 'label.pick'],
  ['new list', 'list.create'],
  ['newlist', 'list.create'],
  ['list new', 'list.create'],
  ['create project', 'list.create'],
  ['folder', 'folder.create'],
  ['rename list', 'list.rename'],
  ['sort', 'list.sort'],
  ['order by', 'list.sort'],
  ['indent', 'task.indent'],
  ['indnet', 'task.indent'],
  ['outdent', 'task.outdent'],
  ['focus', 'task.focusIn'],
  ['zoom in', 'task.focusIn'],
  ['bookmark', 'bookmark.toggle'],
  ['pin', 'bookmark.toggle'],
  ['undo', 'edit.undo'],
  ['redo', 'edit.redo'],
  ['search', 'search.open'],
  ['serach', 'search.open'],
  ['replace', 'edit.replace'],
  ['regex', 'edit.replace'],
  ['saved search', 'list.createSmart'],
  ['go inbox', 'go.inbox'],
  ['home', 'go.inbox'],
  ['today', 'go.today'],
  ['upcoming', 'go.upcoming'],
  ['history', 'history.task'],
  ['settings', 'settings.open'],
  ['preferences', 'settings.open'],
  ['theme', 'view.theme'],
  ['dark', 'view.themeDark'],
  ['night', 'view.themeDark'],
  ['accent', 'setting.accent'],
  ['font size', 'setting.fontSize'],
  ['density', 'setting.density'],
  ['keys', 'help.keys'],
  ['hotkeys', 'help.keys'],
  ['shortcuts', 'help.keys'],
  ['vim', 'keys.preset'],
  ['cheat sheet', 'keys.print'],
  ['ctfc', 'task.paste'],
  ['export json', 'export.accountJson'],
  ['notes', 'notes.edit'],
  ['sidebar', 'view.sidebar'],
  ['collapse all', 'view.collapseAll'],
  ['select all', 'selection.all'],
  ['clear completed', 'task.clearCompleted'],
  ['login', 'account.signIn'],
  ['quick add', 'task.quickEntry'],
  ['new task', 'task.createBelow'],
  ['child', 'task.createChild'],
  ['monday', 'setting.weekStart'],
];

/** True ambiguities: among the first three, and memory decides from the first choice on. */
const AMONG: readonly (readonly [query: string, command: string])[] = [
  ['clipboard', 'task.paste'],
  ['star', 'bookmark.toggle'],
  ['move', 'task.move'],
  ['export', 'export.json'],
  ['zoom', 'task.focusIn'],
  ['paste', 'task.paste'],
];

const OUTLINE = '> Read the manual\n    Chapter one\n  Write';

/** Where a command stands among the commands that are found; −1: nowhere. */
function found(desk: Desk, query: string): readonly string[] {
  desk.press('Mod+K');
  desk.type(query);
  const items = desk.app.view.palette.get()?.items ?? [];
  desk.press('Escape');
  return items.map(({ id }) => id);
}

const placeOf = (desk: Desk, query: string, command: string) => found(desk, query).indexOf(`cmd.${command}`);

describe('ranking of every command', () => {
  test('[PAL-7] what people type finds the command first', () => {
    const desk = new Desk(OUTLINE);
    const known = FIRST.filter(([, command]) => commands.has(command));
    assert.deepEqual(
      FIRST.filter((row) => !known.includes(row)),
      [],
      'every command exists',
    );
    const missed = known.filter(([query, command]) => placeOf(desk, query, command) !== 0);
    const wins = missed.map(
      ([query, command]) => `${query}: ${found(desk, query)[0] ?? 'nothing'} and not ${command}`,
    );
    assert.deepEqual(wins, []);
  });

  test('[PAL-7] what means several things finds each among the first three, and then what was chosen', () => {
    const missed = AMONG.filter(([query, command]) => {
      const desk = new Desk(OUTLINE);
      const at = placeOf(desk, query, command);
      if (at < 0 || at > 2) return true;
      desk.press('Mod+K');
      desk.type(query);
      desk.app.pressPaletteItem(at);
      desk.press('Escape');
      return placeOf(desk, query, command) !== 0;
    });
    assert.deepEqual(missed, []);
  });

  test('[KEY-76] who wants to verify their address finds where, by the words that they have for it', () => {
    const desk = new Desk(OUTLINE, { account: { ...noAccount, email: 'ida@example.org' } });
    for (const query of ['verify', 'verify email', 'confirm email', 'confirm address', 'email code'])
      assert.equal(placeOf(desk, query, 'account.safety'), 0, `${query}: ${found(desk, query)[0]}`);
  });

  test('[PAL-12] every command has at least two other names', () => {
    const few = [...commands.values()].filter(({ inPalette, aliases }) => inPalette && aliases.length < 2);
    assert.deepEqual(
      few.map(({ id }) => id),
      [],
    );
  });
});
