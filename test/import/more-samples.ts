// For tests: files of the formats that samples.ts does not have, because they are read in tests of their own: tables, outlines and lines
// of any program, JSON of Todoist and Things, text and backups of Workflowy, and our own JSON.
import { exportJson } from '#core/formats/json.ts';
import { labelsRoot, listsRoot, type Id } from '#core/ids.ts';

const table = `\uFEFFAbout this file;;;
Title;Notes;Due;Start;Deadline;Repeat;Done;Completed at;Created at;Labels;List;Section;Parent;ID;Parent ID;Duration;Time zone;All day
"Sow; and ""water""";"Two
lines";2026-12-01;2026-11-30;2026-12-10;every 2 weeks;;;2026-01-02T03:04:05Z;"home, garden";Garden;Beds;;1;;45;Europe/Berlin;
Mow;;1 Dec 2026 10:00;;;FREQ=WEEKLY;yes;2026-08-10;;#home;Garden;(no section);;2;1;1h30;;
Orphan;some day;some day;;;;in progress;;;;;;Nobody;3;99;long;;true
Child;;;;;;;;;;;;Mow;4;;;;
`;

const outline = `<?xml version="1.0" encoding="UTF-8"?><opml version="2.0"><head><title>Plans</title></head><body>
<outline text="Trip" _note="by &lt;train&gt;&#10;at noon" due="2026-12-01"><outline text="Book &amp; pay" _complete="true" duration="1h"/></outline>
<outline title="Home" note="x" tags="a, b" repeat="every monday"><outline text=""/><outline text="Deep"><outline text="Deeper"/></outline></outline>
</body></opml>`;

const todoTxt = `(A) 2026-01-02 Call Ann +Family @phone due:2026-12-01 rec:+1w
x 2026-08-10 2026-01-10 Pay the rent +Home pri:B
Write t:2026-11-30 note:more +Work +Other
2026-01-01 Buy http://example.test/x due:maybe
`;

const lines = `# Plan

- Trip
  - [x] Book
    a note
  - [ ] Pack
1. First
\tTabbed
Prose that goes on.
* Other bullet

> Quoted
`;

const todoistJson = JSON.stringify({
  projects: [
    { id: 'p1', name: 'House', child_order: 1, color: 'berry_red', is_favorite: true },
    { id: 'p2', name: 'Paint', parent_id: 'p1', child_order: -2, is_archived: 1, description: 'About' },
    { id: 'p0', name: 'Inbox', inbox_project: true },
  ],
  sections: [{ id: 's1', project_id: 'p2', name: 'Walls', section_order: 1, is_collapsed: true }],
  labels: [{ id: 'l1', name: 'errand', color: 'blue' }],
  items: [
    {
      id: 'b',
      content: 'Child **bold** [a](https://example.test)',
      project_id: 'p2',
      parent_id: 'a',
      child_order: 2,
      priority: 1,
      labels: ['errand', 'new'],
      checked: 1,
      completed_at: '2026-03-01T10:00:00Z',
      duration: { amount: 30, unit: 'minute' },
    },
    {
      id: 'a',
      content: 'Parent',
      description: 'Lines\nof words',
      project_id: 'p2',
      section_id: 's1',
      child_order: -1,
      priority: 4,
      labels: [],
      added_at: '2026-01-01T10:00:00Z',
      due: {
        date: '2026-12-23T09:30:00Z',
        string: 'every! monday at 10:30',
        timezone: 'Europe/Berlin',
        lang: 'en',
        is_recurring: true,
      },
      deadline: { date: '2026-12-24', lang: 'en' },
    },
    { id: 'c', content: 'Gone', project_id: 'p2', is_deleted: true },
    {
      id: 'd',
      content: 'Loop',
      project_id: 'p0',
      parent_id: 'd',
      due: { date: '2026-12-23T09:30:00', string: 'x' },
    },
  ],
  notes: [
    {
      id: 'n1',
      item_id: 'a',
      content: 'A comment',
      posted_at: '2026-01-03T10:00:00Z',
      file_attachment: { file_name: 'a.png', file_url: 'https://example.test/a.png' },
    },
  ],
  project_notes: [
    { id: 'n2', project_id: 'p1', content: 'About the house', posted_at: '2026-01-03T10:00:00Z' },
  ],
  reminders: [
    { id: 'r1', item_id: 'a', type: 'relative', minute_offset: 30 },
    { id: 'r2', item_id: 'a', type: 'absolute', due: { date: '2026-12-22T09:00:00' } },
    { id: 'r3', item_id: 'a', type: 'location' },
  ],
});

