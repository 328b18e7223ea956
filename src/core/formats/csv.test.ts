// Tables of tasks, and what programs and people do to them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCsv } from './csv.ts';
import { decodeText } from './decode-text.ts';
import type { ImportedList } from './imported.ts';

function read(text: string): readonly ImportedList[] {
  const result = parseCsv(text);
  assert.ok(result.ok, JSON.stringify(result));
  return result.lists;
}

const titlesOf = (text: string) => read(text).flatMap(({ tasks }) => tasks.map(({ title }) => title));

describe('CSV', () => {
  test('[FLOW-8] columns are known by their headings, whatever else stands there', () => {
    const [list] = read(
      'Task Name;Due Date;Tags;Notes;Status\nSow;2026-12-01;"home, garden";"one\r\ntwo";done\nMow;;;;In progress\n',
    );
    assert.equal(list?.name, null);
    const [sow, mow] = list.tasks;
    assert.deepEqual(sow && { ...sow, children: 0 }, {
      title: 'Sow',
      notes: 'one\ntwo',
      isDone: true,
      due: '2026-12-01',
      start: '',
      duration: '',
      labels: ['home', 'garden'],
      children: 0,
    });
    assert.equal(mow?.isDone, false);
    const result = parseCsv('title,colour,priority\nSow,red,high');
    assert.deepEqual(result.ok && result.left, ['Not taken: the columns colour, priority.']);
  });

  test('[FLOW-8] lists, sections and levels become lists, headings and nesting', () => {
    const lists = read(
      'list,section,title,level\nHome,,Sweep,1\nHome,Garden,Sow,1\nHome,Garden,Water,2\nWork,,Write,5',
    );
    assert.deepEqual(
      lists.map(({ name, tasks }) => [name, tasks.map(({ title, children }) => [title, children.length])]),
      [
        [
          'Home',
          [
            ['Sweep', 0],
            ['Garden', 1],
          ],
        ],
        ['Work', [['Write', 0]]],
      ],
    );
    assert.equal(lists[0]?.tasks[1]?.children[0]?.children[0]?.title, 'Water');
  });

  test('[FLOW-8] what Todoist writes: sections, levels, comments, labels in titles, priorities', () => {
    const result = parseCsv(
      [
        'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT',
        'task,Buy rope @errand,thick,1,1,Me (1),,every monday,en,UTC,45,minute',
        'task,Ask for a price,,4,2,Me (1),Ada (2),,en,UTC,2,day',
        'note,Called already,,,,Me (1),,,,,,',
        ',,,,,,,,,,,',
        'section,Winter,,,,,,,,,,',
        'task,* Heading,,4,1,Me (1),,,en,UTC,,',
      ].join('\r\n'),
    );
    assert.ok(result.ok);
    assert.deepEqual([result.kind, result.left], ['CSV from Todoist', []]);
    const [rope, winter] = result.lists[0]?.tasks ?? [];
    assert.deepEqual(
      [rope?.title, rope?.notes, rope?.due, rope?.duration],
      ['Buy rope', 'thick', 'every monday', '45'],
    );
    assert.deepEqual(rope?.labels, ['errand', 'p1']);
    const [price] = rope?.children ?? [];
    assert.deepEqual(
      [price?.title, price?.notes, price?.duration, price?.labels],
      ['Ask for a price', 'Assigned to Ada (2)\n\nCalled already', '2 days', []],
    );
    assert.deepEqual([winter?.title, winter?.children[0]?.title], ['Winter', 'Heading']);
  });

  test('[FLOW-9] quotes, separators, line ends, marks and formulas are text', () => {
    for (const end of ['\n', '\r\n', '\r'])
      for (const by of [',', ';', '\t'])
        assert.deepEqual(
          titlesOf(
            `\uFEFF"title"${by}"notes"${end}"a ""quoted"" one"${by}x${end}"=cmd|' /C calc'!A0"${by}y${end}`,
          ),
          ['a "quoted" one', "=cmd|' /C calc'!A0"],
          JSON.stringify([end, by]),
        );
    assert.deepEqual(titlesOf('title,notes\n"never closed,\nand on'), ['never closed,']);
    assert.deepEqual(titlesOf('title\n\n  \n+1-2\n__proto__\nconstructor'), [
      '+1-2',
      '__proto__',
      'constructor',
    ]);
  });

  test('[FLOW-9] quotation marks that do not fit together are said, and no cell is lost', () => {
    const unclosed = parseCsv('title,due\nSow,\n"Buy milk,tod\nCall Ann,\n');
    assert.ok(unclosed.ok);
    assert.deepEqual(unclosed.left, [
      'The quotation marks of row 3 do not fit together: look whether its cells are right.',
    ]);
    assert.equal(unclosed.lists[0]?.tasks[1]?.notes, 'Call Ann,');
    const shifted = parseCsv('title,notes\n"Buy "milk", now,tod\n"Make "tea", hot,c\nSow,x');
    assert.ok(shifted.ok);
    assert.match(shifted.left.join(), /of row 2 and 1 more do not/);
    assert.deepEqual(
      shifted.lists[0]?.tasks.map(({ notes }) => notes),
      ['now\ntod', 'hot\nc', 'x'],
    );
  });

  test('[FLOW-9] UTF-16 is read with and without its mark, either way round', () => {
    const text = 'title,notes\nÜben,später\n';
    const le = Buffer.from(text, 'utf16le');
    const be = Buffer.from(le).swap16();
    for (const bytes of [
      le,
      be,
      Buffer.concat([Buffer.from([0xff, 0xfe]), le]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), be]),
    ])
      assert.equal(decodeText(bytes), text);
    assert.equal(decodeText(Buffer.from(`\uFEFF${text}`)), text);
    assert.equal(decodeText(new Uint8Array()), '');
    assert.equal(decodeText(Buffer.from('准备')), '准备');
  });

  const TICKTICK = [
    '\uFEFF"Date: 2026-11-20+0000"',
    '"Version: 7.1"',
    '"Status: ',
    '0 Normal',
    '1 Completed',
    '2 Archived"',
    '"Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date","Repeat","Priority","Status","Timezone","Is All Day"',
    '"Home","Garden","Sow","TEXT","spring, beds","two rows","N","2026-11-30T23:00:00+0000","2026-11-30T23:00:00+0000","","0","0","Europe/Berlin","true"',
    '"Home","Garden","Call","TEXT","","","N","","2026-12-01T08:30:00+0000","","0","2","Europe/Berlin","false"',
    '',
  ].join('\r\n');

  test('[FLOW-8] lines above the headings, as TickTick writes them, are passed over and named', () => {
    const result = parseCsv(TICKTICK);
    assert.ok(result.ok);
    const [garden] = result.lists;
    assert.equal(garden?.name, 'Garden');
    const [sow, call] = garden.tasks;
    assert.deepEqual(sow && { ...sow, children: 0 }, {
      title: 'Sow',
      notes: 'two rows',
      isDone: false,
      // All day: the day that it was in Berlin.
      due: '2026-12-01',
      start: '2026-12-01',
      duration: '',
      labels: ['spring', 'beds'],
      children: 0,
    });
    assert.deepEqual([call?.due, call?.isDone], ['2026-12-01T08:30:00+0000', true]);
    assert.deepEqual(result.left, [
      'Not taken: the columns Folder Name, Kind, Is Check list, Repeat, Priority.',
      'Not taken: 3 lines above the headings, “Date: 2026-11-20+0000” the first.',
    ]);
  });

  test('[FLOW-8] a zone alone has no place, and that is said', () => {
    const result = parseCsv('title,timezone\nSow,Europe/Berlin');
    assert.deepEqual(result.ok && result.left, ['Not taken: the column timezone.']);
  });

  test('[FLOW-8] only lines of one cell stand above headings, and few', () => {
    assert.equal(parseCsv('a,b\ntitle,notes\nSow,').ok, false);
    assert.equal(parseCsv(`${'one\n'.repeat(50)}title,notes\nSow,`).ok, false);
    assert.deepEqual(titlesOf('My tasks\n\ntitle,notes\nSow,soon\nMow,'), ['Sow', 'Mow']);
    assert.deepEqual(
      titlesOf('title\nname\nSow'),
      ['name', 'Sow'],
      'the first that can be is the line of headings',
    );
  });

  test('[FLOW-9] a table without titles says what is asked for', () => {
    for (const text of ['', 'a,b\n1,2', '\u0000\u0001', '<opml/>']) {
      const result = parseCsv(text);
      assert.ok(!result.ok, JSON.stringify(text));
      assert.match(result.problem, /one of them “title”/);
    }
  });

  test('[FLOW-9] 100,000 rows are read in order', () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => `"Task ${at}","note, ${at}"`);
    const titles = titlesOf(`title,notes\n${rows.join('\n')}`);
    assert.deepEqual([titles.length, titles[0], titles.at(-1)], [100_000, 'Task 0', 'Task 99999']);
  });
});
