// Workflowy's files: one test per trap of its formats.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTexts, report, say } from './files.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
const item = (text: string, more = '') => `<outline text="${escaped(text)}" ${more}/>`;
const opml = (...items: readonly string[]) =>
  `<?xml version="1.0"?>\n<opml version="2.0">\n  <head>\n    <ownerEmail>\n      a@b.example\n    </ownerEmail>\n  </head>\n  <body>\n${items.join('\n')}\n</body></opml>`;
const read = (...items: readonly string[]) => readTexts({ 'Home.opml': opml(...items) });
const lines = async (...items: readonly string[]) =>
  say(await read(...items))
    .split('\n')
    .slice(1)
    .map((line) => line.slice(2));

describe('Workflowy OPML', () => {
  test('is one list of several top items, with done ones and notes', async () => {
    const file = await read(
      `<outline text="Top" _note="One&#10;two &amp;lt;3&#10;">${item('Child', '_complete="true"')}</outline>`,
      item(''),
      item('Two &lt;b&gt; &amp;amp; three'),
    );
    assert.equal(file.kind, 'Workflowy');
    assert.equal(say(file), 'Home\n  Top | “One⏎two <3”\n    x Child\n  \n  Two <b> &amp; three');
  });

  test('titles lose formatting, notes keep it, addresses go to the notes', async () => {
    const note = '<b>Bold</b> <i>it</i> <a href="https://a.example/?x=1&amp;y=2">words</a> <mark>m</mark>';
    assert.deepEqual(
      await lines(
        item(
          '<b><a href="https://a.example/">Read</a></b> <code>x</code> <span class="colored c-red">red</span>',
        ),
        item('a', `_note="${escaped(note)}"`),
        item('<a href="https://b.example/">https://b.example/</a>'),
      ),
      [
        'Read x red | “https://a.example/”',
        'a | “**Bold** *it* [words](https://a.example/?x=1&y=2) m”',
        'https://b.example/',
      ],
    );
  });

  test('stray and unclosed tags lose no words', async () => {
    assert.deepEqual(await lines(item('<b>Open'), item('close</b> and <unknown x="1">more</unknown>')), [
      'Open',
      'close and more',
    ]);
  });

  test('the first date is the due date; other dates, spans and impossible ones stay words', async () => {
    const time = (attributes: string, words: string) => `<time ${attributes}>${words}</time>`;
    const day = 'startYear="2026" startMonth="3" startDay="07"';
    assert.deepEqual(
      await lines(
        item(`Call ${time(day, 'Sat, Mar 7')} Bob`),
        item(`At ${time(`${day} startHour="9"`, 'x')}`),
        item(
          `Meet ${time(`${day} startHour="9" startMinute="30" endYear="2026" endMonth="3" endDay="7" endHour="10" endMinute="15"`, 'x')}`,
        ),
        item(`Trip ${time(`${day} endYear="2026" endMonth="3" endDay="9"`, 'Mar 7 - 9')}`),
        item(`Bad ${time('startYear="2026" startMonth="13" startDay="45"', 'never')}`),
        item(`Two ${time(day, 'first')} ${time(day, 'second')}`),
        item(time(day, 'Sat, Mar 7')),
      ),
      [
        'Call Bob | due 2026-03-07',
        'At | due 2026-03-07 09:00',
        'Meet | due 2026-03-07 09:30 | 45 min',
        'Trip Mar 7 - 9',
        'Bad never',
        'Two second | due 2026-03-07',
        'Sat, Mar 7 | due 2026-03-07',
      ],
    );
  });

  test('tags are labels, people and numbers are text', async () => {
    assert.deepEqual(
      await lines(item('Buy milk #home #wk27-26 @bob #1'), item('See a.example/#top'), item('#only')),
      ['Buy milk #home #wk27-26 @bob #1 | @home | @wk27-26', 'See a.example/#top', '#only | @only'],
    );
    assert.deepEqual(await lines(item('Buy milk #дом')), ['Buy milk | @дом']);
  });

  test('mentions have no name', async () => {
    const file = await read(item('Ask <mention id="12" by="3" ts="4"> </mention> now'));
    assert.match(say(file), /Ask @someone now \| “@someone \(12\)”/);
    assert.match(report(file), /1 mention of a person/);
  });
});

describe('Workflowy text', () => {
  test('bullets, quoted notes of several lines, and completed items', async () => {
    const text =
      '- Top\n  "Note "with" quotes\n  - not an item"\n  - [COMPLETE] Done child\n    - Deep\n- Second\n  "Short"\n';
    const file = await readTexts({ 'a.txt': text });
    assert.equal(
      say(file),
      'a\n  Top | “Note "with" quotes⏎- not an item”\n    x Done child\n      Deep\n  Second | “Short”',
    );
  });
});

describe('Workflowy backup', () => {
  test('mirrors, comments, files and references', async () => {
    const nodes = [
      {
        id: 'a-1',
        nm: '<b>Top</b>',
        no: 'Note',
        ct: 10,
        cp: 20,
        ch: [
          {
            id: 'c',
            nm: '',
            metadata: { layoutMode: 'cmnt-c' },
            ch: [{ id: 'd', nm: 'Said', ch: [{ id: 'e', nm: 'Answer' }] }],
          },
          { id: 'b', nm: 'Child', metadata: { s3File: { isFile: true, fileName: 'x.png' } } },
        ],
      },
      { id: 'm', nm: '', metadata: { mirror: { originalId: 'a-1', isMirrorRoot: true } } },
      { id: 'r', nm: '', metadata: { isReferencesRoot: true }, ch: [{ id: 's', nm: 'gone' }] },
      { id: 'z', nm: '' },
    ];
    const file = await readTexts({ 'Me.workflowy.backup': JSON.stringify(nodes) });
    assert.equal(
      say(file),
      'Me\n  x Top | “Note⏎⏎Said⏎⏎Answer”\n    Child | “File: x.png”\n  Top | “Mirror of “Top””\n  ',
    );
    assert.equal(file.lists[0]?.tasks[0]?.id, 'workflowy:a-1');
  });
});
