// Things' files: one test per trap of its formats.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { zipSync } from 'fflate';
import { readPlist } from '#core/formats/import/plist.ts';
import { readThingsRule } from '#core/formats/sources/things-values.ts';
import { readFiles, readTexts, report, say } from './files.ts';
import { packed, ports, rule, type Tables, thingsFiles, type Values } from './things-files.ts';

const task = (uuid: string, more: Values = {}): Values => ({
  uuid,
  title: uuid,
  type: 0,
  status: 0,
  trashed: 0,
  start: 1,
  ...more,
});
const read = (tables: Tables, isOld = false) =>
  readFiles([{ name: 'main.sqlite', bytes: thingsFiles(tables, { isOld }).main }], ports);
const lines = async (...tasks: readonly Values[]) =>
  say(await read({ TMTask: tasks }))
    .split('\n')
    .slice(1)
    .map((line) => line.slice(2));
const integer = (value: number) => `<integer>${value}</integer>`;
const of = (...entries: readonly string[]) =>
  `<array>${entries.map((entry) => `<dict>${entry}</dict>`).join('')}</array>`;
const key = (name: string, value: number) => `<key>${name}</key>${integer(value)}`;

describe('the database of Things', () => {
  test('areas, projects, headings, the Inbox and what is nowhere', async () => {
    const file = await read({
      TMArea: [
        { uuid: 'A2', title: 'Work', index: 5 },
        { uuid: 'A1', title: 'Home', index: -3 },
      ],
      TMTask: [
        task('P', { type: 1, area: 'A1', title: 'Garden', notes: 'Words', index: 1 }),
        task('H', { type: 2, project: 'P', title: 'Heading', index: 1 }),
        task('under', { heading: 'H', index: 1 }),
        task('first', { project: 'P', index: -10 }),
        task('area task', { area: 'A1', index: 2 }),
        task('loose', { index: 3 }),
        task('inbox', { start: 0, index: 4 }),
        task('done', { type: 1, status: 3, stopDate: 1767312000.5, title: 'Old' }),
      ],
    });
    assert.equal(
      say(file),
      [
        'Inbox | inbox',
        '  inbox',
        'Home/Home',
        '  area task',
        'Home/Garden | “Words”',
        '  first',
        '  ## Heading',
        '    under',
        'Old | archived 2026-01-02T00:00',
        'Things',
        '  loose',
      ].join('\n'),
    );
    assert.ok(file.hasIds);
  });

  test('dates of both generations, and their signs for none', async () => {
    const day = packed(2026, 12, 1);
    assert.deepEqual(
      await lines(
        task('a', { deadline: day, startDate: packed(2026, 11, 30), index: 1 }),
        task('b', { deadline: 69760, startDate: 262213760, index: 2 }),
        task('evening', { startDate: day, startBucket: 1, reminderTime: 840957952, index: 3 }),
        task('past evening', { startDate: packed(2026, 1, 2), startBucket: 1, index: 4 }),
        task('someday', { start: 2, index: 5 }),
        task('scheduled', { start: 2, startDate: day, index: 6 }),
      ),
      [
        'a | due 2026-12-01 | start 2026-11-30',
        'b',
        'evening | start 2026-12-01 18:00 | remind 2026-12-01 12:34',
        'past evening | start 2026-01-02',
        'someday | @someday',
        'scheduled | start 2026-12-01',
      ],
    );
    const utc = (text: string) => Date.parse(text) / 1_000;
    const old = await read(
      {
        TMTask: [
          task('a', {
            dueDate: utc('2018-12-01T00:00Z'),
            startDate: utc('2018-11-29T22:00Z'),
            alarmTimeOffset: 32_400,
            index: 1,
          }),
          task('b', {
            dueDate: -62_135_769_600,
            notes: '<note xml:space="preserve">a &lt;b&gt;\nc</note>',
            index: 2,
          }),
          task('H', { type: 2, project: 'P', title: 'Heading' }),
          task('P', { type: 1, title: 'Project' }),
          task('c', { actionGroup: 'H' }),
        ],
      },
      true,
    );
    assert.equal(
      say(old),
      [
        'Project',
        '  ## Heading',
        '    c',
        'Things',
        '  a | due 2018-12-01 | start 2018-11-29 | remind 2018-11-29 09:00',
        '  b | “a <b>⏎c”',
      ].join('\n'),
    );
  });

  test('completion moments, cancelled ones, checklists with empty lines', async () => {
    const file = await read({
      TMTask: [
        task('done', { status: 3, stopDate: 1767312000.5, creationDate: 1767225600, index: 1 }),
        task('cancelled', { status: 2, stopDate: 1767312000, index: 2 }),
      ],
      TMChecklistItem: [
        { uuid: 'c2', task: 'done', title: 'two', status: 3, stopDate: 1767312000, index: 2 },
        { uuid: 'c1', task: 'done', title: 'one', status: 0, index: 1 },
        { uuid: 'c3', task: 'done', title: '', status: 0, index: 3 },
      ],
    });
    assert.equal(
      say(file),
      [
        'Things',
        '  x done | done 2026-01-02T00:00 | created 2026-01-01T00:00',
        '    one',
        '    x two | done 2026-01-02T00:00',
        '  x cancelled | done 2026-01-02T00:00 | @cancelled',
      ].join('\n'),
    );
    assert.match(report(file), /1 empty item \(TMChecklistItem\) → left out/);
  });

  test('what is in a project in the trash is in the trash, too', async () => {
    const file = await read({
      TMTask: [
        task('P', { type: 1, trashed: 1 }),
        task('H', { type: 2, project: 'P' }),
        task('a', { heading: 'H' }),
        task('b', { project: 'P' }),
        task('c', { trashed: 1 }),
        task('kept'),
      ],
    });
    assert.equal(say(file), 'Things\n  kept');
    assert.match(report(file), /5 items in the trash \(trashed\) → left out/);
  });

  test('tags with tags below them are groups; circles end', async () => {
    const file = await read({
      TMTask: [task('a'), task('b')],
      TMTag: [
        { uuid: '1', title: 'Place', shortcut: 'p', index: 1 },
        { uuid: '2', title: 'Home', parent: '1', index: 2 },
        { uuid: '3', title: 'Kitchen', parent: '2', index: 3 },
        { uuid: '4', title: 'Loop', parent: '5', index: 4 },
        { uuid: '5', title: 'Pool', parent: '4', index: 5 },
      ],
      TMTaskTag: [
        { tasks: 'a', tags: '1' },
        { tasks: 'a', tags: '3' },
        { tasks: 'b', tags: '4' },
      ],
    });
    assert.deepEqual(
      file.labels.map(({ name, group, hotkey }) => [group, name, hotkey]),
      [
        [null, 'Place', 'p'],
        ['Place', 'Home', null],
        ['Place', 'Home / Kitchen', null],
        ['Pool', 'Loop', null],
        ['Loop', 'Pool', null],
      ],
    );
    assert.equal(file.lists[0]?.tasks[0]?.labels.length, 2);
  });

  test('a repeating to-do is one task: its instance with the rule of its template', async () => {
    const weekly = rule({
      tp: integer(0),
      fu: integer(256),
      fa: integer(2),
      of: of(key('wd', 1), key('wd', 4)),
    });
    const file = await read({
      TMTask: [
        task('T1', { start: 2, rt1_recurrenceRule: weekly, index: 1 }),
        task('open', { rt1_repeatingTemplate: 'T1', startDate: packed(2026, 11, 30), index: 2 }),
        task('closed', { rt1_repeatingTemplate: 'T1', status: 3, stopDate: 1767312000, index: 3 }),
        task('T2', {
          start: 2,
          rt1_recurrenceRule: weekly,
          rt1_nextInstanceStartDate: packed(2026, 12, 7),
          index: 4,
        }),
        task('T3', {
          start: 2,
          deadline: 262213760,
          rt1_recurrenceRule: rule({
            tp: integer(1),
            fu: integer(8),
            fa: integer(1),
            of: of(key('dy', 17)),
            ts: integer(-3),
          }),
          rt1_nextInstanceStartDate: packed(2026, 12, 15),
          index: 5,
        }),
        task('T4', { start: 2, rt1_recurrenceRule: weekly, rt1_instanceCreationPaused: 1, index: 6 }),
        task('T5', {
          start: 2,
          rt1_recurrenceRule: rule({ fu: integer(99), fa: integer(1) }),
          rt1_nextInstanceStartDate: packed(2027, 1, 1),
          index: 7,
        }),
      ],
    });
    assert.equal(
      say(file),
      [
        'Things',
        '  open | start 2026-11-30 | every 2 weeks ["Mon","Thu"]',
        '  x closed | done 2026-01-02T00:00',
        '  T2 | start 2026-12-07 | every 2 weeks ["Mon","Thu"]',
        '  T3 | due 2026-12-18 | start 2026-12-15 | every 1 months [18] from completion',
        '  T4 | “Repeat (paused): every 2 weeks [{"wd":1},{"wd":4}]”',
        '  T5 | start 2027-01-01 | “Repeat: every 1 unknown unit []”',
      ].join('\n'),
    );
  });

  test('rules: days and months count from zero, ends can’t be held', () => {
    const read = (fields: Readonly<Record<string, string>>) => readThingsRule(rule(fields));
    assert.deepEqual(read({ fu: integer(8), fa: integer(1), of: of(key('dy', -1)) })?.rule?.metadata, {
      monthDays: ['last day'],
    });
    const nth = read({ fu: integer(8), fa: integer(1), of: of(key('wd', 5) + key('wdo', -1)) })?.rule;
    assert.deepEqual([nth?.unit, nth?.value, nth?.metadata], ['nth-weekday', -1, { weekdays: ['Fri'] }]);
    assert.equal(read({ fu: integer(8), fa: integer(2), of: of(key('wd', 5) + key('wdo', 1)) })?.rule, null);
    assert.equal(
      read({ fu: integer(4), fa: integer(1), of: of(key('mo', 10) + key('dy', 29)) })?.rule?.unit,
      'years',
    );
    assert.equal(read({ fu: integer(16), fa: integer(1), rc: integer(5) })?.end, '5 times');
    assert.equal(
      read({ fu: integer(16), fa: integer(1), ed: '<real>1767225600</real>' })?.end,
      'until 2026-01-01',
    );
    assert.equal(readThingsRule('<plist><dict><key>fu'), null);
  });

  test('binary property lists are read, damaged ones refused', () => {
    // {"fa": 2}
    const bytes = [...'bplist00'].map((letter) => letter.charCodeAt(0));
    bytes.push(0xd1, 1, 2, 0x52, 0x66, 0x61, 0x10, 2, 8, 11, 14, 0, 0, 0, 0, 0, 0, 1, 1);
    for (const value of [3, 0, 16]) bytes.push(0, 0, 0, 0, 0, 0, 0, value);
    assert.deepEqual(readPlist(Uint8Array.from(bytes)), { fa: 2 });
    for (let cut = 9; cut < bytes.length; cut += 1) readPlist(Uint8Array.from(bytes.slice(0, cut)));
    const circle = Uint8Array.from(bytes);
    circle[10] = 0;
    assert.equal(readPlist(circle), null);
  });

  test('the log beside the database is read, dropped or in a zipped folder', async () => {
    const { main, log } = thingsFiles({ TMTask: [task('before')] }, { logged: { TMTask: [task('after')] } });
    assert.ok(log);
    const alone = await readFiles([{ name: 'main.sqlite', bytes: main }], ports);
    assert.equal(say(alone), 'Things\n  before');
    assert.match(report(alone), /last changes may be missing/);
    const both = await readFiles(
      [
        { name: 'main.sqlite', bytes: main },
        { name: 'main.sqlite-wal', bytes: log },
      ],
      ports,
    );
    assert.equal(say(both), 'Things\n  before\n  after');
    assert.equal(report(both), '');
    const folder = 'Things Database.thingsdatabase/';
    const zip = zipSync({
      [`${folder}main.sqlite`]: main,
      [`${folder}main.sqlite-wal`]: log,
      '__MACOSX/x': new Uint8Array(3),
    });
    assert.equal(
      say(await readFiles([{ name: 'Things.zip', bytes: zip }], ports)),
      'Things\n  before\n  after',
    );
    // A frame of another transaction at its end does not count.
    const torn = log.slice(0, -10);
    assert.equal(
      say(
        await readFiles(
          [
            { name: 'm', bytes: main },
            { name: 'm-wal', bytes: torn },
          ],
          ports,
        ),
      ),
      'Things\n  before',
    );
  });

  test('a view instead of a table is not asked, and a damaged database is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'things-'));
    try {
      const database = new DatabaseSync(join(folder, 'x'));
      const endless =
        'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS uuid FROM n';
      database.exec(`CREATE VIEW TMTask AS ${endless}`);
      database.close();
      const bytes = readFileSync(join(folder, 'x'));
      await assert.rejects(readFiles([{ name: 'x', bytes }], ports), /not of Things/);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const cut = thingsFiles({}).main.slice(0, 4_000);
    await assert.rejects(readFiles([{ name: 'x', bytes: cut }], ports), /damaged database/);
  });
});

