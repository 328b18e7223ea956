// The tables of the guides, "what becomes what": each line is held to a small file of that program, read as an import reads it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mappings, type MappedProgram } from '#core/formats/import/mappings.ts';
import { readImport } from '#core/formats/import/read-import.ts';
import type { ImportedFile, ImportedTask } from '#core/formats/import/shape.ts';
import { packed, ports, thingsFiles, type Values } from './things-files.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const phrase = {
  now: NOW,
  zone: 'UTC',
  order: 'dmy',
  hour12: false,
  dayStart: 0,
  weekStart: 1,
  nextWeek: 'first day',
  prefers: 'future',
  current: null,
  hours: { morning: 9, afternoon: 13, evening: 18, night: 21 },
} as const;

async function read(name: string, text: string): Promise<ImportedFile> {
  const outcome = await readImport([{ name, bytes: new TextEncoder().encode(text) }], { phrase });
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.problem);
  return outcome.value;
}

const tasksOf = (tasks: readonly ImportedTask[]): readonly ImportedTask[] =>
  tasks.flatMap((task) => [task, ...tasksOf(task.children)]);

/** What a line of the table says, as a fact of the file. */
type Proof = (file: ImportedFile, task: (title: string) => ImportedTask) => void;

function prove(program: MappedProgram, file: ImportedFile, proofs: Readonly<Record<string, Proof>>): void {
  const all = file.lists.flatMap(({ tasks }) => tasksOf(tasks));
  const task = (title: string) => {
    const found = all.find((each) => each.title === title);
    assert.ok(found, `${title} is among ${all.map((each) => each.title).join(', ')}`);
    return found;
  };
  assert.deepEqual(
    mappings[program].map(({ theirs }) => theirs).toSorted(),
    Object.keys(proofs).toSorted(),
    'each line has its proof',
  );
  for (const proof of Object.values(proofs)) proof(file, task);
}

