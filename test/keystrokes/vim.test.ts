// The Vim preset at the desk: counts, operators with motions, the register, marks, the dot, selecting.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { meaningOf, type Mode } from '#client/vim/grammar.ts';
import { writeAgain, writtenIn } from '#client/vim/writing.ts';
import { Desk, LIST, outline, shows } from './desk.ts';
import { keyInput } from './key-input.ts';

function vim(text = LIST): Desk {
  const desk = new Desk(outline(text));
  desk.app.run('keys.preset', { value: 'vim' });
  return desk;
}

const TEN = `
  > One
    Two
    Three
    Four
    Five`;

/** Without keys of its own but Space. */
const MODE: Mode = {
  isSelecting: false,
  isRecording: false,
  ordinary: ([first]) => (first === 'Space' ? 'commands' : first === 'z' ? 'pending' : 'none'),
};

describe('Vim: what is written again', () => {
  const cases: readonly (readonly [string, string, string | null])[] = [
    ['One', 'One!', 'Other!'],
    ['One', 'An One', 'An Other'],
    ['One!', 'One', 'Othe'],
    ['aa', 'aaa', 'Othera'],
    ['A One', 'One', 'her'],
    ['One 👍', 'One 👎', 'Othe👎'],
    ['One', 'Two', 'Two'],
    ['', 'New', 'New'],
    ['One', 'On-e', null],
    ['One', 'One', null],
  ];
  for (const [before, after, other] of cases)
    test(`[VIM-3] of “${before}” that became “${after}”`, () => {
      const written = writtenIn(before, after, false);
      assert.equal(written && writeAgain(written, 'Other'), other);
      if (written !== null) assert.equal(writeAgain(written, before), after);
    });
});

describe('Vim: reading', () => {
  const readings: readonly (readonly [string, string])[] = [
    ['j', 'none'],
    ['3', 'pending'],
    ['3 j', 'move'],
    ['d', 'pending'],
    ['d 2', 'pending'],
    ['2 d 2 j', 'operate'],
    ['d d', 'lines'],
    ['d g', 'pending'],
    ['d g g', 'operate'],
    ['c j', 'none'],
    ['c c', 'lines'],
    ['m', 'pending'],
    ['m a', 'mark'],
    ["'", 'pending'],
    ["d ' a", 'operate'],
    ['p', 'put'],
    ['3 .', 'repeat'],
    ['4 Space', 'times'],
    ['0', 'none'],
    ['2 z', 'pending'],
    ['2 f', 'none'],
    ['"', 'pending'],
    ['" a', 'pending'],
    ['" Shift+a 2 y y', 'lines'],
    ['3 " a d 2 j', 'operate'],
    ['" a p', 'put'],
    ['" a x', 'none'],
    ['" !', 'none'],
    ['q', 'pending'],
    ['q a', 'record'],
    ['q !', 'none'],
    ['2 @ a', 'replay'],
    ['@ @', 'replay'],
    ['g v', 'reselect'],
    ['g i', 'none'],
    ['d i', 'none'],
    ['d /', 'search'],
    ['d Shift+h', 'operate'],
    ['Shift+y', 'lines'],
    ['n', 'none'],
    ['2 n', 'match'],
  ];
  for (const [keys, type] of readings)
    test(`[VIM-1] ${keys} is ${type}`, () => assert.equal(meaningOf(keys.split(' '), MODE).type, type));
});

