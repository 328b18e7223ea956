// For tests: one file of each format whose texts are short, with the traps of the format in it.
const csv = (rows: readonly (readonly string[])[], separator = ',') =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)).join('\r\n');

const TICKTICK =
  'Folder Name,List Name,Title,Kind,Tags,Content,Is Check list,Start Date,Due Date,Reminder,Repeat,Priority,Status,Created Time,Completed Time,Order,Timezone,Is All Day,Is Floating,Column Name,Column Order,View Mode,taskId,parentId'.split(
    ',',
  );
const ticktickRow = (cells: Readonly<Record<string, string>>) => TICKTICK.map((name) => cells[name] ?? '');

/** A backup of TickTick. */
export const ticktick = `\uFEFF${csv([
  ['Date: 2025-11-25+0000'],
  ['Version: 7.1'],
  ['Status: \n0 Normal\n1 Completed\n2 Archived'],
  TICKTICK,
  ticktickRow({ 'List Name': 'Inbox', Title: 'Child', taskId: 'b1', parentId: 'a1', Order: '5' }),
  ticktickRow({
    'List Name': 'Inbox',
    Title: 'Parent\nmore',
    Tags: 'a, b',
    Content: 'Words',
    'Start Date': '2018-12-11T23:00:00+0000',
    'Due Date': '2018-12-11T23:00:00+0000',
    'Is All Day': 'true',
    Timezone: 'Europe/Berlin',
    Reminder: '-PT5M;P0DT9H0M0S',
    Repeat: 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE',
    Priority: '5',
    Status: '0',
    'Created Time': '2018-01-02T03:04:05+0000',
    taskId: 'a1',
    parentId: '0',
    Order: '-10',
  }),
  ticktickRow({
    'Folder Name': 'Home',
    'List Name': 'Garden',
    Title: 'Checklist',
    Kind: 'CHECKLIST',
    Content: 'Before\n▫Open\n▪Done',
    'Start Date': '2026-02-20T09:00:00+0000',
    'Due Date': '2026-02-20T10:00:00+0000',
    Timezone: 'America/New_York',
    'Column Name': 'Later',
    Status: '2',
    'Completed Time': '2026-02-21T10:00:00+0000',
    taskId: 'c1',
  }),
  ticktickRow({
    'Folder Name': 'Home',
    'List Name': 'Garden',
    Title: 'Gone',
    Status: '-1',
    Repeat: 'ERULE:NAME=CUSTOM;BYDATE=20260101',
    taskId: 'd1',
    parentId: 'zz99',
  }),
  ticktickRow({ 'Folder Name': 'Home', 'List Name': 'Garden', Title: 'Loop', taskId: 'e1', parentId: 'e1' }),
])}`;

/** A calendar. */
export const calendar = `BEGIN:VCALENDAR\r
VERSION:2.0\r
X-WR-CALNAME:Chores\r
BEGIN:VTODO\r
UID:b\r
RELATED-TO;RELTYPE=PARENT:a\r
SUMMARY:Child\r
STATUS:CANCELLED\r
END:VTODO\r
BEGIN:VTODO\r
UID:a\r
CREATED:20210101T100000Z\r
SUMMARY:Parent with a lo\r
 ng name\\, and more\r
DESCRIPTION:One\\nTwo\\;\r
DTSTART;VALUE=DATE:20210201\r
DUE;VALUE=DATE:20210201\r
PRIORITY:1\r
CATEGORIES:One\\,two,Three\r
LOCATION:Home\r
RRULE:FREQ=MONTHLY;BYDAY=2TU;UNTIL=20270101\r
EXDATE:20210301\r
BEGIN:VALARM\r
TRIGGER:-PT15M\r
ACTION:DISPLAY\r
END:VALARM\r
BEGIN:VALARM\r
TRIGGER;VALUE=DATE-TIME:19760401T005545Z\r
END:VALARM\r
END:VTODO\r
BEGIN:VTODO\r
UID:c\r
DESCRIPTION:Only words\r
DUE;TZID=America/New_York:20261223T093000\r
PERCENT-COMPLETE:100\r
LAST-MODIFIED:20261001T000000Z\r
END:VTODO\r
BEGIN:VTODO\r
UID:d\r
SUMMARY:Wrong\r
DUE:20131009T170000T\r
RELATED-TO:d\r
END:VTODO\r
BEGIN:VTODO\r
UID:e\r
SUMMARY:Span\r
DTSTART:20261201T080000\r
DURATION:P1DT2H\r
END:VTODO\r
BEGIN:VEVENT\r
UID:f\r
SUMMARY:Party\r
END:VEVENT\r
END:VCALENDAR\r
`;

