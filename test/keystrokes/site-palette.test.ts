// The picture of the palette on the site's front page shows what the palette answers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { palettePicture } from '#site/content/palette-picture.ts';
import { Desk } from './desk.ts';

describe('the palette on the front page', () => {
  test('shows the first commands that the app finds for what is typed in it', () => {
    const desk = new Desk('> Read the manual\n  Write');
    desk.press('Mod+K');
    desk.type(palettePicture.typed);
    const found = (desk.app.view.palette.get()?.items ?? []).map(({ id }) => id);
    const shown = palettePicture.commands.map((id) => `cmd.${id}`);
    assert.deepEqual(found.slice(0, shown.length), shown);
  });
});