describe('the JSON of Things', () => {
  test('headings are siblings, and a link is read', async () => {
    const items = [
      {
        type: 'project',
        attributes: {
          title: 'Trip',
          area: 'Family',
          tags: ['fun'],
          items: [
            { type: 'to-do', attributes: { title: 'Before' } },
            { type: 'heading', attributes: { title: 'Sights' } },
            {
              type: 'to-do',
              attributes: {
                title: 'Tower',
                when: '2026-12-24@19:00',
                deadline: '2026-12-31',
                tags: ['x'],
                'checklist-items': [
                  { type: 'checklist-item', attributes: { title: 'Tickets', completed: true } },
                ],
              },
            },
          ],
        },
      },
      {
        type: 'to-do',
        attributes: {
          title: 'Milk',
          when: 'someday',
          canceled: true,
          'completion-date': '2026-01-02T00:00:00Z',
        },
      },
    ];
    const said = [
      'Family/Trip | “tag: fun”',
      '  Before',
      '  ## Sights',
      '    Tower | due 2026-12-31 | start 2026-12-24 | @x | remind 2026-12-24 19:00',
      '      x Tickets',
      'Inbox | inbox',
      '  x Milk | done 2026-01-02T00:00 | @cancelled | @someday',
    ].join('\n');
    assert.equal(say(await readTexts({ 'a.json': JSON.stringify(items) })), said);
    const link = `things:///json?auth-token=x&data=${encodeURIComponent(JSON.stringify(items))}`;
    assert.equal(say(await readTexts({ 'a.txt': link })), said);
  });
});
