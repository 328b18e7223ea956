// Pasting, importing and exporting.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { formatOf } from '#core/formats/import/formats.ts';
import { Given } from '#core/formats/import/given.ts';
import { importable } from '#client/transfer/transfer-commands.ts';
import { Desk, given } from './desk.ts';

const formatNameOf = (name: string, text: string) =>
  formatOf(new Given({ name, bytes: new TextEncoder().encode(text) }))?.name;

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
    desk.sources = [
      given('many.txt', Array.from({ length: 1_200 }, (_, index) => `Task ${index}`).join('\n')),
    ];
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
      desk.app.openFiles(files.map(({ name, text }) => given(name, text)));
      await desk.until(() => desk.app.view.dialog.get() !== null);
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

  test('[FLOW-8] a todo.txt is known by its signs without any dates', () => {
    for (const text of ['x Pay rent\nCall Ann', 'Call Ann +Family', 'Call Ann @phone'])
      assert.equal(formatNameOf('todo.txt', text), 'todotxt', text);
    for (const [name, text] of [
      ['todo.txt', 'Buy milk\nCall Ann'],
      ['ideas.txt', 'x Pay rent'],
    ] as const)
      assert.equal(formatNameOf(name, text), 'text');
  });

  test('[FLOW-2] a broken file changes nothing and lists its problems', async () => {
    const desk = new Desk('> A');
    const before = desk.everything();
    desk.sources = [given('broken.json', '{"format": "posthaste", "version": 1, "tasks": 5}')];
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
    other.sources = [given('Posthaste.json', file.text)];
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
    desk.sources = [given('Home.json', desk.files[0]?.text ?? '')];
    desk.app.run('file.import');
    await desk.settle();
    assert.equal(desk.sidebar(), '  Inbox\n>*Home\n  Home');
  });

  test('[IMPORT-213] a list and everything in each format for other programs, by the palette', async () => {
    const desk = new Desk('> Plan\n    Write ✓\n  Ship');
    for (const format of ['CSV', 'OPML', 'calendar', 'Org', 'todo.txt']) {
      for (const what of ['this list', 'everything']) {
        desk.press('Mod+K');
        desk.type(`export ${what} ${format}`);
        desk.press('Enter');
        await desk.settle();
      }
    }
    const names = desk.files.map(({ name }) => name);
    const endings = ['csv', 'opml', 'ics', 'org', 'txt'];
    assert.deepEqual(
      names,
      endings.flatMap((ending) => [`Inbox.${ending}`, `Posthaste.${ending}`]),
    );
    for (const { name, text } of desk.files) {
      assert.match(text, /Plan/, name);
      assert.match(text, /Write/, name);
    }
    assert.equal(desk.message, 'Exported to Posthaste.txt.');
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

  test('syncing syncs', () => {
    const desk = new Desk('> A');
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
