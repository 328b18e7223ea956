// Importing files of other programs: the rehearsal, its options by keys, one undo, and importing again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { Id } from '#core/ids.ts';
import { isTrashed, nameOf } from '#sync/rows/row-reading.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import { Desk, given } from './desk.ts';

/** What is there and not in the trash. */
const living = (desk: Desk) =>
  [...desk.replica.all()]
    .flatMap((row) =>
      isTrashed(row) || (row.type === 'setting' && fieldOf(row, 'value') === undefined) ? [] : [row.id],
    )
    .toSorted();

function rowOf(desk: Desk, name: string): Row {
  const found = [...desk.replica.all()].find((row) => nameOf(row) === name && !isTrashed(row));
  assert.ok(found, name);
  return found;
}

const fieldsOf = (desk: Desk, name: string) => registersOf(rowOf(desk, name));

/** Chooses files and waits for their rehearsal. */
function rehearse(desk: Desk, ...files: readonly (readonly [name: string, content: string, at?: number])[]) {
  desk.sources = files.map(([name, content, at]) => given(name, content, at));
  desk.app.run('file.import');
  return desk.rehearsed();
}

const importNow = (desk: Desk) => {
  desk.press('Enter');
  desk.timers.advance(5_000);
};

describe('an outline or a table', () => {
  test('[FLOW-8] [IMPORT-102] OPML is rehearsed first, then makes a list of its own, as one undo', async () => {
    const desk = new Desk('> A');
    const [before, here] = [desk.everything(), living(desk)];
    const body =
      '<outline text="Trip" _note="by train"><outline text="Book" _complete="true"/></outline><outline text="Home"/>';
    const file = [
      'Plans.opml',
      `<?xml version="1.0"?><opml version="2.0"><body>${body}</body></opml>`,
    ] as const;
    const asked = await rehearse(desk, file);
    assert.match(asked.lead, /· 3 tasks in 1 list$/);
    assert.equal(asked.action, 'Import 3 tasks');
    assert.deepEqual(
      asked.sample?.tasks.map(({ title, level, isDone }) => `${level} ${title}${isDone ? ' ✓' : ''}`),
      ['1 Trip', '2 Book ✓', '1 Home'],
    );
    assert.equal(desk.everything(), before);
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.everything(), before);
    await rehearse(desk, file);
    importNow(desk);
    assert.equal(desk.app.view.header.get().title, 'Plans');
    assert.equal(desk.screen(), '> Trip\n    Book ✓\n  Home');
    assert.equal(desk.message, 'Added 3 tasks.');
    desk.press('Mod+Z');
    assert.deepEqual(living(desk), here);
  });

  test('[FLOW-8] a table brings dates, repeats, lengths, labels and lists; what is not understood stays in the notes', async () => {
    const desk = new Desk('> A');
    desk.app.run('label.create', { name: 'Home' });
    const text = [
      'title,due,start,duration,tags,project',
      'Sow,2026-12-01,,45,"home, garden",Garden',
      'Mow,every monday,,,,Garden',
      'Call,2026-12-01T10:00:00Z,2026-11-30 09:30:00,1h30,,Garden',
      'Write,some day,some day,,HOME; Garden,',
    ].join('\n');
    const asked = await rehearse(desk, ['all.csv', text]);
    assert.match(asked.lead, /· 4 tasks in 2 lists$/);
    assert.deepEqual(
      asked.rows.map((row) => `${row.text} ${row.count} ${row.state}`),
      ['Garden 3 new', 'all 1 new'],
    );
    assert.match(
      asked.losses.map(({ what, instead }) => `${what}: ${instead}`).join('\n'),
      /^1 date that couldn’t be read \(Due\): Goes to the notes\.$/m,
    );
    importNow(desk);
    assert.equal(desk.app.view.header.get().title, 'Garden');
    const sow = fieldsOf(desk, 'Sow');
    assert.deepEqual([sow['due'], sow['duration']], [{ on: '2026-12-01' }, 45]);
    assert.equal(Object.keys(sow).filter((field) => field.startsWith('label:')).length, 2);
    assert.equal((fieldsOf(desk, 'Mow')['repeat'] as { readonly unit: string }).unit, 'weeks');
    assert.deepEqual(fieldsOf(desk, 'Mow')['due'], { on: '2026-11-30' });
    const call = fieldsOf(desk, 'Call');
    assert.equal((call['due'] as { readonly at: number }).at, Date.UTC(2026, 11, 1, 10));
    assert.equal(call['duration'], 90);
    const write = fieldsOf(desk, 'Write');
    assert.equal(write['due'], undefined);
    assert.match(String(write['notes']), /some day[\s\S]*some day/);
    const labels = [...desk.replica.all()].filter(({ type }) => type === 'label');
    assert.equal(labels.length, 2);
  });

  test('[FLOW-8] moments, deadlines and the Inbox of other programs are kept', async () => {
    const desk = new Desk('> A');
    const lists = () => [...desk.replica.all()].filter(({ type }) => type === 'list').length;
    const before = lists();
    const now = desk.replica.now();
    const text = [
      'title,due,start,deadline,timezone,completed at,created at,repeat',
      'Year,15 Mar,,,,,,',
      'Same,2026-12-01,2026-12-01,,,,,',
      'Both,2026-12-01,,2026-12-10,,,,',
      'Done,,,,,2026-08-10T09:00:00Z,2026-08-01,',
      'Future,,,,,2099-01-01,2099-01-01,',
      'Weekly,2026-12-01,,,,,,every 2 weeks',
    ].join('\n');
    const asked = await rehearse(desk, ['Inbox.csv', text, Date.UTC(2025, 10, 20)]);
    assert.deepEqual(asked.rows[0]?.text, 'Inbox');
    importNow(desk);
    assert.equal(lists(), before);
    assert.deepEqual(fieldsOf(desk, 'Year')['due'], { on: '2025-03-15' });
    const same = fieldsOf(desk, 'Same');
    assert.deepEqual([same['due'], same['start']], [{ on: '2026-12-01' }, undefined]);
    const both = fieldsOf(desk, 'Both');
    assert.deepEqual([both['due'], both['start']], [{ on: '2026-12-10' }, { on: '2026-12-01' }]);
    assert.deepEqual(fieldsOf(desk, 'Done')['status'], { done: Date.UTC(2026, 7, 10, 9) });
    assert.ok(rowOf(desk, 'Done').createdAt < Date.UTC(2026, 7, 2));
    assert.deepEqual(
      [fieldsOf(desk, 'Future')['status'], rowOf(desk, 'Future').createdAt],
      [{ done: now }, now],
    );
    assert.equal((fieldsOf(desk, 'Weekly')['repeat'] as { readonly value: number }).value, 2);
  });

  test('[IMPORT-101] several files are one import, and what is none is named', async () => {
    const desk = new Desk('> A');
    const here = living(desk);
    const asked = await rehearse(
      desk,
      ['one.csv', 'title\nOne'],
      ['two.opml', '<opml version="2.0"><body><outline text="Two"/></body></opml>'],
      ['plan.md', '- Three'],
    );
    assert.deepEqual(
      asked.rows.flatMap(({ kind, text }) => (kind === 'list' ? [text] : [])),
      ['one', 'two'],
    );
    assert.match(asked.notes.join(' '), /plan\.md/);
    importNow(desk);
    assert.ok(rowOf(desk, 'One') && rowOf(desk, 'Two'));
    desk.press('Mod+Z');
    assert.deepEqual(living(desk), here);
  });

  test('[FLOW-9] what cannot be read makes nothing and says why, by every way in', async () => {
    const desk = new Desk('> A');
    const before = desk.everything();
    const problemsOf = async () => {
      await desk.until(() => desk.app.view.dialog.get()?.type === 'import');
      const dialog = desk.app.view.dialog.get();
      assert.ok(dialog?.type === 'import');
      desk.press('Escape');
      return dialog.problems.join(' ');
    };
    desk.sources = [given('bad.opml', '<opml><body><outline text="&laugh;"/>')];
    desk.app.run('file.import');
    assert.match(await problemsOf(), /^bad\.opml/);
    const picture = given(
      'backup.csv',
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 0]),
    );
    desk.sources = [picture];
    desk.app.run('file.import');
    assert.match(await problemsOf(), /^backup\.csv is a PNG image/);
    desk.app.openFiles([picture]);
    assert.match(await problemsOf(), /^backup\.csv is a PNG image/);
    const gone = {
      name: 'gone.csv',
      size: 5,
      content: { arrayBuffer: () => Promise.reject(new Error('moved')) },
    };
    desk.app.openFiles([gone]);
    assert.match(await problemsOf(), /^gone\.csv couldn’t be read\. Choose it again\.$/);
    assert.equal(desk.everything(), before);
  });

  test('[IMPORT-101] a picture that is dropped beside the tasks is no import: it goes to the task at the cursor', async () => {
    const desk = new Desk('');
    desk.app.openFiles(
      [given('a.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]))],
      'dropped',
    );
    await desk.until(() => desk.message !== '');
    assert.equal(desk.message, 'Files go on tasks. Select a task first.');
    const many = Array.from({ length: 60 }, (_, at) =>
      given(`folder/${at}.png`, Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0])),
    );
    desk.app.openFiles(many, 'dropped');
    await desk.until(() => desk.app.view.dialog.get()?.type === 'import');
  });

  test('[IMPORT-101] the clipboard is a file without a name', async () => {
    const desk = new Desk('> A');
    desk.clipboard = 'title;due\nSow;2026-12-01';
    desk.app.run('file.importClipboard');
    const asked = await desk.rehearsed();
    assert.equal(asked.name, '‘Clipboard’');
    importNow(desk);
    assert.deepEqual(fieldsOf(desk, 'Sow')['due'], { on: '2026-12-01' });
    desk.clipboard = null;
    desk.app.run('file.importClipboard');
    await desk.settle();
    assert.match(desk.message, /^Can’t read the clipboard/);
  });
});

