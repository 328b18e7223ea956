// Presets and layers: no conflict in any, nothing lost without a way to it, and what browsers take has a second key.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commands, partBindings } from '../commands/registry.ts';
import { Keymap } from './keymap.ts';
import { collide, layered, without, withoutChords } from './layers.ts';
import { bindingsOf, presets } from './presets.ts';
import { takenBy } from './reserved.ts';
import { parseKeys } from './stroke.ts';

const TEXTS = new Set(['edit', 'name', 'notes', 'search', 'palette', 'global']);

for (const preset of presets) {
  for (const apple of [true, false]) {
    describe(`${preset.title} keys ${apple ? 'on Apple keyboards' : 'elsewhere'}`, () => {
      const bindings = bindingsOf(preset, apple, partBindings);

      test('[KEY-35] have no conflict, not even among the preset’s own', () => {
        assert.doesNotThrow(() => new Keymap(bindings, apple));
        assert.doesNotThrow(() => new Keymap(preset.bindings, apple));
      });

      test('[KEY-42] run commands that exist', () => {
        assert.deepEqual(
          bindings.map(({ command }) => command).filter((id) => !commands.has(id)),
          [],
        );
      });

      test('[KEY-42] leave every command reachable, by key or by palette', () => {
        const bound = new Set(bindings.map(({ command }) => command));
        const standard = new Set(bindingsOf(presets[0]!, apple, partBindings).map(({ command }) => command));
        const lost = [...standard].filter((id) => !bound.has(id) && commands.get(id)?.inPalette !== true);
        assert.deepEqual(lost, []);
      });

      test('[KEY-42] leave a key in the outline to whatever has one there in the standard set', () => {
        const inOutline = (set: typeof preset) => {
          const all = bindingsOf(set, apple, partBindings).map((binding) => ({
            ...binding,
            strokes: parseKeys(binding.keys, apple),
          }));
          const own = all.filter(({ context }) => context === 'navigate');
          const above = [
            ...own.map(({ strokes }) => strokes),
            ...set.takes.map(({ keys }) => parseKeys(keys, apple)),
          ];
          const below = all.filter(
            ({ context, strokes }) => context === 'global' && !above.some((other) => collide(other, strokes)),
          );
          return new Set([...own, ...below].map(({ command }) => command));
        };
        const here = inOutline(preset);
        const standard = inOutline(presets[0]!);
        assert.ok(standard.size > 80);
        assert.deepEqual(
          [...standard].filter((id) => !here.has(id)),
          [],
        );
      });

      test('[KEY-32] are no text in text fields', () => {
        for (const { context, keys } of bindings) {
          const [first = ''] = parseKeys(keys, apple);
          if (TEXTS.has(context)) assert.ok(first.length > 1 && first !== 'Space', `${context} ${keys}`);
        }
      });

      test('[KEY-43] a command whose keys something else takes has another key, or the palette', () => {
        const safe = new Set(
          bindings
            .filter(({ keys }) => takenBy(parseKeys(keys, apple), apple)?.isCertain !== true)
            .map(({ command }) => command),
        );
        const stuck = bindings
          .map(({ command }) => command)
          .filter((id) => !safe.has(id) && commands.get(id)?.inPalette !== true);
        assert.deepEqual(stuck, []);
      });
    });
  }
}

describe('keys over keys', () => {
  const low = { context: 'navigate', keys: 'g i', command: 'low' } as const;
  test('[KEY-44] what lies above takes its keys, with all that they begin', () => {
    const high = { context: 'navigate', keys: 'g', command: 'high' } as const;
    assert.deepEqual(layered([low], [high], true), [high]);
    assert.deepEqual(layered([high], [low], true), [low]);
    const elsewhere = { context: 'edit', keys: 'g i', command: 'other' } as const;
    assert.deepEqual(layered([low], [elsewhere], true), [low, elsewhere]);
  });

  test('[KEY-44] keys can be taken away, and chords be left out', () => {
    const mod = { context: 'global', keys: 'Mod+K', command: 'palette' } as const;
    assert.deepEqual(without([low, mod], [{ context: 'global', keys: 'Ctrl+K' }], false), [low]);
    assert.deepEqual(without([low, mod], [{ context: 'global', keys: 'Ctrl+K' }], true), [low, mod]);
    assert.deepEqual(withoutChords([low, mod]), [mod]);
  });
});

test('[KEY-45] the keys that the product has always had are those of the standard preset', () => {
  const keymap = new Keymap(bindingsOf(presets[0]!, true, partBindings), true);
  const expected: Readonly<Record<string, string>> = {
    'palette.open': '⌘K',
    'bookmark.toggle': '⌘B',
    'help.keys': '?',
    'task.focusIn': '⌃.',
    'task.focusOut': '⌃,',
    'task.paste': '⇧⌘V',
    'list.share': '⌘S',
    'list.details': '⌘I',
    'task.repeat': 'r',
    'search.open': '/',
    'task.openLinks': '⌘O',
    'list.email': '⌘E',
    'label.pick': '⌘L',
    'task.snooze': 's',
    'task.createBelow': '⌃↵',
  };
  for (const [command, keycap] of Object.entries(expected))
    assert.ok(
      keymap.keysOf(command).some((keys) => keys.join(' ') === keycap),
      command,
    );
});
