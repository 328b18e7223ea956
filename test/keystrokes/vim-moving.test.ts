// Vim's folds, pages, screen lines, jumps, searching on and selecting again, at the desk.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeyEditorAction } from '#client/keys/editor-view.ts';
import type { Desk } from './desk.ts';
import { at, selected, titles, vimDesk } from './vim-desk.ts';
import { fieldOf } from '#sync/rows/row.ts';

const TREE = `
  > One
      One a
        One aa
      One b
    Two
      Two a +
        Two aa
    Three`;

const MANY = `\n  > Task 1\n${Array.from({ length: 59 }, (_, index) => `    Task ${index + 2}`).join('\n')}`;

/** The number in the title at the cursor. */
function lineOf(desk: Desk): number {
  const focus = desk.app.view.focus.get();
  const row = focus.pane === 'outline' && focus.id !== null ? desk.replica.row(focus.id) : undefined;
  const title = fieldOf(row, 'title');
  return Number(/\d+/.exec(title ?? '')?.[0]);
}

/** A screen of ten lines of sixty. */
function tall() {
  const desk = vimDesk(MANY);
  desk.app.view.rows.resize(10);
  return { desk, top: () => desk.app.view.rows.top.get(), line: () => lineOf(desk) };
}

describe('Vim: folds', () => {
  test('[VIM-9] za, zo and zc fold the task, and zc what it is in', () => {
    const desk = vimDesk(TREE);
    desk.press('z', 'a');
    assert.deepEqual(titles(desk), ['One', 'Two', 'Two a', 'Three']);
    desk.press('z', 'o');
    assert.equal(titles(desk).length, 7);
    desk.press('j', 'j', 'z', 'c');
    assert.equal(at(desk), 'One a');
    assert.equal(titles(desk).includes('One aa'), false);
    desk.press('z', 'c');
    assert.equal(at(desk), 'One');
    desk.press('z', 'c');
    assert.equal(desk.message, 'Nothing to collapse here.');
    desk.press('z', 'a', 'z', 'o');
    assert.equal(desk.message, 'Nothing to expand here.');
  });

  test('[VIM-9] capital letters fold all that is beneath, R and M everything; a count goes so far', () => {
    const desk = vimDesk(TREE);
    desk.press('z', 'Shift+C', 'z', 'o');
    assert.deepEqual(titles(desk), ['One', 'One a', 'One b', 'Two', 'Two a', 'Three']);
    desk.press('z', 'Shift+O');
    assert.ok(titles(desk).includes('One aa'));
    desk.press('z', 'Shift+M');
    assert.deepEqual(titles(desk), ['One', 'Two', 'Three']);
    desk.press('z', 'Shift+R');
    assert.equal(titles(desk).length, 8);
    desk.press('g', 'g', 'j', 'j', '2', 'z', 'c');
    assert.equal(at(desk), 'One');
    assert.equal(titles(desk).includes('One a'), false);
  });

  test('[VIM-9] folding is no change of the tasks', () => {
    const desk = vimDesk(TREE);
    desk.press('z', 'a', 'z', 'Shift+M', 'u');
    assert.deepEqual(titles(desk), ['One', 'Two', 'Three']);
  });
});

describe('Vim: pages', () => {
  test('[VIM-9] Ctrl-f, Ctrl-b, Ctrl-d and Ctrl-u go by whole and half pages, with counts', () => {
    const { desk, line } = tall();
    desk.press('Ctrl+F');
    assert.equal(line(), 11);
    desk.press('Ctrl+D');
    assert.equal(line(), 16);
    desk.press('2', 'Ctrl+F');
    assert.equal(line(), 36);
    desk.press('Ctrl+U', 'Ctrl+B');
    assert.equal(line(), 21);
    assert.equal(desk.app.view.search.get(), null, 'nothing is searched for');
    desk.press('2', '5', 'Shift+G');
    assert.equal(line(), 25);
    desk.press('3', 'g', 'g');
    assert.equal(line(), 3);
  });

  test('[VIM-9] H, M and L are the first, middle and last line of the screen', () => {
    const { desk, line, top } = tall();
    desk.press('2', '5', 'Shift+G', 'Shift+H');
    assert.equal(line(), top() + 1);
    desk.press('Shift+L');
    assert.equal(line(), top() + 10);
    desk.press('Shift+M');
    assert.equal(line(), top() + 5);
    desk.press('3', 'Shift+H');
    assert.equal(line(), top() + 3);
    desk.press('2', 'Shift+L');
    assert.equal(line(), top() + 9);
    const first = top();
    desk.press('d', 'Shift+H');
    assert.equal(desk.app.view.rows.count.get(), 51, `from line ${first + 1} to ${first + 9}`);
  });

  test('[VIM-9] zt, zz and zb bring the line to the top, the middle and the bottom', () => {
    const { desk, line, top } = tall();
    desk.press('3', '0', 'Shift+G', 'z', 't');
    assert.equal(top(), 29);
    desk.press('z', 'b');
    assert.equal(top(), 20);
    desk.press('z', 'z');
    assert.equal(top(), 25);
    assert.equal(line(), 30, 'the cursor stays');
    desk.press('Shift+G', 'z', 't');
    assert.equal(top(), 50, 'no further than the list goes');
  });
});

