// What is pressed before the part of the app that answers it has been loaded: nothing is lost, nothing overtakes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Later, laterPart } from '#client/later.ts';
import { type Lazy, lazy } from '#client/lazy.ts';
import { Desk, outline, shows } from './desk.ts';

/** A part that comes when the test says so. */
function slowly(): { readonly later: Lazy<Later>; readonly arrive: () => void; readonly fail: () => void } {
  const gate = Promise.withResolvers<void>();
  const later = lazy(async () => {
    await gate.promise;
    return laterPart.load();
  });
  return { later, arrive: () => gate.resolve(), fail: () => gate.reject(new Error('No connection')) };
}

const TWO = outline(`
  > Plan
    Rest`);

describe('a key before its command has been loaded', () => {
  it('[KEY-40] is answered when it comes, and what was typed after it is typed then', async () => {
    const { later, arrive } = slowly();
    const desk = new Desk(TWO, { later });
    assert.ok(desk.press('Mod+K', 'm', 'o', 'v', 'e'));
    assert.equal(desk.app.view.palette.get(), null);
    arrive();
    await desk.until(() => desk.app.view.palette.get() !== null);
    assert.equal(desk.app.view.palette.get()?.query, 'move');
    assert.ok(desk.palette().includes('Move to list…'));
  });

  it('[KEY-40] holds the keys behind it in their order', async () => {
    const { later, arrive } = slowly();
    const desk = new Desk(TWO, { later });
    desk.press('Mod+B', 'Down', 'Space');
    shows(desk, TWO);
    arrive();
    await desk.until(() => desk.row(desk.rows()[1]?.id ?? ('' as never))?.done === true);
    assert.equal(desk.rows()[0]?.done, false);
    desk.press('Mod+Z', 'Mod+Z');
    shows(desk, TWO);
  });

  it('[KEY-40] types into the search line that it opened', async () => {
    const { later, arrive } = slowly();
    const desk = new Desk(TWO, { later });
    desk.press('/', 'p', 'l');
    arrive();
    await desk.until(() => desk.app.view.search.get()?.query === 'pl');
    assert.equal(desk.rows().length, 1);
  });

  it('[KEY-40] hands what was typed into notes and dialogs to their fields', async () => {
    const { later, arrive } = slowly();
    const notes = new Desk(TWO, { later });
    notes.press('n', 'd', 'x', 'Space', 'Enter');
    arrive();
    await notes.until(() => notes.typedAhead.length === 4);
    assert.deepEqual(notes.typedAhead, ['d', 'x', ' ', 'Enter']);
    shows(notes, TWO);
  });

  it('[KEY-40] keeps what is pressed for a dialog that is still being brought', async () => {
    const desk = new Desk(TWO);
    desk.press('Mod+Shift+F', 'Space', 'Delete');
    await desk.until(() => desk.app.view.dialog.get() !== null);
    shows(desk, TWO);
    assert.equal(desk.rows()[0]?.done, false);
  });

  it('[KEY-40] leaves the first keys alone', () => {
    const desk = new Desk(TWO, { later: slowly().later });
    desk.press('Down', 'Space', 'Up', 'Enter');
    desk.type(' more');
    desk.press('Escape');
    assert.deepEqual(
      desk.rows().map(({ title, done }) => [title, done]),
      [
        ['Plan more', false],
        ['Rest', true],
      ],
    );
  });

  it('[KEY-41] says when it cannot be loaded, and goes on', async () => {
    const { later, fail } = slowly();
    const desk = new Desk(TWO, { later });
    desk.press('Mod+K');
    fail();
    await desk.until(() => desk.message !== '');
    assert.match(desk.message, /could not be loaded/);
    desk.press('Down', 'Space');
    assert.equal(desk.rows()[1]?.done, true);
  });
});
