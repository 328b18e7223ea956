// Todoist's files: one test per trap of its formats.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { zipSync } from 'fflate';
import { bytesOf, readFiles, readTexts, report, say } from './files.ts';

const HEADER =
  'TYPE,CONTENT,DESCRIPTION,IS_COLLAPSED,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG';
const task = (content: string, cells: Readonly<Record<string, string>> = {}) => {
  const of = (name: string) => `"${(cells[name] ?? '').replaceAll('"', '""')}"`;
  const rest = 'DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG'.split(',').map(of);
  return [
    cells['TYPE'] ?? 'task',
    `"${content.replaceAll('"', '""')}"`,
    of('DESCRIPTION'),
    cells['IS_COLLAPSED'] ?? '',
    cells['PRIORITY'] ?? '4',
    cells['INDENT'] ?? '1',
    of('AUTHOR'),
    of('RESPONSIBLE'),
    ...rest,
  ].join(',');
};
const blank = ',,,,,,,,,,,,,,';
const csv = (...rows: readonly string[]) => `\uFEFF${[HEADER, ...rows].join('\r\n')}\r\n`;
const read = async (...rows: readonly string[]) => readTexts({ 'Work [220474322].csv': csv(...rows) });
const lines = async (...rows: readonly string[]) =>
  say(await read(...rows))
    .split('\n')
    .slice(1)
    .map((line) => line.slice(2));