describe('Vim', () => {
  test('[VIM-1] counts move, and stop at the ends', () => {
    const desk = vim(TEN);
    desk.press('3', 'j');
    assert.equal(
      desk.rows().findIndex(({ cursor }) => cursor),
      3,
    );
    desk.press('9', '9', 'k');
    assert.equal(
      desk.rows().findIndex(({ cursor }) => cursor),
      0,
    );
    desk.press('Shift+G');
    assert.equal(
      desk.rows().findIndex(({ cursor }) => cursor),
      4,
    );
    desk.press('2', 'g', 'g');
    assert.equal(
      desk.rows().findIndex(({ cursor }) => cursor),
      1,
    );
    desk.press('g', 'g', '}', '}');
    assert.equal(
      desk.rows().findIndex(({ cursor }) => cursor),
      2,
    );
  });

  test('[VIM-2] dd cuts, p brings the same tasks back elsewhere, P above; once more they are copies', () => {
    const desk = vim(TEN);
    const first = desk.rows()[0]?.id;
    desk.press('2', 'd', 'd');
    shows(desk, '  > Three\n    Four\n    Five');
    desk.press('j', 'p');
    shows(desk, '    Three\n    Four\n  > One\n    Two\n    Five');
    assert.equal(desk.rows()[2]?.id, first);
    desk.press('g', 'g', 'Shift+P');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['One', 'Two', 'Three', 'Four', 'One', 'Two', 'Five'],
    );
    assert.notEqual(desk.rows()[0]?.id, first);
  });

  test('[VIM-2] copies have the dates of what y and d took', () => {
    const desk = vim(TEN);
    desk.press('g d');
    desk.type('tomorrow');
    desk.press('Enter', 'y', 'y', 'p', 'p');
    assert.deepEqual(
      desk.rows().map(({ title, due }) => [title, due !== null]),
      [
        ['One', true],
        ['One', true],
        ['One', true],
        ['Two', false],
        ['Three', false],
        ['Four', false],
        ['Five', false],
      ],
    );
  });

  test('[VIM-2] operators take motions, and each is one undo', () => {
    const desk = vim(TEN);
    desk.press('j', 'd', '2', 'j');
    shows(desk, '    One\n  > Five');
    desk.press('u');
    assert.equal(desk.rows().length, 5);
    desk.press('g', 'g', 'y', 'j', 'Shift+G', 'p');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['One', 'Two', 'Three', 'Four', 'Five', 'One', 'Two'],
    );
  });

  test('[KEY-33] [VIM-2] an operator that is held waits for its motion; movement goes on', () => {
    const desk = vim(TEN);
    const hold = (name: string) => desk.app.key(keyInput(name, { apple: true, inText: false, repeat: true }));
    desk.press('d');
    hold('d');
    hold('d');
    assert.deepEqual(desk.app.view.status.get().pending, ['d']);
    desk.press('Escape', 'j');
    assert.equal(desk.rows().length, 5);
    desk.press('}');
    hold('}');
    assert.equal(desk.rows()[3]?.cursor, true);
    desk.press('g', 'g', 'v', 'j');
    hold('j');
    assert.equal(desk.rows().filter(({ selected }) => selected).length, 3);
  });

  test('[VIM-2] what an operator took can be undone from what is said of it', () => {
    const desk = vim(TEN);
    desk.press('d', 'd');
    const { message } = desk.app.view.status.get();
    assert.deepEqual([message?.text, message?.undo], ['Deleted ‘One’.', true]);
  });

  test('[VIM-2] > and < nest a stretch', () => {
    const desk = vim(TEN);
    desk.press('j', '>', 'j');
    shows(desk, '    One\n  >   Two\n      Three\n    Four\n    Five');
    desk.press('<', 'j');
    shows(desk, '    One\n  > Two\n    Three\n    Four\n    Five');
  });

  test('[VIM-3] the dot does the last change again, with a count so often', () => {
    const desk = vim(TEN);
    desk.press('Space', 'j', '.');
    assert.deepEqual(
      desk.rows().map(({ done }) => done),
      [true, true, false, false, false],
    );
    desk.press('j', 'd', 'd', '.');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['One', 'Two', 'Five'],
    );
  });

  const titles = (desk: Desk) => desk.rows().map(({ title }) => title);

  test('[VIM-3] so it does with what was written: a new line, a changed one, before and behind a title', () => {
    const desk = vim(TEN);
    desk.press('o');
    desk.type('New');
    desk.press('Escape', '2', '.');
    assert.deepEqual(titles(desk), ['One', 'New', 'New', 'New', 'Two', 'Three', 'Four', 'Five']);
    desk.press('u', 'u', 'g', 'g', 'A');
    desk.type('!');
    desk.press('Escape', 'j', '.');
    assert.deepEqual(titles(desk).slice(0, 3), ['One!', 'New!', 'Two']);
    desk.press('j', 'c', 'c');
    desk.type('Other');
    desk.press('Escape', 'j', '.');
    assert.deepEqual(titles(desk), ['One!', 'New!', 'Other', 'Other', 'Four', 'Five']);
    desk.press('u');
    assert.deepEqual(titles(desk), ['One!', 'New!', 'Other', 'Three', 'Four', 'Five']);
    assert.equal(desk.app.view.focus.get().pane, 'outline');
  });

  test('[VIM-3] what an operator did to a selection it does to as many lines', () => {
    const desk = vim(TEN);
    desk.press('v', 'j', 'd', '.');
    assert.deepEqual(titles(desk), ['Five']);
  });

  test('[VIM-1] i and I write before the title, a and A behind it', () => {
    const desk = vim(TEN);
    const caret = () => {
      const focus = desk.app.view.focus.get();
      return focus.pane === 'outline' ? focus.edit?.caret : null;
    };
    for (const [stroke, at] of [
      ['i', 0],
      ['Shift+I', 0],
      ['a', 'end'],
      ['Shift+A', 'end'],
    ] as const) {
      desk.press(stroke);
      assert.equal(caret(), at, stroke);
      desk.press('Escape');
    }
  });

  test('[VIM-4] two quotes lead back to where the last jump began', () => {
    const desk = vim(TEN);
    const at = () => desk.rows().findIndex(({ cursor }) => cursor);
    desk.press('j', 'Shift+G', "'", "'");
    assert.equal(at(), 1);
    desk.press("'", "'");
    assert.equal(at(), 4);
    desk.press('2', 'Shift+G', '`', '`');
    assert.equal(at(), 4);
  });

  test('[VIM-4] marks are places to go and to operate to', () => {
    const desk = vim(TEN);
    desk.press('j', 'm', 'a', 'Shift+G', "'", 'a');
    assert.equal(
      desk.rows().findIndex(({ cursor }) => cursor),
      1,
    );
    desk.press('2', 'j', 'd', "'", 'a');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['One', 'Five'],
    );
    desk.press("'", 'z');
    assert.match(desk.message, /no mark z/);
  });

  test('[VIM-5] v selects with motions; an operator acts on what is selected', () => {
    const desk = vim(TEN);
    desk.press('v', '2', 'j');
    assert.equal(desk.rows().filter(({ selected }) => selected).length, 3);
    desk.press('d');
    shows(desk, '  > Four\n    Five');
    desk.press('v', 'Escape', 'j');
    assert.equal(desk.rows().filter(({ selected }) => selected).length, 0);
  });

  test('[VIM-1] o, cc and the palette begin as in Vim, and text stays text', () => {
    const desk = vim(TEN);
    desk.press('o');
    desk.type('New d3');
    desk.press('Escape');
    assert.equal(desk.rows()[1]?.title, 'New d3');
    desk.press('c', 'c');
    assert.ok(desk.rows()[1]?.editing);
    desk.press('Escape', ':');
    assert.notEqual(desk.app.view.palette.get(), null);
    desk.press('Ctrl+[');
    assert.equal(desk.app.view.palette.get(), null);
  });

  test('[KEY-44] the keys are another start’s too, and go with the preset', () => {
    const preferences = new Map<string, string>();
    const desk = new Desk(outline(TEN), { preferences });
    desk.app.run('keys.preset', { value: 'vim' });
    assert.match(preferences.get('keys') ?? '', /"vim"/);
    desk.app.run('keys.preset', { value: 'standard' });
    assert.equal(preferences.get('keys'), '');
    desk.press('j');
    assert.equal(
      desk.rows().findIndex(({ cursor }) => cursor),
      0,
    );
  });
});