describe('the rehearsal', () => {
  const table = 'title,list,priority,done\nA1,Alpha,,\nA2,Alpha,,yes\nB1,Beta,,';

  test('[IMPORT-103] lists and options are turned off by keys, and the numbers follow', async () => {
    const desk = new Desk('> A');
    const first = await rehearse(desk, ['all.csv', table]);
    assert.deepEqual(
      first.rows.map(({ id, isOn }) => [id, isOn]),
      [
        ['list 0', true],
        ['list 1', true],
        ['hasCompleted', true],
      ],
    );
    desk.press('Down', 'Space');
    const second = await desk.rehearsed();
    assert.equal(second.action, 'Import 2 tasks');
    assert.equal(second.rows[1]?.state, 'left out');
    desk.press('End', 'Space');
    const third = await desk.rehearsed();
    assert.equal(third.action, 'Import 1 task');
    desk.press('Home');
    importNow(desk);
    const names = [...desk.replica.all()].map((row) => nameOf(row));
    assert.deepEqual(
      ['A1', 'A2', 'B1', 'Alpha', 'Beta'].filter((name) => names.includes(name)),
      ['A1', 'Alpha'],
    );
  });

  test('[IMPORT-103] the top items of an outline can be lists', async () => {
    const desk = new Desk('> A');
    const body = '<outline text="Trip"><outline text="Book"/></outline><outline text="Home"/>';
    await rehearse(desk, ['Plans.opml', `<opml version="2.0"><body>${body}</body></opml>`]);
    desk.press('End', 'Space');
    const asked = await desk.rehearsed();
    assert.deepEqual(
      asked.rows.flatMap(({ kind, text, count }) => (kind === 'list' ? [`${text} ${count}`] : [])),
      ['Trip 1', 'Plans 1'],
    );
    importNow(desk);
    assert.equal(rowOf(desk, 'Trip').type, 'list');
  });

  test('[IMPORT-102] its report is saved as it is shown', async () => {
    const desk = new Desk('> A');
    await rehearse(desk, ['all.csv', `${table}\nOdd,Beta,,maybe`]);
    desk.press('s');
    const [report] = desk.files;
    assert.equal(report?.name, 'Import report.md');
    assert.match(
      report.text,
      /# Import of ‘all\.csv’[\s\S]*4 new tasks[\s\S]*- Alpha: 2 tasks[\s\S]*“?maybe/,
    );
  });

  test('[FLOW-3] 5,000 rows go in with pauses, and are one undo', async () => {
    const desk = new Desk('> A');
    const before = living(desk);
    const rows = Array.from({ length: 5_000 }, (_, at) => `Task ${at},=1+${at}`).join('\n');
    await rehearse(desk, ['many.csv', `title,notes\n${rows}`]);
    desk.press('Enter');
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'rehearsal' && dialog.rehearsal.step === 'importing');
    desk.timers.advance(5_000);
    assert.equal(desk.message, 'Added 5,000 tasks.');
    assert.equal(desk.app.view.rows.count.get(), 5_000);
    desk.app.run('edit.undo');
    desk.timers.advance(10_000);
    assert.deepEqual(living(desk), before);
  });

  test('[IMPORT-104] Escape stops between two batches, and what came can be taken back', async () => {
    const desk = new Desk('> A');
    const before = living(desk);
    const rows = Array.from({ length: 1_000 }, (_, at) => `Task ${at}`).join('\n');
    await rehearse(desk, ['many.csv', `title\n${rows}`]);
    desk.press('Enter');
    desk.press('Escape');
    desk.timers.advance(5_000);
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'rehearsal' && dialog.rehearsal.step === 'stopped');
    assert.ok(dialog.rehearsal.progress > 0 && dialog.rehearsal.progress < 1);
    assert.ok(living(desk).length > before.length);
    desk.app.answer('rehearsal', { action: 'takeBack' });
    desk.timers.advance(5_000);
    assert.equal(desk.app.view.dialog.get(), null);
    assert.deepEqual(living(desk), before);
  });

  test('[IMPORT-104] an import that goes on in the background says how far it is', async () => {
    const desk = new Desk('> A');
    const rows = Array.from({ length: 1_000 }, (_, at) => `Task ${at}`).join('\n');
    await rehearse(desk, ['many.csv', `title\n${rows}`]);
    desk.press('Enter');
    desk.app.closeDialog();
    assert.equal(desk.app.view.dialog.get(), null);
    desk.timers.advance(5_000);
    assert.equal(desk.message, 'Added 1,000 tasks.');
  });
});

