// Tables of tasks, and what programs and people do to them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCsv } from './csv.ts';
import type { ImportedList } from './imported.ts';
import { eachScalar } from '../task-fields.ts';

function read(text: string): readonly ImportedList[] {
  const result = parseCsv(text);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value.lists;
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
      scalars: eachScalar(() => ''),
      deadline: '',
      repeat: '',
      completed: '',
      created: '',
      zone: '',
      labels: ['home', 'garden'],
      children: 0,
    });
    assert.equal(mow?.isDone, false);
    const result = parseCsv('title,colour,priority\nSow,red,high');
    assert.deepEqual(result.ok && result.value.left, ['Left out: the columns colour, priority.']);
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
    assert.deepEqual(unclosed.value.left, ['The quotation marks of row 3 don’t match. Check its cells.']);
    assert.equal(unclosed.value.lists[0]?.tasks[1]?.notes, 'Call Ann,');
    const shifted = parseCsv('title,notes\n"Buy "milk", now,tod\n"Make "tea", hot,c\nSow,x');
    assert.ok(shifted.ok);
    assert.match(shifted.value.left.join(), /of row 2 and 1 more don’t/);
    assert.deepEqual(
      shifted.value.lists[0]?.tasks.map(({ notes }) => notes),
      ['now\ntod', 'hot\nc', 'x'],
    );
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
    '"Home","Garden","Call","TEXT","","","N","","2026-12-01T08:30:00+0000","","0","1","Europe/Berlin","false"',
    '',
  ].join('\r\n');

  test('[FLOW-8] lines above the headings, as TickTick writes them, are passed over and named', () => {
    const result = parseCsv(TICKTICK);
    assert.ok(result.ok);
    const [garden] = result.value.lists;
    assert.equal(garden?.name, 'Garden');
    const [sow, call] = garden.tasks;
    assert.deepEqual(sow && { ...sow, children: 0 }, {
      title: 'Sow',
      notes: 'two rows',
      isDone: false,
      // All day: the day that it was in Berlin.
      due: '2026-12-01',
      start: '2026-12-01',
      scalars: eachScalar(() => ''),
      deadline: '',
      repeat: '',
      completed: '',
      created: '',
      zone: 'Europe/Berlin',
      labels: ['spring', 'beds'],
      children: 0,
    });
    assert.deepEqual([call?.due, call?.isDone], ['2026-12-01T08:30:00+0000', true]);
    assert.deepEqual(result.value.left, [
      'Left out: the columns Folder Name, Kind, Is Check list, Priority.',
      'Left out: 3 lines above the headings, starting with “Date: 2026-11-20+0000”.',
    ]);
  });

  test('[FLOW-8] a state that is not known is open, kept as a label, and said', () => {
    const words = ['Backlog', 'Doing', 'Waiting', 'In Review', 'offen', 'Available', 'todo', ''];
    const result = parseCsv(`title,status\n${words.map((word, at) => `T${at},${word}`).join('\n')}`);
    assert.ok(result.ok);
    const tasks = result.value.lists[0]?.tasks ?? [];
    assert.equal(tasks.length, words.length);
    assert.ok(tasks.every(({ isDone }) => !isDone));
    assert.deepEqual(
      tasks.map(({ labels }) => labels.join()),
      ['Backlog', 'Doing', 'Waiting', 'In Review', '', '', '', ''],
    );
    assert.deepEqual(result.value.left, [
      'Unknown status: “Backlog”, “Doing”, “Waiting”, “In Review”. Those tasks stay open, with the word as a label.',
    ]);
    const done = parseCsv('title,status\nA,Done\nB,x\nC,2026-08-10\nD,Cancelled\nE,erledigt\nF,2');
    assert.deepEqual(
      done.ok &&
        done.value.lists[0]?.tasks.map(({ isDone, completed, labels }) => [isDone, completed, labels.join()]),
      [
        [true, '', ''],
        [true, '', ''],
        [true, '2026-08-10', ''],
        [true, '', 'cancelled'],
        [true, '', ''],
        [false, '', '2'],
      ],
    );
  });

  test('[FLOW-8] the parent of a task is one task, wherever its row stands', () => {
    const asana = [
      'Task ID,Created At,Completed At,Name,Section/Column,Due Date,Projects,Parent task',
      '1,2026-11-01,,Move house,To do,2026-12-01,Home,',
      '2,2026-11-02,2026-11-10,Hire a van,,,,Move house',
      '3,2026-11-02,,Pack,,,,Move house',
      '4,2026-11-02,,Books,,,,Pack',
      '5,2026-11-02,,Early,,,,Later',
      '6,2026-11-02,,Later,(no section),,Home,',
    ].join('\n');
    const result = parseCsv(asana);
    assert.ok(result.ok);
    const [home, ...others] = result.value.lists;
    assert.deepEqual([home?.name, others], ['Home', []]);
    const [section, later] = home?.tasks ?? [];
    assert.deepEqual([section?.title, section?.children.length, later?.title], ['To do', 1, 'Later']);
    const [house] = section?.children ?? [];
    assert.deepEqual(
      house?.children.map(({ title, isDone, completed, created }) => [title, isDone, completed, created]),
      [
        ['Hire a van', true, '2026-11-10', '2026-11-02'],
        ['Pack', false, '', '2026-11-02'],
      ],
    );
    assert.equal(house?.children[1]?.children[0]?.title, 'Books');
    assert.deepEqual(
      later?.children.map(({ title }) => title),
      ['Early'],
    );
    // By ids, in any order, in a circle, and to nothing.
    const byId = read('id,title,parentId\n2,Child,1\n1,Parent,0\n3,A,4\n4,B,3\n5,Lost,99');
    assert.deepEqual(
      byId[0]?.tasks.map(({ title, children }) => [title, children.map((child) => child.title)]),
      [
        ['Parent', ['Child']],
        ['A', ['B']],
        ['Lost', []],
      ],
    );
  });

  test('[FLOW-8] [FLOW-9] long chains of tasks that name their parents are read in time', () => {
    const count = 20_000;
    const rows = Array.from({ length: count }, (_, at) => `${at},T${at},${at + 1}`).join('\n');
    const [list] = read(`id,title,parentId\n${rows}`);
    assert.equal(list?.tasks.length, 1);
  });

  test('[FLOW-8] deadlines, zones, files and repeats are kept', () => {
    const result = read(
      [
        'title,notes,due,timezone,deadline',
        'Sow,"See [[file https://example.org/b ""b.txt""]]",15 Mar 10:00,Europe/Berlin,2026-04-01',
      ].join('\n'),
    );
    const [sow] = result[0]?.tasks ?? [];
    assert.deepEqual([sow?.due, sow?.zone, sow?.deadline], ['15 Mar 10:00', 'Europe/Berlin', '2026-04-01']);
    assert.equal(sow?.notes, 'See [b.txt](https://example.org/b)');
    const rules = [
      'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH',
      'FREQ=MONTHLY;BYMONTHDAY=15,-1',
      'FREQ=DAILY;COUNT=5',
    ];
    const repeats = read(`title,repeat\n${rules.map((rule) => `A,"${rule}"`).join('\n')}`);
    assert.deepEqual(
      repeats[0]?.tasks.map(({ repeat }) => repeat),
      ['every 2 weeks on mon, thu', 'every month on the 15th, last day', 'FREQ=DAILY;COUNT=5'],
    );
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
      assert.match(result.problem, /including “title.”/);
    }
  });

  test('[FLOW-9] 100,000 rows are read in order', () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => `"Task ${at}","note, ${at}"`);
    const titles = titlesOf(`title,notes\n${rows.join('\n')}`);
    assert.deepEqual([titles.length, titles[0], titles.at(-1)], [100_000, 'Task 0', 'Task 99999']);
  });
});
