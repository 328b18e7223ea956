// Pasting, importing and exporting.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { fileKind } from '#core/formats/file-kind.ts';
import { importable } from '#client/transfer/transfer-commands.ts';
import { Desk } from './desk.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';

/** What is there and not in the trash. */
const living = (desk: Desk) =>
  [...desk.replica.all()].flatMap((row) => (isTrashed(row) ? [] : [row.id])).toSorted();

describe('pasting', () => {
  test('[FLOW-1] lines become tasks below the cursor, as one undo', () => {
    const desk = new Desk('> A\n  B');
    desk.app.pasted('One\n\tTwo\n\t\tThree\nFour');
    assert.equal(desk.screen(), '  A\n> One\n    Two\n      Three\n  Four\n  B');
    assert.equal(desk.message, 'Pasted 4 tasks.');
    assert.equal(desk.app.view.status.get().message?.undo, true);
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '> A\n  B');
  });

  test('[FLOW-1] from the clipboard, checkboxes and notes included', async () => {
    const desk = new Desk('> A');
    desk.clipboard = '- [x] One\n  some notes\n- [ ] Two';
    desk.press('Mod+Shift+V');
    await desk.settle();
    assert.equal(desk.screen(), '  A\n> One ✓\n  Two');
    assert.equal(desk.rows()[1]?.hasNotes, true);
    desk.clipboard = null;
    desk.press('Mod+Shift+V');
    await desk.settle();
    assert.match(desk.message, /Can’t read the clipboard/);
    desk.app.pasted('\n\n');
    assert.match(desk.message, /no text/);
  });
});