/** A backup as Todoist's API gives it: with ids. */
function backup(
  titles: Readonly<Record<string, string>>,
  more: Readonly<Record<string, object>> = {},
): string {
  return JSON.stringify({
    projects: [
      { id: 'p1', name: 'House', child_order: 1 },
      { id: 'p2', name: 'Paint', parent_id: 'p1', child_order: 2 },
    ],
    sections: [],
    labels: [{ id: 'l1', name: 'errand' }],
    items: Object.entries(titles).map(([id, content], at) => ({
      id,
      content,
      project_id: 'p2',
      child_order: at,
      priority: 4 - (at % 4),
      labels: ['errand'],
      checked: false,
      due: { date: '2026-12-01', string: 'Dec 1', lang: 'en', is_recurring: false },
      ...more[id],
    })),
    notes: [],
  });
}

describe('importing again', () => {
  const first = { a: 'Sand', b: 'Prime', c: 'Coat' };
  const open = (desk: Desk) =>
    [...desk.replica.all()]
      .filter((row) => row.type === 'task' && !isTrashed(row))
      .map((row) => nameOf(row))
      .toSorted();

  test('[IMPORT-105] [IMPORT-108] the same file makes nothing more; priorities are one exclusive group', async () => {
    const desk = new Desk('');
    await rehearse(desk, ['todoist.json', backup(first)]);
    importNow(desk);
    const after = desk.everything();
    const groups = [...desk.replica.all()].filter(({ type }) => type === 'labelGroup');
    assert.deepEqual(
      groups.map((row) => [nameOf(row), registersOf(row)['exclusive']]),
      [['Priority', true]],
    );
    assert.equal(Object.keys(fieldsOf(desk, 'Sand')).filter((name) => name.startsWith('label:')).length, 2);
    const again = await rehearse(desk, ['todoist.json', backup(first)]);
    assert.deepEqual([again.action, again.tiles.find(({ text }) => text === 'already here')?.value], ['', 3]);
    desk.press('Enter');
    assert.equal(desk.app.view.dialog.get()?.type, 'rehearsal', 'there is nothing to do');
    assert.equal(desk.everything(), after);
  });

  test('[IMPORT-105] a newer file updates what was changed there, and leaves what was changed here', async () => {
    const desk = new Desk('');
    await rehearse(desk, ['todoist.json', backup(first)]);
    importNow(desk);
    desk.replica.issue([
      { a: 'set', id: rowOf(desk, 'Prime').id, field: 'title', value: 'Prime twice' },
      { a: 'set', id: rowOf(desk, 'Coat').id, field: 'notes', value: 'My own' },
    ]);
    const newer = backup(
      { a: 'Sand well', b: 'Prime all', c: 'Coat', d: 'Dry' },
      { c: { due: { date: '2026-12-24', string: 'Dec 24', lang: 'en', is_recurring: false } } },
    );
    const asked = await rehearse(desk, ['todoist.json', newer]);
    assert.match(
      asked.notes.join(' '),
      /“Prime twice” was changed here since the last import, so its title stays/,
    );
    importNow(desk);
    assert.equal(desk.message, 'Added 1 task. Updated 2 tasks. Left 1 task as changed here.');
    assert.deepEqual(open(desk), ['Coat', 'Dry', 'Prime twice', 'Sand well']);
    const coat = fieldsOf(desk, 'Coat');
    assert.deepEqual([coat['due'], coat['notes']], [{ on: '2026-12-24' }, 'My own']);
    desk.press('Mod+Z');
    assert.deepEqual(open(desk), ['Coat', 'Prime twice', 'Sand']);
  });

  test('[IMPORT-106] what was deleted here stays in the trash unless it is asked for', async () => {
    const desk = new Desk('');
    await rehearse(desk, ['todoist.json', backup(first)]);
    importNow(desk);
    desk.replica.issue([{ a: 'delete', id: rowOf(desk, 'Sand').id }]);
    const asked = await rehearse(desk, ['todoist.json', backup(first)]);
    assert.equal(asked.action, '');
    desk.press('End', 'Space');
    const restoring = await desk.rehearsed();
    assert.equal(restoring.rows.at(-1)?.isOn, true);
    importNow(desk);
    assert.equal(desk.message, 'Restored 1 task.');
    assert.deepEqual(open(desk), ['Coat', 'Prime', 'Sand']);
  });

  test('[IMPORT-104] [IMPORT-106] an import is undone tomorrow too, and comes again whole after that', async () => {
    const desk = new Desk('');
    const before = living(desk);
    await rehearse(desk, ['todoist.json', backup(first)]);
    importNow(desk);
    desk.timers.advance(26 * 60 * 60 * 1_000);
    desk.press('Mod+Z');
    assert.deepEqual(living(desk), before);
    await rehearse(desk, ['todoist.json', backup(first)]);
    importNow(desk);
    assert.deepEqual(open(desk), ['Coat', 'Prime', 'Sand']);
  });
});