describe('Vim: searching on', () => {
  const FOUND = `
  > Buy milk
    Call Ida
    Shelf +
      Milk powder
    Call Tom
    Milk the cow`;

  test('[VIM-10] n and N go from match to match, also into what is collapsed, and say where they begin anew', () => {
    const desk = vimDesk(FOUND);
    desk.press('/');
    desk.type('milk');
    desk.press('Escape', 'Escape', 'n');
    assert.equal(at(desk), 'Milk powder');
    desk.press('n');
    assert.equal(at(desk), 'Milk the cow');
    assert.doesNotMatch(desk.message, /Continued/);
    desk.press('n');
    assert.equal(at(desk), 'Buy milk');
    assert.equal(desk.message, 'Continued from the top.');
    desk.press('Shift+N');
    assert.equal(at(desk), 'Milk the cow');
    assert.equal(desk.message, 'Continued from the bottom.');
    desk.press('2', 'Shift+N');
    assert.equal(at(desk), 'Buy milk');
    desk.press('v', 'n');
    assert.deepEqual(selected(desk), ['Buy milk', 'Call Ida', 'Shelf', 'Milk powder']);
  });

  test('[VIM-10] among results every line is a match', () => {
    const desk = vimDesk(FOUND);
    desk.press('/');
    desk.type('call');
    desk.press('Enter', 'n');
    assert.equal(at(desk), 'Call Tom');
    desk.press('n');
    assert.equal(at(desk), 'Call Ida');
    assert.equal(desk.message, 'Continued from the top.');
  });

  test('[VIM-10] without a search, without a match and with one match alone that is said', () => {
    const desk = vimDesk(FOUND);
    desk.press('n');
    assert.match(desk.message, /^Search first/);
    assert.equal(desk.app.view.status.get().message?.tone, 'info');
    desk.press('/');
    desk.type('zebra');
    desk.press('Escape', 'Escape', 'n');
    assert.equal(desk.message, 'Nothing here matches ‘zebra’.');
    desk.press('/');
    desk.type('buy');
    desk.press('Escape', 'Escape', 'n');
    assert.equal(desk.message, 'Nothing else here matches ‘buy’.');
    assert.equal(at(desk), 'Buy milk');
  });

  test('[VIM-10] operators of the search language are understood', () => {
    const desk = vimDesk(FOUND);
    desk.press('j', 'Space', '/');
    desk.type('is:complete');
    desk.press('Escape', 'Escape', 'Shift+G', 'n');
    assert.equal(at(desk), 'Call Ida');
  });

  test('[VIM-10] * and # search for the first word of the title', () => {
    const desk = vimDesk(FOUND);
    desk.press('j', '*');
    assert.equal(at(desk), 'Call Tom');
    desk.press('#');
    assert.equal(at(desk), 'Call Ida');
    desk.press('n');
    assert.equal(at(desk), 'Call Tom');
  });

  test('[VIM-10] very many tasks are looked through after the key, in portions', () => {
    const desk = vimDesk(`\n  > Needle\n${'    Hay\n'.repeat(400)}    Needle again`);
    desk.press('/');
    desk.type('needle');
    desk.press('Escape', 'Escape');
    // Every look at the clock takes ten milliseconds.
    const now = desk.replica.now.bind(desk.replica);
    let looks = 0;
    desk.replica.now = () => now() + (looks += 10);
    desk.press('n');
    assert.equal(at(desk), 'Needle');
    desk.timers.advance(1);
    assert.equal(at(desk), 'Needle again');
    desk.press('Shift+N', 'k');
    desk.timers.advance(1);
    assert.notEqual(at(desk), 'Needle', 'who went on is not called back');
  });
});

