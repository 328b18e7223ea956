// Every hostile script ends with what is said of it, and the next one runs in a world as new. Times in a browser are those of
// bench/browser; here the machine may be as slow as it likes.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ScriptThreads, SMALL_STATE } from './engine.ts';
import { after as harmless, hostile } from './hostile.ts';

describe('hostile scripts', () => {
  const threads = new ScriptThreads();
  after(() => threads.close());
  const run = (source: string) => threads.run({ source, variables: '{"before":"x"}', state: SMALL_STATE });

  test('[MACRO-107] there are more than sixty, each of another name', () => {
    assert.ok(hostile.length > 60);
    assert.equal(new Set(hostile.map(({ name }) => name)).size, hostile.length);
  });

  for (const { name, source, ends } of hostile)
    test(`[MACRO-107] [MACRO-108] ${name}`, async () => {
      const { answer } = await run(source);
      if (ends === 'answers') assert.ok(answer.ok, answer.ok ? '' : answer.problem.message);
      else assert.match(answer.ok ? 'answers' : answer.problem.message, ends);
      const next = await run(harmless);
      assert.ok(next.answer.ok, next.answer.ok ? '' : next.answer.problem.message);
      assert.deepEqual({ ...next.answer.value }, { title: 'Buy milk', globals: 'undefinedundefined{}' });
    });
});
