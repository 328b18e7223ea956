// The checks have teeth: production code with one safeguard taken away is caught by fixed seeds, and the real one is not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadMutant, mutants, type MutantName } from './mutants.ts';
import { production } from './production.ts';
import type { Subject } from './subject.ts';
import { runHistory } from './world.ts';

/** How many of the seeds each is to be caught by, at the least: one could be luck. */
const LEAST = 2;
const seeds: Readonly<Record<MutantName, readonly number[]>> = {
  'no cycle check': [1, 9, 10, 12],
  'no de-duplication': [1, 2, 3, 4],
  'keys chosen without looking': [1, 2, 4, 6],
  'no compare-and-set of occurrences': [1, 17, 22, 23],
  'arrival order instead of age': [7, 16, 23, 26],
};

async function caught(subject: Subject, candidates: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const seed of candidates) {
    try {
      await runHistory(seed, subject);
    } catch (error) {
      assert.ok(error instanceof assert.AssertionError, `seed ${seed} fails a check: ${String(error)}`);
      found.push(seed);
    }
  }
  return found;
}

describe('altered copies of the code', () => {
  for (const name of Object.keys(mutants) as MutantName[]) {
    it(`[SYNC-31] ${name}: noticed`, async () => {
      const found = await caught(await loadMutant(name), seeds[name]);
      assert.ok(found.length >= LEAST, `caught by the seeds ${found.join()} only`);
    });
  }

  it('[SYNC-31] the code as it is: nothing to notice', async () => {
    const all = [...new Set(Object.values(seeds).flat())];
    assert.deepEqual(await caught(production, all), []);
  });
});