describe('Todoist CSV', () => {
  test('takes the id of the project out of its name', async () => {
    const file = await read(task('Milk'));
    assert.equal(file.kind, 'Todoist CSV');
    assert.deepEqual(
      file.lists.map(({ id, name }) => [id, name]),
      [['todoist:project:220474322', 'Work']],
    );
    assert.equal((await readTexts({ 'Side [6Crg8jQ886Wh4P5g].csv': csv(task('a')) })).lists[0]?.name, 'Side');
    assert.ok((await readTexts({ 'Inbox [220474322].csv': csv(task('a')) })).lists[0]?.isInbox);
  });

  test('1 is the highest priority, 4 is none', async () => {
    assert.deepEqual(
      await lines(
        task('a', { PRIORITY: '1' }),
        task('b', { PRIORITY: '3' }),
        task('c'),
        task('d', { PRIORITY: '' }),
      ),
      ['a | priority p1', 'b | priority p3', 'c', 'd'],
    );
  });

  test('the indent makes the tree, however it jumps, and starts anew after a section', async () => {
    assert.deepEqual(
      await lines(
        task('deep', { INDENT: '3' }),
        blank,
        task('child', { INDENT: '4' }),
        task('top'),
        task('Section', { TYPE: 'section', DESCRIPTION: 'About it', IS_COLLAPSED: 'True' }),
        task('inside', { INDENT: '2' }),
        task('Empty', { TYPE: 'section' }),
      ),
      ['deep', '  child', 'top', '## Section | collapsed | “About it”', '  inside', '## Empty'],
    );
  });

  test('labels are taken from titles, addresses are not', async () => {
    assert.deepEqual(await lines(task('Call @30min me@home.org @/munich now @.day @отдых')), [
      'Call me@home.org now | @30min | @/munich | @.day | @отдых',
    ]);
  });

  test('titles lose their Markdown, and the addresses of links go to the notes', async () => {
    const file = await read(task('**Read** [the text](https://a.example/x_(1)) `now` 2*3*4'));
    assert.equal(say(file).split('\n')[1], '  Read the text now 2*3*4 | “https://a.example/x_(1)”');
  });

  test('what can’t be completed there is a task', async () => {
    const file = await read(task('* Only words'));
    assert.equal(say(file).split('\n')[1], '  Only words');
    assert.match(report(file), /1 item that can’t be completed there/);
  });

  test('dates are read in their language, and not guessed', async () => {
    const due = async (DATE: string, DATE_LANG: string, more = {}) =>
      (await lines(task('a', { DATE, DATE_LANG, ...more })))[0]?.replace('a | ', '');
    assert.equal(await due('15 Apr. 2033', 'en'), 'due 2033-04-15');
    assert.equal(await due('8. Jul 2027', 'de'), 'due 2027-07-08');
    assert.equal(await due('30 März 2027', 'de'), 'due 2027-03-30');
    assert.equal(await due('1 sept. 2033', 'fr'), 'due 2033-09-01');
    assert.equal(await due('12 de mayo de 2027', 'es'), 'due 2027-05-12');
    assert.equal(await due('7月8日', 'ja'), 'due 2026-07-08');
    assert.equal(
      await due('Oct 9 2026 10:00', 'en', { TIMEZONE: 'US/Central' }),
      'due 2026-10-09 10:00 US/Central',
    );
    assert.equal(await due('2026-07-19', 'en', { TIMEZONE: 'US/Central' }), 'due 2026-07-19');
    assert.equal(await due('morgen um 17 Uhr', 'de'), '“Due: morgen um 17 Uhr”');
    assert.equal(await due('jeden Montag', 'de'), '“Due: jeden Montag”');
    assert.equal(await due('31 Feb 2027', 'en'), '“Due: 31 Feb 2027”');
  });

  test('a day without a year is of the year in which the file was written', async () => {
    const written = { name: 'W.csv', bytes: bytesOf(csv(task('a', { DATE: '15 Mar', DATE_LANG: 'en' }))) };
    assert.equal(
      say(await readFiles([{ ...written, writtenAt: Date.UTC(2024, 5, 1) }])),
      'W\n  a | due 2024-03-15',
    );
    const zip = zipSync({ 'W.csv': written.bytes });
    const name = 'Todoist backup 2025-08-12 2248 UTC.zip';
    const backup = await readFiles([{ name, bytes: zip, writtenAt: Date.UTC(2026, 5, 1) }]);
    assert.equal(backup.kind, 'Todoist backup');
    assert.equal(say(backup), 'W\n  a | due 2025-03-15');
  });

  test('a repeat starts at the first date that it gives, and the report says so', async () => {
    const file = await read(
      task('a', { DATE: 'every! 3 days', DATE_LANG: 'en' }),
      task('b', { DATE: 'every mon, wed at 9am', DATE_LANG: 'en' }),
      task('c', { DATE: 'after 2 weeks', DATE_LANG: 'en' }),
      task('d', { DATE: 'every day until 3 May', DATE_LANG: 'en' }),
      task('e', { DATE: 'every day @ 13:00', DATE_LANG: 'en' }),
      task('f', { DATE: 'every month starting 31 Jan 2027', DATE_LANG: 'en' }),
    );
    assert.deepEqual(
      say(file)
        .split('\n')
        .slice(1)
        .map((line) => line.trim()),
      [
        'a | due 2026-11-22 | every 3 days from completion',
        'b | due 2026-11-23 09:00 | every 1 weeks ["Mon","Wed"]',
        'c | due 2026-11-22 | every 2 weeks from completion',
        'd | due 2026-11-22 | every 1 days | “Repeat: every day until 3 May”',
        'e | due 2026-11-22 13:00 | every 1 days',
        'f | due 2027-01-31 | every 1 months',
      ],
    );
    assert.match(report(file), /1 end of a repeat → the notes · every day until 3 May/);
    assert.match(report(file), /repeats? without their next date → a due date computed from today/);
  });

  test('a deadline is never dropped', async () => {
    assert.deepEqual(
      await lines(
        task('a', { DEADLINE: '2027-01-02', DEADLINE_LANG: 'en' }),
        task('b', { DATE: '2027-01-01', DEADLINE: '5 Jan 2027', DEADLINE_LANG: 'en' }),
        task('c', { DATE: 'every day', DATE_LANG: 'en', DEADLINE: '2027-01-02' }),
        task('d', { DATE: '2027-01-03', DEADLINE: '2027-01-02' }),
      ),
      [
        'a | due 2027-01-02',
        'b | due 2027-01-05 | start 2027-01-01',
        'c | due 2026-11-22 | every 1 days | “Deadline: 2027-01-02”',
        'd | due 2027-01-03 | “Deadline: 2027-01-02”',
      ],
    );
  });

  test('durations are minutes or days', async () => {
    assert.deepEqual(
      await lines(
        task('a', { DURATION: '45', DURATION_UNIT: 'minute' }),
        task('b', { DURATION: '2', DURATION_UNIT: 'day' }),
        task('c', { DURATION: '', DURATION_UNIT: 'None' }),
      ),
      ['a | 45 min', 'b | 2880 min', 'c'],
    );
  });

  test('comments go to the notes of what is above, with files as links', async () => {
    const file = await read(
      task('About the project', { TYPE: 'note', DATE: '2024-01-02T10:00:00.000000Z', AUTHOR: 'Ann (12)' }),
      task('a', { RESPONSIBLE: 'Bob (34)', DESCRIPTION: 'Words' }),
      task('Look [[file {"file_name":"a.pdf","file_url":"https://x.example/a.pdf","tn_s":["t"]}]]', {
        TYPE: 'note',
        DATE: '2024-01-03',
      }),
    );
    assert.equal(
      say(file),
      'Work | “2024-01-02, Ann: About the project”\n  a | “Words⏎⏎Assigned to Bob⏎⏎2024-01-03: Look [a.pdf](https://x.example/a.pdf)”',
    );
    assert.match(report(file), /2 comments \(note\) → the notes/);
    assert.match(report(file), /1 attachment \(file\) → the notes/);
  });

  test('rows and columns that are not known are counted', async () => {
    const file = await readTexts({
      'a.csv': 'TYPE;CONTENT;PRIORITY;INDENT;COLOR\ntask;a;4;1;red\nmeta;view_style=board;;;\nlink;b;4;1;\n',
    });
    assert.equal(say(file), 'a\n  a');
    assert.match(report(file), /1 row of an unknown type \(TYPE\) → left out · link: b/);
    assert.match(report(file), /1 value of an unknown column \(COLOR\) → left out · red/);
  });

  test('is not another program’s table', async () => {
    const file = await readTexts({ 'a.csv': 'type,content,priority,due_string\ntask,a,4,tomorrow\n' });
    assert.equal(file.kind, 'CSV');
  });
});

