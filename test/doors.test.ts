// No part of the app is loaded by a command on its own: then what is pressed meanwhile would be lost (client/held.ts).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { filesUnder, ROOT } from '../scripts/files.ts';
import { doors } from '#client/doors.ts';

const sources = filesUnder('src/client')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

/** Loaded beside what a person does, or before anything is pressed: whoever goes without says so there. */
const BESIDE: Readonly<Record<string, string>> = {
  'src/client/later.ts': 'what Held itself waits for',
  'src/client/ledger.ts': 'words of news',
  'src/client/create-app.ts': 'links and files that the system hands over',
  'src/client/notes-editor.ts': 'notes are plain text until it is here',
  'src/client/detaching.ts': 'behind its own door, while its dialog says that it is busy',
};

describe('what is loaded later', () => {
  it('[KEY-48] is behind a door, and every door is in the list', () => {
    const known = new Set(doors.map(({ name }) => name));
    const written = sources.flatMap(({ text }) =>
      [...text.matchAll(/\bdoor\(\s*'([^']+)'/g)].map(([, name = '']) => name),
    );
    assert.ok(written.length > 20);
    assert.deepEqual(written.toSorted(), [...known].toSorted());
    assert.equal(doors.length, known.size, 'each has a name of its own');
  });

  it('[KEY-48] is loaded by nobody else', () => {
    const loading = sources.flatMap(({ file, text }) => {
      const withoutDoors = text.replaceAll(/\bdoor\([\s\S]*?\n?\);\n/g, '');
      return /[^#\w]import\(/.test(withoutDoors) && !(file in BESIDE) ? [file] : [];
    });
    assert.deepEqual(loading, []);
  });

  it('[KEY-48] is waited for in one place', () => {
    const waiting = sources.flatMap(({ file, text }) =>
      /\.load\(\)\s*\.then\([\s\S]{0,300}\.say\(/.test(text) ? [file] : [],
    );
    // The search line and the palette take what is typed meanwhile themselves.
    assert.deepEqual(waiting, ['src/client/finding.ts', 'src/client/palette/ask-step.ts']);
  });
});
