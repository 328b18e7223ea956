// Tries of strokes: resolving, chords, conflicts; and the default keys themselves.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commands, standardBindings } from '../commands/registry.ts';
import { type Binding, Keymap } from './keymap.ts';
import { presets } from './presets.ts';
import { parseKeys } from './stroke.ts';

const bind = (context: Binding['context'], keys: string, command: string): Binding => ({
  context,
  keys,
  command,
});

describe('keymap', () => {
  const keymap = new Keymap(
    [
      bind('navigate', 'x', 'one'),
      bind('navigate', 'g i', 'two'),
      bind('navigate', 'g l', 'three'),
      bind('global', 'x', 'four'),
      bind('global', 'Mod+K', 'five'),
    ],
    true,
  );

  test('the most specific context comes first, the others after it', () => {
    assert.deepEqual(keymap.resolve(['navigate', 'global'], ['x']), {
      type: 'commands',
      commands: ['one', 'four'],
    });
    assert.deepEqual(keymap.resolve(['edit', 'global'], ['x']), { type: 'commands', commands: ['four'] });
    assert.deepEqual(keymap.resolve(['edit'], ['x']), { type: 'none' });
  });

  test('[KEY-34] chords are pending until they are complete', () => {
    assert.deepEqual(keymap.resolve(['navigate'], ['g']), { type: 'pending' });
    assert.deepEqual(keymap.resolve(['navigate'], ['g', 'i']), { type: 'commands', commands: ['two'] });
    assert.deepEqual(keymap.resolve(['navigate'], ['g', 'z']), { type: 'none' });
    assert.deepEqual(keymap.continuations(['navigate', 'global'], ['g']), [
      { stroke: 'i', command: 'two' },
      { stroke: 'l', command: 'three' },
    ]);
  });

  test('keys of a command', () => {
    assert.deepEqual(keymap.keysOf('two'), [['g', 'i']]);
    assert.deepEqual(keymap.keysOf('five'), [['⌘K']]);
    assert.deepEqual(keymap.keysOf('none'), []);
  });

  const conflicts: readonly (readonly [string, readonly Binding[]])[] = [
    ['the same keys twice', [bind('edit', 'Mod+Enter', 'a'), bind('edit', 'Ctrl+Enter', 'b')]],
    ['a key that hides a chord', [bind('edit', 'g i', 'a'), bind('edit', 'g', 'b')]],
    ['a chord behind a key', [bind('edit', 'g', 'a'), bind('edit', 'g i', 'b')]],
  ];
  for (const [name, bindings] of conflicts) {
    test(`[KEY-35] ${name} is refused`, () => assert.throws(() => new Keymap(bindings, false), /edit: /));
  }
});

describe('default keys', () => {
  for (const apple of [true, false]) {
    test(`[KEY-35] there is no conflict ${apple ? 'on Apple keyboards' : 'elsewhere'}`, () => {
      assert.doesNotThrow(() => new Keymap(standardBindings, apple));
    });
  }

  test('every key runs a command that exists, and every command is reached by a key of some set or by the palette', () => {
    // What only one set of keys has is reached with that one.
    const bindings = [...standardBindings, ...presets.flatMap((preset) => preset.bindings)];
    const bound = new Set(bindings.map(({ command }) => command));
    assert.deepEqual(
      [...bound].filter((id) => !commands.has(id)),
      [],
    );
    const unreachable = [...commands.values()].filter(({ id, inPalette }) => !inPalette && !bound.has(id));
    const byCode = [
      'account.signOutNow',
      'account.endSession',
      'dialog.close',
      'search.create',
      'sync.downloadKept',
      'sync.dropKept',
      'notice.dismiss',
      'task.openLink',
      'dialog.confirm',
      'reminder.answer',
      'view.mouseOff',
    ];
    assert.deepEqual(
      unreachable.map(({ id }) => id).filter((id) => !byCode.includes(id)),
      [],
    );
  });

  test('[KEY-32] in text fields only keys with Ctrl, Alt or ⌘, or without a character, are bound or begin a chord', () => {
    const typing = standardBindings.filter(({ context }) =>
      ['edit', 'name', 'notes', 'search', 'palette', 'global'].includes(context),
    );
    for (const { keys } of typing) {
      const [first = ''] = parseKeys(keys, false);
      assert.ok(first.length > 1 && first !== 'Space', keys);
    }
  });

  test('the keys that the product has always had', () => {
    const keymap = new Keymap(standardBindings, true);
    const expected: Readonly<Record<string, string>> = {
      'palette.open': '⌘K',
      'help.keys': '?',
      'task.focusIn': '⌃.',
      'task.focusOut': '⌃,',
      'task.paste': '⇧⌘V',
      'search.open': '/',
      'task.openLinks': '⌘O',
      'task.createBelow': '⌃↵',
    };
    for (const [command, keycap] of Object.entries(expected)) {
      assert.ok(
        keymap.keysOf(command).some((keys) => keys.join(' ') === keycap),
        command,
      );
    }
  });
});

describe('commands', () => {
  test('have stable ids, imperative titles and other words to find them by', () => {
    for (const { id, title, aliases, inPalette } of commands.values()) {
      assert.match(id, /^[a-z]+\.[a-zA-Z]+$/);
      assert.match(title, /^[A-Z]/, id);
      if (inPalette) assert.ok(aliases.length > 0, `${id} has aliases`);
    }
  });
});
