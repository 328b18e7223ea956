// What keys make of a note: text before and after, `|` the caret, `<` and `>` around a selection.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { notesParser } from '#core/markdown/grammar.ts';
import {
  continueList,
  dropTypedMark,
  indentItem,
  outdentItem,
  removeMark,
  toggleBox,
} from './list-editing.ts';
import type { NoteCommand } from './list-line.ts';
import { linkSelection, makeLink, toggleMark } from './mark-editing.ts';

function stateOf(marked: string): EditorState {
  const anchor = marked.search(/[|«]/);
  const doc = marked.replaceAll(/[|«»]/g, '');
  const head = marked.includes('»') ? marked.indexOf('»') - 1 : anchor;
  return EditorState.create({ doc, selection: { anchor, head } });
}

function shown({ doc, selection: { main } }: EditorState): string {
  const text = doc.toString();
  if (main.empty) return `${text.slice(0, main.head)}|${text.slice(main.head)}`;
  return `${text.slice(0, main.from)}«${text.slice(main.from, main.to)}»${text.slice(main.to)}`;
}

/** Null: the key means nothing there. */
function press(command: NoteCommand, marked: string): string | null {
  const state = stateOf(marked);
  const change = command(state, notesParser.parse(state.doc.toString()));
  return change && shown(state.update(change).state);
}

function table(
  command: NoteCommand,
  rows: readonly (readonly [before: string, after: string | null])[],
): void {
  for (const [before, after] of rows) assert.equal(press(command, before), after, JSON.stringify(before));
}

const bold = toggleMark('StrongEmphasis');
const italic = toggleMark('Emphasis');
const strike = toggleMark('Strikethrough');
const code = toggleMark('InlineCode');

