// The lines of the next version, those of released ones, and their groups (changes.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupChanges, releasedVersions, unreleasedLines } from './changes.ts';

const CHANGES = `# Changelog

## Unreleased

### Added

- Search for dates.
- Import a file
  of two lines.

### Fixed

- As an operator, read the log.

## 1.0.0 (2026-11-01)

It begins
here.

### Added

- The first.

### Changed

- A second
  of two lines.

## 0.9.0

- Without a day.
`;

describe('what the next version brings', () => {
  test('is read line by line, and nothing of what is released', () => {
    assert.deepEqual(unreleasedLines(CHANGES), [
      'Search for dates.',
      'Import a file of two lines.',
      'As an operator, read the log.',
    ]);
    assert.deepEqual(unreleasedLines('# Changelog\n'), []);
  });

  test('is in groups, each line in one, the largest group first', () => {
    const lines = [...unreleasedLines(CHANGES), 'Attach several files.'];
    const groups = groupChanges(lines);
    assert.deepEqual(groups[0], {
      title: 'Import, export and files',
      lines: ['Import a file of two lines.', 'Attach several files.'],
    });
    assert.deepEqual(groups.flatMap((group) => group.lines).toSorted(), lines.toSorted());
  });
});

test('a released version has its day, its sentence and its lines by kind; what has no day is none', () => {
  assert.deepEqual(releasedVersions(CHANGES), [
    {
      version: '1.0.0',
      day: '2026-11-01',
      say: 'It begins here.',
      sections: [
        { title: 'New', lines: ['The first.'] },
        { title: 'Better', lines: ['A second of two lines.'] },
      ],
    },
  ]);
});
