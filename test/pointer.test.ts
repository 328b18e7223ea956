// What can be pressed on the screen can be done by keys: every command that a control names exists, and is in the palette or
// has a key.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commands, partBindings } from '#client/commands/registry.ts';
import { bindingsOf, presets } from '#client/keys/presets.ts';
import { readSources } from './sources.ts';

const sources = readSources('src/web', /\.tsx$/);
const allSources = readSources('src/web', /\.tsx?$/);
/** What runs by code alone, as the answer to something that was asked for by a command. */
const ANSWERS = new Set([
  'search.create',
  'task.openLink',
  'notice.dismiss',
  'sync.downloadKept',
  'sync.dropKept',
]);

/** What pointers tell the app beside running commands, and the commands that do it by keys. */
const TWINS: Readonly<Record<string, readonly string[]>> = {
  pressRow: ['cursor.down', 'cursor.downExtend', 'selection.toggle'],
  pressSidebarRow: ['sidebar.down', 'sidebar.open'],
  pressPaletteItem: ['palette.down', 'palette.accept'],
  pressDay: ['month.nextDay', 'palette.accept'],
  pressSearchOption: ['search.nextOption', 'search.accept'],
  // What turns the mouse on again.
  pressedInVain: ['view.hardcore'],
  gaveFiles: ['file.attach', 'file.attachClipboard'],
  pasted: ['task.paste'],
  pastedInTitle: ['task.paste'],
  putNotes: ['notes.checkbox'],
  'drag.begin': ['selection.toggle'],
  'drag.over': ['task.moveUp', 'task.moveDown', 'task.indent', 'task.outdent'],
  'drag.drop': ['task.move', 'task.moveUnder'],
  'drag.cancel': ['outline.escape'],
  // The next key of a sequence itself.
  pressHint: [],
  // By Enter and Escape.
  answer: [],
  closeDialog: ['dialog.close'],
};

function named(): readonly { readonly id: string; readonly path: string }[] {
  return sources.flatMap(({ path, text }) =>
    // As it is, or in a table of names and commands.
    [...text.matchAll(/(?:app\.run\(\s*|^\s*\[.*, )'([a-z]+\.[A-Za-z]+)'/gm)].map(([, id = '']) => ({
      id,
      path,
    })),
  );
}

describe('pointer', () => {
  test('[KEY-57] every command that a control runs exists', () => {
    assert.ok(named().length > 20);
    assert.deepEqual(
      named().filter(({ id }) => !commands.has(id)),
      [],
    );
  });

  for (const preset of presets)
    test(`[KEY-57] with ${preset.title} keys each of them is in the palette or has a key`, () => {
      const bound = new Set(bindingsOf(preset, false, partBindings).map(({ command }) => command));
      const stuck = named().filter(
        ({ id }) => commands.get(id)?.inPalette !== true && !bound.has(id) && !ANSWERS.has(id),
      );
      assert.deepEqual(stuck, []);
    });

  test('[OUT-24] every other thing that a pointer tells the app has commands that do the same', () => {
    const told = new Set(
      allSources.flatMap(({ text }) =>
        [...text.matchAll(/\bapp\.((?:press|gave|paste|put|drag|closeDialog|answer)[A-Za-z.]*)/g)].map(
          ([, name = '']) => name,
        ),
      ),
    );
    assert.deepEqual([...told].toSorted(), Object.keys(TWINS).toSorted());
    for (const twins of Object.values(TWINS)) for (const id of twins) assert.ok(commands.has(id), id);
  });

  test('[KEY-57] a control that shows its key runs what it shows', () => {
    for (const { path, text } of sources)
      for (const [, id = ''] of text.matchAll(/data-command="([^"]+)"/g))
        assert.ok(text.includes(`run('${id}')`), `${path}: ${id}`);
  });
});
