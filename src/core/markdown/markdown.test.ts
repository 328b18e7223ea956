// Reading notes: what is drawn, which links may be opened, and that no text whatever makes it slow or throw.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { notesParser } from './grammar.ts';
import { addressOf, linkAt, linksIn } from './links.ts';
import { type Block, type Inline, readNote, withBoxToggled } from './reading.ts';

/** What is drawn, short: blocks by their name, marks by theirs. */
function inline(part: Inline): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'code') return `code(${part.text})`;
  const inner = part.parts.map(inline).join('');
  return part.type === 'link' ? `link(${inner} → ${part.address})` : `${part.type}(${inner})`;
}

function block(each: Block): string {
  switch (each.type) {
    case 'heading':
      return `h${each.level}: ${each.parts.map(inline).join('')}`;
    case 'paragraph':
      return each.parts.map(inline).join('');
    case 'quote':
      return `quote[${each.blocks.map(block).join(' | ')}]`;
    case 'list':
      return `${each.start ?? 'list'}[${each.items
        .map(
          ({ box, blocks }) => `${box ? (box.isChecked ? '☑' : '☐') : '•'} ${blocks.map(block).join(' | ')}`,
        )
        .join('; ')}]`;
    case 'code':
      return `code[${each.text}]`;
    case 'rule':
      return 'rule';
  }
}

const drawn = (text: string) => readNote(text).map(block);

/** Every text in what is drawn, with its place. */
function textsOf(blocks: readonly Block[]): { at: number; text: string }[] {
  const ofParts = (parts: readonly Inline[]): { at: number; text: string }[] =>
    parts.flatMap((part) => ('text' in part ? [{ at: part.at, text: part.text }] : ofParts(part.parts)));
  return blocks.flatMap((each) => {
    if ('parts' in each) return ofParts(each.parts);
    if ('items' in each) return each.items.flatMap((item) => textsOf(item.blocks));
    return 'blocks' in each ? textsOf(each.blocks) : [];
  });
}

/** In two parts: nothing here is run. */
const SCRIPT = ['java', 'script:'].join('');

