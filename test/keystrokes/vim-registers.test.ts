// Vim's registers at the desk: by letter, appended, what was copied and deleted last, the clipboard, nowhere.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { at, FIVE, titles, vimDesk } from './vim-desk.ts';

describe('Vim: registers', () => {
  test('[VIM-7] a letter keeps what y took, whatever is copied and deleted since; a count puts it so often', () => {
    const desk = vimDesk();
    desk.press('"', 'a', 'y', 'y', 'j', 'y', 'y', 'd', 'd', 'Shift+G', '2', '"', 'a', 'p');
    assert.deepEqual(titles(desk), ['One', 'Three', 'Four', 'Five', 'One', 'One']);
    desk.press('u');
    assert.deepEqual(titles(desk), ['One', 'Three', 'Four', 'Five']);
    desk.press('"', '"', 'p');
    assert.deepEqual(titles(desk), ['One', 'Three', 'Four', 'Five', 'Two'], 'the unnamed one has the last');
  });

  test('[VIM-7] a capital letter appends, and both stand in their order, above and below', () => {
    const desk = vimDesk();
    desk.press('"', 'a', '2', 'y', 'y', 'Shift+G', '"', 'Shift+A', 'd', 'd', '"', 'a', 'p');
    assert.deepEqual(titles(desk), ['One', 'Two', 'Three', 'Four', 'One', 'Two', 'Five']);
    assert.equal(at(desk), 'One');
    desk.press('g', 'g', '"', 'a', 'Shift+P');
    assert.deepEqual(titles(desk).slice(0, 4), ['One', 'Two', 'Five', 'One']);
    assert.equal(
      desk.rows().findIndex(({ cursor }) => cursor),
      0,
    );
  });

  test('[VIM-7] what d took comes back itself, once; copies have the dates', () => {
    const desk = vimDesk();
    desk.press('g', 'd');
    desk.type('tomorrow');
    desk.press('Enter');
    const id = desk.rows()[0]?.id;
    desk.press('"', 'q', 'd', 'd', 'y', 'y', '"', 'q', 'p', '"', 'q', 'p');
    assert.deepEqual(titles(desk), ['Two', 'One', 'One', 'Three', 'Four', 'Five']);
    assert.deepEqual(
      desk
        .rows()
        .map((row) => [row.id === id, row.due !== null])
        .slice(1, 3),
      [
        [true, true],
        [false, true],
      ],
    );
  });

  test('[VIM-7] 0 has the last copy, 1 to 9 the last deletions, and _ keeps nothing', () => {
    const desk = vimDesk();
    desk.press('y', 'y', 'j', 'd', 'd', 'd', 'd', '"', '_', 'd', 'd', '"', '2', 'p');
    assert.deepEqual(titles(desk), ['One', 'Five', 'Two']);
    desk.press('"', '0', 'p', '"', '1', 'p', 'p');
    assert.deepEqual(titles(desk), ['One', 'Five', 'Two', 'One', 'Three', 'Three']);
  });

  test('[VIM-7] + is the clipboard, both ways', async () => {
    const desk = vimDesk();
    desk.press('"', '+', '2', 'y', 'y');
    await desk.settle();
    assert.equal(desk.clipboard?.trim(), '- One\n- Two');
    desk.clipboard = 'From elsewhere';
    desk.press('Shift+G', '2', '"', '+', 'p', 'k');
    await desk.settle();
    assert.deepEqual(titles(desk).slice(5), ['From elsewhere', 'From elsewhere']);
    assert.equal(at(desk), 'Five', 'k came after what was waited for');
    desk.press('.');
    await desk.settle();
    assert.equal(titles(desk).filter((title) => title === 'From elsewhere').length, 4);
  });

  test('[VIM-7] a clipboard that takes nothing shows the text to be copied, and the register has it', async () => {
    const desk = vimDesk();
    desk.refusesCopies = true;
    desk.press('"', '*', 'y', 'y');
    await desk.settle();
    assert.equal(desk.app.view.dialog.get()?.type, 'export');
    desk.app.closeDialog();
    desk.press('p');
    assert.deepEqual(titles(desk), ['One', 'One', 'Two', 'Three', 'Four', 'Five']);
  });

  test('[VIM-7] the dot goes to the same register, and an empty one says so', () => {
    const desk = vimDesk();
    desk.press('"', 'z', 'p');
    assert.equal(desk.message, 'Nothing was put in z yet.');
    desk.press('"', 'a', 'd', 'd', '"', 'b', 'd', 'd', '.', '"', 'b', 'Shift+P');
    assert.deepEqual(titles(desk), ['Three', 'Four', 'Five']);
    desk.press('"', 'a', 'Shift+P');
    assert.deepEqual(titles(desk), ['One', 'Three', 'Four', 'Five']);
  });

  test('[VIM-2] [VIM-7] p goes into a list that is empty, and in place of what v selected', () => {
    const desk = vimDesk();
    desk.press('9', 'd', 'd');
    assert.deepEqual(titles(desk), []);
    desk.press('p');
    assert.deepEqual(titles(desk), ['One', 'Two', 'Three', 'Four', 'Five']);
    desk.press('y', 'y', 'j', 'v', 'j', 'p');
    assert.deepEqual(titles(desk), ['One', 'One', 'Four', 'Five']);
    desk.press('Shift+G', 'p');
    assert.deepEqual(titles(desk), ['One', 'One', 'Four', 'Five', 'Two', 'Three']);
  });

  test('[VIM-7] registers hold what is beneath, on every kind of list', () => {
    const desk = vimDesk(`${FIVE}\n      Five a`);
    desk.press('Shift+G', 'k', '"', 'a', 'y', 'y', 'g', 'g', '"', 'a', 'p');
    assert.deepEqual(titles(desk).slice(0, 3), ['One', 'Five', 'Five a']);
    desk.press('g', 'x', '"', 'a', 'p');
    assert.match(desk.message, /Open a list first/);
  });
});
