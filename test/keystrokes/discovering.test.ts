// What a person types into the palette who does not know what a thing is called here, and what must then be near the top.
// Whoever reads only the app's own hints finds everything so.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commands } from '#client/commands/registry.ts';
import { Desk } from './desk.ts';

/** Words → the command that must be among the first three. */
const WORDS: readonly (readonly [words: string, command: string])[] = [
  ['due date', 'task.due'],
  ['deadline', 'task.due'],
  ['start date', 'task.start'],
  ['defer', 'task.start'],
  ['snooze', 'task.snooze'],
  ['later', 'task.snooze'],
  ['show snoozed', 'view.snoozed'],
  ['not started', 'view.unstarted'],
  ['recurring', 'task.repeat'],
  ['repeat', 'task.repeat'],
  ['skip', 'task.skip'],
  ['only this occurrence', 'task.once'],
  ['reminder', 'task.remind'],
  ['alarm', 'task.remind'],
  ['duration', 'task.duration'],
  ['estimate', 'task.duration'],
  ['label', 'label.pick'],
  ['tag', 'label.pick'],
  ['label group', 'label.createGroup'],
  ['label colour', 'label.manage'],
  ['label hotkey', 'label.manage'],
  ['exclusive', 'label.createGroup'],
  ['bookmark', 'bookmark.toggle'],
  ['star', 'bookmark.toggle'],
  ['focus', 'task.focusIn'],
  ['zoom', 'task.focusIn'],
  ['zoom out', 'task.focusOut'],
  ['notes', 'notes.edit'],
  ['metadata', 'task.details'],
  ['search', 'search.open'],
  ['search operators', 'search.open'],
  ['query language', 'search.open'],
  ['smart list', 'list.createSmart'],
  ['saved search', 'list.createSmart'],
  ['edit query', 'list.editQuery'],
  ['why here', 'task.whyHere'],
  ['find and replace', 'edit.replace'],
  ['mark as done', 'task.complete'],
  ['mark done', 'task.complete'],
  ['postpone', 'task.snooze'],
  ['comment', 'notes.edit'],
  ['vim', 'keys.preset'],
  ['vim mode', 'keys.preset'],
  ['duplicate', 'task.duplicate'],
  ['clone', 'task.duplicate'],
  ['sort', 'list.sort'],
  ['order by', 'list.sort'],
  ['clear completed', 'task.clearCompleted'],
  ['archive completed', 'task.clearCompleted'],
  ['automatic clearing', 'setting.autoClear'],
  ['preferences', 'settings.open'],
  ['options', 'settings.open'],
  ['dark mode', 'view.theme'],
  ['accent', 'setting.accent'],
  ['font size', 'setting.fontSize'],
  ['custom theme', 'setting.ownTheme'],
  ['background', 'setting.themeGradient'],
  ['first day of the week', 'setting.weekStart'],
  ['day start', 'setting.dayStart'],
  ['duplicates', 'setting.smartListDuplicates'],
  ['nested', 'setting.smartListNested'],
  ['today', 'go.today'],
  ['upcoming', 'go.upcoming'],
  ['hotkeys', 'help.keys'],
  ['cheat sheet', 'keys.print'],
];

/** Everything that stands for itself in the list of keys: whoever opens it reads how. */
const IN_THE_SHEET = [
  'task.due',
  'task.start',
  'task.snooze',
  'task.repeat',
  'task.duration',
  'task.remind',
  'label.pick',
  'bookmark.toggle',
  'task.focusIn',
  'task.focusOut',
  'notes.edit',
  'search.open',
  'search.save',
  'edit.replace',
  'settings.open',
  'list.details',
  'task.details',
];

describe('[HELP-1] finding out', () => {
  test('every word a person may have for it leads to the command, near the top', () => {
    const missed: string[] = [];
    const desk = new Desk('> Read the manual\n    Chapter one\n  Write');
    for (const [words, command] of WORDS) {
      if (!commands.has(command)) {
        missed.push(`there is no ${command}`);
        continue;
      }
      desk.press('Mod+K');
      desk.type(words);
      const items = desk.app.view.palette.get()?.items ?? [];
      desk.press('Escape');
      const at = items.findIndex(({ id }) => id === `cmd.${command}`);
      if (at < 0 || at > 2)
        missed.push(
          `${words}: ${command} is ${at}, before it ${items
            .slice(0, 3)
            .map(({ title }) => title)
            .join(', ')}`,
        );
    }
    assert.deepEqual(missed, []);
  });

  test('the list of keys names each of them with its key', () => {
    const desk = new Desk('> A');
    const listed = new Set(desk.app.keySheet().flatMap(({ rows }) => rows.map(({ id }) => id)));
    assert.deepEqual(
      IN_THE_SHEET.filter((id) => !listed.has(id)),
      [],
    );
  });

  test('empty places say what to do next, with a key or a button for it', () => {
    const desk = new Desk('');
    const empty = () => desk.app.view.empty.get();
    assert.equal(empty()?.command, 'task.createBelow');
    desk.press('g x');
    assert.equal(empty()?.command, 'go.inbox');
    desk.press('/');
    desk.app.searchInput('nothing like this');
    assert.equal(empty()?.command, 'search.create');
  });

  test('[HELP-2] every empty place says why it is, and what leads on', () => {
    const desk = new Desk('');
    const empty = () => {
      const { drawing, heading = '', command = '', others = [] } = desk.app.view.empty.get() ?? {};
      return [drawing, heading, command, ...others.map((other) => other.command)];
    };
    desk.app.run('list.create', { name: 'Home' });
    assert.deepEqual(empty(), ['list', 'A clean sheet', 'task.createBelow', 'task.paste']);
    desk.press('Ctrl+Enter');
    desk.type('Water the plants');
    desk.press('Escape', 'z');
    assert.deepEqual(empty(), ['list', 'No subtasks yet', 'task.createBelow', 'task.focusOut']);
    desk.press('Shift+Z');
    desk.press('s');
    desk.type('tomorrow');
    desk.press('Enter');
    assert.deepEqual(empty(), [
      'moon',
      'Everything here is snoozed for now',
      'view.snoozed',
      'task.createBelow',
    ]);
    desk.press('Mod+Z', 'Space');
    desk.app.run('task.clearCompleted');
    assert.deepEqual(empty(), ['done', 'All done', 'task.createBelow']);
    desk.app.run('folder.create', { name: 'Work' });
    desk.press('Mod+P');
    desk.type('Work');
    desk.press('Enter');
    assert.deepEqual(empty(), ['folder', 'This folder is empty', 'list.create']);
    desk.press('g x');
    assert.deepEqual(empty(), ['trash', 'The trash is empty', 'go.inbox', 'go.back']);
    desk.press('/');
    desk.app.searchInput('nothing like this');
    assert.deepEqual(empty(), [
      'search',
      'No task matches “nothing like this”',
      'search.create',
      'search.leave',
    ]);
  });
});