describe('Vim: back and again', () => {
  test('[VIM-4] Ctrl-o goes back to where a jump began, also from another list, and Ctrl-i forward again', () => {
    const desk = vimDesk(TREE);
    desk.press('j', 'Shift+G', 'Ctrl+O');
    assert.equal(at(desk), 'One a');
    desk.press('Ctrl+I');
    assert.equal(at(desk), 'Three');
    desk.press('g', 'x', 'Ctrl+O');
    assert.equal(at(desk), 'Three');
    desk.press('Ctrl+O');
    assert.equal(at(desk), 'One a');
  });

  test('[VIM-5] gv selects again what was selected, and o goes to its other end', () => {
    const desk = vimDesk(TREE);
    desk.press('g', 'v');
    assert.match(desk.message, /^You haven’t selected/);
    desk.press('j', 'v', 'j', 'Escape', 'Shift+G', 'g', 'v');
    assert.deepEqual(selected(desk), ['One a', 'One aa']);
    desk.press('o');
    assert.equal(at(desk), 'One a');
    desk.press('k');
    assert.deepEqual(selected(desk), ['One', 'One a', 'One aa']);
    assert.equal(titles(desk).length, 7, 'o made no task');
    desk.press('d', 'g', 'v');
    assert.match(desk.message, /isn’t here anymore/);
  });

  test('[VIM-5] pages extend what is selected', () => {
    const { desk } = tall();
    desk.press('v', 'Ctrl+D');
    assert.equal(desk.app.view.status.get().selected, 6);
  });

  test('[VIM-1] R and C write the title anew, and the dot does the same elsewhere; Y copies the task', () => {
    const desk = vimDesk(TREE);
    desk.press('Shift+R');
    desk.type('Other');
    desk.press('Escape', 'j', '.');
    assert.deepEqual(titles(desk).slice(0, 2), ['Other', 'Other']);
    desk.press('j', 'Shift+C');
    desk.type('Third');
    desk.press('Escape');
    assert.equal(titles(desk)[2], 'Third');
    desk.press('Shift+Y', 'p');
    assert.equal(titles(desk)[3], 'Third');
  });

  test('[VIM-1] ZZ closes the notes, then the search, and says when nothing is open', () => {
    const desk = vimDesk(TREE);
    desk.press('g', 'n', 'Escape', 'Shift+Z', 'Shift+Z');
    assert.equal(desk.app.view.notes.get(), null);
    desk.press('/');
    desk.type('one');
    desk.press('Enter', 'Shift+Z', 'Shift+Q');
    assert.equal(desk.app.view.search.get(), null);
    desk.press('Shift+Z', 'Shift+Z');
    assert.match(desk.message, /Your text is saved/);
    assert.equal(titles(desk).length, 7);
  });

  test('[VIM-1] :w, :q, :wq and :x do what they can, and never what is merely alike', () => {
    const desk = vimDesk(TREE);
    const ex = (text: string) => {
      desk.press(':');
      desk.type(text);
      desk.press('Enter');
      assert.equal(desk.app.view.palette.get(), null, text);
    };
    ex('w');
    assert.equal(desk.message, 'Your text is already saved.');
    for (const text of ['q', 'wq', 'x', 'qa!']) {
      ex(text);
      assert.match(desk.message, /^Nothing to close/, text);
    }
    ex('%s');
    assert.equal(desk.app.view.dialog.get()?.type, 'replace');
    desk.app.closeDialog();
    assert.equal(titles(desk).length, 7, 'no task was made of them');
    desk.app.run('keys.preset', { value: 'standard' });
    desk.press('Ctrl+K');
    desk.type('wq');
    assert.doesNotMatch(JSON.stringify(desk.app.view.palette.get()), /Vim: /);
  });

  test('[VIM-1] Ctrl-[ is Esc wherever Esc leaves something, and outdents nothing', () => {
    const desk = vimDesk(TREE);
    desk.press('j', 'v', 'Ctrl+[');
    assert.deepEqual(selected(desk), []);
    assert.equal(desk.rows()[1]?.level, 2);
    desk.press('/', 'Ctrl+[');
    assert.equal(desk.app.view.search.get(), null);
    desk.press('?', 'Ctrl+[');
    assert.equal(desk.app.view.dialog.get(), null);
    desk.press('d', 'Ctrl+[', 'j');
    assert.equal(titles(desk).length, 7);
    assert.equal(at(desk), 'One aa');
  });

  test('[KEY-44] a key of one’s own is that, whatever Vim has there', () => {
    const desk = vimDesk(TREE);
    desk.press('?');
    const act = (action: KeyEditorAction) => desk.app.answer('keys', action);
    act({ action: 'filter', text: 'New subtask' });
    act({ action: 'add' });
    desk.press('w', 'Enter');
    act({ action: 'save' });
    act({ action: 'filter', text: '' });
    act({ action: 'byKey' });
    desk.press('w');
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'keys');
    assert.deepEqual(
      dialog.editor.options.map(({ title }) => title),
      ['New subtask'],
    );
    desk.press('Escape');
    desk.app.closeDialog();
    desk.press('w');
    assert.equal(desk.rows().find(({ editing }) => editing)?.level, 2);
  });
});
