// A number with its noun.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { counted } from './counted.ts';

describe('a number with its noun', () => {
  test('is singular for one alone', () => {
    assert.equal(counted(0, 'change'), '0 changes');
    assert.equal(counted(1, 'change'), '1 change');
    assert.equal(counted(2, 'change'), '2 changes');
    assert.equal(counted(2, 'task or list', 'tasks or lists'), '2 tasks or lists');
  });
});
