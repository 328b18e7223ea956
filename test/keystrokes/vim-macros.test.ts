// Keys recorded with q and replayed with @: text, the palette, counts, what ends a replay, and its undo.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { at, titles, vimDesk } from './vim-desk.ts';

describe('Vim: recorded keys', () => {
  test('[VIM-8] what was recorded is done again, with titles as they were changed, and is one undo', () => {
    const desk = vimDesk();
    desk.press('q', 'a');
    assert.equal(desk.message, 'Recording keys into a. q ends it.');
    assert.equal(desk.app.view.status.get().recording, '@a');
    desk.press('Shift+A');
    desk.type('!');
    desk.press('Escape', 'Space', 'j', 'q');
    assert.equal(desk.app.view.status.get().recording, null);
    desk.press('2', '@', 'a');
    assert.deepEqual(titles(desk), ['One!', 'Two!', 'Three!', 'Four', 'Five']);
    assert.deepEqual(
      desk.rows().map(({ done }) => done),
      [true, true, true, false, false],
    );
    assert.equal(at(desk), 'Four');
    desk.press('u');
    assert.deepEqual(titles(desk), ['One!', 'Two', 'Three', 'Four', 'Five']);
    assert.deepEqual(
      desk.rows().map(({ done }) => done),
      [true, false, false, false, false],
    );
    desk.press('Ctrl+R');
    assert.deepEqual(titles(desk), ['One!', 'Two!', 'Three!', 'Four', 'Five']);
  });

  test('[VIM-8] it ends at the first command that fails, as j does at the last line; @@ is the last again', () => {
    const desk = vimDesk();
    desk.press('q', 'b', 'Shift+A');
    desk.type('?');
    desk.press('Escape', 'j', 'q', '@', 'b', '9', '9', '@', '@');
    assert.deepEqual(titles(desk), ['One?', 'Two?', 'Three?', 'Four?', 'Five?']);
    assert.equal(desk.message, '@b ended: there’s no next line.');
    desk.press('u');
    assert.deepEqual(titles(desk), ['One?', 'Two?', 'Three', 'Four', 'Five']);
  });

  test('[VIM-8] a refused command and an unbound key end it', () => {
    const desk = vimDesk();
    desk.press('q', 'a', '>', '>', 'j', 'q', 'g', 'g', '@', 'a');
    assert.match(desk.message, /^@a ended: No task above/);
    assert.equal(at(desk), 'One');
    desk.press('q', 'c', 'd', 'i', 'p', 'j', 'q', 'g', 'g', '@', 'c');
    assert.equal(desk.message, '@c ended: d i p does nothing.');
    assert.equal(at(desk), 'One');
  });

  test('[VIM-8] one that replays itself ends, at the last line or after so many keys', () => {
    const desk = vimDesk();
    desk.press('q', 'a', 'Space', 'j', '@', 'a', 'q', 'g', 'g', 'Space', '@', 'a');
    assert.deepEqual(
      desk.rows().map(({ done }) => done),
      [true, true, true, true, true],
    );
    desk.press('q', 'b', 'Space', '@', 'b', 'q', 'g', 'g', '@', 'b');
    assert.equal(desk.message, '@b ended: Stopped after 3000 keys.');
    desk.press('u');
    assert.equal(desk.rows()[0]?.done, true);
  });

  test('[VIM-8] two that replay each other, and counts of counts, end as well', () => {
    const desk = vimDesk();
    desk.press('q', 'a', '9', '9', '9', '@', 'b', 'q', 'q', 'b', '9', '9', '9', '@', 'a', 'q', '@', 'b');
    assert.match(desk.message, /ended: Stopped after 3000 keys\.$/);
    desk.press('q', 'c', 'q', '9', '9', '9', '@', 'c', 'j');
    assert.equal(at(desk), 'Two', 'nothing was recorded, and so nothing goes on');
  });

  test('[VIM-8] new tasks, and Enter from line to line', () => {
    const desk = vimDesk();
    desk.press('Shift+G', 'q', 'a', 'o');
    desk.type('New');
    desk.press('Enter');
    desk.type('Other');
    desk.press('Escape', 'q', '2', '@', 'a');
    assert.deepEqual(titles(desk).slice(4), ['Five', 'New', 'Other', 'New', 'Other', 'New', 'Other']);
    desk.press('u');
    assert.deepEqual(titles(desk).slice(4), ['Five', 'New', 'Other']);
    assert.equal(desk.app.view.focus.get().pane, 'outline');
  });

  test('[KEY-6] [VIM-8] a line that stays empty goes again, and nothing else with it', () => {
    const desk = vimDesk();
    desk.press('Shift+G', 'q', 'a', 'Space', 'o');
    desk.type('New');
    desk.press('Enter', 'Escape', 'k', 'q');
    assert.deepEqual(titles(desk).slice(4), ['Five', 'New']);
    desk.press('@', 'a');
    const after = ['One', 'Two', 'Three', 'Four', 'Five', 'New', 'New'];
    assert.deepEqual(titles(desk), after);
    desk.press('u');
    assert.deepEqual(titles(desk), ['One', 'Two', 'Three', 'Four', 'Five', 'New']);
  });

  test('[VIM-8] what has to be waited for is waited for, and the rest follows', async () => {
    const desk = vimDesk();
    desk.clipboard = 'Pasted';
    desk.press('q', 'a', '"', '+', 'p', 'j');
    await desk.settle();
    desk.press('q', '2', '@', 'a', 'Space');
    await desk.settle();
    assert.equal(titles(desk).filter((title) => title === 'Pasted').length, 3);
    assert.equal(desk.rows().filter(({ done }) => done).length, 1, 'keys behind it are not lost');
  });

  test('[VIM-8] what was chosen in the palette is chosen again', () => {
    const desk = vimDesk();
    desk.press('q', 'd', 'g', 'd');
    desk.type('tomorrow');
    desk.press('Enter', 'j', 'q', '3', '@', 'd');
    assert.deepEqual(
      desk.rows().map(({ due }) => due?.text ?? null),
      ['tomorrow', 'tomorrow', 'tomorrow', 'tomorrow', null],
    );
    desk.press('u');
    assert.equal(desk.rows().filter(({ due }) => due !== null).length, 1);
  });

  test('[VIM-8] searching, registers and marks are keys like others', () => {
    const desk = vimDesk();
    desk.press('q', 'a', '"', 'x', 'y', 'y', '/');
    desk.type('five');
    desk.press('Escape', 'Escape', 'n', '"', 'x', 'p', 'g', 'g', 'q');
    assert.deepEqual(titles(desk), ['One', 'Two', 'Three', 'Four', 'Five', 'One']);
    desk.press('j', '@', 'a');
    assert.deepEqual(titles(desk), ['One', 'Two', 'Three', 'Four', 'Five', 'Two', 'One']);
  });

  test('[VIM-8] a capital letter goes on with what is there; an empty one and a letter never recorded say so', () => {
    const desk = vimDesk();
    desk.press('q', 'a', 'j', 'q', 'q', 'Shift+A', 'Space', 'q', 'g', 'g', '@', 'a');
    assert.deepEqual(
      desk.rows().map(({ done }) => done),
      [false, false, false, false, false],
      'it was complete, and was reopened',
    );
    assert.equal(at(desk), 'Two');
    desk.press('@', 'z');
    assert.equal(desk.message, 'Nothing is recorded in z. Press q z to start.');
  });

  test('[VIM-8] what cannot be replayed is said at once, and nothing of it is kept', () => {
    const desk = vimDesk();
    desk.press('q', 'a', 'Space', 'g', 'n');
    assert.match(desk.message, /can’t be replayed/);
    assert.equal(desk.app.view.status.get().recording, null);
    desk.press('Escape', '@', 'a');
    assert.match(desk.message, /^Nothing is recorded in a/);
    desk.press('q', 'a', 'Shift+A');
    const { id } = desk.rows()[0] ?? {};
    assert.ok(id);
    desk.app.draftTitle(id, 'On-e', 3);
    desk.press('Escape');
    assert.match(desk.message, /in the middle of a title can’t be replayed/);
    assert.equal(titles(desk)[0], 'On-e', 'what was typed stays');
  });

  test('[VIM-8] a replay never records, and q is a letter in a title', () => {
    const desk = vimDesk();
    desk.press('q', 'a', 'j', 'q', 'q', 'b', '@', 'a', 'q', 'g', 'g', '@', 'b');
    assert.equal(at(desk), 'Two');
    desk.press('q', 'c', 'a');
    desk.type('q');
    desk.press('Escape', 'q', 'j', '@', 'c');
    assert.deepEqual(titles(desk).slice(1, 3), ['Twoq', 'Threeq']);
  });
});