/** A table of OmniFocus. */
export const omnifocus = csv([
  'Task ID,Type,Name,Status,Project,Context,Start Date,Planned Date,Due Date,Completion Date,Duration,Flagged,Notes,Tags'.split(
    ',',
  ),
  [
    '1',
    'Project',
    'Garden',
    'Active',
    '',
    '',
    '',
    '',
    '2017-06-12 12:00:00 +0000',
    '',
    '',
    '0',
    'About it',
    '',
  ],
  [
    '1.1',
    'Action',
    'Dig',
    'Blocked',
    'Garden',
    'Home : Shed',
    '',
    '2026-12-01',
    '2026-12-02 12:00:00 +0000',
    '',
    '45m',
    '1',
    '',
    '',
  ],
  [
    '1.1.1',
    'Action',
    'Deeper',
    'Completed',
    'Garden',
    '',
    '',
    '',
    '',
    '2026-01-02 12:00:00 +0000',
    '0',
    '0',
    '',
    'A, B',
  ],
  ['2', 'Action', 'Loose', 'Dropped', '', '', '', '', '', '', '', '0', '', ''],
  ['3', 'Context', 'Home', '', '', '', '', '', '', '', '', '', '', ''],
]);

/** TaskPaper with OmniFocus' values. */
export const taskpaper = `Launch: @due(2025-12-01)
	- Write @due(2025-12-01 17:00) @defer(2025-11-30) @flagged @tags(A, Home : Shed) @estimate(30m)
		A note
	- Done @done(2026-01-02)
	Group:
		- Again @due(2026-12-01) @repeat-method(due-after-completion) @repeat-rule(FREQ=WEEKLY)
- Loose @Buy @autodone(false)
`;

/** Org. */
export const org = `#+TITLE: Plan
#+TODO: TODO NEXT | DONE CANCELED
Above
* Heading :work:
** NEXT [#A] Write [[https://a.example][the text]] :deep:
   DEADLINE: <2026-12-01 Tue +1w -3d> SCHEDULED: <2026-11-30 Mo 10:00>
   :PROPERTIES:
   :Effort: 1:10
   :ID: abc
   :Other: x
   :END:
   :LOGBOOK:
   - State "DONE"
   :END:
   Body
   - [ ] Box
     - [X] Inner
** CANCELED Gone
   CLOSED: [2026-01-02 Fri 18:00]
* TODO Habit
  SCHEDULED: <2026-12-01 Tue 15:15-16:00 .+2d>
`;

/** An export of Taskwarrior. */
export const taskwarrior = JSON.stringify([
  {
    uuid: 'a',
    description: 'Write',
    status: 'pending',
    entry: '20260101T100000Z',
    due: '20261130T230000Z',
    project: 'home.garden',
    priority: 'H',
    tags: ['x'],
    depends: 'b',
    annotations: [{ entry: '20260102T100000Z', description: 'Said' }],
    start: '20260103T000000Z',
    estimate: 30,
    urgency: 3.2,
    id: 1,
  },
  { uuid: 'b', description: 'Done', status: 'completed', entry: '1767225600', end: '20260102T000000Z' },
  { uuid: 'c', description: 'Gone', status: 'deleted', entry: '20260101T100000Z' },
  {
    uuid: 't',
    description: 'Again',
    status: 'recurring',
    recur: '2wks',
    entry: '20260101T100000Z',
    due: '20260101T100000Z',
  },
  {
    uuid: 'd',
    description: 'Again',
    status: 'pending',
    parent: 't',
    recur: '2wks',
    entry: '20260101T100000Z',
    due: '20261201T100000Z',
  },
  { uuid: 'e', description: 'Waits', status: 'waiting', wait: '20270101T100000Z', entry: '20260101T100000Z' },
]);