describe('importing and exporting', () => {
  test('[FLOW-3] a large text goes in by transactions, with pauses, and is one undo', async () => {
    const desk = new Desk('> A');
    desk.picked = {
      name: 'many.txt',
      text: Array.from({ length: 1_200 }, (_, index) => `Task ${index}`).join('\n'),
    };
    desk.app.run('file.import');
    await desk.settle();
    assert.deepEqual(desk.app.view.dialog.get(), {
      type: 'import',
      busy: true,
      progress: 500 / 1_200,
      problems: [],
    });
    assert.equal(desk.app.view.rows.count.get(), 501);
    desk.timers.advance(10);
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.app.view.rows.count.get(), 1_201);
    assert.equal(desk.message, 'Added 1200 tasks.');
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '> A');
  });

  test('[FLOW-7] files that the system opens with the app are asked about, then imported', async () => {
    const desk = new Desk('> A');
    const open = async (...files: { name: string; text: string }[]) => {
      desk.app.openFiles(files);
      await desk.settle();
      return desk.app.view.dialog.get();
    };
    const asked = await open({ name: 'plan.md', text: '- One\n  - Two' });
    assert.ok(asked?.type === 'confirm' && asked.text === 'Import ‘plan.md’?');
    assert.equal(desk.screen(), '> A');
    desk.app.closeDialog();
    assert.equal(desk.screen(), '> A');
    await open({ name: 'a.txt', text: 'Alpha' }, { name: 'b.txt', text: 'Beta' });
    desk.press('g x');
    desk.app.answer('confirm', { action: 'confirm' });
    assert.equal(desk.app.view.header.get().title, 'Inbox');
    assert.equal(desk.screen(), '  A\n  Alpha\n> Beta');
  });

  test('[FLOW-7] the installed app opens what can be imported', async () => {
    const path = new URL('../../src/web/public/manifest.webmanifest', import.meta.url);
    const { file_handlers: handlers } = JSON.parse(await readFile(path, 'utf8')) as {
      readonly file_handlers: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[];
    };
    const accepted = handlers.flatMap(({ accept }) =>
      Object.entries(accept).flatMap(([type, endings]) => [type, ...endings]),
    );
    assert.deepEqual(accepted.toSorted(), importable.toSorted());
  });

  test('[FLOW-8] OPML shows first what it would become, then makes a list of it, as one undo', async () => {
    const desk = new Desk('> A');
    const before = desk.everything();
    const here = living(desk);
    const body =
      '<outline text="Trip" _note="by train"><outline text="Book" _complete="true"/></outline><outline text="Home"/>';
    desk.picked = {
      name: 'Plans.opml',
      text: `<?xml version="1.0"?><opml version="2.0"><body>${body}</body></opml>`,
    };
    desk.app.run('file.import');
    await desk.settle();
    const asked = desk.app.view.dialog.get();
    assert.ok(asked?.type === 'importPreview');
    assert.deepEqual(asked.preview.lines, [
      'OPML: 3 tasks (1 completed, 1 with notes, 2 levels deep) in the new list ‘Plans’.',
      'Nothing is added yet. One undo removes all of it.',
    ]);
    assert.deepEqual(
      asked.preview.sample.map(({ title, level }) => `${level} ${title}`),
      ['1 Trip', '2 Book', '1 Home'],
    );
    assert.equal(desk.everything(), before);
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.everything(), before);
    desk.app.run('file.import');
    await desk.settle();
    desk.app.answer('importPreview', { action: 'import' });
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
    desk.app.openFiles([{ name: 'all.csv', text }]);
    await desk.settle();
    const asked = desk.app.view.dialog.get();
    assert.ok(asked?.type === 'importPreview');
    assert.deepEqual(asked.preview.lines, [
      'CSV: 4 tasks in the new lists ‘Garden’, ‘all’.',
      '2 labels, 1 of them new.',
      '2 dates couldn’t be read. They stay in the notes.',
      'Nothing is added yet. One undo removes all of it.',
    ]);
    desk.app.answer('importPreview', { action: 'import' });
    assert.equal(desk.app.view.header.get().title, 'Garden');
    const rows = [...desk.replica.all()];
    const named = (name: string) => registersOf(rows.find((row) => fieldOf(row, 'title') === name));
    assert.deepEqual([named('Sow').due, named('Sow').duration], [{ on: '2026-12-01' }, 45]);
    assert.equal(Object.keys(named('Sow')).filter((field) => field.startsWith('label:')).length, 2);
    assert.equal((named('Mow').repeat as { readonly unit: string }).unit, 'weeks');
    assert.deepEqual(named('Mow').due, { on: '2026-11-30' });
    assert.deepEqual(named('Call').due, { at: Date.UTC(2026, 11, 1, 10), zone: 'UTC' });
    assert.deepEqual(named('Call').start, { at: Date.UTC(2026, 10, 30, 9, 30), zone: 'UTC' });
    assert.equal(named('Call').duration, 90);
    assert.deepEqual(
      [named('Write').due, named('Write').notes],
      [undefined, 'Due: some day\nStart: some day'],
    );
    assert.equal(rows.filter(({ type }) => type === 'label').length, 2);
  });

  test('[FLOW-8] moments, zones, deadlines and the Inbox of other programs are kept', async () => {
    const desk = new Desk('> A');
    const lists = () => [...desk.replica.all()].filter(({ type }) => type === 'list').length;
    const before = lists();
    const now = desk.replica.now();
    const text = [
      'title,due,start,deadline,timezone,completed at,created at,repeat',
      'Year,15 Mar,,,,,,',
      'Dotted,1 Sep. 2033,,,,,,',
      'Zone,2026-12-01 10:00,,,America/New_York,,,',
      'Same,2026-12-01,2026-12-01,,,,,',
      'Both,2026-12-01,,2026-12-10,,,,',
      'Only,,,2026-12-10,,,,',
      'Over,every mon,,2026-12-10,,,,',
      'Done,,,,,2026-08-10T09:00:00Z,2026-08-01,',
      'Future,,,,,2099-01-01,2099-01-01,',
      'Weekly,2026-12-01,,,,,,every 2 weeks',
      'Odd,2026-12-01,,,,,,RRULE:FREQ=DAILY;COUNT=5',
    ].join('\n');
    const writtenAt = Date.UTC(2025, 10, 20);
    const note = 'It is not UTF-8.';
    desk.app.openFiles([{ name: 'Inbox [220474322].csv', text, writtenAt, note }]);
    await desk.settle();
    const asked = desk.app.view.dialog.get();
    assert.ok(asked?.type === 'importPreview');
    assert.deepEqual(asked.preview.lines, [
      'CSV: 11 tasks (2 completed) in the Inbox.',
      '2 dates couldn’t be read. They stay in the notes.',
      '1 task with a date and a deadline. The deadline becomes the due date, the date the start date.',
      note,
      'Nothing is added yet. One undo removes all of it.',
    ]);
    desk.app.answer('importPreview', { action: 'import' });
    assert.equal(lists(), before);
    const row = (name: string) => {
      const found = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === name);
      assert.ok(found, name);
      return found;
    };
    const fieldsOf = (name: string) => row(name).fields as Readonly<Record<string, unknown>>;
    const at = (local: string) => Date.parse(`${local}Z`);
    assert.deepEqual(fieldsOf('Year')['due'], { on: '2025-03-15' });
    assert.deepEqual(fieldsOf('Dotted')['due'], { on: '2033-09-01' });
    assert.deepEqual(fieldsOf('Zone')['due'], { at: at('2026-12-01T15:00'), zone: 'America/New_York' });
    assert.deepEqual([fieldsOf('Same')['due'], fieldsOf('Same')['start']], [{ on: '2026-12-01' }, undefined]);
    assert.deepEqual(
      [fieldsOf('Both')['due'], fieldsOf('Both')['start']],
      [{ on: '2026-12-10' }, { on: '2026-12-01' }],
    );
    assert.deepEqual(fieldsOf('Only')['due'], { on: '2026-12-10' });
    assert.equal(fieldsOf('Over')['notes'], 'Deadline: 2026-12-10');
    assert.deepEqual(fieldsOf('Done')['status'], { done: at('2026-08-10T09:00') });
    assert.equal(row('Done').createdAt, at('2026-08-01T12:00'));
    assert.deepEqual([fieldsOf('Future')['status'], row('Future').createdAt], [{ done: now }, now]);
    assert.equal((fieldsOf('Weekly')['repeat'] as { readonly value: number }).value, 2);
    assert.equal(fieldsOf('Odd')['notes'], 'Repeat: RRULE:FREQ=DAILY;COUNT=5');
  });

  test('[FLOW-8] todo.txt is read with its signs, and lists are named by their files', async () => {
    const desk = new Desk('> A');
    const text = [
      '(A) 2026-11-01 Call Ann +Family @phone due:2026-12-01 rec:+1w',
      'x 2026-08-10 2026-08-01 Pay rent pri:B',
      'Ask Not+Project about 12:30 http://example.org t:2026-12-02 size:big',
      '',
      'Child of nothing p:9',
    ].join('\n');
    desk.app.openFiles([{ name: 'todo.txt', text }]);
    await desk.settle();
    const asked = desk.app.view.dialog.get();
    assert.ok(asked?.type === 'importPreview');
    assert.match(asked.preview.lines[0] ?? '', /^todo\.txt: 4 tasks .*in the new lists ‘Family’, ‘todo’\.$/);
    desk.app.answer('importPreview', { action: 'import' });
    const rows = [...desk.replica.all()];
    const fieldsOf = (name: string) => registersOf(rows.find((row) => fieldOf(row, 'title') === name));
    assert.deepEqual(fieldsOf('Call Ann')['due'], { on: '2026-12-01' });
    assert.equal((fieldsOf('Call Ann')['repeat'] as { readonly from: string }).from, 'due date');
    assert.deepEqual(fieldsOf('Pay rent')['status'], { done: Date.UTC(2026, 7, 10, 12) });
    const ask = fieldsOf('Ask Not+Project about 12:30 http://example.org');
    assert.deepEqual([ask['start'], ask['notes']], [{ on: '2026-12-02' }, 'size:big']);
    assert.deepEqual(
      rows.flatMap(({ type, fields }) => (type === 'label' ? [String(fields.name)] : [])).toSorted(),
      ['Priority A', 'Priority B', 'phone'],
    );
    desk.app.openFiles([{ name: 'Garden [6Crg8jQ886Wh4P5g].csv', text: 'title\nSow' }]);
    await desk.settle();
    const next = desk.app.view.dialog.get();
    assert.ok(next?.type === 'importPreview');
    assert.match(next.preview.lines[0] ?? '', /in the new list ‘Garden’\.$/);
  });

  test('[FLOW-8] a todo.txt is known by its signs without any dates', () => {
    for (const text of ['x Pay rent\nCall Ann', 'Call Ann +Family', 'Call Ann @phone'])
      assert.equal(fileKind('todo.txt', text).type, 'todoTxt', text);
    for (const [name, text] of [
      ['todo.txt', 'Buy milk\nCall Ann'],
      ['ideas.txt', 'x Pay rent'],
    ] as const)
      assert.equal(fileKind(name, text).type, 'lines');
  });

  test('[FLOW-9] what cannot be read changes nothing and says why; several files are asked about in turn', async () => {
    const desk = new Desk('> A');
    const before = desk.everything();
    desk.app.openFiles([{ name: 'bad.opml', text: '<opml><body><outline text="&laugh;"/>' }]);
    await desk.settle();
    const failed = desk.app.view.dialog.get();
    assert.ok(failed?.type === 'import' && failed.problems[0]?.startsWith('bad.opml: '));
    desk.press('Escape');
    assert.equal(desk.everything(), before);
    desk.app.openFiles([
      { name: 'one.csv', text: 'title\nOne' },
      { name: 'two.opml', text: '<opml><body><outline text="Two"/></body></opml>' },
    ]);
    await desk.settle();
    desk.app.answer('confirm', { action: 'confirm' });
    for (const name of ['one.csv', 'two.opml']) {
      await desk.settle();
      const asked = desk.app.view.dialog.get();
      assert.ok(asked?.type === 'importPreview' && asked.preview.fileName === `‘${name}’`, name);
      desk.app.answer('importPreview', { action: 'import' });
    }
    assert.equal(desk.screen(), '> Two');
  });

  test('[FLOW-9] what is no text is named and makes nothing, by every way in', async () => {
    const desk = new Desk('> A');
    const before = desk.everything();
    const problem = 'is a ZIP archive, not text. Unpack it and import the files inside.';
    desk.picked = { name: 'backup.csv', problem };
    desk.app.run('file.import');
    await desk.settle();
    const failed = desk.app.view.dialog.get();
    assert.ok(failed?.type === 'import');
    assert.deepEqual(failed.problems, [`backup.csv ${problem}`]);
    desk.press('Escape');
    desk.app.openFiles([{ name: 'backup.txt', problem }]);
    await desk.settle();
    assert.equal(desk.app.view.dialog.get()?.type, 'import');
    desk.press('Escape');
    assert.equal(desk.everything(), before);
    desk.app.openFiles([
      { name: 'backup.txt', problem },
      { name: 'one.txt', text: 'One' },
    ]);
    await desk.settle();
    assert.equal(desk.message, `backup.txt ${problem}`);
    desk.app.answer('confirm', { action: 'confirm' });
    await desk.settle();
    assert.equal(desk.screen(), '  A\n> One');
  });

  test('[FLOW-3] [FLOW-9] 20,000 rows go in with pauses, and are one undo', async () => {
    const desk = new Desk('> A');
    const before = living(desk);
    const rows = Array.from({ length: 20_000 }, (_, at) => `Task ${at},=1+${at}`).join('\n');
    desk.picked = { name: 'many.csv', text: `title,notes\n${rows}` };
    desk.app.run('file.import');
    await desk.settle();
    desk.app.answer('importPreview', { action: 'import' });
    assert.equal(desk.app.view.dialog.get()?.type, 'import');
    desk.timers.advance(1_000);
    assert.equal(desk.message, 'Added 20000 tasks.');
    assert.equal(desk.app.view.rows.count.get(), 20_000);
    desk.app.run('edit.undo');
    desk.timers.advance(10_000);
    assert.deepEqual(living(desk), before);
  });

  test('[FLOW-2] a broken file changes nothing and lists its problems', async () => {
    const desk = new Desk('> A');
    const before = desk.everything();
    desk.picked = { name: 'broken.json', text: '{"format": "posthaste", "version": 1, "tasks": 5}' };
    desk.app.run('file.import');
    await desk.settle();
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'import' && dialog.problems.length > 0);
    assert.equal(desk.everything(), before);
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
  });

  test('[FLOW-4] an export of everything, imported on another device, is the same', async () => {
    const desk = new Desk('> Plan\n    Write ✓\n      Deep\n  Ship');
    desk.app.run('list.create', { name: 'Home' });
    desk.app.pasted('Paint\n\tWalls');
    desk.app.run('export.accountJson');
    await desk.settle();
    const [file] = desk.files;
    assert.equal(file?.name, 'Posthaste.json');
    const other = new Desk();
    other.picked = { name: 'Posthaste.json', text: file.text };
    other.app.run('file.import');
    await other.settle();
    assert.equal(other.screen(), '> Plan\n    Write ✓\n      Deep\n  Ship');
    const strip = (text: string) => text.replaceAll(/"createdAt":\d+/g, '');
    assert.equal(strip(other.everything()), strip(desk.everything()));
    other.press('Mod+Z');
    assert.equal(other.screen(), '');
  });

  test('[FLOW-4] imported where it came from, it is a second copy', async () => {
    const desk = new Desk('> Plan\n    Write');
    desk.app.run('list.create', { name: 'Home' });
    desk.app.pasted('Paint');
    desk.app.run('export.json');
    await desk.settle();
    desk.picked = { name: 'Home.json', text: desk.files[0]?.text ?? '' };
    desk.app.run('file.import');
    await desk.settle();
    assert.equal(desk.sidebar(), '  Inbox\n>*Home\n  Home');
  });

  test('[FLOW-4] a list, a task and everything as Markdown, and rows as text', async () => {
    const desk = new Desk('> Plan\n    Write ✓\n  Ship');
    desk.app.run('export.markdown');
    desk.app.run('export.taskMarkdown');
    desk.app.run('export.accountMarkdown');
    desk.app.run('export.taskJson');
    await desk.settle();
    assert.deepEqual(
      desk.files.map(({ name }) => name),
      ['Inbox.md', 'Plan.md', 'Posthaste.md', 'Plan.json'],
    );
    assert.match(desk.files[0]?.text ?? '', /- \[ \] Plan\n {2}- \[x\] Write\n- \[ \] Ship/);
    assert.equal(desk.files[1]?.text.includes('Ship'), false);
    desk.app.run('task.copyText');
    await desk.settle();
    assert.equal(desk.clipboard, '- Plan\n  - [x] Write');
    assert.equal(desk.message, 'Copied ‘Plan’.');
    desk.press('Down', 'Down', 'x');
    desk.app.pasted(desk.clipboard);
    assert.equal(desk.screen().split('\n').length, 5);
  });

  test('printing prints', () => {
    const desk = new Desk('> A');
    desk.app.run('application.print');
    assert.equal(desk.prints, 1);
    desk.app.run('application.sync');
    assert.equal(desk.engine.nudges, 1);
  });

  test('the app reloads only after what was typed is on disk', async () => {
    const desk = new Desk('> A');
    desk.press('Enter');
    desk.type('!');
    desk.app.run('application.reload');
    assert.equal(desk.reloads, 0);
    await desk.settle();
    assert.equal(desk.reloads, 1);
    assert.equal(desk.rows()[0]?.title, 'A!');
  });
});
