// Random scripts: a small part of what `npm run soak -- --mode scripts` runs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fuzzScripts, scriptOf } from './fuzz.ts';

const COUNT = 2_500;

describe('random scripts', () => {
  test('[MACRO-107] [MACRO-108] each ends with variables or a sentence', async () => {
    const { answered, problems } = await fuzzScripts(1, COUNT);
    // Neither all of them answer, nor none gets that far.
    assert.ok(answered > COUNT / 10, `${answered} answered`);
    for (const type of ['syntax', 'threw', 'missing', 'result']) assert.ok((problems[type] ?? 0) > 5, type);
  });

  test('the same seed makes the same script', () => {
    assert.equal(scriptOf(7), scriptOf(7));
    assert.ok(new Set(Array.from({ length: 100 }, (_, seed) => scriptOf(seed))).size > 80);
  });
});
