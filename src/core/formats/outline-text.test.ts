// Rules FMT-1 … FMT-9 of docs/rules/tasks.md.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseOutlineText, printOutlineText, type OutlineItem, type OutlineStyle } from './outline-text.ts';

const STYLES: readonly OutlineStyle[] = ['indented', 'bulleted', 'numbered', 'checkbox'];

/** A tree as one line per item: dots for depth, the checkbox, the title, notes in braces. */
function show(items: readonly OutlineItem[], depth = 0): string[] {
  return items.flatMap((item) => {
    const box = item.done === undefined ? '' : item.done ? '[x] ' : '[ ] ';
    const notes = item.notes === undefined ? '' : ` {${item.notes.replaceAll('\n', '/')}}`;
    return [`${'.'.repeat(depth)}${box}${item.title}${notes}`, ...show(item.children, depth + 1)];
  });
}

const read = (...lines: string[]) => show(parseOutlineText(lines.join('\n')));

describe('indentation', () => {
  test('[FMT-1] reads tabs, any number of spaces, and both mixed', () => {
    const expected = ['a', '.b', '..c', '.d', 'e'];
    assert.deepEqual(read('a', '\tb', '\t\tc', '\td', 'e'), expected);
    assert.deepEqual(read('a', '  b', '    c', '  d', 'e'), expected);
    assert.deepEqual(read('a', '       b', '         c', '       d', 'e'), expected);
    assert.deepEqual(read('a', '\tb', '    c', '  d', 'e'), expected);
    assert.deepEqual(read('a', '\u00A0\u00A0b', '\u00A0\u00A0\u00A0c', '\u00A0\u00A0d', 'e'), expected);
  });

  test('[FMT-1] text that is indented as a whole has its top level there', () => {
    assert.deepEqual(read('    a', '      b', '    c'), ['a', '.b', 'c']);
    assert.deepEqual(read('    a', '  b', 'c'), ['a', 'b', 'c']);
  });

  test('[FMT-2] going deeper at once by several levels is one level', () => {
    assert.deepEqual(read('a', '\t\t\t\tb', '\t\tc', '\t\t\td'), ['a', '.b', '.c', '..d']);
  });

  test('[FMT-3] line ends of every kind, a byte order mark and empty lines change nothing', () => {
    assert.deepEqual(show(parseOutlineText('\uFEFFa\r\n\r\n\tb\r\t\tc\n \t \nd\n')), ['a', '.b', '..c', 'd']);
    assert.deepEqual(parseOutlineText('\uFEFF \n\n'), []);
  });
});

describe('markers', () => {
  test('[FMT-4] reads bullets', () => {
    assert.deepEqual(read('- a', '  * b', '  + c', '• d', '•e', '\t◦ f', '– g'), [
      'a',
      '.b',
      '.c',
      'd',
      'e',
      '.f',
      'g',
    ]);
  });

  test('[FMT-4] what only begins like a marker is text', () => {
    const lines = [
      '-5 degrees',
      '*bold*',
      '--- ---',
      '+49 30 1234',
      '3.5 litres',
      '24. Dezember',
      '7) not first',
      'e.g. this',
      'A. Smith',
      '[link]',
      '1.',
    ];
    assert.deepEqual(read(...lines), lines);
  });

  test('[FMT-5] reads numbers and letters that begin or continue a sequence', () => {
    assert.deepEqual(read('1. a', '   a) b', '   b) c', '2. d', '1) e'), ['a', '.b', '.c', 'd', 'e']);
    assert.deepEqual(read('1. a', '1. b', '3. c'), ['a', 'b', '3. c']);
    assert.deepEqual(read('9. a', '10. b'), ['9. a', '10. b']);
  });

  test('[FMT-6] reads the mark of completion that Workflowy writes', () => {
    assert.deepEqual(
      parseOutlineText('- Trip\n  - [COMPLETE] Pack\n  - [COMPLETED] not').map(({ children }) =>
        children.map(({ title, done }) => [title, done]),
      ),
      [
        [
          ['Pack', true],
          ['[COMPLETED] not', undefined],
        ],
      ],
    );
  });

  test('[FMT-6] reads checkboxes with and without a bullet or number', () => {
    assert.deepEqual(
      read(
        '- [ ] a',
        '  - [x] b',
        '* [X] c',
        '[ ] d',
        '[x] e',
        '☐ f',
        '☑ g',
        '✓ h',
        '1. [ ] i',
        '- ☒ j',
        '☐k',
      ),
      ['[ ] a', '.[x] b', '[x] c', '[ ] d', '[x] e', '[ ] f', '[x] g', '[x] h', '[ ] i', '[x] j', '[ ] k'],
    );
  });
});

describe('notes', () => {
  test('[FMT-7] an indented line without a marker under a marked one is its notes', () => {
    assert.deepEqual(
      read('- a', '  continued', '', '    deeper', '  - child', '    of the child', '  again', '- b'),
      ['a {continued//  deeper/again}', '.child {of the child}', 'b'],
    );
    assert.deepEqual(read('1. a', '   more'), ['a {more}']);
    assert.deepEqual(read('[ ] a', '    more'), ['[ ] a {more}']);
  });

  test('[FMT-7] an indented line without a marker under a plain one is a child, unless it begins with >', () => {
    assert.deepEqual(read('a', '\tb', '\t\t> note', '\t\t>', '\t\t>  more', '> c'), [
      'a',
      '.b {note// more}',
      '> c',
    ]);
    assert.deepEqual(read('Heading', '  - a', '  - b'), ['Heading', '.a', '.b']);
  });

  test('[FMT-7] a line beside marked ones is an item', () => {
    assert.deepEqual(read('- a', 'b', '- c'), ['a', 'b', 'c']);
  });
});

