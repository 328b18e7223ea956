// Reading files of other programs, whatever they are.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesOf, problemOf, readTexts, say } from './files.ts';

describe('an import', () => {
  test('knows a format by its content and not by its name', async () => {
    assert.equal((await readTexts({ 'a.bin': 'title,due\nMilk,2026-12-01\n' })).kind, 'CSV');
    assert.equal(
      (await readTexts({ 'a.csv': '<opml><body><outline text="Milk"/></body></opml>' })).kind,
      'OPML',
    );
    assert.equal(
      (await readTexts({ a: '(A) Call +home due:2026-12-01\nx 2026-01-02 Done @x' })).kind,
      'todo.txt',
    );
    assert.equal((await readTexts({ 'a.md': '- [x] Milk\n  - Cold' })).kind, 'Text');
  });

  test('gives dates and a tree', async () => {
    const file = await readTexts({
      'Plan.csv': 'title,due,done,level\nMilk,2026-12-01,x,1\nCold,2026-12-01 09:30,,2',
    });
    assert.equal(
      say(file),
      ['Plan', '  x Milk | due 2026-12-01', '    Cold | due 2026-12-01 09:30'].join('\n'),
    );
  });

  test('refuses what it can’t read with a sentence', async () => {
    assert.equal(await problemOf('x.csv', new Uint8Array()), 'x.csv is empty.');
    assert.match(await problemOf('x.zip', bytesOf('PK\x03\x04 nothing')), /end is missing/);
    assert.match(await problemOf('x.csv', bytesOf('SQLite format 3\0')), /database/);
    assert.match(await problemOf('x.txt', bytesOf('a\0b')), /text/);
    assert.match(await problemOf('x.json', bytesOf('{"a": 1}')), /JSON/);
  });
});