/** A note of Obsidian. */
export const obsidian = `---
due: no
---
# Home
- [ ] #task Write it #work/deep 🔁 every week when done 🔺 📅 2026-12-01 ➕ 2026-01-02 ^abc
  - [x] Inner ✅ 2026-01-03
  - a note
- [-] Gone ❌ 2026-01-04
- [/] Half ⏳ 2026-12-01 🛫 2026-11-30
- [ ] Wrong 📅 2022-02-30
\`\`\`
- [ ] Code 📅 2026-12-01
\`\`\`
> - [?] Asked [due:: 2026-12-05] [priority:: high] [effort:: 3]
`;

/** Lists of Microsoft To Do. */
export const microsoft = JSON.stringify({
  lists: [
    {
      id: 'L',
      displayName: 'Chores',
      tasks: [
        {
          id: 'a',
          title: 'Write',
          importance: 'high',
          status: 'waitingOnOthers',
          body: { content: '<p>One</p><p>Two &amp; three</p>', contentType: 'html' },
          categories: ['x'],
          createdDateTime: '2026-01-02T03:04:05.1234567Z',
          dueDateTime: { dateTime: '2026-12-01T23:00:00.0000000', timeZone: 'UTC' },
          recurrence: {
            pattern: {
              type: 'relativeMonthly',
              interval: 1,
              index: 'last',
              daysOfWeek: ['friday'],
              dayOfMonth: 0,
            },
            range: { type: 'noEnd', startDate: '2026-12-01', endDate: '0001-01-01' },
          },
          isReminderOn: true,
          reminderDateTime: { dateTime: '2026-12-01T08:00:00.0000000', timeZone: 'UTC' },
          checklistItems: [
            { id: 'c', displayName: 'Step', isChecked: true, checkedDateTime: '2026-01-03T00:00:00Z' },
          ],
          hasAttachments: true,
        },
        {
          id: 'b',
          title: 'Done',
          importance: 'normal',
          status: 'completed',
          body: { content: '\r\n', contentType: 'text' },
          completedDateTime: { dateTime: '2026-02-03T00:00:00.0000000', timeZone: 'UTC' },
        },
      ],
    },
  ],
});

/** Google Tasks. */
export const google = JSON.stringify({
  kind: 'tasks#taskLists',
  items: [
    {
      kind: 'tasks#tasks',
      id: 'L',
      title: 'Chores',
      items: [
        {
          kind: 'tasks#task',
          id: 'c',
          title: 'Child',
          parent: 'p',
          position: '00000000000000000001',
          status: 'needsAction',
        },
        {
          kind: 'tasks#task',
          id: 'q',
          title: 'Second',
          position: '00000000000000000002',
          status: 'completed',
          completed: '2026-01-02T03:04:05.000Z',
        },
        {
          kind: 'tasks#task',
          id: 'p',
          title: 'First',
          notes: 'Words',
          position: '00000000000000000001',
          due: '2026-12-01T00:00:00.000Z',
          links: [{ link: 'https://a.example' }],
        },
        { kind: 'tasks#task', id: 'd', title: 'Gone', deleted: true },
      ],
    },
  ],
});

/** A table of Asana, with lines above it. */
export const asana = csv([
  ['Export of a project', 'https://a.example', ''],
  'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task,Effort'.split(
    ',',
  ),
  [
    '1',
    '2026-01-01',
    '',
    '',
    'Parent',
    'To do',
    'Ann',
    'a@b.example',
    '2026-11-30',
    '2026-12-01',
    'x,y',
    'Words',
    'Work,Other',
    '',
    '3',
  ],
  ['2', '2026-01-01', '2026-01-02', '', 'Child', '', '', '', '', '', '', '', '', 'Parent', ''],
  ['3', '2026-01-01', '', '', 'Plain', '(no section)', '', '', '', '', '', '', 'Work', '', ''],
]);