describe('options of the rehearsal', () => {
  const someday = { labels: ['someday'] };

  test('[IMPORT-103] [IMPORT-108] priorities can be left out, and what is for someday can be a list', async () => {
    const desk = new Desk('');
    const first = await rehearse(desk, ['todoist.json', backup({ a: 'Sand', b: 'Prime' }, { b: someday })]);
    const options = first.rows.filter(({ kind }) => kind === 'option').map(({ id, isOn }) => [id, isOn]);
    assert.deepEqual(options, [
      ['hasPriorities', true],
      ['somedayIsList', false],
    ]);
    desk.press('End', 'Space');
    const second = await desk.rehearsed();
    assert.deepEqual(
      second.rows.filter(({ kind }) => kind === 'list').map(({ text, count }) => `${text} ${count}`),
      ['Paint 1', 'Someday 1'],
    );
    desk.press('Up', 'Space');
    await desk.rehearsed();
    importNow(desk);
    const rows = [...desk.replica.all()];
    assert.equal(
      rows.some((row) => nameOf(row) === 'Priority'),
      false,
    );
    assert.equal(
      nameOf(desk.replica.row((fieldsOf(desk, 'Prime')['place'] as { parent: Id }).parent)),
      'Someday',
    );
    assert.equal(
      rows.some((row) => row.type === 'label' && nameOf(row) === 'someday'),
      false,
    );
  });

  test('[IMPORT-102] [IMPORT-105] folders of projects are made once, and completed tasks keep their day', async () => {
    const desk = new Desk('');
    const done = { checked: true, completed_at: '2026-03-01T10:00:00Z', added_at: '2026-01-01T10:00:00Z' };
    const file = ['todoist.json', backup({ a: 'Sand', b: 'Prime' }, { a: done })] as const;
    const asked = await rehearse(desk, file);
    assert.equal(asked.rows[0]?.hint, 'in House');
    importNow(desk);
    assert.deepEqual(fieldsOf(desk, 'Sand')['status'], { done: Date.UTC(2026, 2, 1, 10) });
    assert.equal(rowOf(desk, 'Sand').createdAt, Date.UTC(2026, 0, 1, 10));
    desk.replica.issue([{ a: 'delete', id: rowOf(desk, 'Prime').id }]);
    await rehearse(desk, file);
    desk.press('Escape');
    const folders = [...desk.replica.all()].filter((row) => nameOf(row) === 'House');
    assert.equal(folders.length, 1);
  });
});
