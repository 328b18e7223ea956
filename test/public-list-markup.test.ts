// What the page of a public list makes of texts of people: elements of its own making, with the text in them, whatever the text says.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { drawnNote } from '#core/markdown/drawn-note.ts';
import { drawnText } from '#core/markdown/drawn.ts';
import { htmlOf } from '#server/public-links/html.ts';
import { listPage } from '#server/public-links/page.ts';
import type { LinkMay, ShownTask } from '#wire/public-links.ts';
import { isTyped } from '#wire/public-page/shown-row.ts';
import { elementsOf, readHtml, textOf } from '../scripts/site/html.ts';
import { everything } from './public-links.ts';

const OURS: ReadonlySet<string> = new Set(
  'a blockquote code em h2 hr li ol p pre s span strong ul wbr'.split(' '),
);
const ATTRIBUTES: ReadonlySet<string> = new Set(
  'aria-label class data-level href rel role start tabindex target'.split(' '),
);

/** What is in HTML that is neither ours nor safe. */
function strange(html: string): readonly string[] {
  return [...elementsOf(readHtml(html))].flatMap(({ tag, attributes }) => [
    ...(OURS.has(tag) ? [] : [tag]),
    ...Object.keys(attributes).filter((name) => !ATTRIBUTES.has(name)),
    ...(attributes['href'] === undefined || /^(?:https?|mailto|tel):/i.test(attributes['href'])
      ? []
      : [attributes['href']]),
  ]);
}

/** Signs of HTML and of Markdown, and an address that no page may lead to. */
const PIECES = [
  "<b> </div> <img_src=x_onerror=alert(1)> \" '_onclick='x &lt; # -_[_]_ -_[x]_ > ``` ** * ` ~~ [a]( ]( \\ 1._ --- <!-- -->",
  '<script> </script> \u202E https://example.org/"< SCRIPT:alert(1))',
]
  .flatMap((line) => line.split(' '))
  .map((piece) => piece.replaceAll('_', ' ').replace('SCRIPT', ['java', 'script'].join('')));
const pieces = fc.constantFrom('\n', '\n\n', ' ', 'ab c', ...PIECES);
const texts = fc
  .array(fc.oneof(pieces, fc.string({ maxLength: 8 })), { maxLength: 24 })
  .map((all) => all.join(''));

describe('texts on the page of a public list', () => {
  test('[PUBLIC-9] are never markup: titles and notes make no element but ours, and lead nowhere unsafe', () => {
    fc.assert(
      fc.property(texts, (text) => {
        assert.deepEqual(strange(htmlOf(drawnNote(text))), []);
        const title = htmlOf(drawnText(text));
        assert.deepEqual(strange(title), []);
        assert.equal(readHtml(title).map(textOf).join(''), text);
      }),
      { numRuns: 2_000, seed: 20_261_128 },
    );
  });

  test('[PUBLIC-111] show of notes what their Markdown says', () => {
    const note =
      '# Plan\n**bold** <i>no</i>\n- [x] done\n- two\n\n```\n a < b\n```\n[here](https://example.org)';
    const html = htmlOf(drawnNote(note));
    assert.equal(
      html,
      '<h2 data-level="1">Plan</h2><p><strong>bold</strong> &lt;i&gt;no&lt;/i&gt;</p>' +
        '<ul><li class="check-item checked"><span class="check" role="img" aria-label="Done:"></span><p>done</p></li>' +
        '<li><p>two</p></li></ul><pre tabindex="0">\n a &lt; b</pre>' +
        '<p><a href="https://example.org" rel="nofollow ugc noopener noreferrer" target="_blank">here</a></p>',
    );
  });

  test('[PUBLIC-111] a note without signs of Markdown says the same unread', () => {
    const [plain, signs] = [
      ['The short one fits.', 'Two well-known lines\nof text: 5 - 3 = 2'],
      ['- item', 'a\n2. b', '**b**', 'see www.example.org', 'me@example.org', '# x', 'x\n===', '> q'],
    ];
    for (const text of plain) {
      assert.ok(isTyped(text));
      assert.equal(htmlOf(drawnNote(text)), `<p>${htmlOf(drawnText(text))}</p>`);
    }
    for (const text of signs) assert.ok(!isTyped(text), text);
  });

  test('[PUBLIC-119] what a visitor adds with is drawn where the link permits it', () => {
    const nothing = { add: false, complete: false, titles: false, notes: false, labels: true };
    const barOf = (may: LinkMay) => {
      const html = listPage({ name: 'Trip', logo: null, may }, [], { address: '/p/x', files: null });
      return ['class="visitor"', 'class="add"'].filter((part) => html.includes(part)).length;
    };
    assert.deepEqual([nothing, { ...nothing, notes: true }, { ...nothing, add: true }].map(barOf), [0, 1, 2]);
  });

  test('[PUBLIC-112] a list of any length sends its first rows, and no more text than can be read', () => {
    const task = (at: number, notes: string): ShownTask => ({
      id: `${at}`.padStart(22, '0'),
      parent: null,
      key: `${at}`.padStart(6, '0'),
      title: `Task ${at}`,
      ...(notes === '' ? {} : { notes }),
    });
    const pageOf = (notes: string) => {
      const tasks = Array.from({ length: 10_000 }, (_, at) => task(at, notes));
      const list = { name: 'Long', logo: null, may: everything };
      return listPage(list, tasks, { address: '/p/x', files: null });
    };
    const rowsOf = (html: string) => html.match(/class="task"/g)?.length;
    assert.equal(rowsOf(pageOf('')), 500);
    const wordy = pageOf('word '.repeat(2_000));
    assert.equal(rowsOf(wordy), 5);
    assert.ok(wordy.length < 100_000);
    assert.match(wordy, /9995 more tasks/);
  });
});
