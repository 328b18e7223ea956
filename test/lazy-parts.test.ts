// No part of the app is loaded by a command on its own: then what is pressed meanwhile would be lost (client/loading/input-queue.ts).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { filesUnder, ROOT } from '../scripts/files.ts';
import { lazyParts } from '#client/loading/lazy-parts.ts';
import { staticImportsOf } from './sources.ts';

const sources = filesUnder('src/client')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

/** Loaded beside what a person does, or before anything is pressed: whoever goes without says so there. */
const BESIDE: Readonly<Record<string, string>> = {
  'src/client/loading/rest.ts': 'what the input queue itself waits for',
  'src/client/dialogs/answers.ts': 'words of news',
  'src/client/app/create-app.ts': 'links and files that the system hands over',
  'src/client/search/searching.ts': 'comes with the commands that search',
  'src/client/text/notes-editor.ts': 'notes are plain text until it is here',
  'src/client/public-links/sealed-visit.ts':
    'no part of the app: the page of a public link merges notes by it',
  'src/client/sync-status/detaching.ts':
    'behind a lazy part of its own, while its dialog says that it is busy',
};

describe('what is loaded later', () => {
  it('[KEY-48] is a lazy part, and every lazy part is in the list', () => {
    const known = new Set(lazyParts.map(({ name }) => name));
    const written = sources.flatMap(({ text }) =>
      [...text.matchAll(/\blazyPart\(\s*'([^']+)'/g)].map(([, name = '']) => name),
    );
    assert.ok(written.length > 20);
    assert.deepEqual(written.toSorted(), [...known].toSorted());
    assert.equal(lazyParts.length, known.size, 'each has a name of its own');
  });

  it('[KEY-48] is loaded by nobody else', () => {
    const loading = sources.flatMap(({ file, text }) => {
      const withoutThem = text.replaceAll(/\blazyPart\([\s\S]*?\n?\);\n/g, '');
      return /[^#\w]import\(/.test(withoutThem) && !(file in BESIDE) ? [file] : [];
    });
    assert.deepEqual(loading, []);
  });

  it('[KEY-48] is waited for in one place', () => {
    const waiting = sources.flatMap(({ file, text }) =>
      /\.load\(\)\s*\.then\([\s\S]{0,300}\.say\(/.test(text) ? [file] : [],
    );
    // The search line and the palette take what is typed meanwhile themselves.
    assert.deepEqual(waiting, ['src/client/palette/ask-step.ts', 'src/client/search/finding.ts']);
  });
});

/** Tables that every new field, operator or format adds to. */
const GROWING = [
  'src/core/task-fields.ts',
  'src/core/search/operators.ts',
  'src/core/formats/import/formats.ts',
];

/** How a file comes to be loaded with the page, from the page's script on; types are left out. */
function waysFrom(entry: string): ReadonlyMap<string, readonly string[]> {
  const ways = new Map<string, readonly string[]>([[entry, [entry]]]);
  for (const [file, way] of ways) {
    const code = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^(?:import|export) type [^;]*;/gm, '');
    for (const name of staticImportsOf(code)) {
      const to = name.startsWith('#') ? `src/${name.slice(1)}` : posix.join(posix.dirname(file), name);
      if (/^src\/.*\.tsx?$/.test(to) && !ways.has(to)) ways.set(to, [...way, to]);
    }
  }
  return ways;
}

describe('the first load', () => {
  it('holds no table that grows with the app', () => {
    const ways = waysFrom('src/web/main.tsx');
    assert.ok(ways.size > 100, `${ways.size} files`);
    for (const table of GROWING)
      assert.equal(ways.get(table)?.join(' → '), undefined, 'load one of these later');
  });
});