/** A board of Trello. */
export const trello = JSON.stringify({
  id: 'B',
  name: 'Board',
  desc: 'About',
  lists: [
    { id: 'l2', name: 'Later', pos: 2 },
    { id: 'l1', name: 'Now', pos: 1 },
    { id: 'l3', name: 'Old', pos: 3, closed: true },
  ],
  cards: [
    {
      id: '5f0000000000000000000001',
      idList: 'l1',
      name: 'Card',
      desc: 'Words',
      pos: 2,
      due: '2026-12-01T09:00:00.000Z',
      dueReminder: 60,
      labels: [{ name: '', color: 'red' }],
      idMembers: ['m'],
      attachments: [{ name: 'a.pdf', url: 'https://a.example/a.pdf' }],
      customFieldItems: [{ idCustomField: 'f', value: { number: '3' } }],
    },
    { id: '5f0000000000000000000002', idList: 'l1', name: 'First', pos: 1, dueComplete: true },
    { id: '5f0000000000000000000003', idList: 'l1', name: 'Archived', pos: 3, closed: true },
    { id: '5f0000000000000000000004', idList: 'l3', name: 'In old', pos: 1 },
  ],
  checklists: [
    {
      id: 'k',
      idCard: '5f0000000000000000000001',
      name: 'Steps',
      checkItems: [{ id: 'i', name: 'Step', state: 'complete', pos: 1 }],
    },
  ],
  members: [{ id: 'm', fullName: 'Ann' }],
  customFields: [{ id: 'f', name: 'Effort' }],
  actions: [
    {
      type: 'commentCard',
      date: '2026-01-02T00:00:00Z',
      data: { text: 'Said', card: { id: '5f0000000000000000000001' } },
      memberCreator: { fullName: 'Ann' },
    },
  ],
});

/** Dynalist. */
export const dynalist = `<?xml version="1.0"?><opml version="2.0"><head><title>x</title><flavor>dynalist</flavor></head><body>
<outline text="Plan"><outline text="**Write** [text](https://a.example) !(2026-12-01 09:00 | 2w) #home" _note="Note" collapsed="true"/>
<outline text="!(2026-12-01) !(2026-12-02)" complete="true"/></outline></body></opml>`;

/** Workflowy. */
export const workflowy = `<?xml version="1.0"?><opml version="2.0"><head><ownerEmail>a@b.example</ownerEmail></head><body>
<outline text="Top &lt;b&gt;x&lt;/b&gt;" _note="n"><outline text="&lt;time startYear=&quot;2026&quot; startMonth=&quot;3&quot; startDay=&quot;7&quot;&gt;x&lt;/time&gt; y #tag" _complete="true" /></outline></body></opml>`;

/** Todoist. */
export const todoist = `\uFEFFTYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG
task,"Write [it](https://a.example) @home",Words,1,1,Ann (1),,every! 3 days,en,Europe/Berlin,30,minute,2026-12-05,en
note,"Said [[file {""file_name"":""a.pdf"",""file_url"":""https://a.example/a""}]]",,,,Ann (1),,2026-01-02T00:00:00Z,,,,,,
,,,,,,,,,,,,,
section,Later,,,,,,,,,,,,
task,Inner,,4,2,Bob (2),Bob (2),8. Jul,de,,,,,
`;

/** All of them by name. */
export const samples: Readonly<Record<string, string>> = {
  'Todoist.csv': todoist,
  'TickTick.csv': ticktick,
  'Calendar.ics': calendar,
  'OmniFocus.csv': omnifocus,
  'Launch.taskpaper': taskpaper,
  'Plan.org': org,
  'taskwarrior.json': taskwarrior,
  'Note.md': obsidian,
  'microsoft.json': microsoft,
  'google.json': google,
  'Asana.csv': asana,
  'trello.json': trello,
  'Dynalist.opml': dynalist,
  'Workflowy.opml': workflowy,
};
