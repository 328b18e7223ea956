// The lines of the next version and their groups (changes.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupChanges, unreleasedLines } from './changes.ts';

const CHANGES = `# Changelog

## Unreleased

### Added

- Search for dates.
- Import a file
  of two lines.

### Fixed

- As an operator, read the log.

## 1.0.0

- The first.
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
