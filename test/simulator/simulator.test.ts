// Random histories of devices, network and server under every fault there is, checked after each has come to rest.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runSeeds } from './crew.ts';
import { branches, Hits } from './hits.ts';
import { production } from './production.ts';
import { replayCommand, runHistory } from './world.ts';

/** `npm run soak` lives many more. */
const GROUPS = 4;
const HISTORIES_PER_GROUP = 50;

describe('simulated histories', () => {
  const hits = new Hits();

  it('[SYNC-30] the same seed lives the same history', async () => {
    const [first, second] = [await runHistory(77, production), await runHistory(77, production)];
    assert.equal(first.trace, second.trace);
    assert.ok(first.steps > 100);
  });

  for (let group = 0; group < GROUPS; group += 1) {
    const first = 1 + group * HISTORIES_PER_GROUP;
    it(`[SYNC-20] [SYNC-21] [SYNC-22] [SYNC-23] [SYNC-24] seeds ${first} to ${first + HISTORIES_PER_GROUP - 1} end with equal copies and nothing lost`, async () => {
      const { broken, done, hits: met } = await runSeeds({ first, count: HISTORIES_PER_GROUP });
      hits.add(met);
      if (broken !== null)
        assert.fail(`Seed ${broken.seed}: ${broken.reason}\nReplay: ${replayCommand(broken.seed)}`);
      assert.equal(done, HISTORIES_PER_GROUP);
    });
  }

  it('reaches every verdict, fault and rare branch often enough', () => {
    assert.deepEqual(hits.tooRare(branches, (GROUPS * HISTORIES_PER_GROUP) / 2_000), []);
  });
});
