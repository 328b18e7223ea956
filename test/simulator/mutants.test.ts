// The checks have teeth: production code with one safeguard taken away is caught by the first seeds, which the real one
// lives through (simulator.test.ts).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shownByMixed, loadMutant, mutants, type MutantName } from './mutants.ts';
import type { Subject } from './subject.ts';
import { runHistory } from './world.ts';

/** By how many seeds each is to be caught: one could be luck. */
const LEAST = 2;
/** Seeds from 1 on that are tried. */
const MOST = 150;

/** The first seeds that notice. */
async function caught(subject: Subject): Promise<number[]> {
  const found: number[] = [];
  for (let seed = 1; seed <= MOST && found.length < LEAST; seed += 1) {
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
    if (shownByMixed.has(name)) continue;
    it(`[SYNC-31] ${name}: noticed`, async () => {
      const found = await caught(await loadMutant(name));
      assert.equal(found.length, LEAST, `of ${MOST} seeds only ${found.join() || 'none'} noticed`);
    });
  }
});
