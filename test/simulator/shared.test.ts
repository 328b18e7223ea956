// Random histories of people who share lists, with everything that befalls one scope.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runSeeds } from './crew.ts';
import { Hits, sharedBranches } from './hits.ts';
import { production } from './production.ts';
import { runSharedHistory } from './shared.ts';
import { replayCommand } from './world.ts';

const GROUPS = 2;
const HISTORIES_PER_GROUP = 25;

describe('simulated histories of shared lists with everything at once', () => {
  const hits = new Hits();

  it('[SYNC-30] the same seed lives the same history', async () => {
    const [first, second] = [await runSharedHistory(7, production), await runSharedHistory(7, production)];
    assert.equal(first.trace, second.trace);
  });

  for (let group = 0; group < GROUPS; group += 1) {
    const first = 1 + group * HISTORIES_PER_GROUP;
    it(`[SYNC-29] [SYNC-84] [SYNC-98] [SYNC-134] [SYNC-135] [SHARE-81] [SHARE-83] seeds ${first} to ${first + HISTORIES_PER_GROUP - 1} end with equal copies, nothing missing and nothing in two scopes`, async () => {
      const {
        broken,
        done,
        hits: met,
      } = await runSeeds({ kind: 'shared', first, count: HISTORIES_PER_GROUP });
      hits.add(met);
      if (broken !== null)
        assert.fail(`Seed ${broken.seed}: ${broken.reason}\nReplay: ${replayCommand(broken.seed, 'shared')}`);
      assert.equal(done, HISTORIES_PER_GROUP);
    });
  }

  it('share lists, move tasks and go back often enough', () => {
    assert.deepEqual(hits.tooRare(sharedBranches, (GROUPS * HISTORIES_PER_GROUP) / 120), []);
  });
});
