// Ten thousand random sequences of every key that any set of keys has, on both kinds of keyboard: nothing fails, one thing has
// the focus, and undoing everything gives back exactly what there was.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PresetId } from '#client/keys/editor-view.ts';
import { bindingsOf, presetOf } from '#client/keys/presets.ts';
import { Desk, LIST, outline } from './desk.ts';
import { living } from './fuzz-world.ts';
import { createRandom } from './naive.ts';
import { partBindings } from '#client/commands/registry.ts';

const SEQUENCES = 4_000;
const SETS: readonly PresetId[] = ['standard', 'vim', 'emacs'];
const WORDS = ['plan', 'été', '3d', '', 'fri'];
const VIM = [
  'd',
  'y',
  'c',
  '>',
  '<',
  'p',
  'Shift+P',
  'v',
  'm',
  "'",
  '.',
  '2',
  '3',
  '}',
  '{',
  '" a',
  '" Shift+A',
  'q a',
  'q',
  '@ a',
  'f',
];
/** What leaves the app, or the device; and what waits for the clipboard, which answers when all sequences are over. */
const NOT_PRESSED = new Set([
  'application.reload',
  'application.print',
  'application.printNotes',
  'task.paste',
]);
/** Makes a list that undo leaves: it is ended by its own key (LEARN-4). */
const BY_ITSELF = 'lesson.start';

function leaveEverything(desk: Desk): void {
  const { focus, dialog } = desk.app.view;
  desk.press('Escape');
  for (let left = 0; left < 12; left += 1) {
    const now = focus.get();
    if (dialog.get() === null && now.pane === 'outline' && now.edit === null && left > 3) break;
    desk.app.closeDialog();
    desk.press('Escape');
  }
  desk.app.run('go.inbox');
}

function pressOne(desk: Desk, keys: readonly string[], random: (below: number) => number): string {
  const focus = desk.app.view.focus.get();
  const isText = focus.pane !== 'outline' || focus.edit !== null;
  if (isText && random(4) === 0) {
    const word = WORDS[random(WORDS.length)] ?? '';
    desk.type(word);
    return `“${word}”`;
  }
  const key = keys[random(keys.length)] ?? '';
  // What the palette offers first is chance, and may be about the whole account.
  if (focus.pane === 'palette' && key.endsWith('Enter')) return '';
  desk.press(key);
  return key;
}

/** So many sequences at one desk; after each, everything is taken back. */
function run(set: PresetId, apple: boolean, count: number): void {
  const random = createRandom(set.length * 2 + (apple ? 1 : 0));
  const desk = new Desk(outline(LIST), { apple });
  desk.app.run('keys.preset', { value: set });
  const keys = bindingsOf(presetOf(set), apple, partBindings)
    .filter(({ command }) => !NOT_PRESSED.has(command) && command !== BY_ITSELF)
    .map((binding) => binding.keys);
  const all = set === 'vim' ? [...keys, ...VIM] : keys;
  const before = living(desk);
  for (let sequence = 0; sequence < count; sequence += 1) {
    const trail: string[] = [];
    for (let left = 1 + random(6); left > 0; left -= 1) {
      trail.push(pressOne(desk, all, random));
      assert.ok(!/failed:/.test(desk.message), `${desk.message} after ${trail.join(' ')}`);
    }
    leaveEverything(desk);
    const focus = desk.app.view.focus.get();
    assert.equal(focus.pane, 'outline', trail.join(' '));
    for (let left = 0; left < 60 && living(desk) !== before; left += 1)
      if (desk.app.run('edit.undo').type !== 'done') break;
    assert.equal(living(desk), before, `${set}, sequence ${sequence}: ${trail.join(' ')}`);
  }
}

describe('random keys of every set', () => {
  const each = Math.ceil(SEQUENCES / (SETS.length * 2));
  for (const set of SETS)
    for (const apple of [true, false])
      test(`[KEY-1] [UNDO-1] ${each} sequences of ${set} keys ${apple ? 'on Apple keyboards' : 'elsewhere'}`, async () => {
        run(set, apple, each);
        // What was put off is done within this test, and the runner hears that it has ended.
        await new Promise((resolve) => setImmediate(resolve));
      });
});
