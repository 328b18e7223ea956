// What may come back from a script, and what is said of anything else.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { notAnObject, readReturned } from './returned.ts';

const said = (members: Parameters<typeof readReturned>[0]): string => {
  const read = readReturned(members);
  return read.ok ? 'fine' : read.problem.message;
};
const text = (name: string, value = 'x') => ({ name, value: { text: value } });

describe('what a script returned', () => {
  test('[MACRO-103] texts by name, in an object that has nothing else', () => {
    const read = readReturned([text('a'), text('__proto__', 'p'), text('constructor', 'c')]);
    assert.ok(read.ok);
    assert.equal(Object.getPrototypeOf(read.value), null);
    assert.deepEqual(Object.entries(read.value), [
      ['a', 'x'],
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ]);
  });

  test('[MACRO-103] as many and as long as they may be', () => {
    const many = Array.from({ length: 200 }, (_, at) => text(`v${at}`, 'x'.repeat(10_000)));
    assert.equal(said(many), 'fine');
    assert.equal(said([...many, text('more')]), 'updateVariables returned 201 variables. It may return 200.');
    assert.equal(
      said([text('a', 'x'.repeat(10_001))]),
      '`a` has 10,001 characters. A variable may have 10,000.',
    );
  });

  test('[MACRO-104] a name that no variable can have is named, in letters that can be read', () => {
    for (const name of ['', '1a', 'a b', 'ä', 'a\n', 'x'.repeat(65), '<b>'])
      assert.match(said([text(name)]), /can’t be the name of a variable/, name);
    for (const name of ['_', 'a-1', 'x'.repeat(64)]) assert.equal(said([text(name)]), 'fine', name);
    assert.match(said([text('a`\0\u202E\uD800b')]), /^`a\uFFFD\uFFFD\uFFFD\uFFFDb` can’t/);
  });

  test('[MACRO-104] a value that is no text is named, with what it is', () => {
    const kind = (of: string) => said([{ name: 'count', value: { kind: of } }]);
    assert.equal(kind('number'), 'updateVariables must return text only: `count` is a number.');
    assert.equal(kind('object'), 'updateVariables must return text only: `count` is an object.');
    assert.equal(kind('null'), 'updateVariables must return text only: `count` is null.');
  });

  test('[MACRO-104] an answer that has no names is explained', () => {
    assert.match(notAnObject('promise').message, /returned a promise\. A script can’t wait/);
    assert.match(notAnObject('undefined').message, /returned nothing/);
    assert.match(notAnObject('array').message, /It returned an array\.$/);
  });
});
