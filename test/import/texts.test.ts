// What holds for the texts of every format: encodings, limits, line ends, several files.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limits } from '#core/model.ts';
import { bytesOf, readFiles, readTexts, report, say } from './files.ts';

describe('texts', () => {
  test('UTF-16 and Windows-1252 are read, and the second is said', async () => {
    const text = 'title,due\r\nÄrger,2026-12-01\r\n';
    const utf16 = new Uint8Array(2 + text.length * 2);
    utf16.set([0xff, 0xfe]);
    for (const [at, sign] of [...text].entries()) utf16.set([sign.charCodeAt(0), 0], 2 + at * 2);
    assert.equal(say(await readFiles([{ name: 'a.csv', bytes: utf16 }])), 'a\n  Ärger | due 2026-12-01');
    const latin = Uint8Array.from([...text].map((sign) => sign.charCodeAt(0)));
    const file = await readFiles([{ name: 'a.csv', bytes: latin }]);
    assert.equal(say(file), 'a\n  Ärger | due 2026-12-01');
    assert.match(report(file), /^a\.csv: .*Windows-1252/);
  });

  test('a title that is too long runs on in the notes', async () => {
    const title = 'x'.repeat(limits.titleCodePoints + 5);
    const { lists } = await readTexts({ 'a.csv': `title,due\n${title},2026-12-01` });
    const [task] = lists[0]?.tasks ?? [];
    assert.equal(task?.title.length, limits.titleCodePoints);
    assert.equal(task?.notes, 'xxxxx');
  });

  test('control characters and noncharacters are left out', async () => {
    const { lists } = await readTexts({ 'a.csv': 'title,due\nO\u0001n\u007Fe\uFFFE\uFFFF,2026-12-01' });
    assert.equal(lists[0]?.tasks[0]?.title, 'One');
  });

  test('a title of several lines keeps its first', async () => {
    assert.equal(
      say(await readTexts({ 'a.csv': 'title,notes\n"One\ntwo",Words' })),
      'a\n  One | “two⏎⏎Words”',
    );
  });

  test('notes that are too long are cut, and counted', async () => {
    const items = [{ id: '1', project_id: 'p', content: 'a', description: 'ä'.repeat(limits.notesBytes) }];
    const file = await readTexts({ 'a.json': JSON.stringify({ items, projects: [] }) });
    assert.equal(new TextEncoder().encode(file.lists[0]?.tasks[0]?.notes).length, limits.notesBytes);
    assert.match(report(file), /1 text that is too long → left out · a/);
  });

  test('a file that can’t be read beside others is named', async () => {
    const file = await readFiles([
      { name: 'a.csv', bytes: bytesOf('title,due\na,2026-12-01') },
      { name: 'b.png', bytes: bytesOf('\x89PNG\0\0') },
    ]);
    assert.equal(say(file), 'a\n  a | due 2026-12-01');
    assert.match(report(file), /b\.png /);
  });

  test('an Inbox is the Inbox in every language', async () => {
    const file = await readTexts({ 'Eingang.csv': 'title,due\na,2026-12-01' });
    assert.ok(file.lists[0]?.isInbox);
  });

  test('the same date twice is no start date', async () => {
    const file = await readTexts({
      'a.csv': 'title,start,due\na,2026-12-01,2026-12-01\nb,2026-11-30,2026-12-01',
    });
    assert.equal(say(file), 'a\n  a | due 2026-12-01\n  b | due 2026-12-01 | start 2026-11-30');
  });
});
