// Each format as a whole: what becomes of its sample (samples.ts), and its report. golden.txt was checked by hand against
// the facts of the formats; `RENEW=yes node --test test/import/sources.test.ts` writes it anew, to be checked again.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { formats } from '#core/formats/import/formats.ts';
import { readTexts, report, say } from './files.ts';
import { samples } from './samples.ts';

const path = new URL('golden.txt', import.meta.url);

describe('formats', () => {
  for (const [name, text] of Object.entries(samples))
    test(`${name} becomes what golden.txt says`, async () => {
      const file = await readTexts({ [name]: text });
      const said = `${file.kind}\n${say(file)}\n---\n${report(file)}\n`;
      const parts = new Map(
        readFileSync(path, 'utf8')
          .split(/^=== /m)
          .slice(1)
          .map((part): [string, string] => [
            part.slice(0, part.indexOf('\n')),
            part.slice(part.indexOf('\n') + 1),
          ]),
      );
      if (process.env['RENEW'] === 'yes') {
        parts.set(name, said);
        writeFileSync(path, [...parts].map(([key, value]) => `=== ${key}\n${value}`).join(''));
      }
      assert.equal(said, parts.get(name));
    });

  test('a sample is known whatever its name is', async () => {
    for (const text of Object.values(samples)) {
      const [one, other] = [await readTexts({ x: text }), await readTexts({ 'y.csv': text })];
      assert.equal(one.kind, other.kind);
    }
  });

  test('names and titles are unique, endings begin with a dot', () => {
    assert.equal(new Set(formats.map(({ name }) => name)).size, formats.length);
    assert.equal(new Set(formats.map(({ title }) => title)).size, formats.length);
    for (const { extensions } of formats) assert.ok(extensions.every((ending) => ending.startsWith('.')));
  });

  test('samples of several programs come together', async () => {
    const file = await readTexts({
      'a.csv': samples['Todoist.csv'] ?? '',
      'b.json': samples['trello.json'] ?? '',
    });
    assert.equal(file.kind, 'Todoist CSV and Trello');
    assert.equal(file.lists.length, 2);
  });

  test('the same file gives the same ids', async () => {
    for (const [name, text] of Object.entries(samples)) {
      const [one, other] = [await readTexts({ [name]: text }), await readTexts({ [name]: text })];
      assert.deepEqual(one, other);
    }
  });
});
