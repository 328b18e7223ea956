// Random histories of several scopes, checked after each has come to rest, and what would be noticed if it were taken away.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runSeeds } from './crew.ts';
import { Hits, scopeBranches } from './hits.ts';
import { expectNoticed } from './noticing.ts';
import { loadScopeMutant, scopeMutants, type ScopeMutantName } from './scope-mutants.ts';
import { openBench } from './scope-bench.ts';
import { runScopes } from './scopes.ts';
import { replayCommand } from './world.ts';

/** `npm run soak` lives many more. */
const GROUPS = 1;
const HISTORIES_PER_GROUP = 100;
/** So many seeds are tried on altered code. */
const MOST = 250;

describe('histories of several scopes', () => {
  const hits = new Hits();

  for (let group = 0; group < GROUPS; group += 1) {
    const first = 1 + group * HISTORIES_PER_GROUP;
    it(`[SYNC-76] [SYNC-77] [SYNC-78] [SYNC-79] [SYNC-80] seeds ${first} to ${first + HISTORIES_PER_GROUP - 1} end with equal copies and nothing lost`, async () => {
      const {
        broken,
        done,
        hits: met,
      } = await runSeeds({ kind: 'scopes', first, count: HISTORIES_PER_GROUP });
      hits.add(met);
      if (broken !== null)
        assert.fail(`Seed ${broken.seed}: ${broken.reason}\nReplay: ${replayCommand(broken.seed, 'scopes')}`);
      assert.equal(done, HISTORIES_PER_GROUP);
    });
  }

  it('meet everything often enough', () => {
    assert.deepEqual(hits.tooRare(scopeBranches, (GROUPS * HISTORIES_PER_GROUP) / 2_000), []);
  });

  for (const name of Object.keys(scopeMutants) as ScopeMutantName[])
    it(`[SYNC-31] ${name}: noticed`, async () => {
      const mutant = await loadScopeMutant(name);
      const live = async (seed: number) => {
        const bench = await openBench(mutant);
        try {
          await runScopes(seed, bench);
        } finally {
          await bench.store.close();
        }
      };
      await expectNoticed(name, live, MOST);
    });
});
