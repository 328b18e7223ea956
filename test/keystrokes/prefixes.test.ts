// What begins a sequence of keys, with every printable key after it: what is not bound is taken and does nothing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PresetId } from '#client/keys/editor-view.ts';
import { bindingsOf, presetOf } from '#client/keys/presets.ts';
import { parseKeys } from '#client/keys/stroke.ts';
import { Desk, outline } from './desk.ts';
import { partBindings } from '#client/commands/registry.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const KEYS = [
  ...LETTERS,
  ...LETTERS.map((letter) => `Shift+${letter.toUpperCase()}`),
  ...'0123456789`~!@#$%^&*()-_=+[{]}\\|;:\'",<.>/?',
  'Space',
];

function state(desk: Desk): string {
  const { view } = desk.app;
  const { message: _, ...status } = view.status.get();
  return JSON.stringify([
    desk.replica.meta.seq,
    view.focus.get(),
    view.palette.get(),
    view.dialog.get(),
    view.search.get(),
    status,
    view.rows.count.get(),
  ]);
}

/** Every beginning of a longer key that has a command in a place, or nothing at all. */
function beginnings(set: PresetId, apple: boolean, place: string): ReadonlySet<string> {
  const begun = bindingsOf(presetOf(set), apple, partBindings)
    .filter(({ context }) => context === place || context === 'global')
    .map(({ keys }) => parseKeys(keys, apple))
    .filter(({ length }) => length > 1)
    .map((strokes) => strokes.slice(0, -1).join(' '));
  const waits = place === 'edit' ? [] : presetOf(set).waits.map((keys) => parseKeys(keys, apple).join(' '));
  return new Set([...begun, ...waits]);
}

for (const set of ['standard', 'emacs'] as const)
  for (const apple of [true, false])
    for (const place of ['navigate', 'sidebar', 'edit'] as const)
      describe(`${set} keys in ${place} ${apple ? 'on Apple keyboards' : 'elsewhere'}`, () => {
        test('[KEY-34] nothing that is not bound after a beginning does anything', () => {
          const desk = new Desk(outline('  > One\n    Two'), { apple });
          if (set !== 'standard') desk.app.run('keys.preset', { value: set });
          if (place === 'sidebar') desk.press('Shift+F6');
          if (place === 'edit') desk.press('Enter');
          const bound = new Set(
            bindingsOf(presetOf(set), apple, partBindings)
              .filter(({ context }) => context === place || context === 'global')
              .map(({ keys }) => parseKeys(keys, apple).join(' ')),
          );
          const starts = beginnings(set, apple, place);
          assert.ok(starts.size > 0);
          for (const start of starts)
            for (const key of KEYS) {
              const whole = `${start} ${parseKeys(key, apple).join(' ')}`;
              if (bound.has(whole) || starts.has(whole)) continue;
              const before = state(desk);
              assert.equal(desk.press(...start.split(' '), key), true, whole);
              const goesOn = desk.app.view.status.get().pending.length > 0;
              if (goesOn) desk.press('Escape');
              else assert.match(desk.message, /does nothing\.$/, whole);
              assert.equal(state(desk), before, whole);
              assert.ok(!goesOn || /^[\d-]$/.test(key), `${whole} ends`);
            }
        });
      });