describe('what becomes what', () => {
  test('[IMPORT-102] of Todoist', async () => {
    const rows = [
      'TYPE,CONTENT,DESCRIPTION,IS_COLLAPSED,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG',
      'section,Beds,,,,,,,,,,,,,',
      'task,Sow @seeds,Two rows,True,1,1,,Ann (12),2026-12-01 10:00,en,Europe/Paris,45,minute,,',
      'note,Saw it [[file {"file_name":"a.pdf"\\,"file_url":"https://x.example/a.pdf"}]],,,,,Ben (13),,2026-11-01T10:00:00Z,,,,,,'.replaceAll(
        '[[file {"file_name":"a.pdf"\\,"file_url":"https://x.example/a.pdf"}]]',
        '',
      ),
      'note,"[[file {""file_name"":""a.pdf"",""file_url"":""https://x.example/a.pdf""}]]",,,,,Ben (13),,2026-11-02T10:00:00Z,,,,,,',
      'task,Rake,,,4,2,,,,,,,,,',
      'task,Water,,,4,1,,,every monday,en,,,,,',
      'task,Feed,,,4,1,,,every! monday,en,,,,,',
      'task,Order,,,4,1,,,2026-12-01,en,,,,2026-12-10,en',
    ];
    const file = await read('Garden [6Crg8jQ886Wh4P5g].csv', rows.join('\n'));
    prove('todoist', file, {
      project: ({ lists }) => assert.equal(lists[0]?.name, 'Garden'),
      section: ({ lists }, task) =>
        assert.ok(lists[0]?.tasks.includes(task('Beds')) && task('Beds').children.length > 0),
      'task, subtask': (_, task) => assert.deepEqual(task('Sow').children, [task('Rake')]),
      description: (_, task) => assert.match(task('Sow').notes, /Two rows/),
      comment: (_, task) => assert.match(task('Sow').notes, /2026-11-01, Ben: Saw it/),
      'attached file': (_, task) =>
        assert.match(task('Sow').notes, /\[a\.pdf\]\(https:\/\/x\.example\/a\.pdf\)/),
      'label `@errand`': ({ labels }, task) =>
        assert.deepEqual(
          labels.filter(({ key }) => task('Sow').labels.includes(key)).map(({ name }) => name),
          ['seeds'],
        ),
      'priority p1 to p3': (_, task) =>
        assert.deepEqual([task('Sow').priority, task('Rake').priority], ['p1', null]),
      'due date': (_, task) =>
        assert.deepEqual(task('Sow').due, { at: Date.UTC(2026, 11, 1, 9), zone: 'Europe/Paris' }),
      'recurring date `every monday`': (_, task) =>
        assert.deepEqual([task('Water').repeat?.unit, task('Water').due], ['weeks', { on: '2026-11-23' }]),
      '`every! monday`': (_, task) => assert.equal(task('Feed').repeat?.from, 'completion'),
      deadline: (_, task) =>
        assert.deepEqual(
          [task('Order').due, task('Order').start],
          [{ on: '2026-12-10' }, { on: '2026-12-01' }],
        ),
      duration: (_, task) => assert.equal(task('Sow').scalars.duration, 45),
      'assigned person': (_, task) => assert.match(task('Sow').notes, /Assigned to Ann/),
      'collapsed task': (_, task) => assert.equal(task('Sow').isCollapsed, true),
    });
  });

  test('[IMPORT-102] of Workflowy', async () => {
    const backup = [
      {
        id: 'a',
        nm: '<b>Plan</b> <a href="https://x.example">page</a> @ann #trip',
        no: 'A <b>bold</b> note',
        ch: [{ id: 'b', nm: 'Book', cp: 5 }],
      },
      { id: 'c', nm: 'On <time startYear="2026" startMonth="12" startDay="1">Dec 1</time>' },
      { id: 'd', nm: '', metadata: { mirror: { originalId: 'b' } } },
      { id: 'e', nm: 'Star', metadata: { isStarred: true } },
    ];
    const file = await read('notes.workflowy.backup', JSON.stringify(backup));
    const plan = file.lists[0]?.tasks[0];
    assert.ok(plan);
    prove('workflowy', file, {
      item: (_, task) => assert.deepEqual(plan.children, [task('Book')]),
      note: () => assert.match(plan.notes, /note/),
      'completed item': (_, task) => assert.notEqual(task('Book').done, null),
      '`#tag`': ({ labels }) =>
        assert.deepEqual(
          labels.map(({ name }) => name),
          ['trip'],
        ),
      '`@person`': () => assert.match(plan.title, /@ann/),
      date: ({ lists }) => assert.deepEqual(lists[0]?.tasks[1]?.due, { on: '2026-12-01' }),
      'link in a title': () =>
        assert.deepEqual([/page/.test(plan.title), /https:\/\/x\.example/.test(plan.notes)], [true, true]),
      'bold, italic': () =>
        assert.deepEqual([plan.title.includes('*'), /\*\*bold\*\*/.test(plan.notes)], [false, true]),
      mirror: ({ lists }) => assert.match(lists[0]?.tasks[2]?.notes ?? '', /Mirror of “Book”/),
      'starred item': (_, task) => assert.equal(task('Star').isBookmarked, true),
    });
  });

  test('[IMPORT-102] of Things', async () => {
    const task = (uuid: string, more: Values = {}): Values => ({
      uuid,
      title: uuid,
      type: 0,
      status: 0,
      trashed: 0,
      start: 1,
      ...more,
    });
    const { main } = thingsFiles({
      TMArea: [{ uuid: 'A', title: 'Home', index: 1 }],
      TMTag: [
        { uuid: 'T1', title: 'Place', index: 1 },
        { uuid: 'T2', title: 'Shop', parent: 'T1', index: 2 },
      ],
      TMTaskTag: [{ tasks: 'Sow', tags: 'T2' }],
      TMChecklistItem: [{ uuid: 'C', task: 'Sow', title: 'Seeds', status: 0, index: 1 }],
      TMTask: [
        task('P', { type: 1, area: 'A', title: 'Garden' }),
        task('H', { type: 2, project: 'P', title: 'Beds' }),
        task('Sow', {
          heading: 'H',
          notes: 'Two rows',
          startDate: packed(2026, 12, 1),
          deadline: packed(2026, 12, 5),
          reminderTime: 840957952,
        }),
        task('Later', { project: 'P', start: 2 }),
        task('Done', { project: 'P', status: 3, stopDate: 1767312000 }),
        task('Dropped', { project: 'P', status: 2, stopDate: 1767312000 }),
        task('New', { start: 0 }),
      ],
    });
    const outcome = await readImport([{ name: 'main.sqlite', bytes: main }], { phrase, ports });
    assert.ok(outcome.ok);
    const namesOf = (file: ImportedFile, { labels }: ImportedTask) =>
      file.labels.filter(({ key }) => labels.includes(key)).map(({ name }) => name);
    prove('things', outcome.value, {
      area: ({ lists }) =>
        assert.deepEqual(
          lists.find(({ name }) => name === 'Garden')?.folders.map(({ name }) => name),
          ['Home'],
        ),
      project: ({ lists }) => assert.ok(lists.some(({ name, isInbox }) => name === 'Garden' && !isInbox)),
      heading: (_, find) => assert.deepEqual(find('Beds').children, [find('Sow')]),
      'to-do': (_, find) => assert.equal(find('Sow').done, null),
      checklist: (_, find) => assert.deepEqual(find('Sow').children, [find('Seeds')]),
      notes: (_, find) => assert.equal(find('Sow').notes, 'Two rows'),
      tag: (file) => assert.deepEqual(file.labels.find(({ name }) => name === 'Shop')?.group, 'Place'),
      'When: a date': (_, find) => assert.deepEqual(find('Sow').start, { on: '2026-12-01' }),
      Someday: (file, find) => assert.deepEqual(namesOf(file, find('Later')), ['someday']),
      Deadline: (_, find) => assert.deepEqual(find('Sow').due, { on: '2026-12-05' }),
      reminder: (_, find) =>
        assert.deepEqual(find('Sow').reminders, [{ when: { local: '2026-12-01T12:34' } }]),
      'Logbook: completed': (_, find) => assert.deepEqual(find('Done').done, { at: 1_767_312_000_000 }),
      'Logbook: canceled': (file, find) =>
        assert.deepEqual(
          [find('Dropped').done?.at, namesOf(file, find('Dropped'))],
          [1_767_312_000_000, ['cancelled']],
        ),
      Inbox: ({ lists }, find) =>
        assert.ok(lists.find(({ isInbox }) => isInbox)?.tasks.includes(find('New'))),
    });
  });
});
