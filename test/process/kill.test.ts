// The real server process, killed again and again while devices push (killed.ts).
import { describe, it } from 'node:test';
import { runKilled } from './killed.ts';

const ROUNDS = 25;
/** Each starts with a database of its own. */
const SEEDS = [27, 28];

describe('a server that is killed', () => {
  for (const seed of SEEDS)
    it(`[SYNC-27] ${ROUNDS} times under load, seed ${seed}: nothing lost, nothing twice, soon back, and a log that does not grow`, async () => {
      await runKilled({ rounds: ROUNDS, seed });
    });
});