const thingsJson = JSON.stringify([
  {
    type: 'project',
    attributes: {
      title: 'House',
      area: 'Home',
      notes: 'About',
      items: [
        {
          type: 'to-do',
          attributes: { title: 'Sand', when: 'evening', tags: ['errand'], deadline: '2026-12-01' },
        },
        { type: 'heading', attributes: { title: 'Walls', archived: false } },
        {
          type: 'to-do',
          attributes: {
            title: 'Paint',
            when: '2026-12-01@18:00',
            completed: true,
            'completion-date': '2026-03-01T10:00:00Z',
            'checklist-items': [
              { type: 'checklist-item', attributes: { title: 'Brush', completed: true } },
              { type: 'checklist-item', attributes: { title: '', canceled: true } },
            ],
          },
        },
      ],
    },
  },
  {
    type: 'to-do',
    operation: 'create',
    attributes: { title: 'Call', when: 'someday', list: 'House', canceled: true },
  },
]);

const workflowyText = `- Trip
  "By train, which
  goes on"
  - [COMPLETE] Book #errand
  - Pack "it"
    - Socks
- Home
`;

const workflowyBackup = JSON.stringify([
  {
    id: '11111111-1111-4222-8333-444455556666',
    nm: 'Trip <b>big</b> <time startYear="2026" startMonth="12" startDay="1">Dec 1</time> #errand',
    no: 'See <a href="https://example.test">there</a>',
    ct: 1,
    lm: 20,
    ch: [
      { id: '21111111-1111-4222-8333-444455556666', nm: 'Book', cp: 10, ct: 2, lm: 10 },
      {
        id: '31111111-1111-4222-8333-444455556666',
        nm: '',
        metadata: { mirror: { originalId: '21111111-1111-4222-8333-444455556666', isMirrorRoot: true } },
      },
      {
        id: '41111111-1111-4222-8333-444455556666',
        nm: '',
        metadata: { layoutMode: 'cmnt-c' },
        ch: [
          { id: '51111111-1111-4222-8333-444455556666', nm: 'A comment', metadata: { layoutMode: 'cmnt' } },
        ],
      },
      {
        id: '61111111-1111-4222-8333-444455556666',
        nm: 'Board',
        metadata: { layoutMode: 'board', s3File: { isFile: true, fileName: 'a.png' } },
      },
    ],
  },
]);

/** Files of formats without a sample of their own, by name. */
export const moreSamples: Readonly<Record<string, string>> = {
  'Table.csv': table,
  'Plans.opml': outline,
  'todo.txt': todoTxt,
  'Plan.txt': lines,
  'todoist.json': todoistJson,
  'things.json': thingsJson,
  'Workflowy.txt': workflowyText,
  'ann.workflowy.backup': workflowyBackup,
};

const id = (number: number) => `0190c000-0000-7000-8000-${String(number).padStart(12, '0')}` as Id;

/** Our own JSON with one entity of each type that it holds. */
export function ownDocument(): string {
  const scope = id(1);
  const at = 1_780_000_000_000;
  const entity = { key: 'a0', createdAt: at };
  return exportJson(
    [
      {
        ...entity,
        id: id(2),
        type: 'labelGroup',
        parent: labelsRoot(scope),
        fields: { name: 'Who', exclusive: true },
      },
      { ...entity, id: id(3), type: 'label', parent: id(2), fields: { name: 'Ann', color: '#d24c49' } },
      {
        ...entity,
        id: id(4),
        type: 'list',
        parent: listsRoot(scope),
        fields: { listType: 'list', name: 'House', notes: 'About' },
      },
      {
        ...entity,
        id: id(5),
        type: 'task',
        parent: id(4),
        fields: {
          title: 'Paint',
          notes: 'Two\nlines',
          due: { on: '2026-12-01' },
          start: { at, zone: 'Europe/Berlin' },
          repeat: {
            value: 2,
            unit: 'weeks',
            metadata: { weekdays: ['Mon'] },
            from: 'completion',
            missed: 'skip',
            anchorDay: null,
          },
          duration: 45,
          [`label:${id(3)}`]: true,
          'meta:source': 'test',
        },
      },
      { ...entity, id: id(6), type: 'task', parent: id(5), fields: { title: 'Sand', status: { done: at } } },
    ],
    { kind: 'account' },
  );
}
