// What clients and proxies write of tags, and what is none.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isHeld } from './etag.ts';

describe('tags of what a client holds', () => {
  test('count whole, weak, in a list, and as anything', () => {
    for (const header of ['"a-br"', 'W/"a-br"', '"x", W/"a-br"', '"x","a-br"', '*'])
      assert.equal(isHeld(header, '"a-br"'), true, header);
  });

  test('do not count when they are others, broken or missing', () => {
    for (const header of ['"a"', 'a-br', '"a-br', 'W/', '', ',', null, undefined])
      assert.equal(isHeld(header, '"a-br"'), false, String(header));
  });
});
