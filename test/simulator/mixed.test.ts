// Random histories in which everything happens at once: notes are written, cloud sync is turned off and on, the server's
// database is put back to older states, with every other fault there is.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runSeeds } from './crew.ts';
import { Hits, mixedBranches } from './hits.ts';
import { runMixedHistory } from './mixed.ts';
import { shownByMixed, loadMutant } from './mutants.ts';
import { expectNoticed } from './noticing.ts';
import { production } from './production.ts';
import { replayCommand } from './world.ts';

const MIXED_GROUPS = 3;
const MIXED_PER_GROUP = 20;
/** The rarest shows in one of twenty, and the first of these may come late: which they are changes with what people do. */
const MUTANT_SEEDS = 200;

describe('simulated histories with everything at once', () => {
  const hits = new Hits();

  it('[SYNC-30] the same seed lives the same history', async () => {
    const [first, second] = [await runMixedHistory(7, production), await runMixedHistory(7, production)];
    assert.equal(first.trace, second.trace);
  });

  for (let group = 0; group < MIXED_GROUPS; group += 1) {
    const first = 1 + group * MIXED_PER_GROUP;
    it(`[SYNC-16] [SYNC-29] [SYNC-40] seeds ${first} to ${first + MIXED_PER_GROUP - 1} end with equal copies, nothing missing, and no word lost`, async () => {
      const { broken, done, hits: met } = await runSeeds({ kind: 'mixed', first, count: MIXED_PER_GROUP });
      hits.add(met);
      if (broken !== null)
        assert.fail(`Seed ${broken.seed}: ${broken.reason}\nReplay: ${replayCommand(broken.seed, 'mixed')}`);
      assert.equal(done, MIXED_PER_GROUP);
    });
  }

  it('goes back, edits notes and turns cloud sync off often enough', () => {
    assert.deepEqual(hits.tooRare(mixedBranches, (MIXED_GROUPS * MIXED_PER_GROUP) / 400), []);
  });

  for (const name of shownByMixed) {
    it(`[SYNC-31] ${name}: noticed`, async () => {
      const mutant = await loadMutant(name);
      await expectNoticed(name, (seed) => runMixedHistory(seed, mutant), MUTANT_SEEDS);
    });
  }
});
