// Lines and files of a twin: what is printed is read back, and what does not change stays.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { damageIn, readFile } from './file.ts';
import { layOut } from './layout.ts';
import { printLine, readLine } from './line.ts';
import { mergeText } from './merge.ts';
import type { Content, TwinTask } from './model.ts';

const reading = {
  now: Date.UTC(2026, 10, 27),
  zone: 'Europe/Paris',
  labels: new Set(['phone', 'big errand', 'a"b']),
};
const MARK = '5f0c8e4d1a77';
const PLAIN: Content = {
  title: 'Call',
  isDone: false,
  due: null,
  start: null,
  snooze: null,
  repeat: null,
  minutes: null,
  labels: [],
  notes: '',
};

describe('a line of a twin', () => {
  const printed = (content: Partial<Content>) => printLine({ ...PLAIN, ...content }, MARK, reading.zone);
  const reread = (content: Partial<Content>) => readLine(printed(content).replace(/ ?\^\w+$/, ''), reading);

  test('[TWIN-3] is read as it was printed', () => {
    const all: Partial<Content>[] = [
      {},
      {
        due: '2026-12-01',
        start: '2026-11-30',
        snooze: '2026-11-29',
        minutes: 90,
        labels: ['a"b', 'big errand', 'phone'],
      },
      { due: '2026-12-01T16:00:00.000Z', repeat: 'every 2 weeks on Mon and Thu' },
      // Twice on that night, and the second of them.
      { due: '2026-10-25T01:30:00.000Z' },
      { title: 'Buy #phone' },
      { title: String.raw`Buy \#phone` },
      { title: 'due:2026-12-01' },
      { title: 'Say due:"next week"', due: '2026-12-01' },
      { title: '- [ ] odd' },
      { title: 'Fix #123 due:never' },
    ];
    for (const content of all) {
      const { isDone: _, notes: __, ...wanted } = { ...PLAIN, ...content };
      assert.deepEqual(reread(content), wanted, printed(content));
    }
  });

  test('[TWIN-3] takes words at its end that are understood', () => {
    const read = (text: string) => readLine(text, reading);
    assert.deepEqual(read('Call due:tomorrow #phone for:1h30'), {
      ...readLine('Call', reading),
      due: '2026-11-28',
      minutes: 90,
      labels: ['phone'],
    });
    assert.equal(read('Call due:"next friday 5pm"').due?.slice(0, 10), '2026-12-04');
    for (const text of ['Pay #42', 'due:someday', 'Call #phone back', 'x for:ever', 'due:2026-02-30T10:00'])
      assert.equal(read(text).title, text);
  });
});

describe('a file of a twin', () => {
  const ids = ['0190f5a2-7c1e-7d3a-9b21-000000000001', '0190f5a2-7c1e-7d3a-9b21-000000000002'] as Id[];
  const list = '0190f5a2-7c1e-7d3a-9b21-00000000000f' as Id;
  const marks = ids.map((id) => id.slice(-12));
  const head = `---\ntags: [x]\nposthaste: ${list}\n---\n`;
  const layout = (text: string, tasks: readonly TwinTask[]) => {
    const file = readFile(text, reading, () => null);
    const blockOf = (id: Id) => file.blocks.find(({ mark }) => mark === id.slice(-12));
    return layOut(file, { list, zone: reading.zone, tasks, blockOf, markOf: (id) => id.slice(-12) });
  };
  const task = (at: number, more: Partial<TwinTask>): TwinTask => ({
    ...PLAIN,
    id: ids[at] ?? list,
    list,
    parent: null,
    ...more,
  });

  test('[TWIN-4] keeps everything but the lines that change', () => {
    const odd = `\uFEFF${head}Words\r\n\r\n* [ ] One   ^${marks[0]}\r\n\tA note\r\n\r\n## Rest\n1. [X]  Two ^${marks[1]}\r\n  <b>odd</b>`;
    const tasks = [
      task(0, { title: 'One', notes: 'A note' }),
      task(1, { title: 'Two', isDone: true, notes: '<b>odd</b>' }),
    ];
    assert.equal(layout(odd, tasks), odd);
    const [one, two] = tasks;
    if (!one || !two) throw new Error('two tasks');
    assert.equal(layout(odd, [{ ...one, title: 'Eins' }, two]), odd.replace('One   ^', 'Eins ^'));
    assert.equal(layout(odd, [one, { ...two, isDone: false }]), odd.replace('[X]  Two', '[ ]  Two'));
    assert.equal(layout(odd, [two]), odd.replace(/\* \[ \] One.*\r\n\tA note\r\n/, ''));
  });

  test('[TWIN-4] puts notes that look like tasks below their task, and reads them back', () => {
    const notes = String.raw`- [ ] not a task
\- [x] nor this

    code`;
    const text = layout('', [task(0, { notes }), task(1, { parent: ids[0] ?? null })]);
    const { blocks } = readFile(text, reading, () => null);
    assert.deepEqual(
      blocks.map(({ content, parent }) => [content.notes, parent?.mark ?? null]),
      [
        [notes, null],
        ['', marks[0]],
      ],
    );
  });

  test('[TWIN-10] knows what is half merged or not text', () => {
    assert.match(damageIn('- [ ] a\n<<<<<<< HEAD\n- [ ] b\n') ?? '', /conflict/);
    assert.match(damageIn('- [ ] a\n>>>>>>> 1a2b3c (x)\r\n') ?? '', /conflict/);
    assert.match(damageIn('- [ ] a\u0000') ?? '', /UTF-8/);
    assert.equal(damageIn('- [ ] a <<<<<<< b\n  <<<<<<< in a note\n=======\n'), null);
  });
});

describe('texts changed on both sides', () => {
  test('[TWIN-7] merge by words where they do not touch', () => {
    assert.equal(
      mergeText('call the plumber', 'call the good plumber', 'phone the plumber'),
      'phone the good plumber',
    );
    assert.equal(mergeText('call the plumber', 'call the plumbers', 'call the Plumber'), null);
    assert.equal(mergeText('a\nb\nc', 'a\nb2\nc', 'a\nb\nc\nd'), 'a\nb2\nc\nd');
    assert.equal(mergeText('a b', 'a x b', 'a x b c'), 'a x b c');
    assert.equal(mergeText('', 'one', 'two'), null);
  });
});
