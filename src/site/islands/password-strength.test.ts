// The strength of a new password: its steps, and what they are called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strengthOf } from './password-strength.ts';

const levels = (...passwords: readonly string[]) => passwords.map((password) => strengthOf(password).level);

test('says nothing of nothing, and of what the server refuses for its length that it is too short', () => {
  assert.deepEqual(strengthOf(''), { level: 0, text: '' });
  assert.deepEqual(levels('violet', '1234567', '🙂🙂🙂🙂'), [1, 1, 1]);
  assert.match(strengthOf('violet').text, /^Too short/);
});

test('calls weak what repeats itself or counts on, however long it is', () => {
  for (const password of ['aaaaaaaaaaaaaaaaaaaa', '1234567890123456', 'abababababababab', 'abcdefghijklmnop'])
    assert.match(strengthOf(password).text, /^Weak/, password);
});

test('rises with the length, in words of its own at each step', () => {
  const steps = ['vio', 'violet anchor', 'violet anchor below', 'violet anchor beside a kite'];
  assert.deepEqual(levels(...steps), [1, 2, 3, 4]);
  assert.equal(new Set(steps.map((password) => strengthOf(password).text)).size, steps.length);
});

test('counts characters as the server does, not their bytes or the ways to write them', () => {
  assert.equal(strengthOf('u\u0308'.repeat(7)).text, strengthOf('ü'.repeat(7)).text);
  assert.match(strengthOf('u\u0308'.repeat(7)).text, /^Too short/);
});
