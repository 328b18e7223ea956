// OPML of other outliners, and of those who mean harm.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ImportedTask } from './imported.ts';
import { parseOpml } from './opml.ts';

const opml = (body: string, head = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${head}<opml version="2.0"><head><title>Mine</title></head><body>${body}</body></opml>`;

function read(text: string): readonly ImportedTask[] {
  const result = parseOpml(text);
  assert.ok(result.ok, JSON.stringify(result));
  assert.equal(result.value.lists.length, 1);
  return result.value.lists[0]?.tasks ?? [];
}

/** Two spaces for each level. */
function textOf(tasks: readonly ImportedTask[], level = 0): string {
  return tasks
    .map((task) => {
      const notes = task.notes === '' ? '' : ` (${task.notes.replaceAll('\n', '/')})`;
      return `${'  '.repeat(level)}${task.isDone ? 'x ' : ''}${task.title}${notes}\n${textOf(task.children, level + 1)}`;
    })
    .join('');
}

describe('OPML', () => {
  test('tags without their other half are words of the title', () => {
    const titleOf = (title: string) => {
      const escaped = title.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return textOf(read(opml(`<outline text="${escaped}"/>`))).trim();
    };
    assert.equal(titleOf('Use <div> and a <b> c'), 'Use <div> and a <b> c');
    assert.equal(titleOf('<img src=x>'), '<img src=x>');
    assert.equal(titleOf('Read <b>this</b> first'), 'Read this first');
    assert.equal(titleOf('a </i> b <i>c</i>'), 'a </i> b c');
  });

  test('[FLOW-8] keeps order, nesting, notes and completion', () => {
    const tasks = read(
      opml(
        '<outline text="Trip" _note="by train&#10;not by car"><outline text="Book"  _complete="true"/><outline text="Pack"><outline text="Tent"/></outline></outline><outline text="Home"/>',
      ),
    );
    assert.equal(textOf(tasks), 'Trip (by train/not by car)\n  x Book\n  Pack\n    Tent\nHome\n');
  });

  test('[FLOW-8] takes words out of markup, addresses into notes, categories as labels', () => {
    const [task, empty] = read(
      opml(
        '<outline text="&lt;b&gt;Buy&lt;/b&gt; &amp;amp; carry if 2 &lt; 3 &gt; 1" url="https://example.org/a" category="/home/garden,errand"/><outline/>',
      ),
    );
    assert.equal(task?.title, 'Buy & carry if 2 < 3 > 1');
    assert.equal(task.notes, 'https://example.org/a');
    assert.deepEqual(task.labels, ['garden', 'errand']);
    assert.equal(empty?.title, '');
  });

  test('[FLOW-8] a title of nothing but tags is about them', () => {
    const [task] = read(opml('<outline text="&lt;br&gt;"/>'));
    assert.equal(task?.title, '<br>');
  });

  test('[FLOW-8] addresses, contexts, flags, mentions, moments and states are kept, and the rest is named', () => {
    const link = '&lt;a href=&quot;https://example.org/a?b=1&amp;amp;c=2&quot;&gt;the plan&lt;/a&gt;';
    const result = parseOpml(
      opml(
        `<outline text="Read ${link} by &lt;mention id=&quot;1&quot;&gt;@Ann&lt;/mention&gt;" _note="see ${link}" context="On Earth" flagged="flagged" start="2026-12-01" due="2026-12-02" completed="2026-12-03" created="2026-11-01" project="House" _color="red"/><outline text="Use &lt;T&gt; and &lt;b&gt;bold&lt;/b&gt;" status="Waiting" flagged="false"/>`,
      ),
    );
    assert.ok(result.ok);
    const [read, use] = result.value.lists[0]?.tasks ?? [];
    assert.equal(read?.title, 'Read the plan by @Ann');
    assert.equal(
      read.notes,
      'see [the plan](https://example.org/a?b=1&c=2)\n\nhttps://example.org/a?b=1&c=2',
    );
    assert.deepEqual(read.labels, ['On Earth', 'flagged']);
    assert.deepEqual(
      [read.start, read.due, read.isDone, read.completed, read.created],
      ['2026-12-01', '2026-12-02', true, '2026-12-03', '2026-11-01'],
    );
    assert.deepEqual([use?.title, use?.isDone, use?.labels], ['Use <T> and bold', false, ['Waiting']]);
    assert.deepEqual(result.value.left, [
      'Unknown status: “Waiting”. Those tasks stay open, with the word as a label.',
      'Left out: the attributes project, _color.',
    ]);
  });

  test('[FLOW-8] reads byte order marks, every line end and long notes', () => {
    const notes = 'a'.repeat(200_000);
    const text = opml(`<outline text="One"\r\n _note="${notes}"/>\r<outline text="Two"/>`);
    const tasks = read(`\uFEFF${text}`);
    assert.deepEqual([tasks.length, tasks[0]?.notes.length], [2, 200_000]);
  });

  test('[FLOW-9] what a file declares itself does not grow: it is refused', () => {
    const laughs = [
      '<!ENTITY l0 "ha">',
      ...Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`),
    ];
    const result = parseOpml(opml('<outline text="&l12;"/>', `<!DOCTYPE opml [${laughs.join('')}]>`));
    assert.equal(result.ok, false);
    const outside = parseOpml(
      opml('<outline text="&file;"/>', '<!DOCTYPE opml [<!ENTITY file SYSTEM "file:///etc/passwd">]>'),
    );
    assert.equal(outside.ok, false);
    for (const name of ['constructor', '__proto__', 'toString'])
      assert.equal(parseOpml(opml(`<outline text="&${name};"/>`)).ok, false, name);
  });

  test('[FLOW-9] what is broken or no OPML is said with its line', () => {
    const broken = parseOpml(opml('<outline text="One">\n\n<outline text="Two"'));
    assert.ok(!broken.ok);
    assert.match(broken.problem, /^Line \d+: /);
    for (const text of ['', 'plain words', '<html><body>Hello</body></html>', '<opml', '<opml><body></opml>'])
      assert.equal(parseOpml(text).ok, false, text);
  });

  test('[FLOW-9] 100,000 levels are read without a stack', () => {
    const deep = 100_000;
    let [tasks, levels] = [read(opml('<outline text="a">'.repeat(deep) + '</outline>'.repeat(deep))), 0];
    for (; tasks[0]; tasks = tasks[0].children) levels += 1;
    assert.equal(levels, deep);
  });
});
