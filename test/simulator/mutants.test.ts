// The checks have teeth: production code with one safeguard taken away is caught by the first seeds, which the real one
// lives through (simulator.test.ts).
import { describe, it } from 'node:test';
import { shownByMixed, loadMutant, mutants, type MutantName } from './mutants.ts';
import { expectNoticed } from './noticing.ts';
import { runHistory } from './world.ts';

/** So many seeds are tried. */
const MOST = 150;

describe('altered copies of the code', () => {
  for (const name of Object.keys(mutants) as MutantName[]) {
    if (shownByMixed.has(name)) continue;
    it(`[SYNC-31] ${name}: noticed`, async () => {
      const mutant = await loadMutant(name);
      await expectNoticed(name, (seed) => runHistory(seed, mutant), MOST);
    });
  }
});
