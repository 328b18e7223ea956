// Random histories of several scopes, checked after each has come to rest, and what would be noticed if it were taken away.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runSeeds } from './crew.ts';
import { Hits, scopeBranches } from './hits.ts';
import { loadScopeMutant, scopeMutants, type ScopeMutantName } from './scope-mutants.ts';
import { openBench, type ScopesSubject } from './scope-bench.ts';
import { runScopes } from './scopes.ts';
import { replayCommand } from './world.ts';

/** `npm run soak` lives many more. */
const GROUPS = 2;
const HISTORIES_PER_GROUP = 500;
/** By how many seeds each alteration is to be caught, and how many are tried: one could be luck. */
const LEAST = 2;
const MOST = 250;

async function caught(subject: ScopesSubject): Promise<number[]> {
  const bench = await openBench(subject);
  const found: number[] = [];
  for (let seed = 1; seed <= MOST && found.length < LEAST; seed += 1)
    await runScopes(seed, bench).catch((error: unknown) => {
      assert.ok(error instanceof assert.AssertionError, `seed ${seed} fails a check: ${String(error)}`);
      found.push(seed);
    });
  await bench.store.close();
  return found;
}

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
    assert.deepEqual(hits.tooRare(scopeBranches, GROUPS * HISTORIES_PER_GROUP), []);
  });

  for (const name of Object.keys(scopeMutants) as ScopeMutantName[])
    it(`[SYNC-31] ${name}: noticed`, async () => {
      const found = await caught(await loadScopeMutant(name));
      assert.equal(found.length, LEAST, `of ${MOST} seeds only ${found.join() || 'none'} noticed`);
    });
});