const HOSTILE: Readonly<Record<string, (n: number) => string>> = {
  quotes: (n) => '>'.repeat(n),
  'quoted lines': (n) => `${'> '.repeat(50)}a\n`.repeat(n / 50),
  'nested lists': (n) => '- '.repeat(n).concat('a'),
  'nested numbers': (n) => '1. '.repeat(n),
  'deeper and deeper': (n) =>
    Array.from({ length: Math.sqrt(n) | 0 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join(''),
  'open stars': (n) => '*a '.repeat(n),
  'closing stars': (n) => 'a* '.repeat(n),
  'crossed marks': (n) => '*a b_ '.repeat(n),
  'three stars': (n) => '***a** '.repeat(n),
  'open brackets': (n) => '['.repeat(n),
  'half links': (n) => '[a]('.repeat(n),
  'half pictures': (n) => '![a]('.repeat(n),
  'angle links': (n) => '[a](<b'.repeat(n),
  titles: (n) => '[a](b "'.repeat(n),
  'brackets in brackets': (n) => '['.repeat(n) + ']'.repeat(n),
  ticks: (n) => '` `` '.repeat(n),
  tildes: (n) => '~~a '.repeat(n),
  addresses: (n) => 'http://'.repeat(n),
  'mail addresses': (n) => 'a@'.repeat(n),
  escapes: (n) => '\\'.repeat(n),
  'empty lines': (n) => '\n'.repeat(n),
  'one long word': (n) => 'a'.repeat(n),
  checkboxes: (n) => '- [ ] a\n'.repeat(n / 4),
  fences: (n) => '```\n'.repeat(n),
  html: (n) => '<script>'.repeat(n),
};

describe('Markdown', () => {
  test('[NOTE-1] what is drawn of each form', () => {
    assert.deepEqual(drawn('# A **b**\n\nc *d* ~~e~~ `f`'), [
      'h1: A strong(b)',
      'c emphasis(d) strike(e) code(f)',
    ]);
    assert.deepEqual(drawn('- [ ] a\n- [x] b\n  - c\n\n3. d\n4. e'), [
      'list[☐ a; ☑ b | list[• c]]',
      '3[• d; • e]',
    ]);
    assert.deepEqual(drawn('> a\n> b\n\n---\n\n```js\nlet <x>;\n```'), [
      'quote[a\nb]',
      'rule',
      'code[let <x>;]',
    ]);
    assert.deepEqual(drawn('a\n  b'), ['a\nb']);
    assert.deepEqual(drawn('see https://a.example/b_(c).'), [
      'see link(https://a.example/b_(c) → https://a.example/b_(c)).',
    ]);
    assert.deepEqual(drawn('[a **b**](https://x.example) [c] \\*d\\*'), [
      'link(a strong(b) → https://x.example) [c] *d*',
    ]);
  });

  test('[NOTE-2] HTML is the text it is', () => {
    for (const html of [
      '<b>a</b>',
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '&lt;b&gt;',
      '<!-- a -->',
    ])
      assert.deepEqual(drawn(html), [html]);
    assert.deepEqual(drawn('<div>\n*a*\n</div>'), ['<div>\nemphasis(a)', '</div>']);
  });

  test('[NOTE-3] only addresses of the web, of mail and of telephones are links', () => {
    const refused = [
      `${SCRIPT}alert(1)`,
      `${SCRIPT.toUpperCase()}alert(1)`,
      'java\nscript:alert(1)',
      `\u0001${SCRIPT}alert(1)`,
      ` ${SCRIPT}alert(1)`,
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a.example/1',
      'https:',
      'https:///x',
      '//a.example',
      '#top',
      'x',
      `${SCRIPT}alert(1)//https://a.example`,
      'https://a.example/\u0000',
    ];
    for (const address of refused) {
      assert.equal(addressOf(address), null, address);
      assert.deepEqual(
        linksIn(`[a](${address})`).filter(({ label }) => label === 'a'),
        [],
        address,
      );
      assert.equal(
        drawn(`[a](<${address}>)`).some((text) => text.includes('link(a →')),
        false,
        address,
      );
    }
    assert.equal(addressOf('https://a.example'), 'https://a.example');
    assert.equal(addressOf('www.a.example'), 'https://www.a.example');
    assert.equal(addressOf('me@a.example'), 'mailto:me@a.example');
    assert.equal(addressOf('tel:+3612345'), 'tel:+3612345');
    assert.equal(addressOf('MAILTO:me@a.example'), 'MAILTO:me@a.example');
  });

  test('the links of a text, each once, and the one at the caret', () => {
    const text =
      'a https://a.example, [b](https://b.example) <https://c.example> https://a.example me@d.example';
    assert.deepEqual(linksIn(text), [
      { address: 'https://a.example', label: 'https://a.example' },
      { address: 'https://b.example', label: 'b' },
      { address: 'https://c.example', label: 'https://c.example' },
      { address: 'mailto:me@d.example', label: 'me@d.example' },
    ]);
    // What a link is called may not hide where it leads.
    assert.deepEqual(linksIn('[https://a.example](https://b.example)'), [
      { address: 'https://b.example', label: 'https://a.example' },
    ]);
    const tree = notesParser.parse(text);
    const at = (place: number) => linkAt(tree, place, (from, to) => text.slice(from, to))?.address;
    assert.equal(at(0), undefined);
    assert.equal(at(text.indexOf('[b') + 1), 'https://b.example');
    assert.equal(at(text.indexOf('//b.') + 3), 'https://b.example');
    assert.equal(at(text.indexOf(',')), 'https://a.example');
  });

  test('[NOTE-4] a pressed checkbox changes its one sign, and nothing where it is gone', () => {
    const text = '- [ ] a\n- [x] b';
    const [list] = readNote(text);
    const boxes = list?.type === 'list' ? list.items.map(({ box }) => box?.at ?? -1) : [];
    assert.equal(withBoxToggled(text, boxes[0] ?? -1), '- [x] a\n- [x] b');
    assert.equal(withBoxToggled(text, boxes[1] ?? -1), '- [ ] a\n- [ ] b');
    assert.equal(withBoxToggled('something else', boxes[0] ?? -1), 'something else');
    assert.equal(withBoxToggled('', 3), '');
  });

  test('[NOTE-5] any text is read without a throw, and each text drawn stands where it says', () => {
    const marks = [
      '*',
      '**',
      '_',
      '`',
      '```\n',
      '[',
      ']',
      '(',
      ')',
      '](',
      '<',
      '>',
      '> ',
      '- ',
      '1. ',
      '- [ ] ',
      '# ',
    ];
    const others = [
      '\n',
      '\n\n',
      '  ',
      '\t',
      '~~',
      '\\',
      '---\n',
      'https://a.b',
      'www.a.b',
      SCRIPT,
      '!',
      '"',
      'a',
      'b c',
    ];
    const strange = ['<script>', '&amp;', '\u0000', '🎉', 'é', '|', '===\n', '[x] '];
    const piece = fc.constantFrom(...marks, ...others, ...strange);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const blocks = readNote(text);
        for (const { at, text: part } of textsOf(blocks)) {
          if (text.slice(at, at + part.length) === part) continue;
          // Code and addresses aside, what is drawn is a piece of the note.
          assert.fail(`${JSON.stringify(part)} is not at ${at} of ${JSON.stringify(text)}`);
        }
        for (const { address } of linksIn(text)) assert.match(address, /^(?:https?:\/\/|mailto:|tel:)/i);
      }),
      { numRuns: 10_000, seed: 3 },
    );
  });

  test('[NOTE-5] twice the text takes about twice the time, whatever the text', () => {
    // Of this thread: the clock says more about what else the machine does.
    const time = (text: string): number => {
      let best = Infinity;
      for (let run = 0; run < 3; run += 1) {
        const start = process.threadCpuUsage();
        readNote(text);
        const { user, system } = process.threadCpuUsage(start);
        best = Math.min(best, (user + system) / 1_000);
      }
      return best;
    };
    for (const [name, shape] of Object.entries(HOSTILE)) {
      let size = 1_000;
      // What takes no time says nothing about how it grows.
      while (size < 16_000 && time(shape(size)) < 4) size *= 2;
      let [once, twice] = [Infinity, Infinity];
      // Collecting garbage and a cold cache are in it: the shortest of many tells.
      for (let attempt = 0; attempt < 20 && !(twice <= 2.6 * once); attempt += 1) {
        once = Math.min(once, time(shape(size)));
        twice = Math.min(twice, time(shape(2 * size)));
      }
      assert.ok(twice <= 2.6 * once, `${name}: ${once.toFixed(2)} ms, then ${twice.toFixed(2)} ms`);
    }
  });
});