describe('Todoist JSON', () => {
  const account = {
    sync_token: 'x',
    projects: [
      { id: '1', name: 'Inbox', inbox_project: true, child_order: 0 },
      { id: '2', name: 'Home', child_order: 2, is_favorite: true, color: 'berry_red', view_style: 'list' },
      {
        id: '3',
        name: 'Garden',
        parent_id: '2',
        child_order: 0,
        is_archived: true,
        archived_at: '2026-01-02T00:00:00Z',
      },
      { id: '4', name: 'Gone', is_deleted: true },
    ],
    sections: [{ id: 's', project_id: '2', name: 'Later', section_order: 1, is_collapsed: true }],
    items: [
      { id: 'b', project_id: '2', parent_id: 'a', content: 'Child', child_order: -1, priority: 1 },
      {
        id: 'a',
        project_id: '2',
        content: 'Top',
        description: 'Words',
        child_order: 3,
        priority: 4,
        labels: ['x'],
        added_at: '2025-01-02T03:04:05.000000Z',
        due: { date: '2026-12-23T09:30:00', is_recurring: true, string: 'every! 2 weeks', lang: 'en' },
        deadline: { date: '2026-12-24', lang: 'en' },
        duration: { amount: 30, unit: 'minute' },
      },
      {
        id: 'c',
        project_id: '2',
        section_id: 's',
        content: 'In section',
        checked: 1,
        completed_at: '2026-02-03T04:05:06Z',
      },
      {
        id: 'd',
        project_id: '1',
        content: 'Zoned',
        due: { date: '2026-12-23T08:30:00Z', timezone: 'America/New_York' },
      },
      { id: 'e', project_id: '2', parent_id: 'zzz', content: 'Orphan', child_order: 9 },
      { id: 'f', project_id: '2', is_deleted: true, content: 'Tombstone' },
    ],
    labels: [{ id: '9', name: 'x', color: 'teal' }],
    notes: [
      { item_id: 'a', content: 'Second', posted_at: '2026-02-02T00:00:00Z' },
      {
        item_id: 'a',
        content: 'First',
        posted_at: '2026-02-01T00:00:00Z',
        file_attachment: { file_name: 'f.png', file_url: 'https://x.example/f' },
      },
    ],
    reminders: [
      { item_id: 'a', type: 'relative', minute_offset: 30 },
      { item_id: 'a', type: 'location', name: 'Home' },
    ],
  };
  const said = [
    'Inbox | inbox',
    '  Zoned | due 2026-12-23 03:30 America/New_York',
    'Home/Home | bookmarked',
    '  Top | created 2025-01-02T03:04 | due 2026-12-23 09:30 | every 2 weeks from completion | 30 min | priority p1 | @x | remind -30 | “Words⏎⏎2026-02-01: First [f.png](https://x.example/f)⏎⏎2026-02-02: Second⏎⏎Deadline: 2026-12-24”',
    '    Child',
    '  Orphan',
    '  ## Later | collapsed',
    '    x In section | done 2026-02-03T04:05',
    'Home/Garden | archived 2026-01-02T00:00',
  ];

  test('keeps the tree, moments, repeats, comments and reminders; 4 is the highest priority', async () => {
    const file = await readTexts({ 'a.json': JSON.stringify(account) });
    assert.equal(say(file), said.join('\n'));
    assert.ok(file.hasIds);
    assert.deepEqual(
      file.labels.map(({ name, color }) => [name, color]),
      [['x', '#148fad']],
    );
    assert.match(report(file), /2 deleted items → left out/);
    assert.match(report(file), /1 place \(reminders\) → left out · Top/);
    assert.match(
      report(file),
      /1 task whose parent isn’t in the file \(parent_id\) → the top level · Orphan/,
    );
  });

  test('reads pages of the API together', async () => {
    const page = (name: string, results: readonly unknown[]) => ({
      name,
      bytes: bytesOf(JSON.stringify({ results, next_cursor: null })),
    });
    const file = await readFiles([
      page('1.json', account.items),
      page(
        '2.json',
        account.projects.map((one) => ({ view_style: 'list', ...one })),
      ),
    ]);
    assert.equal(file.lists.length, 3);
  });

  test('circles of parents end', async () => {
    const items = ['a', 'b'].map((id) => ({
      id,
      project_id: '1',
      content: id,
      parent_id: id === 'a' ? 'b' : 'a',
    }));
    const file = await readTexts({ 'a.json': JSON.stringify({ items, projects: [] }) });
    assert.equal(file.lists[0]?.tasks.length, 1);
  });
});
