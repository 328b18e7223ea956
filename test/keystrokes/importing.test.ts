// Importing files of other programs: the rehearsal, its options by keys, one undo, and importing again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { isTrashed, nameOf } from '#sync/rows/row-reading.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import { Desk, given } from './desk.ts';

/** What is there and not in the trash. */
const living = (desk: Desk) =>
  [...desk.replica.all()].flatMap((row) => (isTrashed(row) ? [] : [row.id])).toSorted();

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
  test('[FLOW-8] OPML is rehearsed first, then makes a list of its own, as one undo', async () => {
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
      asked.losses.map(({ what, instead }) => `${what} → ${instead}`).join('\n'),
      /dates? .*read.* → the notes/,
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

  test('[FLOW-8] several files are one import, and what is none is named', async () => {
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
    assert.equal(desk.everything(), before);
  });

  test('[FLOW-9] a picture that is dropped beside the tasks is no import: it goes to the task at the cursor', async () => {
    const desk = new Desk('');
    desk.app.openFiles(
      [given('a.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]))],
      'dropped',
    );
    await desk.until(() => desk.message !== '');
    assert.equal(desk.message, 'Files go on tasks. Select a task first.');
  });

  test('[FLOW-10] the clipboard is a file without a name', async () => {
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

  test('[FLOW-10] lists and options are turned off by keys, and the numbers follow', async () => {
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

  test('[FLOW-10] the top items of an outline can be lists', async () => {
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

  test('[FLOW-10] its report is saved as it is shown', async () => {
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

  test('[FLOW-11] Escape stops between two batches, and what came can be taken back', async () => {
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

  test('[FLOW-11] an import that goes on in the background says how far it is', async () => {
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