describe('printing', () => {
  const tree: OutlineItem[] = [
    { title: 'a', notes: 'one\n\n- two', children: [{ title: '- b', children: [] }] },
    { title: '', done: true, children: [] },
  ];

  test('[FMT-8] prints each style', () => {
    assert.equal(printOutlineText(tree, 'indented'), 'a\n\t> one\n\t>\n\t> - two\n\t\\- b\n[x]');
    assert.equal(printOutlineText(tree, 'bulleted'), '- a\n  one\n\n  \\- two\n  - - b\n- [x]');
    assert.equal(printOutlineText(tree, 'numbered'), '1. a\n    one\n\n    \\- two\n    1. - b\n2. [x]');
    assert.equal(printOutlineText(tree, 'checkbox'), '- [ ] a\n  one\n\n  \\- two\n  - [ ] - b\n- [x]');
  });

  test('[FMT-8] a title that begins with > under a plain one stays a title', () => {
    const quoted = [{ title: 'a', children: [{ title: '> b', children: [] }] }];
    assert.equal(printOutlineText(quoted, 'indented'), 'a\n\t\\> b');
    assert.deepEqual(parseOutlineText(printOutlineText(quoted, 'indented')), quoted);
  });

  test('[FMT-8] text from elsewhere keeps its backslashes', () => {
    const lines = ['\\\\server\\share', '\\alpha', '\\'.repeat(3) + 'x'];
    assert.deepEqual(read(...lines), lines);
    assert.deepEqual(read('- \\\\server'), ['\\\\server']);
    assert.deepEqual(read('\\- not a bullet'), ['- not a bullet']);
  });
});

/** Text made of the pieces that the grammar is about. */
const pieces = [
  '-',
  '*',
  '+',
  '•',
  '1.',
  '2)',
  'a.',
  'b)',
  '[ ]',
  '[x]',
  '[COMPLETE]',
  '☐',
  '✓',
  '>',
  '\\',
  ' ',
  '  ',
  '\t',
  '\u00A0',
  'word',
  '–',
  '#',
  '1. 2.',
  '\uFE0F',
  '\u2028',
];
const arbitraryText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const arbitraryTitle = arbitraryText.map((text) => text.replaceAll(/[\r\n]+/g, ' ').trim());
const arbitraryNotes = fc
  .array(
    arbitraryText.map((text) => text.replaceAll('\r', '')),
    { minLength: 1, maxLength: 5 },
  )
  .map((lines) => lines.join('\n'))
  .filter((notes) => notes !== '');

const arbitraryItem = fc.record({
  depth: fc.nat(4),
  title: arbitraryTitle,
  notes: fc.oneof(fc.constant(null), arbitraryNotes),
  done: fc.constantFrom(null, null, null, true, false),
});
const arbitraryTree: fc.Arbitrary<OutlineItem[]> = fc.array(arbitraryItem, { maxLength: 12 }).map((drawn) => {
  const levels: OutlineItem[][] = [[]];
  for (const { depth, title, notes, done } of drawn) {
    levels.length = Math.min(depth + 1, levels.length);
    const children: OutlineItem[] = [];
    const more = { ...(notes === null ? {} : { notes }), ...(done === null ? {} : { done }) };
    levels.at(-1)!.push({ title, ...more, children });
    levels.push(children);
  }
  return levels[0]!;
});

function withBoxes(items: readonly OutlineItem[]): OutlineItem[] {
  return items.map((item) => ({ ...item, done: item.done ?? false, children: withBoxes(item.children) }));
}

describe('laws', () => {
  for (const style of STYLES) {
    test(`[FMT-8] what is printed as ${style} is read back as the same tree`, () => {
      fc.assert(
        fc.property(arbitraryTree, (drawn) => {
          const items = style === 'checkbox' ? withBoxes(drawn) : drawn;
          assert.deepEqual(show(parseOutlineText(printOutlineText(items, style))), show(items));
          assert.deepEqual(
            parseOutlineText(printOutlineText(items, style)),
            JSON.parse(JSON.stringify(items)),
          );
        }),
        { numRuns: 500, seed: 10 },
      );
    });
  }

  test('[FMT-9] reads any text, and every line of it is in some title or notes', () => {
    const line = fc.tuple(
      fc.constantFrom('', ' ', '  ', '\t', '     '),
      fc.constantFrom('', '- ', '1. ', '[x] ', '> '),
      arbitraryText,
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const text = lines.map((parts, i) => `${parts.join('')} w${i}w`).join('\n');
        const found = show(parseOutlineText(text)).join('\n');
        for (const i of lines.keys())
          assert.ok(found.includes(`w${i}w`), `line ${i} of ${JSON.stringify(text)}`);
      }),
      { numRuns: 500, seed: 11 },
    );
  });
});

describe('cost', () => {
  test('[FMT-9] thousands of levels do not exhaust the stack', () => {
    const levels = 5_000;
    const text = Array.from({ length: levels }, (_, i) => `${'\t'.repeat(i)}- level ${i}`).join('\n');
    const items = parseOutlineText(text);
    let depth = 0;
    for (let at = items[0]; at !== undefined; at = at.children[0]) {
      assert.equal(at.title, `level ${depth}`);
      depth += 1;
    }
    assert.equal(depth, levels);
    assert.equal(printOutlineText(items, 'bulleted').split('\n').length, levels);
  });
});
