// JSON of unknown origin.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isRecord, readJson, readRecord } from './json.ts';

describe('JSON of unknown origin', () => {
  test('is read where it is JSON, and else says nothing', () => {
    assert.deepEqual(readJson('[1, null]'), [1, null]);
    assert.equal(readJson('null'), null);
    for (const text of [null, '', '{', 'over']) assert.equal(readJson(text), undefined);
  });

  test('is an object only when it has names', () => {
    assert.deepEqual(readRecord('{"a": 1}'), { a: 1 });
    for (const text of [null, '', '[1]', 'null', '"a"', '{']) assert.deepEqual(readRecord(text), {});
    assert.ok(!isRecord([]) && !isRecord(null) && isRecord({}));
  });
});
