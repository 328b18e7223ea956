// Secrets of links that wait for the app, as a text that a browser keeps.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { secretIn, withoutSecret, withSecret } from './kept-secrets.ts';

const SECRET = 'a'.repeat(43);
const OTHER = 'b'.repeat(43);
const DAY_MS = 86_400_000;

describe('secrets that wait for the app', () => {
  test('[SEAL-311] are found by the token of their link, for a day, and are gone once they were used', () => {
    const one = withSecret(null, { token: 'one', secret: SECRET }, 1_000);
    const both = withSecret(one, { token: 'two', secret: OTHER }, 2_000);
    assert.deepEqual([secretIn(both, 'one', 3_000), secretIn(both, 'two', 3_000)], [SECRET, OTHER]);
    assert.equal(secretIn(both, 'three', 3_000), null);
    assert.equal(secretIn(both, 'one', 1_000 + DAY_MS), null);
    assert.equal(secretIn(both, 'two', 1_000 + DAY_MS), OTHER);
    assert.equal(secretIn(withSecret(both, { token: 'one', secret: OTHER }, 4_000), 'one', 5_000), OTHER);
    const left = withoutSecret(both, 'one', 3_000);
    assert.deepEqual([secretIn(left, 'one', 3_000), secretIn(left, 'two', 3_000)], [null, OTHER]);
    assert.equal(withoutSecret(left, 'two', 3_000), null);
  });

  test('[SEAL-311] are few, and what is none is none', () => {
    let text: string | null = null;
    for (let at = 0; at < 30; at += 1) text = withSecret(text, { token: `t${at}`, secret: SECRET }, at);
    assert.equal((JSON.parse(text ?? '') as unknown[]).length, 10);
    assert.deepEqual([secretIn(text, 't19', 40), secretIn(text, 't20', 40)], [null, SECRET]);
    assert.equal(withSecret(null, { token: 'one', secret: '<b>' }, 1), '[]');
    for (const broken of [
      '',
      '{',
      '{}',
      '[1]',
      '[{"token":"one","secret":7,"at":1}]',
      `[{"token":"one","secret":"short","at":1}]`,
    ])
      assert.equal(secretIn(broken, 'one', 2), null);
    assert.equal(
      secretIn(withSecret(null, { token: 'one', secret: SECRET }, 9_000), 'one', 1),
      null,
      'of a clock that ran ahead',
    );
  });
});