describe('keys in notes', () => {
  test('[NOTE-15] a mark typed where one stands already goes with the space behind it', () => {
    table(dropTypedMark, [
      ['1. a\n2. 2.|', '1. a\n2. |'],
      ['- a\n- -|', '- a\n- |'],
      ['- a\n- *|', '- a\n- |'],
      ['- [ ] a\n- [ ] -|', '- [ ] a\n- [ ] |'],
      ['> - a\n> - -|', '> - a\n> - |'],
      ['- 1.|', null],
      ['1. -|', null],
      ['2.|', null],
      ['- a -|', null],
      ['2. 2.|b', null],
      ['```\n2. 2.|\n```', null],
    ]);
  });

  test('[NOTE-6] a checkbox is checked, unchecked, and put where there is none', () => {
    table(toggleBox, [
      ['- [ ] a|', '- [x] a|'],
      ['- [x] a|', '- [ ] a|'],
      ['- [X] |a', '- [ ] |a'],
      ['- a|', '- [ ] a|'],
      ['1. a|', '1. [ ] a|'],
      ['a|', '- [ ] a|'],
      ['|', '- [ ] |'],
      ['-|', '- [ ] |'],
      ['  - [ ] |a', '  - [x] |a'],
      ['> - [ ] a|', '> - [x] a|'],
      ['> a|', '> - [ ] a|'],
      ['«- [ ] a\n- [x] b»', '«- [x] a\n- [x] b»'],
      ['«- [x] a\n- [x] b»', '«- [ ] a\n- [ ] b»'],
      ['«- [ ] a\n» - b', '«- [x] a\n» - b'],
      ['```\na|\n```', null],
    ]);
  });

  test('[NOTE-7] Enter goes on with the list or quote, and leaves it from an empty item', () => {
    table(continueList, [
      ['- a|', '- a\n- |'],
      ['- a| b', '- a\n- |b'],
      ['- [x] a|', '- [x] a\n- [ ] |'],
      ['* a|', '* a\n* |'],
      ['  + a|', '  + a\n  + |'],
      ['9. a|\n10. b\n11. c', '9. a\n10. |\n11. b\n12. c'],
      ['1) a|', '1) a\n2) |'],
      ['1. a|\n   - x\n2. b\n\n3. c', '1. a\n2. |\n   - x\n3. b\n\n3. c'],
      ['- a\n- |', '- a\n|'],
      ['- a\n  - |', '- a\n- |'],
      ['- [ ] |', '|'],
      ['> a|', '> a\n> |'],
      ['> |', '|'],
      ['> - a|', '> - a\n> - |'],
      ['> - |', '> |'],
      ['a|', null],
      ['|- a', null],
      ['-|', '|'],
      ['-| a', null],
      ['```\n- a|\n```', null],
      ['«- a»', null],
    ]);
  });

  test('[NOTE-8] Tab puts an item under the one above with what it holds, Shift+Tab takes it out', () => {
    table(indentItem, [
      ['- a\n- b|', '- a\n  - b|'],
      ['1. a\n2. b|\n   - c\n3. d', '1. a\n   2. b|\n      - c\n3. d'],
      ['- a\n«- b\n- c»', '- a\n  «- b\n  - c»'],
      ['- a|', '- a|'],
      ['- a\n  - b|', '- a\n  - b|'],
      ['- a\n\n- b|', '- a\n\n  - b|'],
      ['a|', null],
      ['|', null],
      ['```\n- a\n- b|\n```', null],
    ]);
    table(outdentItem, [
      ['- a\n  - b|\n    - c\n- d', '- a\n- b|\n  - c\n- d'],
      ['1. a\n   - b|', '1. a\n- b|'],
      ['- a|', '- a|'],
      ['  - a|', '- a|'],
      ['a|', null],
    ]);
  });

  test('Backspace behind the mark of an item takes it away', () => {
    table(removeMark, [
      ['- |a', '|a'],
      ['  - [ ] |a', '  |a'],
      ['> |a', '|a'],
      ['- a|', null],
      ['|a', null],
    ]);
  });

  test('[NOTE-9] marks go around the selection or the word, and away again', () => {
    table(bold, [
      ['a «b» c', 'a **«b»** c'],
      ['a **«b»** c', 'a «b» c'],
      ['a **b|** c', 'a b| c'],
      ['a wo|rd c', 'a **wo|rd** c'],
      ['a « b » c', 'a « **b** » c'],
      ['|', '**|**'],
      ['**|**', '|'],
      ['«- a\n- b»', '«- **a**\n- **b»**'],
    ]);
    table(italic, [
      ['«a»', '*«a»*'],
      ['*«a»*', '«a»'],
      ['**«a»**', '***«a»***'],
    ]);
    table(strike, [['«a»', '~~«a»~~']]);
    table(code, [
      ['«a»', '`«a»`'],
      ['`«a»`', '«a»'],
      ['```\n«a»\n```', null],
    ]);
    table(makeLink, [
      ['«a»', '[a](|)'],
      ['«https://a.example»', '[|](https://a.example)'],
      ['«javascript:alert(1)»', '[javascript:alert(1)](|)'],
      ['|', '[|]()'],
    ]);
  });

  test('an address pasted over words makes them its link', () => {
    const paste = (address: string) => (state: EditorState) => linkSelection(state, address);
    table(paste('https://a.example'), [
      ['see «the docs» now', 'see [the docs](https://a.example)| now'],
      ['|', null],
      ['«a\nb»', null],
      ['«https://b.example»', null],
      ['«[x]»', null],
    ]);
    for (const other of ['words', 'www.a.example', 'https://a.example b', '', 'data:text/html,x'])
      assert.equal(press(paste(other), '«a»'), null, other);
  });

  test('[NOTE-5] no key throws, whatever the note', () => {
    const piece = fc.constantFrom(
      '- ',
      '1. ',
      '[ ] ',
      '> ',
      '  ',
      '\n',
      'a',
      '**',
      '*',
      '`',
      '```\n',
      '\t',
      '[',
      '](',
      ')',
    );
    const commands = [
      toggleBox,
      continueList,
      indentItem,
      outdentItem,
      removeMark,
      bold,
      italic,
      strike,
      code,
      makeLink,
    ];
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(), fc.nat(), (pieces, from, to) => {
        const doc = pieces.join('');
        const [anchor, head] = [from % (doc.length + 1), to % (doc.length + 1)];
        for (const command of commands) {
          const state = EditorState.create({ doc, selection: { anchor, head } });
          const change = command(state, notesParser.parse(doc));
          if (change) state.update(change);
        }
      }),
      { numRuns: 1_500, seed: 2 },
    );
  });
});
