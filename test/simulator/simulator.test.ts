// Random histories of devices, network and server under every fault there is, checked after each has come to rest.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Hits } from './hits.ts';
import { production } from './production.ts';
import { replayCommand, runHistory } from './world.ts';

const GROUPS = 10;
const HISTORIES_PER_GROUP = 100;

async function runSeeds(from: number, count: number, hits: Hits): Promise<void> {
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      hits.add((await runHistory(seed, production)).hits);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Seed ${seed}: ${reason}\nReplay: ${replayCommand(seed)}`, { cause: error });
    }
  }
}

describe('simulated histories', () => {
  const hits = new Hits();

  it('[SYNC-30] the same seed lives the same history', async () => {
    const [first, second] = [await runHistory(77, production), await runHistory(77, production)];
    assert.equal(first.trace, second.trace);
    assert.ok(first.steps > 100);
  });

  for (let group = 0; group < GROUPS; group += 1) {
    const from = 1 + group * HISTORIES_PER_GROUP;
    it(`[SYNC-20] [SYNC-21] [SYNC-22] [SYNC-23] [SYNC-24] seeds ${from} to ${from + HISTORIES_PER_GROUP - 1} end with equal copies and nothing lost`, async () => {
      await runSeeds(from, HISTORIES_PER_GROUP, hits);
    });
  }

  it('reaches every rare branch', () => {
    assert.deepEqual(hits.missing(), []);
  });
});
